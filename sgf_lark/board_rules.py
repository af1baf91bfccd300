"""Points that the board of a game does not have, in moves, setup and markup alike.

Source: FF[4], Go, Point; the pages of the other games, each for its own points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from .diagnostics import Finding
from .fixes import removal
from .grammars import Format
from .model import GameTree
from .properties import Count
from .property import COLORS, Content, Property
from .reading import Reader, shorten
from .tree_rules import finding
from .values import (
    AmazonsMove,
    BoardSize,
    Composed,
    LinkCenter,
    OctiMove,
    Pass,
    Played,
    Pod,
    Point,
    ProngMove,
    Rectangle,
    Step,
)

#: The longest side of a board whose points have letters (FF[4], Go).
LONGEST_SIDE = 52

#: Where a move goes that goes nowhere: a pass, off the board, nobody knows.
PASSED, OFF, UNKNOWN = -1, -2, -3

#: The boards of games whose pages give no size where SZ is missing.
USUAL = {2: BoardSize(8, 8), 19: BoardSize(9, 9)}

#: Games in which a point is no place on a board of columns and rows.
WITHOUT_BOARD = frozenset({6})


def board_size(game: GameTree) -> BoardSize | None:
    """The size of a game's board; of Go, as far as its points have letters."""
    if game.game in WITHOUT_BOARD:
        return None
    usual = USUAL.get(game.game or 0) if game.format is not Format.GGF else None  # there BO says
    size = game.size or usual
    if size is not None and game.game == 1:
        return BoardSize(min(size.columns, LONGEST_SIDE), min(size.rows, LONGEST_SIDE))
    return size


class Cells:
    """The cells of a board by the short texts that name them, for one way of reading."""

    def __init__(self, size: BoardSize) -> None:
        self.size = size
        self._step = size.columns + 1
        self.moves: dict[str, int] = {}
        self.points: dict[str, int] = {}

    def of_move(self, one: Property) -> int:
        """Where a move goes."""
        raw = one.raw[0]
        found = self.moves.get(raw)
        if found is None:
            value = one.values[0]
            found = PASSED if isinstance(value, Pass) else self.of_value(value)
            if len(raw) <= 2:  # noqa: PLR2004  # letters: there are not many of them
                self.moves[raw] = found
        return found

    def of_point(self, one: Property, index: int) -> int:
        """Where a point of a list is; a rectangle is UNKNOWN."""
        raw = one.raw[index]
        found = self.points.get(raw)
        if found is None:
            values = one.values
            found = self.of_value(values[index]) if index < len(values) else UNKNOWN
            if len(raw) <= 2:  # noqa: PLR2004  # letters
                self.points[raw] = found
        return found

    def of_value(self, value: object) -> int:
        """The cell of a point, as :meth:`sgf_lark.board.Board.cell` counts."""
        if not isinstance(value, Point):
            return UNKNOWN
        if value.column >= self.size.columns or value.row >= self.size.rows:
            return OFF
        return (value.row + 1) * self._step + value.column + 1


@lru_cache(maxsize=1 << 6)
def cells(_: Reader, size: BoardSize) -> Cells:
    """What is known of the texts that such a reader reads."""
    return Cells(size)


def points_of(value: object) -> Iterator[Point]:
    """All points that a value names."""
    match value:
        case Point():
            yield value
        case Rectangle(first=first, second=second) | Composed(first=first, second=second):
            yield from (one for one in (first, second) if isinstance(one, Point))
        case Step():
            yield from (value.origin, value.target)
        case AmazonsMove():
            yield from (value.origin, value.target, value.arrow)
        case LinkCenter() | Pod():
            yield value.point
        case ProngMove():
            yield value.pod.point
        case OctiMove():
            for pod, steps in value.moves:
                yield pod.point
                yield from (step.target for step in steps)
        case Played():
            yield from points_of(value.move)


class OffBoard:
    """Finds the points of a game that its board does not have.

    Args:
        game: It knows its text.
        size: Of its board.
    """

    def __init__(self, game: GameTree, size: BoardSize) -> None:
        self._nodes = game.nodes
        self._size = size
        self._known = cells(game.nodes.rules.reader, size)
        self._looked: dict[int, list[int]] = {}
        self._kinds: dict[str, dict[str, int] | None] = {}

    def of_node(self, node: int, content: Content) -> Iterator[Finding]:
        """What is wrong with the points of a node."""
        for place, one in enumerate(content):
            ident = one.ident
            if ident not in self._kinds:
                self._kinds[ident] = _known_texts(one, self._known)
            texts = self._kinds[ident]
            if texts is None or all(texts.get(raw, OFF) >= PASSED for raw in one.raw):
                continue
            wrong = self._looked.get(id(one))
            if wrong is None:
                wrong = self._looked[id(one)] = [*_off_board(one, self._size, texts)]
            if wrong:
                size = self._size
                more = f" (and {len(wrong) - 1} more)" if wrong[1:] else ""
                message = (
                    f"{ident}[{shorten(one.raw[wrong[0]])}]{more} lies outside the board"
                    f" of {size.columns} by {size.rows}"
                )
                help_ = "correct the point, or the size of the board"
                found = finding(
                    self._nodes, node, place, "point-off-board", message, help_, index=wrong[0]
                )
                whole = not any(isinstance(one.values[index], Rectangle) for index in wrong)
                if one.rule is not None and one.rule.count is not Count.ONE and whole:
                    found = found._replace(fix=removal(self._nodes, node, place, wrong))
                yield found


def board_rules(game: GameTree) -> Iterator[Finding]:
    """Every point that the board does not have."""
    size = board_size(game)
    if size is None:
        return
    rule = OffBoard(game, size)
    for node, content in enumerate(game.nodes.contents):
        yield from rule.of_node(node, content)


def _known_texts(one: Property, known: Cells) -> dict[str, int] | None:
    """The texts of points that such a property may have; None if it has no points."""
    if one.rule is None:
        return None
    if one.ident in COLORS:
        return known.moves
    if one.rule.is_points:
        return known.points
    kinds = {kind for kinds in one.rule.types for kind in kinds}
    return {} if kinds & {"point", "stone", "move"} else None


def _off_board(one: Property, size: BoardSize, texts: dict[str, int]) -> Iterable[int]:
    """Which values name a point off the board."""
    columns, rows = size
    for index, value in enumerate(one.values):
        raw = one.raw[index]
        move = value.move if isinstance(value, Played) else value
        off = any(point.column >= columns or point.row >= rows for point in points_of(move))
        if off:
            yield index
        elif isinstance(move, Point) and len(raw) <= 2:  # noqa: PLR2004  # letters
            texts[raw] = (move.row + 1) * (columns + 1) + move.column + 1
        elif isinstance(move, Pass) and len(raw) <= 2:  # noqa: PLR2004  # letters
            texts[raw] = PASSED

"""The main line of a game: its points, and the hashes by which equal games are found.

A line is what the board shows from its start to the end of the main line: the stones with which the
game begins and those that are set up, and the moves with their colors.  Times, comments, markup
and names do not count, nor does PL.  Its hash is the first eight bytes of the SHA-256 of its text:
the name of the game, the size of the board, its setup and its moves, in order.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from string import ascii_letters
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    COLORS,
    LETTERED_SIDE,
    SETUP,
    Action,
    BoardSize,
    Color,
    Format,
    Game,
    InitialBoard,
    Invalid,
    Memo,
    Model,
    Nodes,
    Pass,
    Point,
    PointList,
    Reading,
    Rectangle,
    RuleSet,
    find_board_size,
    knows_points,
    move_of,
    terminals,
)
from sgf_lark.games.registry import find_state
from sgf_lark.positions.keys import hash_number
from sgf_lark.positions.start import USUAL_SIZE, is_set_up, start, value_of
from sgf_lark.positions.symmetry import (
    Symmetry,
    Transformation,
    is_symmetry,
    recoloring,
    transformation,
)

from .scan import Scan

#: The largest number of 32 bits.
MOST = (1 << 31) - 1

#: In place of a point: a pass; no move of the game, a word such as ``resign``, or a point that is
#: not on the board or has no number of 32 bits; a move that is more than a point, or a text.
PASSED, NONE, LONG = -1, -2, -3

#: The terminals of a move of GGF: its text, its evaluation and its time (GGF, B and W).
PLAYED = ("MOVE_TEXT", "REAL", "REAL_TIME")

#: Texts of moves that are kept for the games of one kind and size: a board of 52 by 52 has 2,704.
MAX_TEXTS = 1 << 13

#: Kinds and sizes of games whose texts are kept.
MAX_KINDS = 1 << 5


def board_size(nodes: Nodes) -> BoardSize | None:
    """Return columns and rows of the board of a game; None without a board or a known size."""
    game = nodes.rules.game
    if not game.has_size:
        return None
    size = find_board_size(nodes.contents[0], game)
    if size is None and knows_points(game):
        size = game.usual_size or USUAL_SIZE
    return size


class Points(Memo[tuple[str, str], int]):
    """The points of moves, by identifier and text of the move."""

    def __init__(self, rules: RuleSet, size: BoardSize | None) -> None:
        super().__init__(lambda move: self._find(self.value(*move)), MAX_TEXTS)
        self.rules = rules
        self.size = size

    def of(self, idents: Iterable[str], raws: Iterable[str]) -> list[int]:
        """Return the points of moves, by their identifiers and texts."""
        played = self._played
        if played is not None:  # without evaluation and time, few texts are different
            match = played.fullmatch
            raws = [found[1] if (found := match(raw)) else raw for raw in raws]
        return [*map(self.__getitem__, zip(idents, raws, strict=True))]

    @cached_property
    def _played(self) -> re.Pattern[str] | None:
        """The expression of a move of GGF with its evaluation and time; None in other formats."""
        rules = self.rules
        if rules.format is not Format.GGF or rules.reader.is_custom:
            return None
        move, real, time = map(terminals(rules.file, "played").get, PLAYED)
        return re.compile(f"({move})/(?:{real})?(?:/(?:{time})?)?")

    def value(self, ident: str, raw: str) -> Any:
        """Return the value of a move, as :attr:`sgf_lark.Move.value` has it."""
        return move_of(self.rules.property(ident, (raw,)).values[0])

    def _find(self, value: Any) -> int:
        match value:
            case Point(column, row):
                if self.size is None or column >= self.size.columns or row >= self.size.rows:
                    return NONE
                number = row * self.size.columns + column
                return number if number <= MOST else NONE
            case Pass():
                return PASSED
            case Action() | Invalid():
                return NONE
        return LONG


#: The points of moves of many games, by their rules and size.
PointsOfKinds: TypeAlias = Memo[tuple[RuleSet, BoardSize | None], Points]


def points_of_kinds() -> PointsOfKinds:
    """Return a table of them, which is filled when they are asked for."""
    return Memo(lambda kind: Points(*kind), MAX_KINDS)


#: The moves of the Dyer signature, from 1.
DYER_MOVES = (20, 40, 60, 31, 51, 71)

#: A move of the signature that the game does not have, or that is no point.
NO_POINT = "??"

#: The numbers of moves in a text, and those after an exchange of the sides.
KINDS = {ident: 1 if color is Color.BLACK else 2 for ident, color in COLORS.items()}
EXCHANGED = bytes.maketrans(bytes((1, 2)), bytes((2, 1)))

#: The property of setup that becomes of another one if the sides are exchanged.
_OF_SIDES: dict[Color | None, str] = {color: ident for ident, color in SETUP.items()}
OTHER_SIDE = {ident: _OF_SIDES[color and color.opponent] for ident, color in SETUP.items()}

#: Setup of at most this many stones is kept.
MAX_KEPT_STONES = 64

#: The longest side whose columns and rows are bytes; PASSED and NONE are bytes, too.
MAX_BYTE_SIDE = 250


class SetupStones(NamedTuple):
    place: int
    stones: tuple[tuple[str, Any], ...]


def ways(game: Game, size: BoardSize) -> tuple[Transformation, ...]:
    """Return the symmetries of a game, and each of them with exchanged colors; identity first.

    Those of a board that is not square may give it another size.
    """
    wanted = filter(partial(is_symmetry, game.number), Symmetry)
    found = [transformation(game.number, size, symmetry) for symmetry in wanted]
    if find_state(game.number) is not None:
        exchange = recoloring(game.number, size)
        for way in tuple(found):
            symmetry = way.symmetry.then(exchange.symmetry)
            exchanges = way.exchanges_sides is not exchange.exchanges_sides
            other = way._replace(symmetry=symmetry, exchanges_sides=exchanges)
            if other not in found:
                found.append(other)
    return tuple(found)


class MainLine:
    def __init__(
        self, game: Game, size: BoardSize, idents: Sequence[str], setups: Sequence[SetupStones]
    ) -> None:
        self._game, self._size = game, size
        self._kinds = bytes(map(KINDS.__getitem__, idents))
        self._setups = setups

    def _setups_after(self) -> list[bytes]:
        game, size = self._game, self._size
        known = [
            (_known_stones if len(setup.stones) <= MAX_KEPT_STONES else _stones)(game, size, setup)
            for setup in self._setups
        ]
        return [b"".join(parts) for parts in zip(*known, strict=True)] or [b""] * len(
            _tables(game, size).ways
        )

    def of_points(self, points: Sequence[int], words: Sequence[str]) -> tuple[int, int]:
        """Return the hash of a line of points, and the smallest one under symmetries and colors."""
        size = self._size
        columns, rows = size
        down = [point // columns if point >= 0 else point for point in points]
        across = [point % columns if point >= 0 else point for point in points]
        axes = _axis(across, columns), _axis(down, rows)
        tail = "".join([f"\0{word}" for word in words]).encode(errors="surrogatepass")
        found: list[int] = []
        kinds = self._kinds, self._kinds.translate(EXCHANGED)
        count = f"{len(self._kinds)}:".encode()
        for turn, setup in zip(_tables(self._game, size).turns, self._setups_after(), strict=True):
            begin, exchanges, flips_columns, flips_rows, exchanges_sides = turn
            new = axes[exchanges][flips_columns], axes[not exchanges][flips_rows]
            text = begin, count, setup, kinds[exchanges_sides], *new, tail
            found.append(hash_number(b"".join(text)))
        return found[0], min(found)

    def of_values(self, values: Sequence[Any]) -> tuple[int, int]:
        found: list[int] = []
        known = _tables(self._game, self._size).ways
        for way, setups in zip(known, self._setups_after(), strict=True):
            try:
                text = b"\0".join(self._parts_of(values, way, setups))
            except ValueError:  # what cannot be written so: a steep link of Twixt
                continue
            found.append(hash_number(text))
        return found[0], min(found)

    def _parts_of(
        self, values: Sequence[Any], way: Transformation, setups: bytes
    ) -> Iterator[bytes]:
        yield _begin(self._game, way) + f"{len(self._kinds)}:".encode()
        yield setups
        yield self._kinds.translate(EXCHANGED) if way.exchanges_sides else self._kinds
        for value in values:
            yield _text_of(way.value(value)).encode(errors="surrogatepass")


def _text_of(value: Any) -> str:
    if isinstance(value, Point):
        return f"{value.column},{value.row}"
    if isinstance(value, Model) and not isinstance(value, Invalid):
        return value.model_dump_json()
    return str(value)


def _begin(game: Game, way: Transformation) -> bytes:
    """Return the first bytes of a text: the name of the game and the size of the board."""
    columns, rows = way.new_size
    return f"{game.notation or game.name}:{columns}x{rows}:".encode(errors="surrogatepass")


class _Tables(NamedTuple):
    """Tables for the lines on the boards of one game and size."""

    ways: tuple[Transformation, ...]  # the symmetries, as ways returns them
    # for each way the first bytes of the text, and if it does so with a line of points: columns
    # become rows; then columns are counted from the other end; and rows; sides are exchanged
    turns: list[tuple[bytes, bool, bool, bool, bool]]
    # for each symmetry the names of the points after it; empty for a long side
    names: list[list[str]]


# Of 52 by 52 a megabyte.  Rows of 400 real files read once: 1.4 s CPU with their check, 1.7 without
# the names.
@lru_cache(maxsize=1 << 4)
def _tables(game: Game, size: BoardSize) -> _Tables:
    known = ways(game, size)
    turns = []
    for way in known:
        corner = way.symmetry.point(Point(0, 0), BoardSize(2, 2))
        flips = bool(corner.column), bool(corner.row)
        begin = _begin(game, way)
        turns.append((begin, way.symmetry.exchanges_axes, *flips, way.exchanges_sides))
    names = []
    if max(size) <= LETTERED_SIDE:
        points = [Point(column, row) for row in range(size.rows) for column in range(size.columns)]
        for way in {way.symmetry: way for way in known}.values():
            turned = map(way.point, points)
            names.append([ascii_letters[column] + ascii_letters[row] for column, row in turned])
    return _Tables(known, turns, names)


def _axis(places: list[int], side: int) -> tuple[bytes, bytes]:
    if side <= MAX_BYTE_SIDE:
        near = bytes([place & 0xFF for place in places])
        return near, near.translate(bytes([*range(side - 1, -1, -1), *range(side, 256)]))
    far = [side - 1 - place if place >= 0 else place for place in places]
    return _wide(places), _wide(far)


def _wide(places: list[int]) -> bytes:
    wide = array("H", [place & 0xFFFF for place in places])
    if sys.byteorder == "little":
        wide.byteswap()
    return wide.tobytes()


def _stones(game: Game, size: BoardSize, setup: SetupStones) -> list[bytes]:
    """Return the bytes of setup after each way: its place, and its stones in order."""
    found: list[bytes] = []
    for way in _tables(game, size).ways:
        stones = sorted(
            f"{OTHER_SIDE[ident] if way.exchanges_sides else ident}{_text_of(way.value(value))}"
            for ident, value in setup.stones
        )
        text = f"{setup.place}:{' '.join(stones)};"
        found.append(text.encode(errors="surrogatepass"))
    return found


#: Setup of few stones is kept: most games of Othello, and those with a handicap, begin as others.
_known_stones = lru_cache(maxsize=1 << 8)(_stones)


def dyer(game: Game, size: BoardSize, points: Sequence[int]) -> tuple[str | None, str | None]:
    """Return the Dyer signature, and the smallest one under the symmetries of the game.

    It has the points of moves 20, 40, 60, 31, 51 and 71 as SGF writes them, ``??`` for a move that
    is missing or no point: 12 characters.  None for games of fewer than 20 moves, and for boards
    without a letter for each column and row.

    Args:
        points: Of the moves: row x columns + column, or less than 0.
    """
    count = len(points)
    if count < DYER_MOVES[0] or max(size) > LETTERED_SIDE:
        return None, None
    chosen = [points[at - 1] if at <= count else NONE for at in DYER_MOVES]
    found = [
        "".join([table[point] if point >= 0 else NO_POINT for point in chosen])
        for table in _tables(game, size).names
    ]
    return found[0], min(found)


# ---- setup on the main line ----

#: Points of setup that one game may name, beside one for each node; a line of more has no hash.
MAX_POINTS = 1 << 14

#: The property of a piece of each color.
IDENTS = {color: ident for ident, color in SETUP.items()}

#: The sides by the symbols of a first board of GGF.
SYMBOLS = {"*": IDENTS[Color.BLACK], "O": IDENTS[Color.WHITE]}


class Setups(NamedTuple):
    parts: list[SetupStones] | None  # in order; None if it is too much to be looked at
    # the numbers of stones that are listed before the first move
    black: int
    white: int


def find_setups(nodes: Nodes, scanned: Scan, size: BoardSize | None) -> Setups:
    counts = Counter[str]()
    parts: list[SetupStones] | None = []
    first = _start(nodes)
    if first:
        parts = [SetupStones(0, first)]
    if value_of(nodes.contents[0], "BO") is not None:
        counts.update(ident for ident, _ in first)
    left = MAX_POINTS + len(nodes)
    for node in scanned.setup:
        if node > scanned.end:
            break
        place = bisect_left(scanned.nodes, node)
        props = [prop for prop in nodes.contents[node] if prop.ident in SETUP]
        if place == 0:
            for prop in props:
                counts[prop.ident] += _total(prop)
        left -= sum(map(_total, props))
        if left < 0:
            parts = None
        if parts is not None:
            parts.append(SetupStones(place, tuple(_stones_of(props, size))))
    return Setups(parts, counts[IDENTS[Color.BLACK]], counts[IDENTS[Color.WHITE]])


def _start(nodes: Nodes) -> tuple[tuple[str, Any], ...]:
    root, rules = nodes.contents[0], nodes.rules
    board = value_of(root, "BO")
    if isinstance(board, InitialBoard):
        return _pieces(board.rows)
    kind = find_state(rules.game.number)
    if kind is None or not kind.begins_with_pieces() or is_set_up(root):
        return ()
    try:
        state = start(nodes.contents, rules)
    except ValueError:
        return ()
    return tuple(
        (IDENTS[stone.color], stone.point)
        for stone in state.pieces()
        if isinstance(stone.color, Color)
        for _ in range(stone.amount)
    )


def _pieces(rows: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    width = max(map(len, rows), default=0)
    return tuple(
        (SYMBOLS[symbol], Point((width - len(cells)) // 2 + column, row))
        for row, cells in enumerate(rows)
        for column, symbol in enumerate(cells)
        if symbol in SYMBOLS
    )


def _total(prop: Reading) -> int:
    value = prop.value
    return value.total if isinstance(value, PointList) else len(prop.values)


def _stones_of(props: list[Reading], size: BoardSize | None) -> Iterator[tuple[str, Any]]:
    for prop in props:
        value = prop.value
        points = value if isinstance(value, PointList) else prop.values
        for point in points:
            is_off = isinstance(point, Point) and (
                size is not None and (point.column >= size.columns or point.row >= size.rows)
            )
            if not isinstance(point, Rectangle) and not is_off:
                yield prop.ident, point

"""Points that the board of a game does not have, in moves, setup and markup alike.

Source: FF[4], Go, Point; the pages of the other games, each for its own points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.model.constraints import off_board
from sgf_lark.core.model.readings import Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GO
from sgf_lark.core.schema.points import BOTH_CASES
from sgf_lark.core.schema.properties import COLORS, Count, PropertyRule
from sgf_lark.core.schema.values import BoardSize, Pass, Played, Point, Rectangle, points_of

#: The type of LB.
LABELS = (("point", "simpletext"),)


class KnownTexts:
    """The short texts that name points of a board, for one way of reading.

    At most the spellings of all points, 361 and two passes of a 19 x 19 board of Go, are kept.
    Without that, `check` of 120 real files, each read for the first time in the process, takes
    5.7 % more instructions.

    Attributes:
        points, moves: The texts of points in lists, and of moves (passes included); in Go of all
            points, in other games of those that were read.
    """

    def __init__(self, size: BoardSize, *, is_go: bool) -> None:
        self.size = size
        self.points: set[str] = set()
        if is_go:
            columns, rows = BOTH_CASES[: size.columns], BOTH_CASES[: size.rows]
            self.points = {column + row for column in columns for row in rows}
        self.moves = set(self.points)
        self._lists: dict[tuple[tuple[str, ...], ...], set[str]] = {}

    def of_rule(self, rule: PropertyRule) -> set[str] | None:
        if rule.ident in COLORS:
            return self.moves
        if rule.is_points:  # a stone may be written otherwise than a point
            if rule.types not in self._lists:
                self._lists[rule.types] = set(self.points)
            return self._lists[rule.types]
        if not rule.has_points:
            return None
        return self.points if rule.types == LABELS else set()


class OffBoard:
    """Finds the points of a game that its board does not have; ``known`` is None without a size."""

    def __init__(self, rules: RuleSet, size: BoardSize | None) -> None:
        by = rules.reader
        is_go = by.game is GO and by.format is Format.FF4 and not by.is_custom
        self.known = None if size is None else KnownTexts(size, is_go=is_go)
        self._is_ggf = rules.format is Format.GGF  # a move has its evaluation after it

    def of_property(self, prop: Reading) -> Sequence[int]:
        texts = None if prop.rule is None or self.known is None else self.known.of_rule(prop.rule)
        if texts is None or self.known is None:
            return ()
        mark = "/" if self._is_ggf else ":" if prop.rule and prop.rule.types == LABELS else ""
        raws = [raw.partition(mark)[0] for raw in prop.raw] if mark else prop.raw
        if all(raw in texts for raw in raws):
            return ()
        return [*_off_board(prop, self.known.size, texts)]

    def finding(self, node: int, place: int, prop: Reading, wrong: Sequence[int]) -> Finding:
        columns, rows = self.known.size if self.known is not None else (0, 0)
        more = f" (and {len(wrong) - 1} more)" if wrong[1:] else ""
        message = (
            f"{prop.ident}[{shorten(prop.raw[wrong[0]])}]{more} lies outside the board"
            f" of {columns} by {rows}"
        )
        help_ = "correct the point, or the size of the board"
        finding = off_board(message, help_)._replace(
            node=node, property=prop.ident, property_index=place, value_index=wrong[0]
        )
        whole = not any(isinstance(prop.values[index], Rectangle) for index in wrong)
        if prop.rule is not None and prop.rule.count is not Count.ONE and whole:
            return finding._replace(gone=wrong)
        return finding


def _off_board(prop: Reading, size: BoardSize, texts: set[str]) -> Iterable[int]:
    """Return which values name a point off the board; keep texts without other faults."""
    columns, rows = size
    for index, value in enumerate(prop.values):
        raw, move = prop.raw[index], value
        if isinstance(value, Played):
            raw, move = raw.partition("/")[0], value.move
        if any(point.column >= columns or point.row >= rows for point in points_of(move)):
            yield index
        elif (
            isinstance(move, Point | Pass)
            and not prop.problems
            and len(raw) <= LONGEST_POINT
            and (raw.isalnum() or not raw)
        ):
            texts.add(raw)


#: Characters of a point or a pass as its page writes it; there are not too many of them.
LONGEST_POINT = 3

"""The points of moves as numbers, by the texts of the moves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any, TypeAlias

from sgf_lark.core import (
    Action,
    BoardSize,
    Format,
    Invalid,
    Memo,
    Nodes,
    Pass,
    Point,
    RuleSet,
    find_board_size,
    knows_points,
    move_of,
    terminals,
)
from sgf_lark.positions.start import USUAL_SIZE

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
    """The points of moves, by identifier and text of the move.

    Args:
        rules: Reads the moves.
        size: Of the board; None if it is not known.
    """

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

"""A game whose rules are not known: stones where a record puts them.

A move to a point puts down a stone and a move from point to point moves one; nothing else happens.
Other moves are carried out by nobody, and the board is not known after them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from sgf_lark.core import Action, BoardSize, Color, Game, Pass, Point, Step, Value, name_in_words
from sgf_lark.pictures.parts import BoardKind

from .cell_state import CellState
from .grid import STONES
from .state import LEGAL, Verdict

#: The verdict about a move that only the rules of its game could carry out.
NOT_CARRIED_OUT = Verdict(reason="is not carried out: its moves are not defined", is_lost=True)


class OtherState(CellState):
    """A board of any size, for any game."""

    kind = BoardKind.CELLS
    piece = "piece"

    def __init__(self, size: BoardSize, *, rules: str = "", game: Game) -> None:
        self._game = game
        self.number_of_game = game.number
        super().__init__(size, rules=rules)

    @property
    def game(self) -> Game:
        return self._game

    def empty(self, size: BoardSize) -> Self:
        """Return a state of the same game with an empty board of a size."""
        return type(self)(size, rules=self.rules, game=self._game)

    def put_start(self) -> None:
        """Leave the board as it is: nobody knows the start."""
        self.is_known = False

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:  # noqa: ARG002  # no rules
        """Return that a move is legal: no rule forbids it."""
        return LEGAL if isinstance(move, Point | Step | Pass | Action) else NOT_CARRIED_OUT

    def play(self, move: Value, color: Color) -> Verdict:
        """Put down a stone or move one; it replaces what was on its point."""
        if isinstance(move, Point):
            self.put_taking(self.cell(move), STONES[color])
        elif isinstance(move, Step):
            self.move_piece(self.cell(move.origin), self.cell(move.target))
        self.finish_move(move, color)
        return self.judge(move, color)

    def moves(self, color: Color) -> Iterator[Value]:  # noqa: ARG002  # no rules
        """Raise ValueError: nobody knows which moves are legal."""
        raise ValueError(
            f"the legal moves of {name_in_words(self._game.name)} are not known:"
            " it has no rules here"
        )

    # ---- names ----

    def read_move(self, text: str) -> Value:
        """Return the move of a text: a point, two points such as ``a1-b2``, or ``pass``."""
        origin, separator, target = text.replace(":", "-").partition("-")
        if not separator:
            return super().read_move(text)
        point = self.coordinates.point
        return Step(origin=point(origin), target=point(target))

    def name_move(self, move: Value) -> str:
        """Return a move as people write it: the opposite of :meth:`read_move`."""
        if isinstance(move, Step):
            return "-".join(map(self.coordinates.name, (move.origin, move.target)))
        return super().name_move(move)

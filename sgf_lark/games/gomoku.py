"""Gomoku and Renju: a stone is put on an empty point.

FF[4] has no page about them and RU no values for them.  The points that Renju forbids to
Black, and the openings of tournaments, are therefore not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.core import Color, GameNumber, Pass, Point, Value
from sgf_lark.positions.cell_state import CellState
from sgf_lark.positions.state import LEGAL, NO_MOVE, GameEnd, Verdict
from sgf_lark.positions.symmetry import ALL_SYMMETRIES


class GomokuState(CellState):
    """A board of Gomoku or Renju, of any size."""

    number_of_game = GameNumber.GOMOKU
    symmetries = ALL_SYMMETRIES
    moves_are_points = True

    def judge(self, move: Value, color: Color) -> Verdict:  # noqa: ARG002  # equal for both sides
        """Tell if a stone may be put on a point: it must be empty.  A pass is always legal."""
        if isinstance(move, Pass):
            return LEGAL
        return self.judge_placement(move) if isinstance(move, Point) else NO_MOVE

    def play(self, move: Value, color: Color) -> Verdict:
        """Put down a stone; it replaces one that is on its point."""
        verdict = self.judge(move, color)
        if isinstance(move, Point):
            self.put(self.cell(move), self.stone_of(color))
        self.finish_move(move, color)
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:  # noqa: ARG002  # equal for both sides
        """Yield the empty points; a pass is legal as well."""
        return self.empty_points()

    def end(self) -> GameEnd | None:
        """Return the end: five stones in a line, or more; a draw on a full board.

        Where both sides have five, nobody knows who was first.
        """
        sides = [color for color in Color if self._has_five(self.stone_of(color))]
        if sides:
            return GameEnd(sides[0] if len(sides) == 1 else None, "five in a line")
        is_full = next(self.empty_points(), None) is None
        return GameEnd(None, "the board is full", is_draw=True) if is_full else None

    def _has_five(self, held: int) -> bool:
        stones = self.cells_with(held)
        for way in (1, self.step, self.step + 1, self.step - 1):
            two = stones & stones >> way
            if two & two >> 2 * way & stones >> 4 * way:
                return True
        return False

    def faults(self) -> Iterator[str]:
        if all(self._has_five(self.stone_of(color)) for color in Color):
            yield "both sides have five stones in a line"

"""Hex: stones in hexagons, and two ways to swap after the first one.

Source: FF[4], Hex: Black connects the top and the bottom, White the left and the right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

from sgf_lark.core import Action, BoardSize, Color, GameNumber, Pass, Point, Value
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.positions.cell_state import CellState
from sgf_lark.positions.grid import BLACK, EMPTY, ROW, WHITE
from sgf_lark.positions.state import LEGAL, NO_MOVE, GameEnd, Verdict, given_up
from sgf_lark.positions.symmetry import Symmetries, Symmetry, Transformation

#: The moves that are words; a pass is one of them as well.
SWAP_PIECES, SWAP_SIDES = "swap-pieces", "swap-sides"
WORDS = frozenset({SWAP_PIECES, SWAP_SIDES, "resign", "forfeit"})

#: The advice about a cell that is taken by a stone which a swap turned there.
HELP_AFTER_SWAP = (
    "by FF[4] swap-pieces turns the stones over the long diagonal; some programs let them"
    " stand, and then the cell is empty"
)


class HexState(CellState):
    """A board of Hex, of any size."""

    number_of_game = GameNumber.HEX
    kind = BoardKind.RHOMBUS
    symmetries = Symmetries(
        frozenset({Symmetry.IDENTITY, Symmetry.ROTATE_180}),
        frozenset({Symmetry.TRANSPOSE, Symmetry.ANTITRANSPOSE}),
        Symmetry.TRANSPOSE,
    )
    moves_are_points = True

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        super().__init__(size, rules=rules)
        #: The cells to which the last swap turned stones.
        self._turned: frozenset[int] = frozenset()

    @property
    def status(self) -> tuple[Any, ...]:
        return (*super().status, self._turned)

    @status.setter
    def status(self, status: tuple[Any, ...]) -> None:
        *others, self._turned = status
        self.to_play, self.number, self.last, self.black_captured, self.white_captured = others

    def transformed(self, to: Transformation) -> Self:
        other = super().transformed(to)
        turned = (to.point(self.point_of(cell)) for cell in self._turned)
        other._turned = frozenset(map(other.cell, turned))  # noqa: SLF001  # its own class
        return other

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:  # noqa: ARG002  # equal for both sides
        """Tell if a move is legal: a stone in an empty cell, or a word, at any node.

        The verdict about a cell that a swap filled is disputed: programs such as MoHex let the
        stones stand where they are, so that the cell may be empty for them.
        """
        if isinstance(move, Point):
            verdict = self.judge_placement(move)
            if verdict or self.cell(move) not in self._turned:
                return verdict
            return verdict._replace(help=HELP_AFTER_SWAP, is_disputed=True)
        is_word = isinstance(move, Pass) or (isinstance(move, Action) and move.word in WORDS)
        return LEGAL if is_word else NO_MOVE

    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a move; a stone replaces one that is in its cell.

        ``swap-pieces`` turns the board over.  After ``swap-sides`` all stones stand, and the
        same color is to play: its player is another one.
        """
        verdict = self.judge(move, color)
        word = move.word if isinstance(move, Action) else ""
        if isinstance(move, Point):
            self.put(self.cell(move), self.stone_of(color))
        elif word == SWAP_PIECES:
            self._swap()
        self.finish_move(move, color)
        if word == SWAP_SIDES:
            self.to_play = color
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:  # noqa: ARG002  # equal for both sides
        """Yield the empty cells.  Words, a pass among them, are legal at any node as well."""
        return self.empty_points()

    def read_move(self, text: str) -> Value:
        """Return the move that people write so: a cell or a word."""
        word = text.strip().lower()
        return Action(word=word) if word in WORDS else super().read_move(text)

    def name_move(self, move: Value) -> str:
        return move.word if isinstance(move, Action) else super().name_move(move)

    def _swap(self) -> None:
        """Give every stone the other color, and the place beyond the long diagonal.

        A stone for which a board that is not square has no such place goes.
        """
        stones = [(cell, held) for held in (BLACK, WHITE) for cell in self._cells_with(held)]
        self.work += len(self.cells) // (ROW * ROW) + 2 * len(stones)
        for cell, _ in stones:
            self.put(cell, EMPTY)
        turned = set()
        for cell, held in stones:
            column, row = self.point_of(cell)
            point = Point(row, column)
            if self.has(point):
                self.put(self.cell(point), 3 - held)
                turned.add(self.cell(point))
        self._turned = frozenset(turned)

    def _cells_with(self, held: int) -> Iterator[int]:
        cell = self.cells.find(held)
        while cell >= 0:
            yield cell
            cell = self.cells.find(held, cell + 1)

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: a side connects its edges, or has given up."""
        winner = self.winner()
        if winner is None:
            return given_up(self.last, self.to_play)
        return GameEnd(winner, "connects its edges")

    def winner(self) -> Color | None:
        """Return the side that connects its edges; None if there is none, never both."""
        return next(filter(self.connects, Color), None)

    def connects(self, color: Color) -> bool:
        """Tell if stones of a side go from one of its edges to the other: Black's is the top."""
        return self.joins_edges(color, down=color is Color.BLACK)

    def joined(self) -> Callable[[int], Iterator[int]]:
        """Return the function that yields the stones beside one, in six directions."""
        return self.near(1, self.step, self.step - 1)

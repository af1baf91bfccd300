"""Othello: every move turns discs, and only who has no move passes.

Source: the rules of the game; GGF, TY and BO, for boards of 4 by 4 to 14 by 14 and the octagon,
which is 10 by 10 without three squares in each corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from sgf_lark.core import PASS, BoardSize, Color, GameNumber, Pass, Point, Value
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.positions.cell_state import CellState
from sgf_lark.positions.ending import GameEnd
from sgf_lark.positions.grid import BLACK, BORDER, EMPTY, STONES, WHITE
from sgf_lark.positions.state import LEGAL, NO_MOVE, Verdict

if TYPE_CHECKING:
    from sgf_lark.pictures.diagram import Diagram


class OthelloState(CellState):
    """A board of any size, or the octagon, whose missing squares hold BORDER."""

    number_of_game = GameNumber.OTHELLO
    kind = BoardKind.CELLS
    piece = "disc"
    neutral = "missing"

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        super().__init__(size, rules=rules)
        step = self.step
        self._directions = (1, -1, step, -step, step + 1, step - 1, 1 - step, -1 - step)
        #: The work of a move, and that of finding out if a side has one; none on usual boards.
        self._far = max(size) // LARGE * LARGE
        self._search = self._far * len(self.cells) >> 13

    def put_start(self) -> None:
        """Set up the four discs of the usual start: white on d4 and e5, if 8 by 8.

        A board of one row or column has no place for them.
        """
        columns, rows = self.size
        if min(columns, rows) == 1:
            return
        left, top = (columns - 1) // 2, (rows - 1) // 2
        for column, row, held in ((0, 0, WHITE), (1, 0, BLACK), (0, 1, BLACK), (1, 1, WHITE)):
            self.put(self.cell(Point(left + column, top + row)), held)

    def diagram(self) -> Diagram:
        """Return the picture of the board, with the squares that the octagon lacks."""
        return super().diagram().model_copy(update={"missing": tuple(self.missing())})

    def missing(self) -> Iterator[Point]:
        """Yield the squares that the octagon lacks."""
        columns, rows = self.size
        if self.cells.count(BORDER) == len(self.cells) - columns * rows:
            return iter(())  # nearly always
        points = (Point(column, row) for row in range(rows) for column in range(columns))
        return (point for point in points if self.cells[self.cell(point)] == BORDER)

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move turns a disc; a pass is legal for a side that cannot."""
        if isinstance(move, Point):
            cell = self.cell(move)
            return LEGAL if self.turns(cell, STONES[color]) else self._why_not(cell)
        if not isinstance(move, Pass):
            return NO_MOVE
        if not self.can_move(color):
            return LEGAL
        reason = f"is needless: {color.name.capitalize()} has a move that turns discs"
        help_ = "a pass is for who has no move; a move may be missing"
        return Verdict("needless-pass", reason, help_)

    def play(self, move: Value, color: Color) -> Verdict:
        """Put down a disc and turn others.

        After a move that turns none, whatever follows would be illegal, too: the verdict is
        that the board is lost, though the disc is put down.
        """
        if isinstance(move, Point):
            self.work += self._far
            cell, held = self.cell(move), STONES[color]
            turned = self.turns(cell, held)
            verdict = LEGAL if turned else self._why_not(cell)
            if self.cells[cell] != BORDER:
                self.put(cell, held)
            cells, log, other = self.cells, self._log, 3 - held
            for disc in turned:  # as put() does, without a call for each
                log.append((disc, other))
                cells[disc] = held
        else:
            self.work += self._search
            verdict = self.judge(move, color)
        self.finish_move(move, color)
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the squares on which a disc turns others; else a pass, if the other side has one.

        At the end of a game nobody has a move, and nothing is yielded.
        """
        reached = self._targets(color)
        if not reached:
            if self.can_move(color.opponent):
                yield PASS
            return
        last = len(self.cells) - 1
        for cell in sorted(last - bit for bit in _bits(reached)):
            yield self.point_of(cell)

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: nobody can move, and who has more discs has won."""
        if self.can_move(Color.BLACK) or self.can_move(Color.WHITE):
            return None
        more = self.count(BLACK) - self.count(WHITE)
        winner = (Color.BLACK if more > 0 else Color.WHITE) if more else None
        return GameEnd(winner, "nobody can move", abs(more), is_draw=not more)

    def score(self, way: str, dead: Iterable[Point]) -> tuple[Decimal, Decimal]:  # noqa: ARG002
        """Return the numbers of discs."""
        return Decimal(self.count(BLACK)), Decimal(self.count(WHITE))

    def faults(self) -> Iterator[str]:
        """Yield that a square is empty on which the game begins."""
        first = self.empty(self.size)
        first.put_start()
        if any(held and not self.cells[cell] for cell, held in enumerate(first.cells)):
            yield "a square in the middle is empty"

    def can_move(self, color: Color) -> bool:
        """Return True if a side can turn a disc."""
        return self._targets(color) != 0

    def turns(self, cell: int, color: int) -> list[int]:
        """Return the discs that a move turns; none if it is illegal."""
        cells = self.cells
        if cells[cell] != EMPTY:
            return []
        other, turned = 3 - color, []
        for direction in self._directions:
            at = cell + direction
            if cells[at] != other:
                continue
            run = []
            while cells[at] == other:
                run.append(at)
                at += direction
            if cells[at] == color:
                turned += run
        return turned

    def _why_not(self, cell: int) -> Verdict:
        """Return the verdict about a move that turns nothing."""
        held = self.cells[cell]
        return NOTHING_TURNED if held == EMPTY else NO_SQUARE if held == BORDER else TAKEN

    def _targets(self, color: Color) -> int:
        """Return the legal squares as a set: a bit each, the last cell first."""
        held = (STONES[color], STONES[color.opponent], EMPTY)
        own, other, empty = map(self.cells_with, held)
        found = 0
        for direction in self._directions:
            reached = _moved(own, direction) & other
            while reached:
                reached = _moved(reached, direction)
                found |= reached & empty
                reached &= other
        return found


#: The side of a board from which lines are so long that they count as work.
LARGE = 64

NOTHING_TURNED = Verdict("illegal-move", "turns no disc", is_lost=True)
TAKEN = Verdict("illegal-move", "is on a square that is taken", is_lost=True)
NO_SQUARE = Verdict("illegal-move", "is a corner that this board does not have", is_lost=True)


def _moved(cells: int, by: int) -> int:
    """Return a set of cells moved in a direction."""
    return cells << by if by > 0 else cells >> -by


def _bits(cells: int) -> Iterator[int]:
    """Yield the numbers of the bits of a set."""
    while cells:
        bit = cells & -cells
        yield bit.bit_length() - 1
        cells ^= bit

"""An Othello board: discs and flips."""

from __future__ import annotations

from sgf_lark.boards.grid import BLACK, EMPTY, WHITE, CellGrid
from sgf_lark.schema.values import BoardSize, InitialBoard, Point


class OthelloBoard(CellGrid):
    """A board of any size, or the octagon."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        step = self.step
        self._directions = (1, -1, step, -step, step + 1, step - 1, 1 - step, -1 - step)

    @classmethod
    def of_setup(cls, setup: InitialBoard) -> OthelloBoard:
        """Return the board of a GGF game as it begins."""
        width = max(map(len, setup.rows))
        board = cls(width, len(setup.rows))
        for row, cells in enumerate(setup.rows):
            cut = (width - len(cells)) // 2
            padded = " " * cut + cells + " " * (width - len(cells) - cut)
            first = board.cell(Point(0, row))
            board.cells[first : first + width] = padded.translate(_HELD).encode()
        return board

    def put_start(self) -> None:
        """Set up the four discs of the usual start: white on d4 and e5, if 8 by 8."""
        size = BoardSize(*self.size)
        left, top = (size.columns - 1) // 2, (size.rows - 1) // 2
        for column, row, held in ((0, 0, 2), (1, 0, 1), (0, 1, 1), (1, 1, 2)):
            self.put(self.cell(Point(left + column, top + row)), held)

    def turns(self, cell: int, color: int) -> list[int]:
        """Return the discs that a move flips; none if it is illegal."""
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

    def play(self, cell: int, color: int) -> bool:
        """Put down a disc; False, without a change, if it flips none."""
        turned = self.turns(cell, color)
        if not turned:
            return False
        self.put(cell, color)
        for disc in turned:
            self.put(disc, color)
        return True

    def can_move(self, color: int) -> bool:
        """Return True if some move is legal."""
        cells = bytes(self.cells)
        own, other, empty = (
            int(cells.translate(_BITS[held]), 2) for held in (color, 3 - color, EMPTY)
        )
        for direction in self._directions:
            reached = _moved(own, direction)
            while reached := _moved(reached & other, direction):
                if reached & empty:
                    return True
        return False


#: The contents of the cells of a setup.
_HELD = {ord(char): held for held, char in enumerate("-*O ")}


def _moved(cells: int, by: int) -> int:
    """Return a set of cells moved in a direction."""
    return cells << by if by > 0 else cells >> -by


#: The digits that make a set of cells with each contents.
_BITS = {
    held: bytes(ord("1" if byte == held else "0") for byte in range(256))
    for held in (EMPTY, BLACK, WHITE)
}

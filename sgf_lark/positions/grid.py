"""A board of cells, and the way back to any earlier position.

The contents of the cells and the rules of movement belong to the game.
"""

from __future__ import annotations

from sgf_lark.core import SETUP, BoardSize, Color, Point

#: The contents of a cell; ``3 - color`` is the other color.  BORDER surrounds the board.
EMPTY, BLACK, WHITE, BORDER = range(4)

#: The same as values of a record.
STONES = {Color.BLACK: BLACK, Color.WHITE: WHITE}

#: What the properties of setup put into a cell.
SETUP_CELLS = {ident: EMPTY if color is None else STONES[color] for ident, color in SETUP.items()}

#: In words, after "a".
NAMES = {EMPTY: "empty", BLACK: "black", WHITE: "white"}


#: The cells of a row that one step of work sets.
ROW = 16

#: Limits of :attr:`Grid.work` for a game, and for each of its nodes.  Real games stay far below;
#: they bound the cost of a few characters that demand huge setups.
MAX_WORK, MAX_WORK_PER_NODE = 3_000, 40


class Grid:
    """The cells of a board of any size, with a border around.

    A cell is a number, :meth:`cell`; its neighbours are one and :attr:`step` away from it.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.size = BoardSize(columns, rows)
        self.step = columns + 1
        # steps spent on operations that cost more than a stone does, of about half a microsecond
        # each.  A replay limits them for untrusted records (MAX_WORK)
        self.work = 0

    def cell(self, point: Point) -> int:
        return (point.row + 1) * self.step + point.column + 1

    def has(self, point: Point) -> bool:
        columns, rows = self.size
        return 0 <= point.column < columns and 0 <= point.row < rows

    def line(self, origin: Point, target: Point) -> range | None:
        """Return the cells between two points on a straight or diagonal line.

        Returns:
            The cells in order, without those of the points; ``step`` leads from each to the
            next.  None if the points are equal or on no such line.
        """
        columns, rows = target.column - origin.column, target.row - origin.row
        far = max(abs(columns), abs(rows))
        if far == 0 or abs(columns) not in {0, far} or abs(rows) not in {0, far}:
            return None
        self.work += far // ROW
        step = columns // far + rows // far * self.step
        start = self.cell(origin)
        return range(start + step, start + far * step, step)


class CellGrid(Grid):
    """A board whose cells are changed one by one."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        border = bytes([BORDER])
        edge = border * (self.step + 1)
        # the contents of each cell, row by row, with a border around
        self.cells = bytearray(edge + (bytes(columns) + border) * rows + edge)
        self._log: list[tuple[int, int | bytearray]] = []

    @property
    def log_length(self) -> int:
        return len(self._log)

    @property
    def mark(self) -> int:
        """Return the present position, for :meth:`rewind`."""
        return len(self._log)

    def rewind(self, mark: int) -> None:
        """Go back to an earlier position; each change is taken back once."""
        cells, log = self.cells, self._log
        while len(log) > mark:
            at, old = log.pop()
            if isinstance(old, int):
                cells[at] = old
            else:
                cells[at : at + len(old)] = old

    def put(self, cell: int, held: int) -> bool:
        """Set a cell; False if that changes nothing."""
        old = self.cells[cell]
        if old == held:
            return False
        self._log.append((cell, old))
        self.cells[cell] = held
        return True

    def put_rectangle(self, low: Point, high: Point, held: int) -> bool:
        """Set all cells between two corners; False if that changes nothing."""
        width = high.column - low.column + 1
        row, changed = bytes([held]) * width, False
        self.work += (high.row - low.row + 1) * (1 + width // ROW)
        for start in range(self.cell(low), self.cell(high) + 1, self.step):
            old = self.cells[start : start + width]
            if old != row:
                self._log.append((start, old))
                self.cells[start : start + width] = row
                changed = True
        return changed

    def count(self, held: int) -> int:
        return self.cells.count(held)


def hoshi(size: BoardSize) -> tuple[Point, ...]:
    """Return the points with a dot on a board of lines, row by row.

    The fourth lines meet in them from 12 lines on, the third from 7, the second from 5.  The
    middle has one if it is a point, and from 13 lines on the middles of the sides do.
    """
    columns, rows = map(_dotted, size)
    middle = Point((size.columns - 1) // 2, (size.rows - 1) // 2)
    is_small = min(size) < SIDE_WITH_MIDDLES
    return tuple(
        Point(column, row)
        for row in rows
        for column in columns
        if not is_small or (column == middle.column) == (row == middle.row)
    )


def _dotted(side: int) -> tuple[int, ...]:
    first = next((line for line, least in FIRST_DOTTED.items() if side >= least), None)
    if first is None:
        return ()
    middle = ((side - 1) // 2,) if side % 2 else ()
    return first, *middle, side - 1 - first


#: The first line with dots, from 0, and the least side of a board that has them there.
FIRST_DOTTED = {3: 12, 2: 7, 1: 5}

#: The least side with a dot in its middle.
SIDE_WITH_MIDDLES = 13

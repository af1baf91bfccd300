"""Main lines of many games at once: their points under the symmetries of a board.

Points are those of the column ``line`` of the table games: row x columns + column, -1 a pass, -2
what is no point of the board.  For comparing, each gets a rank: the columns from the right, in each
the rows from the top, then the pass; so that the smallest of the lines that are symmetric to each
other begins in the upper right, where players draw it.

The smallest line is the column ``canon``, under the symmetries after which the start of a game is
as it was.  The beginning of a canonical line is that of its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sgf_lark.core import GAMES, BoardSize, Point
from sgf_lark.positions.arrays import np
from sgf_lark.positions.board import Board
from sgf_lark.positions.keys import hash_number
from sgf_lark.positions.symmetry import Transformation, recoloring, symmetries
from sgf_lark.report.tables import load_pyarrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Arrays of numpy.
Array: TypeAlias = "NDArray[Any]"

#: The point of a pass; what is no point, or follows the last move of a line.
PASS, END = -1, -2


class LineBoard(NamedTuple):
    """The board of some lines.

    Attributes:
        gm: Number of the kind of game (GM); None if it has none.
        columns: Width.
        rows: Height.
    """

    gm: int | None
    columns: int
    rows: int

    @property
    def size(self) -> BoardSize:
        """Columns and rows."""
        return BoardSize(self.columns, self.rows)

    def ways(self) -> tuple[Transformation, ...]:
        """Return the symmetries of the board, and those with the sides exchanged, once each.

        A line does not name sides; so one that only exchanges them is the identity.
        """
        kept = symmetries(self.gm, self.size)
        game = GAMES.get(self.gm or 0)
        if game is not None and game.has_bar:
            return kept[:1]
        exchange = recoloring(self.gm, self.size)
        if exchange.new_size != self.size:
            return kept
        known = {way.symmetry for way in kept}
        return kept if exchange.symmetry in known else (*kept, exchange)

    def start(self) -> Board | None:
        """Return the board at the start of a game; None if no rules of it are known."""
        try:
            return None if self.gm is None else Board(self.gm, self.size)
        except ValueError:
            return None

    def opening_ways(self) -> tuple[Transformation, ...]:
        """Return the symmetries after which the start of a game is as it was."""
        start, ways = self.start(), self.ways()
        if start is None:
            return ways[:1]
        return tuple(
            way
            for way in ways
            if not way.exchanges_sides and start.transformed(way.symmetry) == start
        )

    def rank(self, points: Array, way: Transformation) -> Array:
        """Return the ranks of points after a symmetry.

        Args:
            points: Points of any shape.
            way: The symmetry.
        """
        origin, right, down = (way.point(Point(*at)) for at in ((0, 0), (1, 0), (0, 1)))
        row, column = np.divmod(points.astype(np.int64), self.columns)
        # A symmetry is linear: where the origin goes, and its neighbors, says all.
        to_column = (
            origin.column
            + column * (right.column - origin.column)
            + row * (down.column - origin.column)
        )
        to_row = origin.row + column * (right.row - origin.row) + row * (down.row - origin.row)
        ranks = (self.columns - 1 - to_column) * self.rows + to_row
        area = self.columns * self.rows
        ranked: Array = np.where(points < 0, area - 1 - points.astype(np.int64), ranks)
        return ranked

    def point(self, ranks: Array) -> Array:
        """Return the points of ranks."""
        area = self.columns * self.rows
        column, row = np.divmod(ranks, self.rows)
        points: Array = np.where(
            ranks >= area, area - 1 - ranks, row * self.columns + self.columns - 1 - column
        )
        return points

    def canonical(self, points: Array, starts: Array, ways: Sequence[Transformation]) -> Array:
        """Return lines after the symmetry that makes each the smallest.

        Args:
            points: Their points, one line after the other.
            starts: Where each line starts; and the end of the last one.
            ways: The symmetries, at least one.
        """
        best = self.rank(points, ways[0])
        lengths = np.diff(starts)
        for way in ways[1:]:
            other = self.rank(points, way)
            unlike = np.append(np.flatnonzero(best != other), len(points))
            first = unlike[np.searchsorted(unlike, starts[:-1])]
            is_smaller = np.append(other < best, False)[first] & (first < starts[1:])
            best = np.where(np.repeat(is_smaller, lengths), other, best)
        return self.point(best)


def turn_lines(
    boards: Iterable[tuple[int | None, int, int]],
    points: Array,
    starts: Array,
    ways: Callable[[LineBoard], Sequence[Transformation]],
) -> Array:
    """Return lines after the symmetries that make each the smallest.

    Args:
        boards: The kind of game, columns and rows of each line.
        points: The points of the lines, one after the other.
        starts: Where each line starts; and the end of the last one.
        ways: Returns the symmetries of a board; if there are none, its lines stay as they are.
    """
    codes: dict[tuple[int | None, int, int], int] = {}
    code = np.array([codes.setdefault(board, len(codes)) for board in boards], np.int64)
    lengths = np.diff(starts)
    code[lengths == 0] = -1
    turned: Array = np.array(points, np.int32)
    for board, number in codes.items():
        here = code == number
        if here.any() and (found := ways(LineBoard(*board))):
            places = np.repeat(here, lengths)
            begins = np.concatenate([[0], np.cumsum(lengths[here])])
            turned[places] = LineBoard(*board).canonical(turned[places], begins, found)
    return turned


def canonical_columns(games: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the columns ``canon`` and ``canon_hash`` of games.

    Args:
        games: Other columns of the table games, as lists.
    """
    pa = load_pyarrow()
    lines = [line or () for line in games["line"]]
    starts = np.concatenate([[0], np.cumsum([*map(len, lines)])]).astype(np.int64)
    points = np.fromiter(chain.from_iterable(lines), np.int64, int(starts[-1]))
    boards = zip(games["gm"], games["columns"], games["rows"], strict=True)
    canon = turn_lines(boards, points, starts, LineBoard.opening_ways)
    data, width = canon.astype(">i4").tobytes(), canon.itemsize
    hashes = [
        hash_number(data[width * start : width * end]) if start < end else None
        for start, end in pairwise(starts.tolist())
    ]
    is_null = pa.array([not line for line in lines], pa.bool_())
    lists = pa.ListArray.from_arrays(pa.array(starts, pa.int32()), canon, mask=is_null)
    return {"canon": lists, "canon_hash": hashes}

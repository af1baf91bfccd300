"""Main lines of many games at once: their points under the symmetries of a board.

Points are those of the column ``line`` of the table games: row x columns + column, -1 a pass, -2
what is no point of the board.  For comparing, each gets a rank: the columns from the right, in each
the rows from the top, then the pass; so that the smallest of the lines that are symmetric to each
other begins in the upper right, where players draw it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sgf_lark.boards.arrays import load_numpy
from sgf_lark.boards.symmetry import Transformation, recoloring, symmetries
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.values import BoardSize, Point

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sgf_lark.archive.archive import Archive

#: Arrays of numpy.
Array: TypeAlias = "NDArray[Any]"

#: Rows of lines that are read at once.
BATCH_ROWS = 1 << 13

#: The point of a pass; what is no point, or follows the last move of a line.
PASS, END = -1, -2

#: Limit of the points of boards whose ranks are two bytes, with those of PASS and END.
MAX_SHORT = (1 << 16) - 2


class LineBoard(NamedTuple):
    """The board of some lines.

    Attributes:
        gm: Number of the kind of game (GM).
        columns: Width.
        rows: Height.
    """

    gm: int
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
        if self.gm == GameNumber.BACKGAMMON:
            return symmetries(self.gm, self.size)[:1]
        kept = symmetries(self.gm, self.size)
        exchange = recoloring(self.gm, self.size)
        if exchange.new_size != self.size:
            return kept
        known = {way.symmetry for way in kept}
        return kept if exchange.symmetry in known else (*kept, exchange)

    def rank(self, points: Array, way: Transformation) -> Array:
        """Return the ranks of points after a symmetry.

        Args:
            points: Points of any shape.
            way: The symmetry.
        """
        np = load_numpy()
        origin, right, down = (way.point(Point(*at)) for at in ((0, 0), (1, 0), (0, 1)))
        row, column = np.divmod(points, self.columns)
        # A symmetry is linear: where the origin goes, and its neighbors, says all.
        to_column = (
            origin.column
            + column * (right.column - origin.column)
            + row * (down.column - origin.column)
        )
        to_row = origin.row + column * (right.row - origin.row) + row * (down.row - origin.row)
        ranks = (self.columns - 1 - to_column) * self.rows + to_row
        area = self.columns * self.rows
        ranked: Array = np.where(points < 0, area - 1 - points, ranks)
        return ranked

    def point(self, rank: int) -> int:
        """Return the point of a rank; :data:`PASS` and :data:`END` for theirs."""
        area = self.columns * self.rows
        if rank >= area:
            return area - 1 - rank
        column, row = divmod(rank, self.rows)
        return row * self.columns + self.columns - 1 - column

    def canonical(self, lines: Array, ways: Sequence[Transformation]) -> Array:
        """Return the ranks of lines after the symmetry that makes each the smallest.

        Args:
            lines: Points, a line in each row; :data:`END` after its last move.
            ways: The symmetries, at least one.
        """
        np = load_numpy()
        best: Array = self.rank(lines, ways[0])
        every = np.arange(len(best))
        for way in ways[1:]:
            other = self.rank(lines, way)
            at = (best != other).argmax(axis=1)
            smaller = other[every, at] < best[every, at]
            best[smaller] = other[smaller]
        return best

    def canonical_text(self, line: Array, ways: Sequence[Transformation]) -> bytes:
        """Return the smallest line that is symmetric to one, as bytes.

        The text of the beginning of a line is the beginning of its text.
        """
        width = ">u2" if self.columns * self.rows < MAX_SHORT else ">u4"
        return min(self.rank(line, way).astype(width).tobytes() for way in ways)


class Lines(NamedTuple):
    """Lines of consecutive games.

    Attributes:
        first: Number of the first game.
        points: All their points, one line after the other.
        starts: Where the line of each game starts; and the end of the last one.
        known: The games that have a line.
    """

    first: int
    points: Array
    starts: Array
    known: Array

    @property
    def lengths(self) -> Array:
        """Number of moves of each line."""
        return self.starts[1:] - self.starts[:-1]

    def line(self, game: int) -> Array:
        """Return the points of a line by the number of its game."""
        at = game - self.first
        return self.points[self.starts[at] : self.starts[at + 1]]

    def beginnings(self, games: Array, moves: int) -> Array:
        """Return the first moves of lines, one line in each row; :data:`END` after the last one.

        Args:
            games: Numbers of the games.
            moves: Number of moves.
        """
        np = load_numpy()
        at = games - self.first
        places = self.starts[at][:, None] + np.arange(moves)
        rows: Array = np.full(places.shape, END, np.int64)
        inside = places < self.starts[at + 1][:, None]
        rows[inside] = self.points[places[inside]]
        return rows


def read_lines(archive: Archive) -> Iterator[Lines]:
    """Yield the lines of the games of an archive, in their order."""
    np = load_numpy()
    first = 0
    batches = archive.games.dataset.to_batches(
        columns=["line"], batch_size=BATCH_ROWS, batch_readahead=2, fragment_readahead=1
    )
    for batch in batches:
        column = batch.column("line")
        starts = column.offsets.to_numpy().astype(np.int64)
        known = column.is_valid().to_numpy(zero_copy_only=False)
        points = column.values.to_numpy()[starts[0] : starts[-1]] if len(batch) else starts[:0]
        yield Lines(first, points, starts - starts[0], known)
        first += len(batch)


def fetch_lines(archive: Archive, games: Array) -> dict[int, Array]:
    """Return the lines of some games by their numbers.

    Args:
        archive: The archive.
        games: The numbers, from the smallest to the largest.
    """
    np = load_numpy()
    found: dict[int, Array] = {}
    for lines in read_lines(archive):
        low, high = np.searchsorted(games, (lines.first, lines.first + len(lines.known)))
        for game in games[low:high].tolist():
            found[game] = lines.line(game).copy()
    return found

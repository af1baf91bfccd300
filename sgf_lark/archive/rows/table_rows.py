"""Rows of one table that are collected, and the columns by which equal games are found.

The values of each column are those that ``tables.tsv`` names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import chain, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    GAMES,
    KEPT_UTF8,
    BoardSize,
    Diagnostic,
    Point,
    Report,
    replace_undecodable,
)
from sgf_lark.positions.arrays import np
from sgf_lark.positions.board import Board
from sgf_lark.positions.keys import hash_number
from sgf_lark.positions.symmetry import Transformation, recoloring, symmetries
from sgf_lark.report.tables import load_pyarrow, record_batch, tables

from .line import MOST

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


#: Arrays of numpy.
Array: TypeAlias = "NDArray[Any]"

#: The point of a pass; what is no point, or follows the last move of a line.
PASS, END = -1, -2


class LineBoard(NamedTuple):
    gm: int | None  # number of the kind of game (GM); None if it has none
    columns: int
    rows: int

    @property
    def size(self) -> BoardSize:
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
        area = self.columns * self.rows
        column, row = np.divmod(ranks, self.rows)
        points: Array = np.where(
            ranks >= area, area - 1 - ranks, row * self.columns + self.columns - 1 - column
        )
        return points

    def canonical(self, points: Array, starts: Array, ways: Sequence[Transformation]) -> Array:
        """Return lines after the symmetry that makes each the smallest.

        Args:
            starts: Where each line starts; and the end of the last one.
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
    """Return the columns ``canon`` and ``canon_hash`` of games."""
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


def real(value: Any) -> float | None:
    """Return a number as 64 bits can have it; None for what is no number, and for larger ones."""
    if not isinstance(value, int | float | Decimal) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) != float("inf") else None


def whole(value: Any) -> int | None:
    """Return a number of 32 bits; None for what is no number, and for larger ones."""
    if not isinstance(value, int) or isinstance(value, bool) or not -MOST - 1 <= value <= MOST:
        return None
    return value


#: Make numbers fit the columns that may have none.
_FITTING: dict[str, Callable[[Any], Any]] = {"float64": real, "int32": whole}


class _ColumnReader(NamedTuple):
    """Reads the values of a column: the attribute of facts, and the numbers that fit it."""

    name: str
    read: Callable[[Any], Any]
    fit: Callable[[Any], Any] | None


_READERS = {
    table: tuple(
        _ColumnReader(
            column.name,
            attrgetter(column.attribute),
            _FITTING.get(column.type) if column.nullable else None,
        )
        for column in columns
        if column.attribute != "-"
    )
    for table, columns in tables().items()
}


class TableRows:
    """Rows of a table, as lists, and those that were many as batches."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._readers = _READERS[table]
        self._lists: list[list[Any]] = [[] for _ in self._readers]
        self._batches: list[pa.RecordBatch] = []

    @property
    def waiting(self) -> int:
        return len(self._lists[0])

    def __len__(self) -> int:
        done: int = sum(batch.num_rows for batch in self._batches)
        return self.waiting + done

    def add(self, facts: object) -> None:
        """Add a row; a number that its column cannot hold is null."""
        for values, (_, read, fit) in zip(self._lists, self._readers, strict=True):
            value = read(facts)
            values.append(value if fit is None else fit(value))

    def extend(self, facts: object) -> None:
        """Add the rows of facts that have the values of many rows for each column."""
        for values, (_, read, _) in zip(self._lists, self._readers, strict=True):
            values.extend(read(facts))

    def add_rows(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows that have the values of all columns, in their order."""
        for values, new in zip(self._lists, zip(*rows, strict=True), strict=False):
            values.extend(new)

    def append(self, other: TableRows) -> None:
        if other._batches:
            self.flush()
            self._batches += other._batches
        for values, others in zip(self._lists, other._lists, strict=True):
            values.extend(others)

    def fill(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Fill columns whose values are known only when all rows are there."""
        first = 0
        for at, batch in enumerate(self._batches):
            last = first + batch.num_rows
            known = {name: batch.column(name) for name in batch.schema.names}
            new = {name: values[first:last] for name, values in columns.items()}
            self._batches[at] = record_batch(self._table, known | new)
            first = last
        for values, (name, _, _) in zip(self._lists, self._readers, strict=True):
            if name in columns:
                values[:] = columns[name][first:]

    def flush(self) -> None:
        """Make a batch of the lists, which have many times its memory."""
        columns: dict[str, Any] = {
            reader.name: values for reader, values in zip(self._readers, self._lists, strict=True)
        }
        if self._table == "games":
            columns |= canonical_columns(columns)
        batch = record_batch(self._table, columns)
        self._batches.append(_without_undecodable(self._table, batch))
        for values in self._lists:
            values.clear()

    def batches(self) -> list[pa.RecordBatch]:
        """Return the rows in batches, of which there is at least one; none are left here."""
        self.flush()
        found, self._batches = self._batches, []
        return [batch for batch in found if batch.num_rows] or found[:1]


def _without_undecodable(table: str, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows with U+FFFD for each byte that is no text in the encoding of its record."""
    import pyarrow.compute as pc

    old = dict(zip(batch.schema.names, batch.columns, strict=True))
    new = {
        name: [text and replace_undecodable(text) for text in column.to_pylist()]
        for name, column in old.items()
        if column.type == "string"
        and pc.any(pc.match_substring(column.cast("binary"), KEPT_UTF8)).as_py()
    }
    return record_batch(table, old | new) if new else batch


class PlacedFinding(NamedTuple):
    """A finding and its place: the facts of a row of ``findings``."""

    finding: Diagnostic
    source: str
    member: str  # the name of the record, if the file is an archive
    game_id: int | None = None

    @property
    def fix(self) -> str | None:
        fix = self.finding.fix
        return None if fix is None else "safe" if fix.safe else "unsafe"


def place_findings(
    findings: Iterable[Diagnostic], source: str, member: str, ids: Mapping[int, int]
) -> TableRows:
    rows = TableRows("findings")
    for at in findings:
        key = None if at.game is None else ids.get(at.game)
        rows.add(PlacedFinding(at, source, member, key))
    return rows


def tabulate_report(report: Report, source: str, member: str) -> pa.Table:
    """Return the findings of a report as a table, as :meth:`sgf_lark.Report.to_arrow` has it."""
    rows = place_findings(report.diagnostics, source, member, {})
    return load_pyarrow().Table.from_batches(rows.batches())

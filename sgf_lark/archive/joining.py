"""Joining the rows of the pieces of a record, so that they are those of the complete record.

A piece whose rows depend on the text beside it is read again together with that text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.api.parts import FIRST_NUMBER, Beside
from sgf_lark.check.across_games import SeenKinds, report_differences
from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.files.members import record_path
from sgf_lark.diagnostics.limits import MAX_ALIKE, words_of_rest
from sgf_lark.diagnostics.report import finding_columns
from sgf_lark.places import LineIndex
from sgf_lark.schema.tables import load_pyarrow, record_batch
from sgf_lark.text.archives import MAX_RECORD_BYTES

from .batches import PartitionRows, SliceRows
from .cuts import Piece, join_pieces
from .partitions import Partition, Slice

if TYPE_CHECKING:
    import pyarrow as pa

#: Limit of pieces that are read together, in bytes: beyond it memory counts for more than a
#: finding that depends on a text so far away.
MAX_JOINED_BYTES = MAX_RECORD_BYTES


def join(
    results: Iterable[tuple[Partition, PartitionRows]],
    read: Callable[[Partition], PartitionRows],
    options: Mapping[str, Any] | None = None,
) -> Iterator[PartitionRows]:
    """Yield rows of partitions as they are in their tables, in order.

    Games of a record that was cut are counted from its beginning, and findings are those of the
    complete record.

    Args:
        results: Each partition and its rows, in order.
        read: Reads a partition, as :func:`.read_partition` with its tables and options.
        options: The options with which it reads.
    """
    check, most = ((options or {}).get(name) for name in ("options", "max_diagnostics"))
    choose = None if check is None else check.choose
    record: _Record | None = None
    for partition, rows in results:
        piece = partition.slices[0].piece
        if piece is None:
            yield rows
            continue
        if record is None or piece.part.is_first:
            record = _Record(read, choose, None if most == 0 else _OutsideLimit())
        yield from record.add(partition, rows)


#: Tables with numbers of games.
COUNTED = ("games", "findings")


class _Group(NamedTuple):
    """A partition of one piece, or of several that were joined, and its rows."""

    partition: Partition
    rows: PartitionRows

    @property
    def piece(self) -> Piece:
        piece = self.partition.slices[0].piece
        if piece is None:
            raise ValueError("no piece of a record")
        return piece

    @property
    def numbers(self) -> SliceRows:
        return self.rows.slices[0]

    @property
    def is_open(self) -> bool:
        """It has to be joined with the piece after it."""
        is_short = self.piece.part.is_first and self.numbers.games < FIRST_NUMBER
        return not self.piece.part.is_last and (is_short or self.numbers.depends is Beside.AFTER)

    def continues(self, before: _Group) -> bool:
        """Return whether it has to be joined with the piece before it.

        In GGF a number of games belongs to all games after it, up to the next number.
        """
        is_one_match = before.numbers.matches is not False and self.numbers.matches is not True
        return is_one_match or self.numbers.depends is Beside.BEFORE


class _Record:
    """The pieces of a record.

    Args:
        read: Reads a partition.
        choose: Chooses the findings of a name; None for all.
        limit: Limits the findings outside games; None for all.
    """

    def __init__(
        self,
        read: Callable[[Partition], PartitionRows],
        choose: Callable[[Iterable[Diagnostic], str], tuple[Diagnostic, ...]] | None,
        limit: _OutsideLimit | None,
    ) -> None:
        self._read = read
        self._choose = choose
        self._kinds = SeenKinds(set(), set())
        self._games = 0
        self._limit = limit
        self._last: _Group | None = None
        self._waiting: list[_Group] = []

    def add(self, partition: Partition, rows: PartitionRows) -> Iterator[PartitionRows]:
        """Add a piece; yield the rows of pieces before it that are complete."""
        new = _Group(partition, rows)
        if self._last is None:
            self._last = new
        elif self._size(new) > MAX_JOINED_BYTES:
            yield self._finished(self._alone(self._last))
            for waiting in self._waiting:
                yield self._finished(self._alone(waiting))
            self._waiting = []
            self._last = new
        elif self._last.is_open:
            self._waiting.append(new)
            size = sum(group.partition.size for group in self._waiting)
            if size >= self._last.partition.size or new.piece.part.is_last:
                self._last = self._joined([self._last, *self._waiting])
                self._waiting = []
        elif new.continues(self._last):
            self._last = self._joined([self._last, new])
        else:
            yield self._finished(self._last)
            self._last = new
        if new.piece.part.is_last:
            yield self._finished(self._last)
            self._last = None

    def _size(self, new: _Group) -> int:
        """Return the bytes that have to be read with a piece."""
        if self._last is None or not (self._last.is_open or new.continues(self._last)):
            return 0
        groups = (self._last, *self._waiting, new)
        return sum(group.partition.size for group in groups)

    def _joined(self, groups: Sequence[_Group]) -> _Group:
        """Read some pieces as one."""
        partition = _join_partitions([group.partition for group in groups])
        rows = self._read(partition)._replace(last=groups[-1].rows.last)
        return _Group(partition, rows)

    def _alone(self, group: _Group) -> _Group:
        """Read a piece as if it were not cut."""
        one = group.partition.slices[0]._replace(piece=group.piece._replace(is_alone=True))
        partition = group.partition._replace(slices=(one,))
        return _Group(partition, self._read(partition)._replace(last=group.rows.last))

    def _finished(self, group: _Group) -> PartitionRows:
        """Return rows with what the pieces before them decide."""
        rows = group.rows
        # the others are large, and stay encoded
        counted = {
            name: [_counted(batch, self._games) for batch in rows.tables[name]]
            for name in COUNTED
            if name in rows.tables
        }
        numbers = group.numbers
        if self._limit is not None:
            numbers = self._limit.apply(counted, numbers, is_last=group.piece.part.is_last)
        for kind in numbers.kinds:
            first = kind.game._replace(number=kind.game.number + self._games)
            for finding in report_differences([first], self._kinds):
                located = Diagnostic.of(finding._replace(at=(kind.start, kind.end)), LineIndex(""))
                chosen: tuple[Diagnostic, ...] = (located,)
                if self._choose is not None:
                    chosen = self._choose(chosen, record_path(numbers.source, numbers.member))
                for diagnostic in chosen:
                    numbers = _insert(counted, numbers, diagnostic)
        self._games += numbers.games
        return rows._replace(tables={**rows.tables, **counted}, slices=(numbers,))


def _join_partitions(partitions: Sequence[Partition]) -> Partition:
    """Return a partition of one slice for partitions of one piece each."""
    slices = [partition.slices[0] for partition in partitions]
    contents = [one.content for one in slices if one.content is not None]
    pieces = [one.piece for one in slices if one.piece is not None]
    joined: Slice = slices[0]._replace(
        end=slices[-1].end,
        content=b"".join(contents) if contents else None,
        piece=join_pieces(pieces),
    )
    return Partition(partitions[0].number, (joined,))


def _counted(batch: pa.RecordBatch, by: int) -> pa.RecordBatch:
    """Return rows with numbers of games that are greater by a number."""
    if not by:
        return batch
    import pyarrow.compute as pc

    at = batch.schema.get_field_index("game")
    column = pc.add(batch.column(at), by).cast(batch.schema.field(at).type)
    return batch.set_column(at, batch.schema.field(at), column)


def _insert(
    tables: dict[str, list[pa.RecordBatch]], numbers: SliceRows, finding: Diagnostic
) -> SliceRows:
    """Insert a finding about a game into the tables; return the numbers of rows after that."""
    game_id = None
    games = tables.get("games", [])
    for at, batch in enumerate(games):
        found = batch.column("game").to_pylist()
        if finding.game in found:
            row = found.index(finding.game)
            game_id = batch.column("game_id")[row].as_py()
            name = f"{finding.severity.value}s"
            counts = batch.column(name).to_pylist()
            counts[row] += 1
            columns = {field.name: batch.column(field.name) for field in batch.schema}
            games[at] = record_batch("games", columns | {name: counts})
    if "findings" not in tables:
        return numbers
    ids = {} if finding.game is None or game_id is None else {finding.game: game_id}
    columns = finding_columns([finding], numbers.source, numbers.member, ids)
    return _insert_row(tables, numbers, record_batch("findings", columns))


def _insert_row(
    tables: dict[str, list[pa.RecordBatch]], numbers: SliceRows, row: pa.RecordBatch
) -> SliceRows:
    """Insert a row into the findings, in their order."""
    pa = load_pyarrow()
    table = pa.Table.from_batches([*tables["findings"], row])
    places = list(zip(*(table.column(name).to_pylist() for name in _ORDER), strict=True))
    at = bisect_right(places, places.pop())
    found = pa.concat_tables(
        [table.slice(0, at), table.slice(len(places)), table.slice(at, len(places) - at)]
    )
    tables["findings"] = found.combine_chunks().to_batches()
    rows = {**numbers.rows, "findings": numbers.rows["findings"] + 1}
    return numbers._replace(rows=rows)


#: Columns by which the findings of a record are ordered.
_ORDER = ("offset", "end_offset", "name")

#: Codes of findings about the encoding begin so; each has a limit of its own.
_OF_ENCODING = "E"


class _OutsideLimit:
    """Drops findings outside games beyond a limit, as :class:`.FindingLimit` does of a record.

    The row that counts them is in the last piece, wherever the last one of them is.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._last: dict[tuple[str, str], pa.RecordBatch] = {}

    def apply(
        self, tables: dict[str, list[pa.RecordBatch]], numbers: SliceRows, *, is_last: bool
    ) -> SliceRows:
        """Drop rows of a piece; return the numbers of its rows after that."""
        if "findings" not in tables:
            return numbers
        if numbers.outside:
            numbers = self._drop(tables, numbers)
        for kind, row in self._last.items() if is_last else ():
            count = self._counts[kind] - MAX_ALIKE
            message, help_ = words_of_rest(kind[0], count, MAX_ALIKE)
            columns = {field.name: row.column(field.name) for field in row.schema}
            changed = {"message": [message], "help": [help_], "fix": [None]}
            numbers = _insert_row(tables, numbers, record_batch("findings", columns | changed))
        return numbers

    def _drop(self, tables: dict[str, list[pa.RecordBatch]], numbers: SliceRows) -> SliceRows:
        dropped = 0
        for at, batch in enumerate(tables["findings"]):
            names = ("game", "code", "name", "severity")
            rows = zip(*(batch.column(name).to_pylist() for name in names), strict=True)
            mask: list[bool] = []
            for row, (game, code, name, severity) in enumerate(rows):
                kind = (name, severity)
                is_counted = game is None and not code.startswith(_OF_ENCODING)
                self._counts[kind] += is_counted
                mask.append(not is_counted or self._counts[kind] <= MAX_ALIKE)
                if not mask[-1]:
                    self._last[kind] = batch.slice(row, 1)
            dropped += len(mask) - sum(mask)
            if not all(mask):
                tables["findings"][at] = batch.filter(load_pyarrow().array(mask))
        rows_ = {**numbers.rows, "findings": numbers.rows["findings"] - dropped}
        return numbers._replace(rows=rows_)

"""Joining the rows of the pieces of a record, so that they are those of the complete record.

A piece whose rows depend on the text beside it is read again together with that text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sgf_lark.api.joining import Joined, Joining, PieceRead
from sgf_lark.api.pieces import Piece
from sgf_lark.archive.rows.table_rows import place_findings
from sgf_lark.check.across_games import Summary
from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.limits import MAX_ALIKE, words_of_rest
from sgf_lark.findings.members import record_path
from sgf_lark.places import LineIndex
from sgf_lark.schema.tables import columns_of, record_batch
from sgf_lark.text.archives import MAX_RECORD_BYTES

from .batches import PartitionRows
from .partitions import Partition

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
    asked = frozenset[str]() if check is None else check.asked
    record: _CutRecord | None = None
    for partition, rows in results:
        piece = partition.slices[0].piece
        if piece is None:
            yield rows
            continue
        if record is None or piece.is_first:
            record = _CutRecord(read, choose, asked, None if most == 0 else _OutsideLimit())
        yield from record.add(partition, rows)


#: Tables with numbers of games.
COUNTED = ("games", "findings")


class _CutRecord:
    """The pieces of a record.

    Args:
        read: Reads a partition.
        choose: Chooses the findings of a name; None for all.
        asked: Names of the strict rules that are checked.
        limit: Limits the findings outside games; None for all.
    """

    def __init__(
        self,
        read: Callable[[Partition], PartitionRows],
        choose: Callable[[Iterable[Diagnostic], str], tuple[Diagnostic, ...]] | None,
        asked: frozenset[str],
        limit: _OutsideLimit | None,
    ) -> None:
        self._read = read
        self._choose = choose
        self._limit = limit
        self._joining = Joining(self._read_piece, asked, MAX_JOINED_BYTES)
        self._partitions: list[Partition] = []  # whose rows are not complete

    def add(self, partition: Partition, rows: PartitionRows) -> Iterator[PartitionRows]:
        """Add a piece; yield the rows of pieces before it that are complete."""
        self._partitions.append(partition)
        for joined in self._joining.add(_piece_read(partition, rows)):
            yield self._finished(joined)
            end = joined.piece.end
            self._partitions = [one for one in self._partitions if one.slices[0].start >= end]

    def _read_piece(self, piece: Piece) -> PieceRead[PartitionRows]:
        """Read some pieces as one, or one as if it were not cut."""
        partitions = [
            one for one in self._partitions if piece.start <= one.slices[0].start < piece.end
        ]
        slices = [partition.slices[0] for partition in partitions]
        contents = [one.content for one in slices if one.content is not None]
        content = b"".join(contents) if contents else None
        joined = slices[0]._replace(end=piece.end, content=content, piece=piece)
        partition = Partition(partitions[0].number, (joined,))
        return _piece_read(partition, self._read(partition))

    def _finished(self, joined: Joined[PartitionRows]) -> PartitionRows:
        """Return rows with what the pieces before them decide."""
        rows = joined.result
        # the others are large, and stay encoded
        counted = {
            name: [_counted(batch, joined.before) for batch in rows.tables[name]]
            for name in COUNTED
            if name in rows.tables
        }
        numbers = rows.slices[0]
        beside = [Diagnostic.of(finding, LineIndex("")) for finding in joined.beside]
        if self._choose is not None:
            beside = [*self._choose(beside, record_path(numbers.source, numbers.member))]
        ids: dict[int, int] = {}
        for finding in beside:
            ids |= _count_finding(counted.get("games", []), finding)
        if "findings" in counted:
            new = place_findings(beside, numbers.source, numbers.member, ids)
            counted["findings"] = self._find(joined, counted["findings"], new.batches())
            count = sum(batch.num_rows for batch in counted["findings"])
            numbers = numbers._replace(rows={**numbers.rows, "findings": count})
        return rows._replace(tables={**rows.tables, **counted}, slices=(numbers,))

    def _find(
        self,
        joined: Joined[PartitionRows],
        findings: list[pa.RecordBatch],
        new: list[pa.RecordBatch],
    ) -> list[pa.RecordBatch]:
        """Return the rows of findings of a piece, with new ones in their order."""
        rows = [row for batch in findings for row in batch.to_pylist()]
        more: list[dict[str, Any]] = []
        if self._limit is not None:
            rows = self._limit.drop(rows)
            more += self._limit.count_dropped() if joined.piece.is_last else ()
        more += [row for batch in new for row in batch.to_pylist()]
        if more:
            rows = sorted([*rows, *more], key=itemgetter(*_ORDER))
        columns = {column.name: [row[column.name] for row in rows] for column in _COLUMNS}
        return [record_batch("findings", columns)]


def _piece_read(partition: Partition, rows: PartitionRows) -> PieceRead[PartitionRows]:
    piece, read = partition.slices[0].piece, rows.slices[0].read
    if piece is None:
        raise ValueError("no piece of a record")
    # one that cannot be read has no games
    return read._replace(result=rows) if read else PieceRead(piece, Summary(), rows)


def _counted(batch: pa.RecordBatch, by: int) -> pa.RecordBatch:
    """Return rows with numbers of games that are greater by a number."""
    if not by:
        return batch
    import pyarrow.compute as pc

    at = batch.schema.get_field_index("game")
    column = pc.add(batch.column(at), by).cast(batch.schema.field(at).type)
    return batch.set_column(at, batch.schema.field(at), column)


def _count_finding(games: list[pa.RecordBatch], finding: Diagnostic) -> dict[int, int]:
    """Count a finding in the row of its game; return the number and the key of the game."""
    for at, batch in enumerate(games):
        found = batch.column("game").to_pylist()
        if finding.game is not None and finding.game in found:
            row = found.index(finding.game)
            name = f"{finding.severity.value}s"
            counts = batch.column(name).to_pylist()
            counts[row] += 1
            columns = {field.name: batch.column(field.name) for field in batch.schema}
            games[at] = record_batch("games", columns | {name: counts})
            return {finding.game: batch.column("game_id")[row].as_py()}
    return {}


#: The columns of findings, and those by which the findings of a record are ordered.
_COLUMNS, _ORDER = columns_of("findings"), ("offset", "end_offset", "name")

#: Codes of findings about the encoding begin so; each has a limit of its own.
_OF_ENCODING = "E"


class _OutsideLimit:
    """Drops findings outside games beyond a limit, as :class:`.FindingLimit` does of a record.

    The row that counts them is in the last piece, wherever the last one of them is.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._last: dict[tuple[str, str], dict[str, Any]] = {}

    def drop(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows of findings within the limit."""
        kept = []
        for row in rows:
            kind = row["name"], row["severity"]
            is_counted = row["game"] is None and not row["code"].startswith(_OF_ENCODING)
            self._counts[kind] += is_counted
            if is_counted and self._counts[kind] > MAX_ALIKE:
                self._last[kind] = row
            else:
                kept.append(row)
        return kept

    def count_dropped(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each kind of findings that were dropped."""
        for kind, row in self._last.items():
            count = self._counts[kind] - MAX_ALIKE
            message, help_ = words_of_rest(kind[0], count, MAX_ALIKE)
            yield row | {"message": message, "help": help_, "fix": None}

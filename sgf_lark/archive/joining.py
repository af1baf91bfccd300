"""Joining the rows of the pieces of a record, so that they are those of the complete record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sgf_lark.core import MAX_ALIKE, Diagnostic, LineIndex, Summary, words_of_rest
from sgf_lark.files.members import record_path
from sgf_lark.files.pieces import Piece, PieceJoiner
from sgf_lark.report.tables import columns_of, record_batch

from .batches import PartitionRows
from .partitions import Partition
from .rows.table_rows import place_findings

if TYPE_CHECKING:
    import pyarrow as pa


def join(
    results: Iterable[tuple[Partition, PartitionRows]], options: Mapping[str, Any] | None = None
) -> Iterator[PartitionRows]:
    """Yield rows of partitions as they are in their tables, in order.

    Games of a record that was cut are counted from its beginning, and findings are those of the
    complete record.

    Args:
        results: Each partition and its rows, in order.
        options: The options with which they were read.
    """
    record = _CutRecord(options or {})
    for partition, rows in results:
        cut = partition.slices[0].piece
        if cut is None:
            yield rows
            continue
        if cut.piece.is_first:
            record = _CutRecord(options or {})
        yield record.finished(cut.piece, rows)


#: Tables with numbers of games.
COUNTED = ("games", "findings")


class _CutRecord:
    """The pieces of a record.

    Args:
        options: The options with which they were read.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._check = options.get("options")
        self._limit = None if options.get("max_diagnostics") == 0 else _OutsideLimit()
        self._joining = PieceJoiner(self._check)

    def finished(self, piece: Piece, rows: PartitionRows) -> PartitionRows:
        """Return the rows of the next piece with what the pieces before it decide."""
        numbers = rows.slices[0]
        before, found = self._joining.add(piece, numbers.summary or Summary())
        # the others are large, and stay encoded
        counted = {
            name: [_counted(batch, before) for batch in rows.tables[name]]
            for name in COUNTED
            if name in rows.tables
        }
        beside = [Diagnostic.of(finding, LineIndex("")) for finding in found]
        if self._check is not None:
            beside = [*self._check.choose(beside, record_path(numbers.source, numbers.member))]
        ids: dict[int, int] = {}
        for finding in beside:
            ids |= _count_finding(counted.get("games", []), finding)
        if "findings" in counted:
            new = place_findings(beside, numbers.source, numbers.member, ids)
            findings = self._find(piece, counted["findings"], new.batches())
            counted["findings"] = [findings]
            numbers = numbers._replace(rows={**numbers.rows, "findings": findings.num_rows})
        return rows._replace(tables={**rows.tables, **counted}, slices=(numbers,))

    def _find(
        self, piece: Piece, findings: list[pa.RecordBatch], new: list[pa.RecordBatch]
    ) -> pa.RecordBatch:
        """Return the rows of findings of a piece, with new ones in their order."""
        rows = [row for batch in findings for row in batch.to_pylist()]
        if self._limit is not None:
            rows = self._limit.drop(rows)
            rows += self._limit.count_dropped() if piece.is_last else ()
        rows += [row for batch in new for row in batch.to_pylist()]
        rows.sort(key=itemgetter("offset", "end_offset", "name"))
        columns = {one.name: [row[one.name] for row in rows] for one in columns_of("findings")}
        return record_batch("findings", columns)


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

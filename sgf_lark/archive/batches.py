"""The rows of a partition: one pure function from records to tables of Arrow."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import (
    MAX_ALIKE,
    SEVERITIES,
    Diagnostic,
    FileJudge,
    GameTree,
    LineIndex,
    Section,
    Severity,
    Summary,
    about_file,
    decode_sections,
    kept,
    make_report,
    words_of_rest,
)
from sgf_lark.files.archives import open_unpacked, read_unpacked
from sgf_lark.files.many import failure
from sgf_lark.files.members import is_compressed, record_path
from sgf_lark.files.pieces import Piece, PieceJoiner, read_piece
from sgf_lark.report.tables import columns_of, record_batch

from .partitions import BytePlaces, Partition, Slice
from .rows.game_rows import GameRows, RowPlace
from .rows.line import PointsOfKinds, points_of_kinds
from .rows.scan import bytes_hash, game_id
from .rows.table_rows import TableRows, place_findings
from .sources import Failure, remote_faults

if TYPE_CHECKING:
    import pyarrow as pa


#: Rows that are kept as lists, at most; about 30 MB.
MAX_WAITING_ROWS = 1 << 15

#: The tables of which a partition has rows.
READ = ("games", "moves", "findings", "positions", "lives", "analysis")

#: Those that are read if no others are named.
TABLES = ("games", "moves", "findings")


class SliceRows(NamedTuple):
    """Numbers of one slice, and what joining it with the slices beside it needs."""

    # path of the file, and name of the record in it
    source: str
    member: str
    rows: dict[str, int]
    games: int
    bytes: int
    records: int  # 1 if it is a record or the first piece of one; 0 if it is not read
    # SHA-256 of the file in hexadecimal, if the slice is all of a file; else None
    sha256: str | None = None
    # that of the games of a piece of a record; None for a complete one
    summary: Summary | None = None
    is_readable: bool = True


class PartitionRows(NamedTuple):
    """The rows of a partition.

    Attributes:
        tables: Batches of rows by the name of their table.
    """

    number: int
    tables: Mapping[str, Iterable[pa.RecordBatch]]
    slices: tuple[SliceRows, ...]


def read_partition(
    partition: Partition,
    tables: Sequence[str] = TABLES,
    options: Mapping[str, Any] | None = None,
) -> PartitionRows:
    """Read the rows of a partition.

    The same partition has the same rows in every process and on every machine that can read its
    files.  Nothing raises for a file: what cannot be read is a row of the table ``findings``.

    A piece of a record counts games from 0, and its rows may depend on those beside it; see
    :func:`~sgf_lark.archive.batches.join_partitions`.

    Args:
        tables: Names of the tables to fill: of games, moves, findings, positions, lives, analysis.
        options: Options of :func:`sgf_lark.check`: ``format``, ``encoding``, ``options`` ...

    Raises:
        ImportError: pyarrow is not installed.
        KeyError: There is no such table.
        TypeError: ``tables`` is one name.
    """
    if isinstance(tables, str):
        raise TypeError(f"expected the names of tables such as [{tables!r}], not one str")
    for name in tables:
        if name not in READ:
            raise KeyError(f"no table {name!r} of a partition: there are {', '.join(READ)}")
    rows = {name: TableRows(name) for name in tables}
    points, numbers = points_of_kinds(), list[SliceRows]()
    for one in partition.slices:
        reader, read = _read_slice(one, tables, points, options or {})
        numbers.append(read._replace(rows={name: len(its) for name, its in reader.rows.items()}))
        for name, its in reader.rows.items():
            rows[name].append(its)
        _flush(rows)
    try:
        found = {name: its.batches() for name, its in rows.items()}
    except ImportError:
        raise
    except Exception as error:  # a column cannot hold a value: nobody knows of which record
        slices = partition.slices
        if len(slices) == 1:
            if slices[0].fault is not None:
                raise
            slices = (_failed(slices[0], error),)
        # each by itself; one that is alone and fails is a finding
        apart = (Partition(partition.number, (one,)) for one in slices)
        return put_together([read_partition(one, tables, options) for one in apart])
    return PartitionRows(partition.number, found, tuple(numbers))


def _read_slice(
    one: Slice, tables: Sequence[str], points: PointsOfKinds, options: Mapping[str, Any]
) -> tuple[_SliceReader, SliceRows]:
    reader = _SliceReader(one, tables, points, options)
    try:
        return reader, reader.read()
    except ImportError:
        raise
    except Exception as error:  # one record must not stop the others
        if one.fault is not None:
            raise
        return _read_slice(_failed(one, error), tables, points, options)


def _failed(one: Slice, error: Exception) -> Slice:
    return one._replace(fault=Failure("failed-check", *failure("read", error)))


def put_together(apart: Sequence[PartitionRows]) -> PartitionRows:
    """Return the rows of a partition of which each slice was read by itself."""
    tables = {
        name: [batch for one in apart for batch in one.tables[name]] for name in apart[0].tables
    }
    return PartitionRows(
        apart[0].number, tables, tuple(numbers for one in apart for numbers in one.slices)
    )


def batches(
    partition: Partition, table: str, options: Mapping[str, Any] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a partition in one table, for Spark, Ray, Dask and others.

    Args:
        partition: A partition of complete records: ``partitions(sources, cuts=False)``.
        options: As for :func:`read_partition`, as are the errors.
    """
    yield from read_partition(partition, (table,), options).tables[table]


class _WaitingGame(NamedTuple):
    """A game that waits for the place of the one after it: its characters, and their place."""

    game: GameTree
    start: int
    end: int
    place: tuple[int, int]


class _SliceReader:
    def __init__(
        self, one: Slice, tables: Sequence[str], points: PointsOfKinds, options: Mapping[str, Any]
    ) -> None:
        self._slice, self._options = one, options
        self._games = GameRows((name for name in tables if name != "findings"), points)
        self.rows = {name: self._games.rows.get(name, TableRows(name)) for name in tables}
        self._ids: dict[int, int] = {}
        self._waiting: _WaitingGame | None = None

    def read(self) -> SliceRows:
        one, fault = self._slice, self._slice.fault
        if fault is None:
            try:
                data, sha256 = _content(one)
            except OSError as error:
                fault = Failure.of(error)
            else:
                return self._read(data, sha256)
        finding = about_file(fault.rule, fault.message, fault.help)
        check = self._options.get("options")
        self._add_findings((finding,) if check is None else check.choose((finding,), one.record))
        is_readable = finding.severity is Severity.INFO
        return SliceRows(one.source.path, one.member, {}, 0, 0, 0, is_readable=is_readable)

    def _read(self, data: bytes, sha256: str | None) -> SliceRows:
        one, options, cut = self._slice, self._options, self._slice.piece
        if cut is None:
            decoded, sections = decode_sections(data, options.get("encoding"))
            text, about_encoding, piece = decoded.text, decoded.findings, Piece.whole(decoded.text)
            self._encoding = decoded.encoding if len(sections) == 1 else None
        else:
            piece, about_encoding, self._encoding = cut.piece, cut.findings, cut.encoding
            moved = [(start - one.start, end - one.start, by) for start, end, by in cut.sections]
            sections = tuple(starmap(Section, moved))
            text = "".join(kept(data[start:end], codec) for start, end, codec in sections)
        self._data, self._places = data, BytePlaces(text, data, sections)
        read = read_piece(text, piece, each=self._note_game, name=one.record, **options)
        self._add_game()
        # first: of two on one place the first one stays
        findings = [*about_encoding, *read.findings]
        lines = LineIndex(text, piece.start, piece.place)
        report = make_report(one.record, text, findings, options.get("options"), lines)
        self._add_findings(report.capped(options.get("max_diagnostics")).diagnostics)
        return SliceRows(
            one.source.path,
            one.member,
            {},
            len(self._ids),
            len(data),
            int(piece.is_first),
            sha256,
            None if cut is None else read.summary,
        )

    def _note_game(self, game: GameTree, judge: FileJudge) -> None:
        """Note a game; several in one place share it, each from its first node on."""
        place, start = (judge.begun, judge.done), judge.begun
        if self._waiting is not None and self._waiting.place == place:
            start = max(game.nodes.places.node(0, 0).start, self._waiting.start + 1)
            self._waiting = self._waiting._replace(end=start)
        self._add_game()
        self._waiting = _WaitingGame(game, start, judge.done, place)

    def _add_game(self) -> None:
        if self._waiting is None:
            return
        game, start, end, _ = self._waiting
        self._waiting = None
        one, places, number = self._slice, self._places, len(self._ids)
        first = places.byte(start)
        codec = self._encoding or places.codec
        last = places.byte(end)
        source, member, offset = one.source.path, one.member, one.start + first
        if not self._games.rows:
            self._ids[number] = game_id(source, member, offset)
            return
        content = bytes_hash(self._data[first:last])
        place = RowPlace(source, member, number, offset, last - first, content, codec)
        self._ids[number] = self._games.add(game, place)
        _flush(self._games.rows)

    def _add_findings(self, findings: Sequence[Diagnostic]) -> None:
        one, rows, ids = self._slice, self.rows, self._ids
        if "games" in rows:
            counts = Counter((finding.game, finding.severity) for finding in findings)
            rows["games"].fill(
                {f"{level}s": [counts[number, level] for number in ids] for level in SEVERITIES}
            )
        if "findings" in rows:
            found = place_findings(findings, one.source.path, one.member, ids)
            rows["findings"].append(found)


def _flush(tables: Mapping[str, TableRows]) -> None:
    if sum(rows.waiting for rows in tables.values()) > MAX_WAITING_ROWS:
        for rows in tables.values():
            rows.flush()


def _content(one: Slice) -> tuple[bytes, str | None]:
    """Return the bytes of a slice, and the SHA-256 of the file if they are all of it."""
    source = one.source
    if one.content is not None:
        return one.content, None
    with remote_faults(source.location), source.open() as file:
        if one.piece is not None:
            if source.changed():
                raise OSError("it changed while it was read")
            file.seek(one.start)
            return file.read(one.end - one.start), None
        data = file.read()
    sha256 = hashlib.sha256(data).hexdigest()
    if is_compressed(source.location):
        with open_unpacked(BytesIO(data), source.location) as unpacked:
            data = read_unpacked(unpacked, source.location)
    return data, sha256


def join_partitions(
    results: Iterable[tuple[Partition, PartitionRows]], options: Mapping[str, Any] | None = None
) -> Iterator[PartitionRows]:
    """Yield rows of partitions as they are in their tables, in order.

    Games of a record that was cut are counted from its beginning, and findings are those of the
    complete record.
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
    def __init__(self, options: Mapping[str, Any]) -> None:
        self._check = options.get("options")
        self._limit = None if options.get("max_diagnostics") == 0 else _OutsideLimit()
        self._joining = PieceJoiner(self._check)

    def finished(self, piece: Piece, rows: PartitionRows) -> PartitionRows:
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
        rows = [row for batch in findings for row in batch.to_pylist()]
        if self._limit is not None:
            rows = self._limit.drop(rows)
            rows += self._limit.count_dropped() if piece.is_last else ()
        rows += [row for batch in new for row in batch.to_pylist()]
        rows.sort(key=itemgetter("offset", "end_offset", "name"))
        columns = {one.name: [row[one.name] for row in rows] for one in columns_of("findings")}
        return record_batch("findings", columns)


def _counted(batch: pa.RecordBatch, by: int) -> pa.RecordBatch:
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
        for kind, row in self._last.items():
            count = self._counts[kind] - MAX_ALIKE
            message, help_ = words_of_rest(kind[0], count, MAX_ALIKE)
            yield row | {"message": message, "help": help_, "fix": None}

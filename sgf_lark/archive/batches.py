"""The rows of a partition: one pure function from records to tables of Arrow."""

from __future__ import annotations

import codecs
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.api.joining import PieceRead, read_piece
from sgf_lark.api.load import make_report
from sgf_lark.api.many import REPORT_IT, failure
from sgf_lark.api.pieces import Piece, text_of
from sgf_lark.api.pipeline import ReadState
from sgf_lark.archive.rows.game_facts import RowPlace
from sgf_lark.archive.rows.game_rows import GameRows
from sgf_lark.archive.rows.scan import bytes_hash, game_id
from sgf_lark.archive.rows.table_rows import TableRows, place_findings
from sgf_lark.findings.diagnostic import Diagnostic
from sgf_lark.findings.finding import SEVERITIES, Severity
from sgf_lark.findings.report import about_file
from sgf_lark.model.collection import GameTree
from sgf_lark.places import LineIndex
from sgf_lark.text.archives import is_compressed, open_unpacked, read_unpacked
from sgf_lark.text.choice import SHIFTING
from sgf_lark.text.detection import kept
from sgf_lark.text.encoding import Section, decode_sections, encode

from .partitions import Partition, Slice
from .sources import Failure, remote_faults

if TYPE_CHECKING:
    import pyarrow as pa

#: Rows that are kept as lists, at most; about 30 MB.
MAX_WAITING_ROWS = 1 << 15

#: The tables of which a partition has rows.
READ = ("games", "moves", "findings", "positions")

#: Those that are read if no others are named.
TABLES = ("games", "moves", "findings")


class SliceRows(NamedTuple):
    """Numbers of one slice, and what joining it with the slices beside it needs.

    Attributes:
        source, member: Path of the file, and name of the record in it.
        rows: Number of its rows in each table.
        games: Number of its games.
        bytes: Number of its bytes, unpacked.
        records: 1 if it is a record or the first piece of one; 0 if it is not read.
        sha256: SHA-256 of the file in hexadecimal, if the slice is all of a file; else None.
        read: What is known of a piece of a record; None for a complete one.
        is_readable: It can be read.
    """

    source: str
    member: str
    rows: dict[str, int]
    games: int
    bytes: int
    records: int
    sha256: str | None = None
    read: PieceRead[Any] | None = None
    is_readable: bool = True


class PartitionRows(NamedTuple):
    """The rows of a partition.

    Attributes:
        number: Number of the partition.
        tables: Batches of rows by the name of their table.
        slices: The numbers of its slices.
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
    :func:`~sgf_lark.archive.joining.join`.

    Args:
        partition: The partition.
        tables: Names of the tables to fill: games, moves, findings, positions.
        options: Options of :func:`sgf_lark.check`: ``format``, ``encoding``, ``options`` ...

    Raises:
        ImportError: pyarrow is not installed.
        KeyError: There is no such table.
        TypeError: ``tables`` is one name.
    """
    if isinstance(tables, str):
        raise TypeError(f"expected the names of tables such as [{tables!r}], not one str")
    reader = _SliceReader(tables, dict(options or {}))
    read: list[SliceRows] = []
    for one in partition.slices:
        try:
            read.append(reader.read(one))
        except ImportError:
            raise
        except Exception as error:  # one record must not stop the others
            if one.fault is not None:
                raise
            read.append(reader.read(_failed(one, error)))
    try:
        found = reader.batches()
    except ImportError:
        raise
    except Exception as error:  # a column cannot hold a value: nobody knows of which record
        if len(partition.slices) == 1 and partition.slices[0].fault is not None:
            raise
        return _read_apart(partition, tables, options, error)
    return PartitionRows(partition.number, found, tuple(read))


def _failed(one: Slice, error: Exception) -> Slice:
    """Return a slice whose rows cannot be made, as one that cannot be read."""
    return one._replace(fault=Failure("failed-check", failure("read", error), REPORT_IT))


def _read_apart(
    partition: Partition,
    tables: Sequence[str],
    options: Mapping[str, Any] | None,
    error: Exception,
) -> PartitionRows:
    """Read each slice by itself; one that is alone and fails is a finding."""
    slices = partition.slices
    if len(slices) == 1:
        slices = (_failed(slices[0], error),)
    apart = (Partition(partition.number, (one,)) for one in slices)
    return put_together([read_partition(one, tables, options) for one in apart])


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
        table: Name of the table: games, moves, findings, positions.
        options: As for :func:`read_partition`.

    Raises:
        ImportError: pyarrow is not installed.
        KeyError: There is no such table.
    """
    yield from read_partition(partition, (table,), options).tables[table]


class _Games:
    """Adds the games of a slice to the rows: each with its bytes.

    Args:
        add_row: Adds the rows of a game and returns its key.
        one: The slice.
        data: Its bytes.
        places: Turns places in its text into places in these bytes.
        encoding: The encoding of each game; None for that of its section.
    """

    def __init__(
        self,
        add_row: Callable[[GameTree, RowPlace], int],
        one: Slice,
        data: bytes,
        places: BytePlaces,
        encoding: str | None,
    ) -> None:
        self._add_row = add_row
        self._slice = one
        self._data = data
        self._places = places
        self._encoding = encoding
        self._waiting: tuple[GameTree, int, int] | None = None
        self._last = (-1, -1)
        self.ids: dict[int, int] = {}

    def add(self, game: GameTree, state: ReadState) -> None:
        """Add a game; several in one place share it, each from its first node on."""
        place = (state.begun, state.done)
        start = state.begun
        if place == self._last and self._waiting is not None:
            start = max(game.nodes.places.node(0, 0).start, self._waiting[1] + 1)
            self._waiting = (*self._waiting[:2], start)
        self.flush()
        self._last = place
        self._waiting = (game, start, state.done)

    def flush(self) -> None:
        """Add the game that waits for the place of the one after it."""
        if self._waiting is None:
            return
        game, start, end = self._waiting
        self._waiting = None
        number = len(self.ids)
        first = self._places.byte(start)
        codec = self._encoding or self._places.codec
        last = self._places.byte(end)
        offset = self._slice.start + first
        place = RowPlace(
            self._slice.source.path,
            self._slice.member,
            number,
            offset,
            last - first,
            bytes_hash(self._data[first:last]),
            codec,
        )
        self.ids[number] = self._add_row(game, place)


class _SliceReader:
    """Reads slices one after the other.

    Args:
        names: Names of the tables.
        options: Options of :func:`sgf_lark.check`.
    """

    def __init__(self, names: Sequence[str], options: dict[str, Any]) -> None:
        for name in names:
            if name not in READ:
                raise KeyError(f"no table {name!r} of a partition: there are {', '.join(READ)}")
        self._options = options
        self._games = GameRows(name for name in names if name != "findings")
        self._rows = {name: TableRows(name) for name in names}

    def read(self, one: Slice) -> SliceRows:
        """Read a slice; if this raises, none of its rows is here."""
        rows = {name: TableRows(name) for name in self._rows}
        self._games.rows = {name: rows[name] for name in self._games.rows}
        result = self._try(one, rows)
        for name, own in self._rows.items():
            own.append(rows[name])
        self._flush(self._rows)
        return result._replace(rows={name: len(found) for name, found in rows.items()})

    def batches(self) -> dict[str, list[pa.RecordBatch]]:
        """Return the rows of all slices; a table has at least one batch."""
        return {name: rows.batches() for name, rows in self._rows.items()}

    def _add_row(self, game: GameTree, place: RowPlace) -> int:
        if not self._games.rows:
            return game_id(place.source, place.member, place.offset)
        key = self._games.add(game, place)
        self._flush(self._games.rows)
        return key

    def _flush(self, tables: Mapping[str, TableRows]) -> None:
        if sum(rows.waiting for rows in tables.values()) > MAX_WAITING_ROWS:
            for rows in tables.values():
                rows.flush()

    def _try(self, one: Slice, rows: dict[str, TableRows]) -> SliceRows:
        if one.fault is not None:
            return self._faulty(one, one.fault, rows)
        try:
            data, sha256 = _content(one)
        except OSError as error:
            return self._faulty(one, Failure.of(error), rows)
        return self._read(one, data, sha256, rows)

    def _faulty(self, one: Slice, fault: Failure, rows: dict[str, TableRows]) -> SliceRows:
        finding = about_file(fault.rule, fault.message, fault.help)
        self._add_findings(rows, one, self._chosen(one, (finding,)), {})
        is_readable = finding.severity is Severity.INFO
        return SliceRows(one.source.path, one.member, {}, 0, 0, 0, is_readable=is_readable)

    def _read(
        self, one: Slice, data: bytes, sha256: str | None, rows: dict[str, TableRows]
    ) -> SliceRows:
        """Read the games of a slice: a record, or a piece of one."""
        options, piece = self._options, one.piece
        if piece is None:
            decoded, sections = decode_sections(data, options.get("encoding"))
            text, codec = decoded.text, decoded.encoding if len(sections) == 1 else None
            piece = Piece.whole(sections, codec, decoded.findings)
        else:
            moved = [(start - one.start, end - one.start, by) for start, end, by in piece.sections]
            sections = tuple(starmap(Section, moved))
            text = text_of(data, sections)
        places = BytePlaces(text, data, sections)
        games = _Games(self._add_row, one, data, places, piece.encoding)
        read = read_piece(text, piece, each=games.add, **options)
        games.flush()
        # first: of two on one place the first one stays
        findings, lines = [*piece.findings, *read.result], LineIndex(text, piece.first, piece.place)
        report = make_report(one.record, text, findings, options.get("options"), lines)
        report = report.capped(options.get("max_diagnostics"))
        self._add_findings(rows, one, report.diagnostics, games.ids)
        return SliceRows(
            one.source.path,
            one.member,
            {},
            len(games.ids),
            len(data),
            int(piece.is_first),
            sha256,
            None if one.piece is None else read._replace(result=[]),
        )

    def _chosen(self, one: Slice, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Return the findings that the options choose."""
        check = self._options.get("options")
        return found if check is None else check.choose(found, one.record)

    def _add_findings(
        self,
        rows: dict[str, TableRows],
        one: Slice,
        findings: Sequence[Diagnostic],
        ids: Mapping[int, int],
    ) -> None:
        if "games" in rows:
            counts = Counter((finding.game, finding.severity) for finding in findings)
            rows["games"].fill(
                {f"{level}s": [counts[number, level] for number in ids] for level in SEVERITIES}
            )
        if "findings" in rows:
            rows["findings"] = place_findings(findings, one.source.path, one.member, ids)


def _content(one: Slice) -> tuple[bytes, str | None]:
    """Return the bytes of a slice, and the SHA-256 of the file if they are all of it.

    Raises:
        OSError: The file cannot be read, or has changed since it was cut.
    """
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


#: Bytes that are decoded at once where a character has no bytes of its own.
_BLOCK = 1 << 8

#: Codecs in which ASCII is longer than a byte.
WIDE_ORDERED = frozenset({"utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"})


class BytePlaces:
    """Turns places in a text, in increasing order, into places in its bytes.

    Args:
        text: The text.
        data: The bytes.
        sections: The bytes that are decoded by one codec each.
    """

    def __init__(self, text: str, data: bytes, sections: Sequence[Section]) -> None:
        self._text = text
        self._data = data
        self._sections = list(reversed(sections))
        self._end = 0  # of the section, in characters
        self._char = self._byte = 0
        self._is_same = False
        self._decoder: codecs.IncrementalDecoder | None = None
        self.codec = ""
        self._next()

    def _next(self) -> None:
        """Go on to the next section."""
        start, end, self.codec = self._sections.pop()
        self._char, self._byte = self._end, start
        is_last = not self._sections
        if is_last:
            self._end = len(self._text)
        else:
            self._end += len(kept(self._data[start:end], self.codec))
        self._is_same = self._end - self._char == end - start
        shifts = not self._is_same and self.codec.startswith(SHIFTING)
        self._decoder = (
            codecs.getincrementaldecoder(self.codec)("sgf_lark.keep") if shifts else None
        )

    def byte(self, char: int) -> int:
        """Return the first byte of a character, or the end of the bytes for that of the text.

        ``codec`` is then that of the section.

        Args:
            char: Number of the character, not less than the last time.
        """
        while char >= self._end and self._sections:
            self._next()
        if self._is_same:
            return self._byte + char - self._char
        if self._decoder is not None:
            return self._shifted(char, self._decoder)
        piece = self._text[self._char : char]
        is_narrow = piece.isascii() and self.codec not in WIDE_ORDERED
        self._byte += len(piece) if is_narrow else len(encode(piece, self.codec))
        self._char = char
        return self._byte

    def _shifted(self, char: int, decoder: codecs.IncrementalDecoder) -> int:
        """Return the same where bytes between characters change the meaning of what follows."""
        size = _BLOCK  # the bytes end where the last section does
        while self._char < char:
            state = decoder.getstate()
            block = self._data[self._byte : self._byte + size]
            count = len(decoder.decode(block, final=not block))
            if self._char + count > char and size > 1:
                decoder.setstate(state)
                size = 1
                continue
            self._char += count
            self._byte += len(block)
            if not block:
                break
        return self._byte

"""Partitions: the records of sources in portions of work of about the same size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from io import BytesIO
from typing import Any, NamedTuple

from sgf_lark.api.pieces import Piece, cut_record
from sgf_lark.findings.members import record_path
from sgf_lark.findings.terminal import plural
from sgf_lark.schema.tables import escape_surrogates
from sgf_lark.text.archives import (
    NO_RECORDS,
    ArchiveError,
    ArchiveReader,
    Member,
    is_compressed,
    open_unpacked,
    read_unpacked,
)

from .sources import Failure, Source, remote_faults

#: Bytes of text in a partition; it may have one record more.
PARTITION_BYTES = 1 << 22

#: Bytes that a record counts beside those of its text: the work for it, whatever its size.
RECORD_BYTES = 1 << 10

#: An archive or a compressed file unpacks to about this multiple of its bytes.
PACKED_RATIO = 4

#: Options with which records are not cut: they are about all of a record.
UNCUT = ("grammar", "values", "max_diagnostics")


class Slice(NamedTuple):
    """A record, or a piece of a large one.

    Attributes:
        source: The file.
        member: The name of the record in an archive; "" otherwise.
        start, end: Its first byte in the record, and the one after its last.
        content: These bytes; None if who reads the slice reads the file.
        fault: None, or the reason why it cannot be read.
        piece: Its place in the record; None for a complete record.
    """

    source: Source
    member: str
    start: int
    end: int
    content: bytes | None = None
    fault: Failure | None = None
    piece: Piece | None = None

    @property
    def record(self) -> str:
        """The path of the record, as in a report of :func:`sgf_lark.check`."""
        return record_path(self.source.path, self.member)


class Partition(NamedTuple):
    """Some slices, in the order of their rows.

    A piece of a record is alone in its partition.

    Attributes:
        number: From 0.
        slices: The slices.
    """

    number: int
    slices: tuple[Slice, ...]

    @property
    def size(self) -> int:
        """Number of bytes of its records."""
        return sum(one.end - one.start for one in self.slices)


def partitions(
    sources: Iterable[Source],
    size: int = PARTITION_BYTES,
    options: Mapping[str, Any] | None = None,
    *,
    cuts: bool = True,
) -> Iterator[Partition]:
    """Divide the records of sources into partitions of about the same size.

    Memory is bounded by a partition and the largest record.  Files are read by whoever reads the
    partition; the records of archives are unpacked here, once, and are in the partition.

    Args:
        sources: In the order of their paths.
        size: Bytes of text in a partition.
        options: The options by which the records will be read; see
            :func:`~sgf_lark.archive.batches.read_partition`.
        cuts: A record of more than ``size`` bytes is cut into pieces.  If not, a partition has
            complete records only, and its rows do not depend on other partitions.

    Yields:
        The partitions, in the order of their rows.

    Raises:
        TypeError: Something is no :class:`Source`: :func:`find_sources` makes them of paths.
    """
    options = options or {}
    cuts = cuts and not any(options.get(name) for name in UNCUT)
    waiting: list[Slice] = []
    number = weight = 0
    for source in sources:
        if not isinstance(source, Source):
            kind = type(source).__name__
            raise TypeError(f"expected sources as find_sources() yields them, not {kind}")
        for one in _slices(source, size if cuts else None, options):
            cost = one.end - one.start + RECORD_BYTES
            if waiting and (one.piece is not None or weight + cost > size):
                yield Partition(number, tuple(waiting))
                number, weight, waiting = number + 1, 0, []
            waiting.append(one)
            weight += cost
            if one.piece is not None or weight >= size:
                yield Partition(number, tuple(waiting))
                number, weight, waiting = number + 1, 0, []
    if waiting:
        yield Partition(number, tuple(waiting))


def _slices(source: Source, size: int | None, options: Mapping[str, Any]) -> Iterator[Slice]:
    """Yield the slices of a source; records of more than ``size`` bytes are cut."""
    if source.fault is not None:
        yield Slice(source, "", 0, 0, fault=source.fault)
    elif source.is_archive:
        yield from _in_archive(source, size, options)
    elif is_compressed(source.location):
        if size is None or source.size * PACKED_RATIO <= size:
            yield Slice(source, "", 0, source.size)
        else:
            yield from _unpacked(source, size, options)
    elif size is None or source.size <= size:
        yield Slice(source, "", 0, source.size)
    else:
        yield from _cut_file(source, size, options)


def _in_archive(source: Source, size: int | None, options: Mapping[str, Any]) -> Iterator[Slice]:
    count = 0
    try:
        with (
            remote_faults(source.location),
            closing(ArchiveReader(source.location, source.open())) as archive,
        ):
            for member in archive.members():
                count += 1
                yield from _member(source, member, size, options)
        if not count:
            yield Slice(source, "", 0, 0, fault=Failure("no-records", NO_RECORDS))
        elif archive.others:
            first = escape_surrogates(archive.first_other)
            words = f"{plural(archive.others, 'file')} in it not read, the first one is {first}"
            yield Slice(source, "", 0, 0, fault=Failure("other-files", words))
    except OSError as error:
        yield Slice(source, "", 0, 0, fault=Failure.of(error))


def _member(
    source: Source, member: Member, size: int | None, options: Mapping[str, Any]
) -> Iterator[Slice]:
    name = escape_surrogates(member.path[len(source.location) + 1 :])
    try:
        content = member.read()
    except ArchiveError as error:
        yield Slice(source, name, 0, 0, fault=Failure.of(error))
        return
    yield from _content(source, name, content, size, options)


def _content(
    source: Source, member: str, content: bytes, size: int | None, options: Mapping[str, Any]
) -> Iterator[Slice]:
    pieces = None
    if size is not None and len(content) > size:
        pieces = cut_record(BytesIO(content), size, options)
    if pieces is None:
        yield Slice(source, member, 0, len(content), content)
        return
    for piece in pieces:
        start, end = piece.start, piece.end
        yield Slice(source, member, start, end, content[start:end], None, piece)


def _unpacked(source: Source, size: int, options: Mapping[str, Any]) -> Iterator[Slice]:
    location = source.location
    try:
        with remote_faults(location), open_unpacked(source.open(), location) as unpacked:
            content = read_unpacked(unpacked, location)
    except OSError as error:
        yield Slice(source, "", 0, 0, fault=Failure.of(error))
        return
    yield from _content(source, "", content, size, options)


def _cut_file(source: Source, size: int, options: Mapping[str, Any]) -> Iterator[Slice]:
    try:
        with remote_faults(source.location), source.open() as file:
            pieces = cut_record(file, size, options)
            if pieces is None:
                yield Slice(source, "", 0, source.size)
                return
            for piece in pieces:
                yield Slice(source, "", piece.start, piece.end, None, None, piece)
    except OSError as error:
        yield Slice(source, "", 0, 0, fault=Failure.of(error))

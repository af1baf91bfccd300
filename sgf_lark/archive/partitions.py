"""Partitions: the records of sources in portions of work of about the same size."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, starmap
from typing import IO, Any, NamedTuple, TypeVar

from sgf_lark.core import SHIFTING, Decoded, Finding, Section, decode_sections, encode, kept, plural
from sgf_lark.files import archives
from sgf_lark.files.members import ArchiveError, is_compressed, record_path
from sgf_lark.files.pieces import Piece, cut_text
from sgf_lark.report.tables import escape_surrogates

from .sources import Failure, Source, remote_faults

T = TypeVar("T")


def pack(
    items: Iterable[T],
    weigh: Callable[[T], int],
    limit: int,
    *,
    most: int | None = None,
    is_alone: Callable[[T], object] = lambda _: False,
    ends: Callable[[T], object] = lambda _: False,
) -> Iterator[tuple[T, ...]]:
    """Yield packs of items: of at most some weight, or a single one."""
    waiting: list[T] = []
    size = 0
    for item in items:
        weight, alone = weigh(item), is_alone(item)
        if waiting and (alone or size + weight > limit):
            yield tuple(waiting)
            waiting, size = [], 0
        waiting.append(item)
        size += weight
        if alone or len(waiting) == most or size >= limit or ends(item):
            yield tuple(waiting)
            waiting, size = [], 0
    if waiting:
        yield tuple(waiting)


#: Bytes that are decoded at once where a character has no bytes of its own.
_BLOCK = 1 << 8

#: Codecs in which ASCII is longer than a byte.
WIDE_ORDERED = frozenset({"utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"})


class BytePlaces:
    """Turns places in a text, in increasing order, into places in its bytes."""

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


#: Bytes of text in a partition; it may have one record more.
PARTITION_BYTES = 1 << 22

#: Bytes that a record counts beside those of its text: the work for it, whatever its size.
RECORD_BYTES = 1 << 10

#: An archive or a compressed file unpacks to about this multiple of its bytes.
PACKED_RATIO = 4

#: Options with which records are not cut: they are about all of a record.
UNCUT = ("grammar", "values", "transformer", "max_diagnostics")


class RecordPiece(NamedTuple):
    """A piece of a record."""

    piece: Piece
    sections: tuple[Section, ...]
    encoding: str | None  # the encoding of the record; None if games differ
    # the findings about the encoding in it, by their places in the record
    findings: tuple[Finding, ...]


class Slice(NamedTuple):
    """A record, or a piece of a large one.

    Attributes:
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
    piece: RecordPiece | None = None

    @property
    def record(self) -> str:
        """The path of the record, as in a report of :func:`sgf_lark.check`."""
        return record_path(self.source.path, self.member)


class Partition(NamedTuple):
    """Some slices, in the order of their rows.

    A piece of a record is alone in its partition.

    Attributes:
        number: From 0.
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
    partition, and here, too, if they are to be cut; the records of archives are unpacked here,
    once, and are in the partition.

    Args:
        sources: In the order of their paths.
        size: Bytes of text in a partition.
        options: The options by which the records will be read; see
            :func:`~sgf_lark.archive.read_partition`.
        cuts: A record of more than ``size`` bytes is cut into pieces.  If not, a partition has
            complete records only, and its rows do not depend on other partitions.

    Yields:
        The partitions, in the order of their rows.

    Raises:
        TypeError: Something is no :class:`Source`: :func:`find_sources` makes them of paths.
    """
    options = options or {}
    cuts = cuts and not any(options.get(name) for name in UNCUT)
    packs = pack(
        (one for source in sources for one in _slices(source, size if cuts else None, options)),
        lambda one: one.end - one.start + RECORD_BYTES,
        size,
        is_alone=lambda one: one.piece is not None,
    )
    yield from starmap(Partition, enumerate(packs))


def _slices(source: Source, size: int | None, options: Mapping[str, Any]) -> Iterator[Slice]:
    """Yield the slices of a source; records of more than ``size`` bytes are cut."""
    if not isinstance(source, Source):
        kind = type(source).__name__
        raise TypeError(f"expected sources as find_sources() yields them, not {kind}")
    if source.fault is not None:
        yield Slice(source, "", 0, 0, fault=source.fault)
        return
    location = source.location
    ratio = PACKED_RATIO if is_compressed(location) else 1
    if not source.is_archive and (size is None or source.size * ratio <= size):
        yield Slice(source, "", 0, source.size)
        return
    try:
        with remote_faults(location), source.open() as file:
            if source.is_archive:
                yield from _in_archive(source, file, size, options)
            elif is_compressed(location):
                with archives.open_unpacked(file, location) as unpacked:
                    content = archives.read_unpacked(unpacked, location)
                yield from _content(source, "", content, size, options)
            else:
                yield from _in_file(source, file, size or source.size, options)
    except OSError as error:
        yield Slice(source, "", 0, 0, fault=Failure.of(error))


def _in_file(
    source: Source, file: IO[bytes], size: int, options: Mapping[str, Any]
) -> Iterator[Slice]:
    """Yield the slices of a file without their bytes: who reads them reads the file."""
    cuts = _cut(file.read(), size, options)  # the bytes are not kept beside the text
    if cuts is None:
        yield Slice(source, "", 0, source.size)
        return
    for cut in cuts:
        start, end = cut.sections[0].start, cut.sections[-1].end
        yield Slice(source, "", start, end, piece=cut)


def _in_archive(
    source: Source, file: IO[bytes], size: int | None, options: Mapping[str, Any]
) -> Iterator[Slice]:
    count = 0
    with closing(archives.ArchiveReader(source.location, file)) as archive:
        for count, member in enumerate(archive.members(), 1):  # noqa: B007  # counted
            name = escape_surrogates(member.path[len(source.location) + 1 :])
            try:
                content = member.read()
            except ArchiveError as error:
                yield Slice(source, name, 0, 0, fault=Failure.of(error))
            else:
                yield from _content(source, name, content, size, options)
    if not count:
        yield Slice(source, "", 0, 0, fault=Failure("no-records", archives.NO_RECORDS))
    elif archive.others:
        first = escape_surrogates(archive.first_other)
        words = f"{plural(archive.others, 'file')} in it not read, the first one is {first}"
        yield Slice(source, "", 0, 0, fault=Failure("other-files", words))


def _content(
    source: Source, member: str, content: bytes, size: int | None, options: Mapping[str, Any]
) -> Iterator[Slice]:
    cuts = None if size is None or len(content) <= size else _cut(content, size, options)
    if cuts is None:
        yield Slice(source, member, 0, len(content), content)
        return
    for cut in cuts:
        start, end = cut.sections[0].start, cut.sections[-1].end
        yield Slice(source, member, start, end, content[start:end], None, cut)


def _cut(content: bytes, size: int, options: Mapping[str, Any]) -> Iterator[RecordPiece] | None:
    """Return the pieces of a record; None if there is no place for a cut.

    Where bytes between characters change the meaning of what follows, there is none.
    """
    decoded, sections = decode_sections(content, options.get("encoding"))
    pieces = cut_text(decoded.text, size, options)
    first = next(pieces)
    if not first.is_part or any(one.codec.startswith(SHIFTING) for one in sections):
        return None
    searched = content if len(sections) > 1 else b""  # for the ends of sections
    return _pieces_of(searched, chain([first], pieces), decoded, sections)


def _pieces_of(
    content: bytes, pieces: Iterable[Piece], decoded: Decoded, sections: Sequence[Section]
) -> Iterator[RecordPiece]:
    encoding, findings = decoded.encoding if len(sections) == 1 else None, decoded.findings
    places, start = BytePlaces(decoded.text, content, sections), sections[0].start
    for piece in pieces:
        end = sections[-1].end if piece.is_last else places.byte(piece.end)
        inside = tuple(
            Section(max(first, start), min(last, end), codec)
            for first, last, codec in sections
            if first < end and last > start
        )
        own = [one for one in findings if piece.is_last or one.span.start < piece.end]
        findings, start = findings[len(own) :], end
        yield RecordPiece(piece, inside, encoding, tuple(own))

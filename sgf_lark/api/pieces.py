"""Pieces of a huge file or record, cut where one game seems to end and the next to begin."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from mmap import mmap
from typing import IO, Any, NamedTuple, TypeAlias

from sgf_lark.findings.finding import Finding
from sgf_lark.places import LineColumn
from sgf_lark.schema.properties import Category, PropertyTable, capitals
from sgf_lark.text.archives import MAX_RECORD_BYTES
from sgf_lark.text.byte_scan import all_of, declared_in
from sgf_lark.text.charset_names import WIDE, asked, declared, label
from sgf_lark.text.choice import BOMS, SHIFTING, about, about_mark, ascii_name, choose
from sgf_lark.text.detection import Evidence, kept
from sgf_lark.text.encoding import Damage, Section, decode_sections

#: Bytes that are read at a time.
BLOCK = 1 << 20

#: Bytes in which the first game, and the first CA, is looked for.
HEAD_BYTES = 1 << 22

#: Bytes of a CA at most, for one on the border of two blocks.
_CHARSET_BYTES = 1 << 6

#: Bytes beside a border by which it is seen that no character is cut.
_AROUND = 8

#: Characters that are no bytes begin so in UTF-8; see :data:`sgf_lark.text.detection.KEPT`.
_KEPT_UTF8 = b"\xf4\x8f"

#: The end of a game, and the first name of the next one; a number (GGF) or a few words may be
#: between them.
_BORDER = re.compile(rb"\)(?=[^()\[\];]{0,200}+\(\s*+;\s*+([A-Za-z]++)\s*+\[)")

#: Properties that begin a game, but hardly a variation.
_OF_ROOT = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if rule.category in {Category.ROOT, Category.GAME_INFO}
)

_PAIR = re.compile(r"\r\n|\n\r")


class Piece(NamedTuple):
    """A piece of a record.

    Attributes:
        sections: Its bytes, by codec.
        is_part: It was cut from a record, or joined of such pieces.
        is_first, is_last: It begins or ends where the record does.
        encoding: The encoding of the record; None if games differ.
        first: Number of the characters before it.
        place: Line and column of its first character.
        findings: The findings about the encoding in it, by their places in the record.
        is_alone: It is read as if it were not cut: too much would have to be read with it.
    """

    sections: tuple[Section, ...]
    is_part: bool
    is_first: bool
    is_last: bool
    encoding: str | None
    first: int
    place: LineColumn
    findings: tuple[Finding, ...]
    is_alone: bool = False

    @classmethod
    def whole(
        cls, sections: Iterable[Section], encoding: str | None, findings: tuple[Finding, ...]
    ) -> Piece:
        """Return a record that is not cut, as a piece."""
        place = LineColumn(1, 1)
        return cls(tuple(sections), False, True, True, encoding, 0, place, findings)  # noqa: FBT003

    @property
    def start(self) -> int:
        """Its first byte in the record."""
        return self.sections[0].start

    @property
    def end(self) -> int:
        """The byte after its last one."""
        return self.sections[-1].end

    @property
    def size(self) -> int:
        """Number of its bytes."""
        return self.end - self.start

    def text(self, data: bytes) -> str:
        """Return the text of its bytes."""
        return text_of(data, self.sections, self.start)


def text_of(data: bytes, sections: Iterable[Section], start: int = 0) -> str:
    """Return the text of sections of a record, of which the bytes from ``start`` on are given."""
    return "".join(kept(data[one.start - start : one.end - start], one.codec) for one in sections)


def cut_record(
    file: IO[bytes] | mmap, size: int, options: Mapping[str, Any], most: int = MAX_RECORD_BYTES
) -> Iterator[Piece] | None:
    """Cut a record into pieces; None if there is no certain place for a cut.

    Memory holds a piece at a time; a record in several encodings is read completely, if it has no
    more than ``most`` bytes.  In a longer one each piece has the encodings that it has by itself.

    Args:
        file: The record, open for reading at any place.
        size: Bytes of a piece; it has more, up to the end of a game.
        options: The options by which it will be read.
        most: Limit of bytes that are read completely.
    """
    return _Record(file, size, options, most).pieces()


def join_pieces(pieces: Sequence[Piece]) -> Piece:
    """Return one piece for some that follow one another."""
    sections = tuple(section for piece in pieces for section in piece.sections)
    findings = tuple(finding for piece in pieces for finding in piece.findings)
    return pieces[0]._replace(sections=sections, is_last=pieces[-1].is_last, findings=findings)


def end_of_game(data: bytes, start: int) -> int | None:
    """Return the first place where a game seems to end and another to begin; None if none does."""
    for match in _BORDER.finditer(data, start):
        if capitals(match[1].decode("ascii")) in _OF_ROOT:
            return match.end()
    return None


class _Encoding(NamedTuple):
    """The encoding of a record.

    Attributes:
        codec: The codec of all of it; "" if each piece is judged by itself.
        name: Name of the encoding.
        start: The first byte after a byte order mark.
        findings: The findings about it.
        has_damage: Some bytes may be no characters.
    """

    codec: str
    name: str | None
    start: int
    findings: tuple[Finding, ...]
    has_damage: bool


class _Record:
    """A record that is cut."""

    def __init__(
        self, file: IO[bytes] | mmap, size: int, options: Mapping[str, Any], most: int
    ) -> None:
        self._file = file
        self._size = size
        self._most = most
        file.seek(0, 2)
        self._end = file.tell()
        self._asked = options.get("encoding")

    def pieces(self) -> Iterator[Piece] | None:
        """Return the pieces; None if there is no certain place for a cut."""
        first = self._end_of_game(0)
        if first is None or self._next_cut(first) is None:
            return None
        encoding = self._encoding()
        if (encoding is None or not encoding.codec) and self._end <= self._most:
            return self._of_data(self._read(0, self._end))
        if encoding is None:
            return None
        if encoding.has_damage and encoding.codec:
            findings = [*encoding.findings, *self._damage(encoding)]
            findings.sort(key=lambda finding: finding.span)
            encoding = encoding._replace(findings=tuple(findings))
        return self._numbered(self._decoded(encoding), encoding.findings, encoding.name)

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(start)
        return self._file.read(end - start)

    def _blocks(self, overlap: int = 0) -> Iterator[bytes]:
        for start in range(0, self._end, BLOCK):
            yield self._read(max(0, start - overlap), start + BLOCK)

    # ---- places for a cut ----

    def _end_of_game(self, start: int) -> int | None:
        """Return the first end of a game after a place; None if none is certain."""
        size = BLOCK
        while start < self._end:
            data = self._read(start, start + size)
            end = end_of_game(data, 0)
            if end is not None:
                return start + end
            if start + size >= self._end:
                return None
            start += size - BLOCK // 4  # a border with much white space may be cut in two
        return None

    def _next_cut(self, end: int) -> int | None:
        """Return the first cut that leaves enough after a place; None if there is none."""
        return None if self._end - end <= self._size else self._end_of_game(end + self._size)

    def _cuts(self, codec: str) -> Iterator[int]:
        """Yield the cuts; the end of the first game is left out."""
        end = self._end_of_game(0)
        while end is not None:
            end = self._next_cut(end)
            if end is not None and self._is_certain(end, codec):
                yield end

    def _is_certain(self, cut: int, codec: str) -> bool:
        """Return whether the bytes beside a cut mean the same together and apart."""
        if not codec:
            return True
        before, after = self._read(cut - _AROUND, cut), self._read(cut, cut + _AROUND)
        return kept(before + after, codec) == kept(before, codec) + kept(after, codec)

    # ---- the encoding ----

    def _encoding(self) -> _Encoding | None:
        """Return the encoding of the record as if it was decoded at once; None for all of it.

        The bytes of wide and shifting codecs cannot be decoded from any place on.
        """
        head = self._read(0, HEAD_BYTES)
        evidence = Evidence(self._blocks)
        if self._asked is not None:
            codec = asked(self._asked)
            if codec.startswith((*WIDE, *SHIFTING)):
                return None
            mark = "\ufeff".encode(codec, "ignore")
            start = len(mark) if mark and head.startswith(mark) else 0
            damaged = not evidence.is_ascii and self._has_damage(evidence, codec)
            return _Encoding(codec.removesuffix("-sig"), codec, start, (), damaged)
        for mark, codec in BOMS:
            if head.startswith(mark):
                if codec != "utf-8-sig":
                    return None
                text = kept(head, codec).removeprefix("\ufeff")
                finding = about_mark(text, codec)
                damaged = self._has_damage(evidence, "utf-8")
                findings = () if finding is None else (finding,)
                return _Encoding("utf-8", codec, len(mark), findings, damaged)
        return self._detected(head, evidence)

    def _detected(self, head: bytes, evidence: Evidence) -> _Encoding | None:
        first = all_of(head)
        codec = declared(first.name or b"")
        if (codec or "").startswith(SHIFTING):
            return None
        if evidence.is_ascii:
            return _Encoding("ascii", ascii_name(codec), 0, (), has_damage=False)
        names: set[str | None] = set()
        for block in self._blocks(_CHARSET_BYTES):
            names |= declared_in(block)
        if len(names) > 1:
            return _Encoding("", None, 0, (), has_damage=True)
        choice = choose(evidence, first.name)
        if choice.codec.startswith((*WIDE, *SHIFTING)):
            return None
        beyond = self._first_beyond_ascii()
        around = self._read(beyond, beyond + BLOCK)
        if first.charset is None:
            finding = about(choice, around, first, kept(around, choice.codec), beyond)
        else:
            finding = about(choice, head, first, kept(around, choice.codec), 0)
        findings = () if finding is None else (finding,)
        damaged = self._has_damage(evidence, choice.codec)
        return _Encoding(choice.codec, choice.codec, 0, findings, damaged)

    def _has_damage(self, evidence: Evidence, codec: str) -> bool:
        """Return whether bytes may be no characters; KEPT has characters of UTF-8, too."""
        return not evidence.fits(codec) or any(
            _KEPT_UTF8 in block for block in self._blocks(len(_KEPT_UTF8))
        )

    def _first_beyond_ascii(self) -> int:
        for number, block in enumerate(self._blocks()):
            if not block.isascii():
                found = re.search(rb"[^\x00-\x7f]", block)
                return number * BLOCK + (found.start() if found else 0)
        return self._end

    # ---- the pieces ----

    def _spans(self, encoding: _Encoding) -> Iterator[tuple[int, int]]:
        return _pairs(encoding.start, self._cuts(encoding.codec), self._end)

    def _damage(self, encoding: _Encoding) -> list[Finding]:
        """Return the findings about bytes that are no character."""
        damage, first = Damage(), 0
        findings: list[Finding] = []
        for start, end in self._spans(encoding):
            text = kept(self._read(start, end), encoding.codec)
            findings += damage.find(text, first, label(encoding.name or encoding.codec))
            first += len(text)
        return findings + damage.end()

    def _decoded(self, encoding: _Encoding) -> Iterator[_Decoded]:
        """Yield the bytes between two cuts and their text."""
        for start, end in self._spans(encoding):
            data = self._read(start, end)
            if encoding.codec:
                yield (Section(start, end, encoding.codec),), kept(data, encoding.codec), ()
                continue
            decoded, parts = decode_sections(data, self._asked)
            sections = tuple([Section(a + start, b + start, codec) for a, b, codec in parts])
            yield sections, decoded.text, decoded.findings

    def _of_data(self, data: bytes) -> Iterator[Piece] | None:
        """Return the pieces of a record in several encodings, or in one that shifts."""
        decoded, sections = decode_sections(data, self._asked)
        cut = list(_divide(sections, list(self._cuts(""))))
        texts: list[_Decoded] = [(part, text_of(data, part), ()) for part in cut]
        if "".join(text for _, text, _ in texts) != decoded.text:
            return None
        codecs = {section.codec for section in sections}
        name = decoded.encoding if len(codecs) == 1 else None
        return self._numbered(texts, decoded.findings, name)

    def _numbered(
        self,
        texts: Iterable[_Decoded],
        findings: Sequence[Finding],
        encoding: str | None,
    ) -> Iterator[Piece]:
        """Yield the pieces of some texts.

        Args:
            texts: The texts.
            findings: The findings about the encoding of the record.
            encoding: As in a piece.
        """
        first, place, known = 0, LineColumn(1, 1), 0
        starts = [finding.span.start for finding in findings]
        for sections, text, own in texts:
            is_last = sections[-1].end == self._end
            last = len(starts) if is_last else bisect_left(starts, first + len(text))
            mine = (*[one.moved(first) for one in own], *findings[known:last])
            yield Piece(sections, True, not first, is_last, encoding, first, place, mine)  # noqa: FBT003
            known = last
            first += len(text)
            place = end_of_text(text, place)


#: The bytes between two cuts by codec, their text, and the findings about their own encodings.
_Decoded: TypeAlias = tuple[tuple[Section, ...], str, Sequence[Finding]]


def _divide(sections: Iterable[Section], cuts: Sequence[int]) -> Iterator[tuple[Section, ...]]:
    """Yield the sections between two cuts; a section in which a cut is becomes two."""
    piece: list[Section] = []
    for start, end, codec in sections:
        begin = start
        for cut in cuts[bisect_right(cuts, start) : bisect_right(cuts, end)]:
            yield (*piece, Section(begin, cut, codec))
            piece, begin = [], cut
        if begin < end:
            piece.append(Section(begin, end, codec))
    if piece:
        yield tuple(piece)


def _pairs(start: int, cuts: Iterator[int], end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between cuts."""
    for cut in cuts:
        yield start, cut
        start = cut
    yield start, end


def end_of_text(text: str, place: LineColumn) -> LineColumn:
    """Return the line and the column after a text that begins at a place."""
    joined = text.replace("\r\n", "\n") if "\r" in text else text
    if "\n\r" in joined:  # two characters that are one line break, too
        joined = _PAIR.sub("\n", text)
    breaks = joined.count("\n") + joined.count("\r")
    if not breaks:
        return LineColumn(place.line, place.column + len(text))
    last = max(text.rfind("\n"), text.rfind("\r"))
    return LineColumn(place.line + breaks, len(text) - last)

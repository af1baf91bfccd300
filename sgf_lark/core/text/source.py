"""The text of a file beside its bytes: what was not changed keeps its very bytes.

Encoding a text does not always give the bytes it was read from: some charsets write one
character in two ways, some files are in several charsets, some hold bytes that are no
character at all.  So that what is copied is copied as bytes.
"""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, TypeAlias

from sgf_lark.core.findings.diagnostic import Edit


class Saved:
    """The content of a file, as far as somebody knows it: two drafts that write to one file would
    overwrite each other's changes.
    """

    def __init__(self, digest: bytes | None = None) -> None:
        self.digest = digest

    def begin(self) -> Saved:
        return Saved(self.digest)


class TextSource:
    """A text, and the bytes from which it was read; ``digest`` is of the bytes last written."""

    def __init__(
        self, text: str, data: bytes | None = None, encoding: str | None = None, path: str = ""
    ) -> None:
        self.text = text
        self.data = data
        self._asked = encoding
        self.path = path
        self.digest: bytes | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> TextSource:
        return self

    @cached_property
    def _sections(self) -> list[_Section]:
        from .detection import kept
        from .encoding import decode_sections

        sections: list[_Section] = []
        start, data = 0, self.data or b""
        for offset, end_offset, codec in decode_sections(data, self._asked)[1]:
            end = start + len(kept(data[offset:end_offset], codec))
            sections.append(_Section(start, end, offset, end_offset, codec))
            start = end
        return sections

    @property
    def mark(self) -> bytes:
        """The byte order mark; empty if there is none."""
        return b"" if self.data is None else self.data[: self._sections[0].offset]

    def codec(self, at: int) -> str | None:
        """The codec at a place of the text; None for a text that came as text."""
        return None if self.data is None else self._section(at).codec

    def _section(self, at: int) -> _Section:
        starts = [section.start for section in self._sections]
        return self._sections[bisect_right(starts, max(at, 0)) - 1]

    @cached_property
    def _offsets(self) -> dict[int, list[int] | None]:
        """By the start of a section: where characters begin; None if encoding gives the bytes."""
        return {section.start: self._aligned(section) for section in self._sections}

    def _aligned(self, section: _Section) -> list[int] | None:
        from .detection import KEPT
        from .encoding import encode

        text = self.text[section.start : section.end]
        data = (self.data or b"")[section.offset : section.end_offset]
        try:
            if encode(text, section.codec) == data:
                return None
        except UnicodeError:
            pass
        decoder = codecs.getincrementaldecoder(section.codec)("sgf_lark.keep")
        offsets = [0]
        for place in range(len(data)):
            chars = decoder.decode(data[place : place + 1], place + 1 == len(data))
            for char in chars[:-1]:  # bytes that the last one showed to be no character
                offsets.append(offsets[-1] + (1 if KEPT.match(char) else len(char.encode())))
            if chars:
                offsets.append(place + 1)
        return offsets if len(offsets) == len(text) + 1 else None

    def copied(self, start: int, end: int) -> bytes:
        """Return the bytes of ``text[start:end]``; UnicodeEncodeError if it came as text."""
        from .encoding import encode

        pieces: list[bytes] = []
        while start < end:
            section = self._section(start)
            stop = min(end, section.end)
            offsets = self._offsets[section.start]
            if offsets is None:
                pieces.append(encode(self.text[start:stop], section.codec))
            else:
                first, last = offsets[start - section.start], offsets[stop - section.start]
                pieces.append((self.data or b"")[section.offset + first : section.offset + last])
            start = stop
        return b"".join(pieces)

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """Return the bytes of the text with edits that do not overlap; or UnicodeEncodeError."""
        from .encoding import encode

        pieces = [self.mark]
        done = 0
        for edit in sorted(edits, key=lambda edit: (edit.offset, edit.end_offset)):
            pieces.append(self.copied(done, edit.offset))
            pieces.append(encode(edit.replacement, self._section(edit.offset).codec))
            done = edit.end_offset
        pieces.append(self.copied(done, len(self.text)))
        return b"".join(pieces)


class _Section(NamedTuple):
    """A part of the file: its place in the text and in the bytes."""

    start: int
    end: int
    offset: int
    end_offset: int
    codec: str


class Copy(NamedTuple):
    """A part of a source that is written as it is."""

    source: TextSource
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]


TextPiece: TypeAlias = str | Copy
"""A part of a written text: new text, or a copy."""


class Pieces:
    """A text that is being written; neighbouring copies become one."""

    def __init__(self) -> None:
        self.pieces: list[TextPiece] = []

    def copy(self, source: TextSource, start: int, end: int) -> None:
        if start >= end:
            return
        if self.pieces:
            last = self.pieces[-1]
            if isinstance(last, Copy) and last.source is source and last.end == start:
                self.pieces[-1] = last._replace(end=end)
                return
        self.pieces.append(Copy(source, start, end))

    def write(self, text: str) -> None:
        if text:
            self.pieces.append(text)

    @property
    def text(self) -> str:
        return joined(self.pieces)


def joined(pieces: Iterable[TextPiece]) -> str:
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)

"""A file that is read bit by bit: its text, as much of it as is needed at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.places import LineColumn, LineIndex

from .encoding import Damage, Decoder

#: So much is asked for at a time, in bytes or characters.
BLOCK = 1 << 16

#: What a text grows by before it is looked at again, as a part of what there is: so that a
#: game that goes on and on is not looked at from its beginning with every bit.
GROWTH = 8


class Stream:
    """The text of a file that is open for reading, binary or text.

    Attributes:
        text: What has been read and is still needed.
        is_whole: It goes on to the end of the file.
        findings: What is still to be said about the encoding.
    """

    def __init__(self, file: IO[str] | IO[bytes], encoding: str | None) -> None:
        self._read = getattr(file, "read1", file.read)  # what is there, without waiting for more
        # A file does not let anybody wait, so that one look ahead shows whether it goes on.
        self._looks_ahead = getattr(file, "seekable", lambda: False)()
        self._decoder = Decoder(encoding)
        self._texts = self._parts()
        self._damage = Damage()
        self._damage_place: tuple[LineColumn, LineColumn] | None = None
        self._start, self._place = 0, LineColumn(1, 1)
        self._is_text = False  # the file gives text
        self._seen = 0  # characters of the text in which damage was looked for
        self._lines: LineIndex | None = None
        self.text = ""
        self.is_whole = False
        self.findings: list[Finding] = []

    @property
    def lines(self) -> LineIndex:
        if self._lines is None:
            self._lines = LineIndex(self.text, self._start, self._place)
        return self._lines

    def grow(self) -> None:
        """Read some more; all of a file of less than a block."""
        parts = [self.text]
        is_first = self._looks_ahead and not self._start and not self.text
        wanted = BLOCK if is_first else len(self.text) // GROWTH + 1
        for text in self._texts:
            parts.append(text)
            wanted -= len(text)
            if wanted <= 0 and not self.is_whole:
                break
        self.text = "".join(parts)
        self._lines = None
        self.findings += self._decoder.findings
        self._decoder.findings.clear()

    def _parts(self) -> Iterator[str]:
        blocks = self._blocks()
        first = next(blocks)
        if isinstance(first[0], str):
            self._is_text = True
            yield first[0]
            yield from (block for block, _ in blocks)
        else:
            yield from self._decoder.texts(chain([first], blocks))

    def _blocks(self) -> Iterator[tuple[Any, bool]]:
        block = self._read(BLOCK)
        if block and self._looks_ahead:
            following = self._read(BLOCK)
            self.is_whole = not following
            yield block, self.is_whole
            block = following
        while not self.is_whole:
            self.is_whole = not block
            yield b"" if block is None else block, self.is_whole
            block = b"" if self.is_whole else self._read(max(BLOCK, len(self.text)))

    def look(self, end: int) -> None:
        """Look for damage up to a place where no character goes on."""
        if self.text.isascii() or self._is_text:
            return
        part = self.text[self._seen : end]
        last = self._damage.last
        offset = self._start + self._seen
        self.findings += self._damage.find(part, offset, self._decoder.label)
        if self._damage.last != last:
            self._damage_place = self.lines.places(self._damage.last)
        self._seen = max(end, self._seen)

    def due(self, end: int) -> list[Finding]:
        """Take the findings about the encoding of the text before a place."""
        findings, self.findings = self.findings, []
        self.findings = [finding for finding in findings if finding.span.start >= self._start + end]
        return [finding for finding in findings if finding.span.start < self._start + end]

    def leave(self, end: int) -> None:
        if end:
            self._place = self.lines.locate(self._start + end)
            self._start += end
            self.text = self.text[end:]
            self._seen = max(self._seen - end, 0)
            self._lines = None

    def end(self) -> list[Finding]:
        rest = (finding._replace(at=self._damage_place) for finding in self._damage.end())
        start = (LineColumn(1, 1), LineColumn(1, 2))
        last = self._decoder.end()
        return [*rest, *(finding._replace(at=start) for finding in last)]

"""The document that an editor shows: its text, edits and positions by the protocol's rules.

Those of pygls count lines as ``str.splitlines`` does, so that an edit below U+2028 spoils the
text, and a change takes time for the text.  Source: LSP 3.18, Text Documents and Position.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from lsprotocol import types as lsp
from pygls.workspace import TextDocument, Workspace

from sgf_lark.core import Span

_LINE_BREAK = re.compile(r"\r\n|\n|\r")

#: By the encoding of positions: a codec, and the bytes of a unit.
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Document(TextDocument):
    """An open document.

    Attributes:
        text: The text.
        content: What was read of the text; None after a change.
    """

    content: Any = None
    _last = 0, 0, 0  # the start of a line, an offset in it, the units between them

    def __init__(self, uri: str, source: str | None = None, **options: Any) -> None:
        super().__init__(uri, source, **options)
        encoding = self.position_codec.encoding or "utf-16"
        self._codec, self._width = _CODECS[getattr(encoding, "value", encoding)]
        self._replace_all(source or "")

    def _replace_all(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(found.end() for found in _LINE_BREAK.finditer(text))]
        self._moved = len(self._starts)  # lines from this one on begin ``_distance`` later
        self._distance = 0

    def apply_change(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        """Make a change of the editor, in time for the change and a copy of the text."""
        self.content, self._last = None, (0, 0, 0)
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            self._replace(self.span(change.range), change.text)
        else:
            self._replace_all(change.text)

    def _replace(self, span: Span, new: str) -> None:
        start, end = span[0], max(span)
        first, last = self.line_of(start), self.line_of(end)
        first += self._start(first) < start  # a line that begins there may begin no longer
        self._move_to(last + 1)
        self.text = text = self.text[:start] + new + self.text[end:]
        stop = start + len(new)
        ends = (found.end() for found in _LINE_BREAK.finditer(text, max(start - 1, 0), stop + 1))
        starts = [0] * (start == 0) + [at for at in ends if start <= at <= stop]
        self._starts[first : last + 1] = starts
        self._moved = first + len(starts)
        self._distance += len(new) - (end - start)

    def _move_to(self, line: int) -> None:
        """Let the distance count from another line on; edits are near each other."""
        low, high = sorted((line, self._moved))
        by = self._distance if line > self._moved else -self._distance
        self._starts[low:high] = [start + by for start in self._starts[low:high]]
        self._moved = line

    def _start(self, line: int) -> int:
        """Return the offset at which a line begins; the end of the text after the last one."""
        if line >= len(self._starts):
            return len(self.text)
        return self._starts[line] + (self._distance if line >= self._moved else 0)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, from 0."""
        return bisect_right(range(len(self._starts)), offset, key=self._start) - 1

    def units(self, text: str) -> int:
        """Return the length of a text in the units of positions."""
        return len(text.encode(self._codec, "surrogatepass")) // self._width

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; the end of its line, or of the text, at most."""
        start = self._start(position.line)
        line = self.text[start : self._start(position.line + 1)].rstrip("\r\n")
        data = line.encode(self._codec, "surrogatepass")[: position.character * self._width]
        errors = "surrogatepass" if self._width > 1 else "ignore"
        return start + len(data.decode(self._codec, errors))

    def position(self, offset: int) -> lsp.Position:
        """Return the position of an offset."""
        line = self.line_of(offset)
        start = self._start(line)
        begin, known, units = self._last
        if begin != start or known > offset:
            known, units = start, 0
        units += self.units(self.text[known:offset])
        self._last = start, offset, units
        return lsp.Position(line, units)

    def range(self, span: tuple[int, int]) -> lsp.Range:
        """Return the range of a span."""
        return lsp.Range(self.position(span[0]), self.position(span[1]))

    def span(self, range: lsp.Range) -> Span:
        """Return the span of a range."""
        return Span(self.offset(range.start), self.offset(range.end))


class Documents(Workspace):
    """The documents of an editor, each a :class:`Document`."""

    def _create_text_document(self, doc_uri: str, *_: Any, **options: Any) -> Document:
        return Document(doc_uri, position_codec=self.position_codec, **options)

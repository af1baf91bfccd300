"""Places in a text: offsets, spans, lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

_LINE_BREAK = re.compile(r"\r\n|\n\r|\n|\r")


class Span(NamedTuple):
    """A half-open range of text, ``text[start:end]``, in characters from 0."""

    start: int
    end: int


class LineColumn(NamedTuple):
    """A place as an editor shows it: line and column, both counted from 1."""

    line: int
    column: int


class LineIndex:
    """Turns offsets of one text, or of a part that begins at ``start``, into lines and columns.

    Lark counts only ``"\\n"`` as a line break and ``str.splitlines`` also breaks
    at U+2028, so neither is asked.
    """

    def __init__(self, text: str, start: int = 0, place: LineColumn = LineColumn(1, 1)) -> None:  # noqa: B008  # frozen
        self._text = text
        self.start = start
        self._place = place

    @cached_property
    def _starts(self) -> list[int]:
        first = 1 - self._place.column
        return [first, *(found.end() for found in _LINE_BREAK.finditer(self._text))]

    def locate(self, offset: int) -> LineColumn:
        """Return line and column, both from 1, of an offset, which may be the end of the text.

        Raises:
            ValueError: The offset lies outside the text.

        Source:
            FF[4], value type Text: LF, CR, LF CR and CR LF are line breaks.
        """
        end = self.start + len(self._text)
        if not self.start <= offset <= end:
            raise ValueError(f"offset {offset} is outside {self.start}..{end}")
        at = offset - self.start
        line = bisect_right(self._starts, at)
        return LineColumn(self._place.line + line - 1, at - self._starts[line - 1] + 1)

    def places(self, span: Span) -> tuple[LineColumn, LineColumn]:
        """The lines and columns of both ends of a span."""
        return self.locate(span.start), self.locate(span.end)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both from 1; ValueError if there is none."""
        if line < 1 or column < 1:
            raise ValueError("lines and columns are counted from 1")
        if line > len(self._starts):
            raise ValueError(f"the last line is {len(self._starts)}")
        start, end = self.line_span(line)
        if column > end - start + 1:
            raise ValueError(f"line {line} has {end - start} characters")
        return start + column - 1

    def line_span(self, line: int) -> Span:
        """The characters of one line, counted from 1, without its line break."""
        which = line - self._place.line
        start = max(self._starts[which], 0)
        is_last = which + 1 == len(self._starts)
        end = len(self._text) if is_last else self._starts[which + 1]
        while end > start and self._text[end - 1] in "\r\n":
            end -= 1
        return Span(self.start + start, self.start + end)

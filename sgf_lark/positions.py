"""Where things are in the text: offsets, spans, lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

_LINE_BREAK = re.compile(r"\r\n|\n\r|\n|\r")


class Span(NamedTuple):
    """A half-open stretch of text, ``text[start:end]``, in characters from 0."""

    start: int
    end: int


class Position(NamedTuple):
    """A place as an editor shows it: line and column, both counted from 1."""

    line: int
    column: int


class LineIndex:
    """Turns offsets of one text into lines and columns.

    Lark counts only ``"\\n"`` as a line break and ``str.splitlines`` also breaks
    at U+2028, so neither is asked.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_BREAK.finditer(self._text))]

    def locate(self, offset: int) -> Position:
        """Give the line and column of one character.

        Args:
            offset: Characters from the start of the text, 0 to its length
                inclusive; the length itself stands for the end of the text.

        Returns:
            Line and column, both from 1.  A column counts characters: a tab is
            one, and so is a letter outside the Basic Multilingual Plane.

        Raises:
            ValueError: The offset lies outside the text.

        Source:
            FF[4], value type Text: LF, CR, LF CR and CR LF are line breaks.
        """
        if not 0 <= offset <= len(self._text):
            raise ValueError(f"offset {offset} is outside 0..{len(self._text)}")
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def line_span(self, line: int) -> Span:
        """The characters of one line, counted from 1, without its line break."""
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        while end > start and self._text[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

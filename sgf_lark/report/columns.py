"""Columns of a text in the units of other programs: UTF-16 code units, bytes of UTF-8."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import accumulate

from sgf_lark.places import LineColumn, LineIndex

#: Characters that are measured together.
BLOCK = 1 << 10


def utf16_units(text: str) -> int:
    """Count the UTF-16 code units of a text."""
    return len(text) + sum(char > "\uffff" for char in text)


def utf8_bytes(text: str) -> int:
    """Count the bytes of a text in UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


class Columns:
    """Turns offsets of a text into lines and columns, each in the same time.

    Args:
        text: The text.
        measure: Counts the units of a piece of it.
    """

    def __init__(self, text: str, measure: Callable[[str], int]) -> None:
        self._text = text
        self._lines = LineIndex(text)
        self._measure = len if text.isascii() else measure

    def locate(self, offset: int) -> LineColumn:
        """Return line and column of an offset, both from 1."""
        line, column = self._lines.locate(offset)
        return LineColumn(line, 1 + self._units(offset) - self._units(offset - column + 1))

    def _units(self, offset: int) -> int:
        """Count the units before an offset."""
        if self._measure is len:
            return offset
        block = offset // BLOCK
        return self._blocks[block] + self._measure(self._text[block * BLOCK : offset])

    @cached_property
    def _blocks(self) -> list[int]:
        """The units before each block."""
        text = self._text
        blocks = (text[at : at + BLOCK] for at in range(0, len(text), BLOCK))
        return list(accumulate(map(self._measure, blocks), initial=0))

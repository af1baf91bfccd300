"""Places in the bytes of a text."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from sgf_lark.core import SHIFTING, Section, encode, kept

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

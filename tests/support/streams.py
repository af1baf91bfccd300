"""Files that are made on the fly."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A game with a number, or whatever is put in its place.
GAME = "(;FF[4]CA[UTF-8]GM[1]SZ[19]PB[{}]\n;B[pd];W[dp](;B[pq])(;B[dd]C[(;x\\]]))\n"


class Endless(io.RawIOBase):
    """A file made on the fly, as long as is wanted."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._held = b""
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        while len(self._held) < size and (piece := next(self._pieces, b"")):
            self._held += piece
        found, self._held = self._held[:size], self._held[size:]
        self.given += len(found)
        return found


def opened(file: io.RawIOBase) -> IO[bytes]:
    """It can do what is needed of a file."""
    return cast("IO[bytes]", file)

"""Files that are made on the fly, and games that come from them one by one."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sgf_lark
    from sgf_lark import Diagnostic
    from sgf_lark.core.api.load import Games

#: A game with a number, or whatever is put in its place.
GAME = "(;FF[4]CA[UTF-8]GM[1]SZ[19]PB[{}]\n;B[pd];W[dp](;B[pq])(;B[dd]C[(;x\\]]))\n"


class Bits(io.RawIOBase):
    """A file that gives no more than so many bytes at a time."""

    def __init__(self, data: bytes, size: int, name: str = "") -> None:
        self.name = name
        self._data = io.BytesIO(data)
        self._size = size

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, self._size) if size >= 0 else self._size)


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


def key(one: Diagnostic) -> tuple[Any, ...]:
    return one.offset, one.end_offset, one.code, one.message


def told(games: Games) -> tuple[list[sgf_lark.GameTree], list[Diagnostic]]:
    """The games, and everything that was said of them."""
    found = list(games)
    diagnostics = [one for game in found for one in game.diagnostics] + [*games.diagnostics]
    return found, sorted(diagnostics, key=key)

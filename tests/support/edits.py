"""An editor in few lines: a text, and edits of it by chance, by the protocol's rules.

It counts lines and columns by the letter of the standard, slowly, and knows nothing of the server.
Source: LSP 3.18, Text Documents and Position.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

#: Line breaks of the protocol, and characters that others take for such.
BREAKS = ("\n", "\r\n", "\r", "\n\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")

#: What game records are made of, whole and broken.
PIECES = (
    *("(", ")", "(;FF[4]GM[1]SZ[9]", ";B[ee]", ";W[eg]C[a: b]", "AB[aa:cc]", "LB[aa:x]", "KM[6,5]"),
    *("]", "[", "\\", "\\]", ":", ";", "B", "b[cn]", "DT[2024-02-31]", "(;GM[2]PB[x])", " ", "\t"),
    *("青木", "박영희", "😀", "👨\u200d👩", "e\u0301", "ñ", "\U00020bb7", "\ufeff", "\x00"),
)

#: Texts that edits begin with.
FIRST = (
    "",
    "(;FF[4]GM[1]SZ[19]PB[青木 一郎]KM[6,5]\n;W[dp]C[😀\r\nb]\r;W[dd]AB[cc]\n\r(;B[aa])(;B[Q4]))",
    "(;FF[4]GM[1]SZ[9]\u2028;B[ee]\x85;W[eg]C[one\vtwo]\n\r;B[cf]\r\n;B[ge])",
)

_BREAK = re.compile(r"\r\n|\n|\r")

_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def position(text: str, offset: int, encoding: str) -> types.Position:
    """Return the position of an offset, as the protocol says it."""
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    line = max(number for number, start in enumerate(starts) if start <= offset)
    codec, width = _CODECS[encoding]
    return types.Position(line, len(text[starts[line] : offset].encode(codec)) // width)


class Edit(NamedTuple):
    """One message of an editor: changes, each of the text after the one before; the text."""

    changes: list[types.TextDocumentContentChangeEvent]
    text: str


def _addressable(text: str, dice: random.Random) -> int:
    """Return an offset that a position can name: none between CR and LF."""
    offset = dice.randint(0, len(text))
    return offset - (text[offset - 1 : offset + 1] == "\r\n")


def edits(text: str, dice: random.Random, encoding: str) -> Iterator[Edit]:
    """Yield some edits of a text."""
    for _ in range(dice.randint(1, 12)):
        changes: list[types.TextDocumentContentChangeEvent] = []
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            new = "".join(dice.choices((*PIECES, *BREAKS), k=dice.choice((0, 1, 1, 2, 5))))
            if dice.random() < 0.03:
                text = new
                changes.append(types.TextDocumentContentChangeWholeDocument(text=new))
                continue
            start = _addressable(text, dice)
            far = len(text) if dice.random() < 0.1 else dice.choice((0, 0, 1, 2, 9))
            end = min(start + far, len(text))
            end += text[end - 1 : end + 1] == "\r\n"
            place = types.Range(position(text, start, encoding), position(text, end, encoding))
            if text[end : end + 1] in {"", "\n", "\r"}:  # beyond the end of a line is its end
                place.end.character += dice.choice((0, 0, 1, 7))
            text = text[:start] + new + text[end:]
            changes.append(types.TextDocumentContentChangePartial(range=place, text=new))
        yield Edit(changes, text)

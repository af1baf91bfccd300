"""Hashes of games: of their bytes, of their canonical text, of a line of moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from sgf_lark.boards.keys import hash_number
from sgf_lark.schema.tables import HASH_BYTES

#: The largest key of a game: it is a signed number of 64 bits, and never negative.
MAX_GAME_ID = (1 << 63) - 1


def bytes_hash(content: bytes) -> bytes:
    """Return the first 16 bytes of the SHA-256 of the bytes of a game."""
    return sha256(content).digest()[:HASH_BYTES]


def game_id(source: str, member: str, offset: int) -> int:
    """Return the key of a game: 63 bits of the SHA-256 of ``source NUL member NUL offset``.

    Args:
        source: The path or address of its file.
        member: The name of its record in an archive; "" for other files.
        offset: Its first byte in its record, from 0.
    """
    text = f"{source}\0{member}\0{offset}".encode(errors="surrogateescape")
    return hash_number(text) & MAX_GAME_ID


# ---- canonical text ----

#: A value that is not canonical as it is, or several values.
ODD = re.compile(r"[\s\\]|\](?!\Z)")

_SOFT_BREAK = re.compile(r"\\(?:\r\n|\n\r|\r|\n)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def canonical_value(raw: str) -> str:
    """Return a value between its brackets as the canonical text has it.

    Soft line breaks and the backslashes of escapes are left out.  White space is one space, and
    none at the ends.
    """
    if "\\" in raw:
        raw = _ESCAPED.sub(r"\1", _SOFT_BREAK.sub("", raw))
    return " ".join(raw.split())


def canonical_property(ident: str, raws: Sequence[str]) -> str:
    """Return a property as the canonical text has it: its values are sorted."""
    if len(raws) == 1:
        raw = raws[0]
        return f"{ident}[{raw if raw.isalnum() else canonical_value(raw)}]"
    return ident + "".join(sorted(f"[{canonical_value(raw)}]" for raw in raws))


def text_hash(parts: list[str]) -> bytes:
    """Return the hash of a canonical text: the first 16 bytes of its SHA-256.

    Args:
        parts: Its nodes.
    """
    return sha256("".join(parts).encode(errors="surrogatepass")).digest()[:HASH_BYTES]

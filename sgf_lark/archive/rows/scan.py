"""One pass over the properties of a game: its moves, what is beside them, its canonical text.

The canonical text has each node with its properties in the order of their identifiers, and before
it the number of its parent, if that is not the node before.  Of a property it has the identifier
in capitals and the values, sorted, as :func:`.canonical_value` has them; the values of a property
that occurs twice in a node are put together.  AP, CA and ST, which are about the file, are left
out.  So the text does not change with the layout, the encoding, the spelling of names before FF[4],
the order of properties and values, line breaks and other white space in texts, and escapes; it does
with every other character of a value.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from hashlib import sha256

from sgf_lark.core import COLORS, SETUP, TIMES, Group, Memo, Nodes, Said, ident_of, raws_of
from sgf_lark.positions.keys import hash_number
from sgf_lark.report.tables import HASH_BYTES

#: The largest key of a game: it is a signed number of 64 bits, and never negative.
MAX_GAME_ID = (1 << 63) - 1


def bytes_hash(content: bytes) -> bytes:
    """Return the first 16 bytes of the SHA-256 of the bytes of a game."""
    return sha256(content).digest()[:HASH_BYTES]


def game_id(source: str, member: str, offset: int) -> int:
    """Return the key of a game: 63 bits of the SHA-256 of ``source NUL member NUL offset``.

    Args:
        member: The name of its record in an archive; "" for other files.
        offset: Its first byte in its record, from 0.
    """
    text = f"{source}\0{member}\0{offset}".encode(errors="surrogateescape")
    return hash_number(text) & MAX_GAME_ID


# ---- canonical text ----

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
    """Return the hash of a canonical text: the first 16 bytes of its SHA-256."""
    return sha256("".join(parts).encode(errors="surrogatepass")).digest()[:HASH_BYTES]


#: The bits of annotations, by their properties.
ANNOTATIONS = {
    ident: 1 << bit
    for bit, ident in enumerate(("BM", "DO", "IT", "TE", "GB", "GW", "UC", "DM", "HO"))
}

#: What is kept of a node beside its move.
BESIDE = frozenset({*ANNOTATIONS, "C", *TIMES["B"], *TIMES["W"]})

#: Properties that the canonical text leaves out.
OF_FILE = Group.FILE.idents


class Scan:
    """The contents of a game's nodes, as far as tables have them."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = array("q")
        self.idents: list[str] = []  # for each of these the property of its move: B or W
        self.raws: list[str] = []
        # what else some of these have, by place in the lists: the texts of the values of those of
        # BESIDE
        self.beside: dict[int, dict[str, tuple[str, ...]]] = {}
        self.setup: list[int] = []
        self.comments = 0
        self._known = Memo[str, str](lambda name: nodes.rules.ident(ident_of(name)))
        self.end = next(nodes.tree.lines())[1] - 1
        self.text_hash = text_hash(self._read(nodes))

    def _read(self, nodes: Nodes) -> list[str]:
        tape, parents = nodes.tape, nodes.parents
        canonical: list[str] = []
        for start, stop in nodes.tree.lines():
            if parents[start] != start - 1:
                canonical.append(f"({parents[start]}")
            for node in range(start, stop):
                canonical.append(";")
                canonical += self._look_at(node, tape.said(node))
        return canonical

    def _look_at(self, node: int, said: list[Said]) -> list[str]:
        """Read a node; return its properties as the canonical text has them."""
        known = self._known
        if len(said) == 1:  # nearly always a move
            ident, raws = known[said[0][0]], raws_of(said[0][1])
            if ident in COLORS and len(raws) == 1 and raws[0].isalnum():
                self.nodes.append(node)
                self.idents.append(ident)
                self.raws.append(raws[0])
                return [f"{ident}[{raws[0]}]"]
        parts: dict[str, tuple[str, ...]] = {}
        move: tuple[str, str] | None = None
        for name, values in said:
            raws = raws_of(values)
            ident = known[name]
            if move is None and ident in COLORS and raws:
                move = ident, raws[0]
            parts[ident] = raws
        if len(parts) < len(said):  # something occurs twice
            all_of: dict[str, list[str]] = {ident: [] for ident in parts}
            for name, values in said:
                all_of[known[name]] += raws_of(values)
            parts = {ident: tuple(raws) for ident, raws in all_of.items()}
        self.comments += "C" in parts
        if not SETUP.keys().isdisjoint(parts):
            self.setup.append(node)
        if move is not None:
            beside = BESIDE.intersection(parts)
            if beside:
                self.beside[len(self.nodes)] = {ident: parts[ident] for ident in beside}
            self.nodes.append(node)
            self.idents.append(move[0])
            self.raws.append(move[1])
        return sorted(
            [canonical_property(*part) for part in parts.items() if part[0] not in OF_FILE]
        )

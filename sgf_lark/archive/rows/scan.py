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

from array import array
from itertools import pairwise

from sgf_lark.model.nodes import Nodes
from sgf_lark.model.tape import Pair
from sgf_lark.schema.properties import COLORS, SETUP, Group, ident_of

from .digests import ODD, canonical_property, text_hash

#: The bits of annotations, by their properties.
ANNOTATIONS = {
    ident: 1 << bit
    for bit, ident in enumerate(("BM", "DO", "IT", "TE", "GB", "GW", "UC", "DM", "HO"))
}

#: Time and moves left, by the property of the move beside them.
TIMES = {"B": ("BL", "OB"), "W": ("WL", "OW")}

#: What is kept of a node beside its move.
BESIDE = frozenset({*ANNOTATIONS, "C", *TIMES["B"], *TIMES["W"]})

#: Properties that the canonical text leaves out.
OF_FILE = Group.FILE.idents

#: The kinds of the tokens of a node with one property of one value.
_LONE = frozenset({";n[", "n["})


class Scan:
    """The contents of a game's nodes, as far as tables have them.

    Args:
        nodes: Of the game; each is read once.

    Attributes:
        nodes: The numbers of the nodes with a move.
        idents: For each of these the property of its move: B or W.
        raws: For each of these the text of its move.
        beside: What else some of these have, by place in the lists: the texts of the values of
            those of :data:`BESIDE`.
        setup: The nodes that set up stones.
        comments: The number of nodes with a comment.
        text_hash: The hash of the canonical text.
        end: The last node of the main line.
    """

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = array("q")
        self.idents: list[str] = []
        self.raws: list[str] = []
        self.beside: dict[int, dict[str, tuple[str, ...]]] = {}
        self.setup: list[int] = []
        self.comments = 0
        self._known = _Idents()
        self.end = [*nodes.tree.starts, len(nodes)][1] - 1
        self.text_hash = text_hash(self._read(nodes))

    def _read(self, nodes: Nodes) -> list[str]:
        """Read all nodes; return the canonical text."""
        tape, known = nodes.tape, self._known
        text, ends, kinds, is_odd = tape.text, tape.ends, tape.kinds, ODD.search
        canonical: list[str] = []
        for node, (first, last) in enumerate(pairwise(tape.nodes)):
            canonical += self._begin(node, nodes.parents)
            if kinds[first:last].rstrip(" ()") in _LONE:
                name = first + (kinds[first] == ";")
                value = text[ends[name] : ends[name + 1]]
                ident = known[text[ends[name - 1] if name else tape.start : ends[name]]]
                if ident in COLORS and (value[1:-1].isalnum() or is_odd(value) is None):
                    self.nodes.append(node)
                    self.idents.append(ident)
                    self.raws.append(value[1:-1])
                    canonical.append(ident + value)
                    continue
            canonical += self._look_closely(node, tape.pairs(node))
        return canonical

    @staticmethod
    def _begin(node: int, parents: array[int]) -> tuple[str, ...]:
        """Return the beginning of a node."""
        above = parents[node]
        return (";",) if above == node - 1 else (f"({above}", ";")

    def _look_closely(self, node: int, pairs: list[Pair]) -> list[str]:
        """Read a node that is more than a move, or less."""
        known = self._known
        parts: dict[str, tuple[str, ...]] = {}
        again: dict[str, list[str]] = {}  # of what occurs twice
        move: tuple[str, str] | None = None
        for name, raws in pairs:
            ident = known[name]
            if move is None and ident in COLORS and raws:
                move = ident, raws[0]
            if ident not in parts:
                parts[ident] = raws
            elif ident not in again:
                again[ident] = [*parts[ident], *raws]
            else:
                again[ident] += raws
        if again:
            parts |= {ident: tuple(raws) for ident, raws in again.items()}
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


class _Idents(dict[str, str]):
    """Identifiers by the spellings of names."""

    def __missing__(self, name: str) -> str:
        self[name] = ident = name if name.isupper() else ident_of(name)
        return ident

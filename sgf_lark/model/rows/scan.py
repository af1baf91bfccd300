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
from itertools import islice, pairwise
from typing import TypeAlias

from sgf_lark.model.content import Written
from sgf_lark.model.nodes import Nodes
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

#: Consecutive nodes of FF[1] to FF[4], each a move whose text is canonical as it is.
SIMPLE = re.compile(r"(?:;[BW]\[[^\s\\\[\]]*+\]\s*+(?=[;()]))++")

#: A property: its name, and its values: with their brackets in a text, else without them.
Pair: TypeAlias = tuple[str, str | tuple[str, ...]]


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
        self._rules = nodes.rules
        parents = nodes.parents
        self.end = next((at - 1 for at, above in enumerate(parents) if above != at - 1), -1)
        if self.end < 0:
            self.end = len(parents) - 1
        self.text_hash = text_hash(self._read(nodes))

    def _read(self, nodes: Nodes) -> list[str]:
        """Read all nodes; return the canonical text."""
        contents, rules = nodes.contents, nodes.rules
        if not isinstance(contents, Written) or rules.columns is None:
            return self._of_nodes(nodes)
        if rules.moves is None or rules.shape is None:
            return self._of_text(nodes, contents, rules.columns)
        if rules.shape.first is None:
            return self._of_runs(nodes, contents, rules.columns)
        return self._of_moves(nodes, contents, rules.columns, rules.moves)

    def _of_nodes(self, nodes: Nodes) -> list[str]:
        """Read nodes that come from data or from a custom grammar."""
        text: list[str] = []
        for node, content in enumerate(nodes.contents):
            text += self._begin(node, nodes.parents)
            text += self._look_closely(node, [(prop.name, prop.raw) for prop in content])
        return text

    def _of_text(
        self, nodes: Nodes, written: Written, columns: re.Pattern[str], count: int | None = None
    ) -> list[str]:
        """Read nodes in a text, up to a number of them."""
        text: list[str] = []
        for node, (start, end) in enumerate(islice(pairwise(written.starts), count)):
            text += self._begin(node, nodes.parents)
            text += self._look_closely(node, columns.findall(written.text, start, end))
        return text

    def _of_runs(self, nodes: Nodes, written: Written, columns: re.Pattern[str]) -> list[str]:
        """Read nodes in a text, many moves at a time."""
        source, starts, forks = written.text, written.starts, self._forks(nodes.parents)
        canonical: list[str] = []
        match, node, count = SIMPLE.match, 0, len(written)
        while node < count:
            if node in forks:
                canonical += self._begin(node, nodes.parents)
            else:
                canonical.append(";")
            simple = match(source, starts[node])
            if simple is not None:
                node += self._add_simple(node, simple[0], canonical)
                continue
            found = columns.findall(source, starts[node], starts[node + 1])
            canonical += self._look_closely(node, found)
            node += 1
        return canonical

    def _add_simple(self, node: int, text: str, canonical: list[str]) -> int:
        """Add consecutive nodes, each a move and nothing else; return their number."""
        text = "".join(text.split())
        moves = text.split("]")[:-1]
        self.nodes.extend(range(node, node + len(moves)))
        self.idents += [move[1] for move in moves]
        self.raws += [move[3:] for move in moves]
        canonical.append(text[1:])  # the first semicolon is there
        return len(moves)

    def _of_moves(
        self,
        nodes: Nodes,
        written: Written,
        columns: re.Pattern[str],
        moves: re.Pattern[str],
    ) -> list[str]:
        """Read a line of nodes in a text, whose moves are found many at a time.

        A node of one move with one value is as long as these, and white space.
        """
        source, starts, known = written.text, written.starts, self._known
        canonical = self._of_text(nodes, written, columns, 1)
        places, idents, raws = self.nodes, self.idents, self.raws
        is_odd = ODD.search
        found = moves.findall(source, starts[1], starts[-1])
        for node, (name, value) in enumerate(found, 1):
            start, end = starts[node], starts[node + 1]
            canonical.append(";")
            stop, raw = start + len(name) + len(value), value[1:-1]
            if (
                name
                and (stop == end or source[stop:end].isspace())
                and (raw.isalnum() or is_odd(value) is None)
            ):
                ident = known[name]
                places.append(node)
                idents.append(ident)
                raws.append(raw)
                canonical.append(ident + value)
            else:
                canonical += self._look_closely(node, columns.findall(source, start, end))
        return canonical

    def _forks(self, parents: array[int]) -> frozenset[int]:
        """Return the nodes with which variations begin."""
        if self.end == len(parents) - 1:
            return frozenset()
        return frozenset(node for node, above in enumerate(parents) if above != node - 1)

    @staticmethod
    def _begin(node: int, parents: array[int]) -> tuple[str, ...]:
        """Return the beginning of a node."""
        above = parents[node]
        return (";",) if above == node - 1 else (f"({above}", ";")

    def _look_closely(self, node: int, pairs: list[Pair]) -> list[str]:
        """Read a node that is more than a move, or less."""
        split, known = self._rules.split, self._known
        parts: dict[str, tuple[str, ...]] = {}
        again: dict[str, list[str]] = {}  # of what occurs twice
        move: tuple[str, str] | None = None
        for name, values in pairs:
            ident = known[name]
            raws = split(values) if isinstance(values, str) else values
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

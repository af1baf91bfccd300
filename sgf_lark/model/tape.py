"""The tape: the nodes of a game as a text and flat arrays.

A game that was read is the tokens of a text, one after the other: where each ends, and its kind.
So are games from data, from Lark's trees, of mended tokens and of finished drafts; the last have
a text of their own, which is in no file.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import accumulate, count
from operator import add
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.places import Span

#: The kinds of tokens: brackets of trees, the beginning of a node, a name, a value with its
#: brackets, a value that the end of the text cuts off, white space, and what belongs to nothing.
OPEN, CLOSE, NODE, NAME, VALUE, CUT, SPACE, STRAY = "();n[u x"

#: A property as it is in a text: its name, and the texts between its brackets.
Pair: TypeAlias = tuple[str, tuple[str, ...]]

_BRACKETS = re.compile(r"([()])")
_NAMES = re.compile(NAME)
_VALUES = re.compile(r"[\[u]")
_OF_VALUES = VALUE + CUT


class PlacedToken(NamedTuple):
    """A token and its place; an inserted one is empty."""

    kind: str
    start: int
    end: int


class Tape:
    """The nodes of a game, in the order of the text.

    A token begins where the one before it ends.  A node is its first token and all up to the next
    node's: its properties, and whatever is between them.

    Attributes:
        text: The text.
        start: The offset at which the first token begins.
        ends: For each token the offset at which it ends.
        kinds: For each token its kind, a character.
        count: The number of nodes.
        nodes: For each node the number of its first token; at the end, the number of tokens.
        parents: For each node the number of its parent, -1 for the root.

    Args:
        nodes, parents: None where ``;`` and brackets give them: they are found when asked for.
    """

    __slots__ = (
        "_is_clean",
        "_layout",
        "_list",
        "_moved",
        "count",
        "ends",
        "kinds",
        "nodes",
        "parents",
        "start",
        "text",
    )
    count: int
    nodes: array[int]
    parents: array[int]

    def __init__(
        self,
        text: str,
        start: int,
        ends: array[int],
        kinds: str,
        nodes: array[int] | None = None,
        parents: array[int] | None = None,
        moved: Moved | None = None,
    ) -> None:
        self.text = text
        self.start = start
        self.ends = ends
        self.kinds = kinds
        if nodes is not None:
            self.nodes = nodes
            self.count = len(nodes) - 1
        if parents is not None:
            self.parents = parents
        self._moved = IN_PLACE if moved is None else moved
        self._layout = _NO_LAYOUT
        self._list = _NO_LIST
        self._is_clean: bool | None = None

    @classmethod
    def of_tokens(
        cls,
        text: str,
        tokens: Iterable[PlacedToken],
        parents: array[int] | None = None,
        *,
        begins: Callable[[str], bool] | None = None,
        gap: str = STRAY,
    ) -> Tape:
        """Return the tape of tokens of a text, in its order.

        Args:
            text: The text.
            tokens: The tokens.
            parents: The parents of the nodes; found by the brackets if None.
            begins: Tells of a name whether it begins a node, in games without ``;``.
            gap: The kind of what is between them, if that is no white space.
        """
        ends, kinds, start = array("q"), [], -1
        at = 0
        for kind, begin, end in tokens:
            if start < 0:
                start = at = begin
            if begin > at:
                kinds.append(SPACE if text[at:begin].isspace() else gap)
                ends.append(begin)
            kinds.append(kind)
            ends.append(end)
            at = end
        word = "".join(kinds)
        nodes = None
        if begins is not None:
            nodes, parents = find_nodes(word, text, max(start, 0), ends, begins)
        return cls(text, max(start, 0), ends, word, nodes, parents)

    @classmethod
    def written(
        cls,
        parents: array[int],
        nodes: Iterable[Iterable[Pair]],
        spans: Sequence[Sequence[tuple[int, int]]] = (),
    ) -> Tape:
        """Return the tape of nodes that are in no text: they get one.

        Args:
            parents: For each node the number of its parent, -1 for the root.
            nodes: The properties of each node.
            spans: The places of each node, and of its properties, in some other text.
        """
        parts: list[str] = []
        kinds: list[str] = []
        for pairs in nodes:
            parts.append(";")
            kinds.append(NODE)
            for name, raws in pairs:
                parts.append(name)
                parts += [f"[{raw}]" for raw in raws]
                kinds.append(NAME + VALUE * len(raws))
        ends = array("q", accumulate(map(len, parts)))
        nowhere = Moved(array("q"), array("q"))
        tape = cls("".join(parts), 0, ends, "".join(kinds), None, parents, nowhere)
        if spans:
            tape._moved = _moved_to(tape, spans)
        return tape

    def __getattr__(self, name: str) -> Any:
        """Find the nodes, their number or their parents when somebody asks, and keep them."""
        if name == "count":
            self.count = self.kinds.count(NODE)
            return self.count
        if name == "nodes":
            counts = map(len, self.kinds.split(NODE))  # of the tokens between two nodes
            self.nodes = array(self.ends.typecode, map(add, accumulate(counts), count()))
            return self.nodes
        if name == "parents":
            self.parents = _find_parents(self.kinds, array(self.ends.typecode))
            return self.parents
        raise AttributeError(f"a tape has no {name}")

    def __len__(self) -> int:
        return self.count

    def head(self, count: int) -> Tape:
        """Return the tape of the first nodes; of all if there are no more."""
        if count >= len(self):
            return self
        last = self.nodes[count]
        kinds = self.kinds[:last]
        last = max(kinds.rfind(VALUE), kinds.rfind(CUT), self.nodes[count - 1]) + 1
        nodes = self.nodes[:count]
        nodes.append(last)
        return Tape(
            self.text, self.start, self.ends[:last], kinds[:last], nodes, self.parents[:count],
            self._moved,
        )  # fmt: skip

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the tape with its own part of the text."""
        start, end = self.start, self.ends[-1] if self.ends else self.start
        ends = array("q", [at - start for at in self.ends])
        state = (0, ends, self.kinds, self.nodes, self.parents, self._moved.by(start))
        return Tape, (self.text[start:end], *state)

    # ---- nodes and properties ----

    def begin(self, token: int) -> int:
        """Return the offset at which a token begins."""
        return self.ends[token - 1] if token else self.start

    def pairs(self, node: int) -> list[Pair]:
        """Return the properties of a node: names, and the texts between the brackets."""
        first, last = self.nodes[node], self.nodes[node + 1]
        text, ends, kinds = self.text, self.ends, self.kinds[first:last]
        layout = _LAYOUTS[kinds]
        if layout.__class__ is int:
            at = first + layout
            split = ends[at]
            return [(text[ends[at - 1] : split], (text[split + 1 : ends[at + 1] - 1],))]
        ends = ends[first:last]
        found = [
            (
                text[ends[name - 1] if name else self.begin(first) : ends[name]],
                (text[ends[values[0] - 1] + 1 : ends[values[0]] - 1],)
                if len(values) == 1
                else tuple([text[ends[value - 1] + 1 : ends[value] - 1] for value in values]),
            )
            for name, values in layout
        ]
        if CUT in kinds:  # it has no bracket at its end, and is the last one
            name, raws = found[-1]
            cut = kinds.index(CUT)
            found[-1] = name, (*raws[:-1], text[ends[cut - 1] + 1 : ends[cut]])
        return found

    def each(self) -> Iterator[list[Pair]]:
        """Yield the properties of each node."""
        return map(self.pairs, range(len(self)))

    def names(self) -> dict[str, int]:
        """Return the first token of each name of properties."""
        text, ends, start = self.text, self.ends, self.start
        tokens = [found.start() for found in _NAMES.finditer(self.kinds)]
        tokens.reverse()
        return {text[ends[at - 1] if at else start : ends[at]]: at for at in tokens}

    def having(self, names: Collection[str]) -> list[int]:
        """Return the node of each property that has one of some names, in the order of the text."""
        text, ends, start = self.text, self.ends, self.start
        tokens = [
            at
            for at in [found.start() for found in _NAMES.finditer(self.kinds)]
            if text[ends[at - 1] if at else start : ends[at]] in names
        ]
        return [bisect_right(self.nodes, token) - 1 for token in tokens]

    @property
    def is_clean(self) -> bool:
        """Nothing was left out, inserted or cut off to read it."""
        if self._is_clean is None:
            kinds, ends = self.kinds, self.ends
            has_others = STRAY in kinds or CUT in kinds
            self._is_clean = not has_others and all(map(int.__lt__, [self.start, *ends], ends))
        return self._is_clean

    # ---- places ----

    @property
    def has_places(self) -> bool:
        """The tokens are in the text of a file, or of data that tell their places."""
        return len(self._moved.tokens) > 0

    def moved(self, by: int) -> Tape:
        """Return the same tape, whose text begins at another offset of its file."""
        moved = self._moved.by(by)
        return Tape(self.text, self.start, self.ends, self.kinds, self.nodes, self.parents, moved)

    def _shift(self, token: int) -> int:
        moved = self._moved
        return moved.distances[bisect_right(moved.tokens, token) - 1] if moved.tokens else 0

    def _start(self, token: int) -> int:
        return self.begin(token) + self._shift(token)

    def _end(self, token: int) -> int:
        return self.ends[token] + self._shift(token)

    def _names_of(self, node: int) -> array[int]:
        """Return the tokens that are the names of a node; those of the last node are kept."""
        known, names = self._layout
        if known != node:
            found = _NAMES.finditer(self.kinds, self.nodes[node], self.nodes[node + 1])
            names = array("q", [one.start() for one in found])
            self._layout = node, names
        return names

    def _values_of(self, node: int, place: int) -> list[int]:
        """Return the tokens that are the values of a property; those of the last one are kept."""
        names = self._names_of(node)
        known, values = self._list
        if known != names[place]:
            end = names[place + 1] if place + 1 < len(names) else self.nodes[node + 1]
            values = [one.start() for one in _VALUES.finditer(self.kinds, names[place], end)]
            self._list = names[place], values
        return values

    def value(self, node: int, place: int, index: int) -> Span:
        """Return the span between the brackets of a value.

        Args:
            node: The number of the node.
            place: The number of the property in it.
            index: The number of the value in that.
        """
        token = self._values_of(node, place)[index]
        shift = self._shift(token)
        start, end = self.begin(token) + shift + 1, self.ends[token] + shift
        return Span(start, end if self.kinds[token] == CUT else end - 1)

    def property(self, node: int, place: int) -> Span:
        """Return the span of a property, from its name to its last bracket."""
        names = self._names_of(node)
        name = names[place]
        end = names[place + 1] if place + 1 < len(names) else self.nodes[node + 1]
        last = max(self.kinds.rfind(VALUE, name, end), self.kinds.rfind(CUT, name, end))
        return Span(self._start(name), self._end(last))

    def name(self, node: int, place: int, length: int) -> Span:
        """Return the span of a property's name, which has ``length`` characters."""
        start = self._start(self._names_of(node)[place])
        return Span(start, start + length)

    def node(self, node: int, properties: int) -> Span:
        """Return the span of a node, from its ``;`` to its last bracket.

        Args:
            node: The node.
            properties: The number of its properties.
        """
        start = self._start_of(node)
        return Span(start, self.property(node, properties - 1).end if properties else start + 1)

    def _start_of(self, node: int) -> int:
        token = self.nodes[node]
        return self._end(token) - 1 if self.kinds[token] == OPEN else self._start(token)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the node at an offset of the file, and the number of its property there.

        The property is -1 before the first one.
        """
        nodes = range(len(self))
        node = bisect_right(nodes, offset, key=self._start_of) - 1
        if node < 0:
            return 0, -1
        return node, bisect_right(self._names_of(node), offset, key=self._start) - 1


class _Layouts(dict[str, Any]):
    """For the kinds of a node's tokens, the tokens of each name and of its values, from 0.

    Of a node of one property with one value it is the token of the name alone.

    Those of short nodes are kept: real files have some dozen.  No text is among them.  Without
    it, `load` and ``node[ident]`` of 553 real files that are read once take 18 % more CPU time.
    """

    def __missing__(self, kinds: str) -> list[tuple[int, list[int]]] | int:
        layout = self._alone(kinds) or self._each(kinds)
        if len(kinds) <= MAX_LAYOUT and len(self) < MAX_LAYOUTS:
            self[kinds] = layout
        return layout

    @staticmethod
    def _alone(kinds: str) -> int:
        """Return the token of the only name, if only one value follows it; 0 if not so."""
        is_one = kinds.count(NAME) == kinds.count(VALUE) == 1 and CUT not in kinds
        return max(kinds.find(NAME + VALUE), 0) if is_one else 0

    @staticmethod
    def _each(kinds: str) -> list[tuple[int, list[int]]]:
        layout: list[tuple[int, list[int]]] = []
        for token, kind in enumerate(kinds):
            if kind == NAME:
                layout.append((token, []))
            elif kind in _OF_VALUES and layout:  # first nodes may be broken, and are then not kept
                layout[-1][1].append(token)
        return layout


#: The names of no node, and the values of no property.
_NO_LAYOUT: tuple[int, array[int]] = -1, array("q")
_NO_LIST: tuple[int, list[int]] = -1, []

#: Limits of layouts that are kept, and of their tokens.
MAX_LAYOUTS, MAX_LAYOUT = 1 << 10, 40

_LAYOUTS = _Layouts()


class Moved(NamedTuple):
    """The places of the tokens of a tape in a file.

    Attributes:
        tokens: Numbers of tokens, in order; none if they are in no file.
        distances: For each of these, how far it and those up to the next one are moved from their
            offsets in the text of the tape.
    """

    tokens: array[int]
    distances: array[int]

    def by(self, distance: int) -> Moved:
        """Return the same, moved by a number of characters."""
        return Moved(self.tokens, array("q", [at + distance for at in self.distances]))


#: The places of tokens in a text that is that of the file.
IN_PLACE = Moved(array("q", [0]), array("q", [0]))


def _moved_to(tape: Tape, spans: Sequence[Sequence[tuple[int, int]]]) -> Moved:
    """Return the way of a tape's tokens to the places that data tell.

    Args:
        tape: The tape.
        spans: For each node its place, and those of its properties.
    """
    tokens, distances = array("q"), array("q")
    for node, (place, *places) in enumerate(spans):
        first = tape.nodes[node]
        tokens.append(first)
        distances.append(place[0] - tape.begin(first))
        names = [*tape._names_of(node), tape.nodes[node + 1]]  # noqa: SLF001  # its own file
        for number, (start, end) in enumerate(places):
            tokens.append(names[number])
            distances.append(start - tape.begin(names[number]))
            last = names[number + 1] - 1
            tokens.append(last)
            distances.append(end - tape.ends[last])
    return Moved(tokens, distances)


def find_nodes(
    kinds: str, text: str, start: int, ends: array[int], begins: Callable[[str], bool]
) -> tuple[array[int], array[int]]:
    """Return nodes and parents of a game without ``;``, whose nodes begin at names.

    Args:
        kinds, text, start, ends: As those of a tape.
        begins: Tells of a name whether it begins a node.
    """
    nodes = array(ends.typecode, [0])
    known: dict[str, bool] = {}
    for found in _NAMES.finditer(kinds):
        at = found.start()
        name = text[ends[at - 1] if at else start : ends[at]]
        if name not in known:
            known[name] = begins(name)
        if known[name]:
            nodes.append(at)
    parents = array(ends.typecode, range(-1, len(nodes) - 1))
    nodes.append(len(kinds))
    return nodes, parents


def _find_parents(kinds: str, parents: array[int]) -> array[int]:
    """Return the parent of each node of a game, by the kinds of its tokens; fill an array."""
    above, number = -1, 0
    waiting: list[int] = []
    parts = iter(_BRACKETS.split(kinds))
    for part, bracket in zip(parts, parts, strict=False):  # what follows the last one has no node
        length = part.count(NODE)
        if length:
            parents.append(above)
            if length > 1:
                parents.extend(range(number, number + length - 1))
            number += length
            above = number - 1
        if bracket == OPEN:
            waiting.append(above)
        elif waiting:
            above = waiting.pop()
    return parents

"""Where the nodes and properties of one game stand in the text.

Made from the game's tokens when somebody asks, not while the game is read; from those of a
few nodes, while no more are asked for.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from sgf_lark.grammar.tokens import RawToken
from sgf_lark.positions import Span
from sgf_lark.schema.properties import capitals

#: Kinds of token that begin a GGF game, begin a node, name a property, and hold a value.
_START = frozenset({"GGF_OPEN", "_START"})
_NODE = frozenset({"SEMICOLON", "_SEMICOLON"})
_BRACKETS = frozenset({"OPEN", "CLOSE"})
_NAME = frozenset({"IDENT", "PROP_IDENT"})
_VALUE = frozenset({"PROP_VALUE", "UNCLOSED", "GGF_VALUE"})


class Layout:
    """Offsets of one game's nodes, of their properties, and of the properties' values.

    Nodes, the properties of a node and the values of a property are counted from 0.
    """

    def __init__(self) -> None:
        self._nodes = array("q")
        self._first_property = array("q")
        self._properties = array("q")
        self._first_value = array("q")
        self._values = array("q")
        self._cut_off: int | None = None

    def moved(self, by: int) -> Layout:
        """The layout in a text that begins so many characters earlier."""
        made = Layout()
        made._first_property, made._first_value = self._first_property, self._first_value
        made._nodes = array("q", [one + by for one in self._nodes])
        made._properties = array("q", [one + by for one in self._properties])
        made._values = array("q", [one + by for one in self._values])
        made._cut_off = None if self._cut_off is None else self._cut_off + by
        return made

    def whole(self) -> Layout:
        """The same, for one who asks for everything."""
        return self

    @classmethod
    def of_tokens(
        cls, tokens: Iterable[RawToken], text: str, moves: frozenset[str] = frozenset()
    ) -> Layout:
        """The layout of a game in a text.

        Args:
            tokens: Of the game, in order.
            text: The whole text; needed where names tell nodes apart.
            moves: Names that begin a node of their own (GGF), instead of a ``;``.
        """
        made = cls()
        for kind, start, end in tokens:
            if kind in _NAME:
                if moves and capitals(text[start:end]) in moves:
                    made.add_node(start)
                made.add_property(start)
            elif kind in _VALUE:
                made.add_value(start + 1, end if kind == "UNCLOSED" else end - 1)
                if kind == "UNCLOSED":
                    made._cut_off = end
            elif kind in _NODE:
                made.add_node(start)
            elif kind in _START:
                made.add_node(end - 1)
        return made

    def add_node(self, start: int) -> None:
        self._nodes.append(start)
        self._first_property.append(len(self._properties))

    def add_property(self, start: int) -> None:
        self._properties.append(start)
        self._first_value.append(len(self._values) // 2)

    def add_value(self, start: int, end: int) -> None:
        self._values.append(start)
        self._values.append(end)

    def value(self, node: int, place: int, index: int) -> Span:
        """The text between the brackets of one value."""
        at = 2 * (self._first_value[self._first_property[node] + place] + index)
        return Span(self._values[at], self._values[at + 1])

    def property(self, node: int, place: int) -> Span:
        """A property, from its name to its last bracket."""
        which = self._first_property[node] + place
        following = which + 1
        is_last = following == len(self._properties)
        last = len(self._values) // 2 if is_last else self._first_value[following]
        end = self._values[2 * last - 1]
        return Span(self._properties[which], end if end == self._cut_off else end + 1)

    def name(self, node: int, place: int, length: int) -> Span:
        """The name of a property, ``length`` characters long."""
        start = self._properties[self._first_property[node] + place]
        return Span(start, start + length)

    def locate(self, offset: int) -> tuple[int, int]:
        """The node in which an offset of the text lies, and which of its properties; -1 where
        none has begun.
        """
        node = bisect_right(self._nodes, offset) - 1
        if node < 0:
            return 0, -1
        first = self._first_property[node]
        is_last = node + 1 == len(self._nodes)
        end = len(self._properties) if is_last else self._first_property[node + 1]
        return node, bisect_right(self._properties, offset, first, end) - 1 - first

    def node(self, node: int, properties: int) -> Span:
        """A node of so many properties, from its ``;`` to the last bracket."""
        start = self._nodes[node]
        if properties == 0:
            return Span(start, start + 1)
        return Span(start, self.property(node, properties - 1).end)

    def add_record(self, node: tuple[int, int], properties: list[tuple[int, int]]) -> None:
        """Add a node that is known by the spans of itself and of its properties."""
        self.add_node(node[0])
        for start, end in properties:
            self.add_property(start)
            self.add_value(start, end - 1)


class Outlined(Layout):
    """The layout of a game that has no fault: of a node that is asked for, nothing else is cut.

    Args:
        tokens: Of the part of the text from a place up to another.
        nodes: Where the nodes begin.
        start, end: Where the game begins and ends.
    """

    def __init__(
        self,
        tokens: Callable[[int, int], Iterable[RawToken]],
        nodes: Callable[[], array[int]],
        start: int,
        end: int,
    ) -> None:
        super().__init__()
        self._tokens = tokens
        self._find_nodes = nodes
        self._start = start
        self._end = end
        self._shift = 0
        self._single: dict[int, Layout] = {}
        self._whole: Layout | None = None

    def moved(self, by: int) -> Layout:
        made = Outlined(self._tokens, self._find_nodes, self._start, self._end)
        made._shift = self._shift + by
        return made

    def _at(self, node: int) -> tuple[Layout, int]:
        """A layout with a node, and its number there."""
        if self._whole is not None:
            return self._whole, node
        if node == 0 and not self._single:
            made = Layout.of_tokens(self._of_root(), "")
            self._single[node] = made.moved(self._shift) if self._shift else made
        elif node not in self._single:
            starts = self._starts
            if len(self._single) >= FEW:
                return self.whole(), node
            end = starts[node + 1] if node + 1 < len(starts) else self._end
            made = Layout.of_tokens(self._tokens(starts[node], end), "")
            self._single[node] = made.moved(self._shift) if self._shift else made
        return self._single[node], 0

    def whole(self) -> Layout:
        if self._whole is None:
            made = Layout.of_tokens(self._tokens(self._start, self._end), "")
            self._whole = made.moved(self._shift) if self._shift else made
        return self._whole

    def locate(self, offset: int) -> tuple[int, int]:
        node = max(0, bisect_right(self._starts, offset - self._shift) - 1)
        layout, number = self._at(node)
        found, place = layout.locate(offset)
        return node + found - number, place

    def _of_root(self) -> Iterator[RawToken]:
        """The tokens of the first node."""
        nodes = 0
        for one in self._tokens(self._start, self._end):
            nodes += one.kind in _NODE
            if nodes > 1 or (nodes and one.kind in _BRACKETS):
                return
            yield one

    @cached_property
    def _starts(self) -> array[int]:
        return self._find_nodes()

    def value(self, node: int, place: int, index: int) -> Span:
        layout, number = self._at(node)
        return layout.value(number, place, index)

    def property(self, node: int, place: int) -> Span:
        layout, number = self._at(node)
        return layout.property(number, place)

    def name(self, node: int, place: int, length: int) -> Span:
        layout, number = self._at(node)
        return layout.name(number, place, length)

    def node(self, node: int, properties: int) -> Span:
        layout, number = self._at(node)
        return layout.node(number, properties)


#: Of so many nodes each is cut by itself; then all are.
FEW = 16

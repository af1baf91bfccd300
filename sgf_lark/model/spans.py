"""Spans of the nodes, properties and values of one game in the text.

Made from the game's tokens when somebody asks, not while the game is read; as long as few
nodes are asked for, only from their tokens.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from sgf_lark.grammar.tokens import RawToken
from sgf_lark.places import Span
from sgf_lark.schema.properties import capitals

#: Kinds of token that begin a GGF game, begin a node, name a property, and hold a value.
_START = frozenset({"GGF_OPEN", "_START"})
_NODE = frozenset({"SEMICOLON", "_SEMICOLON"})
_BEGINS = _START | _NODE
_BRACKETS = frozenset({"OPEN", "CLOSE"})
_NAME = frozenset({"IDENT", "PROP_IDENT"})
_VALUE = frozenset({"PROP_VALUE", "UNCLOSED", "GGF_VALUE"})


class Spans:
    """Spans of one game's nodes, of their properties, and of the properties' values.

    Nodes, the properties of a node and the values of a property are counted from 0.
    """

    def __init__(self) -> None:
        self._nodes = array("q")
        self._first_property = array("q")
        self._properties = array("q")
        self._first_value = array("q")
        self._values = array("q")
        self._cut_off: int | None = None

    def moved(self, by: int) -> Spans:
        """Return the spans, moved by a number of characters."""
        spans = Spans()
        spans._first_property, spans._first_value = self._first_property, self._first_value
        spans._nodes = array("q", [offset + by for offset in self._nodes])
        spans._properties = array("q", [offset + by for offset in self._properties])
        spans._values = array("q", [offset + by for offset in self._values])
        spans._cut_off = None if self._cut_off is None else self._cut_off + by
        return spans

    def whole(self) -> Spans:
        """Return the same, as fast for all nodes as for one."""
        return self

    @classmethod
    def of_tokens(
        cls, tokens: Iterable[RawToken], text: str, moves: frozenset[str] = frozenset()
    ) -> Spans:
        """Return the spans of a game in a text.

        Args:
            tokens: The tokens of the game, in order.
            text: The whole text; needed where names tell nodes apart.
            moves: Identifiers that begin a node (GGF), instead of a ``;``.
        """
        spans = cls()
        for kind, start, end in tokens:
            if kind in _NAME:
                if moves and capitals(text[start:end]) in moves:
                    spans.add_node(start)
                spans.add_property(start)
            elif kind in _VALUE:
                spans.add_value(start + 1, end if kind == "UNCLOSED" else end - 1)
                if kind == "UNCLOSED":
                    spans._cut_off = end
            elif kind in _NODE:
                spans.add_node(start)
            elif kind in _START:
                spans.add_node(end - 1)
        return spans

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
        """Return the span between the brackets of a value."""
        at = 2 * (self._first_value[self._first_property[node] + place] + index)
        return Span(self._values[at], self._values[at + 1])

    def property(self, node: int, place: int) -> Span:
        """Return the span of a property, from its name to its last bracket."""
        which = self._first_property[node] + place
        following = which + 1
        is_last = following == len(self._properties)
        last = len(self._values) // 2 if is_last else self._first_value[following]
        end = self._values[2 * last - 1]
        return Span(self._properties[which], end if end == self._cut_off else end + 1)

    def name(self, node: int, place: int, length: int) -> Span:
        """Return the span of a property's name, which has ``length`` characters."""
        start = self._properties[self._first_property[node] + place]
        return Span(start, start + length)

    def locate(self, offset: int) -> tuple[int, int]:
        """Return the node at an offset of the text, and the number of its property there.

        The property is -1 before the first one.
        """
        node = bisect_right(self._nodes, offset) - 1
        if node < 0:
            return 0, -1
        first = self._first_property[node]
        is_last = node + 1 == len(self._nodes)
        end = len(self._properties) if is_last else self._first_property[node + 1]
        return node, bisect_right(self._properties, offset, first, end) - 1 - first

    def node(self, node: int, properties: int) -> Span:
        """Return the span of a node, from its ``;`` to its last bracket.

        Args:
            node: The node.
            properties: The number of its properties.
        """
        start = self._nodes[node]
        if properties == 0:
            return Span(start, start + 1)
        return Span(start, self.property(node, properties - 1).end)

    def add_record(self, node: tuple[int, int], properties: list[tuple[int, int]]) -> None:
        """Add a node by the spans of itself and of its properties."""
        self.add_node(node[0])
        for start, end in properties:
            self.add_property(start)
            self.add_value(start, end - 1)


class LazySpans(Spans):
    """Spans of a valid game: only the nodes that are asked for are cut into tokens.

    Args:
        tokens: Returns the tokens of the text from an offset up to another.
        nodes: Returns the offsets of the nodes.
        start, end: The place of the game.
        text: The text, and in it:
        moves: Identifiers that begin a node (GGF), instead of a ``;``.
    """

    def __init__(
        self,
        tokens: Callable[[int, int], Iterable[RawToken]],
        nodes: Callable[[], array[int]],
        start: int,
        end: int,
        text: str = "",
        moves: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__()
        self._text = text
        self._moves = moves
        self._tokens = tokens
        self._find_nodes = nodes
        self._start = start
        self._end = end
        self._shift = 0
        self._single: dict[int, Spans] = {}
        self._whole: Spans | None = None

    def moved(self, by: int) -> Spans:
        spans = LazySpans(
            self._tokens, self._find_nodes, self._start, self._end, self._text, self._moves
        )
        spans._shift = self._shift + by
        return spans

    def _at(self, node: int) -> tuple[Spans, int]:
        """Return spans that include a node, and the number of the node in them."""
        if self._whole is not None:
            return self._whole, node
        if node == 0 and node not in self._single:
            spans = self._read(self._of_root())
            self._single[node] = spans.moved(self._shift) if self._shift else spans
        elif node not in self._single:
            starts = self._starts
            if len(self._single) >= MAX_SINGLE_NODES:
                return self.whole(), node
            end = starts[node + 1] if node + 1 < len(starts) else self._end
            spans = self._read(self._tokens(starts[node], end))
            self._single[node] = spans.moved(self._shift) if self._shift else spans
        return self._single[node], 0

    def _is_move(self, token: RawToken) -> bool:
        """Return whether a token begins a node of GGF."""
        return (
            bool(self._moves)
            and token.kind in _NAME
            and capitals(self._text[token.start : token.end]) in self._moves
        )

    def _read(self, tokens: Iterable[RawToken]) -> Spans:
        return Spans.of_tokens(tokens, self._text, self._moves)

    def whole(self) -> Spans:
        if self._whole is None:
            spans = self._read(self._tokens(self._start, self._end))
            self._whole = spans.moved(self._shift) if self._shift else spans
        return self._whole

    def locate(self, offset: int) -> tuple[int, int]:
        node = max(0, bisect_right(self._starts, offset - self._shift) - 1)
        spans, number = self._at(node)
        inner, place = spans.locate(offset)
        return node + inner - number, place

    def _of_root(self) -> Iterator[RawToken]:
        """Yield the tokens of the first node."""
        nodes = 0
        for token in self._tokens(self._start, self._end):
            nodes += token.kind in _BEGINS or self._is_move(token)
            if nodes > 1 or (nodes and token.kind in _BRACKETS):
                return
            yield token

    @cached_property
    def _starts(self) -> array[int]:
        return self._find_nodes()

    def value(self, node: int, place: int, index: int) -> Span:
        spans, number = self._at(node)
        return spans.value(number, place, index)

    def property(self, node: int, place: int) -> Span:
        spans, number = self._at(node)
        return spans.property(number, place)

    def name(self, node: int, place: int, length: int) -> Span:
        spans, number = self._at(node)
        return spans.name(number, place, length)

    def node(self, node: int, properties: int) -> Span:
        if properties == 0 and not self._moves:
            start = self._starts[node] + self._shift
            return Span(start, start + 1)
        spans, number = self._at(node)
        return spans.node(number, properties)


#: At most this many nodes are cut into tokens one by one; then all are.  One finding in a large
#: game need not cut the rest of it; `check` of 120 real files takes 1 % fewer instructions.
MAX_SINGLE_NODES = 16

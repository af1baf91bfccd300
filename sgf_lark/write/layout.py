"""Canonical layouts: lines, indents and widths."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import Content, Property
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category
from sgf_lark.text.source import Pieces

from .styles import (
    MAX_INDENTED,
    Style,
    Token,
    fill_lines,
    format_values,
    node_tokens,
    sort_properties,
)


class Layouter:
    """Writer of a game in a new layout."""

    def __init__(self, out: Pieces, game: GameTree, style: Style) -> None:
        self.out = out
        self.nodes = game.nodes
        self.style = style
        self.ggf = game.format is Format.GGF
        #: Names keep their spelling: without FF it shows the format.
        self.spelled = not self.ggf and "FF" not in game.root
        #: The order of properties by their names in a node, for one game; 345 real files take 7 %
        #: longer without it.
        self.orders: dict[tuple[str, ...], tuple[int, ...]] = {}

    def write(self) -> None:
        """Write the game."""
        parts = list(self._parts())
        if self.style.breaks:
            parts.append("\n")
        self.out.write("".join(parts))

    def _parts(self) -> Iterator[str]:
        """Yield the text in pieces.  A tree is open for each node in ``open_``."""
        style, parents = self.style, self.nodes.parents
        siblings = [0] * len(parents)
        for above in parents[1:]:
            siblings[above] += 1
        open_ = [0]
        break_ = "\n" if style.breaks else ""
        on_line = style.nodes
        yield "(" + self._root(self.nodes.contents[0])
        for node in range(1, len(parents)):
            above = parents[node]
            if open_[-1] > above:
                yield from self._closing(open_, above)
            if siblings[above] > 1:
                open_.append(node)
                yield break_ + self._margin(len(open_)) + "("
                on_line = 1
            elif on_line >= style.nodes:
                yield break_ + self._margin(len(open_))
                on_line = 1
            else:
                on_line += 1
            yield self._node(self.nodes.contents[node])
        yield from self._closing(open_, -1)

    def _closing(self, open_: list[int], above: int) -> Iterator[str]:
        """Close all trees that do not hold a node."""
        style = self.style
        if self.ggf:
            open_.clear()
            yield ("\n" if style.breaks else "") + ";)"
            return
        if style.breaks and not style.indent:
            yield "\n"
        while open_ and open_[-1] > above:
            if style.breaks and style.indent:
                yield "\n" + self._margin(len(open_))
            open_.pop()
            yield ")"

    def _margin(self, depth: int) -> str:
        return " " * (self.style.indent * min(depth - 1, MAX_INDENTED))

    def _root(self, content: Content) -> str:
        """Return the first node: properties beyond those of the root have their own lines."""
        style = self.style
        if not style.breaks:
            return self._node(content, first=True)
        kept: list[Content] = [()]
        for prop in sort_properties(content) if style.sort else content:
            if len(kept) == 1 and prop.rule is not None and prop.rule.category is Category.ROOT:
                kept[0] += (prop,)
            else:
                kept.append((prop,))
        lines = [fill_lines(self._tokens(group), style.width) for group in kept]
        return ";" + "\n".join(line for line in lines if line)

    def _node(self, content: Content, *, first: bool = False) -> str:
        """Return a node; no line break is between its ``;`` and its first property."""
        semicolon = "" if self.ggf and not first else ";"
        if self.style.width is not None:
            tokens = self._tokens(content)
            head = next(tokens, Token(""))
            head = head._replace(text=semicolon + head.text)
            return fill_lines([head, *tokens], self.style.width)
        if len(content) == 1:
            return semicolon + self._property(content[0])
        if self.style.sort:
            content = self._sort(content)
        return semicolon + "".join([self._property(prop) for prop in content])

    def _tokens(self, content: Content) -> Iterator[Token]:
        return node_tokens(content, self.style, spelled=self.spelled)

    def _sort(self, content: Content) -> Content:
        """Sort properties as :func:`sort_properties`, once for nodes with the same names."""
        names = tuple([prop.ident for prop in content])
        order = self.orders.get(names)
        if order is None:
            sorted_ = sort_properties(content)
            places = {id(prop): place for place, prop in enumerate(content)}
            order = tuple([places[id(prop)] for prop in sorted_])
            if len(places) == len(content):
                self.orders[names] = order
            else:
                return sorted_
        return tuple([content[place] for place in order])

    def _property(self, prop: Property) -> str:
        name = prop.name if self.spelled else prop.ident
        return name + "".join([f"[{raw}]" for raw in format_values(prop, self.style)])

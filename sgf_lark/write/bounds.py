"""Bounds of games: where each ends, and what is between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from sgf_lark.grammar.tokens import GameSpan, RawToken, tokenize
from sgf_lark.model.collection import Collection
from sgf_lark.model.provenance import Home
from sgf_lark.positions import Span
from sgf_lark.read.split import split_games
from sgf_lark.schema.formats import Format
from sgf_lark.text.source import Pieces

from .styles import Style


class Bounds:
    """Where the games of a collection's own text stand, and what stands between them."""

    def __init__(self, collection: Collection, style: Style | None) -> None:
        self.style = style
        self.source = collection.source
        self.homes = collection.homes
        self.known: dict[int, Span] = {}
        self.used: set[int] = set()

    @cached_property
    def _stretches(self) -> list[GameSpan]:
        """The games of the text, if each stretch of it is one: for a new layout nobody has to
        look where exactly they end.
        """
        if self.style is None or self.source is None or not self.homes:
            return []
        ggf = self.homes[0].nodes.rules.format is Format.GGF
        found = [one for one in split_games(self.source.text, ggf=ggf) if one.is_game]
        return found if len(found) == len(self.homes) else []

    def of(self, home: Home) -> Span:
        """A game's stretch of its text, from its first bracket to its last."""
        if home.source is self.source and self._stretches:
            start, end, _ = self._stretches[home.number]
            return Span(start, end)
        if id(home) not in self.known:
            self.known[id(home)] = bounds(home)
        return self.known[id(home)]

    def lead(self, out: Pieces, home: Home | None, style: Style | None, *, first: bool) -> None:
        """Write what stands before a game."""
        source = self.source
        own = home is not None and home.source is source and home.number not in self.used
        if not own or home is None or source is None or home.number >= len(self.homes):
            out.write("" if first or (style is not None and style.breaks) else "\n")
            return
        self.used.add(home.number)
        before = home.number - 1
        start = 0 if before < 0 else self.of(self.homes[before]).end
        end = max(start, self.of(home).start)
        if style is None:
            text = source.text[start:end]
            if not first and before < 0 and not text:
                out.write("\n")
            out.copy(source, start, end)
        elif style.breaks:
            _write_outside(out, source.text[start:end])

    def tail(self, out: Pieces, style: Style | None) -> None:
        """Write what stands behind the last game."""
        if self.source is None:
            return
        start = self.of(self.homes[-1]).end if self.homes else 0
        if style is None:
            out.copy(self.source, start, len(self.source.text))
        elif style.breaks:
            _write_outside(out, self.source.text[start:])


def _write_outside(out: Pieces, text: str) -> None:
    """Text outside the games, on lines of its own; a number before games of GGF beside them."""
    text = text.lstrip(") \t\r\n\x0b\x0c").rstrip()
    if text:
        out.write(text + (" " if text.isdecimal() else "\n"))


_BEFORE = re.compile(r"\(\s*\Z")


_AFTER = re.compile(r"(?:\s*\))*")


_AFTER_GGF = re.compile(r"(?:\s*;\))?")


def bounds(home: Home) -> Span:
    """A game's stretch of its text: from the bracket that opens it to the one that closes it."""
    text, nodes = home.source.text, home.nodes
    start, end = node_span(home, 0).start, node_span(home, len(nodes) - 1).end
    ggf = nodes.rules.format is Format.GGF
    behind = (_AFTER_GGF if ggf else _AFTER).match(text, end)
    opening = start
    while opening > 0 and text[opening - 1].isspace():
        opening -= 1
    if opening > 0 and text[opening - 1] == "(":
        start = opening - 1
    end = end if behind is None else behind.end()
    return Span(start, end if ggf else _closed(text, start, end))


def _closed(text: str, start: int, end: int) -> int:
    """Where a game ends of which some brackets are still open at a place: other text may stand
    before those that close them.
    """
    if _LATER_CLOSE.match(text, end) is None:
        return end
    signs = [one.kind for one in tokenize(text, start, end)]
    missing = signs.count("OPEN") - signs.count("CLOSE")
    for one in tokenize(text, end, len(text)):
        if missing <= 0 or one.kind in {"OPEN", "SEMICOLON"}:
            break
        if one.kind == "CLOSE":
            missing -= 1
            end = one.end
    return end


_LATER_CLOSE = re.compile(r"[^()]*\)")


def node_span(home: Home, node: int) -> Span:
    """Where a node stands in its text."""
    return home.nodes.places.node(node, len(home.nodes.contents[node]))


def game_tokens(home: Home, start: int, end: int) -> Iterator[RawToken]:
    ggf = home.nodes.rules.format is Format.GGF
    return tokenize(home.source.text, start, end, ggf=ggf)


def tree_brackets(home: Home, start: int, end: int) -> str:
    """The brackets of trees in a part of a text."""
    signs = {"OPEN": "(", "CLOSE": ")"}
    return "".join([signs.get(one.kind, "") for one in game_tokens(home, start, end)])

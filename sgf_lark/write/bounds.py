"""Bounds of games in their text, and the text between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from sgf_lark.grammar.tokens import GameSpan, RawToken, tokenize
from sgf_lark.model.collection import Collection
from sgf_lark.model.provenance import SourceGame
from sgf_lark.places import Span
from sgf_lark.read.split import split_games
from sgf_lark.schema.formats import Format
from sgf_lark.text.source import Pieces

from .styles import Style


class Bounds:
    """The spans of the games in the text of a collection, and the text between them."""

    def __init__(self, collection: Collection, style: Style | None) -> None:
        self.style = style
        self.source = collection.source
        self.source_games = collection.source_games
        self.known: dict[int, Span] = {}
        self.used: set[int] = set()

    @cached_property
    def _spans(self) -> list[GameSpan]:
        """The spans of the text if each is a game; a new layout needs no exact ends."""
        if self.style is None or self.source is None or not self.source_games:
            return []
        ggf = self.source_games[0].nodes.rules.format is Format.GGF
        spans = [span for span in split_games(self.source.text, ggf=ggf) if span.is_game]
        return spans if len(spans) == len(self.source_games) else []

    def of(self, origin: SourceGame) -> Span:
        """Return the span of a game, from its first bracket to its last."""
        if origin.source is self.source and self._spans:
            start, end, _ = self._spans[origin.number]
            return Span(start, end)
        if id(origin) not in self.known:
            self.known[id(origin)] = find_bounds(origin)
        return self.known[id(origin)]

    def lead(
        self, out: Pieces, origin: SourceGame | None, style: Style | None, *, first: bool
    ) -> None:
        """Write the text before a game."""
        source = self.source
        own = origin is not None and origin.source is source and origin.number not in self.used
        if not own or origin is None or source is None or origin.number >= len(self.source_games):
            out.write("" if first or (style is not None and style.breaks) else "\n")
            return
        self.used.add(origin.number)
        before = origin.number - 1
        start = 0 if before < 0 else self.of(self.source_games[before]).end
        end = max(start, self.of(origin).start)
        if style is None:
            text = source.text[start:end]
            if not first and before < 0 and not text:
                out.write("\n")
            out.copy(source, start, end)
        elif style.breaks:
            _write_stray(out, source.text[start:end])

    def tail(self, out: Pieces, style: Style | None) -> None:
        """Write the text after the last game."""
        if self.source is None:
            return
        start = self.of(self.source_games[-1]).end if self.source_games else 0
        if style is None:
            out.copy(self.source, start, len(self.source.text))
        elif style.breaks:
            _write_stray(out, self.source.text[start:])


def _write_stray(out: Pieces, text: str) -> None:
    """Write text outside the games on its own lines; a number before games of GGF on theirs."""
    text = text.lstrip(") \t\r\n\x0b\x0c").rstrip()
    if text:
        out.write(text + (" " if text.isdecimal() else "\n"))


_AFTER = re.compile(r"(?:\s*\))*")


_AFTER_GGF = re.compile(r"(?:\s*;\))?")


def find_bounds(origin: SourceGame) -> Span:
    """Return the span of a game, from the bracket that opens it to the one that closes it."""
    text, nodes = origin.source.text, origin.nodes
    start, end = node_span(origin, 0).start, node_span(origin, len(nodes) - 1).end
    ggf = nodes.rules.format is Format.GGF
    closing = (_AFTER_GGF if ggf else _AFTER).match(text, end)
    opening = start
    while opening > 0 and text[opening - 1].isspace():
        opening -= 1
    if opening > 0 and text[opening - 1] == "(":
        start = opening - 1
    end = end if closing is None else closing.end()
    return Span(start, end if ggf else _find_end(text, start, end))


def _find_end(text: str, start: int, end: int) -> int:
    """Return the end of a game; other text may be before the brackets that close it.

    Args:
        text: The text.
        start, end: The span of the game without those brackets.
    """
    if _LATER_CLOSE.match(text, end) is None:
        return end
    signs = [token.kind for token in tokenize(text, start, end)]
    missing = signs.count("OPEN") - signs.count("CLOSE")
    for token in tokenize(text, end, len(text)):
        if missing <= 0 or token.kind in {"OPEN", "SEMICOLON"}:
            break
        if token.kind == "CLOSE":
            missing -= 1
            end = token.end
    return end


_LATER_CLOSE = re.compile(r"[^()]*\)")


def node_span(origin: SourceGame, node: int) -> Span:
    """Return the span of a node in its text."""
    return origin.nodes.places.node(node, len(origin.nodes.contents[node]))


def game_tokens(origin: SourceGame, start: int, end: int) -> Iterator[RawToken]:
    """Yield the tokens of a part of a game's text."""
    ggf = origin.nodes.rules.format is Format.GGF
    return tokenize(origin.source.text, start, end, ggf=ggf)


def tree_brackets(origin: SourceGame, start: int, end: int) -> str:
    """Return the brackets of trees in a part of a text."""
    signs = {"OPEN": "(", "CLOSE": ")"}
    return "".join([signs.get(token.kind, "") for token in game_tokens(origin, start, end)])

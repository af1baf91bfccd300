"""Bounds of games in their text, and the text between them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter

from sgf_lark.core.grammar.grammars import path
from sgf_lark.core.grammar.tokens import GameSpan, tokenize
from sgf_lark.core.model.collection import Collection, GameTree
from sgf_lark.core.model.provenance import SourceGame
from sgf_lark.core.places import Span
from sgf_lark.core.read.split import split_games
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.text.source import Pieces

from .styles import Style


class Bounds:
    """The spans of the games in the text of a collection, and the text between them.

    The text after a game, up to the next one, goes with that game; the text before the first
    game goes with the first.
    """

    def __init__(
        self, collection: Collection, style: Style | None, *, with_strays: bool = False
    ) -> None:
        self.style = style
        self.with_strays = with_strays
        self.source = collection.source
        self.source_games = collection.source_games
        self.is_complete = len(collection.games) == len(collection.source_games)
        self.known: dict[int, Span] = {}
        self.used: set[int] = set()
        self.last: int | None = None  # the last game that was written, if its gap was not

    @cached_property
    def _spans(self) -> list[GameSpan]:
        """The spans of the text if each is a game; a new layout needs no exact ends."""
        if self.style is None or self.source is None or not self.is_complete:
            return []
        return self._read_spans if len(self._read_spans) == len(self.source_games) else []

    def of(self, origin: SourceGame) -> Span:
        """Return the span of a game, from its first bracket to its last."""
        if origin.source is self.source and self._spans:
            return Span(*self._spans[origin.number][:2])
        if id(origin) not in self.known:
            is_wide = self.with_strays and origin.source is self.source and may_have_strays(origin)
            find = self._find_with_strays if is_wide else find_bounds
            self.known[id(origin)] = find(origin)
        return self.known[id(origin)]

    def _find_with_strays(self, origin: SourceGame) -> Span:
        start, end = find_bounds(origin)
        at, number = self._held_in(origin), origin.number
        if at < 0:
            return Span(start, end)
        first, last = self._read_spans[at][:2]
        if number == 0 or self._held_in(self.source_games[number - 1]) < at:
            start = first
        if number + 1 < len(self.source_games):
            last = min(last, find_bounds(self.source_games[number + 1]).start)
        return Span(start, max(node_span(origin, len(origin.nodes) - 1).end, last))

    def _held_in(self, origin: SourceGame) -> int:
        start = node_span(origin, 0).start
        return bisect_right(self._read_spans, start, key=itemgetter(0)) - 1

    def find_torn(self, games: Sequence[GameTree]) -> set[int]:
        """Return the games of the text that hold another one, which is changed or gone."""
        if not any(may_have_strays(game.source_game) for game in games if game.source_game):
            return set()  # one of a thousand games asks not about all
        same = {self.own(game) for game in games if not is_changed(game)}
        held: dict[int, list[int]] = {}
        first = last = -1
        for number, origin in enumerate(self.source_games):
            if may_have_strays(origin):
                at = self._held_in(origin)
                if at > last and (at == 0 or self._is_closed(self._read_spans[at - 1])):
                    first = at
                held.setdefault(first, []).append(number)
                last = at
        torn = (held for held in held.values() if len(held) > 1 and not same.issuperset(held))
        return set(chain.from_iterable(torn))

    @cached_property
    def _read_spans(self) -> list[GameSpan]:
        text = "" if self.source is None else self.source.text
        families = {_is_ggf(origin) for origin in self.source_games}
        ggf = None if len(families) > 1 else True in families  # perhaps the reader asked for it
        return [span for span in split_games(text, ggf=ggf) if span.is_game]

    def _is_closed(self, span: GameSpan) -> bool:
        text = "" if self.source is None else self.source.text
        kinds = Counter(kind for kind, *_ in tokenize(text, span.start, span.end, ggf=span.ggf))
        return kinds["OPEN"] <= kinds["CLOSE"]

    def gap(self, number: int) -> Span:
        """Return the span after a game of the text, up to the next one; -1: before the first."""
        games, text = self.source_games, "" if self.source is None else self.source.text
        start = 0 if number < 0 or not games else self.of(games[number]).end
        end = self.of(games[number + 1]).start if number + 1 < len(games) else len(text)
        is_last = number + 1 >= len(games)
        if not self.is_complete and games and _is_ggf(games[number if is_last else number + 1]):
            count = _COUNT.search(text, start, end)  # of games that need not follow
            end = end if count is None else count.start()
        return Span(start, max(start, end))

    def own(self, game: GameTree) -> int | None:
        """Return the number of a game in the text; None if it is of another one."""
        origin = game.source_game
        if origin is None or origin.source is not self.source:
            return None
        return origin.number if origin.number < len(self.source_games) else None

    def lead(self, out: Pieces, game: GameTree, *, first: bool) -> None:
        number = self.own(game)
        if number in self.used:
            number = None
        gap = Span(0, 0)
        if self.last is not None:
            gap = self.gap(self.last)
        elif number is not None and (number == 0 or not first):
            gap = self.gap(number - 1)
        follows = number is not None and (first or number - 1 == self.last)
        self.last = number
        self.used |= {number} if number is not None else set()
        if gap.start < gap.end:
            self._write(out, gap)
        elif not first and not follows and (self.style is None or not self.style.breaks):
            out.write("\n")

    def tail(self, out: Pieces) -> int:
        """Write the text after the last game; return where it begins in the text."""
        if self.source is None:
            return 0
        gap = self.gap(len(self.source_games) - 1 if self.last is None else self.last)
        self._write(out, gap)
        return gap.start

    def _write(self, out: Pieces, gap: Span) -> None:
        if self.source is None:
            return
        if self.style is None:
            out.copy(self.source, *gap)
        elif self.style.breaks:
            _write_stray(out, self.source.text[slice(*gap)])


#: The number of games before a match of GGF.
_COUNT = re.compile(r"(?<!\S)[0-9]+\s*\Z")


def _is_ggf(origin: SourceGame) -> bool:
    return origin.nodes.rules.format is Format.GGF


def _write_stray(out: Pieces, text: str) -> None:
    """Write text outside the games on its own lines; a number before games of GGF on theirs."""
    text = text.lstrip(") \t\r\n\x0b\x0c").rstrip()
    if text:
        out.write(text + (" " if text.isdecimal() else "\n"))


def is_changed(game: GameTree) -> bool:
    return game.source_game is None or game.nodes is not game.source_game.nodes


def may_have_strays(origin: SourceGame) -> bool:
    """Return whether a game may have text of no property: none that a grammar has accepted."""
    nodes, rules = origin.nodes, origin.nodes.rules
    return not nodes.tape.is_clean and rules.file == path(rules.format.grammar)


_AFTER = re.compile(r"(?:\s*\))*")


_AFTER_GGF = re.compile(r"(?:\s*;\))?")


def find_bounds(origin: SourceGame) -> Span:
    """Return the span of a game, from the bracket that opens it to the one that closes it."""
    text, nodes = origin.source.text, origin.nodes
    start, end = node_span(origin, 0).start, node_span(origin, len(nodes) - 1).end
    ggf = _is_ggf(origin)
    closing = (_AFTER_GGF if ggf else _AFTER).match(text, end)
    opening = start
    while opening > 0 and text[opening - 1].isspace():
        opening -= 1
    if opening > 0 and text[opening - 1] == "(":
        start = opening - 1
    end = end if closing is None else closing.end()
    return Span(start, end if ggf else _find_end(text, start, end))


def _find_end(text: str, start: int, end: int) -> int:
    """Return the end of a game; other text may be before the brackets that close it."""
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
    return origin.nodes.places.node(node, len(origin.nodes.contents[node]))


def tree_brackets(origin: SourceGame, start: int, end: int) -> str:
    signs = {"OPEN": "(", "CLOSE": ")"}
    found = tokenize(origin.source.text, start, end, ggf=_is_ggf(origin))
    return "".join([signs.get(token.kind, "") for token in found])


_SPACE = " \t\r\n\x0b\x0c"
_MARKS = f"{_SPACE}();"


def find_strays(
    origin: SourceGame, bounds: Span, inside: str = _MARKS
) -> Iterator[tuple[int, Span]]:
    """Yield the texts in a game that belong to no property, each with the node before it."""
    text, nodes, places = origin.source.text, origin.nodes, origin.nodes.places
    if nodes.tape.is_clean:
        return
    for node, content in enumerate(nodes.contents):
        done = places.node(node, 0).start
        if not node:
            yield from ((node, span) for span in find_text(text, bounds.start, done))
        done += text.startswith(";", done)
        for place, prop in enumerate(content):
            for index in range(len(prop.raw)):
                value = places.value(node, place, index)
                start = value.start - 1 if index else places.property(node, place).start
                yield from ((node, span) for span in find_text(text, done, start, inside))
                done = value.end + 1
        is_last = node + 1 == len(nodes)
        end = bounds.end if is_last else places.node(node + 1, 0).start
        yield from ((node, span) for span in find_text(text, done, end))


def has_stray_text(origin: SourceGame, bounds: Span) -> bool:
    return any(find_strays(origin, bounds, _SPACE))


def find_text(text: str, start: int, end: int, around: str = _MARKS) -> Iterator[Span]:
    """Yield the span of a part of a text without the brackets, ';' and white space around it."""
    before = text[start:end].rstrip(around)
    if before:
        yield Span(start + len(before) - len(before.lstrip(around)), start + len(before))

"""Parts of the output: each game with the text before it, and the text after the last."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from sgf_lark.core.model.collection import Collection, GameTree
from sgf_lark.core.model.readings import Content, Reading
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.model.tape import Pair
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import Category, PropertyRule
from sgf_lark.core.schema.values import OthelloType
from sgf_lark.core.text.source import Pieces

from . import styles
from .bounds import Bounds, has_stray_text, is_changed, may_have_strays
from .read_back import UnwritableError, is_misread
from .splice import Splicer, is_open, is_shaped_as_before

#: Values, with their brackets, that a layout may change: with escapes, white space but spaces, or
#: something between two values; of texts of FF[4], line feeds stay.
_CHANGEABLE = re.compile(r"[\\\r\n\t\v\f]|\][^\[]")
_CHANGEABLE_TEXT = re.compile(r"[\\\r\t\v\f]|\][^\[]")
_ANY = re.compile("")


class Name(NamedTuple):
    """A name in a layout, and what finds something in values, with brackets, that may change."""

    shown: str
    changeable: re.Pattern[str]
    is_root: bool


class Recurring:
    """Parts of games of one kind in a layout that recur: orders, and short properties."""

    def __init__(self) -> None:
        self.names: dict[str, Name] = {}
        self.orders: dict[tuple[str, ...], tuple[int, ...]] = {}
        self.parts: dict[tuple[str, str], str] = {}


#: Limits of what is kept for each kind of game: names and orders, which a file may make up; nodes
#: and properties, and their characters: moves and sizes recur in other variations and games.  345
#: real files, each formatted for the first time in a new process, take 0.64 seconds of CPU time;
#: 0.87 without it.
MAX_NAMES, MAX_PARTS, MAX_PART = 1 << 9, 1 << 12, 20


@lru_cache(maxsize=1 << 4)
def _known(_rules: RuleSet, _style: styles.Style, *, spelled: bool) -> Recurring:  # noqa: ARG001
    return Recurring()


def _changeable(rule: PropertyRule | None, style: styles.Style) -> re.Pattern[str]:
    if not styles.keeps_values(rule, style):
        return _ANY
    has_lines = rule is not None and rule.format is Format.FF4 and rule.types == (("text",),)
    return _CHANGEABLE_TEXT if has_lines else _CHANGEABLE


class Layouter:
    def __init__(self, out: Pieces, game: GameTree, style: styles.Style) -> None:
        self.out = out
        self.nodes = game.nodes
        self.style = style
        self.ggf = game.format is Format.GGF
        #: Names keep their spelling: without FF it shows the format.
        self.spelled = not self.ggf and "FF" not in game.root
        self.known = _known(game.nodes.rules, style, spelled=self.spelled)

    def write(self) -> None:
        parts = list(self._parts())
        if self.style.breaks:
            parts.append("\n")
        self.out.write("".join(parts))

    def _parts(self) -> Iterator[str]:
        """Yield the text in pieces.  A tree is open for each node in ``open_``."""
        style, parents = self.style, self.nodes.parents
        siblings = Counter(parents)
        open_ = [0]
        break_ = "\n" if style.breaks else ""
        on_line = style.nodes
        yield "(" + self._root()
        for node, text in enumerate(self._later_nodes(), 1):
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
            yield text
        yield from self._closing(open_, -1)

    def _later_nodes(self) -> Iterator[str]:
        semicolon, width, unread = "" if self.ggf else ";", self.style.width, self._unread
        if width is not None:
            for content in islice(self.nodes.contents, 1, None):
                tokens = self._tokens(content)
                head = next(tokens, styles.Token(""))
                head = head._replace(text=semicolon + head.text)
                yield styles.fill_lines([head, *tokens], width)
            return
        for pairs in islice(self.nodes.tape.each(), 1, None):
            several = len(pairs) > 1 and self.style.breaks
            shown = self._sort_pairs(pairs) if several else pairs
            yield semicolon + "".join([unread(*pair) for pair in shown])

    def _closing(self, open_: list[int], above: int) -> Iterator[str]:
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
        return " " * (self.style.indent * min(depth - 1, styles.MAX_INDENTED))

    def _root(self) -> str:
        style, contents = self.style, self.nodes.contents
        if not style.breaks:
            return ";" + "".join(map(self._property, contents[0]))
        if style.width is None:
            return self._unread_root(self.nodes.tape.pairs(0))
        kept: list[Content] = [()]
        for prop in styles.sort_properties(contents[0]):
            if len(kept) == 1 and prop.rule is not None and prop.rule.category is Category.ROOT:
                kept[0] += (prop,)
            else:
                kept.append((prop,))
        lines = [styles.fill_lines(self._tokens(group), style.width) for group in kept]
        return ";" + "\n".join(line for line in lines if line)

    def _unread_root(self, pairs: list[Pair]) -> str:
        parts = [";"]
        shares_line = True
        for name, raws in self._sort_pairs(pairs):
            shares_line = shares_line and (self.known.names.get(name) or self._learn(name)).is_root
            if not shares_line and len(parts) > 1:
                parts.append("\n")
            parts.append(self._unread(name, raws))
        return "".join(parts)

    def _tokens(self, content: Content) -> Iterator[styles.Token]:
        return styles.node_tokens(content, self.style, spelled=self.spelled)

    def _sort_pairs(self, pairs: list[Pair]) -> list[Pair]:
        names = tuple([name for name, _ in pairs])
        order = self.known.orders.get(names)
        if order is None:
            read = self.nodes.rules.property
            order = styles.order_of(tuple([read(name, ("",)) for name in names]))
            if len(self.known.orders) < MAX_NAMES:
                self.known.orders[names] = order
        return [pairs[place] for place in order]

    def _unread(self, name: str, raws: tuple[str, ...]) -> str:
        shown, changeable, _ = self.known.names.get(name) or self._learn(name)
        values = "".join([f"[{raw}]" for raw in raws])
        if changeable.search(values) is None:
            return shown + values
        rules, parts = self.nodes.rules, self.known.parts
        if len(values) >= MAX_PART:
            return self._property(rules.property(name, raws))
        known = parts.get((name, values))
        if known is None:
            if len(parts) >= MAX_PARTS:
                parts.clear()
            known = parts[name, values] = self._property(rules.property(name, raws))
        return known

    def _learn(self, name: str) -> Name:
        prop = self.nodes.rules.property(name, ("",))
        rule = prop.rule
        known = Name(
            name if self.spelled else prop.ident,
            _changeable(rule, self.style),
            rule is not None and rule.category is Category.ROOT,
        )
        if len(self.known.names) < MAX_NAMES:
            self.known.names[name] = known
        return known

    def _property(self, prop: Reading) -> str:
        raws = prop.raw
        if len(raws) == 1 and prop.reader is self.nodes.rules.reader:
            shown, changeable, _ = self.known.names.get(prop.name) or self._learn(prop.name)
            values = f"[{raws[0]}]"
            if changeable.search(values) is None:
                return shown + values
        name = prop.name if self.spelled else prop.ident
        return name + "".join([f"[{raw}]" for raw in styles.format_values(prop, self.style)])


def text_of(collection: Collection, style: styles.Style | None) -> str:
    return "".join(part.pieces.text for part in render_parts(collection, style))


class Redo(NamedTuple):
    """Writer of a part with another game in its place; ``alone``: with all its brackets."""

    style: styles.Style | None
    lead: Pieces
    codec: str | None
    bounds: Bounds
    alone: bool

    def __call__(self, game: GameTree) -> GamePart:
        game.nodes.require_all()
        pieces = Pieces()
        pieces.pieces += self.lead.pieces
        if self.style is not None or not game.provenance.games:
            Layouter(pieces, game, self.style or styles.Style()).write()
        else:
            _write_changed(pieces, game, self.bounds, alone=self.alone)
        return GamePart(pieces, game, self.codec, self)


class GamePart(NamedTuple):
    """A game with the text before it, and what writes it again; or the text after the last one."""

    pieces: Pieces
    game: GameTree | None
    codec: str | None
    redo: Redo | None = None


def is_unchanged(collection: Collection) -> bool:
    games, origins = collection.games, collection.source_games
    if collection.source is None or len(games) != len(origins):
        return False
    return all(
        game.source_game is origin and not is_changed(game)
        for game, origin in zip(games, origins, strict=True)
    )


def render_parts(collection: Collection, style: styles.Style | None) -> Iterator[GamePart]:
    """Yield the games one by one with the text before them, then the text after the last."""
    source = collection.source
    if style is None and source is not None and is_unchanged(collection):
        whole = Pieces()
        whole.copy(source, 0, len(source.text))
        yield GamePart(whole, collection.games[0] if collection.games else None, source.codec(0))
        return
    bounds = Bounds(collection, style, with_strays=style is None)
    counts = {} if source is not None else match_counts(collection.games)
    torn = bounds.find_torn(collection.games) if style is None else set[int]()
    first = True
    for number, game in enumerate(collection.games):
        origin = game.source_game
        lead = Pieces()
        bounds.lead(lead, game, first=first)
        if number in counts:
            lead.write(f"{counts[number]} ")
        codec = None if origin is None else origin.source.codec(bounds.of(origin).start)
        is_torn = bounds.own(game) in torn
        alone = style is None and (is_torn or not _is_in_place(collection, number))
        yield Redo(style, lead, codec, bounds, alone)(game)
        first = False
    tail = Pieces()
    at = bounds.tail(tail)
    yield GamePart(tail, None, None if source is None else source.codec(at))


def _is_in_place(collection: Collection, number: int) -> bool:
    source = collection.source
    origins = [game.source_game for game in collection.games[number : number + 2]]
    if source is None or any(origin is None or origin.source is not source for origin in origins):
        return False
    if any(map(is_changed, collection.games[number + 1 : number + 2])):
        return False
    numbers = [origin.number for origin in origins if origin is not None]
    last = len(collection.source_games) - 1
    return numbers == [last] or numbers[1:] == [numbers[0] + 1]


def match_counts(games: Sequence[GameTree]) -> dict[int, int]:
    """Return the numbers of games of GGF matches, by the number of their first game."""
    counts: dict[int, int] = {}
    number = 0
    while number < len(games):
        pair = games[number : number + 2]
        of_match = 2 if len(pair) == 2 and _are_a_match(*pair) else 1  # noqa: PLR2004  # a pair
        if pair[0].format is Format.GGF:
            counts[number] = of_match
        number += of_match
    return counts if 2 in counts.values() else {}  # noqa: PLR2004  # a pair


def _are_a_match(game: GameTree, other: GameTree) -> bool:
    players = (game.root.get("PB"), game.root.get("PW"))
    swapped = players == (other.root.get("PW"), other.root.get("PB"))
    kinds = (game.root.get("TY"), other.root.get("TY"))
    synchro = all(isinstance(kind, OthelloType) and kind.synchro for kind in kinds)
    return game.format is other.format is Format.GGF and swapped and synchro


def _write_changed(out: Pieces, game: GameTree, bounds: Bounds, *, alone: bool) -> None:
    """Write a game after the text before it, most of it as it was."""
    nodes, provenance = game.nodes, game.provenance
    origin = provenance.games[0]
    in_place = is_shaped_as_before(nodes, provenance)
    is_same = in_place and all(map(operator.eq, nodes.contents, origin.nodes.contents))
    is_left_open = alone and is_open(origin, bounds.of(origin))
    splicer = Splicer(out, nodes, provenance, bounds.of)
    if is_same and not is_left_open:
        splicer.splice()
        return
    has_other = any(has_stray_text(one, bounds.of(one)) for one in provenance.games)
    if has_other and not is_same:
        raise UnwritableError(_FIX_FIRST)
    damaged = any(map(may_have_strays, provenance.games))
    if has_other:
        splicer.close()
    elif in_place and not damaged and not is_left_open:
        splicer.splice()
    else:
        splicer.rebuild()
    if damaged and is_misread(out.text, game):
        raise UnwritableError(_FIX_FIRST)


_FIX_FIRST = (
    "this game has text that belongs to no property:"
    " fix it first, by `sgf-lark check --fix --unsafe-fixes` or by hand"
)

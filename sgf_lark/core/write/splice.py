"""Writing of changed games: unchanged parts are copied byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain, pairwise

from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.grammar.tokens import RawToken, tokenize
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.provenance import Provenance, SourceGame
from sgf_lark.core.model.readings import Content
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.text.source import Pieces
from sgf_lark.core.values.writer import close_value

from .bounds import find_bounds, game_tokens, node_span, tree_brackets


def is_shaped_as_before(nodes: Nodes, provenance: Provenance) -> bool:
    """Return whether only properties may have been changed."""
    old = provenance.games[0].nodes
    return (
        len(nodes) == len(old)
        and not any(provenance.which)
        and list(provenance.numbers) == list(range(len(old)))
        and nodes.parents == old.parents
    )


def is_open(origin: SourceGame, bounds: Span) -> bool:
    """Return whether a game lacks brackets at its end.

    Args:
        origin: The game.
        bounds: Its span.
    """
    text, last = origin.source.text, len(origin.nodes) - 1
    start, end = bounds
    content = origin.nodes.contents[last]
    if content and _is_cut_off(origin, last, len(content) - 1):
        return True  # also where its value holds the last bracket of the text
    if origin.nodes.rules.format is Format.GGF:
        return not text.startswith(";)", end - 2)
    if text.count("(", start, end) == text.count(")", start, end):
        return False
    signs = [token.kind for token in tokenize(text, start, end)]
    return signs.count("OPEN") > signs.count("CLOSE")


def rebuild(out: Pieces, nodes: Nodes, provenance: Provenance) -> None:
    """Write nodes with all brackets that they need; the text between them stays."""
    Splicer(out, nodes, provenance, find_bounds).rebuild()


class Splicer:
    """Writer of a changed game: copies unchanged parts, and inserts the others.

    Args:
        out: The text that is written.
        nodes: The nodes of the game.
        provenance: Where they come from.
        bounds: Returns the span of a game in its text.
        apart: Write text of no property after the ';' of its node, before the properties: there
            it is read as nothing else, whatever is before and after.
    """

    def __init__(
        self,
        out: Pieces,
        nodes: Nodes,
        provenance: Provenance,
        bounds: Callable[[SourceGame], Span],
        *,
        apart: bool = False,
    ) -> None:
        self.out = out
        self.bounds = bounds
        self.apart = apart
        self.nodes = nodes
        self.provenance = provenance
        self.ggf = nodes.rules.format is Format.GGF
        text = provenance.games[0].source.text
        span = bounds(provenance.games[0])
        crlf = text.find("\r\n", *span) >= 0
        many = text.find("\n", *span) >= 0
        self.line_break = "\r\n" if crlf else "\n" if many else ""

    def splice(self) -> None:
        """Write a game of which only properties were changed."""
        origin = self.provenance.games[0]
        start, end = self.bounds(origin)
        done = start
        for node, content in enumerate(self.nodes.contents):
            old = origin.nodes.contents[node]
            if content is old or content == old:
                continue
            span = node_span(origin, node)
            self.out.copy(origin.source, done, span.start)
            self._node(node)
            done = span.end
            closing = None if old else _CLOSING.match(origin.source.text, done)
            if content and closing is not None:
                self.out.copy(origin.source, *closing.span())
                self.out.write(" -")
                done = closing.end()
        self.out.copy(origin.source, done, end)

    def rebuild(self) -> None:
        """Write a game whose nodes were added, removed or moved, with the brackets they need."""
        parents = self.nodes.parents
        siblings = Counter(parents)
        open_ = [0]
        self._begin()
        for node, above in enumerate(parents):
            if node:
                closing = 0
                while open_[-1] > above:
                    open_.pop()
                    closing += 1
                if self._between(node, closing, must_open=siblings[above] > 1):
                    open_.append(node)
            self._node(node, complete=True)
        self._end(len(open_))

    def why_misread(self, node: int) -> str:
        """Return why a node would be read otherwise: by the text of no property before it."""
        for at in (*range(node, -1, -1), *range(node + 1, len(self.nodes))):
            origin, number = self._origin(at)
            strays = [] if origin is None else _find_strays(origin, number, self.bounds(origin))
            if strays and origin is not None:
                excerpt = shorten(origin.source.text[strays[0].start : strays[-1].end])
                return (
                    f"{excerpt!r} in node {number} of game {origin.number} belongs to no property,"
                    " and would be read otherwise beside what was changed: remove it first"
                )
        return "the brackets of a damaged game would be read otherwise: correct them first"

    def _begin(self) -> None:
        """Write the bracket that opens the game."""
        origin, number = self._origin(0)
        opening = Span(0, 0)
        if origin is not None and number == 0 and not self.apart:
            opening = Span(self.bounds(origin).start, node_span(origin, 0).start)
        if origin is not None and origin.source.text.startswith("(", *opening):
            self.out.copy(origin.source, *opening)
        else:
            self.out.write("(")

    def _end(self, closing: int) -> None:
        """Write the brackets that close the open trees."""
        origin, number = self._origin(len(self.nodes) - 1)
        if self.ggf:
            self._strays(origin, number)
            self.out.write(";)")
            return
        is_new = origin is None
        if is_new:
            origin, number = self._last_of_text(len(self.nodes) - 1)
        if origin is not None and number == len(origin.nodes) - 1:
            start, end = node_span(origin, number).end, self.bounds(origin).end
            is_plain = _GAP.fullmatch(origin.source.text, start, end) is not None
            is_kept = is_plain or not (is_new or self.apart)
            if is_kept and tree_brackets(origin, start, end) == ")" * closing:
                self.out.copy(origin.source, start, end)
                return
            if "\n" in origin.source.text[start:end]:
                self.out.write(self.line_break)
        if not is_new:
            self._strays(origin, number)
        self.out.write(")" * closing)

    def _origin(self, node: int) -> tuple[SourceGame | None, int]:
        which = self.provenance.which[node]
        origin = self.provenance.games[which] if which >= 0 else None
        return origin, self.provenance.numbers[node]

    def _last_of_text(self, node: int) -> tuple[SourceGame | None, int]:
        """Return where a node comes from; of a new one, the last one before it that is not new."""
        while node and self.provenance.which[node] < 0:
            node -= 1
        return self._origin(node)

    def _between(self, node: int, closing: int, *, must_open: bool) -> bool:
        """Write the text between a node and the one before it; return whether it opens a tree."""
        origin, number = self._origin(node)
        before, number_before = self._origin(node - 1)
        lead = self.line_break
        if origin is not None and number > 0:
            start, end = node_span(origin, number - 1).end, node_span(origin, number).start
            gap = origin.source.text[start:end]
            is_plain = _GAP.fullmatch(gap) is not None
            brackets = tree_brackets(origin, start, end) if not is_plain else "".join(gap.split())
            wanted = ")" * closing
            if (
                self._last_of_text(node - 1) == (origin, number - 1)
                and (is_plain or (before is not None and not self.apart))
                and (brackets == wanted + "(" or (brackets == wanted and not must_open))
            ):
                self.out.copy(origin.source, start, end)
                return brackets.endswith("(")
            if is_plain:
                lead = gap[: len(gap) - len(gap.lstrip())] or gap[gap.rfind(")") + 1 :]
                lead = lead.partition("(")[0]
        self._strays(before, number_before)
        self.out.write(")" * closing + ("" if self.ggf else lead) + "(" * must_open)
        return must_open

    def _strays(self, origin: SourceGame | None, number: int) -> None:
        """Write the stray text after a node, up to the next one."""
        if origin is None or self.apart:
            return
        is_last = number + 1 == len(origin.nodes)
        start = node_span(origin, number).end
        end = self.bounds(origin).end if is_last else node_span(origin, number + 1).start
        if _GAP.fullmatch(origin.source.text[start:end]):
            return
        done = start
        for token in game_tokens(origin, start, end):
            if token.kind.endswith(_STRUCTURE):
                done = -1
                continue
            if done < 0:
                self.out.write(" -" if token.kind.endswith("VALUE") else " ")
                done = token.start
            self.out.copy(origin.source, done, token.end)
            done = token.end

    def _node(self, node: int, *, complete: bool = False) -> None:
        """Write a node; ``complete``: add a missing ';', and close its last value."""
        content = self.nodes.contents[node]
        origin, number = self._origin(node)
        if origin is None:
            self.out.write(_format_node(content, bare=self.ggf and node > 0))
            return
        old = origin.nodes.contents[number]
        span = node_span(origin, number)
        text, source = origin.source.text, origin.source
        begins = text[span.start : span.start + 1] == ";"
        if complete and not begins and not (self.ggf and node):
            self.out.write(";")
        if self.apart and (strays := _find_strays(origin, number, self.bounds(origin))):
            self.out.copy(source, span.start, span.start + begins)
            self._apart(content, origin, number, strays)
            return
        if content is old or content == old:
            self.out.copy(source, *span)
            if complete and old:
                self._close(origin, number, len(old) - 1)
            return
        self.out.copy(source, span.start, span.start + begins)
        self._properties(content, origin, number, span.start + begins)

    def _apart(
        self, content: Content, origin: SourceGame, node: int, strays: list[RawToken]
    ) -> None:
        """Write the stray text of a node, each value after a hyphen, then its properties."""
        text, layout, old = origin.source.text, origin.nodes.places, origin.nodes.contents[node]
        before, done = "", strays[0].start
        for kind, start, end in strays:
            is_value = text[start] == "["
            if before != "STRAY" and (is_value or (kind == "IDENT" and not before)):
                self.out.write(" -")
            elif text[done:start].isspace():
                self.out.copy(origin.source, done, start)
            elif done < start:
                self.out.write(" ")
            self.out.copy(origin.source, start, end)
            if "UNCLOSED" in kind:
                raw = text[start + 1 : end]
                self.out.write(close_value(raw)[len(raw) :] + "]")
            before, done = kind.removeprefix("GGF_"), end
        if before == "IDENT":
            self.out.write(" ")
        spans = [layout.property(node, place) for place in range(len(old))]
        for prop, place in zip(content, _find_places(content, old), strict=True):
            if place and text[spans[place - 1].end : spans[place].start].isspace():
                self.out.copy(origin.source, spans[place - 1].end, spans[place].start)
            if place is None or prop != old[place] or _find_strays_in(origin, (node, place)):
                self.out.write(_format_property(prop.name, map(close_value, prop.raw)))
            else:
                self.out.copy(origin.source, *spans[place])
                self._close(origin, node, place)

    def _properties(self, content: Content, origin: SourceGame, node: int, done: int) -> None:
        """Write the changed properties of a node: each in the place of the old one.

        What stands between them and is no white space belongs to none of them, and stays; what
        stands between values that are removed or become more is written after them.  A value
        without a name gets a hyphen, lest the property before takes it.
        """
        old, layout, text = origin.nodes.contents[node], origin.nodes.places, origin.source.text
        spans = [layout.property(node, place) for place in range(len(old))]
        ends = [done, *(span.end for span in spans)]
        leads = [Span(end, span.start) for end, span in zip(ends, spans, strict=False)]
        places = _find_places(content, old)
        kept = dict(zip(places, content, strict=True))
        torn = {
            place: gaps
            for place, prop in enumerate(old)
            if place not in kept
            or kept[place].name != prop.name
            or len(kept[place].raw) != len(prop.raw)
            if (gaps := _find_strays_in(origin, (node, place)))
        }
        strays = [lead for lead in leads if text[slice(*lead)].strip()]
        strays = sorted(chain(strays, *torn.values()), reverse=True)
        usual = text[slice(*leads[-1])] if len(leads) > 1 else ""
        following = 0
        for prop, place in zip(content, places, strict=True):
            self._stray(origin, strays, ends[following if place is None else place])
            if place is None:
                self.out.write(
                    (usual if usual.isspace() else "") + _format_property(prop.name, prop.raw)
                )
                continue
            following = place + 1
            if text[slice(*leads[place])].isspace():
                self.out.copy(origin.source, *leads[place])
            is_named_as_before = old[place].name == prop.name
            if is_named_as_before and old[place].raw == prop.raw:
                self.out.copy(origin.source, *spans[place])
                self._close(origin, node, place)
            elif place in torn or not is_named_as_before:
                self.out.write(_format_property(prop.name, map(close_value, prop.raw)))
            else:
                self._values(origin, (node, place), prop.raw)
        self._stray(origin, strays, ends[-1])
        if content and not old and _NAMELESS.match(text, done):
            self.out.write(" -")

    def _close(self, origin: SourceGame, node: int, place: int) -> None:
        """Close a copied value if the end of the text cut it off."""
        raw = origin.nodes.contents[node][place].raw[-1]
        if _is_cut_off(origin, node, place):
            self.out.write(close_value(raw)[len(raw) :] + "]")

    def _stray(self, origin: SourceGame, strays: list[Span], end: int) -> None:
        """Write stray text up to a place of the text, so that it stays outside properties."""
        while strays and strays[-1].start <= end:
            span = strays.pop()
            self.out.copy(origin.source, *span)
            if origin.source.text[span.end - 1].isalnum():
                self.out.write(" ")

    def _values(self, origin: SourceGame, at: tuple[int, int], raws: tuple[str, ...]) -> None:
        """Write the changed values of a property in the place of the old ones."""
        layout, source = origin.nodes.places, origin.source
        old = origin.nodes.contents[at[0]][at[1]].raw
        start, end = layout.property(*at)
        if len(raws) == len(old):
            for index, raw in enumerate(raws):
                value = layout.value(*at, index)
                if raw != old[index]:
                    self.out.copy(source, start, value.start)
                    self.out.write(raw)
                    start = value.end
            self.out.copy(source, start, end)
            if start < end:
                self._close(origin, *at)
            elif _is_cut_off(origin, *at):
                self.out.write("]")
            return
        most = min(len(old), len(raws))
        same = next((n for n in range(most) if old[n] != raws[n]), most)
        most -= same
        same_at_end = next((n for n in range(most) if old[~n] != raws[~n]), most)
        first = layout.value(*at, same - 1).end + 1 if same else layout.value(*at, 0).start - 1
        self.out.copy(source, start, first)
        self.out.write(_format_property("", raws[same : len(raws) - same_at_end]))
        if same_at_end:
            kept = same and same + same_at_end == len(old)
            following = first if kept else layout.value(*at, len(old) - same_at_end).start - 1
            self.out.copy(source, following, end)
            self._close(origin, *at)


def _find_places(content: Content, old: Content) -> list[int | None]:
    """Return the place of each property of a changed node in the old one, in order."""
    places: list[int | None] = []
    following = 0
    for prop in content:
        place = next((at for at in range(following, len(old)) if old[at].ident == prop.ident), None)
        places.append(place)
        following = following if place is None else place + 1
    return places


def _find_strays_in(origin: SourceGame, at: tuple[int, int]) -> list[Span]:
    """Return the texts between the values of a property that are no white space."""
    count = len(origin.nodes.contents[at[0]][at[1]].raw)
    values = [origin.nodes.places.value(*at, index) for index in range(count)]
    gaps = [Span(one.end + 1, other.start - 1) for one, other in pairwise(values)]
    return [gap for gap in gaps if origin.source.text[slice(*gap)].strip()]


def _find_strays(origin: SourceGame, node: int, bounds: Span) -> list[RawToken]:
    """Return the tokens after the ';' of a node, up to the next one, that are of no property.

    Before the root there may be some, too.  Brackets of trees are not among them.
    """
    content, places = origin.nodes.contents[node], origin.nodes.places
    is_last = node + 1 == len(origin.nodes)
    start = node_span(origin, node).start if node else bounds.start
    end = bounds.end if is_last else node_span(origin, node + 1).start
    read: list[Span] = []
    for place, prop in enumerate(content):
        spans = [places.value(node, place, index) for index in range(len(prop.raw))]
        read.append(Span(places.property(node, place).start, spans[0].end + 1))
        read += [Span(span.start - 1, span.end + 1) for span in spans[1:]]
    ends = [start, *(span.end for span in read)]
    starts = [*(span.start for span in read), end]
    return [
        token
        for gap in zip(ends, starts, strict=True)
        if not _GAP.fullmatch(origin.source.text, *gap)
        for token in game_tokens(origin, *gap)
        if not token.kind.endswith(_STRUCTURE)
    ]


def _is_cut_off(origin: SourceGame, node: int, place: int) -> bool:
    """Return whether the last value of a property has no bracket at its end."""
    layout, count = origin.nodes.places, len(origin.nodes.contents[node][place].raw)
    return layout.value(node, place, count - 1).end == layout.property(node, place).end


#: Endings of the names of tokens for brackets of trees and the ``;`` of nodes.
_STRUCTURE = ("OPEN", "CLOSE", "SEMICOLON")


#: A value without a name, which the property before it would take.
_NAMELESS = re.compile(r"\s*\[")


#: Stray brackets before such a value.
_CLOSING = re.compile(r"(?:\s*\])+(?=\s*\[)")


_GAP = re.compile(r"\s*(?:\)\s*)*(?:\(\s*)?")


def _format_property(name: str, raws: Iterable[str]) -> str:
    return name + "".join([f"[{raw}]" for raw in raws])


def _format_node(content: Content, *, bare: bool) -> str:
    return ("" if bare else ";") + "".join(
        [_format_property(prop.name, prop.raw) for prop in content]
    )

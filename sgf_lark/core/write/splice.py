"""Writing of changed games: unchanged parts are copied byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.provenance import Provenance, SourceGame
from sgf_lark.core.model.readings import Content
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.text.source import Pieces
from sgf_lark.core.values.writer import close_value

from .bounds import find_bounds, has_stray_text, node_span, tree_brackets


def is_shaped_as_before(nodes: Nodes, provenance: Provenance) -> bool:
    old = provenance.games[0].nodes
    return (
        len(nodes) == len(old)
        and not any(provenance.which)
        and list(provenance.numbers) == list(range(len(old)))
        and nodes.parents == old.parents
    )


def is_open(origin: SourceGame, bounds: Span) -> bool:
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
    """Write nodes with all brackets that they need; a game with other text stays as it is."""
    origin = provenance.games[0]
    span = find_bounds(origin)
    if has_stray_text(origin, span):
        out.copy(origin.source, *span)
    else:
        Splicer(out, nodes, provenance, find_bounds).rebuild()


class Splicer:
    """Writer of a changed game: copies unchanged parts, and inserts the others."""

    def __init__(
        self,
        out: Pieces,
        nodes: Nodes,
        provenance: Provenance,
        bounds: Callable[[SourceGame], Span],
    ) -> None:
        self.out = out
        self.bounds = bounds
        self.nodes = nodes
        self.provenance = provenance
        self.ggf = nodes.rules.format is Format.GGF
        text = provenance.games[0].source.text
        span = bounds(provenance.games[0])
        crlf = text.find("\r\n", *span) >= 0
        many = text.find("\n", *span) >= 0
        self.line_break = "\r\n" if crlf else "\n" if many else ""

    def splice(self) -> None:
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

    def close(self) -> None:
        """Write a game as it is, and the brackets that it lacks at its end."""
        origin = self.provenance.games[0]
        span, last = self.bounds(origin), len(self.nodes) - 1
        self.out.copy(origin.source, *span)
        if content := self.nodes.contents[last]:
            self._close(origin, last, len(content) - 1)
        signs = tree_brackets(origin, *span)
        self.out.write(";)" if self.ggf else ")" * (signs.count("(") - signs.count(")")))

    def _begin(self) -> None:
        origin, number = self._origin(0)
        opening = Span(0, 0)
        if origin is not None and number == 0:
            opening = Span(self.bounds(origin).start, node_span(origin, 0).start)
        if origin is not None and origin.source.text.startswith("(", *opening):
            self.out.copy(origin.source, *opening)
        else:
            self.out.write("(")

    def _end(self, closing: int) -> None:
        origin, number = self._origin(len(self.nodes) - 1)
        if self.ggf:
            self.out.write(";)")
            return
        is_new = origin is None
        if is_new:
            origin, number = self._last_of_text(len(self.nodes) - 1)
        if origin is not None and number == len(origin.nodes) - 1:
            start, end = node_span(origin, number).end, self.bounds(origin).end
            is_plain = _GAP.fullmatch(origin.source.text, start, end) is not None
            if (is_plain or not is_new) and tree_brackets(origin, start, end) == ")" * closing:
                self.out.copy(origin.source, start, end)
                return
            if "\n" in origin.source.text[start:end]:
                self.out.write(self.line_break)
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
        origin, number = self._origin(node)
        lead = self.line_break
        if origin is not None and number > 0:
            start, end = node_span(origin, number - 1).end, node_span(origin, number).start
            gap = origin.source.text[start:end]
            is_plain = _GAP.fullmatch(gap) is not None
            brackets = tree_brackets(origin, start, end) if not is_plain else "".join(gap.split())
            wanted = ")" * closing
            if (
                self._last_of_text(node - 1) == (origin, number - 1)
                and (is_plain or self.provenance.which[node - 1] >= 0)
                and (brackets == wanted + "(" or (brackets == wanted and not must_open))
            ):
                self.out.copy(origin.source, start, end)
                return brackets.endswith("(")
            if is_plain:
                lead = gap[: len(gap) - len(gap.lstrip())] or gap[gap.rfind(")") + 1 :]
                lead = lead.partition("(")[0]
        self.out.write(")" * closing + ("" if self.ggf else lead) + "(" * must_open)
        return must_open

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
        if content is old or content == old:
            self.out.copy(source, *span)
            if complete and old:
                self._close(origin, number, len(old) - 1)
            return
        self.out.copy(source, span.start, span.start + begins)
        self._properties(content, origin, number, span.start + begins)

    def _properties(self, content: Content, origin: SourceGame, node: int, done: int) -> None:
        old, layout, text = origin.nodes.contents[node], origin.nodes.places, origin.source.text
        spans = [layout.property(node, place) for place in range(len(old))]
        ends = [done, *(span.end for span in spans)]
        leads = [Span(end, span.start) for end, span in zip(ends, spans, strict=False)]
        usual = text[slice(*leads[-1])] if len(leads) > 1 else ""
        for prop, place in zip(content, _find_places(content, old), strict=True):
            if place is None:
                self.out.write(usual + _format_property(prop.name, prop.raw))
                continue
            self.out.copy(origin.source, *leads[place])
            is_named_as_before = old[place].name == prop.name
            if is_named_as_before and old[place].raw == prop.raw:
                self.out.copy(origin.source, *spans[place])
                self._close(origin, node, place)
            elif is_named_as_before and not _is_cut_off(origin, node, place):
                self._values(origin, (node, place), prop.raw)
            else:
                self.out.write(_format_property(prop.name, map(close_value, prop.raw)))

    def _close(self, origin: SourceGame, node: int, place: int) -> None:
        raw = origin.nodes.contents[node][place].raw[-1]
        if _is_cut_off(origin, node, place):
            self.out.write(close_value(raw)[len(raw) :] + "]")

    def _values(self, origin: SourceGame, at: tuple[int, int], raws: tuple[str, ...]) -> None:
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


def _find_places(content: Content, old: Content) -> list[int | None]:
    places: list[int | None] = []
    following = 0
    for prop in content:
        place = next((at for at in range(following, len(old)) if old[at].ident == prop.ident), None)
        places.append(place)
        following = following if place is None else place + 1
    return places


def _is_cut_off(origin: SourceGame, node: int, place: int) -> bool:
    layout, count = origin.nodes.places, len(origin.nodes.contents[node][place].raw)
    return layout.value(node, place, count - 1).end == layout.property(node, place).end


_GAP = re.compile(r"\s*(?:\)\s*)*(?:\(\s*)?")


def _format_property(name: str, raws: Iterable[str]) -> str:
    return name + "".join([f"[{raw}]" for raw in raws])


def _format_node(content: Content, *, bare: bool) -> str:
    return ("" if bare else ";") + "".join(
        [_format_property(prop.name, prop.raw) for prop in content]
    )

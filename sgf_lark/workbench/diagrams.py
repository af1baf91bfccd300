"""Railroad diagrams of a grammar: a track for every rule and terminal, with its quotations.

Drawn by the library railroad-diagrams, from the text of the grammar, so that ``x*`` is drawn
as a loop and not as the helper rules that Lark makes of it.
"""

from __future__ import annotations

import io
from html import escape
from typing import Any

from lark import Token
from lark.visitors import Transformer_NonRecursive
from railroad import (
    DEFAULT_STYLE,
    Choice,
    Comment,
    Diagram,
    DiagramItem,
    NonTerminal,
    OneOrMore,
    Optional,
    Sequence,
    Skip,
    Terminal,
    ZeroOrMore,
)

from sgf_lark.core import File, cut
from sgf_lark.pictures.pages.markup import Html, join, tag
from sgf_lark.pictures.pages.page import end_page, start_page
from sgf_lark.workbench.source_text import Definition, GrammarText, grammar_text

#: Limit in characters of a text or a pattern in a box.
_MAX_SHOWN = 40

#: Space between the diagrams of one picture, in pixels.
_GAP = 34


def grammar_as_html(file: File, title: str) -> str:
    """Return a page with every diagram, below its production and its rule; names are links.

    The page begins with its contents.
    """
    source = grammar_text(file)
    sections = [
        tag(
            "section",
            tag("h2", definition.name),
            *(tag("pre", line, class_="ebnf") for line in definition.quoted),
            tag("pre", source.written(definition)),
            tag(
                "div",
                Html(_svg(diagram(source, definition, links=True))),
                class_="track",
                tabindex=0,  # a wide one is scrolled by keys, too
            ),
            id=definition.name,
        )
        for definition in source.by_name.values()
    ]
    links = (tag("li", tag("a", name, href=f"#{name}")) for name in source.by_name)
    contents = tag("nav", tag("ul", *links), class_="contents", aria_label="Contents")
    style = Html(DEFAULT_STYLE + _STYLE)
    main = tag("main", tag("h1", title), contents, *sections)
    return join((start_page(title, "auto", style), main, end_page()))


def grammar_as_svg(file: File) -> str:
    """Return one picture with every diagram, one below the other, under its production."""
    source = grammar_text(file)
    parts, y, width = [], 10.0, 0.0
    for definition in source.by_name.values():
        drawn = diagram(source, definition)
        drawn.attrs |= {"x": "0", "y": f"{y + 20 + 18 * len(definition.quoted):.0f}"}
        parts.append(f"<text class='name' x='10' y='{y + 14:.0f}'>{definition.name}</text>")
        for number, line in enumerate(definition.quoted):
            at = y + 32 + 18 * number
            parts.append(f"<text class='ebnf' x='10' y='{at:.0f}'>{escape(line)}</text>")
            width = max(width, 8 * len(line) + 20.0)
        parts.append(_svg(drawn))
        y += float(drawn.attrs["height"]) + 18 * len(definition.quoted) + _GAP
        width = max(width, float(drawn.attrs["width"]))
    style = DEFAULT_STYLE + _SVG_STYLE
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
        f" width='{width:.0f}' height='{y:.0f}' viewBox='0 0 {width:.0f} {y:.0f}'>"
        f"<style>{escape(style)}</style><rect width='100%' height='100%' fill='#fff'/>"
        + "".join(parts)
        + "</svg>\n"
    )


def diagram_of(source: GrammarText, definition: Definition, *, links: bool = False) -> str:
    """Return the diagram of a definition below its production, as part of a page."""
    quoted = "".join(f"<pre>{escape(line)}</pre>" for line in definition.quoted)
    return quoted + _svg(diagram(source, definition, links=links))


def diagram(source: GrammarText, definition: Definition, *, links: bool = False) -> Any:
    """Return the diagram of a definition; names may be links to their definitions."""
    tracks = [
        _Tracks(source, links=links).transform(alternative)
        for alternative in definition.alternatives
    ]
    drawn = Diagram(
        _choice(tracks), css=None, type="complex" if not definition.is_terminal else "simple"
    )
    drawn.attrs |= {"role": "img", "aria-label": f"diagram of {definition.name}"}
    drawn.format(10)
    return drawn


def _svg(drawn: Any) -> str:
    paper = io.StringIO()
    drawn.writeSvg(paper.write)
    return paper.getvalue()


def _choice(tracks: list[Any]) -> Any:
    return tracks[0] if len(tracks) == 1 else Choice(0, *tracks)


class _Tracks(Transformer_NonRecursive[Token, Any]):
    """The transformer from an alternative to tracks; each method is a construct of the notation."""

    def __init__(self, source: GrammarText, *, links: bool) -> None:
        super().__init__(visit_tokens=False)
        self._known = source.by_name
        self._links = links

    def alternative(self, children: list[Any]) -> Any:
        *parts, alias = children
        tracks = [self._part(part) for part in parts]
        if alias is not None:
            tracks.append(Comment(f"as {alias}"))
        return Sequence(*tracks) if tracks else Skip()

    def group(self, children: list[Any]) -> Any:
        return _choice(children)

    def maybe(self, children: list[Any]) -> Any:
        return Optional(_choice(children))

    def repeated(self, children: list[Any]) -> Any:
        part, how, *to = children
        track = self._part(part)
        repetition = {"?": Optional, "*": ZeroOrMore, "+": OneOrMore}.get(str(how))
        if repetition is not None:
            return repetition(track)
        times = f"{how} to {to[0]} times" if to and to[0] is not None else f"{how} times"
        return OneOrMore(track, Comment(times))

    def range(self, children: list[Any]) -> Any:
        first, last = (str(literal).strip('"') for literal in children)
        return Terminal(f"{first} to {last}")

    def symbol(self, children: list[Any]) -> Any:
        name = str(children[0]).lstrip("?!")
        if name in self._known and (text := _only_text(self._known[name])) is not None:
            return self._part(text)
        return NonTerminal(name, href=f"#{name}" if self._links and name in self._known else None)

    def template(self, children: list[Any]) -> Any:
        name, *arguments = children
        return Sequence(name, Comment("of"), *(self._part(argument) for argument in arguments))

    def _part(self, part: Any) -> Any:
        if isinstance(part, DiagramItem) or not isinstance(part, Token):
            return part
        label = str(part)
        if part.type == "STRING":
            label = label.removesuffix("i").strip('"') or "nothing"
        return Terminal(cut(label, _MAX_SHOWN))


def _only_text(definition: Definition) -> Token | None:
    """Return the text of a terminal that is a literal: ``(`` is clearer than its name."""
    if not definition.is_terminal or len(definition.alternatives) != 1:
        return None
    only, *more = definition.alternatives[0].children  # the last one is the alias, if there is one
    if len(more) == 1 and isinstance(only, Token) and only.type == "STRING":
        return only
    return None


_STYLE = """
svg.railroad-diagram { background: none; max-width: none; }
svg.railroad-diagram path { stroke: var(--text); }
svg.railroad-diagram text { fill: var(--text); }
svg.railroad-diagram rect { stroke: var(--text); fill: var(--card); }
svg.railroad-diagram .terminal rect { fill: light-dark(#e2f3e3, #24402a); }
svg.railroad-diagram a text { fill: var(--link); text-decoration: underline; }
.contents ul { columns: 12rem; list-style: none; padding: 0; margin: 0 0 1rem; }
h1, h2 { margin: 2rem 0 .3rem; }
pre { margin: .2rem 0; white-space: pre-wrap; }
pre.ebnf { color: var(--help); font-weight: 600; }
.track { overflow-x: auto; }
:target h2 { background: var(--hit); }
"""

_SVG_STYLE = """
text.name { font: bold 15px sans-serif; text-anchor: start; }
text.ebnf { font: 13px monospace; text-anchor: start; fill: #14532d; }
"""

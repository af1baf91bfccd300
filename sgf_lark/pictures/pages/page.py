"""Pages of games: title, players, figures and comments, as HTML that needs nothing else.

A page has no script and asks no server for anything.  Its texts come from records that nobody
has to trust: each becomes text, and a content security policy forbids all else.

The pieces for notebooks have no style sheet, and their pictures are images: what else a notebook
may show depends on who made it.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from sgf_lark.core import Model, late
from sgf_lark.pictures.diagram import Diagram, GameFigure
from sgf_lark.pictures.parts import PageTheme, TextStyle
from sgf_lark.pictures.shapes.grounds import SURFACES, THEMES
from sgf_lark.pictures.text import clean
from sgf_lark.pictures.words import LANGUAGE, in_language, word

from .markup import Html, join, said, tag

#: What a browser may do with a page: show it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"

#: Most figures of a page; the others are counted.
MAX_FIGURES = 500

#: Most characters of a title in the short form of a page.
MAX_TITLE = 80


class HeadRow(NamedTuple):
    """A row of the head of a page, such as Result: B+R."""

    name: str
    text: str


class GamePage(Model):
    """A game as it is printed: what its HTML page and its PDF show.

    Attributes:
        title: The players, or the name of the game.
        facts: Players, result, date and so on.
        comment: The comment on the game (GC).
        figures: The figures, those of variations too.
        lost: Reasons why there is no picture, or more figures are not shown.
        games: Of a worksheet, whose own figures are the positions of problems: the solutions,
            and the games.
        is_problem: The first figure is a position to be solved.
        language: That of its own words: ``en``, ``de``, ``ja`` or ``zh``.
        game: The game, to look through it; None if the page was made by hand.
    """

    title: str
    facts: tuple[HeadRow, ...] = ()
    comment: str = ""
    figures: tuple[GameFigure, ...] = ()
    lost: tuple[str, ...] = ()
    games: tuple[GamePage, ...] = ()
    is_problem: bool = False
    language: str = "en"
    game: Any = Field(None, exclude=True, repr=False)

    def html(self, theme: PageTheme = "auto", *, viewer: bool = False) -> str:
        """Return the page as HTML, complete in itself.

        Args:
            theme: ``light``, ``dark``, ``print``; ``auto`` for that of the reader's system.
            viewer: A board to step through the game, in the place of the figures.

        Raises:
            ValueError: The page has no viewer, because it was not made from a game.
        """
        if not viewer:
            with in_language(self.language):
                return draw_page(self, theme)
        if self.game is None:
            raise ValueError("a page that was not made from a game has no viewer")
        return late.view_games((self.game,), theme)

    def text(self, style: TextStyle = "unicode") -> str:
        """Return the figures and comments as lines of text.

        Args:
            style: As for :func:`sgf_lark.pictures.text.draw_text`.
        """
        with in_language(self.language):
            return "\n\n".join(draw_lines(self, style)) + "\n"

    def pdf(self, fonts: Sequence[str | os.PathLike[str]] = ()) -> bytes:
        """Return the page as PDF; see :func:`sgf_lark.pictures.pages.pdf.draw_pdf`.

        Args:
            fonts: Folders with more fonts; those of the system are used as well.

        Raises:
            ModuleNotFoundError: It needs the extra ``sgf_lark[pdf]``.
        """
        with in_language(self.language):
            return late.draw_pdf(self, fonts)

    def __repr__(self) -> str:
        return f"<GamePage {self.title[:MAX_TITLE]!r}, figures: {len(self.figures)}>"

    def _repr_html_(self) -> str:
        with in_language(self.language):
            return late.draw_game(self)


# ---- the page ----


def draw_page(page: GamePage, theme: PageTheme = "auto") -> str:
    """Return a game as an HTML page; see :meth:`GamePage.html`."""
    most = widest_picture(page)
    games = [
        tag("section", *_head(game, "h2"), *_body(game, theme, f"{number}-", most), class_="game")
        for number, game in enumerate(page.games, 1)
    ]
    main = tag("main", *_body(page, theme, "", most), *games)
    head = tag("header", *_head(page, "h1"))
    return join((start_page(page.title, theme), head, main, end_page()))


def _head(page: GamePage, heading: str) -> Iterator[Html]:
    yield tag(heading, tag("bdi", page.title))
    yield facts_list(page.facts)
    if page.comment:
        yield said("p", page.comment, class_="said")


def widest_picture(page: GamePage) -> int:
    """Return the width of the widest picture of a worksheet; 0 for a page of one game.

    All pictures of a worksheet have one scale, so that stones are equally large.
    """
    pages = (page, *page.games) if page.games else ()
    figures = (figure for one in pages for figure in one.figures[:MAX_FIGURES])
    return max((_cells(figure.diagram) for figure in figures), default=0)


def share_of(diagram: Diagram, most: int) -> float:
    """Return the width of a picture as a part of that of the widest one; 1 if each is as wide."""
    return round(_cells(diagram) / most, 3) if most else 1


def _cells(diagram: Diagram) -> int:
    return len(diagram.extent[0]) + 2  # with the names of rows


def _body(page: GamePage, theme: PageTheme, prefix: str, most: int) -> Iterator[Html]:
    lost = [tag("p", line) for line in lost_parts(page)]
    yield tag("div", *lost, class_="lost", role="note") if lost else Html()
    shown = page.figures[:MAX_FIGURES]
    parts = [
        _figure(figure, variations, theme, prefix, most, page)
        for figure, *variations in with_variations(shown)
    ]
    kind = "figures sheet" if page.games else "figures"
    yield tag("div", *parts, class_=kind) if parts or not page.games else Html()


def start_page(title: str, theme: PageTheme = "auto", style: Html | None = None) -> Html:
    """Return the beginning of a page, up to the beginning of its body."""
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content="sgf_lark"),
        tag("title", title),
        tag("style", join((page_style(), style or Html()))),
    )
    forced = None if theme == "auto" else theme
    parts = (tag("head", *head), "\n", Html("<body>"))
    opened = tag("html", *parts, lang=LANGUAGE.get(), data_theme=forced)
    return Html("<!DOCTYPE html>\n" + opened.removesuffix("</html>") + "\n")


def end_page() -> Html:
    return Html(tag("footer", word("Made by sgf_lark")) + "\n</body></html>\n")


def page_style() -> Html:
    sheet = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return Html(sheet + "".join(_adapt_pictures()))


def _adapt_pictures() -> Iterator[str]:
    """Yield the rules by which pictures in light colors become dark with the page.

    Printed, pictures of all colors become black and white.
    """
    for surface, themes in SURFACES.items():
        light, dark = (THEMES[theme] | themes[theme] for theme in ("light", "dark"))
        colors = "".join(
            f"--sgf-{name}:light-dark({light[name]},{dark[name]});" for name in sorted(light)
        )
        yield f".sgf-{surface}-light{{{colors}}}\n"
        paper = THEMES["print"] | themes["print"]
        colors = "".join(f"--sgf-{name}:{paper[name]};" for name in sorted(paper))
        kinds = ",".join(f".sgf-{surface}-{theme}" for theme in THEMES if theme != "print")
        yield f"@media print{{{kinds}{{{colors}}}}}\n"


def picture(diagram: Diagram, theme: PageTheme = "auto", most: int = 0) -> Html:
    """Return a diagram as a figure of HTML; its caption has its notes and what it leaves out."""
    lines = [tag("div", line) for line in diagram.captions]
    lines += [tag("div", line, class_="lost") for line in diagram.left_out[:MAX_LEFT_OUT]]
    below = (tag("figcaption", *lines),) if lines else ()
    scale = {"style": f"--share:{share_of(diagram, most)}"} if most else {}
    return tag("figure", bare_svg(diagram, theme), *below, class_="picture", **scale)


#: Most lines below a picture about what it leaves out.
MAX_LEFT_OUT = 10


def bare_svg(diagram: Diagram, theme: PageTheme = "auto") -> Html:
    """Return a diagram as SVG without title and notes, which are text of the page."""
    return Html(diagram.svg(theme="light" if theme == "auto" else theme, captions=False))


def facts_list(facts: Sequence[HeadRow]) -> Html:
    rows = [tag("div", tag("dt", fact.name), tag("dd", tag("bdi", fact.text))) for fact in facts]
    return tag("dl", *rows, class_="facts") if rows else Html()


def lost_parts(page: GamePage) -> list[str]:
    """Return what a page does not show, in words."""
    left = len(page.figures) - MAX_FIGURES
    more = [word(f"{{}} more figure{'s'[: left != 1]} not shown", left)] if left > 0 else []
    return [*page.lost, *more]


# ---- figures ----


def with_variations(figures: Iterable[GameFigure]) -> list[list[GameFigure]]:
    """Return the figures of the main line, each with those of variations that follow it."""
    groups: list[list[GameFigure]] = []
    for figure in figures:
        if figure.parent is None or not groups:
            groups.append([])
        groups[-1].append(figure)
    return groups


def _figure(
    figure: GameFigure,
    variations: list[GameFigure],
    theme: PageTheme,
    prefix: str,
    most: int,
    page: GamePage,
) -> Html:
    parts = [
        tag("h2", heading(figure, is_alone=len(page.figures) == 1), dir="auto"),
        picture(figure.diagram, theme, most),
    ]
    if page.games:  # a position to be solved has its name below
        parts.reverse()
    parts = [tag("div", *parts, class_="headed")]
    beside = [_remarks(figure)]
    if variations:
        rows = [
            tag(
                "section",
                tag(
                    "div",
                    tag("h3", heading(inner), dir="auto"),
                    picture(inner.diagram, theme, most),
                    class_="headed",
                ),
                _remarks(inner),
                class_="variation",
                id=f"figure-{prefix}{inner.number}",
            )
            for inner in variations
        ]
        beside.append(tag("div", *rows, class_="variations"))
    is_long = any(beside)
    if is_long:
        parts.append(tag("div", *beside))
    kind = "figure long" if is_long else "figure"
    return tag("section", *parts, class_=kind, id=f"figure-{prefix}{figure.number}")


def heading(figure: GameFigure, *, is_alone: bool = False) -> str:
    """Return the heading of a figure: its name or number, its place and its moves."""
    name, place = figure.name.strip(), variation_of(figure)
    if is_alone and name:
        return name
    if place:
        unnamed = word("Variation {} {}", figure.number, place)
        words = word("{}, variation {}", name, place) if name else unnamed
    else:
        words = name or word("Figure {}", figure.number)
    return words + (f" ({moves(figure)})" if figure.first else "")


def variation_of(figure: GameFigure) -> str:
    """Return the place where a variation begins; "" for a figure of the main line."""
    if figure.parent is None:
        return ""
    place = word("after move {}", figure.parent) if figure.parent else word("at the start")
    is_nested = figure.origin is not None and not figure.origin.isdecimal()
    return word("of {} {}", figure.origin, place) if is_nested else place


def moves(figure: GameFigure) -> str:
    """Return the numbers of a figure's moves, with a dash between first and last."""
    return str(figure.first) if figure.first == figure.last else f"{figure.first}-{figure.last}"


def remarks_of(figure: GameFigure) -> Iterator[tuple[str, str, str]]:
    """Yield what is said of the nodes of a figure: its heading, name and comment.

    The name of the figure itself is not said again.  Moves that have nothing but the same
    annotations are listed together.
    """
    alike: dict[str, list[str]] = {}
    for number, name, comment, thoughts in figure.comments:
        shown = "" if name.strip() == figure.name.strip() else name
        words = ", ".join(thoughts)
        if shown or comment:
            place = word("Move {}", number) if number else ""
            yield " ".join(filter(None, (place, f"({words})" if words else ""))), shown, comment
        elif words:
            alike.setdefault(words, []).extend([str(number)] if number else [])
    for words, numbers in alike.items():
        yield words, "", ", ".join(numbers)


def _remarks(figure: GameFigure) -> Html:
    rows = [
        tag(
            "li",
            tag("b", head) if head else Html(),
            said("span", name, class_="name") if name else Html(),
            said("div", comment, class_="said") if comment else Html(),
        )
        for head, name, comment in remarks_of(figure)
    ]
    return tag("ul", *rows, class_="comments") if rows else Html()


# ---- as text ----


def draw_lines(page: GamePage, style: TextStyle) -> Iterator[str]:
    """Yield the parts of a page as text: title, figures, comments."""
    yield _cleaned(page.title)
    for figure in page.figures[:MAX_FIGURES]:
        bare = figure.diagram.model_copy(update={"title": ""})
        title = _cleaned(heading(figure, is_alone=len(page.figures) == 1))
        yield f"{title}\n{bare.text(style)}"
        for head, *said_of_it in remarks_of(figure):
            words = "\n".join(filter(None, said_of_it))
            yield _cleaned(": ".join(filter(None, (head, words))))
    yield from lost_parts(page)
    for game in page.games:
        yield from draw_lines(game, style)


def _cleaned(text: str) -> str:
    return "\n".join(map(clean, text.splitlines()))


# ---- plots ----

#: Size of a plot and its margins, in the units of the picture: a phone shows it as it is.
WIDTH, HEIGHT = 360, 180
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 8, 22

#: Most labels below the bars; fewer if they are long.
MAX_LABELS = 8

#: Width of a character of a label, at most.
CHARACTER = 6.5

#: The style of plots, for a page.
STYLE = Html(
    """
.plot { margin: 0 0 1rem; max-width: 34rem; }
.plot svg { width: 100%; }
.plot rect { fill: var(--link); } .plot rect:hover { fill: var(--error); }
.plot line { stroke: var(--line); }
.plot text { fill: var(--soft); font-size: 11px; }
"""
)


class Bar(NamedTuple):
    label: str
    number: int  # its height, from 0
    title: str


def draw_bars(bars: Sequence[Bar], title: str) -> Html:
    """Return a plot with a bar for each class, from left to right."""
    step = _step(max((bar.number for bar in bars), default=0))
    top = max(1, -(-max((bar.number for bar in bars), default=0) // step)) * step
    unit = (HEIGHT - TOP - BOTTOM) / top
    bottom, room = HEIGHT - BOTTOM, (WIDTH - LEFT - RIGHT) / max(1, len(bars))
    parts = []
    for count in range(0, top + 1, step):
        y = round(bottom - count * unit, 1)
        parts += [
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=str(y), y2=str(y)),
            tag("text", f"{count:,}", x=LEFT - 6, y=str(y + 4), text_anchor="end"),
        ]
    longest = max((len(bar.label) for bar in bars), default=0) * CHARACTER + CHARACTER
    every = max(1, round(longest / room + 0.5), -(-len(bars) // MAX_LABELS))  # they do not touch
    for at, bar in enumerate(bars):
        x, height = LEFT + at * room, bar.number * unit
        place = {
            "x": f"{x + room * 0.08:.1f}",
            "y": f"{bottom - height:.1f}",
            "width": f"{room * 0.84:.1f}",
            "height": f"{height:.1f}",
        }
        parts.append(tag("rect", tag("title", bar.title), **place))
        if at % every == 0:
            middle = f"{x + room / 2:.1f}"
            parts.append(tag("text", bar.label, x=middle, y=HEIGHT - 6, text_anchor="middle"))
    picture = tag("svg", join(parts), viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)
    return tag("figure", picture, class_="plot")


def _step(most: int) -> int:
    """Return the distance of the lines of a plot, so that there are at most 5: 1, 2, 5, 10 ..."""
    power: int = 10 ** max(0, int(log10(max(1, most))) - 1)
    steps = (factor * power for factor in (1, 2, 5, 10, 20, 50))
    return next(step for step in steps if most <= 5 * step)


# ---- pieces of HTML for notebooks ----

#: Most figures of a game; the others are counted.
MAX_NOTEBOOK_FIGURES = 4

#: The facts of a game, by their names.
FACTS = {"Black", "White", "Result", "Date", "Event"}


def draw_game(page: GamePage) -> str:
    """Return a game as HTML for a notebook: players, result, and its first figures."""
    names = {*map(word, FACTS)}
    facts = " \N{MIDDLE DOT} ".join(fact.text for fact in page.facts if fact.name in names)
    return tag(
        "div",
        tag("div", said("b", page.title)),
        said("div", facts),
        tag("div", draw_figures(page.figures), style="margin-top:.7em"),
        *(tag("div", line) for line in page.lost),
    )


def draw_figures(figures: Sequence[GameFigure]) -> Html:
    """Return the first figures of the main line, or of a variation if there are no others."""
    main = [figure for figure in figures if figure.parent is None] or figures
    shown = main[:MAX_NOTEBOOK_FIGURES]
    boards = draw_board_list(
        (heading(figure, is_alone=len(figures) == 1), figure.diagram) for figure in shown
    )
    left = len(figures) - len(shown)
    more = f"and {left} more: game.page().html() has all figures and comments" if left else ""
    return join((boards, tag("div", more)))


def draw_board_list(boards: Iterable[tuple[str, Diagram]]) -> Html:
    """Return boards beside each other, each with its heading above and its notes below."""
    cells = (
        tag(
            "div",
            tag("div", words),
            image(diagram, "20em"),
            *(tag("div", note) for note in diagram.captions),
            style="display:inline-block;vertical-align:top;margin:0 1.5em 1em 0;max-width:100%",
        )
        for words, diagram in boards
    )
    return join(cells)


def image(diagram: Diagram, width: str) -> Html:
    """Return a diagram as an image, which any notebook shows, trusted or not."""
    return image_of(bare_svg(diagram), diagram.title, f"width:{width};")


def image_of(svg: str, title: str = "", style: str = "") -> Html:
    """Return an SVG as an image."""
    source = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
    return tag("img", src=source, alt=title or "board", style=f"{style}max-width:100%")


def draw_list(
    rows: Iterable[tuple[Diagram | None, tuple[str, ...]]], names: Sequence[str], left: int = 0
) -> Html:
    head = tag("tr", tag("th"), *(tag("th", name, scope="col") for name in names))
    body = [
        tag(
            "tr",
            tag("td", *(() if diagram is None else (image(diagram, "6em"),))),
            *(said("td", text, style="text-align:start") for text in texts),
        )
        for diagram, texts in rows
    ]
    more = [tag("div", f"and {left} more")] if left else []
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), *more)

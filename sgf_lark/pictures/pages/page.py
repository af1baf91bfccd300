"""Pages of games: title, players, figures and comments, as HTML that needs nothing else.

A page has no script and asks no server for anything.  Its texts come from records that nobody
has to trust: each becomes text, and a content security policy forbids all else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from pydantic import Field

from sgf_lark import late
from sgf_lark.pictures.diagram import Diagram, GameFigure
from sgf_lark.pictures.parts import PageTheme, TextStyle
from sgf_lark.pictures.shapes.themes import SURFACES, THEMES
from sgf_lark.pictures.text import clean
from sgf_lark.schema.values import Model

from .markup import Html, join, said, tag

#: What a browser may do with a page: show it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"

#: Most figures of a page; the others are counted.
MAX_FIGURES = 500


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
        game: The game, to look through it; None if the page was made by hand.
    """

    title: str
    facts: tuple[HeadRow, ...] = ()
    comment: str = ""
    figures: tuple[GameFigure, ...] = ()
    lost: tuple[str, ...] = ()
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
            return draw_page(self, theme)
        if self.game is None:
            raise ValueError("a page that was not made from a game has no viewer")
        return late.view_games((self.game,), theme)

    def text(self, style: TextStyle = "unicode") -> str:
        """Return the figures and comments as lines of text.

        Args:
            style: As for :func:`sgf_lark.pictures.text.draw_text`.
        """
        return "\n\n".join(draw_lines(self, style)) + "\n"

    def pdf(self, fonts: Sequence[str | os.PathLike[str]] = ()) -> bytes:
        """Return the page as PDF; see :func:`sgf_lark.pictures.pages.pdf.draw_pdf`.

        Args:
            fonts: Folders with more fonts; those of the system are used as well.

        Raises:
            ModuleNotFoundError: It needs typst: ``pip install typst``.
        """
        return late.draw_pdf(self, fonts)

    def _repr_html_(self) -> str:
        return late.draw_game(self)


# ---- the page ----


def draw_page(page: GamePage, theme: PageTheme = "auto") -> str:
    """Return a game as an HTML page; see :meth:`GamePage.html`."""
    comment = said("p", page.comment, class_="said") if page.comment else Html()
    head = tag("header", tag("h1", tag("bdi", page.title)), facts_list(page.facts), comment)
    lost = [tag("p", line) for line in losses(page)]
    note = tag("div", *lost, class_="lost", role="note") if lost else Html()
    main = tag("main", note, _figures(page.figures, theme))
    return join((start_page(page.title, theme), head, main, end_page()))


def start_page(title: str, theme: PageTheme = "auto", style: Html | None = None) -> Html:
    """Return the beginning of a page, up to the beginning of its body.

    Args:
        title: The title in the window of the browser.
        theme: As for :meth:`GamePage.html`.
        style: More of a style sheet.
    """
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content="sgf_lark"),
        tag("title", title),
        tag("style", join((page_style(), style or Html()))),
    )
    forced = None if theme == "auto" else theme
    opened = tag("html", tag("head", *head), "\n", Html("<body>"), lang="en", data_theme=forced)
    return Html("<!DOCTYPE html>\n" + opened.removesuffix("</html>") + "\n")


def end_page() -> Html:
    """Return the end of a page."""
    return Html(tag("footer", "Made by sgf_lark") + "\n</body></html>\n")


@cache
def page_style() -> Html:
    """Return the style sheet of all pages."""
    sheet = (files(__package__) / "page.css").read_text(encoding="utf-8")
    return Html(sheet + "".join(_adapt_pictures()))


def _adapt_pictures() -> Iterator[str]:
    """Yield the rules by which pictures in light colors become dark with the page."""
    for surface, themes in SURFACES.items():
        light, dark = (THEMES[theme] | themes[theme] for theme in ("light", "dark"))
        colors = "".join(
            f"--sgf-{name}:light-dark({light[name]},{dark[name]});" for name in sorted(light)
        )
        yield f".sgf-{surface}-light{{{colors}}}\n"


def picture(diagram: Diagram, theme: PageTheme = "auto") -> Html:
    """Return a diagram as a figure of HTML; its caption has its notes and what it leaves out."""
    lines = [tag("div", " ".join(diagram.notes))] if diagram.notes else []
    lines += [tag("div", line, class_="lost") for line in diagram.left_out[:MAX_LEFT_OUT]]
    below = (tag("figcaption", *lines),) if lines else ()
    return tag("figure", bare_svg(diagram, theme), *below, class_="picture")


#: Most lines below a picture about what it leaves out.
MAX_LEFT_OUT = 10


def bare_svg(diagram: Diagram, theme: PageTheme = "auto") -> Html:
    """Return a diagram as SVG without title and notes, which are text of the page.

    Args:
        diagram: The diagram.
        theme: As for :meth:`GamePage.html`; the style sheet of a page adapts ``auto``.
    """
    bare = diagram.model_copy(update={"title": "", "notes": ()})
    return Html(bare.svg(theme="light" if theme == "auto" else theme))


def facts_list(facts: Sequence[HeadRow]) -> Html:
    """Return the facts of a game as a list."""
    rows = [tag("div", tag("dt", fact.name), tag("dd", tag("bdi", fact.text))) for fact in facts]
    return tag("dl", *rows, class_="facts") if rows else Html()


def losses(page: GamePage) -> list[str]:
    """Return what a page does not show, in words."""
    left = len(page.figures) - MAX_FIGURES
    more = [f"{left} more figure{'s'[: left != 1]} not shown"] if left > 0 else []
    return [*page.lost, *more]


# ---- figures ----


def _figures(figures: Sequence[GameFigure], theme: PageTheme) -> Html:
    shown = figures[:MAX_FIGURES]
    parts = [
        _figure(figure, variations, theme, is_alone=len(figures) == 1)
        for figure, variations in with_variations(shown)
    ]
    return tag("div", *parts, class_="figures")


def with_variations(
    figures: Sequence[GameFigure],
) -> Iterator[tuple[GameFigure, list[GameFigure]]]:
    """Yield the figures of the main line, each with those of the variations that begin in it.

    A variation is followed by those that begin in it.
    """
    others = {figure.number: figure for figure in figures if figure.parent is not None}
    for figure in figures:
        if figure.parent is not None:
            continue
        variations = []
        waiting = [*reversed(figure.variations)]
        while waiting:
            found = others.pop(waiting.pop(), None)
            if found is not None:
                variations.append(found)
                waiting += reversed(found.variations)
        yield figure, variations


def in_order(figures: Sequence[GameFigure]) -> Iterator[GameFigure]:
    """Yield figures as they are read: each before the variations that begin in it."""
    for figure, variations in with_variations(figures):
        yield figure
        yield from variations


def _figure(
    figure: GameFigure, variations: list[GameFigure], theme: PageTheme, *, is_alone: bool
) -> Html:
    parts = [
        tag("h2", heading(figure, is_alone=is_alone), dir="auto"),
        picture(figure.diagram, theme),
    ]
    beside = [_comments(figure)]
    if variations:
        rows = [
            tag(
                "section",
                tag("h3", heading(inner), dir="auto"),
                picture(inner.diagram, theme),
                _comments(inner),
                class_="variation",
                id=f"figure-{inner.number}",
            )
            for inner in variations
        ]
        beside.append(tag("div", *rows, class_="variations"))
    is_long = any(beside)
    if is_long:
        parts.append(tag("div", *beside))
    kind = "figure long" if is_long else "figure"
    return tag("section", *parts, class_=kind, id=f"figure-{figure.number}")


def heading(figure: GameFigure, *, is_alone: bool = False) -> str:
    """Return the heading of a figure: its name or number, its place and its moves.

    Args:
        figure: The figure.
        is_alone: There is no other one, so that its name is enough.
    """
    name = figure.name.strip() or f"Figure {figure.number}"
    if is_alone and figure.name:
        return name
    variation = variation_of(figure)
    words = f"{name}, {variation}" if variation else name
    return words + (f" ({moves(figure)})" if figure.first else "")


def variation_of(figure: GameFigure) -> str:
    """Return the place where a variation begins; "" for a figure of the main line."""
    if figure.parent is None:
        return ""
    return f"variation after move {figure.parent}" if figure.parent else "variation at the start"


def moves(figure: GameFigure) -> str:
    """Return the numbers of a figure's moves, with a dash between first and last."""
    if figure.first == figure.last:
        return str(figure.first)
    return f"{figure.first}-{figure.last}"


def comments_of(figure: GameFigure) -> Iterator[tuple[int, str, str]]:
    """Yield the comments of a figure: number of the move, name and text; not its own name again."""
    for number, name, comment in figure.comments:
        if name.strip() == figure.name.strip():
            name = ""  # noqa: PLW2901  # the heading has it
        if name or comment:
            yield number, name, comment


def _comments(figure: GameFigure) -> Html:
    rows = [
        tag(
            "li",
            tag("b", f"Move {number}") if number else Html(),
            said("span", name, class_="name") if name else Html(),
            said("div", comment, class_="said") if comment else Html(),
        )
        for number, name, comment in comments_of(figure)
    ]
    return tag("ul", *rows, class_="comments") if rows else Html()


# ---- as text ----


def draw_lines(page: GamePage, style: TextStyle) -> Iterator[str]:
    """Yield the parts of a page as text: title, figures, comments."""
    yield _cleaned(page.title)
    for figure in in_order(page.figures[:MAX_FIGURES]):
        bare = figure.diagram.model_copy(update={"title": ""})
        title = _cleaned(heading(figure, is_alone=len(page.figures) == 1))
        yield f"{title}\n{bare.text(style)}"
        for number, name, comment in comments_of(figure):
            words = "\n".join(filter(None, (name, comment)))
            yield _cleaned(f"Move {number}: {words}" if number else words)
    yield from losses(page)


def _cleaned(text: str) -> str:
    """Return lines of text without what would move the cursor of a terminal."""
    return "\n".join(map(clean, text.splitlines()))

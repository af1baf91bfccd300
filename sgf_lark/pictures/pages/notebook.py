"""Games for notebooks: pieces of HTML that any of them shows, trusted or not.

They have no style sheet, and their pictures are images: what else a notebook may show depends on
who made it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence

from sgf_lark.pictures.diagram import Diagram, GameFigure
from sgf_lark.pictures.words import word

from .markup import Html, join, said, tag
from .page import GamePage, bare_svg, heading

#: Most figures of a game; the others are counted.
MAX_FIGURES = 4

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
    shown = main[:MAX_FIGURES]
    boards = draw_boards(
        (heading(figure, is_alone=len(figures) == 1), figure.diagram) for figure in shown
    )
    left = len(figures) - len(shown)
    more = f"and {left} more: game.page().html() has all figures and comments" if left else ""
    return join((boards, tag("div", more)))


def draw_boards(boards: Iterable[tuple[str, Diagram]]) -> Html:
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
    """Return games as a table, with a picture of each."""
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

"""Pages to look through games, one file without requests: a board, and a script that steps it.

The pictures of all nodes are split into their elements, each of which a page has once.  A node has
the numbers of the elements that come and go with it, seen from its parent.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import PageTheme
from sgf_lark.pictures.shapes.geometry import Box, layout_of, num
from sgf_lark.pictures.svg import compose, wrap
from sgf_lark.schema.values import Point

from .markup import Html, html, join, said, tag
from .page import POLICY, GamePage, end_page, facts_list, start_page


class ViewedNode(NamedTuple):
    """A node of a game to look through.

    Attributes:
        parent: The number of the node before it among those that are shown; -1 for the first.
        diagram: Its picture.
        target: The point on which its move ends.
        told: What else the script knows of it: ``path``, ``number``, ``by``, ``move``, ``name``,
            ``comment``, ``notes``.
    """

    parent: int
    diagram: Diagram
    target: Point | None
    told: dict[str, Any]


class ViewedGame(NamedTuple):
    """A game to look through.

    Attributes:
        page: Its title and facts; its figures are not shown.
        nodes: Each after its parent; none if the game has no board.
        problem: The number of the node that shows a problem to solve; None for a game.
    """

    page: GamePage
    nodes: Iterable[ViewedNode] = ()
    problem: int | None = None


class Viewer:
    """A page to look through games, which a notebook shows in a frame.

    Attributes:
        html: The page.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return tag(
            "iframe",
            srcdoc=self.html,
            sandbox="allow-scripts",
            title="A game to look through",
            style="width:100%;height:48rem;border:0",
        )

    def __repr__(self) -> str:
        return f"<Viewer: {len(self.html):,} characters of HTML>"


def draw_viewer(games: Sequence[ViewedGame], theme: PageTheme = "auto", left: int = 0) -> str:
    """Return the page of some games, with an index if there are several.

    Args:
        games: The games, at least one.
        theme: As for :meth:`GamePage.html`.
        left: The number of games that the page leaves out.
    """
    index, title, level = Html(), games[0].page.title, "h1"
    if left or games[1:]:
        title, level = f"{len(games)} games", "h2"
        rows = [
            tag("li", tag("a", tag("bdi", game.page.title), href=f"#{number}"))
            for number, game in enumerate(games, 1)
        ]
        more = tag("p", f"{left} more not shown") if left else Html()
        index = tag("nav", tag("h1", title), tag("ol", *rows), more, class_="index")
    articles = [_article(game, number, level, theme) for number, game in enumerate(games, 1)]
    script = tag("script", Html(_read("viewer.js")))
    head = start_page(title, theme, Html(_read("viewer.css")))
    page = join((head, tag("main", index, *articles), script, end_page()))
    return page.replace(html(POLICY), html(_policy(page)), 1)


def _policy(page: str) -> str:
    """Return what a browser may do with a page: what is in its own script and styles."""
    allowed = []
    for kind in ("script", "style"):
        found = dict.fromkeys(re.findall(f"<{kind}>(.*?)</{kind}>", page, re.DOTALL))
        hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in found]
        allowed.append(f"{kind}-src " + " ".join(f"'sha256-{value}'" for value in hashes))
    return f"default-src 'none'; {'; '.join(allowed)}; base-uri 'none'; form-action 'none'"


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _article(game: ViewedGame, number: int, level: str, theme: PageTheme) -> Html:
    """Return a game: its board, the parts that the script fills, and its nodes as JSON."""
    page = game.page
    lost = [tag("p", line, class_="lost") for line in page.lost]
    comment = said("p", page.comment, class_="said") if page.comment else Html()
    about = tag("div", facts_list(page.facts), comment, class_="about")
    svg, rows = _split(game.nodes, theme)
    parts = [about]
    if rows:
        data = json.dumps({"problem": game.problem, "nodes": rows}, separators=(",", ":"))
        held = Html(data.replace("<", "\\u003c"))  # no text ends the element
        shell = _read("viewer.html").replace("<!-- board -->", svg).replace("<!-- about -->", about)
        parts = [Html(shell), tag("script", held, type="application/json", class_="data")]
    heading = tag(level, tag("bdi", page.title))
    return tag("article", heading, *lost, *parts, class_="viewer", id=f"game-{number}")


def _split(nodes: Iterable[ViewedNode], theme: PageTheme) -> tuple[Html, list[dict[str, Any]]]:
    """Return a picture with the elements of all nodes, and what the script knows of each."""
    levels: dict[int, str] = {}
    seen: dict[tuple[int, str], None] = {}
    shown: list[set[tuple[int, str]]] = []
    rows: list[dict[str, Any]] = []
    first, whole = None, Box(0, 0, 1, 1)
    for node in nodes:
        diagram = node.diagram.model_copy(update={"title": "", "notes": ()})
        groups, box = compose(diagram)
        if first is None:
            first, whole = diagram, box
            levels = {level: group.attributes for level, group in enumerate(groups)}
        here = dict.fromkeys(
            (level, text) for level, group in enumerate(groups) for text in group.elements if text
        )
        seen |= here
        shown.append(set(here))
        layout, row = layout_of(diagram), {"up": node.parent, **node.told}
        if node.target is not None:
            row["at"] = layout.at(node.target)
        if diagram.variations:
            row["letters"] = {text: layout.at(point) for point, text in diagram.variations}
        if box != whole:
            row["box"] = _view_box(box)
        rows.append(row)
    if first is None:
        return Html(), rows
    numbers = {key: at for at, key in enumerate(sorted(seen, key=lambda key: key[0]))}
    for row, here_now in zip(rows, shown, strict=True):
        before = shown[row["up"]] if row["up"] >= 0 else set()
        row["flips"] = sorted(map(numbers.__getitem__, here_now ^ before))
    texts: dict[int, list[str]] = {level: [] for level in levels}
    for level, text in numbers:
        texts[level].append(text)
    content = "".join(f"<g {levels[level]}>{''.join(texts[level])}</g>" for level in levels)
    drawn = "light" if theme == "auto" else theme
    return Html(wrap(first, content, whole, theme=drawn, size=None)), rows


def _view_box(box: Box) -> str:
    return " ".join(map(num, (box.left, box.top, box.width, box.height)))

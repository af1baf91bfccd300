"""Pages to look through games, one file without requests: a board, and a script that steps it.

The pictures of all nodes are split into their elements, each of which a page has once.  A node has
the numbers of the elements that come and go with it, seen from its parent.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain, repeat
from operator import itemgetter
from pathlib import Path
from typing import Any

from sgf_lark.core import GameTree, Nodes, Point
from sgf_lark.pictures import pages
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.pages.markup import Html, html, join, said, tag
from sgf_lark.pictures.pages.page import POLICY, GamePage, end_page, facts_list, start_page
from sgf_lark.pictures.parts import BoardKind, PageTheme
from sgf_lark.pictures.shapes.geometry import layout_of, num
from sgf_lark.pictures.svg import compose, wrap

from .diagram import SIBLINGS, bounds, text_of, widen
from .markup import annotations_of
from .numbering import target_of
from .page import make_page, name_in_list, result_of

#: Of a game with more nodes only the main line is shown; most nodes of a page.
MAX_NODES, MAX_NODES_OF_PAGE = 5000, 50_000


class Viewer:
    """A page to look through games, which a notebook shows in a frame."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        style = "width:100%;height:48rem;border:0"
        return tag("iframe", srcdoc=self.html, sandbox="allow-scripts", title="Game", style=style)

    def __repr__(self) -> str:
        return f"<Viewer: {len(self.html):,} characters of HTML>"


def view_games(
    games: Iterable[GameTree],
    theme: PageTheme = "auto",
    *,
    labels: bool = True,
    coordinates: bool = True,
    places: Iterable[str] = (),
) -> str:
    """Return the page to look through games, with an index if there are several; "" for none."""
    look = {"labels": labels, "coordinates": coordinates}
    articles: list[Html] = []
    links: list[Html] = []
    room, left, title = MAX_NODES_OF_PAGE, 0, ""
    named = zip(games, chain(places, repeat("")))  # noqa: B905  # without end
    for number, (game, place) in enumerate(named, 1):
        if room <= 0:
            left += 1
            continue
        room -= min(len(game.nodes), MAX_NODES)
        page = make_page(game, ())
        title = f"{number} games" if links else page.title
        link = tag("a", tag("bdi", name_in_list(page, number)), href=f"#{number}")
        about = ", ".join(filter(None, (result_of(game.info), place)))
        links.append(tag("li", link, " ", tag("span", tag("bdi", about), class_="soft")))
        articles.append(_article(game, page, number, theme, look))
    if not articles:
        return ""
    more = tag("p", f"{left} more not shown", hidden=not left)
    heading = tag("h1", tag("bdi", title))
    nav = tag("nav", heading, tag("ol", *links, hidden=len(links) == 1), more, class_="index")
    script, style = _read("viewer.js"), Html(_read("viewer.css"))
    allowed = f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'; "
    head = start_page(title, theme, style).replace(html(POLICY), html(allowed + POLICY), 1)
    main = tag("main", nav, *articles)
    return join((Html(head), main, tag("script", Html(script)), end_page()))


def _read(name: str) -> str:
    return (Path(*pages.__path__) / name).read_text(encoding="utf-8")


def _article(
    game: GameTree, page: GamePage, number: int, theme: PageTheme, look: dict[str, bool]
) -> Html:
    """Return a game: its board, the parts that the script fills, and its nodes as JSON."""
    nodes, lost = game.nodes, ""
    line: Sequence[int] = range(len(nodes))
    if len(nodes) > MAX_NODES:
        line = nodes.tree.main_line()[:MAX_NODES]
        lost = (
            f"The record has {len(nodes):,} nodes: only {len(line):,} of its main line are shown."
        )
    parts: list[Html] = []
    try:
        svg, rows = _split(nodes, line, theme, **look)
    except ValueError as error:  # no board is known
        lost = str(error)
    else:
        problem, siblings = nodes.numbering.problem, bool(nodes.diagrams.style & SIBLINGS)
        end = nodes.tree.main_line()[-1]
        hidden = problem.last if problem is not None and problem.last != end else None
        data = json.dumps({"problem": hidden, "siblings": siblings, "nodes": rows})
        held = Html(data.replace("<", "\\u003c"))  # no text of a record ends the element
        shell = Html(_read("viewer.html").replace("<!-- board -->", svg))
        parts = [shell, tag("script", held, type="application/json", class_="data")]
    heading = tag("h2", tag("bdi", page.title)), tag("p", lost, class_="lost", hidden=not lost)
    about = tag("div", facts_list(page.facts), said("p", page.comment), class_="about")
    return tag("article", *heading, *parts, about, class_="viewer", id=f"game-{number}")


def _split(
    nodes: Nodes, line: Sequence[int], theme: PageTheme, *, labels: bool, coordinates: bool
) -> tuple[Html, list[dict[str, Any]]]:
    """Return a picture with the elements of all nodes, and what the script knows of each."""
    places = {node: place for place, node in enumerate(line)}
    seen: dict[tuple[int, str], None] = {}
    shown: list[set[tuple[int, str]]] = []
    rows = []
    crop = _part_in_use(nodes, line) if nodes.numbering.problem else None
    for node in line:
        diagram = nodes.diagrams.at(node, labels=labels)
        part = {} if crop is None or diagram.crop else {"crop": crop}
        diagram = diagram.model_copy(update={"coordinates": coordinates, **part})
        groups, box = compose(diagram, captions=False)
        parts = [(at, text) for at, group in enumerate(groups) for text in group.elements if text]
        seen |= dict.fromkeys(parts)
        shown.append({*parts})
        view = " ".join(map(num, (box.left, box.top, box.width, box.height)))
        up = places.get(nodes.parents[node], -1)
        rows.append({"up": up, "box": view, **_tell(nodes, node, diagram)})
    numbers = {key: at for at, key in enumerate(sorted(seen, key=itemgetter(0)))}
    for row, elements in zip(rows, shown, strict=True):
        before = shown[row["up"]] if row["up"] >= 0 else set()
        row["flips"] = sorted(map(numbers.__getitem__, elements ^ before))
    content = "".join(
        f"<g {group.attributes}>{''.join(text for at, text in numbers if at == level)}</g>"
        for level, group in enumerate(groups)
    )
    colors = "light" if theme == "auto" else theme
    nothing = {
        "title": "",
        "stones": (),
        "labels": (),
        "last": (),
        "to_play": None,
        "ending": (),
        "number": 0,
    }
    bare = diagram.model_copy(update=nothing)  # the script tells the position
    return Html(wrap(bare, content, box, theme=colors, size=None)), rows


def _part_in_use(nodes: Nodes, line: Sequence[int]) -> tuple[Point, Point] | None:
    """Return the corners of the part of a board on which a problem and all its lines are."""
    boards = map(nodes.diagrams.board, line)
    points = (stone.point for board in boards for stone in board.stones)
    first = nodes.diagrams.board(line[0])
    return None if first.kind is BoardKind.POINTS else widen(bounds(points), first.size)


def _tell(nodes: Nodes, node: int, diagram: Diagram) -> dict[str, Any]:
    content, layout = nodes.contents[node], layout_of(diagram)
    told: dict[str, Any] = {
        "path": nodes.tree.path(node),
        "number": nodes.numbering.number(node),
        "name": text_of(content, "N"),
        "comment": text_of(content, "C"),
        "labels": {text: layout.at(point) for point, text in diagram.variations},
        "notes": [*annotations_of(content), *diagram.captions, *diagram.left_out],
    }
    for color, value in nodes.numbering.moves(node):
        target = target_of(value)
        told |= {"by": color, "move": nodes.name_move(value) or str(value)}
        told["at"] = target and layout.at(target)
    return {name: value for name, value in told.items() if value}

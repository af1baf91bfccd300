"""Games as pages: the facts of the head and the figures; or a board, and a script that steps it.

A page to look through games is one file without requests.  The pictures of all nodes are split
into their elements, each of which a page has once.  A node has the numbers of the elements that
come and go with it, seen from its parent.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count, repeat
from operator import itemgetter
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from sgf_lark.core import (
    TEXTS,
    Color,
    Format,
    GameTree,
    Info,
    Nodes,
    Point,
    Result,
    column_name,
    plural,
)
from sgf_lark.pictures import pages
from sgf_lark.pictures.diagram import Diagram, GameFigure
from sgf_lark.pictures.pages.markup import Html, html, join, said, tag
from sgf_lark.pictures.pages.page import (
    POLICY,
    GamePage,
    HeadRow,
    draw_game,
    draw_list,
    end_page,
    facts_list,
    start_page,
)
from sgf_lark.pictures.parts import BoardKind, PageTheme
from sgf_lark.pictures.shapes.geometry import layout_of, num
from sgf_lark.pictures.svg import compose, wrap
from sgf_lark.pictures.words import LANGUAGE, word

from .diagram import SIBLINGS, bounds, text_of, widen
from .markup import annotations_of
from .numbering import target_of
from .state import ENDINGS

#: The texts of the head after the other facts, by their names in :class:`.Info`.
LATER_TEXTS = ("opening", "annotator", "source", "copyright")


def make_page(
    game: GameTree,
    figures: Iterable[GameFigure] | None = None,
    *,
    split: str | int | None = None,
    crop: str | None = None,
    labels: bool = True,
) -> GamePage:
    """Return the page of a game, as :meth:`sgf_lark.GameTree.page` describes it."""
    is_problem = False
    if figures is None:
        figures = game.figures(split, crop=crop, labels=labels)
        is_problem = split is None and game.nodes.numbering.problem is not None
    return GamePage(
        title=title_of(game),
        facts=tuple(fact for fact in facts_of(game) if fact.text.strip()),
        comment=game.info.comment or "",
        figures=tuple(figures),
        is_problem=is_problem,
        language=LANGUAGE.get(),
        game=game,
    )


#: The title of a problem without a name.
NAMELESS = "Problem"


def make_worksheet(pages: Sequence[GamePage]) -> GamePage:
    """Return pages as one: first the positions of all problems, then solutions and games."""
    positions: list[GameFigure] = []
    games: list[GamePage] = []
    for number, page in enumerate(pages, 1):
        named = name_in_list(page, number)
        title = named if page.title == word(NAMELESS) else f"{number}. {named}"
        if page.is_problem:
            position, *solution = page.figures
            solution = _numbered(solution, number)
            changes = {"number": str(number), "name": f"{title}: {position.name}"}
            positions.append(position.model_copy(update=changes))
            rest = {"title": word("{}: solution", title), "facts": (), "figures": tuple(solution)}
        else:
            solution, rest = [*page.figures], {"title": title}
        if solution or page.lost:
            games.append(page.model_copy(update=rest))
    kind = "problem" if len(positions) == len(pages) else "game"
    return GamePage(
        title=word(f"{{}} {kind}{'s'[: len(pages) != 1]}", len(pages)),
        language=LANGUAGE.get(),
        figures=tuple(positions),
        games=tuple(games),
    )


def _numbered(figures: Sequence[GameFigure], problem: int) -> list[GameFigure]:
    """Return the figures of a solution with the number of its problem: 1, 1a, 1b ..."""
    letters = count()
    numbers = {
        figure.number: str(problem)
        if figure.parent is None
        else f"{problem}{column_name(next(letters), ascii_lowercase)}"
        for figure in figures
    }
    found: list[GameFigure] = []
    for figure in figures:
        fails = figure.name == word("Failure {}", figure.number)
        changes = {
            "number": numbers[figure.number],
            "origin": figure.origin and numbers.get(figure.origin, figure.origin),
            "variations": tuple(numbers.get(other, other) for other in figure.variations),
            "name": word("Failure {}", numbers[figure.number]) if fails else figure.name,
        }
        found.append(figure.model_copy(update=changes))
    return found


def name_in_list(page: GamePage, number: int) -> str:
    """Return the title of a page in a list; a problem without a name has its number."""
    return f"{page.title} {number}" if page.title == word(NAMELESS) else page.title


def draw_for_notebook(game: GameTree) -> str:
    """Return a game as HTML for a notebook; without figures if no board is known."""
    try:
        page = make_page(game)
    except ValueError as error:
        page = make_page(game, ()).model_copy(update={"lost": (str(error),)})
    return draw_game(page)


def draw_games(games: Sequence[GameTree]) -> str:
    """Return games as a table for a notebook, with the last position of each."""
    rows = []
    for number, game in enumerate(games[:MAX_GAMES], 1):
        last = game.main_line()[-1]
        try:
            diagram = last.diagram()
        except ValueError:  # no board is known
            diagram = None
        info = game.info
        texts = (title_of(game), result_in_words(info), date_of(info), game.game_name)
        rows.append((diagram, (str(number), *texts, str(last.move_number))))
    return draw_list(
        rows, ("Number", "Players", "Result", "Date", "Game", "Moves"), len(games) - len(rows)
    )


#: Most games of a table.
MAX_GAMES = 20


def title_of(game: GameTree) -> str:
    """Return the players of a game, else its name or event, else the name of what is played.

    A problem has no players.
    """
    info, is_problem = game.info, game.nodes.numbering.problem is not None
    names = [_name(info, color) for color in Color]
    if any(names) and not is_problem:
        return " vs. ".join(name or "?" for name in names)
    return info.name or info.event or (word(NAMELESS) if is_problem else game.game_name)


def facts_of(game: GameTree) -> Iterator[HeadRow]:
    """Yield the facts of a game; the text is empty where the record has none."""
    info = game.info
    for color in Color:
        yield HeadRow(word(color.name.capitalize()), _player(info, color))
    yield HeadRow(word("Result"), result_in_words(info))
    yield HeadRow(word("Date"), date_of(info))
    yield _text(info, "event")
    yield _text(info, "round")
    yield _text(info, "place")
    yield HeadRow(word("Name"), (info.name or "") if title_of(game) != info.name else "")
    size = game.size
    board = f" {size.columns}x{size.rows}" if size else ""
    yield HeadRow(word("Game"), game.game_name + board)
    yield HeadRow(
        word("Handicap"), _raw(info, "HA") if info.handicap is None else str(info.handicap or "")
    )
    yield HeadRow(word("Komi"), _raw(info, "KM") if info.komi is None else f"{info.komi:f}")
    yield _text(info, "rules")
    yield HeadRow(word("Time"), _time(game))
    for name in LATER_TEXTS:
        yield _text(info, name)


def result_in_words(info: Info) -> str:
    """Return the result of a game in words; as the record has it, if it is no valid result."""
    result = info.result
    if not isinstance(result, Result):
        return _raw(info, "RE")
    if result.winner is None:
        return word(ENDINGS[result.ending]) if result.ending in ENDINGS else ""
    winner = word(result.winner.name.capitalize())
    if result.ending is not None:
        return word("{} wins {}", winner, word(ENDINGS[result.ending]))
    if result.margin is None:
        return word("{} wins", winner)
    return word("{} wins {}", winner, word("by {}", f"{result.margin:f}"))


def date_of(info: Info) -> str:
    """Return the days of a game; as the record has them, if they are no valid dates."""
    return ", ".join(map(str, info.dates)) or _raw(info, "DT")


def _player(info: Info, color: Color) -> str:
    player = info.player(color)
    rank = (player.rank or "").strip() or ("" if player.rating is None else f"{player.rating:f}")
    team = (player.team or "").strip()
    return " ".join(filter(None, (_name(info, color), rank, f"({team})" if team else "")))


def _name(info: Info, color: Color) -> str:
    return (info.player(color).name or _raw(info, f"P{color}")).strip()


def _time(game: GameTree) -> str:
    """Return the thinking time, of which FF[4] gives the seconds."""
    limit = game.info.time_limit
    main = _raw(game.info, "TM") if limit is None else f"{limit:f}"
    if game.format is Format.FF4 and limit is not None and 0 < limit < MAX_SECONDS:
        minutes, seconds = divmod(int(limit), 60)
        hours, minutes = divmod(minutes, 60)
        parts = ((hours, "hour"), (minutes, "minute"), (seconds, "second"))
        main = " ".join(plural(count, unit) for count, unit in parts if count)
    return ", ".join(filter(None, (main, game.info.overtime)))


#: From this time limit on, the number is shown as it is.
MAX_SECONDS = 10**7


def _text(info: Info, name: str) -> HeadRow:
    return HeadRow(word(name.capitalize()), getattr(info, name) or _raw(info, TEXTS[name]))


def _raw(info: Info, ident: str) -> str:
    first = info.raw.get(ident, ("",))[0]
    return re.sub(r"\\(.)", r"\1", first)


# ---- pages to look through games ----

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
        about = ", ".join(filter(None, (result_in_words(game.info), place)))
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

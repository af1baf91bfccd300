"""Games as pages: the facts of the head, and the figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from string import ascii_lowercase

from sgf_lark.core import TEXTS, Color, Format, GameTree, Info, Result, column_name, plural
from sgf_lark.pictures.diagram import GameFigure
from sgf_lark.pictures.pages.notebook import draw_game, draw_list
from sgf_lark.pictures.pages.page import GamePage, HeadRow
from sgf_lark.pictures.words import LANGUAGE, word

from .ending import ENDINGS

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
        texts = (title_of(game), result_of(info), date_of(info), game.game_name)
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
    yield HeadRow(word("Result"), result_of(info))
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


def result_of(info: Info) -> str:
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

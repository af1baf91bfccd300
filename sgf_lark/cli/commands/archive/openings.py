"""The command ``sgf-lark archive openings``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from sgf_lark.cli.interface import Bundle, NumberFrom, command, flag, option, switch
from sgf_lark.cli.output import fail

from .arguments import ARCHIVE, FormOptions, reported_errors
from .tables import ResultTable


class OpeningOptions(Bundle, section="Games"):
    """The games and moves that are counted."""

    moves: int = option("Count the first N moves.", type=NumberFrom(1), default=4)
    at: str | None = option(
        "Only games that begin with these moves, such as 'q16 d4', and what follows.",
        metavar="MOVES",
    )
    game: str | None = option(
        "The game, by its name or number.  [default: the most frequent one]", metavar="GAME"
    )
    size: str | None = option(
        "The board size, such as 19 or 19:13.  [default: the most frequent one]", metavar="SIZE"
    )
    handicap: int = option("Count games with N handicap stones.", type=NumberFrom(0), default=0)
    min_games: int = option("Leave out moves of fewer games.", type=NumberFrom(1), default=1)
    symmetric: bool = switch(
        "Count openings that differ by a symmetry of the board as one.", default=True
    )
    transpositions: bool = flag("With --at: also games with these moves in another order.")


@command(ARCHIVE)
def openings(folder: Path, counted: OpeningOptions, result: FormOptions) -> None:
    """Count the first moves of games.

    A tree: each move with the number of games, the part of those at the move before, and the part
    of the points that Black made in them. Only games without other setup are counted, and that
    the usual side begins. A page (html) has boards with the next moves.

    Examples:
        sgf-lark archive openings go.archive --moves 6
        sgf-lark archive openings go.archive --at e5 --size 9
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.openings import openings as count
    from sgf_lark.report.terminal import has_unicode

    if counted.transpositions and counted.at is None:
        fail("--transpositions needs --at")
    with reported_errors(), read(folder) as archive:
        try:
            options = vars(counted) | {"game": read_number(counted.game)}
            found = count(archive, **options | {"size": read_size(counted.size)})
        except (ValueError, LookupError) as error:
            fail(str(error.args[0]))
        if result.form == "text":
            is_ascii = result.output is None and not has_unicode(sys.stdout.encoding)
            result.show_page(found.text(ascii_only=is_ascii), folder)
        else:
            table = ResultTable.of(found.table, title=found.title)
            boards = found.diagrams() if result.form == "html" else ()
            result.show([table._replace(pictures=boards)], folder, f"Openings of {folder}")


def read_number(game: str | None) -> int | str | None:
    """Return the number or the name of a game."""
    return int(game) if game is not None and game.isdecimal() else game


def read_size(text: str | None) -> tuple[int, int] | None:
    """Return columns and rows.

    Raises:
        click.UsageError: The text is no size.
    """
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})(?:[:x]([0-9]{1,3}))?", text)
    if found is None:
        message = f"--size: invalid size '{text}': expected one such as 19 or 19:13"
        raise click.UsageError(message)
    return int(found[1]), int(found[2] or found[1])

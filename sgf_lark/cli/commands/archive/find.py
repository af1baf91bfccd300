"""The command ``sgf-lark archive find``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from sgf_lark.cli.commands.show import RecordPlace, find_games, find_place, last_after, read_input
from sgf_lark.cli.interface import Bundle, argument, command, option, switch
from sgf_lark.cli.options import FormatOptions
from sgf_lark.cli.output import fail

from .arguments import ARCHIVE, TableOptions, reported_errors
from .openings import read_number, read_size
from .tables import ResultTable

if TYPE_CHECKING:
    from sgf_lark.positions.board import Board


class PatternOptions(Bundle, section="Pattern"):
    """The pattern, and where it lies."""

    at: str | None = option(
        "Instead of PATTERN: the position of a node of a record.", metavar="FILE[#GAME][@PATH]"
    )
    where: Literal["corner", "side", "anywhere", "whole"] | None = option(
        "Where the pattern lies; of a record, its smallest part there with all stones."
        "  [default: whole for a record, of a picture as its edges say]"
    )
    game: str | None = option(
        "The game, by its name or number.  [default: that of the record,"
        " else the most frequent one]",
        metavar="GAME",
    )
    size: str | None = option(
        "The board size, such as 19 or 19:13.  [default: that of the record,"
        " else the most frequent one]",
        metavar="SIZE",
    )
    symmetric: bool = switch("Find it turned and mirrored, too.", default=True)
    colors: bool = switch("Find it with Black and White exchanged, too.", default=True)


@command(
    ARCHIVE,
    argument(
        "pattern",
        "[PATTERN]",
        "A file, or - for standard input: a record, for the last position of its first game;"
        " or a picture, with X and O for stones, . for an empty point, * for anything, and for"
        " the edges of the board | beside it, - above or below.",
    ),
)
def find(
    folder: Path,
    pattern: str | None,
    wanted: PatternOptions,
    reading: FormatOptions,
    result: TableOptions,
) -> None:
    """Find games by a pattern of stones.

    It is searched in the main lines of an archive that was built with --patterns. Shown are the
    next moves in it, with their games and results, and the games with the moves before it
    appears. A page (html) has a board with the next moves.

    Examples:
        sgf-lark archive find go.archive corner.txt
        sgf-lark archive find go.archive --at game.sgf@1 --where corner
    """
    from sgf_lark.archive import find as search, read

    place = wanted.at or pattern
    if place is None or (wanted.at and pattern):
        raise click.UsageError("expected a PATTERN, or --at with a place in a record")
    with reported_errors(), read(folder) as archive:
        try:
            drawn = _read_pattern(place, reading, result.output, is_place=wanted.at is not None)
            found = search(
                archive,
                drawn,
                wanted.where,
                game=read_number(wanted.game),
                size=read_size(wanted.size),
                symmetric=wanted.symmetric,
                colors=wanted.colors,
            )
        except ValueError as error:
            fail(str(error))
    moves = ResultTable.of(found.continuations, "continuations", "Next moves")
    games = ResultTable.of(found.table, "games", "Games").placed()
    moves = moves._replace(pictures=(found.diagram,) if result.form == "html" else ())
    result.show([moves, games], folder, f"Pattern in {folder}", limit=result.limit)


#: The beginning of a record.
_RECORD = re.compile(rb"\(\s*;")


def _read_pattern(
    text: str, reading: FormatOptions, output: Path | None, *, is_place: bool
) -> str | Board:
    """Return the picture or the board of an argument; exit if there is none."""
    place = find_place(text) if is_place else RecordPlace(text)
    data = read_input(place.file, None if output is None else str(output))
    if not is_place and not _RECORD.search(data):
        return data.decode(errors="replace")
    game = find_games(data, place, reading.loading())[0]
    try:
        node = last_after(game.root) if place.path is None else game.at(place.path)
    except KeyError:
        fail(f"{text}: there is no node at the path {place.path!r}")
    return node.board

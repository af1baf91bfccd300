"""The command ``sgf-lark archive openings``."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from sgf_lark.cli.grammars import OutputOption
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import fail

from .arguments import ArchiveFolder, Form, FormOption, reported_errors


def openings(
    *,
    folder: ArchiveFolder,
    moves: Annotated[
        int,
        typer.Option(
            "--moves",
            min=1,
            metavar="N",
            help="Count the first N moves.",
            rich_help_panel=Section.GAMES,
        ),
    ] = 4,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="MOVES",
            help="Only games that begin with these moves, such as 'q16 d4', and what follows.",
            show_default=False,
            rich_help_panel=Section.GAMES,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game, by its name or number.  [default: the most frequent one]",
            show_default=False,
            rich_help_panel=Section.GAMES,
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            metavar="SIZE",
            help="The board size, such as 19 or 19:13.  [default: the most frequent one]",
            show_default=False,
            rich_help_panel=Section.GAMES,
        ),
    ] = None,
    handicap: Annotated[
        int,
        typer.Option(
            "--handicap",
            min=0,
            metavar="N",
            help="Count games with N handicap stones.",
            rich_help_panel=Section.GAMES,
        ),
    ] = 0,
    min_games: Annotated[
        int,
        typer.Option(
            "--min-games",
            min=1,
            metavar="N",
            help="Leave out moves of fewer games.",
            rich_help_panel=Section.GAMES,
        ),
    ] = 1,
    symmetric: Annotated[
        bool,
        typer.Option(
            "--symmetric/--no-symmetric",
            help="Count openings that differ by a symmetry of the board as one.",
            rich_help_panel=Section.GAMES,
        ),
    ] = True,
    transpositions: Annotated[
        bool,
        typer.Option(
            "--transpositions",
            help="With --at: also games with these moves in another order.",
            rich_help_panel=Section.GAMES,
        ),
    ] = False,
    form: FormOption = Form.TEXT,
    output: OutputOption = None,
) -> None:
    """Count the first moves of games.

    A tree: each move with the number of games, the part of those at the move before, and the part
    of the points that Black made in them. Only games without other setup are counted, and that
    the usual side begins.

    Examples:
        sgf-lark archive openings go.archive --moves 6
        sgf-lark archive openings go.archive --at e5 --size 9
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.openings import openings as count
    from sgf_lark.diagnostics.terminal import has_unicode

    from .results import ResultTable
    from .tables import show_page, show_tables

    if transpositions and at is None:
        fail("--transpositions needs --at")
    with reported_errors(), read(folder) as archive:
        try:
            found = count(
                archive,
                moves,
                at,
                game=_number(game),
                size=_size(size),
                min_games=min_games,
                handicap=handicap,
                symmetric=symmetric,
                transpositions=transpositions,
            )
        except (ValueError, LookupError) as error:
            fail(str(error.args[0]))
        if form is Form.TEXT:
            is_ascii = output is None and not has_unicode(sys.stdout.encoding)
            show_page(found.text(ascii_only=is_ascii), output, archive=folder)
        else:
            table = ResultTable.of(found.table)
            show_tables([table], form, output, title=f"Openings of {folder}", archive=folder)


def _number(game: str | None) -> int | str | None:
    """Return the number or the name of a game."""
    return int(game) if game is not None and game.isdecimal() else game


def _size(text: str | None) -> tuple[int, int] | None:
    """Return columns and rows.

    Raises:
        typer.BadParameter: The text is no size.
    """
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,3})(?:[:x]([0-9]{1,3}))?", text)
    if found is None:
        message = f"invalid size '{text}': expected one such as 19 or 19:13"
        raise typer.BadParameter(message, param_hint="--size")
    return int(found[1]), int(found[2] or found[1])

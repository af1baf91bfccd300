"""The command ``sgf-lark archive select``."""

from __future__ import annotations

import sys
from pathlib import Path

from sgf_lark.cli.interface import Bundle, argument, command, option
from sgf_lark.cli.output import WRONG
from sgf_lark.core import plural
from sgf_lark.report.terminal import say

from .arguments import ARCHIVE, reported_errors
from .tables import protect_archive


class CopyOptions(Bundle, section="Output"):
    """The folder for the copies."""

    copies: Path = option(
        "The folder for the copies, in the folders of their files. No file is replaced.",
        "-o",
        "--output",
        required=True,
        metavar="DIR",
    )


@command(
    ARCHIVE,
    argument(
        "condition",
        "CONDITION",
        "A condition in SQL about the columns of games, such as"
        " \"komi = 6.5 AND black = 'Aoki' AND errors = 0\".",
        str,
    ),
)
def select(folder: Path, condition: str, place: CopyOptions) -> None:
    """Copy the games that meet a condition.

    The rows of the games, and other tables, are what 'sgf-lark archive sql' shows.

    Exit code: 1 if a game could not be copied, since its file is gone or has changed.

    Examples:
        sgf-lark archive select go.archive "moves > 100" -o copies
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.select import select as choose

    protect_archive(place.copies, folder)
    with reported_errors(), read(folder) as archive:
        copied = choose(archive, condition).copy_to(place.copies)
    for problem in copied.problems:
        say(f"{problem.record}: {problem.problem}", err=True)
    counts = plural(copied.files, "file"), plural(copied.games, "game")
    present = f", {copied.present:,} were there before" if copied.present else ""
    say(f"{place.copies}: {' of '.join(counts)}{present}", err=True)
    if copied.problems:
        sys.exit(WRONG)

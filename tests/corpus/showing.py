"""What is true of the pictures of every real game record: they are drawn, or the reason is told."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from click.testing import CliRunner
from support.corpus import alike, long_or_like_others, record, true_of_records
from support.pages import harmless

from sgf_lark.cli.main import app

if TYPE_CHECKING:
    from sgf_lark import Collection

#: Exit codes of a record that was shown, and of one without a board.
SHOWN, NO_BOARD = 0, 2


def rarely(which: str) -> bool:
    """Return whether a record waits for the night: nine of ten do."""
    return long_or_like_others(which) or crc32(which.encode()) % 10 > 0


@true_of_records(but=alike, night=rarely)
def it_is_shown_or_has_no_board(which: str, collection: Collection) -> None:
    done = CliRunner().invoke(app, ["show", str(record(which))], catch_exceptions=False)

    missing = reason(collection)
    assert done.exit_code == (NO_BOARD if missing else SHOWN), done.stderr
    assert missing in done.stderr
    assert bool(done.stdout) is not bool(missing)


def reason(collection: Collection) -> str:
    """Why the first game of a record has no board; "" if it has one."""
    try:
        for game in collection[:1]:
            game.root.diagram()
            return ""
    except ValueError as error:
        return str(error)
    return "there is no game in it"


@true_of_records(but=alike, night=rarely)
def its_page_has_all_its_figures_and_no_markup_of_its_own(
    which: str, collection: Collection
) -> None:
    del which
    for game in collection[:1]:
        try:
            page = game.page()
        except ValueError:  # it has no board
            continue
        read = harmless(page.html())
        assert len(read.named("svg")) == min(len(page.figures), 500)

"""Checks that are repeated whenever a file changes: ``check --watch``."""

from __future__ import annotations

import os
import sys
from time import monotonic, sleep, strftime
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import typer

from sgf_lark.diagnostics.terminal import plural, say

from .output import show_report
from .paths import STDIN, find_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: Seconds between two looks at the files; and how many times as long as a look takes.
MIN_WAIT, WAIT_PER_LOOK = 0.3, 10

#: Clears a terminal, with what has left its upper end.
CLEAR = "\x1b[H\x1b[2J\x1b[3J"

#: Of each file that is there: time, size and number.
Snapshot: TypeAlias = "dict[str, tuple[int, int, int]]"


def watch_files(
    run: Callable[[], int],
    paths: Sequence[str],
    others: Iterable[str | None] = (),
    *,
    wait: Callable[[float], object] = sleep,
) -> NoReturn:
    """Run a check, and again whenever a file is changed, new or gone; until Ctrl-C.

    Args:
        run: The check.
        paths: The paths of the command line, which are read again for each look.
        others: Further files on which the check depends.
        wait: Waits for some seconds.

    Raises:
        KeyboardInterrupt: The user has ended it.
        typer.BadParameter: Standard input is among the paths.
    """
    from sgf_lark.diagnostics.errors import SettingsError, SgfGrammarError

    if STDIN in paths:
        raise typer.BadParameter("standard input does not change: name files", param_hint="--watch")
    given = [other for other in others if other is not None]
    while True:
        before = take_snapshot(paths, given)
        if sys.stdout.isatty():
            sys.stdout.write(CLEAR)
        begin = monotonic()
        try:
            run()
        except (SettingsError, SgfGrammarError) as invalid:
            show_report(invalid.report, "error")
        seconds = monotonic() - begin
        count = plural(sum(isinstance(file, str) for file in find_files(paths)), "file")
        say(f"{strftime('%H:%M:%S')}: {seconds:.1f} s; watching {count}, Ctrl-C ends", err=True)
        now, pause = before, MIN_WAIT
        while now == before:
            wait(pause)
            begin = monotonic()
            now = take_snapshot(paths, given)
            pause = max(MIN_WAIT, WAIT_PER_LOOK * (monotonic() - begin))


def take_snapshot(paths: Sequence[str], others: Sequence[str] = ()) -> Snapshot:
    """Return the state of the files that paths name, of others and of their settings files."""
    from sgf_lark.diagnostics.settings import FILES

    files = [file for file in find_files(paths) if isinstance(file, str)]
    folders = {os.path.dirname(os.path.abspath(file)) for file in [*files, *paths]}  # noqa: PTH100, PTH120
    folders.add(os.getcwd())  # noqa: PTH109  # a text
    above = set(folders)
    for folder in folders:
        while (parent := os.path.dirname(folder)) not in above:  # noqa: PTH120
            above.add(parent)
            folder = parent  # noqa: PLW2901  # the way up
    settings = [os.path.join(folder, name) for folder in above for name in FILES]  # noqa: PTH118
    snapshot: Snapshot = {}
    for file in [*files, *others, *settings]:
        try:
            status = os.stat(file)  # noqa: PTH116  # any name
        except (OSError, ValueError):
            continue
        snapshot[file] = status.st_mtime_ns, status.st_size, status.st_ino
    return snapshot

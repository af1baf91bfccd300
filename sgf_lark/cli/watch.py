"""Checks that are repeated whenever a file changes: ``check --watch``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from time import monotonic, sleep, strftime
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol, TypeAlias

import click

from sgf_lark.core import Severity, plural
from sgf_lark.files.paths import STDIN, Unreadable
from sgf_lark.report.terminal import say

from .output import show_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: Seconds between two looks at the files; and how many times as long as a look takes.
MIN_WAIT, WAIT_PER_LOOK = 0.3, 10

#: Clears a terminal, with what has left its upper end.
CLEAR = "\x1b[H\x1b[2J\x1b[3J"

#: Time, size and number of a file.
FileState: TypeAlias = tuple[int, int, int]


class Snapshot(NamedTuple):
    """The state of the files on which a check depends."""

    states: dict[str, FileState]
    files: int


class Watched(Protocol):
    """A check, and the files that its paths name now."""

    def find(self) -> Iterable[str | Unreadable]:
        """Return the files, ``-``, and paths that cannot be read."""

    def find_grammars(self) -> Iterable[str]:
        """Return the files of the grammars that settings name."""

    def run(self) -> int:
        """Check the files; return the exit code."""


def watch_files(
    prepare: Callable[[], Watched],
    others: Sequence[str | None] = (),
    *,
    wait: Callable[[float], object] = sleep,
) -> NoReturn:
    """Run a check, and again whenever a file is changed, new or gone; until Ctrl-C."""
    from sgf_lark.core import SettingsError, SgfGrammarError

    watched: Watched | None = None
    while True:
        given = [other for other in others if other is not None]
        if sys.stdout.isatty():
            sys.stdout.write(CLEAR)
        begin = monotonic()
        try:
            watched = prepare()
            given += watched.find_grammars()
            before = take_snapshot(watched, given)
            watched.run()
        except (SettingsError, SgfGrammarError) as invalid:
            given.append(invalid.report.name)
            before = take_snapshot(watched, given)
            show_report(invalid.report, Severity.ERROR)
        seconds = monotonic() - begin
        count = plural(before.files, "file")
        say(f"{strftime('%H:%M:%S')}: {seconds:.1f} s; watching {count}, Ctrl-C ends", err=True)
        now, pause = before, MIN_WAIT
        while now == before:
            wait(pause)
            begin = monotonic()
            now = take_snapshot(watched, given)
            pause = max(MIN_WAIT, WAIT_PER_LOOK * (monotonic() - begin))


def take_snapshot(watched: Watched | None, others: Iterable[str] = ()) -> Snapshot:
    """Return the state of the files of a check, of others and of their settings files."""
    from sgf_lark.core import SettingsError
    from sgf_lark.files.archives import split_member
    from sgf_lark.settings.settings import FILES

    found: list[str] = []
    with suppress(SettingsError):  # the settings have changed: the check reports it
        found += [] if watched is None else map(_path, watched.find())
    if STDIN in found:
        raise click.UsageError("--watch: standard input does not change: name files")
    files = {inside[0] if (inside := split_member(file)) else file for file in found}
    folders = {os.path.dirname(os.path.abspath(file)) for file in files}  # noqa: PTH100, PTH120
    folders.add(os.getcwd())  # noqa: PTH109  # a text
    above = set(folders)
    for folder in folders:
        while (parent := os.path.dirname(folder)) not in above:  # noqa: PTH120
            above.add(parent)
            folder = parent  # noqa: PLW2901  # the way up
    settings = [os.path.join(folder, name) for folder in above for name in FILES]  # noqa: PTH118
    states: dict[str, FileState] = {}
    for file in [*files, *others, *settings]:
        with suppress(OSError, ValueError):  # it is not there
            status = os.stat(file)  # noqa: PTH116  # any name
            states[file] = status.st_mtime_ns, status.st_size, status.st_ino
    return Snapshot(states, len(found))


def _path(file: str | Unreadable) -> str:
    return file if isinstance(file, str) else file.path

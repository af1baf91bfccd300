"""A progress bar for people who wait, which keeps out of the way of what is printed."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Self

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .reports import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

#: Whoever waits less than so many seconds needs no bar.
PATIENCE = 1.0

#: Cells of a file's name that are shown.
NAME = 40


class Watch:
    """Shows how far a piece of work is, if it takes long and a person is watching.

    Args:
        console: Where the bar appears; nothing does if it is no terminal.
        total: How many steps there are.
        patience: After how many seconds the bar appears.
    """

    def __init__(self, console: Console, total: int, patience: float = PATIENCE) -> None:
        self._bar = Progress(
            TextColumn("checking {task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=total)
        self._lock = Lock()
        self._timer = Timer(patience, self._appear)
        self._timer.daemon = True
        self._watched = console.is_terminal and not console.is_dumb_terminal
        self._visible = False

    def __enter__(self) -> Self:
        if self._watched:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._watched = False
            if self._visible:
                self._bar.stop()

    def _appear(self) -> None:
        with self._lock:
            if self._watched:
                self._visible = True
                self._bar.start()

    def step(self, name: str) -> None:
        """Say that work on a file begins."""
        shown = visible(name)
        shown = shown if len(shown) <= NAME else "\N{HORIZONTAL ELLIPSIS}" + shown[1 - NAME :]
        self._bar.update(self._task, description=escape(shown))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while something is printed, and count one step."""
        with self._lock:
            if self._visible:
                self._bar.stop()
            try:
                yield
            finally:
                self._bar.advance(self._task)
                if self._visible:
                    self._bar.start()

"""A progress bar for people who wait, which keeps out of the way of what is printed."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock, Timer
from time import monotonic
from typing import TYPE_CHECKING, Self

from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from sgf_lark.api.many import EACH
from sgf_lark.diagnostics.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

#: Whoever waits less than so many seconds needs no bar.
PATIENCE = 1.0

#: Cells of a file's name that are shown.
NAME = 30


class Watch:
    """Shows how far a piece of work is, if it takes long and a person is watching.

    Args:
        console: Where the bar appears; nothing does if it is no terminal.
        sizes: Bytes of each file, in the order in which they are worked on.
        patience: After how many seconds the bar appears.
    """

    def __init__(self, console: Console, sizes: Sequence[int], patience: float = PATIENCE) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[done]}"),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._sizes = sizes
        self._done = 0
        self._bytes = 0
        self._begin = monotonic()
        total = sum(sizes) + EACH * len(sizes)
        self._task = self._bar.add_task("checking", total=total, done="")
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
        """Say which file is waited for."""
        shown = visible(name)
        shown = shown if len(shown) <= NAME else "\N{HORIZONTAL ELLIPSIS}" + shown[1 - NAME :]
        self._bar.update(self._task, description=f"checking {escape(shown)}")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while something is printed, and count one file."""
        with self._lock:
            if self._visible:
                self._bar.stop()
            try:
                yield
            finally:
                self._count()
                if self._visible:
                    self._bar.start()

    def _count(self) -> None:
        """One file more is done."""
        size = self._sizes[self._done]
        self._done += 1
        self._bytes += size
        seconds = max(monotonic() - self._begin, 0.001)
        done = (
            f"{self._done}/{len(self._sizes)}, {self._done / seconds:.0f} files/s,"
            f" {self._bytes / seconds / 1e6:.1f} MB/s"
        )
        self._bar.update(self._task, advance=size + EACH, done=done)

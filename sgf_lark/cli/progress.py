"""A progress bar that disappears while a report is printed."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock, Timer
from time import monotonic
from typing import TYPE_CHECKING, Self

from sgf_lark.core import visible
from sgf_lark.files.many import BYTES_PER_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from sgf_lark.archive.run import Progress

#: Seconds until the bar appears.
DELAY_SECONDS = 1.0

#: Seconds of work, after the first file, until the time left is estimated; and those that the
#: estimate is made from.  The start of the processes does not count.
ESTIMATE_SECONDS, WINDOW_SECONDS = 3.0, 5.0

#: Longest file name shown, in characters.
MAX_NAME = 30


class DelayedBar:
    """A bar on a terminal that appears after a delay, and disappears at the end."""

    def __init__(
        self, console: Console, delay: float, doing: str, total: float | None = None
    ) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[left]}"),
            console=console,
            speed_estimate_period=WINDOW_SECONDS,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task(doing, total=total, done="", left="", start=False)
        self._lock = Lock()
        self._is_visible = False
        self._timer = Timer(delay, self._appear)
        self._timer.daemon = True
        self._watched = console.is_terminal and not console.is_dumb_terminal

    def __enter__(self) -> Self:
        if self._watched:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._watched = False
            if self._is_visible:
                self._bar.stop()

    def _appear(self) -> None:
        with self._lock:
            if self._watched:
                self._is_visible = True
                self._bar.start()


def time_left(seconds: float) -> str:
    """Return the words of an estimate: ``1:05 left``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02} left"


class ProgressBar(DelayedBar):
    """Shows the progress of work on files."""

    def __init__(
        self,
        console: Console,
        sizes: Sequence[int],
        delay: float = DELAY_SECONDS,
        doing: str = "checking",
    ) -> None:
        total = sum(sizes) + BYTES_PER_FILE * len(sizes)
        super().__init__(console, delay, doing, total)
        self._sizes = sizes
        self._doing = doing
        self._done = 0
        self._bytes = self._part = 0  # of the files that are done, and of the current one
        self._begin = monotonic()

    def show_file(self, name: str) -> None:
        from rich.markup import escape

        shown = visible(name)
        if len(shown) > MAX_NAME:
            shown = "\N{HORIZONTAL ELLIPSIS}" + shown[1 - MAX_NAME :]
        self._bar.update(self._task, description=f"{self._doing} {escape(shown)}")

    def advance(self, _: object, size: int) -> None:
        """Show that some bytes of the current file are read: those of one piece or record."""
        size = min(size, self._sizes[self._done] - self._part)
        self._part += size
        self._go_on(size)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bar while a report is printed, and count one file."""
        with self._lock:
            if self._is_visible:
                self._bar.stop()
            try:
                yield
            finally:
                self._count()
                if self._is_visible:
                    self._bar.start()

    def _count(self) -> None:
        size, part = self._sizes[self._done], self._part
        self._done += 1
        self._bytes += size
        self._part = 0
        seconds = max(monotonic() - self._begin, 0.001)
        done = (
            f"{self._done}/{len(self._sizes)}, {self._done / seconds:.0f} files/s,"
            f" {self._bytes / seconds / 1e6:.1f} MB/s"
        )
        self._bar.update(self._task, done=done)
        self._go_on(size - part + BYTES_PER_FILE)

    def _go_on(self, by: int) -> None:
        self._bar.start_task(self._task)
        self._bar.update(self._task, advance=by)
        task = self._bar.tasks[self._task]
        if (task.elapsed or 0) >= ESTIMATE_SECONDS and task.time_remaining is not None:
            self._bar.update(self._task, left=time_left(task.time_remaining))


class BuildBar(DelayedBar):
    """Shows the progress of a build."""

    def __init__(self, console: Console, delay: float = DELAY_SECONDS) -> None:
        super().__init__(console, delay, "reading")
        self._bar.start_task(self._task)
        # the start of the processes is no part of the rate
        self._first: Progress | None = None

    def show(self, progress: Progress) -> None:
        seconds = max(progress.seconds, 0.001)
        done = (
            f"{progress.files:,}/{progress.all_files:,} files, {progress.games:,} games,"
            f" {progress.bytes / seconds / 1e6:.1f} MB/s"
        )
        first = self._first = self._first or (progress if progress.bytes else None)
        left = ""
        if first is not None and progress.seconds - first.seconds >= ESTIMATE_SECONDS:
            rate = (progress.bytes - first.bytes) / (progress.seconds - first.seconds)
            if rate:
                left = time_left(max(progress.all_bytes - progress.bytes, 0) / rate)
        self._bar.update(
            self._task,
            completed=progress.bytes,
            total=progress.all_bytes or None,
            done=done,
            left=left,
        )

"""A bar that shows how far a build of an archive is."""

from __future__ import annotations

from threading import Lock, Timer
from typing import TYPE_CHECKING, Self

from sgf_lark.cli.progress import DELAY_SECONDS, ESTIMATE_SECONDS

if TYPE_CHECKING:
    from rich.console import Console

    from sgf_lark.archive.run import Progress


class BuildBar:
    """Shows the progress of a build, on a terminal and after a delay; it disappears at the end.

    Args:
        console: The console for the bar; None for no bar.
        delay: Seconds until it appears.

    Attributes:
        last: The latest progress; None before the first.
    """

    def __init__(self, console: Console | None, delay: float = DELAY_SECONDS) -> None:
        self.last: Progress | None = None
        self._lock = Lock()
        self._is_visible = False
        # the start of the processes is no part of the rate
        self._first: Progress | None = None
        self._timer: Timer | None = None
        if console is None or not console.is_terminal or console.is_dumb_terminal:
            return
        from rich.progress import BarColumn, Progress as Bar, TextColumn

        self._bar = Bar(
            *(TextColumn("reading"), BarColumn(), TextColumn("{task.fields[done]}")),
            TextColumn("{task.fields[left]}"),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=None, done="", left="")
        self._timer = Timer(delay, self._appear)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is None:
            return
        self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._is_visible:
                self._bar.stop()

    def _appear(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._is_visible = True
                self._bar.start()

    def show(self, progress: Progress) -> None:
        """Show how far the build is."""
        self.last = progress
        if self._timer is None:
            return
        seconds = max(progress.seconds, 0.001)
        done = (
            f"{progress.files:,}/{progress.all_files:,} files, {progress.games:,} games,"
            f" {progress.bytes / seconds / 1e6:.1f} MB/s"
        )
        first = self._first = self._first or (progress if progress.bytes else None)
        left = ""
        if first is not None and progress.seconds - first.seconds >= ESTIMATE_SECONDS:
            rate = (progress.bytes - first.bytes) / (progress.seconds - first.seconds)
            rest = max(progress.all_bytes - progress.bytes, 0)
            if rate:
                minutes, rest_seconds = divmod(int(rest / rate), 60)
                left = f"{minutes}:{rest_seconds:02} left"
        self._bar.update(
            self._task,
            completed=progress.bytes,
            total=progress.all_bytes or None,
            done=done,
            left=left,
        )

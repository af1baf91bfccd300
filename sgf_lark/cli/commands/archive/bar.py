"""A bar that shows how far a build of an archive is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sgf_lark.cli.progress import DELAY_SECONDS, ESTIMATE_SECONDS, DelayedBar, time_left

if TYPE_CHECKING:
    from rich.console import Console

    from sgf_lark.archive.run import Progress


class BuildBar(DelayedBar):
    """Shows the progress of a build.

    Args:
        console: As for :class:`.DelayedBar`.
        delay: As for :class:`.DelayedBar`.
    """

    def __init__(self, console: Console, delay: float = DELAY_SECONDS) -> None:
        super().__init__(console, delay, "reading")
        self._bar.start_task(self._task)
        # the start of the processes is no part of the rate
        self._first: Progress | None = None

    def show(self, progress: Progress) -> None:
        """Show how far the build is."""
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

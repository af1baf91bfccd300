"""Runs of a command over files: read in processes, shown and written in their order."""

from __future__ import annotations

import difflib
import os
import sys
from collections import Counter
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sgf_lark.findings.terminal import plural, reason, say, show, visible
from sgf_lark.text.archives import RecordBytes, is_packed

from .output import console
from .paths import STDIN, Unreadable, read_path, report_unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from sgf_lark.api.result_cache import ResultCache
    from sgf_lark.api.workers import Outcome
    from sgf_lark.findings.report import Report

    from .progress import NoBar, ProgressBar

T = TypeVar("T")

#: The files of a run: paths, ``-``, and paths that cannot be read.
Files = list[str | Unreadable]


class InputError(OSError):
    """A path of the command line cannot be read."""

    def __init__(self, file: Unreadable) -> None:
        super().__init__(file.reason)
        self.file = file


class Run:
    """A run of a command over files; a bar shows its progress on a terminal.

    Args:
        files: The files, in the order of the results.
        doing: The work in a word: ``checking``.
        jobs: The number of processes; None for one on each core, if there is enough work.
        is_quiet: Show no bar.
        stdin_name: The name of standard input for settings and reports; None for ``<stdin>``.

    Attributes:
        stdin: The bytes of standard input, once they are read.
        done: Number of files whose results were shown or written.
    """

    def __init__(
        self,
        files: Files,
        doing: str,
        *,
        jobs: int | None = None,
        is_quiet: bool = False,
        stdin_name: str | None = None,
    ) -> None:
        self.files = files
        self.doing = doing
        self.jobs = jobs
        self.is_quiet = is_quiet
        self.stdin_name = stdin_name or "<stdin>"
        self.stdin = b""
        self.done = 0

    def name(self, file: str) -> str:
        """Return the name of a file in messages: its path; for standard input the name given."""
        return self.stdin_name if file == STDIN else file

    @contextmanager
    def counted(self) -> Iterator[None]:
        """If the user ends the work on the files, say how many are done."""
        try:
            yield
        except KeyboardInterrupt:
            count, done = plural(len(self.files), "file"), self.doing.removesuffix("ing") + "ed"
            say(f"interrupted: {self.done} of {count} {done}", err=True)
            raise

    def reports(
        self,
        options: dict[str, Any],
        options_of: Callable[[str], dict[str, Any]],
        cache: ResultCache | None = None,
    ) -> Iterator[Report]:
        """Check the files; yield their reports.

        Args:
            options: Options of :func:`sgf_lark.check` for all files.
            options_of: Options for one file.
            cache: Keeps the reports on unchanged files.
        """
        from sgf_lark.api import many

        with self._bar() as bar:
            items = self._items(options_of)
            reports = many.reports(items, self.jobs, options, cache, progress=bar.advance)
            for file, result in self._in_order(reports, bar):
                if isinstance(file, Unreadable):
                    yield report_unreadable(file)
                elif result is not None:
                    yield result

    def outcomes(
        self, function: Callable[..., T], options_of: Callable[[str], dict[str, Any]]
    ) -> Iterator[tuple[str, Outcome[T]]]:
        """Call a function with each file in processes; yield each with its outcome.

        Args:
            function: Has the name of the file, its bytes, and its options; a function of a
                module, or a partial of one, so that processes find it.
            options_of: Options for one file.
        """
        from sgf_lark.api import many, workers

        with self._bar() as bar:
            items = self._items(options_of)
            results = many.each_file(function, items, self.jobs, progress=bar.advance)
            for file, result in self._in_order(results, bar):
                if isinstance(file, Unreadable):
                    yield file.path, workers.Outcome(file.path, None, InputError(file))
                elif result is not None:
                    yield file, result

    def _items(
        self, options_of: Callable[[str], dict[str, Any]]
    ) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Yield all files that can be read with their options; standard input as its bytes."""
        for file in self.files:
            if file == STDIN:
                yield self._read_stdin(), options_of(self.stdin_name)
            elif isinstance(file, str):
                yield file, options_of(file)

    def _read_stdin(self) -> RecordBytes | OSError:
        try:
            self.stdin = read_path(STDIN)
        except OSError as error:
            error.filename = STDIN
            return error
        return RecordBytes(self.stdin, self.stdin_name)

    def _bar(self) -> ProgressBar | NoBar:
        from sgf_lark.api.workers import size

        from .progress import NoBar, ProgressBar

        terminal = None if self.is_quiet else console(sys.stderr).on_terminal
        sizes = [size(file) if terminal and isinstance(file, str) else 0 for file in self.files]
        return ProgressBar(terminal, sizes, doing=self.doing) if terminal else NoBar()

    def _in_order(
        self, results: Generator[T], bar: ProgressBar | NoBar
    ) -> Iterator[tuple[str | Unreadable, T | None]]:
        """Yield files with their results; the bar is hidden meanwhile."""
        with closing(results):
            for file in self.files:
                result: T | None = None
                if isinstance(file, str):
                    bar.show_file(file)
                    result = next(results)
                with bar.paused():
                    yield file, result
                self.done += 1


#: The cause for which a record in an archive or a compressed one is skipped, short and in full.
PACKED, PACKED_MESSAGE = "packed", "archives and compressed files are not written"


class Difference(NamedTuple):
    """The changes of a file in the form of ``diff -u``.

    Attributes:
        patch: For ``git apply`` and ``patch -p1``: the lines have the bytes of the file, in any
            encoding.
        text: The same as a terminal shows it.
    """

    patch: bytes
    text: str

    @classmethod
    def of(cls, path: str, before: bytes, after: bytes) -> Difference:
        """Return the difference of a file between some bytes and others."""
        from sgf_lark.text.encoding import decode

        patch = _difference(path, before.decode("latin-1"), after.decode("latin-1"), "latin-1")
        try:
            return cls(patch, patch.decode())
        except UnicodeDecodeError:
            return cls(patch, _difference(path, decode(before).text, decode(after).text).decode())


class Change(NamedTuple):
    """A new content for a file.

    Attributes:
        data: The new bytes; None if they are the old ones.
        diff: The difference, if it is to be shown.
        cause, message: The reason why the file is skipped, in short and in full; "" if it is not.
    """

    data: bytes | None = None
    diff: Difference | None = None
    cause: str = ""
    message: str = ""

    @classmethod
    def of(cls, path: str, before: bytes, after: bytes, *, diff: bool) -> Change:
        """Return the change of a file from some bytes to others; a packed one is skipped."""
        if before == after:
            return cls()
        shown = Difference.of(path, before, after) if diff else None
        if is_packed(path):
            return cls(None, shown, PACKED, PACKED_MESSAGE)
        return cls(after, shown)


class FileWriter:
    """Writes the new contents of files, and counts them.

    Args:
        writes: Write the files; otherwise only count those that would change.
        is_quiet: Print only errors.
        done: What becomes of a changed file, in a word.

    Attributes:
        changed: Number of files that were, or would be, written.
        unchanged: Number of files without a change.
        skipped: Number of files skipped for each cause.
        unread, unwritten, failed: Number of files that could not be read, that could not be
            written, and on which the program failed.
    """

    def __init__(self, *, writes: bool, is_quiet: bool = False, done: str = "written") -> None:
        self.writes = writes
        self.is_quiet = is_quiet
        self.word = done if writes else f"would be {done}"
        self.changed = self.unchanged = self.unread = self.unwritten = self.failed = 0
        self.skipped: Counter[str] = Counter()
        self._folders: set[str] = set()
        self._written: set[str] = set()

    def take(self, path: str, change: Change, stdin: bytes | None = None) -> bool:
        """Write a change of a file; return whether the file was, or would be, changed.

        Args:
            path: The file.
            change: The change.
            stdin: The old bytes, if it is standard input: the new ones, or these, are printed.
        """
        if change.cause:
            self.skip(path, change.cause, change.message)
        if change.diff is not None:
            show_difference(change.diff)
        if stdin is not None and self.writes:
            show(stdin if change.data is None else change.data)
        elif change.data is not None and self.writes and not self.write(path, change.data):
            return False
        if not change.cause:
            self.count(is_changed=change.data is not None)
        return change.data is not None

    def skip(self, path: str, cause: str, message: str) -> None:
        """Count and report a file that is skipped; the cause is in short, the message in full."""
        self.skipped[cause] += 1
        if cause != PACKED or not self.is_quiet:
            say(f"{path}: skipped ({cause}): {message}", err=True)

    def count(self, *, is_changed: bool) -> None:
        """Count a file that was, or would be, written if it is changed."""
        self.changed += is_changed
        self.unchanged += not is_changed

    def write(self, path: str, data: bytes) -> bool:
        """Write a file, in a new folder if need be; return whether it was written.

        One that cannot be written stays as it was, is counted and reported.
        """
        from sgf_lark.text.files import write_file

        try:
            folder = os.path.dirname(path)  # noqa: PTH120  # any path
            if folder and folder not in self._folders:
                os.makedirs(folder, exist_ok=True)  # noqa: PTH103  # any path
                self._folders.add(folder)
            write_file(path, data, syncs_folder=False)
            self._written.add(folder or os.curdir)
        except OSError as error:
            self.unwritten += 1
            say(f"{path}: cannot be written: {reason(error)}", err=True)
            return False
        return True

    def note_error(
        self, path: str, done: str, error: Exception | None, stdin: bytes | None = None
    ) -> None:
        """Report that a file could not be read, or that the program failed on it.

        Args:
            path: The file.
            done: The action that failed: ``formatted``.
            error: The reason.
            stdin: The bytes of the file, if it is standard input: they are printed.
        """
        from sgf_lark.api.many import REPORT_IT, failure

        if isinstance(error, OSError):
            self.unread += 1
            say(f"{path}: {reason(error)}", err=True)
        else:
            self.failed += 1
            say(f"{path}: {failure(done, error)}; {REPORT_IT}", err=True)
        if stdin is not None and self.writes:
            show(stdin)

    @property
    def counts(self) -> list[tuple[int, str]]:
        """The numbers of files, each with what became of them."""
        parts = [
            (self.changed, self.word),
            (self.unchanged, "unchanged"),
            *((count, f"skipped ({cause})") for cause, count in self.skipped.items()),
            (self.unwritten, "not written"),
            (self.failed, "failed"),
            (self.unread, "not read"),
        ]
        return [part for part in parts if part[0]]

    @property
    def summary(self) -> str:
        """The counts in words; "" without files."""
        return ", ".join(f"{plural(count, 'file')} {what}" for count, what in self.counts)

    @property
    def has_skipped(self) -> bool:
        """A file was skipped that could have been written."""
        return bool(self.skipped.keys() - {PACKED})

    def end(self) -> None:
        """Wait until all files are on the disk."""
        from sgf_lark.text.files import sync_folder

        for folder in self._written:
            sync_folder(folder)

    @property
    def is_complete(self) -> bool:
        """All files were read and written."""
        return not (self.unread or self.unwritten or self.failed)


def _difference(path: str, before: str, after: str, encoding: str = "utf-8") -> bytes:
    name = os.fsencode(visible(os.path.normpath(path)).lstrip("/"))
    lines = list(difflib.unified_diff(_lines(before), _lines(after)))
    if not lines:
        return b""
    body = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in lines[2:]
    )
    head = b"--- a/%s\t(old)\n+++ b/%s\t(new)\n" % (name, name)
    return head + body.encode(encoding, "backslashreplace")


#: The styles of the lines of a difference on a terminal, by how they begin.
_DIFF_STYLES = {"---": "bold", "+++": "bold", "@@": "cyan", "-": "red", "+": "green"}


def show_difference(difference: Difference) -> None:
    """Print a difference; in colors on a terminal."""
    terminal = console(sys.stdout)
    if terminal.on_terminal is None:
        show(difference.patch)
        return
    for line in difference.text.split("\n")[:-1]:
        style = next((_DIFF_STYLES[sign] for sign in _DIFF_STYLES if line.startswith(sign)), "")
        terminal.write((visible(line, keep="\t") + "\n", style))


def _lines(text: str) -> list[str]:
    """Split a text into lines as ``diff`` does: only at line feeds."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]

"""Runs of a command over files: read in processes, shown and written in their order."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import closing, contextmanager, nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from sgf_lark.core import plural, reason, visible
from sgf_lark.files.archives import RecordBytes, split_member
from sgf_lark.files.members import is_compressed
from sgf_lark.files.paths import STDIN, Unreadable, read_path, report_unreadable
from sgf_lark.report.terminal import discard_output, say, show

from .output import MISUSED, WRONG, console

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from sgf_lark.core import Report
    from sgf_lark.files.result_cache import ResultCache
    from sgf_lark.files.workers import Outcome
    from sgf_lark.report.base import Missing, Reporter, Results

    from .progress import ProgressBar

T = TypeVar("T")

#: The files of a run: paths, ``-``, and paths that cannot be read.
Files = list[str | Unreadable]


class InputError(OSError):
    """A path of the command line cannot be read."""

    def __init__(self, file: Unreadable) -> None:
        super().__init__(file.reason)
        self.file = file


@dataclass(eq=False, repr=False)
class Run:
    """A run of a command over files; a bar shows its progress on a terminal."""

    files: Files
    doing: str
    jobs: int | None
    is_quiet: bool
    stdin_name: str
    stdin: bytes = b""  # the bytes of standard input, once they are read
    done: int = 0  # number of files whose results were shown or written

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
        from sgf_lark.files import many

        work = partial(many.reports, jobs=self.jobs, options=options, cache=cache)
        for file, result in self._in_order(work, options_of):
            if isinstance(file, Unreadable):
                yield report_unreadable(file)
            elif result is not None:
                yield result

    def outcomes(
        self, function: Callable[..., T], options_of: Callable[[str], dict[str, Any]]
    ) -> Iterator[tuple[str, Outcome[T]]]:
        """Call a function with each file in processes; yield each with its outcome."""
        from sgf_lark.files import many, workers

        work = partial(many.each_file, function, jobs=self.jobs)
        for file, result in self._in_order(work, options_of):
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

    def _bar(self) -> ProgressBar | None:
        terminal = None if self.is_quiet else console(sys.stderr).on_terminal
        if terminal is None:
            return None
        from sgf_lark.files.workers import size

        from .progress import ProgressBar

        sizes = [size(file) if isinstance(file, str) else 0 for file in self.files]
        return ProgressBar(terminal, sizes, doing=self.doing)

    def _in_order(
        self, work: Callable[..., Generator[T]], options_of: Callable[[str], dict[str, Any]]
    ) -> Iterator[tuple[str | Unreadable, T | None]]:
        """Yield files with their results; the bar is hidden meanwhile."""
        bar = self._bar()
        with bar or nullcontext():
            items, progress = self._items(options_of), bar and bar.advance
            with closing(work(items, progress=progress)) as results:
                for file in self.files:
                    result: T | None = None
                    if isinstance(file, str):
                        if bar is not None:
                            bar.show_file(file)
                        result = next(results)
                    with nullcontext() if bar is None else bar.paused():
                        yield file, result
                    self.done += 1


#: What becomes of a file without a result; and of these the ones by which a run is incomplete.
UNCHANGED, REJECTED = "unchanged", "not converted"
INCOMPLETE = UNWRITTEN, FAILED, UNREAD = "not written", "failed", "not read"

#: The same of a record in an archive, or of a compressed one.
PACKED = "skipped (packed)"

#: The rules about files without a result, by what becomes of them.
_RULES = {
    UNREAD: "unreadable-file",
    FAILED: "failed-check",
    PACKED: "skipped-file",
    UNWRITTEN: "unwritten-file",
}

#: Most files that the last line names.
MAX_NAMED = 5


class Difference(NamedTuple):
    """The changes of a file in the form of ``diff -u``."""

    # for git apply and patch -p1: the lines have the bytes of the file, in any encoding
    patch: bytes
    text: str

    @classmethod
    def of(cls, path: str, before: bytes, after: bytes) -> Difference:
        """Return the difference of a file between some bytes and others."""
        from sgf_lark.core import decode

        patch = _difference(path, before.decode("latin-1"), after.decode("latin-1"), "latin-1")
        try:
            return cls(patch, patch.decode())
        except UnicodeDecodeError:
            return cls(patch, _difference(path, decode(before).text, decode(after).text).decode())


@dataclass(eq=False, repr=False)
class Change:
    """A new content for a file, or the reason why there is none."""

    data: bytes | None = None  # the bytes to write; None for none
    read: bytes | None = None
    is_changed: bool = False
    diff: Difference | None = None
    what: str = ""  # what becomes of the file, if it gets no new content; "" if it may
    message: str = ""  # the line that says why; "" for none
    report: Report | None = None  # the findings about the file; None for none
    # those about its old bytes whose fixes were made first; None for none
    fixed: Report | None = None
    # why there are none, or why they are not what was asked for; "" if they are, and for what the
    # report says
    missed: str = ""

    @classmethod
    def of(
        cls,
        path: str,
        before: bytes,
        after: bytes,
        *,
        diff: bool,
        is_elsewhere: bool = False,
        **more: Any,
    ) -> Self:
        """Return the change of a file from some bytes to others; a packed one is skipped."""
        from sgf_lark.files.writing import digest_of

        is_changed = before != after
        shown = Difference.of(path, before, after) if diff and is_changed else None
        is_packed = is_compressed(path) or split_member(path) is not None
        if is_changed and not is_elsewhere and is_packed:
            more["missed"] = "archives and compressed files are not written"
            message = f"{path}: {PACKED}: {more['missed']}"
            return cls(diff=shown, what=PACKED, message=message, **more)
        if not (is_changed or is_elsewhere):
            return cls(diff=shown, **more)
        return cls(after, digest_of(before), is_changed, shown, **more)

    def write(self, path: str, output: str | None = None, *, syncs_folder: bool = True) -> None:
        """Write the new bytes, into the file itself only if it still has those that were read."""
        from sgf_lark.files.writing import write_file

        if self.data is None:
            return
        target, read = output or path, self.read
        if output is not None:
            try:
                replaces = os.path.samefile(path, output)  # noqa: PTH121  # any path
            except OSError:
                replaces = False
            read = read if replaces else None
        write_file(target, self.data, syncs_folder=syncs_folder, read=read)

    @classmethod
    def of_error(cls, path: str, error: Exception | None, done: str) -> Self:
        """Return that of a file that could not be read, or on which the program failed."""
        from sgf_lark.files.many import failure

        if isinstance(error, OSError):
            what, why = UNREAD, reason(error)
        else:
            what, why = FAILED, "; ".join(failure(done, error))
        return cls(what=what, message=f"{path}: {why}", missed=why)


def with_result(report: Report, change: Change) -> Report:
    """Return a report on a file that begins with the reason why it has no result."""
    from sgf_lark.core import about_file

    finding = about_file(_RULES[change.what], change.missed)
    return report.model_copy(update={"diagnostics": (finding, *report.diagnostics)})


C = TypeVar("C", bound=Change)


@dataclass(eq=False, repr=False)
class FileWriter:
    """Writes the new contents of files, reports on them, and counts them."""

    files: Run
    _: KW_ONLY
    writes: bool
    done: str = "written"
    is_listing: bool = False
    outputs: Mapping[str, str] = field(default_factory=dict)
    has_fixes: bool = False
    asked: str = ""
    reporter: Reporter | None = None
    of_failed: Reporter | None = None
    counts: Counter[str] = field(default_factory=Counter, init=False)
    # the files whose results are not what was asked for, each with the reason
    missing: list[Missing] = field(default_factory=list, init=False)
    _folders: set[str] = field(default_factory=set, init=False)
    _written: set[str] = field(default_factory=set, init=False)

    @property
    def word(self) -> str:
        """The word for what becomes of a changed file, or would."""
        return self.done if self.writes else f"would be {self.done}"

    def run(
        self,
        act: Callable[..., C],
        options_of: Callable[[str], dict[str, Any]],
        of_error: Callable[[str, Exception | None], C],
        then: Callable[[str, C], None] = lambda *_: None,
    ) -> None:
        gone: BrokenPipeError | None = None
        for path, outcome in self.files.outcomes(act, options_of):
            name, change = self.files.name(path), outcome.result
            if change is None:
                change = of_error(name, outcome.error)
            try:
                then(name, self._take(path, name, change))
            except BrokenPipeError as error:  # | head: nobody reads on, all files are written
                if not self.writes:
                    raise
                discard_output()
                gone = error
        self.end()
        if gone is not None:
            raise gone

    def _take(self, path: str, name: str, change: C) -> C:
        """Report on a file, write and count its change; return what became of it."""
        output, is_stdin = self.outputs.get(path), self.writes and path == STDIN
        if not is_stdin or output is not None:
            change = self.write(path, output, change)
        self.report(name, change)
        if change.message and not (change.what == PACKED and self.files.is_quiet):
            say(change.message, err=True)
        if change.diff is not None:
            show_difference(change.diff)
        if is_stdin and output is None:
            show(self.files.stdin if change.data is None else change.data)
        self.count(name, change)
        if change.is_changed and self.is_listing and not (is_stdin or self.files.is_quiet):
            say(f"{name}: {self.word}", err=True)
        return change

    def report(self, name: str, change: Change) -> None:
        """Show the findings of a file, if it was read."""
        from sgf_lark.core import Report

        report = change.report or Report(name=name)
        if change.what == UNWRITTEN or (change.report is None and change.what in _RULES):
            report = with_result(report, change)
        if self.reporter is not None:
            if change.fixed is not None:
                self.reporter.add_fixed(change.fixed)
            self.reporter.add(report)
        if self.of_failed is not None and change.what in {REJECTED, UNREAD}:
            self.of_failed.add(report)

    def count(self, name: str, change: Change) -> None:
        self.counts[change.what or (self.word if change.is_changed else UNCHANGED)] += 1
        if change.what or change.missed:
            from sgf_lark.report.base import Missing

            errors = () if change.report is None else change.report.errors
            why = change.missed or (errors[0].message if errors else "")
            self.missing.append(Missing(name, change.what or why, why * bool(change.what)))

    def skip(self, path: str, cause: str, message: str) -> None:
        """Count and report a file that is skipped; the cause is in short, the message in full."""
        self.counts[f"skipped ({cause})"] += 1
        from sgf_lark.core import Report, about_file
        from sgf_lark.report.base import Missing

        self.missing.append(Missing(path, f"skipped ({cause})", message))
        if self.reporter is not None:
            self.reporter.add(Report(name=path, diagnostics=(about_file("skipped-file", message),)))
        say(f"{path}: skipped ({cause}): {message}", err=True)

    def write(self, path: str, output: str | None, change: C) -> C:
        """Write a file, below a new folder if several are, and return what became of its change.

        One that cannot be written stays as it was, and the change says why.
        """
        if not self.writes or change.data is None:
            return change
        target = output or path
        try:
            folder = os.path.dirname(target)  # noqa: PTH120  # any path
            if folder and path in self.outputs and folder not in self._folders:
                os.makedirs(folder, exist_ok=True)  # noqa: PTH103  # any path
                self._folders.add(folder)
            change.write(path, output, syncs_folder=False)
            self._written.add(folder or os.curdir)
        except OSError as error:
            why = f"cannot be written: {reason(error)}"
            return replace(
                change,
                what=UNWRITTEN,
                message=f"{target}: {why}",
                missed=why,
                fixed=None,
                is_changed=False,
            )
        return change

    @property
    def results(self) -> Results:
        """The numbers of files, each with what became of them; and the ones that miss the aim."""
        from sgf_lark.report.base import Results

        total, missed = self.counts.total(), len(self.missing)
        line = ", ".join(f"{count} {what}" for count, what in self.summary)
        if self.has_fixes and self.reporter is not None:
            line += f"; {self.reporter.fixes.summary()}"
        if self.asked:
            verb = "would be" if not self.writes else "is" if total - missed == 1 else "are"
            line += f"; {total - missed} of {total} {verb} {self.asked}"
        if missed:
            named = [f"{one.file} ({one.what})" for one in self.missing[:MAX_NAMED]]
            more = [f"{missed - MAX_NAMED} more"] * (missed > MAX_NAMED)
            line += f"; not: {', '.join([*named, *more])}"
        return Results(f"{plural(total, 'file')}: {line}", self.missing)

    @property
    def summary(self) -> list[tuple[int, str]]:
        """The numbers of files, each with what became of them."""
        order = [self.word, UNCHANGED, "skipped", *INCOMPLETE, REJECTED]
        counts = sorted(self.counts, key=lambda what: order.index(what.partition(" (")[0]))
        return [(self.counts[what], what) for what in counts]

    def end(self) -> None:
        from sgf_lark.files.writing import sync_folder

        for folder in self._written:
            sync_folder(folder)
        if self.reporter is not None:
            self.reporter.results = self.results if self.asked else None
            self.reporter.end()

    def exit_code(self, *, is_wrong: bool = False) -> int:
        """Return the exit code: that of something wrong also if a file has no result."""
        if self.counts.keys() & {*INCOMPLETE}:
            return MISUSED
        is_wrong = is_wrong or bool(self.counts.keys() - {self.word, UNCHANGED, PACKED})
        is_wrong = is_wrong or bool(self.asked and self.missing)
        return WRONG if is_wrong else 0


def _difference(path: str, before: str, after: str, encoding: str = "utf-8") -> bytes:
    from difflib import unified_diff

    name = os.fsencode(visible(os.path.normpath(path)).lstrip("/"))
    lines = list(unified_diff(_lines(before), _lines(after)))
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

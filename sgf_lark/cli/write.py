"""Commands that write records: ``sgf-lark fmt PATHS...``, ``check --fix PATHS...``."""

from __future__ import annotations

import difflib
import sys
from collections import Counter
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn

import typer

from sgf_lark.diagnostics.terminal import plural, say, show, visible

from . import options as arguments
from .paths import STDIN, SUFFIXES, Unreadable, find_files, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.api.format import Layout
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.diagnostics.settings import FileOptions
    from sgf_lark.report.base import Fixes


def fmt(
    *,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATHS",
            help=f"Files; folders, whose files that end in {', '.join(SUFFIXES)} are formatted;"
            " patterns such as 'games/*.sgf'; or - to format standard input and print the"
            " result.",
            show_default=False,
        ),
    ],
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit with 1 if a file would change."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
    nodes: Annotated[int, typer.Option(min=1, metavar="N", help="Nodes on a line.")] = 1,
    indent: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Spaces before a variation, for each level."),
    ] = 0,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Break lines longer than N characters, where this keeps the content.",
            show_default=False,
        ),
    ] = None,
    compress: Annotated[
        bool,
        typer.Option("--compress", help="Write point lists as rectangles; FF[4] only."),
    ] = False,
    encoding: arguments.Encoding = None,
) -> None:
    """Write game records in one layout, a node on each line.

    A file is replaced only if the new text reads as the same games. Files with syntax errors
    are skipped: check reports the errors.

    Exit code: 0 if all files are formatted, 1 if a file would change (--check, --diff) or has
    syntax errors, 2 if a file could not be read or written.
    """
    from sgf_lark.api.format import ChangedError, format_record
    from sgf_lark.diagnostics.errors import SgfSyntaxError

    arguments.test_encoding(encoding)
    layout: Layout = {"nodes": nodes, "indent": indent, "width": width, "compress": compress}
    updater = FileUpdater(writes=not (check or diff), diff=diff)
    for path, data in updater.read(find_files(paths)):
        with updater.catch_failure("formatted", path, data):
            try:
                after = format_record(data, name=path, encoding=encoding, **layout)
            except SgfSyntaxError as error:
                updater.skip(path, "syntax errors", str(error.first), data)
            except ChangedError as error:
                updater.skip(path, "changed content", str(error), data)
            else:
                if updater.update(path, data, after) and (path != STDIN or not updater.writes):
                    say(f"{path}: {updater.word}", err=True)
    updater.end()


class Fixing(NamedTuple):
    """The result of fixing files.

    Attributes:
        fixes: The number of fixes.
        remaining: The worst severity of the findings that remain; None if none does.
        failures: The files on which the program failed, each with its exception.
        is_complete: All files were read and written.
    """

    fixes: Fixes
    remaining: Severity | None
    failures: dict[str, Exception]
    is_complete: bool


def fix(
    files: list[str | Unreadable],
    *,
    unsafe: bool,
    diff: bool,
    level: Severity,
    options: dict[str, Any],
    file_options: FileOptions,
) -> Fixing:
    """Fix the findings in files, print each fix, and write the files.

    Args:
        files: The files; for standard input the result is printed.
        unsafe: Make unsafe fixes, too.
        diff: Write nothing; print the difference.
        level: The lowest severity to fix.
        options: Options of :func:`sgf_lark.check`.
        file_options: The options of each file.
    """
    from sgf_lark.api.fix import fix_record
    from sgf_lark.diagnostics.rules import SEVERITIES
    from sgf_lark.grammar.time_limit import limited
    from sgf_lark.report.base import Fixes

    wanted = {name: options[name] for name in ("format", "encoding", "grammar")}
    updater = FileUpdater(writes=not diff, diff=diff)
    fixes = Fixes(unsafe=unsafe)
    chosen = {file: file_options.of(file) for file in files if isinstance(file, str)}
    remaining = set()
    for path, data in updater.read(files):
        with updater.catch_failure("fixed", path, data):
            with limited(len(data)) if wanted["grammar"] else nullcontext():
                result = fix_record(
                    data, unsafe=unsafe, options=chosen[path], level=level, name=path, **wanted
                )
            remaining |= {finding.severity for finding in result.remaining}
            if not updater.update(path, data, result.data):
                continue
            fixes.made += len(result.made)
            fixes.files += 1
            for finding in result.made:
                if finding.fix is not None:
                    place = f"{path}:{finding.line}:{finding.column}"
                    say(f"{place}: {finding.code} {finding.fix.message}", err=True)
    fixes.unwritten = updater.unwritten
    worst = min(remaining, key=SEVERITIES.index, default=None)
    return Fixing(fixes, worst, updater.failures, not (updater.unread or updater.unwritten))


class FileUpdater:
    """Reads files, writes their new content, and counts both.

    Args:
        writes: Write the files; otherwise only count those that would change.
        diff: Print the differences.

    Attributes:
        changed: Number of files that were, or would be, written.
        unchanged: Number of files without a change.
        skipped: Number of files skipped for each cause.
        unread, unwritten: Number of files that could not be read, and be written.
        failures: The files on which the program failed, each with its exception.
    """

    def __init__(self, *, writes: bool, diff: bool) -> None:
        self.writes = writes
        self.diff = diff
        self.word = "written" if writes else "would be written"
        self.changed = self.unchanged = self.unread = self.unwritten = 0
        self.skipped: Counter[str] = Counter()
        self.failures: dict[str, Exception] = {}

    def read(self, files: Iterable[str | Unreadable]) -> Iterator[tuple[str, bytes]]:
        """Read files one by one; report those that cannot be read."""
        for file in list(files):
            if isinstance(file, Unreadable):
                self._fail(file.path, file.reason)
                continue
            try:
                data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
            except (OSError, ValueError) as error:
                self._fail(file, reason(error))
                continue
            yield file, data

    def _fail(self, path: str, why: str) -> None:
        self.unread += 1
        say(f"{path}: {why}", err=True)

    @contextmanager
    def catch_failure(self, done: str, path: str, data: bytes) -> Iterator[None]:
        """Report a failure of the program on a file, so that it goes on with the next one."""
        try:
            yield
        except OSError:  # the output is closed
            raise
        except Exception as error:  # noqa: BLE001  # one file must not stop the others
            from sgf_lark.api.many import REPORT_IT, failure

            self.failures[path] = error
            say(f"{path}: {failure(done, error)}; {REPORT_IT}", err=True)
            self._leave(path, data)

    def skip(self, path: str, cause: str, message: str, data: bytes) -> None:
        """Report a file that stays as it is; standard input is copied to the output."""
        self.skipped[cause] += 1
        say(f"{path}: skipped ({cause}): {message}", err=True)
        self._leave(path, data)

    def _leave(self, path: str, data: bytes) -> None:
        if path == STDIN and self.writes:
            show(data)

    def update(self, path: str, before: bytes, after: bytes) -> bool:
        """Write a file if it has changed; return whether it was, or would be, written."""
        if self.diff and before != after:
            show(difference(path, before, after).encode("utf-8", "backslashreplace"))
        if path == STDIN and self.writes:
            show(after)
        elif before != after and self.writes:
            from sgf_lark.text.files import write_file

            try:
                write_file(path, after)
            except OSError as error:
                self.unwritten += 1
                say(f"{path}: cannot be written: {reason(error)}", err=True)
                return False
        has_changed = before != after
        self.changed += has_changed
        self.unchanged += not has_changed
        return has_changed

    def end(self) -> NoReturn:
        """Print the counts, and exit with the exit code of the command."""
        parts = [
            (self.changed, self.word),
            (self.unchanged, "unchanged"),
            *((count, f"skipped ({cause})") for cause, count in self.skipped.items()),
            (self.unwritten, "not written"),
            (len(self.failures), "failed"),
        ]
        shown = ", ".join(f"{plural(count, 'file')} {what}" for count, what in parts if count)
        say(shown or "no files", err=True)
        if self.unread or self.unwritten or self.failures:
            raise typer.Exit(2)
        raise typer.Exit(int(bool(self.skipped or (self.changed and not self.writes))))


def difference(path: str, before: bytes, after: bytes) -> str:
    """Return the changes of a file in the form of ``diff -u``."""
    from sgf_lark.text.encoding import decode

    old, new = (_lines(decode(data).text) for data in (before, after))
    name = visible(path)
    lines = difflib.unified_diff(old, new, f"{name} (old)", f"{name} (new)")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    """Split a text into lines as ``diff`` does: only at line feeds."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]

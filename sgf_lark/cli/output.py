"""Output of commands: consoles, reports on errors, files for results, exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, NoReturn

import click

from sgf_lark.core import Severity, reason
from sgf_lark.files.paths import STDIN, Unreadable, is_found
from sgf_lark.report.terminal import discard_output, say

if TYPE_CHECKING:
    from pathlib import Path

    from sgf_lark.core import Report
    from sgf_lark.report.base import ReportConsole

#: Exit codes: something is wrong with a record; a file could not be read or written, or the
#: command line is wrong; the program was stopped by Ctrl-C; the reader of its output has gone
#: (``| head``).
WRONG, MISUSED, INTERRUPTED, READER_GONE = 1, 2, 130, 141


def console(stream: IO[str]) -> ReportConsole:
    """Return a console for a stream; in colors on a terminal, unless NO_COLOR is set."""
    from sgf_lark.report.base import ReportConsole

    no_color = bool(os.environ.get("NO_COLOR"))  # rich would still write bold and dim
    return ReportConsole(stream, color_system=None if no_color else "auto")


def show_report(report: Report, level: Severity) -> None:
    """Write the findings of a report to standard error, in full."""
    from sgf_lark.report.text import FullReporter

    FullReporter(console(sys.stderr), level).add(report)


def fail(message: str, code: int = MISUSED, more: Iterable[str] = ()) -> NoReturn:
    """Print an error on standard error, with further lines such as a help, and exit."""
    for line in (f"error: {message}", *more):
        say(line, err=True)
    sys.exit(code)


@contextmanager
def reported_failure(what: str) -> Iterator[None]:
    """Exit if a file cannot be read or written, with what that is in words, and the reason."""
    try:
        yield
    except OSError as error:
        fail(f"{what}: {reason(error)}")


def exit_with_report(
    report: Report, level: Severity = Severity.ERROR, code: int = MISUSED
) -> NoReturn:
    """Show the errors of settings, of a grammar or of a text, and exit."""
    show_report(report, level)
    sys.exit(code)


@contextmanager
def ends_of_output() -> Iterator[None]:
    """Exit as programs do if the user or the reader of the output ends the command.

    An output that cannot be written, such as on a full disk, is reported.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        discard_output()
        sys.exit(READER_GONE)
    except OSError as error:
        what = "cannot write the output" if error.filename is None else error.filename
        discard_output()
        fail(f"{what}: {reason(error)}")


@contextmanager
def open_report(output: Path | None) -> Iterator[IO[str]]:
    """Open the stream for the report; a file gets all of it, or keeps its old content."""
    from sgf_lark.files.writing import replacing

    if output is None:
        yield sys.stdout
        return
    with ExitStack() as stack:
        with reported_failure(f"--output: {output}"):
            file = stack.enter_context(replacing(output))
        text = io.TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="\n")
        try:
            yield text
        finally:
            text.detach()


def protect_inputs(
    output: str | Path | None,
    paths: list[str],
    files: list[str | Unreadable],
    *read: str | None,
    option: str = "--output",
) -> None:
    """Make sure that the file of an option replaces none of the files that are read."""
    if output is None:
        return
    from sgf_lark.files.writing import are_same

    why = "this file is an input of the command"
    inputs = [*paths, *(file for file in files if isinstance(file, str)), *filter(None, read)]
    is_read = any(are_same(0 if name == STDIN else name, output) for name in inputs)
    if not is_read and is_found(str(output)):
        folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112
        place = os.path.realpath(output)
        is_read = any(os.path.commonpath([folder, place]) == folder for folder in folders)
        why = "the next check would read this file as a record"
    if is_read:
        message = f"{output}: {why}; choose another file for the report"
        raise click.UsageError(f"{option}: {message}")

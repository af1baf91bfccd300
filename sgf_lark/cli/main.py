"""The command line: ``sgf-lark check PATHS...``."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from enum import StrEnum
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sgf_lark._version import __version__
from sgf_lark.diagnostics.forms import SHOW_INFOS, Level, Output
from sgf_lark.diagnostics.terminal import discard_output, never_fail, say, visible

from . import options as arguments, workbench as workbench_cli
from .commands import LazyCommands, LazyGroup, command_in
from .paths import STDIN, SUFFIXES, Unreadable, find_files, reason

if TYPE_CHECKING:
    from sgf_lark.diagnostics.errors import SgfError
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.diagnostics.settings import FileOptions
    from sgf_lark.report.base import ReportConsole, Reporter

    from .write import Fixing


class PageFormat(StrEnum):
    """The forms of an explanation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


#: By the names of the commands, in the order of the help: modules, and functions or groups.
COMMANDS = {
    "check": ("main", "check"),
    "explain": ("main", "explain"),
    "show": ("show", "show"),
    "convert": ("convert", "convert"),
    "schema": ("convert", "schema"),
    "fmt": ("write", "fmt"),
    "tree": ("workbench", "tree"),
    "play": ("workbench", "play"),
    "grammar": ("grammar", "grammars_app"),
}

#: Base of the errors of the command line, which typer itself does not export.
_MISUSE: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


class _Group(LazyGroup):
    """Commands that escape control characters in errors: arguments can be names of files."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = LazyCommands({name: command_in(*home) for name, home in COMMANDS.items()})

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _visible_errors():
            return super().make_context(*arguments, **options)

    def invoke(self, *arguments: Any) -> Any:
        with _visible_errors():
            return super().invoke(*arguments)


@contextmanager
def _visible_errors() -> Iterator[None]:
    try:
        yield
    except _MISUSE as error:
        error.message = visible(error.message, keep="\n")  # type: ignore[attr-defined]  # of its class
        raise


app = typer.Typer(
    cls=_Group,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: Default limit of findings shown of a file: a file with more is no game record, or has one
#: fault throughout.
MAX_DIAGNOSTICS = 1000

#: Exit codes of a program stopped by Ctrl-C, and of one whose reader has gone (``| head``).
INTERRUPTED, READER_GONE = 130, 141


class ReadAs(StrEnum):
    """The formats of records."""

    FF1 = "ff1"
    FF3 = "ff3"
    FF4 = "ff4"
    GGF = "ggf"


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # typer calls it so
    if wanted:
        typer.echo(f"sgf-lark {__version__}")
        raise typer.Exit


@app.callback()
def sgf_lark(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001  # its callback has done it
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Check, fix, format and convert game records of Go and other games: SGF and GGF."""
    never_fail()
    context.call_on_close(workbench_cli.end_time_limit)


def check(
    *,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATHS",
            help=f"Files; folders, whose files that end in {', '.join(SUFFIXES)} are checked;"
            " patterns such as 'games/*.sgf'; or - for standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Output | None,
        typer.Option(
            "--format",
            help="The form of the report: each finding with its source line (full) or on one line"
            " (concise), grouped by file (grouped), counted by rule (statistics), or for other"
            " programs.  [default: full]",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            help="The lowest severity to show."
            "  [default: warning; info for statistics, json, jsonl and sarif]",
            show_default=False,
        ),
    ] = None,
    select: arguments.Select = None,
    extend_select: arguments.ExtendSelect = None,
    ignore: arguments.Ignore = None,
    strict: arguments.Strict = None,
    error: arguments.Error = None,
    warn: arguments.Warn = None,
    info: arguments.Info = None,
    config: arguments.Config = None,
    isolated: arguments.Isolated = False,
    output_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the report to this file.", show_default=False),
    ] = None,
    read_as: Annotated[
        ReadAs | None,
        typer.Option(
            "--as",
            help="Read the records as this format, whatever they declare.",
            show_default=False,
        ),
    ] = None,
    grammar: workbench_cli.GrammarOption = None,
    encoding: arguments.Encoding = None,
    max_diagnostics: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Show the worst N findings of a file, and count the others; 0 for all.",
        ),
    ] = MAX_DIAGNOSTICS,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Check N files at the same time.  [default: one on each core, if there is much"
            " to check]",
            show_default=False,
        ),
    ] = None,
    fix: arguments.Fix = False,
    unsafe_fixes: arguments.UnsafeFixes = False,
    diff: arguments.Diff = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with 0 even if there are findings.")
    ] = False,
) -> None:
    """Find errors in game records, and fix them.

    Exit code: 0 if no error or warning was shown, 1 if one was, 2 if a file could not be read
    or the command line or a setting is wrong.
    """
    from sgf_lark.diagnostics.errors import SettingsError, SgfGrammarError
    from sgf_lark.report.base import Fixes
    from sgf_lark.report.machine import REPORTERS

    lists = {"select": select, "extend_select": extend_select, "ignore": ignore}
    lists |= {"error": error, "warn": warn, "info": info}
    try:
        arguments.test_encoding(encoding)
        by_file = arguments.file_options(lists, strict=strict, config=config, isolated=isolated)
        output = output or by_file.settings.format or Output.FULL
        most = 0 if output is Output.STATISTICS else max_diagnostics
        options = {"format": read_as, "encoding": encoding, "max_diagnostics": most}
        options |= {"grammar": workbench_cli.check_for_records(grammar)}
        files = list(find_files(paths))
        _protect_inputs(output_file, paths, files, grammar, config)
        least = _lowest_severity(output, level or by_file.settings.level)
        fixing = None
        if fix or diff:
            from .write import fix as fix_files

            fixing = fix_files(
                files,
                unsafe=unsafe_fixes,
                diff=diff,
                level=least,
                options=options,
                file_options=by_file,
            )
            if diff or STDIN in files:
                code = _finish_fixing(fixing, diff=diff)
                raise typer.Exit(0 if exit_zero and code == 1 else code)
        with _open_report(output_file) as stream:
            fixes = fixing.fixes if fixing else Fixes(unsafe=unsafe_fixes)
            reporter = REPORTERS[output](_console(stream), least, fixes)
            failures = fixing.failures if fixing else {}
            _check_all(files, reporter, by_file, jobs, options, failures)
            stream.flush()
    except (SettingsError, SgfGrammarError) as invalid:
        _exit_with_report(invalid)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _exit_reader_gone()
    except OSError as failed:
        _exit_unwritable(failed)
    code = reporter.exit_code
    raise typer.Exit(0 if exit_zero and code == 1 else code)


def explain(
    *,
    word: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE|PROPERTY",
            help="A code (V301), a name (wrong-value), the beginning of codes (V3) or a group"
            " (value); or a property (KM, Komi).",
            show_default=False,
        ),
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="List all codes; the same as no argument.")
    ] = False,
    form: Annotated[
        PageFormat, typer.Option("--format", help="The form: for people, or for programs.")
    ] = PageFormat.TEXT,
) -> None:
    """Explain a finding of check, or a property of game records.

    Exit code: 2 if there is no such code or property.
    """
    from sgf_lark.report import explain as pages

    if word and all_:
        raise typer.BadParameter(f"--all lists all codes: remove it, or '{word}'")
    try:
        page = pages.explain(word) if word else pages.ListPage()
    except pages.UnknownError as error:
        raise typer.BadParameter(str(error), param_hint="CODE|PROPERTY") from None
    if form is PageFormat.TEXT:
        width = get_terminal_size().columns if sys.stdout.isatty() else pages.MAX_WIDTH
        text = pages.as_text(page, width)
    elif form is PageFormat.MARKDOWN:
        text = pages.as_markdown(page)
    else:
        text = json.dumps(page.data(), indent=2, ensure_ascii=not _writes_unicode())
    try:
        print(text, flush=True)  # noqa: T201  # what was asked for
    except BrokenPipeError:
        _exit_reader_gone()


def _writes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _exit_reader_gone() -> NoReturn:
    discard_output()
    raise typer.Exit(READER_GONE) from None


def _exit_unwritable(error: OSError) -> NoReturn:
    """Report an error such as a full disk, and exit."""
    say(f"Error: cannot write the report: {reason(error)}", err=True)
    discard_output()
    raise typer.Exit(2) from None


def _console(stream: IO[str]) -> ReportConsole:
    """Return a console for a stream; in colors on a terminal, unless NO_COLOR is set."""
    from sgf_lark.report.base import ReportConsole

    no_color = bool(os.environ.get("NO_COLOR"))  # rich would still write bold and dim
    return ReportConsole(stream, color_system=None if no_color else "auto")


def _exit_with_report(error: SgfError) -> NoReturn:
    """Show the errors of settings or a grammar, and exit before any record is checked."""
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.report.text import FullReporter

    FullReporter(_console(sys.stderr), Severity.ERROR).add(error.report)
    raise typer.Exit(2) from None


def _lowest_severity(output: Output, level: Level | Severity | None) -> Severity:
    """Return the lowest severity to show."""
    from sgf_lark.diagnostics.rules import Severity

    return Severity(level or (Level.INFO if output in SHOW_INFOS else Level.WARNING))


@contextmanager
def _open_report(output_file: str | None) -> Iterator[IO[str]]:
    """Open the stream for the report; a file gets all of it, or keeps its old content."""
    from sgf_lark.text.files import replacing

    if output_file is None or output_file == STDIN:
        yield sys.stdout
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(replacing(output_file))
        except OSError as error:
            message = f"{output_file}: {reason(error)}"
            raise typer.BadParameter(message, param_hint="--output-file") from None
        text = io.TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="\n")
        try:
            yield text
        finally:
            text.detach()


def _protect_inputs(
    output_file: str | None, paths: list[str], files: list[str | Unreadable], *read: str | None
) -> None:
    """Make sure that the report replaces none of the files that are read.

    Raises:
        typer.BadParameter: It would.
    """
    from sgf_lark.text.files import are_same

    if output_file is None or output_file == STDIN:
        return
    why = "this file is an input of the command"
    inputs = [*(file for file in files if isinstance(file, str)), *filter(None, read)]
    is_read = any(are_same(0 if name == STDIN else name, output_file) for name in inputs)
    if not is_read and output_file.lower().endswith(SUFFIXES):
        folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112
        place = os.path.realpath(output_file)
        is_read = any(os.path.commonpath([folder, place]) == folder for folder in folders)
        why = "the next check would read this file as a record"
    if is_read:
        message = f"{output_file}: {why}; choose another file for the report"
        raise typer.BadParameter(message, param_hint="--output-file")


def _finish_fixing(fixing: Fixing, *, diff: bool) -> int:
    """Print the number of fixes, where no report follows, and return the exit code."""
    from sgf_lark.diagnostics.rules import Severity

    summary = fixing.fixes.summary("would be fixed" if diff else "fixed")
    say(summary if fixing.fixes.made else "nothing to fix", err=True)
    if fixing.failures or not fixing.is_complete:
        return 2
    return int(bool(fixing.fixes.made) if diff else fixing.remaining not in {None, Severity.INFO})


def _check_all(
    files: list[str | Unreadable],
    reporter: Reporter,
    by_file: FileOptions,
    jobs: int | None,
    options: dict[str, Any],
    failures: dict[str, Exception],
) -> None:
    """Check all files; print each report as soon as those before it are printed."""
    from sgf_lark.api import many

    from .paths import report_unreadable
    from .progress import show_progress

    chosen = {file: {"options": by_file.of(file)} for file in files if isinstance(file, str)}
    records = [(file, options) for file, options in chosen.items() if file != STDIN]
    terminal = _console(sys.stderr).on_terminal
    sizes = [many.size(file) if terminal and isinstance(file, str) else 0 for file in files]
    reporter.begin()
    with (
        show_progress(terminal, sizes) as bar,
        closing(many.reports(records, jobs, options)) as reports,
    ):
        for file in files:
            if isinstance(file, Unreadable):
                report = report_unreadable(file)
            elif file == STDIN:
                report = _check_stdin(options | chosen[file])
            else:
                bar.show_file(file)
                report = next(reports)
            if not isinstance(file, Unreadable) and file in failures:
                report = many.with_failure(report, failures[file])
            with bar.paused():
                reporter.add(report)
                reporter.console.file.flush()
    reporter.end()


def _check_stdin(options: dict[str, Any]) -> Report:
    from sgf_lark.api import load as api

    from .paths import report_unreadable

    try:
        return api.check(sys.stdin.buffer, **options)
    except OSError as error:
        return report_unreadable(Unreadable(STDIN, reason(error)))

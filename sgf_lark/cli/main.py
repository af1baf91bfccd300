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
from typer.core import TyperGroup

from sgf_lark._version import __version__
from sgf_lark.diagnostics.forms import WHOLE, Level, Output
from sgf_lark.diagnostics.terminal import never_fail, say, visible

from . import (
    convert as convert_cli,
    grammar as grammar_cli,
    options as arguments,
    workbench as workbench_cli,
    write as writing_cli,
)
from .paths import STDIN, SUFFIXES, Unreadable, find_files, reason

if TYPE_CHECKING:
    from sgf_lark.diagnostics.errors import SgfError
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.diagnostics.settings import Chooser
    from sgf_lark.report.base import ReportConsole, Reporter


class Telling(StrEnum):
    """The forms of an explanation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


#: What is raised when the command line is not understood: typer names but one kind of it.
_MISUSE: type[Exception] = next(
    one for one in typer.BadParameter.__mro__ if one.__name__ == "ClickException"
)


class _Group(TyperGroup):
    """Commands whose errors never print an argument raw: the shell puts names of files there."""

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
        error.message = visible(error.message, keep="\n")  # type: ignore[attr-defined]  # all have one
        raise


app = typer.Typer(
    cls=_Group,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: So many findings of a file are shown if nobody asks for more: a person reads fewer, and a file
#: with more is no game record, or has one fault throughout.
MOST = 1000

#: Exit codes of a program that Ctrl-C stops, and of one whose reader has gone (``| head``).
INTERRUPTED, READER_GONE = 130, 141


class ReadAs(StrEnum):
    """The formats."""

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
    """Reads game records of Go, Othello, backgammon and other games: SGF and GGF."""
    never_fail()
    context.call_on_close(workbench_cli.unlimit_time)


@app.command()
def check(
    *,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATHS",
            help=f"Files; folders, in which all files that end in {', '.join(SUFFIXES)} are"
            " checked; patterns such as 'games/*.sgf'; or - to read what is piped in.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Output | None,
        typer.Option(
            "--format",
            help="How to show what was found: with the lines it stands on (full), one line each"
            " (concise), file by file (grouped), counted (statistics), or for other programs."
            "  [default: full]",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        Level | None,
        typer.Option(
            help="Show errors only, warnings too, or also what is merely worth knowing (info)."
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
        typer.Option(metavar="FILE", help="Write the report into this file.", show_default=False),
    ] = None,
    read_as: Annotated[
        ReadAs | None,
        typer.Option(
            "--as",
            help="Read the records as this format, whatever they say themselves.",
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
            help="Show the worst N findings of a file, and how many more there are; 0 for all.",
        ),
    ] = MOST,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Check so many files at the same time.  [default: one on each core, if there is"
            " much to check]",
            show_default=False,
        ),
    ] = None,
    fix: writing_cli.Fix = False,
    unsafe_fixes: writing_cli.UnsafeFixes = False,
    diff: writing_cli.Diff = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with 0 even if something is wrong.")
    ] = False,
) -> None:
    """Say what is wrong with game records, and where.

    Exits with 0 if nothing is wrong, with 1 if an error or a warning was shown, and with 2 if
    a file could not be read or the command was not understood.
    """
    from sgf_lark.diagnostics.errors import SettingsError, SgfGrammarError
    from sgf_lark.report.base import Fixes
    from sgf_lark.report.machine import REPORTERS

    lists = {"select": select, "extend_select": extend_select, "ignore": ignore}
    lists |= {"error": error, "warn": warn, "info": info}
    try:
        arguments.test_encoding(encoding)
        chooser = arguments.chooser(lists, strict=strict, config=config, isolated=isolated)
        output = output or chooser.settings.format or Output.FULL
        most = 0 if output is Output.STATISTICS else max_diagnostics
        options = {"format": read_as, "encoding": encoding, "max_diagnostics": most}
        options |= {"grammar": workbench_cli.for_records(grammar)}
        files = list(find_files(paths))
        _keep(output_file, paths, files, grammar, config)
        least = _least(output, level or chooser.settings.level)
        fixing = None
        if fix or diff:
            fixing = writing_cli.fix(
                files,
                unsafe=unsafe_fixes,
                diff=diff,
                level=least,
                options=options,
                chooser=chooser,
            )
            if diff or STDIN in files:
                code = _end_fixing(fixing, diff=diff)
                raise typer.Exit(0 if exit_zero and code == 1 else code)
        with _stream(output_file) as stream:
            fixes = fixing.fixes if fixing else Fixes(unsafe=unsafe_fixes)
            reporter = REPORTERS[output](_console(stream), least, fixes)
            failures = fixing.failures if fixing else {}
            _check_all(files, reporter, chooser, jobs, options, failures)
            stream.flush()
    except (SettingsError, SgfGrammarError) as refused:
        _refuse(refused)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _reader_has_gone()
    except OSError as failed:
        _cannot_be_written(failed)
    code = reporter.exit_code
    raise typer.Exit(0 if exit_zero and code == 1 else code)


@app.command()
def explain(
    *,
    word: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE|PROPERTY",
            help="A code (V301), a name (wrong-value), a beginning of codes (V3) or a group"
            " (value); or a property (KM, Komi).",
            show_default=False,
        ),
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="List all codes; the same as nothing at all.")
    ] = False,
    form: Annotated[
        Telling, typer.Option("--format", help="How to say it: for people, or for programs.")
    ] = Telling.TEXT,
) -> None:
    """Say what a finding of check means, or what a property of a game record is.

    Exits with 2 if nothing has such a name.
    """
    from sgf_lark.report import explain as pages

    if word and all_:
        raise typer.BadParameter("--all and a name contradict each other")
    try:
        page = pages.explain(word) if word else pages.ListPage()
    except pages.UnknownError as error:
        raise typer.BadParameter(str(error), param_hint="CODE|PROPERTY") from None
    if form is Telling.TEXT:
        width = get_terminal_size().columns if sys.stdout.isatty() else pages.MAX_WIDTH
        text = pages.as_text(page, width)
    elif form is Telling.MARKDOWN:
        text = pages.as_markdown(page)
    else:
        text = json.dumps(page.data(), indent=2, ensure_ascii=not _writes_unicode())
    try:
        print(text, flush=True)  # noqa: T201  # what was asked for
    except BrokenPipeError:
        _reader_has_gone()


def _writes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _reader_has_gone() -> NoReturn:
    _forget_output()
    raise typer.Exit(READER_GONE) from None


def _forget_output() -> None:
    """What Python still holds for a reader that has gone must go somewhere at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _cannot_be_written(error: OSError) -> NoReturn:
    """The disk is full, or the like."""
    say(f"Error: the report cannot be written: {reason(error)}", err=True)
    _forget_output()
    raise typer.Exit(2) from None


def _console(stream: IO[str]) -> ReportConsole:
    """Where text goes; in colors on a terminal, unless NO_COLOR is set."""
    from sgf_lark.report.base import ReportConsole

    plain = bool(os.environ.get("NO_COLOR"))  # rich leaves bold and dim as they are
    return ReportConsole(stream, color_system=None if plain else "auto")


def _refuse(error: SgfError) -> NoReturn:
    """Show what is wrong with settings or a grammar; nothing is checked by halves of them."""
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.report.text import FullReporter

    FullReporter(_console(sys.stderr), Severity.ERROR).add(error.report)
    raise typer.Exit(2) from None


def _least(output: Output, level: Level | Severity | None) -> Severity:
    """The least severity to show."""
    from sgf_lark.diagnostics.rules import Severity

    return Severity(level or (Level.INFO if output in WHOLE else Level.WARNING))


@contextmanager
def _stream(output_file: str | None) -> Iterator[IO[str]]:
    """Where the report goes; a file holds all of it, or what it held before."""
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


def _keep(
    output_file: str | None, paths: list[str], files: list[str | Unreadable], *read: str | None
) -> None:
    """Refuse to write the report over what is read for it.

    Raises:
        typer.BadParameter: It would be.
    """
    from sgf_lark.text.files import are_same

    if output_file is None or output_file == STDIN:
        return
    why = "that is what is checked"
    found = [*(file for file in files if isinstance(file, str)), *filter(None, read)]
    is_read = any(are_same(0 if one == STDIN else one, output_file) for one in found)
    if not is_read and output_file.lower().endswith(SUFFIXES):
        folders = [os.path.realpath(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112
        place = os.path.realpath(output_file)
        is_read = any(os.path.commonpath([folder, place]) == folder for folder in folders)
        why = "there it would be checked as a record"
    if is_read:
        message = f"{output_file}: {why}; name another file for the report"
        raise typer.BadParameter(message, param_hint="--output-file")


def _end_fixing(fixing: writing_cli.Fixing, *, diff: bool) -> int:
    """Say what was fixed, where no report follows; return the exit code."""
    from sgf_lark.diagnostics.rules import Severity

    made = fixing.fixes.summary("would be fixed" if diff else "fixed")
    say(made if fixing.fixes.made else "nothing to fix", err=True)
    if fixing.failures or not fixing.is_complete:
        return 2
    return int(bool(fixing.fixes.made) if diff else fixing.remaining not in {None, Severity.INFO})


def _check_all(
    files: list[str | Unreadable],
    reporter: Reporter,
    chooser: Chooser,
    jobs: int | None,
    options: dict[str, Any],
    failures: dict[str, Exception],
) -> None:
    """Check all files, and print each report as soon as those before are printed."""
    from sgf_lark.api import many

    from .paths import unreadable
    from .progress import Watch

    chosen = {file: {"options": chooser.of(file)} for file in files if isinstance(file, str)}
    records = [(file, options) for file, options in chosen.items() if file != STDIN]
    errors = _console(sys.stderr)
    watched = errors.is_terminal
    sizes = [many.size(file) if watched and isinstance(file, str) else 0 for file in files]
    reporter.begin()
    with (
        Watch(errors, sizes) as watch,
        closing(many.reports(records, jobs, options)) as reports,
    ):
        for file in files:
            if isinstance(file, Unreadable):
                found = unreadable(file)
            elif file == STDIN:
                found = _check_stdin(options | chosen[file])
            else:
                watch.step(file)
                found = next(reports)
            if not isinstance(file, Unreadable) and file in failures:
                found = many.with_failure(found, failures[file])
            with watch.aside():
                reporter.add(found)
                reporter.console.file.flush()
    reporter.end()


def _check_stdin(options: dict[str, Any]) -> Report:
    from sgf_lark.api import load as api

    from .paths import unreadable

    try:
        return api.check(sys.stdin.buffer, **options)
    except OSError as error:
        return unreadable(Unreadable(STDIN, reason(error)))


app.command()(convert_cli.convert)
app.command()(convert_cli.schema)
app.command()(writing_cli.fmt)
app.command()(workbench_cli.tree)
app.command()(workbench_cli.play)
app.add_typer(grammar_cli.grammars_app, name="grammar")

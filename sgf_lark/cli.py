"""The command line: ``sgf-lark check PATHS...``."""

from __future__ import annotations

import io
import os
import sys
from enum import StrEnum
from typing import IO, TYPE_CHECKING, Annotated

import typer

from . import __version__
from .paths import STDIN, SUFFIXES, Unreadable, find_files, reason

if TYPE_CHECKING:
    from rich.console import Console

    from .diagnostics import Report
    from .reports import Reporter

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: Exit codes of a program that Ctrl-C stops, and of one whose reader has gone (``| head``).
INTERRUPTED, READER_GONE = 130, 141


class Output(StrEnum):
    """The forms of a report."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"


class Level(StrEnum):
    """The least severity that is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


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
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Reads game records of Go, Othello, backgammon and other games: SGF and GGF."""


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
        Output,
        typer.Option(
            "--format",
            help="How to show what was found: with the line it stands on (full), one line each"
            " (concise), or for other programs (json, jsonl).",
        ),
    ] = Output.FULL,
    level: Annotated[
        Level | None,
        typer.Option(
            help="Show errors only, warnings too, or also what is merely worth knowing (info)."
            "  [default: warning; info for json and jsonl]",
            show_default=False,
        ),
    ] = None,
    read_as: Annotated[
        ReadAs | None,
        typer.Option(
            "--as",
            help="Read the records as this format, whatever they say themselves.",
            show_default=False,
        ),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            help="How the letters are stored, such as utf-8, gb18030 or shift_jis, if that is"
            " not found out rightly by itself.",
            show_default=False,
        ),
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with 0 even if something is wrong.")
    ] = False,
) -> None:
    """Say what is wrong with game records, and where.

    Exits with 0 if nothing is wrong, with 1 if an error or a warning was shown, and with 2 if
    a file could not be read or the command was not understood.
    """
    _never_fail_to_print()
    try:
        _test_encoding(encoding)
        reporter = _reporter(output, level)
        _check_all(paths, reporter, read_as, encoding)
        sys.stdout.flush()
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # What Python still holds for the reader that has gone must go somewhere at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(READER_GONE) from None
    code = reporter.exit_code
    raise typer.Exit(0 if exit_zero and code == 1 else code)


def _never_fail_to_print() -> None:
    """Write letters that the terminal's encoding lacks as ``\\u56f2``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _console(stream: IO[str]) -> Console:
    """Where text goes; in colors on a terminal, unless NO_COLOR is set."""
    from .reports import Paper

    plain = bool(os.environ.get("NO_COLOR"))  # rich leaves bold and dim as they are
    return Paper(file=stream, color_system=None if plain else "auto", highlight=False)


def _reporter(output: Output, level: Level | None) -> Reporter:
    from .diagnostics import Severity
    from .reports import REPORTERS

    for_programs = output in {Output.JSON, Output.JSONL}
    least = level or (Level.INFO if for_programs else Level.WARNING)
    return REPORTERS[output](_console(sys.stdout), _console(sys.stderr), Severity(least))


def _test_encoding(name: str | None) -> None:
    """Refuse an unknown encoding before any file is opened."""
    from .encoding import decode

    try:
        decode(b"", name)
    except LookupError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--encoding") from None


def _check_all(
    paths: list[str], reporter: Reporter, read_as: ReadAs | None, encoding: str | None
) -> None:
    """Check one file after the other, and print each report at once."""
    from .progress import Watch

    files = list(find_files(paths))
    reporter.begin()
    with Watch(reporter.errors, len(files)) as watch:
        for file in files:
            if isinstance(file, str):
                watch.step(file)
            found = file if isinstance(file, Unreadable) else _check(file, read_as, encoding)
            with watch.aside():
                if isinstance(found, Unreadable):
                    reporter.add_unreadable(found)
                else:
                    reporter.add(found)
                sys.stdout.flush()
    reporter.end()


def _check(file: str, read_as: ReadAs | None, encoding: str | None) -> Report | Unreadable:
    from . import api

    try:
        source = sys.stdin.buffer if file == STDIN else file
        return api.check(source, format=read_as, encoding=encoding)
    except OSError as error:
        return Unreadable(file, reason(error))

"""The command line of the workbench: ``sgf-lark tree``, ``sgf-lark grammar ...``.

Everything that is slow to import is imported where it is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .paths import STDIN, SUFFIXES, reason

if TYPE_CHECKING:
    from .diagnostics import Report
    from .grammars import File

grammars_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look at grammars, change, test and compare them.",
)

#: Exit codes: something is wrong with a text or a grammar, the command was not understood.
WRONG, MISUSED = 1, 2

GrammarArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAMMAR",
        help="A shipped grammar, as 'sgf-lark grammar list' names it, or the file of one's own.",
    ),
]
StartOption = Annotated[
    str | None,
    typer.Option(
        "--start",
        metavar="RULE",
        help="The rule to begin with, such as number or move.  [default: the first one]",
        show_default=False,
    ),
]
GrammarOption = Annotated[
    str | None,
    typer.Option(
        "--grammar",
        metavar="GRAMMAR",
        help="Read the records by this grammar: the file of one's own, or the name of a shipped"
        " one.  [default: that of their format]",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write there, not on the screen."),
]


def fail(message: str, code: int = MISUSED) -> NoReturn:
    """End with a message on standard error."""
    typer.echo(f"sgf-lark: {message}", err=True)
    raise typer.Exit(code)


def opened(name: str, values: Iterable[str] = ()) -> File:
    """A grammar by its name or path; what is wrong with it is told, and ends the command."""
    from . import grammars
    from .grammar_errors import grammar_report

    try:
        file = grammars.source(name)
    except FileNotFoundError as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot read {name}: {reason(error)}")
    except UnicodeDecodeError:
        fail(f"{name} is no grammar: it is not a text in UTF-8")
    report = grammar_report(file, frozenset(values))
    if report:
        tell(report)
        if report.errors:
            raise typer.Exit(MISUSED)
    return file


def for_records(name: str | None) -> str | None:
    """The same grammar name, if records can be read by it.

    Raises:
        SgfGrammarError: They cannot.
    """
    if name is None:
        return None
    from . import grammar_errors
    from .properties import PropertyTable

    kinds = PropertyTable.standard().kinds
    grammar_errors.for_records(opened(name, kinds), kinds)
    return name


def tell(report: Report) -> None:
    """Show what is wrong with a grammar, in full, on standard error."""
    from .diagnostics import Severity
    from .reports import FullReporter, Paper

    plain = bool(os.environ.get("NO_COLOR"))
    paper = Paper(sys.stderr, color_system=None if plain else "auto")
    FullReporter(paper, Severity.INFO).add(report)


def started(file: File, start: str | None) -> str:
    """The rule to begin with; one that the grammar does not have ends the command."""
    from . import grammars

    try:
        return grammars.rule(file, start)
    except LookupError as error:
        fail(f"--start: {error.args[0]}")


def write(parts: Iterable[str], output: Path | None) -> None:
    """Write a result to a file or on the screen."""
    if output is None:
        for part in parts:
            sys.stdout.write(part)
        return
    try:
        with output.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(parts)
    except OSError as error:
        fail(f"cannot write {output}: {reason(error)}")


def text_of(argument: str, *, is_text: bool) -> tuple[str, str]:
    """The text that an argument means, and what to call it.

    A file of that name, ``-`` for what is piped in, or the argument itself.
    """
    from .encoding import decode

    if is_text:
        return argument, "<text>"
    if argument == STDIN:
        return decode(sys.stdin.buffer.read(), None)[0], "<stdin>"
    try:
        return decode(Path(argument).read_bytes(), None)[0], argument
    except (FileNotFoundError, NotADirectoryError, ValueError):
        if argument.lower().endswith(SUFFIXES):
            fail(f"there is no file {argument}")
        return argument, "<text>"
    except OSError as error:
        if "[" in argument or "(" in argument:  # too long for a name, or no name at all
            return argument, "<text>"
        fail(f"cannot read {argument}: {reason(error)}")


# ---- tree ----


class TreeForm(StrEnum):
    """The forms of a tree."""

    TEXT = "text"
    JSON = "json"
    SEXP = "sexp"
    DOT = "dot"
    SVG = "svg"


def tree(
    *,
    source: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A file, - for what is piped in, or a text itself."),
    ],
    grammar: GrammarOption = None,
    start: StartOption = None,
    form: Annotated[
        TreeForm, typer.Option("--format", help="How to show the tree.")
    ] = TreeForm.TEXT,
    output: OutputOption = None,
    is_text: Annotated[
        bool, typer.Option("--text", help="The argument is a text, even if a file is called so.")
    ] = False,
) -> None:
    """Parse a text by a grammar, exactly as it stands, and show the parse tree.

    A text that the grammar refuses gives the tree as far as it got, the place of the fault, and
    exit code 1.
    """
    from . import trees
    from .diagnostics import Report, excerpt
    from .parse_state import parse
    from .positions import LineIndex

    text, name = text_of(source, is_text=is_text)
    file = opened(grammar or _format_of(text), [start] if start else [])
    state = parse(text, file, started(file, start))
    if state.partial is not None:
        write(trees.WRITERS[form](state.partial, text), output)
    if state.finding is not None:
        found = state.finding.located(LineIndex(text))
        sys.stdout.flush()
        report = Report(name=name, text=text, diagnostics=(found,))
        typer.echo(excerpt(report, found), err=True)
        raise typer.Exit(WRONG)


def _format_of(text: str) -> str:
    """The grammar of the format that the first game of a text says it has."""
    from .assemble import format_of

    return format_of(text).grammar


# ---- grammar list, show, path, new ----


@grammars_app.command("list")
def list_() -> None:
    """List the shipped grammars."""
    from . import grammars

    for name in grammars.names():
        typer.echo(f"{name:<24}{_title(grammars.text_of(grammars.path(name)))}")


def _title(text: str) -> str:
    """The first sentence of the comment at the head of a grammar."""
    head = " ".join(
        line.removeprefix("//").strip()
        for line in text.partition("\n//\n")[0].splitlines()
        if line.startswith("//")
    )
    return head.partition(".  ")[0].rstrip(".")


class Part(StrEnum):
    """What to show of a grammar."""

    FILE = "file"
    EBNF = "ebnf"
    BARE = "bare"


@grammars_app.command()
def show(
    name: GrammarArgument,
    part: Annotated[
        Part,
        typer.Option(
            "--as",
            help="The whole file, only the productions of the standard that it quotes (ebnf), or"
            " only what Lark reads (bare).",
        ),
    ] = Part.FILE,
) -> None:
    """Show a grammar: with the standard's productions above its rules, or one of both."""
    from . import grammar_source, grammars

    try:
        text = grammars.text_of(grammars.source(name))
    except FileNotFoundError as error:
        fail(str(error))
    if part is Part.EBNF:
        text = "".join(f"{line}\n" for line in grammar_source.quotations(text))
        if not text:
            fail(f"{name} quotes no production", WRONG)
    elif part is Part.BARE:
        text = grammar_source.bare(text)
    write([text], None)


@grammars_app.command()
def path(name: GrammarArgument) -> None:
    """Say where the file of a grammar is."""
    from . import grammars

    try:
        typer.echo(grammars.path(name))
    except FileNotFoundError as error:
        fail(str(error))


@grammars_app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    origin: Annotated[
        str, typer.Option("--from", metavar="GRAMMAR", help="What to begin with.")
    ] = "ff4",
) -> None:
    """Write a copy of a grammar to start from; an existing file is left alone."""
    from . import grammars

    try:
        text = grammars.text_of(grammars.source(origin))
    except FileNotFoundError as error:
        fail(f"--from: {error}")
    try:
        with file.open("x", encoding="utf-8", newline="\n") as made:
            made.write(text)
    except FileExistsError:
        fail(f"{file} is there already")
    except OSError as error:
        fail(f"cannot write {file}: {reason(error)}")
    typer.echo(f"{file} is a copy of {origin}; to use it: sgf-lark check --grammar {file} ...")

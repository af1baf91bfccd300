"""The command line of the workbench: ``sgf-lark tree``, ``sgf-lark play``, and ``--grammar``.

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

from sgf_lark.diagnostics.terminal import say, say_lines, show

from .paths import ENDLESS, STDIN, SUFFIXES, is_endless, reason

if TYPE_CHECKING:
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.grammar.loader import File

#: Exit codes: something is wrong with a text or a grammar, the command was not understood.
WRONG, MISUSED = 1, 2

#: The custom grammar whose time is limited, if there is one.
LIMITED: list[str] = []

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
    say(f"sgf-lark: {message}", err=True)
    raise typer.Exit(code)


def read_grammar(name: str) -> File:
    """A grammar by its name or path, whatever it says; one that cannot be read ends the command."""
    from sgf_lark.diagnostics.errors import SgfGrammarError
    from sgf_lark.grammar import loader as grammars

    try:
        return grammars.source(name)
    except FileNotFoundError as error:
        fail(str(error))
    except OSError as error:
        fail(f"cannot read {name}: {reason(error)}")
    except SgfGrammarError as error:
        tell(error.report)
        raise typer.Exit(MISUSED) from None


def opened(name: str, values: Iterable[str] = ()) -> File:
    """A grammar by its name or path; what is wrong with it is told, and ends the command."""
    from sgf_lark.grammar.lint import grammar_report
    from sgf_lark.grammar.loader import Source

    file = read_grammar(name)
    if isinstance(file, Source):
        limit_time(name)
    report = grammar_report(file, frozenset(values))
    if report:
        tell(report)
        if report.errors:
            raise typer.Exit(MISUSED)
    return file


def limit_time(name: str, characters: int = 0) -> None:
    """Begin the time that a custom grammar may take, until the command ends."""
    from sgf_lark.grammar import time_limit

    def stop() -> NoReturn:
        typer.echo(f"sgf-lark: {name}: {time_limit.too_long(seconds)}", err=True)
        typer.echo(f"  help: {time_limit.FIX_GRAMMAR}", err=True)
        sys.exit(MISUSED)  # no handler of other errors holds it back

    seconds = time_limit.seconds_for(characters)
    time_limit.set_alarm(seconds, stop)
    LIMITED[:] = [name]


def more_time(characters: int) -> None:
    """Begin the time of a custom grammar anew, for a text of so many characters."""
    for name in [*LIMITED]:
        limit_time(name, characters)


def unlimit_time() -> None:
    """End the limit, if there is one."""
    if LIMITED:
        from sgf_lark.grammar import time_limit

        time_limit.clear_alarm()
        LIMITED.clear()


def for_records(name: str | None) -> str | None:
    """The same grammar name, if records can be read by it.

    Raises:
        SgfGrammarError: They cannot.
    """
    if name is None:
        return None
    from sgf_lark.grammar import lint as grammar_errors
    from sgf_lark.schema.properties import PropertyTable

    kinds = PropertyTable.standard().kinds
    file = opened(name, kinds)
    grammar_errors.for_records(file, kinds)
    unlimit_time()  # each file of records has its own time
    return name


def tell(report: Report) -> None:
    """Show what is wrong with a grammar, in full, on standard error."""
    from sgf_lark.diagnostics.rules import Severity
    from sgf_lark.report.base import ReportConsole
    from sgf_lark.report.text import FullReporter

    plain = bool(os.environ.get("NO_COLOR"))
    console = ReportConsole(sys.stderr, color_system=None if plain else "auto")
    FullReporter(console, Severity.INFO).add(report)


def started(file: File, start: str | None, said: str = "--start") -> str:
    """The rule to begin with; one that the grammar does not have ends the command."""
    from sgf_lark.grammar import loader as grammars

    try:
        return grammars.rule(file, start)
    except LookupError as error:
        fail(f"{said}: {error.args[0]}")


def write(parts: Iterable[str], output: Path | None, *read: str | None) -> None:
    """Write a result to a file, but not over what was read, or on the screen."""
    from sgf_lark.text.files import are_same, replacing

    if output is None:
        for part in parts:
            show(part)
        return
    for one in filter(None, read):
        if are_same(0 if one == STDIN else one, output):
            fail(f"{output}: that is what is read; name another file for the result")
    try:
        with replacing(output) as file:
            file.writelines(part.encode("utf-8", "backslashreplace") for part in parts)
    except OSError as error:
        fail(f"cannot write {output}: {reason(error)}")


def text_of(argument: str, *, is_text: bool) -> tuple[str, str]:
    """The text that an argument means, and what to call it.

    A file of that name, ``-`` for what is piped in, or the argument itself.
    """
    from sgf_lark.text.encoding import decode

    if is_text:
        return argument, "<text>"
    if is_endless(argument):
        fail(f"cannot read {argument}: {ENDLESS}")
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
    from sgf_lark.diagnostics.report import Report, excerpt
    from sgf_lark.positions import LineIndex
    from sgf_lark.workbench import trees
    from sgf_lark.workbench.parse_state import parse

    text, name = text_of(source, is_text=is_text)
    file = opened(grammar or format_named_in(text), [start] if start else [])
    more_time(len(text))
    state = parse(text, file, started(file, start))
    if state.partial is not None:
        write(trees.WRITERS[form](state.partial, text), output, source, grammar)
    if state.finding is not None:
        found = state.finding.located(LineIndex(text))
        sys.stdout.flush()
        report = Report(name=name, text=text, diagnostics=(found,))
        say_lines(excerpt(report, found), err=True)
        raise typer.Exit(WRONG)


def format_named_in(text: str) -> str:
    """The grammar of the format that the first game of a text says it has."""
    from sgf_lark.read.detect_format import format_of

    return format_of(text).grammar


# ---- play ----


def play(
    *,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A file that the playground saved, or a grammar."),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any free port.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Open a page on which to play with a grammar: tree, findings and diagram follow at once.

    The page is served to this machine alone, and asks nobody else. Ctrl-C ends it.
    """
    import webbrowser

    try:
        from sgf_lark.workbench.playground import Playground, read_file
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"starlette", "uvicorn", "railroad"}:
            raise
        fail("the playground needs more:  pip install 'sgf_lark[workbench]'")
    opened_file = None
    if file is not None:
        try:
            opened_file = read_file(file)
        except OSError as error:
            fail(f"cannot read {file}: {reason(error)}")
        except ValueError:
            fail(f"{file} is neither a file of the playground nor a grammar")
    try:
        playground = Playground(port, opened_file)
    except OSError as error:
        fail(f"cannot listen on port {port}: {reason(error)}")
    say(f"{playground.url}  (Ctrl-C ends it)")
    if browser:
        webbrowser.open(playground.url)
    playground.run()

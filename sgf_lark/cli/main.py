"""The command line: ``sgf-lark COMMAND ...``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from sgf_lark._version import __version__
from sgf_lark.diagnostics.terminal import never_fail, visible

from .grammars import end_time_limit
from .interface.help import Section
from .interface.lazy import LazyCommands, LazyGroup, command_in

#: By sections and names, in the order of the help: modules, functions or groups, and the first
#: sentences of their docstrings, which would cost the imports of all modules.
COMMANDS = {
    "Records": {
        "check": ("check", "check", "Find errors in game records, and fix them."),
        "fmt": ("fmt", "fmt", "Write game records in one layout, a node on each line."),
        "convert": ("convert", "convert", "Convert a game record to another format."),
        "show": ("show", "show", "Show the board of a game record: as text, picture or page."),
    },
    "Explanations": {
        "explain": ("explain", "explain", "Explain a finding, or a property of game records."),
        "schema": (
            "convert",
            "schema",
            "Print the JSON Schema of the JSON that 'sgf-lark convert --to json' writes.",
        ),
    },
    "Grammars": {
        "tree": ("tree", "tree", "Parse a text by a grammar, and show the parse tree."),
        "grammar": ("grammar", "grammars_app", "Show, copy, test, compare and draw grammars."),
        "play": (
            "play",
            "play",
            "Open the playground: edit a grammar and a text, and see what they give.",
        ),
    },
}

#: Base of the errors of the command line, which typer itself does not export.
_MISUSE: type[Exception] = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


class _Group(LazyGroup):
    """Commands that escape control characters in errors: arguments can be names of files."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        rows = [(name, row) for section in COMMANDS.values() for name, row in section.items()]
        self.commands = LazyCommands({name: command_in(*row[:2]) for name, row in rows})
        self.summaries = {
            section: {name: row[-1] for name, row in rows.items()}
            for section, rows in COMMANDS.items()
        }

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
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show the version.",
            rich_help_panel=Section.HELP,
        ),
    ] = False,
) -> None:
    """Check, fix, format and convert game records of Go and other games: SGF and GGF."""
    never_fail()
    context.call_on_close(end_time_limit)

"""The command line: ``sgf-lark COMMAND ...``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from sgf_lark._version import __version__
from sgf_lark.diagnostics.terminal import never_fail, visible

from .grammars import end_time_limit
from .lazy import LazyCommands, LazyGroup, command_in

#: By the names of the commands, in the order of the help: modules, and functions or groups.
COMMANDS = {
    "check": ("check", "check"),
    "explain": ("explain", "explain"),
    "show": ("show", "show"),
    "convert": ("convert", "convert"),
    "schema": ("convert", "schema"),
    "fmt": ("fmt", "fmt"),
    "tree": ("tree", "tree"),
    "play": ("play", "play"),
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
    context.call_on_close(end_time_limit)

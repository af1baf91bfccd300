"""The command line: ``sgf-lark COMMAND ...``."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from sgf_lark._version import __version__
from sgf_lark.diagnostics.terminal import never_fail

from .grammars import end_time_limit
from .interface import errors
from .interface.help import Section
from .interface.lazy import LazyGroup
from .output import ends_of_output

#: By sections and names, in the order of the help: modules, functions or groups, and the first
#: sentences of their docstrings, which would cost the imports of all modules.
COMMANDS = {
    "Records": {
        "check": ("check", "check", "Find errors in game records, and fix them."),
        "fmt": ("fmt", "fmt", "Write game records in one layout, a node on each line."),
        "convert": ("convert", "convert", "Convert game records to another format."),
        "show": ("show", "show", "Show the board of a game record: as text, picture or page."),
    },
    "Archives": {
        "archive": (
            "archive.group",
            "ARCHIVE",
            "Make tables of many games: statistics, duplicates, openings, SQL.",
        ),
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


class _Group(LazyGroup):
    """The commands, with errors in the words of the help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_modules(COMMANDS)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Parse the words of a command line up to the command; completion needs no more words."""
        if not ctx.resilient_parsing:
            with errors.in_words(ctx):
                given, rest, _ = self.make_parser(ctx).parse_args([*args])
            if rest and not given.keys().isdisjoint({"install_completion", "show_completion"}):
                raise errors.unexpected(rest, ctx)
        return super().parse_args(ctx, args)

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with errors.in_words(), ends_of_output():
            return super().make_context(*arguments, **options)

    def invoke(self, *arguments: Any) -> Any:
        with errors.in_words(), ends_of_output():
            return super().invoke(*arguments)

    def _main_shell_completion(self, *_: Any, **__: Any) -> None:
        if "_SGF_LARK_COMPLETE" in os.environ:
            from .interface.completion import answer

            answer(self, "sgf-lark")
            sys.exit()


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


def _show_completion(wanted: bool) -> None:  # noqa: FBT001  # typer calls it so
    if wanted:
        from .interface.completion import show_script

        show_script()
        raise typer.Exit


def _install_completion(wanted: bool) -> None:  # noqa: FBT001  # typer calls it so
    if wanted:
        from .interface.completion import install_script

        install_script()
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
    install_completion: Annotated[  # noqa: ARG001  # its callback has done it
        bool,
        typer.Option(
            "--install-completion",
            callback=_install_completion,
            is_eager=True,
            help="Complete commands, options and values with the Tab key: for this shell, which"
            " is bash, zsh or fish.",
            rich_help_panel=Section.HELP,
        ),
    ] = False,
    show_completion: Annotated[  # noqa: ARG001  # its callback has done it
        bool,
        typer.Option(
            "--show-completion",
            callback=_show_completion,
            is_eager=True,
            help="Print the script for completion in this shell.",
            rich_help_panel=Section.HELP,
        ),
    ] = False,
) -> None:
    """Check, fix, format and convert game records of Go and other games: SGF and GGF."""
    never_fail()
    context.call_on_close(end_time_limit)

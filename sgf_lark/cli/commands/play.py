"""The command ``sgf-lark play``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import fail
from sgf_lark.diagnostics.terminal import reason, say


def play(
    *,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A file that the playground saved, or a grammar."),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            min=0,
            max=65535,
            help="The port to listen on; 0 for any free port.",
            rich_help_panel=Section.RUN,
        ),
    ] = 0,
    browser: Annotated[
        bool,
        typer.Option(
            "--browser/--no-browser",
            help="Open the page in a browser.",
            rich_help_panel=Section.RUN,
        ),
    ] = True,
) -> None:
    """Open the playground: edit a grammar and a text, and see what they give.

    The page shows the tree, the findings and the diagram.

    The page is served to this machine only, and loads nothing from other servers. Ctrl-C ends
    the command.
    """
    import webbrowser

    try:
        from sgf_lark.workbench.playground import Playground, read_file
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"starlette", "uvicorn", "railroad"}:
            raise
        fail(
            "the playground needs more packages:"
            "  pip install starlette uvicorn railroad-diagrams interegular"
        )
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

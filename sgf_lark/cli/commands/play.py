"""The command ``sgf-lark play``."""

from __future__ import annotations

from pathlib import Path

from sgf_lark.cli.interface import Bundle, NumberFrom, PathType, argument, command, option, switch
from sgf_lark.cli.output import fail, reported_failure
from sgf_lark.report.terminal import say


class ServerOptions(Bundle, section="Options"):
    """The address of the page."""

    port: int = option(
        "The port to listen on, up to 65535; 0 for any free port.",
        type=NumberFrom(0, 65535),
        default=0,
    )
    browser: bool = switch("Open the page in a browser.", default=True)


class ExportOptions(Bundle, section="Without a server"):
    """The folder of a page that needs no server of ours."""

    export: Path | None = option(
        "Write the page into this empty folder instead, with Python for the browser: any web"
        " server can serve it.",
        type=PathType(Path),
        metavar="DIR",
    )
    pyodide: Path | None = option(
        "With --export: a folder with node_modules/pyodide and the wheels of the packages.",
        type=PathType(Path),
        metavar="FOLDER",
    )


@command(
    argument(
        "file",
        "[FILE]",
        "A file that the playground saved, a grammar, or a record.",
        PathType(Path),
    ),
)
def play(file: Path | None, server: ServerOptions, static: ExportOptions) -> None:
    """Open the playground: edit a grammar and a text, and see what they give.

    The page shows findings, tree, diagram, board, cases and the steps of the parser.

    The page is served to this machine only, and loads nothing from other servers. Ctrl-C ends
    the command.

    Examples:
        sgf-lark play mine.lark
        sgf-lark play --export site --pyodide wheels
    """
    import webbrowser

    if (static.export is None) != (static.pyodide is None):
        fail("--export and --pyodide need each other")
    if static.export is not None and server.port:
        fail("--port is for the server: remove it, or --export")
    try:
        from sgf_lark.workbench.page import export_page, read_file
        from sgf_lark.workbench.playground import Playground
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"starlette", "uvicorn", "railroad"}:
            raise
        fail(
            "the playground needs more packages (extra workbench):"
            "  pip install 'sgf_lark[workbench]'"
        )
    opened_file = None
    if file is not None:
        try:
            with reported_failure(f"cannot read {file}"):
                opened_file = read_file(file)
        except ValueError:
            fail(f"{file} is no file of the playground, no grammar and no record")
    if static.export is not None and static.pyodide is not None:
        try:
            with reported_failure(f"cannot write {static.export}"):
                export_page(static.export, static.pyodide, opened_file)
        except ValueError as error:
            fail(str(error))
        return
    with reported_failure(f"cannot listen on port {server.port}"):
        playground = Playground(server.port, opened_file)
    say(f"{playground.url}  (Ctrl-C ends it)")
    if server.browser:
        webbrowser.open(playground.url)
    playground.run()

"""The command ``sgf-lark server``."""

from __future__ import annotations

from pathlib import Path

from sgf_lark.cli.interface import Bundle, PathType, command, option
from sgf_lark.cli.output import fail, reported_failure


class LogOptions(Bundle, section="Options"):
    """The log of the server."""

    log: Path | None = option(
        "Append the messages of the server to this file.", type=PathType(Path), metavar="FILE"
    )


@command()
def server(options: LogOptions) -> None:
    """Serve an editor with findings, fixes and boards.

    It completes, colors, formats and folds records and grammars, too, and changes variations.

    The editor starts the command, and speaks the Language Server Protocol by its standard input
    and output. It loads nothing from the network, and writes no file but the log.

    Examples:
        sgf-lark server --log server.log
    """
    try:
        from sgf_lark.server.server import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        fail("the language server needs pygls:  pip install 'pygls>=2.1.1,<3'")
    with reported_failure(f"cannot write {options.log}"):
        run(options.log)

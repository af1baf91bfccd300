"""The command ``sgf-lark server``."""

from __future__ import annotations

import sys
from pathlib import Path

from sgf_lark.cli.interface import Bundle, PathType, command, option
from sgf_lark.cli.output import fail, reported_failure
from sgf_lark.server.editor_files import Editor, editor_files, write_editor


class LogOptions(Bundle, section="Options"):
    """The log of the server."""

    log: Path | None = option(
        "Append the messages of the server to this file.", type=PathType(Path), metavar="FILE"
    )


class EditorOptions(Bundle, section="Settings of editors"):
    """The settings by which an editor starts the server."""

    editor: Editor | None = option(
        "Print the settings of this editor instead. Those of helix, kate and zed were not tried."
    )
    output: Path | None = option(
        "Write its files into this empty folder: for vscode an extension, ready to package.",
        "-o",
        "--output",
        type=PathType(Path),
        metavar="DIR",
    )


def _give_settings(editor: Editor, output: Path | None) -> None:
    if output is not None:
        try:
            with reported_failure(f"cannot write {output}"):
                write_editor(editor, output)
        except ValueError as error:
            fail(str(error))
        return
    texts = editor_files(editor)
    if len(texts) > 1:
        fail(f"{editor} has several files: name an empty folder for them with -o DIR")
    sys.stdout.write("".join(texts.values()))


@command()
def server(options: LogOptions, settings: EditorOptions) -> None:
    """Serve an editor with findings, fixes and boards.

    It completes, colors, formats and folds records and grammars, too, and changes variations.

    The editor starts the command, and speaks the Language Server Protocol by its standard input
    and output. It loads nothing from the network, and writes no file but the log.

    Examples:
        sgf-lark server --log server.log
        sgf-lark server --editor neovim
        sgf-lark server --editor vscode -o extension
    """
    if settings.editor is not None:
        _give_settings(settings.editor, settings.output)
        return
    if settings.output is not None:
        fail("-o is for the files of an editor: name it with --editor")
    try:
        from sgf_lark.server.server import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        fail("the language server needs pygls (extra server):  pip install 'sgf_lark[server]'")
    with reported_failure(f"cannot write {options.log}"):
        run(options.log)

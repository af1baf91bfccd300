"""Settings of editors that start the server: ``sgf-lark server --editor``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from sgf_lark.core import grammars
from sgf_lark.files.writing import write_file

Editor = Literal["neovim", "emacs", "vscode", "helix", "kate", "zed"]


def editor_files(editor: Editor) -> dict[str, str]:
    """Return the texts of the files of an editor by their names, ``/`` between folders."""
    folder = Path(__file__).parent / "editors" / editor
    found = sorted(one for one in folder.rglob("*") if one.is_file())
    made = {one.relative_to(folder).as_posix(): one.read_text(encoding="utf-8") for one in found}
    if editor == "vscode":
        from sgf_lark.workbench.export import export

        # FF[3] allows lower case in names, which old records have
        made["sgf.tmLanguage.json"] = export(grammars.source("ff3"), "textmate")
        made["lark.tmLanguage.json"] = export(grammars.path("notations/lark"), "textmate")
    return made


def write_editor(editor: Editor, target: Path) -> None:
    """Write the files of an editor into an empty folder.

    Args:
        target: The folder; it is made if there is none.

    Raises:
        ValueError: The folder is not empty.
        OSError: A file cannot be written.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise ValueError(f"{target} is not empty")
    for name, text in editor_files(editor).items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(target / name, text.encode())

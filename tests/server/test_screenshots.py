"""The README's screenshots are what the editors show on a terminal."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from support.editors import emacs_with_eglot, neovim_of_debian, neovim_of_wheel, settings_in
from support.programs import program
from support.readmes import BLOCKS

pytestmark = pytest.mark.night


class Shot(NamedTuple):
    """A picture: the size of the terminal, a text that shows that the server answered, keys."""

    columns: int
    lines: int
    ready: str
    keys: tuple[str, ...]
    file: str


SHOTS = {
    "neovim-0.11": Shot(90, 30, "15 F8", ("4G", "3|", "K"), "nine.sgf"),
    "neovim-0.7": Shot(90, 11, "■■", (), "go.sgf"),
    "emacs": Shot(90, 20, "Flymake[6 0]", ("C-c", "l"), "go.sgf"),
}
NEOVIM = ["--clean", "-n", "-i", "NONE", "-u"]


def command(name: str, folder: Path) -> list[str]:
    """Return the command of an editor with the settings that are written into a folder."""
    if name == "emacs":
        settings = settings_in(folder, "emacs")
        keys = '(global-set-key (kbd "C-c l") (quote flymake-show-buffer-diagnostics))'
        quiet = f"(progn (setq warning-minimum-level :error) {keys})"
        return [*emacs_with_eglot(), "-nw", "--eval", quiet, "-L", str(settings), "-l", "sgf-lark"]
    editor = neovim_of_wheel() if name == "neovim-0.11" else neovim_of_debian()
    return [editor, *NEOVIM, str(settings_in(folder, "neovim") / "sgf_lark.lua")]


@pytest.mark.parametrize("name", SHOTS)
def test_a_screenshot_is_what_the_editor_shows(name: str, records: Path) -> None:
    tmux, shot = (
        [program("tmux"), "-S", str(records.parent / "tmux"), "-f", "/dev/null"],
        SHOTS[name],
    )
    target = f"screenshots/{name}.txt"
    wanted = next(block.content for block in BLOCKS if block.target == target).rstrip()

    def ask(*words: str) -> str:
        done = subprocess.run(  # noqa: S603  # a terminal of our own
            [*tmux, *words], cwd=records, check=True, capture_output=True, text=True, timeout=30
        )
        return done.stdout.rstrip()

    def wait_for(text: str) -> str:
        """Return the screen when a text is on it, or after half a minute."""
        end = time.monotonic() + 30
        while text not in (seen := ask("capture-pane", "-p")) and time.monotonic() < end:
            time.sleep(0.2)
        return seen

    size = ["-x", str(shot.columns), "-y", str(shot.lines)]
    words = ["env", f"PATH={os.environ['PATH']}", *command(name, records.parent), shot.file]
    ask("new-session", "-d", *size, *words)
    try:
        wait_for(shot.ready)
        if shot.keys:
            ask("send-keys", *shot.keys)
        assert wait_for(wanted) == wanted
    finally:
        ask("kill-server")

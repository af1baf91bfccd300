"""Programs on this machine that play games."""

from __future__ import annotations

import shutil

import pytest

#: Where Debian puts games.
GAMES_PATH = "/usr/games:/usr/local/bin:/usr/bin:/bin"


def program(name: str) -> str:
    """The path of a program; the test is skipped without it."""
    found = shutil.which(name, path=GAMES_PATH) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found

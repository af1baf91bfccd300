"""Wheel and sdist of the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from sgf_lark import __version__

from .places import ROOT


class Built(NamedTuple):
    """The files of both packages."""

    wheel: Path
    sdist: Path


def build(folder: Path) -> Built:
    """Build both packages in a folder; the wheel from the sdist, as installers do."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)  # noqa: S603
    assert result.returncode == 0, result.stdout + result.stderr
    name = f"sgf_lark-{__version__}"
    return Built(folder / f"{name}-py3-none-any.whl", folder / f"{name}.tar.gz")

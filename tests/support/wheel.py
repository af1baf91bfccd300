"""Wheel and sdist of the project, and the recorded list of the files that a wheel has.

``python -m tests.support.wheel`` writes the list anew: a change of the package shows there what it
adds to the wheel.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from sgf_lark import __version__

from .places import ROOT

LIST = ROOT / "tests" / "docs" / "wheel.txt"


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


def list_files(wheel: Path) -> str:
    """Return a line for each folder of a wheel, with the names of its files."""
    with ZipFile(wheel) as archive:
        names = [name.replace(f"-{__version__}", "-VERSION") for name in archive.namelist()]
    parts = sorted(name.rpartition("/")[::2] for name in names)
    folders = groupby(parts, key=lambda part: part[0])
    return "".join(f"{folder}: {' '.join(name for _, name in of)}\n" for folder, of in folders)


def main() -> None:
    """Write the list."""
    with tempfile.TemporaryDirectory() as folder:
        LIST.write_text(list_files(build(Path(folder)).wheel), encoding="utf-8")


if __name__ == "__main__":
    main()

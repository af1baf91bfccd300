"""GNU Backgammon: ``python -m tests.conformance.adapters.gnubg``.

It shows no tree, so that only what it rejects is compared: it says so on its terminal.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .serve import ABSENT, serve

PROGRAM = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")

CLAIMS = {"formats": ["FF[4]"], "games": ["Backgammon"], "parts": [], "faults": ["syntax"]}

#: What it says of a file that it does not load.
REFUSALS = (": syntax error", ": warning: no backgammon games in SGF file")


def answer(file: Path) -> dict[str, Any]:
    """Return whether it loads a file."""
    if PROGRAM is None:
        sys.stderr.write("gnubg is not installed\n")
        raise SystemExit(ABSENT)
    with TemporaryDirectory() as folder:
        Path(folder, "match.sgf").write_bytes(file.read_bytes())
        Path(folder, "commands").write_text("set automatic game off\nload match match.sgf\n")
        done = subprocess.run(  # noqa: S603  # the program
            [PROGRAM, "-t", "-q", "-r", "-c", "commands"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=True,
            cwd=folder, env={"HOME": folder, "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
    said = (done.stdout + done.stderr).decode(errors="replace").splitlines()
    refusals = [line for line in said if line.endswith(REFUSALS)]
    program = next(line for line in said if line.startswith("GNU Backgammon")).strip()
    if refusals:
        return {"program": program, "trees": None, "error": refusals[0]}
    return {"program": program, "trees": []}


if __name__ == "__main__":
    serve("", CLAIMS, answer)

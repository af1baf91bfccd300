"""Modules at run time: what six walks through the package enter, and how often they change.

A program of its own, so that it measures the package that it finds on its path: ``python -P
walks.py sgf_lark`` prints a JSON object.  A walk is run twice to warm it, then once under a
profile function.  A *module entered* is one in which a function was called.  A *change of module*
is a call of a function of another module than the last line of the package's code, or a return
into one; functions of others in between, such as the standard library's, do not count.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

VALID = "(;FF[4]GM[1]SZ[19]PB[a]PW[b]KM[6.5];B[pd];W[dp];B[pq];W[dd])"
WRONG = VALID.replace("W[dd]", "W[x]")
OPEN = VALID.removesuffix(")")


def measure(walk: Callable[[], object], folder: str) -> tuple[int, int]:
    """Return modules entered and changes of module, of a walk that is warm."""
    walk()
    walk()
    entered: set[str] = set()
    changes = 0
    here = ""

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal changes, here
        if event not in {"call", "return"} or not frame.f_code.co_filename.startswith(folder):
            return
        target: FrameType | None = frame
        if event == "call":
            entered.add(frame.f_code.co_filename)
        else:
            target = frame.f_back
            while target is not None and not target.f_code.co_filename.startswith(folder):
                target = target.f_back
        if target is not None and target.f_code.co_filename != here:
            here = target.f_code.co_filename
            changes += 1

    sys.setprofile(look)
    try:
        walk()
    finally:
        sys.setprofile(None)
    return len(entered), changes


def main(name: str) -> None:
    """Print the counts of each walk."""
    package = importlib.import_module(name)
    folder = f"{Path(package.__file__ or '').parent}/"
    game = package.loads(VALID)[0]
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "a.sgf"
        file.write_text(VALID, encoding="utf-8")
        walks: dict[str, Callable[[], object]] = {
            "valid load": lambda: package.loads(VALID),
            "one wrong value": lambda: package.loads(WRONG, strict=False).diagnostics,
            "a bracket missing": lambda: package.loads(OPEN, strict=False).diagnostics,
            "a value": lambda: game.root["KM"],
            "board to SVG": lambda: game.board(1).svg(),
            "check": lambda: list(package.check(file)),
        }
        counts = {what: measure(walk, folder) for what, walk in walks.items()}
    print(json.dumps(counts))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])

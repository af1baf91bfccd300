"""sente: ``python3.10 -m tests.conformance.adapters.sente``; it has no wheels for later Pythons."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from .serve import serve

#: It replays records of Go, and shows no nodes: that it reads a file, or rejects it, is compared.
CLAIMS = {"formats": ["FF[4]"], "games": ["Go"], "parts": [], "faults": ["syntax"]}


#: Words of its errors about what it does not claim: other games, and other boards.
OTHERS = ("not a Go Game", "Invalid Board size")


class RejectedError(Exception):
    """The package raises exceptions of several kinds."""


def answer(file: Path) -> dict[str, Any]:
    """Return whether a file is read, without its trees."""
    sgf, errors = import_module("sente.sgf"), import_module("sente.exceptions")
    rejections = (errors.InvalidSGFException, errors.IllegalMoveException, RuntimeError, ValueError)
    try:
        sgf.load(str(file))
    except rejections as error:
        if any(words in str(error) for words in OTHERS):
            return {"trees": None, "claims": {}}
        raise RejectedError(str(error)) from error
    return {"trees": []}


if __name__ == "__main__":
    serve("sente", CLAIMS, answer, RejectedError)

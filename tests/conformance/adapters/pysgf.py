"""pysgf: ``python -m tests.conformance.adapters.pysgf``."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .serve import serve, tree_of

#: It reads one game of Go; its values are texts without escapes, its moves points of the board.
CLAIMS = {
    "formats": ["FF[4]"],
    "games": ["Go"],
    "parts": ["trees", "encodings"],
    "values": ["B", "W", "C"],
    "faults": ["syntax"],
}


class RejectedError(Exception):
    """The package raises ParseError."""


def answer(file: Path) -> dict[str, Any]:
    """Return the tree of a file, and its moves."""
    pysgf = import_module("pysgf")
    try:
        root = pysgf.GoGame.parse_file(str(file))
    except pysgf.ParseError as error:
        raise RejectedError(*error.args) from error
    tree, nodes = tree_of(root, lambda node: node.children, lambda node: dict(node.properties))
    values: dict[str, Any] = {}
    for index, node in enumerate(nodes):
        if "C" in node.properties:
            values[f"0.{index}.C"] = node.get_property("C")
        with suppress(ValueError, IndexError):  # no move of Go
            for move in node.moves:
                rows = node.board_size[1]
                point = "pass" if move.is_pass else [move.coords[0] + 1, rows - move.coords[1]]
                values[f"0.{index}.{move.player}"] = point
    return {"trees": [tree], "values": values}


if __name__ == "__main__":
    serve("pysgf", CLAIMS, answer, RejectedError, RecursionError)

"""sgf, the package of PyPI: ``python -m tests.conformance.adapters.sgf``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from .serve import serve, tree_of

#: Its values are texts without escapes; who decodes the file is not its matter.
CLAIMS = {
    "formats": ["FF[4]"],
    "games": ["Go"],
    "parts": ["trees", "collections", "any-game"],
    "values": ["C"],
    "faults": ["syntax"],
}


class RejectedError(Exception):
    """The package raises ParseException."""


def answer(file: Path) -> dict[str, Any]:
    """Return the trees of a file."""
    sgf = import_module("sgf")
    try:
        collection = sgf.parse(file.read_bytes().decode(errors="replace"))
    except sgf.ParseException as error:
        raise RejectedError(*error.args) from error
    trees, values = [], dict[str, str]()
    for number, game in enumerate(collection):
        tree, nodes = tree_of(game.root, children, lambda node: node.properties)
        trees.append(tree)
        comments = ((index, node.properties.get("C")) for index, node in enumerate(nodes))
        values |= {f"{number}.{index}.C": texts[0] for index, texts in comments if texts}
    return {"trees": trees, "values": values}


def children(node: Any) -> list[Any]:
    """Return the variations of a node, or the node that follows it."""
    return node.variations or ([node.next] if node.next else [])


if __name__ == "__main__":
    serve("sgf", CLAIMS, answer, RejectedError)

"""What the adapters in Python share: files in, lines of JSON out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

#: The exit status of an adapter whose program is not installed.
ABSENT = 3


def serve(
    package: str,
    claims: dict[str, Any],
    answer: Callable[[Path], dict[str, Any]],
    *errors: type[Exception],
) -> None:
    """Print an answer to each file of the command line, or of standard input.

    Args:
        package: The name of the program, as packages have it; "" if it is none.
        claims: The parts of the protocol that it claims.
        answer: The function that reads a file.
        errors: The exceptions by which the program rejects a file; others end the adapter.
    """
    try:
        name = package and f"{package} {version(package)}"
    except PackageNotFoundError:
        sys.stderr.write(f"{package} is not installed for {sys.executable}\n")
        raise SystemExit(ABSENT) from None
    files = [name for name in sys.argv[1:] if not name.startswith("-")]
    for file in map(Path, files or ["/dev/stdin"]):
        try:
            found = answer(file)
        except errors as error:
            found = {"trees": None, "error": f"{type(error).__name__}: {error}"[:200]}
        line = json.dumps({"program": name, "claims": claims, **found}, default=sorted)
        sys.stdout.write(f"{line}\n")


def tree_of(
    root: Any, children: Callable[[Any], Any], properties: Callable[[Any], dict[str, list[str]]]
) -> tuple[dict[str, Any], list[Any]]:
    """Return the tree of a root, as the protocol has it, and its nodes in that order."""
    tree: dict[str, Any] = {"parents": [], "nodes": []}
    nodes: list[Any] = []
    waiting = [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        tree["parents"].append(parent)
        tree["nodes"].append(properties(node))
        waiting += [(child, len(nodes)) for child in reversed([*children(node)])]
        nodes.append(node)
    return tree, nodes

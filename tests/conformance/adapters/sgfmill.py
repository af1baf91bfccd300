"""sgfmill: ``python -m tests.conformance.adapters.sgfmill``."""

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .serve import serve, tree_of

MAX_SIZE = 26  # the largest board that it supports; boards are square
TEXTS = {"RE", "DT", "SZ"}  # these values are texts for it, or a number
PAIRS = {"AP": ("name", "version"), "FG": ("flags", "name")}
PARTS = ["trees", "raw", "encodings", "collections", "any-game"]
CLAIMS = {"formats": ["FF[4]"], "games": ["Go"], "parts": PARTS, "faults": ["syntax"]}


def plain(name: str, value: Any, size: int) -> Any:
    """Return a value as the protocol has it; points have their row from below, then column."""
    if value is None:
        return "pass" if name in {"B", "W"} else True  # FG[]
    if name in PAIRS:
        return dict(zip(PAIRS[name], value, strict=True))
    if isinstance(value, tuple) and all(isinstance(part, int) for part in value):
        return [value[1] + 1, size - value[0]]
    if isinstance(value, list | set | tuple):
        return [plain("", part, size) for part in value]
    return value.upper() if name == "PL" else value


def answer(file: Path) -> dict[str, Any]:
    """Return the trees and values of a file."""
    grammar, typed = import_module("sgfmill.sgf_grammar"), import_module("sgfmill.sgf_properties")
    trees, values, names = [], {}, set()
    for number, coarse in enumerate(grammar.parse_sgf_collection(file.read_bytes())):
        root = coarse.sequence[0]
        encoding = root.get("CA", [b"ISO-8859-1"])[0].decode("ascii")
        tree, places = tree_of((coarse, 0), children, lambda place: {**place[0].sequence[place[1]]})
        for node in tree["nodes"]:
            node.update({name: [one.decode(encoding) for one in node[name]] for name in node})
        trees.append(tree)
        size = root.get("SZ", [b"19"])[0]
        if size.isdigit() and int(size) <= MAX_SIZE:
            reader = typed.Presenter(int(size), encoding)
            names |= reader.property_types_by_ident.keys() - TEXTS
            for index, (part, at) in enumerate(places):
                for name in part.sequence[at].keys() & names:
                    with suppress(ValueError, TypeError):
                        value = reader.interpret(name, part.sequence[at][name])
                        values[f"{number}.{index}.{name}"] = plain(name, value, int(size))
    return {"trees": trees, "values": values, "claims": {**CLAIMS, "values": sorted(names)}}


def children(place: Any) -> list[Any]:
    tree, at = place  # a tree and the number of a node in its sequence
    return [(tree, at + 1)] if at + 1 < len(tree.sequence) else [(one, 0) for one in tree.children]


if __name__ == "__main__":
    serve("sgfmill", CLAIMS, answer, ValueError, LookupError)

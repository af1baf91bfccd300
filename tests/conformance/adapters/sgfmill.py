"""sgfmill: ``python -m tests.conformance.adapters.sgfmill``."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from .serve import serve, tree_of

#: The largest board that it supports; boards are square.
MAX_SIZE = 26

#: Properties whose values it gives as the standard has them; RE and DT are texts for it, and SZ
#: is one number.
VALUES = (
    "AB AE AN AP AR AW B BL BM BR BT C CA CP CR DD DM DO EV FF FG GB GC GM GN GW HA HO IT KM KO LB"
    " LN MA MN N OB ON OT OW PB PC PL PM PW RO RU SL SO SQ ST TB TE TM TR TW UC US V VW W WL WR WT"
)
CLAIMS = {
    "formats": ["FF[4]"],
    "games": ["Go"],
    "parts": ["trees", "raw", "encodings", "collections", "any-game"],
    "values": {*VALUES.split()},
    "faults": ["syntax"],
}


def plain(name: str, value: Any, size: int) -> Any:
    """Return a value as the protocol has it; points have their row from below, then column."""
    if name in {"B", "W"} and value is None:
        return "pass"
    if name == "FG":
        return True if value is None else dict(zip(("flags", "name"), value, strict=True))
    if name == "AP":
        return dict(zip(("name", "version"), value, strict=True))
    if isinstance(value, tuple) and all(isinstance(part, int) for part in value):
        return [value[1] + 1, size - value[0]]
    if isinstance(value, list | set | tuple):
        return [plain("", part, size) for part in value]
    return value.upper() if name == "PL" else value


def answer(file: Path) -> dict[str, Any]:
    """Return the trees and values of a file."""
    grammar = import_module("sgfmill.sgf_grammar")
    presenter = import_module("sgfmill.sgf_properties").Presenter
    trees, values = [], {}
    for number, coarse in enumerate(grammar.parse_sgf_collection(file.read_bytes())):
        root = coarse.sequence[0]
        encoding = root.get("CA", [b"ISO-8859-1"])[0].decode("ascii")

        def texts(place: Any, encoding: str = encoding) -> dict[str, list[str]]:
            found = place[0].sequence[place[1]]
            return {name: [one.decode(encoding) for one in found[name]] for name in found}

        tree, places = tree_of((coarse, 0), children, texts)
        trees.append(tree)
        size = root.get("SZ", [b"19"])[0]
        if not size.isdigit() or int(size) > MAX_SIZE:
            return {"trees": trees, "claims": {**CLAIMS, "values": []}}
        reader = presenter(int(size), encoding)
        for index, (part, at) in enumerate(places):
            for name in CLAIMS["values"] & part.sequence[at].keys():
                with suppress(ValueError, TypeError):
                    value = reader.interpret(name, part.sequence[at][name])
                    values[f"{number}.{index}.{name}"] = plain(name, value, int(size))
    return {"trees": trees, "values": values}


def children(place: Any) -> list[Any]:
    """Return the places after a place, which is a tree and the number of a node in its sequence."""
    tree, at = place
    return [(tree, at + 1)] if at + 1 < len(tree.sequence) else [(one, 0) for one in tree.children]


if __name__ == "__main__":
    serve("sgfmill", CLAIMS, answer, ValueError, LookupError)

"""sgf_lark: ``python -m tests.conformance.adapters.ours``; by Lark itself with ``--lark``."""

import sys
from contextlib import suppress
from typing import Any

import sgf_lark

from .plain import plain
from .serve import serve

BOARDS = {1, 2, 4, 11, 18}  # numbers of games whose positions are compared
#: Kinds of faults, and the beginnings of the codes of their findings, the longest first.
CODES = {
    "list": "T217 T218 T219 V306 V308 V309 V314 V315", "property": "T207 T208 T215 T216",
    "identifier": "S112 S113", "value": "T202 T223 V G", "syntax": "S", "structure": "T",
    "encoding": "E",
}  # fmt: skip
CLAIMS = {
    "formats": ["FF[1]", "FF[3]", "FF[4]", "GGF"], "games": ["*"], "faults": [*CODES],
    "parts": ["trees", "raw", "boards", "places", "encodings", "collections"],
    "values": ["*"], "effective": ["FF", "GM", "SZ", "PM", "DD", "VW"],
}  # fmt: skip


def answer(data: bytes, engine: Any = "auto") -> dict[str, Any]:
    """Return the trees, values and faults of a file."""
    collection = sgf_lark.loads(data, strict=False, engine=engine)
    trees, values, effective, boards = [], dict[str, Any](), dict[str, Any](), {}
    for number, game in enumerate(collection):
        nodes, top = game.nodes, f"{number}.0"
        raw = [{name: [*texts] for name, texts in node.raw.items()} for node in nodes]
        trees.append({"parents": [*nodes.parents], "nodes": raw})
        effective |= {f"{top}.FF": int(game.format[-1], 36), f"{top}.GM": game.game}
        effective[f"{top}.SZ"] = plain(game.size)
        for at, node in ((f"{number}.{node.index}", node) for node in nodes):
            values |= {f"{at}.{name}": plain(value) for name, value in node.items()}
            effective[f"{at}.PM"] = nodes.numbering.print_mode(node.index)
            for name in ("DD", "VW"):
                near = nodes.numbering.nearest(name, node.index)
                effective[f"{at}.{name}"] = plain(nodes[near][name] if near >= 0 else ())
            with suppress(ValueError):  # a game of GGF without a valid BO
                if game.game in BOARDS and len(nodes) < 50:
                    rows = game.board(node.path).array().tolist()
                    boards[at] = ["".join(".XO#"[cell] for cell in row) for row in rows]
    faults = [
        {"line": one.line, "column": one.column, "kind": kind}
        for one in collection.diagnostics if one.severity == "error"
        for kind in [next(kind for kind in CODES if one.code.startswith((*CODES[kind].split(),)))]
    ]  # fmt: skip
    found = {"values": values, "effective": effective, "boards": boards, "faults": faults}
    return {"trees": trees or None, **found}


if __name__ == "__main__":
    by = "lark" if "--lark" in sys.argv else "auto"
    serve("sgf_lark", CLAIMS, lambda file: answer(file.read_bytes(), by))

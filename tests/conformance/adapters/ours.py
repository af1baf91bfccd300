"""sgf_lark: ``python -m tests.conformance.adapters.ours``; by Lark itself with ``--lark``."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

import sgf_lark as s
from sgf_lark import core

from .serve import serve

CLAIMS = {
    "formats": ["FF[1]", "FF[3]", "FF[4]", "GGF"],
    "games": [game.name for game in s.GAMES.values()],
    "parts": ["trees", "raw", "boards", "places", "encodings", "collections", "any-game"],
    "values": ["*"],
    "effective": ["FF", "GM", "SZ", "PM", "DD", "VW"],
    "faults": ["syntax", "identifier", "structure", "property", "value", "list", "encoding"],
}
BOARDS = {1, 2, 4, 11, 18}
#: Kinds of faults by the beginnings of codes.
KINDS = {
    "T217 T218 T219 V306 V308 V309 V314 V315": "list", "S112 S113": "identifier", "S": "syntax",
    "T207 T208 T215 T216": "property", "T202 T223 V G": "value", "T": "structure", "E": "encoding",
}  # fmt: skip


def plain(value: Any, game: s.GameTree) -> Any:
    """Return a value as the protocol has it."""
    match value:
        case s.Point():
            return chr(97 + value.column) if game.game == 6 else [value.column + 1, value.row + 1]
        case core.Pass() | core.Action():
            return getattr(value, "word", "pass")
        case date() | s.PartialDate():
            return str(value)
        case s.BoardSize():
            return {"columns": value.columns, "rows": value.rows}
        case core.Composed():
            return [plain(value.first, game), plain(value.second, game)]
        case core.Model():
            return {key: plain(one, game) for key, one in value if one is not None}
        case Decimal():
            return float(value)
        case tuple() | s.PointList():
            return [plain(one, game) for one in value]
    return value


def answer(data: bytes, engine: Any = "auto") -> dict[str, Any]:
    """Return the trees, values and faults of a file."""
    collection = s.loads(data, strict=False, engine=engine)
    trees, values, effective, boards = [], {}, {}, {}
    for number, game in enumerate(collection):
        nodes = [{name: [*raw] for name, raw in node.raw.items()} for node in game.nodes]
        trees.append({"parents": [*game.nodes.parents], "nodes": nodes})
        whole = {"FF": int(game.format.value[-1]) if game.format != "GGF" else None, "GM": game.game}
        effective |= {f"{number}.0.{name}": one for name, one in whole.items()}
        effective[f"{number}.0.SZ"] = plain(game.size, game)
        for node in game.nodes:
            at, numbering = f"{number}.{node.index}", game.nodes.numbering
            values |= {f"{at}.{one.ident}": plain(one.value, game) for one in node.properties}
            effective[f"{at}.PM"] = numbering.print_mode(node.index)
            for name in ("DD", "VW"):
                near = numbering.nearest(name, node.index)
                effective[f"{at}.{name}"] = plain(game.nodes[near][name] if near >= 0 else (), game)
            if game.game in BOARDS and len(nodes) < 50:
                with suppress(ValueError):  # a game of GGF without BO
                    cells = game.board(node.path).array().tolist()
                    boards[at] = ["".join(".XO#"[cell] for cell in row) for row in cells]
    faults = [
        {"line": one.line, "column": one.column, "code": one.code, "kind": kind}
        for one in collection.diagnostics
        if one.severity == "error"
        for kind in [next(kind for codes, kind in KINDS.items() if one.code.startswith((*codes.split(),)))]
    ]
    found = {"values": values, "effective": effective, "boards": boards, "faults": faults}
    return {"trees": trees or None, **found}


if __name__ == "__main__":
    by = "lark" if "--lark" in sys.argv else "auto"
    serve("sgf_lark", CLAIMS, lambda file: answer(file.read_bytes(), by))

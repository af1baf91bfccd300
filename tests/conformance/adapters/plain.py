"""Values of sgf_lark as the protocol has them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import sgf_lark as s
from sgf_lark import core


def plain(value: Any) -> Any:
    """Return a value as the protocol has it; most are that already."""
    return next((made(value) for kind, made in KINDS.items() if isinstance(value, kind)), value)


def _listed(values: Any) -> list[Any]:
    return [*map(plain, values)]


#: What becomes of values, by their types.
KINDS: dict[type, Any] = {
    s.Point: lambda value: [value.column + 1, value.row + 1],
    core.Pass: lambda _: "pass",
    core.Action: lambda value: value.word,
    Decimal: float,
    date: str,
    s.PartialDate: str,
    s.BoardSize: lambda value: {"columns": value.columns, "rows": value.rows},
    core.Composed: lambda value: _listed((value.first, value.second)),
    core.Model: lambda value: {name: plain(part) for name, part in value if part is not None},
    tuple: _listed,
    s.PointList: _listed,
}

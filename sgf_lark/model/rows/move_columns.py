"""The columns of ``moves`` that few nodes have: time, comment, annotations."""

from __future__ import annotations

from typing import Any

from .info_columns import real, whole
from .scan import ANNOTATIONS, TIMES, Scan


def move_columns(scanned: Scan) -> dict[str, list[Any]]:
    """Return the columns of the nodes with a move, an entry for each of them."""
    count = len(scanned.nodes)
    left, periods = [None] * count, [None] * count
    comments: list[Any] = [None] * count
    annotations = [0] * count
    columns: dict[str, list[Any]] = {
        "time_left": left,
        "periods": periods,
        "comment": comments,
        "annotations": annotations,
    }
    for at, beside in scanned.beside.items():
        time, period = TIMES[scanned.idents[at]]
        for ident, prop in beside.items():
            if ident == "C":
                value = prop.value
                comments[at] = value if isinstance(value, str) else None
            elif ident == time:
                columns["time_left"][at] = real(prop.value)
            elif ident == period:
                columns["periods"][at] = whole(prop.value)
            else:
                annotations[at] |= ANNOTATIONS.get(ident, 0)
    return columns

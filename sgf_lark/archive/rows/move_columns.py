"""The columns of ``moves`` that few nodes have: time, comment, annotations."""

from __future__ import annotations

from typing import Any

from sgf_lark.model.ruleset import RuleSet

from .info_columns import real, whole
from .scan import ANNOTATIONS, TIMES, Scan


def move_columns(scanned: Scan, rules: RuleSet) -> dict[str, list[Any]]:
    """Return the columns of the nodes with a move, an entry for each of them.

    Args:
        scanned: The contents of the nodes.
        rules: Reads them.
    """
    count = len(scanned.nodes)
    none: list[Any] = [None] * count
    left, periods, comments, annotations = none, none[:], none[:], [0] * count
    readers = rules.list_readers
    for at, beside in scanned.beside.items():
        time, period = TIMES[scanned.idents[at]]
        for ident, raws in beside.items():
            if ident == "C":
                value = readers[ident](raws)
                comments[at] = value if isinstance(value, str) else None
            elif ident == time:
                left[at] = real(readers[ident](raws))
            elif ident == period:
                periods[at] = whole(readers[ident](raws))
            else:
                annotations[at] |= ANNOTATIONS.get(ident, 0)
    return {
        "time_left": left,
        "periods": periods,
        "comment": comments,
        "annotations": annotations,
    }

"""Tables of cases beside the tests: a row is a line of JSON, and begins with its kind."""

from __future__ import annotations

import json
from typing import Any

from .places import ROOT


def table(name: str) -> dict[str, list[Any]]:
    """Return the rows of a file of ``tests``, without their kind, by that."""
    rows: dict[str, list[Any]] = {}
    for line in (ROOT / "tests" / name).read_text(encoding="utf-8").splitlines():
        kind, *row = json.loads(line)
        rows.setdefault(kind, []).append(row)
    return rows

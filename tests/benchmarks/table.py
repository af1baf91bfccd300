"""The table of ``README.md``: ratios before and after a change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

README = Path(__file__).with_name("README.md")
COLUMNS = ("before", "after")

#: What, against, on, budget, the ratio (in README: before, and after), whether it is met.
Line: TypeAlias = tuple[str, ...]


def lines(text: str) -> list[Line]:
    """Return the lines of a Markdown table, without its head."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [tuple(cell.strip() for cell in row[1:-1].split("|")) for row in rows[1:]]


def earlier(measured: Sequence[Line], column: str) -> list[Line]:
    """Put new ratios into a column of the table of README; the other column stays."""
    known = {line[:3]: line for line in lines(README.read_text(encoding="utf-8"))}
    merged = []
    for line in measured:
        other = known[line[:3]][4 if column == "after" else 5] if line[:3] in known else ""
        ratios = (other, line[4]) if column == "after" else (line[4], other)
        merged.append((*line[:4], *ratios, line[5]))
    return merged


def show(table: Sequence[Line]) -> str:
    """Return Markdown; with seven cells in a line, the ratios before and after."""
    ratios = COLUMNS if table and len(table[0]) > 6 else ("ratio",)
    head = ("what", "against", "on", "budget", *ratios, "met")
    marked = [f"| {' | '.join(row)} |" for row in (head, *table)]
    marked.insert(1, "|---" * len(head) + "|")
    return "\n".join(marked) + "\n"

"""Measures every budget and prints the ratios; see ``python -m tests.benchmarks --help``."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .budgets import SIZES, Budget, budgets
from .peers import AbsentError

HEADER = ("what", "against", "on", "ratio", "budget", "met")


def measured(budget: Budget, rounds: int) -> list[float]:
    """The ratio in each round; both sides take turns.

    Raises:
        AbsentError: The other side is not there.
    """
    ours, theirs = budget.costs()
    if rounds > 1:
        ours()  # what is built once is built
        theirs()
    return [budget.ratio(ours(), theirs()) for _ in range(rounds)]


def row(budget: Budget, rounds: int) -> tuple[str, ...]:
    """A line of the table."""
    limit = "" if budget.limit is None else f"{'≥' if budget.at_least else '≤'} {budget.limit:g}"
    first = (budget.what, budget.against, budget.on)
    try:
        ratios = measured(budget, rounds)
    except AbsentError as absent:
        return (*first, f"({absent})", limit, "")
    middle = statistics.median(ratios)
    met = "" if budget.limit is None else "yes" if budget.is_met(middle) else "no"
    return (*first, f"{middle:.2f} ({min(ratios):.2f} to {max(ratios):.2f})", limit, met)


def show(rows: Sequence[Sequence[str]], *, markdown: bool) -> str:
    """Rows as a table."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        " | ".join(cell.ljust(width) for cell, width in zip(one, widths, strict=True))
        for one in rows
    ]
    if markdown:
        lines = [f"| {line} |" for line in lines]
        lines.insert(1, f"|{'|'.join('-' * (width + 2) for width in widths)}|")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each side has its turn")
    parser.add_argument("--size", choices=SIZES, default="full", help="how much is measured")
    parser.add_argument("--only", action="append", help="a budget's key or a part of its words")
    parser.add_argument("--markdown", action="store_true", help="the table as in README.md")
    chosen = parser.parse_args(arguments)
    rows: list[tuple[str, ...]] = [HEADER]
    with tempfile.TemporaryDirectory() as folder:
        for budget in budgets(SIZES[chosen.size], Path(folder)):
            names = f"{budget.key} {budget.what} {budget.against} {budget.on}"
            if chosen.only and not any(word in names for word in chosen.only):
                continue
            rows.append(row(budget, chosen.rounds))
            sys.stderr.write(f"{' | '.join(rows[-1])}\n")
    sys.stdout.write(f"{show(rows, markdown=chosen.markdown)}\n")


if __name__ == "__main__":
    main()

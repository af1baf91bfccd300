"""Measures every row and prints the ratios; see ``python -m tests.benchmarks --help``."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .jobs import AbsentError, Job
from .rows import HEAD, ROWS, Row
from .texts import SIZES, Texts, default_folder


def sides(row: Row, texts: Texts) -> tuple[Job, Job] | str:
    """Return the two jobs of a row, or the name of what is absent."""
    try:
        return row.ours(texts), row.theirs(texts)
    except AbsentError as absent:
        return f"({absent})"


def measure(group: Sequence[Row], texts: Texts, rounds: int) -> list[list[float] | str]:
    """Return the ratios of each row of a group, or the name of what is absent.

    In each round every job of the group has its turn.
    """
    pairs = [sides(row, texts) for row in group]
    jobs = dict.fromkeys(job for pair in pairs if not isinstance(pair, str) for job in pair)
    absent: dict[Job, str] = {}
    costs: dict[Job, list[dict[str, float]]] = {job: [] for job in jobs}
    for _ in range(rounds):
        for job in jobs:
            if job not in absent:
                try:
                    costs[job].append(job.run())
                except AbsentError as error:
                    absent[job] = f"({error})"
    ratios: list[list[float] | str] = []
    for row, pair in zip(group, pairs, strict=True):
        if isinstance(pair, str):
            ratios.append(pair)
        elif missing := [absent[job] for job in pair if job in absent]:
            ratios.append(missing[0])
        else:
            ratios.append(list(map(row.ratio, *(costs[job] for job in pair))))
    return ratios


def cells(row: Row, ratios: list[float] | str) -> tuple[str, ...]:
    """Return the cells of a line: its names, the ratio, and whether that keeps the budget."""
    if isinstance(ratios, str):
        return *row.names, ratios, ""
    middle = statistics.median(ratios)
    ratio = f"{middle:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    return *row.names, ratio, ("no", "yes")[row.is_met(middle)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each side has its turn")
    parser.add_argument("--size", choices=SIZES, default="full", help="how much is measured")
    parser.add_argument("--only", action="append", help="a row's key or a part of its words")
    parser.add_argument("--folder", default=default_folder(), help="of real files")
    chosen = parser.parse_args(arguments)
    asked = [
        row
        for row in ROWS
        if not chosen.only or any(word in " ".join([row.key, *row.names]) for word in chosen.only)
    ]
    groups: dict[str, list[Row]] = {}
    for row in asked:
        groups.setdefault(row.on.partition(", ")[0], []).append(row)
    lines: dict[Row, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        texts = Texts(Path(folder), SIZES[chosen.size], chosen.folder)
        for group in groups.values():
            for row, ratios in zip(group, measure(group, texts, chosen.rounds), strict=True):
                lines[row] = f"| {' | '.join(cells(row, ratios))} |\n"
                sys.stderr.write(lines[row])
    sys.stdout.write(HEAD + "".join(lines[row] for row in asked))


if __name__ == "__main__":
    main()

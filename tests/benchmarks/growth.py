"""Texts as long as one likes, and half as long: ``python -m tests.benchmarks.growth``.

A night's work beside the quick tests of tests/scale/test_scale.py, whose texts these are.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import sys
import time
from collections.abc import Callable, Sequence

import sgf_lark

from .families import DENSE, FAULTY, FLAT, SEVERAL

#: Twice the text may take so many times as long.
LIMIT = 2.2


def loaded(text: str) -> None:
    """Read, with all that is found."""
    assert sgf_lark.loads(text, strict=False).diagnostics is not None


def checked(text: str) -> None:
    """Checked, and the report written."""
    report = sgf_lark.check(io.StringIO(text))
    assert str(report) or not report


def one_by_one(text: str) -> None:
    """Read game by game."""
    assert all(game.nodes for game in sgf_lark.iter_games(io.StringIO(text), strict=False))


WAYS: dict[str, Callable[[str], None]] = {
    "loads": loaded,
    "check": checked,
    "iter_games": one_by_one,
}


def seconds(way: Callable[[str], object], text: str) -> float:
    """Of the processor, without collections of garbage, which come in leaps."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    way(text)
    used = time.process_time() - start
    gc.enable()
    return used


def of_length(family: Callable[[int], str], characters: int) -> str:
    """A text of a family, about so long."""
    each = len(family(1_000)) / 1_000
    return family(max(1, round(characters / each)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure families, and say which grow too fast."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growth", description=__doc__)
    parser.add_argument("names", nargs="*", help="of families; all of them without any")
    parser.add_argument("--characters", type=int, default=8_000_000, help="of the longer text")
    parser.add_argument("--worst", action="store_true", help="measure all, name only the worst")
    parser.add_argument("--way", choices=WAYS, default="check", help="what is done with it")
    chosen = parser.parse_args(arguments)
    families = {**FLAT, **DENSE, **FAULTY, **SEVERAL}
    way = WAYS[chosen.way]
    worst = (0.0, "", 0.0, 0.0)
    for name in chosen.names or families:
        short, long = (of_length(families[name], chosen.characters // part) for part in (2, 1))
        once, twice = seconds(way, short), seconds(way, long)
        for _ in range(3):  # others use the machine, too
            if twice <= LIMIT * once:
                break
            once, twice = min(once, seconds(way, short)), min(twice, seconds(way, long))
        growth = twice / max(once, 1e-9)
        worst = max(worst, (growth, name, once, twice))
        if not chosen.worst:
            mark = "too much" if growth > LIMIT else ""
            sys.stdout.write(f"{growth:5.2f} {twice:8.2f} s {len(long):9} {name} {mark}\n")
            sys.stdout.flush()
    if chosen.worst:
        _, name, once, twice = worst
        sys.stderr.write(f"most growth: {name}\n")
        sys.stdout.write(json.dumps({"once": once, "twice": twice}) + "\n")


if __name__ == "__main__":
    main()

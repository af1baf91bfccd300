"""What a megabyte of each family of ``families.py`` costs, and what twice the text does.

``python -m tests.benchmarks.growth [NAME ...]`` checks a text of each family and one of half its
length.  The last line is for a row of the table: the times of the family that grows most, and the
seconds of CPU for a megabyte of the dearest.  Beside each time is that of a fixed loop, in the
same process: seconds of another machine, or of a busy one, are compared by it.  The loop makes
objects, as reading does: what others do with the machine's memory slows both.
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

from .families import FAMILIES

#: Twice the text may take so many times as long.
MAX_GROWTH = 2.2

#: Seconds of CPU for a megabyte are those of a machine that takes so many for the loop.
LOOP_SECONDS = 0.12

#: Rounds of the loop.
ROUNDS = 60_000


def of_length(family: Callable[[int], str], characters: int) -> str:
    """Return a text of a family, about so long."""
    each = len(family(1_000)) / 1_000
    return family(max(1, round(characters / each)))


def check(text: str) -> None:
    """Check it, and write the report."""
    report = sgf_lark.check(io.StringIO(text))
    assert str(report) or not report


def run_loop(_: str = "") -> None:
    """Make objects that are always the same."""
    made = {str(number): (number, [number, number + 1], {0: 0}) for number in range(ROUNDS)}
    text = "".join(sorted(made, key=lambda name: made[name][0] % 977))
    assert len([text[begin : begin + 5] for begin in range(0, len(text), 3)]) > ROUNDS


def seconds(way: Callable[[str], object], text: str) -> float:
    """Return the seconds of CPU, without collections of garbage, which come in leaps."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    way(text)
    used = time.process_time() - start
    gc.enable()
    return used


def seconds_per_megabyte(text: str) -> float:
    """Return the seconds of CPU for a megabyte of a text, garbage collected as users have it."""
    start = time.process_time()
    check(text)
    spent = time.process_time() - start
    start = time.process_time()
    run_loop()
    calibrated = spent * LOOP_SECONDS / (time.process_time() - start)
    return calibrated / len(text.encode("utf-8", "surrogatepass")) * 1e6


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure families."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growth", description=__doc__)
    parser.add_argument("names", nargs="*", help="of families; all of them without any")
    parser.add_argument("--characters", type=int, default=1_000_000, help="of the longer text")
    chosen = parser.parse_args(arguments)
    worst, dearest = (0.0, 0.0, 0.0), 0.0
    for name in chosen.names or FAMILIES:
        short, long = (of_length(FAMILIES[name], chosen.characters // part) for part in (2, 1))
        check(short[:1_000])  # so that grammars are built
        price = seconds_per_megabyte(long)
        once, twice = seconds(check, short), seconds(check, long)
        for _ in range(3):  # others use the machine, too
            if twice <= MAX_GROWTH * once:
                break
            once, twice = min(once, seconds(check, short)), min(twice, seconds(check, long))
        growth = twice / max(once, 1e-9)
        worst, dearest = max(worst, (growth, once, twice)), max(dearest, price)
        sys.stderr.write(f"{growth:5.2f} {price:8.2f} s/MB {name}\n")
    _, once, twice = worst
    sys.stdout.write(json.dumps({"once": once, "twice": twice, "dearest": dearest}) + "\n")


if __name__ == "__main__":
    main()

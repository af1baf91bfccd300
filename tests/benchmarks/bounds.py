"""Time and memory of the worst texts, each in a fresh process.

``python -m tests.benchmarks.bounds`` checks a text of each family of ``families.py`` and one of
half its length: the seconds of CPU a megabyte, how they grow, and the memory beyond that of an
empty record.  Beside them is the time of a fixed loop, in the same process: seconds of another
machine, or of a busy one, are compared by it.  The loop makes objects, as reading does: what
others do with the machine's memory slows both.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import NamedTuple

import sgf_lark

from .families import DENSE, FAULTY, FLAT, SEVERAL
from .growth import of_length
from .jobs import Job, python
from .worker import peak_memory

FAMILIES = {**FLAT, **DENSE, **FAULTY, **SEVERAL}

#: A text may take so many seconds of CPU a megabyte, on a machine that takes so many for the
#: loop, and so many bytes beyond those of an empty record.
MAX_SECONDS, LOOP_SECONDS, MAX_MEMORY = 10, 0.12, 200_000_000

#: Rounds of the loop.
ROUNDS = 60_000

EMPTY = "(;FF[4]GM[1]SZ[19])"


def check(text: str) -> None:
    """Check it, and write the report."""
    report = sgf_lark.check(io.StringIO(text))
    assert str(report) or not report


def command(text: str) -> None:
    """Check a file by the command, in one process."""

    from sgf_lark.cli.main import app  # of one way only

    with (
        tempfile.TemporaryDirectory() as folder,
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
    ):
        file = Path(folder, "a.sgf")
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        with redirect_stdout(nowhere), suppress(SystemExit):
            app(["check", "--jobs", "1", "--isolated", "--quiet", str(file)])


def load(text: str) -> None:
    """Read it leniently, with all findings."""
    assert sgf_lark.loads(text, strict=False).diagnostics is not None


WAYS: dict[str, Callable[[str], None]] = {"check": check, "command": command, "load": load}


class Cost(NamedTuple):
    """The cost of a text of a family.

    Attributes:
        seconds: Of CPU, a megabyte.
        loop: Of the fixed loop: the mean of one before and one after.
        growth: The time of the text, in that of one of half its length.
        memory: Bytes at most, beyond those of an empty record; that of the text included.
    """

    seconds: float
    loop: float
    growth: float
    memory: int

    @property
    def calibrated(self) -> float:
        """Seconds a megabyte of the machine for which the limit is."""
        return self.seconds * LOOP_SECONDS / self.loop


def loop() -> float:
    """Return the seconds of CPU of the fixed loop."""
    start = time.process_time()
    made = {str(number): (number, [number, number + 1], {0: 0}) for number in range(ROUNDS)}
    text = "".join(sorted(made, key=lambda name: made[name][0] % 977))
    assert len([text[begin : begin + 5] for begin in range(0, len(text), 3)]) > ROUNDS
    return time.process_time() - start


def spent(way: Callable[[str], None], text: str) -> float:
    """Return the seconds of CPU; garbage is collected within them as users have it."""
    start = time.process_time()
    way(text)
    return time.process_time() - start


def measure(name: str, characters: int, way: Callable[[str], None]) -> Cost:
    """Return the cost of a family, in this process."""
    way(EMPTY)
    way(of_length(FAMILIES[name], 100))
    short, text = (of_length(FAMILIES[name], characters // part) for part in (2, 1))
    before, first = peak_memory(), loop()
    once, twice = spent(way, short), spent(way, text)
    memory = peak_memory() - before
    size = len(text.encode("utf-8", "surrogatepass")) / 1e6
    return Cost(twice / size, (first + loop()) / 2, twice / max(once, 1e-9), memory)


def measure_apart(name: str, characters: int, way: str) -> Cost:
    """Return the cost of a family, in a fresh process."""
    options = ("--here", name, "--characters", str(characters), "--way", way)
    job = Job(python("-m", "tests.benchmarks.bounds", *options), measures=True)
    cost = job.run()
    return Cost(cost["seconds"], cost["loop"], cost["growth"], int(cost["memory"]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bounds", description=__doc__)
    parser.add_argument("names", nargs="*", help="of families; all of them without any")
    parser.add_argument("--characters", type=int, default=1_000_000, help="of the text")
    parser.add_argument("--way", choices=WAYS, default="check", help="what is done with it")
    parser.add_argument("--here", choices=FAMILIES, help="measure a family in this process")
    chosen = parser.parse_args(arguments)
    if chosen.here:
        cost = measure(chosen.here, chosen.characters, WAYS[chosen.way])
        sys.stdout.write(json.dumps(cost._asdict()) + "\n")
        return
    sys.stdout.write(
        "| family | CPU seconds a MB | the loop, s | calibrated | growth | memory, MB | met |\n"
        "|---|---|---|---|---|---|---|\n"
    )
    for name in chosen.names or FAMILIES:
        cost = measure_apart(name, chosen.characters, chosen.way)
        met = cost.calibrated <= MAX_SECONDS and cost.memory <= MAX_MEMORY
        sys.stdout.write(
            f"| {name} | {cost.seconds:.1f} | {cost.loop:.2f} | {cost.calibrated:.1f}"
            f" | {cost.growth:.2f} | {cost.memory / 1e6:.0f} | {('no', 'yes')[met]} |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()

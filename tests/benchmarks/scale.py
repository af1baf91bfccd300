"""Large records: the time and memory of reading them, each in a process of its own.

``python -m tests.benchmarks.scale`` measures all at their full size, which takes half an hour;
``--share 0.01`` a hundredth of it.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import sgf_lark

from .families import numbered
from .jobs import Job, python
from .texts import game
from .worker import peak_memory


class Archive(io.RawIOBase):
    """A file of games that are made while it is read.

    Args:
        size: Its bytes; the last game may go beyond.
    """

    def __init__(self, size: int) -> None:
        self._blocks, self._rest = self._make(size), b""

    def _make(self, size: int) -> Iterator[bytes]:
        games = [game(number).encode() for number in range(200)]
        for number in count():
            for one in games:
                if size <= 0:
                    return
                yield one.replace(b"GN[", b"GN[%d, " % number)
                size -= len(one)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        self._rest = self._rest or next(self._blocks, b"")
        part = self._rest[: len(buffer)]
        buffer[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)


def load(text: str) -> Callable[[], int]:
    """Typed, validated, all findings known; returns the nodes."""

    def work() -> int:
        collection = sgf_lark.loads(text, strict=False)
        assert collection.diagnostics is not None
        return sum(len(game.nodes) for game in collection)

    return work


def iterate(size: int) -> Callable[[], int]:
    """Game by game."""
    source = io.BufferedReader(Archive(size))
    return lambda: sum(len(game.nodes) for game in sgf_lark.iter_games(source))


#: From a share of the full size to the work.  Many nodes differ.
CASES: dict[str, Callable[[float], Callable[[], int]]] = {
    "1,000,000 nodes in a game": lambda share: load(
        "(;FF[4]GM[1]" + numbered(";B[dd]BL[%d];W[pp]", int(500_000 * share)) + ")"
    ),
    "100,000 games in a file": lambda share: load(
        numbered("(;FF[4]GM[1]SZ[19]PB[%d];B[dd];W[pp])\n", int(100_000 * share))
    ),
    "a comment of 50 MB": lambda share: load(
        "(;FF[4]GM[1]C[" + "a long story; \\] and\n" * int(50_000_000 * share / 21) + "])"
    ),
    "100,000 variations in one another": lambda share: load(
        "(;FF[4]GM[1]"
        + numbered("(;B[dd]BL[%d]", int(100_000 * share))
        + ")" * int(100_000 * share + 1)
    ),
    "an archive of 1 GB, game by game": lambda share: iterate(int(10**9 * share)),
}


def measure(case: str, share: float) -> dict[str, float]:
    """Return the nodes, the seconds of CPU and the bytes of a case, its text not counted."""
    sgf_lark.loads("(;FF[4];B[dd])")
    work = CASES[case](share)
    before, start = peak_memory(), time.process_time()
    nodes = work()
    used = time.process_time() - start
    return {"nodes": nodes, "seconds": used, "memory": peak_memory() - before}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scale", description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full size")
    parser.add_argument("--only", default="", help="a part of the words of a case")
    parser.add_argument("--here", choices=CASES, help="measure a case in this process")
    chosen = parser.parse_args(arguments)
    if chosen.here:
        sys.stdout.write(json.dumps(measure(chosen.here, chosen.share)) + "\n")
        return
    sys.stdout.write("| what | nodes | CPU seconds | peak memory, MB |\n|---|---|---|---|\n")
    for case in CASES:
        if chosen.only in case:
            options = ("--share", str(chosen.share), "--here", case)
            cost = Job(python("-m", f"{__package__}.scale", *options), measures=True).run()
            memory = cost["memory"] / 1e6
            line = f"| {case} | {cost['nodes']:,} | {cost['seconds']:.2f} | {memory:.0f} |\n"
            sys.stdout.write(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()

"""What is measured: seconds of the processor, and bytes of memory, of this process or another."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

#: Does something once, and says what it cost.
Cost: TypeAlias = Callable[[], float]

ROOT = Path(__file__).parents[2]


def seconds(work: Callable[[], object]) -> Cost:
    """Of this process; garbage is collected as users have it, what lay about before is not."""

    def cost() -> float:
        gc.collect()
        start = time.process_time()
        work()
        return time.process_time() - start

    return cost


class Process(NamedTuple):
    """What another process cost and said.

    Attributes:
        seconds: Of the processor, all of its own processes included.
        elapsed: Seconds on the clock.
        output: What it printed.
    """

    seconds: float
    elapsed: float
    output: str


def run(command: list[str], *, any_code: bool = False) -> Process:
    """Run a program to its end.

    Raises:
        RuntimeError: It failed; exit code 1 is none if ``any_code``.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        child = subprocess.Popen(  # noqa: S603  # waited for below, to learn what it used
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=environment
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        output = said.read()
    elapsed = time.perf_counter() - start
    if child.returncode and not (any_code and child.returncode == 1):
        raise RuntimeError(f"{' '.join(command)[:300]}: {child.returncode}: {output[-500:]}")
    return Process(used.ru_utime + used.ru_stime, elapsed, output)


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def process_seconds(command: list[str], *, any_code: bool = False) -> Cost:
    """Of a program from its start to its end."""
    return lambda: run(command, any_code=any_code).seconds


def process_elapsed(command: list[str], *, any_code: bool = False) -> Cost:
    """On the clock, for what several cores do together."""
    return lambda: run(command, any_code=any_code).elapsed


#: Says how many kilobytes this process has had at most; what it was before it was this program
#: does not count, as it would in its resource usage.
PEAK = "import re\nprint(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"


def peak(before: str, work: str, file: str) -> Cost:
    """Bytes that a piece of Python needs more than the one before it, in a process of its own.

    Args:
        before, work: Both find the path of a file in ``sys.argv[1]``.
        file: The path.
    """

    def bytes_of(*pieces: str) -> int:
        return 1024 * int(run(python("-c", "\n".join(["import sys", *pieces, PEAK]), file)).output)

    return lambda: bytes_of(before, work) - bytes_of(before)

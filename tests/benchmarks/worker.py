"""Does one task with each file, twice, and prints what that cost: ``worker MODULE.FUNCTION``.

Standard input has a path on each line; the first file is tiny and only prepares: what is
imported or built once is there before the clock starts.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def peak_memory() -> int:
    """Return the most bytes that this process has had; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return 1024 * int(found[1]) if found else 0


def seconds(task: Callable[[str], object], files: list[str]) -> float:
    """Return the CPU time of a pass; garbage is collected within it as users have it."""
    gc.collect()
    start = time.process_time()
    for file in files:
        _ = task(file)  # the last result is there until the next one is
    return time.process_time() - start


def measure(name: str, tiny: str, files: list[str]) -> dict[str, float | str]:
    """Return the seconds of both passes, those of the whole process until the end of the first
    one (``whole``), and the bytes that the first one needed at most (``memory``)."""
    module, _, function = name.partition(".")
    task: Callable[[str], object] = getattr(import_module(f"{__package__}.{module}"), function)
    try:
        task(tiny)
    except ModuleNotFoundError as error:
        return {"absent": f"{error.name} is not installed"}
    before = peak_memory()
    cold, whole, memory = seconds(task, files), time.process_time(), peak_memory() - before
    return {"cold": cold, "whole": whole, "memory": memory, "warm": seconds(task, files)}


if __name__ == "__main__":
    first, *others = sys.stdin.read().splitlines()
    sys.stdout.write(json.dumps(measure(sys.argv[1], first, others)) + "\n")

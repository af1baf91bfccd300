"""Takes steps with files and prints what that cost: ``worker ORDER MODULE.FUNCTION ...``.

The first step takes the path of a file, each other one the result of the step before.  ``each``
takes all steps with a file before the next file, ``all`` a step with all files before the next
step.  Standard input has a path on each line; the first file is tiny and only prepares: what is
imported or built once is there before the clock starts.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

Step: TypeAlias = Callable[[Any], Any]


def peak_memory() -> int:
    """Return the most bytes that this process has had; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return 1024 * int(found[1]) if found else 0


def take(order: str, steps: Sequence[Step], files: Sequence[str]) -> None:
    """Take steps with files."""
    if order == "all":
        results: Sequence[Any] = files
        for step in steps:
            results = [step(result) for result in results]
        return
    for file in files:
        result: Any = file  # the last one is there until the next one is
        for step in steps:
            result = step(result)


def measure(order: str, names: Sequence[str], tiny: str, files: Sequence[str]) -> dict[str, Any]:
    """Return the seconds of CPU and the bytes that the steps needed at most; garbage is collected
    within the time as users have it."""
    parts = [name.partition(".") for name in names]
    steps = [getattr(import_module(f"{__package__}.{one}"), two) for one, _, two in parts]
    try:
        take(order, steps, [tiny])
    except ModuleNotFoundError as error:
        return {"absent": f"{error.name} is not installed"}
    gc.collect()
    before, start = peak_memory(), time.process_time()
    take(order, steps, files)
    return {"cold": time.process_time() - start, "memory": peak_memory() - before}


if __name__ == "__main__":
    first, *others = sys.stdin.read().splitlines()
    sys.stdout.write(json.dumps(measure(sys.argv[1], sys.argv[2:], first, others)) + "\n")

"""SGFC: ``python -m tests.conformance.adapters.sgfc``; SGFC names its program if it is not on PATH.

It prints no trees: its errors are compared.  Source of their form: its README, "Messages".
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from .serve import ABSENT, serve

PROGRAM = os.environ.get("SGFC") or shutil.which("sgfc")

CLAIMS = {
    "formats": ["FF[1]", "FF[3]", "FF[4]"],
    "games": ["Go"],
    "parts": ["places", "encodings", "collections"],
    "faults": ["syntax", "identifier", "structure", "property", "value", "list", "encoding"],
}

#: Kinds of faults by the numbers of its messages.
KINDS = {
    number: kind
    for kind, numbers in {
        "syntax": (7, 8, 9, 10, 12, 20, 21, 36, 54, 66, 67), "identifier": (11, 16),
        "structure": (30, 32, 37, 44), "property": (13, 28, 41, 42, 43), "list": (38, 52),
        "value": (14, 15, 17, 18, 23, 25, 33, 46, 47, 50, 51), "encoding": (71, 72, 73, 75),
    }.items()
    for number in numbers
}  # fmt: skip

MESSAGE = re.compile(r"^(?:Line:(\d+) Col:(\d+) - )?(?:Error|Fatal error) (\d+)", re.MULTILINE)


def answer(file: Path) -> dict[str, Any]:
    """Return the faults of a file."""
    if PROGRAM is None:
        sys.stderr.write("sgfc is not installed\n")
        raise SystemExit(ABSENT)
    done = subprocess.run(  # noqa: S603  # the checker
        [PROGRAM, str(file)], capture_output=True, timeout=10, check=False
    )
    text = (done.stdout + done.stderr).decode(errors="replace")
    faults = [
        {"line": int(line or 1), "column": int(column or 1), "kind": KINDS[int(number)]}
        for line, column, number in MESSAGE.findall(text)
        if int(number) in KINDS
    ]
    return {"program": "SGFC", "trees": [], "faults": faults}


if __name__ == "__main__":
    serve("", CLAIMS, answer)

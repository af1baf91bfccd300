"""Programs under test: their processes, and the files that they are given."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .adapters.serve import ABSENT
from .cases import Case
from .compare import Answer, Outcome, judge

#: A program has this long for a file.
SECONDS = 10.0

#: In the batch form, this many files at a time.
MAX_FILES = 100


class AbsentError(Exception):
    """The program is not installed."""


def run(
    cases: Sequence[Case], command: Sequence[str], *, batch: bool = False, seconds: float = SECONDS
) -> Iterator[Outcome]:
    """Yield the outcome of each case; the arguments and errors are those of :func:`answers`."""
    return map(judge, cases, answers(cases, command, batch=batch, seconds=seconds))


def answers(
    cases: Sequence[Case], command: Sequence[str], *, batch: bool = False, seconds: float = SECONDS
) -> Iterator[Answer]:
    """Yield the answer of a program to each case.

    Args:
        cases: The cases, in the order of the answers.
        command: The program and its arguments; the names of files are added.
        batch: It takes many files, and prints a line for each.
        seconds: The time that it has for a file.

    Raises:
        AbsentError: Its adapter says that it is not installed.
        OSError: The command cannot be started.
    """
    size = MAX_FILES if batch else 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        files = [Path(folder, f"{case.id}{case.suffix}") for case in cases]
        for case, file in zip(cases, files, strict=True):
            file.write_bytes(case.data)
        shares = [files[start : start + size] for start in range(0, len(files), size)]
        for share in pool.map(lambda share: _ask(command, share, seconds), shares):
            yield from share


def _ask(command: Sequence[str], files: Sequence[Path], seconds: float) -> list[Answer]:
    """Return the answer to each file; one by one, if a program does not answer all at once."""
    answers: list[Answer] = []
    try:
        done = subprocess.run(  # noqa: S603  # what the user asks for
            [*command, *map(str, files)],
            capture_output=True, timeout=seconds * len(files), stdin=subprocess.DEVNULL,
            check=False,
        )  # fmt: skip
        answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
        said = done.stderr.decode(errors="replace").strip().splitlines() or [""]
        why = f"exit {done.returncode}: {said[-1]}"
        if done.returncode == ABSENT:
            raise AbsentError(said[-1])
    except subprocess.TimeoutExpired:
        why = f"no answer within {seconds:g} s"
    except ValueError:
        why = "no JSON"
    if len(answers) == len(files) and all(isinstance(one, dict) for one in answers):
        return answers
    if len(files) == 1:
        return [{"crash": why}]
    return [one for file in files for one in _ask(command, [file], seconds)]

"""Jobs: what one side does, in a process of its own, and what that cost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

#: The exit code of what only points to a program, and does not find it.
NOT_FOUND = 127


class AbsentError(Exception):
    """A program or the real files are not there; the text says which."""


class Records(NamedTuple):
    """Files of game records.

    Attributes:
        files: Their paths, each file with a different text.
        tiny: A file of the same kind that is read before anything is measured.
    """

    files: tuple[str, ...]
    tiny: str

    @property
    def paths(self) -> str:
        """The tiny file and the others, one a line."""
        return "\n".join([self.tiny, *self.files])


class Job(NamedTuple):
    """A command that runs to its end in a new folder.

    Attributes:
        command: The program and its arguments.
        stdin: What it reads.
        measures: Whether its last line is a JSON object of measures, or of a reason (``absent``).
    """

    command: tuple[str, ...]
    stdin: str = ""
    measures: bool = False

    def run(self) -> dict[str, float]:
        """Return the cost: at least ``process`` (seconds of CPU) and ``elapsed`` (on the clock).

        Raises:
            AbsentError: The program needs something that is not installed.
            RuntimeError: It failed.
        """
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        with (
            tempfile.TemporaryDirectory() as folder,
            tempfile.TemporaryFile("w+") as given,
            tempfile.TemporaryFile("w+") as said,
        ):
            given.write(self.stdin)
            given.seek(0)
            start = time.perf_counter()
            child = subprocess.Popen(  # noqa: S603  # waited for below, to learn what it used
                self.command,
                stdin=given,
                stdout=said,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path},
            )
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            elapsed = time.perf_counter() - start
            said.seek(0)
            output = said.read()
        if child.returncode == NOT_FOUND:
            raise AbsentError(f"not at hand: {self.command[0]}")
        if child.returncode:
            raise RuntimeError(f"{' '.join(self.command)[:300]}: exit code {child.returncode}")
        result = {"process": used.ru_utime + used.ru_stime, "elapsed": elapsed}
        if self.measures:
            result.update(json.loads(output.splitlines()[-1]))
        if "absent" in result:
            raise AbsentError(result["absent"])
        return result


def python(*arguments: str) -> tuple[str, ...]:
    """Return the command of this Python."""
    return (sys.executable, *arguments)


def read(order: str, steps: str, records: Records) -> Job:
    """Take steps with files: see :mod:`.worker`."""
    command = python("-m", "tests.benchmarks.worker", order, *steps.split())
    return Job(command, records.paths, measures=True)


def sgf_lark(*arguments: str) -> Job:
    """Return the command line tool as a job."""
    return Job(python("-m", "sgf_lark", *arguments))


def program(name: str, named_by: str = "") -> str:
    """Return the path of a program.

    Args:
        name: What it is called.
        named_by: The environment variable that has its path instead.

    Raises:
        AbsentError: It is not there.
    """
    found = shutil.which(os.environ.get(named_by, name))
    if found is None:
        raise AbsentError(f"not at hand: {name}")
    return found

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


#: The exit code of what only points to a program, and does not find it.
NOT_FOUND = 127


class Job(NamedTuple):
    """A command that runs to its end.

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
        start = time.perf_counter()
        with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as said:
            given.write(self.stdin)
            given.seek(0)
            child = subprocess.Popen(  # noqa: S603  # waited for below, to learn what it used
                self.command,
                stdin=given,
                stdout=said,
                cwd=ROOT,
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


def read(task: str, records: Records) -> Job:
    """Read each file once, then each again; ``task`` is ``module.function`` of this folder."""
    command = python("-m", f"{__package__}.worker", task)
    return Job(command, records.paths, measures=True)


def sgf_lark(*arguments: str) -> Job:
    """Return the command line tool as a job."""
    return Job(python("-m", "sgf_lark", *arguments))


def over_archive(folder: str, *arguments: str) -> Job:
    """Return the command line tool with a new copy of a folder, which it may change, as a job.

    Its CPU time and its time on the clock are without the copy.
    """
    return Job(python("-m", f"{__package__}.jobs", folder, *arguments), measures=True)


def into_archive(folder: str, *arguments: str) -> Job:
    """Return the building of an archive of tables, which is new each time, as a job.

    Args:
        folder: In which the archive is for as long as that takes.
        *arguments: Sources and options.
    """
    command = ("archive", "build", *arguments, "-o", "out")
    return Job(python("-m", f"{__package__}.jobs", "--new", folder, *command), measures=True)


def measure_over_copy(folder: str, *arguments: str) -> dict[str, float]:
    """Return the cost of a command over a copy of a folder, in the copy's parent."""
    with tempfile.TemporaryDirectory(dir=Path(folder).parent) as parent:
        shutil.copytree(folder, f"{parent}/in")
        os.sync()
        return measure_in(parent, *arguments, "in")


def measure_in_new(folder: str, *arguments: str) -> dict[str, float]:
    """Return the cost of a command in a new folder of a folder."""
    with tempfile.TemporaryDirectory(dir=folder) as parent:
        return measure_in(parent, *arguments)


def measure_in(parent: str, *arguments: str) -> dict[str, float]:
    """Return the cost of a command in a folder."""
    command = [sys.executable, "-m", "sgf_lark", *arguments]
    start = time.perf_counter()
    with Path(os.devnull).open("wb") as nowhere:
        child = subprocess.Popen(command, stdout=nowhere, stderr=nowhere, cwd=parent)  # noqa: S603
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.perf_counter() - start
    if child.returncode not in {0, 1}:
        raise RuntimeError(f"{' '.join(command)}: exit code {child.returncode}")
    return {"process": used.ru_utime + used.ru_stime, "elapsed": elapsed}


def limit(seconds: float) -> Job:
    """Return the cost that a budget names in seconds."""
    cost = json.dumps({"process": seconds, "elapsed": seconds})
    return Job(python("-c", f"print({cost!r})"), measures=True)


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


if __name__ == "__main__":
    is_new = sys.argv[1] == "--new"
    cost = measure_in_new(*sys.argv[2:]) if is_new else measure_over_copy(*sys.argv[1:])
    print(json.dumps(cost))  # noqa: T201  # for Job.run

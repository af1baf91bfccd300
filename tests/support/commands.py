"""Commands in processes of their own, which begin where everything is imported already.

One process imports the package and waits; each command is a fork of it, with its own streams,
folder and environment.  What is said of the start of a process starts one as a user does.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from support.places import RECORDS, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class Done(NamedTuple):
    """What is left of a process."""

    returncode: int
    stdout: bytes
    stderr: bytes


class _Nursery:
    """The process that waits; it does one command at a time."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
        self._process = subprocess.Popen(  # noqa: S603  # this file
            [sys.executable, "-X", "utf8", "-m", "support.commands", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": path},
        )
        theirs.close()
        atexit.register(self._end)

    def _end(self) -> None:
        self._line.close()
        self._process.wait()

    def begin(
        self,
        arguments: Sequence[str],
        streams: Sequence[int],
        folder: Path,
        environment: Mapping[str, str],
    ) -> None:
        """Start a command; all of the streams are its own from now on."""
        asked = json.dumps([[*arguments], str(folder), dict(environment)]).encode()
        socket.send_fds(self._line, [len(asked).to_bytes(4, "big")], streams)
        self._line.sendall(asked)

    def status(self) -> int:
        """The exit status of the command, when it has ended."""
        return int.from_bytes(self._line.recv(4), "big", signed=True)


nursery = cache(_Nursery)


def afresh(
    *arguments: str, folder: Path, text: bytes = b"", environment: Mapping[str, str] = os.environ
) -> Done:
    """Run a command to its end in a process that begins with nothing."""
    result = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-X", "utf8", "-m", "sgf_lark", *arguments],
        input=text,
        capture_output=True,
        check=False,
        cwd=folder,
        env=environment,
    )
    return Done(result.returncode, result.stdout, result.stderr)


def run(
    *arguments: str,
    folder: Path,
    text: bytes = b"",
    environment: Mapping[str, str] = os.environ,
) -> Done:
    """Run a command to its end."""
    if not hasattr(os, "fork"):
        return afresh(*arguments, folder=folder, text=text, environment=environment)
    with (
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        stdin.write(text)
        stdin.seek(0)
        streams = [one.fileno() for one in (stdin, stdout, stderr)]
        nursery().begin(arguments, streams, folder, environment)
        returncode = nursery().status()
        stdout.seek(0)
        stderr.seek(0)
        return Done(returncode, stdout.read(), stderr.read())


# ---- the process that waits ----


def _wait(line: socket.socket) -> None:
    """Fork for each command; the forks return, ready to be it, and the process never does."""
    while True:
        size, streams, *_ = socket.recv_fds(line, 4, 3)
        if not size:
            sys.exit()
        asked = b""
        while len(asked) < int.from_bytes(size, "big"):
            asked += line.recv(1 << 16)
        child = os.fork()
        if not child:
            line.close()
            _become(streams, *json.loads(asked))
            return
        for one in streams:
            os.close(one)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        line.sendall(status.to_bytes(4, "big", signed=True))


def _become(
    streams: list[int], arguments: list[str], folder: str, environment: dict[str, str]
) -> None:
    """Be as a process that has just begun."""
    for number, one in enumerate(streams):
        os.dup2(one, number)
        os.close(one)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["sgf-lark", *arguments]
    # As Python opens them; those of the process that waits are of other kinds of files.
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape")  # noqa: SIM115  # till the end
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115


if __name__ == "__main__":
    import gc
    import pkgutil
    import runpy

    import sgf_lark

    for module in pkgutil.walk_packages(sgf_lark.__path__, "sgf_lark."):
        if module.name != "sgf_lark.__main__":
            __import__(module.name)
    for record in RECORDS.iterdir():
        sgf_lark.check(record)  # grammars are read once, too
    gc.freeze()
    _wait(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("sgf_lark", run_name="__main__", alter_sys=True)

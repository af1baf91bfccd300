"""Commands in processes of their own, which begin where everything is imported already.

One process imports the package and waits; each command is a fork of it, with its own streams,
folder and environment.  What is said of the start of a process starts one as a user does.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cache
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import IO, TYPE_CHECKING, NamedTuple

from .places import RECORDS, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


#: A command that takes so many seconds never ends.
LONGEST = 120


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
            start_new_session=True,
        )
        theirs.close()
        self._line.settimeout(LONGEST)
        atexit.register(self._end)

    def _end(self) -> None:
        self._line.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=100)

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
        try:
            return int.from_bytes(self._line.recv(4), "big", signed=True)
        except TimeoutError:
            atexit.unregister(self._end)
            self._end()
            nursery.cache_clear()
            raise


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
        timeout=100,
    )
    return Done(result.returncode, result.stdout, result.stderr)


def run(
    *arguments: str,
    folder: Path,
    text: bytes = b"",
    stdin: IO[bytes] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Done:
    """Run a command to its end; what it reads is a text, or comes from an open file."""
    if stdin is None and not hasattr(os, "fork"):
        return afresh(*arguments, folder=folder, text=text, environment=environment)
    with (
        tempfile.TemporaryFile() as typed,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        typed.write(text)
        typed.seek(0)
        streams = [one.fileno() for one in (stdin or typed, stdout, stderr)]
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
    sys.stdin = TextIOWrapper(BufferedReader(_raw(0, "<stdin>", "r")), "utf-8", "surrogateescape")
    sys.stdout = _writer(1, "<stdout>", "surrogateescape")
    sys.stderr = _writer(2, "<stderr>", "backslashreplace")


def _raw(number: int, name: str, mode: str) -> FileIO:
    file = FileIO(number, mode, closefd=False)
    file.name = name
    return file


def _writer(number: int, name: str, errors: str) -> TextIOWrapper:
    file = _raw(number, name, "w")
    lines = number == 2 or file.isatty()
    return TextIOWrapper(BufferedWriter(file), "utf-8", errors, line_buffering=lines)


def _leave(code: object) -> None:
    """End at once, if nothing can go wrong any more.

    Python takes all objects of a process apart, for which each page that is shared is copied.
    """
    if isinstance(code, int) and threading.active_count() == 1:
        atexit._run_exitfuncs()  # noqa: SLF001  # as the end of a process does
        with suppress(OSError, ValueError):  # Python's own end says so
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


if __name__ == "__main__":
    import gc
    import pkgutil
    import runpy

    import sgf_lark
    from support.quick_lexers import compare_terminals_if_strict

    compare_terminals_if_strict()

    for module in pkgutil.walk_packages(sgf_lark.__path__, "sgf_lark."):
        if module.name != "sgf_lark.__main__":
            with suppress(ModuleNotFoundError):  # of an extra that is not installed
                __import__(module.name)
    for record in RECORDS.iterdir():
        sgf_lark.check(record)  # grammars are read once, too
    gc.freeze()
    _wait(socket.socket(fileno=int(sys.argv[1])))
    try:
        runpy.run_module("sgf_lark", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        _leave(end.code)
        raise
    _leave(0)

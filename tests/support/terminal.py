"""A shell in a pseudo-terminal: keys go in, and what a person would see comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self

#: Sequences that move the cursor, color the text, or ring the bell.
CONTROL = re.compile(
    r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9A-Za-z]?|\x1b\][^\x07]*\x07|[\r\x07\x08]"
)


class Shell:
    """A shell whose terminal a test types in.

    Args:
        command: The program and its arguments.
        environment: Its environment.
        folder: The current folder.
    """

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        self._keys, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self._process = subprocess.Popen(  # noqa: S603  # a shell of this machine
            command,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # its terminal
        )
        os.close(terminal)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait(timeout=100)
        os.close(self._keys)

    def type(self, keys: str, until: str, seconds: float = 30) -> str:
        """Type a text, perhaps the Tab key, and return what is shown up to a text.

        Raises:
            AssertionError: The text was not shown in time.
        """
        text, tab, _ = keys.partition("\t")
        os.write(self._keys, text.encode())
        if tab:
            sleep(0.2)  # zsh completes no line that it has not shown
            os.write(self._keys, b"\t")
        shown, end = "", monotonic() + seconds
        while until not in shown:
            left = end - monotonic()
            assert left > 0, f"{until!r} is not in {shown!r}"
            if select.select([self._keys], [], [], left)[0]:
                shown += CONTROL.sub("", os.read(self._keys, 65536).decode(errors="replace"))
        return shown

"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Put bytes into a file: whoever opens it, whenever, finds the old ones or the new ones.

    They are written beside the file first, and take its place when they are on the disk.  A
    link stays a link: what it leads to is replaced.  A file keeps its permissions.

    Raises:
        OSError: It cannot be written; the file is as it was.
    """
    target = Path(os.path.realpath(path))
    mode = None
    with suppress(FileNotFoundError):
        found = target.stat()
        if not stat.S_ISREG(found.st_mode):  # a pipe or a device holds nothing to lose
            target.write_bytes(data)
            return
        mode = stat.S_IMODE(found.st_mode)
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(_usual_mode() if mode is None else mode)
        Path(beside).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(beside).unlink()
        raise
    with suppress(OSError):  # not every system can do that
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _usual_mode() -> int:
    """What a new file is allowed, as the user wants it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask

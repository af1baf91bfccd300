"""Files that are written completely or not at all, and the lock of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sgf_lark.text.archives import ArchiveError
from sgf_lark.text.files import sync_folder

#: Descriptors of locked folders; a child of this process must not keep a lock.
_locked: set[int] = set()


def write_file(
    path: Path, *blocks: bytes | memoryview, below: Path, is_lasting: bool = True
) -> None:
    """Write a file completely or not at all: to a temporary name, which is then changed.

    Args:
        path: The file; an earlier one of this name is replaced.
        blocks: Its content.
        below: The folder of the temporary file, on the disk of ``path``.
        is_lasting: Wait until it is on the disk, so that it is there after a power failure.

    Raises:
        OSError: It cannot be written; there is no temporary file then.
    """
    temporary = below / f"{path.name}.tmp"
    try:
        with naming(path), temporary.open("wb") as file:
            for block in blocks:
                file.write(block)
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    if is_lasting:
        sync_folder(path.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name a path in an error that names none, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes; the lock ends with its process.

    Where a file system has no locks, nothing is locked.

    Raises:
        ArchiveError: Another process has locked it.
        OSError: It cannot be opened.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    _locked.add(descriptor)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            words = "another process is building this archive: wait until it is done"
            raise ArchiveError(words, os.fspath(folder)) from None
        except OSError:
            pass
        yield
    finally:
        _locked.discard(descriptor)
        os.close(descriptor)


def _unlock_child() -> None:
    """Close the locked folders in a process that was forked, else they stay locked with it."""
    for descriptor in _locked:
        with suppress(OSError):
            os.close(descriptor)
    _locked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_child)

"""Writing files so that nobody ever sees half of one.

A file is written beside the old one, and takes its place when it is on the disk.  What a killed
process leaves beside a file is removed by the next one that writes in that folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import IO

from sgf_lark.files.members import ArchiveError, is_archive, is_compressed

try:
    import fcntl
except ModuleNotFoundError:  # Windows, where an open file cannot be removed anyway
    fcntl = None  # type: ignore[assignment]

#: How files end that are being written; whoever writes one holds its lock.
PART = ".sgf-lark-part"

#: Characters of a file's name at most that such a file begins with.
_NAME = 40


class ChangedFileError(OSError):
    """A file is no longer as it was read: somebody else has changed or removed it."""


def digest_of(data: bytes) -> bytes:
    """Return a digest of the bytes of a file: 32 bytes, by which a change of it is noticed."""
    return sha256(data).digest()


def write_file(
    path: str | os.PathLike[str],
    data: bytes,
    *,
    syncs_folder: bool = True,
    read: bytes | None = None,
) -> None:
    """Put bytes into a file: whoever opens it, whenever, finds the old ones or the new ones.

    A link stays a link: what it leads to is replaced.  A new file takes the place of the old
    one, with its permissions, its extended attributes and, as far as this user may, its owner
    and group.  Its time is that of the writing.  Other hard links keep the old contents.

    Args:
        syncs_folder: Wait until the folder is on the disk, too.  If not, a power cut may bring the
            old bytes back until :func:`sync_folder` is called: half of the time of many files.
        read: The digest of the bytes from which the new ones were made; None for others.  The file
            is compared with it at the last moment.

    Raises:
        ChangedFileError: The file does not have the bytes that were read; it stays as it is.
        OSError: It cannot be written; the file is as it was.  A file that nobody may write
            is not replaced, whoever the user is; an archive or a compressed file never is.
    """
    if is_archive(path) or is_compressed(path):
        words = "archives and compressed files are only read: give a name without their suffix"
        raise ArchiveError(words, os.fspath(path))
    with replacing(path, syncs_folder=syncs_folder, read=read) as file:
        file.write(data)


@contextmanager
def replacing(
    path: str | os.PathLike[str], *, syncs_folder: bool = True, read: bytes | None = None
) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of another at the end; else as :func:`write_file`.

    After an exception the other one is as it was.
    """
    if os.fspath(path).endswith(("/", os.sep)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    target = Path(os.path.realpath(path))
    before = None
    with suppress(FileNotFoundError):
        before = Path(path).stat()
    if before is not None:
        if not stat.S_ISREG(before.st_mode):  # a pipe or a device holds nothing to lose
            with Path(path).open("wb") as file:
                yield file
            return
        if not before.st_mode & 0o222 or not os.access(target, os.W_OK):
            words = f"it is write-protected (mode {stat.S_IMODE(before.st_mode):o})"
            raise PermissionError(errno.EACCES, words, os.fspath(path))
    _clean(target.parent)
    handle, beside = _part(target, path)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            _take_over(target, before, beside)
            os.fsync(handle)
            if read is not None:
                _require_unchanged(path, read)
            if fcntl is not None:
                Path(beside).replace(target)  # while it is locked
        if fcntl is None:
            Path(beside).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(beside).unlink()
        raise
    if syncs_folder:
        sync_folder(target.parent)


def _require_unchanged(path: str | os.PathLike[str], read: bytes) -> None:
    try:
        now = Path(path).read_bytes()
    except FileNotFoundError:
        words = "it was removed after it was read"
        raise ChangedFileError(errno.ENOENT, words, os.fspath(path)) from None
    if digest_of(now) != read:
        words = "it was changed after it was read: begin again with what it is now"
        raise ChangedFileError(errno.EBUSY, words, os.fspath(path))


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Wait until the names of files in a folder are on the disk."""
    with suppress(OSError):  # not every system can do that
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _part(target: Path, path: str | os.PathLike[str]) -> tuple[int, str]:
    import tempfile

    while True:
        try:
            handle, beside = tempfile.mkstemp(PART, f".{target.name[:_NAME]}.", target.parent)
        except PermissionError as error:
            words = "no file can be made in its folder, which would replace it"
            raise PermissionError(error.errno, words, os.fspath(path)) from None
        except OSError as error:
            error.filename = os.fspath(path)
            raise
        if _is_locked(handle) and not _is_there(handle, beside):
            os.close(handle)  # somebody took it for a leftover before it was locked
            continue
        return handle, beside


def _is_locked(handle: int) -> bool:
    """Lock a file; return whether that worked, so that nobody else holds it."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_there(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))  # noqa: PTH116  # beside a handle
    except OSError:
        return False


def _take_over(target: Path, before: os.stat_result | None, beside: str) -> None:
    """Give a new file what the old one has beside its contents, as far as that can be."""
    if before is None:
        Path(beside).chmod(usual_mode())
        return
    with suppress(OSError, AttributeError):  # for the superuser, and for groups of the user
        os.chown(beside, before.st_uid, before.st_gid)
    for name in _attributes(target):
        with suppress(OSError):
            os.setxattr(beside, name, os.getxattr(target, name))
    Path(beside).chmod(stat.S_IMODE(before.st_mode))  # after chown, which takes some bits away


def _attributes(path: Path) -> list[str]:
    """Return the names of a file's extended attributes; lists of access rights are among them."""
    with suppress(OSError, AttributeError):  # only Linux has them
        return os.listxattr(path)
    return []


@lru_cache(maxsize=1 << 12)
def _clean(folder: Path) -> None:
    """Remove what killed processes left in a folder, once in a process.

    A file whose lock is held belongs to a process that is at work.
    """
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208  # names only
            if name.startswith(".") and name.endswith(PART):
                _remove_leftover(folder / name)


def _remove_leftover(path: Path) -> None:
    if fcntl is None:
        return  # nobody knows whether somebody is at work on it
    with suppress(OSError):
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            if _is_locked(handle):
                path.unlink()
        finally:
            os.close(handle)


def are_same(file: str | os.PathLike[str] | int, path: str | os.PathLike[str]) -> bool:
    """Return whether a path, or the number of an open file, and a path lead to the same file."""
    with suppress(OSError, ValueError):
        return os.path.samefile(file, path)  # noqa: PTH121  # any paths
    return not isinstance(file, int) and os.path.realpath(file) == os.path.realpath(path)


def usual_mode() -> int:
    """The permissions of a new file, as the user wants them."""
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask

"""Paths of records in archives: ``games.zip/2001/a.sgf``."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from typing import TypeAlias

#: Suffixes of archives, in lower or upper case.
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")
_LONGEST = max(map(len, ARCHIVES))

#: Suffixes of files that are one compressed record.
COMPRESSED = (".gz", ".bz2", ".xz")

FilePath: TypeAlias = str | os.PathLike[str]


class ArchiveError(OSError):
    """An archive that cannot be read, or from which nothing is chosen."""

    def __init__(self, words: str, path: str) -> None:
        super().__init__(errno.EINVAL, words, path)

    def __reduce__(self) -> tuple[type[ArchiveError], tuple[str, str]]:
        return ArchiveError, (self.strerror or "", self.filename)


def is_archive(path: FilePath) -> bool:
    return os.fsdecode(path).lower().endswith(ARCHIVES)


def is_compressed(path: FilePath) -> bool:
    """Return whether a path ends as that of one compressed file."""
    return os.fspath(path).lower().endswith(COMPRESSED) and not is_archive(path)


def archive_ends(path: str) -> Iterator[int]:
    """Yield the length of each beginning of a path that is named as an archive, shorter ones first.

    Nothing is opened: a folder may have such a name, too.
    """
    slashed, at = path.replace("\\", "/"), 0
    while (at := slashed.find("/", at + 1)) > 0:
        if path[max(0, at - _LONGEST) : at].lower().endswith(ARCHIVES):
            yield at


def record_path(source: str, member: str) -> str:
    """Return the path of a record: in an archive with its name there, else that of its file."""
    return f"{source}/{member}" if member else source

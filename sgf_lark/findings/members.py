"""Paths of records in archives: ``games.zip/2001/a.sgf``."""

from __future__ import annotations

from collections.abc import Iterator

#: Suffixes of archives, in lower or upper case.
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz")
_LONGEST = max(map(len, ARCHIVES))


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

"""Find the files that the paths of a command line name."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from glob import glob, has_magic
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.text import archives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.diagnostics.report import Report

#: Suffixes of game records, in lower or upper case; other files of a folder are ignored.
SUFFIXES = archives.SUFFIXES

#: The path that means standard input.
STDIN = "-"


class Unreadable(NamedTuple):
    """A path that cannot be read, the reason, and the rule that reports it."""

    path: str
    reason: str
    rule: str = "unreadable-file"


def find_files(paths: Iterable[str]) -> Iterator[str | Unreadable]:
    """Find the files that paths name, each once, in the order of the paths.

    Args:
        paths: Files; archives, for the game records in them; folders, for the game records and
            archives in them and below, sorted by name, without links to files outside the folder;
            patterns such as ``games/*.sgf`` or ``**/*.sgf`` that the shell did not expand; ``-``
            for standard input.

    Yields:
        The path of a file or of a record in an archive, ``-``, or a path that cannot be read.
    """
    seen: set[str] = set()
    for path in paths:
        for file in _find(path):
            if isinstance(file, Unreadable):
                key = f"{os.path.realpath(file.path)}\0{file.reason}"
            else:
                key = file if file == STDIN else os.path.realpath(file)
            if key not in seen:
                seen.add(key)
                yield file


def _find(path: str) -> Iterator[str | Unreadable]:
    """Find the files that one path names."""
    if is_endless(path):
        yield Unreadable(path, ENDLESS)
    elif path == STDIN:
        yield path
    elif os.path.lexists(path) or not has_magic(path):
        yield from _file_or_folder(path)
    else:
        matches = sorted(glob(path, recursive=True))  # noqa: PTH207  # any path, absolute ones too
        if not matches:
            yield Unreadable(path, "no file matches this pattern", "missing-file")
        for match in matches:
            yield from _file_or_folder(match)


def _file_or_folder(path: str) -> Iterator[str | Unreadable]:
    if os.path.isdir(path):  # noqa: PTH112  # silent about names that are too long
        records = list(_records_below(path))
        message = f"this folder has no files that end in {', '.join(SUFFIXES)}"
    elif archives.is_archive(path) and os.path.exists(path):  # noqa: PTH110  # as above
        records, message = list(_records_in(path)), archives.NO_RECORDS
    else:
        yield path  # opening it gives the reason if it cannot be read
        return
    yield from records
    if not records:
        yield Unreadable(path, message, "no-records")


def _records_in(path: str) -> Iterator[str | Unreadable]:
    """Find the game records in an archive."""
    try:
        with closing(archives.Archive(path)) as archive:
            for member in archive.members():
                yield Unreadable(member.path, member.fault) if member.fault else member.path
    except OSError as error:
        yield Unreadable(path, reason(error))


def _records_below(folder: str) -> Iterator[str | Unreadable]:
    """Find the game records in a folder and below, in archives too, but for links to others."""
    top = os.path.realpath(folder)
    failed: list[Unreadable] = []

    def note_failure(error: OSError) -> None:
        failed.append(Unreadable(str(error.filename), reason(error)))

    for above, folders, names in os.walk(folder, onerror=note_failure):
        yield from failed
        failed.clear()
        folders.sort()
        for name in sorted(names):
            path = os.path.join(above, name)  # noqa: PTH118  # keeps './' as it was given
            if not is_found(name) or _is_link_outside(path, top):
                continue
            if archives.is_archive(name):
                yield from _records_in(path)
            else:
                yield path
    yield from failed


def is_found(name: str) -> bool:
    """Return whether a file of a folder is a record or an archive, by its name."""
    return archives.is_record(name) or archives.is_archive(name)


def _is_link_outside(path: str, folder: str) -> bool:
    """Return whether a path is a link to something outside a folder."""
    if not os.path.islink(path):  # noqa: PTH114  # silent about names that are too long
        return False
    return os.path.commonpath([folder, os.path.realpath(path)]) != folder


#: Message about a device such as ``/dev/zero``.
ENDLESS = "this is a device, not a file: it may never end"


def is_endless(path: str) -> bool:
    """Return whether a path is a device that may never end.

    A terminal and the null device end, and a pipe ends when the program at its other end does.
    """
    try:
        status = os.stat(0 if path == STDIN else path)  # noqa: PTH116  # a path or standard input
        if not stat.S_ISCHR(status.st_mode) and not stat.S_ISBLK(status.st_mode):
            return False
        if status.st_rdev == os.stat(os.devnull).st_rdev:  # noqa: PTH116  # its number
            return False
        if path == STDIN:
            return not os.isatty(0)
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError):
        return False  # opening it gives the reason if it cannot be read
    try:
        return not os.isatty(opened)
    finally:
        os.close(opened)


def reason(error: OSError | ValueError) -> str:
    """Return the reason of an error as a part of a sentence: ``permission denied``."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return words[:1].lower() + words[1:]


def report_unreadable(file: Unreadable) -> Report:
    """Return the report on a file that cannot be read."""
    from sgf_lark.diagnostics.diagnostic import Finding
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.places import LineIndex, Span

    finding = Finding(file.rule, file.reason, Span(0, 0)).located(LineIndex(""))
    return Report(name=file.path, diagnostics=(finding,))

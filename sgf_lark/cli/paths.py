"""From what stands on the command line to the files that are meant."""

from __future__ import annotations

import os
import stat
from glob import glob, has_magic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.diagnostics.report import Report

#: How the names of game records end, in any case; in a folder only such files count.
SUFFIXES = (".sgf", ".sgfs", ".ggf", ".mgt", ".tsgf")

#: What stands for standard input.
STDIN = "-"


class Unreadable(NamedTuple):
    """A path that leads to nothing that can be read, and why."""

    path: str
    reason: str
    rule: str = "unreadable-file"


def find_files(paths: Iterable[str]) -> Iterator[str | Unreadable]:
    """The files that paths name, each once, in the order of the paths.

    Args:
        paths: Files; folders, which stand for the game records in them and below, in the
            order of their names, but not for links that lead out of the folder; patterns
            such as ``games/*.sgf`` or ``**/*.sgf`` that the shell left as they were; ``-``
            for standard input.

    Yields:
        A path of a file, or ``-``, or a path that leads nowhere.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _named(path):
            place = found[0] if isinstance(found, Unreadable) else found
            key = place if place == STDIN else os.path.realpath(place)
            if key not in seen:
                seen.add(key)
                yield found


def _named(path: str) -> Iterator[str | Unreadable]:
    """What one path names."""
    if is_endless(path):
        yield Unreadable(path, ENDLESS)
    elif path == STDIN:
        yield path
    elif os.path.lexists(path) or not has_magic(path):
        yield from _file_or_folder(path)
    else:
        matches = sorted(glob(path, recursive=True))  # noqa: PTH207  # any path, absolute ones too
        if not matches:
            yield Unreadable(path, "no file has such a name", "missing-file")
        for match in matches:
            yield from _file_or_folder(match)


def _file_or_folder(path: str) -> Iterator[str | Unreadable]:
    if not os.path.isdir(path):  # noqa: PTH112  # silent about names that are too long
        yield path  # whoever opens it hears why it cannot be read
        return
    found: list[str | Unreadable] = list(_records_below(path))
    yield from found
    if not found:
        message = f"no file in this folder ends in {', '.join(SUFFIXES)}"
        yield Unreadable(path, message, "no-records")


def _records_below(folder: str) -> Iterator[str | Unreadable]:
    """The game records of a folder and its folders; links out of it are not followed."""
    top = os.path.realpath(folder)
    refused: list[Unreadable] = []

    def refuse(error: OSError) -> None:
        refused.append(Unreadable(str(error.filename), reason(error)))

    for above, folders, names in os.walk(folder, onerror=refuse):
        yield from refused
        refused.clear()
        folders.sort()
        for name in sorted(names):
            path = os.path.join(above, name)  # noqa: PTH118  # keeps './' as it was given
            if name.lower().endswith(SUFFIXES) and not _leads_out(path, top):
                yield path
    yield from refused


def _leads_out(path: str, folder: str) -> bool:
    """A path is a link to something that is not in a folder."""
    if not os.path.islink(path):  # noqa: PTH114  # silent about names that are too long
        return False
    return os.path.commonpath([folder, os.path.realpath(path)]) != folder


#: What is said of a device such as ``/dev/zero``.
ENDLESS = "it is a device and no file: it may never end"


def is_endless(path: str) -> bool:
    """A path leads to a device that may never end: to none but a terminal and the empty one.

    A pipe ends when the program at its other end does.
    """
    try:
        found = os.stat(0 if path == STDIN else path)  # noqa: PTH116  # a path or standard input
        if not stat.S_ISCHR(found.st_mode) and not stat.S_ISBLK(found.st_mode):
            return False
        if found.st_rdev == os.stat(os.devnull).st_rdev:  # noqa: PTH116  # its number
            return False
        if path == STDIN:
            return not os.isatty(0)
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError):
        return False  # whoever opens it hears why it cannot be read
    try:
        return not os.isatty(opened)
    finally:
        os.close(opened)


def reason(error: OSError | ValueError) -> str:
    """Why a file cannot be read: ``permission denied``."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return words[:1].lower() + words[1:]


def unreadable(one: Unreadable) -> Report:
    """The report on a file that cannot be read."""
    from sgf_lark.diagnostics.diagnostic import Finding
    from sgf_lark.diagnostics.report import Report
    from sgf_lark.positions import LineIndex, Span

    finding = Finding(one.rule, one.reason, Span(0, 0)).located(LineIndex(""))
    return Report(name=one.path, diagnostics=(finding,))

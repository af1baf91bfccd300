"""Find the files that the paths of a command line name."""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import closing
from glob import glob, has_magic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sgf_lark.core import reason
from sgf_lark.files.members import is_archive

from . import archives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.core import Report
    from sgf_lark.settings.settings import FileOptions

#: Suffixes of game records, in lower or upper case; other files of a folder are ignored.
SUFFIXES = archives.SUFFIXES

#: Names in a message.
MAX_SHOWN = 3

#: The path that means standard input.
STDIN = "-"


class Unreadable(NamedTuple):
    """A path that cannot be read, the reason, and the rule that reports it."""

    path: str
    reason: str
    rule: str = "unreadable-file"


def find_files(paths: Iterable[str], options: FileOptions) -> Iterator[str | Unreadable]:
    """Find the files that paths name, each once, in the order of the paths.

    Args:
        paths: Files; archives, for the game records in them; folders, for the game records and
            archives in them and below, sorted by name, without links to files outside the folder;
            patterns such as ``games/*.sgf`` or ``**/*.sgf`` that the shell did not expand; ``-``
            for standard input.

    Yields:
        The path of a file or of a record in an archive, ``-``, or a path that cannot be read.

    Raises:
        SettingsError: A settings file is invalid.
    """
    seen: set[str] = set()
    for path in paths:
        for file, real in _find(path, options):
            key = f"{real}\0{file.reason}" if isinstance(file, Unreadable) else real
            if key not in seen:
                seen.add(key)
                yield file


def records(*paths: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the paths of the game records in files and folders, as ``sgf-lark check`` finds them.

    Those of a folder and of archives in it are sorted by name, each record once; ``exclude`` and
    the like in settings files count.  A record in an archive has the path ``ARCHIVE/MEMBER``,
    which :func:`sgf_lark.load` reads.

    Args:
        paths: Files, folders, archives, patterns such as ``games/**/*.sgf``; the current folder
            if there are none.

    Raises:
        OSError: A path cannot be read, or a folder has no records.
        SettingsError: A settings file is invalid.
    """
    from sgf_lark.core import CheckOptions
    from sgf_lark.settings.settings import FileOptions

    for found in find_files(
        [os.fspath(path) for path in paths or (".",)], FileOptions(CheckOptions())
    ):
        if isinstance(found, Unreadable):
            raise OSError(None, found.reason, found.path)
        yield found


#: A file, or a path that cannot be read; and its real path, by which it is known.
_FoundPath: TypeAlias = "tuple[str | Unreadable, str]"


def _find(path: str, options: FileOptions) -> Iterator[_FoundPath]:
    if is_endless(path):
        yield _unreadable(path, ENDLESS)
    elif path == STDIN:
        yield path, path
    elif os.path.lexists(path) or not has_magic(path):
        yield from _file_or_folder(path, options)
    else:
        matches = sorted(glob(path, recursive=True))  # noqa: PTH207  # any path, absolute ones too
        if not matches:
            yield _unreadable(path, "no file matches this pattern", "missing-file")
        for match in matches:
            yield from _file_or_folder(match, options)


def _unreadable(path: str, reason: str, rule: str = "unreadable-file") -> _FoundPath:
    return Unreadable(path, reason, rule), os.path.realpath(path)


def _file_or_folder(path: str, options: FileOptions) -> Iterator[_FoundPath]:
    if os.path.isdir(path):  # noqa: PTH112  # silent about names that are too long
        skipped: list[str] = []
        records = list(_records_below(path, options, skipped))
        message = f"this folder has no files that end in {', '.join(SUFFIXES)}"
        if skipped:
            names, more = ", ".join(skipped[:MAX_SHOWN]), len(skipped) - MAX_SHOWN
            message += f"; excluded: {names}" + (f" and {more} more" if more > 0 else "")
    elif options.skips(path):
        return
    elif is_archive(path) and os.path.exists(path):  # noqa: PTH110  # as above
        records, message = list(_records_in(path, options)), archives.NO_RECORDS
    else:
        yield path, os.path.realpath(path)  # opening it gives the reason if it cannot be read
        return
    yield from records
    if not records:
        yield _unreadable(path, message, "no-records")


def _records_in(path: str, options: FileOptions) -> Iterator[_FoundPath]:
    is_excluded = options.excludes(path)
    try:
        with closing(archives.ArchiveReader(path)) as archive:
            for member in archive.members():
                if not is_excluded and options.excludes(member.path):
                    continue
                file = Unreadable(member.path, member.fault) if member.fault else member.path
                yield file, os.path.realpath(member.path)
    except OSError as error:
        yield _unreadable(path, reason(error))


def _records_below(folder: str, options: FileOptions, skipped: list[str]) -> Iterator[_FoundPath]:
    from sgf_lark.settings.files import walk_folder

    for found in walk_folder(folder, options, is_found, skipped):
        if found.error is not None:
            yield Unreadable(found.path, reason(found.error)), found.real
        elif is_archive(found.path):
            yield from _records_in(found.path, options)
        else:
            yield found.path, found.real


def is_found(name: str) -> bool:
    """Return whether a file of a folder is a record or an archive, by its name."""
    return archives.is_record(name) or is_archive(name)


#: The beginning of a record, whatever its file is called.
_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*+\(\s*+;\s*+[A-Za-z]{1,8}\s*+\[")


def find_unread(paths: Iterable[str], options: FileOptions) -> Iterator[str]:
    """Yield the text files of folders that begin as a record, and are none by their name.

    They are read if patterns of records include them.
    """
    from sgf_lark.settings.files import walk_folder

    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112  # silent about names that are too long
            for found in walk_folder(path, options, _is_text):
                if found.error is None and _is_text(found.path) and _begins_as_record(found.path):
                    yield found.path


def _is_text(name: str) -> bool:
    return name.lower().endswith(".txt") and not is_found(name)


def _begins_as_record(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  # a path as it was found
            return _BEGINS.match(file.read(100)) is not None
    except OSError:
        return False


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


def read_path(path: str) -> bytes:
    """Return the bytes of a record, or of standard input (OSError: it cannot be read)."""
    return sys.stdin.buffer.read() if path == STDIN else archives.read_record(path)


def report_unreadable(file: Unreadable) -> Report:
    from sgf_lark.core import Report, about_file

    return Report(name=file.path, diagnostics=(about_file(file.rule, file.reason),))

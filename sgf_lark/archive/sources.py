"""Sources of an archive of games: the files that folders, patterns and addresses name."""

from __future__ import annotations

import heapq
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from glob import glob, has_magic
from operator import attrgetter
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import load_extra, reason, require_paths
from sgf_lark.files.archives import SUFFIXES, is_record
from sgf_lark.files.members import FilePath, is_archive
from sgf_lark.report.tables import escape_surrogates
from sgf_lark.settings.files import NO_FILE, walk_in_order

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

#: Suffixes of files in which a folder or an address is searched for records, for a message.
_WANTED = ", ".join(SUFFIXES)


class Failure(NamedTuple):
    """The reason why something cannot be read: the name of a rule, the message and the help."""

    rule: str
    message: str
    help: str = ""

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """Return the fault that an error of opening or reading means."""
        rule = "missing-file" if isinstance(error, FileNotFoundError) else "unreadable-file"
        words = reason(error) if isinstance(error, OSError) else str(error)
        return cls(rule, words or type(error).__name__)


class Source(NamedTuple):
    """A file of an archive, or something that cannot be read.

    Attributes:
        path: Its path with ``/``, or its address: the column ``source`` of the tables.  A part of
            a name that is no Unicode is written as ``\\udc82``.
        kind: file, archive or remote.
        size: Number of its bytes.
        modified: Time of its last change, in nanoseconds since 1970; None if it is unknown, or
            more than 292 years from then.
        location: The path or address by which it is opened, from whatever folder.
        fault: None, or the reason why it cannot be read.
    """

    path: str
    kind: str
    size: int
    modified: int | None
    location: str
    fault: Failure | None = None

    @property
    def is_archive(self) -> bool:
        """It is an archive of records, on this machine or not."""
        return is_archive(self.location)

    def open(self) -> IO[bytes]:
        """Open the file for reading; the stream can seek.

        Raises:
            OSError: It cannot be opened.
            ImportError: fsspec, or its package for this kind of address, is not installed.
        """
        if self.kind != "remote":
            return open(self.location, "rb")  # noqa: PTH123  # the caller closes it
        with remote_faults(self.location):
            system, path = find_system(self.location)
            file: IO[bytes] = system.open(path, "rb")
        return file

    def changed(self) -> bool:
        """Return whether a file has another size or time than this one; False for remote files."""
        if self.kind == "remote":
            return False
        status = os.stat(self.location)  # noqa: PTH116  # any path
        return (status.st_size, known_time(status.st_mtime_ns)) != (self.size, self.modified)


def known_time(nanoseconds: int) -> int | None:
    """Return a time of a change as 64 bits can have it; None for others."""
    return nanoseconds if -(1 << 63) <= nanoseconds < 1 << 63 else None


def find_sources(arguments: Iterable[FilePath]) -> Iterator[Source]:
    """Find the files that arguments name, each once, in the order of their paths.

    Nothing is excluded: an archive of games is no repository, and ``.gitignore`` and settings do
    not matter.  Links in folders are not followed.

    Args:
        arguments: Files; archives; folders, for the records and archives in them and below;
            patterns such as ``games/**/*.sgf``; addresses such as ``s3://bucket/games/`` or
            ``https://example.org/games.zip``, also with patterns.

    Yields:
        The sources.  What cannot be read has a ``fault``, and so does a folder without records.

    Raises:
        ImportError: fsspec, or its package for the kind of an address, is not installed.
        TypeError: The argument is one path, not several.
    """
    require_paths(arguments)
    last = None
    found = [_find(os.fspath(argument)) for argument in arguments]
    for source in heapq.merge(*found, key=attrgetter("path")):
        if source.path != last:
            yield source
        last = source.path


def source_name(argument: FilePath) -> str:
    """Return a source as the manifest has it: an address, or a path with ``/``."""
    name = os.fspath(argument)
    return name if is_address(name) or not name else PurePath(name).as_posix()


def _find(argument: str) -> Iterator[Source]:
    if is_address(argument):
        return _find_remote(argument)
    path = PurePath(argument).as_posix() if argument else argument
    if os.path.lexists(path) or not has_magic(path):
        return _file_or_folder(path)
    matches = sorted(glob(path, recursive=True), key=escape_surrogates)  # noqa: PTH207  # any path
    if not matches:
        words = "no file matches this pattern"
        return iter([_faulty(path, Failure("missing-file", words))])
    found = map(_file_or_folder, [PurePath(match).as_posix() for match in matches])
    return heapq.merge(*found, key=attrgetter("path"))


def _file_or_folder(path: str) -> Iterator[Source]:
    if not os.path.isdir(path):  # noqa: PTH112  # silent about names that are too long
        yield _file(path)
        return
    is_empty = True
    for found in walk_in_order(path, _is_wanted, escape_surrogates):
        is_empty = False
        yield _file(found.path) if found.error is None else _faulty(found.path, found.error)
    if is_empty:
        words = f"this folder has no files that end in {_WANTED}"
        yield _faulty(path, Failure("no-records", words))


def _is_wanted(name: str) -> bool:
    return is_record(name) or is_archive(name)


def _file(path: str) -> Source:
    try:
        status = os.stat(path)  # noqa: PTH116  # any path
        location = os.path.join(os.getcwd(), path)  # noqa: PTH109,PTH118  # links stay before ".."
    except (OSError, ValueError) as error:
        return _faulty(path, error)
    if not stat.S_ISREG(status.st_mode):
        return _faulty(path, Failure("unreadable-file", NO_FILE))
    kind = "archive" if is_archive(path) else "file"
    modified = known_time(status.st_mtime_ns)
    return Source(escape_surrogates(path), kind, status.st_size, modified, location)


def _faulty(path: str, fault: Failure | Exception, kind: str = "") -> Source:
    kind = kind or ("archive" if is_archive(path) else "file")
    fault = fault if isinstance(fault, Failure) else Failure.of(fault)
    return Source(escape_surrogates(path), kind, 0, None, path, fault)


# ---- files with addresses ----


def is_address(argument: str) -> bool:
    """Return whether an argument is the address of remote files: it has ``://``."""
    return "://" in argument


class remote_faults:  # noqa: N801  # a context
    """Raise an OSError for whatever a remote system raises; an ImportError stays one."""

    def __init__(self, address: str) -> None:
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, OSError | ImportError):
            words = str(error) or type(error).__name__
            raise OSError(words) from error


def find_system(address: str) -> tuple[AbstractFileSystem, str]:
    """Return the file system of an address, and the path there."""
    core = load_extra(
        "fsspec.core",
        "sources with addresses need fsspec (extra remote):  pip install 'sgf_lark[remote]'",
    )
    try:
        system, path = core.url_to_fs(address)
    except ImportError as error:
        kind = address.partition("://")[0]
        raise ImportError(f"addresses with {kind}:// need another package: {error}") from error
    return system, path


def _find_remote(address: str) -> Iterator[Source]:
    try:
        with remote_faults(address):
            system, path = find_system(address)
            found = _list_remote(system, address, path)
    except OSError as error:
        yield _faulty(address, error, "remote")
        return
    if not found:
        words = f"nothing at this address ends in {_WANTED}"
        yield _faulty(address, Failure("no-records", words), "remote")
    for name, info in sorted(found.items()):
        yield Source(
            escape_surrogates(name), "remote", int(info.get("size") or 0), _modified(info), name
        )


def _list_remote(system: AbstractFileSystem, address: str, path: str) -> dict[str, dict[str, Any]]:
    """Return what is known about each file at an address, by the addresses of the files."""
    if has_magic(path):
        listed = system.glob(path, detail=True)
    elif _is_wanted(path.rstrip("/")):
        return {system.unstrip_protocol(path): system.info(path)}
    elif address.endswith("/") or system.isdir(path):
        listed = system.find(path, detail=True)
    else:
        return {system.unstrip_protocol(path): system.info(path)}
    return {
        system.unstrip_protocol(name): info
        for name, info in listed.items()
        if info.get("type") == "file" and _is_wanted(name)
    }


def _modified(info: dict[str, Any]) -> int | None:
    """Return the time of the last change of a remote file in nanoseconds; None if unknown."""
    for name in ("LastModified", "mtime", "modified", "last_modified", "updated", "created"):
        value = info.get(name)
        with suppress(ValueError, TypeError, OverflowError):
            if isinstance(value, str):
                value = datetime.fromisoformat(value)
            if isinstance(value, datetime):
                return known_time(int(value.timestamp() * 1_000_000) * 1_000)
            if value is not None:
                return known_time(int(float(value) * 1_000_000) * 1_000)
    return None

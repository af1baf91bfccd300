"""Kept data of the shipped grammars: the one place that decides if they are used.

Lark takes much longer to load a grammar than a file of records takes to be read.  So what
the generator makes of a grammar, JSON data, is kept in one file of a cache folder.

A kept file is used only if nothing has changed that the data depend on.  Its name, and the
digests in it, depend on the fingerprint: the texts of all shipped grammars, the code that makes
the data, Lark's version and Python's.  Another fingerprint is another file.  A line that is
damaged, and a file that another user could have written, are not used.  Nothing is kept where
the folder cannot be written; then everything is made anew.

The environment variable ``SGF_LARK_CACHE`` names another folder; empty, it means none.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import lark

#: The environment variable for another folder; empty for none.
VARIABLE = "SGF_LARK_CACHE"

#: Limit in bytes of a kept file: all shipped grammars take 300,000.
MAX_SIZE = 1 << 23

#: The parts of a line: digest, name, JSON, with a space between.
PARTS = 3

#: Limit of kept files: one is enough for a user of one version.
MAX_FILES = 8

#: Code or grammars changed later than this are not those that this process runs.
_STARTED = time.time()


def kept(folder: Path, name: str, make: Callable[[], Any]) -> Any:
    """Return data made of the shipped grammars: those that are kept, or else new ones.

    Args:
        folder: The folder of the shipped grammars.
        name: The name of the data, without white space.
        make: Makes the data: texts, numbers, lists, dictionaries with texts as keys, None.
    """
    store = _store(folder)
    if store is None:
        return make()
    text = store.text(name)
    try:
        return json.loads(text)
    except ValueError:
        data = make()
        store.add(name, json.dumps(data, separators=(",", ":")))
        return data


def is_kept(folder: Path) -> bool:
    """Return whether anything made of the shipped grammars is kept."""
    return _store(folder) is not None


def forget() -> None:
    """Look for kept files again, by the present environment."""
    _store.cache_clear()


class _Store:
    """The kept data of one fingerprint: a line for each, with its digest, its name, its JSON.

    A line is looked at when its data are asked for: there are many games, and a file has one.
    """

    def __init__(self, grammars: Path, file: Path, mark: bytes) -> None:
        self._grammars = grammars
        self._file = file
        self._mark = mark
        self._is_writable = True
        self._lines = self._read()

    def text(self, name: str) -> bytes:
        """Return the JSON of a name; nothing if there is none, or its line is damaged."""
        line = self._lines.get(name.encode(), b"")
        return line.split(b" ", 2)[2] if self._is_sound(line) else b""

    def add(self, name: str, text: str) -> None:
        """Keep data; do nothing if that cannot be."""
        data = f"{name} {text}".encode("ascii")
        self._lines[name.encode()] = self._digest(data) + b" " + data
        if not self._is_writable:
            return
        try:
            self._is_writable = fingerprint(self._grammars) == self._mark
            if self._is_writable:
                self._lines = self._read() | self._lines  # another process may keep some, too
                self._write()
        except OSError:
            self._is_writable = False

    def _read(self) -> dict[bytes, bytes]:
        """Return the lines of the file by their names."""
        lines = (_read_private(self._file) or b"").split(b"\n")
        return {parts[1]: line for line in lines if len(parts := line.split(b" ", 2)) == PARTS}

    def _write(self) -> None:
        """Replace the file at once: another process never reads half of one."""
        from tempfile import mkstemp

        folder = self._file.parent
        begin_file(self._file, MAX_FILES)
        body = b"\n".join(line for line in self._lines.values() if self._is_sound(line))
        handle, temporary = mkstemp(dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body)
            Path(temporary).replace(self._file)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _is_sound(self, line: bytes) -> bool:
        digest, _, data = line.partition(b" ")
        return digest == self._digest(data)

    def _digest(self, data: bytes) -> bytes:
        return blake2b(self._mark + data, digest_size=16).hexdigest().encode()


@cache
def _store(grammars: Path) -> _Store | None:
    """Return the kept data; None if nothing can be kept."""
    folder = cache_folder()
    mark = None if folder is None else fingerprint(grammars)
    if folder is None or mark is None:
        return None
    return _Store(grammars, folder / f"{mark.hex()}.ready", mark)


def cache_folder() -> Path | None:
    """Return the folder of kept files; None for none."""
    own = os.environ.get(VARIABLE)
    if own is not None:
        return Path(own) if own else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base, "sgf_lark", "Cache") if base else None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "sgf_lark"
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else home / ".cache") / "sgf_lark"


# ---- what the data depend on ----


def fingerprint(grammars: Path) -> bytes | None:
    """Return the digest of everything that the data depend on; None if that is not known."""
    return digest_of(_files(grammars))


def digest_of(files: Iterable[Path]) -> bytes | None:
    """Return the digest of some files, of Lark's version and of Python's.

    None if that is not known: a file cannot be read, or has changed since this process began.
    """
    digest = blake2b(digest_size=16)
    for text in (lark.__version__, sys.version, sys.implementation.name):
        digest.update(f"{text}\n".encode())
    try:
        for file in files:
            with file.open("rb") as opened:
                if os.fstat(opened.fileno()).st_mtime >= _STARTED:
                    return None
                content = opened.read()
            digest.update(f"{file.name} {len(content)}\n".encode())
            digest.update(content)
    except OSError:
        return None
    return digest.digest()


def _files(grammars: Path) -> Iterable[Path]:
    """Return the files that the data depend on: code, tables and grammars."""
    house = Path(__file__).parents[1]
    makers = [house / package for package in ("engine", "grammar", "schema", "values")]
    code = [file for maker in makers for file in maker.iterdir() if file.suffix in {".py", ".tsv"}]
    return [*sorted(code), *sorted(grammars.rglob("*.lark"))]


# ---- files ----


def _read_private(file: Path) -> bytes | None:
    """Return the content of a file that no other user can have written; None for others."""
    try:
        if not _is_private(file.parent.stat()):
            return None
        # A pipe, of which this would wait for a writer, is opened at once, and is no file.
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as opened:
            status = os.fstat(opened.fileno())
            is_file = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_SIZE
            return opened.read() if is_file and _is_private(status) else None
    except OSError:
        return None


def _is_private(status: os.stat_result) -> bool:
    """Return True if this user owns a file or folder, and alone may write it."""
    if not hasattr(os, "geteuid"):  # on Windows, where the folder of a user's programs is private,
        return True  # and on WebAssembly, which has one user
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def is_private_file(file: Path) -> bool:
    """Return whether a file is there that no other user can have written."""
    try:
        status = file.stat()
        return (
            stat.S_ISREG(status.st_mode) and _is_private(status) and _is_private(file.parent.stat())
        )
    except OSError:
        return False


def begin_file(file: Path, most: int) -> None:
    """Make the folder of a kept file; if the file is new, remove those of old versions.

    Args:
        file: The file.
        most: Limit of files with its suffix.

    Raises:
        OSError: This cannot be done.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.exists():
        return
    others = file.parent.glob(f"*{file.suffix}")
    newest = sorted(others, key=lambda file: file.stat().st_mtime, reverse=True)
    for old in newest[most - 1 :]:
        old.unlink(missing_ok=True)

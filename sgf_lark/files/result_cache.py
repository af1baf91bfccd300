"""Reports on unchanged files, kept for the next check.

A report is used again only if everything is as it was: the bytes of the file, the options of the
check, the custom grammar with its imports, the property table, the code and the grammars of this
package, Python.  Their digest is the key, so a report is never out of date; the name and the time
of a file do not matter.

The reports lie as JSON in a database of SQLite in the user's folder for caches; the environment
variable ``SGF_LARK_CACHE`` names another folder, or none if it is empty.  What another user could
have written is not used, what is damaged is made anew, and where nothing can be written nothing is
kept.  A version of the code has its own file.  Processes read from it; the one that has started
them writes.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import lark

from sgf_lark.core import (
    CheckOptions,
    Engine,
    Format,
    GrammarSource,
    PropertyTable,
    Report,
    check_contents,
    decode,
    derived,
    grammars,
    undeclared_game,
)

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

#: The environment variable for another folder; empty for none.
VARIABLE = "SGF_LARK_CACHE"

#: Limit of files: this version's, and the one before.
MAX_FILES = 2

#: Limit in bytes of the file, and of the JSON of a report.
MAX_SIZE, MAX_REPORT = 1 << 28, 1 << 22

#: Seconds until reports are written, and to wait for another process that writes.
WRITE_SECONDS, WAIT_SECONDS = 1.0, 1.0

#: Options of a check that a key can name; with any other one nothing is kept.
_KNOWN = {"format", "encoding", "table", "engine", "options", "max_diagnostics", "grammar"}


class Checked(NamedTuple):
    """A report, and the key by which to keep it; None if it was kept or cannot be."""

    report: Report
    key: bytes | None


class ResultCache:
    def __init__(self, file: Path, mark: bytes) -> None:
        self._file = file
        self._mark = mark
        self._opened: tuple[int, Connection] | None = None
        self._is_readable = True
        self._waiting: list[tuple[bytes, bytes, bytes]] = []
        self._written = monotonic()

    @classmethod
    def find(cls) -> ResultCache | None:
        """Return the kept reports of this version; None if nothing can be kept."""
        folder = cache_folder()
        mark = None if folder is None else code_digest()
        if folder is None or mark is None:
            return None
        return cls(folder / f"{mark.hex()}.checks", mark)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._file, self._mark)

    # ---- reading ----

    def check(self, data: str | bytes, name: str, options: dict[str, Any]) -> Checked:
        key = None if isinstance(data, str) else self.key(data, name, options)
        if isinstance(data, str) or key is None:
            return Checked(check_contents(data, name, **options), None)
        report = self.get(key, data, name, options)
        if report is not None:
            return Checked(report, None)
        report = check_contents(data, name, **options)
        # a grammar is read for the key and for the check, and may change in between
        return Checked(report, key if key == self.key(data, name, options) else None)

    def key(self, data: bytes, name: str, options: dict[str, Any]) -> bytes | None:
        """Return the digest of all that a report depends on; None if it is not known."""
        facts = _facts(name, options)
        if facts is None:
            return None
        digest = blake2b(self._mark, digest_size=32)
        digest.update(f"{len(facts)} ".encode())
        digest.update(facts)
        digest.update(data)
        return digest.digest()

    def has(self, key: bytes) -> bool:
        return self._read(key) is not None

    def get(self, key: bytes, data: bytes, name: str, options: dict[str, Any]) -> Report | None:
        """Return the kept report on a file, of which the name may be another."""
        row = self._read(key)
        if row is None or _digest(key, row[1]) != row[0]:
            return None
        text = decode(data, options.get("encoding")).text
        report = Report.model_validate_json(row[1]) if row[1] else Report()
        return report.model_copy(update={"name": name, "text": text})

    # ---- writing ----

    def put(self, key: bytes, report: Report) -> None:
        """Keep a report; do nothing if that cannot be."""
        if not report.diagnostics:
            text = b""
        else:
            try:
                text = report.model_dump_json(exclude={"name", "text"}).encode()
            except ValueError:  # a lone surrogate, which is no Unicode
                return
        if len(text) <= MAX_REPORT:
            self._waiting.append((key, _digest(key, text), text))
        if monotonic() - self._written > WRITE_SECONDS:
            self.write()

    def close(self) -> None:
        """Write the reports that wait, and close the file; the next reading opens it again."""
        self.write()
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None

    def write(self) -> None:
        """Write the reports that wait; forget them if the code has changed meanwhile."""
        waiting, self._waiting, self._written = self._waiting, [], monotonic()
        if not waiting or code_digest() != self._mark:
            return
        self._write(waiting)

    # ---- the file ----

    def _read(self, key: bytes) -> tuple[bytes, bytes] | None:
        if not self._is_readable:
            return None
        import sqlite3

        try:
            if self._opened is None or self._opened[0] != os.getpid():  # not across a fork
                self._opened = os.getpid(), _open(self._file, "ro")
            query = "select digest, report from reports where key = ?"
            rows: list[tuple[bytes, bytes]] = self._opened[1].execute(query, (key,)).fetchall()
        except (sqlite3.Error, OSError):
            self._is_readable = False
            return None
        return rows[0] if rows else None

    def _write(self, rows: list[tuple[bytes, bytes, bytes]]) -> None:
        import sqlite3

        try:
            _begin_file(self._file)
            with suppress(FileExistsError):
                os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, 0o600))
            connection = _open(self._file, "rw")
            try:
                connection.execute("pragma synchronous = off")  # what is damaged is made anew
                connection.execute("begin immediate")
                connection.execute(
                    "create table if not exists"
                    " reports (key blob primary key, digest blob not null, report blob not null)"
                )
                connection.executemany("insert or replace into reports values (?, ?, ?)", rows)
                _shrink(connection)
                connection.execute("commit")
            finally:
                connection.close()
        except sqlite3.OperationalError:
            return  # somebody else writes, or nobody may
        except (sqlite3.Error, OSError):
            with suppress(OSError):
                self._file.unlink()  # it is damaged


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


def _open(file: Path, mode: str) -> Connection:
    import sqlite3

    if not _is_private_file(file):
        raise PermissionError(file)
    where = f"{file.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(where, uri=True, timeout=WAIT_SECONDS, isolation_level=None)


def _is_private(status: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):  # on Windows, where the folder of a user's programs is private,
        return True  # and on WebAssembly, which has one user
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_private_file(file: Path) -> bool:
    try:
        status = file.stat()
        return (
            stat.S_ISREG(status.st_mode) and _is_private(status) and _is_private(file.parent.stat())
        )
    except OSError:
        return False


def _begin_file(file: Path) -> None:
    """Make the folder of a file; if the file is new, remove those of old versions."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.exists():
        return
    others = file.parent.glob(f"*{file.suffix}")
    newest = sorted(others, key=lambda file: file.stat().st_mtime, reverse=True)
    for old in newest[MAX_FILES - 1 :]:
        old.unlink(missing_ok=True)


def _shrink(connection: Connection) -> None:
    names = ("page_size", "page_count", "freelist_count")
    size, pages, free = (connection.execute(f"pragma {name}").fetchone()[0] for name in names)
    if size * (pages - free) > MAX_SIZE:
        connection.execute(
            "delete from reports where"
            " rowid <= (select min(rowid) + (max(rowid) - min(rowid)) / 2 from reports)"
        )


def _digest(key: bytes, text: bytes) -> bytes:
    return blake2b(key + text, digest_size=16).digest()


# ---- what a report depends on ----


def code_digest() -> bytes | None:
    """Return the digest of the code and the grammars; None if they have just changed."""
    house = Path(__file__).parents[1]
    suffixes = {".py", ".tsv", ".toml", ".lark"}
    own = [file for file in sorted(house.rglob("*")) if file.suffix in suffixes]
    outside = () if grammars.folder().is_relative_to(house) else grammars.folder().rglob("*.lark")
    return _digest_of([*own, *sorted(outside)])


def _digest_of(files: Iterable[Path]) -> bytes | None:
    """Return the digest of some files, of Lark's version and of Python's.

    None if that is not known: a file cannot be read, or has changed since this process began.
    """
    digest = blake2b(digest_size=16)
    for text in (lark.__version__, sys.version, sys.implementation.name):
        digest.update(f"{text}\n".encode())
    try:
        for file in files:
            with file.open("rb") as opened:
                if os.fstat(opened.fileno()).st_mtime >= derived.STARTED:
                    return None
                content = opened.read()
            digest.update(f"{file.name} {len(content)}\n".encode())
            digest.update(content)
    except OSError:
        return None
    return digest.digest()


def _facts(name: str, options: dict[str, Any]) -> bytes | None:
    """Return options in one form for equal checks; None if one of them has none."""
    if not all(options[key] is None for key in options.keys() - _KNOWN):
        return None
    given = {key: value for key, value in options.items() if value is not None}
    chosen: CheckOptions | None = given.get("options")
    if chosen is not None:
        given = chosen.reading | given
    facts: dict[str, Any] = {
        "encoding": given.get("encoding"),
        "max": given.get("max_diagnostics"),
        "game": undeclared_game("", name).number,
        "engine": Engine(given.get("engine", Engine.AUTO)),
    }
    if "format" in given:
        facts["format"] = Format.named(given["format"])
    known = reading_facts(given)
    if known is None:
        return None
    facts |= known
    if chosen is not None:
        facts["options"] = {
            field: getattr(chosen, field)
            for field in CheckOptions.model_fields
            if field not in {"per_file_ignores", "folder"}  # which decide what is off
        }
        facts["off"] = sorted(chosen.off_in(name))
    return json.dumps(facts, sort_keys=True).encode()


def reading_facts(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what the table, the grammar and the values of options are, as JSON can hold it.

    Args:
        given: Options of :func:`sgf_lark.load`.

    Returns:
        None if one of them has code, of which nobody knows what else it runs.
    """
    facts: dict[str, Any] = {}
    if given.get("values") is not None or given.get("transformer") is not None:
        return None
    if given.get("table") is not None:
        facts["table"] = _table(given["table"])
        if facts["table"] is None:
            return None
    if given.get("grammar") is not None:
        facts["grammar"] = _grammar(grammars.source(given["grammar"]))
    return facts


@lru_cache(maxsize=1 << 6)  # the files of a folder share one
def _table(table: PropertyTable) -> list[Any] | None:
    """Return the rows and the custom games of a table; None if a game has code of its own."""
    facts: list[Any] = [rule.model_dump_json() for rule in table]
    for game in table.games:
        if game.values is not None:
            return None
        known = {field.name: getattr(game, field.name) for field in fields(game)}
        if isinstance(game.grammar, GrammarSource):
            known["grammar"] = _grammar(game.grammar)
        facts.append(sorted((name, repr(value)) for name, value in known.items()))
    return facts


@partial(grammars.by_grammar, most=4)  # a check has one, and a changed one is another
def _grammar(file: grammars.File) -> list[str]:
    imported = grammars.imports(file)
    return [str(file), grammars.text_of(file), *(f"{path} {imported[path]}" for path in imported)]

"""Data derived from the shipped grammars and tables: what Lark would be needed for otherwise.

Lark takes much longer to load a grammar than a file of records takes to be read.  So the rules,
terminals and plans of the grammars lie in one file beside this module.  A build makes it for the
wheel (:mod:`sgf_lark.workbench.build_hook`); in a checkout, what is derived is added to it.

The first line of the file is its key, and a file with another key is not used: a digest of the
grammars and tables, and in a checkout of the names, sizes and times of the code that derives.
In a checkout another Lark derives its own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from threading import get_ident
from typing import Any

from pydantic_core import from_json, to_json

#: The file.
FILE = Path(__file__).with_name("derived.data")

PACKAGE = Path(__file__).parents[1]

#: The packages with the tables, and the code that derives.
_MAKERS = ("engine", "grammar", "schema", "values")

#: The start of this process: code and grammars changed later are not those that it runs.
STARTED = time.time()


class DerivedData:
    """Data by their names, each as JSON; nothing is kept if the present key is not known."""

    def __init__(
        self, file: Path | None, find_key: Callable[[], str | None], *, keeps: bool
    ) -> None:
        self._file = file
        self._find_key = find_key
        self._key = find_key()
        self._keeps = keeps and self._key is not None
        self._texts = self._read()

    def get(self, name: str, derive: Callable[[], Any]) -> Any:
        try:
            return from_json(self._texts.get(name, ""))
        except ValueError:  # there are none, or a disk has lost the end of the file
            data = derive()
        if self._keeps:
            self._texts[name] = to_json(data).decode()
            self._keep()
        return data

    def _keep(self) -> None:
        if self._file is None or not self._keeps:
            return
        try:
            self._keeps = self._find_key() == self._key
            if self._keeps:
                self._texts = self._read() | self._texts  # another process may keep some, too
                self.write(self._file)
        except OSError:
            self._keeps = False

    def write(self, file: Path) -> None:
        """Replace a file at once, so that no process ever reads half of one."""
        names: dict[str, list[str]] = {}
        for name, text in self._texts.items():  # many have the same data
            names.setdefault(text, []).append(name)
        lines = [f"{' '.join(alike)}\t{text}\n" for text, alike in names.items()]
        new = file.with_name(f"{file.name}.{os.getpid()}.{get_ident()}")
        try:
            new.write_text(f"{self._key}\n{''.join(lines)}", encoding="utf-8", newline="\n")
            new.replace(file)
        except OSError:
            new.unlink(missing_ok=True)
            raise

    def _read(self) -> dict[str, str]:
        try:
            content = "" if self._file is None else self._file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return {}
        key, *lines = content.split("\n")
        if key != self._key:
            return {}
        parts = (line.partition("\t") for line in lines)
        return {name: text for names, _, text in parts for name in names.split()}


#: The data of each folder of grammars that this process has asked for: there is one.
_by_folder: dict[Path, DerivedData] = {}


def find(grammars: Path) -> DerivedData:
    """Return the data derived from a folder of grammars."""
    data = _by_folder.get(grammars)
    if data is None:
        is_installed = grammars.is_relative_to(PACKAGE)
        find_key = partial(key, grammars, with_code=not is_installed)
        data = _by_folder[grammars] = DerivedData(FILE, find_key, keeps=not is_installed)
    return data


def use(grammars: Path, data: DerivedData) -> None:
    """Use other data of a folder from now on: a build fills new ones."""
    _by_folder[grammars] = data


def key(grammars: Path, *, with_code: bool) -> str | None:
    """Return the digest of all that the data depend on; None if it cannot be known."""
    digest = blake2b(digest_size=16)
    try:
        if with_code:
            digest.update(_lark().read_bytes())
        texts = [(file, grammars) for file in sorted(grammars.rglob("*.lark"))]
        for file, folder in texts + [(Path(file), PACKAGE) for file in _files(".tsv")]:
            content = file.read_bytes()
            digest.update(f"\n{file.relative_to(folder).as_posix()} {len(content)}\n".encode())
            digest.update(content)
        for code in _files(".py") if with_code else ():
            status = code.stat()
            if status.st_mtime >= STARTED:
                return None
            digest.update(f"\n{code.name} {status.st_size} {status.st_mtime_ns}".encode())
    except OSError:
        return None
    return digest.hexdigest()


def _lark() -> Path:
    spec = find_spec("lark")
    return Path((spec and spec.origin) or "")


def _files(suffix: str) -> Iterator[os.DirEntry[str]]:
    """Yield the tables, or the code; a ``Path`` for each would take three times as long."""
    for package in _MAKERS:
        with os.scandir(PACKAGE / package) as entries:
            found = [entry for entry in entries if entry.name.endswith(suffix)]
        yield from sorted(found, key=attrgetter("name"))

"""The manifest of an archive: the parts that are valid, and what they were made from.

``_manifest.json`` is replaced at the end of a build, so a folder has the rows of the last complete
one, whatever happened to later ones.  Files that it does not name do not belong to the archive.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sgf_lark.files.members import ArchiveError
from sgf_lark.files.writing import sync_folder
from sgf_lark.report.tables import SCHEMA_VERSION, tables

#: Name of the manifest, and of the folder of files that are being written.
MANIFEST, WORK = "_manifest.json", ".work"

_NAME = re.compile(r"[0-9a-f]{32}")


class StoredPart(NamedTuple):
    """The rows of consecutive groups of sources: a Parquet file for each table that has some."""

    name: str
    # the key of each group, and the numbers of its rows by table
    groups: tuple[tuple[str, Mapping[str, int]], ...]
    bytes: Mapping[str, int]

    @property
    def files(self) -> list[str]:
        return [self.file(table) for table in self.bytes]

    def file(self, table: str) -> str:
        return f"{table}/{self.name}.parquet"

    def is_complete(self, folder: Path) -> bool:
        """Return whether all its files are in the folder, with their sizes."""
        try:
            sizes = {table: (folder / self.file(table)).stat().st_size for table in self.bytes}
        except OSError:
            return False
        return sizes == self.bytes


@dataclass(frozen=True)
class Manifest:
    """The contents of an archive."""

    schema: int
    program: str
    options: dict[str, Any] = field(default_factory=dict)
    folder: str = ""
    sources: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    parts: tuple[StoredPart, ...] = ()

    @property
    def files(self) -> frozenset[str]:
        return frozenset(file for part in self.parts for file in part.files)

    @property
    def keys(self) -> list[str]:
        """The keys of all groups, in order."""
        return [key for part in self.parts for key, _ in part.groups]

    def rows(self, table: str) -> int:
        return sum(rows.get(table, 0) for part in self.parts for _, rows in part.groups)


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of an archive; None if the folder has none.

    If its schema is another one than :data:`~sgf_lark.report.tables.SCHEMA_VERSION`, it has no
    parts.

    Raises:
        ArchiveError: It is damaged.
        OSError: It cannot be read.
    """
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return _manifest(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        words = "the manifest is damaged: remove the folder and build the archive again"
        raise ArchiveError(words, os.fspath(path)) from None


def require_manifest(folder: str | os.PathLike[str]) -> Manifest:
    """Return the manifest of an archive that this version can read.

    Raises:
        ArchiveError: The folder is no archive, or its tables are those of another version.
        OSError: The manifest cannot be read.
    """
    path = Path(folder)
    manifest = read_manifest(path)
    if manifest is None:
        words = "this is no folder of sgf-lark archive build"
        if (path / WORK).is_dir():
            words = "this archive is not complete: run sgf-lark archive build once more"
        raise ArchiveError(words, os.fspath(folder))
    if manifest.schema != SCHEMA_VERSION:
        words = (
            f"this archive has tables of version {manifest.schema}, expected {SCHEMA_VERSION}:"
            f" run  sgf-lark archive build -o {shlex.quote(os.fspath(folder))}"
        )
        raise ArchiveError(words, os.fspath(folder))
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of an archive."""
    temporary = folder / WORK / MANIFEST
    with temporary.open("wb") as file:
        file.write(json.dumps(asdict(manifest)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / MANIFEST)
    sync_folder(folder)


def _manifest(facts: dict[str, Any]) -> Manifest:
    """Return a manifest of its JSON."""
    is_current = int(facts["schema"]) == SCHEMA_VERSION
    parts = [
        StoredPart(name, tuple((key, dict(rows)) for key, rows in groups), dict(sizes))
        for name, groups, sizes in (facts["parts"] if is_current else ())
    ]
    for part in parts:
        if not _NAME.fullmatch(part.name) or not part.bytes.keys() <= tables().keys():
            raise ValueError(part.name)  # a path out of the folder, for instance
    return Manifest(
        schema=int(facts["schema"]),
        program=str(facts["program"]),
        options=dict(facts["options"]),
        folder=str(facts["folder"]),
        sources=tuple(map(str, facts["sources"])),
        tables=tuple(map(str, facts["tables"])),
        parts=tuple(parts),
    )

"""The manifest of an archive: the parts that are valid, and what they were made from.

``_manifest.json`` is written last, so a folder has the rows of the last complete run, whatever
happened to later ones.  Files that it does not name do not belong to the archive.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sgf_lark.schema.tables import SCHEMA_VERSION, tables
from sgf_lark.text.archives import ArchiveError

from .files import write_file

#: Name of the manifest, and of the folder of unfinished work.
MANIFEST, WORK = "_manifest.json", ".work"

_PART = re.compile(r"([a-z]+)/part-[0-9]{5,9}\.parquet")


class PartFile(NamedTuple):
    """A Parquet file of an archive.

    Attributes:
        file: Its path in the folder of the archive: ``games/part-00000.parquet``.
        rows: Number of its rows.
        bytes: Its size.
        sha256: SHA-256 of its bytes, in hexadecimal digits.
    """

    file: str
    rows: int
    bytes: int
    sha256: str

    @property
    def number(self) -> int:
        """The number in its name, from 0."""
        return int(self.file.rpartition("-")[2].partition(".")[0])


@dataclass(frozen=True)
class Manifest:
    """The contents of an archive.

    Attributes:
        schema: Version of the tables.
        program: Version of the program that wrote the rows.
        options: The options by which the games were read.
        folder: The folder to which relative sources belong.
        sources: The sources as they were given.
        tables: The parts of each table, in the order of their rows.
    """

    schema: int
    program: str
    options: dict[str, Any] = field(default_factory=dict)
    folder: str = ""
    sources: tuple[str, ...] = ()
    tables: dict[str, tuple[PartFile, ...]] = field(default_factory=dict)

    @property
    def files(self) -> frozenset[str]:
        """The paths of all parts in the folder."""
        return frozenset(part.file for parts in self.tables.values() for part in parts)

    def is_usable(self, folder: Path) -> bool:
        """Return whether all parts are in the folder, with their sizes."""
        parts = (part for table in self.tables.values() for part in table)
        return all(_size(folder / part.file) == part.bytes for part in parts)

    def rows(self, table: str) -> int:
        """Return the number of rows of a table."""
        return sum(part.rows for part in self.tables.get(table, ()))


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of an archive; None if the folder has none.

    Its schema may be another one than :data:`~sgf_lark.schema.tables.SCHEMA_VERSION`.

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
            " run sgf-lark archive build once more"
        )
        raise ArchiveError(words, os.fspath(folder))
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of an archive.

    Raises:
        OSError: It cannot be written; the earlier one is as it was.
    """
    facts = asdict(manifest)
    facts["tables"] = {
        table: [part._asdict() for part in parts] for table, parts in manifest.tables.items()
    }
    text = json.dumps(facts, indent=1) + "\n"
    write_file(folder / MANIFEST, text.encode(), below=folder / WORK)


def _manifest(facts: dict[str, Any]) -> Manifest:
    """Return a manifest of its JSON.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: It is none.
    """
    known = tables()
    parts: dict[str, tuple[PartFile, ...]] = {}
    for table, rows in facts["tables"].items():
        parts[table] = tuple(PartFile(**row) for row in rows)
        for part in parts[table]:
            match = _PART.fullmatch(part.file)
            if match is None or match[1] != table or table not in known:
                raise ValueError(part.file)  # a path out of the folder, for instance
    return Manifest(
        schema=int(facts["schema"]),
        program=str(facts["program"]),
        options=dict(facts["options"]),
        folder=str(facts["folder"]),
        sources=tuple(map(str, facts["sources"])),
        tables=parts,
    )

"""Small archives made by hand, a row at a time, in the layout of built ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.archive.batches import read_partition
from sgf_lark.archive.partitions import partitions
from sgf_lark.archive.rows.table_rows import canonical_columns
from sgf_lark.archive.sources import find_sources
from sgf_lark.archive.store import WORK, Manifest, StoredPart, write_manifest
from sgf_lark.report.tables import SCHEMA_VERSION, record_batch, tables

#: Values of columns that have no null, by their types.
_EMPTY: dict[str, Any] = {
    "int32": 0,
    "int64": 0,
    "uint64": 0,
    "float64": 0.0,
    "string": "",
    "bool": False,
    "date": date(1970, 1, 1),
    "hash": bytes(16),
    "points": [],
}

Row = Mapping[str, Any]


def batch(table: str, rows: Iterable[Row]) -> Any:
    """Return rows of a table; columns that a row leaves out are null, or empty."""
    rows = list(rows)
    columns: dict[str, Any] = {
        column.name: [
            row.get(column.name, None if column.nullable else _EMPTY[column.type]) for row in rows
        ]
        for column in tables()[table]
    }
    if table == "games" and not any("canon" in row for row in rows):
        columns |= canonical_columns(columns)
    return record_batch(table, columns)


def archive_of(directory: Path, *sources: Path | str, folder: str = "") -> Path:
    """Write the archive of some sources, read in this process.

    Args:
        directory: A new directory.
        sources: Files, folders, archives, addresses.
        folder: The folder to which relative sources belong.
    """
    rows: dict[str, Any] = {"games": [], "moves": [], "findings": []}
    for partition in partitions(find_sources(sources)):
        for table, batches in read_partition(partition).tables.items():
            rows[table] += batches
    return write_archive(directory, folder, **rows)


def write_archive(
    directory: Path, folder: str = "", /, **rows: Sequence[Row] | Sequence[Sequence[Row]]
) -> Path:
    """Write an archive; a sequence of sequences or batches gives a part for each.

    Args:
        directory: A new directory.
        folder: The folder to which relative sources belong.
        rows: The rows of each table by its name.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    groups: list[dict[str, int]] = []
    sizes: list[dict[str, int]] = []
    for table, found in rows.items():
        pieces: Any = found if found and not isinstance(found[0], Mapping) else [found]
        (directory / table).mkdir(parents=True)
        for number, piece in enumerate(pieces):
            if number == len(groups):
                groups.append({})
                sizes.append({})
            path = directory / table / f"{number:032x}.parquet"
            piece_batch = piece if isinstance(piece, pa.RecordBatch) else batch(table, piece)
            pq.write_table(pa.Table.from_batches([piece_batch]), path, compression="zstd")
            groups[number][table] = len(piece)
            sizes[number][table] = path.stat().st_size
    parts = tuple(
        StoredPart(f"{number:032x}", ((f"{number:032x}", group),), sizes[number])
        for number, group in enumerate(groups)
    )
    (directory / WORK).mkdir(parents=True)
    manifest = Manifest(SCHEMA_VERSION, "0", folder=folder, tables=tuple(rows), parts=parts)
    write_manifest(directory, manifest)
    return directory


#: Settings of a database, not of a connection.
_OF_ALL = ("temp_directory", "memory_limit", "enable_external_access", "lock_configuration")


class OneDatabase:
    """A connection to one DuckDB that tests share: opening another takes longer than they do."""

    _first: Any = None

    def __init__(self, *_: object) -> None:
        self._mine = OneDatabase._first.cursor()

    def execute(self, query: str, *more: Any) -> Any:
        """Ask, or set what is of this connection."""
        is_of_all = query.startswith(tuple(f"SET {name} " for name in _OF_ALL))
        return None if is_of_all else self._mine.execute(query, *more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._mine, name)

    @classmethod
    def use(cls, patch: pytest.MonkeyPatch) -> None:
        """Let all queries use it."""
        duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
        cls._first = cls._first or duckdb.connect(config={"enable_external_access": False})
        patch.setattr(duckdb, "connect", cls)

"""Parts: the Parquet files of a table.

The rows of a table come in order and in pieces of any size; its row groups and parts depend on
the rows alone, so equal rows make equal bytes.  New parts have temporary names until all of them
are written.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.schema.tables import arrow_schema, load_pyarrow
from sgf_lark.text.files import sync_folder

from .files import naming
from .manifest import PartFile

if TYPE_CHECKING:
    import pyarrow as pa

#: Bytes from which on a part is complete.
PART_BYTES = 1 << 27

#: Rows of a row group; games have long lines, and are few.
GROUP_ROWS = {"games": 1 << 14}
DEFAULT_GROUP_ROWS = 1 << 17

#: Compression of a part; higher levels take longer and save little on these tables.
COMPRESSION, LEVEL = "zstd", 3


class Rows(NamedTuple):
    """Rows of a table in memory: a slice of all its columns would cost more than a small file.

    Attributes:
        table: The table.
        start, end: The numbers of the first row and of the one after the last.
    """

    table: pa.Table
    start: int
    end: int


class _File:
    """A file that counts and hashes what is written to it, for Parquet writes forward only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.hash = sha256()
        self.closed = self.is_discarded = False
        with naming(path):
            self._file = path.open("wb", buffering=0)

    def write(self, block: Any) -> int:
        view = memoryview(block).cast("B")
        if self.is_discarded:
            return len(view)
        self.hash.update(view)
        self.size += len(view)
        with naming(self.path):
            done = 0
            while done < len(view):
                done += self._file.write(view[done:])
        return len(view)

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def sync(self) -> None:
        with naming(self.path):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self.closed = True
        self._file.close()

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False


class TableWriter:
    """The parts of a table that a run makes or keeps, in the order of their rows.

    Args:
        table: The name of the table.
        folder: The folder of the archive.
        work: The folder of temporary files, on the same disk.
        first: Number of the first new part.
    """

    def __init__(self, table: str, folder: Path, work: Path, first: int = 0) -> None:
        self._schema = arrow_schema(table)
        self._table, self._folder, self._work = table, folder, work
        self._next, self._part_bytes = first, PART_BYTES
        self._group_rows = GROUP_ROWS.get(table, DEFAULT_GROUP_ROWS)
        self._waiting: list[Rows] = []
        self._waiting_rows = self._rows = 0
        self._file: _File | None = None
        self._writer: Any = None
        self._parts: list[PartFile] = []
        self._new: list[tuple[Path, Path]] = []

    @property
    def parts(self) -> tuple[PartFile, ...]:
        """The parts that are complete."""
        return tuple(self._parts)

    @property
    def new(self) -> int:
        """The number of parts that are not kept."""
        return len(self._new)

    def is_small(self, part: PartFile) -> bool:
        """Return whether a part is so small that it should be one with its neighbors."""
        return part.bytes < self._part_bytes // 2

    @property
    def is_open(self) -> bool:
        """There are rows of a part that is not complete."""
        return bool(self._waiting_rows) or self._file is not None

    def add(self, table: pa.Table, start: int = 0, end: int | None = None) -> None:
        """Add rows.

        Args:
            table: Has the rows.
            start, end: The numbers of the first one and of the one after the last; None for all.

        Raises:
            OSError: They cannot be written.
        """
        end = table.num_rows if end is None else end
        if start == end:
            return
        last = self._waiting[-1] if self._waiting else None
        if last is not None and last.table is table and last.end == start:
            self._waiting[-1] = Rows(table, last.start, end)
        else:
            self._waiting.append(Rows(table, start, end))
        self._waiting_rows += end - start
        if self._waiting_rows >= self._group_rows:
            waiting = self._take_waiting()
            full = waiting.num_rows // self._group_rows * self._group_rows
            for first in range(0, full, self._group_rows):
                self._write(waiting.slice(first, self._group_rows))
            self.add(waiting.slice(full))  # not all of it, which would stay in memory

    def _take_waiting(self) -> pa.Table:
        """Return the rows that wait to be written; none wait then."""
        waiting, self._waiting, self._waiting_rows = self._waiting, [], 0
        tables = [table.slice(start, end - start) for table, start, end in waiting]
        return load_pyarrow().concat_tables(tables)

    def keep(self, part: PartFile) -> None:
        """Keep a part of the earlier run as it is, after the rows added so far."""
        self.end_part()
        self._parts.append(part)

    def end_part(self) -> None:
        """Complete the part of the rows added so far.

        Raises:
            OSError: It cannot be written.
        """
        if self._waiting_rows:
            self._write(self._take_waiting())
        self._close()

    def publish(self) -> None:
        """Give the new parts their names.

        Raises:
            OSError: This cannot be done.
        """
        if not self._new:
            return
        (self._folder / self._table).mkdir(exist_ok=True)
        for temporary, path in self._new:
            temporary.replace(path)
        sync_folder(self._folder / self._table)

    def discard(self) -> None:
        """Remove what is unfinished."""
        if self._file is not None:
            self._file.is_discarded = True
            with suppress(Exception):  # it would be closed later, when nobody expects its error
                self._writer.close()
            self._file.close()
            with suppress(OSError):
                self._file.path.unlink()
            self._file = self._writer = None
        for temporary, path in self._new:
            for file in (temporary, path):
                with suppress(OSError):
                    file.unlink()

    def _write(self, group: pa.Table) -> None:
        """Write a row group; complete the part if it is large enough."""
        import pyarrow.parquet as pq

        if self._file is None:
            self._file = _File(self._work / f"{self._table}-{self._next:05}.tmp")
            self._writer = pq.ParquetWriter(
                self._file, self._schema, compression=COMPRESSION, compression_level=LEVEL
            )
        # the pages of a column depend on its chunks, which come from the partitions
        self._writer.write_table(group.combine_chunks(), row_group_size=self._group_rows)
        self._rows += group.num_rows
        if self._file.size >= self._part_bytes:
            self._close()

    def _close(self) -> None:
        if self._file is None:
            return
        self._writer.close()
        self._file.sync()
        self._file.close()
        name = f"{self._table}/part-{self._next:05}.parquet"
        part = PartFile(name, self._rows, self._file.size, self._file.hash.hexdigest())
        self._parts.append(part)
        self._new.append((self._file.path, self._folder / name))
        self._file, self._writer, self._rows = None, None, 0
        self._next += 1


class TableRows:
    """The rows of a table of an archive, read by their numbers.

    Args:
        folder: The folder of the archive.
        table: The name of the table.
        parts: Its parts.

    Attributes:
        starts: The number of the first row of each part, and the number of rows.
    """

    def __init__(self, folder: Path, table: str, parts: tuple[PartFile, ...]) -> None:
        self._folder, self._schema, self.parts = folder, arrow_schema(table), parts
        self.starts = [0]
        for part in parts:
            self.starts.append(self.starts[-1] + part.rows)
        self._groups: list[int] = []  # of the part that is open: first rows, and its end
        self._open: tuple[int, Any] | None = None
        self._read: tuple[tuple[int, int], pa.Table] | None = None

    def read(self, start: int, end: int) -> Iterator[pa.Table]:
        """Yield the rows from ``start`` to before ``end``, a row group or less at a time.

        Raises:
            OSError: A part cannot be read.
        """
        while start < end:
            number = bisect_right(self.starts, start) - 1
            groups = self._open_part(number)
            group = bisect_right(groups, start) - 1
            rows = self._group(number, group)
            stop = min(end, groups[group + 1])
            yield rows.slice(start - groups[group], stop - start)
            start = stop

    def close(self) -> None:
        """Close the part that is open."""
        if self._open is not None:
            self._open[1].close()
        self._open = self._read = None

    def _open_part(self, number: int) -> list[int]:
        """Open a part; return the first row of each of its groups, and its end."""
        import pyarrow.parquet as pq

        if self._open is None or self._open[0] != number:
            self.close()
            file = pq.ParquetFile(self._folder / self.parts[number].file)
            self._open = number, file
            self._groups = [self.starts[number]]
            for group in range(file.metadata.num_row_groups):
                self._groups.append(self._groups[-1] + file.metadata.row_group(group).num_rows)
        return self._groups

    def _group(self, number: int, group: int) -> pa.Table:
        if self._read is None or self._read[0] != (number, group):
            self._read = None  # only one is in memory
            file = self._open[1]  # type: ignore[index]  # it is open
            rows = file.read_row_group(group, use_threads=False).cast(self._schema)
            self._read = (number, group), rows
        return self._read[1]

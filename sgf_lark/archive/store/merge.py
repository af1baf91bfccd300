"""Merging of tables: the rows of an earlier run, and those of this one, in the order of sources."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .changes import Earlier, Kept
from .manifest import WORK, Manifest, PartFile
from .parts import TableRows, TableWriter

if TYPE_CHECKING:
    import pyarrow as pa


class TableMerger:
    """A table of an archive that is written again, and keeps the parts in which nothing changes.

    Args:
        table: The name of the table.
        folder: The folder of the archive.
        earlier: Its parts in the earlier run.

    Attributes:
        writer: Writes the parts.
    """

    def __init__(
        self,
        table: str,
        folder: Path,
        earlier: Sequence[PartFile],
    ) -> None:
        self._earlier = TableRows(folder, table, tuple(earlier))
        first = 1 + max((part.number for part in earlier), default=-1)
        self.writer = TableWriter(table, folder, folder / WORK, first)

    def add(self, table: pa.Table, start: int = 0, end: int | None = None) -> None:
        """Add rows of this run; see :meth:`.TableWriter.add`."""
        self.writer.add(table, start, end)

    def take(self, start: int, end: int, *, is_last: bool) -> None:
        """Take rows of the earlier run over, by their numbers.

        Parts that lie in this range stay as they are, but small ones beside rows that have to be
        written anyway: else every run would leave one more of them.

        Args:
            start, end: The range, ``end`` exclusive.
            is_last: No rows follow.
        """
        parts, starts = self._earlier.parts, self._earlier.starts
        first, after = bisect_left(starts, start), bisect_right(starts, end) - 1
        if not (is_last and starts[after] == end):
            while first < after and self.writer.is_small(parts[after - 1]):
                after -= 1
        for number in range(first, after):
            self._copy(start, starts[number])
            start = starts[number]
            if not (self.writer.is_open and self.writer.is_small(parts[number])):
                self.writer.keep(parts[number])
                start = starts[number + 1]
        self._copy(start, end)

    def close(self) -> None:
        """Close the files of the earlier run."""
        self._earlier.close()

    def _copy(self, start: int, end: int) -> None:
        for rows in self._earlier.read(start, end):
            self.writer.add(rows)


class ArchiveMerger:
    """All tables of an archive; their rows come source by source.

    Args:
        folder: The folder of the archive.
        names: The names of the tables.
        manifest: The manifest of the earlier run; None if there is none.
        earlier: The sources of that run; None if no rows are taken over.
    """

    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        manifest: Manifest | None,
        earlier: Earlier | None,
    ) -> None:
        parts = {} if manifest is None else manifest.tables
        self._earlier = earlier
        self._tables = {name: TableMerger(name, folder, parts.get(name, ())) for name in names}

    def add(self, name: str, table: pa.Table, start: int = 0, end: int | None = None) -> None:
        """Add rows of this run to a table; see :meth:`.TableWriter.add`."""
        self._tables[name].add(table, start, end)

    def take(self, kept: Kept, *, is_last: bool) -> None:
        """Take the rows of some sources of the earlier run over.

        Args:
            kept: The numbers of the sources.
            is_last: No source follows.
        """
        if self._earlier is None:
            raise ValueError("there is no earlier run")
        for name, starts in self._earlier.starts.items():
            if starts[kept.first] < starts[kept.end]:
                self._tables[name].take(starts[kept.first], starts[kept.end], is_last=is_last)
        self.add("sources", self._earlier.rows.slice(kept.first, kept.end - kept.first))

    def finish(self) -> dict[str, tuple[PartFile, ...]]:
        """Complete all parts, give them their names, and return them by table.

        Raises:
            OSError: This cannot be done.
        """
        for table in self._tables.values():
            table.writer.end_part()
            table.close()
        for table in self._tables.values():
            table.writer.publish()
        return {name: table.writer.parts for name, table in self._tables.items()}

    def discard(self) -> None:
        """Remove what is unfinished, and new parts."""
        for table in self._tables.values():
            table.close()
            table.writer.discard()

    @property
    def new_parts(self) -> int:
        """The number of parts that are not kept."""
        return sum(table.writer.new for table in self._tables.values())

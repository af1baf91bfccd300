"""Changes of the sources of an archive since its earlier run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import file_digest
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark.archive.sources import Source, remote_faults

from .manifest import Manifest
from .parts import TableRows

if TYPE_CHECKING:
    import pyarrow as pa

#: Tables that have rows of each source.
ROW_TABLES = ("games", "moves", "findings", "positions")


class Earlier:
    """The sources of the earlier run.

    Args:
        folder: The folder of the archive.
        manifest: Its manifest.

    Attributes:
        rows: The table of sources.
        paths: Its column ``source``.
        starts: For each table, the number of the first of its rows of each source, and of all.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        import pyarrow as pa

        from sgf_lark.schema.tables import arrow_schema

        parts = manifest.tables.get("sources", ())
        reader = TableRows(folder, "sources", parts)
        pieces = [*reader.read(0, reader.starts[-1])]
        reader.close()
        schema = arrow_schema("sources")
        self.rows: pa.Table = pa.concat_tables([schema.empty_table(), *pieces]).combine_chunks()
        self.paths: list[str] = self.rows["source"].to_pylist()
        self.starts = {
            table: [0, *accumulate(self.rows[table].to_pylist())]
            for table in ROW_TABLES
            if table in manifest.tables
        }

    def touch(self, times: Mapping[int, int | None]) -> None:
        """Give sources new times, by their numbers."""
        if times:
            import pyarrow as pa

            at = self.rows.schema.get_field_index("modified")
            column = self.rows["modified"].to_pylist()
            for number, modified in times.items():
                column[number] = modified
            self.rows = self.rows.set_column(
                at, self.rows.schema.field(at), pa.array(column, pa.int64())
            )


class Kept(NamedTuple):
    """Sources that are as they were: the first of their numbers, and that after the last."""

    first: int
    end: int


@dataclass
class Changes:
    """The sources of a run, as compared with those of the earlier one.

    Attributes:
        order: The sources in the order of their paths: those to read, and ranges of others.
        new, changed, unchanged: Numbers of sources.
        removed: The paths of the sources that are not there any more.
        touched: New times of unchanged sources, by their numbers in the earlier run.
        size: Number of bytes of the sources to read.
    """

    order: list[Source | Kept] = field(default_factory=list)
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: tuple[str, ...] = ()
    touched: dict[int, int | None] = field(default_factory=dict)
    size: int = 0

    @property
    def to_read(self) -> Iterator[Source]:
        """The sources to read, in the order of their paths."""
        return (one for one in self.order if isinstance(one, Source))

    @property
    def is_empty(self) -> bool:
        """Each source is as it was."""
        return not (self.new or self.changed or self.removed or self.touched)


def find_changes(sources: Iterable[Source], earlier: Earlier | None) -> Changes:
    """Compare sources with those of the earlier run.

    A file with the size and the time that it had is not opened.  If only its time is another one,
    its bytes are hashed.  What could not be read is unchanged as long as it still cannot be opened.

    Args:
        sources: The sources in the order of their paths, each once.
        earlier: The earlier run; None if there is none.
    """
    changes = Changes()
    if earlier is None:
        for source in sources:
            changes.order.append(source)
            changes.new += 1
            changes.size += source.size
        return changes
    numbers = {path: number for number, path in enumerate(earlier.paths)}
    columns = [earlier.rows[name].to_pylist() for name in ("size", "modified", "sha256")]
    for source in sources:
        number = numbers.pop(source.path, None)
        if number is not None and _is_unchanged(source, *(column[number] for column in columns)):
            if source.modified != columns[1][number]:
                changes.touched[number] = source.modified
            changes.unchanged += 1
            _keep(changes.order, number)
            continue
        changes.order.append(source)
        changes.size += source.size
        if number is None:
            changes.new += 1
        else:
            changes.changed += 1
    changes.removed = tuple(numbers)
    return changes


def _keep(order: list[Source | Kept], number: int) -> None:
    last = order[-1] if order else None
    if isinstance(last, Kept) and last.end == number:
        order[-1] = Kept(last.first, number + 1)
    else:
        order.append(Kept(number, number + 1))


def _is_unchanged(source: Source, size: int, modified: int | None, sha256: str | None) -> bool:
    if source.size != size:
        return False
    if sha256 is None:
        return source.modified == modified and not _is_readable(source)
    if source.fault is not None:
        return False
    if source.modified is not None and source.modified == modified:
        return True
    try:
        return hash_source(source) == sha256
    except OSError:
        return False


def _is_readable(source: Source) -> bool:
    if source.fault is not None:
        return False
    try:
        source.open().close()
    except OSError:
        return False
    return True


def hash_source(source: Source) -> str:
    """Return the SHA-256 of the bytes of a file.

    Raises:
        OSError: It cannot be read.
    """
    with remote_faults(source.location), source.open() as file:
        return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it is binary

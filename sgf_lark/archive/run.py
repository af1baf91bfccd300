"""A run of a build: the groups of sources that the archive lacks are read and written.

A source is a file.  Each of its records is a slice; a large one is cut into pieces, a slice each.
Some slices of a group are a partition, which an engine gives to a process.  Rows of pieces are
joined; the rows of a group become a part, Parquet files that no later run writes again as long as
its sources are the same.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from hashlib import file_digest
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sgf_lark.files.many import failure
from sgf_lark.files.writing import sync_folder
from sgf_lark.report.tables import arrow_schema, load_pyarrow, tables

from .batches import PartitionRows, SliceRows, join_partitions, put_together, read_partition
from .engines import PartitionReader
from .partitions import PACKED_RATIO, PARTITION_BYTES, Partition, Slice, partitions
from .rows.table_rows import TableRows
from .sources import Failure, Source, remote_faults
from .store import (
    WORK,
    Manifest,
    PartRange,
    PartWriter,
    SourceGroup,
    StoredPart,
    arrange,
    write_manifest,
)

if TYPE_CHECKING:
    import pyarrow as pa

#: Seconds between two calls of a function that shows the progress.
PROGRESS_SECONDS = 0.1

#: Partitions of a small run, and the bytes that one has at least.
PARTITIONS, MIN_PARTITION_BYTES = 32, 1 << 19


class Progress(NamedTuple):
    """The progress of a build.

    Attributes:
        files, all_files: Number of sources that are read, and of those to read.
        bytes, all_bytes: Their bytes; for archives an estimate until they are read.
        games: Number of games read.
        seconds: Seconds since the run began.
    """

    files: int
    all_files: int
    bytes: int
    all_bytes: int
    games: int
    seconds: float


class SourceFacts(NamedTuple):
    """The facts about a source from which its row in the table ``sources`` is read."""

    source: Source
    sha256: str | None  # the digest of its bytes; None if its rows are not those of its bytes
    records: int
    bytes: int
    games: int = 0
    moves: int = 0
    findings: int = 0
    positions: int = 0
    lives: int = 0
    analysis: int = 0


class EncodedRows:
    """The rows of a table, encoded: many times smaller, to be sent and to wait."""

    def __init__(self, table: str, batches: Iterable[pa.RecordBatch]) -> None:
        pa = load_pyarrow()
        # a third of the time of zstd, to write and to read, and half as many bytes again
        options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, arrow_schema(table), options=options) as stream:
            for batch in batches:
                stream.write_batch(batch)
        self._data: bytes = sink.getvalue().to_pybytes()

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows; a batch at a time is decoded."""
        ipc = load_pyarrow().ipc
        options = ipc.IpcReadOptions(use_threads=False)
        with ipc.open_stream(self._data, options=options) as stream:
            yield from stream


def encode_partition(
    partition: Partition, tables: Sequence[str], options: dict[str, Any]
) -> PartitionRows:
    """Read a partition, in whatever process; return its rows as they are sent."""
    rows = read_partition(partition, tables, options)
    encoded = {name: EncodedRows(name, found) for name, found in rows.tables.items()}
    return rows._replace(tables=encoded)


class Rebuild:
    def __init__(
        self,
        folder: Path,
        groups: Sequence[SourceGroup],
        tables: Sequence[str],
        options: dict[str, Any],
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self._folder, self._groups = folder, groups
        row_tables = tuple(name for name in tables if name != "sources")
        self._encode = partial(encode_partition, tables=row_tables, options=options)
        self._options = options
        self._crashed: set[str] = set()
        self._all_files = sum(len(group.sources) for group in groups)
        self._all_bytes = sum(one.size for group in groups for one in group.sources)
        self._progress = progress
        self._files = self._bytes = self._games = 0
        self._begun = self._shown = monotonic()
        # the paths of sources that could not be read, or not completely
        self.unreadable: list[str] = []

    def build(
        self,
        engine: PartitionReader,
        places: dict[str, PartRange],
        keys: Iterable[str],
        plan: Manifest,
    ) -> Manifest:
        """Read the groups, write their rows and the manifest.

        Raises:
            OSError: Something cannot be written; the archive is as it was, and groups that are
                complete wait for the next run.
        """
        (self._folder / WORK).mkdir(exist_ok=True)
        with closing(self._results(engine)) as results:
            for group, found in groupby(results, itemgetter(0)):
                rows = ((partition, rows) for _, partition, rows in found)
                part = self._write(group, join_partitions(rows, self._options))
                places[group.key] = PartRange(part, 0, 1)
        done = replace(plan, parts=tuple(arrange(self._folder, map(places.__getitem__, keys))))
        for table in tables():
            sync_folder(self._folder / table)
        write_manifest(self._folder, done)
        return done

    # ---- reading ----

    def _results(
        self, engine: PartitionReader
    ) -> Generator[tuple[SourceGroup, Partition, PartitionRows]]:
        waiting = deque[tuple[SourceGroup, Partition]]()

        def found() -> Iterator[Partition]:
            size = self._partition_bytes()
            for group in self._groups:
                for partition in partitions(group.sources, size, self._options):
                    waiting.append((group, partition))
                    yield partition

        with closing(engine.read(self._encode, found())) as outcomes:
            for outcome in outcomes:
                group, partition = waiting.popleft()
                rows = outcome.result
                if rows is None:
                    rows = self._rescued(engine, partition, outcome.error or RuntimeError())
                yield group, partition, rows
                del partition, rows, outcome

    def _partition_bytes(self) -> int:
        """Return the size of partitions: small enough that processes share them evenly."""
        sources = (one for group in self._groups for one in group.sources)
        size = sum(one.size * (PACKED_RATIO if one.is_archive else 1) for one in sources)
        return max(MIN_PARTITION_BYTES, min(PARTITION_BYTES, size // PARTITIONS))

    def _rescued(
        self, engine: PartitionReader, partition: Partition, error: Exception
    ) -> PartitionRows:
        """Read a partition that cannot be read slice by slice; those that cannot are findings."""
        number, slices = partition.number, partition.slices
        found: list[PartitionRows] = []
        # also a single one is read again: the process may have been killed for another reason
        alone = (Partition(number, (one,)) for one in slices)
        with closing(engine.read(self._encode, alone)) as outcomes:
            for one, outcome in zip(slices, outcomes, strict=True):
                if outcome.result is not None:
                    found.append(outcome.result)
                else:
                    found.append(self._failed(one, outcome.error or error))
        return put_together(found)._replace(number=number)

    def _failed(self, one: Slice, error: Exception) -> PartitionRows:
        if isinstance(error, OSError | ImportError):
            raise error  # not because of this slice
        self._crashed.add(one.source.path)
        return self._fault(one, Failure("failed-check", *failure("checked", error)))

    def _fault(self, one: Slice, fault: Failure) -> PartitionRows:
        return self._encode(Partition(0, (one._replace(content=None, fault=fault),)))

    # ---- writing ----

    def _write(self, group: SourceGroup, results: Iterable[PartitionRows]) -> StoredPart:
        writer = PartWriter(self._folder)
        about = TableRows("sources")
        sources = iter(group.sources)
        is_valid = True
        try:
            source, slices = next(sources), list[SliceRows]()
            for rows in results:
                for number, one in enumerate(rows.slices):
                    if slices and one.source != source.path:
                        is_valid &= self._end(source, slices, writer, about)
                        source, slices = next(sources), []
                    if not number:
                        for table, batches in rows.tables.items():
                            writer.add(table, batches)
                    slices.append(one)
                    self._count(source, slices)
            is_valid &= self._end(source, slices, writer, about)
            writer.add("sources", about.batches())
            # the next run reads a group again of which a source has not the rows of its bytes
            return writer.finish(group.key if is_valid else uuid4().hex)
        except BaseException:
            writer.discard()
            raise

    def _end(
        self,
        source: Source,
        slices: list[SliceRows],
        writer: PartWriter,
        about: TableRows,
    ) -> bool:
        is_valid = source.path not in self._crashed
        # the digest of a file of one slice is that of the bytes that were read
        if source.fault is None and (len(slices) > 1 or source.is_archive) and _has_changed(source):
            is_valid = False
            fault = self._fault(Slice(source, "", 0, 0), _CHANGED)
            writer.add("findings", fault.tables["findings"])
            slices += fault.slices
        digest = slices[0].sha256 if len(slices) == 1 else None
        if digest is None and is_valid and source.fault is None:
            with suppress(OSError), remote_faults(source.location), source.open() as file:
                digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # binary
        if not is_valid or not all(one.is_readable for one in slices):
            self.unreadable.append(source.path)
        counts = Counter[str]()
        for one in slices:
            counts.update(one.rows)
        about.add(
            SourceFacts(
                source,
                digest if is_valid else None,
                sum(one.records for one in slices),
                sum(one.bytes for one in slices),
                **counts,
            )
        )
        self._files += 1
        self._bytes += source.size
        self._show(self._bytes)
        return is_valid and (digest is not None or source.fault is not None)

    def _count(self, source: Source, slices: Sequence[SliceRows]) -> None:
        self._games += slices[-1].games
        ratio = PACKED_RATIO if source.is_archive else 1
        done = sum(one.bytes for one in slices) // ratio
        self._show(self._bytes + min(source.size, done))

    def _show(self, done: int) -> None:
        now = monotonic()
        is_last = self._files == self._all_files
        if self._progress is not None and (is_last or now - self._shown >= PROGRESS_SECONDS):
            self._shown = now
            self._progress(
                Progress(
                    self._files,
                    self._all_files,
                    done,
                    self._all_bytes,
                    self._games,
                    now - self._begun,
                )
            )


#: The fault of a file that was not the same at the beginning and at the end.
_CHANGED = Failure(
    "unreadable-file", "it has changed while it was read: build the archive once more"
)


def _has_changed(source: Source) -> bool:
    try:
        return source.changed()
    except OSError:
        return True

"""A run of a build: partitions are read, their rows are merged with those of the earlier run.

A source is a file.  Each of its records is a slice; a large one is cut into pieces, a slice each.
Some slices are a partition, which an engine gives to a process.  Its rows come back as a chunk, a
file of unfinished work.  Rows of pieces are joined; then all rows become parts, the Parquet files.
"""

from __future__ import annotations

import errno
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sgf_lark._version import __version__
from sgf_lark.api.many import failure
from sgf_lark.schema.tables import SCHEMA_VERSION, load_pyarrow, record_batch, tables

from .batches import PartitionRows, SliceRows, read_partition
from .engines import Engine
from .joining import join
from .partitions import PACKED_RATIO, PARTITION_BYTES, Partition, Slice, partitions
from .sources import Fault, Source
from .store.changes import Changes, Earlier, Kept, hash_source
from .store.chunks import Chunk, chunk_keys, key_of, read_chunk, write_chunk
from .store.manifest import WORK, Manifest, read_manifest, write_manifest
from .store.merge import ArchiveMerger
from .store.parts import Rows

if TYPE_CHECKING:
    import pyarrow as pa

#: Sources whose rows are collected before they are written.
SOURCES_AT_ONCE = 1 << 13

#: Seconds between two calls of a function that shows the progress.
PROGRESS_SECONDS = 0.1

#: Bytes of records that wait for those before them, if an interrupted run has read them.
MAX_WAITING_BYTES = 1 << 26

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


class RunResult(NamedTuple):
    """The result of a run.

    Attributes:
        manifest: The manifest that was written.
        unreadable: The paths of sources that could not be read, or not completely.
        resumed: Number of partitions that an interrupted run had read.
        parts_written: Number of new parts.
    """

    manifest: Manifest
    unreadable: tuple[str, ...]
    resumed: int
    parts_written: int


def _partition_bytes(changes: Changes) -> int:
    """Return the size of partitions: small enough that processes share them evenly.

    It is a power of two, so that it seldom changes between a run and the one that resumes it.
    """
    size = sum(one.size * (PACKED_RATIO if one.is_archive else 1) for one in changes.to_read)
    return max(MIN_PARTITION_BYTES, min(PARTITION_BYTES, 1 << (size // PARTITIONS).bit_length()))


def encode_partition(partition: Partition, tables: Sequence[str], options: dict[str, Any]) -> Chunk:
    """Read a partition, in whatever process; return its rows as they are sent and kept."""
    return Chunk.of(read_partition(partition, tables, options))


class Run:
    """A run of a build.

    Args:
        folder: The folder of the archive.
        manifest: The manifest of the earlier run; None if there is none.
        earlier: The sources of the earlier run; None if none of its rows is taken over.
        changes: The sources.
        tables: The names of the tables.
        options: The options by which games are read.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Manifest | None,
        earlier: Earlier | None,
        changes: Changes,
        tables: Sequence[str],
        options: dict[str, Any],
    ) -> None:
        self._folder, self._work = folder, folder / WORK
        self._manifest, self._earlier, self._changes = manifest, earlier, changes
        self._tables = tuple(tables)
        row_tables = tuple(name for name in tables if name != "sources")
        self._facts = (SCHEMA_VERSION, __version__, row_tables, options)
        self._encode = partial(encode_partition, tables=row_tables, options=options)
        self._options = options
        self._resumed = 0
        self._crashed: set[str] = set()

    def build(
        self, engine: Engine, plan: Manifest, progress: Callable[[Progress], object] | None
    ) -> RunResult:
        """Read what has changed, and write the tables.

        Args:
            engine: Reads the partitions.
            plan: The manifest to write, without parts.
            progress: A function to call now and then.

        Raises:
            OSError: Something cannot be written; the archive is as it was.
        """
        manifest = self._manifest
        self._work.mkdir(exist_ok=True)
        remove_leftovers(self._folder, self._manifest)
        merger = ArchiveMerger(self._folder, self._tables, manifest, self._earlier)
        sources = _Sources(merger, progress, self._changes)
        read = partial(self._read, engine)
        try:
            with closing(self._results(engine)) as results:
                self._merge(merger, sources, join(results, read, self._options))
            done = replace(plan, tables=merger.finish())
            write_manifest(self._folder, done)
        except BaseException:
            if read_manifest(self._folder) == manifest:  # else Ctrl-C came after the new one
                merger.discard()
            raise
        for file in sorted((manifest.files if manifest else frozenset()) - done.files):
            with suppress(OSError):  # it is read at this moment
                (self._folder / file).unlink()
        return RunResult(done, tuple(sources.unreadable), self._resumed, merger.new_parts)

    # ---- reading ----

    def _results(self, engine: Engine) -> Generator[tuple[Partition, PartitionRows]]:
        """Yield the partitions and their rows, in order; keep each as a chunk before."""
        changes, known = self._changes, chunk_keys(self._work)
        waiting = deque[tuple[Partition, str, bool]]()
        found = partitions(changes.to_read, _partition_bytes(changes), self._options)
        found = chain((yield from self._kept(known, found)), found)

        def unread() -> Iterator[Partition]:
            for partition in found:
                key = self._key(partition)
                # beyond the limit what is known is read again, else it would fill the memory
                is_kept = key in known and _content_bytes(waiting) <= MAX_WAITING_BYTES
                is_kept = is_kept and read_chunk(self._work, key) is not None
                waiting.append((_emptied(partition) if is_kept else partition, key, is_kept))
                if not is_kept:
                    yield partition

        with closing(engine.read(self._encode, unread())) as outcomes:
            is_done = False
            while not is_done:
                outcome = None
                if not (waiting and waiting[0][2]):
                    outcome = next(outcomes, None)
                    is_done = outcome is None
                while waiting and waiting[0][2]:
                    partition, key, _ = waiting.popleft()
                    chunk = read_chunk(self._work, key)
                    if chunk is None:
                        raise OSError(errno.EIO, "it has changed", str(self._work))
                    self._resumed += 1
                    yield partition, chunk.read()
                    del partition, chunk
                if outcome is None:
                    continue
                partition, key, _ = waiting.popleft()
                if outcome.result is None:
                    error = outcome.error or RuntimeError()
                    yield partition, self._rescued(engine, partition, error)
                else:
                    write_chunk(self._work, key, outcome.result)
                    yield partition, outcome.result.read()
                del partition

    def _kept(
        self, known: set[str], found: Iterator[Partition]
    ) -> Generator[tuple[Partition, PartitionRows], None, list[Partition]]:
        """Yield partitions as long as there are chunks of them; return the next one."""
        for partition in found:
            key = self._key(partition)
            chunk = read_chunk(self._work, key) if key in known else None
            if chunk is None:
                return [partition]
            self._resumed += 1
            yield partition, chunk.read()
            del partition, chunk
        return []

    def _key(self, partition: Partition) -> str:
        """Return the name of the chunk of a partition."""
        slices = [
            (
                one.source.path,
                one.source.size,
                # what has no time may have changed
                one.source.modified if one.source.modified or one.fault else uuid4().hex,
                one.member,
                one.start,
                one.end,
                one.fault,
                one.piece is not None,
            )
            for one in partition.slices
        ]
        return key_of((*self._facts, slices))

    def _read(self, engine: Engine, partition: Partition) -> PartitionRows:
        """Read a partition while others are read."""
        with closing(engine.read(self._encode, iter([partition]))) as outcomes:
            for outcome in outcomes:
                if outcome.result is not None:
                    return outcome.result.read()
                return self._rescued(engine, partition, outcome.error or RuntimeError())
        raise RuntimeError("an engine has read nothing")

    def _rescued(self, engine: Engine, partition: Partition, error: Exception) -> PartitionRows:
        """Read a partition that cannot be read slice by slice; those that cannot are findings."""
        number, slices = partition.number, partition.slices
        found: list[PartitionRows] = []
        # also a single one is read again: the process may have been killed for another reason
        alone = (Partition(number, (one,)) for one in slices)
        with closing(engine.read(self._encode, alone)) as outcomes:
            for one, outcome in zip(slices, outcomes, strict=True):
                if outcome.result is not None:
                    found.append(outcome.result.read())
                else:
                    found.append(self._failed(one, outcome.error or error))
        tables = {
            name: [batch for rows in found for batch in rows.tables[name]]
            for name in found[0].tables
        }
        numbers = tuple(one for rows in found for one in rows.slices)
        return found[0]._replace(number=number, tables=tables, slices=numbers)

    def _failed(self, one: Slice, error: Exception) -> PartitionRows:
        """Return the finding that a slice could not be read."""
        if isinstance(error, OSError | ImportError):
            raise error  # not because of this slice
        self._crashed.add(one.source.path)
        return self._fault(one, Fault("failed-check", failure("checked", error)))

    def _fault(self, one: Slice, fault: Fault) -> PartitionRows:
        emptied = one._replace(content=None, fault=fault)
        return self._encode(Partition(0, (emptied,))).read()

    # ---- merging ----

    def _merge(
        self, merger: ArchiveMerger, sources: _Sources, results: Iterable[PartitionRows]
    ) -> None:
        """Give the rows of all sources to the tables, in the order of the sources."""
        order = self._changes.order
        groups = groupby(_slice_tables(results), key=lambda one: one[0].source)
        for number, entry in enumerate(order):
            if isinstance(entry, Kept):
                sources.flush()
                merger.take(entry, is_last=number == len(order) - 1)
                continue
            path, slices = next(groups)
            if path != entry.path:
                raise RuntimeError(f"rows of {path}, expected those of {entry.path}")
            sources.begin()
            count = 0
            for one, rows in slices:
                sources.add(entry, one, rows)
                count += 1
            is_valid = entry.path not in self._crashed
            # the digest of a file of one slice is that of the bytes that were read
            if entry.fault is None and (count > 1 or entry.is_archive) and _has_changed(entry):
                is_valid = False
                for one, rows in _slice_tables([self._fault(Slice(entry, "", 0, 0), _CHANGED)]):
                    sources.add(entry, one, rows)
            sources.end(entry, is_valid=is_valid)
        sources.flush()


#: The fault of a file that was not the same at the beginning and at the end.
_CHANGED = Fault("unreadable-file", "it has changed while it was read: build the archive once more")


def _has_changed(source: Source) -> bool:
    try:
        return source.changed()
    except OSError:
        return True


def remove_leftovers(folder: Path, manifest: Manifest | None) -> None:
    """Remove what a killed run has left in the folder of an archive, but its chunks."""
    known = frozenset[str]() if manifest is None else manifest.files
    for path in [*folder.glob("*/part-*.parquet"), *(folder / WORK).glob("*.tmp")]:
        if path.relative_to(folder).as_posix() not in known:
            path.unlink()


def _content_bytes(waiting: Iterable[tuple[Partition, str, bool]]) -> int:
    """Return the bytes of the pieces of records among partitions, with their contents."""
    return sum(len(partition.slices[0].content or b"") for partition, _, _ in waiting)


def _emptied(partition: Partition) -> Partition:
    """Return a partition without the contents of its slices.

    A piece of a record keeps its content: it may have to be read again with those beside it.
    """
    slices = tuple(
        one if one.piece is not None else one._replace(content=None) for one in partition.slices
    )
    return partition._replace(slices=slices)


def _slice_tables(
    results: Iterable[PartitionRows],
) -> Iterator[tuple[SliceRows, dict[str, Iterator[Rows]]]]:
    """Yield slices and their rows in each table, which are to be taken before the next slice."""
    for rows in results:
        tables = {name: _Batches(found) for name, found in rows.tables.items()}
        for one in rows.slices:
            yield one, {name: batches.take(one.rows[name]) for name, batches in tables.items()}
        del rows, tables  # while the next ones are read


class _Batches:
    """Rows that are taken one slice after the other; one batch of them is in memory.

    Args:
        batches: The batches.
    """

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._batches = iter(batches)
        self._table = Rows(None, 0, 0)

    def take(self, count: int) -> Iterator[Rows]:
        """Yield the next rows."""
        while count:
            table, start, end = self._table
            if start == end:
                following = load_pyarrow().Table.from_batches([next(self._batches)])
                self._table = Rows(following, 0, following.num_rows)
                continue
            stop = min(end, start + count)
            self._table = Rows(table, stop, end)
            count -= stop - start
            yield Rows(table, start, stop)


class _Sources:
    """The sources that are read: their rows, and those about them.

    Args:
        merger: Takes the rows.
        progress: A function to call now and then; None for none.
        changes: The sources of the run.

    Attributes:
        unreadable: The paths of sources that could not be read, or not completely.
    """

    def __init__(
        self, merger: ArchiveMerger, progress: Callable[[Progress], object] | None, changes: Changes
    ) -> None:
        self._merger, self._progress = merger, progress
        self._columns: dict[str, list[Any]] = {column.name: [] for column in tables()["sources"]}
        self._all_files = sum(1 for _ in changes.to_read)
        self._all_bytes = changes.size
        self._files = self._bytes = self._games = 0
        self._begun = self._shown = monotonic()
        self.unreadable: list[str] = []
        self._is_readable = True
        self._sha256: str | None = None
        self._slices = self._records = self._read = 0
        self._rows: Counter[str] = Counter()

    def begin(self) -> None:
        """Begin a source."""
        self._is_readable = True
        self._sha256 = None
        self._slices = self._records = self._read = 0
        self._rows.clear()

    def add(self, source: Source, one: SliceRows, rows: Mapping[str, Iterable[Rows]]) -> None:
        """Add a slice of a source and its rows."""
        for table, parts in rows.items():
            for part in parts:
                self._merger.add(table, *part)
        self._rows.update(one.rows)
        self._slices += 1
        self._records += one.records
        self._read += one.bytes
        self._games += one.games
        self._sha256 = one.sha256
        self._is_readable &= one.is_readable
        ratio = PACKED_RATIO if source.is_archive else 1
        self._show(self._bytes + min(source.size, self._read // ratio))

    def end(self, source: Source, *, is_valid: bool) -> None:
        """End a source.

        Args:
            source: The source.
            is_valid: Its rows are those of its bytes; if not, the next run reads it again.
        """
        sha256 = self._sha256 if self._slices == 1 else None
        if sha256 is None and is_valid and source.fault is None:
            with suppress(OSError):
                sha256 = hash_source(source)
        if not is_valid or not self._is_readable:
            self.unreadable.append(source.path)
        facts = {
            "source": source.path,
            "kind": source.kind,
            "size": source.size,
            "modified": source.modified,
            "sha256": sha256 if is_valid else None,
            "records": self._records,
            "bytes": self._read,
        }
        for name, column in self._columns.items():
            column.append(facts[name] if name in facts else self._rows[name])
        if len(self._columns["source"]) >= SOURCES_AT_ONCE:
            self.flush()
        self._files += 1
        self._bytes += source.size
        self._show(self._bytes)

    def flush(self) -> None:
        """Give the rows about sources to their table."""
        if self._columns["source"]:
            pa = load_pyarrow()
            rows = pa.Table.from_batches([record_batch("sources", self._columns)])
            self._merger.add("sources", rows)
            self._columns = {name: [] for name in self._columns}

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

"""The store of an archive: its manifest, groups of sources, and parts, the Parquet files of rows.

``_manifest.json`` names the parts that are valid, and what they were made from.  It is replaced at
the end of a build, so a folder has the rows of the last complete one, whatever happened to later
ones.  Files that it does not name do not belong to the archive.

The sources, sorted by path, are cut into groups by the contents of their paths, so that one new
source changes one group.  The key of a group is a digest of all that its rows depend on, and the
name of its files; a build reads the groups of which there are no files.  A part of a killed build
has its file of ``sources`` only if it is complete.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sgf_lark.files.members import ArchiveError
from sgf_lark.files.writing import sync_folder
from sgf_lark.report.tables import SCHEMA_VERSION, arrow_schema, load_pyarrow, tables

from .partitions import PACKED_RATIO, pack
from .sources import Source

if TYPE_CHECKING:
    import pyarrow as pa


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
    temporary = folder / WORK / MANIFEST
    with temporary.open("wb") as file:
        file.write(json.dumps(asdict(manifest)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / MANIFEST)
    sync_folder(folder)


def _manifest(facts: dict[str, Any]) -> Manifest:
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


#: A group ends after a path whose SHA-256 is 0 modulo this number.
BORDER_MODULUS = 128

#: Limits of the sources of a group, and of their bytes; a larger source is alone, and so is an
#: archive.
MAX_GROUP_SOURCES, MAX_GROUP_BYTES = 1 << 10, 1 << 22

#: Limit of parts: a join of tables of 1,000 files takes 10 times as long as one of 4.
MAX_PARTS = 500

#: Rows of a row group; games have long lines, and are few.
GROUP_ROWS = {"games": 1 << 14}
DEFAULT_GROUP_ROWS = 1 << 17

#: Compression of a file; higher levels take longer and save little on these tables.
COMPRESSION, LEVEL = "zstd", 3

#: Names of files of this version, and of earlier versions of the tables.
_OWN_NAME = re.compile(r"([0-9a-f]{32}|part-[0-9]{5,9})\.parquet")


# ---- groups ----


class SourceGroup(NamedTuple):
    """Consecutive sources whose rows are written together."""

    # digest of all that the rows depend on; by chance if a source has no time, so that it is read
    # by each build
    key: str
    sources: tuple[Source, ...]


def group_sources(sources: Iterable[Source], facts: object) -> Iterator[SourceGroup]:
    packs = pack(
        sources,
        _weight,
        MAX_GROUP_BYTES,
        most=MAX_GROUP_SOURCES,
        is_alone=lambda source: source.is_archive,
        ends=_is_border,
    )
    for group in packs:
        yield SourceGroup(_key(facts, group), group)


def _weight(source: Source) -> int:
    return source.size * (PACKED_RATIO if source.is_archive else 1)


def _is_border(source: Source) -> bool:
    digest = sha256(source.path.encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest, "big") % BORDER_MODULUS == 0


def _key(facts: object, sources: Sequence[Source]) -> str:
    if any(source.modified is None and source.fault is None for source in sources):
        return uuid4().hex
    states = [(one.path, one.size, one.modified, one.fault) for one in sources]
    return _digest([facts, states])


def _digest(facts: object) -> str:
    return blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=16).hexdigest()


# ---- parts ----


class PartRange(NamedTuple):
    """Consecutive groups of a part: the number of the first one, and that after the last."""

    part: StoredPart
    first: int
    end: int

    @property
    def is_whole(self) -> bool:
        return self.end - self.first == len(self.part.groups)

    @property
    def size(self) -> int:
        return sum(sum(rows.values()) for _, rows in self.part.groups[self.first : self.end])

    def rows(self, table: str) -> tuple[int, int]:
        """Return the number of their first row in a file, and that after the last."""
        counts = [rows.get(table, 0) for _, rows in self.part.groups]
        return sum(counts[: self.first]), sum(counts[: self.end])


class PartWriter:
    """Writes a part: beside the others, with other names until it is complete."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: dict[str, list[pa.RecordBatch]] = {}
        self._files: dict[str, tuple[Any, Any]] = {}
        self.rows: dict[str, int] = {}

    def add(self, table: str, batches: Iterable[pa.RecordBatch]) -> None:
        """Add rows to a table (OSError: they cannot be written)."""
        waiting = self._waiting.setdefault(table, [])
        limit = GROUP_ROWS.get(table, DEFAULT_GROUP_ROWS)
        for batch in batches:
            if batch.num_rows:
                self.rows[table] = self.rows.get(table, 0) + batch.num_rows
                waiting.append(batch)
                if sum(one.num_rows for one in waiting) >= limit:
                    self._write(table)

    def _write(self, table: str) -> None:
        import pyarrow.parquet as pq

        if table not in self._files:
            file = (self._folder / WORK / f"{table}.tmp").open("wb")
            writer = pq.ParquetWriter(
                file, arrow_schema(table), compression=COMPRESSION, compression_level=LEVEL
            )
            self._files[table] = file, writer
        self._files[table][1].write_table(load_pyarrow().Table.from_batches(self._waiting[table]))
        self._waiting[table].clear()

    def finish(self, name: str, groups: Sequence[tuple[str, Mapping[str, int]]] = ()) -> StoredPart:
        """Complete the files and give them their names (OSError: they cannot be written).

        Args:
            groups: Its groups; if there are none, its only group has its name.
        """
        sizes: dict[str, int] = {}
        for table, waiting in self._waiting.items():
            if waiting:
                self._write(table)
        for table, (file, writer) in self._files.items():
            writer.close()
            file.flush()
            os.fsync(file.fileno())
            sizes[table] = file.tell()
            file.close()
        part = StoredPart(name, tuple(groups) or ((name, self.rows),), sizes)
        for table in sorted(sizes, key="sources".__eq__):  # which shows that the part is complete
            path = self._folder / part.file(table)
            path.parent.mkdir(exist_ok=True)
            Path(self._files[table][0].name).replace(path)
        return part

    def discard(self) -> None:
        for file, writer in self._files.values():
            with suppress(Exception):  # it would be closed later, when nobody expects its error
                writer.close()
            with suppress(OSError):
                file.close()
            Path(file.name).unlink(missing_ok=True)


def find_parts(
    folder: Path, manifest: Manifest | None, groups: Iterable[SourceGroup]
) -> tuple[dict[str, PartRange], int]:
    """Find the rows of groups in the folder of an archive.

    Returns:
        The places of the groups that are there, by their keys; and the number of those that the
        manifest does not name: a killed build has read them.
    """
    found = {
        key: PartRange(part, at, at + 1)
        for part in (manifest.parts if manifest else ())
        if part.is_complete(folder)
        for at, (key, _) in enumerate(part.groups)
    }
    resumed = 0
    for group in groups:
        part = None if group.key in found else _find_unnamed(folder, group.key)
        if part is not None:
            found[group.key] = PartRange(part, 0, 1)
            resumed += 1
    return found, resumed


def _find_unnamed(folder: Path, key: str) -> StoredPart | None:
    pa = load_pyarrow()
    import pyarrow.parquet as pq

    part = StoredPart(key, (), {})
    rows, sizes = {}, {}
    try:
        for table in tables():
            path = folder / part.file(table)
            if path.exists():
                rows[table], sizes[table] = pq.read_metadata(path).num_rows, path.stat().st_size
        if "sources" not in sizes:
            return None
        about = pq.read_table(folder / part.file("sources"))
    except (OSError, pa.ArrowInvalid):
        return None
    expected = {name: sum(about[name].to_pylist()) for name in tables() if name != "sources"}
    is_complete = all(rows.get(name, 0) == count for name, count in expected.items())
    return StoredPart(key, ((key, rows),), sizes) if is_complete else None


def arrange(folder: Path, places: Iterable[PartRange]) -> list[StoredPart]:
    """Return parts of groups in their order; write those that are new."""
    ranges: list[PartRange] = []
    for place in places:
        last = ranges[-1] if ranges else None
        if last is not None and last.part is place.part and last.end == place.first:
            ranges[-1] = last._replace(end=place.end)
        else:
            ranges.append(place)
    # two neighbors have more rows than the limit, so that there are less than MAX_PARTS
    limit = sum(one.size for one in ranges) * 2 // MAX_PARTS if len(ranges) > MAX_PARTS else 0
    found = []
    for bundle in pack(ranges, lambda one: one.size, limit):
        is_kept = len(bundle) == 1 and bundle[0].is_whole
        found.append(bundle[0].part if is_kept else _copy(folder, bundle))
    return found


def _copy(folder: Path, bundle: Sequence[PartRange]) -> StoredPart:
    # Not by COPY of DuckDB: it knows no hashes of a fixed size, no columns without nulls, and no
    # metadata of columns.  It takes 4 seconds of CPU time for 300 parts of 600, and this one 5.
    groups = [group for one in bundle for group in one.part.groups[one.first : one.end]]
    keys = [key for key, _ in groups]
    writer = PartWriter(folder)
    try:
        for one in bundle:
            for table in one.part.bytes:
                path = folder / one.part.file(table)
                writer.add(table, _read_rows(path, *one.rows(table)))
        return writer.finish(keys[0] if len(keys) == 1 else _digest(keys), groups)
    except BaseException:
        writer.discard()
        raise


def _read_rows(path: Path, start: int, end: int) -> list[pa.RecordBatch]:
    import pyarrow.parquet as pq

    # a table that is cut has few rows: it is one of several groups
    rows: pa.Table = pq.read_table(path, use_threads=False, memory_map=True)
    return list(rows.slice(start, end - start).to_batches())


# ---- the folder ----


def remove_unnamed(folder: Path, manifest: Manifest) -> None:
    """Remove the files that a manifest does not name, and the folder of unfinished ones."""
    for table in tables():
        for path in folder.glob(f"{table}/*.parquet"):
            if _OWN_NAME.fullmatch(path.name) and f"{table}/{path.name}" not in manifest.files:
                with suppress(OSError):  # it is read at this moment
                    path.unlink()
    shutil.rmtree(folder / WORK, ignore_errors=True)


#: Descriptors of locked folders; a child of this process must not keep a lock.
_locked: set[int] = set()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes; the lock ends with its process.

    Where a file system has no locks, nothing is locked.

    Raises:
        ArchiveError: Another process has locked it.
        OSError: It cannot be opened.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    _locked.add(descriptor)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            words = "another process is building this archive: wait until it is done"
            raise ArchiveError(words, os.fspath(folder)) from None
        except OSError:
            pass
        yield
    finally:
        _locked.discard(descriptor)
        os.close(descriptor)


def _unlock_child() -> None:
    """Close the locked folders in a process that was forked, else they stay locked with it."""
    for descriptor in _locked:
        with suppress(OSError):
            os.close(descriptor)
    _locked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_child)

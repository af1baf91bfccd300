"""Build an archive: read the games of many sources, and write them as tables."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from glob import has_magic
from hashlib import blake2b, sha256
from pathlib import Path
from time import monotonic
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from sgf_lark._version import __version__
from sgf_lark.core import (
    Format,
    FormatName,
    Options,
    PropertyTable,
    ReadOptions,
    ValueMethods,
    ValuesFile,
    grammars,
    require_codec,
    require_paths,
)
from sgf_lark.files.many import cores
from sgf_lark.files.members import ArchiveError, FilePath
from sgf_lark.files.result_cache import reading_facts
from sgf_lark.report.tables import SCHEMA_VERSION, load_pyarrow, tables

from .engines import PartitionReader, Processes, dask_engine
from .run import Progress, Rebuild
from .sources import Source, find_sources, is_address, source_name
from .store import (
    MANIFEST,
    WORK,
    Manifest,
    find_parts,
    group_sources,
    locked,
    read_manifest,
    remove_unnamed,
)

#: Bytes of sources that are worth a second process.
MIN_BYTES_FOR_PROCESSES = 1 << 20

#: What may be in the folder of an archive.
_OWN = {MANIFEST, WORK, *tables()}


@dataclass(frozen=True)
class BuildReport:
    """The result of :func:`build`.

    Attributes:
        new, changed, unchanged: Numbers of sources: files of games, and archives of them.
        removed: The paths of sources whose rows were removed: their files are not there any more,
            or nobody wants them.
        unreadable: The paths of sources that could not be read, or not completely; the table
            ``findings`` has the reasons.
        rows: The number of rows of each table.
        again: The reason why all sources were read; "" if only what had changed was.
        resumed: Number of groups of sources that an interrupted run had read.
        parts_written, parts_kept: Numbers of Parquet files.
        bytes: Number of bytes of the sources that were read.
        seconds: The time that it took.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)
    again: str = ""
    resumed: int = 0
    parts_written: int = 0
    parts_kept: int = 0
    bytes: int = 0
    seconds: float = 0.0


class _Wanted(NamedTuple):
    sources: tuple[str, ...]
    options: dict[str, Any]  # the options of load, as the manifest has them
    tables: tuple[str, ...]


def build(
    sources: Iterable[FilePath],
    output: FilePath,
    *,
    jobs: int | None = None,
    engine: Literal["processes", "dask"] = "processes",
    scheduler: str | None = None,
    positions: bool | None = None,
    patterns: bool | None = None,
    analysis: bool | None = None,
    format: Format | FormatName | None = None,
    encoding: str | None = None,
    table: PropertyTable | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueMethods | ValuesFile | None = None,
    remove: Iterable[FilePath] = (),
    progress: Callable[[Progress], object] | None = None,
) -> BuildReport:
    """Build an archive of games, or bring one up to date.

    The archive is a folder of Parquet files that pyarrow, DuckDB, Polars and pandas read; see
    :func:`sgf_lark.archive.read`.  An archive that exists gets the new sources beside those that
    it has; of those, only files are read that have changed, with their neighbors in a group.  The
    rows do not depend on the engine or the number of jobs.

    A run that is interrupted, killed or out of space leaves the archive as it was; the next one
    with the same arguments goes on where it ended.  A file that cannot be read is a row of the
    table ``findings``.

    Args:
        sources: Files, folders, archives, patterns and addresses; see
            :func:`~sgf_lark.archive.sources.find_sources`.  None are needed for an archive that
            exists.  One that is named again by another path keeps its first name.
        output: The folder of the archive; it is created.
        jobs: The number of processes; 1 for only this one.  None for one on each core, if there is
            enough work.
        engine: ``processes`` for those of this machine, ``dask`` for a cluster.
        scheduler: The address of the scheduler of Dask; None for a cluster on this machine.
        positions: Fill the table ``positions``, too, which is large; None for as before.
        patterns: Fill the table ``lives``, too, in which :func:`~sgf_lark.archive.find` searches
            patterns; None for as before.
        analysis: Fill the table ``analysis``, too: what engines say of positions; None for as
            before.
        format, encoding, table, grammar, values: As for :func:`sgf_lark.load`, for all files.  All
            are read again when these change; each time with an object as values or in a table.
        remove: Sources of earlier runs to forget; their rows are removed.
        progress: A function to call now and then.

    Returns:
        What was done.

    Raises:
        ArchiveError: The folder has other files, or another process is building it, or a source of
            an earlier run is gone and not in ``remove``, or one to remove is unknown.
        OSError: The folder cannot be written, or the disk is full.
        ImportError: A package is not installed.
        LookupError: The encoding is not known.
        SgfGrammarError: The grammar has errors.
        TypeError: ``sources`` or ``remove`` is one path, not several.
        ValueError: There are no sources, ``jobs`` is less than 1, or an option is wrong.
    """
    begun = monotonic()
    load_pyarrow()
    require_paths(sources)
    require_paths(remove)
    given = [source_name(source) for source in sources]
    forgotten = {source_name(source) for source in remove}
    if jobs is not None and jobs < 1:
        raise ValueError(f"invalid value {jobs} for jobs: expected at least 1")
    if engine not in {"processes", "dask"}:
        raise ValueError(f"invalid value {engine!r} for engine: expected 'processes' or 'dask'")
    if encoding is not None:
        require_codec(encoding)
    if grammar is not None:  # for processes that have another folder
        grammar = grammars.path(os.fspath(grammar)).absolute()
    reading: ReadOptions = {"table": table, "grammar": grammar, "values": values}
    reading |= {"format": None if format is None else Format.named(format), "encoding": encoding}
    Options.of(**reading)  # raises what is wrong with them
    options = _facts_of(reading)
    folder = Path(output)
    with _claimed(folder):
        manifest = read_manifest(folder)
        places = {_place(name): name for name in reversed(manifest.sources if manifest else ())}
        given = [places.setdefault(_place(name), name) for name in given]
        forgotten = {places.get(_place(name), name) for name in forgotten}
        extra = {"positions": positions, "lives": patterns, "analysis": analysis}
        wanted = _wanted(given, forgotten, manifest, options, extra)
        again = "" if manifest is None else _why_again(manifest, wanted)
        earlier = _Earlier(folder, manifest if not again else None)
        earlier.require_roots(wanted.sources)
        facts = [SCHEMA_VERSION, __version__, wanted.tables, wanted.options]
        groups = list(group_sources(find_sources(wanted.sources), facts))
        counts = earlier.compare(source for group in groups for source in group.sources)
        if again:
            counts["changed"] = counts.pop("new")
        found, resumed = find_parts(folder, manifest, groups)
        unread = [group for group in groups if group.key not in found]
        keys = [group.key for group in groups]
        size = sum(source.size for group in unread for source in group.sources)
        run = Rebuild(folder, unread, wanted.tables, {**reading}, progress)
        done = manifest
        is_same = manifest is not None and manifest.sources == wanted.sources
        if done is None or unread or not is_same or done.keys != keys:
            plan = Manifest(
                SCHEMA_VERSION,
                __version__,
                _facts(wanted),
                os.getcwd(),  # noqa: PTH109  # a text
                wanted.sources,
                wanted.tables,
            )
            with _engine(engine, scheduler, jobs, size) as chosen:
                done = run.build(chosen, found, keys, plan)
        remove_unnamed(folder, done)
        written = done.files - (manifest.files if manifest else frozenset())
        return BuildReport(
            **counts,
            removed=tuple(earlier.states),
            unreadable=tuple(run.unreadable),
            rows={table: done.rows(table) for table in done.tables},
            again=again,
            resumed=resumed,
            parts_written=len(written),
            parts_kept=len(done.files) - len(written),
            bytes=size,
            seconds=monotonic() - begun,
        )


def _facts_of(reading: ReadOptions) -> dict[str, Any]:
    """Return options as the manifest has them; code is another each time."""
    format_: Any = reading["format"]
    facts: dict[str, Any] = {"format": format_ and format_.value, "encoding": reading["encoding"]}
    values, more = reading["values"], reading_facts({**reading, "values": None})
    if isinstance(values, ValuesFile) and more is not None:
        more["values"] = values.name, sha256(Path(values.path).read_bytes()).hexdigest()
    elif values is not None:
        more = None
    if more:
        text = json.dumps(more, sort_keys=True)
        more = {"reading": blake2b(text.encode(), digest_size=16).hexdigest()}
    return facts | ({"reading": uuid4().hex} if more is None else more)


class _Earlier:
    def __init__(self, folder: Path, manifest: Manifest | None) -> None:
        import pyarrow.parquet as pq

        # size, time and SHA-256 of each source
        self.states: dict[str, tuple[int, int | None, str | None]] = {}
        for part in manifest.parts if manifest else ():
            with suppress(OSError):  # a file that is gone is written again
                names = ["source", "size", "modified", "sha256"]
                rows = pq.read_table(folder / part.file("sources"), columns=names)
                columns = (rows[name].to_pylist() for name in names)
                self.states |= {path: state for path, *state in zip(*columns, strict=True)}

    def require_roots(self, names: Iterable[str]) -> None:
        """Test that each source is there that was named earlier, else its rows would be removed."""
        for name in names:
            if is_address(name) or has_magic(name) or os.path.lexists(name):
                continue
            below = name.rstrip("/") + "/"
            states = self.states.items()
            if any(state[2] and (path == name or path.startswith(below)) for path, state in states):
                words = (
                    "this source of the archive is gone; its rows stay until --remove removes them"
                )
                raise ArchiveError(words, name)

    def compare(self, sources: Iterable[Source]) -> dict[str, int]:
        counts = dict.fromkeys(("new", "changed", "unchanged"), 0)
        for source in sources:
            state = self.states.pop(source.path, None)
            if state is None:
                counts["new"] += 1
                continue
            size, modified, digest = state
            is_same = (size, modified) == (source.size, source.modified)
            is_known = source.fault is not None or None not in {modified, digest}
            counts["unchanged" if is_same and is_known else "changed"] += 1
        return counts


# ---- what is wanted ----


def _place(source: str) -> str:
    """Return the same text for all names of a file or folder, such as a relative path."""
    with suppress(ValueError):
        return source if is_address(source) else os.path.realpath(source)
    return source


def _wanted(
    given: list[str],
    forgotten: set[str],
    manifest: Manifest | None,
    options: dict[str, Any],
    extra: Mapping[str, bool | None],
) -> _Wanted:
    """Return sources and options: those that are given, and those of the earlier run."""
    known = () if manifest is None else manifest.sources
    for name in sorted(forgotten - set(known)):
        words = "this is no source of the archive" + "".join(f"\n  {one}" for one in known)
        raise ArchiveError(words, name)
    sources = tuple(name for name in dict.fromkeys([*known, *given]) if name not in forgotten)
    if not sources:
        raise ValueError("no sources: name the files, folders or archives of games")
    if manifest is not None:
        _test_folder(manifest, [name for name in sources if name in known])
    earlier = {} if manifest is None else manifest.options
    added = [name for name, on in extra.items() if (earlier.get(name) if on is None else on)]
    names = ["games", "moves", "findings", *added, "sources"]
    return _Wanted(sources, options, tuple(names))


def _test_folder(manifest: Manifest, names: list[str]) -> None:
    """Test that relative sources of the earlier run are looked for where they were."""
    for name in names:
        is_there = not is_address(name) and os.path.lexists(Path(manifest.folder) / name)
        if is_there and not os.path.lexists(name):
            words = f"this source of the archive is in {manifest.folder}: run the command there"
            raise ArchiveError(words, name)


def _facts(wanted: _Wanted) -> dict[str, Any]:
    extra = ("positions", "lives", "analysis")
    return wanted.options | {name: name in wanted.tables for name in extra}


def _why_again(manifest: Manifest, wanted: _Wanted) -> str:
    """Return the reason why all sources have to be read again; "" if there is none."""
    if manifest.schema != SCHEMA_VERSION:
        return f"the tables have version {manifest.schema}, and are now of {SCHEMA_VERSION}"
    if manifest.program != __version__:
        return f"sgf_lark {manifest.program} had written them, and this is {__version__}"
    return "the options have changed" if manifest.options != _facts(wanted) else ""


# ---- the folder ----


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """Create the folder of an archive, and lock it; remove it again if nothing comes of it."""
    is_new = not os.path.lexists(folder)
    folder.mkdir(parents=True, exist_ok=True)
    others = sorted(set(os.listdir(folder)) - _OWN)  # noqa: PTH208  # names are enough
    if others and not (folder / MANIFEST).exists():
        words = f"this folder has other files ({others[0]}): choose an empty or a new one"
        raise ArchiveError(words, os.fspath(folder))
    try:
        with locked(folder):
            yield
    except BaseException:
        with suppress(OSError):
            if is_new:
                folder.rmdir()
        raise


@contextmanager
def _engine(
    name: str, scheduler: str | None, jobs: int | None, size: int
) -> Iterator[PartitionReader]:
    if scheduler is None and jobs is None:
        jobs = cores() if size >= MIN_BYTES_FOR_PROCESSES else 1
    if name == "dask":
        with dask_engine(scheduler, jobs or 1) as engine:
            yield engine
    else:
        yield Processes(jobs or 1)

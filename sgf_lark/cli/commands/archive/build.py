"""The command ``sgf-lark archive build``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from glob import has_magic, iglob
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import click

from sgf_lark.cli.grammars import check_for_records
from sgf_lark.cli.interface import Bundle, PathType, argument, command, option, switch
from sgf_lark.cli.options import RecordOptions, WorkOptions, reported_settings, verify_settings
from sgf_lark.cli.output import console, fail, reported_failure
from sgf_lark.core import plural, reason
from sgf_lark.files.members import ArchiveError
from sgf_lark.files.paths import MAX_SHOWN, SUFFIXES
from sgf_lark.report.terminal import say

from .tables import reported_errors

if TYPE_CHECKING:
    from sgf_lark.archive.build import BuildReport
    from sgf_lark.archive.run import Progress


class ArchiveOptions(Bundle, section="Archive"):
    """The folder of the archive, and its content."""

    folder: Path = option(
        "The folder of the archive: a new one, or one to bring up to date.",
        "-o",
        "--output",
        required=True,
        metavar="DIR",
    )
    positions: bool | None = switch(
        "Fill the table of positions, too, which is large.  [default: as before, at first not]"
    )
    patterns: bool | None = switch(
        "Fill the table of lives, too, in which 'find' searches."
        "  [default: as before, at first not]"
    )
    analysis: bool | None = switch(
        "Fill the table of analysis, too: what engines say of positions."
        "  [default: as before, at first not]"
    )
    remove: tuple[str, ...] = option(
        "Forget this source of the archive, and remove its rows.", type=PathType(), metavar="SOURCE"
    )


class NamedSettingsOptions(Bundle, section="Settings"):
    """A settings file that is read if it is named."""

    config: str | None = option(
        "Read the records by the grammar, values, properties and games of this settings file."
        "  [default: none]",
        type=PathType(),
    )

    def reading(self, by: RecordOptions) -> dict[str, Any]:
        """Return the options of :func:`sgf_lark.load` that are named; exit if they are invalid."""
        from sgf_lark.core import CheckOptions
        from sgf_lark.settings.settings import FileOptions

        with reported_settings(), reported_failure(f"--config: {self.config}"):
            options = FileOptions(
                CheckOptions.model_construct(),
                self.config,
                isolated=self.config is None,
                reading=by.over_settings,
            )
            check_for_records(by)
            verify_settings(options)
        return options.reading_by(options.settings)


class EngineOptions(WorkOptions, section="Work"):
    """The processes that work."""

    engine: Literal["processes", "dask"] = option(
        "Work in processes of this machine, or in those of a Dask cluster.", default="processes"
    )
    scheduler: str | None = option(
        "With --engine dask: the scheduler of the cluster, such as tcp://10.0.0.1:8786."
        "  [default: a cluster on this machine]",
        metavar="ADDRESS",
    )


@command(
    argument(
        "sources",
        "[SOURCES]...",
        "Files; archives such as games.zip or games.tar.gz; folders, for the archives in"
        f" them and the files that end in {', '.join(SUFFIXES)}; patterns such as"
        " 'games/*.sgf'; addresses such as s3://bucket/games.  [default: those that the"
        " archive has]",
    ),
)
def build(
    sources: tuple[str, ...],
    archive: ArchiveOptions,
    reading: RecordOptions,
    settings: NamedSettingsOptions,
    work: EngineOptions,
) -> None:
    """Read game records into the tables of an archive.

    The tables are Parquet files: games, moves, findings, sources and, with --positions, --patterns
    and --analysis, positions, lives and analysis. A second run adds new sources, reads files that
    have changed and few others, and removes the rows of files that are gone from their folders. An
    interrupted run is completed by the next one.

    Exit code: 0 if the archive is complete, whatever its records are like: a file that cannot be
    read is a finding. 2 if a source that is named does not exist, or the archive cannot be
    written.

    Examples:
        sgf-lark archive build games games.zip -o go.archive
        sgf-lark archive build -o go.archive
    """
    from sgf_lark.archive.sources import source_name
    from sgf_lark.archive.store import read_manifest

    if work.scheduler is not None and work.engine != "dask":
        fail("--scheduler needs --engine dask")
    if "" in sources:
        raise click.UsageError("SOURCES: a path is empty")
    with reported_errors():
        manifest = read_manifest(archive.folder)
        known = set(manifest.sources) if manifest else set()
        _require_sources(sources, known, set(map(source_name, archive.remove)))
        options = {
            "jobs": work.jobs,
            "engine": work.engine,
            "scheduler": work.scheduler,
            "positions": archive.positions,
            "patterns": archive.patterns,
            "analysis": archive.analysis,
            "format": reading.read_as,
            "encoding": reading.encoding,
            "remove": archive.remove,
            **settings.reading(reading),
        }
        report = _build([*sources], archive.folder, options, is_quiet=work.quiet)
    if not work.quiet:
        for line in summary(archive.folder, report):
            say(line)


def _require_sources(named: Sequence[str], known: set[str], removed: set[str]) -> None:
    """Exit if there are no sources, or one that is named does not exist, and was none earlier."""
    from sgf_lark.archive.sources import is_address, source_name

    if not named and known <= removed:
        fail("SOURCES is missing: name the files, folders or archives of games")
    for name in named:
        if is_address(name) or source_name(name) in known or os.path.lexists(name):
            continue
        if not has_magic(name):
            fail(f"{name}: no such file or folder")
        if next(iglob(name, recursive=True), None) is None:  # noqa: PTH207  # any path
            fail(f"{name}: no file matches this pattern")


def _build(
    sources: list[str], folder: Path, options: dict[str, Any], *, is_quiet: bool
) -> BuildReport:
    from sgf_lark.archive.build import build as build_archive
    from sgf_lark.archive.engines import SchedulerError
    from sgf_lark.cli.progress import BuildBar

    terminal = None if is_quiet else console(sys.stderr).on_terminal
    done: Progress | None = None

    def show(progress: Progress) -> None:
        nonlocal done
        done = progress
        if bar is not None:
            bar.show(progress)

    try:
        with nullcontext() if terminal is None else BuildBar(terminal) as bar:
            return build_archive(sources, folder, progress=show, **options)
    except KeyboardInterrupt:
        counts = f"{done.files:,} of {done.all_files:,} files read" if done else "no file read"
        say(f"interrupted: {counts}; the same command again goes on from there", err=True)
        raise
    except SchedulerError as error:
        fail(str(error))
    except ArchiveError:
        raise
    except (FileExistsError, NotADirectoryError):
        fail(f"{folder}: this is a file, or in one: choose a folder")
    except OSError as error:
        place = folder if error.filename is None else error.filename
        fail(f"{place}: {reason(error)}; the archive is as it was, and the next run goes on")


def archive_of(named: Path, *, patterns: bool = False) -> Path:
    """Return the folder of an archive; that of records is a cache, kept up to date."""
    from sgf_lark.archive.store import MANIFEST, WORK
    from sgf_lark.files.result_cache import cache_folder

    if not named.exists() or (named / MANIFEST).exists() or (named / WORK).exists():
        return named
    place = os.path.realpath(named)
    key = sha256(os.fsencode(place)).hexdigest()[:12]
    cache, kept = cache_folder(), "are kept"
    if cache is None:  # then for this one time
        made = click.get_current_context().with_resource(TemporaryDirectory(prefix="sgf-lark-"))
        cache, kept = Path(made), "are, for now,"
    folder = cache / "archives" / f"{Path(place).name}-{key}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    rows = _build([place], folder, {"patterns": patterns or None}, is_quiet=False).rows
    games = f"{plural(rows['games'], 'game')} in {plural(rows['sources'], 'file')}"
    say(f"{named}: {games}; their tables {kept} in {folder}", err=True)
    return folder


def summary(folder: Path, report: BuildReport) -> Iterator[str]:
    rows = report.rows
    counts = [f"{count:,} {name}{'s'[: count != 1]}" for count, name in counted(rows)]
    if report.unreadable:
        counts[0] += f" ({len(report.unreadable):,} unreadable)"
    yield f"{folder}: {', '.join(counts)} in {report.seconds:.1f} s"
    changes = {
        "new": report.new,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "removed": len(report.removed),
    }
    yield ", ".join(f"{count:,} {name}" for name, count in changes.items() if count)
    if report.again:
        yield f"all files were read again: {report.again}"
    if report.resumed:
        yield "continued an interrupted run"
    if report.unreadable:
        names, more = ", ".join(report.unreadable[:MAX_SHOWN]), len(report.unreadable) - MAX_SHOWN
        yield f"not or not completely read: {names}" + (f" and {more:,} more" if more > 0 else "")


def counted(rows: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """Yield the numbers of rows with the nouns of the tables; files come first."""
    names = {"sources": "file", "games": "game", "moves": "move"}
    names |= {"findings": "finding", "positions": "position", "lives": "stone"}
    names |= {"analysis": "evaluation"}
    return ((rows[table], noun) for table, noun in names.items() if table in rows)

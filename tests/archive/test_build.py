"""Building an archive, and bringing it up to date."""

from __future__ import annotations

import errno
import gzip
import os
import random
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.built_archives import built, everything, record, rows
from support.lanes import amount, every_other

from sgf_lark.archive import run, store
from sgf_lark.archive.batches import read_partition as read
from sgf_lark.archive.build import build
from sgf_lark.archive.partitions import Partition
from sgf_lark.archive.store import MANIFEST, WORK, require_manifest
from sgf_lark.files.members import ArchiveError

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of records, and one of an archive to build beside it."""
    monkeypatch.chdir(tmp_path)
    folder = Path("games")
    folder.mkdir()
    for number in range(12):
        (folder / f"{number:02}.sgf").write_text(record(number))
    return folder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of some records, partitions and row groups of a few games."""
    monkeypatch.setattr(store, "BORDER_MODULUS", 4)
    monkeypatch.setattr(run, "MIN_PARTITION_BYTES", 3500)
    monkeypatch.setattr(run, "PARTITIONS", 1 << 20)
    monkeypatch.setattr(store, "GROUP_ROWS", {})
    monkeypatch.setattr(store, "DEFAULT_GROUP_ROWS", 16)


def files_of(folder: str) -> set[str]:
    """The paths of the files of the tables that are there."""
    top = Path(folder)
    return {path.relative_to(top).as_posix() for path in top.rglob("*.parquet")}


def named_files(folder: str) -> frozenset[str]:
    """The paths of those that the manifest names."""
    return require_manifest(folder).files


# ---- the first run ----


def test_an_archive_has_the_rows_of_all_sources_in_their_order(games: Path) -> None:
    report = built()

    found = rows("out", "games")
    assert [row["source"] for row in found] == [f"games/{number:02}.sgf" for number in range(12)]
    assert [row["black"] for row in found] == [f"Player {number}" for number in range(12)]
    about = rows("out", "sources")
    assert [row["games"] for row in about] == [1] * 12
    assert [row["findings"] > 0 for row in about] == [number % 3 == 0 for number in range(12)]
    assert (report.new, report.changed, report.unchanged) == (12, 0, 0)
    assert report.rows["games"] == 12
    assert report.bytes == sum(path.stat().st_size for path in games.iterdir())
    assert not Path("out", WORK).exists()


@pytest.mark.usefixtures("small", "games")
def test_rows_are_equal_whatever_the_partitions_and_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    one = built(output="one")
    monkeypatch.setattr(run, "MIN_PARTITION_BYTES", 1 << 24)
    monkeypatch.setattr(store, "BORDER_MODULUS", 1 << 10)
    all_ = built(output="all")

    assert everything("one") == everything("all")
    assert one.parts_written > all_.parts_written == 4


@pytest.mark.usefixtures("games")
def test_a_table_without_rows_has_no_file() -> None:
    Path("clean.sgf").write_text(record(1))

    assert built("clean.sgf").parts_written == 3
    assert rows("out", "findings") == []


def test_what_cannot_be_read_is_a_finding_and_no_end(games: Path) -> None:
    (games / "03.sgf").unlink()
    (games / "03.sgf").symlink_to("04.sgf")
    (games / "05.sgf.gz").write_bytes(gzip.compress(b"(;B[aa])")[:-9])
    (games / "06.zip").write_bytes(b"PK")

    report = built(["games", "missing"])

    assert report.unreadable == ("games/03.sgf", "games/05.sgf.gz", "games/06.zip", "missing")
    assert len(rows("out", "games")) == 11
    wrong = {row["source"]: row["code"] for row in rows("out", "findings")}
    assert {wrong[path] for path in report.unreadable} == {"F001", "F002"}
    again = built()
    assert (again.unchanged, again.changed, again.parts_written) == (15, 0, 0)


def test_numbers_beyond_a_column_are_null_and_stop_no_archive(games: Path) -> None:
    (games / "03.sgf").write_text("(;FF[4]GM[11]SZ[11]AB[a1:zzzz99999];W[a1])")
    os.utime(games / "04.sgf", (1.3e10, 1.3e10))  # in the year 2381

    for unchanged in (0, 11):  # what has no time is read again
        assert built().unchanged == unchanged
        assert [row["setup_black"] for row in rows("out", "games")] == [0] * 3 + [None] + [0] * 8
        assert [row["modified"] is None for row in rows("out", "sources")].index(True) == 4


# ---- the next run ----


@pytest.mark.usefixtures("games")
def test_a_run_without_changes_writes_nothing_and_opens_no_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built()
    times = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")}
    monkeypatch.setattr(run, "partitions", None)

    report = built()

    assert {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")} == times
    assert (report.new, report.changed, report.unchanged) == (0, 0, 12)
    assert report.rows["games"] == 12
    assert report.bytes == report.parts_written == 0


@pytest.mark.night
@pytest.mark.usefixtures("small")
def test_only_the_groups_of_what_changed_are_read_and_the_tables_are_those_of_a_new_archive(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100, 118):
        (games / f"{number}.sgf").write_text(record(number))
    built()
    (games / "05.sgf").write_text(record(50))
    (games / "07.sgf").unlink()
    (games / "045.sgf").write_text(record(45))
    os.utime(games / "09.sgf", ns=(1, 1))
    seen: list[str] = []

    def read_partition(partition: Partition, *options: Any) -> Any:
        seen.extend(one.source.path for one in partition.slices)
        return read(partition, *options)

    monkeypatch.setattr(run, "read_partition", read_partition)
    report = built()

    assert {"games/045.sgf", "games/05.sgf", "games/09.sgf"} <= set(seen)
    assert len(seen) < 20
    assert (report.new, report.changed, report.unchanged) == (1, 2, 27)
    assert report.removed == ("games/07.sgf",)
    assert report.bytes == sum(Path(path).stat().st_size for path in seen)
    built(output="again")
    assert everything("out") == everything("again")


def test_sources_are_added_and_forgotten(games: Path) -> None:
    Path("more.sgf").write_text(record(99))
    built()

    added = built("more.sgf")
    assert require_manifest(Path("out")).sources == ("games", "more.sgf")
    assert (added.new, added.unchanged) == (1, 12)
    forgotten = built([], remove=["games/"])
    assert require_manifest(Path("out")).sources == ("more.sgf",)
    assert len(forgotten.removed) == 12
    assert [row["source"] for row in rows("out", "games")] == ["more.sgf"]
    with pytest.raises(ArchiveError, match="no source of the archive"):
        built([], remove=[games])
    with pytest.raises(ValueError, match="no sources"):
        built([], remove=["more.sgf"])


def test_a_source_with_another_path_is_the_same_source(games: Path) -> None:
    built()

    again = built([games.absolute(), "../" + Path.cwd().name + "/games"])
    assert (again.new, again.unchanged) == (0, 12)
    assert require_manifest(Path("out")).sources == ("games",)
    built([games / "00.sgf"], remove=[games.absolute()])
    assert require_manifest(Path("out")).sources == ("games/00.sgf",)


@pytest.mark.usefixtures("games")
def test_a_wrong_argument_is_named_before_anything_is_read() -> None:
    path: Any = Path("games")
    for sources, remove in (("games", ()), (path, ()), (["games"], "games")):
        with pytest.raises(TypeError, match="expected paths"):
            build(sources, "out", remove=remove)
    with pytest.raises(LookupError, match="no text encoding is called 'foo'"):
        build(["games"], "out", encoding="foo")
    assert not Path("out").exists()


@pytest.mark.usefixtures("games")
def test_other_options_and_versions_read_everything_again_and_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built()
    assert built().again == ""

    assert "options" in built(encoding="utf-8").again
    monkeypatch.setattr(sys.modules[build.__module__], "__version__", "99")
    newer = built(encoding="utf-8")
    assert "this is 99" in newer.again
    assert (newer.new, newer.changed) == (0, 12)
    next(Path("out", "games").iterdir()).unlink()
    assert built(encoding="utf-8").again == ""
    assert len(rows("out", "games")) == 12


@pytest.mark.usefixtures("games")
def test_relative_sources_are_not_lost_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    with pytest.raises(ArchiveError, match=f"is in {tmp_path}: run the command there"):
        built([], "../out")


@pytest.mark.usefixtures("small", "games")
def test_the_parts_of_other_groups_are_kept() -> None:
    built()
    before = named_files("out")
    Path("games", "99.sgf").write_text(record(99))

    report = built()

    after = named_files("out")
    assert report.parts_kept == len(before & after) >= len(before) - 4
    assert report.parts_written == len(after - before) <= 8


@pytest.mark.night
@pytest.mark.usefixtures("small", "games")
def test_an_archive_of_another_version_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        for module in (store, sys.modules[build.__module__]):
            patched.setattr(module, "SCHEMA_VERSION", 1, raising=False)
        built()
    Path("out", "games", "part-00000.parquet").touch()
    with pytest.raises(ArchiveError, match="version 1, expected"):
        require_manifest("out")

    report = built([])

    assert (report.changed, "version 1" in report.again) == (12, True)
    assert files_of("out") == named_files("out")
    built(output="new")
    assert everything("out") == everything("new")


@pytest.mark.night
@pytest.mark.usefixtures("small")
@pytest.mark.both_lanes
def test_any_edits_give_the_tables_of_a_new_archive(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_PARTS", 4)
    for number in range(amount(12, 30)):
        (games / f"{number:02}.sgf").write_text(record(number))
    chance = random.Random(amount(1, 2))  # noqa: S311  # a test
    for step in range(amount(2, 10)):
        for _ in range(chance.randrange(4)):
            path = games / f"{chance.randrange(40):02}.sgf"
            what = chance.randrange(4)
            if what == 0:
                path.unlink(missing_ok=True)
            elif what == 1 and path.exists():
                os.utime(path, ns=(step, step))
            else:
                path.write_text("".join(record(chance.randrange(999)) for _ in range(what)))
        built()
        built(output=f"new{step}")
        assert everything("out") == everything(f"new{step}")
        assert len(require_manifest("out").parts) <= 4
        assert files_of("out") == named_files("out")


# ---- what goes wrong ----


class Stop(BaseException):
    """Ctrl-C, or a process that ends."""


@contextmanager
def stopping(monkeypatch: pytest.MonkeyPatch, after: int, error: BaseException) -> Iterator[None]:
    """Let an end of writing fail: that number ``after`` of a run."""
    left = [after]
    sync, replace = os.fsync, Path.replace

    def count() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise error

    def fsync(descriptor: int) -> None:
        count()
        sync(descriptor)

    def rename(path: Path, target: Path) -> Path:
        count()
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        patched.setattr(Path, "replace", rename)
        yield


@pytest.mark.night
@pytest.mark.usefixtures("small", "games")
@pytest.mark.parametrize(
    "error",
    every_other([OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()]),
)
def test_a_run_that_ends_early_leaves_the_archive_as_it_was(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    built("games/00.sgf")
    before = everything("out")
    built(output="new")
    new, after = everything("new"), 0
    while True:
        try:
            with stopping(monkeypatch, after, error):
                built()
            break
        except type(error):
            after += amount(7, 4)
        assert everything("out") in (before, new)
        assert files_of("out") >= named_files("out")
        assert not [*Path("out").rglob("*.tmp")]

    assert files_of("out") == named_files("out")
    assert after > 10
    assert not Path("out", WORK).exists()
    assert everything("out") == new


@pytest.mark.usefixtures("small", "games")
def test_a_run_goes_on_with_what_a_killed_one_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    built(output="new")
    child = os.fork()
    if not child:
        with stopping(monkeypatch, 8, Stop()):
            monkeypatch.setattr(store.PartWriter, "discard", lambda _: None)
            try:
                built()
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert not Path("out", MANIFEST).exists()

    report = built()

    assert report.resumed > 0
    assert everything("out") == everything("new")
    assert files_of("out") == files_of("new")


@pytest.mark.usefixtures("games")
def test_two_builds_do_not_write_one_archive_at_once() -> None:
    Path("out").mkdir()
    with store.locked(Path("out")), pytest.raises(ArchiveError, match="another process"):
        built()
    assert [*Path("out").iterdir()] == []


@pytest.mark.usefixtures("games")
def test_a_folder_of_other_files_is_not_touched() -> None:
    Path("out").mkdir()
    Path("out", "thesis.txt").write_text("years of work")
    Path("file").write_text("")

    with pytest.raises(ArchiveError, match=r"other files \(thesis.txt\)"):
        built()
    with pytest.raises(FileExistsError):
        built(output="file")

    assert [path.name for path in Path("out").iterdir()] == ["thesis.txt"]


@pytest.mark.night
@pytest.mark.usefixtures("small")
def test_a_file_that_vanishes_or_changes_while_a_run_reads_it_is_a_finding(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = games / "40.sgf"
    large.write_text("\n".join(map(record, range(16))))
    with tarfile.open(games / "50.tar", "w") as archive:
        archive.add(games / "00.sgf")

    def read_partition(partition: Partition, *options: Any) -> Any:
        (games / "03.sgf").unlink(missing_ok=True)
        (games / "04.sgf").write_text(record(400))
        os.utime(games / "50.tar", ns=(5, 5))
        if partition.slices[0].piece is not None:  # another game at each time
            large.write_text("\n".join(map(record, range(partition.number, 16))))
        return read(partition, *options)

    with monkeypatch.context() as patched:
        patched.setattr(run, "read_partition", read_partition)
        report = built()

    assert report.unreadable == ("games/03.sgf", "games/40.sgf", "games/50.tar")
    found = {row["source"]: row["message"] for row in rows("out", "findings")}
    assert "changed while it was read" in found["games/40.sgf"]
    assert "changed while it was read" in found["games/50.tar"]
    assert rows("out", "games")[3]["black"] == "Player 400"
    again = built()
    assert again.unreadable == ()
    built(output="new")
    assert everything("out") == everything("new")


@pytest.mark.usefixtures("games")
def test_positions_are_filled_if_they_are_wanted_and_then_stay() -> None:
    assert "positions" not in built("games/00.sgf").rows

    with_positions = built(positions=True)
    assert "options" in with_positions.again
    # the position before each move, and the last one
    assert with_positions.rows["positions"] == with_positions.rows["moves"] + 12
    again = built()
    assert (again.again, again.parts_written) == ("", 0)
    assert again.rows == with_positions.rows


#: Builds an archive of a file, and prints its peak of memory in MB.
MEASURED = """
import sys
from importlib import import_module
from pathlib import Path
from sgf_lark.archive import build
run = import_module("sgf_lark.archive.run")
run.MIN_PARTITION_BYTES = run.PARTITION_BYTES = 1 << 17
store = import_module("sgf_lark.archive.store")
store.GROUP_ROWS, store.DEFAULT_GROUP_ROWS = {"games": 1 << 9}, 1 << 12
build(sys.argv[1:], "out-" + sys.argv[1], jobs=1)
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) >> 10)
"""


@pytest.mark.night
def test_memory_is_bounded_by_a_partition_and_the_text_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    points = [a + b for a in "abcdefghijklmnopqrs" for b in "abcdefghijklmnopqrs"]
    moves = "".join(f";{'BW'[n % 2]}[{point}]" for n, point in enumerate(points[:200]))
    peaks = []
    for count in (1500, 6000):
        text = "\n".join(f"(;FF[4]GM[1]SZ[19]GN[{n}]{moves})" for n in range(count))
        Path(f"{count}.sgf").write_text(text)
        command = [sys.executable, "-c", MEASURED, f"{count}.sgf"]
        peaks.append(int(subprocess.check_output(command, timeout=300)))  # noqa: S603  # our own program
    assert peaks[1] < peaks[0] + 30  # the larger file has 6 more of text, and 60 of rows

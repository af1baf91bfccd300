"""Engines: our processes, and Dask; and what happens when they are killed."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.built_archives import built, everything, record, rows
from support.lanes import amount

from sgf_lark.archive import engines, run, store
from sgf_lark.archive.batches import PartitionRows, read_partition
from sgf_lark.archive.engines import Dask, Processes, SchedulerError, dask_engine
from sgf_lark.archive.partitions import Partition, partitions
from sgf_lark.archive.sources import find_sources
from sgf_lark.files.members import ArchiveError

pytestmark = pytest.mark.elsewhere

pytest.importorskip("pyarrow")

#: The module, whose name is also that of its function.
BUILD = import_module("sgf_lark.archive.build")
night = pytest.mark.night


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of records, one of them large, and an archive; read in small partitions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "MIN_PARTITION_BYTES", 4000)
    monkeypatch.setattr(run, "PARTITIONS", 1 << 20)
    monkeypatch.setattr(store, "BORDER_MODULUS", 4)
    folder = Path("games")
    folder.mkdir()
    for number in range(amount(10, 40)):
        (folder / f"{number:02}.sgf").write_text(record(number))
    large = "\n".join(map(record, range(amount(20, 80))))
    (folder / "large.sgf").write_text(large)
    with tarfile.open(folder / "b.tar.gz", "w:gz") as archive:
        for number in range(amount(5, 20)):
            archive.add(folder / f"{number:02}.sgf")
    return folder


# ---- processes that die ----


def read_or_die(partition: Partition, tables: Any, options: Any) -> PartitionRows:
    """Read a partition, but die of the file 05.sgf."""
    if any(one.source.path.endswith("05.sgf") and not one.fault for one in partition.slices):
        os.kill(os.getpid(), signal.SIGKILL)
    return read_partition(partition, tables, options)


def read_or_die_once(partition: Partition, tables: Any, options: Any) -> PartitionRows:
    """Read a partition, but die at the first large one."""
    if any(one.piece is not None for one in partition.slices):
        with suppress(FileExistsError):
            Path("died").touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
    return read_partition(partition, tables, options)


def test_a_file_that_kills_its_process_is_a_finding_and_the_others_have_rows(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "encode_partition", read_or_die)
    report = built(jobs=2)

    assert report.unreadable == ("games/05.sgf",)
    about = {row["source"]: row["games"] for row in rows("out", "sources")}
    assert [path for path, count in about.items() if not count] == ["games/05.sgf"]
    assert len(about) == len([*games.iterdir()])
    (failed,) = (row for row in rows("out", "findings") if row["code"] == "F005")
    assert failed["source"] == "games/05.sgf"
    assert "SIGKILL" in failed["message"]


@pytest.mark.night
@pytest.mark.usefixtures("games")
def test_a_process_that_is_killed_once_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "encode_partition", read_or_die_once)
    report = built(jobs=2)
    built(output="new")

    assert Path("died").exists()
    assert report.unreadable == ()
    assert everything("out") == everything("new")


def children(process: int) -> list[int]:
    with suppress(OSError):
        return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    return []


@night
@pytest.mark.usefixtures("games")
def test_processes_that_are_killed_at_any_moment_cost_nothing() -> None:
    """At most two are: a partition that kills twice is a finding."""
    built(output="new")
    chance = random.Random(5)  # noqa: S311  # a test
    for number in range(4):
        output = f"out{number}"
        main = os.fork()
        if not main:
            with suppress(BaseException):
                built(output=output, jobs=2)
            os._exit(0)
        for _ in range(2):
            time.sleep(chance.random() * 0.4)
            for child in children(main)[:1]:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        os.waitpid(main, 0)
        found = rows(output, "findings")
        if not any(row["code"] == "F005" for row in found):
            assert everything(output) == everything("new")


@night
@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGTERM])
def test_a_build_that_is_killed_at_any_moment_changes_nothing_and_is_completed_by_the_next(
    kill: signal.Signals,
) -> None:
    built(output="new")
    new = everything("new")
    chance = random.Random(8)  # noqa: S311  # a test
    for number in range(2):
        output = f"out{number}"
        built("games/00.sgf", output=output)
        before = everything(output)
        kills = 0
        while (now := everything(output)) == before:
            main = os.fork()
            if not main:
                with suppress(BaseException):
                    built(output=output, jobs=2 - number % 2)
                os._exit(0)
            time.sleep(0.05 + chance.random() * 0.2 * (1 + kills))
            os.kill(main, kill)
            os.waitpid(main, 0)
            kills += 1
        assert now == new
        built(output=output)  # it may have been killed before it had removed all leftovers
        assert everything(output) == new


@pytest.mark.night
@pytest.mark.usefixtures("games")
def test_of_builds_of_one_archive_at_once_one_writes_it_and_the_others_say_so() -> None:
    builds = []
    for _ in range(3):
        child = os.fork()
        if not child:
            try:
                built()
                os._exit(0)
            except ArchiveError as error:
                os._exit(1 if "another process" in str(error) else 2)
            finally:
                os._exit(3)
        builds.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in builds]
    built(output="new")

    assert {0} <= {*codes} <= {0, 1}
    assert everything("out") == everything("new")


@night
def test_a_full_disk_leaves_the_archive_as_it_was_and_a_larger_one_completes_it(
    games: Path,
) -> None:
    disk = Path("disk")
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True, timeout=100).returncode:  # noqa: S603
        pytest.skip("a file system cannot be mounted here")
    try:
        built("games/00.sgf", output="disk/out")
        before = everything("disk/out")
        with pytest.raises(OSError, match="No space left on device"):
            built(output="disk/out", jobs=2)
        assert everything("disk/out") == before
        assert not [*disk.rglob("*.tmp")]
        larger = ["mount", "-o", "remount,size=64m", str(disk)]
        subprocess.run(larger, check=True, timeout=100)  # noqa: S603
        assert built(output="disk/out", jobs=2).resumed > 0
        built(["games/00.sgf", "games"], output="new")
        found, expected = everything("disk/out"), everything("new")
        assert found == expected
    finally:
        subprocess.run(["umount", str(disk)], check=False, timeout=100)  # noqa: S603, S607
    assert games.exists()


# ---- Dask ----


@pytest.fixture(scope="module")
def distributed() -> Any:
    return pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client(distributed: Any) -> Iterator[Any]:
    """The client of a cluster in this process."""
    with (
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.night
def test_workers_of_dask_have_the_versions_of_this_process(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines._test_versions(client, "here")  # noqa: SLF001
    monkeypatch.setattr(engines, "_versions_there", lambda: "sgf_lark 0")
    with pytest.raises(SchedulerError, match="has sgf_lark 0, expected sgf_lark"):
        engines._test_versions(client, "here")  # noqa: SLF001


@pytest.mark.night
@pytest.mark.usefixtures("games")
def test_dask_and_processes_give_the_same_rows_and_an_error_for_what_cannot_be_sent(
    client: Any,
) -> None:
    expected = [*map(read_partition, partitions(find_sources(["games"]), 4000))]
    for engine in (Dask(client), Processes(2)):
        found = partitions(find_sources(["games"]), 4000)
        first, *others = engine.read(_unsendable_if_first, found)

        assert "the result cannot be pickled" in str(first.error)
        assert len(others) > 3
        assert [one.error for one in others] == [None] * len(others)
        assert [one.result for one in others] == expected[1:]


def _unsendable_if_first(partition: Partition) -> object:
    return read_partition(partition) if partition.number else lambda: partition


@pytest.mark.usefixtures("games", "distributed")
def test_a_scheduler_that_does_not_answer_is_an_error_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "SCHEDULER_SECONDS", 0.2)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"

        with pytest.raises(SchedulerError, match=f"no scheduler of Dask answers at {address}"):
            built(engine="dask", scheduler=address)

    assert not Path("out").exists()


@night
@pytest.mark.usefixtures("games", "distributed")
def test_a_worker_of_dask_that_is_killed_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with dask_engine(None, 2) as dask, monkeypatch.context() as patched:
        patched.setattr(BUILD, "Processes", lambda _: dask)
        workers = [*dask._client.run(os.getpid).values()]  # noqa: SLF001
        report = built(progress=partial(_kill_first, workers))
    built(output="new")

    assert report.unreadable == ()
    assert everything("out") == everything("new")


def _kill_first(processes: list[int], _: Any) -> None:
    for process in processes[:1]:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    processes.clear()

"""Records in archives, wherever the library takes paths."""

from __future__ import annotations

import gzip
import io
import tarfile
import tracemalloc
import zipfile
from itertools import islice
from pathlib import Path

import pytest
from support.lanes import one_in

from sgf_lark import check, check_many, iter_games, load, load_many
from sgf_lark.files import archives
from sgf_lark.files.many import unpack_tasks
from sgf_lark.files.workers import Task

GOOD = "(;FF[4]GM[1]SZ[19]KM[{}];B[pd])"
NAMES = [f"{number:02}.sgf" for number in range(12)]


@pytest.fixture
def packed(tmp_path: Path) -> list[str]:
    """Twelve records as a zip and as a tar.gz, one of them wrong."""
    contents = [GOOD.format("x" if name == "05.sgf" else "6.5").encode() for name in NAMES]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name, content in zip(NAMES, contents, strict=True):
            archive.writestr(name, content)
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        for name, content in zip(NAMES, contents, strict=True):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return [str(tmp_path / name) for name in ("a.zip", "a.tar.gz")]


def test_a_record_in_an_archive_is_read_like_a_file(packed: list[str], tmp_path: Path) -> None:
    text = GOOD.format("6.5") * 3
    (tmp_path / "b.sgfs.gz").write_bytes(gzip.compress(text.encode()))
    assert len(load(tmp_path / "b.sgfs.gz")) == 3
    assert len([*iter_games(tmp_path / "b.sgfs.gz")]) == 3
    for path in packed:
        assert load(f"{path}/00.sgf").games == load(io.StringIO(GOOD.format("6.5"))).games
        assert [one.code for one in check(f"{path}/05.sgf").errors] == ["V301"]
        assert check(f"{path}/05.sgf").name == f"{path}/05.sgf"
        (game,) = iter_games(f"{path}/01.sgf")
        assert len(game) == 2
        for read in (load, check, lambda which: next(iter_games(which))):
            with pytest.raises(OSError, match="has 12 records: name one"):
                read(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_record_of_an_archive_has_its_outcome_in_order(jobs: int, packed: list[str]) -> None:
    outcomes = [*load_many(packed, jobs=jobs, then=len)]
    assert [one.path for one in outcomes] == [f"{path}/{name}" for path in packed for name in NAMES]
    assert [one.result for one in outcomes] == [
        None if str(one.path).endswith("05.sgf") else 1 for one in outcomes
    ]

    reports = [*check_many([Path(packed[1]), f"{packed[0]}/05.sgf"], jobs=jobs)]
    assert [len(report.errors) for report in reports] == [
        int(one.name.endswith("05.sgf")) for one in reports
    ]
    assert reports[-1].name == f"{packed[0]}/05.sgf"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_archive_that_cannot_be_read_stops_no_other_file(
    jobs: int, packed: list[str], tmp_path: Path
) -> None:
    whole = Path(packed[1]).read_bytes()
    (tmp_path / "cut.tgz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "none.zip").write_bytes(b"PK\5\6" + bytes(18))
    paths = [str(tmp_path / name) for name in ("cut.tgz", "none.zip", "no.tar", "a.zip/no.sgf")]

    *_, cut, none, missing, unknown, last = load_many([*paths, f"{packed[0]}/00.sgf"], jobs=jobs)

    assert [cut.path, none.path, missing.path, unknown.path] == paths
    assert isinstance(cut.error, OSError)
    assert cut.error.strerror == archives.CUT_OFF
    assert isinstance(none.error, OSError)
    assert none.error.strerror == archives.NO_RECORDS
    assert isinstance(missing.error, FileNotFoundError)
    assert isinstance(unknown.error, FileNotFoundError)
    assert last.error is None
    codes = [[one.code for one in report] for report in check_many(paths[1:], jobs=jobs)]
    assert codes == [["F001"], ["F002"], ["F002"]]


def test_an_archive_is_read_once_however_its_records_are_named(
    packed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    find = archives.ArchiveReader.members

    def members(archive: archives.ArchiveReader) -> object:
        read.append(archive.path)
        return find(archive)

    monkeypatch.setattr(archives.ArchiveReader, "members", members)
    for paths in (packed, [f"{path}/{name}" for path in packed for name in NAMES]):
        assert len([*load_many(paths, jobs=2, strict=False, then=len)]) == 24
        assert read == packed
        read.clear()
    assert len([*load_many([f"{packed[0]}/{name}" for name in reversed(NAMES)], jobs=1)]) == 12
    assert read == packed[:1]


@pytest.mark.parametrize("jobs", one_in(2, [1, 2]))
def test_only_a_few_records_of_an_archive_are_in_memory(jobs: int, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(30):
            archive.writestr(f"{number}.sgf", GOOD.format("6.5") + " " * 300_000)
    tracemalloc.start()
    try:
        outcomes = load_many([tmp_path / "a.zip"], jobs=jobs, then=len)
        assert [outcome.result for outcome in outcomes] == [1] * 30
        assert tracemalloc.get_traced_memory()[1] < 6_000_000  # of 9 in all
    finally:
        tracemalloc.stop()


def test_records_are_unpacked_only_when_they_are_asked_for(packed: list[str]) -> None:
    endless = (Task(path, (path, {})) for path in iter(lambda: packed[1], None))
    assert len([*islice(unpack_tasks(endless), 30)]) == 30

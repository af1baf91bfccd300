"""Records in archives and compressed files on the command line."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sgf_lark.cli.main import app
from sgf_lark.core.check.selection import CheckOptions
from sgf_lark.files.paths import Unreadable, find_files
from sgf_lark.settings.settings import FileOptions

NO_SETTINGS = FileOptions(CheckOptions(), isolated=True)

CLEAN, WRONG = "(;FF[4]GM[1]SZ[19];B[pd])", "(;FF[4]GM[1]SZ[19]KM[6,5];B[pd])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file, a compressed one, two archives with records and one without."""
    monkeypatch.chdir(tmp_path)
    records = {"b/c.sgf": CLEAN, "a.sgf": WRONG, "note.txt": ""}
    with zipfile.ZipFile("games.zip", "w") as archive:
        for name, text in records.items():
            archive.writestr(name, text)
    with tarfile.open("old.tgz", "w:gz") as tar:
        for name, text in records.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    with zipfile.ZipFile("other.zip", "w") as archive:
        archive.writestr("note.txt", "")
    Path("z.sgf").write_text(CLEAN, encoding="utf-8")
    Path("x.sgf.gz").write_bytes(gzip.compress(WRONG.encode()))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def lines(*arguments: str) -> list[str]:
    result = run("check", "--format", "concise", "--jobs", "1", *arguments)
    return [line for line in result.output.splitlines() if ": V301" in line or ": F0" in line]


def test_files_of_archives_are_found_in_folders_and_by_name() -> None:
    inner = ["games.zip/b/c.sgf", "games.zip/a.sgf"]
    old = ["old.tgz/b/c.sgf", "old.tgz/a.sgf"]
    assert [*find_files(["."], NO_SETTINGS)] == [
        f"./{name}" for name in (*inner, *old, "x.sgf.gz", "z.sgf")
    ]
    assert [*find_files(["games.zip", "games.zip/a.sgf", "*.tgz", "games.zip"], NO_SETTINGS)] == [
        *inner,
        *old,
    ]
    (empty,) = find_files(["other.zip"], NO_SETTINGS)
    assert isinstance(empty, Unreadable)
    assert empty.rule == "no-records"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_reports_each_record_by_its_path(jobs: str) -> None:
    result = run("check", "--format", "concise", "--jobs", jobs, ".")
    places = [line.partition(" ")[0] for line in result.stdout.splitlines() if "V301" in line]
    assert places == [
        f"./{name}:1:22:" for name in ("games.zip/a.sgf", "old.tgz/a.sgf", "x.sgf.gz")
    ]
    assert result.exit_code == 1


def test_settings_hold_for_records_in_archives(folder: Path) -> None:
    settings = '[per-file-ignores]\n"games.zip/*.sgf" = ["V301"]\n"x.sgf.gz" = ["V301"]\n'
    (folder / "sgf-lark.toml").write_text(settings, encoding="utf-8")
    assert [line.partition(":")[0] for line in lines(".")] == ["./old.tgz/a.sgf"]


def test_patterns_exclude_archives_and_records_in_them(folder: Path) -> None:
    def found(*arguments: str) -> list[str]:
        result = run(
            "check", "--format", "jsonl", "--level", "info", "--select", "V301", *arguments
        )
        return [json.loads(line)["file"] for line in result.stdout.splitlines()]

    records = ["games.zip/a.sgf", "old.tgz/a.sgf", "x.sgf.gz"]
    for pattern, left in (
        ("games.zip", records[1:]),
        ("games.zip/a.*", records[1:]),
        ("games.zip/b", records),
        ("*.gz", records[:2]),
        ("a.sgf", records[2:]),
    ):
        assert found("--exclude", pattern, ".") == [f"./{name}" for name in left]
    assert found("--exclude", "games.zip/a.*", "games.zip", "x.sgf.gz") == records[2:]
    assert found("--exclude", "*.zip", "games.zip") == records[:1]
    (folder / "sgf-lark.toml").write_text('exclude = ["old.tgz/a.sgf", "*.gz"]\n', encoding="utf-8")
    assert found() == ["./games.zip/a.sgf"]


def test_faults_of_archives_are_findings(folder: Path) -> None:
    data = (folder / "old.tgz").read_bytes()
    (folder / "cut.tar.gz").write_bytes(data[: len(data) // 2])
    with zipfile.ZipFile("games.zip", "a") as archive:
        archive.writestr("./a.sgf", CLEAN)
    named = lines("cut.tar.gz", "games.zip", "games.zip/no.sgf", "other.zip", "no.zip")
    assert [line.split()[:2] for line in named] == [
        ["cut.tar.gz:1:1:", "F001"],
        ["games.zip/a.sgf:1:22:", "V301"],
        ["games.zip/a.sgf:1:1:", "F001"],
        ["games.zip/no.sgf:1:1:", "F002"],
        ["other.zip:1:1:", "F003"],
        ["no.zip:1:1:", "F002"],
    ]
    assert run("check", "cut.tar.gz").exit_code == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_nothing_is_written_into_archives(jobs: str, folder: Path) -> None:
    packed = [folder / name for name in ("games.zip", "old.tgz", "x.sgf.gz")]
    before = [file.read_bytes() for file in packed]

    result = run("fmt", "--jobs", jobs, ".")
    assert result.exit_code == 0
    assert "./games.zip/a.sgf: skipped (packed): archives" in result.stderr
    assert result.stderr.endswith("1 file written, 5 files skipped (packed)\n")

    result = run("check", "--fix", "--jobs", jobs, ".")
    assert result.exit_code == 1
    assert "./x.sgf.gz: skipped (packed)" in result.stderr
    assert result.stdout.count("[V301 wrong-value]") == 3
    assert [file.read_bytes() for file in packed] == before
    assert "\n+KM[6,5]\n" in run("fmt", "--diff", "games.zip").stdout


def test_records_of_archives_are_converted_into_a_folder(folder: Path) -> None:
    result = run("convert", "--to", "ff3", "-o", "new", "games.zip", "x.sgf.gz")
    assert result.exit_code == 0, result.stderr
    made = [path.relative_to(folder / "new").as_posix() for path in (folder / "new").rglob("*.sgf")]
    assert sorted(made) == ["games/a.sgf", "games/b/c.sgf", "x.sgf"]
    before = (folder / "old.tgz").read_bytes()
    assert "skipped (packed)" in run("convert", "--to", "ff3", "--in-place", "old.tgz").stderr
    assert (folder / "old.tgz").read_bytes() == before
    assert run("convert", "--to", "ff3", "old.tgz/b/c.sgf").stdout.startswith("(;FF[3]")


def test_errors_of_a_packed_record_that_can_be_converted_are_only_counted() -> None:
    said = run("convert", "--to", "ff3", "--in-place", "old.tgz").stderr

    assert "V301  " in said.partition("skipped")[2]
    assert "a.sgf:1:22:" not in said


def test_a_report_takes_the_place_of_no_archive(folder: Path) -> None:
    before = (folder / "games.zip").read_bytes()
    for paths in ("games.zip", "."):
        result = run("check", paths, "-o", "games.zip")
        assert result.exit_code == 2
    assert (folder / "games.zip").read_bytes() == before


def test_commands_for_one_record_read_it_from_an_archive() -> None:
    assert "move 1 of 1" in run("show", "games.zip/b/c.sgf").stdout
    assert "PROP_IDENT 'KM'" in run("tree", "x.sgf.gz").stdout
    assert run("grammar", "test", "ff4", "old.tgz").exit_code == 0

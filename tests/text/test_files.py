"""Files are replaced as a whole, and keep what is theirs; nothing that is read is destroyed."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.places import ROOT

import sgf_lark
from sgf_lark.cli.main import app
from sgf_lark.core.check.selection import CheckOptions
from sgf_lark.files import writing as files
from sgf_lark.files.paths import find_files
from sgf_lark.files.writing import PART, replacing, write_file
from sgf_lark.settings.settings import FileOptions

pytestmark = pytest.mark.elsewhere

NO_SETTINGS = FileOptions(CheckOptions(), isolated=True)

GOOD, BAD = "(;FF[4]GM[1]SZ[19]KM[6.5])", "(;FF[4]GM[1]SZ[19]KM[6,5])"


def run(*arguments: object, text: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)], input=text)
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def _clean_anew() -> None:
    files._clean.cache_clear()  # noqa: SLF001  # each test is a process of its own


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sgf"
    path.write_text(BAD)
    return path


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


# ---- what a file keeps ----


def test_mode_and_owner_stay_and_the_time_is_that_of_writing(file: Path) -> None:
    file.chmod(0o640)
    os.utime(file, (1, 1))
    if os.geteuid() == 0:
        os.chown(file, 12345, 54321)
    before = file.stat()
    write_file(file, b"new")
    after = file.stat()

    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
    assert after.st_mtime > before.st_mtime


def test_extended_attributes_stay(file: Path) -> None:
    try:
        os.setxattr(file, "user.note", b"dear")
    except (OSError, AttributeError):
        pytest.skip("there are none here")
    write_file(file, b"new")

    assert os.getxattr(file, "user.note") == b"dear"


def test_another_hard_link_keeps_the_old_contents(file: Path) -> None:
    other = file.with_name("backup")
    other.hardlink_to(file)
    write_file(file, b"new")

    assert (file.read_bytes(), other.read_text()) == (b"new", BAD)


def test_a_symbolic_link_stays_one(file: Path) -> None:
    link = file.with_name("b.sgf")
    link.symlink_to("a.sgf")
    write_file(link, b"new")

    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_write_protected_file_is_refused_with_the_reason(file: Path) -> None:
    file.chmod(0o444)
    other = file.with_name("b.sgf")
    other.write_text(BAD)
    code, said = run("check", "--isolated", "--fix", file.parent)

    assert code == 2
    assert f"{file}: cannot be written: it is write-protected (mode 444)\n" in said
    assert "1 finding fixed in 1 file, 2 remaining\n" in said
    assert "1 file could not be written\n" in said
    assert (file.read_text(), other.read_text()) == (BAD, GOOD)
    code, said = run("fmt", file.parent)
    assert code == 2
    assert "1 file written, 1 file not written\n" in said


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.TGZ", "a.sgf.gz", "a.bz2", "a.tar.xz"])
def test_a_record_never_takes_the_place_of_an_archive(tmp_path: Path, name: str) -> None:
    (record := tmp_path / "a.sgf").write_text(GOOD)
    (packed := tmp_path / name).write_bytes(b"old")
    with pytest.raises(OSError, match="archives and compressed files are only read") as caught:
        sgf_lark.dump(sgf_lark.load(record), packed)
    assert caught.value.filename == str(packed)
    code, output = run("convert", record, "--to", "ff3", "-o", packed)
    assert (code, packed.read_bytes()) == (2, b"old")
    assert "cannot be written" in output
    assert "archives and compressed files are only read" in output
    assert names(tmp_path) == sorted(["a.sgf", name])


def test_a_path_that_ends_as_a_folder_replaces_no_file(file: Path) -> None:
    before = file.read_bytes()
    for path in (f"{file}/", f"{file}.new/"):
        with pytest.raises(IsADirectoryError):
            write_file(path, b"other")

    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path: Path) -> None:
    for name in ("a" * 251, "\N{CJK UNIFIED IDEOGRAPH-56F2}" * 83 + "xx"):
        path = tmp_path / f"{name}.sgf"
        write_file(path, b"new")

        assert path.read_bytes() == b"new"


def test_an_exception_leaves_the_old_file_and_nothing_else(file: Path) -> None:
    def fails() -> None:
        with replacing(file) as made:
            made.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        fails()

    assert file.read_text() == BAD
    assert names(file.parent) == ["a.sgf"]


# ---- a process that is killed ----

#: Writes half a file, says so, and waits to be killed.
HALF = """
import sys, time
from sgf_lark.files.writing import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("written", flush=True)
    time.sleep(60)
"""


def half(file: Path) -> subprocess.Popen[str]:
    """A process in the middle of writing."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HALF, str(file)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    return process


def parts(folder: Path) -> list[str]:
    return [name for name in names(folder) if name.endswith(PART)]


def test_what_a_killed_process_leaves_is_removed_by_the_next_one(file: Path) -> None:
    process = half(file)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=100)
    assert file.read_text() == BAD
    assert len(parts(file.parent)) == 1

    assert run("check", "--isolated", "--fix", file)[0] == 0
    assert file.read_text() == GOOD
    assert names(file.parent) == ["a.sgf"]


def test_what_another_process_is_writing_stays(file: Path) -> None:
    process = half(file)
    write_file(file, b"new")

    assert len(parts(file.parent)) == 1
    process.kill()
    process.communicate(timeout=100)


@pytest.mark.night
def test_a_run_that_is_killed_comes_to_its_end_when_it_is_repeated(tmp_path: Path) -> None:
    for number in range(15):
        (tmp_path / f"{number}.sgf").write_text(BAD)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "sgf_lark", "check", "--isolated", "--fix", str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment)  # noqa: S603  # our own
    assert process.stderr is not None
    process.stderr.readline()
    process.kill()
    process.communicate(timeout=100)
    assert {one.read_text() for one in tmp_path.glob("*.sgf")} <= {GOOD, BAD}
    (tmp_path / "0.sgf").write_text(BAD)

    assert run("check", "--isolated", "--fix", tmp_path)[0] == 0
    assert {one.read_text() for one in tmp_path.iterdir()} == {GOOD}


# ---- what is found in a folder ----


def test_links_that_lead_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside.sgf", tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    outside.write_text(BAD)
    (folder / "a.sgf").write_text(BAD)
    (folder / "link.sgf").symlink_to(outside)
    (folder / "sub" / "inside.sgf").symlink_to("../a.sgf")

    assert list(find_files([str(folder)], NO_SETTINGS)) == [str(folder / "a.sgf")]
    assert list(find_files([str(folder / "link.sgf")], NO_SETTINGS)) == [str(folder / "link.sgf")]
    assert run("check", "--isolated", "--fix", folder)[0] == 0
    assert (outside.read_text(), (folder / "a.sgf").read_text()) == (BAD, GOOD)


def test_katago_files_of_a_game_a_line_are_found_in_folders(tmp_path: Path) -> None:
    games = tmp_path / "z" / "x.SGFS"
    games.parent.mkdir()
    games.write_text(f"{GOOD}\n{BAD}\n")

    assert list(find_files([str(tmp_path)], NO_SETTINGS)) == [str(games)]
    assert "game 2\n" in run("check", "--isolated", tmp_path)[1]
    assert run("check", "--isolated", "--fix", tmp_path)[0] == 0
    assert games.read_text() == f"{GOOD}\n{GOOD}\n"
    assert "1 file written" in run("fmt", tmp_path)[1]
    assert "1 file: 1 accepted" in run("grammar", "test", "ff4", tmp_path)[1]


# ---- the report ----


@pytest.mark.parametrize("how", ["itself", "folder", "link", "hard link", "new", "pattern"])
def test_a_report_never_takes_the_place_of_what_is_checked(file: Path, how: str) -> None:
    link = file.with_name("link.txt")
    if how == "link":
        link.symlink_to(file)
    if how == "hard link":
        link.hardlink_to(file)
    path, output = {
        "itself": (file, file),
        "folder": (file.parent, file),
        "link": (file, link),
        "hard link": (file, link),
        "new": (file.parent, file.with_name("new.SGF")),
        "pattern": (file.with_name("*.sgf"), file),
    }[how]
    for more in ([], ["--fix"]):
        code, said = run("check", "--isolated", path, "--output", output, *more)

        assert code == 2
        assert "error: --output: " in said
        assert file.read_text() == BAD
    assert not file.with_name("new.SGF").exists()


def test_a_report_never_takes_the_place_of_the_settings_or_the_grammar(tmp_path: Path) -> None:
    record, settings = tmp_path / "a.sgf", tmp_path / "settings.toml"
    record.write_text(BAD)
    settings.write_text("level = 'error'\n")

    assert run("check", record, "--config", settings, "--output", settings)[0] == 2
    assert settings.read_text() == "level = 'error'\n"


def test_a_report_is_written_whole_or_not_at_all(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = file.with_name("report")
    output.write_text("old")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("sgf_lark.files.many.reports", interrupted)
        assert run("check", "--isolated", file, "--output", output)[0] == 130
    assert output.read_text() == "old"
    assert names(file.parent) == ["a.sgf", "report"]
    assert run("check", "--isolated", file, "--output", output)[0] == 1
    assert "V301" in output.read_text()


@pytest.mark.parametrize("form", ["text", "svg"])
def test_a_tree_never_takes_the_place_of_its_record(file: Path, form: str) -> None:
    code, said = run("tree", file, "--format", form, "-o", file)

    assert (code, file.read_text()) == (2, BAD)
    assert "this file is an input of the command; choose another" in said


def test_a_grammar_is_never_overwritten_by_what_is_made_of_it(tmp_path: Path) -> None:
    ebnf = tmp_path / "a.svg"
    ebnf.write_text('Start = "a".')

    assert run("grammar", "from-ebnf", ebnf, "-o", ebnf)[0] == 2
    assert ebnf.read_text() == 'Start = "a".'


def test_new_files_have_the_usual_mode(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_file(tmp_path / "a", b"")
    finally:
        os.umask(mask)

    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640

"""A file that somebody else changes while a command works on it stays as it is."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from support.lanes import one_in

from sgf_lark.cli.main import app
from sgf_lark.files import writing as files

if TYPE_CHECKING:
    from collections.abc import Callable

OLD = b"(;FF[4]GM[1]SZ[19]KM[6,5]\n\n;B[pd])"
NEW = b"(;FF[4]GM[1]SZ[19]KM[7,5]\n\n;B[pd])"

COMMANDS = {
    "check --fix": ("check", "--isolated", "--fix"),
    "check --fix --unsafe-fixes": ("check", "--isolated", "--fix", "--unsafe-fixes"),
    "fmt": ("fmt", "--isolated"),
    "convert --in-place": ("convert", "--isolated", "--to", "ff3", "--in-place"),
    "convert --to-encoding": (
        *("convert", "--isolated", "--to", "ff4", "--to-encoding", "utf-8", "--in-place"),
    ),
    "convert --fix": ("convert", "--isolated", "--to", "ff3", "--fix", "--in-place"),
}


def add(file: Path) -> None:
    with file.open("ab") as out:
        out.write(b"(;FF[4])")


def cut(file: Path) -> None:
    file.write_bytes(OLD[:20])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def edit(file: Path) -> None:
    file.write_bytes(NEW)


def edit_and_keep_the_time(file: Path) -> None:
    before = file.stat()
    file.write_bytes(NEW)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(NEW)
    other.replace(file)


def link(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(NEW)
    file.unlink()
    file.symlink_to(other)


def change_line_ends(file: Path) -> None:
    file.write_bytes(OLD.replace(b"\n", b"\r\n"))


def remove(file: Path) -> None:
    file.unlink()


CHANGES = add, cut, empty, edit, edit_and_keep_the_time, replace, link, change_line_ends, remove


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sgf"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Do something once, after a file was read and before it is written."""

    def do(action: Callable[[], object]) -> None:
        waiting, original = [action], files.digest_of

        def digest_of(data: bytes) -> bytes:
            while waiting:
                waiting.pop()()
            return original(data)

        monkeypatch.setattr("sgf_lark.files.writing.digest_of", digest_of)

    return do


def content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


@pytest.mark.parametrize(("command", "change"), one_in(4, product(COMMANDS, CHANGES)))
def test_a_file_that_was_changed_meanwhile_is_not_overwritten(
    command: str,
    change: Callable[[Path], None],
    file: Path,
    meanwhile: Callable[[Callable[[], object]], None],
) -> None:
    change(file)
    changed = content(file)
    if file.is_symlink() or not file.exists():
        file.unlink(missing_ok=True)
    file.write_bytes(OLD)
    meanwhile(lambda: change(file))

    result = CliRunner().invoke(app, [*COMMANDS[command], str(file), "--jobs", "1"])

    assert content(file) == changed
    assert result.exit_code == 2
    done = "removed after it was read" if changed is None else "changed after it was read"
    assert f"{file}: cannot be written: it was {done}" in result.output
    assert not [one for one in file.parent.iterdir() if one.name.endswith(files.PART)]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_whose_bytes_are_the_same_again_is_written(
    command: str, file: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: file.write_bytes(OLD))

    result = CliRunner().invoke(app, [*COMMANDS[command], str(file), "--jobs", "1"])

    assert "cannot be written" not in result.output
    assert file.read_bytes() != OLD


@pytest.mark.parametrize("form", ["full", "concise", "statistics", "json", "github", "junit"])
def test_the_report_names_a_file_that_could_not_be_written_and_its_findings(
    form: str, file: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: edit(file))

    command = [*COMMANDS["check --fix"], "--format", form, str(file.parent), "--jobs", "1"]
    result = CliRunner().invoke(app, command)

    assert result.exit_code == 2
    assert "F010" in result.stdout
    assert "V301" in result.stdout


def test_the_report_names_no_file_that_was_written_as_unwritten(file: Path) -> None:
    command = [*COMMANDS["check --fix"], "--format", "json", str(file)]

    result = CliRunner().invoke(app, command)

    assert (result.exit_code, "F010" in result.stdout) == (0, False)


def test_the_other_files_of_a_folder_are_written(
    file: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    other = file.with_name("b.sgf")
    other.write_bytes(OLD)
    meanwhile(lambda: edit(file))

    result = CliRunner().invoke(app, [*COMMANDS["check --fix"], str(file.parent), "--jobs", "1"])

    assert result.exit_code == 2
    assert (file.read_bytes(), other.read_bytes()) == (NEW, OLD.replace(b"6,5", b"6.5"))


def test_an_output_that_is_the_file_itself_is_not_overwritten_after_a_change(
    file: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: edit(file))
    command = ["convert", "--isolated", "--to", "ff3", str(file), "-o", str(file)]

    result = CliRunner().invoke(app, command)

    assert result.exit_code == 2
    assert file.read_bytes() == NEW


def test_an_output_elsewhere_is_written_whatever_becomes_of_the_file(
    file: Path, meanwhile: Callable[[Callable[[], object]], None]
) -> None:
    meanwhile(lambda: edit(file))
    output = file.with_name("out.sgf")
    command = ["convert", "--isolated", "--to", "ff3", str(file), "-o", str(output)]

    result = CliRunner().invoke(app, command)

    assert result.exit_code == 0, result.output
    assert b"FF[3]" in output.read_bytes()

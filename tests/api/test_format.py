"""``sgf-lark fmt``: one layout, or the file stays as it is."""

from __future__ import annotations

import random
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import sgf_lark
from sgf_lark.cli.main import app
from sgf_lark.core.api import format as formatter
from sgf_lark.core.api.format import ChangedError, format_record, have_same_content

pytestmark = pytest.mark.elsewhere

OLD = b"(;FF[4] GM[1]KM[6.5] ;B[pd] (;W[dp])(;W[dd]) )"
NEW = b"(;FF[4]GM[1]\nKM[6.5]\n;B[pd]\n(;W[dp]\n)\n(;W[dd]\n))\n"


def run(*arguments: object, text: bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["fmt", *map(str, arguments)], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sgf"
    path.write_bytes(OLD)
    return path


def test_a_file_gets_the_canonical_layout_once(file: Path) -> None:
    file.chmod(0o604)

    assert run(file) == (0, "", f"{file}: written\n1 file written\n")
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o604
    assert run(file) == (0, "", "1 file unchanged\n")


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.with_name("b.sgf")
    link.symlink_to("a.sgf")

    assert run(link)[0] == 0
    assert link.is_symlink()
    assert file.read_bytes() == NEW


def test_files_that_cannot_be_read_are_counted(file: Path) -> None:
    dangling = file.with_name("b.sgf")
    dangling.symlink_to("none.sgf")
    missing = file.with_name("c.sgf")

    code, _, err = run(file, dangling, missing)
    assert code == 2
    assert err.splitlines()[-1] == "1 file written, 2 files not read"
    assert run(dangling)[2].splitlines()[-1] == "1 file not read"


def test_check_writes_nothing_and_tells(file: Path) -> None:
    assert run("--check", file) == (1, "", f"{file}: would be written\n1 file would be written\n")
    assert file.read_bytes() == OLD
    file.write_bytes(NEW)
    assert run("--check", file) == (0, "", "1 file unchanged\n")


def test_diff_shows_what_would_change(file: Path) -> None:
    code, out, _ = run("--diff", file)

    assert code == 1
    assert out.splitlines()[:2] == [f"--- a{file}\t(old)", f"+++ b{file}\t(new)"]
    assert "+;B[pd]" in out.splitlines()
    assert file.read_bytes() == OLD


def test_what_is_piped_in_is_printed() -> None:
    assert run("-", text=OLD)[:2] == (0, NEW.decode())
    broken = b"(;FF[4];B[aa]"
    code, out, err = run("-", text=broken)
    assert (code, out) == (1, broken.decode())
    assert "syntax error" in err


def test_a_broken_file_is_left_as_it_is(file: Path) -> None:
    file.write_bytes(OLD[:-1])
    code, _, err = run(file)

    assert code == 1
    assert "skipped (syntax errors): 1:1: error S105 this game tree" in err
    assert file.read_bytes() == OLD[:-1]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "missing.sgf"
    assert run(missing)[0] == 2
    assert "missing.sgf: " in run(missing)[2]


def test_options_are_those_of_dumps(file: Path) -> None:
    options = {"nodes": 3, "indent": 2, "width": 12, "compress": True}
    run(file, "--nodes", 3, "--indent", 2, "--width", 12, "--compress")

    expected = sgf_lark.dumps(sgf_lark.loads(OLD), style="canonical", **options)  # type: ignore[arg-type]  # options of dumps
    assert file.read_bytes() == expected.encode()


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + OLD,
        "(;FF[4]CA[GB2312] PB[古力])".encode("gb2312"),
        "From: me\n(;FF[3] PB[Müßig])\n".encode("latin-1"),
        "\ufeff(;FF[4] PB[古力])".encode("utf-16-le"),
        b"1 (;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[b1];)\n2 (;GM[Othello];)(;GM[Othello];)\n",
        b"(;FF[4]C[\xff] )",
    ],
)
def test_encodings_and_texts_around_the_games_stay(data: bytes) -> None:
    after = format_record(data)
    old, new = (sgf_lark.loads(one, strict=False) for one in (data, after))

    assert after != data
    assert format_record(after) == after
    assert old.encoding == new.encoding
    assert "".join(old.text.split()) == "".join(new.text.split())


@pytest.mark.parametrize("value", ["some\\n day", "a \\\\day", "\\t", "one\\\\\\ntwo"])
def test_a_date_that_is_none_is_a_text_like_others(value: str) -> None:
    after = format_record(f"(;FF[4]DT[{value}])".encode())

    assert format_record(after) == after


def test_a_layout_that_would_say_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_dump(_collection: object, file: object, **_: object) -> None:
        file.write(NEW.replace(b"pd", b"dd"))  # type: ignore[attr-defined]  # a file

    monkeypatch.setattr(formatter, "dump", broken_dump)
    with pytest.raises(ChangedError, match="the new layout would change the content"):
        format_record(OLD)


def test_a_file_whose_layout_would_change_the_guess_of_its_encoding_is_left(file: Path) -> None:
    data = b"(;B[](;B[\xe6\x95\x97a]C[\xe5\xa4\\\xb1\xe6\x95\x97\xe6\xad\xa3\xe8\xa7\xa3]))"
    file.write_bytes(data)

    with pytest.raises(ChangedError, match=r"^the new layout would not be read in Windows-1252 "):
        format_record(data)
    code, _, err = run(file)
    assert code == 1
    assert "(Western European) again: save the file as UTF-8 first, with CA[UTF-8]" in err
    assert file.read_bytes() == data
    assert format_record(sgf_lark.fix_record(data, unsafe=True).data)


def test_a_file_in_the_layout_is_not_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def loads(data: bytes, **options: Any) -> sgf_lark.Collection:
        read.append(data)
        return sgf_lark.loads(data, **options)

    monkeypatch.setattr(formatter, "loads", loads)
    assert format_record(NEW) == NEW
    assert read == [NEW]
    assert format_record(OLD) == NEW
    assert read == [NEW, OLD, NEW]


def test_a_record_read_otherwise_keeps_its_usual_meaning() -> None:
    data = b"(;FF[3]GM[1]SZ[9]C[a\tb] ;B[dd])"

    assert format_record(data, format="ff3") == format_record(data)
    assert format_record(data, grammar="ff3") == format_record(data)
    with pytest.raises(ChangedError, match="the new layout would change the content"):
        format_record(data, format="ff4")  # to which a tab is a space


def test_comparing_sees_every_change() -> None:
    one = sgf_lark.loads(OLD)
    for other in (
        "(;FF[4]GM[1]KM[6.5];B[pd](;W[dp])(;W[de]))",
        "(;FF[4]GM[1];B[pd](;W[dp])(;W[dd]))",
        "(;FF[4]GM[1]KM[6.5];B[pd];W[dp](;W[dd]))",
        "(;FF[4]GM[1]KM[6.5];B[pd]C[](;W[dp])(;W[dd]))",
        "(;FF[4]GM[1]KM[6.5]B[pd];(;W[dp])(;W[dd]))",
        "(;FF[4]GM[1]KM[6.50];B[pd](;W[dp])(;W[dd]))",
        "(;FF[3]GM[1]KM[6.5];B[pd](;W[dp])(;W[dd]))",
        "(;FF[4])(;FF[4])",
    ):
        assert not have_same_content(one, sgf_lark.loads(other))
    assert have_same_content(one, sgf_lark.loads(NEW))


@pytest.mark.night
def test_a_kill_never_leaves_half_a_file(tmp_path: Path) -> None:
    """Files are being written anew when the program is killed, whenever that is."""
    node = b"\n; B[pd] C[" + b"x" * 200 + b"]"
    old = b"(;FF[4] GM[1]" + node * 400 + b")"
    new = format_record(old)
    chance = random.Random(1)  # noqa: S311  # chance, not secrets
    files = [tmp_path / f"{number}.sgf" for number in range(120)]
    killed = written = 0
    rounds = 3
    while rounds > 0 or not killed:  # a busy machine may kill it too late
        rounds -= 1
        for file in files:
            file.write_bytes(old)
        command = [sys.executable, "-m", "sgf_lark", "fmt", str(tmp_path)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE)  # noqa: S603  # our own command
        assert process.stderr is not None
        process.stderr.readline()  # the first file is done
        time.sleep(chance.random() * 0.15)
        process.kill()
        process.communicate(timeout=100)
        killed += process.returncode != 0
        contents = [file.read_bytes() for file in files]
        assert set(contents) <= {old, new}
        written += contents.count(new)
    assert written


def test_a_crash_in_one_file_is_told_and_all_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = formatter.format_record

    def fails(data: bytes, **options: Any) -> bytes:
        if b"fail" in data:
            raise IndexError("array index out of range")
        return real(data, **options)

    monkeypatch.setattr("sgf_lark.core.format_record", fails)
    first, second = tmp_path / "a.sgf", tmp_path / "b.sgf"
    first.write_bytes(b"(;FF[4]C[fail])")
    second.write_bytes(OLD)
    code, out, err = run(tmp_path)

    assert (code, out) == (2, "")
    assert err.startswith(
        f"{first}: this file could not be formatted, because the program failed:"
        " IndexError: array index out of range; "
    )
    assert err.endswith("1 file written, 1 file failed\n")
    assert (first.read_bytes(), second.read_bytes()) == (b"(;FF[4]C[fail])", NEW)


def test_an_unknown_encoding_is_refused_before_files_are_read() -> None:
    code, _, err = run("no.sgf", "--encoding", "nonsense")

    assert code == 2
    assert "error: --encoding: no text encoding is called 'nonsense'" in err
    assert "no.sgf" not in err

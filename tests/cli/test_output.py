"""Outputs that cannot be written: a full disk, whatever the command."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import run

from sgf_lark import fix_record
from sgf_lark.__main__ import main

pytestmark = pytest.mark.elsewhere


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize(
    "command",
    [
        "convert a.sgf --to ff4",
        "convert a.sgf --to json --diff",
        "check a.sgf",
        "check a.sgf --format json",
        "check a.sgf --fix --diff",
        "fmt --diff a.sgf",
        "show a.sgf",
        "show a.sgf --format png",
        "explain T210",
        "tree a.sgf",
        "convert --schema",
        "grammar show ff4",
        "grammar show",
        "grammar test ff4 a.sgf",
        "--help",
        "--version",
        "check --help",
        "grammar --help",
    ],
)
def test_on_a_full_disk_every_command_ends_with_one_line(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.sgf").write_text("(;FF[4] GM[1]SZ[9]KM[6,5];B[aa])")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sgf_lark.__main__._prepare", lambda: None)
    monkeypatch.setattr(sys, "argv", ["sgf-lark", *command.split()])
    with Path("/dev/full").open("wb", buffering=0) as full:
        output = io.TextIOWrapper(io.BufferedWriter(full), "utf-8")
        monkeypatch.setattr(sys, "stdout", output)
        with pytest.raises(SystemExit) as ended:
            main()
        output.close()

    assert ended.value.code == 2
    errors = capfd.readouterr().err.splitlines()
    assert [line for line in errors if "cannot write the output" in line] == errors[-1:]
    assert "Traceback" not in "".join(errors)


#: Records with a fault that a fix mends, in several encodings and with several ends of lines.
FAULTY = {
    "in folder/a.sgf": "(;FF[4]CA[UTF-8]GM[1]SZ[19]\nPB[青木]KM[6,5]\n;B[pd]\n;W[dp])\n".encode(),
    "in folder/latin.sgf": b"(;FF[4]GM[1]SZ[19]\nPB[No\xebl]KM[6,5]\n;B[pd])\n",
    "big5.sgf": "(;FF[4]CA[Big5]GM[1]SZ[19]\nPB[張栩]KM[6,5]\n;B[pd])".encode("big5"),
    "crlf.sgf": b"(;FF[4]GM[1]SZ[19]\r\nKM[6,5]\r\n;B[pd])\r\n",
    "no end.sgf": b"(;FF[4]GM[1]SZ[19]\n;B[pd]\n;W[dp]\nKM[6,5])",
    "utf16.sgf": "\ufeff(;FF[4]GM[1]SZ[19]KM[6,5]\n;B[pd])".encode("utf-16-le"),
}


@pytest.mark.parametrize("tool", ["git apply", "patch -s -p1"])
def test_a_difference_in_a_pipe_is_a_patch_of_the_bytes(tool: str, tmp_path: Path) -> None:
    if shutil.which(tool.split(maxsplit=1)[0]) is None:
        pytest.skip(f"no {tool}")
    (tmp_path / "in folder").mkdir()
    for name, data in FAULTY.items():
        (tmp_path / name).write_bytes(data)
    done = run("check", "--diff", "--unsafe-fixes", ".", folder=tmp_path)
    subprocess.run(tool.split(), input=done.stdout, cwd=tmp_path, check=True, timeout=100)  # noqa: S603

    patched = {name: (tmp_path / name).read_bytes() for name in FAULTY}
    assert patched == {name: fix_record(data, unsafe=True).data for name, data in FAULTY.items()}
    assert all(patched[name] != data for name, data in FAULTY.items())

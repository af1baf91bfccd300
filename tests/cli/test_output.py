"""Outputs that cannot be written: a full disk, whatever the command."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from sgf_lark.__main__ import main


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize(
    "command",
    [
        "convert a.sgf --to ff4",
        "convert a.sgf --to json --diff",
        "check a.sgf",
        "check a.sgf --fix --diff",
        "fmt --diff a.sgf",
        "show a.sgf",
        "explain T210",
        "tree a.sgf",
        "schema",
        "grammar show ff4",
        "grammar list",
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

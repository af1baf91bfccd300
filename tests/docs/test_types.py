"""What type checkers know of the library: proved by mypy and pyright on code as people write it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import ported, user_code
from support.places import ROOT

FILE = Path(user_code.__file__)


def test_code_of_users_runs(tmp_path: Path) -> None:
    user_code.use_everything(tmp_path / "game.sgf")


def by_pyright(folder: Path, file: Path) -> tuple[int, list[str]]:
    """Return how many files pyright has checked, and what it found.

    It runs in node: with the package ``pyright[nodejs]``, or where node is installed.
    """
    pytest.importorskip("pyright", reason="pyright is not installed")
    command = [sys.executable, "-m", "pyright", "--project", str(folder)]
    settings = {
        "extraPaths": [str(ROOT)],
        "pythonVersion": f"{sys.version_info.major}.{sys.version_info.minor}",
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": "error",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    if subprocess.run(  # noqa: S603
        [*command, "--version"], capture_output=True, check=False, timeout=100
    ).returncode:
        pytest.skip("pyright is not installed: it finds no node")
    command += ["--pythonpath", sys.executable, "--outputjson", str(file)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=100)  # noqa: S603
    found = json.loads(done.stdout)
    lines = [
        f"{Path(one['file']).name}:{one['range']['start']['line'] + 1} {one['message']}"
        for one in found["generalDiagnostics"]
    ]
    return found["summary"]["filesAnalyzed"], lines


@pytest.mark.night
def test_pyright_finds_no_error_and_each_mistake(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        'import sgf_lark\n\nsgf_lark.loads("(;)", engine="fast")\n'
        'sgf_lark.CheckOptions(selekt=["V"])\nsgf_lark.CheckOptions(select=["V"])\n'
    )

    assert by_pyright(tmp_path, FILE) == (1, [])
    assert by_pyright(tmp_path, Path(ported.__file__)) == (1, [])
    count, lines = by_pyright(tmp_path, wrong)
    assert (count, [line.partition(" ")[0] for line in lines]) == (1, ["wrong.py:3", "wrong.py:4"])


@pytest.mark.night
def test_mypy_finds_no_error_and_each_mistake(tmp_path: Path) -> None:
    """As its users run it: strict, and without the plugin of pydantic."""
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\nfollow_imports = silent\n")
    command = [sys.executable, "-m", "mypy", "--config-file", str(tmp_path / "mypy.ini")]
    found = subprocess.run(  # noqa: S603
        [*command, "--cache-dir", str(tmp_path), str(FILE)],
        env=os.environ | {"MYPYPATH": str(ROOT)}, cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip

    assert found.stdout.strip() == "Success: no issues found in 1 source file", found.stdout

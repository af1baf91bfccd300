"""What tests of the server share."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.places import RECORDS, ROOT


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with copies of the records, beside a home; the command is on the PATH."""
    for name in ("home", "bin"):
        (tmp_path / name).mkdir()
    command = tmp_path / "bin" / "sgf-lark"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m sgf_lark "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return Path(shutil.copytree(RECORDS, tmp_path / "records"))

"""The page's code for PyTorch and Hugging Face runs where they are installed."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from support.places import ROOT
from support.readmes import GUIDES

from sgf_lark import archive

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / GUIDES / "arrays.md").read_text(encoding="utf-8")
CODE = re.search(r"```py\n(import torch\n.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an archive of two games of Go."""
    for number in range(2):
        (tmp_path / f"{number}.sgf").write_text(
            f"(;FF[4]GM[1]SZ[9]RE[B+1];B[e{'de'[number]}];W[ef])"
        )
    monkeypatch.chdir(tmp_path)
    archive.build([tmp_path], tmp_path / "go.archive", jobs=1)
    return tmp_path


def test_the_page_has_code_for_both() -> None:
    assert CODE is not None
    compile(CODE[1], "arrays.md", "exec")


@pytest.mark.night
@pytest.mark.usefixtures("folder")
def test_the_code_of_the_page_runs() -> None:
    pytest.importorskip("torch")
    assert CODE is not None
    names: dict[str, Any] = {"archive": archive}
    torch_part, _, rows_part = CODE[1].partition("def rows(")
    if "datasets" not in sys.modules:
        torch_part = torch_part.replace("from datasets import Dataset\n", "")
    exec(torch_part, names)  # noqa: S102  # our own page
    batches = [*names["loader"]]
    assert sum(len(batch["moves"]) for batch in batches) in {0, 2, 4}

    datasets = pytest.importorskip("datasets")
    names["Dataset"] = datasets.Dataset
    exec("def rows(" + rows_part, names)  # noqa: S102  # our own page
    assert len(names["dataset"]) == 4

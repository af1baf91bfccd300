"""The address of the repository: one command writes it everywhere."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from support.owner import ADDRESS, address_of, pages, set_owner
from support.places import ROOT

from sgf_lark import __version__


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The pages of the project, elsewhere."""
    for file in pages(ROOT):
        target = tmp_path / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return tmp_path


def addresses(root: Path) -> set[str]:
    """The addresses of the project in its pages."""
    return {one for file in pages(root) for one in ADDRESS.findall(file.read_text("utf-8"))}


def test_a_name_is_written_into_every_address(copy: Path) -> None:
    changed = set_owner(copy, "some-body")

    assert copy / "pyproject.toml" in changed
    assert len(changed) > 1
    assert address_of(copy) == "https://github.com/some-body/sgf_lark"
    assert addresses(copy) == {address_of(copy)}
    assert set_owner(copy, "other") == changed


@pytest.mark.parametrize("name", ["", "-a", "a--b", "a b", "a/b", "a" * 40])
def test_a_name_that_nobody_can_have_changes_nothing(name: str, copy: Path) -> None:
    before = addresses(copy)
    with pytest.raises(ValueError, match="is no name of an owner"):
        set_owner(copy, name)

    assert addresses(copy) == before


def test_a_page_with_another_address_is_named(copy: Path) -> None:
    (copy / "README.md").write_text("https://github.com/stranger/sgf_lark", encoding="utf-8")
    before = addresses(copy)
    with pytest.raises(ValueError, match=r"README\.md has https://github\.com/stranger/sgf_lark"):
        set_owner(copy, "some-body")

    assert addresses(copy) == before


def test_no_other_file_has_the_address() -> None:
    named = {
        file
        for folder in ("sgf_lark", "grammars", ".ci")
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and b"/sgf_lark" in file.read_bytes()
        if ADDRESS.search(file.read_text(encoding="utf-8", errors="replace"))
    }

    assert named <= {*pages(ROOT)}


def test_an_address_with_a_version_has_this_one() -> None:
    texts = (file.read_text(encoding="utf-8") for file in pages(ROOT))
    versions = [one for text in texts for one in re.findall(rf"{ADDRESS.pattern}@v([\d.]+)", text)]

    assert versions
    assert {*versions} == {__version__}

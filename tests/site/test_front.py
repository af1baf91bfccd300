"""The front page: a game to step through, and the playground where there is one."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from sgf_lark.site.build import OF_WHEEL, file_of, fill_front, write_guides

PAGE = str(dict(write_guides())["index.md"])


def test_the_first_page_has_the_game_that_it_shows_as_a_text(tmp_path: Path) -> None:
    text = fill_front(PAGE, tmp_path, "")
    (viewer,) = re.findall(r'<iframe srcdoc="([^"]+)" sandbox="allow-scripts" title="[^"]+"', text)

    assert "Black leans on the lower stone." in unescape(viewer)
    assert "Black leans on the lower stone." in text.replace(viewer, "")
    assert "<!--" not in text.replace(viewer, "")


def test_a_playground_below_the_site_is_loaded_when_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "play").mkdir()
    (tmp_path / "play" / "python.wasm").write_bytes(bytes(3_100_000))
    text = fill_front(PAGE, tmp_path, "play/")
    (closed,) = re.findall(r"<details><summary>(.*?)</summary>(<iframe .*?</iframe>)", text)

    assert closed[0].endswith(": Python for the browser, 3 MB")
    assert re.search(r'src="play/#[\w-]+" loading="lazy"', closed[1])


def test_a_playground_elsewhere_is_a_link(tmp_path: Path) -> None:
    text = fill_front(PAGE, tmp_path, "https://example.org/play/")

    assert re.search(r'<a href="https://example.org/play/#[\w-]+">', text)
    assert text.count("<iframe") == 1
    assert "<details" not in text


@pytest.mark.parametrize("name", ["CHANGELOG.md", "LICENSE", "grammars/ff4.lark"])
def test_a_wheel_has_files_of_the_root_inside(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert file_of(name).is_file()
    package = tmp_path / "sgf_lark"
    monkeypatch.setattr("sgf_lark.site.build._PACKAGE", package)
    monkeypatch.setattr("sgf_lark.core.grammar.grammars._FOLDER", package / OF_WHEEL[0])

    assert file_of(name) != Path(tmp_path, name)
    assert file_of("sgf_lark/README.md") == package / "README.md"

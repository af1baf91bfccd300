"""Pages of the site on screens of all widths, for everybody, and from a wheel."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from support import wheel
from support.browser import Browser
from support.site import Built, build, go

pytestmark = pytest.mark.night

#: A page of each kind.
KINDS = (
    *("index", "guides/check", "guides/grammar", "rules/index", "rules/G605", "rules/V301"),
    *("properties/index", "properties/B", "grammars/ff4", "grammars/games/backgammon", "settings"),
    *("commands/check", "api/index", "api/Board", "api/archive", "tables", "changes", "search"),
)


#: Pixels of phones, tablets and screens.
WIDTHS = (360, 390, 768, 800, 1024, 1100, 1366, 1600)


@pytest.mark.parametrize("name", KINDS)
def test_a_page_fits_every_width_and_asks_nobody_else(
    name: str, built: Built, browser: Browser
) -> None:
    browser.requests.clear()
    browser.complaints.clear()
    wide = []
    for width in WIDTHS:
        browser.resize(width, 844)
        go(browser, (built.folder / f"{name}.html").as_uri())
        ends = "[...document.querySelectorAll('html, .content, h1')].map(one => one.scrollWidth)"
        right = "document.querySelector('.content').getBoundingClientRect().right"
        if max(browser.value(f"Math.max({right}, ...{ends})"), width) > width:
            wide.append(width)

    assert wide == []
    assert browser.complaints == []
    assert {url.partition(":")[0] for url in browser.requests} <= {"file", "data", "about"}


@pytest.mark.parametrize("name", KINDS)
def test_everybody_can_use_a_page(name: str, built: Built, browser: Browser) -> None:
    browser.resize(390, 844)
    go(browser, (built.folder / f"{name}.html").as_uri())

    assert [*browser.violations("light"), *browser.violations("dark")] == []


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_a_wheel_gives_the_same_site(built: Built, tmp_path: Path) -> None:
    unpacked = tmp_path / "unpacked"
    with ZipFile(wheel.build(tmp_path).wheel) as archive:
        archive.extractall(unpacked)
    build(tmp_path / "site", unpacked)
    ours, theirs = contents(built.folder), contents(tmp_path / "site")

    assert theirs.keys() == ours.keys()
    assert [name for name in ours if theirs[name] != ours[name]] == []

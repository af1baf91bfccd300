"""The site: each thing has a page, no link is dead, nothing is asked of others, search finds."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zlib
from base64 import urlsafe_b64decode
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest
from support.browser import Browser
from support.command_list import COMMANDS
from support.places import ROOT
from support.site import PLAYGROUND, Built, go

import sgf_lark
from sgf_lark.report.explain import private_properties
from sgf_lark.report.tables import tables
from sgf_lark.settings.settings import known_settings

pytestmark = [pytest.mark.night, pytest.mark.must]


def page(built: Built, name: str) -> str:
    """The HTML of a page."""
    return (built.folder / f"{name}.html").read_text(encoding="utf-8")


# ---- what is there ----


def test_every_finding_property_command_and_name_has_a_page(built: Built) -> None:
    pages = {file.relative_to(built.folder).as_posix() for file in built.folder.rglob("*.html")}
    idents = {row.ident for row in sgf_lark.PropertyTable.standard()}
    idents |= {row.ident for row in private_properties()}
    wanted = {f"rules/{rule.code}.html" for rule in sgf_lark.RULES.values()}
    wanted |= {f"properties/{ident}.html" for ident in idents}
    wanted |= {f"commands/{'-'.join(words)}.html" for words in COMMANDS if words}
    wanted |= {f"api/{name}.html" for name in sgf_lark.__all__}

    assert wanted - pages == set()


def test_every_grammar_has_a_page_with_a_diagram_of_each_rule(built: Built) -> None:
    for file in (ROOT / "grammars").rglob("*.lark"):
        name = file.relative_to(ROOT / "grammars").with_suffix("").as_posix()
        rules = re.findall(r"^[?!]?([a-z]\w*)(?:\.\d+)?\s*:", file.read_text("utf-8"), re.MULTILINE)
        text = page(built, f"grammars/{name}")
        for rule in rules:
            track = text.partition(f'<div class="track" id="{rule}">')[2].partition("</div>")[0]
            assert "railroad-diagram" in track, (name, rule)


def test_every_setting_and_table_is_listed(built: Built) -> None:
    settings, listed = page(built, "settings"), page(built, "tables")

    for name in known_settings():
        assert f"id='{name}'" in settings or f'id="{name}"' in settings, name
    for table, columns in tables().items():
        assert f">{table}<" in listed
        for column in columns:
            assert f">{column.name}<" in listed


def test_games_with_boards_and_findings_about_moves_show_them(built: Built) -> None:
    for name in ("go", "othello", "backgammon", "hex", "twixt"):
        assert f"_images/{name}.svg" in page(built, f"grammars/games/{name}")
    for code in ("G601", "G605", "G620", "G630"):
        text = page(built, f"rules/{code}")
        assert f"_images/{code}-wrong.svg" in text
        assert f"_images/{code}-right.svg" in text


def test_a_finding_tells_if_its_fix_is_safe(built: Built) -> None:
    text = re.sub("<[^>]+>", "", page(built, "rules/V301"))

    assert "replace KM[6,5] with KM[6.5] (a safe fix, --fix)" in text
    assert "replace B[Q16] with B[pd] (an unsafe fix, --unsafe-fixes)" in text


def test_a_link_to_the_playground_holds_the_example(built: Built) -> None:
    links = re.findall(rf'href="{PLAYGROUND}#([\w-]+)"', page(built, "rules/V301"))
    states = []
    for link in links:
        packed = urlsafe_b64decode(link + "=" * (-len(link) % 4))
        states.append(json.loads(zlib.decompress(packed, wbits=-zlib.MAX_WBITS)))

    assert states[1]["text"] == "(;FF[4]GM[1]SZ[19]KM[6,5])"
    assert states[1]["grammar"] == (ROOT / "grammars/ff4.lark").read_text(encoding="utf-8")


# ---- links, time and size ----


def test_no_link_is_dead(built: Built) -> None:
    lychee = shutil.which("lychee", path=Path(sys.executable).parent)
    assert lychee is not None
    command = [lychee, "--offline", "--include-fragments", "--no-progress", str(built.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)  # noqa: S603

    assert done.returncode == 0, done.stdout
    assert " 0 Errors" in done.stdout


def test_the_site_is_built_in_45_seconds_and_takes_30_megabytes(built: Built) -> None:
    sizes = [file.stat().st_size for file in built.folder.rglob("*") if file.is_file()]

    assert built.seconds < 45
    assert sum(sizes) < 30_000_000


# ---- in a browser ----


def test_a_keyboard_brings_the_navigation_into_a_narrow_window(
    built: Built, browser: Browser
) -> None:
    browser.resize(390, 844)
    go(browser, (built.folder / "index.html").as_uri())
    left = "document.querySelector('.sidebar-drawer').getBoundingClientRect().left"
    assert browser.value(left) < 0
    browser.value("document.querySelector('.sidebar-search').focus()")

    browser.wait_for(f"{left} === 0")


class Question(NamedTuple):
    """A question of a newcomer, and the way to its answer."""

    question: str
    search: str
    first: str
    second: str
    answer: str


QUESTIONS = [
    Question(*line.split("\t"))
    for line in (Path(__file__).parent / "questions.tsv").read_text("utf-8").splitlines()[1:]
]

#: The pages of a search that a person looks at.
LOOKED_AT = 3

RESULTS = "[...document.querySelectorAll('#search-results li a')].map(one => one.href).join(' ')"


def test_there_are_sixty_questions() -> None:
    assert len({one.question for one in QUESTIONS}) >= 60


#: Names, and the first page that a search for one gives.
NAMES = {
    "komi": "properties/KM",
    "handicap": "properties/HA",
    "KM": "properties/KM",
    "result": "properties/RE",
    "board size": "properties/SZ",
    "Diagnostic": "api/Diagnostic",
    "load": "api/load",
    "sgf-lark convert": "commands/convert",
    "S105": "rules/S105",
    "ff4": "grammars/ff4",
    "Hex": "grammars/games/hex",
}


def search(words: str, page: str, built: Built, browser: Browser) -> list[str]:
    """Search for words, wait until a page is found, and return the first results."""
    go(browser, f"{(built.folder / 'search.html').as_uri()}?q={quote(words)}")
    browser.wait_for("/found|match/.test(document.querySelector('.search-summary')?.textContent)")
    browser.wait_for(f"({RESULTS}).includes({json.dumps(f'/{page}.html')})")
    results = [re.split("[?#]", url)[0] for url in browser.value(RESULTS).split()]
    return [*dict.fromkeys(results)][:LOOKED_AT]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_finds_its_page_first(name: str, built: Built, browser: Browser) -> None:
    page = NAMES[name]

    assert search(name, page, built, browser)[0] == (built.folder / f"{page}.html").as_uri()


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda one: one.question)
def test_the_search_answers_within_two_steps(
    asked: Question, built: Built, browser: Browser
) -> None:
    first = (built.folder / f"{asked.first}.html").as_uri()

    assert first in search(asked.search, asked.first, built, browser)
    last = asked.first
    if asked.second != "-":
        go(browser, first)
        last = asked.second
        links = "[...document.querySelectorAll('article a')].map(one => one.href).join(' ')"
        assert (built.folder / f"{last}.html").as_uri() in re.split("[ #]", browser.value(links))
    text = re.sub("<[^>]+>", "", page(built, last))
    assert asked.answer in text.replace("&#39;", "'").replace("&quot;", '"')

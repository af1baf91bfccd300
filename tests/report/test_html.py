"""The report as a page: places, lines, explanations, and the board at findings of the rules."""

from __future__ import annotations

import io
import os
import pickle
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from click.testing import CliRunner
from support.browser import CHROMIUM, Browser, opened
from support.pages import Page, harmless

from sgf_lark import Report, Severity, check, check_many, loads
from sgf_lark.cli.main import app
from sgf_lark.core.findings import report as reports
from sgf_lark.core.schema.values import Point
from sgf_lark.pictures.parts import MarkKind
from sgf_lark.report import html
from sgf_lark.report.base import ReportConsole
from sgf_lark.report.html import HtmlReporter

#: Go: a stone on a stone, and a mark off the board; Othello: a move that turns nothing.
ILLEGAL = "(;FF[4]GM[1]SZ[9]KM[6,5];B[ee];W[ee];B[cc]TR[zz])(;FF[4]GM[2];B[d3];W[a1])"
EVIL = "(;FF[4]GM[1]SZ[9]KM[</pre><script>alert(1)</script>];B[<img src=x onerror=alert(1)>])"


def report(text: str, name: str = "a.sgf") -> Report:
    return check(io.StringIO(text)).model_copy(update={"name": name})


def page(*some: Report, level: Severity = Severity.WARNING) -> Page:
    file = io.StringIO()
    reporter = HtmlReporter(ReportConsole(file, color_system=None), level)
    reporter.begin()
    for one in some:
        reporter.add(one)
    reporter.end()
    return harmless(file.getvalue())


# ---- pages to step through the games ----


def test_findings_open_the_viewer_of_their_record_at_their_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("a.sgf", ILLEGAL),
        ("b.sgf", "(;FF[4]GM[1]SZ[9];B[ee])"),
        ("c c.sgf", EVIL),
    ):
        Path(name).write_text(text, encoding="utf-8")
    command = ["check", "a.sgf", "b.sgf", "c c.sgf", "--format", "html", "--viewer", "look at"]

    done = CliRunner().invoke(app, [*command, "-o", "out.html"])

    links = re.findall(r'href="(look[^"]*)"', Path("out.html").read_text(encoding="utf-8"))
    assert done.exit_code == 1
    assert {link.partition("#")[0] for link in links} == {
        "look%20at/1-a.html",
        "look%20at/2-c%20c.html",
    }
    assert "look%20at/1-a.html#1@2" in links
    assert "look%20at/1-a.html#2@2" in links
    viewer = Path("look at/1-a.html").read_text(encoding="utf-8")
    assert viewer == loads(ILLEGAL, strict=False).viewer().html
    assert sorted(one.name for one in Path("look at").iterdir()) == ["1-a.html", "2-c c.html"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no file has such a name")
@pytest.mark.parametrize("name", ["x" * 250, "..", "a#b?c", os.fsdecode(b"\xff")], ids=ascii)
def test_records_of_any_name_have_a_viewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.sgf").write_text(ILLEGAL, encoding="utf-8")
    command = ["check", ".", "--format", "html", "--viewer", "views", "-o", "out.html"]

    done = CliRunner().invoke(app, command)

    links = re.findall(r'href="(views/[^"#]*)#', Path("out.html").read_text(encoding="utf-8"))
    assert done.exit_code == 1
    assert os.path.exists(os.fsdecode(unquote_to_bytes(links[0])))  # noqa: PTH110  # as it is


def test_viewers_are_for_pages() -> None:
    done = CliRunner().invoke(app, ["check", "--viewer", "x"])

    assert (done.exit_code, done.output.count("--viewer is for --format html")) == (2, 1)


# ---- the boards of a report ----


def test_a_report_draws_the_board_at_findings_of_the_rules() -> None:
    found = report(ILLEGAL)

    boards = {finding.code: board for finding, board in found.boards().items()}

    assert {*boards} == {"G601", "G603", "G620"}
    marks = {
        code: [mark.point for mark in board.marks if mark.kind is MarkKind.FINDING]
        for code, board in boards.items()
    }
    assert marks == {"G601": [Point(4, 4)], "G603": [], "G620": [Point(0, 0)]}
    assert boards["G620"].size == (8, 8)


def test_only_so_many_boards_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MAX_BOARDS", 2)

    assert len(report(ILLEGAL).boards()) == 2


def test_a_report_keeps_no_games_and_its_pickle_no_boards() -> None:
    found = report(ILLEGAL)

    again = pickle.loads(pickle.dumps(found))

    assert again == found
    assert again.boards() == {}
    assert "<h3>" in again._repr_html_()  # as a notebook does


@pytest.mark.night
def test_a_report_from_another_process_draws_boards_too(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.sgf" for number in range(4)]
    for file in files:
        file.write_text(ILLEGAL, encoding="utf-8")

    assert [len(one.boards()) for one in check_many(files, jobs=2)] == [3, 3, 3, 3]


def test_a_report_made_by_hand_has_no_boards() -> None:
    assert Report().boards() == {}
    assert "nothing wrong" in Report()._repr_html_()  # as a notebook does


# ---- the page ----


def test_the_page_has_every_finding_with_place_line_help_and_board() -> None:
    shown = page(report(ILLEGAL), report("(;FF[4])", "clean.sgf"))

    assert len(shown.with_class("finding")) == 4
    for text in (
        *("W[ee] (E5) is played on a black stone", "line 1, column 34", "G601 occupied-point"),
        *("game 1, move 2", "help: replace KM[6,5] with KM[6.5]", "turns no disc"),
    ):
        assert text in shown.text
    assert len(shown.named("svg")) == 3
    assert len(shown.named("mark")) == 4
    assert "2 files, 1 with findings: 2 errors, 2 warnings" in shown.text


def test_each_code_is_linked_to_its_explanation() -> None:
    shown = page(report(ILLEGAL))

    ids = {one.attributes.get("id") for one in shown.with_class("rule")}
    assert ids == {"V301", "G601", "G603", "G620"}
    links = {one.attributes["href"] for one in shown.named("a")}
    assert {"#V301", "#G601", "#G603", "#G620", "#file-1"} == links
    assert "A stone is played on an occupied point." in shown.text


def test_the_summary_is_above_the_findings_and_links_codes_and_files() -> None:
    shown = page(report(EVIL, "a.sgf"), report(ILLEGAL, "b.sgf"), report("(;FF[4])", "c.sgf"))

    places = [shown.text.index(text) for text in ("Summary", "3 files, ", "G601 occupied-point: 1")]
    places.append(shown.text.index("b.sgf: 2 errors, 2 warnings"))
    places.append(shown.text.index("is played on a black stone"))
    assert places == sorted(places)


def test_nothing_of_a_record_is_markup_in_a_report() -> None:
    shown = page(report(EVIL, "<script>.sgf"), level=Severity.INFO)

    assert "<script>alert(1)</script>" in shown.text
    assert "<script>.sgf" in shown.text
    harmless(report(EVIL)._repr_html_())  # as a notebook does


def test_a_page_of_many_files_has_only_so_many_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_BOARDS_OF_PAGE", 4)

    shown = page(*(report(ILLEGAL, f"{number}.sgf") for number in range(5)))

    assert len(shown.named("svg")) == 6
    assert len(shown.with_class("finding")) == 20


def test_a_list_of_very_many_files_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_LISTED", 2)

    shown = page(*(report(EVIL, f"{number}.sgf") for number in range(5)))

    assert "and 3 more files with findings" in shown.text


def test_the_command_writes_the_page_into_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.sgf").write_text(ILLEGAL, encoding="utf-8")
    command = ["check", "a.sgf", "no.sgf", "--format", "html", "--output", "a.html"]

    done = CliRunner().invoke(app, command, catch_exceptions=False)

    assert (done.exit_code, done.stdout) == (2, "")
    shown = harmless(Path("a.html").read_text(encoding="utf-8"))
    assert len(shown.named("svg")) == 3
    assert "F002 missing-file" in shown.text
    assert "1 could not be read" in shown.text


def test_an_encoding_without_a_character_gets_its_number() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, "ascii")
    reporter = HtmlReporter(ReportConsole(file, color_system=None), Severity.WARNING)
    reporter.begin()
    reporter.add(report("(;FF[4]GM[1]KM[棋])"))
    reporter.end()
    file.flush()

    assert "&#26827;" in raw.getvalue().decode("ascii")


# ---- in a notebook, and in a browser ----


def test_a_notebook_shows_findings_and_boards_as_images() -> None:
    shown = harmless(report(ILLEGAL)._repr_html_())  # as a notebook does

    assert len(shown.named("article")) == 6
    assert len(shown.named("img")) == 3
    assert shown.named("svg") == []


def test_a_notebook_shows_the_first_findings_and_counts_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(html, "MAX_NOTEBOOK_FINDINGS", 1)

    assert "5 more findings" in harmless(report(ILLEGAL)._repr_html_()).text  # as a notebook does


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with opened(tmp_path / "profile", "about:blank") as one:
        yield one


@pytest.mark.night
def test_the_page_fits_on_a_desktop_and_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    text = ILLEGAL + "(;FF[4]KM[" + "x" * 3000 + "]CA[" + "棋" * 300 + "])"
    file = tmp_path / "report.html"
    out = io.StringIO()
    reporter = HtmlReporter(ReportConsole(out, color_system=None), Severity.INFO)
    reporter.begin()
    reporter.add(report(text, "folder/" * 60 + "a.sgf"))
    reporter.end()
    file.write_text(out.getvalue(), encoding="utf-8")
    browser.call("Page.navigate", url=file.as_uri())
    browser.wait_for("document.querySelectorAll('footer').length")

    for width, height in ((1280, 800), (375, 812)):
        browser.resize(width, height)
        root = "document.documentElement"
        assert browser.value(f"{root}.scrollWidth <= {root}.clientWidth"), width

    assert browser.complaints == []
    assert set(browser.requests) <= {"about:blank", file.as_uri()}

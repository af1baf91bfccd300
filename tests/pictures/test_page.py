"""Games as HTML: everything is there, nothing of a record is markup, and it fits any screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import CHROMIUM, Browser, opened
from support.diagrams import DIAGRAMS, MARKED, figure
from support.lanes import every_other
from support.pages import harmless

from sgf_lark import loads
from sgf_lark.pictures.pages import page as pages
from sgf_lark.pictures.pages.markup import Html, tag
from sgf_lark.pictures.pages.page import GamePage, HeadRow
from sgf_lark.pictures.parts import PageTheme
from sgf_lark.positions.page import make_worksheet

EVIL = "</style><script>alert('1')</script><img src=x onerror=alert(1)>&lt;\"'\x00\x1b\ud800"


PAGE = GamePage(
    title="Aoki vs. Park",
    facts=(HeadRow("Black", "Aoki 9p"), HeadRow("Result", "Black wins by resignation")),
    comment="A friendly game.",
    figures=(
        figure(1, first=1, last=50, variations=("1a",), comments=((12, "", "Sharp."),)),
        figure(
            *("1a",),
            first=13,
            last=20,
            parent=12,
            origin="1",
            comments=((13, "Mistake", "Better is A.", ("? bad move", "unclear position")),),
        ),
        figure(2, first=51, last=51, name="The end", diagram=MARKED),
    ),
)


# ---- elements ----


def test_a_text_in_an_element_is_never_markup() -> None:
    assert (
        tag("p", "<b>", Html("<i>x</i>"), title='a"b')
        == '<p title="a&quot;b">&lt;b&gt;<i>x</i></p>'
    )


def test_attributes_without_a_value_are_left_out_or_bare() -> None:
    assert (
        tag("a", class_="x", data_one=None, hidden=True, open=False) == '<a class="x" hidden></a>'
    )


def test_characters_that_no_page_may_have_are_replaced() -> None:
    assert tag("p", "a\x00b\ud800\n") == "<p>a\ufffdb\ufffd\n</p>"


# ---- the page ----


def test_a_page_has_title_facts_figures_comments_and_variations() -> None:
    page = harmless(PAGE.html())

    for text in (
        *("Aoki vs. Park", "Aoki 9p", "Black wins by resignation", "A friendly game."),
        *("Figure 1 (1-50)", "The end (51)", "Variation 1a after move 12 (13-20)"),
        *("Move 12", "Sharp.", "Mistake", "Better is A.", "57 at 32"),
        "Move 13 (? bad move, unclear position)",
    ):
        assert text in page.text
    assert [one.attributes["id"] for one in page.with_class("figure")] == ["figure-1", "figure-2"]
    assert [one.attributes["id"] for one in page.with_class("variation")] == ["figure-1a"]
    assert len(page.named("h1")) == 1


def test_a_page_needs_no_script_and_no_server() -> None:
    html = PAGE.html()

    policy = next(
        one.attributes["content"]
        for one in harmless(html).named("meta")
        if one.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy == pages.POLICY
    assert "http:" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in html


def test_nothing_of_a_record_is_markup() -> None:
    evil = figure(
        1,
        name=EVIL,
        first=1,
        last=2,
        comments=((1, EVIL, EVIL),),
        diagram=MARKED.model_copy(update={"title": EVIL, "notes": (EVIL,), "left_out": (EVIL,)}),
    )
    page = GamePage(
        title=EVIL, facts=(HeadRow("Black", EVIL),), comment=EVIL, figures=(evil,), lost=(EVIL,)
    )

    read = harmless(page.html())

    assert read.text.count("<script>alert('1')</script>") >= 8
    assert len(read.named("style")) == len(harmless(PAGE.html()).named("style")) - 2
    harmless(page._repr_html_())  # as a notebook does


def test_pictures_have_a_name_and_a_description_for_those_who_do_not_see_them() -> None:
    page = harmless(PAGE.html())

    svgs = page.named("svg")
    assert len(svgs) == 3
    assert all(one.attributes["role"] == "img" for one in svgs)
    assert len(page.named("desc")) == 3


def test_texts_of_a_record_have_a_direction_of_their_own() -> None:
    page = PAGE.model_copy(update={"title": "שחקן vs. Park", "comment": "שלום"})

    html = page.html()

    assert "<bdi>שחקן vs. Park</bdi>" in html
    assert '<p dir="auto" class="said">שלום</p>' in html


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_a_theme_can_be_forced(theme: PageTheme) -> None:
    assert f'<html lang="en" data-theme="{theme}">' in PAGE.html(theme)
    assert "data-theme=" not in PAGE.html().partition("<style>")[0]


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_kind_of_board_has_a_page(name: str) -> None:
    page = GamePage(title=name, figures=(figure(1, diagram=DIAGRAMS[name]),))

    assert len(harmless(page.html()).named("svg")) == 1


def test_a_game_without_a_board_has_a_page() -> None:
    page = GamePage(title="Hive", lost=("no board of Hive: its points are not defined",))

    assert "no board of Hive: its points are not defined" in harmless(page.html()).text


def test_variations_of_variations_are_there_once_however_deep() -> None:
    deep = 300
    figures = [
        figure(number, parent=None if number == 1 else number, variations=(str(number + 1),))
        for number in range(1, deep + 1)
    ]

    page = harmless(GamePage(title="deep", figures=tuple(figures)).html())

    assert len(page.with_class("variation")) == deep - 1


def test_more_figures_than_a_page_has_room_for_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_FIGURES", 2)

    assert "1 more figure not shown" in harmless(PAGE.html()).text
    assert PAGE.text().endswith("1 more figure not shown\n")
    assert "Figure 2" not in PAGE.text()


# ---- of records ----

RECORD = (
    "(;FF[4]GM[1]SZ[9]PB[青木]BR[9p]PW[שחקן]RE[W+3.5]DT[2024-02-28,29]KM[6.5]TM[5400]OT[5x30]"
    "GC[Friendly.]HA[0];B[ee];W[cc]C[Calm.](;B[gc];W[gg])(;B[cg]C[Or here.]))"
)


def test_the_page_of_a_game_has_its_facts_in_words() -> None:
    page = loads(RECORD, strict=False)[0].page()

    assert page.title == "青木 vs. שחקן"
    assert dict(page.facts) == {
        "Black": "青木 9p",
        "White": "שחקן",
        "Result": "White wins by 3.5",
        "Date": "2024-02-28, 2024-02-29",
        "Game": "Go 9x9",
        "Komi": "6.5",
        "Time": "1 hour 30 minutes, 5x30",
    }
    assert page.comment == "Friendly."
    assert [(one.first, one.last, one.parent) for one in page.figures] == [(1, 4, None), (3, 3, 2)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("B+R", "Black wins by resignation"),
        ("W+T", "White wins on time"),
        ("B+", "Black wins"),
        ("0", "Draw"),
        ("Void", "No result"),
        ("?", "Unknown"),
        (r"black \] won", "black ] won"),
    ],
)
def test_results_are_in_words_and_invalid_ones_as_they_are(value: str, words: str) -> None:
    game = loads(f"(;FF[4]GM[1]RE[{value}])", strict=False)[0]

    assert dict(game.page().facts)["Result"] == words


@pytest.mark.parametrize(
    ("properties", "title"),
    [
        ("PB[A]PW[B]", "A vs. B"),
        ("PW[B]", "? vs. B"),
        ("GN[Final]", "Final"),
        ("EV[Cup]", "Cup"),
        ("", "Go"),
    ],
)
def test_the_title_is_the_players_or_what_else_names_the_game(properties: str, title: str) -> None:
    assert loads(f"(;FF[4]GM[1]{properties})")[0].page().title == title


def test_names_of_players_come_without_the_space_around_them() -> None:
    page = loads("(;FF[4]GM[1]PB[A ]BR[ 9p]BT[Seoul ]PW[ B])", strict=False)[0].page()

    assert page.title == "A vs. B"
    assert dict(page.facts)["Black"] == "A 9p (Seoul)"


def test_a_game_is_divided_where_the_record_or_fifty_moves_say() -> None:
    moves = "".join(
        f";{'BW'[at % 2]}[{'abcdefghi'[at % 9]}{'abcdefghi'[at // 9]}]" for at in range(60)
    )

    unmarked = loads(f"(;FF[4]GM[1]SZ[9]{moves})")[0].page()
    marked = loads(f"(;FF[4]GM[1]SZ[9];B[ii];FG[]{moves})", strict=False)[0].page()

    assert [(one.first, one.last) for one in unmarked.figures] == [(1, 50), (51, 60)]
    assert [(one.first, one.last) for one in marked.figures] == [(1, 1), (2, 61)]


def test_a_page_takes_a_division_into_figures() -> None:
    game = loads("(;FF[4]GM[1]SZ[9];B[aa];W[bb]C[here];B[cc])")[0]

    assert [len(game.page(split=split).figures) for split in ("FG", "comments", 1)] == [1, 2, 3]
    with pytest.raises(ValueError, match="no division 0: expected FG, comments or a number"):
        game.page(split=0)


@pytest.mark.night
def test_a_record_of_nested_variations_has_a_page() -> None:
    text = "(;FF[4]GM[1]SZ[9]" + "(;B[aa])(;W[bb]" * 1000 + ")" * 1000 + ")"

    page = harmless(loads(text)[0].page().html())

    assert len(page.named("svg")) == pages.MAX_FIGURES
    assert "more figures not shown" in page.text


def test_moves_with_nothing_but_the_same_annotation_are_listed_together() -> None:
    said = (
        (1, "", "", ("! tesuji",)),
        (2, "", "", ("? bad move",)),
        (3, "", "Why.", ("! tesuji",)),
    )
    more = ((5, "", "", ("! tesuji",)), (0, "", "", ("unclear position",)), (7, "", "", ()))
    shown = figure(1, comments=(*said, *more))

    assert [*pages.remarks_of(shown)] == [
        ("Move 3 (! tesuji)", "", "Why."),
        ("! tesuji", "", "1, 5"),
        ("? bad move", "", "2"),
        ("unclear position", "", ""),
    ]


def test_a_variation_of_a_variation_says_so() -> None:
    inner = figure("2c", first=5, last=6, parent=4, origin="2a", name="Failure 2c")

    assert pages.heading(inner) == "Failure 2c, variation of 2a after move 4 (5-6)"
    unnamed = inner.model_copy(update={"name": "", "parent": 0})
    assert pages.heading(unnamed) == "Variation 2c of 2a at the start (5-6)"


# ---- several games ----

PROBLEM = "(;FF[4]GM[1]SZ[9]GN[Corner]AB[ab][bb]AW[bc](;B[aa];W[ba])(;B[ba]))"


def test_a_worksheet_has_the_positions_first_and_then_solutions_and_games() -> None:
    unnamed = PROBLEM.replace("GN[Corner]", "")
    games = loads(PROBLEM + RECORD + unnamed + "(;FF[4]GM[1]SZ[9]AB[aa]PL[W])", strict=False)

    page = make_worksheet([game.page() for game in games])

    assert page.title == "4 games"
    assert [(one.number, one.name) for one in page.figures] == [
        ("1", "1. Corner: Black to play"),
        ("3", "Problem 3: Black to play"),
        ("4", "Problem 4: White to play"),
    ]
    assert [one.title for one in page.games] == [
        "1. Corner: solution",
        "2. 青木 vs. שחקן",
        "Problem 3: solution",
    ]
    read = harmless(page.html())
    ids = [one.attributes["id"] for one in read.named("section") if "id" in one.attributes]
    assert len(read.named("svg")) == len(ids) == len({*ids}) == 9
    order = page.text()
    assert order.index("Problem 4: White to play") < order.index("Corner: solution")
    assert page.pdf().startswith(b"%PDF-1.")
    assert make_worksheet([loads(PROBLEM)[0].page()] * 2).title == "2 problems"


# ---- in a browser ----


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with opened(tmp_path / "profile", "about:blank") as one:
        yield one


LONG = "supercalifragilistic" * 20


@pytest.mark.night
@pytest.mark.parametrize("scheme", every_other(["light", "dark"]))
def test_a_page_fits_on_a_desktop_and_on_a_phone(
    browser: Browser, tmp_path: Path, scheme: str
) -> None:
    figures = (
        figure(1, first=1, last=50, variations=("1a",), comments=((12, LONG, LONG),)),
        figure("1a", parent=12, comments=((13, "", LONG),), diagram=MARKED),
        figure(2, first=51, last=60),
        *(figure(4 + at, diagram=one) for at, one in enumerate(DIAGRAMS.values())),
    )
    page = GamePage(title=LONG, facts=(HeadRow("Black", LONG),), comment=LONG, figures=figures)
    file = tmp_path / "page.html"
    file.write_text(page.html(), encoding="utf-8")
    preference = {"name": "prefers-color-scheme", "value": scheme}
    browser.call("Emulation.setEmulatedMedia", features=[preference])
    browser.call("Page.navigate", url=file.as_uri())
    browser.wait_for("document.querySelectorAll('footer').length")

    for width, height in ((1280, 800), (768, 1024), (375, 812), (320, 568)):
        browser.resize(width, height)
        root = "document.documentElement"
        assert browser.value(f"{root}.scrollWidth <= {root}.clientWidth"), width
        assert browser.value(
            "[...document.querySelectorAll('svg')].every(one =>"
            " one.getBoundingClientRect().width > 100 && one.getBoundingClientRect().height > 20)"
        )

    page_color = browser.value("getComputedStyle(document.body).backgroundColor")
    assert (page_color == "rgb(21, 23, 26)") is (scheme == "dark")
    assert browser.complaints == []
    assert set(browser.requests) <= {"about:blank", file.as_uri()}


def test_pictures_of_a_worksheet_have_one_scale_and_their_names_below() -> None:
    small = "(;FF[4]GM[1]SZ[19]AB[aa]AW[bb](;B[ab];W[ba])(;B[ba];W[ab]))"
    large = "(;FF[4]GM[1]SZ[19]AB[aa][jj]AW[bb](;B[ab])(;B[ba]))"
    pages = [loads(text)[0].page(crop="auto") for text in (small, large)]
    html = make_worksheet(pages).html()

    shares = [float(one) for one in re.findall(r"--share:([\d.]+)", html)]
    cells = [len(one.figures[0].diagram.extent[0]) + 2 for one in pages]
    assert max(shares) == 1
    assert shares[0] / shares[1] == pytest.approx(cells[0] / cells[1], abs=0.01)
    assert html.index("</svg>") < html.index("<h2 dir") < html.rindex("<h2 dir")
    assert 'style="--share' not in loads(small)[0].page().html()


def test_figures_of_a_solution_have_the_number_of_their_problem() -> None:
    text = "(;FF[4]GM[1]SZ[9]AB[aa]AW[bb](;B[ab];W[ba](;B[ca])(;B[da]))(;B[ba];W[ab])(;B[ca]BM[1]))"
    sheet = make_worksheet([loads(text)[0].page() for _ in range(2)])

    assert [one.number for one in sheet.figures] == ["1", "2"]
    for number, game in enumerate(sheet.games, 1):
        numbers = [one.number for one in game.figures]
        assert numbers == [str(number), *(f"{number}{letter}" for letter in "abc")][: len(numbers)]
        assert {one.origin for one in game.figures} <= {None, "1", *numbers}
        assert f"Failure {number}" in " ".join(one.name for one in game.figures)

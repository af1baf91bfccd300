"""Games to look through: each position is drawn as its diagram, and nothing is asked or run."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support.diagrams import PROBLEM, drawn, expected, one_game
from support.lanes import amount, one_in
from support.playing import PLAYED, choices, played

from sgf_lark import GamePage, loads
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.positions.page import view_games

EVIL = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>&lt;\"'\u2028\ud800"


def data_of(html: str) -> list[dict[str, Any]]:
    """What the script knows of each game."""
    found = re.findall(r'<script type="application/json" class="data">(.*?)</script>', html)
    return [json.loads(text) for text in found]


# ---- elements ----


def shown(html: str) -> Iterator[set[tuple[str, ...]]]:
    """The elements of each node of a page with one game, by its data."""
    svg = html[html.index("<svg") : html.index("</svg>") + len("</svg>")]
    root = ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))  # noqa: S314  # ours
    levels = [level for level in root if level.tag == "g"]
    elements = [(level.attrib, element) for level in levels for element in level]
    nodes = data_of(html)[0]["nodes"]
    sets: list[set[int]] = []
    for node in nodes:
        before = sets[node["up"]] if node["up"] >= 0 else set()
        sets.append(before ^ set(node["flips"]))
        parts = []
        for number in sorted(sets[-1]):
            around, element = elements[number]
            group = ET.Element("g", around)
            group.append(element)
            parts.append(ET.tostring(group, "unicode"))
        yield drawn(f"<svg>{''.join(parts)}</svg>")


@pytest.mark.both_lanes
@pytest.mark.parametrize("number", one_in(3, PLAYED), ids=str)
def test_the_elements_of_a_node_are_those_of_its_diagram(number: GameNumber) -> None:
    game = played(number, 3, amount(8, 30))

    boards = list(shown(game.viewer().html))

    assert boards == [expected(node) for node in game.nodes]
    assert len(boards) > 8


def test_markup_variations_and_views_come_and_go_with_their_nodes() -> None:
    game = one_game(
        "(;FF[4]GM[1]SZ[9]LB[aa:long label][bb:\u4e2d]DD[cc:dd];B[cc]TR[cc]MN[7]VW[aa:ee]"
        "(;W[dd]LB[cc:1]AR[aa:bb])(;W[ee];B[];W[cc]KO[]TB[aa]TW[bb])(;W[ff]VW[]DD[]))"
    )

    assert list(shown(game.viewer().html)) == [expected(node) for node in game.nodes]


@pytest.mark.parametrize(
    ("head", "has_siblings"),
    [("FF[4]ST[1]", True), ("FF[3]ST[1]", True), ("FF[4]ST[0]", False), ("FF[4]ST[5]", False)],
)
def test_letters_of_siblings_lead_to_them_in_records_of_any_format(
    head: str, *, has_siblings: bool
) -> None:
    html = one_game(f"(;{head}(;B[aa])(;B[bb]))").viewer().html
    (game,) = re.findall(r'"siblings": (\w+)', html)

    assert (game == "true") is has_siblings
    assert ("labels" in data_of(html)[0]["nodes"][1]) is has_siblings


# ---- the page ----


def test_a_browser_may_run_the_script_of_the_page_and_nothing_else() -> None:
    html = one_game(PROBLEM).viewer().html
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', html)[0])

    (script,) = re.findall("<script>(.*?)</script>", html, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()

    assert policy.startswith(f"script-src 'sha256-{digest}'; default-src 'none'; style-src ")
    assert policy.count("script-src") == 1
    assert not re.findall(r"(?:src|href)=[\"']?(?:https?:)?//|url\(|@import", html)


def test_texts_of_records_end_no_element_and_are_no_markup() -> None:
    told = EVIL.replace("]", "\\]")
    html = one_game(f"(;FF[4]GM[1]PB[{told}]GC[{told}]N[{told}]C[{told}];B[aa]LB[bb:{told}])")
    page = html.viewer().html

    assert page.count("</script>") == page.count("<script") == 2
    assert "<img" not in page
    assert data_of(page)[0]["nodes"][0]["comment"] == EVIL
    page.encode()  # halves of surrogate pairs are escaped


@pytest.mark.night
def test_three_hundred_moves_take_less_than_thirty_kilobytes_of_a_server() -> None:
    html = played(GameNumber.GO, 5, 50).viewer().html
    chance = choices(1, 300)
    moves = "".join(
        f";{'BW'[at % 2]}[{chr(97 + one % 19)}{chr(97 + one // 19 % 19)}]"
        for at, one in enumerate(chance)
    )
    long = one_game(f"(;FF[4]GM[1]SZ[19]{moves})").viewer().html

    assert len(gzip.compress(html.encode())) < len(gzip.compress(long.encode())) < 30_000


def test_of_a_game_of_very_many_nodes_the_main_line_is_shown_and_the_page_says_so() -> None:
    game = one_game("(;FF[4]GM[1]SZ[9];B[aa]" + "(;W[bb])" * 5_001 + ")")
    html = game.viewer().html

    assert "The record has 5,003 nodes: only 3 of its main line are shown." in html
    assert [node["path"] for node in data_of(html)[0]["nodes"]] == ["0", "1", "2"]


def test_several_games_have_an_index() -> None:
    html = loads("(;FF[4]GM[1]PB[Aoki];B[aa])(;FF[4]GM[2]PB[Park])").viewer().html

    assert re.findall(r'<a href="(#\d+)"><bdi>(.*?)</bdi>', html) == [
        ("#1", "Aoki vs. ?"),
        ("#2", "Park vs. ?"),
    ]
    assert len(data_of(html)) == 2


def test_games_beyond_the_limit_of_a_page_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgf_lark.positions.page.MAX_NODES_OF_PAGE", 3)
    html = loads("(;FF[4];B[aa])" * 5).viewer().html

    assert len(data_of(html)) == 2
    assert "<p>3 more not shown</p>" in html


def test_a_game_without_a_board_has_its_facts() -> None:
    html = one_game("(;FF[4]GM[5]PB[Aoki];B[aa])").viewer().html

    assert "Aoki" in html
    assert data_of(html) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (PROBLEM, 0),
        (PROBLEM.replace("C[Black", "PB[Aoki]C[Black"), None),
        ("(;FF[4]GM[1];AB[cc];C[look];B[dd])", 2),
        ("(;FF[4]GM[1]AB[cc])", None),
        ("(;FF[4]GM[1];B[dd])", None),
    ],
)
def test_a_problem_begins_with_the_position_to_solve(text: str, problem: int | None) -> None:
    assert data_of(one_game(text).viewer().html)[0]["problem"] == problem


def test_annotations_are_words() -> None:
    nodes = data_of(one_game(PROBLEM).viewer().html)[0]["nodes"]

    assert [node["notes"] for node in nodes if "notes" in node] == [
        ["!! great tesuji"],
        ["? bad move"],
    ]


def test_long_labels_and_what_cannot_be_drawn_are_said() -> None:
    game = one_game("(;FF[4]GM[1]SZ[9];B[aa]LB[bb:long label];W[bb]TR[zz])")

    assert [node.get("notes", []) for node in data_of(game.viewer().html)[0]["nodes"]] == [
        [],
        ["B8: long label"],
        ["TR[zz] lies outside the board of 9 by 9"],
    ]


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    viewer = one_game(PROBLEM).viewer()
    (source,) = re.findall(
        r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"', viewer._repr_html_()
    )

    assert unescape(source) == viewer.html
    assert re.fullmatch(r"<Viewer: [\d,]+ characters of HTML>", repr(viewer))


def test_the_page_of_a_game_has_a_viewer_and_one_made_by_hand_none() -> None:
    game = one_game(PROBLEM)

    assert game.page().html(viewer=True) == game.viewer().html
    assert game.page().html("dark", viewer=True) == game.viewer("dark").html
    with pytest.raises(ValueError, match="has no viewer"):
        GamePage(title="By hand").html(viewer=True)


# ---- problems, and lists of games ----

CORNER = "(;FF[4]GM[1]SZ[19]AB[ca][db]AW[bb][cb](;B[ba];W[ca](;B[ea])(;B[fa]))(;B[aa];W[ba]))"


def test_a_list_names_each_game_its_result_and_its_file() -> None:
    games = [loads(text)[0] for text in (CORNER, "(;FF[4]GM[1]PB[Aoki]PW[Berg]RE[B+R];B[aa])")]
    page = view_games([*games, games[0]], places=["a.sgf", "b.sgf", "c<b>.sgf"])

    rows = re.findall(r"<li><a href=\"#\d\"><bdi>(.*?)</bdi></a> <span.*?><bdi>(.*?)</bdi>", page)
    assert rows == [
        ("Problem 1", "a.sgf"),
        ("Aoki vs. Berg", "Black wins by resignation, b.sgf"),
        ("Problem 3", "c&lt;b&gt;.sgf"),
    ]


def test_a_problem_shows_the_part_of_the_board_that_all_its_lines_use() -> None:
    problem, game = view_games([loads(CORNER)[0]]), view_games([loads("(;SZ[19];B[aa])")[0]])

    boxes = {box for node in data_of(problem)[0]["nodes"] for box in [node["box"]]}
    (box,) = {tuple(map(float, box.split())) for box in boxes}
    assert box[2] < 11
    assert float(data_of(game)[0]["nodes"][0]["box"].split()[2]) > 18


def test_what_hides_the_lines_under_a_candidate_goes_with_its_letter() -> None:
    page = view_games([loads(CORNER)[0]])

    assert 'class="sgf-back sgf-behind"' in page
    assert re.search(r"\.solving \.sgf-behind,[^{]*\{ display: none; \}", page, re.DOTALL)

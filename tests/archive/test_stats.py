"""Statistics of an archive equal counts made by loops, and are shown on a page."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.archives import write_archive

from sgf_lark.archive import Stats, read, stats
from sgf_lark.archive.queries.stats import MAX_BARS, MAX_ROWS, class_width
from sgf_lark.core.schema.ranks import Rank
from sgf_lark.pictures.pages.page import Bar, draw_bars

pytestmark = pytest.mark.usefixtures("one_database")

RANKS = ["30k", "5k", "1k", "1d", "7d", "1p", "2p", "8d", "9p"]
NAMES = [("S105", "unclosed-tree", "error"), ("G601", "occupied-point", "warning")]


def play(number: int, chance: Random) -> dict[str, Any]:
    """A game of chance."""
    winner = chance.choice(["B", "W", "draw", None])
    strengths = [Rank.read(chance.choice([*RANKS, "none"])) for _ in "BW"]
    return {
        "game_id": number,
        "source": f"{number // 3}.sgf",
        "black": "<b>Aoki",
        "white": "Baba 2d",
        "black_player": "<b>aoki",
        "white_player": "baba",
        "format": chance.choice(["FF4", "FF3", "GGF"]),
        "kind": chance.choice(["Go", "Go", "Go", "Othello", None]),
        "columns": chance.choice([9, 19]),
        "rows": 19,
        "encoding": chance.choice(["UTF-8", "CP932"]),
        "application": chance.choice(["<b>CGoban", "青木", None]),
        "rules": chance.choice(["Japanese", None]),
        "komi": chance.choice([6.5, 0.5, None]),
        "handicap": chance.choice([0, 2, None]),
        "date_first": chance.choice([date(1846, 9, 11), date(1999, 1, 1), None]),
        "winner": winner,
        "margin": winner and chance.choice([0.5, 3.5, 10.5]),
        "ending": winner and chance.choice(["score", "resignation"]),
        "black_strength": strengths[0] and strengths[0].strength,
        "white_strength": strengths[1] and strengths[1].strength,
        "moves": chance.randrange(400),
        "nodes": 401,
        "errors": chance.choice([0, 0, 2]),
        "warnings": chance.choice([0, 1]),
    }


CHANCE = Random(15)  # noqa: S311  # games, and no secrets
GAMES = [play(number, CHANCE) for number in range(300)]
FOUND = [
    {"code": code, "name": name, "severity": level, "game_id": game["game_id"], **place}
    for game in GAMES
    for place in [{"source": game["source"], "game": game["game_id"] % 3}]
    for code, name, level in CHANCE.choices(NAMES, k=CHANCE.randrange(3))
] + [{"code": "S102", "name": "stray-text", "severity": "error", "source": "0.sgf"}]
SOURCES = [{"source": f"{number}.sgf", "records": 1, "bytes": 1000} for number in range(100)]


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stats]:
    directory = tmp_path_factory.mktemp("stats") / "archive"
    parts = [GAMES[:200], GAMES[200:]]
    made = write_archive(
        directory, games=parts, findings=FOUND, sources=SOURCES, moves=[{"game_id": 1}] * 7
    )
    with read(made) as archive:
        yield stats(archive)


def test_totals_are_those_of_the_tables(counted: Stats) -> None:
    facts = {row["fact"]: row["number"] for row in counted["totals"].to_pylist()}
    shares = {row["fact"]: row["share"] for row in counted["totals"].to_pylist()}

    def games_with(name: str) -> int:
        return len({row.get("game_id") for row in FOUND if row["name"] == name} - {None})

    assert facts == {
        "files": 100,
        "records": 100,
        "bytes": 100_000,
        "games": 300,
        "moves of all lines": 7,
        "moves of main lines": sum(game["moves"] for game in GAMES),
        "nodes": 300 * 401,
        "games without errors and warnings": sum(
            not game["errors"] + game["warnings"] for game in GAMES
        ),
        "games with errors": sum(game["errors"] > 0 for game in GAMES),
        "games with syntax errors": games_with("unclosed-tree"),
        "games with illegal moves": games_with("occupied-point"),
        "games with warnings": sum(game["warnings"] > 0 for game in GAMES),
        "handicap games with a komi above 0.5": sum(
            (game["handicap"] or 0) > 1 and (game["komi"] or 0) > 0.5 for game in GAMES
        ),
    }
    assert shares["files"] is None
    assert shares["games with errors"] == facts["games with errors"] / 300


def test_lengths_are_those_that_the_standard_library_computes(counted: Stats) -> None:
    rows = counted["lengths"].to_pylist()

    assert [row["games"] for row in rows] == sorted(
        Counter(game["kind"] for game in GAMES).values(), reverse=True
    )
    assert rows[0]["kind"] == "Go"
    for row in rows:
        moves = [game["moves"] for game in GAMES if game["kind"] == row["kind"]]
        quarters = statistics.quantiles(moves, method="inclusive")
        assert row == {
            "kind": row["kind"],
            "games": len(moves),
            "least": min(moves),
            "quarter": pytest.approx(quarters[0]),
            "median": pytest.approx(quarters[1]),
            "mean": pytest.approx(statistics.mean(moves)),
            "three_quarters": pytest.approx(quarters[2]),
            "most": max(moves),
        }


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("formats", {"format": "format"}),
        ("kinds", {"kind": "kind"}),
        ("sizes", {"kind": "kind", "columns": "columns", "rows": "rows"}),
        ("rules", {"rules": "rules"}),
        ("programs", {"program": "application"}),
        ("encodings", {"encoding": "encoding"}),
    ],
)
def test_games_are_counted_by_each_column(
    counted: Stats, table: str, columns: dict[str, str]
) -> None:
    expected = Counter(tuple(game[name] for name in columns.values()) for game in GAMES)
    wrong = Counter(tuple(g[name] for name in columns.values()) for g in GAMES if g["errors"])
    rows = counted[table].to_pylist()

    assert {tuple(row[name] for name in columns): row["games"] for row in rows} == expected
    assert {tuple(row[name] for name in columns): row["with_errors"] for row in rows} == wrong
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert [row["games"] for row in rows] == sorted(expected.values(), reverse=True)


def test_years_come_in_order_and_games_without_a_date_last(counted: Stats) -> None:
    years = Counter(game["date_first"] and game["date_first"].year for game in GAMES)
    rows = [(row["year"], row["games"]) for row in counted["years"].to_pylist()]

    assert rows == [(year, years[year]) for year in (1846, 1999, None)]


def test_handicaps_and_komi_of_go_and_results_count_the_winners(counted: Stats) -> None:
    go = [game for game in GAMES if game["kind"] == "Go"]
    winners = Counter((game["handicap"] or 0, game["winner"]) for game in go)
    komi = Counter((game["komi"], game["winner"]) for game in go)
    results = Counter((game["winner"], game["ending"]) for game in GAMES)
    sides = {"Black": "B", "White": "W", "draw": "draw", None: None}

    for row in counted["handicaps"].to_pylist():
        stones = row["handicap"]
        assert row["black_won"] == winners[stones, "B"]
        assert row["white_won"] == winners[stones, "W"]
    assert counted["handicaps"]["handicap"].to_pylist() == [0, 2]
    assert {row["komi"]: row["black_won"] for row in counted["komi"].to_pylist()} == {
        points: komi[points, "B"] for points in (6.5, 0.5, None)
    }
    assert {
        (sides[row["winner"]], row["ending"]): row["games"]
        for row in counted["results"].to_pylist()
    } == results


def test_strengths_are_ranks_in_their_order(counted: Stats) -> None:
    rows = counted["strengths"].to_pylist()
    strengths = [game[f"{side}_strength"] for game in GAMES for side in ("black", "white")]

    assert [row["rank"] for row in rows] == RANKS
    assert [row["strength"] for row in rows] == [Rank.read(rank).strength for rank in RANKS]  # type: ignore[union-attr]
    assert [row["players"] for row in rows] == [strengths.count(row["strength"]) for row in rows]


def test_histograms_have_every_game_of_the_first_kind_once(counted: Stats) -> None:
    for table, column in (("length_histogram", "moves"), ("margins", "margin")):
        go = [game for game in GAMES if game["kind"] == "Go" and game[column] is not None]
        if column == "margin":
            go = [game for game in go if game["ending"] == "score"]
        values = [game[column] for game in go]
        rows = counted[table].to_pylist()
        for row in rows:
            top = row["below"] or float("inf")
            assert row["games"] == sum(row["from"] <= value < top for value in values)
        assert sum(row["games"] for row in rows) == len(values)
        assert 1 < len(rows) <= MAX_BARS


def test_findings_are_counted_by_rule_errors_first(counted: Stats) -> None:
    rows = counted["findings"].to_pylist()

    assert [row["severity"] for row in rows] == ["error", "error", "warning"]
    for row in rows:
        these = [found for found in FOUND if found["code"] == row["code"]]
        assert row["findings"] == len(these)
        assert row["files"] == len({found["source"] for found in these})
        assert row["games"] == len({found.get("game_id") for found in these} - {None})


def test_the_worst_programs_come_first(counted: Stats) -> None:
    rows = counted["worst_programs"].to_pylist()

    assert {row["program"] for row in rows} == {"<b>CGoban", "青木"}
    for row in rows:
        these = [game for game in GAMES if game["application"] == row["program"]]
        findings = sum(game["errors"] + game["warnings"] for game in these)
        assert row["a_game"] == pytest.approx(findings / len(these))
    assert rows[0]["a_game"] >= rows[1]["a_game"]


@pytest.mark.night
def test_an_empty_archive_has_statistics_too(tmp_path: Path) -> None:
    with read(write_archive(tmp_path / "empty")) as archive:
        empty = stats(archive)

    assert empty.to_dict()["totals"][0] == {"fact": "files", "number": 0, "share": None}
    assert empty["length_histogram"].num_rows == 0
    assert "<h2>In all</h2>" in empty.html()


@pytest.mark.night
def test_no_table_is_longer_than_its_limit(tmp_path: Path) -> None:
    games = [{"application": f"program {number}", "moves": 2**31 - 1} for number in range(1100)]
    with read(write_archive(tmp_path / "many", games=games)) as archive:
        many, every = stats(archive), stats(archive, limit=None)

    assert many["programs"].num_rows == MAX_ROWS
    assert every["programs"].num_rows == 1100
    assert many["length_histogram"].num_rows <= MAX_BARS


@pytest.mark.parametrize("top", [0, 1, 39, 40, 400, 361.5, 10**9])
def test_classes_are_few_and_as_narrow_as_possible(top: float) -> None:
    width = class_width(top)

    assert top / width < MAX_BARS
    assert str(width).rstrip("0") in {"1", "2", "5"}
    assert width == 1 or top / width > MAX_BARS / 6


# ---- the page ----


def test_the_page_is_complete_in_itself_and_escapes_texts(counted: Stats) -> None:
    page = counted.html("<i>my archive</i>")

    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;i&gt;my archive" in page
    assert "&lt;b&gt;CGoban" in page
    assert not re.search(r"<script|<link|<img|https?://|url\(|<b>CGoban", page)
    assert page.count("<svg") == 4
    assert '<td class="number">1846-09-11</td>' in page  # the first game of a player
    assert page.count("<section") == len(counted.tables)
    assert "<title>1840 to 1849: " in page


def test_bars_are_as_high_as_their_numbers() -> None:
    bars = [Bar(str(count), count, f"{count} <games>") for count in (0, 3, 6, 12)]
    plot = draw_bars(bars, "Games & more")
    heights = [float(height) for height in re.findall(r' height="([\d.]+)"', plot)]

    assert heights == pytest.approx([0, heights[3] / 4, heights[3] / 2, heights[3]], abs=0.1)
    assert 'aria-label="Games &amp; more"' in plot
    assert "<title>3 &lt;games&gt;</title>" in plot


@pytest.mark.parametrize("most", [0, 1, 7, 99, 100, 101, 4999, 10**12])
def test_a_plot_has_few_lines_that_reach_its_highest_bar(most: int) -> None:
    plot = draw_bars([Bar("a", most, "")], "")
    numbers = [int(number.replace(",", "")) for number in re.findall(r">([\d,]+)</text>", plot)]

    assert 2 <= len(numbers) <= 7
    assert numbers == sorted(set(numbers))
    assert numbers[-1] >= most


def test_labels_do_not_touch() -> None:
    plot = draw_bars([Bar(str(10**6 + number), 1, "") for number in range(400)], "")

    assert 2 <= len(re.findall(r'text-anchor="middle"', plot)) <= 8

"""The command ``archive find`` and the page of ``archive openings``, as they are typed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.archives import write_archive
from support.lanes import one_in
from support.pages import Page, harmless

from sgf_lark import loads
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.cli.main import app

pytestmark = pytest.mark.usefixtures("one_database")

#: Black at G7 and F6; the same turned, with colors exchanged; another game, and another size.
RECORDS = (
    "(;FF[4]GM[1]SZ[9]PB[Aoki]PW[Berg]RE[B+R];B[gc];W[cg];B[fd];W[gd])",
    "(;FF[4]GM[1]SZ[9]PB[Cho]PW[Dahl]RE[W+1];B[ee];W[cc];B[gg];W[dd];B[cd])",
    "(;FF[4]GM[1]SZ[9]PB[Ant]PW[Bee]RE[W+2];B[ag];W[gc];B[bc])",
    "(;FF[4]GM[1]SZ[13]PB[Large]PW[Board]RE[B+1];B[jd];W[dj];B[cc])",
)

#: The stones of the first game in their corner.
CORNER = "-----+\n. . .|\n. . .|\nX . .|\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with records, a pattern, and the archive of these records."""
    folder = tmp_path_factory.mktemp("find")
    tables = GameRows(["games", "lives"])
    for number, text in enumerate(RECORDS):
        (folder / f"{number}.sgf").write_text(text)
        tables.add(loads(text)[0], RowPlace(f"{number}.sgf", offset=number))
    (folder / "corner.txt").write_text(CORNER)
    rows: dict[str, Any] = {name: [batch] for name, batch in tables.batches().items()}
    write_archive(folder / "go.archive", "", **rows)
    return folder


@pytest.fixture(autouse=True)
def _in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def run(*arguments: str, text: str | None = None) -> Result:
    command = ["archive", *arguments]
    return CliRunner().invoke(app, command, input=text, catch_exceptions=False)


def found(*arguments: str, text: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """What ``find`` finds in the archive."""
    result = run("find", "go.archive", *arguments, "--format", "json", text=text)
    assert result.exit_code == 0, result.output
    answer: dict[str, list[dict[str, Any]]] = json.loads(result.stdout)
    return answer


def places(*arguments: str, text: str | None = None) -> list[str]:
    """The games that it finds, and the numbers of moves before."""
    rows = found(*arguments, text=text)["games"]
    return sorted({f"{row['place']} {row['number']}" for row in rows})


#: Where they are, in each corner and each color.
IN_CORNERS = ["0.sgf 1", "0.sgf 2", "1.sgf 2", "1.sgf 3", "2.sgf 2"]


def test_a_picture_of_a_corner_is_found_in_each_corner_with_each_color() -> None:
    assert places("corner.txt") == IN_CORNERS


def test_options_leave_out_symmetries_and_exchanged_colors() -> None:
    assert places("corner.txt", "--no-colors") == ["0.sgf 1", "1.sgf 3"]
    assert places("corner.txt", "--no-symmetric") == ["0.sgf 1", "2.sgf 2"]


def test_a_picture_is_read_from_standard_input() -> None:
    assert places("-", text=CORNER) == IN_CORNERS


def test_a_record_means_the_last_position_of_its_first_game() -> None:
    assert places("-", text=RECORDS[0]) == ["0.sgf 4"]


def test_a_place_means_the_position_of_a_node_of_a_game() -> None:
    Path("games.sgf").write_text("\n".join(RECORDS[2::-1]))

    assert places("--at", "0.sgf@1", "--where", "corner") == IN_CORNERS
    assert places("--at", "games.sgf#3@3") == ["0.sgf 3"]
    assert places("--at", "games.sgf#2") == ["1.sgf 5"]


def test_where_says_how_much_of_a_position_counts() -> None:
    whole, side, anywhere = (
        places("--at", "0.sgf@1", *words)
        for words in ([], ["--where", "side"], ["--where", "anywhere"])
    )

    assert whole == ["0.sgf 1"]
    assert len(whole) < len(IN_CORNERS) <= len(side) < len(anywhere)


@pytest.mark.night
def test_a_wildcard_is_any_stone_or_none_and_a_dot_none() -> None:
    drawn = "-----+\n****|\n****|\n*X**|\nX{0}**|\n"

    assert places("-", text=drawn.format("*")) == ["0.sgf 3", "1.sgf 4"]
    assert places("-", text=drawn.format("O")) == ["0.sgf 4", "1.sgf 5"]


@pytest.mark.night
def test_the_size_and_the_game_may_be_said() -> None:
    assert places("corner.txt", "--size", "13x13", "--game", "go") == ["3.sgf 3"]
    assert places("corner.txt", "--game", "1") == IN_CORNERS


def test_next_moves_have_the_results_of_their_games() -> None:
    rows = found("-", "--no-symmetric", text="-----+\n****|\n****|\n*X**|\n****|\n")

    (row,) = [row for row in rows["continuations"] if row["move"]]
    assert (row["move"], row["color"], row["games"]) == ("F6", "B", 1)
    assert (row["black_wins"], row["white_wins"], row["black_score"]) == (1, 0, 1.0)


def test_a_time_is_one_row_though_the_pattern_is_seen_from_two_sides() -> None:
    rows = found("-", text="-----+\n****|\n****|\n.X**|\n****|\n")["games"]

    assert len(rows) == len({json.dumps(row) for row in rows})


@pytest.mark.night
def test_the_limit_holds_for_both_tables() -> None:
    rows = found("-", "--limit", "1", text="X")

    assert [len(table) for table in rows.values()] == [1, 1]


def test_text_has_both_tables_with_titles() -> None:
    lines = run("find", "go.archive", "corner.txt", "--no-symmetric", "--no-colors").stdout

    assert [line.split("\t")[0] for line in lines.splitlines()] == [
        *("Next moves", "move", ""),
        "",
        *("Games", "place", "0.sgf"),
    ]


def test_a_page_has_the_pattern_with_letters_and_the_games() -> None:
    drawn = "-----+\n****|\n****|\n*X**|\n****|\n"
    result = run("find", "go.archive", "-", "--format", "html", "-o", "a.html", text=drawn)
    page = harmless(Path("a.html").read_text(encoding="utf-8"))

    assert result.exit_code == 0
    assert len(page.named("svg")) == 1
    assert "3 games; a row without a move" in page.text
    assert "Aoki" in page.text
    assert len(page.named("table")) == 2


@pytest.mark.night
def test_a_page_of_what_is_not_found_says_so() -> None:
    page = run("find", "go.archive", "-", "--format", "html", text="XXXXX").stdout

    assert "0 games" in harmless(page).text


@pytest.mark.parametrize(
    ("arguments", "words"),
    one_in(
        3,
        [
            ([], "expected a PATTERN, or --at with a place in a record"),
            (
                ["corner.txt", "--at", "0.sgf"],
                "expected a PATTERN, or --at with a place in a record",
            ),
            (["none.txt"], "cannot read none.txt: no such file"),
            (["--at", "none.sgf#1"], "cannot read none.sgf"),
            (["--at", "0.sgf#2"], "0.sgf: no game '2': it has 1 game, counted from 1"),
            (["--at", "0.sgf@9"], "0.sgf@9: there is no node at the path '9'"),
            (["--at", "0.sgf@0"], "a pattern has at least one stone"),
            (["wrong.txt"], "no sign of one: 'Q'"),
            (["corner.txt", "--where", "side"], "a picture of a side needs its edges"),
            (["corner.txt", "--where", "middle"], "expected corner, side, anywhere or whole"),
            (["corner.txt", "--size", "x"], "--size: invalid size 'x'"),
            (
                ["corner.txt", "--size", "19"],
                "no games on 19x19 whose moves are points; it has Go 9x9",
            ),
            (["corner.txt", "--game", "Othello"], "no games of Othello"),
            (["corner.txt", "--game", "9999"], "no game 9999"),
            (["corner.txt", "--limit", "-1"], "--limit"),
            (["corner.txt", "-o", "go.archive/a.txt"], "this is in the folder of the archive"),
        ],
    ),
)
def test_what_cannot_be_searched_is_an_error_in_one_line(arguments: list[str], words: str) -> None:
    Path("wrong.txt").write_text("X Q\n")
    result = run("find", "go.archive", *arguments)

    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def boards(page: Page) -> list[str]:
    """The captions of the boards of a page, until the shares."""
    return re.findall(r"((?:Start|[A-J][0-9](?: [A-J][0-9])*): [0-9]+ games?);", page.text)


def test_a_page_of_openings_has_boards_from_the_frequent_to_the_rare() -> None:
    page = harmless(run("openings", "go.archive", "--moves", "2", "--format", "html").stdout)

    assert "Go 9x9" in page.text
    assert boards(page) == ["Start: 3 games", "J7: 1 game", "G7: 1 game", "E5: 1 game"]
    assert len(page.named("svg")) == 4


def test_a_page_of_openings_begins_after_the_moves_that_are_given() -> None:
    page = harmless(run("openings", "go.archive", "--at", "g7", "--format", "html").stdout)

    assert "Go 9x9 after G7" in page.text
    assert boards(page)[0] == "G7: 1 game"

"""The commands of archives, as they are typed: what they print, and what they say instead."""

from __future__ import annotations

import csv
import io
import json
import sys
from datetime import date
from pathlib import Path

import pytest
from support.archives import write_archive
from typer.testing import CliRunner

from sgf_lark.cli.main import app

#: Six games of Go; the second one is the first one with another layout.
ROWS = [
    {
        "game_id": number,
        "source": f"games/{number}.sgf",
        "bytes_hash": bytes([number]) * 16,
        "text_hash": bytes([max(number, 2)]) * 16,
        "format": "FF4",
        "gm": 1,
        "kind": "Go",
        "columns": 9,
        "rows": 9,
        "black": ("青木 一郎", "Aoki", None)[number % 3],
        "winner": "B" if number < 4 else "W",
        "moves": 100 + number,
        "date_first": date(1996, 5, number),
        "date_last": date(1996, 5, number),
        "line_hash": 2**64 - number,
        "line": [40, 20, number],
    }
    for number in range(1, 7)
]
SOURCES = [{"source": row["source"], "kind": "file", "games": 1} for row in ROWS]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write an archive of six games."""
    folder = tmp_path_factory.mktemp("archives") / "go.archive"
    return str(write_archive(folder, games=ROWS, sources=SOURCES))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, data: str = "") -> tuple[int, str, str]:
    """Return exit code, standard output, and standard error."""
    done = CliRunner().invoke(app, ["archive", *arguments], input=data)
    if not isinstance(done.exception, SystemExit | None):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def printed(*arguments: str, data: str = "") -> str:
    """Return the output of a command that finds nothing to complain about."""
    code, out, err = run(*arguments, data=data)
    assert (code, err) == (0, "")
    return out


def rejected(*arguments: str, data: str = "") -> str:
    """Return the message of a command that does nothing."""
    code, out, err = run(*arguments, data=data)
    assert (code, out) == (2, "")
    return err


# ---- all of them ----


#: The commands that query an archive, with arguments after its name.
QUERIES = {"stats": [], "dupes": [], "openings": [], "sql": ["FROM games"]}


@pytest.mark.parametrize("command", QUERIES)
def test_a_folder_that_is_no_archive_is_named(command: str) -> None:
    assert (
        rejected(command, "none", *QUERIES[command])
        == "sgf-lark: none: this is no folder of sgf-lark archive build\n"
    )


@pytest.mark.parametrize("package", ["pyarrow", "duckdb"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    package: str, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    assert rejected("sql", archive, "FROM games").endswith(f":  pip install {package}\n")


@pytest.mark.parametrize("command", QUERIES)
def test_no_file_of_the_archive_is_replaced(command: str, archive: str) -> None:
    for option in ["-o", *(["--delete-list"] if command == "dupes" else [])]:
        for form in ([], ["--format", "html"]):
            file = f"{archive}/new"
            assert rejected(command, archive, *QUERIES[command], option, file, *form) == (
                f"sgf-lark: {file}: this is in the folder of the archive; choose another file\n"
            )


# ---- stats ----


def test_statistics_are_tables_with_titles(archive: str) -> None:
    text = printed("stats", archive)

    assert text.startswith("In all\nfact\tnumber\tshare\nfiles\t6\t\n")
    assert "\nBy year\nyear\tgames\tshare\twith_errors\tmean_length\n1996\t6\t1.0\t0\t" in text


def test_statistics_of_one_table_are_rows_for_programs(archive: str) -> None:
    words = ["stats", archive, "--table", "results", "--format"]

    assert [(row["winner"], row["games"]) for row in json.loads(printed(*words, "json"))] == [
        ("Black", 3),
        ("White", 3),
    ]
    assert printed(*words, "csv").startswith("winner,ending,games,share,")
    assert "years" in json.loads(printed("stats", archive, "--format", "json"))


def test_statistics_as_a_page_have_plots(archive: str) -> None:
    printed("stats", archive, "--format", "html", "-o", "a.html")
    page = Path("a.html").read_text(encoding="utf-8")

    assert "<svg" in page
    assert "<script" not in page


def test_a_wrong_name_of_a_table_is_answered_with_the_right_one(archive: str) -> None:
    assert "no table 'yaers'; did you mean years?" in rejected("stats", archive, "--table", "yaers")
    assert "expected totals, lengths, " in rejected("stats", archive, "--table", "x")


# ---- dupes ----


def test_duplicates_are_listed_in_groups(archive: str) -> None:
    code, out, err = run("dupes", archive, "--by", "text")

    assert code == 0
    assert out.splitlines()[1:] == [
        "1\ttrue\ttext\tgames/2.sgf\t102\t\t\t\t\t",
        "1\tfalse\ttext\tgames/1.sgf\t101\tAoki\t\t\t\tdate",
    ]
    assert err == "2 games in 1 group: 1 is a duplicate\n"


def test_duplicates_for_programs_have_all_columns(archive: str) -> None:
    _, out, _ = run("dupes", archive, "--by", "text", "--by", "bytes", "--format", "json")

    assert json.loads(out)[1] | {"reason": "text"} == json.loads(out)[1]
    assert {"source", "member", "game", "offset", "length"} <= {*json.loads(out)[0]}


def test_the_files_that_are_not_needed_are_listed_in_a_file(archive: str) -> None:
    words = ["dupes", archive, "--delete-list", "list.txt"]
    _, _, err = run(*words, "--by", "text")
    assert err.endswith("\nlist.txt: 0 files\n")

    _, _, err = run(*words, "--contradicting", "--null")
    assert err.endswith("\nlist.txt: 1 file\n")
    assert Path("list.txt").read_bytes() == b"games/1.sgf\0"


@pytest.mark.parametrize("option", ["--contradicting", "--null"])
def test_an_option_of_the_list_needs_the_list(option: str, archive: str) -> None:
    assert rejected("dupes", archive, option) == f"sgf-lark: {option} needs --delete-list\n"


# ---- openings ----


def test_openings_are_a_tree(archive: str) -> None:
    assert printed("openings", archive, "--moves", "2") == (
        "Go 9x9    6  100.0%  Black  50%\n"
        "└─ E5     6  100.0%  Black  50%\n"
        "   └─ G7  6  100.0%  Black  50%\n"
    )


def test_openings_for_programs_have_a_row_a_move(archive: str) -> None:
    words = ["openings", archive, "--at", "e5 g7", "--size", "9:9", "--game", "1", "--moves", "1"]

    rows = json.loads(printed(*words, "--format", "json"))
    assert [(row["moves"], row["games"]) for row in rows[:2]] == [("E5 G7", 6), ("E5 G7 J8", 1)]
    assert len(printed(*words, "--format", "csv", "--min-games", "2").splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "Nonsense"], "no game 'Nonsense'"),
        (["--at", "z99"], "no point 'z99'"),
        (["--size", "13"], "no such games"),
        (["--size", "9x"], "--size: invalid size '9x': expected one such as 19 or 19:13"),
        (["--moves", "201"], "at most 200 moves"),
    ],
)
def test_wrong_openings_are_answered_in_words(words: list[str], message: str, archive: str) -> None:
    assert message in rejected("openings", archive, *words)


# ---- sql ----


def test_a_query_is_answered_in_every_form(archive: str) -> None:
    query = "SELECT black, min(date_first) AS first, max(line_hash) AS hash, count(*) AS games"
    words = ["sql", archive, f"{query} FROM games GROUP BY black ORDER BY first"]

    assert printed(*words).splitlines() == [
        "black\tfirst\thash\tgames",
        "Aoki\t1996-05-01\t18446744073709551615\t2",
        "\t1996-05-02\t18446744073709551614\t2",
        "青木 一郎\t1996-05-03\t18446744073709551613\t2",
    ]
    assert json.loads(printed(*words, "--format", "json"))[1] == {
        "black": None,
        "first": "1996-05-02",
        "hash": 2**64 - 2,
        "games": 2,
    }
    assert [*csv.reader(io.StringIO(printed(*words, "--format", "csv")))][2:] == [
        ["", "1996-05-02", "18446744073709551614", "2"],
        ["青木 一郎", "1996-05-03", "18446744073709551613", "2"],
    ]
    printed(*words, "--format", "html", "-o", "a.html")
    assert '<td dir="auto">青木 一郎</td>' in Path("a.html").read_text(encoding="utf-8")


def test_a_query_may_come_from_a_file_or_from_standard_input(archive: str) -> None:
    query = "SELECT sum(moves) AS moves FROM games"
    Path("sum.sql").write_text(f"-- all\n{query};\n", encoding="utf-8")

    for words in (["sum.sql"], ["-"], [], [query]):
        assert printed("sql", archive, *words, data=query) == "moves\n621\n"


def test_without_a_query_the_tables_are_listed(archive: str) -> None:
    assert rejected("sql", archive) == (
        "sgf-lark: QUERY is missing; the tables are games (6 rows), moves (0 rows),"
        " findings (0 rows), positions (0 rows), sources (6 rows)\n"
    )


def test_the_mistake_of_a_query_is_marked(archive: str) -> None:
    assert rejected("sql", archive, "SELECT blak\nFROM games") == (
        "sgf-lark: there is no column 'blak'; did you mean 'black'?\n  SELECT blak\n         ^^^^\n"
    )
    assert "no table 'game'" in rejected("sql", archive, "FROM game")
    assert "nothing can be changed" in rejected("sql", archive, "DROP TABLE games")


def test_a_mistake_that_only_a_row_shows_is_reported_and_writes_no_file(archive: str) -> None:
    code, _, err = run("sql", archive, "SELECT CAST(source AS INT) FROM games", "-o", "a.csv")

    assert code == 2
    assert err.startswith("sgf-lark: ")
    assert "games/1.sgf" in err
    assert not Path("a.csv").exists()

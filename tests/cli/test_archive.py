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

ROWS = [
    {
        "game_id": number,
        "source": f"games/{number}.sgf",
        "black": ("青木 一郎", "Aoki", None)[number % 3],
        "moves": 100 + number,
        "date_first": date(1996, 5, number),
        "line_hash": 2**64 - number,
    }
    for number in range(1, 7)
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write an archive of six games."""
    return str(write_archive(tmp_path_factory.mktemp("archives") / "go.archive", games=ROWS))


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


@pytest.mark.parametrize("words", [["sql", "none", "FROM games"]])
def test_a_folder_that_is_no_archive_is_named(words: list[str]) -> None:
    assert rejected(*words) == "sgf-lark: none: this is no folder of sgf-lark archive build\n"


@pytest.mark.parametrize("package", ["pyarrow", "duckdb"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    package: str, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    assert rejected("sql", archive, "FROM games").endswith(f":  pip install {package}\n")


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
        " findings (0 rows), positions (0 rows), sources (0 rows)\n"
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

"""Commands of archives take records, too: their archive is kept in the folder for caches."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.places import ROOT

from sgf_lark.archive import Archive
from sgf_lark.cli.main import app

pytestmark = pytest.mark.usefixtures("one_database")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game twice, and an empty one for caches."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SGF_LARK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "games").mkdir()
    for name in ("a", "b"):
        shutil.copy(ROOT / "tests" / "records" / "nine.sgf", tmp_path / "games" / f"{name}.sgf")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=False)


def kept() -> Path:
    (folder,) = Path("cache", "archives").iterdir()
    return folder


def test_duplicates_of_a_folder_are_found_at_once_and_the_place_of_its_tables_is_named() -> None:
    result = run("dupes", "games")

    assert [line.split("\t")[:3] for line in result.stdout.splitlines()[1:]] == [
        ["1", "true", "bytes"],
        ["1", "false", "bytes"],
    ]
    first, last = result.stderr.splitlines()[-2:]
    assert first == f"games: 2 games in 2 files; their tables are kept in {kept().resolve()}"
    assert last.startswith("2 games in 1 group;")
    assert kept().name.startswith("games-")


def test_the_kept_tables_are_brought_up_to_date() -> None:
    run("dupes", "games")
    Path("games", "b.sgf").unlink()

    assert run("dupes", "games").stderr.splitlines()[-1].startswith("0 games in 0 groups")
    assert len(Archive(kept()).sources.to_table()) == 1


def test_openings_and_patterns_of_a_folder_are_found_at_once() -> None:
    Path("corner.txt").write_text(".X\n..\n", encoding="utf-8")

    assert run("openings", "games", "--moves", "1").stdout.startswith("Go 9x9")
    assert "Next moves" in run("find", "games", "corner.txt").stdout
    assert run("openings", "games/a.sgf", "--moves", "1").stdout.split()[2] == "1"


@pytest.mark.parametrize("command", [["stats"], ["sql"], ["select"], ["dupes"]])
def test_every_question_to_an_archive_takes_a_folder_of_records(command: list[str]) -> None:
    more = {"sql": ["FROM games"], "select": ["moves > 1", "-o", "copies"]}.get(command[0], [])
    result = run("archive", *command, "games", *more)

    assert result.exit_code == 0, result.stderr
    assert "games: 2 games in 2 files" in result.stderr


def test_a_result_may_lie_beside_the_records() -> None:
    assert run("dupes", "games", "-o", "games/dupes.txt").exit_code == 0
    assert "bytes" in Path("games", "dupes.txt").read_text(encoding="utf-8")
    inside = kept() / "dupes.txt"
    assert "this is in the folder of the archive" in run("dupes", "games", "-o", str(inside)).stderr


def test_without_a_folder_for_caches_the_tables_are_made_for_one_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SGF_LARK_CACHE", "")
    result = run("dupes", "games")

    assert result.exit_code == 0
    said = re.search(r"their tables are, for now, in (.*)\n", result.stderr)
    assert said is not None
    assert not Path(said[1]).exists()


def test_a_pattern_that_no_game_has_is_one_line() -> None:
    Path("black.txt").write_text("XXXX\n" * 4, encoding="utf-8")
    result = run("find", "games", "black.txt")

    assert (result.stdout, result.exit_code) == ("", 0)
    assert result.stderr.endswith("games: no game has the pattern\n")


def test_statistics_in_a_pipe_have_no_more_digits_than_count() -> None:
    Path("games", "c.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa])", encoding="utf-8")

    assert "0.333333" in run("archive", "stats", "games").stdout
    assert "0.3333333" not in run("archive", "stats", "games").stdout


def test_players_at_the_top_lead_to_their_query() -> None:
    error = run("players", "games").stderr
    assert """help: 'sgf-lark archive sql FOLDER "FROM players"' does that""" in error


def test_an_archive_is_opened_by_the_text_of_its_path() -> None:
    run("archive", "build", "games", "-o", "go.archive", "-q")
    assert len(Archive("go.archive").games.to_table()) == 2
    assert os.fspath(Archive("go.archive").directory) == "go.archive"


def test_text_files_that_begin_as_records_are_named_where_they_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;FF[4]GM[1])")
    (tmp_path / "b.TXT").write_text("\ufeff (;FF[4]GM[1])")
    (tmp_path / "notes.txt").write_text("(see below)")
    said = "1 text file begins as a record and is not read: "

    for command in (["check"], ["fmt", "--check"], ["convert", "--to", "ff4", "--diff"]):
        done = CliRunner().invoke(app, [*command, str(tmp_path)])
        assert done.stderr.count(said) == 1
        assert "b.TXT; --include '*.sgf,*.txt' reads such files, too\n" in done.stderr

    options = ("--include", "*.sgf,*.TXT", "--level", "info", "--format", "concise")
    done = CliRunner().invoke(app, ["check", str(tmp_path), *options])
    assert said not in done.stderr
    assert "b.TXT:1" in done.output
    assert said not in CliRunner().invoke(app, ["check", "-q", str(tmp_path)]).stderr

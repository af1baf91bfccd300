"""The commands of archives, as they are typed: what they print, and what they say instead."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path
from time import sleep

import pytest
from click.testing import CliRunner
from rich.console import Console
from support.archives import write_archive
from support.lanes import amount, every_other, one_in

from sgf_lark.archive.queries.sql import Database
from sgf_lark.archive.run import Progress
from sgf_lark.cli.main import app
from sgf_lark.cli.progress import BuildBar
from sgf_lark.report.tables import SCHEMA_VERSION

pytestmark = [pytest.mark.elsewhere, pytest.mark.usefixtures("one_database")]

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
        "setup_black": 0,
        "setup_white": 0,
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
SOURCES = [{"source": row["source"], "kind": "file", "games": 1, "modified": 0} for row in ROWS]


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
QUERIES = {
    "stats": [],
    "dupes": [],
    "select": ["moves > 2", "-o", "copies"],
    "openings": [],
    "sql": ["FROM games"],
}


@pytest.mark.parametrize("command", QUERIES)
def test_a_folder_that_is_no_archive_is_named(command: str) -> None:
    assert (
        rejected(command, "none", *QUERIES[command])
        == "error: none: this is no folder of sgf-lark archive build\n"
    )


@pytest.mark.parametrize("command", QUERIES)
def test_an_archive_of_another_version_is_answered_with_the_line_that_makes_it_anew(
    command: str,
) -> None:
    folder = write_archive(Path("it's old"))
    manifest = folder / "_manifest.json"
    version = f'"schema": {SCHEMA_VERSION}'
    manifest.write_text(manifest.read_text().replace(version, '"schema": 2'))

    assert rejected(command, str(folder), *QUERIES[command]) == (
        f"error: it's old: this archive has tables of version 2, expected {SCHEMA_VERSION}:"
        " run  sgf-lark archive build -o 'it'\"'\"'s old'\n"
    )


@pytest.mark.parametrize("package", ["pyarrow", "duckdb"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    package: str, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    assert rejected("sql", archive, "FROM games").endswith(
        f" {package} (extra archive):  pip install 'sgf_lark[archive]'\n"
    )


@pytest.mark.both_lanes
@pytest.mark.parametrize("command", one_in(5, QUERIES))
def test_no_file_of_the_archive_is_replaced(command: str, archive: str) -> None:
    for option in ["-o", *(["--delete-list"] if command == "dupes" else [])]:
        for form in ([], ["--format", "html"])[: 1 if command == "select" else amount(1, 2)]:
            file = f"{archive}/new"
            assert rejected(command, archive, *QUERIES[command], option, file, *form) == (
                f"error: {file}: this is in the folder of the archive; choose another file\n"
            )


def test_a_query_that_is_interrupted_ends_as_other_commands(
    archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Database, "stream", stop)
    assert run("sql", archive, "FROM games") == (130, "", "")


# ---- build ----


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Write a folder of three records: one has an error, one is no record."""
    folder = tmp_path / "games"
    (folder / "old").mkdir(parents=True)
    (folder / "a.sgf").write_text("(;FF[4]GM[1]SZ[9];B[ee];W[cc])", encoding="utf-8")
    (folder / "old" / "b.sgf").write_text("(;FF[4]GM[1]SZ[9]KM[x])(;FF[4]GM[1])", encoding="utf-8")
    return folder


def build(*words: str) -> list[str]:
    """Build an archive; return the lines of the summary, without the time."""
    lines = printed("build", *words, "-o", "go.archive", "--jobs", "1").splitlines()
    return [re.sub(r" in [0-9]+\.[0-9] s$", "", line) for line in lines]


@pytest.mark.usefixtures("games")
def test_a_build_says_what_it_read_and_what_changed() -> None:
    first = "go.archive: 2 files, 3 games, 2 moves, 2 findings"

    assert build("games") == [first, "2 new"]
    assert build("games") == build() == [first, "2 unchanged"]

    Path("games/c.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa])", encoding="utf-8")
    Path("games/old/b.sgf").unlink()
    assert build() == [
        "go.archive: 2 files, 2 games, 3 moves, 0 findings",
        "1 new, 1 unchanged, 1 removed",
    ]
    assert build("--remove", "games", "games/c.sgf")[1] == "1 unchanged, 1 removed"
    assert printed("sql", "go.archive", "SELECT source FROM games") == "source\ngames/c.sgf\n"


@pytest.mark.usefixtures("games")
def test_a_file_that_cannot_be_read_is_named_and_no_error() -> None:
    Path("games/broken.zip").write_bytes(b"PK")

    lines = build("games")
    assert lines[0].startswith("go.archive: 3 files (1 unreadable), 3 games")
    assert lines[-1] == "not or not completely read: games/broken.zip"


@pytest.mark.usefixtures("games")
def test_a_quiet_build_prints_nothing() -> None:
    assert not printed("build", "games", "-o", "go.archive", "--jobs", "1", "-q")


@pytest.mark.usefixtures("games")
def test_a_source_that_does_not_exist_is_named_and_nothing_is_built() -> None:
    for name, words in (("nosuch", "no such file or folder"), ("x*.sgf", "no file matches")):
        said = rejected("build", "games", name, "-o", "go.archive")
        assert said.startswith(f"error: {name}: {words}")
    assert "SOURCES: a path is empty" in rejected("build", "", "-o", "go.archive")
    assert rejected("build", "-o", "go.archive").startswith("error: SOURCES is missing: ")
    assert not Path("go.archive").exists()


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("output", ["games/a.sgf", "games/a.sgf/x"])
def test_an_archive_is_no_file(output: str) -> None:
    words = f"error: {output}: this is a file, or in one: choose a folder\n"
    assert rejected("build", "games", "-o", output) == words


@pytest.mark.usefixtures("games")
def test_a_source_that_is_gone_keeps_its_rows_until_it_is_removed() -> None:
    build("games/a.sgf", "games/old")
    Path("games/a.sgf").unlink()

    for sources in ([], ["games/a.sgf", "games/old"]):
        assert rejected("build", *sources, "-o", "go.archive") == (
            "error: games/a.sgf: this source of the archive is gone; its rows stay until"
            " --remove removes them\n"
        )
    count = ("sql", "go.archive", "SELECT count(*) AS n FROM games")
    assert printed(*count) == "n\n3\n"
    build("--remove", "games/a.sgf")
    assert printed(*count) == "n\n2\n"


@pytest.mark.usefixtures("games")
def test_wrong_options_of_a_build_are_answered_in_words() -> None:
    build("games")
    words = ["build", "games", "-o"]

    assert "games: this folder has other files" in rejected(*words, "games")
    assert "--scheduler needs --engine dask" in rejected(*words, "x", "--scheduler", "tcp://a:1")
    said = rejected("build", "-o", "go.archive", "--remove", "other")
    assert said == "error: other: this is no source of the archive\n  games\n"


def test_an_interrupted_build_says_how_far_it_got(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, progress: Callable[[Progress], None], **__: object) -> None:
        progress(Progress(1200, 2541, 5, 10, 99, 1.0))
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("sgf_lark.archive.build"), "build", stop)
    code, out, err = run("build", str(games), "-o", "go.archive")

    assert (code, out) == (130, "")
    assert (
        err == "interrupted: 1,200 of 2,541 files read; the same command again goes on from there\n"
    )


def test_a_full_disk_is_reported_in_words(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(import_module("sgf_lark.archive.build"), "build", stop)
    assert rejected("build", str(games), "-o", "go.archive") == (
        "error: go.archive: no space left on device;"
        " the archive is as it was, and the next run goes on\n"
    )


def test_the_bar_shows_rate_and_time_left_and_disappears() -> None:
    terminal = io.StringIO()
    with BuildBar(Console(file=terminal, force_terminal=True, width=100), delay=0) as bar:
        for done in range(1, 4):
            bar.show(Progress(done * 1000, 4000, done * 10**7, 4 * 10**7, done * 2500, done * 2.0))
            sleep(0.15)

    shown = terminal.getvalue()
    assert "3,000/4,000 files, 7,500 games, 5.0 MB/s" in shown
    assert "0:02 left" in shown
    assert shown.endswith("\x1b[2K")


# ---- select ----


@pytest.fixture
def built(games: Path) -> str:
    """Build an archive of the records."""
    build(str(games.relative_to(Path.cwd())))
    return "go.archive"


@pytest.mark.night
def test_games_are_copied_with_their_folders(built: str) -> None:
    for words in ("1 file of 1 game", "0 files of 1 game, 1 were there before"):
        code, out, err = run("select", built, "errors = 0 AND moves > 0", "-o", "good")
        assert (code, out, err) == (0, "", f"good: {words}\n")
    assert Path("good/games/a.sgf").read_bytes() == Path("games/a.sgf").read_bytes()


def test_a_game_whose_file_has_changed_is_named_and_not_copied(built: str) -> None:
    Path("games/a.sgf").write_text("(;FF[4]GM[1]SZ[9];B[aa];W[bb])", encoding="utf-8")

    code, _, err = run("select", built, "moves = 2", "-o", "good")
    assert code == 1
    assert err.startswith("games/a.sgf: ")
    assert not list(Path("good").rglob("*.sgf"))


def test_a_wrong_condition_is_answered_in_words(archive: str) -> None:
    assert rejected("select", archive, "movs > 2", "-o", "good") == (
        "error: there is no column 'movs'; did you mean 'moves'?\n  movs > 2\n  ^^^^\n"
    )
    assert not Path("good").exists()


# ---- stats ----


def test_statistics_are_tables_with_titles(archive: str) -> None:
    text = printed("stats", archive)

    assert text.startswith("In all\nfact\tnumber\tshare\nfiles\t6\t\n")
    assert "\nBy year\nyear\tgames\tshare\twith_errors\tmean_length\n1996\t6\t1.0\t0\t" in text


def test_statistics_for_programs_are_rows_by_the_names_of_tables(archive: str) -> None:
    tables = json.loads(printed("stats", archive, "--format", "json"))

    assert [(row["winner"], row["games"]) for row in tables["results"]] == [
        ("Black", 3),
        ("White", 3),
    ]
    assert "years" in tables


@pytest.mark.night
def test_a_limit_of_0_shows_each_row_of_one_table_of_statistics(tmp_path: Path) -> None:
    games = [{"application": f"program {number}"} for number in range(1100)]
    made = str(write_archive(tmp_path / "many", games=games))
    words = ("stats", made, "--table", "programs", "--format", "csv")

    lines = printed(*words, "--limit", "0").splitlines()
    assert (lines[0][:8], len(lines)) == ("program,", 1 + 1100)


@pytest.mark.night
def test_statistics_as_a_page_have_plots(archive: str) -> None:
    printed("stats", archive, "--format", "html", "-o", "a.html")
    page = Path("a.html").read_text(encoding="utf-8")

    assert "<svg" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("name", "words"),
    every_other(
        [
            ("yaers", "no table 'yaers'\nhelp: did you mean years?"),
            ("x", "expected totals, lengths, "),
        ]
    ),
)
def test_a_wrong_name_of_a_table_is_answered_with_the_right_one(
    name: str, words: str, archive: str
) -> None:
    assert words in rejected("stats", archive, "--table", name)


# ---- dupes ----


def test_duplicates_are_listed_in_groups(archive: str) -> None:
    code, out, err = run("dupes", archive, "--by", "text")

    assert code == 0
    assert out.splitlines()[1:] == [
        "1\ttrue\ttext\tgames/2.sgf\t102\t\t\t\t\t",
        "1\tfalse\ttext\tgames/1.sgf\t101\tAoki\t\t\t\tdate",
    ]
    assert err == "2 games in 1 group; duplicates: 0 certain, 0 likely, 1 contradicting\n"


def test_duplicates_for_programs_have_all_columns(archive: str) -> None:
    _, out, _ = run("dupes", archive, "--by", "text", "--by", "bytes", "--format", "json")

    assert json.loads(out)[1] | {"reason": "text"} == json.loads(out)[1]
    assert {"source", "member", "game", "offset", "length"} <= {*json.loads(out)[0]}


def test_the_files_that_are_not_needed_are_listed_in_a_file(archive: str) -> None:
    words = ["dupes", archive, "--delete-list", "list.txt"]
    changed = "games/1.sgf and 1 more: gone or changed since the archive was built: build it again"
    _, out, err = run(*words, "--contradicting")
    assert out == ""
    assert run(*words, "--limit", "1")[1].count("\n") == 2
    assert err.endswith(f"\n{changed}\nlist.txt: 0 files\n")

    Path("games").mkdir()
    for name in ("games/1.sgf", "games/2.sgf"):
        Path(name).touch()
        os.utime(name, (0, 0))
    _, _, err = run(*words, "--by", "text")
    assert err.endswith(" contradicting\nlist.txt: 0 files\n")

    _, _, err = run(*words, "--contradicting", "--null")
    assert err.endswith("\nlist.txt: 1 file\n")
    assert Path("list.txt").read_bytes() == b"games/1.sgf\0"


@pytest.mark.parametrize(
    ("option", "needed"),
    [("--contradicting", "--delete-list or --merge"), ("--null", "--delete-list")],
)
def test_an_option_of_the_list_needs_the_list(option: str, needed: str, archive: str) -> None:
    assert rejected("dupes", archive, option) == f"error: {option} needs {needed}\n"


@pytest.mark.night
def test_duplicates_are_merged_into_one_record(games: Path) -> None:
    for name, info in (("x.sgf", "PB[Aoki]"), ("y.sgf", "PW[Berg]EV[Cup]")):
        (games / name).write_text(f"(;FF[4]GM[1]SZ[9]{info};B[ee];W[gg])", encoding="utf-8")
    build("games/x.sgf", "games/y.sgf")
    code, _, err = run("dupes", "go.archive", "--min-moves", "2", "--merge", "merged")

    assert (code, err.splitlines()[1:]) == (0, ["merged: 1 file"])
    (file,) = Path("merged").iterdir()
    text = file.read_text(encoding="utf-8")
    assert all(part in text for part in ("PB[Aoki]", "PW[Berg]", "EV[Cup]"))
    assert (
        "merged records need an empty folder" in run("dupes", "go.archive", "--merge", "merged")[2]
    )


# ---- openings ----


def test_openings_are_a_tree(archive: str) -> None:
    assert printed("openings", archive, "--moves", "2") == (
        "Go 9x9    6  100.0%  Black  50%\n"
        "└─ E5     6  100.0%  Black  50%\n"
        "   └─ G7  6  100.0%  Black  50%\n"
    )


@pytest.mark.night
def test_openings_for_programs_have_a_row_a_move(archive: str) -> None:
    words = ["openings", archive, "--at", "e5 g7", "--size", "9:9", "--game", "1", "--moves", "1"]

    rows = json.loads(printed(*words, "--format", "json"))
    assert [(row["moves"], row["games"]) for row in rows[:2]] == [("E5 G7", 6), ("E5 G7 J8", 1)]
    assert len(printed(*words, "--format", "csv", "--min-games", "2").splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    one_in(
        3,
        [
            (["--game", "Nonsense"], "no game 'Nonsense'"),
            (["--at", "z99"], "no point 'z99'"),
            (["--size", "13"], "no games on 13x13 whose moves are points; it has Go 9x9 (6)"),
            (["--game", "chess"], "no games of chess whose moves are points; it has Go 9x9 (6)"),
            (["--size", "9x"], "--size: invalid size '9x': expected one such as 19 or 19:13"),
            (["--moves", "201"], "at most 200 moves"),
            (["--transpositions"], "--transpositions needs --at"),
        ],
    ),
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
        "error: QUERY is missing; the tables are games (6 rows), moves (0 rows),"
        " findings (0 rows), positions (0 rows), lives (0 rows), analysis (0 rows),"
        " sources (6 rows)\n"
    )


def test_the_mistake_of_a_query_is_marked(archive: str) -> None:
    assert rejected("sql", archive, "SELECT blak\nFROM games") == (
        "error: there is no column 'blak'; did you mean 'black'?\n  SELECT blak\n         ^^^^\n"
    )
    assert "no table 'game'" in rejected("sql", archive, "FROM game")
    assert "nothing can be changed" in rejected("sql", archive, "DROP TABLE games")


@pytest.mark.night
def test_a_query_ends_by_its_time_limit(archive: str) -> None:
    endless = "SELECT count(*) FROM range(10000000) a, range(10000000) b, games c"

    code, _, err = run("sql", archive, endless, "--time-limit", "0.2", "-o", "a.csv")
    assert (code, err) == (
        1,
        (
            "error: no answer within the time limit of 0.2 s; for another limit use time_limit,"
            " on the command line --time-limit (0 for none)\n"
        ),
    )
    assert not Path("a.csv").exists()
    assert printed("sql", archive, "SELECT 1 AS a", "--time-limit", "0") == "a\n1\n"
    assert rejected("sql", archive, "SELECT 1", "--time-limit", "nan") == (
        "error: --time-limit: invalid time limit nan: expected seconds, or 0 for none\n"
    )


@pytest.mark.night  # a process of its own
def test_ctrl_c_ends_an_endless_query(archive: str) -> None:
    endless = "SELECT count(*) FROM range(10000000) a, range(10000000) b, games c"
    command = [sys.executable, "-m", "sgf_lark", "archive", "sql", archive, endless]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe) as process:  # noqa: S603  # ours
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(5)
        process.send_signal(signal.SIGINT)
        ended = process.communicate(timeout=60)

    assert (process.returncode, *ended) == (130, b"", b"")


def test_a_mistake_that_only_a_row_shows_is_reported_and_writes_no_file(archive: str) -> None:
    code, _, err = run("sql", archive, "SELECT CAST(source AS INT) FROM games", "-o", "a.csv")

    assert code == 2
    assert err.startswith("error: ")
    assert "games/1.sgf" in err
    assert not Path("a.csv").exists()


@pytest.mark.night
def test_players_are_counted_with_a_file_of_aliases(tmp_path: Path) -> None:
    game = {"black_player": "lee sedol", "white_player": "gu li", "winner": "B"}
    made = str(
        write_archive(
            tmp_path / "named", games=[[game, game | {"black_player": "yi se-tol", "winner": "W"}]]
        )
    )
    Path("aliases.toml").write_text('"Lee Sedol" = ["Yi Se-tol"]', encoding="utf-8")
    words = ("--aliases", "aliases.toml")

    stats = printed("stats", made, "--table", "pairs", *words).splitlines()
    assert stats[2].split("\t")[:5] == ["gu li", "lee sedol", "2", "1", "1"]
    query = printed("sql", made, "select player, opponent, games from pairs", *words)
    assert query.splitlines()[1:] == ["gu li\tlee sedol\t2"]
    assert rejected("sql", made, "from pairs", "--aliases", "none.toml") == (
        "error: none.toml: no such file or directory\n"
    )

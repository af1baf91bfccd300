"""The benchmarks run; how fast anything is, a test cannot know."""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from benchmarks import many_games, scale, table, texts
from benchmarks.jobs import Job, python
from benchmarks.rows import Row, rows
from support.places import ROOT

import sgf_lark

README = table.README.read_text(encoding="utf-8")


def output(*command: str, corpus: str = "") -> str:
    """In a process of its own: collecting the garbage of other tests would take minutes."""
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-m", *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, texts.VARIABLE: corpus},
        check=True,
        encoding="utf-8",
        timeout=500,  # every row by night; the limit of a test ends others before
    )
    return result.stdout


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A folder of games that are real enough."""
    for number in range(3):
        (tmp_path / f"{number}.sgf").write_text(texts.game(number), encoding="utf-8")
    (tmp_path / "games.ggf").write_text(
        "".join(f"(;GM[Othello]PB[{number}]BO[8 {'-' * 64} *]B[d3];)\n" for number in range(12))
    )
    return str(tmp_path)


@pytest.mark.night
def test_every_row_is_measured(corpus: str) -> None:
    command = ("tests.benchmarks", "--size", "small", "--rounds", "1", "--markdown")

    lines = table.lines(output(*command, corpus=corpus))

    assert [line[:4] for line in lines] == [row.names for row in rows()]
    for line in lines:
        ours = line[5]
        absent = ("(not at hand: ", "(@sabaki/sgf is not ", "(tree_sitter is not ")
        assert ours[0].isdigit() or ours.startswith(absent)


@pytest.mark.night
def test_a_row_says_what_is_absent() -> None:
    (line,) = table.lines(output("tests.benchmarks", "--only", "boards.Board", "--size", "small"))

    assert line[4] == f"({texts.VARIABLE} names no folder)"


def test_a_job_knows_what_its_process_cost() -> None:
    cost = Job(python("-c", "print('{\"cold\": 2.5}')"), measures=True).run()

    assert cost["cold"] == 2.5
    assert 0 < cost["process"] < 60


@pytest.mark.night
def test_large_records_are_measured_one_by_one() -> None:
    case = "100,000 games"
    (line,) = table.lines(output("tests.benchmarks.scale", "--share", "0.0001", "--only", case))

    assert line[:2] == ("100,000 games in a file", "30")


@pytest.mark.parametrize("case", scale.CASES)
def test_every_large_record_is_read(case: str) -> None:
    assert scale.CASES[case](0.0001)() > 0


def test_a_ratio_is_read_by_what_the_budget_says() -> None:
    def side(_: object) -> Job:
        return Job(())

    faster = Row("", "", "", "", "≥ 4", side, side)
    dearer = faster._replace(budget="≤ 1.5")

    assert faster.ratio({"cold": 1}, {"cold": 5}) == 5
    assert faster.is_met(5)
    assert not faster.is_met(3)
    assert dearer.ratio({"cold": 3}, {"cold": 2}) == 1.5
    assert dearer.is_met(1.5)
    assert not dearer.is_met(1.6)
    assert not faster._replace(budget="≥").has_budget


def test_generated_games_are_the_same_each_time_and_without_a_fault() -> None:
    assert texts.game(3) == texts.game(3)
    for text in (texts.game(1), texts.tree(100)):
        assert texts.is_go(text)
        assert not sgf_lark.loads(text, strict=False).diagnostics


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (0, {"unclosed-tree"}),
        (1, {"wrong-value"}),
        (2, {"unknown-property"}),
        (3, {"occupied-point"}),
    ],
)
def test_a_fault_of_each_kind_is_found(number: int, names: set[str]) -> None:
    text = texts.line(20)
    found = sgf_lark.loads(texts.with_fault(text, number), strict=False, check=True).diagnostics

    assert not sgf_lark.loads(text, check=True).diagnostics
    assert {one.name for one in found} == names


def test_a_column_of_the_table_is_replaced_and_the_other_one_kept() -> None:
    known = table.lines(README)[0]
    measured = (*known[:4], "9.00 (8.00 to 9.50)", "yes")

    assert table.earlier([measured], "after") == [(*known[:5], *measured[4:])]
    assert table.earlier([measured], "before") == [(*known[:4], measured[4], known[5], "yes")]


def test_the_table_of_speeds_is_about_all_rows() -> None:
    section = README.partition("## Speed\n")[2].partition("\n## ")[0]

    assert [line[:4] for line in table.lines(section)] == [row.names for row in rows()]


def test_a_tar_of_games_names_what_is_planted(tmp_path: Path) -> None:
    path, planted = tmp_path / "games.tar.gz", tmp_path / "planted.jsonl"

    many_games.write_tar(path, 200, planted)

    with tarfile.open(path) as tar:
        contents = {info.name: tar.extractfile(info).read() for info in tar}  # type: ignore[union-attr]
    games = list(many_games.games(200))
    assert b"".join(contents.values()) == b"".join([made.text for made in games])
    for line, made in zip(
        planted.read_text().splitlines(), filter(lambda m: m.kind, games), strict=True
    ):
        found = json.loads(line)
        assert found["kind"] == made.kind
        assert made.text in contents[found["member"]]
        if made.of is not None:
            assert games[made.of].text in contents[found["of"][0]]

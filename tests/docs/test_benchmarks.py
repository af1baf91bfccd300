"""The benchmarks run; how fast anything is, a test cannot know."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import texts
from benchmarks.rows import HEAD, ROWS
from benchmarks.worker import take
from support.places import ROOT

import sgf_lark


def lines(text: str) -> list[list[str]]:
    """Return the cells of each line of the table in a text."""
    rows = text.partition(HEAD)[2].partition("\n\n")[0]
    return [line[2:-2].split(" | ") for line in rows.splitlines()]


def output(*options: str, corpus: str = "") -> list[list[str]]:
    """In a process of its own: collecting the garbage of other tests would take minutes."""
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.benchmarks", "--size", "small", "--rounds", "1", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, texts.VARIABLE: corpus},
        check=True,
        encoding="utf-8",
        timeout=500,  # every row by night; the limit of a test ends others before
    )
    return lines(result.stdout)


@pytest.mark.night
def test_every_row_is_measured(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.sgf").write_text(texts.game(number), encoding="utf-8")

    found = output(corpus=str(tmp_path))

    assert [tuple(line[:4]) for line in found] == [row.names for row in ROWS]
    absent = ("(not at hand: ", "(@sabaki/sgf is not ", "(tree_sitter is not ")
    assert not [line for line in found if not (line[4][0].isdigit() or line[4].startswith(absent))]


@pytest.mark.night
def test_a_row_says_what_is_absent() -> None:
    ((*_, ratio, _),) = output("--only", "boards.Board")

    assert ratio == f"({texts.VARIABLE} names no folder)"


def test_the_table_of_the_readme_has_all_rows() -> None:
    readme = (ROOT / "tests" / "benchmarks" / "README.md").read_text(encoding="utf-8")

    assert [tuple(line[:4]) for line in lines(readme)] == [row.names for row in ROWS]


@pytest.mark.parametrize(("order", "expected"), [("each", "aAbB"), ("all", "abAB")])
def test_steps_are_taken_with_each_file_or_with_all_files_first(order: str, expected: str) -> None:
    seen: list[str] = []

    def first(text: str) -> str:
        seen.append(text)
        return text.upper()

    take(order, [first, seen.append], ["a", "b"])

    assert "".join(seen) == expected


def test_generated_games_are_the_same_each_time_and_without_a_fault() -> None:
    assert texts.game(3) == texts.game(3)
    for text in (texts.game(1), texts.tree(100)):
        assert texts.is_go(text)
        assert not sgf_lark.loads(text, strict=False).diagnostics


def test_a_fault_of_each_kind_is_found() -> None:
    text = texts.line(20)
    faulty = [texts.with_fault(text, number) for number in range(len(texts.FAULTS))]
    found = [sgf_lark.loads(one, strict=False, check=True).diagnostics for one in faulty]

    assert not sgf_lark.loads(text, check=True).diagnostics
    assert [{finding.name for finding in one} for one in found] == [
        {"unclosed-tree"},
        {"wrong-value"},
        {"unknown-property"},
        {"occupied-point"},
    ]

"""The benchmarks run; how fast anything is, a test cannot know."""

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import texts
from benchmarks.budgets import SIZES, Budget, budgets
from support.places import ROOT

import sgf_lark

README = ROOT / "tests" / "benchmarks" / "README.md"


@pytest.mark.night
def test_every_budget_is_measured() -> None:
    """In a process of its own: collecting the garbage of other tests would take minutes."""
    command = [sys.executable, "-m", "tests.benchmarks", "--size", "small", "--rounds", "1"]
    result = subprocess.run(  # noqa: S603
        [*command, "--markdown"], cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )

    lines = result.stdout.splitlines()
    assert lines[0].split(" | ")[3].strip() == "ratio"
    assert {line.count(" | ") for line in [lines[0], *lines[2:]]} == {5}
    assert any(line.startswith("| load") for line in lines)


def test_a_ratio_is_read_by_what_the_budget_says() -> None:
    faster = Budget("", "", "", "", 4.0, at_least=True, costs=lambda: (lambda: 1, lambda: 5))
    dearer = faster._replace(limit=1.5, at_least=False)

    assert faster.ratio(1, 5) == 5
    assert faster.is_met(5)
    assert not faster.is_met(3)
    assert dearer.ratio(3, 2) == 1.5
    assert dearer.is_met(1.5)
    assert not dearer.is_met(1.6)


def test_generated_games_are_the_same_each_time_and_without_a_fault() -> None:
    assert texts.game(3) == texts.game(3)
    for text in (texts.generated(3).texts[0], texts.tree(100)):
        assert texts.is_go(text)
        assert not sgf_lark.loads(text, strict=False).diagnostics


def test_the_table_of_speeds_is_about_budgets_that_there_are(tmp_path: Path) -> None:
    known = {(one.what, one.against, shown(one)) for one in budgets(SIZES["small"], tmp_path)}
    _, _, section = README.read_text(encoding="utf-8").partition("## Speed\n")
    table = section.partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "][1:]

    assert len(rows) > 10
    for what, against, _, _, *rest in rows:
        assert (what, against, rest[0].strip(" |") if rest else "") in known


def shown(budget: Budget) -> str:
    return "" if budget.limit is None else f"{'≥' if budget.at_least else '≤'} {budget.limit:g}"

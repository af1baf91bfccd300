"""Alternatives that texts use, and few sentences that use all of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lark.exceptions import GrammarError
from support.grammar_files import some_by_day

from sgf_lark.cli.main import app
from sgf_lark.core.grammar import grammars
from sgf_lark.workbench.coverage import Coverage, cover, parse_uses, productions

SUM = """\
start: e
e: e "+" t | t
t: NUMBER | "(" e ("," e)* ")"
NUMBER: /[0-9]+/
"""

#: The first rule takes every "a", so that the second one never has any.
GREEDY = 'start: x y\nx: "a"*\ny: "a" | "b"\n'


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["grammar", *arguments], catch_exceptions=False)


def test_a_record_counts_for_the_alternatives_that_it_uses() -> None:
    coverage = Coverage(grammars.path("ff4"))
    coverage.add("(;FF[4]DT[1996-05-06,07];B[pd](;W[dp])(;))", "a")
    used = {one.production: one.records for one in coverage.uses() if one.records}

    assert used["game_tree: _OPEN sequence game_tree+ _CLOSE"] == 1
    assert used["node: _SEMICOLON"] == 1
    assert used["_days: (NEXT_MONTH_DAY | NEXT_DAY)+"] == used["dates: _date"] == 1


#: Random texts hardly ever keep what the look-arounds of cases forbid.
NAMES = [name for name in grammars.names() if name != "notations/cases"]

#: Formats of lines, whose terminals accept each other's texts and are told apart by priority: some
#: alternatives are of texts that hardly a random one is, and are said to be without a sentence.
OVERLAPPING = {"gib", "mat", "ugf"}


@pytest.mark.parametrize("name", some_by_day(NAMES))
def test_few_sentences_use_all_of_every_rule_of_every_grammar(name: str) -> None:
    file = grammars.path(name)
    for start in grammars.rules(file):
        try:
            covering = cover(file, start, seed=2)
        except GrammarError:  # it is ambiguous
            continue
        used = [parse_uses(text, file, start) for text in covering.sentences]
        of_file = productions(file)
        wanted = {one for rule in of_file.below(start) for one in of_file.of(rule)}

        assert covering.unused == [] or name in OVERLAPPING
        found = {one for uses in used if isinstance(uses, Counter) for one in uses}
        assert len(wanted - found) <= len(covering.unused)


@pytest.mark.night
def test_no_sentence_is_needless_and_the_seed_decides() -> None:
    file = grammars.path("notations/lark")
    made = [cover(file, "rule", seed=seed).sentences for seed in "aab"]
    used = [{*uses} for text in made[0] if isinstance(uses := parse_uses(text, file, "rule"), dict)]
    of_file = productions(file)
    wanted = {one for rule in of_file.below("rule") for one in of_file.of(rule)}

    assert made[0] == made[1] != made[2]
    for at in range(len(used)):
        assert not wanted <= set[object]().union(*used[:at], *used[at + 1 :])


def test_sentences_that_cover_a_grammar_leave_no_alternative_unused(tmp_path: Path) -> None:
    file = tmp_path / "sum.lark"
    file.write_text(SUM, encoding="utf-8")
    result = run("sample", str(file), "--cover", "--format", "jsonl")
    for number, line in enumerate(result.stdout.splitlines()):
        (tmp_path / f"{number}.sgf").write_text(json.loads(line), encoding="utf-8")
    tested = run("test", str(file), str(tmp_path), "--unused")

    assert result.stderr == ""
    assert tested.stdout.splitlines()[1:] == ["6 of 6 alternatives used"]


def test_what_no_sentence_was_found_for_is_said(tmp_path: Path) -> None:
    file = tmp_path / "greedy.lark"
    file.write_text(GREEDY, encoding="utf-8")
    result = run("sample", str(file), "--cover")

    assert result.exit_code == 0
    assert result.stderr == 'no sentence found for: y: "a"\n'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cover", "--broken"], "only one of --typed, --cover and --broken can be given"),
        (["--typed", "--broken"], "only one of --typed, --cover and --broken can be given"),
        (["--cover", "-n", "3"], "--cover makes as many sentences as it needs"),
    ],
)
def test_options_of_samples_that_exclude_each_other(options: list[str], message: str) -> None:
    result = run("sample", "ff4", *options)

    assert result.exit_code == 2
    assert message in result.stderr

"""Conflicts of grammars: the verdict about each, the texts that show it, bison's opinion."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from support.bison import BISON, asked, ours
from support.lanes import one_in

from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.grammars import File, GrammarSource
from sgf_lark.workbench.conflicts import ConflictKind, walk_derivation
from sgf_lark.workbench.lint import count_conflicts, grammar_report
from sgf_lark.workbench.parse_state import parse_all

CASE = re.compile(
    r"^==== (?P<name>.*): (?P<verdicts>.*)\n(?P<grammar>(?:(?!====).*\n)*)", re.MULTILINE
)


class Case(NamedTuple):
    name: str
    verdicts: dict[str, int]
    file: File


def _case(match: re.Match[str]) -> Case:
    parts = [part.split(" ", 1) for part in match["verdicts"].split(", ") if part != "none"]
    name, text = match["name"], match["grammar"]
    file = GrammarSource(Path("mine.lark"), text) if text.strip() else grammars.path(name)
    return Case(name, {verdict: int(number) for number, verdict in parts}, file)


TABLE = Path(__file__).with_name("conflicts.txt").read_text(encoding="utf-8")
CASES = [_case(match) for match in CASE.finditer(TABLE)]
assert len(CASES) == TABLE.count("\n==== ") > 40

#: The number of different texts that show a conflict.
_DIFFERENT = {
    ConflictKind.AMBIGUOUS: 1,
    ConflictKind.LOOK_AHEAD: 2,
    ConflictKind.NOT_FOUND: 2,
    ConflictKind.MERGED: 0,
}

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
some_by_day = pytest.mark.parametrize("case", one_in(5, CASES), ids=lambda case: case.name)


@some_by_day
def test_each_conflict_has_its_verdict(case: Case) -> None:
    found = ours(case.file)

    assert Counter(one[0] for one in found) == case.verdicts
    assert count_conflicts(case.file, grammars.first_rule(case.file)) == len(found)
    for one in found:
        texts = [
            [part.symbol for part in walk_derivation(tree) if part and not part.rule]
            for tree in one[1]
        ]
        assert len(texts) == (0 if one[0] is ConflictKind.MERGED else 2)
        assert len({*map(tuple, texts)}) == _DIFFERENT[one[0]]


@some_by_day
def test_the_texts_of_findings_have_as_many_trees_as_these_say(case: Case) -> None:
    start, told = grammars.first_rule(case.file), str(grammar_report(case.file))

    def number_of(text: str) -> float:
        trees = parse_all(text, case.file, start)
        return trees.number if trees else 0

    ambiguous = re.findall(r"`([^`]*)` has two trees", told)
    pairs = re.findall(r"`([^`]*)` and `([^`]*)` begin alike", told)

    assert bool(ambiguous) == (ConflictKind.AMBIGUOUS in case.verdicts)
    assert all(number_of(text) > 1 for text in ambiguous)
    assert all(number_of(text) == 1 for pair in pairs for text in pair)


@pytest.mark.night
@pytest.mark.skipif(BISON is None, reason="bison is not installed: apt-get install bison")
@each_case
def test_bison_has_the_same_opinion(case: Case) -> None:
    bison, canonical = asked(case.file), asked(case.file, "canonical-lr")

    assert bison.conflicts == sum(case.verdicts.values())
    assert (bison.unifying > 0) == (ConflictKind.AMBIGUOUS in case.verdicts)
    assert (canonical.conflicts == 0) == ({*case.verdicts} <= {ConflictKind.MERGED})

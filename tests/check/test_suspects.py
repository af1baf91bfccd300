"""Nodes that are no suspects have no findings."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support import corpus
from support.lanes import amount
from support.made_up import new_table, pass_over_nothing
from support.places import ROOT
from support.together import together

import sgf_lark
from sgf_lark.core.check.suspects import suspect_finder
from sgf_lark.core.model.ruleset import RuleSets
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import PropertyTable

#: Registers a check as a contributor would; prints what both engines find.
MORE = """
import io
import sgf_lark
from sgf_lark.core.findings.finding import register
from sgf_lark.core.model.finders import On, finds

RULE = register("V399 made-up error: made up")

@finds(RULE, on=On.VALUES, is_lint=True)
def look(prop, rules):
    yield RULE.found("found")

for engine in ("auto", "lark"):
    text = "(;FF[4]GM[1]SZ[19];B[pd]C[hello];W[dp]TR[aa][bb])"
    report = sgf_lark.check(io.StringIO(text), engine=engine)
    print(*(one.property for one in report if one.code == "V399"))
"""


@pytest.mark.night
def test_a_finder_that_is_registered_fires_in_both_engines() -> None:
    result = subprocess.run(  # noqa: S603  # finders stay registered in a process
        [sys.executable, "-c", MORE],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=100,
    )

    assert result.stdout.splitlines() == ["FF GM SZ B C W TR"] * 2


@pytest.mark.night
@pytest.mark.both_lanes
def test_real_records_have_the_same_findings_if_all_nodes_are_suspects() -> None:
    corpus.required()
    table = new_table()
    wanted = [which for which in corpus.names() if not corpus.long(which)]
    with together() as each:
        for which in wanted[:: amount(60, 6)]:
            report = sgf_lark.check(corpus.record(which))
            with each(which), pytest.MonkeyPatch.context() as patch:
                pass_over_nothing(patch)
                assert sgf_lark.check(corpus.record(which), table=table) == report


def test_a_value_whose_last_bracket_is_escaped_is_looked_at() -> None:
    rules = RuleSets(PropertyTable.standard()).declared(Format.FF4, {})
    typed = suspect_finder(rules, None, lints=False)

    assert typed.accepts("C", ("a\\\\",))
    assert not typed.accepts("C", ("a\\",))


def test_a_text_with_a_finding_is_no_known_one_the_next_time() -> None:
    table, text = new_table(), b"(;FF[3]GM[1]SZ[21];SL[tt][AA];SL[aa][tt])"

    assert sgf_lark.check(text, table=table) == sgf_lark.check(text, table=table)

"""Findings of one kind: the first ones are listed, of the others their number is told."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from support.few_alike import LISTED, list_few
from support.lanes import every_other, one_in

import sgf_lark
from sgf_lark import Severity, fix_record, iter_games, loads
from sgf_lark.core.check import consequences, judge
from sgf_lark.core.check.findings import place_finding
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar import grammars
from sgf_lark.core.grammar.tokens import name_pattern, tokenize
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.read.repair import mend_sgf
from sgf_lark.core.schema.formats import Format

pytestmark = pytest.mark.both_lanes


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    list_few(monkeypatch)


#: More than are listed.
MANY = LISTED + 20

TEXTS = {
    "wrong values": ("(;FF[4]GM[1]SZ[19]" + ";B[aa];W[zzz]" * MANY + ")", "V301"),
    "brackets": ("(" * MANY, "S110"),
    "empty trees": ("()" * MANY, "S110"),
    "brackets of other games": ("(;FF[4]GM[1]SZ[19])()" * MANY, "S110"),
    "text between nodes": ("(;FF[4]GM[1]SZ[19]" + ";B[aa]x" * MANY + ")", "S102"),
}


@pytest.mark.parametrize(
    ("text", "code"), every_other(pytest.param(*case, id=name) for name, case in TEXTS.items())
)
def test_of_many_findings_of_a_kind_the_first_are_listed_and_the_others_counted(
    text: str, code: str
) -> None:
    found = [one for one in loads(text, strict=False).diagnostics if one.code == code]
    all_ = [one for one in sgf_lark.check(io.StringIO(text), max_diagnostics=0) if one.code == code]

    assert len(found) == LISTED + 1
    assert found[:-1] == all_[:LISTED]
    assert f"{len(all_) - LISTED} more" in found[-1].message
    assert found[-1].offset == all_[-1].offset
    assert found[-1].fix is None


@pytest.mark.parametrize(
    "text", one_in(4, [pytest.param(text, id=name) for name, (text, _) in TEXTS.items()])
)
def test_both_engines_and_a_stream_list_the_same(text: str) -> None:
    quick = loads(text, strict=False)
    games = iter_games(io.StringIO(text), strict=False)
    one_by_one = [one for game in games for one in game.diagnostics] + [*games.diagnostics]

    assert quick.diagnostics == loads(text, strict=False, engine="lark").diagnostics
    assert sorted(map(str, quick.diagnostics)) == sorted(map(str, one_by_one))


def test_each_game_has_findings_of_its_own() -> None:
    games = loads("(;FF[4]GM[1]SZ[19];B[aa];W[zzz])" * MANY, strict=False)

    assert len([one for one in games.diagnostics if one.code == "V301"]) == MANY
    assert [one.code for one in games[-1].diagnostics] == ["V301"]


def test_a_check_lists_the_first_findings_of_a_file_and_counts_all() -> None:
    many = LISTED + 20
    text = "(;FF[4]GM[1]SZ[19];W[zzz])" * many
    report = sgf_lark.check(io.StringIO(text))
    all_ = sgf_lark.check(io.StringIO(text), max_diagnostics=0)

    assert report.diagnostics[:-1] == all_.diagnostics[:LISTED]
    assert "20 more" in report.diagnostics[-1].message
    assert report.diagnostics[-1].offset == all_.diagnostics[-1].offset
    for same in (report, report.capped(10), report.capped(LISTED)):
        assert same.counts == all_.counts == {Severity.ERROR: many}


def test_only_findings_that_are_listed_get_a_place_and_a_fix(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placed: list[str] = []

    def complete(finding: Finding, nodes: Nodes, game: int) -> Finding:
        placed.append(finding.name)
        return place_finding(finding, nodes, game)

    monkeypatch.setattr(consequences, "place_finding", complete)
    sgf_lark.check(io.StringIO("(;FF[4]GM[1]SZ[19]" + ";B[aa];W[zzz]" * MANY + ")"))

    assert placed == ["wrong-value"] * (LISTED + 1)


@pytest.mark.parametrize("node", [";B[zz]", ";B[zzz]", ";N[\0]", ";C[]", ";DM[1]GB[1]"])
def test_no_more_findings_leave_a_game_than_are_listed(
    node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[int] = []

    def settle(findings: list[Finding], context: consequences.Context) -> list[Finding]:
        counts = Counter((one.name, one.severity, one.property) for one in findings)
        kinds.append(max(counts.values()))
        return consequences.settle_findings(findings, context)

    monkeypatch.setattr(judge, "settle_findings", settle)
    text = "(;FF[4]GM[1]SZ[19]" + node * MANY + ")"
    counts = sgf_lark.check(io.StringIO(text)).counts

    assert kinds == [LISTED + 1]
    assert counts == sgf_lark.check(io.StringIO(text), max_diagnostics=0).counts


def test_many_infos_hide_no_error() -> None:
    text = "(;FF[4]GM[1]SZ[19]PC[kgs]" + ";B[aa]BL[x]" * MANY + ";W[zzz])"

    assert "V301" in {one.code for one in loads(text, strict=False).diagnostics}


def test_a_fix_is_made_for_those_that_are_not_listed_too() -> None:
    data = ("(;FF[4]GM[1]SZ[19]" + ";B[aa\n]" * MANY + ")").encode()
    result = fix_record(data).data

    assert sgf_lark.check(io.BytesIO(data)).errors
    assert not sgf_lark.check(io.BytesIO(result)).errors
    assert fix_record(result).data == result


@pytest.mark.parametrize("bracket", ["(", ";B[aa]x", ";B[aa]]"])
def test_a_repair_keeps_no_more_findings_than_are_listed(bracket: str) -> None:
    text = "(;FF[4]GM[1]" + bracket * MANY + ")"
    tokens = tokenize(text, 0, len(text))
    names = name_pattern(grammars.path(Format.FF4.grammar))
    _, mended = mend_sgf(text, tokens, names, Format.FF4, LISTED)
    report = sgf_lark.check(io.StringIO(text))
    all_ = sgf_lark.check(io.StringIO(text), max_diagnostics=0)

    assert max(Counter(finding.name for finding in mended).values()) == LISTED + 1
    assert report.counts == all_.counts
    assert report.diagnostics[:LISTED] == all_.diagnostics[:LISTED]

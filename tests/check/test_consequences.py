"""The passes over the findings of a game: what each of them changes."""

import io
from typing import NamedTuple

import pytest

import sgf_lark
from sgf_lark.core.check import across_games, consequences
from sgf_lark.core.findings.finding import Finding


class Case(NamedTuple):
    """A record, and what is found in it.

    Attributes:
        of: The name of a pass.
        text: The record.
        found: Severities and names of its findings.
        without: The same, if there were no such pass.
    """

    of: str
    text: str
    found: list[str]
    without: list[str]


CASES = (
    Case(
        "drop_misfits",
        "(;FF[4]GM[2]SZ[8];B[pd];W[dp];B[qq])",
        ["error other-game"],
        ["error other-game", *["error wrong-value"] * 3],
    ),
    Case(
        "drop_misplaced",
        "(;FF[4GM[6];B[71abcd])",
        ["error swallowed-properties", "error wrong-value"],
        ["error swallowed-properties", "error wrong-value", "info missing-root-property"],
    ),
    Case(
        "drop_misplaced",
        "(;GM[1SZ[19];B[pd])",
        ["error swallowed-properties"],
        ["error swallowed-properties", "info missing-format"],
    ),
    Case(
        "drop_misplaced",
        "(;FF[4]GM[1]SZ[19];B[pd]C[See D4;W[dp]SZ[19])",
        ["error swallowed-properties"],
        ["error root-outside-root", "warning swallowed-properties"],
    ),
    Case(
        "drop_after_lost_moves",
        "(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[BB[f5];W[f6])",
        ["error swallowed-properties"],
        ["error swallowed-properties", "warning illegal-move"],
    ),
    Case(
        "drop_after_lost_moves",
        "(;GM[Othello]TI[15:60]BO[4 ---- -O*- -*O- --- GM[6]*];)",
        ["error stray-text", "error swallowed-properties"],
        ["error stray-text", "error swallowed-properties", "warning doubtful-number"],
    ),
    Case(
        "drop_newer_off_board",
        "(;FF[1]GM[1]SZ[19]AB[tf][aa];B[dd])",
        ["error point-off-board"],
        ["error newer-form", "error point-off-board"],
    ),
    Case(
        "replace_komi",
        "(;FF[4]GM[1]SZ[19]KM[375]AP[foxwq:1];B[pd])",
        ["info fox-habit"],
        ["info doubtful-komi"],
    ),
    Case(
        "replace_handicap",
        "(;FF[4]GM[1]SZ[19];B[pd];B[dp];W[dd])",
        ["info handicap-as-moves"],
        [],
    ),
    Case(
        "add_stones_in_turns",
        "(;FF[4]GM[1]SZ[19];B[pd];AB[dd]AW[cc]AB[dc])",
        ["error duplicate-property", "info ogs-habit"],
        ["error duplicate-property"],
    ),
    Case(
        "lower_old_ways",
        "(;GM[1]SZ[19]ST[2];B[pd]W[dp])",
        ["info missing-format", "warning two-moves"],
        ["error two-moves", "info missing-format"],
    ),
    Case(
        "explain_habits",
        "(;FF[4]GM[1]SZ[19]DP[32];B[pd])",
        ["info goproblems-habit"],
        ["info unknown-property"],
    ),
    Case(
        "drop_strict",
        "(;FF[4]GM[1]SZ[19]PB[Aoki]WR[3d])",
        [],
        ["warning doubtful-players"],
    ),
    Case(
        "drop_after_repairs",
        "(;FF[4]GM[1]SZ[19];B[pd];W[dp];[qq];W[pd])",
        ["error missing-identifier"],
        ["error missing-identifier", "warning occupied-point"],
    ),
)

#: Cases of what a fold over the games of a file leaves out, by class and method.
OF_FILE = (
    Case(
        "Fragments.remaining",
        "(;FF[4]GM[1]SZ[19];B[pd])(;W[dp])(;W[dd]))",
        ["error extra-close"],
        [
            "error extra-close",
            *["info missing-format", "info missing-root-property", "info move-in-root"] * 2,
        ],
    ),
    Case(
        "FindingLimit.kept",
        f"(;FF[4]GM[1]SZ[19]{';N[a]N[b]' * 1003})",
        ["error duplicate-property"] * 1001,
        ["error duplicate-property"] * 1003,
    ),
)

#: What is no consequence, although something else is wrong, too: records, and all their findings.
STAYS = (
    # a value swallowed others in another node, or what it swallowed is not of the first one
    ("(;FF[4]SZ[9]PB[aPW[b];B[dd]SZ[9])", "error root-outside-root, warning swallowed-properties"),
    ("(;GM[1]SZ[9]PB[x];PB[aPW[b])", "info missing-format, warning swallowed-properties"),
    # the node breaks a rule with what is left in it
    ("(;FF[4]GM[1]SZ[19];B[pd]C[See D4;W[dp]C[Good])", "error swallowed-properties"),
    # the board is known: no move is lost, or later only, or it is not about the play
    ("(;FF[4]GM[1]SZ[9]PL[B];W[dd];W[dd])", "warning occupied-point, warning player-mismatch"),
    (
        "(;FF[4]GM[1]SZ[9];B[dd];W[dd];C[x]PB[aPW[b])",
        "warning occupied-point, warning swallowed-properties",
    ),
    ("(;FF[4]GM[1]SZ[9]PB[aPW[b];W[zz])", "error point-off-board, warning swallowed-properties"),
    ("(;FF[4]GM[1]SZ[9]PB[aPW[b]TM[-5])", "warning doubtful-number, warning swallowed-properties"),
    # a point of the board needs FF[4], or another value: here, in this node, or in another one
    ("(;FF[1]GM[1]SZ[52]AB[aA])", "error newer-form, error out-of-range"),
    ("(;FF[1]GM[1]SZ[19]AB[aa:tf])", "error newer-form, error point-off-board"),
    ("(;FF[1]GM[1]SZ[19]AB[tf]AW[aa:bb])", "error newer-form, error point-off-board"),
    ("(;FF[1]GM[1]SZ[19]AB[aa:bb];AB[tf])", "error newer-form, error point-off-board"),
    (
        "(;FF[1]GM[1]SZ[19]AB[aa][tf][bb:tf])",
        "error newer-form, error point-off-board, info repeated-point",
    ),
    # a komi that is usual, or is not of Fox; moves that are of another game
    ("(;FF[4]GM[1]SZ[19]KM[6.5]AP[foxwq:1];B[pd])", ""),
    ("(;FF[4]GM[1]SZ[19]KM[375];B[pd])", "info doubtful-komi"),
    (
        "(;FF[4]GM[1]SZ[19]KM[375]AP[foxwq:1];B[Q16];W[R3];B[K10])",
        "error other-game, info doubtful-komi",
    ),
    ("(;FF[4]GM[1]SZ[19];B[Q16];B[R3];W[K10])", "error other-game"),
    # moves of Black of which one is lost
    ("(;FF[4]GM[1]SZ[19];B[pd];B[dp];FF[4]GM[1]SZ[9];W[aa])", "error game-within-game"),
    # a format that is named, or is not FF[4], and what no format allows
    ("(;FF[4]GM[1]SZ[19];B[pd]W[dp])", "error two-moves"),
    ("(;GM[1]SZ[19]ST[2];B[pd]MA[dd]TR[dd])", "error markup-conflict, info missing-format"),
    # repairs that come later, or leave all in its place, and what is not about the play
    ("(;FF[4]GM[1]SZ[19];B[pd];W[pd];[qq])", "error missing-identifier, warning occupied-point"),
    ("(;FF[4]GM[1]SZ[19];B[pd];[qq];W[zz])", "error missing-identifier, error point-off-board"),
    ("(;FF[4]GM[1]SZ[19]TM[-5];B[pd];[qq])", "error missing-identifier, warning doubtful-number"),
    ("(;FF[4]GM[1]SZ[19];B[pd];W[pd]())", "error empty-tree, warning occupied-point"),
    ("(;FF[4]GM[1]SZ[19];B[pd];W[pd]", "error unclosed-tree, warning occupied-point"),
    ("(;FF[3]GM[1]SZ[9]ABC[x];B[dd];W[dd])", "warning identifier-form, warning occupied-point"),
    ("(;FF[4]GM[1]SZ[19];B[pd];W[pd];C[x", "error unclosed-value, warning occupied-point"),
)

PASSES = [one.__name__ for one in consequences.PASSES]


def found_in(text: str) -> list[str]:
    """Severities and names of the findings, in alphabetical order."""
    report = sgf_lark.check(io.BytesIO(text.encode()))
    return sorted(f"{one.severity} {one.name}" for one in report)


def test_each_pass_has_a_case_and_its_own_name() -> None:
    assert dict.fromkeys(one.of for one in CASES) == dict.fromkeys(PASSES)
    assert len(set(PASSES)) == len(PASSES)


@pytest.mark.parametrize("case", [*CASES, *OF_FILE], ids=lambda case: case.of)
def test_the_passes_leave_of_the_findings_what_is_no_consequence(case: Case) -> None:
    assert found_in(case.text) == sorted(case.found)


@pytest.mark.parametrize(("text", "found"), STAYS)
def test_what_is_no_consequence_is_said_beside_another_fault(text: str, found: str) -> None:
    assert ", ".join(found_in(text)) == found


def test_text_between_games_belongs_to_none_of_them_even_before_a_variation() -> None:
    report = sgf_lark.check(b"(;FF[4]GM[1]SZ[19];B[pd]) x (;W[dp])(;W[dd]))")

    assert {one.name: one.game for one in report} == {
        "extra-close": None,
        "text-outside-games": None,
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.of)
def test_without_its_pass_the_findings_are_others(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = tuple(one for one in consequences.PASSES if one.__name__ != case.of)
    monkeypatch.setattr(consequences, "PASSES", others)

    assert found_in(case.text) == sorted(case.without) != sorted(case.found)


@pytest.mark.parametrize("case", OF_FILE, ids=lambda case: case.of)
def test_without_a_part_of_the_fold_the_findings_are_others(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep_all(_: object, findings: list[Finding], *_arguments: object, **_o: object) -> object:
        return findings

    name, method = case.of.split(".")
    monkeypatch.setattr(getattr(across_games, name), method, keep_all)

    assert found_in(case.text) == sorted(case.without) != sorted(case.found)


def test_what_a_bracket_too_early_leaves_outside_of_games_has_a_finding_of_its_own() -> None:
    text = "(;FF[4]GM[1](;B[pd];B[qc]))\n;W[qi]C[hello])\nnotes\n(;B[od];W[qd]))"
    report = sgf_lark.check(io.BytesIO(text.encode()))

    found = {one.code: text[one.offset : one.end_offset] for one in report.errors}
    assert found == {"S106": ")", "S116": ";W[qi]C[hello])\nnotes"}


def test_the_fix_of_text_after_a_bracket_too_early_makes_a_variation_of_it() -> None:
    text = "(;FF[4]GM[1](;B[pd];B[qc]))\n;W[qi]C[hello])\n(;B[od];W[qd]))"

    assert sgf_lark.fix_record(text.encode(), unsafe=True).data.decode() == (
        "(;FF[4]GM[1](;B[pd];B[qc])\n(;W[qi]C[hello])\n(;B[od];W[qd]))"
    )

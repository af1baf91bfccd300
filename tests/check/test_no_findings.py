"""What is no finding: cases beside those of the catalogue, in which a check says less."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark import CheckOptions


def codes(text: str, *strict: str) -> list[str]:
    """The codes of all findings, with those of some strict rules."""
    options = CheckOptions(extend_select=strict) if strict else None
    return [finding.code for finding in sgf_lark.check(text.encode(), options=options)]


def test_a_suicide_that_the_rules_allow_is_no_repeated_position() -> None:
    text = "(;FF[4]GM[1]SZ[5]RU[{}]AB[ba][ab];W[aa])"

    assert codes(text.format("NZ"), "G606") == []
    assert codes(text.format("Japanese"), "G606") == ["G604"]


def test_a_wrong_turn_of_backgammon_is_said_once() -> None:
    assert codes("(;FF[4]GM[6];PL[B];W[31xuut])") == ["T221"]
    assert codes("(;FF[4]GM[6];PL[W];W[31xuut])") == []


def test_each_value_of_a_list_may_have_swallowed_properties() -> None:
    report = sgf_lark.check(b"(;FF[4]GM[1]SZ[19];AB[aa][bb][cc;W[dd])")

    assert [(one.code, one.value_index) for one in report] == [("S118", 2)]


@pytest.mark.parametrize(
    ("idents", "belong"),
    [
        ("AP[x:1]", "AP belongs"),
        ("AP[x:1]CA[UTF-8]", "AP and CA belong"),
        ("AP[x:1]CA[UTF-8]ST[1]", "AP, CA and ST belong"),
        ("AP[x:1]AP[x:1]", "AP belongs"),
    ],
)
def test_properties_of_the_first_node_are_named_as_people_do(idents: str, belong: str) -> None:
    report = sgf_lark.check(f"(;FF[4]GM[1]SZ[19];B[aa]{idents})".encode())
    said = [one.message for one in report if one.code == "T204"]

    assert said == [f"{belong} in the first node of a game"]


GO_OF_WORDS = "(;FF[4]GM[2]SZ[8];B[pd];W[dp];B[qq])"


def test_a_game_that_is_another_one_is_judged_by_no_board() -> None:
    assert codes(GO_OF_WORDS) == ["T223"]


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ("KM[375]AP[foxwq:1];{}", "D510"),
        (";{};B[dp];W[dd]", "G613"),
    ],
)
def test_habits_of_programs_are_seen_by_a_check_of_a_game_that_is_what_it_says(
    moves: str, code: str
) -> None:
    text = f"(;FF[4]GM[1]SZ[19]{moves})"
    go, other = text.format("B[pd]"), text.format("B[d3];W[c5];B[d6]")

    assert code in codes(go)
    assert code not in [one.code for one in sgf_lark.loads(go, strict=False).diagnostics]
    assert code not in codes(other)


def test_a_game_of_go_without_a_size_is_judged_on_19_by_19() -> None:
    corner = "(;FF[4]GM[1]{}AB[bs][ar];W[as])"

    assert codes(corner.format("SZ[19]")) == ["G604"]
    assert codes(corner.format("SZ[19:20]")) == []
    assert codes(corner.format("")) == ["T211", "G604"]


def test_moves_after_a_value_that_swallowed_others_are_no_handicap() -> None:
    text = "(;FF[4]GM[1]SZ[19]PB[a{}KM[5];B[pd];B[dp];W[dd])"

    assert codes(text.format("]")) == ["G613"]
    assert codes(text.format(";")) == ["S118"]


def test_stones_in_turns_are_of_a_program_if_somebody_checks() -> None:
    text = "(;FF[4]GM[1]SZ[19];B[pd];AB[dd]AW[cc]AB[dc])"

    assert codes(text) == ["D512", "T207"]
    assert [one.code for one in sgf_lark.loads(text, strict=False).diagnostics] == ["T207"]


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("(;GM[1]SZ[19]ST[2];B[pd]W[dp])", "warning"),  # FF[4] is a guess, FF[1] allows it
        ("(;FF[4]GM[1]SZ[19];B[pd]W[dp])", "error"),
        ("(;GM[Othello]RE[0]RE[1];)", "error"),
        ("(;GM[1]SZ[9]SI[1]EL[x]AB[aa]AB[bb])", "error"),  # FF[3] is a guess, and forbids it
    ],
)
def test_what_only_ff4_forbids_is_an_error_where_that_is_no_guess(text: str, severity: str) -> None:
    (found,) = (one for one in sgf_lark.check(text.encode()) if one.code in {"T207", "T210"})

    assert found.severity == severity


def test_hundredths_are_a_habit_of_the_program_that_writes_them_and_else_a_doubt() -> None:
    text = "(;FF[4]GM[1]SZ[19]KM[375]{};B[pd])"

    assert codes(text.format("AP[foxwq:1]")) == ["D510"]
    assert codes(text.format("AP[x:1]")) == codes(text.format("")) == ["V322"]


def test_handicap_as_moves_is_seen_beside_other_findings_of_nodes() -> None:
    text = "(;FF[4]GM[1]SZ[19];B[pd];B[dp];W[dd]{})"

    assert codes(text.format("ZZ[1]")) == ["G613", "D501"]

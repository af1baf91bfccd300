"""Whose property it is, and which format a record has: what is said of it is true."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark import Format

HEAD = "(;FF[4]GM[1]CA[UTF-8]SZ[19]"


def told(text: str) -> dict[str, str]:
    """Code and message of each finding, by the property."""
    return {
        one.property: f"{one.code} {one.message}"
        for one in sgf_lark.check(text.encode())
        if one.property is not None
    }


@pytest.mark.parametrize(
    ("program", "formats"),
    [("Jago:4.53", ["FF[1]", "FF[3]"]), ("CGoban:2", ["FF[1]", "FF[3]"])],
)
def test_the_format_that_is_said_is_that_of_the_game(program: str, formats: list[str]) -> None:
    for format_ in formats:
        (message,) = told(f"(;{format_}GM[1]SZ[19]AP[{program}];B[pd])").values()

        assert message.endswith(f", into records of {format_}")


@pytest.mark.parametrize(
    "prop", ["DI[Elementary]", "DI[3d]", "DI[30k]", "CO[5]", "CO[9.5]", "CV[hard]"]
)
def test_a_property_whose_value_is_not_of_another_game_is_not_of_that_game(prop: str) -> None:
    ident = prop[:2]

    assert told(f"{HEAD}{prop};B[pd])")[ident].startswith("D501")


@pytest.mark.parametrize(
    ("prop", "game"),
    [
        ("DI[31]", "Backgammon"),
        ("CV[2]", "Backgammon"),
        ("MI[length:7]", "Backgammon"),
        ("IY[true]", "Lines of Action"),
        ("SU[Standard]", "Lines of Action"),
    ],
)
def test_a_property_whose_value_is_of_another_game_is_of_that_game(prop: str, game: str) -> None:
    assert f"a property of {game}, not of Go" in told(f"{HEAD}{prop};B[pd])")[prop[:2]]


def test_points_of_another_game_may_be_in_the_notation_of_this_one() -> None:
    said = told("(;FF[4]GM[11]SZ[11]TB[a1]KM[6.5];B[a1])")

    assert {said["TB"][:4], said["KM"][:4]} == {"T209"}


@pytest.mark.parametrize("ident", ["TT", "MU", "GE", "DI", "DP", "CO"])
def test_what_smartgo_writes_is_told_of_smartgo(ident: str) -> None:
    said = told(f"{HEAD}AP[SmartGo:3.0.1]{ident}[5];B[pd])")[ident]

    assert said.startswith("D530")
    assert "SmartGo" in said
    assert "Fox" not in said


@pytest.mark.parametrize(
    "program", ["SmartGo:3", "Sabaki:0.52", "CGoban:3", "KaTrain:1", "MultiGo:4.2", "Lizzie: 0.7"]
)
@pytest.mark.parametrize("prop", ["TT[30]", "RL[0]TT[30]", "TC[3]TT[30]"])
def test_a_property_is_of_fox_only_if_no_other_program_names_itself(
    program: str, prop: str
) -> None:
    assert not any("Fox" in one for one in told(f"{HEAD}AP[{program}]{prop};B[pd])").values())
    assert all("Fox" in one for one in told(f"{HEAD}{prop};B[pd])").values())


def test_a_program_that_names_itself_is_known_beside_another_one() -> None:
    assert "Fox" in told(f"{HEAD}AP[foxwq:1]TT[30];B[pd])")["TT"]
    assert "Fox" in told(f"{HEAD}AP[Tenuki Sensei:1]TT[30];B[pd])")["TT"]  # which nobody knows
    assert "goproblems" in told(f"{HEAD}AP[nvim-tsumego:1]DP[3];B[pd])")["DP"]


@pytest.mark.parametrize("ident", ["GE", "DI", "DP", "CO"])
def test_the_kind_of_a_problem_is_one_of_the_properties_of_goproblems(ident: str) -> None:
    said = told(f"{HEAD}AP[goproblems:1]{ident}[word];B[pd])")[ident]

    assert said.startswith(f"D516 {ident} is a private property of goproblems")


@pytest.mark.parametrize(("komi", "score"), [("650", "3.5"), ("750", "0.5"), ("550", "10.5")])
def test_komi_in_hundredths_is_said_of_komi_alone(komi: str, score: str) -> None:
    said = told(f"{HEAD}AP[foxwq:1]KM[{komi}]RE[B+{score}];B[pd])")

    assert {*said} == {"KM"}
    assert "in hundredths" in said["KM"]


@pytest.mark.parametrize(("komi", "score"), [("6.5", "3"), ("7.5", "2"), ("7", "0.5")])
def test_a_score_that_komi_contradicts_is_no_habit_of_fox(komi: str, score: str) -> None:
    assert told(f"{HEAD}AP[foxwq:1]KM[{komi}]RE[B+{score}];B[pd])")["RE"].startswith("V323")


@pytest.mark.parametrize(
    "text",
    [
        "(;AB[da][dc][tf]AW[dk][ti]C[problem];B[ea])",
        "(;SZ[19]AB[da][tf];B[ea])",
        "(;GM[1]SZ[19]AW[za];B[ea])",
        "(;SZ[19]AB[aa];W[uu])",
        "(;SZ[9]AB[aa][ts])",
        "(;SZ[19];B[pd]W[Zz])",
        "(;AE[zz];B[pd])",
        "(;SZ[13]AB[tf][uf])",
        "(;SZ[19]AB[ts];B[ea];W[dd];B[qq])",
        "(;GM[1]AW[aa][tu];B[st])",
    ],
)
def test_a_point_off_the_board_is_no_argument_for_a_format(text: str) -> None:
    (game,) = sgf_lark.loads(text, strict=False)
    said = sgf_lark.check(text.encode())

    assert game.format is Format.FF1
    assert not [one for one in said if one.code == "V307"]
    assert [one for one in said if one.code == "G603"]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("(;SZ[21]AB[tf];B[ea])", Format.FF4),
        ("(;AB[da:db];B[ea])", Format.FF4),
        ("(;SZ[19]AB[tf]ST[1];B[ea])", Format.FF4),
        ("(;SZ[19]TR[tf];B[ea])", Format.FF3),
        ("(;SZ[19]AB[dd];B[ea])", Format.FF1),
    ],
)
def test_what_speaks_for_a_newer_format_still_does(text: str, format: Format) -> None:
    assert sgf_lark.loads(text, strict=False)[0].format is format


def test_a_point_that_the_board_has_still_needs_the_newer_format() -> None:
    assert "V307" in {one.code for one in sgf_lark.check(b"(;FF[3]GM[1]SZ[21]AB[tf];B[ea])")}

"""What known programs write in their own way is told as that, and is no error."""

from __future__ import annotations

import io

import pytest
from corpus import every_record, record

import sgf_lark
from sgf_lark import CheckOptions, Severity
from sgf_lark.habits import WRITERS


def found(text: str) -> list[tuple[str, str]]:
    """Name and severity of each finding."""
    return [(one.name, one.severity.value) for one in sgf_lark.check(io.StringIO(text))]


def test_a_habit_is_told_only_of_its_writer() -> None:
    node = "FF[4]GM[6]PB[a];CV[1];CP[c]"

    assert found(f"(;AP[GNU Backgammon:1]{node})") == [("gnubg-habit", "info")]
    assert found(f"(;AP[Another:1]{node})") == [("second-game-info", "error")]


def test_a_copyright_stays_a_copyright() -> None:
    text = "(;AP[GNU Backgammon:1]FF[4]GM[6]PB[a];CP[by somebody])"

    assert found(text) == [("second-game-info", "error")]


def test_a_record_with_a_habit_is_loaded_strictly() -> None:
    text = "(;FF[4]GM[2]AP[edax:4.6]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[f6])"

    assert [one.name for one in sgf_lark.loads(text).diagnostics] == ["edax-habit"]


def test_a_strict_check_takes_habits_for_warnings() -> None:
    text = "(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[375];B[pd])"
    report = sgf_lark.check(io.StringIO(text), options=CheckOptions(strict=True))

    assert [(one.name, one.severity.value) for one in report] == [("fox-habit", "warning")]


@pytest.mark.parametrize(
    ("komi", "meant"),
    [("375", "3.75 stones, 7.5 points"), ("650", "6.5"), ("-375", "-3.75 stones, -7.5 points")],
)
def test_komi_of_fox_is_in_hundredths(komi: str, meant: str) -> None:
    report = sgf_lark.check(io.StringIO(f"(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[{komi}])"))

    assert [one.message.rpartition(": ")[2] for one in report] == [meant]


@pytest.mark.parametrize("komi", ["6.5", "0", "7"])
def test_komi_in_points_is_no_habit(komi: str) -> None:
    assert found(f"(;FF[4]GM[1]SZ[19]AP[foxwq:1]KM[{komi}];B[pd])") == []


def test_only_the_time_of_day_in_dates_is_a_habit_of_katrain() -> None:
    head = "(;FF[4]GM[1]SZ[19]AP[KaTrain:1]"

    assert found(f"{head}DT[2021-03-04 15 30 00])") == [("katrain-habit", "info")]
    assert found(f"{head}DT[some day])") == [("wrong-form", "error")]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ("(;FF[4]GM[1]SZ[0]KM[6.5]TC[3]TT[30];B[dp])", "fox-habit"),
        ("(;FF[4]GM[1]SZ[19]SY[Cgoban 1.9]TM[1:00:00(5x1:00)];B[qp])", "cgoban-habit"),
        ("(;FF[4]GM[1]SZ[19]SY[Cgoban 1.9]TM[-];B[qp])", "cgoban-habit"),
        ("(;FF[3]GM[1]SZ[19]AP[MultiGo:3]MULTIGOGM[1];B[qp])", "multigo-habit"),
        ("(;FF[4]GM[1]SZ[19]AP[Lizzie: 0.7]DZ[KB];B[qp]LZ2[x])", "analysis-habit"),
        ("(;FF[4]GM[1]SZ[19]PB[GNU Go 2.6]AB[pd]AB[dp]AB[dd];W[qp])", "gnugo-habit"),
        ("(;FF[4]GM[1]SZ[19]DI[5k]DP[32]CO[7];B[qp])", "goproblems-habit"),
        ("(;FF[4]GM[1]SZ[9]PC[9x9 Computer Go Server]RE[B+Illegal];B[ee])", "cgos-habit"),
        ("(;FF[4]GM[1]SZ[19]RD[2021-01-20]TE[cup]TM[three hours];B[qp])", "oro-habit"),
        ("(;FF[3]GM[1]SZ[19]US[GoGoD95]OH[2-(B)-2];B[qp])", "gogod-habit"),
        ("(;FF[4]GM[1]SZ[19]AP[CGoban:3];B[qp]PL[W];W[dd])", "kgs-habit"),
        ("(;FF[3]GM[1]SZ[19]PC[IGS:  igs]NB[12]BR[3d+];B[qp]OB[-1];W[dd]OW[-1])", "igs-habit"),
        ("(;FF[4]GM[1]CA[UTF-8]SZ[19]SO[弈客围棋]RE[暂无结果]BL[1]BL[2])", "yike-habit"),
    ],
)
def test_a_writer_without_a_name_is_known_by_what_it_writes(record: str, name: str) -> None:
    told = {one for one in found(record) if "other-format" not in one}

    assert told == {(name, "info")}


def test_each_habit_is_of_one_form() -> None:
    head = "(;FF[4]GM[1]SZ[19]AP[MultiGo:4.2]"

    assert found(f"{head}DT[2004/09/23];B[qp])") == [("multigo-habit", "info")]
    assert found(f"{head}DT[2004-10-27 16\\:01\\:54];B[qp])") == [("multigo-habit", "info")]
    assert found(f"{head}DT[in autumn];B[qp])") == [("wrong-form", "error")]
    assert found("(;FF[4]GM[1]SZ[19]SY[Cgoban 1.9]TM[one hour];B[qp])")[-1][0] == "wrong-value"


def test_every_writer_has_a_rule_of_its_own() -> None:
    names = [one.rule for one in WRITERS]

    assert len(set(names)) == len(names)
    assert all(sgf_lark.RULES[name].severity is Severity.INFO for name in names)


@every_record(but=lambda which: "backgammon" not in which and "ff4-othello" not in which)
def test_records_as_their_programs_write_them_have_no_errors(which: str) -> None:
    report = sgf_lark.check(record(which))

    assert [str(one) for one in report.errors] == []
    assert {one.severity for one in report} <= {Severity.INFO}


def test_a_game_of_little_golem_is_known_by_its_event() -> None:
    head = "(;FF[4]EV[{}.ch.23.1.1]SZ[13]RE[W]SO[http://www.littlegolem.com]"
    text = head.format("hex") + ";W[mf];B[swap];W[kj];B[ie];W[resign])"
    (game,) = sgf_lark.loads(text)

    assert (game.game, game.game_name) == (11, "Hex")
    assert game.nodes[1].move is not None
    assert game.nodes[1].move.point == sgf_lark.Point(column=12, row=5)
    assert found(text) == [
        ("missing-root-property", "info"),
        *[("little-golem-habit", "info")] * 3,
    ]
    (game,) = sgf_lark.loads(head.format("havannah") + ";W[E1];B[F2])", strict=False)
    assert (game.game, game.game_name) == (None, "Havannah")
    assert sgf_lark.loads(head.format("chess") + ")", strict=False)[0].game_name == "Go"
    both = sgf_lark.loads(f"{head.format('chess')})({head.format('hex')[1:]})", strict=False)
    assert [game.game_name for game in both] == ["Go", "Hex"]


def test_little_golem_plays_twixt_in_small_letters() -> None:
    text = "(;FF[4]EV[twixt.ld.DEFAULT]SZ[24];b[dc];r[op];b[qp|draw];r[ol])"

    assert {one for one in found(text) if one[1] != "info"} == set()
    assert sgf_lark.loads(text)[0].nodes[1]["B"] == sgf_lark.Point(column=3, row=2)

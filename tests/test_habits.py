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


def test_every_writer_has_a_rule_of_its_own() -> None:
    names = [one.rule for one in WRITERS]

    assert len(set(names)) == len(names)
    assert all(sgf_lark.RULES[name].severity is Severity.INFO for name in names)


@every_record(but=lambda which: "backgammon" not in which and "ff4-othello" not in which)
def test_records_as_their_programs_write_them_have_no_errors(which: str) -> None:
    report = sgf_lark.check(record(which))

    assert [str(one) for one in report.errors] == []
    assert {one.severity for one in report} <= {Severity.INFO}

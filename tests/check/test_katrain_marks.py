"""Squares and crosses of KaTrain on one point: one info, and only of KaTrain."""

from __future__ import annotations

import pytest

import sgf_lark

HEAD = "(;GM[1]FF[4]CA[UTF-8]SZ[19]"
KATRAIN = f"{HEAD}AP[KaTrain:1.7.0]"


@pytest.mark.parametrize(
    "nodes",
    [
        ";B[pd]SQ[dd][dp]MA[dd]",
        ";B[pd]MA[dd]SQ[dd]",
        ";B[pd]SQ[dd][dp]MA[dd];W[dp]SQ[dd][pp]MA[pp]",
        ";B[pd]SQ[dd][dp][pp]MA[dd][dp]",
        ";B[pd](;W[dd]SQ[aa]MA[aa])(;W[dp]SQ[aa]MA[aa])",
        ";B[pd]SQ[dd:de]MA[de]",
        ";B[pd]" + ";W[dd]SQ[aa]MA[aa]" * 30,
    ],
)
def test_both_marks_of_katrain_are_one_info(nodes: str) -> None:
    text = f"{KATRAIN}{nodes})"
    said = [one for one in sgf_lark.check(text.encode()) if one.code != "G620"]

    assert [(one.code, one.severity) for one in said if "marks" in one.message] == [
        ("D522", "info")
    ]
    assert not [one for one in said if one.code == "T218"]
    assert sgf_lark.loads(text)
    assert sgf_lark.fix_record(text.encode(), unsafe=True).data == text.encode()


@pytest.mark.parametrize("program", ["", "AP[Sabaki:0.5]", "AP[Tenuki:1]"])
def test_both_marks_of_others_stay_errors(program: str) -> None:
    text = f"{HEAD}{program};B[pd]SQ[dd]MA[dd])"

    assert [one.code for one in sgf_lark.check(text.encode()).errors] == ["T218"]
    with pytest.raises(sgf_lark.SgfError):
        sgf_lark.loads(text)


@pytest.mark.parametrize("marks", ["TR[dd]MA[dd]", "CR[dd]SQ[dd]", "TR[dd]CR[dd]"])
def test_other_marks_on_one_point_are_errors_of_katrain_too(marks: str) -> None:
    text = f"{KATRAIN};B[pd]{marks})"

    assert [one.code for one in sgf_lark.check(text.encode()).errors] == ["T218"]

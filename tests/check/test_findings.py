"""Findings are completed from numbers: of a node, a property and a value."""

import io
import json

import pytest

import sgf_lark
from sgf_lark.core.check.findings import place_finding
from sgf_lark.core.findings.finding import NOWHERE, RULES, Finding
from sgf_lark.core.places import Span

TEXT = "(;FF[4]GM[1]SZ[19];B[pd];AB[aa][bb:cc](;W[dp])(;W[dd]))"

NODES = sgf_lark.loads(TEXT)[0].nodes


def completed(node: int) -> Finding:
    """A finding of a node with all that is added when somebody looks."""
    return whole(node).completed()


def whole(node: int | None = None, place: int | None = None, value: int | None = None) -> Finding:
    """A finding with such numbers, placed as of the second game of a file."""
    found = RULES["useless-setup"].found("", node=node, property_index=place, value_index=value)
    return place_finding(found, NODES, 1)


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (whole(2, 0), "AB[aa][bb:cc]"),
        (whole(2, 0, 1), "bb:cc"),
        (whole(2), ";"),
        (whole(), ""),
    ],
)
def test_a_finding_stands_where_its_numbers_say(found: Finding, shown: str) -> None:
    assert TEXT[slice(*found.span)] == shown


def test_a_finding_of_a_node_has_its_path_and_its_moves() -> None:
    assert [(one.node_path, one.move_number) for one in map(completed, range(5))] == [
        ("0", 0),
        ("1", 1),
        ("2", 1),
        ("3", 2),
        ("2.1", 2),
    ]


def test_a_finding_of_no_node_has_no_path_and_its_game_all_the_same() -> None:
    found = whole()

    assert (found.node_path, found.move_number, found.span, found.game) == (None, None, NOWHERE, 1)


def test_a_finding_of_a_property_has_its_identifier() -> None:
    assert (whole(2, 0).property, whole(2).property) == ("AB", None)


def test_a_finding_within_a_value_stands_there() -> None:
    found = RULES["useless-setup"].found(
        "", node=2, property_index=0, value_index=1, within=Span(3, 5)
    )

    assert TEXT[slice(*place_finding(found, NODES, 0).span)] == "cc"


def test_a_replacement_is_a_fix_of_the_value() -> None:
    found = RULES["useless-setup"].found(
        "",
        help="write aa",
        node=2,
        property_index=0,
        value_index=1,
        replacement="aa",
    )
    fix = place_finding(found, NODES, 0).completed().fix

    assert fix is not None
    (edit,) = fix.edits
    assert (TEXT[edit.offset : edit.end_offset], edit.replacement) == ("bb:cc", "aa")
    assert (fix.message, fix.safe) == ("write aa", True)


def test_a_finding_is_complete_after_one_time() -> None:
    found = whole(2, 0, 1).completed()

    assert found.completed() is found
    assert found.is_placed


def test_a_finding_about_two_games_has_the_path_of_its_node() -> None:
    text = "2 (;GM[Othello]PB[a]PW[b]TY[s8];)(;GM[Othello]PB[a]PW[b]TY[s8];)"
    report = sgf_lark.check(io.BytesIO(text.encode()))
    found = [json.loads(one.model_dump_json()) for one in report if one.name == "pair-mismatch"]

    assert [(one["game"], one["node_path"], one["move_number"]) for one in found] == [(1, "0", 0)]

"""Edges of the model: what is looked at before a variation, and bounds of numbers."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.model.ruleset import find_first_values


@pytest.mark.parametrize(
    ("parents", "nodes", "values"),
    [
        ([-1], [[("FF", ("4",))]], {"FF": "4"}),
        ([-1, 0], [[], [("FF", ("4",))]], {"FF": "4"}),
        ([-1, 0, 1], [[], [], [("FF", ("4",))]], {"FF": "4"}),
        # not in a variation, nor after one
        ([-1, 0, 0], [[], [("FF", ("4",))], []], {}),
        ([-1, 0, 1, 1], [[], [], [("FF", ("4",))], []], {}),
        ([-1, 0, 1, 1], [[], [("FF", ("4",))], [], []], {"FF": "4"}),
        # the first value of the first one
        ([-1, 0], [[("FF", ("4", "3")), ("FF", ("1",))], [("GM", ("2",))]], {"FF": "4"}),
        ([-1, 0], [[], []], {}),
    ],
)
def test_the_first_values_are_those_before_any_variation(
    parents: list[int], nodes: list[list[tuple[str, tuple[str, ...]]]], values: dict[str, str]
) -> None:
    assert find_first_values(parents, nodes) == values


@pytest.mark.parametrize(
    ("prop", "found"),
    [
        ("ST[0]", False),
        ("ST[3]", False),
        ("ST[-1]", True),
        ("ST[4]", True),
        ("PM[2]", False),
        ("PM[3]", True),
        ("SZ[1]", False),
        ("SZ[0]", True),
        ("SZ[52]", False),
        ("SZ[53]", True),
        ("HA[2]", False),
        ("HA[1]", True),
    ],
)
def test_a_number_beyond_its_bounds_is_found_and_one_within_is_not(prop: str, found: bool) -> None:  # noqa: FBT001
    report = sgf_lark.check(f"(;FF[4]{prop})".encode())

    assert any(one.code in {"V312", "V313"} for one in report) == found

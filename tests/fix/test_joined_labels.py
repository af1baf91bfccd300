"""A ':' in a label is escaped by a safe fix, but not where the next label may begin."""

from __future__ import annotations

import pytest

import sgf_lark

HEAD = "(;FF[4]GM[1]CA[UTF-8]SZ[19]"


@pytest.mark.parametrize(
    "value",
    ["dd:1pp:2", "fc:2nc:3pc:4", "dd:app:b", "aa:Ass:B", "dd:見qq:解", "dd: pp:x"],
)
def test_labels_whose_brackets_are_lost_get_no_fix(value: str) -> None:
    text = f"{HEAD};B[cc]LB[{value}])".encode()

    (found,) = (one for one in sgf_lark.check(text) if one.code == "V318")
    assert found.fix is None
    assert "'][' where another label begins" in found.help
    assert sgf_lark.fix_record(text, unsafe=True).data == text


@pytest.mark.parametrize(
    ("value", "fixed"),
    [
        ("LB[dd:3:1]", r"LB[dd:3\:1]"),
        ("LB[dd:12:30]", r"LB[dd:12\:30]"),
        ("LB[dd::1]", r"LB[dd:\:1]"),
        ("LB[dd:a:b]", r"LB[dd:a\:b]"),
        ("LB[dd:見:解]", r"LB[dd:見\:解]"),
    ],
)
def test_any_other_colon_of_a_label_is_escaped(value: str, fixed: str) -> None:
    text = f"{HEAD};B[cc]{value})".encode()

    assert sgf_lark.fix_record(text).data == f"{HEAD};B[cc]{fixed})".encode()


def test_the_address_of_a_program_is_escaped_whatever_is_before_its_colon() -> None:
    text = b"(;FF[4]GM[1]SZ[19]AP[KaTrain:https://example.org];B[pd])"

    fixed = sgf_lark.fix_record(text, level="info").data
    assert rb"AP[KaTrain:https\://example.org]" in fixed

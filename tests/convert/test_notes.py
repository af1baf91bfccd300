"""What a conversion says: each change has its note, and what did not change has none."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.convert.convert import convert


def notes(text: str, to: str) -> list[str]:
    """The notes of a conversion, but that on FF, GM and CA."""
    made = convert(sgf_lark.loads(text, strict=False), to)  # type: ignore[arg-type]  # by name
    return [f"{note.severity}: {note.message}" for note in made.diagnostics if note.code != "C701"]


@pytest.mark.parametrize(
    ("text", "to", "said"),
    [
        ("(;FF[1]GM[1]SZ[19];L[dd][pp])", "ff4", ["info: L[dd][pp] is now LB[dd:A][pp:B]"]),
        (
            "(;FF[4]GM[1]SZ[19];LB[dd:A][pp:B])",
            "ff1",
            ["info: LB[dd:A][pp:B] is now L[dd][pp]"],
        ),
        ("(;FF[4]GM[1]SZ[19];MA[cc])", "ff1", ["info: MA[cc] is now M[cc]"]),
        ("(;FF[4]GM[1]SZ[19]AB[dd];TR[dd])", "ff1", ["info: TR[dd] is now M[dd]"]),
        (
            "(;FF[4]GM[1]SZ[19]AB[dd];MA[dd])",
            "ff1",
            ["warning: MA[dd] looks different as M[dd]", "info: MA[dd] is now M[dd]"],
        ),
        (
            "(;FF[4]GM[1]SZ[19];TR[dd])",
            "ff1",
            ["warning: TR[dd] looks different as M[dd]", "info: TR[dd] is now M[dd]"],
        ),
    ],
)
def test_marks_and_letters_are_changed_with_a_note(text: str, to: str, said: list[str]) -> None:
    assert sorted(notes(text, to)) == sorted(said)

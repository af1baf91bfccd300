"""Texts of records: no fix loses a character of them without a word."""

from __future__ import annotations

import pytest
from support.lexer import texts


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ("(;FF[4]C[a\\]b] x B[aa];N[n", ["a\\]b", "x", "n"]),
        ("(;C[Lee [9p]: Good [1]];B[aa])", ["Lee [9p", ":", "Good", "[1]", "]"]),
        ("no game(;KM[6.5]Comment[hi][2]) W", ["no", "game", "hi", "2", "W"]),
        ("(;C[cut off\\", ["cut off\\"]),
    ],
)
def test_the_oracle_knows_texts(record: str, wanted: list[str]) -> None:
    assert list(texts(record)) == wanted

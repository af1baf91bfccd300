"""Both engines on texts that were once read in two ways; those of chance: see test_every_entry."""

from __future__ import annotations

import io

import pytest

from sgf_lark import Collection, Diagnostic, iter_games, loads


def compare(text: str) -> Collection:
    """Both engines give the same, and say the same."""
    quick = loads(text, strict=False)
    slow = loads(text, strict=False, engine="lark")
    assert quick == slow
    assert [one.format for one in quick] == [one.format for one in slow]
    assert quick.diagnostics == slow.diagnostics
    return quick


def key(one: Diagnostic) -> tuple[int, int, str, str]:
    return one.offset, one.end_offset, one.code, one.message


@pytest.mark.parametrize(
    "text",
    [
        "(;AP[]qZ[];B[])",  # FF[1] takes what FF[4], which AP speaks for, refuses
        "(;AP[x]aB[];;C[])",
        "(;CA[x];aB[])",
        "(;AP[x]aB[])(;B[aa])",
        "(;B[aa])(;AP[x]aB[])(;FF[4];W[bb])",
    ],
)
def test_a_game_that_its_likeliest_format_refuses_is_read_alike(text: str) -> None:
    collection = compare(text)

    assert "S112" in {one.code for one in collection.diagnostics}


def test_a_bracket_too_many_in_a_small_file_is_found_by_both_ways_of_reading() -> None:
    text = "(;FF[4]GM[1]SZ[19];B[aa])\n(;B[hh];W[hg]))"
    games = iter_games(io.StringIO(text), strict=False)
    found = [one for game in games for one in game.diagnostics] + [*games.diagnostics]

    assert [one.code for one in found] == ["S106"]
    assert [key(one) for one in found] == [
        key(one) for one in loads(text, strict=False).diagnostics
    ]


@pytest.mark.parametrize("format_", [1, 3, 4])
@pytest.mark.parametrize(
    "cut", ["DT[1990", "DT[1990-02-31", "RE[W", "TM[1", "KM[1", "C[x", "BR[9d", "RU[x", "LB[aa:"]
)
def test_a_value_that_ends_in_half_an_escape_is_read_and_reported(cut: str, format_: int) -> None:
    collection = compare(f"(;FF[{format_}]{cut}\\")

    assert "S107" in {one.code for one in collection.diagnostics}

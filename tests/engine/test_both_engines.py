"""Both engines on texts of chance: games in any format, damaged, several of them."""

from __future__ import annotations

import io
import os
import random

import pytest
from support.lanes import amount

from sgf_lark import Collection, Diagnostic, iter_games, loads

#: So many texts.
EXAMPLES = amount(20, 200)

#: Where chance begins; another number gives other texts.
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: What first nodes begin with: mostly nothing that names a format.
ROOTS = (
    *("(;", "(;", "(;", "(;", "(", "( ;", "(;FF[4]", "(;FF[3]", "(;FF[1]", "(;ff[4]", "(;FF[x]"),
    *("(;rF[4]", "(;AP[x]", "(;CA[x]", "(;ST[2]", "(;AP[]", "(;SZ[19]", "(;SZ[26]", "(;GM[1]"),
    *("(;GM[2]", "(;GM[6]", "(;GaMe[1]SiZe[19]", "(;CA[UTF-8]AP[x:1]", "(;FF[4]GM[1]SZ[19]"),
)

#: What games are made of.
PROPERTIES = (
    *("B[aa]", "W[bb]", "B[]", "B[tt]", "W[zz]", "W[d3]", "aB[]", "qZ[]", "Black[aa]", "bB[aa]"),
    *("AB[aa][bb]", "AW[cc:dd]", "AE[]", "PL[W]", "PL[2]", "C[]", "C[a\\]b]", "Co[a]", "c[x]"),
    *("KM[6.5]", "RE[B+R]", "LB[aa:x]", "LB[aa]", "L[aa][bb]", "M[aa]", "MA[aa]", "VW[]", "N[x]"),
    *("AP[x]", "CA[x]", "ST[9]", "DT[1990]", "B1[aa]", "X[1]", "XY[]", "XYZ[]", "TE[1]", "GB[1]"),
    *("SZ[9]", "FF[4]", "FF[3]", "GM[1]", "EV[Othello]", "B", "[aa]", "B[aa", "B[aa][bb]", "x"),
)

STRUCTURE = (";", ";", ";", "(", "(;", ")", ")(;", ";)", "\n", " ")

#: What one change puts in, or in the place of something.
MARKS = tuple("()[];\\:aABbF4 \n\0é")


def chance(dice: random.Random) -> str:
    """One to three games, with up to three changes."""
    text = "".join(game(dice) for _ in range(dice.choice((1, 1, 1, 2, 3))))
    for _ in range(dice.choice((0, 0, 1, 1, 2, 3))):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice((0, 0, 1, 1, 2, 8)))
        text = text[:start] + dice.choice(("", *MARKS)) + text[end:]
    return text


def game(dice: random.Random) -> str:
    """A game of SGF, mostly a whole one."""
    parts = [dice.choice(ROOTS)]
    depth = 1
    for _ in range(dice.randint(0, 6)):
        part = dice.choice(STRUCTURE) if dice.random() < 0.4 else dice.choice(PROPERTIES)
        depth += part.count("(") - part.count(")")
        parts.append(part)
    return "".join(parts) + ")" * (max(depth, 0) if dice.random() < 0.9 else 1)


def compare(text: str) -> Collection:
    """Both engines give the same, and say the same."""
    quick = loads(text, strict=False)
    slow = loads(text, strict=False, engine="lark")
    assert quick == slow
    assert [one.format for one in quick] == [one.format for one in slow]
    assert quick.diagnostics == slow.diagnostics
    return quick


@pytest.mark.both_lanes
def test_both_engines_read_any_text_alike() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same texts every time
    for _ in range(EXAMPLES):
        text = chance(dice)
        try:
            compare(text)
        except BaseException as error:
            error.add_note(repr(text))
            raise


def key(one: Diagnostic) -> tuple[int, int, str, str]:
    return one.offset, one.end_offset, one.code, one.message


@pytest.mark.both_lanes
def test_games_read_one_by_one_are_those_of_the_whole_text() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same texts every time
    for _ in range(EXAMPLES):
        text = chance(dice)
        try:
            whole, games = loads(text, strict=False), iter_games(io.StringIO(text), strict=False)
            one_by_one = [*games]
            found = [one for game in one_by_one for one in game.diagnostics or ()]
            assert one_by_one == [*whole]
            assert sorted(map(key, [*found, *games.diagnostics])) == sorted(
                map(key, whole.diagnostics)
            )
        except BaseException as error:
            error.add_note(repr(text))
            raise


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

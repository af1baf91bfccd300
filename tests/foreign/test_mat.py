"""MAT: a match of backgammon is a game for each of its games, White on the left."""

from __future__ import annotations

import random

import pytest

import sgf_lark
from sgf_lark.foreign import find_format

HEAD = '; [Site "A club"]\n; [EventDate "2024.05.01"]\n 5 point match\n\n'
FIRST = """ Game 1
 Alice : 0                           Bob B. : 0
  1) 31: 8/5 6/5                     52: 13/8 24/22
  2) Doubles => 2                     Takes
  3) 64: 24/14                       Doubles => 4
  4)  Drops
                                      Wins 2 points

"""
SECOND = """ Game 2
 Alice : 0                           Bob B. : 2
  1)                                 43: 24/20 13/10
  2) 11: 8/7(2) 6/5(2)               62: 24/18*/16
"""


def values(game: sgf_lark.GameTree) -> str:
    return " ".join(f"{ident}[{raw}]" for node in [*game][1:] for ident, (raw,) in node.raw.items())


def test_each_game_of_a_match_is_a_game() -> None:
    first, second = sgf_lark.loads(HEAD + FIRST + SECOND, strict=False)

    assert values(first) == ("W[31hefe] B[52lqac] W[double] B[take] W[64xn] B[double] W[drop]")
    assert values(second) == "B[43aelo] W[11hghgfefe] B[62aggi]"
    assert (first.info.white.name, first.info.black.name) == ("Alice", "Bob B.")
    assert first.root.raw["MI"] == ("length:5", "game:0", "ws:0", "bs:0")
    assert second.root.raw["MI"] == ("length:5", "game:1", "ws:0", "bs:2")
    assert [game.root.raw["DT"] for game in (first, second)] == [("2024-05-01",)] * 2


def test_who_wins_stands_on_the_side_of_the_player() -> None:
    (first,) = sgf_lark.loads(HEAD + FIRST, strict=False)
    left = FIRST.replace(" " * 38 + "Wins", "      Wins")
    (other,) = sgf_lark.loads(HEAD + left, strict=False)

    assert (first.root.raw["RE"], other.root.raw["RE"]) == (("B+2",), ("W+2",))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (" 1) 61: bar/24 8/2", "W[61yxhb]"),
        (" 1) 61: 25/24 8/2", "W[61yxhb]"),
        (" 1) 21: 2/off 1/0", "W[21bzaz]"),
        (" 1) 55: 13/8(4)", "W[55mhmhmhmh]"),
        (" 1) 66: Cannot Move", "W[66]"),
        (" 1) 43:", "W[43]"),
    ],
)
def test_bar_tray_and_repeated_steps_are_read(line: str, said: str) -> None:
    head = " Game 1\n Alice : 0                           Bob : 0\n"
    (game,) = sgf_lark.loads(f" 3 point match\n\n{head}{line}\n", strict=False)

    assert values(game) == said


def test_the_moves_of_a_real_opening_are_legal() -> None:
    (game,) = sgf_lark.loads(HEAD + FIRST, strict=False, check=True)

    assert [one for one in game.diagnostics if one.severity.value != "info"] == []


def test_a_line_that_is_no_move_is_left_out_and_told() -> None:
    collection = sgf_lark.loads(HEAD + FIRST + "  5) nonsense\n", strict=False)

    assert [(one.code, one.line) for one in collection.diagnostics] == [("S120", 13)]


def test_a_match_is_known_by_its_length() -> None:
    assert find_format(HEAD) is not None
    assert find_format("a 5 point match was played") is None


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_match_gives_findings_and_no_exception(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  # the same every time
    lines = (HEAD + FIRST + SECOND).splitlines(keepends=True)
    for _ in range(250):
        text = [*"".join(line for line in lines if dice.random() > 0.1)]
        for _ in range(dice.randint(0, 5)):
            at = dice.randrange(len(text))
            text[at : at + dice.randint(0, 4)] = dice.choice(["", "\x00", "/", "\n", " ", "9", ":"])
        assert all(one.code and one.line for one in sgf_lark.check("".join(text).encode()))

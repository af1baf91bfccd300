"""The types of ``node["KM"]``: derived from the property table, and true of what is read."""

from __future__ import annotations

import random
from itertools import islice
from typing import get_args

import pytest
from support.lanes import amount
from support.lookup import moves, strangers, types

import sgf_lark
from sgf_lark import Format
from sgf_lark.core.schema.games import GAMES
from sgf_lark.core.schema.values import MoveValue
from sgf_lark.workbench.samples import random_records


def test_the_types_of_moves_are_those_of_the_table() -> None:
    assert moves() == {*get_args(MoveValue)}


@pytest.mark.both_lanes
@pytest.mark.parametrize("format_", Format)
def test_values_of_sampled_records_are_of_their_types(format_: Format) -> None:
    games = (GAMES[2], GAMES[9]) if format_ is Format.GGF else (GAMES[1], GAMES[6], GAMES[19])
    for game in games:
        for text in islice(random_records(format_, game, seed=3), amount(1, 15)):
            (tree,) = sgf_lark.loads(text, strict=False)
            assert strangers(tree) == []


TEXTS = ["", "aa", "aa:cc", "q16", "6,5", "1:2", "5x", "x\\", "tt", "W+R", "a1", "62xr", "[", "1"]


@pytest.mark.both_lanes
@pytest.mark.parametrize("format_", Format)
def test_values_of_any_text_are_of_their_types(format_: Format) -> None:
    dice = random.Random(14)  # noqa: S311  # no secret
    games = dice.sample(sorted(GAMES), amount(1, len(GAMES)))
    for number in games:
        properties = "".join(
            ident + "".join(f"[{dice.choice(TEXTS)}]" for _ in range(dice.choice((1, 1, 3))))
            for ident in types()
            if ident not in {"FF", "GM", "SZ", "B", "W", "BO"}
        ).replace("\\]", "\\\\]")
        for move in TEXTS[:-3]:
            head = f"GM[{GAMES[number].name}]" if format_ is Format.GGF else f"GM[{number}]"
            head += "" if format_ is Format.GGF else f"FF[{format_[2]}]"
            text = f"(;{head}{properties};B[{move}])".replace("x\\]", "x]")
            for tree in sgf_lark.loads(text, strict=False, validate=False):
                assert strangers(tree) == []


def test_a_text_that_the_end_of_the_file_cuts_off_is_a_text() -> None:
    (game,) = sgf_lark.loads("(;FF[4]C[x\\", strict=False)

    assert game.root["C"] == "x\\"
    assert [one.code for one in game.diagnostics]

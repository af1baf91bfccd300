"""Check finds the moves that positions call illegal, and no others."""

from __future__ import annotations

import gc
import random
from typing import TYPE_CHECKING
from weakref import ref

import pytest
from hypothesis import given, strategies as st
from support.corpus import every_record, loaded
from support.lanes import one_in

import sgf_lark
from sgf_lark.games.registry import check_game_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from sgf_lark import GameTree

#: The rules about single moves.
RULES = {
    "occupied-point", "suicide", "ko-capture", "illegal-move", "needless-pass", "forbidden-hole",
    "edge-center",
}  # fmt: skip

LETTERS = "abcdefghij"


class Chance(random.Random):
    """Points and moves of small boards as the games write them."""

    def named(self) -> str:
        return f"{self.choice(LETTERS[:5])}{self.randint(1, 5)}"

    def lettered(self) -> str:
        return self.choice(LETTERS[:5]) + self.choice(LETTERS[:5])

    def square(self) -> str:
        return f"{self.randint(1, 9)}{self.randint(1, 9)}"

    def word(self, *words: str) -> str:
        return self.choice(words) if self.random() < 0.1 else self.named()

    def of_gess(self) -> str:
        return "".join(self.choice("bcdefghijklmnopqrst") for _ in range(2))


#: A point and a move of each game, and its board.
GAMES: dict[int, tuple[str, Callable[[Chance], str], Callable[[Chance], str]]] = {
    1: ("5", Chance.lettered, Chance.lettered),
    2: ("6", Chance.named, lambda chance: chance.word("PA")),
    4: ("5", Chance.lettered, Chance.lettered),
    9: ("5", Chance.named, lambda chance: f"{chance.named()}-{chance.named()}"),
    11: ("5", Chance.named, lambda chance: chance.word("swap-pieces", "swap-sides", "pass")),
    18: ("5", Chance.lettered, lambda chance: "".join(chance.lettered() for _ in range(3))),
    19: ("9", Chance.square, lambda chance: f"{chance.square()}-{chance.square()}"),
    20: ("20", Chance.of_gess, lambda chance: f"{chance.of_gess()}:{chance.of_gess()}"),
    21: ("7", Chance.named, lambda chance: chance.named() + "*" * (chance.random() < 0.2)),
}


def a_record(number: int, seed: int) -> GameTree:
    """A record of moves and setup by chance, with variations."""
    chance = Chance(seed)
    size, point, move = GAMES[number]

    def nodes(color: int, count: int) -> str:
        text = ""
        for at in range(count):
            if number != 2 and chance.random() < 0.1:  # Othello: not judged then
                text += f";{chance.choice(['AB', 'AW', 'AE'])}[{point(chance)}]"
            forced = "KO[]" if number != 2 and chance.random() < 0.1 else ""
            text += f";{'BW'[(color + at) % 2]}[{move(chance)}]{forced}"
        return text

    start = chance.randint(0, 6)
    setup = f"AB[{point(chance)}]AW[{point(chance)}]" if chance.random() < 0.4 else ""
    variations = "".join(f"({nodes(start, chance.randint(1, 8))})" for _ in range(2))
    text = f"(;FF[4]GM[{number}]SZ[{size}]{setup}{nodes(0, start)}{variations})"
    (game,) = sgf_lark.loads(text, validate=False)
    return game


def found(game: GameTree) -> set[tuple[int | None, str]]:
    """The node and the rule of each move that check finds."""
    return {
        (finding.node, finding.name)
        for finding in check_game_rules(game)
        if finding.name in RULES and finding.node  # the proposals of GGF are in the root
    }


def judged(game: GameTree) -> set[tuple[int | None, str]]:
    """Those that positions call illegal; KO says that a record knows it."""
    return {
        (position.node_index, position.verdict.name)
        for position in game.positions("all")
        if position.verdict is not None
        and position.verdict.name in RULES
        and not any(prop.ident == "KO" for prop in game.nodes.contents[position.node_index])
    }


@pytest.mark.parametrize("number", one_in(3, GAMES))
@given(seed=st.integers(0, 1 << 40))
def test_check_finds_the_moves_that_positions_call_illegal(number: int, seed: int) -> None:
    game = a_record(number, seed)

    assert found(game) == judged(game)


@pytest.mark.parametrize("number", GAMES)
def test_a_game_that_was_checked_waits_for_no_garbage_collector(number: int) -> None:
    game = a_record(number, seed=1)
    gone = ref(game.nodes)
    gc.disable()
    try:
        found(game)
        del game
        assert gone() is None
    finally:
        gc.enable()


@every_record(but=lambda which: not which.startswith(("ff4-other-games/", "ggf/")))
def test_check_finds_what_positions_of_real_records_call_illegal(which: str) -> None:
    for game in loaded(which):
        if game.game in GAMES:
            assert found(game) == judged(game)

"""States of games with a piece in a cell: what is true of all of them."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.values import Action, BoardSize, Color, LinkCenter, Pass, Point
from sgf_lark.games.registry import games_with_rules
from sgf_lark.positions.cell_state import CellState
from sgf_lark.positions.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from sgf_lark.core.schema.values import Value

#: The games whose moves are a point each; and their other moves.
OTHERS: dict[GameNumber, tuple[Callable[[Point], Value], ...]] = {
    GameNumber.OTHELLO: (lambda _: Pass(),),
    GameNumber.GOMOKU: (lambda _: Pass(),),
    GameNumber.HEX: (
        lambda _: Pass(),
        lambda _: Action(word="swap-pieces"),
        lambda _: Action(word="swap-sides"),
        lambda _: Action(word="resign"),
    ),
    GameNumber.TWIXT: (lambda point: LinkCenter(point=point),),
}


def points(state: State) -> list[Point]:
    columns, rows = state.size
    return [Point(column, row) for row in range(rows) for column in range(columns)]


def snapshot(state: State) -> tuple[Any, ...]:
    """All that can be seen of a state."""
    captured = state.black_captured, state.white_captured
    return (state.position(), state.number, state.last, captured, state.diagram())


class Walk:
    """Legal and illegal moves and setup by chance."""

    def __init__(self, game: GameNumber, size: BoardSize, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311  # a test
        state = games_with_rules()[game](size)
        assert isinstance(state, CellState)
        self.state = state
        state.put_start()
        self.game = game

    def move(self) -> tuple[Value, Color]:
        chance, color = self.chance, self.chance.choice([*Color])
        legal = [*self.state.moves(color)]
        if legal and chance.random() < 0.6:
            return chance.choice(legal), color
        point = chance.choice(points(self.state))
        if chance.random() < 0.5:
            return point, color
        return chance.choice(OTHERS[self.game])(point), color

    def change(self) -> None:
        if self.chance.random() < 0.85:
            self.state.play(*self.move())
            return
        columns, rows = zip(*self.chance.choices(points(self.state), k=2), strict=True)
        low, high = Point(min(columns), min(rows)), Point(max(columns), max(rows))
        if self.chance.random() < 0.5:
            high = low
        self.state.put_points(low, high, self.chance.choice(["AB", "AW", "AE"]))


of_each_game = pytest.mark.parametrize("game", [*OTHERS], ids=lambda game: game.name.lower())
SIZES = st.builds(BoardSize, st.integers(1, 7), st.integers(1, 7))
SEEDS = st.integers(0, 1 << 30)


@of_each_game
@settings(max_examples=amount(6, 100))
@given(size=SIZES, seed=SEEDS)
def test_the_legal_moves_are_the_points_that_are_judged_legal(
    game: GameNumber, size: BoardSize, seed: int
) -> None:
    walk = Walk(game, size, seed)
    for _ in range(12):
        walk.change()
        for color in Color:
            listed = [move for move in walk.state.moves(color) if isinstance(move, Point)]
            judged = [one for one in points(walk.state) if walk.state.judge(one, color)]
            assert listed == judged


@of_each_game
@settings(max_examples=amount(6, 100))
@given(size=SIZES, seed=SEEDS)
def test_playing_tells_what_judging_told_and_judging_changes_nothing(
    game: GameNumber, size: BoardSize, seed: int
) -> None:
    walk = Walk(game, size, seed)
    for _ in range(20):
        walk.change()
        move, color = walk.move()
        before = snapshot(walk.state)
        verdict = walk.state.judge(move, color)
        assert snapshot(walk.state) == before
        assert walk.state.play(move, color) == verdict


@of_each_game
@settings(max_examples=amount(6, 100))
@given(size=SIZES, seed=SEEDS)
def test_a_state_goes_back_to_every_earlier_one(
    game: GameNumber, size: BoardSize, seed: int
) -> None:
    walk = Walk(game, size, seed)
    past = []
    for _ in range(25):
        past.append((walk.state.mark, snapshot(walk.state)))
        walk.change()
    for mark, seen in reversed(past):
        if walk.chance.random() < 0.5:
            walk.state.rewind(mark)
            assert snapshot(walk.state) == seen


@of_each_game
@settings(max_examples=amount(6, 100))
@given(size=SIZES, seed=SEEDS)
def test_a_copy_is_equal_and_goes_its_own_way(game: GameNumber, size: BoardSize, seed: int) -> None:
    walk = Walk(game, size, seed)
    for _ in range(10):
        walk.change()
    copy, before = walk.state.copy(), snapshot(walk.state)
    assert snapshot(copy) == before
    walk.change()
    assert snapshot(copy) == before
    before = snapshot(walk.state)
    copy.play(*walk.move())
    assert snapshot(walk.state) == before


@of_each_game
@settings(max_examples=amount(6, 100))
@given(size=SIZES, seed=SEEDS)
def test_a_move_that_is_written_is_read_as_itself(
    game: GameNumber, size: BoardSize, seed: int
) -> None:
    walk = Walk(game, size, seed)
    for _ in range(5):
        move, _ = walk.move()
        assert walk.state.read_move(walk.state.name_move(move)) == move


@pytest.mark.parametrize(
    "text",
    one_in(
        5,
        [
            "(;FF[4]GM[2]SZ[702]AB[a1:a60]AW[b1:zy60]" + ";B[PA];W[PA]" * 3_000 + ")",
            "(;FF[4]GM[2]SZ[702]AW[a1:zz1][a1:a702]AE[a1]" + ";B[a1];AE[a1]" * 3_000 + ")",
            "(;FF[4]GM[11]SZ[702]AB[a1:zz60]" + ";B[swap-pieces]" * 3_000 + ")",
            "(;FF[4]GM[21]SZ[702]" + ";AB[a1:zz702];AE[a1:zz702]" * 3_000 + ")",
            "(;FF[4]GM[21]SZ[702];W[d4];W[e6]" + ";AB[a1:zz2];AE[a1:zz2]" * 3_000 + ")",
        ],
    ),
)
def test_a_few_characters_cannot_ask_for_the_positions_of_a_huge_board(text: str) -> None:
    (game,) = sgf_lark.loads(text, strict=False)
    start = time.process_time()
    for _ in game.positions():
        pass

    assert time.process_time() - start < 5  # minutes without limits

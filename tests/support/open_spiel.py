"""Random games of open-spiel, which has rules of its own for eight of our games.

    for game in playouts("go", 3, 1_000, board_size=9):
        for ply in game:
            assert ours(ply.state) == set(ply.texts)   # the position before ply.chosen
            if ply.chosen: play(ply.chosen)

A test that plays many games is marked ``both_lanes``: few of them by day.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.lanes import amount, is_night

if TYPE_CHECKING:
    from collections.abc import Iterator


#: Games that are played by night, of a thousand that could be.
PER_THOUSAND = amount(0, 100, "SGF_LARK_PLAYOUTS")


class Ply(NamedTuple):
    """A position of a game, and what is played in it.

    Attributes:
        state: Theirs, which the next ply changes: ``str(ply.state)`` has the board.
        player: 0 moves first, then 1; -1 rolls dice; -4 at the end.
        texts: All legal moves, or outcomes of dice, as they write them.
        actions: Their numbers, in the same order.
        chosen: The text of the one that is played; empty at the end of the game.
        action: Its number; -1 at the end.
    """

    state: Any
    player: int
    texts: tuple[str, ...]
    actions: tuple[int, ...]
    chosen: str
    action: int


@cache
def open_spiel() -> Any:
    """Their module; the test is skipped without it."""
    return pytest.importorskip("pyspiel", reason="open-spiel is not installed")


def playouts(name: str, day: int, night: int = 0, **parameters: Any) -> Iterator[Iterator[Ply]]:
    """Random games, the same ones each time.

    Args:
        name: That of the game: ``go``, ``othello``, ``backgammon``, ``hex``, ``amazons``,
            ``lines_of_action``, ``twixt`` or ``gomoku``.
        day: Games by day, and by night at least.
        night: Games by night, if the environment asks for all: see :data:`PER_THOUSAND`.
        parameters: What the game can be told, such as ``board_size``.
    """
    game = open_spiel().load_game(name, parameters)
    for seed in range(max(day, night * PER_THOUSAND // 1_000) if is_night() else day):
        yield playout(game, seed)


def playout(game: Any, seed: int) -> Iterator[Ply]:
    """One random game, from its first position to its last."""
    chance = random.Random(seed)  # noqa: S311  # a test
    state = game.new_initial_state()
    while not state.is_terminal():
        player, actions = state.current_player(), tuple(state.legal_actions())
        texts = tuple([state.action_to_string(player, action) for action in actions])
        at = chance.randrange(len(actions))
        if state.is_chance_node():
            likely = dict(state.chance_outcomes())
            (at,) = chance.choices(range(len(actions)), [likely[one] for one in actions])
        yield Ply(state, player, texts, actions, texts[at], actions[at])
        state.apply_action(actions[at])
    yield Ply(state, state.current_player(), (), (), "", -1)

"""open-spiel plays backgammon at random; each roll leads to the same positions on our board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.open_spiel import playouts

from sgf_lark import Color
from sgf_lark.games.backgammon import BackgammonState

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The side of each of their players, and where they keep its checkers on the bar.
SIDES = (Color.BLACK, Color.WHITE)
THEIR_BAR = 100

COLUMNS = range(24)


def theirs(state: Any) -> tuple[int, ...]:
    """Black's checkers on the points and the bar, then White's."""
    return tuple(state.board(side, at) for side in range(2) for at in (*COLUMNS, THEIR_BAR))


def ours(state: BackgammonState) -> tuple[int, ...]:
    return tuple(state.count(color, column) for color in SIDES for column in (*COLUMNS, 24))


def ends(state: Any, player: int) -> set[tuple[int, ...]]:
    """The positions to which a roll leads; after equal dice they play twice two moves."""
    found, seen, waiting = set(), set(), [state]
    while waiting:
        state = waiting.pop()
        for action in state.legal_actions():
            after = state.child(action)
            position = theirs(after)
            if after.is_terminal() or after.current_player() != player:
                found.add(position)
            elif position not in seen:
                seen.add(position)
                waiting.append(after)
    return found


def plays(
    state: BackgammonState, dice: tuple[int, int], color: Color
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The position after each play of a roll, and the play."""
    before = state.mark
    for move in state.plays(dice, color):
        assert state.play(move, color).ok, move
        yield ours(state), move
        state.rewind(before)


@pytest.mark.both_lanes
def test_each_roll_leads_to_the_positions_of_open_spiel() -> None:
    games = rolls = 0
    for game in playouts("backgammon", 2, 200):
        games += 1
        state, color = BackgammonState(), SIDES[0]
        state.put_start()
        dice, reached = (0, 0), dict[tuple[int, ...], Any]()
        for ply in game:
            if ply.player < 0 and reached:  # the roll is played
                state.play(reached[theirs(ply.state)], color)
                reached = {}
            assert ours(state) == theirs(ply.state) or reached
            if ply.player == -1:
                rolled = ply.chosen.rpartition(": ")[2]
                dice = int(rolled[0]), int(rolled[1])
            elif ply.player >= 0 and not reached:
                color = SIDES[ply.player]
                reached = dict(plays(state, dice, color))
                assert set(reached) == ends(ply.state, ply.player)
                rolls += 1
        assert state.winner_by_checkers is color

    assert rolls > 40 * games

"""Go as open-spiel plays it: the same legal moves and the same board at every ply.

Its rules are those of a simple ko without suicide.  It forbids no other repetition: a game
that repeats a position is over there, and those are exactly the moves that positional superko
forbids here.
"""

from __future__ import annotations

import pytest
from support.lanes import one_in
from support.open_spiel import Ply, playouts

from sgf_lark import Board, Color
from sgf_lark.core.schema.values import PASS, BoardSize, Point, Value
from sgf_lark.games.go import GoRules, GoState, KoRule

COLORS = (Color.BLACK, Color.WHITE)
SHOWN = {None: "+", Color.BLACK: "X", Color.WHITE: "O"}


def move_of(state: GoState, text: str) -> Value:
    """Our move for theirs, such as ``B a1`` or ``W PASS``."""
    return state.read_move(text.partition(" ")[2])


def rows_of(state: GoState) -> list[str]:
    held = {stone.point: SHOWN[stone.color] for stone in state.pieces()}
    columns, rows = map(range, state.size)
    return ["".join(held.get(Point(column, row), "+") for column in columns) for row in rows]


def rows_of_theirs(ply: Ply) -> list[str]:
    """The rows of their picture, each after its number."""
    lines = [line.split() for line in str(ply.state).splitlines()]
    return [line[1] for line in lines if len(line) == 2 and line[0].isdecimal()]


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("side", "day", "night"),
    one_in(3, [(9, 1, 1_000), (3, 20, 1_000), (5, 10, 1_000), (19, 1, 25), (13, 1, 50)]),
)
def test_go_has_the_legal_moves_and_the_boards_of_open_spiel(
    side: int, day: int, night: int
) -> None:
    for plies in playouts("go", day, night, board_size=side):
        state = GoState(BoardSize(side, side))
        for ply in plies:
            assert rows_of(state) == rows_of_theirs(ply)
            if ply.texts:
                color = COLORS[ply.player]
                assert state.to_play is color
                assert set(state.moves(color)) == {move_of(state, text) for text in ply.texts}
                assert state.play(move_of(state, ply.chosen), color)


@pytest.mark.both_lanes
@pytest.mark.parametrize(("side", "day", "night"), [(3, 20, 1_000), (5, 5, 1_000)])
def test_positional_superko_forbids_the_moves_that_end_a_game_of_open_spiel(
    side: int, day: int, night: int
) -> None:
    longest = 2 * side * side  # moves, after which a game is over there
    forbidden = 0
    for plies in playouts("go", day, night, board_size=side):
        simple = GoState(BoardSize(side, side))
        superko = GoState(BoardSize(side, side), rules=GoRules(KoRule.POSITIONAL))
        for ply in plies:
            if not ply.texts or simple.number + 1 == longest:
                break
            color = COLORS[ply.player]
            ends = {
                move_of(simple, text)
                for text, action in zip(ply.texts, ply.actions, strict=True)
                if ply.state.child(action).is_terminal()
            } - {PASS}
            assert {*simple.moves(color)} - {*superko.moves(color)} == ends
            forbidden += len(ends)
            for state in (simple, superko):
                state.play(move_of(state, ply.chosen), color)
    assert forbidden


def test_handles_play_as_states_do() -> None:
    (plies,) = playouts("go", 1, board_size=9)
    board = Board("Go", 9)
    for ply in plies:
        if not ply.texts:
            break
        assert set(board.legal_moves()) == {
            board.play(text.partition(" ")[2]).last for text in ply.texts
        }
        board = board.play(ply.chosen.partition(" ")[2])

"""Lines of Action and Amazons against open-spiel: legal moves and boards of random games.

Differences of rules: open-spiel ends a game of Lines of Action when a side is connected, cannot
move or repeats a position, where ours goes on, and who cannot move passes.  It has a move of
Amazons in three parts.  The first player is X there, and Black here.
"""

from __future__ import annotations

import re

import pytest
from support.open_spiel import open_spiel, playouts

from sgf_lark.core.schema.values import AmazonsMove, BoardSize, Color, Point
from sgf_lark.games.amazons import AmazonsState
from sgf_lark.games.lines_of_action import LoaState

COLORS = {0: Color.BLACK, 1: Color.WHITE}


def shown(state: LoaState | AmazonsState, signs: dict[Color | None, str]) -> list[str]:
    """The rows of a board as they are drawn, from the top."""
    columns, rows = state.size
    drawn = [["."] * columns for _ in range(rows)]
    for stone in state.pieces():
        drawn[stone.point.row][stone.point.column] = signs[stone.color]
    lines = list(map("".join, drawn))
    return lines[::-1] if state.rows_from_bottom else lines


@pytest.mark.both_lanes
def test_lines_of_action_has_the_same_moves_and_boards() -> None:
    open_spiel()
    for game in playouts("lines_of_action", 3, 300):
        state = LoaState(BoardSize(8, 8))
        state.put_start()
        for ply in game:
            rows = [line[1:] for line in str(ply.state).splitlines()[:8]]
            assert shown(state, {Color.BLACK: "x", Color.WHITE: "o"}) == rows
            if not ply.chosen:
                break
            color = COLORS[ply.player]
            assert state.to_play is color
            ours = {state.name_move(move).replace(":", "x") for move in state.moves(color)}
            assert ours == set(ply.texts)
            assert state.play(state.read_move(ply.chosen), color)
        assert state.black_captured == 12 - str(rows).count("x")
        assert state.white_captured == 12 - str(rows).count("o")


@pytest.mark.both_lanes
def test_amazons_has_the_same_moves_and_boards() -> None:
    open_spiel()
    for game in playouts("amazons", 1, 40):
        state = AmazonsState(BoardSize(10, 10))
        state.put_start()
        chosen: list[Point] = []
        for ply in game:
            points = [point_of(text) for text in ply.texts]
            if not chosen:
                signs = {Color.BLACK: "X", Color.WHITE: "O", None: "#"}
                assert shown(state, signs) == str(ply.state).splitlines()[:10]
                color = state.to_play or Color.BLACK
                assert COLORS.get(ply.player, color) is color  # nobody's turn at the end
                moves = [(one.origin, one.target, one.arrow) for one in all_moves(state, color)]
            assert {move[len(chosen)] for move in moves} == set(points)
            if not ply.chosen:
                break
            chosen.append(point_of(ply.chosen))
            moves = [move for move in moves if [*move[: len(chosen)]] == chosen]
            if len(chosen) == 3:
                origin, target, arrow = chosen
                move = AmazonsMove(origin=origin, target=target, arrow=arrow)
                assert state.play(move, color)
                chosen = []


def all_moves(state: AmazonsState, color: Color) -> list[AmazonsMove]:
    return [move for move in state.moves(color) if isinstance(move, AmazonsMove)]


def point_of(text: str) -> Point:
    """A point of ``X To (2, 6)``: row and column from 1."""
    row, column = map(int, re.findall(r"\d+", text))
    return Point(column - 1, row - 1)

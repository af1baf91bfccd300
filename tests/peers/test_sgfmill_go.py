"""Real games of Go on the boards of sgfmill: the same stones and kos after every node."""

from __future__ import annotations

import pytest
from sgfmill.boards import Board as Other
from support import corpus
from support.go_records import go_games, turns
from support.lanes import is_night

from sgf_lark import Color, Point

LETTERS = {Color.BLACK: "b", Color.WHITE: "w"}


def stones_of(board: Other) -> dict[Point, Color]:
    colors = {letter: color for color, letter in LETTERS.items()}
    return {
        Point(column, board.side - 1 - row): colors[letter]
        for letter, (row, column) in board.list_occupied_points()
    }


@pytest.mark.both_lanes
def test_sgfmill_has_the_same_stones_after_every_node_of_real_games() -> None:
    """Up to what sgfmill does not do: setup without captures, a stone on a stone."""
    moves = 0
    for name, game in go_games(every=8 if is_night() else 40):
        assert game.size is not None
        side = game.size.columns
        other = Other(side)
        for turn, position in zip(turns(game), game.positions(), strict=False):
            black, white, empty = (
                [
                    (side - 1 - at.row, at.column)
                    for at, held in turn.setup.items()
                    if held is wanted
                ]
                for wanted in (Color.BLACK, Color.WHITE, None)
            )
            if not other.apply_setup(black, white, empty):
                break
            board, ko = position.board, None
            if turn.move is not None and turn.move.point is not None:
                column, row = turn.move.point
                if other.get(side - 1 - row, column) is not None:
                    assert position.verdict is not None
                    assert position.verdict.code in {"G601", ""}, name  # "": KO is in the node
                    break
                ko = other.play(side - 1 - row, column, LETTERS[turn.move.color])
                moves += 1
            stones = {stone.point: stone.color for stone in board.diagram().stones}
            assert stones == stones_of(other), (name, turn.node.path)
            assert board.ko == (Point(ko[1], side - 1 - ko[0]) if ko else None)
    assert moves or not corpus.names()

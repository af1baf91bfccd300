"""Positions: the board at every node of a record."""

from collections.abc import Callable

import pytest

from sgf_lark import GameTree, loads


@pytest.mark.parametrize(
    "ask",
    [GameTree.positions, lambda game: game.board(1), lambda game: game.root.board],
    ids=["positions", "board", "node"],
)
def test_a_game_without_rules_has_no_board_and_says_so(ask: Callable[[GameTree], object]) -> None:
    game = loads("(;FF[4]GM[8];B[77])")[0]

    with pytest.raises(ValueError, match="no board of Shogi: nobody describes its points"):
        ask(game)

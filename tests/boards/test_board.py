"""Boards of all games: they never change, and can be sent to another process."""

from __future__ import annotations

import copy
import pickle

import pytest

from sgf_lark import GAMES, Board, Color
from sgf_lark.boards.board import STATES


@pytest.mark.parametrize("game", STATES)
def test_a_board_is_pickled_and_copied_with_all_that_decides_about_moves(game: int) -> None:
    board = Board(game, rules="AGA")
    for color in (Color.BLACK, Color.WHITE, Color.BLACK):
        if moves := board.legal_moves(color):
            board = board.play(moves[len(moves) // 2], color)

    for again in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)):
        assert again == board
        assert hash(again) == hash(board)
        assert (again.last, again.number, again.captured) == (
            board.last,
            board.number,
            board.captured,
        )
        assert again.legal_moves(Color.WHITE) == board.legal_moves(Color.WHITE)


def test_no_attribute_of_a_board_can_be_set() -> None:
    board = Board("Go", 9)

    with pytest.raises(AttributeError, match="never changes"):
        board.to_play = Color.WHITE  # type: ignore[misc]
    assert board.to_play is Color.BLACK


@pytest.mark.parametrize(
    ("game", "size", "message"),
    [
        ("Chess", None, "no board of chess: nobody describes its points"),
        ("Go", 0, "no board of 0 by 0: 1 to 702"),
        ("Go", (19, 703), "no board of 19 by 703: 1 to 702"),
        ("Gone", None, "no game 'Gone'"),
    ],
)
def test_a_board_that_cannot_be_says_so(
    game: str, size: int | tuple[int, int] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Board(game, size)


def test_every_game_with_rules_is_known_by_its_name() -> None:
    assert all(Board(GAMES[number].name) == Board(number) for number in STATES)

"""Hex: stones, the words that are moves, and who connects the edges."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from sgf_lark import Board, BoardSize, Color, IllegalMoveError, Point
from sgf_lark.core.schema.values import Action
from sgf_lark.games.hex import HexState
from sgf_lark.pictures.parts import BoardKind

B, W = Color.BLACK, Color.WHITE


def played(*moves: str, size: int | tuple[int, int] = 5) -> Board:
    board = Board("Hex", size)
    for move in moves:
        board = board.play(move)
    return board


def test_a_stone_is_put_into_an_empty_cell() -> None:
    board = played("c1", "b2")

    assert (board["c1"], board["b2"], board["a1"]) == (B, W, None)
    assert board.diagram().kind is BoardKind.RHOMBUS
    with pytest.raises(IllegalMoveError, match="Black b2 is played on a white stone"):
        board.play("b2")


def test_swap_pieces_turns_the_stones_over_the_long_diagonal() -> None:
    board = played("c1", "swap-pieces")

    assert (board.stones(B), board.stones(W)) == ((), (Point(0, 2),))
    assert board.to_play is B


def test_swap_pieces_may_come_at_any_node() -> None:
    board = played("c1", "d4", "swap-pieces")

    assert (board["a3"], board["d4"], board["c1"]) == (W, B, None)
    assert board.to_play is W


def test_stones_that_a_board_without_a_long_diagonal_has_no_place_for_go() -> None:
    assert played("e1", "c2", "swap-pieces", size=(5, 3)).stones() == (Point(1, 2),)


def test_two_swaps_of_pieces_are_none() -> None:
    board = played("c1", "d4", "swap-pieces", "swap-pieces")

    assert board.stones(B) == played("c1", "d4").stones(B)
    assert board.stones(W) == played("c1", "d4").stones(W)


def test_swap_sides_leaves_the_stones_and_the_same_color_plays_on() -> None:
    board = played("c1", "swap-sides")

    assert board.stones(B) == (Point(2, 0),)
    assert board.to_play is W


def test_words_are_moves_and_the_game_may_go_on_after_them() -> None:
    board = played("c1", "resign", "forfeit", "pass", "SWAP-SIDES")

    assert (board.number, board.to_play) == (5, B)
    assert board.stones() == (Point(2, 0),)
    assert board.last == Action(word="swap-sides")


def test_another_word_is_no_move() -> None:
    assert Board("Hex").legal(Action(word="double")).code == "G620"
    with pytest.raises(ValueError, match="no point 'double'"):
        Board("Hex").play("double")


def test_a_cell_that_a_swap_filled_is_disputed() -> None:
    board = played("c1", "swap-pieces")
    turned, other = board.legal("a3"), board.play("e5").legal("e5")

    assert (turned.code, turned.is_disputed) == ("G601", True)
    assert "some programs let them stand" in turned.help
    assert (other.code, other.is_disputed) == ("G601", False)


def test_the_swap_of_another_variation_does_not_count() -> None:
    state = HexState(BoardSize(5, 5))
    state.play(Point(2, 0), B)
    mark = state.mark
    state.play(Action(word="swap-pieces"), W)
    assert state.judge(Point(0, 2), B).is_disputed
    state.rewind(mark)

    assert state.judge(Point(0, 2), B).ok
    assert not state.judge(Point(2, 0), W).is_disputed
    assert not state.copy().judge(Point(2, 0), W).is_disputed


@pytest.mark.parametrize(
    ("black", "white", "winner"),
    [
        ("a1 a2 a3", "", B),
        ("c1 b2 a3", "", B),
        ("a1 b2 c3", "", None),  # these are no neighbours
        ("a1 a2", "", None),
        ("", "a1 b1 c1", W),
        ("", "a3 b2 c1", W),
        ("", "a1 b2 c3", None),
        ("b1 b2 a3", "a1 c3", B),
    ],
)
def test_who_connects_the_edges_wins(black: str, white: str, winner: Color | None) -> None:
    state = HexState(BoardSize(3, 3))
    for ident, names in (("AB", black), ("AW", white)):
        for name in names.split():
            point = state.coordinates.point(name)
            state.put_points(point, point, ident)

    assert state.winner() is winner


@given(st.integers(1, 6), st.integers(1, 6), st.randoms())
def test_a_full_board_has_a_winner(columns: int, rows: int, chance: object) -> None:
    state = HexState(BoardSize(columns, rows))
    while moves := [*state.moves(B)]:
        assert state.to_play is not None
        state.play(chance.choice(moves), state.to_play)  # type: ignore[attr-defined]

    assert state.winner() is not None

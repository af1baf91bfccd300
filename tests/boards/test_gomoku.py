"""Gomoku and Renju: stones on empty points, and nothing else."""

from __future__ import annotations

import pytest

from sgf_lark import PASS, Board, Color, IllegalMoveError


def test_a_stone_is_put_on_an_empty_point() -> None:
    board = Board("Gomoku").play("h8").play("hi")

    assert board["h8"] is Color.BLACK
    assert board["h7"] is Color.WHITE
    assert board.to_play is Color.BLACK
    assert len(board.legal_moves()) == 15 * 15 - 2


def test_a_stone_on_a_stone_is_illegal_and_replaces_it_if_forced() -> None:
    board = Board("Gomoku").play("h8")

    with pytest.raises(IllegalMoveError, match="White h8 is played on a black stone"):
        board.play("h8")
    assert board.legal("h8").code == "G601"
    assert board.play("h8", force=True)["h8"] is Color.WHITE


def test_a_pass_is_legal() -> None:
    assert Board("Gomoku").legal(PASS).ok
    assert Board("Gomoku").play("h8", "B").play(PASS).to_play is Color.BLACK


def test_the_points_that_renju_forbids_are_not_judged() -> None:
    double_three = Board("Gomoku", rules="Renju").set_up(black=["g8", "i8", "h7", "h9"])

    assert double_three.legal("h8", "B").ok


def test_the_board_has_any_size_and_begins_empty() -> None:
    assert Board("Gomoku").size == (15, 15)
    assert Board("Gomoku", (3, 5)).stones() == ()
    assert len(Board("Gomoku", (3, 5)).legal_moves()) == 15

"""Othello: discs that a move turns, passes, boards of all sizes and the octagon."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark import PASS, Board, Color, IllegalMoveError, Point
from sgf_lark.core.schema.values import Action

B, W = Color.BLACK, Color.WHITE

#: The octagon of GGF with its first four discs.
OCTAGON = " ".join([
    "------ --------", *["-" * 10] * 2, "----O*----", "----*O----", *["-" * 10] * 2,
    "-------- ------",
])  # fmt: skip


def test_the_game_begins_with_four_discs_and_black() -> None:
    board = Board("Othello")

    assert {name: board[name] for name in ("d4", "e4", "d5", "e5")} == {
        "d4": W, "e4": B, "d5": B, "e5": W,
    }  # fmt: skip
    assert len(board.stones()) == 4
    assert board.to_play is B
    assert [*map(board.point, ("d3", "c4", "f5", "e6"))] == [*board.legal_moves()]


@pytest.mark.parametrize(
    ("size", "discs"),
    [(2, "a1 b1 a2 b2"), (4, "b2 c2 b3 c3"), (6, "c3 d3 c4 d4"), (14, "g7 h7 g8 h8")],
)
def test_the_first_discs_are_in_the_middle_of_a_board_of_any_size(size: int, discs: str) -> None:
    board = Board("Othello", size)

    assert board.stones() == tuple(map(board.point, discs.split()))
    assert [board[name] for name in discs.split()] == [W, B, B, W]


def test_a_board_of_one_row_has_no_first_discs() -> None:
    assert Board("Othello", (1, 1)).stones() == Board("Othello", (8, 1)).stones() == ()


def test_a_move_turns_the_discs_between_it_and_another_one_in_all_directions() -> None:
    ring = ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"]
    ends = ["a1", "c1", "e1", "a3", "e3", "a5", "c5", "e5"]
    board = Board("Othello", empty=True).set_up(white=ring, black=ends).play("c3", "B")

    assert len(board.stones(B)) == 17
    assert not board.stones(W)
    assert board.captured == {B: 0, W: 0}


def test_discs_without_another_one_at_the_end_of_their_line_stay() -> None:
    board = Board("Othello", empty=True).set_up(
        white=["b1", "c1", "b2", "b3"], black=["d1", "b4", "a4"]
    )

    turned = board.play("a1", "B")

    assert turned.stones(W) == board.set_up(empty=["b1", "c1"]).stones(W)
    assert turned["b1"] is turned["c1"] is B


@pytest.mark.parametrize(
    ("move", "reason"),
    [("a1", "turns no disc"), ("d4", "is on a square that is taken"), ("c3", "turns no disc")],
)
def test_a_move_that_turns_nothing_is_illegal(move: str, reason: str) -> None:
    verdict = Board("Othello").legal(move)

    assert (verdict.code, verdict.reason, verdict.is_lost) == ("G620", reason, True)
    with pytest.raises(IllegalMoveError, match=f"Black {move} {reason}"):
        Board("Othello").play(move)


def test_an_illegal_move_that_is_forced_is_a_disc_on_the_board() -> None:
    board = Board("Othello").play("a1", force=True)

    assert board["a1"] is B
    assert (board.to_play, board.number, board.last) == (W, 1, Point(0, 0))


def test_whoever_has_a_move_may_not_pass() -> None:
    verdict = Board("Othello").legal("pass")

    assert (verdict.code, verdict.is_lost) == ("G621", False)
    assert verdict.reason == "is needless: Black has a move that turns discs"


def test_whoever_has_no_move_passes() -> None:
    board = Board("Othello", empty=True).set_up(black=["a1"], white=["b1"], to_play="W")

    assert board.legal_moves() == (PASS,)
    assert board.play("pass").legal_moves() == (Point(2, 0),)
    assert board.play("pass").play("c1").stones(B) == (Point(0, 0), Point(1, 0), Point(2, 0))


def test_at_the_end_nobody_has_a_move_and_a_pass_breaks_no_rule() -> None:
    board = Board("Othello", empty=True).set_up(black=["a1", "h8"])

    assert board.legal_moves("B") == board.legal_moves("W") == ()
    assert board.legal("pass").ok


def test_whose_turn_it_is_does_not_count() -> None:
    board = Board("Othello").play("d3").play("c6", "B", force=True)

    assert Board("Othello").legal("e3", "W").ok
    assert board.legal("c3", "W").ok
    assert board.to_play is W


def test_a_value_of_another_game_is_no_move() -> None:
    verdict = Board("Othello").legal(Action(word="swap-pieces"))

    assert (verdict.code, verdict.reason) == ("G620", "is no move of this game")


# ---- the octagon ----


def octagon(moves: str = "") -> Board:
    """The board after moves of a record of GGF, in which White begins."""
    (game,) = sgf_lark.loads(f"(;GM[Othello]TY[88]BO[88 {OCTAGON} O]{moves};)")
    *_, last = game.positions()
    return last.board.copy()


def test_the_octagon_of_ggf_lacks_three_squares_in_each_corner() -> None:
    board = octagon()
    missing = board.diagram().missing

    assert board.size == (10, 10)
    assert [*map(board.point, ("a1", "b1", "i1", "j1", "a2", "j2"))] == [*missing[:6]]
    assert len(missing) == 12
    assert board.to_play is W


def test_a_disc_on_a_missing_square_is_illegal_and_changes_nothing() -> None:
    board = octagon()
    verdict = board.legal("a1")

    assert (verdict.code, verdict.reason) == ("G620", "is a corner that this board does not have")
    assert board.play("a1", force=True).stones() == board.stones()
    assert board.play("a1", force=True).diagram().missing == board.diagram().missing


def test_discs_are_turned_up_to_the_edge_of_the_octagon() -> None:
    board = octagon().set_up(white=["d1", "e1"], black=["f1"])

    assert board.play("c1", "B")["d1"] is B
    assert not board.legal("b1", "B")


def test_a_copy_of_the_octagon_is_the_octagon() -> None:
    assert octagon().copy() == octagon()
    assert octagon() != Board("Othello", 10)


def test_a_record_of_ggf_is_played_on_its_board() -> None:
    last = octagon("W[e7]B[d7]")

    assert (last["e7"], last["e6"], last["d7"]) == (W, B, B)
    assert last.diagram().missing == octagon().diagram().missing
    assert last.number == 2

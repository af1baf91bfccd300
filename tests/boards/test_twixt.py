"""Twixt: pegs, border rows, and the links between pegs."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import sgf_lark
from sgf_lark import Board, BoardSize, Color, IllegalMoveError, Point
from sgf_lark.core.schema.values import LinkCenter
from sgf_lark.games.twixt import CROSSING, STEPS, TwixtState
from sgf_lark.pictures.parts import BoardKind

B, W = Color.BLACK, Color.WHITE


def played(*moves: str, size: int = 12, rules: str = "") -> Board:
    """A board after moves, each with its color: ``W:b2``."""
    board = Board("Twixt", size, rules=rules)
    for move in moves:
        color, _, hole = move.partition(":")
        board = board.play(hole, color)
    return board


def links(board: Board) -> set[str]:
    """The links by the names of their pegs, the left one first."""
    names = board.diagram().column_names
    return {
        "-".join(f"{names[point.column]}{point.row + 1}" for point in (link.first, link.second))
        for link in board.diagram().links
    }


def test_white_moves_first_and_pegs_are_put_into_holes() -> None:
    board = Board("Twixt")

    assert (board.size, board.to_play) == ((24, 24), W)
    assert board.diagram().kind is BoardKind.HOLES
    assert board.play("l12").diagram().stones[0].piece == "peg"
    with pytest.raises(IllegalMoveError, match="Black L12 is played on a white stone"):
        board.play("L12").play("l12")


def test_a_pass_is_no_move() -> None:
    assert Board("Twixt").legal("pass").code == "G620"
    assert Board("Twixt").play("pass", force=True).stones() == ()


def test_corners_have_no_holes() -> None:
    board = Board("Twixt", 6)

    assert board.legal("a1").code == board.legal("F6", "B").code == "G625"
    assert board.legal("a1").reason == "is a corner, which has no hole"
    assert board.play("a1", force=True).stones() == ()
    assert board.diagram().missing == tuple(map(board.point, ("a1", "f1", "a6", "f6")))


def test_corners_stay_empty_when_the_board_is_set_up() -> None:
    state = TwixtState(BoardSize(4, 5))
    state.put_points(Point(0, 0), Point(0, 0), "AB")
    assert [*state.pieces()] == []

    state.put_points(Point(0, 0), Point(3, 4), "AW")
    assert len([*state.pieces()]) == 16


@pytest.mark.parametrize("hole", ["a3", "f3"])
def test_the_columns_at_the_sides_are_for_black(hole: str) -> None:
    board = Board("Twixt", 6)

    assert board.legal(hole, "B").ok
    assert board.legal(hole, "W").code == "G625"
    assert "White connects top and bottom" in board.legal(hole, "W").reason


@pytest.mark.parametrize("hole", ["c1", "c6"])
def test_the_rows_at_the_ends_are_for_white(hole: str) -> None:
    board = Board("Twixt", 6)

    assert board.legal(hole, "W").ok
    assert board.legal(hole, "B").code == "G625"
    assert "Black connects left and right" in board.legal(hole, "B").reason


def test_a_peg_on_the_other_sides_border_is_on_the_board_if_forced() -> None:
    assert Board("Twixt", 6).play("a3", force=True)["a3"] is W


@pytest.mark.parametrize("end", ["e4", "g4", "d5", "h5", "d7", "h7", "e8", "g8"])
def test_a_peg_is_linked_to_those_a_knights_move_away(end: str) -> None:
    board = played("W:f6", f"W:{end}")
    (link,) = board.diagram().links

    assert {link.first, link.second} == {board.point("f6"), board.point(end)}
    assert link.first < link.second
    assert link.color is W


def test_all_legal_links_of_a_peg_are_made_at_once() -> None:
    ends = ("e4", "g4", "d5", "h5", "d7", "h7", "e8", "g8")

    assert len(links(played(*(f"B:{end}" for end in ends), "B:f6"))) == 8


def test_pegs_of_two_sides_are_not_linked() -> None:
    assert links(played("W:f6", "B:g8", "B:f7", "B:f8")) == set()


def test_links_do_not_reach_around_the_edge() -> None:
    state = TwixtState(BoardSize(4, 6))
    for name in ("a3", "d3", "a4", "d4", "a5", "d2", "b1", "c6"):
        state.play(state.coordinates.point(name), B)

    assert {
        (abs(first.column - second.column), abs(first.row - second.row))
        for first, second in state.links()
    } <= {(1, 2), (2, 1)}


def test_a_link_that_would_cross_another_sides_is_not_made() -> None:
    assert links(played("W:d4", "W:e6", "B:d5", "B:f6")) == {"D4-E6", "D5-F6"} - {"D5-F6"}


def test_a_link_that_would_cross_an_own_one_is_not_made() -> None:
    moves = ("W:d4", "W:e6", "W:d5", "W:f6")

    assert links(played(*moves)) == {"D4-E6", "D4-F5"} - {"D4-F5"}
    assert links(played(*moves, rules="STD")) == {"D4-E6"}
    assert links(played(*moves, rules="3M")) == {"D4-E6"}


def test_own_links_may_cross_by_the_rules_pp() -> None:
    assert links(played("W:d4", "W:e6", "W:d5", "W:f6", rules="pp")) == {"D4-E6", "D5-F6"}
    assert links(played("W:d4", "W:e6", "B:d5", "B:f6", rules="PP")) == {"D4-E6"}


def test_boards_by_other_rules_about_own_links_are_not_equal() -> None:
    assert Board("Twixt", rules="PP") != Board("Twixt")
    assert Board("Twixt", rules="3M") == Board("Twixt")


def test_links_at_one_peg_do_not_cross() -> None:
    assert len(links(played("W:d4", "W:e6", "W:f5", "W:c6"))) == 3


def test_nine_links_cross_each_link() -> None:
    """Two links cross if they have a point in common that is no end of either."""
    for way, step in enumerate(STEPS):
        crossing = {
            (column, row, other)
            for column in range(-3, 4)
            for row in range(-5, 6)
            for other, by in enumerate(STEPS)
            if meet((0, 0), step, (column, row), (column + by[0], row + by[1]))
        }
        assert {*CROSSING[way]} == crossing
        assert len(crossing) == 9


def meet(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]) -> bool:
    """The lines meet within both: solved for the parts of them up to there."""
    across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if across == 0:
        return False
    first = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across
    second = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / across
    return 0 < first < 1 and 0 < second < 1


# ---- the centers of links ----


def test_the_center_of_a_link_is_a_move_that_leaves_the_board_as_it_is() -> None:
    board = played("W:b2", "B:k9", "W:d3", "B:h9")
    after = board.play("c2*")

    assert after.last == LinkCenter(point=board.point("c2"))

    assert links(after) == links(board) == {"B2-D3"}
    assert (after.number, after.to_play) == (5, B)


@pytest.mark.parametrize(
    ("center", "reason"),
    [("a2", "it would end off the board"), ("c4", "no two pegs of one side at its ends")],
)
def test_the_center_of_no_link_is_illegal(center: str, reason: str) -> None:
    board = played("W:b2", "B:k9", "W:d3", "B:h9")
    verdict = board.legal(f"{center}*")

    assert verdict.code == "G620"
    assert reason in verdict.reason


# ---- setup ----


def test_a_peg_that_is_set_up_is_linked_as_one_that_is_played() -> None:
    assert links(Board("Twixt").set_up(white=["b2", "d3"], black=["f5"])) == {"B2-D3"}


def test_links_go_with_their_pegs() -> None:
    board = played("W:d4", "W:e6", "W:f5")

    assert links(board) == {"D4-E6", "D4-F5"}
    assert links(board.set_up(empty=["d4"])) == set()
    assert links(board.set_up(empty=["e6"])) == {"D4-F5"}
    assert links(board.play("e6", "B", force=True)) == {"D4-F5"}
    assert links(board.play("e6", "W", force=True)) == links(board)


@pytest.mark.parametrize(
    ("ident", "left"),
    [("AE", {"D4-E6", "E6-G7", "K9-L11"}), ("AB", {"D4-E6", "E6-G7", "K9-L11"})],
)
def test_the_links_of_a_rectangle_go(ident: str, left: set[str]) -> None:
    state = TwixtState(BoardSize(12, 12))
    for name in ("d4", "e6", "g7", "f8", "f5", "k9", "l11"):
        point = state.coordinates.point(name)
        state.put_points(point, point, "AW")
    mark, before = state.mark, {*state.links()}
    shown = state.coordinates.name
    state.put_points(Point(5, 3), Point(7, 4), ident)

    assert {f"{shown(one)}-{shown(two)}" for one, two in state.links()} == left | {"E6-F8"}
    state.rewind(mark)
    assert {*state.links()} == before


@given(st.integers(3, 9), st.integers(3, 9), st.sampled_from(["", "PP"]), st.randoms())
def test_links_are_between_pegs_of_a_side_and_cross_none(
    columns: int, rows: int, rules: str, chance: object
) -> None:
    state = TwixtState(BoardSize(columns, rows), rules=rules)
    while state.to_play and (moves := [*state.moves(state.to_play)]):
        state.play(chance.choice(moves), state.to_play)  # type: ignore[attr-defined]

    made = [*state.links()]
    for number, (first, second) in enumerate(made):
        color = state.at(first)
        assert color is state.at(second) is not None
        for one, two in made[:number]:
            own = rules == "PP" and state.at(one) is color
            assert own or not meet(first, second, one, two)


@pytest.mark.parametrize(("rules", "crossing"), [("", False), ("RU[PP]", True), ("RU[3M]", False)])
def test_the_rules_of_a_record_decide_about_own_links(rules: str, crossing: bool) -> None:  # noqa: FBT001
    text = f"(;FF[4]GM[21]SZ[12]{rules};W[d4];B[k9];W[e6];B[k8];W[d5];B[k7];W[f6])"
    (game,) = sgf_lark.loads(text)
    board = game.board([*game.main_line()][-1])

    assert ("D5-F6" in links(board)) is crossing
    assert "D4-E6" in links(board)

"""Amazons: its rules one by one, and moves, judgement and play as one truth."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.playing import cells_of, check_changes, positions

from sgf_lark.core.schema.values import PASS, AmazonsMove, BoardSize, Color, InitialBoard, Point
from sgf_lark.games.amazons import ARROW, AmazonsState
from sgf_lark.positions.board import Board, IllegalMoveError


def board(black: str = "", white: str = "", size: int = 10) -> Board:
    """A board with amazons on the points named."""
    empty = Board("Amazons", size, empty=True)
    return empty.set_up(black=black.split(), white=white.split(), to_play="B")


def test_the_start_is_that_of_the_standard() -> None:
    start = Board("Amazons")

    assert {start.point(name) for name in ("dj", "gj", "ag", "jg")} == {*start.stones(Color.BLACK)}
    assert {start.point(name) for name in ("da", "ga", "ad", "jd")} == {*start.stones(Color.WHITE)}
    assert start["d1"] is Color.BLACK
    assert len(start.legal_moves()) == len(start.legal_moves("W")) == 2176


def test_nobody_knows_the_start_on_another_board() -> None:
    other = Board("Amazons", 6)

    assert other.stones() == ()
    assert other.legal_moves() == ()
    assert other.legal("a1-a2-a3")
    assert not Board("Amazons", 6, empty=True).legal("a1-a2-a3")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("d1-d7-g7", ""),
        ("d1-d7-d1", ""),  # the arrow goes where the amazon came from
        ("d1-d2-d1", ""),
        ("e1-e2-e3", "moves no black amazon"),
        ("d10-d9-d8", "moves no black amazon"),
        ("d1-e3-e4", "sends its amazon along no line"),
        ("d1-d1-d2", "sends its amazon along no line"),
        ("d1-d10-d9", "sends its amazon over a square that is not free"),
        ("d1-h1-h2", "sends its amazon over a square that is not free"),
        ("d1-d2-e4", "sends its arrow along no line"),
        ("d1-d2-d2", "sends its arrow along no line"),
        ("d1-d9-d10", "sends its arrow over a square that is not free"),
    ],
)
def test_an_amazon_and_its_arrow_go_along_free_lines(move: str, reason: str) -> None:
    verdict = Board("Amazons").legal(move)

    assert verdict.reason == reason
    assert verdict.code == ("G620" if reason else "")


def test_arrows_stay_and_block() -> None:
    after = Board("Amazons").play("d1-d7-g7")

    assert after["g7"] == ARROW
    assert after["d7"] is Color.BLACK
    assert after["d1"] is None
    assert after.diagram().last == tuple(map(after.point, ("d1", "d7", "g7")))
    assert [stone.point for stone in after.diagram().stones if stone.piece == ARROW] == [
        after.point("g7")
    ]
    assert len(after.stones()) == 8
    assert not after.legal("g10-g6-g5", "W")
    assert after.legal("g10-g8-g9", "W")


def test_who_cannot_move_has_no_move_at_all() -> None:
    shut = board("a1", "b1", size=2).play("a1-a2-a1")

    assert shut.legal_moves("W") == (
        AmazonsMove(origin=Point(1, 1), target=Point(1, 0), arrow=Point(1, 1)),
    )
    last = shut.play("b1-b2-b1")
    assert last.legal_moves("B") == ()
    assert last.legal(PASS, "B").reason == "is no move of this game"


def test_an_illegal_move_is_carried_out_by_the_amazon_at_its_origin() -> None:
    start = Board("Amazons")

    after = start.play("d1-d10-d9", force=True)
    assert after["d10"] is Color.BLACK
    assert after["d9"] == ARROW
    assert after.captured == {Color.BLACK: 0, Color.WHITE: 1}
    assert start.play("e1-e2-e3", force=True).stones() == start.stones()
    with pytest.raises(IllegalMoveError, match="Black e1-e2-e3 moves no black amazon"):
        start.play("e1-e2-e3")


@pytest.mark.parametrize(
    "text", ["d1-d7-g7", "D1-D7-G7", "djddgd", "d1-d7/g7", "d1-d7(g7)", "d1 d7 g7"]
)
def test_moves_are_read_as_people_write_them(text: str) -> None:
    state = AmazonsState(BoardSize(10, 10))
    move = AmazonsMove(origin=Point(3, 9), target=Point(3, 3), arrow=Point(6, 3))

    assert state.read_move(text) == move
    assert state.name_move(move) == "d1-d7-g7"


@pytest.mark.parametrize("text", ["pass", "", "d1-d7", "d1-d7-g11", "djddg", "d1"])
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(ValueError, match=r"no (move|point)"):
        Board("Amazons").play(text)


def test_rows_of_ggf_are_those_of_its_first_board() -> None:
    rows = ("---*--*---", *["-" * 10] * 2, "*--------*", *["-" * 10] * 5, "---O--O---")
    state = AmazonsState(BoardSize(10, 10))
    state.put_board(InitialBoard(size=10, rows=rows, to_move=Color.WHITE))

    assert state.to_play is Color.WHITE
    assert state.at(state.coordinates.point("D1")) is Color.BLACK
    assert state.read_move("D1-D7-G7") == AmazonsMove(
        origin=Point(3, 0), target=Point(3, 6), arrow=Point(6, 6)
    )
    assert state.diagram().rows_from_bottom
    assert state.diagram().row_names[0] == "1"
    assert state.copy().diagram() == state.diagram()
    with pytest.raises(ValueError, match="no point"):
        state.read_move("djddgd")


def test_arrows_are_set_up_as_well() -> None:
    state = AmazonsState(BoardSize(4, 4))
    state.put_points(Point(0, 0), Point(1, 1), "AA")
    state.put_points(Point(0, 0), Point(0, 0), "AE")

    assert [stone.point for stone in state.pieces()] == [Point(1, 0), Point(0, 1), Point(1, 1)]
    assert state.at(Point(1, 1)) == ARROW
    assert state.at(Point(0, 0)) is None


# ---- by chance ----


def candidates(state: AmazonsState) -> list[AmazonsMove]:
    points = [*cells_of(state.size)]
    return [
        AmazonsMove(origin=origin, target=target, arrow=arrow)
        for origin, target, arrow in product(points, repeat=3)
    ]


@given(positions(AmazonsState, sizes=st.integers(1, 3), idents=("AB", "AW", "AA")))
def test_the_moves_are_those_that_are_judged_legal(state: AmazonsState) -> None:
    for color in Color:
        assert [*state.moves(color)] == [
            move for move in candidates(state) if state.judge(move, color)
        ]


@settings(max_examples=amount(5, 50))
@given(positions(AmazonsState, sizes=st.integers(1, 3), idents=("AB", "AW", "AA")), st.data())
def test_play_says_what_judge_says_and_can_be_taken_back(
    state: AmazonsState, data: st.DataObject
) -> None:
    moves = [*candidates(state), PASS]
    check_changes(state, data.draw(st.lists(st.sampled_from(moves), min_size=1, max_size=6)))

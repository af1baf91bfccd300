"""Lines of Action: its rules one by one, and moves, judgement and play as one truth."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from support.playing import cells_of, check_changes, positions

from sgf_lark.core.schema.values import PASS, Action, BoardSize, Color, Pass, Point, Step
from sgf_lark.games.lines_of_action import LoaState
from sgf_lark.positions.board import Board, IllegalMoveError


def board(black: str = "", white: str = "", size: int = 8) -> Board:
    """A board with pieces on the points named."""
    empty = Board("Lines of Action", size, empty=True)
    return empty.set_up(black=black.split(), white=white.split(), to_play="B")


def reason(board: Board, move: str, color: str = "B") -> str:
    verdict = board.legal(move, color)
    assert verdict.ok or verdict.code in {"G620", "G621"}
    return verdict.reason


def test_the_start_has_twelve_pieces_of_each_side_and_no_corner() -> None:
    start = Board("Lines of Action")

    assert {point.row for point in start.stones(Color.BLACK)} == {0, 7}
    assert {point.column for point in start.stones(Color.WHITE)} == {0, 7}
    assert len(start.stones(Color.BLACK)) == len(start.stones(Color.WHITE)) == 12
    assert [start[corner] for corner in ("a1", "a8", "h1", "h8")] == [None] * 4
    assert start.to_play is Color.BLACK
    assert len(start.legal_moves()) == len(start.legal_moves("W")) == 36


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, (2, 9), (9, 3)])
def test_a_board_of_any_size_has_a_start(size: int | tuple[int, int]) -> None:
    start = Board("Lines of Action", size)

    columns, rows = start.size
    assert len(start.stones(Color.BLACK)) == max(columns - 2, 0) * min(rows, 2)
    assert len(start.stones(Color.WHITE)) == max(rows - 2, 0) * min(columns, 2)


def test_a_piece_goes_as_many_squares_as_its_line_has_pieces() -> None:
    start = Board("Lines of Action")

    assert start.legal("b1-b3")
    assert reason(start, "b1-b2") == (
        "moves 1 square, but must move 2, the number of pieces on its line"
    )
    assert reason(start, "c1-c4") == (
        "moves 3 squares, but must move 2, the number of pieces on its line"
    )
    assert board("d4").legal("d4-e5")


def test_a_piece_moves_along_a_line() -> None:
    assert reason(Board("Lines of Action"), "b1-c3") == "does not move along a line"
    assert reason(Board("Lines of Action"), "b1-b1") == "does not move along a line"


def test_a_side_moves_its_own_pieces() -> None:
    start = Board("Lines of Action")

    assert reason(start, "a2-c2") == "moves no black piece"
    assert reason(start, "d4-d5") == "moves no black piece"
    assert reason(start, "b1-b3", "W") == "moves no white piece"


def test_a_piece_jumps_over_its_own_side_only() -> None:
    assert board("a1 b1 c1").legal("a1-d1")
    assert reason(board("a1 c1", "b1"), "a1-d1") == "jumps over a piece of the other side"
    assert reason(board("a1 b1"), "b1-d1") == ""
    assert reason(board("a1 c1"), "a1-c1") == "ends on a piece of its own side"


def test_a_piece_takes_what_it_ends_on() -> None:
    after = board("a1", "c1").play("a1:c1")

    assert after.captured == {Color.BLACK: 0, Color.WHITE: 1}
    assert after["c1"] is Color.BLACK
    assert after["a1"] is None
    assert after.diagram().last == (Point(0, 0), Point(2, 0))


def test_only_who_cannot_move_passes() -> None:
    stuck = board("a1 c3", "", size=3)

    assert [*stuck.legal_moves("W")] == [PASS]
    assert stuck.play("pass", "W").to_play is Color.BLACK
    assert reason(stuck, "pass", "B") == "passes, but can move"
    assert Board("Lines of Action").legal("resign")


def test_an_illegal_move_is_carried_out_by_whatever_is_at_its_origin() -> None:
    start = Board("Lines of Action")

    after = start.play("a2-b2", "B", force=True)
    assert after["b2"] is Color.WHITE
    assert after["a2"] is None
    assert start.play("d4-d5", force=True).stones() == start.stones()
    assert start.play("b1-c1", force=True).captured[Color.BLACK] == 1
    with pytest.raises(IllegalMoveError, match=r"Black a2-b2 moves no black piece"):
        start.play("a2-b2")


@pytest.mark.parametrize(
    ("text", "capture", "name"),
    [("b1-b3", False, "b1-b3"), ("B1:b3", True, "b1:b3"), ("b1xb3", True, "b1:b3")],
)
def test_moves_are_read_as_they_are_written(text: str, *, capture: bool, name: str) -> None:
    state = LoaState(BoardSize(8, 8))

    move = state.read_move(text)
    assert move == Step(origin=Point(1, 0), target=Point(1, 2), capture=capture)
    assert state.name_move(move) == name
    assert state.read_move("b1b3") == Step(origin=Point(1, 0), target=Point(1, 2))
    assert state.read_move("Resign") == Action(word="resign")
    assert state.name_move(state.read_move("pass")) == "pass"


@pytest.mark.parametrize("text", ["b1", "b1-b9", "b1-b3-b5", "", "bb:cc", "b1-i1"])
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(ValueError, match=r"no (move|point)"):
        Board("Lines of Action").play(text)


def test_a_value_of_another_game_is_no_move() -> None:
    assert Board("Lines of Action").legal(Point(0, 0)).reason == "is no move of this game"


# ---- by chance ----


def candidates(state: LoaState) -> list[Step]:
    points = [*cells_of(state.size)]
    return [Step(origin=origin, target=target) for origin in points for target in points]


@given(positions(LoaState, sizes=st.integers(1, 5)))
def test_the_moves_are_those_that_are_judged_legal(state: LoaState) -> None:
    for color in Color:
        moves = [*state.moves(color)]
        steps = [move for move in moves if isinstance(move, Step)]
        assert [(move.origin, move.target) for move in steps] == [
            (move.origin, move.target)
            for move in sorted(
                candidates(state), key=lambda move: (move.origin[::-1], move.target[::-1])
            )
            if state.judge(move, color)
        ]
        for move in steps:
            assert move.capture == (state.at(move.target) is color.opponent)
        assert [move for move in moves if isinstance(move, Pass)] == [PASS] * (not steps)
        assert state.judge(PASS, color).ok is not bool(steps)


@given(positions(LoaState, sizes=st.integers(1, 5)), st.data())
def test_play_says_what_judge_says_and_can_be_taken_back(
    state: LoaState, data: st.DataObject
) -> None:
    moves = [*candidates(state), PASS, Action(word="resign")]
    check_changes(state, data.draw(st.lists(st.sampled_from(moves), min_size=1, max_size=6)))


@pytest.mark.night
def test_legal_moves_of_a_large_board_take_time_for_its_squares() -> None:
    def work(side: int) -> int:
        state = LoaState(BoardSize(side, side))
        for column in range(0, side, 2):
            state.put_points(Point(column, 0), Point(column, side - 1), "AB")
        before = state.work
        assert len([*state.moves(Color.BLACK)]) > side
        return state.work - before

    assert work(240) < 18 * work(60)

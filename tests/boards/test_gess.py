"""Gess: its rules one by one, and moves, judgement and play as one truth."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount, one_in
from support.playing import cells_of, check_changes, positions

from sgf_lark.core.schema.values import PASS, BoardSize, Color, Point, Step
from sgf_lark.games.gess import GessState
from sgf_lark.positions.board import Board, IllegalMoveError

SHORT = "without a stone in its center a piece moves at most 3"

#: From a center to the points of its piece.
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]


def board(black: str = "", white: str = "", size: int = 20) -> Board:
    """A board with stones on the points named."""
    empty = Board("Gess", size, empty=True)
    return empty.set_up(black=black.split(), white=white.split(), to_play="B")


def test_the_start_has_43_stones_of_each_side_and_none_on_the_edge() -> None:
    start = Board("Gess")

    assert len(start.stones(Color.BLACK)) == len(start.stones(Color.WHITE)) == 43
    assert {point.row for point in start.stones(Color.WHITE)} == {1, 2, 3, 6}
    assert {point.row for point in start.stones(Color.BLACK)} == {13, 16, 17, 18}
    assert not {0, 19} & {side for point in start.stones() for side in point}


def test_either_side_may_begin_at_the_upper_edge() -> None:
    lower, upper = GessState(BoardSize(20, 20)), GessState(BoardSize(20, 20))
    lower.put_start()
    upper.put_start(upper=Color.BLACK)

    assert lower.judge(lower.read_move("er:eo"), Color.BLACK)
    assert not upper.judge(upper.read_move("er:eo"), Color.BLACK)
    assert upper.judge(upper.read_move("er:eo"), Color.WHITE)
    assert [(*one.point, one.color) for one in upper.pieces()] == [
        (*one.point, one.color.opponent) for one in lower.pieces() if one.color
    ]


def test_nobody_knows_the_start_on_another_board() -> None:
    other = Board("Gess", 12)

    assert other.stones() == ()
    assert other.legal("ee:eh")
    assert not other.legal("ee:fh")
    assert not other.legal("ae:ee")
    assert not other.set_up(black=["ee"]).legal("ff:fg")
    assert not Board("Gess", 12, empty=True).legal("ee:eh")


@pytest.mark.parametrize(
    ("black", "white", "move", "reason"),
    [
        ("ee ef", "", "ee:eh", ""),
        ("ee ef ed", "", "ee:es", ""),
        ("ef", "", "ee:eh", ""),
        ("ff", "", "ee:hh", ""),
        (
            "ff",
            "",
            "ee:ii",
            "moves 4 points, but without a stone in its center a piece moves at most 3",
        ),
        ("ee ef", "", "ee:ed", "moves in a direction in which the piece has no stone"),
        ("ee ef", "", "ee:fg", "does not move along a line"),
        ("ee ef", "", "ee:ee", "does not move along a line"),
        ("ee ef", "", "aa:bb", "has the center of a piece on the edge of the board"),
        ("ee ef", "", "ee:et", "has the center of a piece on the edge of the board"),
        ("ee ef", "dd", "ee:eh", "moves a piece that holds white stones"),
        ("ee ef", "", "jj:jk", "moves a piece without black stones"),
        ("", "ee ef", "ee:eh", "moves a piece that holds white stones"),
        ("ee ef", "ei", "ee:eh", ""),
        ("ee ef", "eh", "ee:eh", "continues after stones that stop it"),
        ("ee ef", "eh", "ee:eg", ""),
        ("ee ef eh", "", "ee:eh", "continues after stones that stop it"),
    ],
)
def test_a_piece_goes_where_its_stones_point(
    black: str, white: str, move: str, reason: str
) -> None:
    verdict = board(black, white).legal(move)

    assert verdict.reason == reason
    assert verdict.code == ("" if not reason else "G626" if "edge" in reason else "G620")


def test_a_piece_takes_all_that_is_where_it_ends() -> None:
    after = board("ee ef df", "eh di fi", size=12).play("ee:eg")

    assert after.captured == {Color.BLACK: 0, Color.WHITE: 1}
    assert {*after.stones(Color.BLACK)} == {after.point(name) for name in ("eg", "eh", "dh")}
    assert {*after.stones(Color.WHITE)} == {after.point(name) for name in ("di", "fi")}
    assert after.diagram().last == (after.point("ee"), after.point("eg"))
    own = board("ee ef eh", size=12).play("ee:eg")
    assert own.captured == {Color.BLACK: 1, Color.WHITE: 0}


def test_stones_on_the_edge_are_off_the_board() -> None:
    after = board("cb cc dc", "ak", size=12).play("cb:cc")

    assert after.captured == {Color.BLACK: 0, Color.WHITE: 1}
    off = board("bf cf", size=12).play("cf:bf")
    assert off.captured == {Color.BLACK: 1, Color.WHITE: 0}
    assert off.stones() == (off.point("bf"),)


def test_an_illegal_move_carries_nine_points() -> None:
    start = board("ee", "df", size=12)

    after = start.play("ee:ha", force=True)
    assert after.stones() == (after.point("gb"),)
    assert after.captured == {Color.BLACK: 1, Color.WHITE: 0}
    moved = start.play("ee:hc", force=True)
    assert moved["hc"] is Color.BLACK
    assert moved["gd"] is Color.WHITE
    with pytest.raises(IllegalMoveError, match="Black ee:hc does not move along a line"):
        start.play("ee:hc")


@pytest.mark.parametrize("text", ["cc:cf", "cc-cf", "c18:c15", "C18-c15"])
def test_moves_are_read_as_people_write_them(text: str) -> None:
    state = GessState(BoardSize(20, 20))
    move = Step(origin=Point(2, 2), target=Point(2, 5))

    assert state.read_move(text) == move
    assert state.name_move(move) == "cc:cf"


@pytest.mark.parametrize("text", ["pass", "", "cc", "cc:c21", "cc:zz", "cccf"])
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(ValueError, match=r"no (move|point)"):
        Board("Gess").play(text)


def test_a_pass_is_no_move() -> None:
    assert Board("Gess").legal(PASS).reason == "is no move of this game"


# ---- another way to say the rules ----


def moved(point: Point, x: int, y: int, far: int = 1) -> Point:
    return Point(point.column + far * x, point.row + far * y)


def far_from(point: Point, other: Point) -> int:
    return max(abs(point.column - other.column), abs(point.row - other.row))


def inner(size: BoardSize) -> list[Point]:
    """The points that are not on the edge."""
    columns, rows = size
    return [Point(x, y) for x, y in cells_of(size) if 0 < x < columns - 1 and 0 < y < rows - 1]


def stones_of(state: GessState) -> dict[Point, Color | None]:
    return {stone.point: stone.color for stone in state.pieces()}


def slow_moves(state: GessState, color: Color) -> list[tuple[Point, Point]]:
    """All moves: every two centers, judged on sets of points."""
    stones, centers = stones_of(state), inner(state.size)
    found = []
    for center in centers:
        piece = {(x, y): stones.get(moved(center, x, y)) for x, y in AROUND}
        if {*piece.values()} - {None} != {color}:
            continue
        others = {point for point in stones if far_from(point, center) > 1}
        for target in centers:
            far = far_from(center, target)
            x, y = target.column - center.column, target.row - center.row
            if not far or {abs(x), abs(y)} - {0, far} or not piece[x // far, y // far]:
                continue
            way = [moved(center, x // far, y // far, step) for step in range(1, far)]
            free = all(far_from(point, passed) > 1 for point in others for passed in way)
            if free and (far <= 3 or piece[0, 0]):
                found.append((center, target))
    return found


def slow_play(state: GessState, move: Step) -> dict[Point, Color | None]:
    """The board after a legal move."""
    stones = stones_of(state)
    lifted = {(x, y): stones.pop(moved(move.origin, x, y), None) for x, y in AROUND}
    for (x, y), held in lifted.items():
        stones[moved(move.target, x, y)] = held
    return {point: stones[point] for point in inner(state.size) if stones.get(point)}


def in_order(moves: list[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    return sorted(moves, key=lambda move: (move[0][::-1], move[1][::-1]))


@settings(max_examples=amount(6, 50))
@given(positions(GessState, sizes=st.integers(1, 8)))
def test_the_moves_are_those_of_the_slow_rules_and_those_judged_legal(state: GessState) -> None:
    for color in Color:
        moves: list[Any] = [*state.moves(color)]
        pairs = [(move.origin, move.target) for move in moves]
        assert pairs == in_order(slow_moves(state, color))
        assert {*pairs} == {
            (move.origin, move.target) for move in candidates(state) if state.judge(move, color)
        }
        for move in moves[:5]:
            expected = slow_play(state, move)
            before, mark = [*state.pieces()], state.mark
            lost = {side: sum(one.color is side for one in before) for side in Color}
            taken = state.black_captured, state.white_captured
            state.play(move, color)
            assert {stone.point: stone.color for stone in state.pieces()} == expected
            left = {side: [*expected.values()].count(side) for side in Color}
            assert state.black_captured - taken[0] == lost[Color.BLACK] - left[Color.BLACK]
            assert state.white_captured - taken[1] == lost[Color.WHITE] - left[Color.WHITE]
            state.rewind(mark)


def candidates(state: GessState) -> list[Step]:
    points = [*cells_of(state.size)]
    return [Step(origin=origin, target=target) for origin in points for target in points]


@settings(max_examples=amount(6, 50))
@given(positions(GessState, sizes=st.integers(1, 7)), st.data())
def test_play_says_what_judge_says_and_can_be_taken_back(
    state: GessState, data: st.DataObject
) -> None:
    moves = [*candidates(state), PASS]
    check_changes(state, data.draw(st.lists(st.sampled_from(moves), min_size=1, max_size=6)))


@pytest.mark.night
@pytest.mark.both_lanes
def test_random_games_follow_the_slow_rules() -> None:
    chance = random.Random(13)  # noqa: S311  # a test
    for _ in range(amount(1, 5)):
        state = GessState(BoardSize(20, 20))
        state.put_start()
        for _ in range(amount(2, 30)):
            color = state.to_play or Color.BLACK
            moves = [*state.moves(color)]
            assert [(one.origin, one.target) for one in moves if isinstance(one, Step)] == in_order(
                slow_moves(state, color)
            )
            if not moves:
                break
            move = chance.choice(moves)
            assert isinstance(move, Step)
            expected = slow_play(state, move)
            assert state.play(move, color)
            assert {stone.point: stone.color for stone in state.pieces()} == expected


@pytest.mark.night
@pytest.mark.parametrize("stones", one_in(4, [0.5, 0.01, 1, 0.1]))
def test_a_board_has_at_most_eight_moves_a_point(stones: float) -> None:
    chance = random.Random(7)  # noqa: S311  # a test
    state = GessState(BoardSize(60, 60))
    for point in cells_of(state.size):
        if chance.random() < stones:
            state.put_points(point, point, "AB")

    assert 100 < len([*state.moves(Color.BLACK)]) <= 8 * 60 * 60

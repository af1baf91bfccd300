"""Go: what a board plays, what it forbids, and how it goes back."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from sgfmill import boards
from support import slow_go
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark import PASS, Board, BoardSize, Color, IllegalMoveError, Point
from sgf_lark.games.go import GoRules, GoState, KoRule
from sgf_lark.positions.grid import BLACK, BORDER, EMPTY, WHITE, hoshi

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark.core.schema.values import Value

B, W = Color.BLACK, Color.WHITE
LETTERS = {None: EMPTY, "b": BLACK, "w": WHITE}
CELLS = {None: EMPTY, B: BLACK, W: WHITE}


def drawn(*rows: str, rules: str = "", to_play: Color = B) -> Board:
    """A board as it is drawn: X is black, O is white."""
    board = Board("Go", (len(rows[0]), len(rows)), rules=rules)
    points = [(Point(x, y), char) for y, row in enumerate(rows) for x, char in enumerate(row)]
    black, white = ([point for point, char in points if char == one] for one in "XO")
    return board.set_up(black=black, white=white, to_play=to_play)


def rows_of(board: Board) -> tuple[str, ...]:
    columns, rows = board.size
    shown: dict[object, str] = {None: ".", B: "X", W: "O"}
    return tuple("".join(shown[board[Point(x, y)]] for x in range(columns)) for y in range(rows))


# ---- captures ----


def test_stones_without_liberties_are_taken_and_counted() -> None:
    board = drawn("OX.", "OX.", ".X.").play("A1")

    assert rows_of(board) == (".X.", ".X.", "XX.")
    assert board.captured == {B: 0, W: 2}


def test_opposing_stones_are_taken_before_ones_own() -> None:
    assert rows_of(drawn(".OX", "OX.", "X..").play("A3")) == ("X.X", ".X.", "X..")


def test_setup_captures_nothing_and_play_beside_it_does() -> None:
    board = drawn("OX.", "X..", "...")

    assert rows_of(board) == ("OX.", "X..", "...")
    assert board.captured == {B: 0, W: 0}
    assert rows_of(board.play("C1")) == ("OX.", "X..", "..X")


@pytest.mark.parametrize("seed", one_in(5, range(20)))
@pytest.mark.parametrize("side", [2, 5, 9])
def test_it_captures_as_another_implementation_does(seed: int, side: int) -> None:
    mine, other = GoState(BoardSize(side, side)), boards.Board(side)
    for color, row, column in random_moves(seed, side, 300):
        if other.get(row, column) is not None:
            continue
        other.play(row, column, color)
        mine.play(Point(column, row), B if color == "b" else W)
        cells = [mine.held(mine.cell(Point(x, y))) for y in range(side) for x in range(side)]
        assert cells == [LETTERS[other.get(y, x)] for y in range(side) for x in range(side)]


def random_moves(seed: int, side: int, count: int) -> Iterator[tuple[str, int, int]]:
    chance = random.Random(seed)  # noqa: S311  # a test
    for number in range(count):
        yield "bw"[number % 2], chance.randrange(side), chance.randrange(side)


# ---- the rules, one by one ----


def test_a_stone_on_a_stone_is_illegal() -> None:
    verdict = drawn("X..", "...", "...").legal("A3", W)

    assert (verdict.ok, verdict.code, verdict.reason) == (
        False,
        "G601",
        "is played on a black stone",
    )


KO = (".XO.", "XO.O", ".XO.", "....")


def test_a_ko_is_not_taken_back_at_once() -> None:
    board = drawn(*KO).play("C3")

    assert board.ko == Point(1, 1)
    assert board.legal("B3").code == "G605"
    assert board.legal("B3").reason == "takes the ko back at once"
    assert board.point("B3") not in board.legal_moves()


def test_a_ko_is_open_after_a_move_a_pass_and_setup() -> None:
    taken = drawn(*KO).play("C3")

    for board in (taken.play("D1").play("pass"), taken.play("pass").play("pass"), taken.set_up()):
        assert board.ko is None
        assert board.legal("B3", W)


def test_the_side_that_took_a_ko_may_fill_it() -> None:
    assert drawn(*KO).play("C3").legal("B3", B)


def test_two_stones_are_taken_back() -> None:
    board = drawn("XO.", "XO.", "X.O", to_play=W).play("B1")

    assert board.ko is None


def test_suicide_is_illegal_and_counts_the_stones() -> None:
    board = drawn(".O.", "O..", "...")
    two = drawn("X.O", "OO.", "...")

    assert board.legal("A3").code == "G604"
    assert board.legal("A3").reason == "is suicide: Black loses the stone"
    assert two.legal("B3").reason == "is suicide: Black loses the stone with 1 other stone"


def test_suicide_takes_ones_own_stones_where_the_rules_allow_it() -> None:
    board = drawn("X.O", "OO.", "...", rules="NZ")

    assert board.legal("B3")
    after = board.play("B3")
    assert rows_of(after) == ("..O", "OO.", "...")
    assert after.captured == {B: 2, W: 0}


def test_an_illegal_move_is_carried_out_only_by_force() -> None:
    board = drawn(".O.", "O..", "...")

    with pytest.raises(IllegalMoveError, match="Black A3 is suicide: Black loses the stone"):
        board.play("A3")
    after = board.play("A3", force=True)
    assert rows_of(after) == rows_of(board)
    assert after.captured == {B: 1, W: 0}
    assert rows_of(drawn("X..").play("A1", W, force=True)) == ("O..",)


#: White throws in at A4, Black takes two at C4, White takes one at B4: sending two, returning one.
TWO_FOR_ONE = (".O.O.", "XXO..", ".....", ".....")


@pytest.mark.parametrize(
    ("rules", "code"),
    [("Japanese", ""), ("Korean", ""), ("", ""), ("AGA", ""), ("NZ", ""), ("Chinese", "G606")],
)
def test_positional_superko_forbids_a_position_with_the_other_side_to_play(
    rules: str, code: str
) -> None:
    board = drawn(*TWO_FOR_ONE, rules=rules, to_play=W).play("A4").play("C4")

    assert board.legal("B4").code == code
    assert (board.point("B4") in board.legal_moves()) == (not code)


@pytest.mark.parametrize(("rules", "code"), [("Japanese", ""), ("AGA", "G606"), ("NZ", "G606")])
def test_situational_superko_forbids_a_position_with_the_same_side_to_play(
    rules: str, code: str
) -> None:
    board = drawn(*TWO_FOR_ONE, rules=rules, to_play=W)
    board = board.play("pass").play("pass").play("A4").play("C4")

    assert board.legal("B4").code == code
    assert (board.point("B4") in board.legal_moves()) == (not code)


@pytest.mark.parametrize(("rules", "code"), [("NZ", ""), ("Tromp-Taylor", "G606")])
def test_suicide_of_one_stone_repeats_the_position_but_not_the_situation(
    rules: str, code: str
) -> None:
    board = drawn(".O.", "O..", "...", rules=rules)

    assert board.legal("A3").code == code
    assert (board.point("A3") in board.legal_moves()) == (not code)


def test_a_move_that_takes_nothing_can_repeat_a_position() -> None:
    board = drawn("....", rules="Chinese").play("A1")
    board = board.set_up(empty=["A1"], to_play=B)
    started = board.set_up(black=["A1"], to_play=W).play("D1").set_up(empty=["A1", "D1"])

    assert started.legal("A1", B).code == "G606"
    assert Point(0, 0) not in started.legal_moves(B)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("", GoRules(KoRule.SIMPLE, suicide=False)),
        ("Japanese", GoRules(KoRule.SIMPLE, suicide=False)),
        ("Korean", GoRules(KoRule.SIMPLE, suicide=False)),
        ("some of ours", GoRules(KoRule.SIMPLE, suicide=False)),
        ("Chinese", GoRules(KoRule.POSITIONAL, suicide=False)),
        (" chinese rules", GoRules(KoRule.POSITIONAL, suicide=False)),
        ("AGA", GoRules(KoRule.SITUATIONAL, suicide=False)),
        ("NZ", GoRules(KoRule.SITUATIONAL, suicide=True)),
        ("New-Zealand", GoRules(KoRule.SITUATIONAL, suicide=True)),
        ("GOE", GoRules(KoRule.POSITIONAL, suicide=True)),
        ("Ing", GoRules(KoRule.POSITIONAL, suicide=True)),
        ("Tromp-Taylor", GoRules(KoRule.POSITIONAL, suicide=True)),
        ("koSIMPLEscoreAREAtaxNONEsui1", GoRules(KoRule.SIMPLE, suicide=True)),
        ("koPOSITIONALscoreTERRITORYtaxSEKIsui0whbN", GoRules(KoRule.POSITIONAL, suicide=False)),
    ],
)
def test_rules_are_known_by_their_names(name: str, rules: GoRules) -> None:
    assert GoRules.of(name) == rules


# ---- the handle ----


def test_moves_are_counted_and_the_last_one_is_known() -> None:
    board = Board("Go", 9).play("E5").play("pass")

    assert (board.number, board.last, board.to_play) == (2, PASS, B)
    assert board.play(Point(2, 6)).last == Point(2, 6)
    assert board.set_up(black=["A1"]).last is None


def test_boards_are_equal_by_stones_side_ko_and_rules() -> None:
    here = Board("Go", 9).play("A1").play("pass").play("B1")
    there = Board("Go", 9).play("B1").play("pass").play("A1")

    assert here == there
    assert hash(here) == hash(there)
    assert here != here.set_up(to_play=B)
    assert here != Board("Go", 9, rules="NZ").set_up(black=["A1", "B1"], to_play=W)
    ko = drawn(*KO).play("C3")
    assert ko != ko.set_up()
    assert rows_of(ko) == rows_of(ko.set_up())


def test_a_board_does_not_change_with_those_made_from_it() -> None:
    board = Board("Go", 5, rules="Chinese").play("C3")
    before = rows_of(board), board.number, board.legal_moves()

    board.play("C4").play("D3")
    board.set_up(white=["A1"])

    assert (rows_of(board), board.number, board.legal_moves()) == before


@pytest.mark.parametrize("size", [(1, 1), (2, 7), (52, 3), (3, 52), (53, 2), (702, 2)])
def test_boards_of_all_sizes_are_played_on(size: tuple[int, int]) -> None:
    columns, rows = size
    board = Board("Go", size)
    corner = Point(columns - 1, rows - 1)
    moves = board.legal_moves()

    assert len(moves) == columns * rows + 1 - (size == (1, 1))
    if size == (1, 1):
        assert board.legal(corner).code == "G604"
        return
    assert moves[columns * rows - 1 :] == (corner, PASS)
    after = board.play(corner)
    assert after.stones(B) == (corner,)
    assert after.legal_moves()[-2] == Point(columns - 2, rows - 1)
    assert after.legal(Point(columns, 0)).code == "G603"


def test_stones_are_named_row_by_row() -> None:
    board = Board("Go", 19).set_up(black=["A1", "T19", "D4"], white=["B19", "C4"])

    assert board.stones() == tuple(map(board.point, ("B19", "T19", "C4", "D4", "A1")))
    assert [(one.point, one.color) for one in board.diagram().stones] == [
        (point, board[point]) for point in board.stones()
    ]


@pytest.mark.parametrize(
    ("size", "names"),
    [
        ((4, 4), ""),
        ((5, 5), "B4 D4 C3 B2 D2"),
        ((8, 8), "C6 F6 C3 F3"),
        ((9, 9), "C7 G7 E5 C3 G3"),
        ((13, 13), "D10 G10 K10 D7 G7 K7 D4 G4 K4"),
        ((19, 9), "D7 Q7 K5 D3 Q3"),
        ((19, 19), "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4"),
    ],
)
def test_a_picture_has_dots_where_boards_have_them(size: tuple[int, int], names: str) -> None:
    board = Board("Go", size)

    assert board.diagram().hoshi == tuple(map(board.point, names.split()))
    assert board.diagram().hoshi == hoshi(board.size)


# ---- the state, on its way there and back ----


def test_a_border_is_around_it() -> None:
    board = GoState(BoardSize(3, 2))
    for point in (Point(0, 0), Point(2, 0), Point(0, 1), Point(2, 1)):
        cell = board.cell(point)
        beyond = [cell - 1 if point.column == 0 else cell + 1]
        beyond.append(cell - board.step if point.row == 0 else cell + board.step)
        assert all(board.held(one) == BORDER for one in beyond)
    assert board.count(EMPTY) == 6


@pytest.mark.both_lanes
@pytest.mark.parametrize("seed", range(amount(2, 15)))
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (5, 5), (9, 4)])
def test_moves_setup_and_ways_back_leave_the_stones_that_walking_leaves(
    seed: int, size: tuple[int, int]
) -> None:
    chance = random.Random(seed)  # noqa: S311  # a test
    board, stones = GoState(BoardSize(*size)), dict[Point, Color]()
    points = [Point(*one) for one in product(*map(range, size))]
    past: list[tuple[int, dict[Point, Color]]] = []

    def put(where: list[Point], color: Color | None) -> bool:
        """Put the same onto all points; return True if that changes any."""
        changes = any(stones.get(one) is not color for one in where)
        for one in where:
            stones.pop(one, None)
        stones.update(dict.fromkeys(where, color) if color else {})
        return changes

    for _ in range(400):
        point, color = chance.choice(points), chance.choice((B, W))
        match chance.randrange(12):
            case 0:
                held = chance.choice((None, B, W))
                assert board.put(board.cell(point), CELLS[held]) == put([point], held)
            case 1 if chance.randrange(4) == 0:
                held, other = chance.choice((None, B, W)), chance.choice(points)
                low, high = (Point(*map(pick, point, other)) for pick in (min, max))
                inside = [
                    one
                    for one in points
                    if low.column <= one.column <= high.column and low.row <= one.row <= high.row
                ]
                assert board.put_rectangle(low, high, CELLS[held]) == put(inside, held)
            case 2 if past:
                del past[chance.randrange(len(past)) + 1 :]
                mark, before = past[-1]
                board.rewind(mark)
                stones = dict(before)
            case 3 | 4:
                past.append((board.mark, dict(stones)))
            case 5:
                board = board.copy()
                past.clear()
            case _:
                counted = board.black_captured + board.white_captured
                board.play(point, color)
                taken = slow_go.play(stones, point, color, size)
                assert board.black_captured + board.white_captured == counted + taken
        assert all(board.held(board.cell(one)) == CELLS[stones.get(one)] for one in points)


def fault(
    stones: dict[Point, Color],
    point: Point,
    color: Color,
    size: BoardSize,
    before: dict[Point, Color] | None,
) -> str:
    """Return the rule that a move breaks, by the stones before the last move; "" for none."""
    if point in stones:
        return "occupied-point"
    after = dict(stones)
    slow_go.play(after, point, color, size)
    if point not in after:
        return "suicide"
    return "ko-capture" if after == before else ""


def all_of(state: GoState) -> tuple[object, ...]:
    """Everything that a state says."""
    moves = [tuple(state.moves(color)) for color in (B, W)]
    return state.position(), state.status[:-1], state.last, tuple(state.pieces()), moves


SIZES = st.builds(BoardSize, st.integers(1, 5), st.integers(1, 4))
RULES = st.sampled_from(["", "AGA", "NZ", "Chinese", "Tromp-Taylor"])


@given(SIZES, RULES, st.randoms(use_true_random=False))
def test_judging_says_what_playing_says_and_legal_moves_are_those_judged_so(
    size: BoardSize, rules: str, chance: random.Random
) -> None:
    state, stones = GoState(size, rules=rules), dict[Point, Color]()
    points = [Point(column, row) for row, column in product(range(size.rows), range(size.columns))]
    path = [state.copy()]
    marks = [state.mark]
    before, is_legal = dict(stones), True  # the stones before the last move
    for _ in range(20):
        color = state.to_play or B
        for side in (B, W):
            judged = {one: state.judge(one, side) for one in points}
            assert tuple(state.moves(side)) == (*filter(judged.__getitem__, points), PASS)
            for one, verdict in judged.items():
                assert verdict == state.copy().play(one, side)
                expected = fault(stones, one, side, size, before if side is color else None)
                allowed = ("", "suicide") if state.rules.suicide else ("",)
                if verdict.name != "repeated-position" and is_legal:
                    assert verdict.name == ("" if expected in allowed else expected)
        move: Value = chance.choice([*state.moves(color)] if chance.random() < 0.9 else points)
        before = dict(stones)
        if isinstance(move, Point):
            slow_go.play(stones, move, color, size)
        is_legal = state.play(move, color).ok
        path.append(state.copy())
        marks.append(state.mark)
    while marks:
        state.rewind(marks.pop())
        assert all_of(state) == all_of(path.pop())


@given(SIZES, st.randoms(use_true_random=False))
def test_superko_forbids_the_positions_that_were_there(
    size: BoardSize, chance: random.Random
) -> None:
    states = {rules: GoState(size, rules=rules) for rules in ("Tromp-Taylor", "NZ")}
    free = GoState(size, rules=GoRules(suicide=True))
    seen = [(free.stones, free.to_play)]
    for _ in range(60):
        color = free.to_play or B
        for move in free.moves(color):
            if not isinstance(move, Point):
                continue
            after = free.copy()
            after.play(move, color)
            was = [side for stones, side in seen if stones == after.stones]
            assert bool(states["Tromp-Taylor"].judge(move, color)) == (not was)
            assert bool(states["NZ"].judge(move, color)) == (color.opponent not in was)
        played = chance.choice([*states["NZ"].moves(color)])
        for one in (free, *states.values()):
            one.play(played, color)
        seen.append((free.stones, free.to_play))


def test_a_value_that_is_no_point_and_no_pass_is_no_move() -> None:
    state = GoState(BoardSize(9, 9))
    move = sgf_lark.loads("(;FF[4]GM[1]SZ[9];B[??])", strict=False)[0].at("1").move

    assert move is not None
    verdict = state.judge(move.value, B)
    assert state.play(move.value, B) == verdict
    assert (verdict.code, verdict.is_lost, state.number) == ("V301", True, 0)

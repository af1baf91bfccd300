"""Octi: its rules one by one, and moves, judgement and play as one truth."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.playing import cells_of, check_changes

from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.values import (
    PASS,
    BoardSize,
    Color,
    OctiMove,
    OctiStep,
    Pod,
    Point,
    ProngMove,
    Value,
)
from sgf_lark.games.octi import HeldPod, OctiState
from sgf_lark.positions.board import Board, IllegalMoveError
from sgf_lark.positions.symmetry import Symmetry, Transformation

BLACK, WHITE = Color


def board(black: str = "", white: str = "") -> Board:
    """A board that is known, with these pods."""
    empty = Board("Octi", empty=True)
    return empty.set_up(black=black.split(), white=white.split(), to_play="B")


def reason(board: Board, move: str) -> str:
    verdict = board.legal(move, "B")
    assert verdict.code == ("G620" if verdict.reason else "")
    return verdict.reason


def test_the_standard_has_no_start_so_that_pods_may_stand_anywhere() -> None:
    start = Board("Octi")

    assert start.stones() == ()
    assert start.legal("33-34")
    assert start.legal("33-35-55x")
    assert start.legal("33+A-B")
    assert not start.legal("33-36")
    after = start.play("33-34")
    assert after["34"] == (HeldPod(BLACK, None),)
    assert after["33"] is None
    assert after.legal("34-45", "B")


def test_an_empty_board_is_known_to_be_empty() -> None:
    empty = Board("Octi", empty=True)

    assert reason(empty, "33-34") == "moves no black pod"
    assert reason(empty, "33CD-34") == "moves in a direction in which the pod has no prong"
    assert reason(empty, "33AD-34") == "moves no black pod with the prongs AD"
    assert reason(empty, "33+A") == "changes no black pod"
    assert reason(board("", "33A"), "33-34") == "moves no black pod"
    assert len(empty.legal_moves()) == 81


def test_a_new_pod_has_no_prongs_and_several_stand_on_a_point() -> None:
    after = Board("Octi", empty=True).play("73").play("73")

    assert after["73"] == (HeldPod(BLACK, ""), HeldPod(WHITE, ""))
    assert not after.legal("73-74", "B")
    assert [(stone.color, stone.amount) for stone in after.diagram().stones] == [
        (BLACK, 1),
        (WHITE, 1),
    ]
    assert after.play("73").diagram().stones[0].amount == 2
    assert after.diagram().last == (Point(6, 2),)


@pytest.mark.parametrize(
    ("move", "expected", "prongs"),
    [
        ("33+C", "", "ABC"),
        ("33AB+C", "", "ABC"),
        ("33BA+C", "", "ABC"),
        ("33+B", "adds a prong B, which the pod has", "AB"),
        ("33+B!", "", "AB"),
        ("33+C!", "", "ABC"),
        ("33AC+D", "changes no black pod with the prongs AC", ""),
        ("33+A-H", "", "BH"),
        ("33+A-A", "turns a prong to where it is", "AB"),
        ("33+A-B", "turns a prong to B, where the pod has one", "B"),
        ("33+C-D", "turns a prong C, which the pod does not have", "ABD"),
    ],
)
def test_prongs_are_added_and_turned(move: str, expected: str, prongs: str) -> None:
    start = board("33AB")

    assert reason(start, move) == expected
    after = start.play(move, force=True)
    if prongs:
        assert after["33"] == (HeldPod(BLACK, prongs),)


@pytest.mark.parametrize(
    ("black", "white", "move", "expected"),
    [
        ("33A", "", "33-34", ""),
        ("33A", "", "33-43", "moves in a direction in which the pod has no prong"),
        ("33", "", "33-43", ""),
        ("33A", "", "33-36", "neither steps to the next square nor jumps over it"),
        ("33A", "", "33-45", "neither steps to the next square nor jumps over it"),
        ("33A", "", "33-33", "neither steps to the next square nor jumps over it"),
        ("33A 34", "", "33-34", ""),
        ("33A", "34", "33-34", "ends on a pod of the other side"),
        ("33A", "34", "33-35", ""),
        ("33A 34", "", "33-35", ""),
        ("33A", "34", "33-35x", ""),
        ("33A", "", "33-35", "jumps over no pod"),
        ("33A 35", "34", "33-35", "jumps to a square that is not empty"),
        ("33A", "", "33-34x", "takes a pod without a jump over it"),
        ("33A", "34CD", "33-35xCD", ""),
        ("33A", "34CD", "33-35xC", "takes a pod with the prongs C, which is not there"),
        ("33AC", "34 45", "33-35-55", ""),
        ("33AC", "34", "33-35-55", "jumps over no pod"),
        ("33AC", "34 45", "33-35-57", "moves in a direction in which the pod has no prong"),
        ("33A 33C", "", "33A-34,33C-43", ""),
        ("33A 33C", "", "33C-34,33C-43", "moves in a direction in which the pod has no prong"),
        ("33A 33C", "", "33C-43,33C-43", "moves no black pod with the prongs C"),
        ("33C 33E", "43", "33-53,33-31", "jumps over no pod"),
        ("33A 33AE", "34 32", "33A-35,33AE-31", ""),
        ("33ACEG", "34 45 54 43", "33-35-55-53-33", ""),
    ],
)
def test_a_pod_goes_where_its_prongs_point(
    black: str, white: str, move: str, expected: str
) -> None:
    assert reason(board(black, white), move) == expected


def test_pods_that_are_jumped_over_are_taken_if_the_move_says_so() -> None:
    start = board("33A", "34C 34D 34D 34")

    assert start.play("33-35")["34"] == start["34"]
    assert start.play("33-35x")["34"] is None
    assert start.play("33-35x").captured == {BLACK: 0, WHITE: 4}
    some = start.play("33-35xDxC")
    assert some["34"] == (HeldPod(WHITE, "D"), HeldPod(WHITE, None))
    assert some.captured == {BLACK: 0, WHITE: 2}
    assert board("33A 34").play("33-35x").captured == {BLACK: 1, WHITE: 0}
    assert start.play("33-35x").diagram().last == (Point(2, 2), Point(2, 4))


def test_what_a_move_names_is_known_after_it() -> None:
    after = Board("Octi").play("46CD-56")

    assert after["56"] == (HeldPod(BLACK, "CD"),)
    assert not after.legal("56-57", "B")
    assert after.legal("33-34", "B")
    assert after.play("33+A", "W")["33"] == (HeldPod(WHITE, None),)
    assert after.play("33B+A", "W")["33"] == (HeldPod(WHITE, "AB"),)


def test_an_illegal_move_is_carried_out() -> None:
    start = board("33A", "34")

    after = start.play("33-34", force=True)
    assert after["34"] == (HeldPod(BLACK, "A"), HeldPod(WHITE, None))
    assert start.play("33-77", force=True)["77"] == (HeldPod(BLACK, "A"),)
    assert start.play("55-56", force=True)["56"] == (HeldPod(BLACK, None),)
    assert start.play("33-33", force=True)["33"] == (HeldPod(BLACK, "A"),)
    with pytest.raises(IllegalMoveError, match="Black 33-77 neither steps"):
        start.play("33-77")


def test_setup_adds_pods_one_by_one_and_removes_them() -> None:
    state = OctiState(BoardSize(9, 9))
    for prongs in ("", "CD", "CD"):
        state.put_setting("AB", Pod(point=Point(3, 5), prongs=prongs))
    state.put_setting("AW", Pod(point=Point(0, 0)))
    state.put_setting("AW", Pod(point=Point(20, 0)))
    state.put_setting("RP", Pod(point=Point(3, 5), prongs="CD"))
    state.put_setting("PL", WHITE)

    assert state.at(Point(3, 5)) == (HeldPod(BLACK, "CD"), HeldPod(BLACK, None))
    assert [(stone.point, stone.prongs) for stone in state.pieces()] == [
        (Point(0, 0), ""),
        (Point(3, 5), "CD"),
        (Point(3, 5), ""),
    ]
    assert state.to_play is WHITE
    state.put_points(Point(0, 0), Point(8, 8), "AE")
    assert [*state.pieces()] == []


@pytest.mark.parametrize(
    "text",
    [
        "73",
        "33+B",
        "33+B!",
        "33A+B-C",
        "84-86-68",
        "84-86-68x",
        "84-86x-68",
        "84-86-68xDxAB",
        "46CD-56,46D-55",
    ],
)
def test_moves_are_read_as_their_page_writes_them(text: str) -> None:
    state = OctiState(BoardSize(9, 9))

    assert state.name_move(state.read_move(text)) == text
    assert state.read_move(f" {text} ") == state.read_move(text)


@pytest.mark.parametrize("text", ["pass", "", "7", "70", "33+", "33+I", "33-", "33x", "33,34"])
def test_other_texts_are_no_moves(text: str) -> None:
    with pytest.raises(ValueError, match=r"no (move|point)"):
        Board("Octi").play(text)
    assert Board("Octi").legal(PASS).reason == "is no move of this game"


# ---- by chance ----

SIDE = 4
POINTS = st.sampled_from([*cells_of(BoardSize(SIDE, SIDE))])
PRONGS = st.sampled_from(["", "A", "C", "AE", "BDFH", "CG", "ABCDEFGH"])
PODS = st.lists(st.tuples(POINTS, st.sampled_from([*Color]), PRONGS), max_size=8)
LETTERS = "ABCDEFGH"
#: Columns and rows to the next square in the direction of each prong.
STEPS = dict(
    zip(
        LETTERS, [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)], strict=True
    )
)


def made(pods: list[tuple[Point, Color, str]], *, is_known: bool = True) -> OctiState:
    """A board on which all pods are known, those without prongs as well."""
    state = OctiState(BoardSize(SIDE, SIDE))
    for point, color, prongs in pods:
        state.play(point, color)
        for prong in prongs:
            had = prongs[: prongs.index(prong)]
            state.play(ProngMove(pod=Pod(point=point, prongs=had), prong=prong), color)
    state.is_known = is_known
    return state


def inside(point: Point) -> bool:
    return {*point} <= {*range(SIDE)}


def slow_moves(pods: list[tuple[Point, Color, str]], color: Color) -> set[str]:
    """The moves of one pod by one step, one jump or one prong, as the page writes them."""
    found = {f"{x}{y}" for x, y in product(range(1, SIDE + 1), repeat=2)}
    for point, side, prongs in pods:
        if side is not color:
            continue
        kinds = {held for at, other, held in pods if (at, other) == (point, color)}
        name = f"{point.column + 1}{point.row + 1}" + (prongs if len(kinds) > 1 else "")
        found |= {f"{name}+{prong}!" for prong in LETTERS}
        found |= {f"{name}+{prong}" for prong in LETTERS if prong not in prongs}
        free = [prong for prong in LETTERS if prong not in prongs]
        found |= {f"{name}+{old}-{new}" for old in prongs for new in free}
        for prong in prongs:
            near, far = (
                Point(point.column + far * STEPS[prong][0], point.row + far * STEPS[prong][1])
                for far in (1, 2)
            )
            others = {side for at, side, _ in pods if at == near} - {color}
            if inside(near) and not others:
                found.add(f"{name}-{near.column + 1}{near.row + 1}")
            places = [at for at, _, _ in pods]
            if inside(far) and near in places and far not in places:
                found |= {f"{name}-{far.column + 1}{far.row + 1}{x}" for x in ("", "x")}
    return found


@settings(max_examples=amount(6, 100))
@given(PODS)
def test_the_moves_are_those_of_the_slow_rules(pods: list[tuple[Point, Color, str]]) -> None:
    pods = [pod for pod in pods if not (pod[2] == "" and len(kinds_at(pods, pod)) > 1)]
    state = made(pods)
    for color in Color:
        moves = [*state.moves(color)]
        names = [state.name_move(move) for move in moves]
        assert {*names} == slow_moves(pods, color)
        assert len({*names}) == len(names)


def kinds_at(pods: list[tuple[Point, Color, str]], pod: tuple[Point, Color, str]) -> set[str]:
    return {prongs for point, color, prongs in pods if (point, color) == pod[:2]}


@st.composite
def any_moves(draw: st.DrawFn) -> Value:
    """Moves in every form, most of them illegal."""
    pod = Pod(point=draw(POINTS), prongs=draw(PRONGS))
    prong = st.sampled_from(LETTERS)
    way = draw(st.sampled_from(["new", "prong", "turn", "travel", "travel", "travel", "pass"]))
    if way in {"prong", "turn"}:
        to = draw(prong) if way == "turn" else None
        return ProngMove(pod=pod, prong=draw(prong), superprong=draw(st.booleans()), to=to)
    if way == "travel":
        captured = st.lists(st.sampled_from(["", "A", "CG"]), max_size=2).map(tuple)
        step = st.builds(OctiStep, target=POINTS, captured=captured)
        steps = st.lists(step, min_size=1, max_size=3)
        return OctiMove(
            moves=tuple(
                (Pod(point=draw(POINTS), prongs=draw(PRONGS)), tuple(draw(steps)))
                for _ in range(draw(st.integers(1, 2)))
            )
        )
    return pod.point if way == "new" else PASS


@settings(max_examples=amount(6, 100))
@given(PODS, st.lists(any_moves(), min_size=1, max_size=6))
def test_play_says_what_judge_says_and_can_be_taken_back(
    pods: list[tuple[Point, Color, str]], moves: list[Value]
) -> None:
    for is_known in (True, False):
        check_changes(made(pods, is_known=is_known), moves)


@settings(max_examples=amount(6, 100))
@given(PODS, st.lists(any_moves(), min_size=1, max_size=6))
def test_what_is_legal_among_known_pods_is_legal_where_they_are_not_known(
    pods: list[tuple[Point, Color, str]], moves: list[Value]
) -> None:
    known, unknown = made(pods), made(pods, is_known=False)
    for move in moves:
        assert unknown.judge(move, BLACK) or not known.judge(move, BLACK)


@settings(max_examples=amount(6, 100))
@given(PODS, st.lists(any_moves(), min_size=1, max_size=6))
def test_no_pod_appears_or_goes_in_a_legal_move(
    pods: list[tuple[Point, Color, str]], moves: list[Value]
) -> None:
    state = made(pods)
    for move in moves:
        if not state.judge(move, BLACK):
            continue
        before = sum(stone.amount for stone in state.pieces())
        taken = state.black_captured + state.white_captured
        assert state.play(move, BLACK)
        taken = state.black_captured + state.white_captured - taken
        new = isinstance(move, Point)
        assert sum(stone.amount for stone in state.pieces()) == before - taken + new


@pytest.mark.night
def test_a_move_of_many_pods_takes_time_for_each_of_them() -> None:
    state = OctiState(BoardSize(9, 9))
    step = (Pod(point=Point(3, 5), prongs="CD"), (OctiStep(target=Point(4, 5)),))
    state.is_known = False
    move = OctiMove(moves=(step,) * 20_000)

    assert state.play(move, BLACK)
    assert state.at(Point(4, 5)) == (HeldPod(BLACK, "CD"),) * 20_000


@settings(max_examples=amount(6, 100))
@given(PODS, st.sampled_from([*Symmetry]))
def test_a_turned_board_has_turned_moves(
    pods: list[tuple[Point, Color, str]], symmetry: Symmetry
) -> None:
    state = made(pods)
    to = Transformation(GameNumber.OCTI, state.size, symmetry)
    turned = state.transformed(to)

    for color in Color:
        moves = {to.value(move) for move in state.moves(color)}
        assert {*turned.moves(color)} == moves
    assert turned.transformed(to.inverse).position() == state.position()
    assert {*turned.features()} == {feature.transformed(to) for feature in state.features()}


def test_boards_differ_by_what_is_known_of_them() -> None:
    empty, start = Board("Octi", empty=True), Board("Octi")
    named = empty.play("33", "B")
    unnamed = empty.set_up(black=["33"], to_play="W")

    assert start != empty
    assert start.key != empty.key
    assert named != unnamed
    assert named.key != unnamed.key

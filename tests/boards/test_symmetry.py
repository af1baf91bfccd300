"""Symmetries: maps of points that keep the rules of a game."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.playing import CHOICES, PLAYED, playout

import sgf_lark
from sgf_lark import Board, BoardSize, Color, Composed, Point, Rectangle, Symmetry
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.values import (
    AmazonsMove,
    BackgammonMove,
    LinkCenter,
    OctiMove,
    OctiStep,
    Pod,
    ProngMove,
    Step,
    Value,
)
from sgf_lark.positions.symmetry import (
    Transformation,
    is_symmetry,
    recoloring,
    symmetries,
    transformation,
)

SIZE = BoardSize(4, 3)
SYMMETRIES = st.sampled_from(Symmetry)


def points(size: BoardSize) -> list[Point]:
    return [Point(column, row) for row in range(size.rows) for column in range(size.columns)]


@pytest.mark.parametrize(
    ("symmetry", "expected"),
    [
        (Symmetry.IDENTITY, (1, 0)),
        (Symmetry.ROTATE_90, (2, 1)),
        (Symmetry.ROTATE_180, (2, 2)),
        (Symmetry.ROTATE_270, (0, 2)),
        (Symmetry.FLIP_COLUMNS, (2, 0)),
        (Symmetry.FLIP_ROWS, (1, 2)),
        (Symmetry.TRANSPOSE, (0, 1)),
        (Symmetry.ANTITRANSPOSE, (2, 2)),
    ],
)
def test_a_symmetry_maps_columns_and_rows(symmetry: Symmetry, expected: tuple[int, int]) -> None:
    assert symmetry.point(Point(1, 0), SIZE) == expected


@given(SYMMETRIES)
def test_a_symmetry_maps_all_points_to_all_points(symmetry: Symmetry) -> None:
    found = {symmetry.point(point, SIZE) for point in points(SIZE)}

    assert found == set(points(symmetry.size(SIZE)))


@given(SYMMETRIES)
def test_the_inverse_takes_a_symmetry_back(symmetry: Symmetry) -> None:
    size = symmetry.size(SIZE)

    assert symmetry.then(symmetry.inverse) is Symmetry.IDENTITY
    for point in points(SIZE):
        assert symmetry.inverse.point(symmetry.point(point, SIZE), size) == point


def test_one_symmetry_after_another_is_a_third() -> None:
    for first, second in product(Symmetry, Symmetry):
        for point in points(SIZE):
            both = second.point(first.point(point, SIZE), first.size(SIZE))
            assert first.then(second).point(point, SIZE) == both


@pytest.mark.parametrize(
    ("game", "size", "keeping", "exchanging"),
    [
        (GameNumber.GO, (19, 19), 8, 0),
        (GameNumber.GO, (13, 9), 4, 0),
        (GameNumber.OTHELLO, (8, 8), 8, 0),
        (GameNumber.AMAZONS, (10, 10), 8, 0),
        (GameNumber.HEX, (11, 11), 2, 2),
        (GameNumber.HEX, (9, 7), 2, 0),
        (GameNumber.TWIXT, (24, 24), 4, 4),
        (GameNumber.OCTI, (9, 9), 2, 2),
        (GameNumber.BACKGAMMON, (26, 1), 1, 1),
        (GameNumber.CHESS, (8, 8), 1, 0),
        (None, (8, 8), 1, 0),
    ],
)
def test_a_board_has_the_symmetries_that_keep_its_rules(
    game: int | None, size: tuple[int, int], keeping: int, exchanging: int
) -> None:
    found = symmetries(game, BoardSize(*size))

    assert [one.exchanges_sides for one in found].count(False) == keeping
    assert [one.exchanges_sides for one in found].count(True) == exchanging
    assert found[0].symmetry is Symmetry.IDENTITY


def test_a_turn_that_changes_the_rules_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="rotate-90 does not keep the rules"):
        transformation(GameNumber.HEX, BoardSize(11, 11), Symmetry.ROTATE_90)


def test_in_hex_a_reflection_in_a_diagonal_exchanges_the_sides() -> None:
    turned = transformation(GameNumber.HEX, BoardSize(11, 11), Symmetry.TRANSPOSE)

    assert turned.point(Point(2, 0)) == Point(0, 2)
    assert turned.color(Color.BLACK) is Color.WHITE
    assert recoloring(GameNumber.HEX, BoardSize(11, 11)) == turned


def test_in_backgammon_the_bar_and_the_tray_stay() -> None:
    turned = recoloring(GameNumber.BACKGAMMON, BoardSize(26, 1))

    assert [turned.point(Point(column, 0)).column for column in (0, 23, 24, 25)] == [23, 0, 24, 25]
    assert turned.new_size == (26, 1)


PA = Point(0, 0)
PB = Point(3, 1)


@pytest.mark.parametrize(
    ("game", "value", "expected"),
    [
        (1, PB, Point(1, 3)),
        (1, Rectangle(first=PA, second=PB), Rectangle(first=Point(1, 0), second=Point(2, 3))),
        (1, Composed(first=PA, second="label"), Composed(first=Point(2, 0), second="label")),
        (1, "text", "text"),
        (1, 7, 7),
        (9, Step(origin=PA, target=PB, capture=True),
         Step(origin=Point(2, 0), target=Point(1, 3), capture=True)),
        (18, AmazonsMove(origin=PA, target=PB, arrow=PA),
         AmazonsMove(origin=Point(2, 0), target=Point(1, 3), arrow=Point(2, 0))),
    ],
)  # fmt: skip
def test_values_are_turned_with_their_points(game: int, value: Value, expected: Value) -> None:
    turned = transformation(game, SIZE, Symmetry.ROTATE_90)

    assert turned.value(value) == expected
    assert turned.inverse.value(turned.value(value)) == value


def test_the_moves_of_backgammon_are_turned_with_the_sides() -> None:
    turned = recoloring(GameNumber.BACKGAMMON, BoardSize(26, 1))
    move = BackgammonMove(dice=(3, 1), pairs=((Point(24, 0), Point(21, 0)),))

    assert turned.value(move) == BackgammonMove(dice=(3, 1), pairs=((Point(24, 0), Point(2, 0)),))


def octi(symmetry: Symmetry) -> Transformation:
    return transformation(GameNumber.OCTI, BoardSize(9, 9), symmetry)


def test_the_prongs_of_a_pod_turn_with_it() -> None:
    pod = Pod(point=Point(0, 0), prongs="ABC")

    assert octi(Symmetry.FLIP_COLUMNS).value(pod) == Pod(point=Point(8, 0), prongs="AGH")
    assert octi(Symmetry.ROTATE_180).value(pod) == Pod(point=Point(8, 8), prongs="EFG")
    step = OctiStep(target=Point(1, 1), captured=("A", ""))
    for symmetry in (Symmetry.FLIP_COLUMNS, Symmetry.FLIP_ROWS, Symmetry.ROTATE_180):
        for value in (
            ProngMove(pod=pod, prong="B", to="H"),
            ProngMove(pod=pod, prong="B", superprong=True),
            OctiMove(moves=((pod, (step,)),)),
        ):
            turned = octi(symmetry).value(value)
            assert turned != value
            assert octi(symmetry).inverse.value(turned) == value


def test_the_center_of_a_shallow_link_stays_one_or_cannot_be_written() -> None:
    size = BoardSize(24, 24)
    center = LinkCenter(point=Point(2, 3))  # between the rows 3 and 4
    flipped = transformation(GameNumber.TWIXT, size, Symmetry.FLIP_ROWS)

    assert flipped.value(center) == LinkCenter(point=Point(2, 19))
    with pytest.raises(ValueError, match="steep link"):
        transformation(GameNumber.TWIXT, size, Symmetry.TRANSPOSE).value(center)


# ---- boards ----

GAMES = st.sampled_from(PLAYED)


def after_each_move(board: Board) -> set[Board]:
    """The positions to which the legal moves lead: two plays of a roll may be one."""
    return {board.play(move) for move in board.legal_moves()}


@settings(max_examples=amount(5, 50))
@given(GAMES, CHOICES, SYMMETRIES)
def test_legal_moves_and_positions_are_turned_with_the_board(
    game: GameNumber, choices: list[int], symmetry: Symmetry
) -> None:
    *_, board = playout(game, choices)
    if not is_symmetry(game, symmetry):
        with pytest.raises(ValueError, match="does not keep the rules"):
            board.transformed(symmetry)
        return
    turned = board.transformed(symmetry)
    to = transformation(game, board.size, symmetry)

    assert turned.size == to.new_size
    assert turned.transformed(symmetry.inverse) == board
    assert (turned.number, turned.to_play) == (
        board.number,
        board.to_play and to.color(board.to_play),
    )
    assert board.last is None or turned.last == to.value(board.last)
    if game is GameNumber.BACKGAMMON:
        turned, board = (one.set_up(dice=(6, 1)) for one in (turned, board))
        assert after_each_move(turned) == {
            one.transformed(symmetry) for one in after_each_move(board)
        }
    else:
        assert set(turned.legal_moves()) == set(map(to.value, board.legal_moves()))
    for move in board.legal_moves()[:3]:
        assert board.play(move).transformed(symmetry) == turned.play(to.value(move))


@settings(max_examples=amount(5, 50))
@given(GAMES, CHOICES)
def test_exchanged_sides_play_as_the_others_did(game: GameNumber, choices: list[int]) -> None:
    *_, board = playout(game, choices)
    other = board.recolored()
    to = recoloring(game, board.size)

    assert other.recolored() == board
    assert other.to_play is (board.to_play and board.to_play.opponent)
    assert {color.opponent: number for color, number in board.captured.items()} == other.captured
    for point in points(board.size):
        held = board[point]
        if isinstance(held, Color):
            assert other[to.point(point)] is held.opponent
    for move in board.legal_moves()[:3]:
        assert board.play(move).recolored() == other.play(to.value(move))


def test_a_forbidden_repetition_is_forbidden_on_a_turned_board() -> None:
    board = Board("Go", 5, rules="Chinese")
    for move in ("B3", "C3", "C4", "D4", "C2", "D2", "pass", "E3", "D3"):
        board = board.play(move)
    taken = board.play("A1").play("A5")

    assert board.legal("C3").name == "ko-capture"
    for symmetry in Symmetry:
        to = transformation(1, board.size, symmetry)
        assert board.transformed(symmetry).legal(to.value(board.point("C3"))).name == "ko-capture"
        for one, side in ((taken.transformed(symmetry), "W"), (taken.recolored(), "B")):
            where = to.value(board.point("C3")) if side == "W" else board.point("C3")
            assert one.legal(where, side) == taken.legal("C3", "W")


def test_links_of_twixt_are_turned_with_their_pegs() -> None:
    linked = Board("Twixt").set_up(white=["d11", "e13"])

    for symmetry in Symmetry:
        to = transformation(GameNumber.TWIXT, linked.size, symmetry)
        (link,) = linked.transformed(symmetry).diagram().links
        assert {link.first, link.second} == {
            to.point(linked.point(name)) for name in ("d11", "e13")
        }
        assert link.color is to.color(Color.WHITE)


def test_the_dice_and_the_cube_go_with_the_sides() -> None:
    board = Board("Backgammon").set_up(dice=(3, 1), cube=2, cube_owner="b", to_play="W")
    other = board.transformed("rotate-180").diagram()

    assert (other.dice, other.cube, other.cube_owner) == ((3, 1), 2, Color.WHITE)
    assert other.to_play is Color.BLACK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a:y", ["a:x", "y"]),
        ("c:z", ["a:v", "y:z"]),
        ("c:e", ["t:v"]),
        ("y:z", ["y:z"]),
    ],
)
def test_a_range_of_backgammon_turns_round_but_for_the_bar(text: str, expected: list[str]) -> None:
    (game,) = sgf_lark.loads(f"(;FF[4]GM[6];AE[{text}]AW[a])")

    assert list(game.recolored().nodes[1].raw["AE"]) == expected
    assert game.transformed("identity").nodes[1].raw["AE"] == (text,)

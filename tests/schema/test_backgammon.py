"""Backgammon as players count: points 24 to 1, the bar, and off."""

import pytest

import sgf_lark
from sgf_lark import Board, Color, Point
from sgf_lark.core.schema.backgammon import number_of_place
from sgf_lark.core.schema.values import BackgammonMove


def move(dice: str, *pairs: str) -> BackgammonMove:
    """The move of a roll, whose pairs are letters of points as in a file."""
    first, second = map(int, dice)
    ways = [[Point(ord(letter) - ord("a"), 0) for letter in pair] for pair in pairs]
    return BackgammonMove(dice=(first, second), pairs=tuple((way[0], way[1]) for way in ways))


@pytest.mark.parametrize(
    ("dice", "pairs", "color", "numbers", "shown"),
    [
        ("62", ("xr", "mk"), Color.WHITE, ((24, 18), (13, 11)), "62: 24/18 13/11"),
        ("62", ("ag", "ln"), Color.BLACK, ((24, 18), (13, 11)), "62: 24/18 13/11"),
        ("31", ("yv",), Color.WHITE, ((25, 22),), "31: bar/22"),
        ("31", ("yc",), Color.BLACK, ((25, 22),), "31: bar/22"),
        ("66", ("fz", "fz"), Color.WHITE, ((6, 0), (6, 0)), "66: 6/off(2)"),
        ("66", ("sz", "sz"), Color.BLACK, ((6, 0), (6, 0)), "66: 6/off(2)"),
        ("65", (), None, (), "65"),
    ],
)
def test_a_move_is_counted_from_the_view_of_the_side_that_plays(
    dice: str,
    pairs: tuple[str, ...],
    color: Color | None,
    numbers: tuple[tuple[int, int], ...],
    shown: str,
) -> None:
    roll = move(dice, *pairs)

    assert roll.side is color
    assert roll.numbers(color) == roll.numbers() == numbers
    assert str(roll) == shown
    assert roll.notation(color) == shown.partition(": ")[2]


def test_the_other_side_counts_from_its_own_end() -> None:
    assert move("62", "xr", "mk").numbers(Color.BLACK) == ((1, 7), (12, 14))


def test_checkers_that_go_both_ways_are_counted_as_white_does() -> None:
    wrong = move("62", "xr", "ac")

    assert wrong.side is None
    assert wrong.notation() == "24/18 1/3"


@pytest.mark.parametrize("color", Color)
def test_the_numbers_of_both_sides_add_up(color: Color) -> None:
    numbers = [number_of_place(column, color) for column in range(26)]

    assert sorted(numbers) == list(range(26))
    assert [number_of_place(column, color.opponent) for column in range(24)] == [
        25 - number for number in numbers[:24]
    ]


@pytest.mark.parametrize("color", Color)
def test_a_board_reads_each_move_as_it_is_written(color: Color) -> None:
    board = Board("Backgammon")
    rolls = [play for play in board.legal_moves(color) if isinstance(play, BackgammonMove)]

    assert rolls
    for roll in rolls:
        assert board.play(str(roll), color) == board.play(roll, color)


def test_a_record_has_both_the_points_and_the_numbers() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[6];W[62xrmk];B[31agln])", strict=False)

    values = [played.value for played in game.moves]

    assert [str(value) for value in values] == ["62: 24/18 13/11", "31: 24/18 13/11"]
    assert [value.pairs[0] for value in values if isinstance(value, BackgammonMove)] == [
        (Point(23, 0), Point(17, 0)),
        (Point(0, 0), Point(6, 0)),
    ]

"""The games of the standards: their numbers, and what is known of each."""

import pickle
from inspect import isfunction

import pytest

from sgf_lark import GAMES, Format, Game
from sgf_lark.core.schema.games import (
    LETTERED_SIDE,
    LONGEST_SIDE,
    OLD_GAMES,
    GameNumber,
    number_of_game,
)
from sgf_lark.core.schema.values import BoardSize, Color, Point


def test_every_number_of_the_standard_has_a_name_and_a_game() -> None:
    assert [*GameNumber] == [*GAMES]
    assert {*range(1, 41)} <= {*GAMES}
    assert all(game.number == number for number, game in GAMES.items())


def test_a_number_prints_as_a_number_by_a_method_of_its_own() -> None:
    """Programs that document code ask for the function of a method; that of a slot has none."""
    assert repr(GameNumber.GO) == "1"
    assert isfunction(GameNumber.__repr__)


def test_names_of_numbers_are_those_of_the_games() -> None:
    def letters(text: str) -> str:
        return "".join(char for char in text.lower() if char.isalpha())

    names = {one: letters(GAMES[one].name) for one in GameNumber}

    assert {one for one in names if letters(one.name) != names[one]} == {GameNumber.GOMOKU}
    assert number_of_game("Gomoku") is GAMES[GameNumber.GOMOKU].number


def test_a_number_of_a_game_shows_as_a_number() -> None:
    number = GAMES[1].number

    assert (f"{number}", repr(number), str(number)) == ("1", "1", "1")
    assert pickle.loads(pickle.dumps(number)) == 1


def test_a_game_of_ones_own_needs_a_number_and_a_name_only() -> None:
    own = Game(99, "Own")

    assert (own.has_board, own.several_on_a_point, own.sides) == (True, False, (1, None))


@pytest.mark.parametrize(
    ("flag", "games"),
    [
        ("several_on_a_point", {GameNumber.BACKGAMMON, GameNumber.OCTI}),
        ("rows_from_bottom", {GameNumber.LINES_OF_ACTION, GameNumber.OCTI}),
        ("any_size", {GameNumber.OTHELLO, GameNumber.GOMOKU, GameNumber.OCTI}),
    ],
)
def test_what_is_special_about_a_game_stands_with_it(flag: str, games: set[GameNumber]) -> None:
    assert games <= {number for number, game in GAMES.items() if getattr(game, flag)}
    assert not getattr(GAMES[GameNumber.GO], flag)


def test_backgammon_has_no_board_of_columns_and_rows() -> None:
    assert not GAMES[GameNumber.BACKGAMMON].has_size
    assert GAMES[GameNumber.GO].has_size


def test_longest_sides_are_those_of_the_pages() -> None:
    assert (LETTERED_SIDE, LONGEST_SIDE) == (2 * 26, 26 + 26 * 26)
    assert GAMES[GameNumber.TWIXT].sides == (3, LONGEST_SIDE)


def test_a_board_is_square_if_its_sides_are_the_same() -> None:
    assert BoardSize(19, 19).is_square
    assert not BoardSize(19, 9).is_square


def test_a_format_lists_the_games_of_the_one_before() -> None:
    assert OLD_GAMES[Format.FF1] < OLD_GAMES[Format.FF3] < {*GameNumber}


def test_amazons_begin_on_the_usual_board_and_mirrored() -> None:
    game = GAMES[GameNumber.AMAZONS]
    black, white = (set(game.start[color]) for color in Color)

    assert game.size == BoardSize(10, 10)
    assert {Point(point.column, 9 - point.row) for point in black} == white

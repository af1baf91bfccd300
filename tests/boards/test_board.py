"""Boards of all games: they never change, and can be sent to another process."""

from __future__ import annotations

import copy
import pickle
import re
from typing import TYPE_CHECKING, Any

import pytest
from support.lanes import one_in

from sgf_lark import GAMES, Board, BoardSize, Color, Diagram, GameTree, IllegalMoveError, Point
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.games.registry import games_with_rules

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("game", one_in(3, games_with_rules()))
def test_a_board_is_pickled_and_copied_with_all_that_decides_about_moves(game: int) -> None:
    board = Board(game=game, rules="AGA")
    for color in (Color.BLACK, Color.WHITE, Color.BLACK):
        if moves := board.legal_moves(color):
            board = board.play(moves[len(moves) // 2], color)

    for again in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)):
        assert again == board
        assert hash(again) == hash(board)
        assert (again.last, again.number, again.captured) == (
            board.last,
            board.number,
            board.captured,
        )
        assert again.legal_moves(Color.WHITE) == board.legal_moves(Color.WHITE)


def test_no_attribute_of_a_board_can_be_set() -> None:
    board = Board("Go", 9)

    with pytest.raises(AttributeError, match="never changes"):
        board.to_play = Color.WHITE  # type: ignore[misc]
    with pytest.raises(AttributeError, match="never changes"):
        del board.to_play
    assert board.to_play is Color.BLACK


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ((-1, 0), r"no point \(-1, 0\) on a board of 9 by 9"),
        ((0, -1), r"no point \(0, -1\) on a board of 9 by 9"),
        ((9, 0), r"no point \(9, 0\) on a board of 9 by 9"),
        ("K1", "no point 'K1' on a board of 9 by 9"),
    ],
)
@pytest.mark.parametrize("game", ["Go", "Gomoku", "Hex", "Othello"])
def test_a_point_off_the_board_is_none_of_it(
    game: str, place: str | tuple[int, int], message: str
) -> None:
    board = Board(game, 9)

    with pytest.raises(ValueError, match=message):
        board[place]
    if not isinstance(place, str):
        assert board.legal(place).name == "point-off-board"  # type: ignore[arg-type]


def test_a_move_off_the_board_is_named_by_its_column_and_row() -> None:
    with pytest.raises(IllegalMoveError, match=r"Black \(50, 50\) lies outside the board"):
        Board("Go").play(Point(50, 50))


def test_a_point_of_backgammon_is_one_of_its_places() -> None:
    with pytest.raises(ValueError, match="no point '25' on a board of 24 points, bar and off"):
        Board("Backgammon")["25"]


def test_a_side_is_b_or_w() -> None:
    for ask in (
        lambda: Board("Go").legal("Q16", "X"),
        lambda: Board("Go").set_up(to_play="X"),
        lambda: GameTree.new("Go", 9).edit().play("C3", color="X"),
    ):
        with pytest.raises(ValueError, match="no color 'X': expected B or W"):
            ask()


@pytest.mark.parametrize("game", games_with_rules())
def test_the_diagram_of_a_board_is_the_one_that_its_json_gives(game: int) -> None:
    board = Board(game=game)
    diagram = board.play(board.legal_moves("B")[0], "B").diagram()

    again = Diagram.model_validate_json(diagram.model_dump_json())

    assert again == diagram
    assert [*map(type, dict(again).values())] == [*map(type, dict(diagram).values())]


def test_diagrams_of_many_boards_share_their_pieces() -> None:
    board = Board("Go").play("Q16")

    assert board.diagram().stones[0] is board.play("D4").diagram().stones[0]


@pytest.mark.parametrize(
    ("game", "size", "message"),
    [
        ("Chess", None, "no board of chess: its points are not defined"),
        ("Go", 0, "no board of 0 by 0: expected sides of 1 to 702"),
        ("Go", -1, "no board of -1 by -1: expected sides of 1 to 702"),
        ("Go", (19, 703), "no board of 19 by 703: expected sides of 1 to 702"),
        ("Gone", None, "no game 'Gone'"),
        ("Backgammon", 19, "no board of Backgammon has a size of its own"),
    ],
)
def test_a_board_that_cannot_be_says_so(
    game: str, size: int | tuple[int, int] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Board(game, size)


@pytest.mark.parametrize("size", [9, 19, 13, (9, 13), BoardSize(5, 7), 1])
def test_a_size_alone_is_that_of_a_go_board_also_where_a_game_has_its_number(size: Any) -> None:
    board, game = Board(size), GameTree.new(size)

    assert board == Board("Go", size) == Board(size, game="go") == Board(size=size)
    assert game.game == GameNumber.GO
    assert game.size == board.size


@pytest.mark.parametrize("make", [Board, GameTree.new])
@pytest.mark.parametrize(
    ("given", "game", "message"),
    [
        (("Go", 9), "Hex", "two games, 'Go' and 'Hex': give one"),
        ((9, 13), "Hex", "two sizes, 9 and 13: give one"),
        (((9, 13), 9), None, r"two sizes, \(9, 13\) and 9: give one"),
    ],
)
def test_two_games_and_two_sizes_are_one_too_many(
    make: Callable[..., object], given: tuple[Any, ...], game: str | None, message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        make(*given, game=game)


def test_a_game_of_a_number_has_its_name_before_the_number() -> None:
    octi, hex_game = Board(game=19), GameTree.new(game=11)
    assert (octi.game.name, hex_game.game_name) == ("Octi", "Hex")
    assert Board(8, game=2) == Board("Othello")
    assert Board(2, 8) == Board(2, size=8) == Board("Othello")


def test_every_game_with_rules_is_known_by_its_name() -> None:
    assert all(Board(GAMES[number].name) == Board(game=number) for number in games_with_rules())


@pytest.mark.parametrize("size", ["9", 9.0, (9,), (9, 9, 9), ("9", 9), [9, None]])
def test_a_size_is_one_number_or_two(size: Any) -> None:
    with pytest.raises(TypeError, match=rf"^no size {re.escape(repr(size))}: expected the side of"):
        Board("Go", size)


@pytest.mark.parametrize("place", [None, 3, (1,), (1, 2, 3), ("a", "b"), (1.5, 2)])
def test_a_point_is_a_name_or_a_column_and_a_row(place: Any) -> None:
    board = Board("Go", 9)
    for ask in (board.__getitem__, board.point, lambda place: board.set_up(black=[place])):
        with pytest.raises(
            TypeError, match=rf"^no point {re.escape(repr(place))}: expected a name"
        ):
            ask(place)


@pytest.mark.parametrize("move", [None, 3, [1, 2], ["E5"], b"E5"])
@pytest.mark.parametrize("game", games_with_rules())
def test_a_move_is_a_text_or_a_value(game: int, move: Any) -> None:
    board = Board(game=game)
    for ask in (board.legal, board.play):
        with pytest.raises(TypeError, match=rf"^no move {re.escape(repr(move))}: expected a text"):
            ask(move, Color.BLACK)


@pytest.mark.parametrize("move", [(1, 2, 3), ("a", 1), (1.5, 1)])
def test_a_move_of_numbers_is_a_column_and_a_row(move: Any) -> None:
    board = Board("Go", 9)
    for ask in (board.legal, board.play):
        with pytest.raises(TypeError, match=rf"^no point {re.escape(repr(move))}: expected a name"):
            ask(move)


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    two, three = numpy.array([2, 3])
    board = Board("Go", numpy.int64(9)).play((two, three))

    assert board.last == Point(2, 3)
    assert board[two, three] is Color.BLACK
    assert board == Board("Go", (9, 9)).play(Point(2, 3))


def test_a_single_place_may_stand_alone_in_a_setup() -> None:
    for black in ("E5", ["E5"], Point(4, 4), [(4, 4)]):
        assert Board("Go", 9).set_up(black=black).stones() == (Point(4, 4),)
    assert Board("Octi", empty=True).set_up(black="46CD").stones() == (Point(3, 5),)


@pytest.mark.parametrize("setting", [{"dice": (3, 1)}, {"cube": 2}, {"cube_owner": "b"}])
def test_a_game_without_dice_and_cube_says_so(setting: Any) -> None:
    with pytest.raises(ValueError, match=r"^no dice and no cube in Go: they are of backgammon$"):
        Board("Go").set_up(**setting)


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ({"dice": (7, 1)}, ValueError, "no roll (7, 1): dice show 1 to 6"),
        ({"dice": (0, 1)}, ValueError, "no roll (0, 1): dice show 1 to 6"),
        ({"dice": 3}, TypeError, "no roll 3: expected two numbers from 1 to 6"),
        ({"dice": "31"}, TypeError, "no roll '31': expected two numbers from 1 to 6"),
        ({"cube": 0}, ValueError, "no cube of 0: expected its value, such as 2"),
        ({"cube": "2"}, ValueError, "no cube of '2': expected its value, such as 2"),
        ({"cube_owner": "x"}, ValueError, "no owner 'x' of the cube: expected b, w or c"),
    ],
)
def test_dice_and_cube_that_cannot_be_say_so(
    setting: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match="^" + re.escape(message)):
        Board("Backgammon").set_up(**setting)


def test_the_color_of_a_stone_is_none_where_there_is_none() -> None:
    board = Board(9).play("E5").play("E6")

    assert [board.stone(place) for place in ("E5", (4, 3), "A1")] == [
        Color.BLACK,
        Color.WHITE,
        None,
    ]
    assert Board("Amazons").play("d1-d7-g7", "B").stone("g7") is None
    assert Board("Backgammon").stone("6") in set(Color)
    with pytest.raises(ValueError, match="no point"):
        board.stone("Z99")

"""Games without rules: a board where their notation has points, or an error that says no."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st
from support.playing import cells_of, check_changes

import sgf_lark
from sgf_lark.core.schema.games import GAMES, Game
from sgf_lark.core.schema.values import PASS, BoardSize, Color, Point, Step
from sgf_lark.positions.board import Board
from sgf_lark.positions.cell_state import OtherState

OWN = Game(99, "Own", "gomoku", expected={"point": "a point such as 'aa'"})


WITHOUT_POINTS = [game for game in GAMES.values() if game.has_board and not game.has_points]


@pytest.mark.parametrize("game", WITHOUT_POINTS)
def test_a_game_without_points_says_that_it_has_no_board(game: Game) -> None:
    with pytest.raises(ValueError, match=f"no board of {game.name}: its points are not defined"):
        Board(game.name)
    record = sgf_lark.loads(f"(;FF[4]GM[{game.number}]SZ[8]AB[aa];B[ab])")[0]
    with pytest.raises(ValueError, match=f"no board of {game.name}"):
        [*record.positions()]


def test_a_game_with_points_has_a_board_on_which_moves_only_put_and_move_stones() -> None:
    start = Board(OWN, 9)

    assert start.game is OWN
    assert start.size == (9, 9)
    assert start.stones() == ()
    after = start.play("c3").play("c4").play("c3-d5").play("d5:c4", "B")
    assert after["c4"] is Color.BLACK
    assert after.stones() == (Point(2, 3),)
    assert after.captured == {Color.BLACK: 0, Color.WHITE: 1}
    assert after.play("pass").number == 5
    assert "Own 9x9 after 4 moves" in repr(after)
    assert after.text("ascii")
    with pytest.raises(ValueError, match="legal moves of Own are not known"):
        start.legal_moves()
    with pytest.raises(ValueError, match="no point"):
        start.play("z9")


def ggf(name: str, moves: str, board: str = "BO[3 -O- *-- --* *]") -> list[sgf_lark.Position]:
    text = f"(;GM[{name}]PC[x]DT[1]PB[a]PW[b]RE[?]TI[5]TY[3]{board}{moves};)"
    game = sgf_lark.loads(text)[0]

    def kept() -> Iterator[sgf_lark.Position]:
        for position in game.positions():
            yield position._replace(board=position.board.copy())

    return [*kept()]


@pytest.mark.parametrize("name", ["Domineering", "Go"])
def test_a_game_of_ggf_has_the_board_of_its_beginning(name: str) -> None:
    first, second = ggf(name, "B[A1-A2]")

    assert first.board.game.name == name
    assert first.board.stones(Color.BLACK) == (Point(0, 1), Point(2, 2))
    assert first.board.stones(Color.WHITE) == (Point(1, 0),)
    assert first.board.to_play is Color.BLACK
    assert second.board.stones() == first.board.stones()
    assert second.board.to_play is Color.WHITE
    assert second.verdict is not None
    assert second.verdict.is_lost
    assert first.board.key != second.board.key


def test_boards_of_games_without_numbers_differ_by_their_names() -> None:
    (foo,), (bar,), (again,) = ggf("Foo", ""), ggf("Bar", ""), ggf("Foo", "")

    assert foo.board == again.board
    assert foo.board != bar.board
    assert foo.board.key == again.board.key != bar.board.key
    assert foo.board.recolored().stones(Color.WHITE) == foo.board.stones(Color.BLACK)


def test_a_game_of_ggf_without_a_first_board_has_none() -> None:
    with pytest.raises(ValueError, match="game of Foo gives no first board: BO is missing"):
        ggf("Foo", "B[A1]", board="")


POINTS = st.sampled_from([*cells_of(BoardSize(3, 4))])
MOVES = st.one_of(POINTS, st.builds(Step, origin=POINTS, target=POINTS), st.just(PASS))


@given(st.lists(MOVES, min_size=1, max_size=8))
def test_moves_can_be_taken_back(moves: list[Point | Step]) -> None:
    state = OtherState(BoardSize(3, 4), game=OWN)
    check_changes(state, [*moves, "a text"])
    assert state.copy().game is OWN
    assert state.judge(Point(0, 0), Color.BLACK)

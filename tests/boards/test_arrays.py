"""Boards as arrays: what numpy gets, and what it costs who does not ask for one."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.playing import CHOICES, PLAYED, playout

import sgf_lark
from sgf_lark import Board, Color, Point
from sgf_lark.core.schema.games import GameNumber

GAMES = st.sampled_from([game for game in PLAYED if game is not GameNumber.BACKGAMMON])


def test_an_array_has_a_row_of_points_for_each_row_of_the_board() -> None:
    board = Board("Go", (4, 3)).play("A3").play("D1")

    assert board.array().dtype == np.int8
    assert board.array().tolist() == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]
    assert board.array()[Point(3, 2).row, Point(3, 2).column] == 2


def test_rows_are_those_of_the_game_where_it_counts_them_from_the_bottom() -> None:
    start = Board("Lines of Action").array()

    assert start[0].tolist() == [0, 1, 1, 1, 1, 1, 1, 0]
    assert Board("Lines of Action").play("b1-b3").array()[2, 1] == 1


def test_the_arrows_of_amazons_belong_to_nobody() -> None:
    board = Board("Amazons").play("d1-d7-g7")

    assert board.array()[3].tolist() == [2, 0, 0, 1, 0, 0, 3, 0, 0, 2]


def test_the_corners_of_the_octagon_are_missing() -> None:
    rows = "------ -------- ---------- ---------- ----O*---- ----*O----"
    text = f"(;GM[Othello]TY[88]BO[88 {rows} ---------- ---------- -------- ------ *];)"
    board = sgf_lark.loads(text)[0].board(0)

    assert board.array()[0].tolist() == [-1, -1, 0, 0, 0, 0, 0, 0, -1, -1]
    assert board.planes(["empty"])[0, 0].tolist() == [0, 0, 1, 1, 1, 1, 1, 1, 0, 0]


def test_the_array_of_backgammon_counts_the_checkers_of_both_sides() -> None:
    found = Board("Backgammon", empty=True).set_up(black=[*"aay"], white=[*"zf"]).array()

    assert found.shape == (2, 26)
    assert {at: int(count) for at, count in enumerate(found[0]) if count} == {0: 2, 24: 1}
    assert {at: int(count) for at, count in enumerate(found[1]) if count} == {5: 1, 25: 1}


@settings(max_examples=amount(5, 50))
@given(GAMES, CHOICES)
def test_an_array_agrees_with_the_board_point_by_point(
    game: GameNumber, numbers: list[int]
) -> None:
    *_, board = playout(game, numbers)
    found = board.array()
    black, white, empty = board.planes(["black", "white", "empty"])
    columns, rows = board.size

    assert found.shape == black.shape == (rows, columns)
    for color, number in ((Color.BLACK, 1), (Color.WHITE, 2)):
        of_side = (found == number) | (found == 3) if game is GameNumber.OCTI else found == number
        points = {Point(column, row) for row, column in np.argwhere(of_side).tolist()}
        assert points == set(board.stones(color))
    assert (empty == (found == 0)).all()
    if game is not GameNumber.OCTI:
        assert ((black == 1) == (found == 1)).all()
        assert ((white == 1) == (found == 2)).all()


def ko() -> list[Board]:
    boards = [Board("Go", 5)]
    for move in ("B3", "C3", "C4", "D4", "C2", "D2", "pass", "E3", "D3"):
        boards.append(boards[-1].play(move))
    return boards


def test_planes_have_names() -> None:
    *_, board = ko()
    names = ["own", "other", "ko", "last", "legal", "to_play"]
    own, other, forbidden, last, legal, to_play = board.planes(names)

    assert (own == board.planes(["white"])[0]).all()
    assert (other == board.planes(["black"])[0]).all()
    assert np.argwhere(forbidden).tolist() == [[2, 2]]
    assert np.argwhere(last).tolist() == [[2, 3]]
    assert legal.sum() == len(board.legal_moves()) - 1  # the pass
    assert to_play.sum() == 0
    assert board.play("pass").planes(["to_play"]).sum() == 25
    assert (board.planes() == board.planes(["black", "white"])).all()
    assert (board.planes("ko") == board.planes(["ko"])).all()


def test_the_planes_of_alphago_zero_are_own_and_other_stones_of_eight_positions() -> None:
    *before, board = ko()
    found = board.planes("agz17", before=before)
    side = Color.WHITE

    assert found.shape == (17, 5, 5)
    for at, position in enumerate([board, *reversed(before)][:8]):
        own, other = found[2 * at], found[2 * at + 1]
        assert {Point(x, y) for y, x in np.argwhere(own).tolist()} == set(position.stones(side))
        assert {Point(x, y) for y, x in np.argwhere(other).tolist()} == set(
            position.stones(side.opponent)
        )
    assert found[16].sum() == 0
    assert board.play("pass").planes("agz17")[16].sum() == 25


def test_positions_that_are_not_given_are_empty_planes() -> None:
    *before, board = ko()

    assert board.planes("agz17")[2:16].sum() == 0
    assert board.planes("agz17", before=before, history=3).shape == (7, 5, 5)
    assert (
        board.planes("agz17", before=before[-1:])[:4] == board.planes("agz17", before=before)[:4]
    ).all()


def test_a_record_gives_the_boards_before() -> None:
    (game,) = sgf_lark.loads("(;FF[4]GM[1]SZ[9];B[cc];W[gg];B[cg])")
    *before, board = [position.board.copy() for position in game.positions()]

    assert board.planes("agz17", before=before)[:8].sum() == 3 + 2 + 1


@pytest.mark.parametrize(
    ("board", "arguments", "message"),
    [
        (Board("Go", 5), {"names": ["green"]}, "no plane 'green': expected stones, agz17, black"),
        (Board("Go", 5), {"names": []}, "expected stones"),
        (Board("Go", 5), {"names": "agz17", "history": 0}, "expected at least 1"),
        (Board("Go", 5), {"names": "agz17", "before": [Board("Go", 9)]}, "another game or size"),
        (Board("Backgammon"), {"names": "own"}, "the side to move is not known"),
    ],
)
def test_planes_that_cannot_be_are_value_errors(
    board: Board, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        board.planes(**arguments)  # type: ignore[arg-type]  # by name


def run(code: str) -> str:
    return subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100
    ).stdout


@pytest.mark.night
def test_numpy_is_imported_when_an_array_is_asked_for() -> None:
    code = (
        "import sys, sgf_lark; board = sgf_lark.Board('Go').play('Q16'); board.canonical();"
        "print('numpy' in sys.modules); board.array(); print('numpy' in sys.modules)"
    )

    assert run(code).split() == ["False", "True"]


def test_without_numpy_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import sgf_lark\n"
        "try: sgf_lark.Board('Go').planes()\n"
        "except ImportError as error: print(error)"
    )

    assert "pip install 'sgf_lark[numpy]'" in run(code)

"""Boards as text, and back."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
from support.lanes import amount, one_in

from sgf_lark import Board
from sgf_lark.pictures.parts import TextStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES: tuple[TextStyle, ...] = ("unicode", "ascii")

BOARDS = [
    Board("Go", 9),
    Board("Go", (5, 30)),
    Board("Othello"),
    Board("Gomoku+Renju"),
    Board("Backgammon"),
    Board("Lines of Action"),
    Board("Hex", (5, 12)),
    Board("Amazons"),
    Board("Octi", empty=True),
    Board("Gess"),
    Board("Twixt", 8),
]


@cache
def games(board: Board) -> tuple[Board, ...]:
    """Positions of random games."""
    return tuple(played(board))


def played(board: Board) -> Iterator[Board]:
    for seed in range(amount(1, 5)):
        chance, played = random.Random(seed), board  # noqa: S311  # a test
        for number in range(amount(9, 50)):
            side = played.to_play or "W"
            moves = played.legal_moves(side)
            if not moves:
                break
            played = played.play(chance.choice(moves), side)
            if number % 7 == 0:
                yield played
        yield played


@pytest.mark.both_lanes
@pytest.mark.parametrize("board", one_in(2, BOARDS), ids=repr)
def test_a_position_in_one_line_reads_back_as_the_same_board(board: Board) -> None:
    for position in games(board):
        again = Board.from_text(position.notation())
        assert again == position
        assert again.key == position.key
        assert "\n" not in position.notation()


@pytest.mark.both_lanes
@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_a_picture_reads_back_with_all_that_it_shows(board: Board) -> None:
    for position, style in product(games(board), STYLES):
        again = Board.from_text(position.text(style), board.game)
        if position.is_over:  # then no side is to move, and the end is said instead
            assert again.to_play is None
            again = again.set_up(to_play=position.to_play)
        if board.game.name == "Octi":  # the last move, and of several pods on a point one, is drawn
            assert again.to_play == position.to_play
            assert set(again.stones()) == set(position.stones())
        elif board.game.name == "Backgammon":  # the dice may be of the last move
            assert again.diagram().stones == position.diagram().stones
            assert again.to_play == position.to_play
        else:
            assert again.notation() == position.notation().partition(" ko:")[0]


@pytest.mark.parametrize("style", ["sgfmill", "gnugo"])
def test_pictures_of_other_programs_are_read(style: TextStyle) -> None:
    board = Board("Go", 13).play("D4").play("K10").play("C3")

    assert Board.from_text(board.text(style)).stones("B") == board.stones("B")
    assert Board.from_text(board.text(style)).stones("W") == board.stones("W")


def test_a_ko_reads_back() -> None:
    board = Board("Go", 5).set_up(black=["B3", "C2", "C4"], white=["C3", "D2", "D4", "E3"])
    board = board.play("D3", "B")

    again = Board.from_text(board.notation())
    assert again.ko == board.ko is not None
    assert again.legal("C3").name == "ko-capture"


def test_dice_and_cube_read_back() -> None:
    board = Board("Backgammon").set_up(to_play="B", dice=(3, 1), cube=4, cube_owner="w")

    assert Board.from_text(board.notation()) == board
    doubled = Board("Backgammon").play("double", "W")
    assert "Wdoubled" in doubled.notation()
    assert Board.from_text(doubled.notation()) == doubled


def test_the_octagon_of_othello_reads_back() -> None:
    line = "Othello 4x4 B B:b2 W:c3 missing:a1,d4"
    board = Board.from_text(line)

    assert board.notation() == line
    assert Board.from_text(board.text(), "Othello").set_up(to_play="B") == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Go 9x9 B B:Z99", "no point 'Z99' on a board of 9 by 9"),
        ("Go 9x9 B dice-31", "no part of a position of Go: 'dice-31'"),
        ("Go 9x9 B B=E5", "no part of a position: 'B=E5'"),
        ("Gomoku+Renju 9x9 B arrow:a1", r"no part of a position of Gomoku\+Renju: 'arrow'"),
        ("Twixt 9x9 B B:C3,D4 Blink:C3-D4", "no link of Twixt: C3 to another peg"),
        ("Twixt 9x9 B B:C3,C4,D5 Blink:C3-C4-D5", "no link of Twixt: C3 to another peg"),
        ("Twixt 9x9 B W:C3 Blink:C3-D5", "no part of a position of Twixt: 'link'"),
        ("Checkers 8x8 B", "no game 'Checkers'"),
        ("Go 0x9 B", "no board of 0 by 9"),
        ("", "no picture of a board of Go: the names of columns are missing"),
        ("  A B\n2 . ?\n1 . .", r"no sign of a board: '\?'"),
    ],
)
def test_what_is_no_board_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board.from_text(text)


def test_backgammon_needs_its_own_picture() -> None:
    with pytest.raises(ValueError, match="no picture of a board of backgammon"):
        Board.from_text(Board("Go").text(), "Backgammon")

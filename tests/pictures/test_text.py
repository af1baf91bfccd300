"""Text boards: each kind of board in each style, and what other programs print."""

from __future__ import annotations

import random
import re
import subprocess
from shutil import which
from time import process_time
from unicodedata import east_asian_width

import pytest
from sgfmill import ascii_boards, boards
from support.diagrams import (
    DIAGRAMS,
    GO,
    HEX,
    MARKED,
    OTHELLO,
    in_cells,
    on_lines,
    stones,
)

from sgf_lark import Board
from sgf_lark.core.schema.values import BoardSize, Color, Point
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Label, Stone, TextStyle
from sgf_lark.pictures.text import STYLES, draw_text

GNUGO = which("gnugo") or which("/usr/games/gnugo")


def test_the_default_style_is_that_of_a_terminal() -> None:
    assert draw_text(GO) == draw_text(GO, "unicode") == GO.text()


@pytest.mark.parametrize("name", DIAGRAMS)
def test_a_board_in_ascii_has_no_other_characters(name: str) -> None:
    assert draw_text(DIAGRAMS[name], "ascii").isascii()


@pytest.mark.parametrize("name", DIAGRAMS)
def test_signs_of_a_board_are_one_column_wide(name: str) -> None:
    text = draw_text(DIAGRAMS[name]).replace("黑", "")

    assert {char for char in text if east_asian_width(char) in "WF"} == set()


def test_no_text_of_a_record_reaches_the_terminal_as_control_character() -> None:
    wild = "\x1b[31m\x07\x9b\r\n"
    diagram = GO.model_copy(
        update={"title": wild, "notes": (wild,), "labels": (Label(Point(0, 0), wild),)}
    )

    for style in ("unicode", "ascii"):
        assert all(line.isprintable() for line in draw_text(diagram, style).split("\n"))


def test_a_part_of_the_board_has_its_own_coordinates() -> None:
    part = on_lines(19, stones=stones("pd", "qf"), crop=(Point(14, 0), Point(18, 5)))

    assert draw_text(part, "ascii").split("\n") == [
        "   P Q R S T",
        "19 . . . . .",
        "18 . . . . .",
        "17 . . . . .",
        "16 . X . . .",
        "15 . . . . .",
        "14 . . O . .",
    ]


def test_points_outside_the_view_are_blank() -> None:
    view = tuple(Point(column, row) for column in range(2) for row in range(2))
    shown = on_lines(3, stones=stones("aa cc"), view=view)

    assert draw_text(shown, "ascii") == "  A B C\n3 X .\n2 . .\n1"


def test_coordinates_can_be_left_out() -> None:
    bare = OTHELLO.model_copy(update={"coordinates": False})

    assert draw_text(bare, "ascii").split("\n")[3] == " . . . O X . . ."


def test_an_unknown_style_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match="no style 'html' of text: expected unicode, ascii"):
        draw_text(GO, "html")  # type: ignore[arg-type]


@pytest.mark.parametrize("style", ["sgfmill", "gnugo"])
def test_programs_of_go_print_boards_with_lines_only(style: TextStyle) -> None:
    with pytest.raises(ValueError, match="not for rhombus"):
        draw_text(HEX, style)


def chance_board(side: int, seed: int) -> tuple[Stone, ...]:
    """Stones on a third of the points, by chance."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    return tuple(
        Stone(Point(column, row), chance.choice(tuple(Color)))
        for row in range(side)
        for column in range(side)
        if chance.random() < 1 / 3
    )


@pytest.mark.parametrize("side", [2, 5, 9, 10, 13, 19, 25])
def test_the_style_of_sgfmill_is_that_of_sgfmill(side: int) -> None:
    held = chance_board(side, side)
    board = boards.Board(side)
    points = {
        one: [(side - 1 - point.row, point.column) for point, color, *_ in held if color is one]
        for one in Color
    }
    board.apply_setup(points[Color.BLACK], points[Color.WHITE], [])
    held = tuple(  # stones without liberties are gone
        stone
        for stone in held
        if board.get(side - 1 - stone.point.row, stone.point.column) is not None
    )

    assert draw_text(on_lines(side, stones=held), "sgfmill") == ascii_boards.render_board(board)


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")
def test_the_style_of_gnugo_is_that_of_gnugo() -> None:
    expected, asked = {}, []
    for side in range(2, 20):
        expected[side] = Board("Go", side).play("B2").play("A1").text("gnugo")
        asked += [f"boardsize {side}", "play b B2", "play w A1", "showboard"]
    answers = subprocess.run(  # noqa: S603
        [str(GNUGO), "--mode", "gtp"],
        input="\n".join([*asked, "quit", ""]),
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    ).stdout.split("\n\n")
    boards_shown = [text.removeprefix("= \n") for text in answers if text.startswith("= \n   A")]
    grids = [
        "\n".join(re.split(" {5}", line)[0] for line in text.split("\n")) for text in boards_shown
    ]

    assert dict(zip(range(2, 20), grids, strict=True)) == expected


@pytest.mark.night
def test_huge_boards_cost_no_more_than_their_points() -> None:
    def cost(side: int) -> float:
        diagram = Diagram(
            kind=BoardKind.LINES,
            size=BoardSize(side, side),
            stones=(Stone(Point(0, 0), Color.BLACK),),
        )
        start = process_time()
        for style in STYLES:
            draw_text(diagram, style)
        return (process_time() - start) / side**2

    assert min(cost(120) for _ in range(2)) < 3 * min(cost(40) for _ in range(3))


def test_marks_of_a_board_are_explained_under_it() -> None:
    assert "^ triangle" in draw_text(MARKED, "ascii")
    assert "territory" not in draw_text(in_cells())

"""Random games of open-spiel on our boards: Othello, Gomoku, Hex, Twixt.

At every ply the sets of legal moves are equal, and so is what is on the board.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

import pytest
from support.lanes import every_other, one_in
from support.open_spiel import playouts

from sgf_lark import Board, Color
from sgf_lark.core.schema.values import PASS, BoardSize, Point
from sgf_lark.games.hex import HexState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.open_spiel import Ply


#: Who moves first, and then, in all games but Twixt.
COLORS = (Color.BLACK, Color.WHITE)


def drawn(rows: Iterator[str], symbols: dict[str, Color]) -> dict[Point, Color]:
    """The pieces in the rows of a picture with a symbol for each cell."""
    return {
        Point(column, row): symbols[symbol]
        for row, cells in enumerate(rows)
        for column, symbol in enumerate(cells)
        if symbol in symbols
    }


def pieces(board: Board) -> dict[Point, Color]:
    return {point: color for color in Color for point in board.stones(color)}


# ---- Othello ----


@pytest.mark.both_lanes
def test_othello_is_played_as_open_spiel_plays_it() -> None:
    for game in playouts("othello", 5, 1_000):
        board = Board("Othello")
        for ply in game:
            rows = (line[2:18:2] for line in str(ply.state).splitlines() if line[0].isdigit())
            assert pieces(board) == drawn(rows, {"x": Color.BLACK, "o": Color.WHITE})
            passes = {"pass"} if PASS in board.legal_moves() else set()
            assert names(board) | passes == set(ply.texts)
            if ply.chosen:
                assert board.to_play is COLORS[ply.player]
                board = board.play(ply.chosen)
        black, white = len(board.stones(Color.BLACK)), len(board.stones(Color.WHITE))
        assert ply.state.returns()[0] == (black > white) - (black < white)


# ---- Gomoku ----


@pytest.mark.both_lanes
@pytest.mark.parametrize("size", every_other([7, 15]))
def test_gomoku_is_played_as_open_spiel_plays_it(size: int) -> None:
    """Their game ends with five stones in a line; ours is a board, which goes on."""
    for game in playouts("gomoku", 3, 500, size=size):
        board = Board("Gomoku", size)
        for ply in game:
            assert pieces(board) == drawn(
                iter(str(ply.state).splitlines()[1:]), {"b": Color.BLACK, "w": Color.WHITE}
            )
            if ply.chosen:
                ours = {f"{point[1]},{point[0]}" for point in points(board)}
                assert ours == set(ply.texts)
                assert board.to_play is COLORS[ply.player]
                row, column = map(int, ply.chosen.split(","))
                board = board.play(Point(column, row))


def names(board: Board) -> set[str]:
    """The legal points as they write them."""
    return {f"{ascii_lowercase[column]}{row + 1}" for column, row in points(board)}


def points(board: Board) -> list[Point]:
    return [move for move in board.legal_moves() if isinstance(move, Point)]


# ---- Hex ----


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    "size", one_in(3, map(pytest.param, [(5, 5), (3, 3), (11, 11), (4, 7), (9, 2)]))
)
@pytest.mark.parametrize("swap", ["", "swap"])
def test_hex_is_played_as_open_spiel_plays_it(size: tuple[int, int], swap: str) -> None:
    """Their swap is a move of the second ply alone; ours may be at any node, and is not listed.

    Where the board is not square they have none.  Their game ends when a side connects its
    edges; our board goes on.
    """
    columns, rows = size
    swaps = swap != "" and columns == rows
    parameters = {"num_cols": columns, "num_rows": rows, "swap": swaps}
    for game in playouts("hex", 2, 100, **parameters):
        board, state = Board("Hex", size), HexState(BoardSize(*size))
        for number, ply in enumerate(game):
            lines = str(ply.state).splitlines()
            assert pieces(board) == drawn(
                (line.replace(" ", "") for line in lines),
                {"x": Color.BLACK, "o": Color.WHITE},
            )
            assert (state.winner() is None) is bool(ply.chosen)
            if not ply.chosen:
                assert state.winner() is COLORS[ply.state.returns().index(1.0)]
                break
            assert names(board) == set(ply.texts) - {"swap"}
            assert ("swap" in ply.texts) is (swaps and number == 1)
            assert board.to_play is COLORS[ply.player]
            move = "swap-pieces" if ply.chosen == "swap" else ply.chosen
            board = board.play(move)
            state.play(state.read_move(move), COLORS[ply.player])


# ---- Twixt ----

#: How they draw a link, by columns and rows to its right end: lines and characters after its left
#: end, and what is there.
LINKS = {
    (1, -2): {(-1, 0): "|", (-2, 1): "/", (-3, 2): "|", (-4, 2): "/", (-5, 3): "|"},
    (2, -1): {(-1, 1): "_", (-1, 2): "/", (-2, 3): "_", (-2, 4): "/", (-3, 5): "_"},
    (2, 1): {(0, 1): "_", (1, 2): "\\", (1, 3): "_", (2, 4): "\\", (2, 5): "_"},
    (1, 2): {(1, 0): "|", (2, 1): "\\", (3, 1): "|", (4, 2): "\\", (5, 3): "|"},
}


@pytest.mark.both_lanes
@pytest.mark.parametrize("size", one_in(4, [6, 5, 8, 12]))
def test_twixt_is_played_as_open_spiel_plays_it(size: int) -> None:
    """Their first side, x, connects top and bottom: our White.

    The second ply of theirs may name the hole of the first: then that peg goes, and there is
    one of the other side where a quarter turn takes it.  FF[4] describes no swap for Twixt.
    Their game ends when a side connects its borders, or none can; our board goes on.
    """
    for game in playouts("twixt", 2, 250, board_size=size, ansi_color_output=False):
        board, first = Board("Twixt", size), ""
        for number, ply in enumerate(game):
            assert pieces(board) == their_pegs(ply)
            assert_links(ply, expected_links(board))
            if not ply.chosen:
                break
            assert board.to_play is (Color.BLACK if ply.player else Color.WHITE)
            theirs = {text[1:] for text in ply.texts}
            assert names(board) == theirs - ({first} if number == 1 else set())
            hole = ply.chosen[1:]
            if number == 1 and hole == first:
                column, row = board.point(hole)
                turned = Point(size - 1 - row, column)
                board = board.set_up(empty=[hole], black=[turned], to_play="W")
            else:
                board = board.play(hole)
            first = first or hole


def their_pegs(ply: Ply) -> dict[Point, Color]:
    """The pegs of a picture in which a hole has three characters each way."""
    rows = [line[5:] for line in str(ply.state).splitlines() if line[:3].strip().isdigit()]
    return drawn(
        (row[::3] for row in rows),
        {"x": Color.WHITE, "o": Color.BLACK},
    )


def expected_links(board: Board) -> dict[tuple[int, int], set[str]]:
    """Our links as they draw them; where two links meet in a place, either may be there."""
    found: dict[tuple[int, int], set[str]] = {}
    for (column, row), second, _ in board.diagram().links:
        for (down, right), symbol in LINKS[second.column - column, second.row - row].items():
            found.setdefault((2 + 3 * row + down, 5 + 3 * column + right), set()).add(symbol)
    return found


def assert_links(ply: Ply, expected: dict[tuple[int, int], set[str]]) -> None:
    """All that their picture has of links are ours, and all of ours are there."""
    seen = {
        (line, place): symbol
        for line, text in enumerate(str(ply.state).splitlines())
        for place, symbol in enumerate(text)
        if symbol in "|/_\\"
    }
    assert seen.keys() == expected.keys()
    assert all(symbol in expected[place] for place, symbol in seen.items())

"""Rules of Amazons.

Source: the page of FF[4] about the game, and its rules.  Whatever a record does to a
board that nobody described (SU[Custom] ...) is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.grid import BORDER, EMPTY, NAMES, STONES, CellGrid
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, GameNumber
from sgf_lark.schema.values import (
    AmazonsMove,
    InitialBoard,
    Point,
)

from .replay import Fault, empty_board, is_set_up, line, replay_board

# ---- stones that are put down: Gomoku, Hex, Twixt ----


# ---- pieces that move: Lines of Action, Amazons, Gess, Octi ----


AMAZONS = GAMES[GameNumber.AMAZONS]


def amazons_rules(game: GameTree) -> Iterator[Finding]:
    """An amazon and its arrow go along free lines."""
    board = empty_board(game)
    setup = next((prop.value for prop in game.nodes.contents[0] if prop.ident == "BO"), None)
    if isinstance(setup, InitialBoard) and board is not None:
        for row, cells in enumerate(setup.rows):
            for column, held in enumerate(cells):
                board.put(board.cell(Point(column, row)), "-*O".index(held))
    elif game.format is Format.GGF or (board is not None and not is_set_up(game)):
        usual = board is not None and board.size == AMAZONS.size
        board = _put_amazons(board) if usual and game.format is not Format.GGF else None
    yield from replay_board(game, board, _play_amazons)


def _put_amazons(board: CellGrid | None) -> CellGrid | None:
    """The usual start."""
    if board is not None:
        for color, points in AMAZONS.start.items():
            for point in points:
                board.put(board.cell(point), STONES[color])
    return board


def _play_amazons(board: CellGrid, move: object, color: int) -> Fault | None:
    if not isinstance(move, AmazonsMove):
        return None
    if board.cells[board.cell(move.origin)] != color:
        return Fault("illegal-move", f"moves no {NAMES[color]} amazon")
    board.put(board.cell(move.origin), EMPTY)
    for start, end, what in (
        (move.origin, move.target, "amazon"),
        (move.target, move.arrow, "arrow"),
    ):
        between = line(board, start, end)
        if between is None:
            return Fault("illegal-move", f"sends its {what} along no line")
        if any(board.cells[cell] for cell in (*between, board.cell(end))):
            return Fault("illegal-move", f"sends its {what} over a square that is not free")
    board.put(board.cell(move.target), color)
    board.put(board.cell(move.arrow), BORDER)
    return None

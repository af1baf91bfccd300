"""Rules of Lines of Action."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.grid import BLACK, BORDER, EMPTY, NAMES, ROW, WHITE, CellGrid
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.terminal import plural
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.values import Point, Step

from .replay import Fault, empty_board, is_set_up, line, replay_board


def loa_rules(game: GameTree) -> Iterator[Finding]:
    """A piece goes as far as there are pieces on its line, and over none of the others."""
    board = empty_board(game)
    if board is not None and not is_set_up(game):
        setup = [prop.raw[0] for prop in game.nodes.contents[0] if prop.ident == "SU" and prop.raw]
        if setup and setup[0].lower() not in {"standard", "loa"}:
            board = None
        else:
            _put_loa_start(board)
    yield from replay_board(game, board, _play_loa)


def _put_loa_start(board: CellGrid) -> None:
    """Black along the first and last row, White along the first and last column."""
    columns, rows = board.size
    cells, step = board.cells, board.step
    for row in (0, rows - 1):
        first = board.cell(Point(1, row))
        cells[first : first + columns - 2] = bytes([BLACK]) * (columns - 2)
    for column in (0, columns - 1):
        first = board.cell(Point(column, 1))
        cells[first : first + (rows - 2) * step : step] = bytes([WHITE]) * (rows - 2)


def _play_loa(board: CellGrid, move: object, color: int) -> Fault | None:
    if not isinstance(move, Step):
        return None
    origin, target = board.cell(move.origin), board.cell(move.target)
    between = line(board, move.origin, move.target)
    if board.cells[origin] != color:
        return Fault("illegal-move", f"moves no {NAMES[color]} piece")
    if between is None:
        return Fault("illegal-move", "does not move along a line")
    pieces = _pieces(board, origin, between.step)
    reason = ""
    if len(between) + 1 != pieces:
        squares = plural(len(between) + 1, "square")
        reason = f"moves {squares}, but must move {pieces}, the number of pieces on its line"
    elif any(board.cells[cell] == 3 - color for cell in between):
        reason = "jumps over a piece of the other side"
    elif board.cells[target] == color:
        reason = "ends on a piece of its own side"
    if reason:
        return Fault("illegal-move", reason)
    board.put(origin, EMPTY)
    board.put(target, color)
    return None


def _pieces(board: CellGrid, origin: int, step: int) -> int:
    """Count the pieces on a line through a piece."""
    board.work += max(board.size) // ROW
    count = 1
    for direction in (step, -step):
        at = origin + direction
        while board.cells[at] != BORDER:
            count += board.cells[at] != EMPTY
            at += direction
    return count

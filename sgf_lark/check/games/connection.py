"""Rules of games of connection: Gomoku, Hex, Twixt."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.grid import BLACK, EMPTY, ROW, WHITE, CellGrid
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.values import Action, LinkCenter, Point

from .replay import Fault, empty_board, place_stone, replay_board


def gomoku_rules(game: GameTree) -> Iterator[Finding]:
    """A stone is played on an empty point."""

    def play(board: CellGrid, move: object, color: int) -> Fault | None:
        return place_stone(board, move, color) if isinstance(move, Point) else None

    yield from replay_board(game, empty_board(game), play)


def hex_rules(game: GameTree) -> Iterator[Finding]:
    """A stone is played in an empty cell; ``swap-pieces`` turns the board over.

    Programs such as MoHex let the stones stand where they are, so that a cell to which a stone
    was turned may be empty for them.
    """
    turned: set[int] = set()

    def play(board: CellGrid, move: object, color: int) -> Fault | None:
        if isinstance(move, Point):
            fault = place_stone(board, move, color)
            if fault is None or board.cell(move) not in turned:
                return fault
            help_ = "by FF[4] swap-pieces turns the stones over the long diagonal; some programs"
            help_ += " let them stand, and then the cell is empty"
            return fault._replace(is_disputed=True, help=help_)
        if isinstance(move, Action) and move.word == "swap-pieces":
            _swap(board)
            turned.update(cell for held in (BLACK, WHITE) for cell in _cells_with(board, held))
        return None

    yield from replay_board(game, empty_board(game), play)


def _swap(board: CellGrid) -> None:
    """Every stone gets the other color, and the place beyond the long diagonal."""
    stones = [(cell, color) for color in (BLACK, WHITE) for cell in _cells_with(board, color)]
    board.work += len(board.cells) // (ROW * ROW) + 2 * len(stones)
    for cell, _ in stones:
        board.put(cell, EMPTY)
    for cell, color in stones:
        row, column = divmod(cell - board.step - 1, board.step)
        point = Point(row, column)
        if board.has(point):
            board.put(board.cell(point), 3 - color)


def _cells_with(board: CellGrid, held: int) -> Iterator[int]:
    """The cells that hold something."""
    cell = board.cells.find(held)
    while cell >= 0:
        yield cell
        cell = board.cells.find(held, cell + 1)


def twixt_rules(game: GameTree) -> Iterator[Finding]:
    """A peg is put into an empty hole within the other side's border."""

    def play(board: CellGrid, move: object, color: int) -> Fault | None:
        if isinstance(move, LinkCenter):
            return _link_fault(board, move.point)
        if not isinstance(move, Point):
            return None
        sides = move.column in {0, board.size.columns - 1}
        ends = move.row in {0, board.size.rows - 1}
        if sides and ends:
            reason = "is a corner, which has no hole"
            return Fault("forbidden-hole", reason, "correct it", lost=False)
        if sides if color == WHITE else ends:
            who = "White connects top and bottom" if sides else "Black connects left and right"
            reason = f"is a hole beyond the other side's border: {who}"
            return Fault("forbidden-hole", reason, "correct it, or the color", lost=False)
        return place_stone(board, move, color)

    yield from replay_board(game, empty_board(game), play)


def _link_fault(board: CellGrid, center: Point) -> Fault | None:
    """A link goes over two columns and one row, from one peg to another of its side.

    Source: FF[4], Twixt before 2021: the center of a shallow link, half a row below a hole.
    """
    (left, right), (high, low) = (
        (center.column - 1, center.column + 1),
        (center.row, center.row + 1),
    )
    if left < 0 or not board.has(Point(right, low)):
        reason = "is the center of no link: it would end off the board"
        return Fault("illegal-move", reason, "correct it", lost=False)
    pairs = ((Point(left, high), Point(right, low)), (Point(left, low), Point(right, high)))
    pegs = [[board.cells[board.cell(point)] for point in pair] for pair in pairs]
    if any(first == second != EMPTY for first, second in pegs):
        return None
    reason = "is the center of no link: it has no two pegs of one side at its ends"
    return Fault("illegal-move", reason, "correct it; a peg may be missing before", lost=False)

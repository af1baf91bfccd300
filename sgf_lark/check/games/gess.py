"""Rules of Gess."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.grid import BLACK, EMPTY, NAMES, STONES, WHITE, CellGrid
from sgf_lark.boards.state import points_of
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.properties import COLORS
from sgf_lark.schema.values import BoardSize, Point, Step

from .off_board import find_board_size
from .replay import Fault, empty_board, is_set_up, line, replay_board

#: Where the stones of Gess stand on the usual board, counted from a side's own edge: 43 each.
GESS = {
    1: "..#.#.########.#.#..",
    2: ".###.#.####.#.#.###.",
    3: "..#.#.########.#.#..",
    6: "..#..#..#..#..#..#..",
}


#: How far a piece of Gess goes without a stone in its center.
SHORT = 3


def gess_rules(game: GameTree) -> Iterator[Finding]:
    """A piece is 3 by 3 points with stones of one side, and goes where its stones point."""
    start = _gess_start(game)

    def play(board: CellGrid, move: object, color: int) -> Fault | None:
        return _play_gess(board, move, color, known=start is not None)

    yield from replay_board(game, start or empty_board(game), play)


def _gess_start(game: GameTree) -> CellGrid | None:
    """Return the board on which a game begins; None if it is not known.

    No page defines the edge of Black: it is the one where the first move is of a black piece.
    """
    if is_set_up(game):
        return empty_board(game)
    size = find_board_size(game)
    moves = (
        (prop.values[0], STONES[COLORS[prop.ident]])
        for content in game.nodes.contents
        for prop in content
        if prop.ident in COLORS and prop.raw
    )
    first, color = next(moves, (None, 0))
    if size != BoardSize(len(GESS[1]), len(GESS[1])) or not isinstance(first, Step):
        return None
    for black in (WHITE, BLACK):  # at the lower edge, at the upper edge
        board, trial = (_gess_board(size, 3 - black) for _ in range(2))
        fits = all(map(board.has, points_of(first)))
        if fits and _play_gess(trial, first, color, known=True) is None:
            return board
    return None


def _gess_board(size: BoardSize, upper: int) -> CellGrid:
    """The usual start; one color is at the upper edge."""
    board = CellGrid(*size)
    for row, cells in GESS.items():
        for column, held in enumerate(cells):
            if held == "#":
                board.put(board.cell(Point(column, row)), upper)
                board.put(board.cell(Point(column, size.rows - 1 - row)), 3 - upper)
    return board


def _play_gess(board: CellGrid, move: object, color: int, *, known: bool) -> Fault | None:
    """Carry out a move; on a board that is not known, check only its two points."""
    if not isinstance(move, Step):
        return None
    columns, rows = board.size
    edges = {0, columns - 1}, {0, rows - 1}
    for point in (move.origin, move.target):
        if point.column in edges[0] or point.row in edges[1]:
            reason = "has the center of a piece on the edge of the board"
            return Fault("edge-center", reason, "a piece is 3 by 3 points", lost=known)
    between = line(board, move.origin, move.target)
    if between is None:
        return Fault("illegal-move", "does not move along a line", lost=known)
    if not known:
        return None
    origin, target = board.cell(move.origin), board.cell(move.target)
    piece = {step: board.cells[origin + step] for step in _around(board)}
    reason = _gess_reason(board, piece, color, [*between, target], between.step)
    if reason:
        return Fault("illegal-move", reason)
    for step in piece:
        board.put(origin + step, EMPTY)
    for step, held in piece.items():
        board.put(target + step, held)
    _clear_edge(board)
    return None


def _clear_edge(board: CellGrid) -> None:
    """Stones on the edge are off the board."""
    right, low = board.size.columns - 1, board.size.rows - 1
    for first, last in (
        ((0, 0), (right, 0)),
        ((0, low), (right, low)),
        ((0, 0), (0, low)),
        ((right, 0), (right, low)),
    ):
        board.put_rectangle(Point(*first), Point(*last), EMPTY)


def _around(board: CellGrid) -> tuple[int, ...]:
    """The steps from the center of a piece to its nine points."""
    return tuple(row * board.step + column for row in (-1, 0, 1) for column in (-1, 0, 1))


def _gess_reason(
    board: CellGrid, piece: dict[int, int], color: int, way: list[int], step: int
) -> str:
    """Why a piece does not go this way, in words; "" if it does."""
    if 3 - color in piece.values():
        return f"moves a piece that holds {NAMES[3 - color]} stones"
    if color not in piece.values():
        return f"moves a piece without {NAMES[color]} stones"
    if piece[step] == EMPTY:
        return "moves in a direction in which the piece has no stone"
    if piece[0] == EMPTY and len(way) > SHORT:
        return (
            f"moves {len(way)} points, but without a stone in its center a piece moves"
            f" at most {SHORT}"
        )
    board.work += len(way)
    own = {way[0] - step + offset for offset in piece}
    for center in way[:-1]:
        if any(
            board.cells[center + offset] != EMPTY and center + offset not in own for offset in piece
        ):
            return "continues after stones that stop it"
    return ""

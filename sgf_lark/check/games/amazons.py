"""Rules of the smaller games: Hex, Twixt, Gomoku, Lines of Action, Amazons, Gess, Octi.

Source: the pages of FF[4] about these games, and their rules.  Whatever a record does to a
board that nobody described (SU[Custom] ...) is not judged.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sgf_lark.boards.board import (
    BLACK,
    BORDER,
    EMPTY,
    NAMES,
    ROW,
    STONES,
    WHITE,
    Board,
    may_work,
    replay,
)
from sgf_lark.check.findings import finding
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import COLORS, Content
from sgf_lark.schema.formats import Format
from sgf_lark.schema.values import (
    Action,
    AmazonsMove,
    Board as Setup,
    BoardSize,
    LinkCenter,
    OctiMove,
    Played,
    Point,
    PointList,
    ProngMove,
    Step,
)

from .off_board import TOO_MUCH_WORK, board_size, not_judged, points_of, too_large

#: What setup puts down; an arrow of Amazons is a border.
SETUP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY, "AA": BORDER}

#: The largest board on which games are played.
LARGEST = 256 * 256


class Fault(NamedTuple):
    """What is wrong with a move.

    Attributes:
        name: A key of :data:`sgf_lark.diagnostics.RULES`.
        reason: Behind the move, in words.
        help: What to do.
        lost: The position is not known any more.
        severity: None for that of the rule.
    """

    name: str
    reason: str
    help: str = "a move before it may be missing or wrong"
    lost: bool = True
    severity: Severity | None = None


#: Carries out a move of a color; what is wrong with it, or None.
Play = Callable[[Board, object, int], Fault | None]


def _replay(game: GameTree, board: Board | None, play: Play) -> Iterator[Finding]:
    """Plays a game; what is wrong with its moves."""
    if board is None:
        yield from too_large(game, LARGEST)
        return
    nodes = game.nodes
    marks: array[int] = array("q")
    lost = bytearray()
    for node, content in replay(nodes, board, marks):
        above = nodes.parents[node]
        unknown = bool(above >= 0 and lost[above])
        _set_up(board, content, node)
        if not may_work(board, node):
            yield not_judged(nodes, node, TOO_MUCH_WORK)
            return
        for place, one in enumerate(content):
            if one.ident not in COLORS or not one.raw:
                continue
            value: object = one.values[0]
            move = value.move if isinstance(value, Played) else value
            if unknown or not all(map(board.has, points_of(move))):
                unknown = True
                continue
            if any(other.ident == "KO" for other in content):
                play(board, move, STONES[COLORS[one.ident]])
                continue
            fault = play(board, move, STONES[COLORS[one.ident]])
            if fault is not None:
                unknown = fault.lost
                message = f"{one.ident}[{shorten(one.raw[0])}] {fault.reason}"
                yield finding(
                    nodes, node, place, fault.name, message, fault.help, fault.severity, 0
                )
        lost.append(unknown)


def _set_up(board: Board, content: Content, node: int) -> None:
    """Carry out setup, as far as it is on the board and within the limit of its work."""
    for one in content:
        if one.ident in SETUP and isinstance(one.value, PointList):
            for entry in one.value.entries:
                if not all(map(board.has, points_of(entry))):
                    continue
                if isinstance(entry, Point):
                    board.put(board.cell(entry), SETUP[one.ident])
                elif entry.corners is not None and may_work(board, node):
                    board.put_rectangle(*entry.corners, SETUP[one.ident])


def _board(game: GameTree) -> Board | None:
    """An empty board; None if nobody says how large, or it is too large."""
    size = board_size(game)
    return Board(*size) if size is not None and size.columns * size.rows <= LARGEST else None


def _is_set_up(game: GameTree) -> bool:
    """The root sets up the board."""
    return any(one.ident in SETUP for one in game.nodes.contents[0])


# ---- stones that are put down: Gomoku, Hex, Twixt ----


def _put(board: Board, point: Point, color: int) -> Fault | None:
    """Put down a stone."""
    cell = board.cell(point)
    held = board.cells[cell]
    board.put(cell, color)
    if held == EMPTY:
        return None
    reason = f"is played where a {NAMES[held]} stone stands"
    return Fault("occupied-point", reason, "correct the move", lost=False)


def gomoku_rules(game: GameTree) -> Iterator[Finding]:
    """A stone is played on an empty point."""

    def play(board: Board, move: object, color: int) -> Fault | None:
        return _put(board, move, color) if isinstance(move, Point) else None

    yield from _replay(game, _board(game), play)


def hex_rules(game: GameTree) -> Iterator[Finding]:
    """A stone is played in an empty cell; ``swap-pieces`` turns the board over.

    Programs such as MoHex let the stones stand where they are, so that a cell to which a stone
    was turned may be empty for them.
    """
    turned: set[int] = set()

    def play(board: Board, move: object, color: int) -> Fault | None:
        if isinstance(move, Point):
            fault = _put(board, move, color)
            if fault is None or board.cell(move) not in turned:
                return fault
            help_ = "by FF[4] swap-pieces turns the stones over the long diagonal; some programs"
            help_ += " let them stand, and then the cell is empty"
            return fault._replace(severity=Severity.INFO, help=help_)
        if isinstance(move, Action) and move.word == "swap-pieces":
            _swap(board)
            turned.update(cell for held in (BLACK, WHITE) for cell in _cells_with(board, held))
        return None

    yield from _replay(game, _board(game), play)


def _swap(board: Board) -> None:
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


def _cells_with(board: Board, held: int) -> Iterator[int]:
    """The cells that hold something."""
    cell = board.cells.find(held)
    while cell >= 0:
        yield cell
        cell = board.cells.find(held, cell + 1)


def twixt_rules(game: GameTree) -> Iterator[Finding]:
    """A peg is put into an empty hole, and not behind the other side's border."""

    def play(board: Board, move: object, color: int) -> Fault | None:
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
            reason = f"is a hole behind the other side's border: {who}"
            return Fault("forbidden-hole", reason, "correct it, or the color", lost=False)
        return _put(board, move, color)

    yield from _replay(game, _board(game), play)


def _link_fault(board: Board, center: Point) -> Fault | None:
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
    if any(one == other != EMPTY for one, other in pegs):
        return None
    reason = "is the center of no link: it has no two pegs of one side at its ends"
    return Fault("illegal-move", reason, "correct it; a peg may be missing before", lost=False)


# ---- pieces that move: Lines of Action, Amazons, Gess, Octi ----


def _line(board: Board, origin: Point, target: Point) -> range | None:
    """The cells between two points on a straight or diagonal line; None if there is none."""
    columns, rows = target.column - origin.column, target.row - origin.row
    far = max(abs(columns), abs(rows))
    if far == 0 or abs(columns) not in {0, far} or abs(rows) not in {0, far}:
        return None
    board.work += far // ROW
    step = columns // far + rows // far * board.step
    start = board.cell(origin)
    return range(start + step, start + far * step, step)


def loa_rules(game: GameTree) -> Iterator[Finding]:
    """A piece goes as far as there are pieces on its line, and over none of the others."""
    board = _board(game)
    if board is not None and not _is_set_up(game):
        setup = [one.raw[0] for one in game.nodes.contents[0] if one.ident == "SU" and one.raw]
        if setup and setup[0].lower() not in {"standard", "loa"}:
            board = None
        else:
            _put_loa_start(board)
    yield from _replay(game, board, _play_loa)


def _put_loa_start(board: Board) -> None:
    """Black along the first and last row, White along the first and last column."""
    columns, rows = board.size
    cells, step = board.cells, board.step
    for row in (0, rows - 1):
        first = board.cell(Point(1, row))
        cells[first : first + columns - 2] = bytes([BLACK]) * (columns - 2)
    for column in (0, columns - 1):
        first = board.cell(Point(column, 1))
        cells[first : first + (rows - 2) * step : step] = bytes([WHITE]) * (rows - 2)


def _play_loa(board: Board, move: object, color: int) -> Fault | None:
    if not isinstance(move, Step):
        return None
    origin, target = board.cell(move.origin), board.cell(move.target)
    between = _line(board, move.origin, move.target)
    if board.cells[origin] != color:
        return Fault("illegal-move", f"moves no {NAMES[color]} piece")
    if between is None:
        return Fault("illegal-move", "goes along no line")
    pieces = _pieces(board, origin, between.step)
    reason = ""
    if len(between) + 1 != pieces:
        reason = f"goes {len(between) + 1} far, with {pieces} pieces on its line"
    elif any(board.cells[cell] == 3 - color for cell in between):
        reason = "jumps over a piece of the other side"
    elif board.cells[target] == color:
        reason = "ends on a piece of its own side"
    if reason:
        return Fault("illegal-move", reason)
    board.put(origin, EMPTY)
    board.put(target, color)
    return None


def _pieces(board: Board, origin: int, step: int) -> int:
    """How many pieces stand on a line through a piece."""
    board.work += max(board.size) // ROW
    count = 1
    for direction in (step, -step):
        at = origin + direction
        while board.cells[at] != BORDER:
            count += board.cells[at] != EMPTY
            at += direction
    return count


#: Where the amazons of both sides stand on the usual board (FF[4], Amazons).
AMAZONS = {
    BLACK: (Point(3, 9), Point(6, 9), Point(0, 6), Point(9, 6)),
    WHITE: (Point(3, 0), Point(6, 0), Point(0, 3), Point(9, 3)),
}


def amazons_rules(game: GameTree) -> Iterator[Finding]:
    """An amazon and its arrow go along free lines."""
    board = _board(game)
    setup = next((one.value for one in game.nodes.contents[0] if one.ident == "BO"), None)
    if isinstance(setup, Setup) and board is not None:
        for row, cells in enumerate(setup.rows):
            for column, held in enumerate(cells):
                board.put(board.cell(Point(column, row)), "-*O".index(held))
    elif game.format is Format.GGF or (board is not None and not _is_set_up(game)):
        usual = board is not None and board.size == BoardSize(10, 10)
        board = _put_amazons(board) if usual and game.format is not Format.GGF else None
    yield from _replay(game, board, _play_amazons)


def _put_amazons(board: Board | None) -> Board | None:
    """The usual start."""
    if board is not None:
        for color, points in AMAZONS.items():
            for point in points:
                board.put(board.cell(point), color)
    return board


def _play_amazons(board: Board, move: object, color: int) -> Fault | None:
    if not isinstance(move, AmazonsMove):
        return None
    if board.cells[board.cell(move.origin)] != color:
        return Fault("illegal-move", f"moves no {NAMES[color]} amazon")
    board.put(board.cell(move.origin), EMPTY)
    for start, end, what in (
        (move.origin, move.target, "amazon"),
        (move.target, move.arrow, "arrow"),
    ):
        between = _line(board, start, end)
        if between is None:
            return Fault("illegal-move", f"sends its {what} along no line")
        if any(board.cells[cell] for cell in (*between, board.cell(end))):
            return Fault("illegal-move", f"sends its {what} over a square that is not free")
    board.put(board.cell(move.target), color)
    board.put(board.cell(move.arrow), BORDER)
    return None


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

    def play(board: Board, move: object, color: int) -> Fault | None:
        return _play_gess(board, move, color, known=start is not None)

    yield from _replay(game, start or _board(game), play)


def _gess_start(game: GameTree) -> Board | None:
    """The board on which a game begins; None if nobody can say.

    No page says at which edge Black begins: where the first move is one of Black's pieces.
    """
    if _is_set_up(game):
        return _board(game)
    size = board_size(game)
    moves = (
        (one.values[0], STONES[COLORS[one.ident]])
        for content in game.nodes.contents
        for one in content
        if one.ident in COLORS and one.raw
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


def _gess_board(size: BoardSize, upper: int) -> Board:
    """The usual start; one color is at the upper edge."""
    board = Board(*size)
    for row, cells in GESS.items():
        for column, held in enumerate(cells):
            if held == "#":
                board.put(board.cell(Point(column, row)), upper)
                board.put(board.cell(Point(column, size.rows - 1 - row)), 3 - upper)
    return board


def _play_gess(board: Board, move: object, color: int, *, known: bool) -> Fault | None:
    """Carry out a move; on a board that nobody knows, only look at its two points."""
    if not isinstance(move, Step):
        return None
    columns, rows = board.size
    edges = {0, columns - 1}, {0, rows - 1}
    for point in (move.origin, move.target):
        if point.column in edges[0] or point.row in edges[1]:
            reason = "has the center of a piece on the edge of the board"
            return Fault("edge-center", reason, "a piece is 3 by 3 points", lost=known)
    between = _line(board, move.origin, move.target)
    if between is None:
        return Fault("illegal-move", "goes along no line", lost=known)
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


def _clear_edge(board: Board) -> None:
    """Stones on the edge are off the board."""
    right, low = board.size.columns - 1, board.size.rows - 1
    for one, other in (
        ((0, 0), (right, 0)),
        ((0, low), (right, low)),
        ((0, 0), (0, low)),
        ((right, 0), (right, low)),
    ):
        board.put_rectangle(Point(*one), Point(*other), EMPTY)


def _around(board: Board) -> tuple[int, ...]:
    """The steps from the center of a piece to its nine points."""
    return tuple(row * board.step + column for row in (-1, 0, 1) for column in (-1, 0, 1))


def _gess_reason(board: Board, piece: dict[int, int], color: int, way: list[int], step: int) -> str:
    """Why a piece does not go this way, in words; "" if it does."""
    if 3 - color in piece.values():
        return f"moves a piece that holds {NAMES[3 - color]} stones"
    if color not in piece.values():
        return f"moves a piece without {NAMES[color]} stones"
    if piece[step] == EMPTY:
        return "goes where the piece has no stone that points there"
    if piece[0] == EMPTY and len(way) > SHORT:
        return f"goes {len(way)} far; a piece without a stone in its center goes {SHORT}"
    board.work += len(way)
    own = {way[0] - step + one for one in piece}
    for center in way[:-1]:
        if any(board.cells[center + one] != EMPTY and center + one not in own for one in piece):
            return "goes on behind stones that stop it"
    return ""


#: The directions of prongs: A is north, where the rows go, and on clockwise.
PRONGS = dict(
    zip(
        ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
        "ABCDEFGH",
        strict=True,
    )
)


def _direction(start: Point, end: Point) -> str:
    """The prong that points from a square to one on the same line."""
    columns, rows = end.column - start.column, end.row - start.row
    far = max(abs(columns), abs(rows))
    return PRONGS[columns // far, rows // far]


def _prong_fault(move: ProngMove) -> Fault | None:
    """What is wrong with a new prong, or one that turns; of a pod whose prongs are named."""
    named = move.pod.prongs
    if move.to == move.prong:
        reason = "turns a prong to where it is"
    elif move.to is None and not move.superprong and move.prong in named:
        reason = f"adds a prong {move.prong}, which the pod has"
    elif move.to is not None and named and move.prong not in named:
        reason = f"turns a prong {move.prong}, which the pod does not have"
    elif move.to is not None and move.to in named:
        reason = f"turns a prong to {move.to}, where the pod has one"
    else:
        return None
    return Fault("illegal-move", reason, "correct the prongs", lost=False)


def octi_rules(game: GameTree) -> Iterator[Finding]:
    """A pod steps to the next square or jumps over it; a prong turns to another direction."""

    def play(board: Board, move: object, _: int) -> Fault | None:
        if isinstance(move, ProngMove):
            return _prong_fault(move)
        if not isinstance(move, OctiMove):
            return None
        for pod, steps in move.moves:
            at = pod.point
            for step in steps:
                between = _line(board, at, step.target)
                if between is None or len(between) > 1:
                    reason = "neither steps to the next square nor jumps over it"
                    return Fault("illegal-move", reason, "correct the squares", lost=False)
                if step.captured and not len(between):
                    reason = "takes a pod without a jump over it"
                    help_ = "'x' stands behind the square on which a jump ends"
                    return Fault("illegal-move", reason, help_, lost=False)
                if pod.prongs and _direction(at, step.target) not in pod.prongs:
                    reason = "goes where the pod has no prong"
                    help_ = "correct the squares, or the prongs that it names"
                    return Fault("illegal-move", reason, help_, lost=False)
                at = step.target
        return None

    yield from _replay(game, _board(game), play)

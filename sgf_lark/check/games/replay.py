"""Replaying games of pieces, move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard

from sgf_lark.boards.cell_state import CellState
from sgf_lark.boards.grid import BORDER, EMPTY, NAMES, SETUP_CELLS, STONES, CellGrid, may_work
from sgf_lark.boards.state import LEGAL, Verdict, points_of
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.content import move_of
from sgf_lark.model.property import Content
from sgf_lark.schema.properties import COLORS
from sgf_lark.schema.values import BoardSize, Color, Invalid, Point, PointList, Value

from .off_board import TOO_MUCH_WORK, find_board_size, not_judged, too_large

if TYPE_CHECKING:
    from array import array

    from sgf_lark.model.nodes import Nodes


class Replayable(Protocol):
    """A board that goes back to earlier positions."""

    @property
    def mark(self) -> Any: ...

    def rewind(self, mark: Any) -> None: ...


def replay(nodes: Nodes, board: Replayable) -> Iterator[tuple[int, Content]]:
    """Yield the nodes of a game, each with the board as its parent leaves it.

    Args:
        nodes: Of the game.
        board: It is rewound where a variation begins.
    """
    parents = nodes.parents
    branches = {above for node, above in enumerate(parents) if above != node - 1}
    marks: dict[int, Any] = {}
    for node, content in enumerate(nodes.contents):
        if parents[node] != node - 1:
            board.rewind(marks[parents[node]])
        yield node, content
        if node in branches:
            marks[node] = board.mark


#: The properties that set up a board; AA puts the arrows of Amazons.
SETUP = frozenset({*SETUP_CELLS, "AA"})

#: The largest board on which games are played.
LARGEST = 256 * 256


def replay_moves(game: GameTree, state: CellState | Driven | None) -> Iterator[Finding]:
    """Play a game and report its illegal moves.

    Args:
        game: It knows its text.
        state: The board on which it begins; None if it is not known, or too large.
    """
    if state is None:
        yield from too_large(game, LARGEST)
        return
    nodes = game.nodes
    lost = bytearray()
    for node, content in replay(nodes, state):
        above = nodes.parents[node]
        unknown = bool(above >= 0 and lost[above])
        set_up(state, content, node)
        if not may_work(state, node):
            yield not_judged(node, TOO_MUCH_WORK)
            return
        for place, prop in enumerate(content):
            if prop.ident not in COLORS or not prop.raw:
                continue
            move = move_of(prop.values[0])
            if isinstance(move, Invalid):
                continue
            if unknown or not all(map(state.has, points_of(move))):
                unknown = True
                continue
            verdict = state.play(move, COLORS[prop.ident])
            if verdict or any(other.ident == "KO" for other in content):
                continue
            unknown = verdict.is_lost
            yield Finding(
                verdict.name,
                verdict.sentence(f"{prop.ident}[{shorten(prop.raw[0])}]"),
                help=verdict.help,
                severity=Severity.INFO if verdict.is_disputed else None,
                node=node,
                property_index=place,
                value_index=0,
            )
        lost.append(unknown)


def set_up(state: CellState | Driven, content: Content, node: int) -> None:
    """Carry out setup, as far as it is on the board and within the limit of its work."""
    for prop in content:
        if prop.ident in SETUP and isinstance(prop.value, PointList):
            for entry in prop.value.entries:
                if not all(map(state.has, points_of(entry))):
                    continue
                if isinstance(entry, Point):
                    state.put_points(entry, entry, prop.ident)
                elif entry.corners is not None and may_work(state, node):
                    state.put_points(*entry.corners, prop.ident)


def is_small(size: BoardSize | None) -> TypeGuard[BoardSize]:
    """Return True if the size of a board is known, and games are played on it."""
    return size is not None and size.columns * size.rows <= LARGEST


def is_set_up(game: GameTree) -> bool:
    """The root sets up the board."""
    return any(prop.ident in SETUP for prop in game.nodes.contents[0])


def main_end(parents: array[int]) -> int:
    """Return the last node of the main line, which the file has at its beginning."""
    for node in range(1, len(parents)):
        if parents[node] != node - 1:
            return node - 1
    return len(parents) - 1


# ---- until all games have states ----


class Fault(NamedTuple):
    """The fault of a move."""

    name: str
    reason: str
    help: str = "a move before it may be missing or wrong"
    lost: bool = True
    is_disputed: bool = False


class Driven(CellGrid):
    """A board that a function plays on."""

    def __init__(
        self, size: BoardSize, play: Callable[[CellGrid, object, int], Fault | None]
    ) -> None:
        super().__init__(*size)
        self._play = play

    def play(self, move: Value, color: Color) -> Verdict:
        fault = self._play(self, move, STONES[color])
        return LEGAL if fault is None else Verdict(*fault)

    def put_points(self, low: Point, high: Point, ident: str) -> None:
        held = BORDER if ident == "AA" else SETUP_CELLS[ident]
        if low == high:
            self.put(self.cell(low), held)
        else:
            self.put_rectangle(low, high, held)


def replay_board(
    game: GameTree,
    board: CellGrid | None,
    play: Callable[[CellGrid, object, int], Fault | None],
) -> Iterator[Finding]:
    """Play a game and report its illegal moves."""
    driven = None
    if board is not None:
        driven = Driven(board.size, play)
        driven.cells, driven.work = board.cells, board.work
    yield from replay_moves(game, driven)


def empty_board(game: GameTree) -> CellGrid | None:
    """Return an empty board; None if its size is not known, or too large."""
    size = find_board_size(game)
    return CellGrid(*size) if is_small(size) else None


def place_stone(board: CellGrid, point: Point, color: int) -> Fault | None:
    """Put down a stone."""
    cell = board.cell(point)
    held = board.cells[cell]
    board.put(cell, color)
    if held == EMPTY:
        return None
    reason = f"is played on a {NAMES[held]} stone"
    return Fault("occupied-point", reason, "correct the move", lost=False)


def line(board: CellGrid, origin: Point, target: Point) -> range | None:
    """Return the cells between two points on a line; None if there is none."""
    return board.line(origin, target)

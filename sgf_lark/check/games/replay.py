"""Replaying games of pieces, move by move."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sgf_lark.boards.grid import (
    BORDER,
    EMPTY,
    NAMES,
    ROW,
    SETUP_CELLS,
    STONES,
    CellGrid,
    may_work,
)
from sgf_lark.boards.state import points_of
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import Content
from sgf_lark.schema.properties import COLORS
from sgf_lark.schema.values import Played, Point, PointList

from .off_board import TOO_MUCH_WORK, find_board_size, not_judged, too_large

if TYPE_CHECKING:
    from sgf_lark.model.nodes import Nodes


class Replayable(Protocol):
    """A board that goes back to earlier positions."""

    @property
    def mark(self) -> int: ...

    def rewind(self, mark: int) -> None: ...


def replay(nodes: Nodes, board: Replayable, marks: array[int]) -> Iterator[tuple[int, Content]]:
    """The nodes of a game, each with the board as its parent leaves it.

    Args:
        nodes: Of the game.
        board: It is rewound where a variation begins.
        marks: An empty array; it gets the position after each node.
    """
    before = -1
    for node, (above, content) in enumerate(zip(nodes.parents, nodes.contents, strict=True)):
        if above != before:
            board.rewind(marks[above])
        yield node, content
        marks.append(board.mark)
        before = node


#: What setup puts down; an arrow of Amazons is a border.
SETUP = SETUP_CELLS | {"AA": BORDER}


#: The largest board on which games are played.
LARGEST = 256 * 256


class Fault(NamedTuple):
    """The fault of a move.

    Attributes:
        name: A key of :data:`sgf_lark.diagnostics.RULES`.
        reason: The words after the move.
        help: What to do.
        lost: The position is not known any more.
        severity: None for that of the rule.
    """

    name: str
    reason: str
    help: str = "a move before it may be missing or wrong"
    lost: bool = True
    severity: Severity | None = None


#: Carries out a move of a color; returns its fault, or None.
Play = Callable[[CellGrid, object, int], Fault | None]


def replay_moves(game: GameTree, board: CellGrid | None, play: Play) -> Iterator[Finding]:
    """Play a game and report its illegal moves."""
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
            yield not_judged(node, TOO_MUCH_WORK)
            return
        for place, prop in enumerate(content):
            if prop.ident not in COLORS or not prop.raw:
                continue
            value: object = prop.values[0]
            move = value.move if isinstance(value, Played) else value
            if unknown or not all(map(board.has, points_of(move))):
                unknown = True
                continue
            if any(other.ident == "KO" for other in content):
                play(board, move, STONES[COLORS[prop.ident]])
                continue
            fault = play(board, move, STONES[COLORS[prop.ident]])
            if fault is not None:
                unknown = fault.lost
                message = f"{prop.ident}[{shorten(prop.raw[0])}] {fault.reason}"
                yield Finding(
                    fault.name,
                    message,
                    help=fault.help,
                    severity=fault.severity,
                    node=node,
                    property_index=place,
                    value_index=0,
                )
        lost.append(unknown)


def _set_up(board: CellGrid, content: Content, node: int) -> None:
    """Carry out setup, as far as it is on the board and within the limit of its work."""
    for prop in content:
        if prop.ident in SETUP and isinstance(prop.value, PointList):
            for entry in prop.value.entries:
                if not all(map(board.has, points_of(entry))):
                    continue
                if isinstance(entry, Point):
                    board.put(board.cell(entry), SETUP[prop.ident])
                elif entry.corners is not None and may_work(board, node):
                    board.put_rectangle(*entry.corners, SETUP[prop.ident])


def empty_board(game: GameTree) -> CellGrid | None:
    """Return an empty board; None if its size is not known, or too large."""
    size = find_board_size(game)
    return CellGrid(*size) if size is not None and size.columns * size.rows <= LARGEST else None


def is_set_up(game: GameTree) -> bool:
    """The root sets up the board."""
    return any(prop.ident in SETUP for prop in game.nodes.contents[0])


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
    """The cells between two points on a straight or diagonal line; None if there is none."""
    columns, rows = target.column - origin.column, target.row - origin.row
    far = max(abs(columns), abs(rows))
    if far == 0 or abs(columns) not in {0, far} or abs(rows) not in {0, far}:
        return None
    board.work += far // ROW
    step = columns // far + rows // far * board.step
    start = board.cell(origin)
    return range(start + step, start + far * step, step)


def main_end(parents: array[int]) -> int:
    """The last node of the main line, which the file has at its beginning."""
    for node in range(1, len(parents)):
        if parents[node] != node - 1:
            return node - 1
    return len(parents) - 1

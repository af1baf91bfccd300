"""Rules of Octi."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.grid import CellGrid
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.values import OctiMove, Point, ProngMove

from .replay import Fault, empty_board, line, replay_board

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
    """Return the fault of a new or turned prong, of a pod whose prongs are named."""
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

    def play(board: CellGrid, move: object, _: int) -> Fault | None:
        if isinstance(move, ProngMove):
            return _prong_fault(move)
        if not isinstance(move, OctiMove):
            return None
        for pod, steps in move.moves:
            at = pod.point
            for step in steps:
                between = line(board, at, step.target)
                if between is None or len(between) > 1:
                    reason = "neither steps to the next square nor jumps over it"
                    return Fault("illegal-move", reason, "correct the squares", lost=False)
                if step.captured and not len(between):
                    reason = "takes a pod without a jump over it"
                    help_ = "'x' is after the square on which a jump ends"
                    return Fault("illegal-move", reason, help_, lost=False)
                if pod.prongs and _direction(at, step.target) not in pod.prongs:
                    reason = "moves in a direction in which the pod has no prong"
                    help_ = "correct the squares, or the prongs that it names"
                    return Fault("illegal-move", reason, help_, lost=False)
                at = step.target
        return None

    yield from replay_board(game, empty_board(game), play)

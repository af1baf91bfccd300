"""The moves of a main line with the positions before them, for arrays of numpy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sgf_lark.core import Color, Pass, Point

from .arrays import Examples, PackedMoves, planes_apart, planes_of, unpack
from .replay import Replay
from .start import start
from .state import State

if TYPE_CHECKING:
    from sgf_lark.core import GameTree

    from .arrays import Array


def make_examples(game: GameTree, names: str | Iterable[str], history: int) -> Examples:
    """Return the arrays of a game; see :meth:`.GameTree.planes`."""
    names = names if isinstance(names, str) else tuple(names)
    return unpack(pack_moves(game, planes_apart(names, history)), names, history)


def pack_moves(game: GameTree, apart: tuple[str, ...]) -> PackedMoves:
    """Return the moves of the main line, up to one that leaves the board unknown."""
    nodes = game.nodes
    state = start(nodes.contents, nodes.rules)
    number = state.number_of_game
    if not state.moves_are_points:
        name = state.game.name
        raise ValueError(f"the moves of {name} are no points: positions() has its boards")
    columns, rows = state.size
    length = -(-rows * (columns + 1) // 8)
    stones: list[bytes] = []
    planes: list[Array] = []
    players: list[int] = []
    moves: list[int] = []

    def finish() -> None:
        move = state.last
        if len(moves) < len(players):
            at = move.row * columns + move.column if isinstance(move, Point) else -1
            moves.append(rows * columns if isinstance(move, Pass) else at)

    def begin(node: int, color: Color, closely: int) -> None:  # noqa: ARG001
        finish()
        black, white = state.stone_sets() or _sets_of(state)
        stones.append(black.to_bytes(length, "little") + white.to_bytes(length, "little"))
        players.append(1 if color is Color.BLACK else -1)
        if apart:
            planes.extend(planes_of(state, apart, color))

    replay = Replay(nodes.contents, nodes.rules, state, before=begin)
    for _, _, _, is_known in replay.of_nodes(nodes.tape, nodes.tree.main_line(), None):
        finish()
        if not is_known:
            del players[-1:], moves[-1:], stones[-1:], planes[len(planes) - len(apart) :]
            break
    result = game.info.result
    outcome = None if result is None else result.outcome
    return PackedMoves(number or 0, state.size, b"".join(stones), planes, players, moves, outcome)


def _sets_of(state: State) -> tuple[int, int]:
    """Return the pieces of each side, as :meth:`.State.stone_sets` has them."""
    width, sets = state.size.columns + 1, dict.fromkeys(Color, 0)
    for stone in state.pieces():
        if stone.color is not None:
            sets[stone.color] |= 1 << stone.point.row * width + stone.point.column
    return sets[Color.BLACK], sets[Color.WHITE]

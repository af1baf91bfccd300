"""Rules of games in which all that is checked are moves, one by one, on the board of the game.

Source: the pages of FF[4]; the rules are those of :mod:`sgf_lark.boards.games`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.state import LEGAL
from sgf_lark.findings.finding import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.model.positions.replay import Replay
from sgf_lark.model.positions.start import start

from .moves import illegal_moves
from .off_board import TOO_MUCH_WORK, find_board_size, not_judged, too_large

#: The largest board on which games are played.
LARGEST = 256 * 256


def check_moves(game: GameTree) -> Iterator[Finding]:
    """Play a game on its board and report its illegal moves."""
    nodes, size = game.nodes, find_board_size(game)
    if size is None or size.columns * size.rows > LARGEST:
        yield from too_large(game, LARGEST)
        return
    try:
        state = start(nodes.contents, nodes.rules)
    except ValueError:  # GGF without a first board
        return
    replay, parents = Replay(nodes.contents, nodes.rules, state), nodes.parents
    for node, _, verdict, _ in replay.of_nodes(nodes.tape, range(len(parents)), parents):
        if replay.is_over:
            yield not_judged(node, TOO_MUCH_WORK)
            return
        if verdict is not None and verdict is not LEGAL:
            yield from illegal_moves(nodes, node, replay.judged(node, verdict))

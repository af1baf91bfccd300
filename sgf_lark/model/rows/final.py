"""The last position of the main line."""

from __future__ import annotations

from collections import deque

from sgf_lark.boards.keys import turned_keys
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.positions.position import walk


def final_keys(nodes: Nodes) -> tuple[int | None, int | None]:
    """Return the key of the last position of the main line, and its symmetric key.

    None if the board is not known: no rules are known, the first board is missing, or a move
    could not be carried out.
    """
    if nodes.end is not None:  # the check of the game has played it
        keys = turned_keys(nodes.end)
        return keys[0], min(keys)
    try:
        last = deque(walk(nodes, None, is_all=False), maxlen=1)
    except ValueError:
        return None, None
    if not last or not last[0].is_known:
        return None, None
    board = last[0].board
    return board.key, board.key_symmetric

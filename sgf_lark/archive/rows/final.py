"""The last position of the main line."""

from __future__ import annotations

from sgf_lark.boards.keys import turned_keys
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.positions.replay import Replay
from sgf_lark.model.positions.start import start


def final_keys(nodes: Nodes) -> tuple[int | None, int | None]:
    """Return the key of the last position of the main line, and its symmetric key.

    None if the board is not known: no rules are known, the first board is missing, or a move
    could not be carried out.
    """
    if nodes.end is not None:  # the check of the game has played it
        keys = turned_keys(nodes.end)
        return keys[0], min(keys)
    try:
        state = start(nodes.contents, nodes.rules)
    except ValueError:
        return None, None
    replay = Replay(nodes.contents, nodes.rules, state)
    for _ in replay.of_nodes(nodes.tape, nodes.tree.main_line(), None):
        pass
    if not replay.is_known:
        return None, None
    keys = turned_keys(state)
    return keys[0], min(keys)

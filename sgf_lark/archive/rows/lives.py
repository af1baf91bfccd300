"""Rows of the table lives: the stones of the main line, each from its birth to its death.

Times are those of positions, as in the table positions: a stone is on the board in the positions
from ``born`` to the one before ``died``.  A stone that turns over dies, and one of the other side
is born.
"""

from __future__ import annotations

from typing import Any

from sgf_lark.core import Color, Nodes

from .positions import has_too_many, known_positions
from .scan import Scan


def find_lives(game_id: int, nodes: Nodes, scanned: Scan) -> list[tuple[Any, ...]]:
    """Return the stones of the main line of a game, as far as its positions are known.

    Games with other pieces than stones have none.

    Args:
        game_id: The key of the game.
        nodes: Of the game.
        scanned: Their contents.
    """
    rows: list[tuple[int, str, int, int]] = []
    born: dict[tuple[int, str], int] = {}
    before, number, width = (0, 0), -1, 1
    for node, number, board in known_positions(nodes, scanned):  # the last one
        now = board._state.stone_sets()  # noqa: SLF001  # the live view of it
        if now is None or has_too_many(len(rows) + len(born), node):
            return []
        width = board.size.columns + 1
        for color, held, earlier in zip(Color, now, before, strict=True):
            changed = held ^ earlier
            while changed:
                at = changed.bit_length() - 1
                changed ^= 1 << at
                if held >> at & 1:
                    born[at, color.value] = number
                else:
                    rows.append((at, color.value, born.pop((at, color.value)), number))
        before = now
    rows += [(at, color, first, number + 1) for (at, color), first in born.items()]
    # a row of cells has one more than the board
    return [(game_id, at - at // width, *life) for at, *life in rows]

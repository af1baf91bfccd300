"""Rows of the table lives: the stones of the main line, each from its birth to its death.

Times are those of positions, as in the table positions: a stone is on the board in the positions
from ``born`` to the one before ``died``.  A stone that turns over dies, and one of the other side
is born.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sgf_lark.model.nodes import Nodes
from sgf_lark.schema.values import Color

from .positions import has_too_many, known_positions
from .scan import Scan


class LifeFacts(NamedTuple):
    """The facts about the stones of a game, of each an entry for each stone."""

    game_id: Sequence[int]
    point: Sequence[int]
    color: Sequence[str]
    born: Sequence[int]
    died: Sequence[int]


def find_lives(game_id: int, nodes: Nodes, scanned: Scan) -> LifeFacts | None:
    """Return the stones of the main line of a game, as far as its positions are known.

    Games with other pieces than stones have none.

    Args:
        game_id: The key of the game.
        nodes: Of the game.
        scanned: Their contents.
    """
    rows: list[tuple[int, int, str, int, int]] = []
    born: dict[tuple[int, str], int] = {}
    before, number, width = (0, 0), -1, 1
    for node, number, board in known_positions(nodes, scanned):  # the last one
        now = board._state.stone_sets()  # noqa: SLF001  # the live view of it
        if now is None or has_too_many(len(rows) + len(born), node):
            return None
        width = board.size.columns + 1
        for color, held, earlier in zip(Color, now, before, strict=True):
            changed = held ^ earlier
            while changed:
                at = changed.bit_length() - 1
                changed ^= 1 << at
                if held >> at & 1:
                    born[at, color.value] = number
                else:
                    rows.append((game_id, at, color.value, born.pop((at, color.value)), number))
        before = now
    rows += [(game_id, at, color, first, number + 1) for (at, color), first in born.items()]
    if not rows:
        return None
    _, cells, colors, births, deaths = zip(*rows, strict=True)
    points = [at - at // width for at in cells]  # a row of cells has one more than the board
    return LifeFacts([game_id] * len(rows), points, colors, births, deaths)

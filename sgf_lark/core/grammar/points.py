"""The points of custom games: which are places on a board, by the grammar of the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sgf_lark.core.schema.games import Game
from sgf_lark.core.schema.sources import GrammarSource


@lru_cache(maxsize=1 << 6)  # a game is equal only to itself
def knows_points(game: Game) -> bool:
    """Return whether points are places: columns and rows by the grammar, read by no transformer."""
    file = game.grammar
    if not isinstance(file, GrammarSource):
        return game.has_points
    from . import grammars

    if game.values is not None:
        return game.has_points or "point" in grammars.rules(file)
    lark = grammars.value(file, "point")
    if lark is None:
        return False
    ways = [rule for rule in lark.rules if rule.origin.name == "point"]
    return all(
        rule.alias is None and sum(not _is_left_out(one) for one in rule.expansion) == PARTS
        for rule in ways
    )


#: A point is its column and its row.
PARTS = 2


def _is_left_out(symbol: Any) -> bool:
    return symbol.name.startswith("_") or getattr(symbol, "filter_out", False)

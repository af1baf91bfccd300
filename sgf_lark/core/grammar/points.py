"""The points of custom games: which are places on a board, by the grammar of the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sgf_lark.core.schema.games import Game
from sgf_lark.core.schema.sources import GrammarSource


@lru_cache(maxsize=1 << 6)  # a game is equal only to itself
def knows_points(game: Game) -> bool:
    """Tell if the points of a game are places on a board.

    By the grammar of a custom game, a point is a column and a row; if a transformer reads it, that
    may make points of anything.
    """
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
    """Tell if a tree does not have a symbol of a rule."""
    return symbol.name.startswith("_") or getattr(symbol, "filter_out", False)

"""The checks of a record's moves by the rules of its game.

SGF lets a record play what no rule allows (FF[4], property KO), so that nothing here is an
error.  These rules replay a game, and are for who checks a record, not for who loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber

from .amazons import amazons_rules
from .backgammon import backgammon_rules
from .connection import gomoku_rules, hex_rules, twixt_rules
from .gess import gess_rules
from .ggf import ggf_rules
from .go import first_player, go_rules, same_color_twice
from .lines_of_action import loa_rules
from .octi import octi_rules
from .othello import othello_rules

#: The rules of a game by its number, whatever the format.
OF_GAME: dict[int, Callable[[GameTree], Iterator[Finding]]] = {
    GameNumber.OTHELLO: othello_rules,
    GameNumber.GOMOKU: gomoku_rules,
    GameNumber.BACKGAMMON: backgammon_rules,
    GameNumber.LINES_OF_ACTION: loa_rules,
    GameNumber.HEX: hex_rules,
    GameNumber.AMAZONS: amazons_rules,
    GameNumber.OCTI: octi_rules,
    GameNumber.GESS: gess_rules,
    GameNumber.TWIXT: twixt_rules,
}


def check_game_rules(game: GameTree, asked: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Check a game on its board and by its rules.

    Args:
        game: It knows its text.
        asked: Names of the strict rules to check; the others find nothing.
    """
    if game.game == GameNumber.GO and game.format is not Format.GGF:
        yield from go_rules(game, asked)
    else:
        if rules := OF_GAME.get(game.game or 0):
            yield from rules(game)
        if "same-color-twice" in asked and game.game not in WITHOUT_TURNS:
            yield from same_color_twice(game.nodes)
    if game.format is Format.GGF:
        yield from ggf_rules(game)
    elif "first-player" in asked and game.nodes.rules.game.is_first_known:
        yield from first_player(game)


#: Games in which a side may have to let the other move again, and those without a number.
WITHOUT_TURNS = frozenset({None, GameNumber.OTHELLO, GameNumber.BACKGAMMON})

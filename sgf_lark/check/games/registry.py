"""What the rules of a record's game say about its moves: the door to all of them.

SGF lets a record play what no rule allows (FF[4], property KO), so that nothing here is an
error.  These rules replay a game, and are for who checks a record, not for who loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format

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
    2: othello_rules,
    4: gomoku_rules,
    6: backgammon_rules,
    9: loa_rules,
    11: hex_rules,
    18: amazons_rules,
    19: octi_rules,
    20: gess_rules,
    21: twixt_rules,
}


def check_game_rules(game: GameTree, asked: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """What a game's board and rules say.

    Args:
        game: It knows its text.
        asked: Names of the strict rules that somebody asks for; the others find nothing.
    """
    if game.game == GO and game.format is not Format.GGF:
        yield from go_rules(game, asked)
    else:
        if rules := OF_GAME.get(game.game or 0):
            yield from rules(game)
        if "same-color-twice" in asked and game.game not in {None, BACKGAMMON, OTHELLO}:
            yield from same_color_twice(game.nodes)
    if game.format is Format.GGF:
        yield from ggf_rules(game)
    elif "first-player" in asked and game.game in WITH_FIRST_PLAYER:
        yield from first_player(game)


#: Games of which a page or everybody says who begins: Go, Gomoku, Lines of Action, Hex, Twixt.
WITH_FIRST_PLAYER = frozenset({1, 4, 9, 11, 21})

GO, OTHELLO, BACKGAMMON = 1, 2, 6

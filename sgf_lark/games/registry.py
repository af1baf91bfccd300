"""The checks of a record's moves by the rules of its game.

SGF lets a record play what no rule allows (FF[4], property KO), so that nothing here is an
error.  These rules replay a game, and are for who checks a record, not for who loads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from sgf_lark.core import Finding, Format, GameNumber, GameTree

#: The checks of games in which more than single moves are checked: the module of this package
#: and its function.  A module is imported for a record of its game only.
OF_GAME = {
    GameNumber.OTHELLO: ("othello_checks", "othello_rules"),
    GameNumber.BACKGAMMON: ("backgammon_checks", "backgammon_rules"),
}

#: The checks of every other game that has a board.
MOVES = ("moves", "check_moves")


def check_game_rules(game: GameTree, asked: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Check a game on its board and by its rules.

    Args:
        game: It knows its text.
        asked: Names of the strict rules to check; the others find nothing.
    """
    if game.game == GameNumber.GO and game.format is not Format.GGF:
        from sgf_lark.games.go_checks import go_rules

        yield from go_rules(game, asked)
    else:
        from sgf_lark.positions.board import STATES

        if game.game in STATES and game.game != GameNumber.GO:
            module, name = OF_GAME.get(GameNumber(game.game), MOVES)
            rules = getattr(import_module(f".{module}", __package__), name)
            yield from rules(game)
        if "same-color-twice" in asked and game.game not in WITHOUT_TURNS:
            from sgf_lark.games.go_checks import same_color_twice

            yield from same_color_twice(game.nodes)
    if game.format is Format.GGF:
        from sgf_lark.games.ggf import ggf_rules

        yield from ggf_rules(game)
    elif "first-player" in asked and game.nodes.rules.game.is_first_known:
        from sgf_lark.games.go_checks import first_player

        yield from first_player(game)


#: Games in which a side may have to let the other move again, and those without a number.
WITHOUT_TURNS = frozenset({None, GameNumber.OTHELLO, GameNumber.BACKGAMMON})

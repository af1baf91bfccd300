"""What the rules of a record's game say about its moves: the door to all of them.

SGF lets a record play what no rule allows (FF[4], property KO), so that nothing here is an
error but a point that the board does not have.  These rules are for who checks a record, not
for who loads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .board_rules import board_rules
from .diagnostics import Finding
from .go_rules import go_rules
from .grammars import Format
from .model import GameTree

#: The rules of a game that is not GGF, by its number.
OF_GAME: dict[int | None, Callable[[GameTree, frozenset[str]], Iterator[Finding]]] = {
    1: go_rules,
}


def check_game_rules(game: GameTree, asked: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """What a game's board and rules say; a finding's path is still the number of its node.

    Args:
        game: It knows its text.
        asked: Names of the strict rules that somebody asks for; the others find nothing.
    """
    if game.format is not Format.GGF and game.game in OF_GAME:
        yield from OF_GAME[game.game](game, asked)
    else:
        yield from board_rules(game)

"""The games with rules: the class of each, and the checks of a record's moves.

SGF lets a record play what no rule allows (FF[4], property KO), so that nothing here is an
error.  These rules replay a game, and are for who checks a record, not for who loads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from sgf_lark.core import GAMES, Format, GameNumber, load_module
from sgf_lark.positions.state import State

if TYPE_CHECKING:
    from sgf_lark.core import Finding, GameTree


@cache
def find_state(number: int | None) -> type[State] | None:
    """Return the class with the board and the rules of a game; None if no rules are known.

    The module has the name of the game's grammar, and is imported for a record of its game only.
    """
    game = GAMES.get(number or 0)
    if game is None or not game.notation:
        return None
    module = f"{__package__}.{game.notation}"
    try:
        load_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return None
    return State.by_number[game.number or 0]


def games_with_rules() -> dict[GameNumber, type[State]]:
    """Return the class of each game that has rules, by its number; all of them are imported."""
    found = {number: find_state(number) for number in GameNumber}
    return {number: state for number, state in found.items() if state is not None}


def check_game_rules(game: GameTree, asked: frozenset[str] = frozenset()) -> Iterator[Finding]:
    state, is_ggf = find_state(game.game), game.format is Format.GGF
    if game.game == GameNumber.GO and is_ggf:  # nobody knows how GGF writes its moves
        state = None
    if state is not None:
        yield from state.check(game, asked)
    takes_turns = state is None or state.takes_turns
    if "same-color-twice" in asked and game.game is not None and takes_turns:
        from sgf_lark.games.go_checks import same_color_twice

        yield from same_color_twice(game.nodes)
    if is_ggf:
        from sgf_lark.games.ggf import ggf_rules

        yield from ggf_rules(game)
    elif "first-player" in asked and game.nodes.rules.game.is_first_known:
        from sgf_lark.games.go_checks import first_player

        yield from first_player(game)

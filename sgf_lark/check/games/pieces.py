"""Rules of games of pieces that move: Lines of Action, Amazons.

A game that begins on a board that nobody described (SU[Custom], a board of Amazons of another
size) is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.games.amazons import AmazonsState
from sgf_lark.boards.games.lines_of_action import LoaState
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.schema.values import InitialBoard

from .off_board import find_board_size
from .replay import is_set_up, is_small, replay_moves

#: The setups of Lines of Action (SU) that begin on the usual board.
USUAL = frozenset({"standard", "loa"})


def loa_rules(game: GameTree) -> Iterator[Finding]:
    """Check that pieces go as far as there are pieces on their lines."""
    size = find_board_size(game)
    state = LoaState(size) if is_small(size) else None
    if state is not None and not is_set_up(game):
        setup = [prop.raw[0] for prop in game.nodes.contents[0] if prop.ident == "SU" and prop.raw]
        if setup and setup[0].lower() not in USUAL:
            state = None
        else:
            state.put_start()
    yield from replay_moves(game, state)


def amazons_rules(game: GameTree) -> Iterator[Finding]:
    """Check that amazons and their arrows go along free lines."""
    size = find_board_size(game)
    state = AmazonsState(size) if is_small(size) else None
    setup = next((prop.value for prop in game.nodes.contents[0] if prop.ident == "BO"), None)
    if state is not None and isinstance(setup, InitialBoard):
        state.put_board(setup)
    elif game.format is Format.GGF:
        state = None
    elif state is not None and not is_set_up(game):
        state.put_start()
    yield from replay_moves(game, state if state is None or state.is_known else None)

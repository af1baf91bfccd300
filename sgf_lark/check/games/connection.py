"""Rules of games of connection: Gomoku, Hex, Twixt."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.boards.games.gomoku import GomokuState
from sgf_lark.boards.games.hex import HexState
from sgf_lark.boards.games.twixt import TwixtState
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model.collection import GameTree

from .off_board import find_board_size
from .replay import is_small, replay_moves


def gomoku_rules(game: GameTree) -> Iterator[Finding]:
    """Check that stones are played on empty points."""
    size = find_board_size(game)
    yield from replay_moves(game, GomokuState(size) if is_small(size) else None)


def hex_rules(game: GameTree) -> Iterator[Finding]:
    """Check that stones are played in empty cells; ``swap-pieces`` turns the board over."""
    size = find_board_size(game)
    yield from replay_moves(game, HexState(size) if is_small(size) else None)


def twixt_rules(game: GameTree) -> Iterator[Finding]:
    """Check that pegs are put into empty holes within the other side's border."""
    size = find_board_size(game)
    yield from replay_moves(game, TwixtState(size) if is_small(size) else None)

"""Real records: a turned game leads to the turned board, and a recolored one to the recolored."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from support.corpus import long, true_of_records

from sgf_lark import Symmetry
from sgf_lark.boards.symmetry import is_symmetry

if TYPE_CHECKING:
    from sgf_lark import Collection

#: Games of a record that are looked at.
GAMES = 5

#: A game of so many nodes is turned in two ways only.
MANY = 10_000


def few(which: str) -> bool:
    """All but some short records wait for the night."""
    return long(which) or crc32(which.encode()) % 20 > 0


@true_of_records(night=few)
def a_turned_game_leads_to_the_turned_board(_: str, collection: Collection) -> None:
    for game in list(collection)[:GAMES]:
        last = list(game.main_line())[-1].path
        try:
            board = game.board(last)
        except ValueError:  # of a game without a board
            continue
        for symmetry in list(Symmetry)[1::5] if len(game) > MANY else Symmetry:
            if is_symmetry(board.game.number, symmetry):
                assert game.transformed(symmetry).board(last) == board.transformed(symmetry)
        assert game.recolored().board(last) == board.recolored()

"""Random games on our own boards, of every game that has rules."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sgf_lark import Board, Color, GameTree
from sgf_lark.boards.board import STATES
from sgf_lark.schema.games import GameNumber

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The games that have rules.
PLAYED = [*STATES]

#: Sizes other than the usual one, which make a game short, and so its positions meet.
SIZES = {
    GameNumber.GO: (5, 5),
    GameNumber.OTHELLO: (6, 6),
    GameNumber.GOMOKU: (6, 4),
    GameNumber.HEX: (5, 5),
    GameNumber.TWIXT: (8, 8),
    GameNumber.LINES_OF_ACTION: (6, 6),
}


def choices(seed: int, count: int) -> list[int]:
    """Numbers that choose moves, one after another."""
    chance = random.Random(seed)  # noqa: S311  # a test
    return [chance.randrange(1 << 20) for _ in range(count)]


#: Moves of games that have many legal ones, so that a list of them takes long.
LONGEST = {GameNumber.AMAZONS: 15, GameNumber.OCTI: 12, GameNumber.GESS: 8}

#: Such numbers for games of all lengths.
CHOICES = st.builds(choices, st.integers(0, 1 << 30), st.integers(0, 50))


def playout(game: GameNumber, numbers: list[int]) -> Iterator[Board]:
    """The positions of a game in which numbers choose among the legal moves, the first included."""
    board = Board(game, SIZES.get(game))
    if board.to_play is None:
        board = board.set_up(to_play=Color.WHITE)
    yield board
    for choice in numbers[: LONGEST.get(game)]:
        if game is GameNumber.BACKGAMMON:
            board = board.set_up(dice=(choice % 6 + 1, choice // 6 % 6 + 1))
        state = board._state  # noqa: SLF001  # which plays on after the end, as records do
        moves = [*state.moves(board.to_play or Color.BLACK)]
        if not moves:
            return
        board = board.play(moves[choice // 36 % len(moves)])
        yield board


def played(game: GameNumber, seed: int, count: int = 12) -> GameTree:
    """A record by chance."""
    draft = GameTree.new(game, SIZES.get(game)).edit()
    for before, after in pairwise(playout(game, choices(seed, count))):
        assert after.last is not None
        draft.play(after.last, color=before.to_play or Color.BLACK, force=True)
    return draft.done()

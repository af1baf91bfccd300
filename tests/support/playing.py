"""Random games and positions on our own boards, of every game that has rules."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from sgf_lark import Board, BoardSize, Color, GameTree, Point
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.games.registry import games_with_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.positions.state import State

#: The games that have rules.
PLAYED = [*games_with_rules()]

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


def cells_of(size: BoardSize) -> Iterator[Point]:
    """The points of a board, row by row."""
    return (Point(column, row) for row in range(size.rows) for column in range(size.columns))


@st.composite
def positions(
    draw: st.DrawFn,
    kind: type[State],
    sizes: st.SearchStrategy[int],
    idents: tuple[str, ...] = ("AB", "AW"),
) -> Any:
    """Small boards of a game with pieces anywhere."""
    size = BoardSize(draw(sizes), draw(sizes))
    points, state = st.sampled_from([*cells_of(size)]), kind(size)
    for point, ident in draw(st.lists(st.tuples(points, st.sampled_from(idents)), max_size=14)):
        state.put_points(point, point, ident)
    return state


def everything(state: State) -> tuple[object, ...]:
    """All that can be seen of a state."""
    counts = state.number, state.last, state.black_captured, state.white_captured
    return state.position(), tuple(state.pieces()), *counts


def check_changes(state: State, moves: Iterable[Any]) -> None:
    """Play moves and take them back; the verdicts, the way back and a copy are right."""
    before, past = state.copy(), [(state.mark, everything(state))]
    for number, move in enumerate(moves):
        color = [*Color][number % 2]
        verdict = state.judge(move, color)
        assert everything(state) == past[-1][1]
        assert state.play(move, color) == verdict
        assert (state.number, state.last) == (before.number + number + 1, move)
        assert state.to_play is color.opponent
        past.append((state.mark, everything(state)))
    copy = state.copy()
    last = everything(state)
    assert everything(copy) == last
    for mark, seen in reversed(past):
        state.rewind(mark)
        assert everything(state) == seen
    assert everything(state) == everything(before)
    assert everything(copy) == last

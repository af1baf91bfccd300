"""Boards of one game, changed by chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from sgf_lark.schema.values import BoardSize, Color, Point

if TYPE_CHECKING:
    from sgf_lark.boards.state import State


class Changes(NamedTuple):
    """A board, and what was set up on it."""

    state: Any
    setup: list[tuple[Point, str]]


def cells_of(size: BoardSize) -> Iterator[Point]:
    """The points of a board, row by row."""
    columns, rows = size
    return (Point(column, row) for row in range(rows) for column in range(columns))


def changes(
    kind: type[State], sizes: st.SearchStrategy[int], idents: Iterable[str] = ("AB", "AW")
) -> st.SearchStrategy[Changes]:
    """Small boards with pieces anywhere."""

    @st.composite
    def build(draw: st.DrawFn) -> Changes:
        size = BoardSize(draw(sizes), draw(sizes))
        points = st.sampled_from([*cells_of(size)])
        setup = draw(st.lists(st.tuples(points, st.sampled_from([*idents])), max_size=14))
        state = kind(size)
        for point, ident in setup:
            state.put_points(point, point, ident)
        return Changes(state, setup)

    return build()


def whole(state: State) -> tuple[object, ...]:
    """All that can be seen of a state."""
    counts = state.number, state.last, state.black_captured, state.white_captured
    return state.position(), tuple(state.pieces()), *counts


def check_changes(state: State, moves: Iterable[Any]) -> None:
    """Play moves and take them back; the verdicts, the way back and a copy are right."""
    past: list[tuple[Any, tuple[object, ...]]] = []
    before = state.copy()
    first = whole(state)
    for number, move in enumerate(moves):
        color = [*Color][number % 2]
        past.append((state.mark, whole(state)))
        verdict = state.judge(move, color)
        assert whole(state) == past[-1][1]
        assert state.play(move, color) == verdict
        assert state.number == past[-1][1][2] + 1  # type: ignore[operator]
        assert state.last == move
        assert state.to_play is color.opponent
    copy = state.copy()
    last = whole(state)
    assert whole(copy) == last
    for mark, seen in reversed(past):
        state.rewind(mark)
        assert whole(state) == seen
    assert whole(state) == whole(before) == first
    assert whole(copy) == last

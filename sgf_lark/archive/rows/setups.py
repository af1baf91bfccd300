"""Setup on the main line of a game, for its hashes and its counts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from sgf_lark.core import (
    SETUP,
    BoardSize,
    Color,
    InitialBoard,
    Nodes,
    Point,
    PointList,
    Reading,
    Rectangle,
)
from sgf_lark.games.registry import find_state
from sgf_lark.positions.start import is_set_up, start, value_of

from .line import SetupStones
from .scan import Scan

#: Points of setup that one game may name, beside one for each node; a line of more has no hash.
MAX_POINTS = 1 << 14

#: The property of a piece of each color.
IDENTS = {color: ident for ident, color in SETUP.items()}

#: The sides by the symbols of a first board of GGF.
SYMBOLS = {"*": IDENTS[Color.BLACK], "O": IDENTS[Color.WHITE]}


class Setups(NamedTuple):
    """Setup on the main line."""

    parts: list[SetupStones] | None  # in order; None if it is too much to be looked at
    # the numbers of stones that are listed before the first move
    black: int
    white: int


def find_setups(nodes: Nodes, scanned: Scan, size: BoardSize | None) -> Setups:
    """Return what is set up on the main line."""
    counts = Counter[str]()
    parts: list[SetupStones] | None = []
    first = _start(nodes)
    if first:
        parts = [SetupStones(0, first)]
    if value_of(nodes.contents[0], "BO") is not None:
        counts.update(ident for ident, _ in first)
    left = MAX_POINTS + len(nodes)
    for node in scanned.setup:
        if node > scanned.end:
            break
        place = bisect_left(scanned.nodes, node)
        props = [prop for prop in nodes.contents[node] if prop.ident in SETUP]
        if place == 0:
            for prop in props:
                counts[prop.ident] += _total(prop)
        left -= sum(map(_total, props))
        if left < 0:
            parts = None
        if parts is not None:
            parts.append(SetupStones(place, tuple(_stones(props, size))))
    return Setups(parts, counts[IDENTS[Color.BLACK]], counts[IDENTS[Color.WHITE]])


def _start(nodes: Nodes) -> tuple[tuple[str, Any], ...]:
    root, rules = nodes.contents[0], nodes.rules
    board = value_of(root, "BO")
    if isinstance(board, InitialBoard):
        return _pieces(board.rows)
    kind = find_state(rules.game.number)
    if kind is None or not kind.begins_with_pieces() or is_set_up(root):
        return ()
    try:
        state = start(nodes.contents, rules)
    except ValueError:
        return ()
    return tuple(
        (IDENTS[stone.color], stone.point)
        for stone in state.pieces()
        if isinstance(stone.color, Color)
        for _ in range(stone.amount)
    )


def _pieces(rows: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    width = max(map(len, rows), default=0)
    return tuple(
        (SYMBOLS[symbol], Point((width - len(cells)) // 2 + column, row))
        for row, cells in enumerate(rows)
        for column, symbol in enumerate(cells)
        if symbol in SYMBOLS
    )


def _total(prop: Reading) -> int:
    value = prop.value
    return value.total if isinstance(value, PointList) else len(prop.values)


def _stones(props: list[Reading], size: BoardSize | None) -> Iterator[tuple[str, Any]]:
    for prop in props:
        value = prop.value
        points = value if isinstance(value, PointList) else prop.values
        for point in points:
            is_off = isinstance(point, Point) and (
                size is not None and (point.column >= size.columns or point.row >= size.rows)
            )
            if not isinstance(point, Rectangle) and not is_off:
                yield prop.ident, point

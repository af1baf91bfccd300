"""A slow Go board, written from FF[4] alone: stones in a dictionary, liberties by search.

Source: FF[4], Go, "Playing a move": the stone is put down whatever was there, then stones of the
other side without liberties are removed, then its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from sgf_lark import Color, Point

if TYPE_CHECKING:
    from sgf_lark import GameTree, Node

#: Stones by their points, which are pairs of a column and a row.
Stones: TypeAlias = dict[Any, Color]


def beside(point: tuple[int, int], size: tuple[int, int]) -> list[tuple[int, int]]:
    """The neighbours of a point."""
    column, row = point
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [(x, y) for x, y in around if 0 <= x < size[0] and 0 <= y < size[1]]


def chain_without_liberties(
    stones: Stones, point: tuple[int, int], size: tuple[int, int]
) -> set[tuple[int, int]]:
    """The chain of a stone if it has no liberties; else nothing."""
    chain, waiting = {point}, [point]
    while waiting:
        for near in beside(waiting.pop(), size):
            if near not in stones:
                return set()
            if stones[near] is stones[point] and near not in chain:
                chain.add(near)
                waiting.append(near)
    return chain


def play(stones: Stones, point: tuple[int, int], color: Color, size: tuple[int, int]) -> int:
    """Put down a stone; return how many were taken."""
    stones[point] = color
    taken = 0
    for side in (color.opponent, color):
        places = [point] if side is color else beside(point, size)
        for near in places:
            if stones.get(near) is side:
                chain = chain_without_liberties(stones, near, size)
                taken += len(chain)
                for place in chain:
                    del stones[place]
    return taken


def board_of(game: GameTree, node: Node) -> tuple[Stones, int]:
    """The stones after a node and how many were taken, played from the root each time."""
    line = []
    above: Node | None = node
    while above is not None:
        line.append(above)
        above = above.parent
    assert game.size is not None
    stones: Stones = {}
    taken = 0
    for one in reversed(line):
        for ident in one:
            if ident in {"AB", "AW", "AE"}:
                for point in one[ident].on_board(game.size):
                    stones.pop(point, None)
                    if ident != "AE":
                        stones[point] = Color(ident[1])
        for prop in one.properties:
            if prop.ident in {"B", "W"} and prop.raw and isinstance(prop.values[0], Point):
                column, row = point = prop.values[0]
                if column < game.size.columns and row < game.size.rows:
                    taken += play(stones, point, Color(prop.ident), game.size)
    return stones, taken

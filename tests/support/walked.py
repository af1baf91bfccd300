"""A board of Go in the simplest way: each chain is walked through, stone by stone."""

from __future__ import annotations

from sgf_lark.boards.grid import BORDER, EMPTY
from sgf_lark.schema.values import Point


class Walked:
    """Stones, and what a move does to them."""

    def __init__(self, columns: int, rows: int) -> None:
        self.points = [Point(x, y) for x in range(columns) for y in range(rows)]
        self.held = dict.fromkeys(self.points, EMPTY)

    def chain(self, start: Point) -> tuple[set[Point], bool]:
        """The stones of a chain, and whether it has a liberty."""
        chain, waiting, free = {start}, [start], False
        while waiting:
            for near in beside(waiting.pop()):
                held = self.held.get(near, BORDER)
                free = free or held == EMPTY
                if held == self.held[start] and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain, free

    def play(self, point: Point, color: int) -> set[Point]:
        """Put down a stone; return the points that are empty after it."""
        self.held[point] = color
        taken: set[Point] = set()
        for near in beside(point):
            if self.held.get(near) == 3 - color:
                chain, free = self.chain(near)
                taken |= set() if free else chain
        if not taken:
            chain, free = self.chain(point)
            taken = set() if free else chain
        self.held |= dict.fromkeys(taken, EMPTY)
        return taken

    def fault(self, point: Point, color: int, before: list[dict[Point, int]]) -> str:
        """The rule that a move breaks; "" for none.

        Args:
            point, color: The move.
            before: The stones before the last move, if the other side made it.
        """
        if self.held[point] != EMPTY:
            return "occupied-point"
        now = dict(self.held)
        taken = self.play(point, color)
        after, self.held = self.held, now
        if point in taken:
            return "suicide"
        return "ko-capture" if after in before else ""


def beside(point: Point) -> list[Point]:
    """The four neighbours of a point, on the board or not."""
    column, row = point
    near = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [Point(*one) for one in near]

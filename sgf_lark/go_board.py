"""A Go board: stones and captures.

It plays whatever is asked for, as FF[4] (Go, "Playing a move") says: the stone is put down
whatever was there, then opposing stones without liberties are removed, then its own.
What the rules of Go say about the move is the caller's question.
"""

from __future__ import annotations

from collections.abc import Sequence

from .board import EMPTY, Board


class GoBoard(Board):
    """A board for Go, or for the setup of any game with stones."""

    def play(self, cell: int, color: int) -> Sequence[int]:
        """Put down a stone and remove what has no liberties.

        Returns:
            The cells that became empty.  If the stone's own cell is among them, it was
            suicide, and all of them held its color.
        """
        cells, step = self.cells, self.step
        self._log.append((cell, cells[cell]))
        cells[cell] = color
        other, hemmed = 3 - color, True
        taken: list[int] = []
        for near in (cell - 1, cell + 1, cell - step, cell + step):
            held = cells[near]
            if held == other:
                taken += self._dead(near)
            elif not held:
                hemmed = False
        if hemmed and not taken:
            taken = self._dead(cell)
        return taken

    def _dead(self, start: int) -> list[int]:
        """Remove the chain of a stone if it has no liberty; the cells that are empty now."""
        cells, step = self.cells, self.step
        color = cells[start]
        chain, known = [start], {start}
        for cell in chain:  # grows
            for near in (cell - 1, cell + 1, cell - step, cell + step):
                held = cells[near]
                if not held:
                    return []
                if held == color and near not in known:
                    known.add(near)
                    chain.append(near)
        for cell in chain:
            self._log.append((cell, color))
            cells[cell] = EMPTY
        return chain

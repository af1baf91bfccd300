"""Replaying games, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from sgf_lark.model.property import Content

if TYPE_CHECKING:
    from array import array

    from sgf_lark.model.nodes import Nodes


class Replayable(Protocol):
    """A board that goes back to earlier positions."""

    @property
    def mark(self) -> Any: ...

    def rewind(self, mark: Any) -> None: ...


def replay(nodes: Nodes, board: Replayable) -> Iterator[tuple[int, Content]]:
    """Yield the nodes of a game, each with the board as its parent leaves it.

    Args:
        nodes: Of the game.
        board: It is rewound where a variation begins.
    """
    parents = nodes.parents
    branches = {above for node, above in enumerate(parents) if above != node - 1}
    marks: dict[int, Any] = {}
    for node, content in enumerate(nodes.contents):
        if parents[node] != node - 1:
            board.rewind(marks[parents[node]])
        yield node, content
        if node in branches:
            marks[node] = board.mark


def main_end(parents: array[int]) -> int:
    """Return the last node of the main line, which the file has at its beginning."""
    for node in range(1, len(parents)):
        if parents[node] != node - 1:
            return node - 1
    return len(parents) - 1

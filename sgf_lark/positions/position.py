"""Games on their boards: positions, boards and transformations.

The modules of boards come when somebody asks: a file that is only loaded or written needs none.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.core import Node, Nodes

    from .board import Board
    from .state import Verdict


class Position(NamedTuple):
    """A node, and the board after it, from :meth:`.GameTree.positions`.

    Attributes:
        node_index: The number of the node in the order of the file, from 0.
        number: Moves up to and including the node, passes included.
        verdict: The legality of the node's move; of several moves in a node the first illegal
            one.  None for a node without a move.  A move with KO is legal (FF[4], KO).
        is_known: No move up to here could not be carried out: was off the board, was no move of
            the game, or left the board unknown.  Setup beyond the limit of work is left out,
            which makes the rest unknown, too.
        board: The board, which never changes; with ``live=True`` the same one for all positions
            of an iteration, which changes with the next one.
        nodes: The nodes of the game.
    """

    node_index: int
    number: int
    verdict: Verdict | None
    is_known: bool
    board: Board
    nodes: Nodes

    @property
    def node(self) -> Node:
        """The node."""
        return self.nodes[self.node_index]

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()  # as a notebook calls it

    def _repr_html_(self) -> str:
        return self.board._repr_html_()  # as a notebook calls it

    def __repr__(self) -> str:
        return f"<Position after node {self.node_index}: {self.board!r}>"


def walk(nodes: Nodes, node: int | None, *, is_all: bool, live: bool) -> Iterator[Position]:
    """Return the positions of a line, or of all nodes."""
    from .board import Board
    from .replay import Replay
    from .start import start

    contents, rules = nodes.contents, nodes.rules
    state = start(contents, rules)
    replay, parents = Replay(contents, rules, state), None
    line: Iterable[int] = range(len(contents))
    if is_all:
        parents = nodes.parents
    else:
        line = nodes.tree.main_line() if node is None else reversed([*nodes.tree.up(node)])
    if live:
        steps = replay.of_nodes(nodes.tape, line, parents, Board.of(state), nodes)
        return map(partial(tuple.__new__, Position), steps)  # as _make, in C
    steps = replay.of_nodes(nodes.tape, line, parents)
    return (Position._make((*step, Board.of(state.copy()), nodes)) for step in steps)

"""The positions of a record: those of a line one by one, and the board at any node.

States at some nodes are kept as checkpoints.  A board is that of the nearest one above it, and of
the moves from there on, so that no replay begins at the root each time.
"""

from __future__ import annotations

from array import array
from collections import ChainMap
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from sgf_lark.core import NONE, Content, Links, Node, Nodes, RuleSet, Tape

from .board import Board
from .replay import Replay
from .start import start
from .state import State, Verdict


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


# ---- the board at any node ----

#: Nodes from one checkpoint to the next one of a line.  A board far from the last one costs 48
#: moves on average.  A line of 100,000 moves of Go has 1,562 checkpoints, 14 MB in all; without
#: them, one board at its end takes as long as positions of the line, two seconds.
SPACING = 64

#: All checkpoints of a game have at most about this many points: 90,000 boards of Go.  More
#: nodes, or larger boards, have their checkpoints farther apart.
MAX_POINTS = 1 << 25


class Boards:
    """The boards of the nodes of a game.

    A node is a checkpoint if its depth is a multiple of the spacing, and it has at least half of
    that many generations below it.  So each checkpoint has nodes of its own, a game of n nodes
    has at most 2 n / spacing of them, and the way from a checkpoint to any node is at most one
    and a half spacings: boards of all nodes, asked for in any order, take time for the nodes.
    """

    def __init__(
        self,
        tape: Tape,
        contents: Sequence[Content],
        rules: RuleSet,
        links: Callable[[], Links],
    ) -> None:
        self._tape = tape
        self._contents = contents
        self._rules = rules
        self._links = links
        self._kept = {NONE: Kept(start(contents, rules))}
        self._last: dict[int, Kept] = {}

    def board(self, node: int) -> Board:
        """Return the board after a node: it never changes."""
        return Board.of(self.at(node).state)

    def at(self, node: int) -> Kept:
        """Return the state after a node, which must not be changed."""
        parents, known = self._links().parents, ChainMap(self._last, self._kept)
        at, way = find_way(parents, node, known)
        kept = known[at]
        if way:
            state, is_known = kept.copy()
            replay = Replay(self._contents, self._rules, state, is_known=is_known)
            marked = self._checkpoints if len(parents) > SPACING else frozenset()
            for step, *_ in replay.of_nodes(self._tape, way, None):
                if step in marked and step != node:
                    self._kept[step] = Kept(replay.state, replay.is_known).copy()
            kept = Kept(replay.state, replay.is_known)
            if node in marked:
                self._kept[node] = kept
        self._last = {node: kept}
        return kept

    @cached_property
    def _checkpoints(self) -> frozenset[int]:
        links, size = self._links(), self._kept[NONE].state.size
        parents, depths = links.parents, links.depths
        count = len(parents)
        spacing = max(SPACING, 2 * count * size.columns * size.rows // MAX_POINTS)
        if count <= spacing:
            return frozenset()
        heights = array("q", [0]) * count
        for node in range(count - 1, 0, -1):
            above = parents[node]
            heights[above] = max(heights[above], heights[node] + 1)
        return frozenset(
            node
            for node in range(1, count)
            if depths[node] % spacing == 0 and heights[node] >= spacing // 2
        )


class Kept(NamedTuple):
    """A state that never changes; it is known if a replay up to it knows the board."""

    state: State
    is_known: bool = True

    def copy(self) -> Kept:
        state = self.state.copy()
        state.work = self.state.work
        return Kept(state, self.is_known)


def find_way(
    parents: Sequence[int], node: int, known: Container[int], first: int = 0
) -> tuple[int, list[int]]:
    """Return the nearest node, itself or above, that is known, and the way from there to a node.

    Args:
        first: The node with which it begins at the latest: if none is known, a smaller number
            than this one is returned.
    """
    way: list[int] = []
    while node >= first and node not in known:
        way.append(node)
        node = parents[node]
    return node, way[::-1]

"""Games on their boards: positions, boards and transformations.

The modules of boards come when somebody asks: a file that is only loaded or written needs none.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self

from sgf_lark.model.tree import MissingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sgf_lark.boards.board import Board
    from sgf_lark.boards.state import Verdict
    from sgf_lark.boards.symmetry import Symmetry
    from sgf_lark.model.draft import Draft
    from sgf_lark.model.nodes import Node, Nodes


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
        board: A live view: the same board for all positions of an iteration, which changes
            with the next one.  ``board.copy()`` keeps it.
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

    def __repr__(self) -> str:
        return f"<Position after node {self.node_index}: {self.board!r}>"


def walk(nodes: Nodes, node: int | None, *, is_all: bool) -> Iterator[Position]:
    """Return the positions of a line, or of all nodes.

    Args:
        nodes: Of the game.
        node: The last node of the line; None for the main line.
        is_all: All nodes in the order of the file.

    Raises:
        ValueError: See :func:`.start`.
    """
    from sgf_lark.boards.board import Board

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
    steps = replay.of_nodes(nodes.tape, line, parents, Board.of(state), nodes)
    return map(partial(tuple.__new__, Position), steps)  # as _make, in C


class GameOnBoard:
    """Base of games: what depends on the board."""

    if TYPE_CHECKING:  # of the game; pydantic would make fields of them
        nodes: Nodes

        def edit(self) -> Draft[Self]: ...

    def positions(self, line: Node | int | str = "main") -> Iterator[Position]:
        """Yield the nodes of a line, each with the board after it.

        >>> for position in game.positions():
        ...     print(position.number, position.board.captured)

        All positions have one live board, which each node changes: an iteration takes time for
        the changes.  ``position.board.copy()`` keeps a board.  Setup never captures, and ends
        a ko; illegal moves are carried out as FF[4] demands, and have their verdict; what the
        board cannot carry out is left out (:attr:`Position.is_known`).

        Args:
            line: ``main``; ``all`` for all nodes in the order of the file; or a node of this
                game, its number, or its path: the line from the root to it.

        Raises:
            KeyError: The path leads nowhere, or the node is of another game.
            IndexError: There is no node of that number.
            ValueError: No rules of the game are known, it is not played on such a board, or
                its first board is not known.
        """
        self.nodes.require_all()
        named = isinstance(line, str) and line in {"main", "all"}
        last = None if named else _find(self.nodes, line).index
        return walk(self.nodes, last, is_all=line == "all")

    def board(self, node: Node | int | str) -> Board:
        """Return the board after a node, which never changes, as :attr:`Node.board` does.

        Args:
            node: A node of this game, its number, or its path.

        Raises:
            KeyError: The path leads nowhere, or the node is of another game.
            IndexError: There is no node of that number.
            ValueError: See :meth:`positions`.
        """
        self.nodes.require_all()
        return _find(self.nodes, node).board

    def transformed(self, symmetry: Symmetry | str) -> Self:
        """Return the game on a board that is turned or mirrored.

        Every point goes along: moves, setup, markup, labels, views, territory, the first board.
        Where the start of the game is another one after it, it is set up in the first node.  In
        Hex, Twixt, Octi and backgammon a symmetry may exchange the sides; then all that
        :meth:`recolored` exchanges goes along.  Texts, private properties, invalid values and
        points off the board stay as they are, and so do their bytes.

        Args:
            symmetry: Such as ``Symmetry.ROTATE_90`` or ``"rotate-90"``.

        Raises:
            ValueError: There is no such symmetry; it does not keep the rules of the game; or a
                move cannot be written after it (a link of Twixt before 2021).
        """
        from .transform import transform, transformation_of

        draft: Draft[Self] = self.edit()
        return transform(draft, self.nodes, transformation_of(self.nodes, symmetry))

    def recolored(self) -> Self:
        """Return the game with the sides exchanged.

        Black's moves, stones, territory, names, ranks, teams, clocks and annotations become
        White's and the other way round; so do PL, RE, the cube of backgammon and the first
        board of GGF.  Komi (KM) and the value of a node (V) get the other sign.  HA is left out,
        since it counts black stones; the setup stays.  PL says who begins where it is not the
        side that always does.  In Hex, Twixt, Octi and backgammon the board turns as well, so
        that each side plays as the other one did.  Texts stay as they are.

        Raises:
            ValueError: As :meth:`transformed`.
        """
        from .transform import recoloring_of, transform

        draft: Draft[Self] = self.edit()
        return transform(draft, self.nodes, recoloring_of(self.nodes))


def _find(nodes: Nodes, node: Node | int | str) -> Node:
    """Return a node that is given by itself, its number or its path."""
    if isinstance(node, str):
        return nodes[nodes.tree.at(node)]
    if isinstance(node, int):
        return nodes[node]
    if not node.is_of(nodes):
        raise MissingError("this node is of another game")
    return node

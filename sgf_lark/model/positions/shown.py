"""Pictures of nodes and games: diagrams and figures, whose modules are imported when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from sgf_lark.schema.values import FigureFlag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sgf_lark.pictures.diagram import Diagram, GameFigure
    from sgf_lark.schema.values import Point


class InGame(Protocol):
    """A node of a game."""

    _nodes: Any

    @property
    def index(self) -> int:
        """The number of the node in the order of the file, from 0."""


class OfNodes(Protocol):
    """A game, as far as its nodes are concerned."""

    @property
    def nodes(self) -> Any:
        """The nodes."""


class PicturedNode:
    """Base of nodes: their diagrams."""

    __slots__ = ()

    def diagram(
        self: InGame,
        *,
        numbers: str | range | tuple[int, int] | None = None,
        view: bool = True,
        markup: bool = True,
        findings: Iterable[Point] = (),
        crop: str | None = None,
        style: int | None = None,
        restart: bool = False,
    ) -> Diagram:
        """Return the picture of the node, as data.

        DD and VW hold until another one replaces or clears them; other markup is of its node.
        What a damaged record says of points that the board does not have is left out, and
        named in :attr:`Diagram.left_out`.

        Args:
            numbers: Show the numbers of no moves (None, ``none``), of the ``last`` one, of
                ``all``, of a range (``51-100``; a tuple has the first and the last number), or
                of the ``figure`` up to the node: of the moves since the last FG, or since the
                variation began, as PM prints them.  MN counts everywhere.
            view: Show only the points that VW lists.
            markup: Show marks, labels, lines, arrows, territory, dim points and variations.
            findings: Points to mark as findings; those off the board are left out.
            crop: ``auto`` for what is on the board, with a margin; two corners such as ``cc-ff``
                or ``C17-F14``; None for the board, or the view.
            style: The way to show variations: 0 to 3, as ST has it; that of the game if None.
            restart: The moves of a variation are numbered from 1.

        Raises:
            ValueError: The game has no board (see :attr:`Node.board`), or ``numbers`` or
                ``crop`` are none.
        """
        diagram: Diagram = self._nodes.diagrams.at(
            self.index,
            numbers=numbers,
            view=view,
            markup=markup,
            findings=findings,
            crop=crop,
            style=style,
            restart=restart,
        )
        return diagram


class PicturedGame:
    """Base of games: their figures."""

    __slots__ = ()

    def figures(
        self: OfNodes,
        split: str | int = "FG",
        *,
        variations: bool = True,
        restart: bool = False,
        crop: str | None = None,
        flags: FigureFlag | int = FigureFlag.KEEP_CAPTURED_STONES,
    ) -> tuple[GameFigure, ...]:
        """Return the figures of the game, as books print them.

        Each shows the position after its last node, with the numbers of its moves as MN counts
        and PM prints them, and with the markup, DD and VW of that node.  Moves on points that
        have a stone already, and passes, are listed: ``57 at 32``.

        Args:
            split: ``FG``: at each node with FG; ``comments``: after each node with a comment;
                or the number of moves of a figure, from 1.
            variations: Each variation has figures of its own, after those of the main line.
            restart: The moves of a variation are numbered from 1.
            crop: The part of the board to show, as for :meth:`Node.diagram`.
            flags: The flags of figures whose FG has none, or tells to ignore them: by default
                captured stones stay, "the way diagrams are printed in books" (FF[4], FG).

        Raises:
            ValueError: The game has no board, or there is no such division or crop.
        """
        module = import_module(".figures", __package__)  # which imports nodes
        make = module.Figures(self.nodes, split, restart=restart, crop=crop, flags=flags).make
        figures: tuple[GameFigure, ...] = make(variations=variations)
        return figures

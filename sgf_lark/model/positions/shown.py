"""Pictures of nodes and games, whose modules are imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from sgf_lark.pictures.shown import as_html
from sgf_lark.schema.values import FigureFlag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sgf_lark.pictures.diagram import Diagram, GameFigure
    from sgf_lark.pictures.pages.page import GamePage
    from sgf_lark.schema.values import Point

    from .page import ManyGames, Recorded


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
        findings: Iterable[Point] | None = None,
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
                variation began, as PM prints them.  MN counts everywhere.  Moves of a range that
                have no number on the board are listed in :attr:`Diagram.notes`: ``57 at 32``.
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

    def _repr_svg_(self: InGame) -> str | None:
        """Return the picture of the node for a notebook; None if the game has no board."""
        try:
            diagram = PicturedNode.diagram(self)
        except ValueError:
            return None
        return diagram.svg()

    def _repr_html_(self: InGame) -> str | None:
        """Return the picture as HTML."""
        svg = PicturedNode._repr_svg_(self)
        return None if svg is None else as_html(svg)


class PicturedGame:
    """Base of games: their figures and pages."""

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
        have a stone already, and passes, are listed: ``57 at 32``; of games whose pieces move,
        and of backgammon, all moves whose pieces have gone on.

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

    def page(
        self: Recorded,
        figures: Iterable[GameFigure] | None = None,
        *,
        split: str | int | None = None,
        crop: str | None = None,
    ) -> GamePage:
        """Return the game as it is printed: ``game.page().html()``, ``game.page().pdf()``.

        Args:
            figures: What it shows; None for all figures of the game.
            split: Their division, as for :meth:`.GameTree.figures`; None for ``FG`` if the
                record has any in its main line after the root, else for figures of 50 moves.
            crop: The part of the board that they show, as for :meth:`.Node.diagram`.

        Raises:
            ValueError: The board of the game is not known, it has no such part, or there is no
                such division.
        """
        from .page import default_split, make_page

        if figures is None:
            figures = self.figures(split=default_split(self) if split is None else split, crop=crop)
        return make_page(self, figures)

    def _repr_svg_(self: Recorded) -> str | None:
        """Return the last position of the main line; None if no board is known."""
        *_, last = self.main_line()
        svg: str | None = last._repr_svg_()
        return svg

    def _repr_html_(self: Recorded) -> str:
        from sgf_lark.pictures.pages.notebook import draw_game

        from .page import default_split, make_page

        try:
            page = make_page(self, self.figures(split=default_split(self)))
        except ValueError as error:  # no board is known
            page = make_page(self, ()).model_copy(update={"lost": (str(error),)})
        return draw_game(page)


class PicturedGames:
    """Base of collections: the table of their games."""

    __slots__ = ()

    def _repr_svg_(self: ManyGames) -> str | None:
        """Return the picture of the first game."""
        return next(map(PicturedGame._repr_svg_, self.games), None)

    def _repr_html_(self: ManyGames) -> str:
        from .page import draw_games

        return draw_games(self.games)

"""Diagrams: everything that a picture of a board shows, as data.

A diagram knows no rules and no record.  Whoever makes one says what is to be seen; the
renderers (:mod:`sgf_lark.pictures.text`, ``svg``, ``page``) decide how it looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypedDict, Unpack

from sgf_lark.core import BoardSize, Color, Model, Point, late

from .parts import (
    BoardKind,
    Label,
    Line,
    Link,
    Mark,
    MarkKind,
    Number,
    Stone,
    TerritoryPoint,
    TextStyle,
    Theme,
)

#: Most characters of a label on the board; longer ones are cut, and below the picture in full.
MAX_LABEL = 4

#: A color of CSS by its digits or its name.
_COLOR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,20}")


class Picture(str):
    """The text of an SVG, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<Picture: {len(self)} characters>"


class Markings(TypedDict, total=False):
    """Markup of a picture beside that of its diagram; see :meth:`Diagram.with_markup`."""

    arrows: Iterable[str]
    marks: Mapping[str, str]
    labels: Mapping[str, str]
    fill: Mapping[str, str]


class SvgOptions(Markings, total=False):
    """The options of a picture; see :func:`sgf_lark.pictures.svg.draw_svg`."""

    theme: Theme
    size: float | None
    coordinates: bool | None
    captions: bool


class Diagram(Model):
    """A picture of a board, as data: frozen, and JSON as any model.

    Attributes:
        kind: How the board is drawn.
        size: Columns and rows; 26 and 1 for backgammon.
        piece: The usual piece of the game, which decides how the board looks; see
            :class:`~sgf_lark.pictures.diagram.Stone`.
        stones: The pieces, each point once (of backgammon: once for each side).
        links: Links of Twixt.
        numbers: Numbers of moves; each on a point that has a stone, or had one.
        last: The points of the last move.
        marks: Circles, crosses, squares, triangles, selected points.
        labels: Short texts.
        lines, arrows: From point to point.
        territory: Points of either side.
        dim: Points that are shown dimmed (DD).
        view: The points that are visible (VW); None for all.
        crop: The smallest and the largest column and row to show; None for all of the board.
        variations: The first moves of the variations (ST).
        column_names, row_names: The coordinates, by column and row of a point; empty for none.
        rows_from_bottom: Row 0 is drawn at the bottom.
        coordinates: The coordinates are shown.
        hoshi: Points with a dot on the board.
        missing: Squares that the board does not have, such as the corners of the octagon.
        title: A name over the picture.
        notes: Lines under the picture, such as ``57 at 32``.
        left_out: Points and values of a damaged record that cannot be drawn, each with the reason.
        dice: The dice of a backgammon roll.
        cube: Value of the doubling cube; 0 for none.
        cube_owner: Who may double; None for both.
        to_play: The side to move, if it is known; None at the end.
        ending: The words for the end, such as "Black wins" and "five in a line".
        game: The name of the game.
        number: Moves up to the position; None if it is not known.
        fill: Points whose squares have a color, such as ``#f80``.
    """

    kind: BoardKind
    size: BoardSize
    piece: str = ""
    stones: tuple[Stone, ...] = ()
    links: tuple[Link, ...] = ()
    numbers: tuple[Number, ...] = ()
    last: tuple[Point, ...] = ()
    marks: tuple[Mark, ...] = ()
    labels: tuple[Label, ...] = ()
    lines: tuple[Line, ...] = ()
    arrows: tuple[Line, ...] = ()
    territory: tuple[TerritoryPoint, ...] = ()
    dim: tuple[Point, ...] = ()
    view: tuple[Point, ...] | None = None
    crop: tuple[Point, Point] | None = None
    variations: tuple[Label, ...] = ()
    column_names: tuple[str, ...] = ()
    row_names: tuple[str, ...] = ()
    rows_from_bottom: bool = False
    coordinates: bool = True
    hoshi: tuple[Point, ...] = ()
    missing: tuple[Point, ...] = ()
    title: str = ""
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    cube: int = 0
    cube_owner: Color | None = None
    to_play: Color | None = None
    ending: tuple[str, ...] = ()
    game: str = ""
    number: int | None = None
    fill: tuple[Label, ...] = ()

    def diagram(self) -> Diagram:
        """Return the diagram itself."""
        return self

    def text(self, style: TextStyle = "unicode") -> str:
        """Return the picture as lines of text; see :func:`sgf_lark.pictures.text.draw_text`."""
        return late.draw_text(self, style)

    def svg(self, **options: Unpack[SvgOptions]) -> Picture:
        """Return the picture as SVG; see :func:`sgf_lark.pictures.svg.draw_svg`."""
        return Picture(late.draw_svg(self, **options))

    def _repr_svg_(self) -> str:
        return str(self.svg())

    def _repr_html_(self) -> str:
        return late.image_of(self._repr_svg_())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        columns, rows = self.size
        return f"<Diagram {self.kind} {columns}x{rows}, pieces: {len(self.stones)}>"

    def names_of(self, points: Iterable[Point]) -> list[str]:
        """Return the coordinates of points, such as Q16; numbers of those that have no names."""
        columns, rows = self.column_names, self.row_names or ("",) * self.size.rows
        return [
            columns[column] + rows[row]
            if column < len(columns) and row < len(rows)
            else f"{column}-{row}"
            for column, row in points
        ]

    def with_markup(
        self,
        arrows: Iterable[str] = (),
        marks: Mapping[str, str] = MappingProxyType({}),
        labels: Mapping[str, str] = MappingProxyType({}),
        fill: Mapping[str, str] = MappingProxyType({}),
    ) -> Diagram:
        """Return the diagram with more on it; points are named by their coordinates.

        Args:
            arrows: ``C3-E5``, from C3 to E5.
            marks: The kinds of marks by points: ``{"E5": "triangle"}``.
            labels: Texts by points.
            fill: Colors of squares by points, as ``#f80`` or ``gold``.

        Raises:
            ValueError: There is no such point, kind of mark or color.
        """
        columns, rows = self.size
        every = [Point(column, row) for column in range(columns) for row in range(rows)]
        points = dict(zip(map(str.lower, self.names_of(every)), every, strict=True))

        def find(name: str) -> Point:
            if name.lower() not in points:
                raise ValueError(f"no point {name!r} on this board")
            return points[name.lower()]

        for color in fill.values():
            if not _COLOR.fullmatch(color):
                raise ValueError(f"invalid color {color!r}: expected one such as #f80 or gold")
        ends = (arrow.partition("-") for arrow in arrows)
        update = {
            "arrows": (*self.arrows, *(Line(find(one), find(two)) for one, _, two in ends)),
            "marks": (*self.marks, *(Mark(find(at), MarkKind(it)) for at, it in marks.items())),
            "labels": (*self.labels, *(Label(find(at), text) for at, text in labels.items())),
            "fill": (*self.fill, *(Label(find(at), color) for at, color in fill.items())),
        }
        return self.model_copy(update=update)

    @property
    def captions(self) -> tuple[str, ...]:
        """The lines below the picture: long labels in full (``H2: joseki``), and the notes."""
        long = {point: text for point, text in self.labels if len(text) > MAX_LABEL}
        names = zip(self.names_of(long) if long else (), long.values(), strict=True)
        return (*(f"{name}: {text}" for name, text in names), *self.notes)

    @property
    def extent(self) -> tuple[range, range]:
        """The columns that are shown, from the left, and the rows, from the top."""
        columns, rows = self.size
        low, high = self.crop or (Point(0, 0), Point(columns - 1, rows - 1))
        across = range(max(0, low.column), min(columns, high.column + 1))
        down = range(max(0, low.row), min(rows, high.row + 1))
        return across, down[::-1] if self.rows_from_bottom else down


class Unshown(NamedTuple):
    """A move that a figure has no room for: at a point that was played before, or a pass.

    Attributes:
        number: Of the move, as printed.
        color: The side that played it.
        at: The number that is seen at its point; 0 for none.
        place: The words for its place: that number, else a label on it, else the name of its
            point; of a move that is more than a point, or none, the move: ``b1-b3``, ``pass``.
    """

    number: int
    color: Color
    at: int
    place: str
    is_point: bool = True

    def __str__(self) -> str:
        return f"{self.number} at {self.place}" if self.is_point else f"{self.number} {self.place}"


class Remark(NamedTuple):
    """The words of the author of a record about a node.

    Attributes:
        number: Of its move, as printed; 0 for none.
        annotations: What BM, TE, DO, IT, GB, GW, DM, UC and HO say: ``? bad move``.
    """

    number: int
    name: str = ""
    comment: str = ""
    annotations: tuple[str, ...] = ()


class GameFigure(Model):
    """One figure of a printed game: the moves from one FG to the next.

    Attributes:
        number: As a page has it: ``1``, ``2`` ... for the main line, and after 1 its variations
            ``1a``, ``1b`` ... and those that begin in them.
        name: The name in FG, else what it shows of a problem; empty if it has none, or its flags
            hide it.
        start, path: The paths of its first node, and of the node whose position it shows.
        first, last: The numbers of its first and last move as printed; 0 if it prints none.
        diagram: The picture.
        unshown: Moves that it cannot show on the board, in their order.
        comments: What is said of its nodes.
        variations: The figures of the variations that begin in this figure.
        parent: Of the figure of a variation: the number of the move before the variation.
        origin: The same: the number of the figure in which the variation begins.
    """

    number: str
    name: str = ""
    start: str = ""
    path: str
    first: int = 0
    last: int = 0
    diagram: Diagram
    unshown: tuple[Unshown, ...] = ()
    comments: tuple[Remark, ...] = ()
    variations: tuple[str, ...] = ()
    parent: int | None = None
    origin: str | None = None

    @property
    def repeated(self) -> tuple[tuple[int, int], ...]:
        """The moves on points that have a stone already: their number, and the number there.

        The number is 0 for a stone without one.
        """
        return tuple((move.number, move.at) for move in self.unshown if move.is_point)

    def __repr__(self) -> str:
        return f"<GameFigure {self.number}, moves {self.first}-{self.last}>"

    def _repr_html_(self) -> str:
        return late.draw_figures((self,))


class FigureTuple(tuple[GameFigure, ...]):
    """The figures of a game, which a notebook shows as pictures."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<FigureTuple of {len(self)}>"

    def _repr_html_(self) -> str:
        return late.draw_figures(self)

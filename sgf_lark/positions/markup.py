"""Markup at a node, as far as the board has its points, and its annotations.

Source: FF[4], markup properties, TB and TW, DD, VW, annotations of nodes and moves; FF[1] and
FF[3], L, M, VW; what M and L became is in FF[4], converting.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from string import ascii_uppercase
from typing import Any

from sgf_lark.core import (
    COLORS,
    VIEW_CORNERS,
    BoardSize,
    Color,
    Composed,
    Content,
    Format,
    Group,
    Invalid,
    Nodes,
    Point,
    Reading,
    Rectangle,
    Value,
    column_name,
    points_of,
    reader,
    shorten,
)
from sgf_lark.pictures.parts import Label, Line, Mark, MarkKind, TerritoryPoint

#: The marks, by their properties.
MARKS = {
    "CR": MarkKind.CIRCLE,
    "MA": MarkKind.CROSS,
    "SL": MarkKind.SELECTED,
    "SQ": MarkKind.SQUARE,
    "TR": MarkKind.TRIANGLE,
}

#: Labels, lines and arrows, and the old marks and letters.
OTHERS = frozenset({"AR", "L", "LB", "LN", "M"})

#: The territory of each side.
TERRITORY = {"TB": Color.BLACK, "TW": Color.WHITE}

#: What the author thinks of a move or a position, in signs and words; of a value of 2 the second.
ANNOTATED = {
    "BM": ("? bad move", "?? very bad move"),
    "DO": ("?! doubtful move",),
    "IT": ("!? interesting move",),
    "TE": ("! tesuji", "!! great tesuji"),
    "GB": ("good for Black", "very good for Black"),
    "GW": ("good for White", "very good for White"),
    "DM": ("even position", "even position, main variation"),
    "UC": ("unclear position", "very unclear position"),
    "HO": ("hotspot", "important hotspot"),
}

#: A node names each point of the board in at most nine lists: five of marks, two of
#: territory, DD and VW.  Rectangles beyond that overlap, and are not carried out.
MAX_LISTS = 9

#: At most this many things that cannot be drawn are listed.
MAX_LEFT_OUT = 20


def values_of(prop: Reading, nodes: Nodes) -> tuple[Value, ...]:
    """Return the values of a property, read as another format has them if its own does not.

    Programs write markup of FF[4] into records of older formats, and M and L of FF[1] into
    newer ones.  An invalid value stays :class:`~sgf_lark.Invalid`.
    """
    rules = nodes.rules
    if rules.format is Format.GGF:
        return ()
    if prop.rule is not None and prop.reader is not None:
        rule, read = prop.rule, prop.reader
        return tuple(
            (read.in_ff4(rule, raw) or value) if isinstance(value, Invalid) else value
            for raw, value in zip(prop.raw, prop.values, strict=False)
        )
    for format_ in (Format.FF4, Format.FF1):
        found = rules.table.find(format_, rules.game.number, prop.ident)
        if found is not None:
            other = reader(format_, rules.game, over_19=rules.over_19)
            return other.read_property(found, prop.raw).values
    return ()


def annotations_of(content: Content) -> Iterator[str]:
    for prop in content:
        words = ANNOTATED.get(prop.ident, ())
        if words:
            yield words[-1 if prop.raw[0].strip() == "2" else 0]


class Markup:
    def __init__(self, nodes: Nodes, size: BoardSize) -> None:
        # as Diagram has them
        self.marks: dict[Mark, None] = {}
        self.labels: dict[Point, str] = {}
        self.lines: dict[Line, None] = {}
        self.arrows: dict[Line, None] = {}
        self.territory: dict[Point, Color] = {}
        self.left_out: list[str] = []
        self._nodes = nodes
        self._size = size
        self._work = 0

    def read(self, content: Content, stones: Container[Point]) -> None:
        """Read the markup of a node.

        Args:
            stones: The points that have a stone: there M of FF[1] is a triangle, else a cross.
        """
        readers: dict[str, Callable[[Reading], None]] = {
            **dict.fromkeys(MARKS, self._mark),
            **dict.fromkeys(TERRITORY, self._give),
            "LB": self._label,
            "LN": partial(self._connect, lines=self.lines),
            "AR": partial(self._connect, lines=self.arrows),
        }
        for prop in content:
            if prop.ident in readers:
                readers[prop.ident](prop)
        marked = {mark.point for mark in self.marks}
        for prop in content:
            if prop.ident == "L":
                self._letter(prop)
            for point in self.points(prop) if prop.ident == "M" else ():
                if point not in marked:
                    kind = MarkKind.TRIANGLE if point in stones else MarkKind.CROSS
                    self.marks[Mark(point, kind)] = None

    def fields(self) -> dict[str, Any]:
        return {
            "marks": tuple(self.marks),
            "labels": tuple(Label(*label) for label in self.labels.items()),
            "lines": tuple(self.lines),
            "arrows": tuple(self.arrows),
            "territory": tuple(TerritoryPoint(*area) for area in self.territory.items()),
        }

    def _mark(self, prop: Reading) -> None:
        for point in self.points(prop):
            self.marks[Mark(point, MARKS[prop.ident])] = None

    def _give(self, prop: Reading) -> None:
        color = TERRITORY[prop.ident]
        for point in self.points(prop):
            if self.territory.setdefault(point, color) is not color:
                self._leave_out(f"{prop.ident} names a point of the other side again")

    def _label(self, prop: Reading) -> None:
        for raw, value in self._values(prop):
            if not isinstance(value, Composed) or not isinstance(value.first, Point):
                self._leave_out(f"{prop.ident}[{shorten(raw)}]: expected a point and a label")
            elif not self.has(value.first):
                self._leave_off(prop, raw)
            elif self.labels.setdefault(value.first, str(value.second)) != str(value.second):
                self._leave_out(f"{prop.ident}[{shorten(raw)}]: the point already has a label")

    def _letter(self, prop: Reading) -> None:
        """Write A, B, C ... on the points of L that have no label: those take no letter."""
        number = 0
        for point in self.points(prop):
            if point not in self.labels:
                self.labels[point] = column_name(number, ascii_uppercase)
                number += 1

    def _connect(self, prop: Reading, lines: dict[Line, None]) -> None:
        for raw, value in self._values(prop):
            if not (
                isinstance(value, Composed)
                and isinstance(value.first, Point)
                and isinstance(value.second, Point)
            ):
                self._leave_out(f"{prop.ident}[{shorten(raw)}]: expected two points")
            elif not (self.has(value.first) and self.has(value.second)):
                self._leave_off(prop, raw)
            elif value.first == value.second:
                self._leave_out(f"{prop.ident}[{shorten(raw)}]: both ends are the same point")
            else:
                lines[Line(value.first, value.second)] = None

    # ---- inherited lists ----

    def dim(self, props: Iterable[Reading]) -> tuple[Point, ...]:
        """Return the points that DD dims; none if it is empty."""
        return tuple(dict.fromkeys(point for prop in props for point in self.points(prop)))

    def view(self, props: Iterable[Reading]) -> tuple[Point, ...] | None:
        """Return the points that VW shows; None for all: it is empty, or names none of the board.

        In FF[1] and FF[3] two points are the corners of a rectangle.
        """
        points: dict[Point, None] = {}
        for prop in props:
            values = [value for _, value in self._values(prop) if isinstance(value, Point)]
            if self._nodes.rules.format is not Format.FF4 and len(values) == VIEW_CORNERS:
                corners = Rectangle(first=values[0], second=values[1])
                points |= dict.fromkeys(self._on_board(prop, ":".join(prop.raw), corners))
            else:
                points |= dict.fromkeys(self.points(prop))
        return tuple(points) or None

    # ---- points ----

    def has(self, point: Point) -> bool:
        return point.column < self._size.columns and point.row < self._size.rows

    def points(self, prop: Reading) -> Iterator[Point]:
        for raw, value in self._values(prop):
            yield from self._on_board(prop, raw, value)

    def _on_board(self, prop: Reading, raw: str, value: Value) -> Iterator[Point]:
        if isinstance(value, Point):
            if self.has(value):
                yield value
            else:
                self._leave_off(prop, raw)
        elif isinstance(value, Rectangle) and value.corners is not None:
            yield from self._of_rectangle(prop, raw, *value.corners)
        else:
            expected = value.expected if isinstance(value, Invalid) else "a point"
            self._leave_out(f"{prop.ident}[{shorten(raw)}]: expected {expected}")

    def _of_rectangle(self, prop: Reading, raw: str, low: Point, high: Point) -> Iterator[Point]:
        columns, rows = self._size
        if not self.has(high):
            self._leave_off(prop, raw, partly=self.has(low))
        right, bottom = min(high.column, columns - 1), min(high.row, rows - 1)
        self._work += max(right - low.column + 1, 0) * max(bottom - low.row + 1, 0)
        if self._work > MAX_LISTS * columns * rows:
            self._leave_out(f"{prop.ident}[{shorten(raw)}]: too many rectangles on one another")
            return
        for row in range(low.row, bottom + 1):
            for column in range(low.column, right + 1):
                yield Point(column, row)

    def _values(self, prop: Reading) -> Iterator[tuple[str, Value]]:
        """Yield the values of a property with their texts; none of an empty list."""
        if prop.raw == ("",):
            return
        yield from zip(prop.raw, values_of(prop, self._nodes), strict=False)

    # ---- what cannot be drawn ----

    def judge(self, content: Content) -> None:
        """Name the moves and the setup of a node that the board cannot have."""
        for prop in content:
            if prop.ident in COLORS:
                values: Iterable[tuple[str, Value]] = zip(prop.raw[:1], prop.values, strict=False)
            elif prop.ident in Group.SETUP_POINTS.idents:
                values = self._values(prop)
            else:
                continue
            for raw, value in values:
                if isinstance(value, Invalid):
                    self._leave_out(f"{prop.ident}[{shorten(raw)}]: expected {value.expected}")
                elif isinstance(value, Rectangle) and value.corners is not None:
                    low, high = value.corners
                    if not self.has(high):
                        self._leave_off(prop, raw, partly=self.has(low))
                elif not all(map(self.has, points_of(value))):
                    self._leave_off(prop, raw)

    def _leave_off(self, prop: Reading, raw: str, *, partly: bool = False) -> None:
        columns, rows = self._size
        lies = "lies partly" if partly else "lies"
        self._leave_out(
            f"{prop.ident}[{shorten(raw)}] {lies} outside the board of {columns} by {rows}"
        )

    def _leave_out(self, what: str) -> None:
        if len(self.left_out) == MAX_LEFT_OUT:
            self.left_out.append("more that cannot be drawn")
        elif what not in self.left_out and len(self.left_out) < MAX_LEFT_OUT:
            self.left_out.append(what)

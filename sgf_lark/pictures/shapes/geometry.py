"""Places of points in a picture, in cells: one class for each way to lay out a board."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from string import ascii_letters
from typing import ClassVar, NamedTuple

from sgf_lark.core import BAR, TRAY, Color, Point
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Stone

#: From row to row of hexagons whose width is 1.
HEX_STEP = sqrt(3) / 2

#: The width of the colored edges of a rhombus.
BAND = 0.22

#: From the center of a hexagon to a corner, and the path around it from its upper corner.
CORNER = 1 / sqrt(3)
HEXAGON = "l.5.289v.577l-.5.289-.5-.289v-.577z"

#: Checkers of a point that are drawn; more are a number.
MAX_CHECKERS = 5


class Box(NamedTuple):
    """A rectangle, by its left and upper edge, right and lower edge."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def grow(self, across: float, down: float) -> Box:
        return Box(self.left - across, self.top - down, self.right + across, self.bottom + down)


class Segment(NamedTuple):
    """Consecutive points of a row or a column."""

    first: Point
    last: Point
    start: tuple[float, float]
    end: tuple[float, float]


class BoardLayout:
    """A board of squares or of lines: the point of column and row n is at x and y n."""

    # what belongs to the squares beside and above the center of a point
    around: ClassVar[tuple[float, float]] = (0.5, 0.5)

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.columns, self.rows = diagram.extent
        self._view = None if diagram.view is None else frozenset(diagram.view)
        self._missing = frozenset(diagram.missing)
        self.is_full = self._view is None and not self._missing

    def at(self, point: Point) -> tuple[float, float]:
        column, row = point
        return column, self.diagram.size.rows - 1 - row if self.diagram.rows_from_bottom else row

    def shows(self, point: Point) -> bool:
        if point.column not in self.columns or point.row not in self.rows:
            return False
        if self._view is not None and point not in self._view:
            return False
        return point not in self._missing

    def shown_stones(self) -> list[Stone]:
        return [stone for stone in self.diagram.stones if self.shows(stone.point)]

    def cell(self, point: Point) -> str:
        x, y = self.at(point)
        return f"M{num(x - 0.5)} {num(y - 0.5)}h1v1h-1z"

    @property
    def inner(self) -> Box:
        if not self.columns or not self.rows:
            return Box(0, 0, 1, 1)
        left, top = self.at(Point(self.columns[0], self.rows[0]))
        right, bottom = self.at(Point(self.columns[-1], self.rows[-1]))
        return Box(left, top, right, bottom).grow(*self.around)

    def centers(self, points: Iterable[Point]) -> list[tuple[float, float]]:
        return [self.at(point) for point in points]

    def dots(self, points: Iterable[Point]) -> str:
        places = (self.at(point) for point in points if self.shows(point))
        return "".join(f"M{num(x)} {num(y)}h0" for x, y in places)

    def segments(self, *, down: bool = False) -> list[Segment]:
        """Return the consecutive visible points, in rows or columns."""
        lines = self.columns if down else self.rows
        across = self.rows if down else self.columns
        found: list[Segment] = []
        for line in lines:
            points = [Point(line, at) if down else Point(at, line) for at in across]
            if self.is_full and points:
                found.append(self._segment(points[0], points[-1]))
                continue
            first: Point | None = None
            for at, point in enumerate(points):
                if not self.shows(point):
                    first = None
                    continue
                first = first or point
                if at + 1 == len(points) or not self.shows(points[at + 1]):
                    found.append(self._segment(first, point))
        return found

    def _segment(self, first: Point, last: Point) -> Segment:
        return Segment(first, last, self.at(first), self.at(last))


class HexLayout(BoardLayout):
    """A rhombus of hexagons with a corner up; each row lies half a cell further right."""

    around = (0.5 + BAND, CORNER + BAND)

    def at(self, point: Point) -> tuple[float, float]:
        column, row = BoardLayout.at(self, point)
        return column + row / 2, row * HEX_STEP

    def cell(self, point: Point) -> str:
        x, y = self.at(point)
        return f"M{num(x)} {num(y - CORNER)}{HEXAGON}"


class PointsLayout(BoardLayout):
    """A backgammon board: point 1 at the bottom right, 24 at the top right."""

    def __init__(self, diagram: Diagram) -> None:
        super().__init__(diagram)
        self._heights: dict[int, int] = {}
        for stone in diagram.stones:
            self._heights[stone.point.column] = stone.amount

    def at(self, point: Point) -> tuple[float, float]:
        """Return the center of the outermost checker, or of the place of the first one."""
        column = point.column
        height = max(1, self._heights.get(column, 1))
        return self.checker(column, min(height, MAX_CHECKERS) - 1, Color.WHITE)

    def checker(self, column: int, height: int, color: Color | None) -> tuple[float, float]:
        """Return the center of a checker, by its height from 0 in the stack of its column."""
        is_white = color is Color.WHITE
        if column == BAR:
            return 6, 6.5 + height if is_white else 3.5 - height
        if column >= TRAY:
            return (
                TRAY_X,
                10.37 - height * CHECKER_EDGE if is_white else -0.37 + height * CHECKER_EDGE,
            )
        if column < 12:  # noqa: PLR2004  # the lower half
            return x_of_column(column), 10 - height
        return x_of_column(column), height

    def shows(self, point: Point) -> bool:
        return 0 <= point.column <= TRAY

    def cell(self, point: Point) -> str:
        x, y = self.at(point)
        top = -0.5 if y < 5 else 5.5  # noqa: PLR2004  # the middle
        return f"M{num(x - 0.5)} {num(top)}h1v5h-1z"

    @property
    def inner(self) -> Box:
        return Box(-0.5, -0.5, 12.5, 10.5)


#: The middle of the tray of backgammon, and the thickness of a checker on its edge.
TRAY_X, CHECKER_EDGE = 13.6, 0.32


def x_of_column(column: int) -> int:
    """Return the x of a point of backgammon, which the bar divides in two halves."""
    x = 11 - column if column < 12 else column - 12  # noqa: PLR2004  # points of a half
    return x if x < 6 else x + 1  # noqa: PLR2004  # points of a quarter


def layout_of(diagram: Diagram) -> BoardLayout:
    kinds = {BoardKind.RHOMBUS: HexLayout, BoardKind.POINTS: PointsLayout}
    return kinds.get(diagram.kind, BoardLayout)(diagram)


def num(value: float) -> str:
    """Return a number with at most four decimals, as short as can be."""
    if value == int(value):
        return str(int(value))
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def sgf_name(point: Point, kind: BoardKind) -> str:
    """Return a point as SGF writes it for Go, ``pd``; by numbers beyond that."""
    column, row = point
    if max(column, row) >= len(ascii_letters):
        return f"{column},{row}"
    first = ascii_letters[column]
    return first if kind is BoardKind.POINTS else first + ascii_letters[row]

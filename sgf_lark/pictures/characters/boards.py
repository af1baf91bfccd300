"""Text boards that are no rows of points: backgammon, and Twixt with its links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sgf_lark.schema.values import Color, Point

from .contents import Contents
from .signs import Signs, clean, text_width

if TYPE_CHECKING:
    from sgf_lark.pictures.diagram import Diagram

#: The columns of backgammon that are no points.
BAR, TRAY = 24, 25

#: Checkers of a point that are drawn; more are a number.
MAX_SHOWN = 5

#: Characters from hole to hole of a board with links, and lines from row to row.
HOLE_WIDTH, HOLE_LINES = 4, 2


# ---- backgammon ----


def draw_backgammon(diagram: Diagram, signs: Signs) -> Iterator[str]:
    """Yield a backgammon board as GNU Backgammon draws it: point 1 at the bottom right."""
    stacks = _Stacks(diagram, signs)
    upper, lower = range(12, 24), range(11, -1, -1)
    yield _edge(diagram, upper)
    for height in range(MAX_SHOWN):
        yield stacks.line(upper, height, Color.BLACK)
    yield f"|{' ' * 18}|BAR|{' ' * 18}|{_dice_and_cube(diagram)}"
    for height in reversed(range(MAX_SHOWN)):
        yield stacks.line(lower, height, Color.WHITE)
    yield _edge(diagram, lower)


class _Stacks:
    """The checkers of each column."""

    def __init__(self, diagram: Diagram, signs: Signs) -> None:
        self._signs = signs.pieces["stone"]
        self._checkers: dict[tuple[int, Color | None], int] = {}
        self._owners: dict[int, Color | None] = {}
        for stone in diagram.stones:
            self._checkers[stone.point.column, stone.color] = stone.amount
            self._owners[stone.point.column] = stone.color

    def line(self, columns: Sequence[int], height: int, color: Color) -> str:
        """Return a line through twelve points, and the color's part of bar and tray."""
        cells = [self._at(column, height, self._owners.get(column)) for column in columns]
        halves = ("".join(f" {cell:<2}" for cell in half) for half in (cells[:6], cells[6:]))
        left, right = halves
        return f"|{left}| {self._at(BAR, height, color):<2}|{right}|{self._tray(height, color)}"

    def _at(self, column: int, height: int, color: Color | None) -> str:
        amount = self._checkers.get((column, color), 0)
        if height >= amount:
            return " "
        is_count = amount > MAX_SHOWN and height == MAX_SHOWN - 1
        return str(amount) if is_count else self._signs[color is Color.WHITE]

    def _tray(self, height: int, color: Color) -> str:
        if height:
            return ""
        off = self._checkers.get((TRAY, color), 0)
        return f" {self._signs[color is Color.WHITE]}" + (f" off: {off}" if off else "")


def _edge(diagram: Diagram, columns: Sequence[int]) -> str:
    """Return the upper or lower edge, with the names of points."""
    names = diagram.column_names if diagram.coordinates else ()
    shown = [f"{clean(names[column]) if column < len(names) else '-':->2}-" for column in columns]
    return f"+{''.join(shown[:6])}+---+{''.join(shown[6:])}+"


def _dice_and_cube(diagram: Diagram) -> str:
    """Return the dice and the cube, beside the board."""
    parts = []
    if diagram.dice:
        parts.append("dice: " + " ".join(map(str, diagram.dice)))
    if diagram.cube:
        owner = diagram.cube_owner
        whose = f" ({owner.name.capitalize()})" if owner is not None else ""
        parts.append(f"cube: {diagram.cube}{whose}")
    return " " + ", ".join(parts) if parts else ""


# ---- links ----


def draw_links(diagram: Diagram, signs: Signs) -> Iterator[str]:
    """Yield a board of Twixt with its links, two lines for each row."""
    columns, rows = diagram.extent
    canvas = _Canvas(diagram)
    for link in diagram.links:
        (x, y), (end, low) = sorted((canvas.place(link.first), canvas.place(link.second)))
        for across, down, sign in _link(signs, end - x, low - y):
            canvas.write(x + across, y + down, sign)
    contents, last = Contents(diagram, signs), set(diagram.last)
    for row in rows:
        for point in (Point(column, row) for column in columns):
            x, y = canvas.place(point)
            body = contents.at(point)
            if point in last:
                body, x = f"({body})", x - 1
            canvas.write(x, y, body)
    names, sides = diagram.column_names, diagram.row_names
    if not diagram.coordinates:
        names = sides = ()
    gutter = max(map(len, sides), default=0)
    if names:
        shown = names[columns.start : columns.stop]
        yield " " * (gutter + 2) + "".join(f"{clean(name):<{HOLE_WIDTH}}" for name in shown)
    for at, line in enumerate(canvas.lines):
        row = rows[at // HOLE_LINES]
        side = "" if at % HOLE_LINES or row >= len(sides) else clean(sides[row])
        yield f"{side:>{gutter}} {''.join(line)}"


class _Canvas:
    """Lines of characters, with room for links between the holes."""

    def __init__(self, diagram: Diagram) -> None:
        columns, rows = diagram.extent
        self._left, self._first = columns.start, rows.start
        self._step = HOLE_LINES * rows.step
        height = HOLE_LINES * (len(rows) - 1) + 1
        self.lines = [[" "] * (HOLE_WIDTH * len(columns) + 1) for _ in range(height)]

    def place(self, point: Point) -> tuple[int, int]:
        """Return the character and the line of a point."""
        across, down = point.column - self._left, point.row - self._first
        return HOLE_WIDTH * across + 1, self._step * down

    def write(self, x: int, y: int, text: str) -> None:
        """Write a text, as far as it lies on the canvas."""
        for sign in text:
            if 0 <= y < len(self.lines) and 0 <= x < len(self.lines[0]):
                self.lines[y][x] = sign
            x += text_width(sign)


def _link(signs: Signs, across: int, down: int) -> Iterator[tuple[int, int, str]]:
    """Yield the characters of a link from its left end, by their distance from there."""
    level, falls, rises, *bends = signs.slopes
    sign = 1 if down > 0 else -1
    if across == HOLE_WIDTH:  # steep
        for step in range(1, HOLE_WIDTH):
            yield step, sign * step, falls if down > 0 else rises
        return
    first, second = (bends[0], bends[1]) if down > 0 else (bends[2], bends[3])
    middle = HOLE_WIDTH
    for at in range(1, middle - 1):
        yield at, 0, level
        yield middle + 1 + at, 2 * sign, level
    yield middle - 1, 0, first
    yield middle - 1, sign, second
    yield middle, sign, level
    yield middle + 1, sign, first
    yield middle + 1, 2 * sign, second

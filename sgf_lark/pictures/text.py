"""Diagrams as text: for a terminal, in ASCII, and in the layouts of sgfmill and GNU Go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from sgf_lark.core import BAR, TRAY, Color, Point

from .diagram import Diagram
from .parts import BoardKind, Stone, TextStyle
from .words import WORDS, word

#: The styles of :func:`draw_text`.
STYLES: tuple[TextStyle, ...] = ("unicode", "ascii", "sgfmill", "gnugo")

#: Columns of a label on the board; a longer one is listed under it.
MAX_LABEL_WIDTH = 3

#: Checkers of a point that are drawn; more are a number.
MAX_SHOWN = 5

#: Characters from hole to hole of a board with links, and lines from row to row.
HOLE_WIDTH, HOLE_LINES = 4, 2


def draw_text(diagram: Diagram, style: TextStyle = "unicode") -> str:
    """Return a diagram as lines of text.

    Args:
        style: ``unicode`` for a terminal; ``ascii``, which needs no other characters;
            ``sgfmill`` or ``gnugo``: the board alone, as those programs print one of Go.

    Returns:
        The lines, without a line break at the end.  What does not fit on the board, such as
        long labels, arrows and notes, is listed under it.

    Raises:
        ValueError: There is no such style, or it cannot show this kind of board.
    """
    if style not in STYLES:
        raise ValueError(f"no style {style!r} of text: expected {', '.join(STYLES)}")
    if style in {"sgfmill", "gnugo"}:
        return "\n".join(_draw_as_program(diagram, style))
    if style == "unicode":
        return draw_in_signs(diagram, UNICODE)
    return draw_in_signs(diagram, ASCII).encode("ascii", "backslashreplace").decode()


def draw_in_signs(diagram: Diagram, signs: Signs) -> str:
    """Return a diagram in the characters of a style; texts keep their own."""
    lines = [clean(diagram.title)] if diagram.title else []
    if diagram.kind is BoardKind.POINTS:
        lines += draw_backgammon(diagram, signs)
    elif diagram.links:
        lines += draw_links(diagram, signs)
    else:
        lines += _draw_rows(diagram, signs)
    return "\n".join([*map(str.rstrip, lines), *_list_rest(diagram, signs)])


# ---- rows of points ----


def _draw_rows(diagram: Diagram, signs: Signs) -> Iterator[str]:
    columns, rows = diagram.extent
    contents = Contents(diagram, signs)
    bodies = [[contents.at(Point(column, row)) for column in columns] for row in rows]
    names = [clean(name) for name in diagram.column_names] if diagram.coordinates else []
    names = names[columns.start : columns.stop]
    widths = (text_width(body) for line in bodies for body in line)
    width = max(max(widths, default=1), max(map(len, names), default=1))
    step = width + 1
    if diagram.kind is BoardKind.RHOMBUS:
        step += step % 2  # rows are shifted by half a step
    sides = [clean(name) for name in diagram.row_names] if diagram.coordinates else []
    gutter = max((len(name) for name in sides), default=0)
    last = set(diagram.last)
    heading = " " * gutter + " " + "".join(f"{name:<{step}}" for name in names)
    shift = 0
    if names and not diagram.rows_from_bottom:
        yield heading
    for row, line in zip(rows, bodies, strict=True):
        gaps = _gaps(diagram, signs, [Point(column, row) for column in columns], line, step)
        for at, column in enumerate(columns):
            if Point(column, row) in last:
                gaps[at] = gaps[at][:-1] + ("(" if gaps[at][-1] != ")" else "|")
                gaps[at + 1] = ")" + gaps[at + 1][1:]
        side = sides[row] if row < len(sides) else ""
        content = "".join(gap + body for gap, body in zip(gaps, line, strict=False))
        yield " " * shift + f"{side:>{gutter}}{content}{gaps[-1]}"
        shift += step // 2 if diagram.kind is BoardKind.RHOMBUS else 0
    if names and diagram.rows_from_bottom:
        yield heading


def _gaps(
    diagram: Diagram, signs: Signs, points: Sequence[Point], bodies: Sequence[str], step: int
) -> list[str]:
    """Return the text between the points of a row, before the first and after the last one."""
    is_grid = diagram.kind is BoardKind.LINES and bool(signs.line)
    gaps = [" "]
    for point, body, after in zip(points, bodies, (*bodies[1:], " "), strict=False):
        at_edge = point.column == diagram.size.columns - 1
        joined = is_grid and not at_edge and body != " " != after
        cropped = is_grid and point is points[-1] and not at_edge and body != " "
        gap = (signs.line if joined else " ") * (step - text_width(body))
        gaps.append(signs.line if cropped else gap)
    return gaps


# ---- under the board ----


def _list_rest(diagram: Diagram, signs: Signs) -> Iterator[str]:
    labels = (*diagram.labels, *diagram.variations)
    names = diagram.names_of(label.point for label in labels)
    for name, label in zip(names, labels, strict=True):
        text = clean(label.text)
        if text_width(text) > MAX_LABEL_WIDTH:
            yield f"{clean(name)}: {text}"
    for sign, lines in (("-", diagram.lines), ("->", diagram.arrows)):
        if lines:
            yield ", ".join(clean(f" {sign} ".join(diagram.names_of(line))) for line in lines)
    if key := Contents(diagram, signs).key():
        yield key
    if diagram.to_play is not None:
        sign = signs.pieces["stone"][diagram.to_play is Color.WHITE]
        yield f"{sign} {word(f'{diagram.to_play.name.capitalize()} to play')}"
    if diagram.ending:
        yield clean(": ".join(one if one not in WORDS else word(one) for one in diagram.ending))
    yield from map(clean, diagram.notes)


# ---- characters ----


class Signs(NamedTuple):
    """The characters of a style."""

    pieces: dict[str, tuple[str, str, str]]  # for each piece: of Black, of White, of nobody
    dim: tuple[str, str, str]  # a dimmed piece of Black, of White, and a dimmed empty point
    # the crossings of lines, three rows of a corner, an edge and a corner
    cross: tuple[str, str, str]
    hoshi: str
    empty: str
    line: str  # between two points of a row; empty for a space
    marks: dict[str, str]
    areas: tuple[str, str]
    # parts of links: level, down, up, and the four bends of a link of Twixt
    slopes: tuple[str, str, str, str, str, str, str]
    more: str


UNICODE = Signs(
    pieces={
        "stone": ("●", "○", "✗"),
        "amazon": ("♛", "♕", "✗"),
        "arrow": ("✗", "✗", "✗"),
    },
    dim=("•", "◦", "·"),
    cross=("┌┬┐", "├┼┤", "└┴┘"),
    hoshi="╋",
    empty="·",
    line="─",
    marks={
        "circle": "⊙",
        "cross": "✕",
        "selected": "◆",
        "square": "□",
        "triangle": "△",
        "finding": "!",
    },
    areas=("▪", "▫"),
    slopes=("─", "╲", "╱", "╮", "╰", "╯", "╭"),  # noqa: RUF001  # lines of a box
    more="…",
)

ASCII = Signs(
    pieces={
        "stone": ("X", "O", "#"),
        "amazon": ("X", "O", "#"),
        "arrow": ("#", "#", "#"),
    },
    dim=("x", "o", "'"),
    cross=("...", "...", "..."),
    hoshi="+",
    empty=".",
    line="",
    marks={
        "circle": "@",
        "cross": "*",
        "selected": "%",
        "square": "=",
        "triangle": "^",
        "finding": "!",
    },
    areas=(":", ","),
    slopes=("-", "\\", "/", ".", "'", "'", "."),
    more="~",
)


def clean(text: str) -> str:
    """Return a text of a record without what would move the cursor of a terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)


def text_width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in {"W", "F"} else 1 for char in text
    )


def cut_to_width(text: str, width: int, more: str) -> str:
    """Return a text, cut to a number of columns."""
    start = text[: 2 * width]  # a text with more characters that take no column is cut, too
    if start == text and text_width(text) <= width:
        return text
    while text_width(start) > width - 1:
        start = start[:-1]
    return start + more


# ---- points ----


class Contents:
    def __init__(self, diagram: Diagram, signs: Signs) -> None:
        self._signs = signs
        self._diagram = diagram
        self._stones = {stone.point: stone for stone in diagram.stones}
        self._hidden = None if diagram.view is None else set(diagram.view)
        self._missing = set(diagram.missing)
        self._dim = set(diagram.dim)
        self._hoshi = set(diagram.hoshi)
        self._notes: defaultdict[Point, str] = defaultdict(str)
        self._used: dict[str, str] = {}
        self._collect()

    def _collect(self) -> None:
        diagram, signs, notes = self._diagram, self._signs, self._notes
        for point, number in diagram.numbers:
            notes[point] += str(number)
        for label in (*diagram.labels, *diagram.variations):
            text = clean(label.text)
            if not signs.line and not text.isascii():
                text = "?"
            notes[label.point] += cut_to_width(text, MAX_LABEL_WIDTH, signs.more)
        for mark in diagram.marks:
            sign = signs.marks[mark.kind]
            notes[mark.point] += sign
            if not signs.line or mark.kind not in _CLEAR:
                self._used[sign] = mark.kind.value
        for point, color in diagram.territory:
            sign = signs.areas[color is Color.WHITE]
            notes[point] += sign
            self._used[sign] = f"{color.name.lower()} territory"

    def key(self) -> str:
        """Return the meaning of the marks that are used; empty if there are none."""
        order = sorted(self._used.items(), key=lambda item: item[1])
        return "  ".join(f"{sign} {meaning}" for sign, meaning in order)

    def at(self, point: Point) -> str:
        """Return what is on a point; a space for one that is not shown."""
        if point in self._missing or (self._hidden is not None and point not in self._hidden):
            return " "
        notes = self._notes.get(point, "")
        stone = self._stones.get(point)
        if stone is not None:
            return self._stone(stone) + notes
        return notes or self._empty(point)

    def _stone(self, stone: Stone) -> str:
        signs, side = self._signs, _SIDES[stone.color]
        if stone.point in self._dim and stone.color is not None:
            sign = signs.dim[side]
        else:
            sign = signs.pieces.get(stone.piece, signs.pieces["stone"])[side]
        return sign + (str(stone.amount) if stone.amount > 1 else "") + clean(stone.prongs)

    def _empty(self, point: Point) -> str:
        signs = self._signs
        if point in self._dim:
            return signs.dim[2]
        if self._diagram.kind is not BoardKind.LINES:
            return signs.empty
        if point in self._hoshi:
            return signs.hoshi
        columns, rows = self._diagram.size
        at_column, at_row = (
            0 if at == 0 else 2 if at == length - 1 else 1
            for at, length in ((point.column, columns), (point.row, rows))
        )
        if self._diagram.rows_from_bottom:
            at_row = 2 - at_row
        return signs.cross[at_row][at_column]


#: Marks whose signs look like their names.
_CLEAR = {"circle", "cross", "square", "triangle"}

_SIDES = {Color.BLACK: 0, Color.WHITE: 1, None: 2}


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
    names = diagram.column_names if diagram.coordinates else ()
    shown = [f"{clean(names[column]) if column < len(names) else '-':->2}-" for column in columns]
    return f"+{''.join(shown[:6])}+---+{''.join(shown[6:])}+"


def _dice_and_cube(diagram: Diagram) -> str:
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
        for across, down, sign in link_signs(signs, end - x, low - y):
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
        across, down = point.column - self._left, point.row - self._first
        return HOLE_WIDTH * across + 1, self._step * down

    def write(self, x: int, y: int, text: str) -> None:
        for sign in text:
            if 0 <= y < len(self.lines) and 0 <= x < len(self.lines[0]):
                self.lines[y][x] = sign
            x += text_width(sign)


def link_signs(signs: Signs, across: int, down: int) -> Iterator[tuple[int, int, str]]:
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


# ---- other programs ----


def _draw_as_program(diagram: Diagram, style: TextStyle) -> Iterator[str]:
    """Yield the board as sgfmill or GNU Go prints it.

    Source: sgfmill 1.1, ``ascii_boards.render_board``; GNU Go 3.8, ``showboard`` of GTP.
    """
    if diagram.kind is not BoardKind.LINES:
        raise ValueError(f"style {style!r} is for boards with lines, not for {diagram.kind.value}")
    columns, rows = diagram.size
    names = [_letter(column) for column in range(columns)]
    held = {stone.point: stone.color for stone in diagram.stones}
    hoshi = {*map(Point._make, _HOSHI_OF_GNUGO.get(diagram.size, diagram.hoshi))}
    signs = {Color.BLACK: "#", Color.WHITE: "o", None: "."}
    if style == "gnugo":
        signs = {Color.BLACK: "X", Color.WHITE: "O", None: "."}
        yield "   " + " ".join(names)
    width = 2 if rows >= 10 or style == "gnugo" else 1  # noqa: PLR2004  # two digits
    for row in range(rows):
        number = rows - row
        points = [Point(column, row) for column in range(columns)]
        shown = [signs[held.get(point)] for point in points]
        if style == "gnugo":
            shown = [
                "+" if sign == "." and point in hoshi else sign
                for sign, point in zip(shown, points, strict=True)
            ]
            yield f"{number:>2} {' '.join(shown)} {number}"
        else:
            yield f"{number:>{width}} {' '.join(' ' + sign for sign in shown)}"
    if style == "gnugo":
        yield "   " + " ".join(names)
    else:
        yield " " * (width + 2) + "  ".join(names)


#: Dots of GNU Go on boards where other programs have other ones or none.
_HOSHI_OF_GNUGO = {(3, 3): ((1, 1),), (6, 6): ((2, 2), (3, 2), (2, 3), (3, 3))}


def _letter(column: int) -> str:
    """Return the letter of a column of Go, which leaves out I; two beyond Z."""
    letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    first, second = divmod(column, len(letters))
    return (_letter(first - 1) if first else "") + letters[second]

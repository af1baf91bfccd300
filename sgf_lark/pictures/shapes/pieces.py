"""Pieces of all games, and the marks on them: numbers, labels, territory, lines and arrows."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, pi, sin, tan
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from sgf_lark.core import BAR, TRAY, Color, Point
from sgf_lark.pictures.diagram import MAX_LABEL, Diagram
from sgf_lark.pictures.parts import BoardKind, Label, Line, Link, MarkKind, Stone
from sgf_lark.pictures.text import clean

from . import elements
from .elements import Layer, describe, write_text
from .geometry import CHECKER_EDGE, MAX_CHECKERS, BoardLayout, PointsLayout, num, sgf_name

#: The radius of round pieces.
_RADII = {"stone": ".47", "disc": ".41", "peg": ".39", "piece": ".41", "checker": ".47"}

#: A crown from the left end of its brim, and its base.
_CROWN = (
    "m-.26.16l-.09-.33a.05.05 0 1 1 .06-.02l.14.14.0-.26a.05.05 0 1 1 .07-.01l.08.25.08-.25"
    "a.05.05 0 1 1 .07.01l0 .26.14-.14a.05.05 0 1 1 .06.02l-.09.33z"
    "m0 .07h.52v.1h-.52z"
)

#: Directions of the prongs of a pod: A is up, the others follow clockwise.
_PRONGS = "ABCDEFGH"

#: From the center of a pod to its sides and to the end of a prong, and half a prong's width.
_POD, _REACH, _WIDTH = 0.27, 0.47, 0.07


def draw_pieces(layout: BoardLayout) -> list[Layer]:
    if isinstance(layout, PointsLayout):
        return [Layer("", list(_checkers(layout)))]
    diagram = layout.diagram
    is_small = diagram.kind is BoardKind.RHOMBUS
    links = [link for link in diagram.links if all(map(layout.shows, (link.first, link.second)))]
    cases = [_link(layout, link, "case") for link in links]
    lines = [_link(layout, link, "line") for link in links]
    pieces: list[str] = []
    rings: list[str] = []
    for stone in layout.shown_stones():
        pieces.append(_piece(layout, stone, small=is_small))
        rings += _details(layout, stone)
    return [Layer("", cases), Layer("", lines), Layer("", pieces), Layer("", rings)]


def ink_on(color: Color | None) -> str:
    """Return the class of what is written on a stone, or on the board."""
    if color is None:
        return "sgf-on-board"
    return "sgf-on-black" if color is Color.BLACK else "sgf-on-white"


def _side(color: Color | None) -> str:
    return "nobody" if color is None else color.name.lower()


def _piece(layout: BoardLayout, stone: Stone, *, small: bool) -> str:
    x, y = layout.at(stone.point)
    head = (
        f'class="sgf-stone sgf-{_side(stone.color)}"'
        f' data-point="{sgf_name(stone.point, layout.diagram.kind)}"'
    )
    if stone.piece == "amazon" and stone.color is not None:
        return f'<path {head} d="M{num(x)} {num(y)}{_CROWN}"/>'
    if stone.piece == "arrow" or stone.color is None:
        return f'<path {head} d="M{num(x)} {num(y)}{_ARROW}"/>'
    if stone.piece == "pod":
        return f'<path {head} d="{_pod(x, y, stone.prongs)}"/>'
    radius = ".41" if small else _RADII.get(stone.piece, ".47")
    return f'<circle {head} cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'


#: A stone that an arrow left: a square with bent corners.
_ARROW = "m-.3-.18l.12-.12.18.18.18-.18.12.12-.18.18.18.18-.12.12-.18-.18-.18.18-.12-.12.18-.18z"


def _details(layout: BoardLayout, stone: Stone) -> Iterator[str]:
    if stone.color is None:
        return
    x, y = layout.at(stone.point)
    if stone.piece in {"piece", "checker"}:
        radius = ".27" if stone.piece == "piece" else ".31"
        name = f"sgf-ring-on-{_side(stone.color)}"
        yield f'<circle class="{name}" cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'
    if stone.amount > 1:
        yield write_text(str(stone.amount), x, y, ink_on(stone.color), height=0.38, width=0.5)


def _pod(x: float, y: float, prongs: str) -> str:
    corners = []
    for at, prong in enumerate(_PRONGS):
        angle = at * pi / 4
        places = [(-_POD * tan(pi / 8), _POD)]
        if prong in prongs:
            places += [(-_WIDTH, _POD), (-_WIDTH, _REACH), (_WIDTH, _REACH), (_WIDTH, _POD)]
        for aside, ahead in places:
            across = x + ahead * sin(angle) + aside * cos(angle)
            down = y - ahead * cos(angle) + aside * sin(angle)
            corners.append(f"{num(round(across, 3))} {num(round(down, 3))}")
    return f"M{'L'.join(corners)}z"


# ---- links ----


def _link(layout: BoardLayout, link: Link, part: str) -> str:
    (x, y), (end, low) = layout.at(link.first), layout.at(link.second)
    name = f"sgf-{_side(link.color)}-{part}"
    return f'<path class="{name}" d="M{num(x)} {num(y)}L{num(end)} {num(low)}"/>'


# ---- backgammon ----


def _checkers(layout: PointsLayout) -> Iterator[str]:
    for stone in layout.diagram.stones:
        column = stone.point.column
        most = _MOST.get(column, MAX_CHECKERS)
        head = (
            f'class="sgf-stone sgf-{_side(stone.color)}"'
            f' data-point="{sgf_name(stone.point, layout.diagram.kind)}"'
        )
        for height in range(min(stone.amount, most)):
            x, y = layout.checker(column, height, stone.color)
            if column == TRAY:  # it lies on its edge
                left, top = num(x - 0.46), num(y - CHECKER_EDGE / 2 + 0.02)
                yield f'<rect {head} x="{left}" y="{top}" width=".92" height=".28" rx=".06"/>'
            else:
                yield from _checker(stone, head, x, y)
        if stone.amount > most:
            x, y = layout.checker(column, most - 1, stone.color)
            yield write_text(str(stone.amount), x, y, ink_on(stone.color), height=0.42, width=0.6)
    yield from _dice(layout.diagram)
    yield from _cube(layout.diagram)


#: Checkers that are drawn on the bar and in the tray.
_MOST = {BAR: 4, TRAY: 15}


def _checker(stone: Stone, head: str, x: float, y: float) -> Iterator[str]:
    center = f'cx="{num(x)}" cy="{num(y)}"'
    yield f'<circle {head} {center} r=".47"/>'
    yield f'<circle class="sgf-ring-on-{_side(stone.color)}" {center} r=".31"/>'


#: The pips of each die, in thirds of its side from the middle.
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _dice(diagram: Diagram) -> Iterator[str]:
    color = diagram.to_play or Color.WHITE
    middle = 2.5 if color is Color.BLACK else 9.5
    for at, die in enumerate(diagram.dice[:4]):
        x = middle + 1.1 * (at - (min(4, len(diagram.dice)) - 1) / 2)
        yield (
            f'<rect class="sgf-stone sgf-{_side(color)}" x="{num(x - 0.4)}" y="4.6" width=".8"'
            f' height=".8" rx=".14"/>'
        )
        pips = "".join(f"M{num(x + 0.22 * a)} {num(5 + 0.22 * b)}h0" for a, b in _PIPS.get(die, ()))
        yield f'<path class="sgf-pips {ink_on(color)}" d="{pips}"/>'


def _cube(diagram: Diagram) -> Iterator[str]:
    if not diagram.cube:
        return
    middle = {Color.WHITE: 9.9, Color.BLACK: 0.1, None: 5}[diagram.cube_owner]
    yield (
        f'<rect class="sgf-stone sgf-white" x="-1.7" y="{num(middle - 0.45)}" width=".9"'
        f' height=".9" rx=".12"/>'
    )
    yield write_text(str(diagram.cube), -1.25, middle, "sgf-on-white", height=0.44, width=0.66)


# ---- marks ----

#: Outlines of marks, from the center of their point.
_OUTLINES = {
    MarkKind.CROSS: "m-.2-.2l.4.4m0-.4l-.4.4",
    MarkKind.SQUARE: "m-.21-.21h.42v.42h-.42z",
    MarkKind.TRIANGLE: "m0-.29l.25.43h-.5z",
    MarkKind.CIRCLE: "m-.24 0a.24.24 0 1 0 .48 0a.24.24 0 1 0-.48 0z",
}


#: The outline of a mark around a text.
_RING = "m-.42 0a.42.42 0 1 0 .84 0a.42.42 0 1 0-.84 0z"


class Marks(NamedTuple):
    layout: BoardLayout
    colors: dict[Point, Color | None]
    marked: set[Point]

    @classmethod
    def of(cls, layout: BoardLayout) -> Marks:
        diagram = layout.diagram
        marked = {mark.point for mark in diagram.marks if mark.kind is not MarkKind.FINDING}
        marked.update(label.point for label in (*diagram.labels, *diagram.variations))
        marked.update(number.point for number in diagram.numbers)
        return cls(layout, {stone.point: stone.color for stone in diagram.stones}, marked)

    def ink(self, point: Point) -> str:
        return ink_on(self.colors.get(point))

    def place(self, point: Point) -> str:
        """Return the attributes of an element about a point, with a space before."""
        return f' data-point="{sgf_name(point, self.layout.diagram.kind)}"'


def draw_cells_of_last(layout: BoardLayout) -> Layer:
    """Return the squares of the last move, which lie under the pieces."""
    diagram = layout.diagram
    if diagram.kind is not BoardKind.CELLS or diagram.piece in {"disc", "stone"}:
        return Layer("", [])
    cells = (layout.cell(point) for point in diagram.last if layout.shows(point))
    return Layer("", [f'<path class="sgf-last-cell" d="{cell}"/>' for cell in cells])


def draw_fill(layout: BoardLayout) -> Layer:
    """Return the squares with colors of their own, which lie under the pieces."""
    cells = ((layout.cell(point), quoteattr(color)) for point, color in layout.diagram.fill)
    return Layer("", [f'<path class="sgf-fill" fill={color} d="{cell}"/>' for cell, color in cells])


def draw_marks(layout: BoardLayout) -> list[Layer]:
    marks = Marks.of(layout)
    return [
        Layer("", list(_territory(marks))),
        Layer("", list(_lines(marks))),
        Layer("", list(_last(marks))),
        Layer("", list(_marks(marks))),
        *_numbers(marks),
        Layer("", list(_labels(marks))),
        Layer("", list(_variations(marks))),
        Layer("", list(_dim(layout))),
        Layer("", list(_findings(marks))),
    ]


#: A point of territory.
_DIAMOND = "m0-.2l.2.2-.2.2-.2-.2z"


def _territory(marks: Marks) -> Iterator[str]:
    for point, color in marks.layout.diagram.territory:
        if marks.layout.shows(point):
            x, y = marks.layout.at(point)
            name = f"sgf-area sgf-{color.name.lower()}"
            yield f'<path class="{name}"{marks.place(point)} d="M{num(x)} {num(y)}{_DIAMOND}"/>'


def _last(marks: Marks) -> Iterator[str]:
    layout, diagram = marks.layout, marks.layout.diagram
    if draw_cells_of_last(layout).elements:
        return
    for point in diagram.last:
        if not layout.shows(point):
            continue
        x, y = layout.at(point)
        head = f'cx="{num(x)}" cy="{num(y)}"'
        if point in marks.marked:
            yield f'<circle class="sgf-last" {head} r=".435"/>'
        elif diagram.piece == "disc":
            yield f'<circle class="sgf-last-dot" {head} r=".11"/>'
        else:
            radius = ".17" if diagram.kind is BoardKind.HOLES else ".23"
            yield f'<circle class="sgf-mark {marks.ink(point)}" {head} r="{radius}"/>'


def _marks(marks: Marks) -> Iterator[str]:
    diagram = marks.layout.diagram
    texts = {point for point, _ in (*diagram.labels, *diagram.variations, *diagram.numbers)}
    for point, kind in diagram.marks:
        if kind is MarkKind.FINDING or not marks.layout.shows(point):
            continue
        x, y = marks.layout.at(point)
        if kind is MarkKind.SELECTED and point not in texts:
            yield (
                f'<rect class="sgf-select"{marks.place(point)} x="{num(x - 0.2)}"'
                f' y="{num(y - 0.2)}" width=".4" height=".4" rx=".06"/>'
            )
            continue
        name = f"sgf-mark {marks.ink(point)}"
        if point not in marks.colors and diagram.kind is BoardKind.LINES:
            name = f"{name} sgf-mark-ground"  # the lines end at the mark
        outline = f"M{num(x)} {num(y)}{_RING if point in texts else _OUTLINES[kind]}"
        yield f'<path class="{name}"{marks.place(point)} d="{outline}"/>'


#: For each amount of digits the units of the font in a cell: they are larger if they are few.
_DIGITS = (40, 48, 62, 80, 98)


def _numbers(marks: Marks) -> list[Layer]:
    groups = {
        (ink, count): Layer(f'class="sgf-glyph {ink}" transform="scale({num(1 / units)})"', [])
        for ink in ("sgf-on-black", "sgf-on-white", "sgf-on-board")
        for count, units in enumerate(_DIGITS, 1)
    }
    grounds = Layer("", [])
    for point, number in marks.layout.diagram.numbers:
        if not marks.layout.shows(point):
            continue
        text = str(number)
        units = _DIGITS[min(len(text), len(_DIGITS)) - 1]
        x, y = marks.layout.at(point)
        if point not in marks.colors:
            grounds.elements.append(_ground(marks, point))
        group = groups[marks.ink(point), min(len(text), len(_DIGITS))]
        left = round(x * units - elements.measure(text) / 2, 1)
        data = elements.draw_strokes(text, left, round(y * units + elements.HEIGHT / 2, 1))
        group.elements.append(f'<path d="{data}"/>')
    return [grounds, *groups.values()]


def _labels(marks: Marks) -> Iterator[str]:
    for label in marks.layout.diagram.labels:
        if marks.layout.shows(label.point):
            yield from _write(marks, label.point, label.text)


def _write(marks: Marks, point: Point, text: str) -> Iterator[str]:
    x, y = marks.layout.at(point)
    if point not in marks.colors:
        yield _ground(marks, point)
    shown = clean(text)
    if len(shown) > MAX_LABEL:
        shown = shown[: MAX_LABEL - 1] + "…"
    written = write_text(
        shown,
        x,
        y,
        marks.ink(point),
        height=0.52,
        width=0.68 if len(shown) < 3 else 0.8,  # noqa: PLR2004  # one or two characters
        extra=marks.place(point),
    )
    yield written if shown == text else f"<g>{describe('title', text)}{written}</g>"


def _ground(marks: Marks, point: Point) -> str:
    layout = marks.layout
    if layout.diagram.kind not in {BoardKind.LINES, BoardKind.HOLES}:
        return ""
    x, y = layout.at(point)
    return f'<circle class="sgf-back" cx="{num(x)}" cy="{num(y)}" r=".4"/>'


def _variations(marks: Marks) -> Iterator[str]:
    layout = marks.layout
    for label in marks.layout.diagram.variations:
        if not layout.shows(label.point):
            continue
        x, y = layout.at(label.point)
        is_empty = label.point not in marks.colors
        if is_empty:
            yield _ground(marks, label.point).replace("sgf-back", "sgf-back sgf-behind")
            yield f'<circle class="sgf-soft" cx="{num(x)}" cy="{num(y)}" r=".42"/>'
        yield write_text(
            _cut(label),
            x,
            y,
            "sgf-variation" if is_empty else marks.ink(label.point),
            height=0.46,
            width=0.6,
            extra=marks.place(label.point),
        )


def _cut(label: Label) -> str:
    text = clean(label.text)
    return text if len(text) <= MAX_LABEL else text[: MAX_LABEL - 1] + "…"


def _dim(layout: BoardLayout) -> Iterator[str]:
    cells = "".join(layout.cell(point) for point in layout.diagram.dim if layout.shows(point))
    if cells:
        yield f'<path class="sgf-dim" d="{cells}"/>'


def _findings(marks: Marks) -> Iterator[str]:
    for point, kind in marks.layout.diagram.marks:
        if kind is MarkKind.FINDING and marks.layout.shows(point):
            x, y = marks.layout.at(point)
            ring = f'{marks.place(point)} cx="{num(x)}" cy="{num(y)}" r=".5"/>'
            yield f'<circle class="sgf-finding-case"{ring}<circle class="sgf-finding"{ring}'


# ---- lines and arrows ----

#: The length and half the width of the head of an arrow.
_HEAD, _WING = 0.36, 0.19

#: From the middle of a stone to the ends of lines and arrows.
_EDGE = 0.5


def _lines(marks: Marks) -> Iterator[str]:
    layout, diagram = marks.layout, marks.layout.diagram
    for lines, draw in ((diagram.lines, _line), (diagram.arrows, _arrow)):
        for line in lines:
            first, second = map(layout.at, line)
            if first != second and any(map(layout.shows, line)):
                yield draw(*_ends(marks, line))


def _line(x: float, y: float, end: float, low: float) -> str:
    return f'<path class="sgf-line" d="M{num(x)} {num(y)}L{num(end)} {num(low)}"/>'


def _ends(marks: Marks, line: Line) -> tuple[float, float, float, float]:
    (x, y), (end, low) = map(marks.layout.at, line)
    length = hypot(end - x, low - y)
    edge = _EDGE if length > 2 * _EDGE + _HEAD else 0
    start, rest = (edge / length if point in marks.colors else 0 for point in line)
    across, down = end - x, low - y
    return x + start * across, y + start * down, end - rest * across, low - rest * down


def _arrow(x: float, y: float, end: float, low: float) -> str:
    length = hypot(end - x, low - y)
    across, down = (end - x) / length, (low - y) / length
    neck_x, neck_y = end - across * _HEAD, low - down * _HEAD
    half = 0.055

    def corner(from_x: float, from_y: float, aside: float) -> str:
        return f"{num(round(from_x - down * aside, 3))} {num(round(from_y + across * aside, 3))}"

    corners = (
        corner(x, y, half),
        corner(neck_x, neck_y, half),
        corner(neck_x, neck_y, _WING),
        corner(end, low, 0),
        corner(neck_x, neck_y, -_WING),
        corner(neck_x, neck_y, -half),
        corner(x, y, -half),
    )
    return f'<path class="sgf-arrow" d="M{"L".join(corners)}z"/>'

"""Boards without pieces: themes, grounds, lines, cells, holes, and the coordinates around them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from sgf_lark.core import Point
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Theme

from .elements import Layer, widest, write_names
from .geometry import BAND, TRAY_X, BoardLayout, Box, HexLayout, num, x_of_column

#: The colors of each theme, for all boards: ``on-black`` is the ink on a black stone; and those of
#: each kind of board, in each theme.
THEMES: dict[Theme, dict[str, str]] = {theme: {} for theme in get_args(Theme)}
SURFACES: dict[str, dict[Theme, dict[str, str]]] = {}


def _read_colors() -> None:
    """Read the colors of ``themes.tsv``: a row for each color, a column for each theme."""
    text = Path(__file__).with_name("themes.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        surface, name, *colors = line.split("\t")
        themes = THEMES if surface == "any" else SURFACES.setdefault(surface, {})
        for theme, color in zip(THEMES, colors, strict=True):
            themes.setdefault(theme, {})[name] = color


_read_colors()

#: For each class its style; ``@name`` is a color of the theme, which the CSS variable
#: ``--sgf-name`` overrides.
RULES = (
    ("sgf-board", "fill:@board"),
    ("sgf-square", "fill:@square"),
    ("sgf-point", "fill:@point;stroke:@line;stroke-width:.03"),
    ("sgf-dark-point", "fill:@square;stroke:@line;stroke-width:.03"),
    ("sgf-frame", "fill:@frame"),
    ("sgf-grid", "fill:none;stroke:@line"),
    ("sgf-cell", "fill:@board;stroke:@line"),
    ("sgf-edge", "fill:none;stroke:@line;stroke-linecap:square"),
    ("sgf-hoshi", "fill:none;stroke:@line;stroke-width:.26;stroke-linecap:round"),
    ("sgf-holes", "fill:none;stroke:@hole;stroke-width:.2;stroke-linecap:round"),
    ("sgf-well", "fill:@well;stroke:@line;stroke-width:.04"),
    ("sgf-glyph", "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round"),
    ("sgf-names", "stroke:@names;stroke-width:2.2;stroke-opacity:.85"),
    ("sgf-names-text", "fill:@names"),
    ("sgf-last-cell", "fill:@last-cell;fill-opacity:.6;stroke:@last-edge;stroke-width:.12"),
    ("sgf-stone", "stroke-width:.04;stroke-linejoin:round"),
    ("sgf-black", "fill:@black;stroke:@black-edge"),
    ("sgf-white", "fill:@white;stroke:@white-edge"),
    ("sgf-area", "fill-opacity:.8;stroke-width:.03"),
    ("sgf-nobody", "fill:@arrow-piece;stroke:none"),
    ("sgf-white-rim", "fill:none;stroke:@white-edge;stroke-width:.42"),
    ("sgf-black-rim", "fill:none;stroke:@black-edge;stroke-width:.42"),
    ("sgf-white-side", "fill:none;stroke:@white;stroke-width:.36"),
    ("sgf-black-side", "fill:none;stroke:@black;stroke-width:.36"),
    ("sgf-black-line", "fill:none;stroke:@black;stroke-width:.15;stroke-linecap:round"),
    ("sgf-white-line", "fill:none;stroke:@white;stroke-width:.12;stroke-linecap:round"),
    ("sgf-white-case", "fill:none;stroke:@white-edge;stroke-width:.2;stroke-linecap:round"),
    ("sgf-black-case", "fill:none;stroke:@black-edge;stroke-width:.2;stroke-linecap:round"),
    ("sgf-ring-on-black", "fill:none;stroke:@on-black;stroke-opacity:.3;stroke-width:.05"),
    ("sgf-ring-on-white", "fill:none;stroke:@on-white;stroke-opacity:.25;stroke-width:.05"),
    ("sgf-back", "fill:@board"),
    ("sgf-fill", "fill-opacity:.55"),
    ("sgf-soft", "fill:@soft;fill-opacity:.55;stroke:@line;stroke-width:.03"),
    ("sgf-mark", "fill:none;stroke-width:.09;stroke-linecap:round;stroke-linejoin:round"),
    ("sgf-mark-ground", "fill:@board"),
    ("sgf-on-black", "stroke:@on-black"),
    ("sgf-on-white", "stroke:@on-white"),
    ("sgf-on-board", "stroke:@ink"),
    ("sgf-text-on-black", "fill:@on-black"),
    ("sgf-text-on-white", "fill:@on-white"),
    ("sgf-text-on-board", "fill:@ink"),
    ("sgf-last", "fill:none;stroke:@accent;stroke-width:.07"),
    ("sgf-last-dot", "fill:@accent;stroke:@white;stroke-width:.04"),
    ("sgf-select", "fill:@select;stroke:@white;stroke-width:.04"),
    ("sgf-finding-case", "fill:none;stroke:@white;stroke-width:.19"),
    ("sgf-finding", "fill:none;stroke:@finding;stroke-width:.11;stroke-dasharray:@dashes"),
    ("sgf-dim", "fill:@board;fill-opacity:.67"),
    ("sgf-line", "fill:none;stroke:@ink;stroke-width:.1;stroke-linecap:round"),
    ("sgf-arrow", "fill:@ink"),
    ("sgf-pips", "fill:none;stroke-width:.17;stroke-linecap:round"),
    ("sgf-variation", "stroke:@on-white"),
    ("sgf-variation-text", "fill:@on-white"),
    ("sgf-caption", "fill:@names"),
    ("sgf-words", "font-family:system-ui,'Noto Sans CJK JP','Noto Sans',sans-serif"),
)

#: The rules that the theme ``wood`` has instead: round stones with shadows, a plank.
WOOD = {
    "sgf-stone": "stroke-width:.02;filter:drop-shadow(.03px .06px .05px #0008)",
    "sgf-black": "fill:url(#sgf-ball-black);stroke:@black-edge",
    "sgf-white": "fill:url(#sgf-ball-white);stroke:@white-edge",
    "sgf-board": "fill:url(#sgf-plank)",
}

#: The gradients of the same.
BALL = (
    '<radialGradient id="sgf-ball-{}" cx=".36" cy=".3" r=".72"><stop stop-color="{}"/>'
    '<stop offset="1" stop-color="{}"/></radialGradient>'
)
PLANK = (
    '<defs><linearGradient id="sgf-plank" x2=".23" y2=".02" spreadMethod="reflect">'
    '<stop stop-color="#e6b96b"/><stop offset=".3" stop-color="#e1b163"/>'
    '<stop offset=".42" stop-color="#e6b86a"/><stop offset="1" stop-color="#dfae5f"/>'
    "</linearGradient>"
    + BALL.format("black", "#606068", "#0e0e10")
    + BALL.format("white", "#fff", "#d3cec2")
    + "</defs>"
)


def surface_of(diagram: Diagram) -> str:
    """Return the look of a diagram's board: grid, felt, squares or points."""
    if diagram.kind is BoardKind.POINTS:
        return "points"
    if diagram.kind is not BoardKind.CELLS:
        return "grid"
    return {"disc": "felt", "stone": "grid"}.get(diagram.piece, "squares")


def style_sheet(surface: str, theme: Theme, used: frozenset[str]) -> str:
    """Return the rules of the classes that a picture uses.

    A program that knows no variables skips the second half, which is for browsers.
    """
    colors = THEMES[theme] | SURFACES[surface][theme]
    scope = f".sgf-{surface}-{theme} ."
    literal, variable = [], []
    special = WOOD if theme == "wood" else {}
    for name, rule in RULES:
        if name not in used:
            continue
        if name in special and (name != "sgf-board" or surface == "grid"):
            rule = special[name]  # noqa: PLW2901  # of this theme
        parts = [part.partition("@") for part in rule.split(";")]
        shown = ";".join(head + colors.get(color, "") for head, _, color in parts)
        literal.append(f"{scope}{name}{{{shown}}}")
        named = [f"{head}var(--sgf-{color},{colors[color]})" for head, mark, color in parts if mark]
        if named:
            variable.append(f"{scope}{name}{{{';'.join(named)}}}")
    return f"{''.join(literal)}@supports (fill:var(--a)){{{''.join(variable)}}}"


#: The height of coordinates on boards of up to 5 and from 19 lines, in cells, and the room on both
#: sides of them: large boards have small cells, and names have to be read.
NAME_HEIGHTS, NAME_GAP = (0.2, 0.3), 0.2

#: The width of lines in cells for each line of the board, the most, and how much wider an edge is.
LINE_WIDTH, MAX_LINE_WIDTH, EDGE = 0.0021, 0.03, 1.8

#: The margin around a board without coordinates.
MARGIN = 0.16

#: The room of backgammon for the cube on the left, for the tray on the right.
CUBE_WIDTH, TRAY_WIDTH = 1.3, 2


def _margins(layout: BoardLayout) -> tuple[float, float]:
    columns, rows = coordinates_of(layout)
    height = name_height(layout)
    width = widest([rows[row] for row in layout.rows if row < len(rows)], height)
    across = width + 2 * NAME_GAP if width else MARGIN
    down = height + 2 * NAME_GAP if columns else MARGIN
    return (max(across, down),) * 2 if layout.diagram.kind is BoardKind.CELLS else (across, down)


def _lines_of(layout: BoardLayout) -> float:
    return max(len(layout.columns), len(layout.rows), layout.inner.width)


def name_height(layout: BoardLayout) -> float:
    least, most = NAME_HEIGHTS
    return round(least + (most - least) * min(max((_lines_of(layout) - 5) / 14, 0), 1), 3)


def _line_width(layout: BoardLayout) -> float:
    return round(min(LINE_WIDTH * max(_lines_of(layout), 7), MAX_LINE_WIDTH), 3)


def coordinates_of(layout: BoardLayout) -> tuple[tuple[str, ...], tuple[str, ...]]:
    diagram = layout.diagram
    return (diagram.column_names, diagram.row_names) if diagram.coordinates else ((), ())


def ground_box(layout: BoardLayout) -> Box:
    across, down = _margins(layout)
    box = layout.inner.grow(across, down)
    if layout.diagram.kind is BoardKind.POINTS:
        return Box(box.left - CUBE_WIDTH, box.top, box.right + TRAY_WIDTH, box.bottom)
    return box


def draw_ground(layout: BoardLayout, box: Box, outer: Box) -> list[Layer]:
    """Return the board without pieces."""
    kind = layout.diagram.kind
    is_framed = kind in {BoardKind.CELLS, BoardKind.POINTS}
    ground = _rectangle("sgf-frame" if is_framed else "sgf-board", outer, 0.18)
    draw = {
        BoardKind.LINES: _draw_lines,
        BoardKind.CELLS: _draw_cells,
        BoardKind.RHOMBUS: _draw_hexagons,
        BoardKind.HOLES: _draw_holes,
        BoardKind.POINTS: _draw_points,
    }[kind]
    names = [*_name_places(layout, box)]
    return [
        Layer("", [ground]),
        Layer("", list(draw(layout))),
        Layer("", [*write_names(names, "sgf-names", height=name_height(layout), width=2)]),
    ]


def _rectangle(name: str, box: Box, radius: float = 0) -> str:
    rounded = f' rx="{num(radius)}"' if radius else ""
    return (
        f'<rect class="{name}" x="{num(box.left)}" y="{num(box.top)}" width="{num(box.width)}"'
        f' height="{num(box.height)}"{rounded}/>'
    )


def _path(name: str, data: str, width: float | None = None) -> Iterator[str]:
    if data:
        line = "" if width is None else f' stroke-width="{num(width)}"'
        yield f'<path class="{name}"{line} d="{data}"/>'


# ---- lines ----


def _draw_lines(layout: BoardLayout) -> Iterator[str]:
    columns, rows = layout.diagram.size
    inner: list[str] = []
    edge: list[str] = []
    for down, last_line, last in ((False, rows - 1, columns - 1), (True, columns - 1, rows - 1)):
        for first, _, begin, finish in layout.segments(down=down):
            if down:
                (x, start), (_, end), line = begin, finish, first.column
                start, end = sorted((start, end))
            else:
                (start, x), (end, _), line = begin, finish, first.row
            start -= 0.5 if start > 0 else 0
            end += 0.5 if end < last else 0
            at, low, high = num(x), num(start), num(end)
            data = f"M{at} {low}V{high}" if down else f"M{low} {at}H{high}"
            (edge if line in {0, last_line} else inner).append(data)
    width = _line_width(layout)
    yield from _path("sgf-grid", "".join(inner), width)
    yield from _path("sgf-edge", "".join(edge), width * EDGE)
    yield from _path("sgf-hoshi", layout.dots(layout.diagram.hoshi))


# ---- squares ----


def _draw_cells(layout: BoardLayout) -> Iterator[str]:
    light, dark = [], []
    for first, second, (x, y), _ in layout.segments():
        length = second.column - first.column + 1
        light.append(f"M{num(x - 0.5)} {num(y - 0.5)}h{length}v1h-{length}z")
        shift = (first.column + first.row) % 2
        if not layout.diagram.rows_from_bottom:  # the corner at the lower left is dark
            shift = 1 - shift
        count = (length - shift + 1) // 2
        if count > 0:
            dark.append(f"M{num(x - 0.5 + shift)} {num(y - 0.5)}" + "h1v1h-1zm2 0" * count)
    yield from _path("sgf-board", "".join(light))
    yield from _path("sgf-square", "".join(text.removesuffix("m2 0") for text in dark))
    yield from _path("sgf-grid", _cell_lines(layout), _line_width(layout))
    yield from _path("sgf-hoshi", layout.dots(layout.diagram.hoshi))


def _cell_lines(layout: BoardLayout) -> str:
    lines: dict[tuple[float, float, float, bool], None] = {}
    for down in (False, True):
        for segment in layout.segments(down=down):
            (left, right), (top, bottom) = map(sorted, zip(segment.start, segment.end, strict=True))
            if down:
                lines[left - 0.5, top - 0.5, bottom + 0.5, down] = None
                lines[left + 0.5, top - 0.5, bottom + 0.5, down] = None
            else:
                lines[top - 0.5, left - 0.5, right + 0.5, down] = None
                lines[top + 0.5, left - 0.5, right + 0.5, down] = None
    return "".join(
        f"M{num(at)} {num(low)}V{num(high)}" if down else f"M{num(low)} {num(at)}H{num(high)}"
        for at, low, high, down in lines
    )


# ---- hexagons ----


def _draw_hexagons(layout: BoardLayout) -> Iterator[str]:
    sides = list(_hex_sides(layout))
    for part in ("rim", "side"):
        for color, data in sides:
            yield from _path(f"sgf-{color}-{part}", data)
    cells = [
        layout.cell(point)
        for row in layout.rows
        for column in layout.columns
        if layout.shows(point := Point(column, row))
    ]
    yield from _path("sgf-cell", "".join(cells), _line_width(layout))


def _hex_sides(layout: BoardLayout) -> Iterator[tuple[str, str]]:
    """Yield the color and the path of each side: Black's above and below (FF[4], Hex)."""
    columns, rows = layout.diagram.size
    ends = (rows - 1, 0) if layout.diagram.rows_from_bottom else (0, rows - 1)
    edges = (
        ("white", [Point(0, row) for row in layout.rows], _WEST),
        ("white", [Point(columns - 1, row) for row in layout.rows], _EAST),
        ("black", [Point(column, ends[0]) for column in layout.columns], _NORTH),
        ("black", [Point(column, ends[1]) for column in layout.columns], _SOUTH),
    )
    for color, points, (start, way) in edges:
        data, before = [], False
        for point in points:
            shown = layout.shows(point)
            if shown and not before:
                x, y = layout.at(point)
                data.append(f"M{num(x)} {num(y)}{start}")
            data.append(way if shown else "")
            before = shown
        yield color, "".join(data)


#: The ways from the center of a side's first cell to its corner, and on along each cell.
_NORTH = ("m-.5-.289", "l.5-.289.5.289")
_SOUTH = ("m-.5.289", "l.5.289.5-.289")
_WEST = ("m-.5-.289", "v.577l.5.289")
_EAST = ("m0-.577", "l.5.289v.577")


# ---- holes ----


def _draw_holes(layout: BoardLayout) -> Iterator[str]:
    points = tuple(Point(column, row) for row in layout.rows for column in layout.columns)
    columns, rows = layout.diagram.size
    box = layout.inner
    right, bottom = columns - 1.5, rows - 1.5
    left, top = max(box.left, 0.5), max(box.top, 0.5)
    end, low = min(box.right, right), min(box.bottom, bottom)
    for color, is_level in (("black", False), ("white", True)):
        data = []
        for at in (0.5, bottom if is_level else right):
            if is_level and box.top < at < box.bottom:
                data.append(f"M{num(left)} {num(at)}H{num(end)}")
            if not is_level and box.left < at < box.right:
                data.append(f"M{num(at)} {num(top)}V{num(low)}")
        for part in ("case", "line"):
            yield from _path(f"sgf-{color}-{part}", "".join(data))
    yield from _path("sgf-holes", layout.dots(points))


# ---- backgammon ----


def _draw_points(layout: BoardLayout) -> Iterator[str]:
    box = layout.inner
    for left, right in ((box.left, 5.5), (6.5, box.right)):
        yield _rectangle("sgf-board", Box(left, box.top, right, box.bottom))
    paths: tuple[list[str], list[str]] = ([], [])
    for column in range(24):
        x = num(x_of_column(column) - 0.5)
        is_lower = column < 12  # noqa: PLR2004  # points of a half
        paths[column % 2].append(f"M{x} 10.5h1l-.5-4.8z" if is_lower else f"M{x}-.5h1l-.5 4.8z")
    yield from _path("sgf-dark-point", "".join(paths[0]))
    yield from _path("sgf-point", "".join(paths[1]))
    yield from _path("sgf-grid", "M-.5-.5H5.5V10.5H-.5zM6.5-.5H12.5V10.5H6.5z", 0.04)
    for top in (-0.5, 5.5):
        yield _rectangle("sgf-well", Box(TRAY_X - 0.56, top, TRAY_X + 0.56, top + 5), 0.08)


# ---- coordinates ----


def _name_places(layout: BoardLayout, box: Box) -> Iterator[tuple[str, float, float]]:
    columns, rows = coordinates_of(layout)
    if layout.diagram.kind is BoardKind.POINTS:
        above, below = (box.top - 0.5) / 2 - 0.02, (box.bottom + 10.5) / 2
        for column in range(min(24, len(columns))):
            yield columns[column], x_of_column(column), below if column < 12 else above  # noqa: PLR2004
        return
    if not layout.columns or not layout.rows:
        return
    across, down = (margin / 2 for margin in _margins(layout))
    inner = layout.inner
    is_grid = layout.diagram.kind is BoardKind.LINES  # stones lie across its edge
    lean = 0.29 if isinstance(layout, HexLayout) else 0
    above, below = inner.top - down, inner.bottom + down
    if is_grid:
        above, below = above - 0.06, below + 0.06
    shown = layout.columns[: max(0, len(columns) - layout.columns.start)]
    ends = ([Point(column, row) for column in shown] for row in (layout.rows[0], layout.rows[-1]))
    for column, (x, _), (last, _) in zip(shown, *map(layout.centers, ends), strict=True):
        yield columns[column], x - lean, above
        yield columns[column], last + lean, below
    named = [row for row in layout.rows if row < len(rows)]
    sides = (
        [Point(column, row) for row in named] for column in (layout.columns[0], layout.columns[-1])
    )
    away = across + 0.5 + (BAND if lean else 0) + (0.06 if is_grid else 0)
    for row, (left, y), (right, _) in zip(named, *map(layout.centers, sides), strict=True):
        yield rows[row], left - away, y
        yield rows[row], right + away, y

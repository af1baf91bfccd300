"""Boards without pieces: grounds, lines, cells, holes, and the coordinates around them."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.core import Point
from sgf_lark.pictures.parts import BoardKind

from .elements import Layer, widest, write_names
from .geometry import BAND, TRAY_X, BoardLayout, Box, HexLayout, column_of, num

#: The height of coordinates, in cells, and the room on both sides of them.
NAME_HEIGHT, NAME_GAP = 0.34, 0.15

#: The margin around a board without coordinates.
MARGIN = 0.16

#: The room of backgammon for the cube on the left, for the tray on the right.
CUBE_WIDTH, TRAY_WIDTH = 1.3, 2


def _margins(layout: BoardLayout) -> tuple[float, float]:
    """Return the room for the names of rows, and for those of columns."""
    columns, rows = names_of(layout)
    width = widest([rows[row] for row in layout.rows if row < len(rows)], NAME_HEIGHT)
    across = width + 2 * NAME_GAP if width else MARGIN
    down = NAME_HEIGHT + 2 * NAME_GAP if columns else MARGIN
    return (max(across, down),) * 2 if layout.diagram.kind is BoardKind.CELLS else (across, down)


def names_of(layout: BoardLayout) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of columns and rows; empty for none."""
    diagram = layout.diagram
    return (diagram.column_names, diagram.row_names) if diagram.coordinates else ((), ())


def ground_box(layout: BoardLayout) -> Box:
    """Return the board with its margin."""
    across, down = _margins(layout)
    box = layout.inner.grow(across, down)
    if layout.diagram.kind is BoardKind.POINTS:
        return Box(box.left - CUBE_WIDTH, box.top, box.right + TRAY_WIDTH, box.bottom)
    return box


def draw_ground(layout: BoardLayout, box: Box, outer: Box) -> list[Layer]:
    """Return the board without pieces.

    Args:
        layout: Its points.
        box: The board with its margin.
        outer: The same with captions.
    """
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
    return [
        Layer("", [ground]),
        Layer("", list(draw(layout))),
        Layer(
            "",
            [*write_names([*_name_places(layout, box)], "sgf-names", height=NAME_HEIGHT, width=2)],
        ),
    ]


def _rectangle(name: str, box: Box, radius: float = 0) -> str:
    rounded = f' rx="{num(radius)}"' if radius else ""
    return (
        f'<rect class="{name}" x="{num(box.left)}" y="{num(box.top)}" width="{num(box.width)}"'
        f' height="{num(box.height)}"{rounded}/>'
    )


def _path(name: str, data: str) -> Iterator[str]:
    if data:
        yield f'<path class="{name}" d="{data}"/>'


# ---- lines ----


def _draw_lines(layout: BoardLayout) -> Iterator[str]:
    """Yield crossing lines, which go on where more of the board follows."""
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
    yield from _path("sgf-grid", "".join(inner))
    yield from _path("sgf-edge", "".join(edge))
    yield from _path("sgf-hoshi", layout.dots(layout.diagram.hoshi))


# ---- squares ----


def _draw_cells(layout: BoardLayout) -> Iterator[str]:
    """Yield squares, the dark ones of them, and their lines."""
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
    yield from _path("sgf-grid", _cell_lines(layout))
    yield from _path("sgf-hoshi", layout.dots(layout.diagram.hoshi))


def _cell_lines(layout: BoardLayout) -> str:
    """Return the lines between squares, and around them."""
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
    """Yield the colored edges, and the cells on them."""
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
    yield from _path("sgf-cell", "".join(cells))


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
    """Yield the holes, and the lines between which each side links its edges."""
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
    """Yield the two halves of the board, the triangles, the bar and the tray."""
    box = layout.inner
    for left, right in ((box.left, 5.5), (6.5, box.right)):
        yield _rectangle("sgf-board", Box(left, box.top, right, box.bottom))
    paths: tuple[list[str], list[str]] = ([], [])
    for column in range(24):
        x = num(column_of(column) - 0.5)
        is_lower = column < 12  # noqa: PLR2004  # points of a half
        paths[column % 2].append(f"M{x} 10.5h1l-.5-4.8z" if is_lower else f"M{x}-.5h1l-.5 4.8z")
    yield from _path("sgf-dark-point", "".join(paths[0]))
    yield from _path("sgf-point", "".join(paths[1]))
    yield from _path("sgf-grid", "M-.5-.5H5.5V10.5H-.5zM6.5-.5H12.5V10.5H6.5z")
    for top in (-0.5, 5.5):
        yield _rectangle("sgf-well", Box(TRAY_X - 0.56, top, TRAY_X + 0.56, top + 5), 0.08)


# ---- coordinates ----


def _name_places(layout: BoardLayout, box: Box) -> Iterator[tuple[str, float, float]]:
    """Yield the coordinates on all sides and their places."""
    columns, rows = names_of(layout)
    if layout.diagram.kind is BoardKind.POINTS:
        above, below = (box.top - 0.5) / 2 - 0.02, (box.bottom + 10.5) / 2
        for column in range(min(24, len(columns))):
            yield columns[column], column_of(column), below if column < 12 else above  # noqa: PLR2004
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

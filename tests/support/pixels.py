"""Pictures as pixels: SVG drawn by resvg and by CairoSVG, and the color at a place."""

from __future__ import annotations

import re
from io import BytesIO
from math import dist
from typing import TYPE_CHECKING, NamedTuple, Self

import pytest

from sgf_lark.core.schema.values import Color, Point
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Stone, Theme
from sgf_lark.pictures.shapes.geometry import layout_of
from sgf_lark.pictures.shapes.grounds import SURFACES, THEMES, surface_of
from sgf_lark.pictures.svg import draw_png, draw_svg

if TYPE_CHECKING:
    from PIL.Image import Image

RENDERERS = ("resvg", "CairoSVG")

#: Pixels of a cell.
SCALE = 32

#: A place of each piece, in cells from its center, on which nothing is written.
ASIDE = (0.24, 0.24)
OF_PIECE = {"amazon": (0.0, 0.08), "arrow": (0.15, 0.15), "pod": (-0.2, 0.0)}
OF_KIND = {BoardKind.POINTS: (0.12, 0.38), BoardKind.HOLES: (0.2, 0.2)}

#: The radius of pieces, if it is not that of a stone.
RADII = {"disc": 0.41, "piece": 0.41, "peg": 0.39, "pod": 0.29}

#: The colors of empty points.
GROUNDS = ("board", "square", "point")


class Pixels(NamedTuple):
    """A drawn picture.

    Attributes:
        image: The pixels.
        left, top: The upper left corner, in cells.
        scale: Pixels of a cell.
    """

    image: Image
    left: float
    top: float
    scale: float

    @classmethod
    def of(cls, svg: str, renderer: str) -> Self:
        """Draw an SVG; the test is skipped if nobody can."""
        image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
        box = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)
        assert box
        left, top, width, _ = map(float, box.groups())
        pixels = round(width * SCALE)
        if renderer == "resvg":
            pytest.importorskip("resvg_py", reason="resvg-py is not installed")
            data = draw_png(svg, pixels)
        else:
            try:
                from cairosvg import svg2png
            except (ImportError, OSError) as error:  # the library of the system
                pytest.skip(f"CairoSVG is not installed: {error}")
            data = svg2png(bytestring=svg.encode(), output_width=pixels)
        drawn = image.open(BytesIO(data))
        ground = image.new("RGBA", drawn.size, "#fff")
        return cls(
            image.alpha_composite(ground, drawn.convert("RGBA")), left, top, drawn.width / width
        )

    def at(self, x: float, y: float) -> tuple[int, int, int]:
        """Return red, green and blue at a place in cells."""
        where = (int((x - self.left) * self.scale), int((y - self.top) * self.scale))
        red, green, blue, *_ = self.image.getpixel(where)  # type: ignore[misc]
        return int(red), int(green), int(blue)

    def distance(self, other: Self, x: float, y: float) -> int:
        """Return the difference of two pictures at a place, 0 to 255."""
        pairs = zip(self.at(x, y), other.at(x, y), strict=True)
        return max(abs(one - another) for one, another in pairs)


def near(color: tuple[int, int, int], name: str) -> bool:
    """Return True if a color is that of a theme, such as ``#1d1d20``."""
    return all(abs(one - other) <= 3 for one, other in zip(color, parts_of(name), strict=True))


def parts_of(name: str) -> tuple[int, int, int]:
    """Return red, green and blue of a color of a theme."""
    digits = name.removeprefix("#")
    red, green, blue = bytes.fromhex(digits if len(digits) == 6 else "".join(2 * d for d in digits))
    return red, green, blue


def wrong_points(diagram: Diagram, theme: Theme, renderer: str, svg: str = "") -> list[str]:
    """The points of a diagram that do not look as they are, in its picture or another one."""
    if theme == "wood" and surface_of(diagram) not in {"grid", "felt"}:
        return []  # the shades of its white pieces are those of the squares
    pixels = Pixels.of(svg or draw_svg(diagram, theme=theme), renderer)
    layout = layout_of(diagram)
    stones = {stone.point: stone for stone in diagram.stones}
    wrong = []
    columns, rows = diagram.extent
    for point in (Point(column, row) for row in rows for column in columns):
        if not layout.shows(point) or (diagram.kind is BoardKind.POINTS and point.column > 23):
            continue
        stone = stones.get(point)
        found = look_of(diagram, theme, pixels, point, stone)
        expected = "empty" if stone is None else "nobody" if stone.color is None else stone.color
        if found != expected:
            wrong.append(f"{tuple(point)} is {found}, not {expected}")
    return wrong


def look_of(
    diagram: Diagram, theme: Theme, pixels: Pixels, point: Point, stone: Stone | None
) -> str:
    """The piece that is seen on a point: B, W, nobody, empty, or its color."""
    colors = THEMES[theme] | SURFACES[surface_of(diagram)][theme]
    x, y = layout_of(diagram).at(point)
    across, down = OF_KIND.get(diagram.kind) or OF_PIECE.get(stone.piece if stone else "", ASIDE)
    color = pixels.at(x + across, y + down)
    if theme == "wood":  # its pieces and planks have gradients
        nobody = {"arrow-piece"} if stone and stone.color is None else set()
        seen = [colors[name] for name in {"black", "white", *nobody, *GROUNDS} & colors.keys()]
        color = min(map(parts_of, seen), key=lambda other: dist(color, other))
    if near(color, colors["black"]):
        return Color.BLACK
    if near(color, colors["arrow-piece"]):
        return "nobody"
    if near(color, colors["white"]) and (theme != "print" or has_outline(diagram, pixels, x, y)):
        return Color.WHITE
    is_ground = any(near(color, colors[name]) for name in GROUNDS if name in colors)
    is_last = point in diagram.last  # its square is colored
    return "empty" if is_ground or is_last else f"{color}"


def has_outline(diagram: Diagram, pixels: Pixels, x: float, y: float) -> bool:
    """Return True if a white piece on a white board ends where such a piece does."""
    if diagram.piece == "amazon":
        ways = [(0.0, 0.3 + step / 100) for step in range(7)]
    else:
        radius = 0.41 if diagram.kind is BoardKind.RHOMBUS else RADII.get(diagram.piece, 0.47)
        ways = [((radius + step / 100) * 0.707,) * 2 for step in range(-4, 5)]
    return all(  # on both sides: a link may pass on one
        any(max(pixels.at(x + side * across, y + side * down)) < 190 for across, down in ways)
        for side in ((1,) if diagram.piece == "amazon" else (1, -1))
    )

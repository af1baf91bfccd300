"""Diagrams as SVG: small, the same bytes every time, no text that needs a font; and as PNG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil
from typing import Unpack

from .diagram import Diagram, Markings
from .parts import BoardKind, Theme
from .shapes import elements
from .shapes.elements import Layer, describe, join_groups, write_words
from .shapes.geometry import Box, layout_of, num
from .shapes.grounds import PLANK, RULES, THEMES, draw_ground, ground_box, style_sheet, surface_of
from .shapes.pieces import draw_cells_of_last, draw_fill, draw_marks, draw_pieces
from .text import clean, text_width

#: Pixels of a cell, if no size is given.
CELL = 28

#: From line to line of captions, and the height of their capitals, in cells.
LINE_HEIGHT, CAPTION_HEIGHT = 0.62, 0.31

#: The size of their font: capitals are 0.72 of it, and no wider than those of our own strokes.
CAPTION_SIZE = CAPTION_HEIGHT / 0.72

#: Around captions, in cells, and the largest number of lines above or below.
CAPTION_GAP, MAX_LINES = 0.26, 60

#: Pixels of a picture below which it has no dots on the board: they would look like stones.
MIN_DOTTED = 160


def draw_svg(
    diagram: Diagram,
    *,
    theme: Theme = "light",
    size: float | None = None,
    coordinates: bool | None = None,
    captions: bool = True,
    **markup: Unpack[Markings],
) -> str:
    """Return a diagram as the text of an SVG.

    Digits, coordinates and labels are paths; only other scripts are ``text`` elements.  Each
    piece and mark has its point in the attribute ``data-point``, as SGF writes it (``pd``).  A page
    changes colors by the CSS variables ``--sgf-board``, ``--sgf-black`` ... of a theme.

    Args:
        theme: ``light``, ``dark``, ``print`` (black and white), or ``wood`` (round stones).
        size: The width in pixels; about 28 for each column if None.
        coordinates: Show the coordinates; as the diagram says if None.
        markup: ``arrows``, ``marks``, ``labels``, ``fill``: see :meth:`.Diagram.with_markup`.

    Raises:
        ValueError: There is no such theme, point, mark or color, or the size is no positive
            number.
    """
    check_options(theme, size)
    if markup:
        diagram = diagram.with_markup(**markup)
    if coordinates is not None and coordinates != diagram.coordinates:
        diagram = diagram.model_copy(update={"coordinates": coordinates})
    groups, box = compose(diagram, captions=captions)
    return wrap(diagram, join_groups(groups), box, theme=theme, size=size)


def check_options(theme: Theme, size: float | None) -> None:
    """Reject a theme or a size that does not exist."""
    if theme not in THEMES:
        raise ValueError(f"no theme {theme!r}: expected {', '.join(THEMES)}")
    if size is not None and not 0 < size < float("inf"):
        raise ValueError(f"invalid size {size!r}: expected a positive number of pixels")


def compose(diagram: Diagram, *, captions: bool = True) -> tuple[list[Layer], Box]:
    """Return the groups of a picture, the same ones for every diagram, and its rectangle."""
    layout = layout_of(diagram)
    board = ground_box(layout)
    words, box = _captions(diagram, board) if captions else (Layer("", []), board)
    groups = [
        *draw_ground(layout, board, box),
        draw_fill(layout),
        draw_cells_of_last(layout),
        *draw_pieces(layout),
        *draw_marks(layout),
        words,
    ]
    return groups, box


def wrap(
    diagram: Diagram, content: str, box: Box, *, theme: Theme, size: float | None, style: str = ""
) -> str:
    """Return the text of an SVG with its description and its style."""
    surface = surface_of(diagram)
    used = frozenset(name for name, _ in RULES if name in content)
    width = size or ceil(box.width * CELL)
    used -= {"sgf-hoshi"} if width < MIN_DOTTED else set()
    height = width * box.height / box.width
    title = ": ".join(filter(None, (diagram.title, _name(diagram))))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sgf-diagram sgf-{surface}-{theme}"'
        f' viewBox="{num(box.left)} {num(box.top)} {num(box.width)} {num(box.height)}"'
        f' width="{num(width)}" height="{num(height)}" role="img">'
        f"{describe('title', title)}{describe('desc', '; '.join(_position(diagram)))}"
        f"<style>{style_sheet(surface, theme, used)}{style}</style>"
        f"{PLANK if theme == 'wood' else ''}{content}</svg>"
    )


def _name(diagram: Diagram) -> str:
    has_size = diagram.kind is not BoardKind.POINTS
    size = f"{diagram.size.columns}x{diagram.size.rows}" if has_size else ""
    after = f"after move {diagram.number}" if diagram.number else ""
    return " ".join(filter(None, (diagram.game, size, after))) or "board"


def _position(diagram: Diagram) -> Iterator[str]:
    """Yield the position in words: the pieces of each side, what is on them, the last move."""
    is_part = diagram.crop is not None or diagram.view is not None
    stones = layout_of(diagram).shown_stones() if is_part else diagram.stones
    points = [part.point for part in (*stones, *diagram.labels)]
    names = diagram.names_of([*points, *diagram.last])
    sides: dict[str, list[str]] = {}
    for stone, name in zip(stones, names, strict=False):
        side = "neutral" if stone.color is None else stone.color.name.lower()
        amount = f" ({stone.amount})" if stone.amount > 1 else ""
        sides.setdefault(side, []).append(name + amount)
    for side, named in sides.items():
        yield f"{side} {', '.join(named)}"
    for label, name in zip(diagram.labels, names[len(stones) :], strict=False):
        yield f"{name} {label.text}"
    if diagram.last:
        yield f"last {', '.join(names[len(points) :])}"
    if diagram.to_play:
        yield f"{diagram.to_play.name.lower()} to play"
    if diagram.ending:
        yield ": ".join(diagram.ending)


def _captions(diagram: Diagram, box: Box) -> tuple[Layer, Box]:
    middle = (box.left + box.right) / 2
    width = box.width - 2 * CAPTION_GAP
    above = _break_lines([diagram.title] if diagram.title else [], width)
    below = _break_lines(diagram.captions, width)
    top = box.top - (len(above) * LINE_HEIGHT + CAPTION_GAP if above else 0)
    bottom = box.bottom + (len(below) * LINE_HEIGHT + CAPTION_GAP if below else 0)
    gap = CAPTION_GAP / 2
    places = [
        *(
            (text, box.top - gap - (len(above) - at - 0.5) * LINE_HEIGHT)
            for at, text in enumerate(above)
        ),
        *((text, box.bottom + gap + (at + 0.5) * LINE_HEIGHT) for at, text in enumerate(below)),
    ]
    texts = [write_words(text, middle, y, "sgf-caption", CAPTION_SIZE) for text, y in places]
    return Layer("", texts), box._replace(top=top, bottom=bottom)


def _break_lines(texts: Sequence[str], width: float) -> list[str]:
    lines = list(islice(_lines(texts, width), MAX_LINES + 1))
    return lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"]


def _lines(texts: Sequence[str], width: float) -> Iterator[str]:
    most = max(1, int(width / (CAPTION_HEIGHT * 0.4)))  # narrow characters
    for text in texts:
        line = ""
        for part in clean(text).split(" "):
            for at in range(0, max(1, len(part)), most):
                word = part[at : at + most]
                longer = f"{line} {word}" if line else word
                if line and _width(longer) > width:
                    yield line
                    longer = word
                line = longer
        yield line


def _width(text: str) -> float:
    if not elements.can_write(text):
        return text_width(text) * CAPTION_SIZE / 2
    return (elements.measure(text) + elements.WEIGHT) * CAPTION_HEIGHT / elements.HEIGHT


# ---- PNG ----

#: The rectangle of an SVG.
_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


def extent(svg: str) -> tuple[float, float]:
    """Return width and height of a diagram as SVG, in cells."""
    found = _BOX.search(svg)
    if found is None:
        raise ValueError("no viewBox: expected an SVG of draw_svg")
    return float(found[1]), float(found[2])


def draw_png(svg: str, size: int | None = None) -> bytes:
    """Return the picture of an SVG.

    Args:
        svg: Its text.
        size: The width in pixels; that of the SVG if None.

    Raises:
        ModuleNotFoundError: resvg-py is not installed.
        ValueError: The text is no SVG, or the size is not positive.
    """
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "PNG needs resvg-py (extra png):  pip install 'sgf_lark[png]'", name="resvg_py"
        ) from error
    if size is not None and size < 1:
        raise ValueError(f"invalid size {size!r}: expected a positive number of pixels")
    # Fonts are looked for only if there is text: that takes longer than the picture.
    return bytes(svg_to_bytes(svg_string=svg, width=size, skip_system_fonts="<text" not in svg))

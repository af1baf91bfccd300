"""Diagrams as SVG: small, the same bytes every time, without text that needs a font."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil

from .diagram import Diagram
from .parts import BoardKind, Theme
from .shapes import elements
from .shapes.elements import Layer, describe, join_groups, write_text
from .shapes.geometry import Box, layout_of, num
from .shapes.grounds import draw_ground, ground_box
from .shapes.pieces import draw_cells_of_last, draw_marks, draw_pieces
from .shapes.themes import RULES, THEMES, style_sheet, surface_of
from .text import ASCII, clean, draw_in_signs, text_width

#: Pixels of a cell, if no size is given.
CELL = 28

#: From line to line of captions, and the height of their capitals, in cells.
LINE_HEIGHT, CAPTION_HEIGHT = 0.78, 0.4

#: Between captions and board, in cells, and the largest number of lines above or below.
CAPTION_GAP, MAX_LINES = 0.16, 60


def draw_svg(
    diagram: Diagram,
    *,
    theme: Theme = "light",
    size: float | None = None,
    coordinates: bool | None = None,
) -> str:
    """Return a diagram as the text of an SVG.

    Digits, coordinates and labels are paths; only other scripts are ``text`` elements.  Each
    piece and mark has its point in the attribute ``data-point``, as SGF writes it (``pd``).  A page
    changes colors by the CSS variables ``--sgf-board``, ``--sgf-black`` ... of a theme.

    Args:
        diagram: The picture.
        theme: ``light``, ``dark``, or ``print`` (black and white).
        size: The width in pixels; about 28 for each column if None.
        coordinates: Show the coordinates; as the diagram says if None.

    Raises:
        ValueError: There is no such theme, or the size is no positive number.
    """
    check_options(theme, size)
    if coordinates is not None and coordinates != diagram.coordinates:
        diagram = diagram.model_copy(update={"coordinates": coordinates})
    groups, box = compose(diagram)
    return wrap(diagram, join_groups(groups), box, theme=theme, size=size)


def check_options(theme: Theme, size: float | None) -> None:
    """Reject a theme or a size that does not exist.

    Raises:
        ValueError: There is no such theme, or the size is no positive number.
    """
    if theme not in THEMES:
        raise ValueError(f"no theme {theme!r}: expected {', '.join(THEMES)}")
    if size is not None and not 0 < size < float("inf"):
        raise ValueError(f"invalid size {size!r}: expected a positive number of pixels")


def compose(diagram: Diagram) -> tuple[list[Layer], Box]:
    """Return the groups of a picture, the same ones for every diagram, and its rectangle."""
    layout = layout_of(diagram)
    box = ground_box(layout)
    groups = [
        *draw_ground(layout, box),
        draw_cells_of_last(layout),
        *draw_pieces(layout),
        *draw_marks(layout),
    ]
    captions, box = _captions(diagram, box)
    return [*groups, captions], box


def wrap(
    diagram: Diagram, content: str, box: Box, *, theme: Theme, size: float | None, style: str = ""
) -> str:
    """Return the text of an SVG with its description and its style.

    Args:
        diagram: What it shows.
        content: Its elements.
        box: Its rectangle, in cells.
        theme, size: As :func:`draw_svg` has them.
        style: More rules.
    """
    surface = surface_of(diagram)
    used = frozenset(name for name, _ in RULES if name in content)
    width = size or ceil(box.width * CELL)
    height = width * box.height / box.width
    title = diagram.title or _name(diagram)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sgf-diagram sgf-{surface}-{theme}"'
        f' viewBox="{num(box.left)} {num(box.top)} {num(box.width)} {num(box.height)}"'
        f' width="{num(width)}" height="{num(height)}" role="img">'
        f"{describe('title', title)}{describe('desc', draw_in_signs(diagram, ASCII))}"
        f"<style>{style_sheet(surface, theme, used)}{style}</style>{content}</svg>"
    )


def _name(diagram: Diagram) -> str:
    if diagram.kind is BoardKind.POINTS:
        return "Backgammon board"
    return f"{diagram.size.columns}x{diagram.size.rows} board"


def _captions(diagram: Diagram, box: Box) -> tuple[Layer, Box]:
    """Return the title above and the notes below, and the rectangle with both."""
    middle = (box.left + box.right) / 2
    above = _break_lines([diagram.title] if diagram.title else [], box.width)
    below = _break_lines(diagram.notes, box.width)
    top = box.top - (len(above) * LINE_HEIGHT + CAPTION_GAP if above else 0)
    bottom = box.bottom + (len(below) * LINE_HEIGHT + CAPTION_GAP if below else 0)
    places = [
        *((text, top + (at + 0.5) * LINE_HEIGHT) for at, text in enumerate(above)),
        *((text, bottom - (len(below) - at - 0.5) * LINE_HEIGHT) for at, text in enumerate(below)),
    ]
    texts = [
        write_text(text, middle, y, "sgf-caption", height=CAPTION_HEIGHT, width=box.width)
        for text, y in places
    ]
    return Layer("", texts), box._replace(top=top, bottom=bottom)


def _break_lines(texts: Sequence[str], width: float) -> list[str]:
    """Return texts in lines of a width, broken between words; what is too long is cut."""
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
    """Return the width of a caption, in cells."""
    if not elements.can_write(text):
        return text_width(text) * CAPTION_HEIGHT * 0.75
    return (elements.measure(text) + elements.WEIGHT) * CAPTION_HEIGHT / elements.HEIGHT

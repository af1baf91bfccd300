"""Pictures as PNG, drawn by resvg: the extra ``png``."""

from __future__ import annotations

import re

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

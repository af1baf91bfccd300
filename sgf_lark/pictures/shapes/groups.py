"""Groups of elements: the parts of an SVG, from the bottom to the top."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from sgf_lark.pictures.characters.signs import clean, text_width

from . import glyphs
from .geometry import num


class Group(NamedTuple):
    """Elements that lie on one level, each of which stands for itself.

    Attributes:
        attributes: Of the element ``g`` around them; empty for none.
        elements: Their texts.
    """

    attributes: str
    elements: list[str]

    def __str__(self) -> str:
        content = "".join(self.elements)
        return f"<g {self.attributes}>{content}</g>" if self.attributes and content else content


#: Small characters that lie between base line and half height.
_LOW = frozenset("acegmnopqrsuvwxyz")

#: Part of the height of a text of other scripts that lies over its base line.
_RISE = 0.36


def write_text(
    text: str, x: float, y: float, ink: str, *, height: float, width: float, extra: str = ""
) -> str:
    """Return a text as an element, with its middle on a place.

    It is a path if the font has all its characters, and an element ``text`` otherwise.

    Args:
        text: A short text.
        x, y: The place, in cells.
        ink: The class of its color.
        height: The height of a capital, in cells.
        width: The largest width, in cells; a longer text is made smaller.
        extra: Further attributes, with a space before.
    """
    text = clean(text)
    if not glyphs.can_write(text):
        size = min(height * 1.5, width * 2 / max(1, text_width(text)))
        name = ink.replace("sgf-", "sgf-text-", 1) if ink.startswith("sgf-on") else f"{ink}-text"
        return (
            f'<text class="sgf-words {name}"{extra} x="{num(x)}" y="{num(y + size * _RISE)}"'
            f' font-size="{num(size)}" text-anchor="middle">{escape(text)}</text>'
        )
    length = glyphs.measure(text)
    scale = min(height / glyphs.HEIGHT, width / (length + glyphs.WEIGHT))
    base = glyphs.SMALL if _LOW.issuperset(text) else glyphs.HEIGHT
    return (
        f'<path class="sgf-glyph {ink}"{extra} transform="translate({num(x)} {num(y)})'
        f'scale({scale:.4f})" d="{glyphs.draw(text, -length / 2, base / 2)}"/>'
    )


def describe(name: str, text: str) -> str:
    """Return an element that describes the picture or a part of it: ``title`` or ``desc``."""
    shown = "\n".join(map(clean, text.split("\n")))
    return f"<{name}>{escape(shown)}</{name}>"


def attribute(name: str, text: str) -> str:
    """Return an attribute with any text, with a space before."""
    return f" {name}={quoteattr(clean(text))}"

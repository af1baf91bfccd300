"""Characters of text boards, and the care for texts that come from a record."""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import combining, east_asian_width


class Signs(NamedTuple):
    """The characters of a style.

    Attributes:
        pieces: For each piece: of Black, of White, of nobody.
        dim: A dimmed piece of Black, of White, and a dimmed empty point.
        cross: The crossings of lines, three rows of a corner, an edge and a corner.
        hoshi: A point with a dot.
        empty: An empty point of a board without lines.
        line: Between two points of a row; empty for a space.
        marks: For each kind of mark.
        areas: A point of Black's and of White's territory.
        slopes: Parts of links: level, down, up, and the four bends of a link of Twixt.
        more: The end of a text that was cut.
    """

    pieces: dict[str, tuple[str, str, str]]
    dim: tuple[str, str, str]
    cross: tuple[str, str, str]
    hoshi: str
    empty: str
    line: str
    marks: dict[str, str]
    areas: tuple[str, str]
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
    """Return the columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in {"W", "F"} else 1 for char in text
    )


def cut_text(text: str, width: int, more: str) -> str:
    """Return a text, cut to a number of columns."""
    start = text[: 2 * width]  # a text with more characters that take no column is cut, too
    if start == text and text_width(text) <= width:
        return text
    while text_width(start) > width - 1:
        start = start[:-1]
    return start + more

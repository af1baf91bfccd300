"""Colors of pictures: themes, and the style sheet that lets a page change them."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Theme

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
    ("sgf-grid", "fill:none;stroke:@line;stroke-width:.04"),
    ("sgf-cell", "fill:@board;stroke:@line;stroke-width:.04"),
    ("sgf-edge", "fill:none;stroke:@line;stroke-width:.08;stroke-linecap:square"),
    ("sgf-hoshi", "fill:none;stroke:@line;stroke-width:.28;stroke-linecap:round"),
    ("sgf-holes", "fill:none;stroke:@hole;stroke-width:.2;stroke-linecap:round"),
    ("sgf-well", "fill:@well;stroke:@line;stroke-width:.04"),
    ("sgf-glyph", "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round"),
    ("sgf-names", "stroke:@names"),
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

#: The rules that the theme ``wood`` has instead: thin lines, round stones with shadows, a plank.
WOOD = {
    "sgf-grid": "fill:none;stroke:@line;stroke-width:.025",
    "sgf-edge": "fill:none;stroke:@line;stroke-width:.045;stroke-linecap:square",
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

    Args:
        surface, theme: The board and its colors.
        used: The names of the classes.
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

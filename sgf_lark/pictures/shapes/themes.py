"""Colors of pictures: themes, and the style sheet that lets a page change them."""

from __future__ import annotations

from functools import lru_cache

from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Theme

#: The colors of each theme, for all boards; ``on-black`` is the ink on a black stone.
THEMES: dict[Theme, dict[str, str]] = {
    "light": {
        "black": "#1d1d20",
        "black-edge": "#000",
        "white": "#fdfcf7",
        "white-edge": "#6f6349",
        "on-black": "#fff",
        "on-white": "#1d1d20",
        "text": "#2b2620",
        "accent": "#d9372c",
        "last-cell": "#ffd83a",
        "last-edge": "none",
        "select": "#2f7fd6",
        "finding": "#e0201b",
        "dashes": "none",
        "arrow": "#1d5fb4",
        "soft": "#fff",
        "arrow-piece": "#5c5248",
    },
    "dark": {
        "black": "#0d0d0f",
        "black-edge": "#76706a",
        "white": "#e9e5da",
        "white-edge": "#1a1712",
        "on-black": "#f1eee6",
        "on-white": "#0d0d0f",
        "text": "#d8d2c6",
        "accent": "#ff6a55",
        "last-cell": "#e8c33c",
        "last-edge": "none",
        "select": "#4f9cf0",
        "finding": "#ff4a3d",
        "dashes": "none",
        "arrow": "#7fb8ff",
        "soft": "#fff",
        "arrow-piece": "#26211c",
    },
    "print": {
        "black": "#000",
        "black-edge": "#000",
        "white": "#fff",
        "white-edge": "#000",
        "on-black": "#fff",
        "on-white": "#000",
        "text": "#000",
        "accent": "#888",
        "last-cell": "none",
        "last-edge": "#000",
        "select": "#000",
        "finding": "#000",
        "dashes": ".2 .12",
        "arrow": "#000",
        "soft": "#fff",
        "arrow-piece": "#777",
    },
}

#: The colors of each kind of board, in each theme.
SURFACES: dict[str, dict[str, dict[str, str]]] = {
    "wood": {
        "light": {
            "board": "#e9bf72",
            "line": "#6d4a1c",
            "ink": "#4b3210",
            "square": "#e9bf72",
            "frame": "#d9a957",
            "names": "#7a5524",
            "hole": "#8a6331",
        },
        "dark": {
            "board": "#6b5335",
            "line": "#b89b6c",
            "ink": "#f3e6cb",
            "square": "#6b5335",
            "frame": "#57432a",
            "names": "#c9b088",
            "hole": "#3a2c19",
        },
    },
    "felt": {
        "light": {
            "board": "#2f8a5b",
            "line": "#1b5a3a",
            "ink": "#f2fbf5",
            "square": "#2f8a5b",
            "frame": "#1f6242",
            "names": "#cfe9da",
            "hole": "#1b5a3a",
        },
        "dark": {
            "board": "#23644a",
            "line": "#123d2b",
            "ink": "#e8f5ee",
            "square": "#23644a",
            "frame": "#143d2c",
            "names": "#a9cbb9",
            "hole": "#123d2b",
        },
    },
    "squares": {
        "light": {
            "board": "#f0d9b5",
            "line": "#8d6542",
            "ink": "#3b2a18",
            "square": "#b98b62",
            "frame": "#6f4a2f",
            "names": "#f0dfc4",
            "hole": "#8d6542",
        },
        "dark": {
            "board": "#a39785",
            "line": "#3d352c",
            "ink": "#1a1611",
            "square": "#6d6152",
            "frame": "#2a2520",
            "names": "#c9bfae",
            "hole": "#3d352c",
        },
    },
    "points": {
        "light": {
            "board": "#d8bf94",
            "line": "#8a6a42",
            "ink": "#3b2a18",
            "square": "#9c4a33",
            "point": "#f1e4c6",
            "well": "#4d2f1a",
            "frame": "#6a4428",
            "names": "#f0dfc4",
            "hole": "#53341d",
        },
        "dark": {
            "board": "#4d4438",
            "line": "#2a241d",
            "ink": "#efe7d8",
            "square": "#8a4534",
            "point": "#847863",
            "well": "#1f1913",
            "frame": "#2e261e",
            "names": "#c9bfae",
            "hole": "#211a14",
        },
    },
}

#: Any board in print: the dark parts of a pattern are gray.
_PRINT = {
    "board": "#fff",
    "line": "#000",
    "ink": "#000",
    "square": "#ccc",
    "point": "#fff",
    "frame": "#fff",
    "names": "#000",
    "hole": "#000",
    "well": "#fff",
}
for _name, _themes in SURFACES.items():
    _themes["print"] = _PRINT | ({"square": "#fff"} if _name == "felt" else {})

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
    ("sgf-hoshi", "fill:none;stroke:@line;stroke-width:.22;stroke-linecap:round"),
    ("sgf-holes", "fill:none;stroke:@hole;stroke-width:.2;stroke-linecap:round"),
    ("sgf-well", "fill:@well;stroke:@line;stroke-width:.04"),
    ("sgf-glyph", "fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round"),
    ("sgf-names", "stroke:@names"),
    ("sgf-names-text", "fill:@names"),
    ("sgf-last-cell", "fill:@last-cell;fill-opacity:.6;stroke:@last-edge;stroke-width:.12"),
    ("sgf-stone", "stroke-width:.04;stroke-linejoin:round"),
    ("sgf-black", "fill:@black;stroke:@black-edge"),
    ("sgf-white", "fill:@white;stroke:@white-edge"),
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
    ("sgf-finding", "fill:none;stroke:@finding;stroke-width:.11;stroke-dasharray:@dashes"),
    ("sgf-dim", "fill:@board;fill-opacity:.62"),
    (
        "sgf-line",
        "fill:none;stroke:@arrow;stroke-width:.11;stroke-opacity:.85;stroke-linecap:round",
    ),
    ("sgf-arrow", "fill:@arrow;fill-opacity:.85"),
    ("sgf-pips", "fill:none;stroke-width:.17;stroke-linecap:round"),
    ("sgf-variation", "stroke:@on-white"),
    ("sgf-variation-text", "fill:@on-white"),
    ("sgf-caption", "stroke:@text"),
    ("sgf-caption-text", "fill:@text"),
    ("sgf-words", "font-family:system-ui,'Noto Sans CJK JP','Noto Sans',sans-serif"),
)


def surface_of(diagram: Diagram) -> str:
    """Return the material of a diagram's board: wood, felt, squares or points."""
    if diagram.kind is BoardKind.POINTS:
        return "points"
    if diagram.kind is not BoardKind.CELLS:
        return "wood"
    return {"disc": "felt", "stone": "wood"}.get(diagram.piece, "squares")


@lru_cache(maxsize=256)
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
    for name, rule in RULES:
        if name not in used:
            continue
        parts = [part.partition("@") for part in rule.split(";")]
        shown = ";".join(head + colors.get(color, "") for head, _, color in parts)
        literal.append(f"{scope}{name}{{{shown}}}")
        named = [f"{head}var(--sgf-{color},{colors[color]})" for head, mark, color in parts if mark]
        if named:
            variable.append(f"{scope}{name}{{{';'.join(named)}}}")
    return f"{''.join(literal)}@supports (fill:var(--a)){{{''.join(variable)}}}"

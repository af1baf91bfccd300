"""Pieces of all games: stones, discs, pegs and links, amazons and arrows, pods, checkers."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, tan

from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Link, Stone
from sgf_lark.schema.values import Color

from .geometry import (
    BAR,
    CHECKER_EDGE,
    MAX_CHECKERS,
    TRAY,
    Layout,
    PointsLayout,
    num,
    sgf_name,
)
from .groups import Group, write_text

#: The radius of round pieces.
_RADII = {"stone": ".47", "disc": ".41", "peg": ".31", "piece": ".41", "checker": ".47"}

#: A crown from the left end of its brim, and its base.
_CROWN = (
    "m-.26.16l-.09-.33a.05.05 0 1 1 .06-.02l.14.14.0-.26a.05.05 0 1 1 .07-.01l.08.25.08-.25"
    "a.05.05 0 1 1 .07.01l0 .26.14-.14a.05.05 0 1 1 .06.02l-.09.33z"
    "m0 .07h.52v.1h-.52z"
)

#: Directions of the prongs of a pod: A is up, the others follow clockwise.
_PRONGS = "ABCDEFGH"

#: From the center of a pod to its sides and to the end of a prong, and half a prong's width.
_POD, _REACH, _WIDTH = 0.27, 0.47, 0.07


def draw_pieces(layout: Layout) -> list[Group]:
    """Return links, pieces, and what is drawn on them."""
    if isinstance(layout, PointsLayout):
        return [Group("", list(_checkers(layout)))]
    diagram = layout.diagram
    is_small = diagram.kind is BoardKind.RHOMBUS
    links = [link for link in diagram.links if _is_shown(layout, link)]
    cases = [_link(layout, link, "case") for link in links]
    lines = [_link(layout, link, "line") for link in links]
    pieces: list[str] = []
    rings: list[str] = []
    for stone in diagram.stones:
        if layout.shows(stone.point):
            pieces.append(_piece(layout, stone, small=is_small))
            rings += _details(layout, stone)
    return [Group("", cases), Group("", lines), Group("", pieces), Group("", rings)]


def ink_on(color: Color | None) -> str:
    """Return the class of what is written on a stone, or on the board."""
    if color is None:
        return "sgf-on-board"
    return "sgf-on-black" if color is Color.BLACK else "sgf-on-white"


def _side(color: Color | None) -> str:
    return "nobody" if color is None else color.name.lower()


def _piece(layout: Layout, stone: Stone, *, small: bool) -> str:
    """Return the element of a piece."""
    x, y = layout.at(stone.point)
    head = (
        f'class="sgf-stone sgf-{_side(stone.color)}"'
        f' data-point="{sgf_name(stone.point, layout.diagram.kind)}"'
    )
    if stone.piece == "amazon" and stone.color is not None:
        return f'<path {head} d="M{num(x)} {num(y)}{_CROWN}"/>'
    if stone.piece == "arrow" or stone.color is None:
        return f'<path {head} d="M{num(x)} {num(y)}{_ARROW}"/>'
    if stone.piece == "pod":
        return f'<path {head} d="{_pod(x, y, stone.prongs)}"/>'
    radius = ".41" if small else _RADII.get(stone.piece, ".47")
    return f'<circle {head} cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'


#: A stone that an arrow left: a square with bent corners.
_ARROW = "m-.3-.18l.12-.12.18.18.18-.18.12.12-.18.18.18.18-.12.12-.18-.18-.18.18-.12-.12.18-.18z"


def _details(layout: Layout, stone: Stone) -> Iterator[str]:
    """Yield what is drawn on a piece."""
    if stone.color is None:
        return
    x, y = layout.at(stone.point)
    if stone.piece in {"piece", "checker"}:
        radius = ".27" if stone.piece == "piece" else ".31"
        name = f"sgf-ring-on-{_side(stone.color)}"
        yield f'<circle class="{name}" cx="{num(x)}" cy="{num(y)}" r="{radius}"/>'
    if stone.amount > 1:
        yield write_text(str(stone.amount), x, y, ink_on(stone.color), height=0.38, width=0.5)


def _pod(x: float, y: float, prongs: str) -> str:
    """Return the path of a pod: an octagon, with a bar where it has a prong."""
    corners = []
    for at, prong in enumerate(_PRONGS):
        angle = at * pi / 4
        places = [(-_POD * tan(pi / 8), _POD)]
        if prong in prongs:
            places += [(-_WIDTH, _POD), (-_WIDTH, _REACH), (_WIDTH, _REACH), (_WIDTH, _POD)]
        for aside, ahead in places:
            across = x + ahead * sin(angle) + aside * cos(angle)
            down = y - ahead * cos(angle) + aside * sin(angle)
            corners.append(f"{num(round(across, 3))} {num(round(down, 3))}")
    return f"M{'L'.join(corners)}z"


# ---- links ----


def _is_shown(layout: Layout, link: Link) -> bool:
    return layout.shows(link.first) and layout.shows(link.second)


def _link(layout: Layout, link: Link, part: str) -> str:
    (x, y), (end, low) = layout.at(link.first), layout.at(link.second)
    name = f"sgf-{_side(link.color)}-{part}"
    return f'<path class="{name}" d="M{num(x)} {num(y)}L{num(end)} {num(low)}"/>'


# ---- backgammon ----


def _checkers(layout: PointsLayout) -> Iterator[str]:
    """Yield the checkers of all stacks, and the dice and the cube."""
    for stone in layout.diagram.stones:
        column = stone.point.column
        most = _MOST.get(column, MAX_CHECKERS)
        head = (
            f'class="sgf-stone sgf-{_side(stone.color)}"'
            f' data-point="{sgf_name(stone.point, layout.diagram.kind)}"'
        )
        for height in range(min(stone.amount, most)):
            x, y = layout.checker(column, height, stone.color)
            yield from _lying(head, x, y) if column == TRAY else _checker(stone, head, x, y)
        if stone.amount > most:
            x, y = layout.checker(column, most - 1, stone.color)
            yield write_text(str(stone.amount), x, y, ink_on(stone.color), height=0.42, width=0.6)
    yield from _dice(layout.diagram)
    yield from _cube(layout.diagram)


#: Checkers that are drawn on the bar and in the tray.
_MOST = {BAR: 4, TRAY: 15}


def _checker(stone: Stone, head: str, x: float, y: float) -> Iterator[str]:
    center = f'cx="{num(x)}" cy="{num(y)}"'
    yield f'<circle {head} {center} r=".47"/>'
    yield f'<circle class="sgf-ring-on-{_side(stone.color)}" {center} r=".31"/>'


def _lying(head: str, x: float, y: float) -> Iterator[str]:
    """Yield a checker in the tray, which lies on its edge."""
    left, top = num(x - 0.46), num(y - CHECKER_EDGE / 2 + 0.02)
    yield f'<rect {head} x="{left}" y="{top}" width=".92" height=".28" rx=".06"/>'


#: The pips of each die, in thirds of its side from the middle.
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _dice(diagram: Diagram) -> Iterator[str]:
    """Yield the dice: Black's in the left half of the board, White's in the right one."""
    color = diagram.to_play or Color.WHITE
    middle = 2.5 if color is Color.BLACK else 9.5
    for at, die in enumerate(diagram.dice[:4]):
        x = middle + 1.1 * (at - (min(4, len(diagram.dice)) - 1) / 2)
        yield (
            f'<rect class="sgf-stone sgf-{_side(color)}" x="{num(x - 0.4)}" y="4.6" width=".8"'
            f' height=".8" rx=".14"/>'
        )
        pips = "".join(f"M{num(x + 0.22 * a)} {num(5 + 0.22 * b)}h0" for a, b in _PIPS.get(die, ()))
        yield f'<path class="sgf-pips {ink_on(color)}" d="{pips}"/>'


def _cube(diagram: Diagram) -> Iterator[str]:
    """Yield the cube at the left edge: in the middle, or on its owner's side."""
    if not diagram.cube:
        return
    middle = {Color.WHITE: 9.9, Color.BLACK: 0.1, None: 5}[diagram.cube_owner]
    yield (
        f'<rect class="sgf-stone sgf-white" x="-1.7" y="{num(middle - 0.45)}" width=".9"'
        f' height=".9" rx=".12"/>'
    )
    yield write_text(str(diagram.cube), -1.25, middle, "sgf-on-white", height=0.44, width=0.66)

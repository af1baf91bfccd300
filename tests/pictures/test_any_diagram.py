"""Any diagram is drawn: points off the board, odd parts and wild texts are no errors."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, strategies as st

from sgf_lark.core.schema.values import BoardSize, Color, Point
from sgf_lark.pictures.animation import animate
from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import (
    BoardKind,
    Label,
    Line,
    Link,
    Mark,
    MarkKind,
    Number,
    Stone,
    TerritoryPoint,
    Theme,
)
from sgf_lark.pictures.shapes.grounds import THEMES
from sgf_lark.pictures.svg import draw_svg
from sgf_lark.pictures.text import draw_text

POINTS = st.builds(Point, st.integers(0, 60), st.integers(0, 60))
SIDES = st.integers(1, 30)
TEXTS = st.text(max_size=12)
COLORS = st.sampled_from(Color)
PIECES = st.sampled_from(
    ["stone", "disc", "peg", "piece", "amazon", "arrow", "pod", "checker", "other", ""]
)


def few(parts: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(parts, max_size=4).map(tuple)


DIAGRAMS = st.builds(
    Diagram,
    kind=st.sampled_from(BoardKind),
    size=st.builds(BoardSize, SIDES, SIDES),
    piece=PIECES,
    stones=few(
        st.builds(
            Stone,
            POINTS,
            st.none() | COLORS,
            PIECES,
            st.integers(1, 40),
            st.sampled_from(["", "A", "ACx"]),
        )
    ),
    links=few(st.builds(Link, POINTS, POINTS, COLORS)),
    numbers=few(st.builds(Number, POINTS, st.integers(0, 10**9))),
    last=few(POINTS),
    marks=few(st.builds(Mark, POINTS, st.sampled_from(MarkKind))),
    labels=few(st.builds(Label, POINTS, TEXTS)),
    lines=few(st.builds(Line, POINTS, POINTS)),
    arrows=few(st.builds(Line, POINTS, POINTS)),
    territory=few(st.builds(TerritoryPoint, POINTS, COLORS)),
    dim=few(POINTS),
    view=st.none() | few(POINTS),
    crop=st.none() | st.tuples(POINTS, POINTS),
    variations=few(st.builds(Label, POINTS, TEXTS)),
    column_names=few(TEXTS),
    row_names=few(TEXTS),
    rows_from_bottom=st.booleans(),
    coordinates=st.booleans(),
    hoshi=few(POINTS),
    missing=few(POINTS),
    title=TEXTS,
    notes=few(TEXTS),
    dice=few(st.integers(0, 9)),
    cube=st.integers(0, 4096),
    cube_owner=st.none() | COLORS,
    to_play=st.none() | COLORS,
)


@given(DIAGRAMS, st.sampled_from(sorted(THEMES)))
def test_any_diagram_is_text_and_a_well_formed_picture(diagram: Diagram, theme: Theme) -> None:
    assert draw_text(diagram, "ascii").isascii()
    assert all(line.isprintable() for line in draw_text(diagram).split("\n"))
    for svg in (draw_svg(diagram, theme=theme), animate([diagram], theme=theme)):
        assert ET.fromstring(svg).get("role") == "img"  # noqa: S314  # our own

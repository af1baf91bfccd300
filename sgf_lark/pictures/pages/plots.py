"""Plots of distributions as SVG in the colors of a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from .markup import Html, join, tag

#: Size of a plot and its margins, in the units of the picture: a phone shows it as it is.
WIDTH, HEIGHT = 360, 180
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 8, 22

#: Most labels below the bars; fewer if they are long.
MAX_LABELS = 8

#: Width of a character of a label, at most.
CHARACTER = 6.5

#: The style of plots, for a page.
STYLE = Html(
    """
.plot { margin: 0 0 1rem; max-width: 34rem; }
.plot svg { width: 100%; }
.plot rect { fill: var(--link); } .plot rect:hover { fill: var(--error); }
.plot line { stroke: var(--line); }
.plot text { fill: var(--soft); font-size: 11px; }
"""
)


class Bar(NamedTuple):
    """A bar of a plot."""

    label: str
    number: int  # its height, from 0
    title: str


def draw_bars(bars: Sequence[Bar], title: str) -> Html:
    """Return a plot with a bar for each class, from left to right."""
    step = _step(max((bar.number for bar in bars), default=0))
    top = max(1, -(-max((bar.number for bar in bars), default=0) // step)) * step
    unit = (HEIGHT - TOP - BOTTOM) / top
    bottom, room = HEIGHT - BOTTOM, (WIDTH - LEFT - RIGHT) / max(1, len(bars))
    parts = []
    for count in range(0, top + 1, step):
        y = round(bottom - count * unit, 1)
        parts += [
            tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=str(y), y2=str(y)),
            tag("text", f"{count:,}", x=LEFT - 6, y=str(y + 4), text_anchor="end"),
        ]
    longest = max((len(bar.label) for bar in bars), default=0) * CHARACTER + CHARACTER
    every = max(1, round(longest / room + 0.5), -(-len(bars) // MAX_LABELS))  # they do not touch
    for at, bar in enumerate(bars):
        x, height = LEFT + at * room, bar.number * unit
        place = {
            "x": f"{x + room * 0.08:.1f}",
            "y": f"{bottom - height:.1f}",
            "width": f"{room * 0.84:.1f}",
            "height": f"{height:.1f}",
        }
        parts.append(tag("rect", tag("title", bar.title), **place))
        if at % every == 0:
            middle = f"{x + room / 2:.1f}"
            parts.append(tag("text", bar.label, x=middle, y=HEIGHT - 6, text_anchor="middle"))
    picture = tag("svg", join(parts), viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title)
    return tag("figure", picture, class_="plot")


def _step(most: int) -> int:
    """Return the distance of the lines of a plot, so that there are at most 5: 1, 2, 5, 10 ..."""
    power: int = 10 ** max(0, int(log10(max(1, most))) - 1)
    steps = (factor * power for factor in (1, 2, 5, 10, 20, 50))
    return next(step for step in steps if most <= 5 * step)

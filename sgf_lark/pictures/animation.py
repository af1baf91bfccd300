"""An animated SVG of a line: no script, as large as its changes.

Each element that does not stay has keyframes for the diagrams that show it.  Programs that know
no animation, and people who ask for less motion, see the last diagram.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from .diagram import Diagram, Picture
from .parts import Theme
from .shapes.elements import Layer
from .shapes.geometry import Box, num
from .svg import check_options, compose, wrap

#: The last diagram is shown longer, by this number of steps.
REST = 2

#: Steps from the first one with an element to the first one without it.
Interval: TypeAlias = tuple[int, int]


class Shown(Protocol):
    def diagram(self) -> Diagram:
        """Return its picture, as data."""


def animate(
    pictures: Iterable[Shown],
    *,
    seconds: float = 1,
    theme: Theme = "light",
    size: float | None = None,
) -> Picture:
    """Return an SVG that shows boards or diagrams one after the other, again and again.

    Args:
        pictures: Boards or diagrams of one game, at least one.
        seconds: The time of each, above 0.
        theme, size: As :func:`sgf_lark.pictures.svg.draw_svg` has them.

    Raises:
        ValueError: There is no picture, the boards differ in kind or size, or an option is
            invalid.
    """
    check_options(theme, size)
    if not 0 < seconds < float("inf"):
        raise ValueError(f"invalid time {seconds!r}: expected a positive number of seconds")
    levels: list[_Level] = []
    box: Box | None = None
    first = diagram = None
    count = 0
    for count, picture in enumerate(pictures, 1):  # the number of them
        diagram = picture.diagram()
        first = first or diagram
        if (diagram.kind, diagram.size) != (first.kind, first.size):
            raise ValueError("the boards of an animation differ in kind or size")
        groups, ground = compose(diagram)
        levels = levels or [_Level(group.attributes) for group in groups]
        for level, group in zip(levels, groups, strict=True):
            level.show(group, count - 1)
        box = _join(box, ground)
    if diagram is None or box is None:
        raise ValueError("an animation needs at least one board")
    return _write(diagram, levels, box, count, seconds=seconds, theme=theme, size=size)


class _Level:
    """The elements of one group in all steps."""

    def __init__(self, attributes: str) -> None:
        self.attributes = attributes
        self._since: dict[str, int] = {}
        self._ended: dict[Interval, list[str]] = {}

    def show(self, group: Layer, step: int) -> None:
        shown = dict.fromkeys(group.elements)
        for element in [element for element in self._since if element not in shown]:
            self._ended.setdefault((self._since.pop(element), step), []).append(element)
        for element in shown:
            self._since.setdefault(element, step)

    def intervals(self, count: int) -> dict[Interval, list[str]]:
        found = {interval: list(elements) for interval, elements in self._ended.items()}
        for element, start in self._since.items():
            found.setdefault((start, count), []).append(element)
        return dict(sorted(found.items()))


def _join(box: Box | None, other: Box) -> Box:
    if box is None:
        return other
    return Box(
        min(box.left, other.left),
        min(box.top, other.top),
        max(box.right, other.right),
        max(box.bottom, other.bottom),
    )


def _write(
    diagram: Diagram,
    levels: list[_Level],
    box: Box,
    count: int,
    *,
    seconds: float,
    theme: Theme,
    size: float | None,
) -> Picture:
    total = count + REST
    parts, used = [], set()
    for level in levels:
        group = Layer(level.attributes, [])
        for (start, end), elements in level.intervals(count).items():
            content = "".join(elements)
            if (start, end) == (0, count):
                group.elements.append(content)
                continue
            used.add((start, end))
            hidden = "" if end == count else ' visibility="hidden"'
            group.elements.append(
                f'<g class="sgf-step"{hidden} style="animation:{_name(start, end, count)}'
                f' {num(total * seconds)}s step-end infinite">{content}</g>'
            )
        parts.append(str(group))
    frames = "".join(_keyframes(start, end, count) for start, end in sorted(used))
    still = "@media (prefers-reduced-motion:reduce){.sgf-step{animation:none!important}}"
    style = frames + still if used else ""
    return Picture(wrap(diagram, "".join(parts), box, theme=theme, size=size, style=style))


def _name(start: int, end: int, count: int) -> str:
    """Return the name of an interval's keyframes, which other animations of a page share."""
    return f"sgf-{start}-{end}-{count}"


def _keyframes(start: int, end: int, count: int) -> str:
    total = count + REST
    steps = [(0, "hidden" if start else "visible")]
    if start:
        steps.append((start, "visible"))
    if end < count:
        steps.append((end, "hidden"))
    rules = "".join(f"{num(100 * step / total)}%{{visibility:{kind}}}" for step, kind in steps)
    return f"@keyframes {_name(start, end, count)}{{{rules}}}"

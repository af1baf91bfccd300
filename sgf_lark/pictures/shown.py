"""Shown: what a notebook and ``print`` ask of everything that has a diagram."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypedDict, Unpack


class Picture(str):
    """The text of an SVG, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class SvgOptions(TypedDict, total=False):
    """The options of a picture; see :func:`sgf_lark.pictures.svg.draw_svg`."""

    theme: str
    size: float | None
    coordinates: bool | None


class Shown:
    """Base of what has a diagram: boards and diagrams themselves."""

    __slots__ = ()

    def diagram(self) -> Any:
        """Return what is to be seen, as data."""
        raise NotImplementedError

    def text(self, style: str = "unicode") -> str:
        """Return the picture as lines of text; see :func:`sgf_lark.pictures.text.draw_text`."""
        return str(_renderer("text")(self.diagram(), style))

    def svg(self, **options: Unpack[SvgOptions]) -> Picture:
        """Return the picture as SVG; see :func:`sgf_lark.pictures.svg.draw_svg`."""
        return Picture(_renderer("svg")(self.diagram(), **options))

    def _repr_svg_(self) -> str:
        return str(self.svg())

    def _repr_html_(self) -> str:
        return as_html(self._repr_svg_())


def as_html(svg: str) -> str:
    """Return an SVG as HTML for a notebook, which prefers HTML and shows nothing else then."""
    shown: str = import_module(".pages.notebook", __package__).image_of(svg)
    return shown


def _renderer(name: str) -> Any:
    """Return a renderer; it is imported when it is first asked for."""
    return getattr(import_module(f".{name}", __package__), f"draw_{name}")

"""The base of all values: the two colors, and frozen models."""

from __future__ import annotations

from enum import StrEnum

from .frozen import Frozen


class Color(StrEnum):
    """A player."""

    BLACK = "B"
    WHITE = "W"

    @property
    def opponent(self) -> Color:
        return Color.WHITE if self is Color.BLACK else Color.BLACK


class Model(Frozen):
    """Base of the values that have parts."""

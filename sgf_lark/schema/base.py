"""The base of all values: the two colors, and frozen models."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Color(StrEnum):
    """A player."""

    BLACK = "B"
    WHITE = "W"

    @property
    def opponent(self) -> Color:
        return Color.WHITE if self is Color.BLACK else Color.BLACK


class Model(BaseModel):
    """Base of the values that have parts."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

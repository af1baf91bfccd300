"""The tables ``[fmt]`` and ``[convert]``: options of the commands of that name."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt


class SettingsTable(BaseModel):
    """Base of the tables; what is not set is left to the command."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )

    def given(self) -> dict[str, Any]:
        """Return what the file sets, by the names of the options in Python."""
        return {name: getattr(self, name) for name in sorted(self.model_fields_set)}


class FmtSettings(SettingsTable):
    """The layout of ``fmt``; see :func:`sgf_lark.dumps`."""

    nodes: Annotated[StrictInt, Field(ge=1)] = 1
    indent: Annotated[StrictInt, Field(ge=0)] = 0
    width: Annotated[StrictInt, Field(ge=1)] | None = None
    compress: StrictBool = False


class ConvertSettings(SettingsTable):
    """The options of ``convert``; see :func:`sgf_lark.convert`.

    Attributes:
        to: The format to convert to; None if not set.
        lossy: What becomes of a fact that the new format cannot express.
        minutes: In FF[1] a time limit without a unit is in minutes.
        time_left: From GGF: compute the time left of each side.
    """

    to: Literal["ff4", "ff3", "ff1", "ggf", "sgf", "json"] | None = None
    lossy: Literal["keep", "drop", "refuse"] = "keep"
    minutes: StrictBool = False
    time_left: StrictBool = False

"""Fewer findings of one kind are listed by day, so that short texts have more than those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sgf_lark.core.api import load
from sgf_lark.core.api.options import Options
from sgf_lark.core.findings.limits import MAX_ALIKE, FindingLimit
from sgf_lark.core.read.games import GamesReader
from sgf_lark.files import pieces
from support.lanes import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

#: Findings of one kind that are listed.
LISTED = amount(100, MAX_ALIKE)


def list_few(patch: pytest.MonkeyPatch) -> None:
    """Let so many be listed."""
    for module in (pieces, load):
        patch.setattr(module, "MAX_ALIKE", LISTED)
    makers: tuple[Callable[..., object], ...] = (
        *(FindingLimit.__init__, GamesReader.__init__, Options.reader),
    )
    for make in makers:
        defaults = tuple(LISTED if one == MAX_ALIKE else one for one in make.__defaults__ or ())
        patch.setattr(make, "__defaults__", defaults)

"""Provenance: the nodes of texts from which the nodes of a changed game come."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from sgf_lark.core.text.source import TextSource

from .nodes import Nodes


class SourceGame(NamedTuple):
    """A game as it is in a text, and its number there, from 0."""

    source: TextSource
    number: int
    nodes: Nodes


class Provenance(NamedTuple):
    """For each node its number, and that of its game in ``games``; -1 and -1 for a new node."""

    games: tuple[SourceGame, ...]
    which: array[int]
    numbers: array[int]

    @classmethod
    def of(cls, game: SourceGame | None, count: int) -> Provenance:
        if game is None:
            return cls((), array("q", [-1]) * count, array("q", [-1]) * count)
        return cls((game,), array("q", [0]) * count, array("q", range(count)))

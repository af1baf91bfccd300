"""Provenance: where the nodes of a changed game come from."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from sgf_lark.text.source import Source

from .nodes import Nodes


class Home(NamedTuple):
    """A game as it stands in a text.

    Attributes:
        source: The text.
        number: Which game of the text, from 0.
        nodes: Its nodes as they were read.
    """

    source: Source
    number: int
    nodes: Nodes


class Origins(NamedTuple):
    """From where the nodes of a game come.

    Attributes:
        homes: Games that stand in texts.
        which: For each node the number of its home; -1 for a node that is new.
        numbers: For each node its number there.
    """

    homes: tuple[Home, ...]
    which: array[int]
    numbers: array[int]

    @classmethod
    def of(cls, home: Home | None, count: int) -> Origins:
        """Those of a game that was read; of one that comes from data, if it has no home."""
        if home is None:
            return cls((), array("q", [-1]) * count, array("q", [-1]) * count)
        return cls((home,), array("q", [0]) * count, array("q", range(count)))

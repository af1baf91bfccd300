"""Reasons of duplicates: completion of ``archive dupes`` waits for them alone."""

from __future__ import annotations

from enum import StrEnum

#: Default limit: games with fewer moves are equal by chance, as beginnings of games are.
MIN_MOVES = 20


class Reason(StrEnum):
    """The ways in which games are duplicates, the strongest one first."""

    BYTES = "bytes"
    TEXT = "text"
    LINE = "line"
    SYMMETRIC = "symmetric"
    DYER = "dyer"
    PREFIX = "prefix"
    FINAL = "final"

    @property
    def is_certain(self) -> bool:
        """All moves of the main line are equal, under symmetries."""
        return self in {Reason.BYTES, Reason.TEXT, Reason.LINE, Reason.SYMMETRIC}

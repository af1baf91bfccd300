"""Reasons of duplicates."""

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

"""The forms of a report, by the names that people choose them by."""

from __future__ import annotations

from enum import StrEnum


class Output(StrEnum):
    """The forms of a report."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    JSONL = "jsonl"

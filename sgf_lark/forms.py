"""The forms of a report, by the names that people choose them by."""

from __future__ import annotations

from enum import StrEnum


class Output(StrEnum):
    """The forms of a report."""

    FULL = "full"
    CONCISE = "concise"
    GROUPED = "grouped"
    STATISTICS = "statistics"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    SARIF = "sarif"


#: The forms that show infos, too, if nobody says otherwise: whoever reads them can leave out.
WHOLE = {Output.STATISTICS, Output.JSON, Output.JSONL, Output.SARIF}


class Telling(StrEnum):
    """The forms of an explanation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"

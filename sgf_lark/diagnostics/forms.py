"""What people choose by its name on the command line."""

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


class Level(StrEnum):
    """The least severity that is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Unsayable(StrEnum):
    """What becomes of that for which another format has no words.

    ``keep``: it is written all the same, as a private property.  ``drop``: it is left out.
    ``refuse``: a game that has such a thing is not converted.
    """

    KEEP = "keep"
    DROP = "drop"
    REFUSE = "refuse"

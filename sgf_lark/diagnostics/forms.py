"""Forms and levels of reports; light, for the command's options."""

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
SHOW_INFOS = {Output.STATISTICS, Output.JSON, Output.JSONL, Output.SARIF}


class Level(StrEnum):
    """The least severity that is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

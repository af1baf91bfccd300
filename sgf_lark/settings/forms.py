"""Forms and levels of reports; without slow imports, for the options of the command."""

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
    AZURE = "azure"
    RDJSON = "rdjson"
    JUNIT = "junit"
    SARIF = "sarif"
    HTML = "html"


#: The forms that show infos by default: their readers can filter.
SHOW_INFOS = {Output.STATISTICS, Output.JSON, Output.JSONL, Output.SARIF}


class Level(StrEnum):
    """The lowest severity that is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

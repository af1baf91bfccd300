"""Forms of reports and of records; without slow imports, for the options of the command."""

from enum import StrEnum
from typing import Literal, Self, TypeAlias

from sgf_lark.core import Severity

#: The formats that a record can be converted to.
TargetFormat: TypeAlias = Literal["ff4", "ff3", "ff1", "ggf", "sgf", "json"]


class Output(StrEnum):
    """The forms of a report, with the modules of ``report`` that have their reporters.

    Attributes:
        module: The module; its class is called as the form: ``JsonReporter``.
        level: The lowest severity that is shown by default: info if readers can filter.
    """

    _value_: str
    module: str
    level: Severity

    def __new__(cls, form: str, module: str, level: Severity = Severity.WARNING) -> Self:
        output = str.__new__(cls, form)
        output._value_, output.module, output.level = form, module, level
        return output

    FULL = "full", "text"
    CONCISE = "concise", "text"
    GROUPED = "grouped", "text"
    STATISTICS = "statistics", "text", Severity.INFO
    JSON = "json", "data", Severity.INFO
    JSONL = "jsonl", "data", Severity.INFO
    GITHUB = "github", "data"
    GITLAB = "gitlab", "data"
    AZURE = "azure", "data"
    RDJSON = "rdjson", "data"
    JUNIT = "junit", "data"
    SARIF = "sarif", "data", Severity.INFO
    HTML = "html", "html"

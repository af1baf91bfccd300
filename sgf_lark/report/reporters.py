"""The reporter of each form."""

from __future__ import annotations

from .base import Reporter
from .data import JsonlReporter, JsonReporter, JunitReporter
from .hosts import AzureReporter, GithubReporter, GitlabReporter, RdjsonReporter
from .html import HtmlReporter
from .sarif import SarifReporter
from .text import ConciseReporter, FullReporter, GroupedReporter, StatisticsReporter

#: The reporter of each form.
REPORTERS: dict[str, type[Reporter]] = {
    "full": FullReporter,
    "concise": ConciseReporter,
    "grouped": GroupedReporter,
    "statistics": StatisticsReporter,
    "json": JsonReporter,
    "jsonl": JsonlReporter,
    "github": GithubReporter,
    "gitlab": GitlabReporter,
    "azure": AzureReporter,
    "rdjson": RdjsonReporter,
    "junit": JunitReporter,
    "sarif": SarifReporter,
    "html": HtmlReporter,
}

"""The reporter of each form; its module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from .base import Reporter

#: The module of each reporter, and its name there.
REPORTERS = {
    "full": ("text", "FullReporter"),
    "concise": ("text", "ConciseReporter"),
    "grouped": ("text", "GroupedReporter"),
    "statistics": ("text", "StatisticsReporter"),
    "json": ("data", "JsonReporter"),
    "jsonl": ("data", "JsonlReporter"),
    "github": ("hosts", "GithubReporter"),
    "gitlab": ("hosts", "GitlabReporter"),
    "azure": ("hosts", "AzureReporter"),
    "rdjson": ("hosts", "RdjsonReporter"),
    "junit": ("data", "JunitReporter"),
    "sarif": ("sarif", "SarifReporter"),
    "html": ("html", "HtmlReporter"),
}


def reporter_of(form: str) -> type[Reporter]:
    """Return the reporter of a form.

    Raises:
        KeyError: There is no such form.
    """
    module, name = REPORTERS[form]
    reporter: type[Reporter] = getattr(import_module(f"sgf_lark.report.{module}"), name)
    return reporter

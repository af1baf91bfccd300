"""Reports for programs.

::

    json     one array of objects
    jsonl    one object a line
    github   workflow commands, which GitHub shows as annotations of a change
    gitlab   GitLab's code quality report
    junit    JUnit's test report, which most other servers read
    sarif    see :mod:`sgf_lark.report.sarif`
    html     a page for people: see :mod:`sgf_lark.report.html`
"""

from __future__ import annotations

from typing import Any

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.diagnostics.terminal import visible

from . import sarif
from .base import UNREADABLE, DataReporter, Reporter, fingerprints
from .html import HtmlReporter
from .text import ConciseReporter, FullReporter, GroupedReporter, StatisticsReporter


class JsonlReporter(DataReporter):
    """Reports one JSON object a line."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for finding in shown:
            self.item({"file": report.name, **finding.model_dump(mode="json")})

    def item(self, item: dict[str, Any]) -> None:
        """Write one object."""
        self.console.write(self.as_json(item) + "\n")


class JsonReporter(JsonlReporter):
    """Reports one JSON array of all objects."""

    _before = "["

    def item(self, item: dict[str, Any]) -> None:
        self.console.write(f"{self._before}\n{self.as_json(item)}")
        self._before = ","

    def end(self) -> None:
        self.console.write("[]\n" if self._before == "[" else "\n]\n")


# ---- GitHub ----

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubReporter(DataReporter):
    """Reports one workflow command a finding.

    Source: GitHub, "Workflow commands for GitHub Actions".
    """

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for finding in shown:
            place = {"title": f"sgf-lark ({finding.code})", "file": report.name}
            text = f"{report.name}: "
            if report.text:
                text = f"{report.name}:{finding.line}:{finding.column}: "
                place |= {"line": str(finding.line), "endLine": str(finding.end_line)}
                if finding.line == finding.end_line:  # GitHub has columns for one line only
                    place |= {"col": str(finding.column), "endColumn": str(finding.end_column)}
            shown_place = ",".join(f"{key}={_property(value)}" for key, value in place.items())
            text += f"{finding.code} {finding.message}{_helped(finding)}"
            command = _COMMANDS[finding.severity]
            self.console.write(f"::{command} {shown_place}::{_data(text)}\n")


def _helped(finding: Diagnostic) -> str:
    return f" ({finding.help})" if finding.help else ""


def _data(text: str) -> str:
    text = visible(text, keep="\r\n")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---- GitLab ----

_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


class GitlabReporter(JsonReporter):
    """Reports one array of GitLab's violations.

    Source: GitLab, "Code Quality", "Code Quality report format".
    """

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for finding, mark in zip(shown, fingerprints(report, shown), strict=True):
            begin = {"line": finding.line, "column": finding.column}
            end = {"line": finding.end_line, "column": finding.end_column}
            self.item(
                {
                    "check_name": finding.name,
                    "description": f"{finding.code}: {finding.message}{_helped(finding)}",
                    "severity": _GITLAB[finding.severity],
                    "fingerprint": mark,
                    "location": {"path": report.name, "positions": {"begin": begin, "end": end}},
                }
            )


# ---- JUnit ----

#: Rules that are errors in JUnit's sense: the file was not checked.
NOT_CHECKED = UNREADABLE | {"failed-check"}


class JunitReporter(DataReporter):
    """Reports a test suite for each file and a test case for each finding.

    A file without findings has one test case, which passes.  Errors and warnings are failures,
    infos are not; a file that was not checked is an error.
    Source: the schema that Jenkins' xUnit plugin publishes for JUnit.
    """

    def begin(self) -> None:
        encoding = self.console.encoding
        self._write(f'<?xml version="1.0" encoding="{encoding}"?>\n<testsuites name="sgf-lark">\n')

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        from xml.sax.saxutils import escape, quoteattr

        errors = sum(finding.name in NOT_CHECKED for finding in shown)
        failures = sum(finding.severity is not Severity.INFO for finding in shown) - errors
        name = quoteattr(visible(report.name))
        self._write(
            f'  <testsuite name={name} tests="{max(1, len(shown))}"'
            f' failures="{failures}" errors="{errors}">\n'
        )
        for finding in shown:
            place = f"{finding.line}:{finding.column}"
            text = visible(f"{report.name}:{place}: {finding.code} {finding.message}")
            kind = "failure" if finding.severity is not Severity.INFO else "system-out"
            kind = "error" if finding.name in NOT_CHECKED else kind
            about = (
                f" type={quoteattr(finding.severity)} message={quoteattr(visible(finding.message))}"
            )
            about = "" if kind == "system-out" else about
            label = quoteattr(f"{finding.code} {finding.name} ({place})")
            body = escape(text + visible(_helped(finding)))
            self._write(
                f"    <testcase name={label} classname={name}>"
                f"<{kind}{about}>{body}</{kind}></testcase>\n"
            )
        if not shown:
            self._write(f'    <testcase name="nothing wrong" classname={name}/>\n')
        self._write("  </testsuite>\n")

    def end(self) -> None:
        self._write("</testsuites>\n")

    def _write(self, text: str) -> None:
        encoding = self.console.encoding
        self.console.write(text.encode(encoding, "xmlcharrefreplace").decode(encoding))


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
    "junit": JunitReporter,
    "sarif": sarif.SarifReporter,
    "html": HtmlReporter,
}

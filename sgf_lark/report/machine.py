"""How findings are shown to programs: each form as the program that reads it wants it.

::

    json     one array of objects
    jsonl    one object a line
    github   commands that GitHub turns into notes beside the lines of a change
    gitlab   GitLab's report on code quality
    junit    the test reports that most other servers read
    sarif    see :mod:`sgf_lark.report.sarif`
"""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape, quoteattr

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.diagnostics.terminal import visible

from . import sarif
from .base import UNREADABLE, DataReporter, Reporter, fingerprints
from .text import ConciseReporter, FullReporter, GroupedReporter, StatisticsReporter


class JsonlReporter(DataReporter):
    """One object a line."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for one in shown:
            self.item({"file": report.name, **one.model_dump(mode="json")})

    def item(self, item: dict[str, Any]) -> None:
        """Write one object."""
        self.console.write(self.as_json(item) + "\n")


class JsonReporter(JsonlReporter):
    """One array of all objects."""

    _before = "["

    def item(self, item: dict[str, Any]) -> None:
        self.console.write(f"{self._before}\n{self.as_json(item)}")
        self._before = ","

    def end(self) -> None:
        self.console.write("[]\n" if self._before == "[" else "\n]\n")


# ---- GitHub ----

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubReporter(DataReporter):
    """One workflow command a finding.

    Source: GitHub, "Workflow commands for GitHub Actions".
    """

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for one in shown:
            place = {"title": f"sgf-lark ({one.code})", "file": report.name}
            text = f"{report.name}: "
            if report.text:
                text = f"{report.name}:{one.line}:{one.column}: "
                place |= {"line": str(one.line), "endLine": str(one.end_line)}
                if one.line == one.end_line:  # GitHub knows no columns of several lines
                    place |= {"col": str(one.column), "endColumn": str(one.end_column)}
            shown_place = ",".join(f"{key}={_property(value)}" for key, value in place.items())
            text += f"{one.code} {one.message}{_helped(one)}"
            command = _COMMANDS[one.severity]
            self.console.write(f"::{command} {shown_place}::{_data(text)}\n")


def _helped(one: Diagnostic) -> str:
    return f" ({one.help})" if one.help else ""


def _data(text: str) -> str:
    text = visible(text, keep="\r\n")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---- GitLab ----

_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


class GitlabReporter(JsonReporter):
    """One array of what GitLab calls violations.

    Source: GitLab, "Code Quality", "Code Quality report format".
    """

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for one, mark in zip(shown, fingerprints(report, shown), strict=True):
            begin = {"line": one.line, "column": one.column}
            end = {"line": one.end_line, "column": one.end_column}
            self.item(
                {
                    "check_name": one.name,
                    "description": f"{one.code}: {one.message}{_helped(one)}",
                    "severity": _GITLAB[one.severity],
                    "fingerprint": mark,
                    "location": {"path": report.name, "positions": {"begin": begin, "end": end}},
                }
            )


# ---- JUnit ----

#: What JUnit calls errors: nothing is known of the file.
NOT_CHECKED = UNREADABLE | {"failed-check"}


class JunitReporter(DataReporter):
    """A test suite for each file, a test case for each finding; one that passes if there is none.

    Errors and warnings are failures, infos are not; a file that was not checked is an error.
    Source: the schema that Jenkins' xUnit plugin publishes for JUnit.
    """

    def begin(self) -> None:
        encoding = self.console.encoding
        self._write(f'<?xml version="1.0" encoding="{encoding}"?>\n<testsuites name="sgf-lark">\n')

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        errors = sum(one.name in NOT_CHECKED for one in shown)
        failures = sum(one.severity is not Severity.INFO for one in shown) - errors
        name = quoteattr(visible(report.name))
        self._write(
            f'  <testsuite name={name} tests="{max(1, len(shown))}"'
            f' failures="{failures}" errors="{errors}">\n'
        )
        for one in shown:
            place = f"{one.line}:{one.column}"
            text = visible(f"{report.name}:{place}: {one.code} {one.message}")
            kind = "failure" if one.severity is not Severity.INFO else "system-out"
            kind = "error" if one.name in NOT_CHECKED else kind
            about = f" type={quoteattr(one.severity)} message={quoteattr(visible(one.message))}"
            about = "" if kind == "system-out" else about
            label = quoteattr(f"{one.code} {one.name} ({place})")
            body = escape(text + visible(_helped(one)))
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


#: What writes each form.
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
}

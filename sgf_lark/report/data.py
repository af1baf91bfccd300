"""Reports for programs.

::

    json    one array of objects
    jsonl   one object a line
    junit   JUnit's test report, which most servers read
"""

from __future__ import annotations

import json
from typing import Any

from sgf_lark.core import Diagnostic, Report, Severity, visible
from sgf_lark.report.known import NOT_CHECKED
from sgf_lark.report.terminal import has_unicode, visible_json

from .base import Reporter, with_help


class DataReporter(Reporter):
    """Base of the reports for programs."""

    def as_json(self, item: object) -> str:
        """Return JSON in ASCII, or in UTF-8 if that is the encoding of the console."""
        text = json.dumps(item, ensure_ascii=not has_unicode(self.console.encoding))
        text = text.encode("utf-8", "backslashreplace").decode()  # of names that are no Unicode
        return visible_json(text)


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


class JunitReporter(DataReporter):
    """Reports a test suite for each file and a test case for each finding.

    A file without findings has one test case, which passes.  Errors and warnings are failures,
    infos are not; a file that was not checked is an error.
    Source: the schema that Jenkins' xUnit plugin publishes for JUnit.
    """

    def begin(self) -> None:
        encoding = self.console.encoding
        self.console.write_markup(
            f'<?xml version="1.0" encoding="{encoding}"?>\n<testsuites name="sgf-lark">\n'
        )

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        from xml.sax.saxutils import escape, quoteattr

        errors = sum(finding.name in NOT_CHECKED for finding in shown)
        failures = sum(finding.severity is not Severity.INFO for finding in shown) - errors
        name = quoteattr(visible(report.name))
        self.console.write_markup(
            f'  <testsuite name={name} tests="{max(1, len(shown))}"'
            f' failures="{failures}" errors="{errors}">\n'
        )
        for finding in shown:
            place = f"{finding.line}:{finding.column}"
            text = visible(f"{report.name}:{place}: {finding.code} {with_help(finding)}")
            kind = "failure" if finding.severity is not Severity.INFO else "system-out"
            kind = "error" if finding.name in NOT_CHECKED else kind
            about = (
                f" type={quoteattr(finding.severity)} message={quoteattr(visible(finding.message))}"
            )
            about = "" if kind == "system-out" else about
            label = quoteattr(f"{finding.code} {finding.name} ({place})")
            body = escape(text)
            self.console.write_markup(
                f"    <testcase name={label} classname={name}>"
                f"<{kind}{about}>{body}</{kind}></testcase>\n"
            )
        if not shown:
            self.console.write_markup(f'    <testcase name="nothing wrong" classname={name}/>\n')
        self.console.write_markup("  </testsuite>\n")

    def end(self) -> None:
        self.console.write_markup("</testsuites>\n")

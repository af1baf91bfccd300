"""The reporter of each form; and JUnit's test report, which most servers read."""

from __future__ import annotations

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.diagnostics.terminal import visible

from .base import UNREADABLE, Reporter, with_help
from .data import DataReporter, JsonlReporter, JsonReporter
from .hosts import AzureReporter, GithubReporter, GitlabReporter, RdjsonReporter
from .html import HtmlReporter
from .sarif import SarifReporter
from .text import ConciseReporter, FullReporter, GroupedReporter, StatisticsReporter

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
            text = visible(f"{report.name}:{place}: {finding.code} {with_help(finding)}")
            kind = "failure" if finding.severity is not Severity.INFO else "system-out"
            kind = "error" if finding.name in NOT_CHECKED else kind
            about = (
                f" type={quoteattr(finding.severity)} message={quoteattr(visible(finding.message))}"
            )
            about = "" if kind == "system-out" else about
            label = quoteattr(f"{finding.code} {finding.name} ({place})")
            body = escape(text)
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
    "azure": AzureReporter,
    "rdjson": RdjsonReporter,
    "junit": JunitReporter,
    "sarif": SarifReporter,
    "html": HtmlReporter,
}

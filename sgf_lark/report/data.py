"""Reports for programs: servers, editors, and hosts of code.

::

    json     one array of objects
    jsonl    one object a line
    junit    JUnit's test report, which most servers read
    sarif    SARIF 2.1.0, which servers and editors read
    github   workflow commands of GitHub Actions
    gitlab   GitLab's code quality report
    azure    logging commands of Azure Pipelines
    rdjson   reviewdog's diagnostic format, for any host that reviewdog knows

Columns of SARIF count UTF-16 code units, as GitHub and editors do; in the other reports they count
characters.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from sgf_lark._version import __version__
from sgf_lark.core import (
    GROUPS,
    RULES,
    SEVERITIES,
    Diagnostic,
    Edit,
    Fix,
    Report,
    Rule,
    Severity,
    describe_place,
    plural,
    visible,
)
from sgf_lark.report.base import NOT_CHECKED
from sgf_lark.report.terminal import has_unicode, visible_json

from .base import Columns, Reporter, fingerprints, utf16_units, with_help


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


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

#: Line ends, as FF[4] defines them for text.
NEWLINES = ["\r\n", "\n\r", "\n", "\r"]

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


class SarifReporter(DataReporter):
    """Reports one SARIF run with all rules; results are written one by one."""

    _before = ""

    @cached_property
    def _indexes(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(RULES)}

    def begin(self) -> None:
        driver = {
            "name": "sgf-lark",
            "version": __version__,
            "semanticVersion": __version__,
            "rules": [
                _rule(rule, self.page_of(rule.code) if self.site else "") for rule in RULES.values()
            ],
        }
        self.console.write(
            f'{{"$schema": {self.as_json(SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
            f'"tool": {self.as_json({"driver": driver})},\n'
            '"columnKind": "utf16CodeUnits",\n'
            f'"newlineSequences": {self.as_json(NEWLINES)},\n'
            '"results": ['
        )

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        columns = Columns(report.text, utf16_units)
        several = any(finding.game for finding in report)
        for finding, mark in zip(shown, fingerprints(report, shown), strict=True):
            result = _result(finding, report, columns, several=several)
            result["ruleIndex"] = self._indexes[finding.name]
            result["partialFingerprints"] = {"sgfLark/v1": mark}
            if self.known is not None:
                result["baselineState"] = "new"
            self.console.write(f"{self._before}\n{self.as_json(result)}")
            self._before = ","

    def end(self) -> None:
        code = self.exit_code
        counts = {
            "fixed": self.fixes.made,
            "remaining": sum(self.counts[level] for level in self.levels),
            "fixable": self.fixable,
            "fixableUnsafely": self.unsafely,
        }
        if self.known is not None:
            counts |= {"known": self.known.hidden, "knownNoLongerFound": self.known.gone}
        invocation = {
            "executionSuccessful": code <= 1,
            "exitCode": code,
            "properties": counts,
        }
        self.console.write(f'\n],\n"invocations": [{self.as_json(invocation)}]\n}}]}}\n')


def _rule(rule: Rule, page: str) -> dict[str, Any]:
    about: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": not rule.strict},
        "properties": {"tags": [GROUPS[rule.code[0]]]},
    }
    from sgf_lark.core import catalogue

    if page:
        about["helpUri"] = page
    entry = catalogue().get(rule.code)
    if entry is not None:
        about["fullDescription"] = {"text": entry.meaning}
        about["help"] = {"text": f"{entry.why}\n\n{entry.fix}"}
    return about


def _result(
    finding: Diagnostic, report: Report, columns: Columns, *, several: bool
) -> dict[str, Any]:
    artifact = {"uri": uri(report.name)}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if report.text:
        physical["region"] = _region(finding.offset, finding.end_offset, columns)
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.node_path is not None:
        name = f"game {(finding.game or 0) + 1}, node {finding.node_path}"
        node = {"fullyQualifiedName": name, "kind": "node"}
        where = describe_place(finding, several=several)
        location["logicalLocations"] = [node | ({"name": where} if where else {})]
    text = f"{finding.message}; {finding.help}" if finding.help else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [location],
    }
    if finding.fix is not None and finding.fix.edits:
        changes = [_replacement(edit, columns) for edit in finding.fix.edits]
        change = {"artifactLocation": artifact, "replacements": changes}
        result["fixes"] = [
            {"description": {"text": finding.fix.message}, "artifactChanges": [change]}
        ]
    return result


def _replacement(edit: Edit, columns: Columns) -> dict[str, Any]:
    return {
        "deletedRegion": _region(edit.offset, edit.end_offset, columns),
        "insertedContent": {"text": edit.replacement},
    }


def _region(start: int, end: int, columns: Columns) -> dict[str, int]:
    first, last = columns.locate(start), columns.locate(end)
    return {
        "startLine": first.line,
        "startColumn": first.column,
        "endLine": last.line,
        "endColumn": last.column,
    }


def uri(name: str) -> str:
    """Return a path as a URI in ASCII, with slashes; a relative path stays relative."""
    path = Path(name)
    try:
        data = os.fsencode(path.as_posix())
    except UnicodeEncodeError:  # a caller's name for a text need not be a valid file name
        data = path.as_posix().encode("utf-8", "surrogatepass")
    shown = quote(data, safe="/")
    return f"file://{'/' * (not shown.startswith('/'))}{shown}" if path.is_absolute() else shown


def _line(report: Report, finding: Diagnostic) -> str:
    place = f":{finding.line}:{finding.column}" if report.text else ""
    return f"{report.name}{place}: {finding.code} {with_help(finding)}"


def _path(report: Report) -> str:
    """Return the path of a record with slashes and without ``./``: hosts compare it with theirs.

    Source: GitLab, "Code Quality", the field ``location.path``.
    """
    return PurePath(report.name).as_posix()


def _shown(text: str) -> str:
    return visible(text, keep="\r\n")


# ---- GitHub ----

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

#: Annotations of a kind that GitHub shows of a step; one notice is for the summary.
MAX_ANNOTATIONS = {Severity.ERROR: 10, Severity.WARNING: 10, Severity.INFO: 9}


class GithubReporter(Reporter):
    """Reports one workflow command a finding, as many as GitHub shows.

    GitHub drops further ones, so they are lines of the log, and a last notice counts them.
    Source: GitHub, "Workflow commands for GitHub Actions"; and the limits of annotations in
    "Problem Matchers" of its toolkit.
    """

    def begin(self) -> None:
        self._found: Counter[Severity] = Counter()

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for finding in shown:
            self._found[finding.severity] += 1
            if self._found[finding.severity] > MAX_ANNOTATIONS[finding.severity]:
                line = visible(f"{finding.severity}: {_line(report, finding)}")
                self.console.write(line.replace("##[", "## [") + "\n")  # which begins a command
                continue
            place = {"title": f"sgf-lark ({finding.code})", "file": _path(report)}
            if report.text:
                place |= {"line": str(finding.line), "endLine": str(finding.end_line)}
                if finding.line == finding.end_line:  # GitHub has columns for one line only
                    place |= {"col": str(finding.column), "endColumn": str(finding.end_column)}
            self._command(_COMMANDS[finding.severity], place, _line(report, finding))

    def end(self) -> None:
        left = {level: self._found[level] - MAX_ANNOTATIONS[level] for level in SEVERITIES}
        words = [plural(left[level], f"more {level}") for level in SEVERITIES if left[level] > 0]
        if words:
            text = f"{', '.join(words)} only in the log: GitHub shows 10 of a kind in a step"
            self._command("notice", {"title": "sgf-lark"}, text)

    def _command(self, name: str, place: dict[str, str], text: str) -> None:
        shown_place = ",".join(f"{key}={_property(value)}" for key, value in place.items())
        self.console.write(f"::{name} {shown_place}::{_data(text)}\n")


def _data(text: str) -> str:
    text = _shown(text)
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
                    "description": f"{finding.code}: {with_help(finding)}",
                    "severity": _GITLAB[finding.severity],
                    "fingerprint": mark,
                    "location": {"path": _path(report), "positions": {"begin": begin, "end": end}},
                }
            )


# ---- Azure ----

#: Azure Pipelines has no third kind.
_AZURE = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "warning"}

#: Characters that end a message or a property, and as what the agent reads them.
_MESSAGE_ESCAPES = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = _MESSAGE_ESCAPES | str.maketrans({";": "%3B", "]": "%5D"})


class AzureReporter(Reporter):
    """Reports one logging command a finding; infos are warnings there.

    Source: Microsoft, "Logging commands" of Azure Pipelines; and "Percent Encoding" of its
    agent.
    """

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for finding in shown:
            place = {"type": _AZURE[finding.severity], "sourcepath": _path(report)}
            if report.text:
                place |= {"linenumber": str(finding.line), "columnnumber": str(finding.column)}
            place["code"] = finding.code
            properties = "".join(
                f"{key}={_shown(value).translate(_PROPERTY_ESCAPES)};"
                for key, value in place.items()
            )
            text = _shown(_line(report, finding)).translate(_MESSAGE_ESCAPES)
            self.console.write(f"##vso[task.logissue {properties}]{text}\n")


# ---- reviewdog ----

_RDJSON = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}

#: Characters of the text that a suggestion may replace: a fix of distant places has none.
MAX_SUGGESTION = 1000


class RdjsonReporter(JsonReporter):
    """Reports one result of reviewdog's diagnostic format.

    Source: reviewdog, ``proto/rdf``: columns count bytes of UTF-8, ends are exclusive, and each
    suggestion alone fixes the finding.
    """

    def begin(self) -> None:
        self.console.write('{"source": {"name": "sgf-lark"}, "diagnostics": ')

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        columns = Columns(report.text, lambda text: len(text.encode("utf-8", "surrogatepass")))
        for finding in shown:
            location: dict[str, Any] = {"path": _unicode(_path(report))}
            if report.text:
                location["range"] = _range(columns, finding.offset, finding.end_offset)
            item = {
                "message": _unicode(with_help(finding)),
                "location": location,
                "severity": _RDJSON[finding.severity],
                "code": {"value": finding.code},
            }
            suggestion = _suggestion(report.text, columns, finding.fix)
            self.item(item | ({"suggestions": [suggestion]} if suggestion else {}))

    def end(self) -> None:
        super().end()
        self.console.write("}\n")


def _range(columns: Columns, start: int, end: int) -> dict[str, dict[str, int]]:
    first, last = columns.locate(start), columns.locate(end)
    return {"start": first._asdict(), "end": last._asdict()}


def _suggestion(text: str, columns: Columns, fix: Fix | None) -> dict[str, Any] | None:
    """Return the edits of a fix as one; None if there are none, or they are far apart."""
    if fix is None or not fix.edits or fix.encoding is not None:
        return None
    edits = sorted(fix.edits, key=lambda edit: edit.offset)
    start, end = edits[0].offset, edits[-1].end_offset
    if end - start > MAX_SUGGESTION:
        return None
    pieces, done = [], start
    for edit in edits:
        pieces += [text[done : edit.offset], edit.replacement]
        done = edit.end_offset
    replacement = "".join(pieces)
    if replacement != _unicode(replacement):
        return None
    return {"range": _range(columns, start, end), "text": replacement}


def _unicode(text: str) -> str:
    """Return a text with lone surrogates escaped, which parsers of Protocol Buffers reject."""
    return text.encode("utf-8", "backslashreplace").decode()

"""Reports for hosts of code, which show findings at the lines of a change.

::

    github   workflow commands of GitHub Actions
    gitlab   GitLab's code quality report
    azure    logging commands of Azure Pipelines
    rdjson   reviewdog's diagnostic format, for any host that reviewdog knows
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import Any

from sgf_lark.core import SEVERITIES, Diagnostic, Fix, Report, Severity, plural, visible

from .base import Columns, Reporter, fingerprints, with_help
from .data import JsonReporter


def _line(report: Report, finding: Diagnostic) -> str:
    """Return a finding as one line, but for the line ends of its message."""
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

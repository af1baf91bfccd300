"""Findings in SARIF 2.1.0, which servers and editors read.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
Columns count UTF-16 code units there, as GitHub and editors do; in the other reports they
count characters.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sgf_lark._version import __version__
from sgf_lark.diagnostics.catalogue import catalogue
from sgf_lark.diagnostics.diagnostic import Diagnostic, Edit
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.rules import GROUPS, RULES, Rule, Severity
from sgf_lark.positions import LineIndex, Span

from .base import DataReporter, fingerprints, whereabouts

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

#: What ends a line, as FF[4] says of texts.
NEWLINES = ["\r\n", "\n\r", "\n", "\r"]

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

_PLACES = {name: index for index, name in enumerate(RULES)}


class SarifReporter(DataReporter):
    """One run, with all rules that there are; results are written as they come."""

    _before = ""

    def begin(self) -> None:
        driver = {
            "name": "sgf-lark",
            "version": __version__,
            "semanticVersion": __version__,
            "rules": [_rule(rule) for rule in RULES.values()],
        }
        self.console.write(
            f'{{"$schema": {self.as_json(SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
            f'"tool": {self.as_json({"driver": driver})},\n'
            '"columnKind": "utf16CodeUnits",\n'
            f'"newlineSequences": {self.as_json(NEWLINES)},\n'
            '"results": ['
        )

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        lines = LineIndex(report.text)
        several = any(one.game for one in report)
        for one, mark in zip(shown, fingerprints(report, shown), strict=True):
            result = _result(one, report, lines, several=several)
            result["partialFingerprints"] = {"sgfLark/v1": mark}
            self.console.write(f"{self._before}\n{self.as_json(result)}")
            self._before = ","

    def end(self) -> None:
        code = self.exit_code
        counts = {
            "fixed": self.fixes.made,
            "remaining": sum(self.counts[one] for one in self.levels),
            "fixable": self.fixable,
            "fixableUnsafely": self.unsafely,
        }
        invocation = {
            "executionSuccessful": code <= 1,
            "exitCode": code,
            "properties": counts,
        }
        self.console.write(f'\n],\n"invocations": [{self.as_json(invocation)}]\n}}]}}\n')


def _rule(rule: Rule) -> dict[str, Any]:
    """What SARIF calls a reporting descriptor."""
    about: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": not rule.strict},
        "properties": {"tags": [GROUPS[rule.code[0]]]},
    }
    entry = catalogue().get(rule.code)
    if entry is not None:
        about["fullDescription"] = {"text": entry.meaning}
        about["help"] = {"text": f"{entry.why}\n\n{entry.fix}"}
    return about


def _result(one: Diagnostic, report: Report, lines: LineIndex, *, several: bool) -> dict[str, Any]:
    artifact = {"uri": uri(report.name)}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if report.text:
        physical["region"] = _region(one.offset, one.end_offset, report.text, lines)
    location: dict[str, Any] = {"physicalLocation": physical}
    if one.node_path is not None:
        name = f"game {(one.game or 0) + 1}, node {one.node_path}"
        node = {"fullyQualifiedName": name, "kind": "node"}
        where = whereabouts(one, several=several)
        location["logicalLocations"] = [node | ({"name": where} if where else {})]
    text = f"{one.message}; {one.help}" if one.help else one.message
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": _PLACES[one.name],
        "level": _LEVELS[one.severity],
        "message": {"text": text},
        "locations": [location],
    }
    if one.fix is not None and one.fix.edits:
        changes = [_replacement(edit, report.text, lines) for edit in one.fix.edits]
        change = {"artifactLocation": artifact, "replacements": changes}
        result["fixes"] = [{"description": {"text": one.fix.message}, "artifactChanges": [change]}]
    return result


def _replacement(edit: Edit, text: str, lines: LineIndex) -> dict[str, Any]:
    return {
        "deletedRegion": _region(edit.offset, edit.end_offset, text, lines),
        "insertedContent": {"text": edit.replacement},
    }


def _region(start: int, end: int, text: str, lines: LineIndex) -> dict[str, int]:
    """Lines and columns from 1, the end just behind; columns in UTF-16 code units."""
    first, last = lines.locate(start), lines.locate(end)
    return {
        "startLine": first.line,
        "startColumn": _column(text, lines.line_span(first.line), start),
        "endLine": last.line,
        "endColumn": _column(text, lines.line_span(last.line), end),
    }


def _column(text: str, line: Span, offset: int) -> int:
    before = text[line.start : offset]
    return 1 + len(before) + sum(char > "\uffff" for char in before)


def uri(name: str) -> str:
    """A path as SARIF has it: with slashes, relative if it was, and nothing but ASCII."""
    path = Path(name)
    try:
        data = os.fsencode(path.as_posix())
    except UnicodeEncodeError:  # no name of a file, but what somebody calls a text
        data = path.as_posix().encode("utf-8", "surrogatepass")
    shown = quote(data, safe="/")
    return f"file://{'/' * (not shown.startswith('/'))}{shown}" if path.is_absolute() else shown

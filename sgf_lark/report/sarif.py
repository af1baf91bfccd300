"""Reports in SARIF 2.1.0, which servers and editors read.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
Columns count UTF-16 code units there, as GitHub and editors do; in the other reports they
count characters.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sgf_lark._version import __version__
from sgf_lark.core import GROUPS, RULES, Diagnostic, Edit, Report, Rule, Severity, describe_place

from .base import Columns, fingerprints, utf16_units
from .data import DataReporter

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
            "rules": [_rule(rule, self.page_of(rule.code)) for rule in RULES.values()],
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
    """Return a rule as a reporting descriptor of SARIF, with the address of its page."""
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
    """Return a region of SARIF: from 1, end exclusive, columns in UTF-16 code units."""
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

"""Reports for programs: ``json`` is one array of objects, ``jsonl`` one object a line."""

from __future__ import annotations

import json
from typing import Any

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.terminal import visible_json

from .base import Reporter


class DataReporter(Reporter):
    """Base of the reports for programs."""

    def as_json(self, item: object) -> str:
        """Return JSON in ASCII, or in UTF-8 if that is the encoding of the console."""
        ascii_only = self.console.encoding.replace("-", "").lower() != "utf8"
        text = json.dumps(item, ensure_ascii=ascii_only)
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

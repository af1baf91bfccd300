"""Baselines: the known findings of old files, so that a check shows only new ones.

A baseline is a JSON file: for each record how many findings of each kind are known::

    {
     "version": 1,
     "files": {
      "old/game.sgf": {
       "V301 0a1b2c3d4e5f6071": 2
      }
     }
    }

Names of files are relative to the folder of the baseline, with slashes.  A finding is known by
its code, its message and the characters at its place, so that it stays known when lines or
nodes move.  Files that cannot be read are always new.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from sgf_lark.core import RULES, CheckOptions, Diagnostic, Report, SettingsError, Severity, Span
from sgf_lark.files.writing import write_file
from sgf_lark.report.base import ALWAYS_NEW, marks, without_known
from sgf_lark.settings.settings import Fault, report_on_settings

from .base import Known, Reporter

#: The version of the format.
VERSION = 1


class Baseline:
    def __init__(self, path: str, files: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.path = path
        self._folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120  # keeps links
        self._files = {name: dict(known) for name, known in (files or {}).items()}
        self._checked: set[str] = set()
        self.counts = Known()  # the known findings of the files that were checked, by new

    @classmethod
    def read(cls, path: str) -> Baseline:
        """Read a baseline (SettingsError: it is invalid; OSError: it cannot be read)."""
        with open(path, "rb") as file:  # noqa: PTH123  # any name
            data = file.read()
        return cls(path, _files(path, data.decode("utf-8-sig", errors="backslashreplace")))

    def known(self, name: str) -> Mapping[str, int]:
        return self._files.get(self._relative(name), {})

    def new(
        self, report: Report, options: CheckOptions | None = None, levels: Iterable[Severity] = ()
    ) -> Report:
        """Return the new findings of a file, and count the known ones."""
        known = self.known(report.name)
        self._checked.add(self._relative(report.name))
        new, seen = without_known(report, known)
        if not any(finding.name in ALWAYS_NEW for finding in report):  # else it was not checked
            codes = {rule.code: rule for rule in RULES.values()}
            for name, count in known.items():
                rule = codes.get(name.partition(" ")[0])
                if rule is None or options is None or options.is_on(rule):
                    self.counts.gone += count - seen[name]
        if len(new) < len(report):
            shown, left = set(levels), report.counts - new.counts
            self.counts.hidden += sum(count for level, count in left.items() if level in shown)
        return new

    def end(self) -> None:
        for name in self._files.keys() - self._checked:
            path = os.path.join(self._folder, *name.split("/"))  # noqa: PTH118
            while path != self._folder and not os.path.lexists(path):
                path = os.path.dirname(path)  # noqa: PTH120
            # what lies in an archive is no file: then its path leads to a file, not to a folder
            if os.path.isdir(path):  # noqa: PTH112
                self.counts.gone += sum(self._files[name].values())

    def add(self, report: Report, findings: Iterable[Diagnostic]) -> None:
        counts = Counter(name for _, name in marks(report, findings))
        if counts:
            self._files[self._relative(report.name)] = dict(counts)

    def write(self) -> None:
        """Write the file, at once (OSError: it cannot be written)."""
        data = {"version": VERSION, "files": self._files}
        text = json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)
        write_file(self.path, f"{text}\n".encode("utf-8", "backslashreplace"))

    @property
    def findings(self) -> int:
        return sum(sum(known.values()) for known in self._files.values())

    @property
    def files(self) -> int:
        return len(self._files)

    def _relative(self, name: str) -> str:
        if name == "<stdin>":
            return name
        path = os.path.abspath(name)  # noqa: PTH100  # keeps links
        with suppress(ValueError):  # it is on another drive
            path = os.path.relpath(path, self._folder)
        return path.replace(os.sep, "/")


class BaselineReporter(Reporter):
    """Writes nothing, and makes what would be shown known to a baseline."""

    baseline: Baseline  # the baseline; set before the first report

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        self.baseline.add(report, shown)

    @property
    def exit_code(self) -> int:
        return 2 if self.unreadable or self.failed else 0


# ---- mistakes in the file ----


def _files(path: str, text: str) -> dict[str, dict[str, int]]:
    """Return the content of a baseline (SettingsError: it is invalid)."""
    try:
        data: Any = json.loads(text)
    except json.JSONDecodeError as error:
        _fail(path, text, f"invalid JSON: {error.msg[:1].lower()}{error.msg[1:]}", error.pos)
    except (ValueError, RecursionError):  # a number of thousands of digits, thousands of brackets
        _fail(path, text, "invalid JSON: a number is too long, or brackets nest too deeply", 0)
    if not isinstance(data, dict) or not isinstance(data.get("files"), dict):
        _fail(path, text, "no baseline: --write-baseline writes one", 0)
    if data.get("version") != VERSION:
        message = f"a baseline of another version: expected {VERSION}; write it anew"
        _fail(path, text, message, _find(text, "version"))
    for name, known in data["files"].items():
        at = _find(text, name, _find(text, "files"))
        if not isinstance(known, dict):
            _fail(path, text, f"expected the known findings of '{name}'", at)
        for key, count in known.items():
            if type(count) is not int or count < 1:
                message = f"expected the number of findings '{key}', from 1"
                _fail(path, text, message, _find(text, key, at))
    return data["files"]  # type: ignore[no-any-return]  # was tested


def _find(text: str, key: str, start: int = 0) -> int:
    """Return the place of a key of JSON; the start if it is written with other escapes."""
    return max(text.find(json.dumps(key, ensure_ascii=False), start), start)


def _fail(path: str, text: str, message: str, at: int) -> NoReturn:
    fault = Fault(Span(at, min(at + 1, len(text))), message)
    raise SettingsError(report_on_settings(path, text, [fault]))

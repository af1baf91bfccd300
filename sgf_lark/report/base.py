"""What all reports have in common."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, Any, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report
from sgf_lark.diagnostics.rules import Severity, at_least
from sgf_lark.diagnostics.terminal import visible_json
from sgf_lark.positions import LineIndex

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


#: A tab in a source line is shown as so many blanks.
TAB = "    "


#: Findings that say why a file was not read.
UNREADABLE = {"unreadable-file", "missing-file", "no-records"}


#: A code and a name in brackets stay together, when a line is broken between words.
_TAG, _TIE = re.compile(r"\[[A-Z]\d+ [a-z0-9-]+\]"), "\ue000"


#: A piece of a line, and how it looks.
Part: TypeAlias = str | tuple[str, str]


class Paper(Console):
    """A console whose reader may leave: the caller hears of it and decides what to do.

    Attributes:
        cells: How wide it is; None if nobody sees where a line ends.
    """

    def __init__(self, file: IO[str], **options: Any) -> None:
        super().__init__(file=file, highlight=False, **options)
        self.cells = self.width if file.isatty() else None

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def write(self, *parts: Part) -> None:
        """Write pieces of text as they are, in colors if the console has them."""
        if self.color_system is None:
            self.file.write("".join(one if isinstance(one, str) else one[0] for one in parts))
        else:
            self.print(Text.assemble(*parts), soft_wrap=True, end="")

    def wrapped(self, indent: int, *parts: Part) -> None:
        """Write a line; on a terminal it is broken between words, and goes on indented."""
        if self.cells is None or cell_len("".join(map(_plain, parts))) <= self.cells:
            self.write(*parts, "\n")
            return
        text = Text.assemble(*parts)
        text.plain = _TAG.sub(lambda tag: tag[0].replace(" ", _TIE), text.plain)
        indentation = 0
        while text:
            line = text.wrap(self, max(self.cells - indentation, 1))[0]
            line.rstrip()
            rest = text[len(line) :]
            text = rest[len(rest) - len(rest.plain.lstrip()) :]
            line.plain = line.plain.replace(_TIE, " ")
            self.print(" " * indentation, line, sep="", soft_wrap=True)
            indentation = indent


def _plain(part: Part) -> str:
    return part if isinstance(part, str) else part[0]


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s'[: count != 1]}"


@dataclass
class Fixes:
    """The fixes of a run.

    Attributes:
        unsafe: Unsafe ones are offered, too.
        made, files: How many were made, and in how many files.
        unwritten: How many files could not be written.
    """

    unsafe: bool = False
    made: int = 0
    files: int = 0
    unwritten: int = 0

    def told(self, done: str = "fixed") -> str:
        """Those that were made, in words."""
        return f"{plural(self.made, 'finding')} {done} in {plural(self.files, 'file')}"


class Reporter:
    """Counts what it is given, and shows what matters enough.

    Args:
        console: Where findings go.
        level: The least severity to show.
        fixes: What was fixed before; None where nothing is offered to be fixed.
    """

    def __init__(self, console: Paper, level: Severity, fixes: Fixes | None = None) -> None:
        self.console = console
        self.fixes = fixes or Fixes()
        self.offers = fixes is not None
        self.fixable = self.unsafely = 0
        self.levels = at_least(level)
        self.files = 0
        self.unreadable = 0
        self.failed = 0
        self.counts: Counter[Severity] = Counter()

    def begin(self) -> None:
        """Write what comes before all findings."""

    def add(self, report: Report) -> None:
        """Write what was found in one file."""
        first = report.diagnostics[0].name if report.diagnostics else ""
        if first in UNREADABLE:
            self.unreadable += 1
        else:
            self.files += 1
            self.failed += first == "failed-check"
            self.counts.update(report.counts)
        safely, unsafely = report.fixable(self.levels[-1])
        self.fixable += safely
        self.unsafely += unsafely
        self.show(report, [one for one in report if one.severity in self.levels])

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        """Write those findings of a report that are to be shown."""

    def end(self) -> None:
        """Write what comes after all findings."""

    @property
    def exit_code(self) -> int:
        """0: nothing wrong; 1: an error or a warning was shown; 2: a file not read or written."""
        if self.unreadable or self.failed or self.fixes.unwritten:
            return 2
        serious = {Severity.ERROR, Severity.WARNING}.intersection(self.levels)
        return int(any(self.counts[one] for one in serious))


def whereabouts(one: Diagnostic, *, several: bool) -> str:
    """The place of a finding as a player names it: ``game 2, move 14, in a variation``.

    Args:
        one: The finding.
        several: Its file has more than one game.
    """
    parts = []
    if several and one.game is not None:
        parts.append(f"game {one.game + 1}")
    if one.move_number:
        parts.append(f"move {one.move_number}")
    if one.node_path is not None and "." in one.node_path:
        parts.append("in a variation")
    return ", ".join(parts)


class DataReporter(Reporter):
    """What the reports for programs share."""

    def as_json(self, item: object) -> str:
        """In the letters that can be written."""
        ascii_only = self.console.encoding.replace("-", "").lower() != "utf8"
        text = json.dumps(item, ensure_ascii=ascii_only)
        text = text.encode("utf-8", "backslashreplace").decode()  # of names that are no Unicode
        return visible_json(text)


def fingerprints(report: Report, shown: list[Diagnostic]) -> list[str]:
    """A mark for each finding, which stays when lines are put in above it; none comes twice."""
    lines = LineIndex(report.text)
    seen: Counter[str] = Counter()
    marks = []
    for one in shown:
        start, end = lines.line_span(one.line)
        line = report.text[start:end][:1000].strip()
        facts = f"{report.name}\0{one.code}\0{one.message}\0{line}"
        again = seen[facts]
        seen[facts] += 1
        data = f"{facts}\0{again}".encode("utf-8", "backslashreplace")
        marks.append(sha256(data).hexdigest()[:32])
    return marks

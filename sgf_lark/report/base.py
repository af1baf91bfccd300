"""Parts that all reports share: columns, console, counts, exit code, known findings."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b, sha256
from importlib import import_module
from io import StringIO
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import (
    Diagnostic,
    LineColumn,
    LineIndex,
    Report,
    Severity,
    at_least,
    plural,
)
from sgf_lark.report.terminal import Row, StyledText, align, cells

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from sgf_lark.settings.forms import Output


STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


#: Blanks that stand for a tab in a source line.
TAB_WIDTH = 4


#: A code and a name in brackets stay on one line when text is wrapped.
_TAG, _TIE = re.compile(r"\[[A-Z]\d+ [a-z0-9-]+\]"), "\ue000"


#: Environment variables by which rich takes any output for a terminal.
_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE")


class ReportConsole:
    """The console of a report; it imports rich for a terminal only.

    Writing raises BrokenPipeError when the reader has gone (``| head``).
    """

    def __init__(self, file: IO[str], **options: Any) -> None:
        self.file = file
        self.encoding = (getattr(file, "encoding", "") or "utf-8").lower()
        is_terminal = file.isatty()
        # rich's console; None if the output is no terminal and has no colors
        self.on_terminal: Console | None = None
        if is_terminal or any(os.environ.get(name) for name in _FORCING):
            self.on_terminal = _rich_console(file, options)
        # width of the terminal; None if the output is no terminal
        self.cells = self.on_terminal.width if self.on_terminal and is_terminal else None

    def write(self, *parts: StyledText) -> None:
        """Write pieces of text unchanged, in colors if the console has them."""
        if self.on_terminal is None or self.on_terminal.color_system is None:
            self.file.write("".join(map(_unstyled, parts)))
        else:
            from rich.text import Text

            self.on_terminal.print(Text.assemble(*parts), soft_wrap=True, end="")

    def write_markup(self, *texts: str) -> None:
        """Write XML or HTML; characters that the encoding lacks become references."""
        for text in texts:
            self.write(text.encode(self.encoding, "xmlcharrefreplace").decode(self.encoding))

    def write_wrapped(self, indent: int, *parts: StyledText) -> None:
        """Write a line; on a terminal it wraps between words, further lines are indented."""
        console = self.on_terminal
        if console is None or self.cells is None or self._fits(parts):
            self.write(*parts, "\n")
            return
        from rich.text import Text

        text = Text.assemble(*parts)
        text.plain = _TAG.sub(lambda tag: tag[0].replace(" ", _TIE), text.plain)
        indentation = 0
        while text:
            line = text.wrap(console, max(self.cells - indentation, 1))[0]
            line.rstrip()
            rest = text[len(line) :]
            text = rest[len(rest) - len(rest.plain.lstrip()) :]
            line.plain = line.plain.replace(_TIE, " ")
            console.print(" " * indentation, line, sep="", soft_wrap=True)
            indentation = indent

    def write_table(self, rows: Iterable[Row], **options: Any) -> None:
        """Write rows in columns, the last of which is wrapped; the options of :func:`align`."""
        for place, line in align(rows, **options):
            self.write_wrapped(place, *line)

    def _fits(self, parts: tuple[StyledText, ...]) -> bool:
        if self.cells is None:
            return False
        return cells("".join(map(_unstyled, parts))) <= self.cells


def _rich_console(file: IO[str], options: dict[str, Any]) -> Console:
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Terminal(file=file, highlight=False, **options)


def _unstyled(part: StyledText) -> str:
    return part if isinstance(part, str) else part[0]


class Fixes:
    def __init__(self, *, unsafe: bool = False, level: Severity = Severity.WARNING) -> None:
        self.unsafe, self.level = unsafe, level
        self.made = self.files = 0

    def summary(self, done: str = "fixed") -> str:
        """Return the fixes in words: ``3 findings fixed in 1 file``."""
        return f"{plural(self.made, 'finding')} {done} in {plural(self.files, 'file')}"


class Missing(NamedTuple):
    """A file whose result is not what was asked for."""

    file: str
    what: str
    why: str  # the reason; "" if that says it all


class Results(NamedTuple):
    """The results of a command that writes files."""

    line: str  # their numbers in one line, and how many are what was asked for
    missing: Sequence[Missing]


class Known:
    """The known findings of a run, which a baseline lists."""

    def __init__(self) -> None:
        self.hidden = self.gone = 0


class Reporter:
    """Base of all reporters: counts the findings of each file and shows those of a level."""

    is_quiet = False
    known: Known | None = None  # the known findings, which are not shown; None without a baseline
    site: str | None = None  # the address of a site with a page for each rule; None for none
    # the folder for the pages to look through games, and its address in the report; None without
    # them
    viewers: tuple[Path, str] | None = None
    # the results of a command that writes files, once they are known; None if there are none
    results: Results | None = None

    def __init__(self, console: ReportConsole, level: Severity, fixes: Fixes | None = None) -> None:
        self.console = console
        self.fixes = fixes or Fixes()
        self.offers = fixes is not None
        self.fixable = self.unsafely = 0
        self.levels = at_least(level)
        self.files = 0
        self.unreadable = 0
        self.failed = self.unwritten = 0
        self.counts: Counter[Severity] = Counter()

    def begin(self) -> None:
        """Write the head of the report, before all findings."""

    def add(self, report: Report) -> None:
        """Count the findings of one file, and write those of the levels to show."""
        first = report.diagnostics[0].name if report.diagnostics else ""
        if first in UNREADABLE:
            self.unreadable += 1
        else:
            self.files += 1
            self.failed += first == "failed-check"
            self.unwritten += first == "unwritten-file"
            self.counts.update(report.counts)
        safely, unsafely = report.fixable(self.fixes.level)
        self.fixable += safely
        self.unsafely += unsafely
        self.show(report, [finding for finding in report if finding.severity in self.levels])

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        """Write some findings of a report."""

    def page_of(self, code: str) -> str:
        """Return the address of the page on a rule, by its code; "" if there is none."""
        from sgf_lark.core import rule_page

        return rule_page(code, self.site)

    def add_fixed(self, report: Report) -> None:
        self.fixes.made += len(report.diagnostics)
        self.fixes.files += 1

    def end(self) -> None:
        """Write the end of the report, after all findings."""

    @property
    def exit_code(self) -> int:
        """Exit code of the command.

        0: no error or warning was shown; 1: one was; 2: a file could not be read, checked or
        written.
        """
        if self.unreadable or self.failed or self.unwritten:
            return 2
        serious = {Severity.ERROR, Severity.WARNING}.intersection(self.levels)
        return int(any(self.counts[level] for level in serious))


def reporter_of(form: Output) -> type[Reporter]:
    """Return the reporter of a form; its module is imported when it is asked for."""
    module = import_module(f"sgf_lark.report.{form.module}")
    reporter: type[Reporter] = getattr(module, f"{form.capitalize()}Reporter")
    return reporter


def report_as(report: Report, form: str, level: Severity) -> str:
    """Return a report in a form, as :meth:`Report.to` does."""
    from sgf_lark.settings.forms import Output

    known = {str(one): one for one in Output}
    if form not in known:
        raise ValueError(f"no form {form!r} of a report: there are {', '.join(known)}")
    text = StringIO()
    reporter = reporter_of(known[form])(ReportConsole(text, color_system=None), level)
    reporter.begin()
    reporter.add(report)
    reporter.end()
    return text.getvalue()


#: Characters of a source line that count for a fingerprint.
MAX_LINE = 1000


def fingerprints(report: Report, shown: list[Diagnostic]) -> list[str]:
    """Return an identifier for each finding.

    It is unique in the report, and stays the same when lines are inserted above the finding.
    """
    lines = LineIndex(report.text)
    seen: Counter[str] = Counter()
    marks = []
    for finding in shown:
        start, end = lines.line_span(finding.line)
        line = report.text[start:end][:MAX_LINE].strip()
        facts = f"{report.name}\0{finding.code}\0{finding.message}\0{line}"
        again = seen[facts]
        seen[facts] += 1
        data = f"{facts}\0{again}".encode("utf-8", "backslashreplace")
        marks.append(sha256(data).hexdigest()[:32])
    return marks


def with_help(finding: Diagnostic) -> str:
    """Return the message of a finding, and its help in parentheses."""
    return f"{finding.message} ({finding.help})" if finding.help else finding.message


#: Characters that are measured together.
BLOCK = 1 << 10


def utf16_units(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


class Columns:
    """Turns offsets of a text into lines and columns, each in the same time."""

    def __init__(self, text: str, measure: Callable[[str], int]) -> None:
        self._text = text
        self._lines = LineIndex(text)
        self._measure = len if text.isascii() else measure

    def locate(self, offset: int) -> LineColumn:
        """Return line and column of an offset, both from 1."""
        line, column = self._lines.locate(offset)
        return LineColumn(line, 1 + self._units(offset) - self._units(offset - column + 1))

    def _units(self, offset: int) -> int:
        if self._measure is len:
            return offset
        block = offset // BLOCK
        return self._blocks[block] + self._measure(self._text[block * BLOCK : offset])

    @cached_property
    def _blocks(self) -> list[int]:
        text = self._text
        blocks = (text[at : at + BLOCK] for at in range(0, len(text), BLOCK))
        return list(accumulate(map(self._measure, blocks), initial=0))


# ---- known findings ----

#: Characters at the place of a finding that count.
MAX_PLACE = 1000

#: Rules whose findings give the reason why a file was not read.
UNREADABLE = {"unreadable-file", "missing-file", "no-records"}

#: Those, and the rule about a failure of the program: the file was not checked.
NOT_CHECKED = UNREADABLE | {"failed-check"}

#: Rules whose findings are never known.
ALWAYS_NEW = NOT_CHECKED | {"left-out"}


def mark(finding: Diagnostic, text: str) -> str:
    """Return code and digest of a finding: the same wherever it is in its file."""
    place = text[finding.offset : min(finding.end_offset, finding.offset + MAX_PLACE)]
    facts = f"{finding.message}\0{place}".encode("utf-8", "surrogatepass")
    return f"{finding.code} {blake2b(facts, digest_size=8).hexdigest()}"


def marks(report: Report, findings: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Yield those findings of a report that can be known, with their marks."""
    for finding in findings:
        if finding.name not in ALWAYS_NEW:
            yield finding, mark(finding, report.text)


def without_known(report: Report, known: Mapping[str, int]) -> tuple[Report, Counter[str]]:
    """Return a report without its known findings, and the marks of these.

    Of several equal findings the first ones are the known ones.
    """
    if not known:
        return report, Counter()
    seen: Counter[str] = Counter()
    dropped = set()
    for finding, name in marks(report, report):
        if seen[name] < known.get(name, 0):
            seen[name] += 1
            dropped.add(id(finding))
    if not dropped:
        return report, seen
    new = tuple(finding for finding in report if id(finding) not in dropped)
    return report.model_copy(update={"diagnostics": new}), seen

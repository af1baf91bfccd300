"""How findings are shown to people, to editors and ``grep``; and what all reports share.

A reporter is given one report after the other and writes each as it comes::

    full        the place, the message, the source line underlined, what to do
    concise     path:line:column: CODE message
    grouped     the name of a file, and below it a line for each finding
    statistics  how often each rule was broken, and in how many files
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from sgf_lark.diagnostics.diagnostic import Diagnostic, Finding
from sgf_lark.diagnostics.report import Report, source_line
from sgf_lark.diagnostics.rules import RULES, SEVERITIES, Severity, at_least
from sgf_lark.diagnostics.terminal import visible, visible_json
from sgf_lark.positions import LineIndex, Span

if TYPE_CHECKING:
    from sgf_lark.cli.paths import Unreadable

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}

#: Stands beside a finding that the fixes on offer would fix, and beside their number.
MARK = "[*]"

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


def unreadable(one: Unreadable) -> Report:
    """The report on a file that cannot be read."""
    finding = Finding(one.rule, one.reason, Span(0, 0)).located(LineIndex(""))
    return Report(name=one.path, diagnostics=(finding,))


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
        return f"{_plural(self.made, 'finding')} {done} in {_plural(self.files, 'file')}"


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


# ---- for people ----


class _TextReporter(Reporter):
    """What the reports for people share: they end in a line that sums up."""

    def end(self) -> None:
        if self.fixes.made:
            remaining = sum(self.counts[one] for one in self.levels)
            self.console.wrapped(4, f"{self.fixes.told()}, {remaining} remaining")
        shown = _counted(self.counts, self.levels) or "nothing wrong"
        text = f"{_plural(self.files, 'file')}: {shown}" if self.files else ""
        hidden = [one for one in SEVERITIES if one not in self.levels and self.counts[one]]
        if hidden:
            text += f"; {_counted(self.counts, hidden)} not shown (--level {hidden[-1]})"
        if self.unreadable:
            text += "; " if text else ""
            text += f"{_plural(self.unreadable, 'file')} could not be read"
        if self.fixes.unwritten:
            text += "; " if text else ""
            text += f"{_plural(self.fixes.unwritten, 'file')} could not be written"
        self.console.wrapped(4, text or "no files")
        offer = self._offer()
        if offer:
            self.console.wrapped(4, offer)

    def _offer(self) -> str:
        """What could be fixed, and how; "" if nothing."""
        if not self.offers:
            return ""
        if self.fixes.unsafe and self.fixable + self.unsafely:
            return f"{MARK} {self.fixable + self.unsafely} fixable with --fix --unsafe-fixes"
        more = f"{self.unsafely} more with --unsafe-fixes" if self.unsafely else ""
        if self.fixable:
            return f"{MARK} {self.fixable} fixable with --fix" + (f", {more}" if more else "")
        return more and f"{self.unsafely} fixable with --fix --unsafe-fixes"

    def marked(self, one: Diagnostic) -> str:
        """The mark of a finding that is offered to be fixed, with a blank before it."""
        is_offered = self.offers and one.is_fixable(unsafe=self.fixes.unsafe)
        return f" {MARK}" if is_offered else ""


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s'[: count != 1]}"


def _counted(counts: Counter[Severity], severities: list[Severity] | tuple[Severity, ...]) -> str:
    return ", ".join(_plural(counts[one], one.value) for one in severities if counts[one])


class ConciseReporter(_TextReporter):
    """One line a finding, as compilers write it."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        name = visible(report.name)
        for one in shown:
            self.console.write(
                (name, "bold"),
                f":{one.line}:{one.column}: ",
                (one.code, STYLES[one.severity]),
                f"{self.marked(one)} {visible(one.message)}\n",
            )


class GroupedReporter(_TextReporter):
    """The findings of a file below its name, in columns."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        if not shown:
            return
        self.console.wrapped(4, (visible(report.name), "bold"), ":")
        places = [f"{one.line}:{one.column}" if report.text else "-" for one in shown]
        wide = max(map(len, places))
        grave = max(len(one.severity) for one in shown)
        for place, one in zip(places, shown, strict=True):
            self.console.wrapped(
                wide + grave + 12,
                f"  {place:<{wide}}  ",
                (f"{one.severity:<{grave}}", STYLES[one.severity]),
                f"  {one.code}  {visible(one.message)}{self.marked(one)}",
            )
        self.console.write("\n")


class FullReporter(_TextReporter):
    """Everything a person needs to find the place and to mend it."""

    _example = ""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        lines = LineIndex(report.text)
        several = any(one.game for one in report)
        for one in shown:
            self._example = self._example or one.code
            place = f":{one.line}:{one.column}" if report.text else ""
            self.console.wrapped(
                4,
                (f"{visible(report.name)}{place}", "bold"),
                ": ",
                (one.severity.value, STYLES[one.severity]),
                f": {visible(one.message)} ",
                (f"[{one.code} {one.name}]{self.marked(one)}", "dim"),
            )
            gutter = max(5, len(str(one.line)) + 1)
            excerpt = self._excerpt(report, one, lines, gutter)
            if excerpt.marked or excerpt.before:
                under = "^" * max(1, cell_len(excerpt.marked))
                self.console.write(
                    (f"{one.line:>{gutter}} | ", "dim"),
                    "".join(excerpt) + "\n",
                    (f"{'':>{gutter}} | ", "dim"),
                    (" " * cell_len(excerpt.before) + under + "\n", STYLES[one.severity]),
                )
            blank = f"{'':>{gutter}}   "
            where = whereabouts(one, several=several)
            if where:
                self.console.wrapped(len(blank), (f"{blank}{where}", "dim"))
            if one.help:
                self.console.wrapped(
                    len(blank) + len("help: "), blank, ("help: ", "green"), visible(one.help)
                )
            self.console.write("\n")

    def end(self) -> None:
        super().end()
        if self._example and self.console.cells is not None:
            self.console.wrapped(4, (f"What a code means: sgf-lark explain {self._example}", "dim"))

    def _excerpt(self, report: Report, one: Diagnostic, lines: LineIndex, gutter: int) -> Excerpt:
        shown, (start, end) = source_line(report.text, lines, one)
        parts = (shown[:start], shown[start:end], shown[end:])
        excerpt = Excerpt(*(part.replace("\t", TAB) for part in parts))
        if self.console.cells is None:
            return excerpt
        return excerpt.cropped(self.console.cells - gutter - len(" | "))


class StatisticsReporter(_TextReporter):
    """How often each rule was broken, the most frequent first."""

    def __init__(self, console: Paper, level: Severity, fixes: Fixes | None = None) -> None:
        super().__init__(console, level, fixes)
        self._times: Counter[str] = Counter()
        self._files: Counter[str] = Counter()

    def show(self, _: Report, shown: list[Diagnostic]) -> None:
        names = [one.name for one in shown]
        self._times.update(names)
        self._files.update({*names})

    def end(self) -> None:
        order = sorted(self._times, key=lambda name: (-self._times[name], RULES[name].code))
        times = max((len(str(count)) for count in self._times.values()), default=0)
        files = max((len(_plural(count, "file")) for count in self._files.values()), default=0)
        for name in order:
            rule = RULES[name]
            inside = f"in {_plural(self._files[name], 'file')}"
            self.console.wrapped(
                times + files + 13,
                f"{self._times[name]:>{times}}  {inside:<{files + 3}}  ",
                (rule.code, STYLES[rule.severity]),
                f"  {rule.summary} ",
                (f"[{name}]", "dim"),
            )
        super().end()


class Excerpt(NamedTuple):
    """A source line around the part that is underlined."""

    before: str
    marked: str
    after: str

    def cropped(self, cells: int) -> Excerpt:
        """As much of it as fits into so many cells of a terminal; a Chinese letter takes two."""
        if cell_len("".join(self)) <= cells:
            return self
        marked = _head(self.marked, max(cells * 2 // 3, 1))
        after = self.after if marked == self.marked else ""
        room = max(cells - cell_len(marked), 0)
        before = _head(self.before[::-1], max(room // 2, room - cell_len(after)))[::-1]
        return Excerpt(before, marked, _head(after, room - cell_len(before)))


def _head(text: str, cells: int) -> str:
    """The beginning of a text that fits, with dots where it goes on."""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1) + "\N{HORIZONTAL ELLIPSIS}" if cells > 0 else ""


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


# ---- for programs ----


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

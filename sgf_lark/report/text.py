"""How findings are shown to people, to editors and ``grep``; and what all reports share.

A reporter is given one report after the other and writes each as it comes::

    full        the place, the message, the source line underlined, what to do
    concise     path:line:column: CODE message
    grouped     the name of a file, and below it a line for each finding
    statistics  how often each rule was broken, and in how many files
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from sgf_lark.diagnostics.diagnostic import Diagnostic
from sgf_lark.diagnostics.report import Report, source_line
from sgf_lark.diagnostics.rules import RULES, SEVERITIES, Severity
from sgf_lark.diagnostics.terminal import visible
from sgf_lark.positions import LineIndex

from .base import STYLES, TAB, Fixes, Paper, Reporter, plural, whereabouts

#: Stands beside a finding that the fixes on offer would fix, and beside their number.
MARK = "[*]"


# ---- for people ----


class _TextReporter(Reporter):
    """What the reports for people share: they end in a line that sums up."""

    def end(self) -> None:
        if self.fixes.made:
            remaining = sum(self.counts[one] for one in self.levels)
            self.console.wrapped(4, f"{self.fixes.told()}, {remaining} remaining")
        shown = _counted(self.counts, self.levels) or "nothing wrong"
        text = f"{plural(self.files, 'file')}: {shown}" if self.files else ""
        hidden = [one for one in SEVERITIES if one not in self.levels and self.counts[one]]
        if hidden:
            text += f"; {_counted(self.counts, hidden)} not shown (--level {hidden[-1]})"
        if self.unreadable:
            text += "; " if text else ""
            text += f"{plural(self.unreadable, 'file')} could not be read"
        if self.fixes.unwritten:
            text += "; " if text else ""
            text += f"{plural(self.fixes.unwritten, 'file')} could not be written"
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


def _counted(counts: Counter[Severity], severities: list[Severity] | tuple[Severity, ...]) -> str:
    return ", ".join(plural(counts[one], one.value) for one in severities if counts[one])


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
        files = max((len(plural(count, "file")) for count in self._files.values()), default=0)
        for name in order:
            rule = RULES[name]
            inside = f"in {plural(self._files[name], 'file')}"
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


# ---- for programs ----

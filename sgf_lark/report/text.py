"""Reports for people, editors and ``grep``.

A reporter receives one report after the other and writes each at once::

    full        the place, the message, the source line underlined, the help
    concise     path:line:column: CODE message
    grouped     the name of a file, and below it a line for each finding
    statistics  the number of findings and of files for each rule; the worst files
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from typing import NamedTuple

from sgf_lark.core import (
    RULES,
    SEVERITIES,
    Diagnostic,
    LineIndex,
    Report,
    Severity,
    count_findings,
    describe_place,
    plural,
    source_line,
    visible,
)
from sgf_lark.report.terminal import Row, StyledText, cells, crop

from .base import STYLES, TAB_WIDTH, Reporter

#: Mark of a finding that the offered fixes would fix, and of their number.
MARK = "[*]"


# ---- for people ----


class _TextReporter(Reporter):
    """Base of the reports for people, which end in a summary."""

    def end(self) -> None:
        if self.is_quiet:
            return
        if self.fixes.made:
            remaining = sum(self.counts[level] for level in self.levels)
            self.console.write_wrapped(4, f"{self.fixes.summary()}, {remaining} remaining")
        shown = count_findings(self.counts, self.levels) or "nothing wrong"
        parts = [f"{plural(self.files, 'file')}: {shown}"] if self.files else []
        hidden = [level for level in SEVERITIES if level not in self.levels and self.counts[level]]
        if hidden:
            counts = count_findings(self.counts, hidden)
            parts.append(f"{counts} not shown (--level {hidden[-1]})")
        if self.known is not None and self.known.hidden:
            parts.append(f"{plural(self.known.hidden, 'known finding')} not shown (baseline)")
        if self.unreadable:
            parts.append(f"{plural(self.unreadable, 'file')} could not be read")
        if self.unwritten:
            parts.append(f"{plural(self.unwritten, 'file')} could not be written")
        self.console.write_wrapped(4, "; ".join(parts) or "no files")
        if self.known is not None and self.known.gone:
            text = f"{plural(self.known.gone, 'finding')} of the baseline no longer found"
            self.console.write_wrapped(4, f"{text}: write it anew with --write-baseline")
        offer = self._offer()
        if offer:
            self.console.write_wrapped(4, offer)

    def _offer(self) -> str:
        """Return the number of fixable findings and the options that fix them; "" if none."""
        if not self.offers:
            return ""
        if self.fixes.unsafe and self.fixable + self.unsafely:
            return f"{MARK} {self.fixable + self.unsafely} fixable with --fix --unsafe-fixes"
        more = f"{self.unsafely} more with --unsafe-fixes" if self.unsafely else ""
        if self.fixable:
            return f"{MARK} {self.fixable} fixable with --fix" + (f", {more}" if more else "")
        return more and f"{self.unsafely} fixable with --fix --unsafe-fixes"

    def marked(self, finding: Diagnostic) -> str:
        """Return a blank and the mark of a fixable finding; "" if it is not fixable."""
        is_offered = self.offers and finding.is_fixable(unsafe=self.fixes.unsafe)
        return f" {MARK}" if is_offered else ""


class ConciseReporter(_TextReporter):
    """Reports one line a finding, as compilers do."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        name = visible(report.name)
        for finding in shown:
            self.console.write(
                (name, "bold"),
                f":{finding.line}:{finding.column}: ",
                (finding.code, STYLES[finding.severity]),
                f"{self.marked(finding)} {visible(finding.message)}\n",
            )


class GroupedReporter(_TextReporter):
    """Reports the findings of a file below its name, in columns."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        if not shown:
            return
        self.console.write_wrapped(4, (visible(report.name), "bold"), ":")
        rows = []
        for finding in shown:
            place = f"{finding.line}:{finding.column}" if report.text else "-"
            severity = (finding.severity.value, STYLES[finding.severity])
            message = f"{finding.message}{self.marked(finding)}"
            rows.append(Row((place, severity, finding.code), [message]))
        self.console.write_table(rows, start="  ")
        self.console.write("\n")


class FullReporter(_TextReporter):
    """Reports place, message, source line and help of each finding."""

    _example = ""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        lines = LineIndex(report.text)
        several = any(finding.game for finding in report)
        for finding in shown:
            self._example = self._example or finding.code
            page = self.site and self.page_of(finding.code)
            place = f":{finding.line}:{finding.column}" if report.text else ""
            self.console.write_wrapped(
                4,
                (f"{visible(report.name)}{place}", "bold"),
                ": ",
                (finding.severity.value, STYLES[finding.severity]),
                f": {visible(finding.message)} ",
                (f"[{finding.code} {finding.name}]", f"dim link {page}" if page else "dim"),
                (self.marked(finding), "dim"),
            )
            gutter = max(5, len(str(finding.line)) + 1)
            excerpt = self._excerpt(report, finding, lines, gutter)
            if excerpt.marked or excerpt.before:
                under = "^" * max(1, cells(excerpt.marked))
                self.console.write(
                    (f"{finding.line:>{gutter}} | ", "dim"),
                    "".join(excerpt) + "\n",
                    (f"{'':>{gutter}} | ", "dim"),
                    (" " * cells(excerpt.before) + under + "\n", STYLES[finding.severity]),
                )
            blank = f"{'':>{gutter}}   "
            where = describe_place(finding, several=several)
            if where:
                self.console.write_wrapped(len(blank), (f"{blank}{where}", "dim"))
            help_ = finding.help
            for number, line in enumerate(help_.splitlines()):
                label = f"{'':6}" if number else "help: "
                self.console.write_wrapped(
                    len(blank) + len(label), blank, (label, "green"), visible(line)
                )
            self.console.write("\n")

    def end(self) -> None:
        super().end()
        if self._example and self.console.cells is not None and not self.is_quiet:
            hint = f"To explain a code: sgf-lark explain {self._example}"
            self.console.write_wrapped(4, (hint, "dim"))

    def _excerpt(
        self, report: Report, finding: Diagnostic, lines: LineIndex, gutter: int
    ) -> Excerpt:
        shown, (start, end) = source_line(report.text, lines, finding)
        parts = (shown[:start], shown[start:end], shown[end:])
        excerpt = Excerpt(*(part.replace("\t", " " * TAB_WIDTH) for part in parts))
        if self.console.cells is None:
            return excerpt
        return excerpt.crop(self.console.cells - gutter - len(" | "))


#: Most files that statistics name.
MAX_WORST_FILES = 10


class StatisticsReporter(_TextReporter):
    """Reports the findings of each rule, errors first, then the most frequent; the worst files."""

    def begin(self) -> None:
        self._findings: Counter[tuple[Severity, str]] = Counter()
        self._files: Counter[tuple[Severity, str]] = Counter()
        self._worst: list[tuple[tuple[int, ...], str, str]] = []
        self._seen = self._bad = 0

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        kinds = [(finding.severity, finding.name) for finding in shown]
        self._findings.update(kinds)
        self._files.update({*kinds})
        self._seen += 1
        if shown:
            self._bad += 1
            counts = Counter(finding.severity for finding in shown)
            # more errors come first, then more warnings, more infos, and the name
            rank = tuple(-counts[level] for level in SEVERITIES)
            insort(self._worst, (rank, report.name, count_findings(counts, SEVERITIES)))
            del self._worst[MAX_WORST_FILES:]

    def end(self) -> None:
        rows = []
        for severity, name in sorted(self._findings, key=self._rank):
            kind, rule = (severity, name), RULES[name]
            inside = f"in {plural(self._files[kind], 'file')}"
            code, level = (rule.code, STYLES[severity]), (severity.value, STYLES[severity])
            summary: list[StyledText] = [f"{rule.summary} ", (f"[{name}]", "dim")]
            rows.append(Row((str(self._findings[kind]), level, inside, code), summary))
        self.console.write_table(rows, right={0})
        if self._worst and self._seen > 1:
            self._write_worst()
        super().end()

    def _rank(self, kind: tuple[Severity, str]) -> tuple[int, int, str]:
        severity, name = kind
        return SEVERITIES.index(severity), -self._findings[kind], RULES[name].code

    def _write_worst(self) -> None:
        self.console.write("\n", ("worst files", "bold"), ":\n")
        rows = (Row([counts], [name]) for _, name, counts in self._worst)
        self.console.write_table(rows, start="  ")
        if self._bad > len(self._worst):
            more = plural(self._bad - len(self._worst), "more file")
            self.console.write_wrapped(4, f"  {more} with findings")
        self.console.write("\n")


class Excerpt(NamedTuple):
    """A source line, split before and after the part to underline."""

    before: str
    marked: str
    after: str

    def crop(self, width: int) -> Excerpt:
        """Return as much of the line as fits into the cells of a terminal.

        A Chinese character takes two cells.
        """
        if cells("".join(self)) <= width:
            return self
        marked = crop(self.marked, max(width * 2 // 3, 1))
        after = self.after if marked == self.marked else ""
        room = max(width - cells(marked), 0)
        before = crop(self.before[::-1], max(room // 2, room - cells(after)))[::-1]
        return Excerpt(before, marked, crop(after, room - cells(before)))

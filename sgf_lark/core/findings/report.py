"""Reports: the diagnostics of one file, and their source lines."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, overload

from pydantic import PrivateAttr

from sgf_lark.core import late
from sgf_lark.core.places import LineIndex, Span
from sgf_lark.core.schema.frozen import Frozen

from .diagnostic import Diagnostic
from .finding import SEVERITIES, Finding, Severity, at_least, register
from .words import plural, visible

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.core.late import Diagram


#: Reads the games of a text, one by one, until it is closed.
ReadGames: TypeAlias = Callable[[str], Any]

#: Most boards of a report.
MAX_BOARDS = 20

_set = object.__setattr__


#: Rules about files, by their names.
_OF_FILES = {
    rule.name: rule
    for rule in (
        register("F001 unreadable-file error: a file that cannot be read"),
        register("F002 missing-file error: a name or pattern that matches no file"),
        register("F003 no-records error: a folder or an archive without game records"),
        register("F005 failed-check error: a file on which the program itself fails"),
        register("F007 other-files info: an archive with files that are no game records"),
        register("F008 skipped-file warning: a file that a conversion leaves out"),
        register("F010 unwritten-file error: a result that could not be written"),
    )
}


def about_file(rule: str, message: str, help: str = "") -> Diagnostic:
    """Return the diagnostic of a file that has no text, by the name of a rule about files."""
    return Diagnostic.of(_OF_FILES[rule].found(message, help=help), LineIndex(""))


LEFT_OUT = register("F006 left-out info: more findings than are shown")


class Report(Frozen):
    """All findings of one text, in the order of the text.

    A report is a sequence of its findings: ``for finding in report``, ``report[0]``,
    ``len(report)``; ``if report:`` asks whether there is any, ``report.ok`` whether none is an
    error.

    Attributes:
        name: The name of the text: a path, or ``"<string>"``.
        text: The text itself, so that a report can be shown without its file.
        diagnostics: The findings; if some were left out, the last one counts them, or the last
            one of each kind of which there are too many.
        left_out: Number of findings left out, by severity.
        left_fixable: Number of those with a safe fix, and with only an unsafe one, by severity;
            those of a kind of which there are too many got no fix.
    """

    name: str = "<string>"
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: dict[Severity, int] = {}  # noqa: RUF012  # pydantic copies it
    left_fixable: dict[Severity, tuple[int, int]] = {}  # noqa: RUF012  # pydantic copies it
    _lines: LineIndex | None = PrivateAttr(None)

    __slots__ = ("_read",)  # no part of equality and of pickles
    if TYPE_CHECKING:
        _read: ReadGames

    @classmethod
    def of(cls, name: str, text: str, findings: Iterable[Finding]) -> Self:
        """Return the report on a text with some findings."""
        lines = LineIndex(text)
        located = tuple(Diagnostic.of(finding, lines) for finding in findings)
        return cls(name=name, text=text, diagnostics=located)

    def read_by(self, read: ReadGames) -> Self:
        """Keep the function that reads games, and return the report."""
        _set(self, "_read", read)
        return self

    def __copy__(self) -> Self:
        copy = super().__copy__()
        if hasattr(self, "_read"):
            _set(copy, "_read", self._read)
        return copy

    def boards(self, level: Severity = Severity.INFO) -> dict[Diagnostic, Diagram]:
        """Return the boards at the findings of the rules of a game, the points marked.

        The games are read again; a report keeps only their text.

        Args:
            level: The lowest severity of the findings.

        Returns:
            The boards of the first 20 findings that have one.  None of a report that was
            unpickled or made by hand.
        """
        if not hasattr(self, "_read"):
            return {}
        levels = at_least(level)
        wanted = [
            finding
            for finding in self.diagnostics
            if finding.code.startswith("G") and finding.node_path is not None
            if finding.severity in levels
        ]
        with closing(self._read(self.text)) as games:
            found = late.draw_boards(games, wanted[:MAX_BOARDS])
        return {at: board for at, board in zip(wanted, found, strict=False) if board is not None}

    def viewer(self) -> str:
        """Return the page to look through the games, which are read again.

        It is empty if there are none, or the report was unpickled or made by hand.
        """
        if not hasattr(self, "_read"):
            return ""
        with closing(self._read(self.text)) as games:
            return late.view_games(games)

    def __repr__(self) -> str:
        return f"<Report {self.name}: {self.summary}>"

    @property
    def lines(self) -> LineIndex:
        """Lines and columns of the text, which may be a part of a file."""
        return self._lines or LineIndex(self.text)

    def __iter__(self) -> Iterator[Diagnostic]:  # type: ignore[override]  # a report is its findings
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    @overload
    def __getitem__(self, index: int) -> Diagnostic: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Diagnostic, ...]: ...
    def __getitem__(self, index: int | slice) -> Diagnostic | tuple[Diagnostic, ...]:
        return self.diagnostics[index]

    def __bool__(self) -> bool:
        return bool(self.diagnostics)

    @property
    def ok(self) -> bool:
        """No finding is an error, those left out included; there may be warnings and infos."""
        return not self.counts[Severity.ERROR]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings of severity error."""
        return self._of(Severity.ERROR)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings of severity warning."""
        return self._of(Severity.WARNING)

    @property
    def infos(self) -> tuple[Diagnostic, ...]:
        """The findings of severity info."""
        return self._of(Severity.INFO)

    def _of(self, severity: Severity) -> tuple[Diagnostic, ...]:
        return tuple(finding for finding in self.diagnostics if finding.severity is severity)

    def to(self, form: str, *, level: Severity | str = Severity.INFO) -> str:
        """Return the report in a form of ``sgf-lark check --format``.

        >>> report = check("games.sgf")
        >>> Path("report.sarif").write_text(report.to("sarif"))

        Args:
            form: ``full``, ``concise``, ``grouped`` and ``statistics`` for people, ``html`` for
                a page; ``json``, ``jsonl``, ``sarif``, ``junit``, ``github``, ``gitlab``,
                ``azure`` and ``rdjson`` for programs.
            level: The lowest severity of the findings.

        Raises:
            ValueError: There is no such form or severity.
        """
        return late.report_as(self, form, Severity(level))

    @property
    def counts(self) -> Counter[Severity]:
        """Number of findings by severity, including those left out."""
        counts = Counter(
            finding.severity for finding in self.diagnostics if finding.name != "left-out"
        )
        counts.update(self.left_out)
        return counts

    def fixable(self, level: Severity = Severity.INFO) -> tuple[int, int]:
        """Count findings with a safe fix, and with only an unsafe one, including those left out.

        Args:
            level: The lowest severity to count.
        """
        levels = at_least(level)
        reported = _fixable(finding for finding in self.diagnostics if finding.severity in levels)
        left = [counts for severity, counts in self.left_fixable.items() if severity in levels]
        safe, unsafe = (sum(counts) for counts in zip(reported, *left, strict=True))
        return safe, unsafe

    def without_fixes(self, level: Severity, *, unsafe: bool) -> Report:
        """Return the report without the fixes that were tried: those left would do harm.

        Args:
            level: The lowest severity that was fixed.
            unsafe: Unsafe fixes were tried, too.
        """
        levels = at_least(level)
        diagnostics = tuple(
            finding.model_copy(update={"fix": None})
            if finding.severity in levels and finding.is_fixable(unsafe=unsafe)
            else finding
            for finding in self.diagnostics
        )
        left = {
            severity: ((0, 0 if unsafe else more) if severity in levels else (safe, more))
            for severity, (safe, more) in self.left_fixable.items()
        }
        return self.model_copy(update={"diagnostics": diagnostics, "left_fixable": left})

    def capped(self, most: int | None) -> Report:
        """Return the report with the worst findings only, if there are more than ``most``.

        Errors are kept before warnings and these before infos, earlier ones before later ones.
        A last finding counts those left out; its severity is the highest of them.

        Args:
            most: The number of findings to keep; None or 0 for all.
        """
        diagnostics = self.diagnostics
        if not most or len(diagnostics) <= most:
            return self
        worst_first = sorted(
            range(len(diagnostics)), key=lambda at: SEVERITIES.index(diagnostics[at].severity)
        )
        left_out = Counter(self.left_out)
        left_out.update(diagnostics[at].severity for at in worst_first[most:])
        left = [level for level in SEVERITIES if left_out[level]]
        counts = ", ".join(plural(left_out[level], level) for level in left)
        end = LineIndex(self.text).locate(len(self.text))
        notice = Diagnostic(
            code=LEFT_OUT.code,
            name="left-out",
            severity=left[0],
            message=f"more findings than shown: {counts} left out",
            line=end.line,
            column=end.column,
            end_line=end.line,
            end_column=end.column,
            offset=len(self.text),
            end_offset=len(self.text),
            help="to show more, set --max-diagnostics (max_diagnostics=); 0 shows all",
        )
        kept = [diagnostics[at] for at in sorted(worst_first[:most])]
        dropped = [diagnostics[at] for at in worst_first[most:]]
        fixable = {level: _fixable(d for d in dropped if d.severity is level) for level in left}
        update = {"left_out": dict(left_out), "left_fixable": fixable}
        return self.model_copy(update={"diagnostics": (*kept, notice), **update})

    def to_arrow(self) -> pa.Table:
        """Return the findings as a table of Arrow, a row a finding, in their order.

        The columns are those of the findings of an archive; their values are those of the JSON of
        ``sgf-lark check``.  ``source`` and ``member`` are the name of the report, which ends
        after an archive in it: ``games.zip`` and ``2001/a.sgf``.  ``game_id`` is null: a report
        counts characters, and the key of a game has its first byte.

        Raises:
            ImportError: pyarrow is not installed.
        """
        ends = (at for at in late.archive_ends(self.name) if not os.path.isdir(self.name[:at]))  # noqa: PTH112  # as it is
        end = next(ends, len(self.name))
        return late.tabulate_report(self, self.name[:end], self.name[end + 1 :])

    def _repr_svg_(self) -> str | None:
        return next((board.svg() for board in self.boards().values()), None)

    def _repr_html_(self) -> str:
        return late.draw_report(self)

    def __str__(self) -> str:
        name = visible(self.name)
        lines = [f"{name}:{at.line}:{at.column}: {at.code} {visible(at.message)}" for at in self]
        return "\n".join([*lines, self.summary])

    @property
    def summary(self) -> str:
        """The number of findings by severity: ``1 error, 2 warnings``, or ``nothing wrong``."""
        return count_findings(self.counts, SEVERITIES) or "nothing wrong"


def count_findings(counts: Mapping[Severity, int], severities: Iterable[Severity]) -> str:
    """Return the numbers of findings in words: ``1 error, 2 warnings``; "" for none."""
    return ", ".join(plural(counts[level], level) for level in severities if counts[level])


def _fixable(diagnostics: Iterable[Diagnostic]) -> tuple[int, int]:
    fixes = [finding.fix.safe for finding in diagnostics if finding.fix is not None]
    return sum(fixes), len(fixes) - sum(fixes)


#: At most this many characters of a source line are shown, around the place.
SHOWN = 100


class SourceLine(NamedTuple):
    """The source line of a finding, cut to :data:`SHOWN` characters."""

    text: str
    marked: Span

    @property
    def parts(self) -> tuple[str, str, str]:
        start, end = self.marked
        return self.text[:start], self.text[start:end], self.text[end:]


def source_line(text: str, lines: LineIndex, place: Diagnostic) -> SourceLine:
    """Return the line in which a finding begins, cut to :data:`SHOWN` characters around it."""
    line = lines.line_span(place.line)
    start = place.offset
    end = max(start, min(place.end_offset, line.end))
    left, right = line
    if right - left > SHOWN:
        left = max(left, start - SHOWN // 3)
        right = min(right, left + SHOWN)
    end = min(end, right)
    part = "".join(
        char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text[left - lines.start : right - lines.start]
    )
    before = "\N{HORIZONTAL ELLIPSIS}" if left > line.start else ""
    after = "\N{HORIZONTAL ELLIPSIS}" if right < line.end else ""
    shift = len(before) - left
    return SourceLine(before + part + after, Span(start + shift, end + shift))


def excerpt(report: Report, place: Diagnostic) -> str:
    """Return a finding as text: place, message, and the source line underlined."""
    line, marked = source_line(report.text, report.lines, place)
    pad = "".join("\t" if char == "\t" else " " for char in line[: marked.start])
    under = "^" * max(1, marked.end - marked.start)
    name, message = visible(report.name), visible(place.message)
    return (
        f"{name}:{place.line}:{place.column}: {message} [{place.code} {place.name}]\n"
        f"    {line}\n"
        f"    {pad}{under}"
    )

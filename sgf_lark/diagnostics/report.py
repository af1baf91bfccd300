"""Reports: the diagnostics of one file, and the lines that they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pydantic import PrivateAttr

from sgf_lark.positions import LineIndex, Span

from .diagnostic import Diagnostic, Frozen
from .rules import RULES, SEVERITIES, Severity, at_least
from .terminal import plural, visible


class Report(Frozen):
    """All that was found in one text, in the order of the text.

    Attributes:
        name: What to call the text: a path, or ``"<string>"``.
        text: The text itself, so that a report can be shown without its file.
        diagnostics: The findings; if some were left out, the last one says how many.
        left_out: How many findings of each severity are not among them.
        left_fixable: How many of those have a safe fix, and how many only an unsafe one.
    """

    name: str = "<string>"
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: dict[Severity, int] = {}  # noqa: RUF012  # pydantic copies it
    left_fixable: dict[Severity, tuple[int, int]] = {}  # noqa: RUF012  # pydantic copies it
    _lines: LineIndex | None = PrivateAttr(None)

    @property
    def lines(self) -> LineIndex:
        """Lines and columns of the text, which may be a part of a file."""
        return self._lines or LineIndex(self.text)

    def __iter__(self) -> Iterator[Diagnostic]:  # type: ignore[override]  # a report is its findings
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def __bool__(self) -> bool:
        return bool(self.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Only the findings that the standard forbids."""
        return tuple(one for one in self.diagnostics if one.severity is Severity.ERROR)

    @property
    def counts(self) -> Counter[Severity]:
        """How many findings of each severity there are, those that were left out included."""
        counts = Counter(one.severity for one in self.diagnostics if one.name != "left-out")
        counts.update(self.left_out)
        return counts

    def fixable(self, level: Severity = Severity.INFO) -> tuple[int, int]:
        """Count findings of a level with a safe fix, and with an unsafe one only.

        Those that were left out are counted, too.
        """
        levels = at_least(level)
        shown = _fixable(one for one in self.diagnostics if one.severity in levels)
        left = [counts for one, counts in self.left_fixable.items() if one in levels]
        safe, unsafe = (sum(counts) for counts in zip(shown, *left, strict=True))
        return safe, unsafe

    def capped(self, most: int | None) -> Report:
        """This report with no more than the worst findings, if there are more than ``most``.

        Errors go before warnings and these before infos, and what stands earlier in the
        text before what stands later.  Behind them stands one that says how many were left
        out, as severe as the worst of those.

        Args:
            most: So many are kept; None or 0 for all.
        """
        found = self.diagnostics
        if not most or len(found) <= most:
            return self
        worst_first = sorted(range(len(found)), key=lambda at: SEVERITIES.index(found[at].severity))
        left_out = Counter(found[at].severity for at in worst_first[most:])
        left = [one for one in SEVERITIES if left_out[one]]
        shown = ", ".join(plural(left_out[one], one) for one in left)
        end = LineIndex(self.text).locate(len(self.text))
        notice = Diagnostic(
            code=RULES["left-out"].code,
            name="left-out",
            severity=left[0],
            message=f"more is wrong than is shown: {shown} left out",
            line=end.line,
            column=end.column,
            end_line=end.line,
            end_column=end.column,
            offset=len(self.text),
            end_offset=len(self.text),
            help="ask for more with --max-diagnostics (max_diagnostics=), 0 for all",
        )
        kept = [found[at] for at in sorted(worst_first[:most])]
        dropped = [found[at] for at in worst_first[most:]]
        fixable = {level: _fixable(d for d in dropped if d.severity is level) for level in left}
        update = {"left_out": dict(left_out), "left_fixable": fixable}
        return self.model_copy(update={"diagnostics": (*kept, notice), **update})

    def __str__(self) -> str:
        lines = self.lines
        return "\n".join(excerpt(self, one, lines) for one in self.diagnostics)


def _fixable(diagnostics: Iterable[Diagnostic]) -> tuple[int, int]:
    fixes = [one.fix.safe for one in diagnostics if one.fix is not None]
    return sum(fixes), len(fixes) - sum(fixes)


#: At most this many characters of a source line are shown, around the place.
SHOWN = 100


class SourceLine(NamedTuple):
    """The line of a finding, cut to what can be shown.

    ``marked`` is the part of ``text`` to underline; it may be empty at a line's end.
    """

    text: str
    marked: Span


def source_line(text: str, lines: LineIndex, place: Diagnostic) -> SourceLine:
    """The line on which a finding begins, cut to :data:`SHOWN` characters around it."""
    line = lines.line_span(place.line)
    start = place.offset
    end = max(start, min(place.end_offset, line.end))
    left, right = line
    if right - left > SHOWN:
        left = max(left, start - SHOWN // 3)
        right = min(right, left + SHOWN)
    end = min(end, right)
    shown = "".join(
        char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text[left - lines.start : right - lines.start]
    )
    before = "\N{HORIZONTAL ELLIPSIS}" if left > line.start else ""
    after = "\N{HORIZONTAL ELLIPSIS}" if right < line.end else ""
    shift = len(before) - left
    return SourceLine(before + shown + after, Span(start + shift, end + shift))


def excerpt(report: Report, place: Diagnostic, lines: LineIndex | None = None) -> str:
    """A finding as plain text: place, message, and the source line underlined."""
    shown, marked = source_line(report.text, lines or report.lines, place)
    pad = "".join("\t" if char == "\t" else " " for char in shown[: marked.start])
    under = "^" * max(1, marked.end - marked.start)
    name, message = visible(report.name), visible(place.message)
    return (
        f"{name}:{place.line}:{place.column}: {message} [{place.code} {place.name}]\n"
        f"    {shown}\n"
        f"    {pad}{under}"
    )

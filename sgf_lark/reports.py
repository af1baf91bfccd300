"""How findings are shown: to people, to editors and ``grep``, to programs.

A reporter is given one report after the other and writes each as it comes::

    full      the place, the message, the source line underlined, what to do
    concise   path:line:column: CODE message
    json      one array of objects
    jsonl     one object a line
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from .diagnostics import Diagnostic, Severity, source_line
from .positions import LineIndex

if TYPE_CHECKING:
    from .diagnostics import Report
    from .paths import Unreadable

#: From what matters most to what matters least.
SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}

#: A tab in a source line is shown as so many blanks.
TAB = "    "


class Paper(Console):
    """A console whose reader may leave: the caller hears of it and decides what to do."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class Reporter:
    """Counts what it is given, and shows what matters enough.

    Args:
        console: Where findings go.
        errors: Where complaints about files go.
        level: The least severity to show.
    """

    def __init__(self, console: Console, errors: Console, level: Severity) -> None:
        self.console = console
        self.errors = errors
        self.levels = SEVERITIES[: SEVERITIES.index(level) + 1]
        self.files = 0
        self.unreadable = 0
        self.failed = 0
        self.counts: Counter[Severity] = Counter()

    def begin(self) -> None:
        """Write what comes before all findings."""

    def add(self, report: Report) -> None:
        """Write what was found in one file."""
        self.files += 1
        self.counts.update(report.counts)
        self.failed += any(one.name == "failed-check" for one in report.diagnostics[:1])
        self.show(report, [one for one in report if one.severity in self.levels])

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        """Write those findings of a report that are to be shown."""

    def add_unreadable(self, one: Unreadable) -> None:
        """Write that a file cannot be read."""
        self.unreadable += 1
        text = f"sgf-lark: cannot read {visible(one.path)}: {visible(one.reason)}"
        self.errors.print(Text(text), soft_wrap=True)

    def end(self) -> None:
        """Write what comes after all findings."""

    @property
    def exit_code(self) -> int:
        """0: nothing wrong; 1: an error or a warning was shown; 2: a file was not read."""
        if self.unreadable or self.failed:
            return 2
        serious = {Severity.ERROR, Severity.WARNING}.intersection(self.levels)
        return int(any(self.counts[one] for one in serious))


# ---- for people ----


class _TextReporter(Reporter):
    """What the reports for people share: they end in a line that sums up."""

    def end(self) -> None:
        shown = _counted(self.counts, self.levels) or "nothing wrong"
        text = f"{_plural(self.files, 'file')}: {shown}"
        hidden = [one for one in SEVERITIES if one not in self.levels and self.counts[one]]
        if hidden:
            text += f"; {_counted(self.counts, hidden)} not shown (--level {hidden[-1]})"
        if self.unreadable:
            text += f"; {_plural(self.unreadable, 'file')} could not be read"
        self.console.print(Text(text), soft_wrap=True)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s'[: count != 1]}"


def _counted(counts: Counter[Severity], severities: list[Severity] | tuple[Severity, ...]) -> str:
    return ", ".join(_plural(counts[one], one.value) for one in severities if counts[one])


class ConciseReporter(_TextReporter):
    """One line a finding, as compilers write it."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        name = visible(report.name)
        for one in shown:
            line = Text.assemble(
                (name, "bold"),
                f":{one.line}:{one.column}: ",
                (one.code, STYLES[one.severity]),
                f" {visible(one.message)}",
            )
            self.console.print(line, soft_wrap=True)


class FullReporter(_TextReporter):
    """Everything a person needs to find the place and to mend it."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        lines = LineIndex(report.text)
        several = any(one.game for one in report)
        for one in shown:
            text = Text.assemble(
                (f"{visible(report.name)}:{one.line}:{one.column}", "bold"),
                ": ",
                (one.severity.value, STYLES[one.severity]),
                f": {visible(one.message)} ",
                (f"[{one.code} {one.name}]", "dim"),
                "\n",
            )
            gutter = max(5, len(str(one.line)) + 1)
            excerpt = self._excerpt(report, one, lines, gutter)
            if excerpt.marked or excerpt.before:
                text.append(f"{one.line:>{gutter}} | ", "dim")
                text.append("".join(excerpt) + "\n")
                text.append(f"{'':>{gutter}} | ", "dim")
                under = "^" * max(1, cell_len(excerpt.marked))
                text.append(" " * cell_len(excerpt.before) + under + "\n", STYLES[one.severity])
            where = whereabouts(one, several=several)
            if where:
                text.append(f"{'':>{gutter}}   {where}\n", "dim")
            if one.help:
                text.append(f"{'':>{gutter}}   ").append("help: ", "green")
                text.append(f"{visible(one.help)}\n")
            self.console.print(text, soft_wrap=True)

    def _excerpt(self, report: Report, one: Diagnostic, lines: LineIndex, gutter: int) -> Excerpt:
        shown, (start, end) = source_line(report.text, lines, one)
        parts = (shown[:start], shown[start:end], shown[end:])
        excerpt = Excerpt(*(part.replace("\t", TAB) for part in parts))
        if not self.console.is_terminal:
            return excerpt
        return excerpt.cropped(self.console.width - gutter - len(" | "))


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


def visible(text: str) -> str:
    r"""A text for one line of a terminal: control characters are written as ``\n``, ``\x1b``."""
    if text.isprintable():
        return text
    return "".join(
        char
        if char.isprintable() or unicodedata.category(char) == "Zs"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


# ---- for programs ----


class _DataReporter(Reporter):
    """What the reports for programs share: each finding is one JSON object."""

    def show(self, report: Report, shown: list[Diagnostic]) -> None:
        for one in shown:
            self.item({"file": report.name, **one.model_dump(mode="json")})

    def add_unreadable(self, one: Unreadable) -> None:
        super().add_unreadable(one)
        known = {
            "file": one.path,
            "code": "F001",
            "name": "unreadable-file",
            "severity": "error",
            "message": one.reason,
        }
        self.item(known | {name: None for name in Diagnostic.model_fields if name not in known})

    def item(self, item: dict[str, object]) -> None:
        """Write one object."""
        self.write(self.as_json(item) + "\n")

    def as_json(self, item: dict[str, object]) -> str:
        ascii_only = self.console.encoding.replace("-", "") != "utf8"
        return json.dumps(item, ensure_ascii=ascii_only)

    def write(self, text: str) -> None:
        """Write it as it is; a console for people may think of wrapping lines."""
        self.console.file.write(text)


class JsonlReporter(_DataReporter):
    """One object a line."""


class JsonReporter(_DataReporter):
    """One array of all objects."""

    _first = True

    def begin(self) -> None:
        self.write("[")

    def item(self, item: dict[str, object]) -> None:
        self.write(("\n" if self._first else ",\n") + self.as_json(item))
        self._first = False

    def end(self) -> None:
        self.write("]\n" if self._first else "\n]\n")


REPORTERS: dict[str, type[Reporter]] = {
    "full": FullReporter,
    "concise": ConciseReporter,
    "json": JsonReporter,
    "jsonl": JsonlReporter,
}

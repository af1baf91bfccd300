"""Diagnostics: findings about a game record, as data.

A :class:`Diagnostic` has a rule, a place, a severity, a message and perhaps a fix.  A
:class:`Report` has all diagnostics of one text.  An exception carries a report::

    SgfError (ValueError)
    ├── SgfSyntaxError        the text does not follow the grammar of its format
    ├── SgfValidationError    the text parses, but its content breaks the standard
    ├── SettingsError         a settings file is invalid
    └── SgfGrammarError       a custom grammar has errors
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from sgf_lark.places import LineColumn, LineIndex, Span
from sgf_lark.schema.frozen import Frozen

from .rules import RULES, Severity


class Edit(Frozen):
    """Replace ``text[offset:end_offset]`` by ``replacement``."""

    offset: int
    end_offset: int
    replacement: str


class Fix(Frozen):
    """Edits of the text that fix a finding, made together or not at all.

    A ``safe`` fix keeps every fact of the record; a person should look at the result of any
    other.  Only a fix that ``removes`` something may drop a stone, a move or a text; its message
    names it.  Some fixes need the file to be written in another ``encoding``.
    """

    message: str
    safe: bool
    edits: tuple[Edit, ...]
    encoding: str | None = None
    removes: bool = False


class Diagnostic(Frozen):
    """One finding.

    Attributes:
        code: Stable code for programs: a letter for the group and a number.
        name: Stable name for people: a key of :data:`RULES`.
        severity: error, warning or info.
        message: One sentence, without a full stop.
        line, column: The first character of the place, from 1.
        end_line, end_column: The end of the place, from 1, exclusive.
        offset, end_offset: The place in characters, from 0; the end is exclusive.
        game: Number of the game in the file, from 0; None outside games.
        node_path: The node, in the form of :attr:`sgf_lark.Node.path`.
        move_number: Number of moves up to and including that node.
        property: Identifier in capitals.
        value_index: Number of the value in the property, from 0.
        help: The change to make; "" if the message says it.
        fix: That change as edits of the text, if it is known.
    """

    code: str
    name: str
    severity: Severity
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    end_offset: int
    game: int | None = None
    node_path: str | None = None
    move_number: int | None = None
    property: str | None = None
    value_index: int | None = None
    help: str = ""
    fix: Fix | None = None

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity} {self.code} {self.message}"

    def is_fixable(self, *, unsafe: bool = False) -> bool:
        """Return whether there is a fix; an unsafe one counts only on demand."""
        return self.fix is not None and (unsafe or self.fix.safe)


def describe_place(finding: Diagnostic, *, several: bool) -> str:
    """Return the place of a finding in the game: ``game 2, move 14, in a variation``.

    Args:
        finding: The finding.
        several: Its file has more than one game.
    """
    parts = []
    if several and finding.game is not None:
        parts.append(f"game {finding.game + 1}")
    if finding.move_number:
        parts.append(f"move {finding.move_number}")
    if finding.node_path is not None and "." in finding.node_path:
        parts.append("in a variation")
    return ", ".join(parts)


#: Data of a finding for programs: no code reads its message.
Facts: TypeAlias = Mapping[str, str | int]

NO_FACTS: Facts = {}


#: Where a finding stands that nobody has placed yet: at the beginning of the text.
NOWHERE = Span(0, 0)


class Finding(NamedTuple):
    """A diagnostic in the making: only what its finder knows.

    A check of values knows the value; a check of a node adds the property; a check of a game
    adds the node.  :func:`sgf_lark.check.findings.complete_finding` derives the rest from these
    numbers: span, path, identifier, and the fix of a replacement.

    Attributes:
        name: A key of :data:`RULES`.
        message, help: As in a diagnostic.
        span: Its place in the text.
        severity: None for that of its rule.
        game, node_path, move_number, property, value_index, fix: As in a diagnostic.
        at: Where it begins and ends, for a place of which the text may be gone.
        note: A further sentence, shown after the help.
        gone: The values that its fix removes.
        node: The number of its node.
        property_index: Which property of the node, from 0.
        within: Which characters of the value, where it is not about all of them.
        replacement: What the value should be instead, where that keeps all it says.
        facts: What other code needs to know about it.
    """

    name: str
    message: str
    span: Span = NOWHERE
    help: str = ""
    severity: Severity | None = None
    game: int | None = None
    node_path: str | None = None
    move_number: int | None = None
    property: str | None = None
    value_index: int | None = None
    fix: Fix | None = None
    at: tuple[LineColumn, LineColumn] | None = None
    note: str = ""
    gone: Sequence[int] = ()
    node: int | None = None
    property_index: int | None = None
    within: Span | None = None
    replacement: str | None = None
    facts: Facts = NO_FACTS

    def moved(self, by: int) -> Finding:
        """Return the finding with its offsets increased by a number of characters."""
        if not by:
            return self
        fix = self.fix
        if fix is not None:
            edits = tuple(
                Edit(
                    offset=edit.offset + by,
                    end_offset=edit.end_offset + by,
                    replacement=edit.replacement,
                )
                for edit in fix.edits
            )
            fix = fix.model_copy(update={"edits": edits})
        return self._replace(span=Span(self.span.start + by, self.span.end + by), fix=fix)

    def located(self, lines: LineIndex) -> Diagnostic:
        """Return the diagnostic of the finding, with lines and columns."""
        rule = RULES[self.name]
        start, end = self.at or lines.places(self.span)
        return Diagnostic(
            code=rule.code,
            name=rule.name,
            severity=severity_of(self),
            message=self.message,
            line=start.line,
            column=start.column,
            end_line=end.line,
            end_column=end.column,
            offset=self.span.start,
            end_offset=self.span.end,
            game=self.game,
            node_path=self.node_path,
            move_number=self.move_number,
            property=self.property,
            value_index=self.value_index,
            help="; ".join(filter(None, (self.help, self.note))),
            fix=self.fix,
        )


def severity_of(finding: Finding) -> Severity:
    """Return the severity of a finding: its own, or else that of its rule."""
    return finding.severity or RULES[finding.name].severity


#: Limit of characters of a value in a message.
_MAX_SHOWN = 30


def shorten(text: str, length: int = _MAX_SHOWN) -> str:
    """Return a value as messages show it: on one line, cut to 30 characters."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"

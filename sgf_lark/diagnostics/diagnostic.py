"""What can be wrong with a game record, and the exceptions that say so.

A :class:`Diagnostic` is data: what, where, how bad, and what to do about it.
A :class:`Report` is all of them for one text.  An exception carries a report::

    SgfError (ValueError)
    ├── SgfSyntaxError        the text does not follow the grammar of its format
    ├── SgfValidationError    the text parses; what it says breaks the standard
    ├── SettingsError         a settings file is not understood
    └── SgfGrammarError       a grammar of one's own is not well made
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict

from sgf_lark.positions import LineIndex, Position, Span

from .rules import RULES, Severity


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Edit(Frozen):
    """Replace ``text[offset:end_offset]`` by ``replacement``."""

    offset: int
    end_offset: int
    replacement: str


class Fix(Frozen):
    """A way out: edits of the text, made together or not at all.

    ``safe`` edits keep every fact of the record; others need a person's eye.  Only a fix that
    ``removes`` something may drop a stone, a move or a text; its message names it.  Some
    fixes want the file to be written in another ``encoding``.
    """

    message: str
    safe: bool
    edits: tuple[Edit, ...]
    encoding: str | None = None
    removes: bool = False


class Diagnostic(Frozen):
    """One finding.

    Attributes:
        code: Stable, for programs: a letter for the group and a number.
        name: Stable, for people: a key of :data:`RULES`.
        severity: error, warning or info.
        message: One sentence in the words of the game record, without a full stop.
        line, column: First character at fault, from 1.
        end_line, end_column: Just behind the last one.
        offset, end_offset: The same in characters from 0; half-open.
        game: Which game of the file, from 0; None outside games.
        node_path: The node, as :attr:`sgf_lark.Node.path` writes it.
        move_number: Moves played up to and including that node.
        property: Identifier in capitals.
        value_index: Which value of the property, from 0.
        help: What to do; empty if there is nothing to add.
        fix: The same as edits of the text, where they are known.
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


#: Data of a finding for programs: no code reads its message.
Facts: TypeAlias = Mapping[str, str | int]

NO_FACTS: Facts = {}


#: Where a finding stands that nobody has placed yet: at the beginning of the text.
NOWHERE = Span(0, 0)


class Finding(NamedTuple):
    """A diagnostic in the making: only what its finder knows.

    A check of values knows the value; a check of a node adds the property; a check of a game
    adds the node.  :func:`sgf_lark.check.findings.completed` derives the rest from these
    numbers: span, path, identifier, and the fix of a replacement.

    Attributes:
        name: A key of :data:`RULES`.
        message, help: As in a diagnostic.
        span: Where it stands in the text.
        severity: None for that of its rule.
        game, node_path, move_number, property, value_index, fix: As in a diagnostic.
        at: Where it begins and ends, for a place of which the text may be gone.
        note: What else there is to say behind the help.
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
    at: tuple[Position, Position] | None = None
    note: str = ""
    gone: Sequence[int] = ()
    node: int | None = None
    property_index: int | None = None
    within: Span | None = None
    replacement: str | None = None
    facts: Facts = NO_FACTS

    def moved(self, by: int) -> Finding:
        """The finding in a text that begins so many characters earlier."""
        if not by:
            return self
        fix = self.fix
        if fix is not None:
            edits = tuple(
                Edit(
                    offset=one.offset + by,
                    end_offset=one.end_offset + by,
                    replacement=one.replacement,
                )
                for one in fix.edits
            )
            fix = fix.model_copy(update={"edits": edits})
        return self._replace(span=Span(self.span.start + by, self.span.end + by), fix=fix)

    def located(self, lines: LineIndex) -> Diagnostic:
        """The finding with lines and columns, as users see it."""
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


def severity_of(found: Finding) -> Severity:
    """How much a finding matters: as it says itself, or else as its rule does."""
    return found.severity or RULES[found.name].severity


_SHOWN = 30


def shorten(text: str) -> str:
    """A value as a message shows it: on one line, and not too long."""
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "\N{HORIZONTAL ELLIPSIS}"

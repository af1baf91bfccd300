"""Diagnostics: findings about a game record, as data."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from sgf_lark.core.places import LineIndex, Span
from sgf_lark.core.schema.frozen import Frozen, Late, made, maker

from .finding import Finding, Severity


class Edit(Frozen):
    """Replace ``text[offset:end_offset]`` by ``replacement``.

    Attributes:
        offset, end_offset: The place in characters, from 0; the end is exclusive.
        replacement: The new text.
    """

    offset: int
    end_offset: int
    replacement: str


#: Makes an edit of valid parts, which nothing checks again.
new_edit = maker(Edit, "offset", "end_offset", "replacement")


class Fix(Frozen):
    """Edits of the text that fix a finding, made together or not at all.

    Nobody who knows the game could have meant something else than a ``safe`` fix writes; a person
    should look at the result of any other.  Only a fix that ``removes`` something may drop a
    stone, a move or a text; its message names it.  Some fixes need the file to be written in
    another ``encoding``.

    Attributes:
        message: What the fix does, in words.
        safe: Nobody could have meant something else.
        edits: The changes of the text.
        encoding: The encoding in which the file is written; None for its own.
        removes: A stone, a move or a text may go.
    """

    message: str
    safe: bool
    edits: tuple[Edit, ...]
    encoding: str | None = None
    removes: bool = False

    def moved(self, by: int) -> "Fix":
        """Return the fix with its offsets increased by a number of characters."""
        edits = tuple(
            new_edit(edit.offset + by, edit.end_offset + by, edit.replacement)
            for edit in self.edits
        )
        return self.model_copy(update={"edits": edits})


_new_fix = maker(Fix, "message", "safe", "edits", "encoding", "removes")


def new_fix(
    message: str,
    edits: Iterable[Edit],
    *,
    safe: bool,
    encoding: str | None = None,
    removes: bool = False,
) -> Fix:
    """Return a fix of valid parts, which nothing checks again."""
    return _new_fix(message, safe, tuple(edits), encoding, removes)


class Diagnostic(Late):
    """One finding.

    One that was just found is completed when somebody looks at more than its rule, its message
    and its offsets.

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

    @classmethod
    def of(cls, finding: Finding, lines: LineIndex) -> "Diagnostic":
        """Return the diagnostic of a finding, which is completed when somebody looks."""
        known = {
            "code": finding.rule.code,
            "name": finding.rule.name,
            "severity": finding.severity,
            "message": finding.message,
            "offset": finding.span.start,
            "end_offset": finding.span.end,
            "game": finding.game,
            "property": finding.property,
            "value_index": finding.value_index,
        }
        diagnostic = made(Diagnostic, known, _FIELDS)
        diagnostic.complete_by(partial(_rest, finding, lines))
        return diagnostic

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity} {self.code} {self.message}"

    def is_fixable(self, *, unsafe: bool = False) -> bool:
        """Return whether there is a fix; an unsafe one counts only on demand."""
        return self.fix is not None and (unsafe or self.fix.safe)


_FIELDS = set(Diagnostic.model_fields)


def _rest(finding: Finding, lines: LineIndex) -> dict[str, Any]:
    complete = finding.completed()
    start, end = finding.at or lines.places(finding.span)
    return {
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "node_path": complete.node_path,
        "move_number": complete.move_number,
        "help": "; ".join(filter(None, (complete.help, complete.note))),
        "fix": complete.fix,
    }


def describe_place(finding: Diagnostic, *, several: bool) -> str:
    """Return ``game 2, move 14, in a variation``; the game if its file has several."""
    parts = []
    if several and finding.game is not None:
        parts.append(f"game {finding.game + 1}")
    if finding.move_number:
        parts.append(f"move {finding.move_number}")
    if finding.node_path is not None and "." in finding.node_path:
        parts.append("in a variation")
    return ", ".join(parts)


#: Limit of characters of a value in a message.
_MAX_SHOWN = 30


def shorten(text: str, length: int = _MAX_SHOWN) -> str:
    """Return a value as messages show it: on one line, cut to 30 characters."""
    return cut(" ".join(text.split()), length)


def cut(text: str, length: int) -> str:
    """Return a text of at most some characters; three dots show that its end is missing."""
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"


def make_fix(message: str, *edits: Edit, safe: bool = True, removes: bool = False) -> Fix:
    ordered = tuple(sorted(edits, key=lambda edit: edit.offset))
    return new_fix(message, ordered, safe=safe, removes=removes)


def insertion(at: int, text: str) -> Edit:
    return new_edit(at, at, text)


def deletion(span: Span) -> Edit:
    return new_edit(*span, "")


def substitution(span: Span, text: str) -> Edit:
    return new_edit(*span, text)


#: Limit of a text in the title of the fix that removes it: 40 characters and an ellipsis.
MAX_QUOTED = 41

"""Findings while a record is checked, and their rules: what a check reports, as data."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.places import LineColumn, LineIndex, Span
from sgf_lark.schema.frozen import made

from .diagnostic import Diagnostic, Edit, Fix, Severity

_GIVEN = set(Diagnostic.model_fields)

#: Data of a finding for programs: no code reads its message.
Facts: TypeAlias = Mapping[str, str | int]

NO_FACTS: Facts = {}


#: The place of a finding that is not known yet: the beginning of the text.
NOWHERE = Span(0, 0)

#: The groups of rules, by the first letter of their codes.
GROUPS = {
    "F": "file",
    "S": "syntax",
    "T": "structure",
    "V": "value",
    "E": "encoding",
    "G": "game",
    "C": "conversion",
    "D": "dialect",
    "L": "laboratory",
}


class Rule(NamedTuple):
    """One kind of finding: a row of :data:`.RULES`.

    Attributes:
        code, name: Stable identifiers.
        severity: The default severity.
        summary: The finding in a few words.
        strict: It is checked only on request.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    strict: bool = False

    @property
    def group(self) -> str:
        """Name of its group, by the first letter of its code."""
        return GROUPS[self.code[0]]

    def found(
        self,
        message: str,
        span: Span = NOWHERE,
        help: str = "",
        severity: Severity | None = None,
        *,
        game: int | None = None,
        node_path: str | None = None,
        move_number: int | None = None,
        property: str | None = None,
        value_index: int | None = None,
        fix: Fix | None = None,
        at: tuple[LineColumn, LineColumn] | None = None,
        gone: Sequence[int] = (),
        node: int | None = None,
        property_index: int | None = None,
        within: Span | None = None,
        replacement: str | None = None,
        facts: Facts = NO_FACTS,
    ) -> Finding:
        """Return a finding of the rule; see :class:`Finding`.

        Args:
            severity: None for that of the rule.
        """
        return Finding(
            self,
            message,
            span,
            help,
            severity or self.severity,
            game,
            node_path,
            move_number,
            property,
            value_index,
            fix,
            at,
            "",
            gone,
            node,
            property_index,
            within,
            replacement,
            facts,
            (),
        )


class Finding(NamedTuple):
    """A diagnostic in the making: only what its finder knows.

    A check of values knows the value; a check of a node adds the property; a check of a game
    adds the node.  :func:`sgf_lark.check.findings.place_finding` derives the rest from these
    numbers: span and identifier, and path, move number and fix when somebody looks at them.

    Attributes:
        rule: The kind of finding.
        message, help, severity: As in a diagnostic.
        span: Its place in the text.
        game, node_path, move_number, property, value_index, fix: As in a diagnostic.
        at: Where it begins and ends, for a place of which the text may be gone.
        note: A further sentence, shown after the help.
        gone: The values that its fix removes.
        node: The number of its node.
        property_index: Which property of the node, from 0.
        within: Which characters of the value, where it is not about all of them.
        replacement: What the value should be instead, where that keeps all it says.
        facts: What other code needs to know about it.
        later: What adds the rest, one after the other; see :meth:`completed`.
    """

    rule: Rule
    message: str
    span: Span
    help: str
    severity: Severity
    game: int | None
    node_path: str | None
    move_number: int | None
    property: str | None
    value_index: int | None
    fix: Fix | None
    at: tuple[LineColumn, LineColumn] | None
    note: str
    gone: Sequence[int]
    node: int | None
    property_index: int | None
    within: Span | None
    replacement: str | None
    facts: Facts
    later: tuple[Callable[[Finding], Finding], ...]

    @builtins.property
    def name(self) -> str:
        """The name of its rule."""
        return self.rule.name

    @builtins.property
    def is_placed(self) -> bool:
        """Its place in the text is known, if it has one."""
        return self.node is None or bool(self.later) or self.node_path is not None

    def of(self, rule: Rule, severity: Severity | None = None) -> Finding:
        """Return the finding as one of another rule."""
        return self._replace(rule=rule, severity=severity or rule.severity)

    def completed(self) -> Finding:
        """Return the finding with its node path, move number, help and fix."""
        finding = self
        for add in self.later:
            finding = add(finding)
        return finding._replace(later=()) if self.later else self

    def moved(self, by: int) -> Finding:
        """Return a complete finding with its offsets increased by a number of characters."""
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
        """Return the diagnostic of the finding, which completes itself when somebody looks."""
        known = {
            "code": self.rule.code,
            "name": self.rule.name,
            "severity": self.severity,
            "message": self.message,
            "offset": self.span.start,
            "end_offset": self.span.end,
            "game": self.game,
            "property": self.property,
            "value_index": self.value_index,
        }
        diagnostic = made(Diagnostic, known, _GIVEN)
        diagnostic.complete_by(partial(self._rest, lines))
        return diagnostic

    def _rest(self, lines: LineIndex) -> dict[str, Any]:
        """Return the other fields of the diagnostic."""
        complete = self.completed()
        start, end = self.at or lines.places(self.span)
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

"""Findings while a record is checked, and the registry of their rules: code, name, severity.

A rule is registered in the module that finds it, above its function::

    REPEATED_POINT = register("V308 repeated-point error: a point twice in a list")

Source: the pages of the catalogue name that of each rule.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from sgf_lark.core import late
from sgf_lark.core.places import LineColumn, Span

#: A :class:`.Fix`: a model of pydantic, without which completion of options lists the rules.
AnyFix: TypeAlias = Any


class Severity(StrEnum):
    """The severity of a finding.

    error: the standard forbids it.  warning: doubtful, or repaired without
    breaking a rule.  info: usual in real files, or an assumption.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


#: The values of :class:`Severity`, as texts.
SeverityName: TypeAlias = Literal["error", "warning", "info"]


def at_least(level: Severity) -> tuple[Severity, ...]:
    """Return a severity and the higher ones."""
    return SEVERITIES[: SEVERITIES.index(level) + 1]


#: The severities, the highest first.
SEVERITIES = Severity.ERROR, Severity.WARNING, Severity.INFO

#: Data of a finding for programs: no code reads its message.
Facts: TypeAlias = Mapping[str, str | int]

NO_FACTS: Facts = {}

#: The fact of a finding about a point that its node sets or marks: where in the message the point
#: ends, and its players' name follows.
POINT_END = "point_end"

#: The fact of a finding of which one is enough for a file: which one of its rule.
ONCE = "once"


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
        fix: AnyFix | None = None,
        at: tuple[LineColumn, LineColumn] | None = None,
        gone: Sequence[int] = (),
        node: int | None = None,
        property_index: int | None = None,
        within: Span | None = None,
        replacement: str | None = None,
        facts: Facts = NO_FACTS,
    ) -> Finding:
        """Return a finding of the rule; see :class:`~sgf_lark.core.findings.finding.Finding`.

        Args:
            severity: None for that of the rule.
        """
        place = game, node_path, move_number, property, value_index
        numbers = node, property_index, within
        severity = severity or self.severity
        head = self, message, span, help, severity
        return Finding(*head, *place, fix, at, "", gone, *numbers, replacement, facts, ())

    def in_root(
        self,
        message: str,
        help: str,
        place: int | None,
        value: int | None = 0,
        severity: Severity | None = None,
    ) -> Finding:
        """Return a finding of the rule about a property of the first node.

        Args:
            message, help, severity: As for :meth:`found`.
            place: Which property of the node, from 0.
            value: Which of its values, from 0; None for all of it.
        """
        found = self.found(message, NOWHERE, help, severity)
        return found._replace(node=0, property_index=place, value_index=value)


class Finding(NamedTuple):
    """A diagnostic in the making: only what its finder knows.

    A check of values knows the value; a check of a node adds the property; a check of a game
    adds the node.  :func:`sgf_lark.core.check.findings.place_finding` derives the rest from these
    numbers: span and identifier, and path, move number and fix when somebody looks at them.

    Attributes:
        at: Where it begins and ends, for a place of which the text may be gone.
        note: A further sentence, shown after the help.
        gone: The values that its fix removes.
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
    fix: AnyFix | None
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
        return self.rule.name

    @builtins.property
    def is_placed(self) -> bool:
        """Its place in the text is known, if it has one."""
        return self.node is None or bool(self.later) or self.node_path is not None

    def as_one_of(self, rule: Rule, severity: Severity | None = None) -> Finding:
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
        fix = None if self.fix is None else self.fix.moved(by)
        return self._replace(span=Span(self.span.start + by, self.span.end + by), fix=fix)

    def counted(self, by: int) -> Finding:
        """Return the finding with the number of its game increased."""
        return self if self.game is None or not by else self._replace(game=self.game + by)


_registered: dict[str, Rule] = {}


def register(line: str, *, strict: bool = False) -> Rule:
    """Register a rule and return it.

    Args:
        line: Code, name, default severity, and the finding in a few words.  The code is the letter
            of the group and three digits: F for files, S syntax, T structure of the tree, V values,
            E encoding, G rules of the games, C conversions, D nonstandard output of programs, usual
            in real files, L custom grammars.  Codes and names are never reused.
        strict: It is checked only on request.

    Raises:
        ValueError: Another rule has the code or the name.
    """
    head, _, summary = line.partition(": ")
    code, name, severity = head.split()
    known = [*_registered.values()]  # at once: another thread may register, too
    if name in _registered or code in {rule.code for rule in known}:
        raise ValueError(f"another rule is registered as {code} or {name}")
    rule = _registered[name] = Rule(code, name, Severity(severity), summary, strict)
    return rule


class Rules(Mapping[str, Rule]):
    """All rules by name, in the order of groups and codes."""

    def __getitem__(self, name: str) -> Rule:
        return _registered.get(name) or self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @cached_property
    def _all(self) -> dict[str, Rule]:
        late.rule_modules()
        groups = [*GROUPS]
        rules = sorted(_registered.values(), key=lambda one: (groups.index(one.code[0]), one.code))
        return {rule.name: rule for rule in rules}


#: All rules by name.
RULES = Rules()

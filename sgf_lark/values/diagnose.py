"""Diagnosis: the findings about values that do not fit their property."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Any, Protocol

from sgf_lark.diagnostics.diagnostic import Severity, shorten
from sgf_lark.diagnostics.finding import Finding
from sgf_lark.diagnostics.rules import RULES
from sgf_lark.places import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.frozen import made
from sgf_lark.schema.games import Game
from sgf_lark.schema.properties import Category, Count, Group, PropertyRule
from sgf_lark.schema.values import PASS, Application, Invalid, Value

from .types import DOUBTFUL, MANDATORY_FORMS, PLAIN_TEXTS, Impossible, NotOfType

#: Limit of a list of dates in which the wrong one is searched: the search is quadratic.
MAX_SEARCHED_DATES = 100


class ValueReader(Protocol):
    """The reader of one format and game, as far as a diagnosis asks it."""

    @property
    def format(self) -> Format:
        """The format version."""

    @property
    def game(self) -> Game:
        """The game."""

    def read(self, kind: str, text: str) -> Any:
        """Read one text by one start symbol."""

    def of_rule(self, rule: PropertyRule, raw: str) -> Value:
        """Read by the rule's type, and by its form if it has one."""

    def of_types(self, rule: PropertyRule, raw: str) -> Value:
        """Read by the first alternative of the rule's type that fits."""

    def in_ff4(self, rule: PropertyRule, raw: str) -> Value | None:
        """Return the value as FF[4] reads it, where this format is older."""

    def fits(self, rule: PropertyRule, raw: str) -> bool:
        """Return True if a text is a value of a property."""

    def words(self, rule: PropertyRule) -> str:
        """Describe the values of a property in words that fit after "expected"."""

    def mismatch(self, rule: PropertyRule) -> str:
        """Describe the custom rule that a value does not match; "" if other words do."""


class Diagnosis:
    """The finding about a value that its reader does not accept.

    Args:
        reader: The reader.
    """

    def __init__(self, reader: ValueReader) -> None:
        self._reader = reader

    def misfit(
        self, rule: PropertyRule, raw: str, error: NotOfType
    ) -> tuple[Value, Finding | None]:
        """Return the value to use, and the finding."""
        why = ""
        if isinstance(error, Impossible):
            if rule.form == "dates":
                return self._no_such_date(rule, raw)
            why = str(error) if rule.type == "board" else ""
        ident, expected = rule.ident, self._reader.words(rule)
        invalid = _invalid(raw, expected)
        if rule.form and rule.types in PLAIN_TEXTS:
            return self._other_form(rule, raw, invalid)
        for attempt in (self._without_space, self._go_style, self._of_ff4):
            result = attempt(rule, raw)
            if result is not None:
                return result
        shown = shorten(raw)
        problem = why or self._reader.mismatch(rule) or f"expected {expected}"
        message = f"invalid value {shown!r} for {ident}: {problem}"
        help_ = f"write {expected}" if why else self._in_brackets(rule, raw)
        value = raw if rule.types in PLAIN_TEXTS else invalid  # the end cuts off an escape
        return value, RULES["wrong-value"].found(message, help=help_, facts={"value": shown})

    def _in_brackets(self, rule: PropertyRule, raw: str) -> str:
        """Return the help for values of a list that share their brackets."""
        parts = raw.replace(",", " ").replace(";", " ").split()
        if (
            rule.count is Count.ONE
            or len(parts) == 1
            or not all(self._reader.fits(rule, part) for part in parts)
        ):
            return ""
        listed = rule.ident + "".join(f"[{part}]" for part in parts)
        return f"give each its own brackets: {shorten(listed)}"

    def _without_space(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """Read a value without its white space."""
        squeezed = "".join(raw.split())
        if squeezed == raw or rule.is_text:
            return None
        try:
            value = self._reader.of_rule(rule, squeezed)
        except NotOfType:
            return None
        severity = Severity.ERROR if self._reader.format is Format.FF4 else Severity.WARNING
        message = f"white space in a value of {rule.ident}, which is not text"
        help_ = f"write {rule.ident}[{shorten(squeezed)}]"
        return value, RULES["white-space-in-value"].found(
            message, help=help_, severity=severity, replacement=squeezed
        )

    def _go_style(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """Read a point in Go coordinates, which some programs write in other games."""
        kind = rule.types[0][0]
        if self._reader.game.grammar is None or kind not in DOUBTFUL:
            return None
        try:
            value = self._reader.read(f"{kind}_go_style", raw)
        except (NotOfType, LookupError):
            return None
        message = f"'{shorten(raw)}' is a point of {self._reader.game.name} in Go coordinates"
        return value, RULES["go-style-point"].found(message)

    def _of_ff4(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """Read a value of an old game by the grammar of FF[4]."""
        value = self._reader.in_ff4(rule, raw)
        if value is None:
            return None
        form = "compressed point list " if rule.is_points and ":" in raw else ""
        message = (
            f"{form}{rule.ident}[{shorten(raw)}] needs FF[4];"
            f" this game is {self._reader.format.shown}"
        )
        return value, RULES["newer-form"].found(
            message, help="declare FF[4], or write it the old way"
        )

    def judges_empty(self, rule: PropertyRule) -> bool:
        """Return True if ``[]`` may be something else than the rule reads; see :meth:`empty`."""
        return rule.types in PLAIN_TEXTS or self._is_old_move(rule)

    def _is_old_move(self, rule: PropertyRule) -> bool:
        old = self._reader.format in {Format.FF1, Format.FF3}
        return old and rule.category is Category.MOVE and rule.type == "move"

    def empty(self, rule: PropertyRule, *, alone: bool) -> tuple[Value, Finding | None] | None:
        """Return the value of ``[]`` and its finding; None where it is an ordinary value."""
        ident = rule.ident
        if rule.types in PLAIN_TEXTS and Group.EMPTY not in rule.groups:
            if self._reader.format is Format.GGF:
                return None
            return "", RULES["empty-text"].found(f"{ident}[] is empty", help=f"remove {ident}")
        old = self._reader.format in {Format.FF1, Format.FF3}
        if self._is_old_move(rule):
            message = f"pass {ident}[] needs FF[4]; this game is {self._reader.format.shown}"
            severity = Severity.WARNING
            return PASS, RULES["newer-form"].found(
                message, help="write 'tt', or declare FF[4]", severity=severity
            )
        try:
            self._reader.of_rule(rule, "")
        except NotOfType:
            # The grammars of FF[1] and FF[3] allow [] everywhere, without a meaning.
            severity = Severity.WARNING if old else Severity.ERROR
            name = "mixed-empty-value" if rule.count is Count.ELIST else "empty-value"
            expected = self._reader.words(rule)
            message = f"empty value for {ident}: expected {expected}"
            help_ = f"remove {ident}[]" if alone else "remove the '[]'"
            if rule.type in {"move", "played"}:
                help_ = "write the move"
            problem = RULES[name].found(message, help=help_, severity=severity)
            return _invalid("", expected), problem
        return None

    def _other_form(
        self, rule: PropertyRule, raw: str, invalid: Invalid
    ) -> tuple[Value, Finding | None]:
        """Read a text without its form: an error only where the form is mandatory."""
        shown = shorten(raw)
        facts = {"value": shown}
        message = f"invalid value {shown!r} for {rule.ident}: expected {invalid.expected}"
        if raw != shown and self._reader.fits(rule, shown):
            message = f"white space in {rule.ident}[{shown}]: expected {invalid.expected}"
        if self._reader.format is Format.FF4 and rule.form in MANDATORY_FORMS:
            return invalid, RULES["wrong-form"].found(message, facts=facts)
        try:
            text = self._reader.of_types(rule, raw)
        except NotOfType:  # the end of the file cuts off an escape
            return invalid, RULES["wrong-value"].found(message, facts=facts)
        newer = self._reader.in_ff4(rule, raw)
        return newer or text, None if newer else RULES["unusual-form"].found(message, facts=facts)

    def _no_such_date(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding]:
        """Report a date that no calendar has; before FF[4] it remains a text."""
        within = self._first_wrong(rule, raw)
        day = raw[slice(*within)]
        if within.start and within.end - within.start < len("MM-DD"):
            day = raw
        message = f"{shorten(day)!r} is not a real date{_why_no_date(day)}"
        help_ = "dates are written year, month, day: 1996-05-27"
        invalid = _invalid(raw, self._reader.words(rule))
        if self._reader.format is Format.FF4:
            return invalid, RULES["no-such-date"].found(message, help=help_, within=within)
        problem = RULES["no-such-date"].found(
            message, help=help_, severity=Severity.WARNING, within=within
        )
        try:
            return self._reader.of_types(rule, raw), problem
        except NotOfType:  # the end of the file cuts off an escape
            return invalid, problem

    def _first_wrong(self, rule: PropertyRule, raw: str) -> Span:
        """Return the span of the first wrong date of a list."""
        end = -1 if raw.count(",") < MAX_SEARCHED_DATES else len(raw)
        while (end := raw.find(",", end + 1)) >= 0:
            if not self._reader.fits(rule, raw[:end]):
                break
        end = len(raw) if end < 0 else end
        return Span(raw.rfind(",", 0, end) + 1, end)


def _invalid(raw: str, expected: str) -> Invalid:
    return made(Invalid, {"kind": "invalid", "raw": raw, "expected": expected}, _GIVEN)


_GIVEN = {"raw", "expected"}


def _why_no_date(text: str) -> str:
    """Return the reason why a date is in no calendar; "" if there is more than one date."""
    match = re.fullmatch(r"(\d{4})-(\d\d)(?:-\d\d)?", text)
    if match is None or match[1] == "0000":
        return ""
    year, month = int(match[1]), int(match[2])
    if not 1 <= month <= len(_MONTHS):
        return f": there is no month {month}"
    return f": {_MONTHS[month - 1]} {year} has {monthrange(year, month)[1]} days"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


def doubt(value: Value) -> Finding | None:
    """Return the finding about a value that is of its type."""
    if isinstance(value, Application) and value.version is None:
        if not value.name:
            return RULES["empty-text"].found("AP[] is empty", help="remove AP")
        name = shorten(value.name)
        message = f"AP has no version: {name!r}"
        help_ = f"write AP[{name}:version]"
        return RULES["application-without-version"].found(message, help=help_)
    return None

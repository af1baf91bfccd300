"""Diagnosis of values that do not fit their property: which finding it is, in which words."""

from __future__ import annotations

from typing import Any, Protocol

from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import Game
from sgf_lark.schema.properties import Category, Count, Group, PropertyRule
from sgf_lark.schema.values import PASS, Application, Invalid, Value

from .types import DOUBTFUL, DUTIES, PLAIN_TEXTS, Impossible, NotOfType

#: Among so many dates nobody looks for the one that is wrong.
MANY_DATES = 100


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
        """Return what a value of a property is, in words that fit after "expected"."""


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
        """Return what to take a value for, and what is wrong with it."""
        why = ""
        if isinstance(error, Impossible):
            if rule.form == "dates":
                return self._no_such_date(rule, raw)
            why = str(error) if rule.type == "board" else ""
        ident, expected = rule.ident, self._reader.words(rule)
        invalid = Invalid(raw=raw, expected=expected)
        if rule.form and rule.types in PLAIN_TEXTS:
            return self._other_form(rule, raw, invalid)
        for attempt in (self._without_space, self._go_style, self._of_ff4):
            found = attempt(rule, raw)
            if found is not None:
                return found
        shown = shorten(raw)
        message = f"{ident} has {shown!r} for a value; {why or f'expected {expected}'}"
        help_ = f"write {expected}" if why else self._in_brackets(rule, raw)
        return invalid, Finding("wrong-value", message, help=help_, facts={"value": shown})

    def _in_brackets(self, rule: PropertyRule, raw: str) -> str:
        """What to do about values of a list that share their brackets."""
        parts = raw.replace(",", " ").replace(";", " ").split()
        if (
            rule.count is Count.ONE
            or len(parts) == 1
            or not all(self._reader.fits(rule, one) for one in parts)
        ):
            return ""
        listed = rule.ident + "".join(f"[{one}]" for one in parts)
        return f"give each its own brackets: {shorten(listed)}"

    def _without_space(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """A value that white space spoils."""
        squeezed = "".join(raw.split())
        if squeezed == raw or rule.is_text:
            return None
        try:
            value = self._reader.of_rule(rule, squeezed)
        except NotOfType:
            return None
        severity = Severity.ERROR if self._reader.format is Format.FF4 else Severity.WARNING
        message = f"white space in a value of {rule.ident}, which is not a text"
        help_ = f"write {rule.ident}[{shorten(squeezed)}]"
        return value, Finding(
            "white-space-in-value", message, help=help_, severity=severity, replacement=squeezed
        )

    def _go_style(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """A point that a game's programs write as Go does."""
        kind = rule.types[0][0]
        if self._reader.game.grammar is None or kind not in DOUBTFUL:
            return None
        try:
            value = self._reader.read(f"{kind}_go_style", raw)
        except (NotOfType, LookupError):
            return None
        message = f"'{shorten(raw)}' names a point of {self._reader.game.name} in the letters of Go"
        return value, Finding("go-style-point", message)

    def _of_ff4(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding] | None:
        """A value that an old game has as FF[4] writes it."""
        value = self._reader.in_ff4(rule, raw)
        if value is None:
            return None
        message = (
            f"{rule.ident}[{shorten(raw)}] is a form that came with FF[4];"
            f" this is {self._reader.format.shown}"
        )
        return value, Finding("newer-form", message, help="declare FF[4], or write it the old way")

    def empty(self, rule: PropertyRule, *, alone: bool) -> tuple[Value, Finding | None] | None:
        """What ``[]`` means where it is no ordinary value; None where it is one."""
        ident = rule.ident
        if rule.types in PLAIN_TEXTS and Group.EMPTY not in rule.groups:
            if self._reader.format is Format.GGF:
                return None
            return "", Finding("empty-text", f"{ident}[] says nothing", help=f"leave {ident} out")
        old = self._reader.format in {Format.FF1, Format.FF3}
        if old and rule.category is Category.MOVE and rule.type == "move":
            message = f"{ident}[] is a pass only since FF[4]; this is {self._reader.format.shown}"
            severity = Severity.WARNING
            return PASS, Finding(
                "newer-form", message, help="write 'tt', or declare FF[4]", severity=severity
            )
        try:
            self._reader.of_rule(rule, "")
        except NotOfType:
            # The grammars of FF[1] and FF[3] allow [] everywhere, and give it no meaning.
            severity = Severity.WARNING if old else Severity.ERROR
            name = "mixed-empty-value" if rule.count is Count.ELIST else "empty-value"
            expected = self._reader.words(rule)
            message = f"{ident} has an empty value; expected {expected}"
            help_ = f"leave out {ident}[]" if alone else "leave out the '[]'"
            if rule.type in {"move", "played"}:
                help_ = "write the move"
            problem = Finding(name, message, help=help_, severity=severity)
            return Invalid(raw="", expected=expected), problem
        return None

    def _other_form(
        self, rule: PropertyRule, raw: str, invalid: Invalid
    ) -> tuple[Value, Finding | None]:
        """A text without the form it should have: an error only where the form is a duty."""
        shown = shorten(raw)
        facts = {"value": shown}
        message = f"{rule.ident} has {shown!r} for a value; expected {invalid.expected}"
        if raw != shown and self._reader.fits(rule, shown):
            message = f"white space in {rule.ident}[{shown}]; expected {invalid.expected}"
        if self._reader.format is Format.FF4 and rule.form in DUTIES:
            return invalid, Finding("wrong-form", message, facts=facts)
        try:
            text = self._reader.of_types(rule, raw)
        except NotOfType:  # the end of the file cuts off an escape
            return invalid, Finding("wrong-value", message, facts=facts)
        newer = self._reader.in_ff4(rule, raw)
        return newer or text, None if newer else Finding("unusual-form", message, facts=facts)

    def _no_such_date(self, rule: PropertyRule, raw: str) -> tuple[Value, Finding]:
        """A date that looks like one; before FF[4] it is a text like any other."""
        within = self._first_wrong(rule, raw)
        message = f"no calendar has the date {shorten(raw[slice(*within)])!r}"
        if within.start and within.end - within.start < len("MM-DD"):
            message = f"no calendar has the date {shorten(raw)!r}"
        help_ = "dates are written year, month, day: 1996-05-27"
        invalid = Invalid(raw=raw, expected=self._reader.words(rule))
        if self._reader.format is Format.FF4:
            return invalid, Finding("no-such-date", message, help=help_, within=within)
        problem = Finding(
            "no-such-date", message, help=help_, severity=Severity.WARNING, within=within
        )
        try:
            return self._reader.of_types(rule, raw), problem
        except NotOfType:  # the end of the file cuts off an escape
            return invalid, problem

    def _first_wrong(self, rule: PropertyRule, raw: str) -> Span:
        """Which of several dates is the first that is none."""
        end = -1 if raw.count(",") < MANY_DATES else len(raw)
        while (end := raw.find(",", end + 1)) >= 0:
            if not self._reader.fits(rule, raw[:end]):
                break
        end = len(raw) if end < 0 else end
        return Span(raw.rfind(",", 0, end) + 1, end)


def doubt(value: Value) -> Finding | None:
    """What to say about a value that is of its type."""
    if isinstance(value, Application) and value.version is None:
        if not value.name:
            return Finding("empty-text", "AP[] says nothing", help="leave AP out")
        help_ = f"write AP[{shorten(value.name)}:version]"
        return Finding(
            "application-without-version", "AP names a program without its version", help=help_
        )
    return None

"""Diagnosis: the findings about the values of a property."""

from __future__ import annotations

import re
from calendar import monthrange

from sgf_lark.diagnostics.diagnostic import shorten
from sgf_lark.diagnostics.finding import Finding, Severity
from sgf_lark.diagnostics.rules import RULES
from sgf_lark.places import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.frozen import maker
from sgf_lark.schema.properties import Count, PropertyRule
from sgf_lark.schema.values import Application, Invalid, Value

#: Limit of a list of dates in which the wrong one is searched: the search is quadratic.
MAX_SEARCHED_DATES = 100

#: The value of a text that is none.
invalid = maker(Invalid, "raw", "expected")


def too_many_values(rule: PropertyRule, count: int, format: Format) -> Finding:
    """Return the finding about several values where one is allowed."""
    return RULES["too-many-values"].found(
        f"{rule.ident} has {count} values: expected one",
        help="a ']' may be missing before, or the values belong to separate properties",
        severity=None if format is Format.FF4 else Severity.WARNING,
        value_index=1,
    )


def white_space(rule: PropertyRule, squeezed: str, format: Format) -> Finding:
    """Return the finding about a value that is one without its white space."""
    severity = Severity.ERROR if format is Format.FF4 else Severity.WARNING
    message = f"white space in a value of {rule.ident}, which is not text"
    help_ = f"write {rule.ident}[{shorten(squeezed)}]"
    return RULES["white-space-in-value"].found(
        message, help=help_, severity=severity, replacement=squeezed
    )


def newer_form(rule: PropertyRule, raw: str, format: Format) -> Finding:
    """Return the finding about a value of FF[4] in an older game."""
    form = "compressed point list " if rule.is_points and ":" in raw else ""
    message = f"{form}{rule.ident}[{shorten(raw)}] needs FF[4]; this game is {format.shown}"
    return RULES["newer-form"].found(message, help="declare FF[4], or write it the old way")


def newer_pass(rule: PropertyRule, format: Format) -> Finding:
    """Return the finding about a pass of FF[4] in an older game."""
    message = f"pass {rule.ident}[] needs FF[4]; this game is {format.shown}"
    help_ = "write 'tt', or declare FF[4]"
    return RULES["newer-form"].found(message, help=help_, severity=Severity.WARNING)


def empty_text(rule: PropertyRule) -> Finding:
    """Return the finding about an empty text."""
    return RULES["empty-text"].found(f"{rule.ident}[] is empty", help=f"remove {rule.ident}")


def empty_value(rule: PropertyRule, expected: str, format: Format, *, alone: bool) -> Finding:
    """Return the finding about ``[]`` where a value is expected."""
    # The grammars of FF[1] and FF[3] allow [] everywhere, without a meaning.
    severity = Severity.WARNING if format in {Format.FF1, Format.FF3} else Severity.ERROR
    name = "mixed-empty-value" if rule.count is Count.ELIST else "empty-value"
    message = f"empty value for {rule.ident}: expected {expected}"
    help_ = f"remove {rule.ident}[]" if alone else "remove the '[]'"
    if rule.type in {"move", "played"}:
        help_ = "write the move"
    return RULES[name].found(message, help=help_, severity=severity)


def no_such_date(day: str, within: Span, format: Format) -> Finding:
    """Return the finding about a date that no calendar has."""
    message = f"{shorten(day)!r} is not a real date{_why_no_date(day)}"
    help_ = "dates are written year, month, day: 1996-05-27"
    severity = None if format is Format.FF4 else Severity.WARNING
    return RULES["no-such-date"].found(message, help=help_, severity=severity, within=within)


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

"""Diagnosis: the findings about the values of a property."""

from __future__ import annotations

import re
from calendar import monthrange

from sgf_lark.findings.diagnostic import shorten
from sgf_lark.findings.finding import Finding, Severity
from sgf_lark.findings.rules import register
from sgf_lark.places import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.frozen import maker
from sgf_lark.schema.properties import Count, PropertyRule
from sgf_lark.schema.values import Application, Invalid, Value

#: Limit of a list of dates in which the wrong one is searched: the search is quadratic.
MAX_SEARCHED_DATES = 100

#: The value of a text that is none.
invalid = maker(Invalid, "raw", "expected")


TOO_MANY_VALUES = register("T208 too-many-values error: several values where one is allowed")


def too_many_values(rule: PropertyRule, count: int, format: Format) -> Finding:
    """Return the finding about several values where one is allowed."""
    return TOO_MANY_VALUES.found(
        f"{rule.ident} has {count} values: expected one",
        help="a ']' may be missing before, or the values belong to separate properties",
        severity=None if format is Format.FF4 else Severity.WARNING,
        value_index=1,
    )


WHITE_SPACE_IN_VALUE = register(
    "V302 white-space-in-value error: white space in a value that is not text"
)


def white_space(rule: PropertyRule, squeezed: str, format: Format) -> Finding:
    """Return the finding about a value that is one without its white space."""
    severity = Severity.ERROR if format is Format.FF4 else Severity.WARNING
    message = f"white space in a value of {rule.ident}, which is not text"
    help_ = f"write {rule.ident}[{shorten(squeezed)}]"
    return WHITE_SPACE_IN_VALUE.found(message, help=help_, severity=severity, replacement=squeezed)


NEWER_FORM = register("V307 newer-form error: a value in a form that came with FF[4]")


def newer_form(rule: PropertyRule, raw: str, format: Format) -> Finding:
    """Return the finding about a value of FF[4] in an older game."""
    form = "compressed point list " if rule.is_points and ":" in raw else ""
    message = f"{form}{rule.ident}[{shorten(raw)}] needs FF[4]; this game is {format.shown}"
    return NEWER_FORM.found(message, help="declare FF[4], or write it the old way")


def newer_pass(rule: PropertyRule, format: Format) -> Finding:
    """Return the finding about a pass of FF[4] in an older game."""
    message = f"pass {rule.ident}[] needs FF[4]; this game is {format.shown}"
    help_ = "write 'tt', or declare FF[4]"
    return NEWER_FORM.found(message, help=help_, severity=Severity.WARNING)


EMPTY_TEXT = register("D503 empty-text info: a text property without text")


def empty_text(rule: PropertyRule) -> Finding:
    """Return the finding about an empty text."""
    return EMPTY_TEXT.found(f"{rule.ident}[] is empty", help=f"remove {rule.ident}")


EMPTY_VALUE = register("V303 empty-value error: an empty value where one is needed")
MIXED_EMPTY_VALUE = register("V306 mixed-empty-value error: an empty value beside others")


def empty_value(rule: PropertyRule, expected: str, format: Format, *, alone: bool) -> Finding:
    """Return the finding about ``[]`` where a value is expected."""
    # The grammars of FF[1] and FF[3] allow [] everywhere, without a meaning.
    severity = Severity.WARNING if format in {Format.FF1, Format.FF3} else Severity.ERROR
    kind = MIXED_EMPTY_VALUE if rule.count is Count.ELIST else EMPTY_VALUE
    message = f"empty value for {rule.ident}: expected {expected}"
    help_ = f"remove {rule.ident}[]" if alone else "remove the '[]'"
    if rule.type in {"move", "played"}:
        help_ = "write the move"
    return kind.found(message, help=help_, severity=severity)


UNUSUAL_FORM = register("V305 unusual-form info: a text whose form the standard recommends")


def unusual_form(message: str, help_: str = "") -> Finding:
    """Return the finding about a text that the standard recommends to write otherwise."""
    return UNUSUAL_FORM.found(message, help=help_)


NO_SUCH_DATE = register("V317 no-such-date error: a date that does not exist")


def no_such_date(day: str, within: Span, format: Format) -> Finding:
    """Return the finding about a date that no calendar has."""
    message = f"{shorten(day)!r} is not a real date{_why_no_date(day)}"
    help_ = "dates are written year, month, day: 1996-05-27"
    severity = None if format is Format.FF4 else Severity.WARNING
    return NO_SUCH_DATE.found(message, help=help_, severity=severity, within=within)


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


APPLICATION_WITHOUT_VERSION = register(
    "D502 application-without-version info: AP without a version"
)


def doubt(value: Value) -> Finding | None:
    """Return the finding about a value that is of its type."""
    if isinstance(value, Application) and value.version is None:
        if not value.name:
            return EMPTY_TEXT.found("AP[] is empty", help="remove AP")
        name = shorten(value.name)
        message = f"AP has no version: {name!r}"
        help_ = f"write AP[{name}:version]"
        return APPLICATION_WITHOUT_VERSION.found(message, help=help_)
    return None

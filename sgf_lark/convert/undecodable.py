"""Bytes that are no text in the encoding of a record, when it is written in another one."""

from __future__ import annotations

from enum import StrEnum

from sgf_lark.core import KEPT, KEPT_FROM, Finding, Severity, Span, plural, register


class Undecodable(StrEnum):
    """Choices for bytes that are no text.

    ``keep``: write these bytes.  ``replace``: write U+FFFD for each of them.  ``refuse``: write
    no such record.
    """

    KEEP = "keep"
    REPLACE = "replace"
    REFUSE = "refuse"


UNDECODABLE = register("F009 undecodable warning: bytes that are no text in a new encoding")

_DONE = {
    Undecodable.KEEP: "are kept, so that the result is not in {encoding} throughout",
    Undecodable.REPLACE: "are now U+FFFD",
    Undecodable.REFUSE: "cannot be written in {encoding}",
}
_HELP = "name the encoding of the record with --encoding, or add --undecodable replace"

#: Bytes that a message shows.
MAX_SHOWN = 8


def report_undecodable(text: str, choice: Undecodable, encoding: str) -> Finding | None:
    """Return the finding about bytes that are no text, at the first of them; None without any."""
    runs = [*KEPT.finditer(text)]
    if not runs:
        return None
    first = runs[0]
    octets = " ".join(f"{ord(char) - KEPT_FROM:02X}" for char in first[0][:MAX_SHOWN])
    octets += " ..." * (len(first[0]) > MAX_SHOWN)
    more = f" here, and those in {plural(len(runs) - 1, 'more place')}," if runs[1:] else ""
    message = (
        f"the bytes {octets}{more} are no text: they {_DONE[choice].format(encoding=encoding)}"
    )
    is_refused = choice is Undecodable.REFUSE
    severity = Severity.ERROR if is_refused else UNDECODABLE.severity
    return UNDECODABLE.found(message, Span(*first.span()), _HELP * is_refused, severity)

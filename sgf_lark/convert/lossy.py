"""The choices for facts and bytes that the new record cannot have; light, for options."""

from enum import StrEnum
from typing import Literal, TypeAlias

from sgf_lark.core import KEPT, KEPT_FROM, Finding, Severity, Span, plural, register


class Lossy(StrEnum):
    """Choices for facts that the new format cannot express.

    ``keep``: write them as private properties.  ``drop``: leave them out.
    ``refuse``: convert no game that has such a fact.
    """

    KEEP = "keep"
    DROP = "drop"
    REFUSE = "refuse"


#: The values of :class:`Lossy`, as texts.
LossyName: TypeAlias = Literal["keep", "drop", "refuse"]


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

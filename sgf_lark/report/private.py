"""Private properties that known programs and servers write: no standard defines them.

The rows are in ``private.tsv`` beside this module.  Its column ``source`` names what a row was
taken from: records, or the program's source.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple


class PrivateProperty(NamedTuple):
    """A property that a program or server writes for itself.

    Attributes:
        ident: In capitals.
        program: The program or server.
        meaning: The content of its values; "unknown" if nobody has published it.
        form: The form of a value in words; "" if unknown.
        source: Records of the program, or its source.
    """

    ident: str
    program: str
    meaning: str
    form: str
    source: str


@cache
def private_properties() -> tuple[PrivateProperty, ...]:
    """Return the rows of ``private.tsv``, ordered by identifier; one may be in several rows."""
    text = (files(__package__) / "private.tsv").read_text(encoding="utf-8")
    _, *lines = text.splitlines()
    rows = (["" if cell == "-" else cell for cell in line.split("\t")] for line in lines)
    return tuple(PrivateProperty(*row) for row in rows)

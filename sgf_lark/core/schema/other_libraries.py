"""The words of other libraries, and ours: for those who type a name that they know from there.

``other_libraries.tsv`` has a row for each task: the line of another library and the one of this,
which the page for those who come from there shows, too; what ours gives; and the names that are
answered with it, each with what lacks it (``sgf_lark`` is the package).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple


class Counterpart(NamedTuple):
    """A task in another library and in this one: lines, value, names that no object of ours has."""

    package: str
    task: str
    theirs: str
    ours: str
    gives: str
    names: str


def rows() -> tuple[Counterpart, ...]:
    """Return the rows of the table."""
    text = Path(__file__).with_name("other_libraries.tsv").read_text(encoding="utf-8")
    return tuple(Counterpart(*line.split("\t")) for line in text.splitlines()[1:])


@cache
def _answers() -> dict[str, str]:
    return {name: row.ours for row in rows() for name in row.names.split()}


def answer(words: object, name: str, *kinds: str) -> str:
    """Return the words of an AttributeError, with our way for another library's name."""
    if name.startswith("_"):
        return str(words)
    ours = [_answers()[key] for kind in kinds if (key := f"{kind}.{name}") in _answers()]
    return f"{words}: write {ours[0]}" if ours else str(words)


def no_attribute(thing: object, name: str) -> AttributeError:
    """Return the error about an attribute that an object does not have."""
    kinds = [kind.__name__ for kind in type(thing).__mro__]
    words = f"{kinds[0]!r} object has no attribute {name!r}"
    return AttributeError(answer(words, name, *kinds), name=name, obj=thing)

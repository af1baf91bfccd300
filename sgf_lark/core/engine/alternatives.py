"""Alternatives with names (aliases), or with None in place of an absent part.

``a: B -> one | [C] D -> two``: which method gets the children, and which of them is None,
depends on the alternative.  The sequence of symbols in the rule's text decides which it is.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .ir import Treatment


class Marked(list[Any]):
    """A child list that records each symbol, dropped ones too, and the number of its children."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[tuple[str, int]] = []

    def mark(self, name: str, before: int) -> None:
        """Record that the children from index ``before`` on came from a symbol."""
        self.marks.append((name, len(self) - before))


class Alternative(NamedTuple):
    """One alternative: a pattern over the codes of symbols, and the None before each of them."""

    shape: Treatment
    pattern: str
    nones: list[int]


class AlternativesData(NamedTuple):
    """The alternatives of one rule as JSON data, in the order in which they are tried."""

    codes: dict[str, str]
    alternatives: list[Alternative]


class Alternatives:
    def __init__(self, data: AlternativesData) -> None:
        self._codes, alternatives = data
        self._alternatives = [
            (Treatment(*shape), re.compile(pattern), nones)
            for shape, pattern, nones in alternatives
        ]

    def arrange(self, children: Marked) -> tuple[Treatment, list[Any]]:
        """Return the treatment of children, and the children with None for each absent part."""
        symbols = "".join(self._codes[name] for name, _ in children.marks)
        for shape, pattern, nones in self._alternatives:
            match = pattern.fullmatch(symbols)
            if match is None:
                continue
            arranged: list[Any] = []
            done = 0
            for group, count in enumerate(nones[:-1], 1):
                arranged += [None] * count
                begin, end = match.span(group)
                given = sum(number for _, number in children.marks[begin:end])
                arranged += children[done : done + given]
                done += given
            return shape, arranged + [None] * nones[-1]
        raise LookupError(f"no alternative has the symbols {children.marks}")

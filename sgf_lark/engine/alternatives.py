"""Alternatives with names (aliases), or with None in place of an absent part.

``a: B -> one | [C] D -> two``: which method gets the children, and which of them is None,
depends on the alternative.  The sequence of symbols in the rule's text decides which it is.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .analysis import Grammar, leaves
from .ir import Call, Chain, Many, Part, Shape, Text


class Marked(list[Any]):
    """A child list that also records the symbols, even those that the tree drops.

    Attributes:
        marks: The name of each symbol, and the number of its children.
    """

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[tuple[str, int]] = []

    def mark(self, name: str, before: int) -> None:
        """Record that the children from index ``before`` on came from a symbol."""
        self.marks.append((name, len(self) - before))


class _Alternative(NamedTuple):
    """One alternative.

    Attributes:
        pattern: Its symbols as a regular expression over their codes, a group for each.
        nones: The number of None before each symbol, and at the end.
    """

    shape: Shape
    pattern: re.Pattern[str]
    nones: list[int]


class Alternatives:
    """The alternatives of one rule."""

    def __init__(self, grammar: Grammar, name: str) -> None:
        self._grammar = grammar
        names = dict.fromkeys(leaf.name for leaf in leaves(grammar, grammar.part(name)))
        self._codes = {name: chr(code) for code, name in enumerate(names, ord("A"))}
        self._alternatives: list[_Alternative] = []
        for rule, shape in grammar.alternatives(name):
            symbols = grammar.symbols(rule)
            groups = "".join(f"({self._expression(symbol)})" for symbol in symbols)
            nones = _nones(grammar.placeholders(rule), len(symbols))
            self._alternatives.append(_Alternative(shape, re.compile(groups), nones))

    def _expression(self, part: Part) -> str:
        if isinstance(part, Call) and part.name.startswith("__"):
            return self._expression(self._grammar.part(part.name))
        if isinstance(part, Text | Call):
            return re.escape(self._codes[part.name])
        if isinstance(part, Many):
            return f"(?:{self._expression(part.part)})+"
        if isinstance(part, Chain):
            return "".join(map(self._expression, part.parts))
        return f"(?:{'|'.join(map(self._expression, part.parts))})"

    def arrange(self, children: Marked) -> tuple[Shape, list[Any]]:
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


def _nones(indices: tuple[bool, ...], symbols: int) -> list[int]:
    """Count the None before each symbol and at the end."""
    if not indices:
        return [0] * (symbols + 1)
    return [len(run) for run in "".join("01"[is_none] for is_none in indices).split("0")]

"""Rules whose alternatives have names of their own, or keep places for what is not there.

``a: B -> one | [C] D -> two``: which method gets the children, and where a None stands among
them, depends on the alternative.  It shows by the row of symbols that the rule's text held.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .analysis import Grammar, leaves
from .ir import Call, Chain, Many, Part, Shape, Text


class Marked(list[Any]):
    """Children of a rule, with the symbol that each of them came from.

    Attributes:
        marks: Of each symbol its name, and how many children it gave.
    """

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[tuple[str, int]] = []

    def mark(self, name: str, before: int) -> None:
        """The children from ``before`` on came from a symbol."""
        self.marks.append((name, len(self) - before))


class _Variant(NamedTuple):
    """One alternative.

    Attributes:
        pattern: Its symbols as a regular expression over their codes, a group for each.
        nones: How many None stand before each symbol, and at the end.
    """

    shape: Shape
    pattern: re.Pattern[str]
    nones: list[int]


class Variants:
    """The alternatives of one rule."""

    def __init__(self, grammar: Grammar, name: str) -> None:
        self._grammar = grammar
        names = dict.fromkeys(one.name for one in leaves(grammar, grammar.part(name)))
        self._codes = {one: chr(code) for code, one in enumerate(names, ord("A"))}
        self._variants: list[_Variant] = []
        for rule, shape in grammar.alternatives(name):
            symbols = grammar.symbols(rule)
            groups = "".join(f"({self._expression(one)})" for one in symbols)
            nones = _nones(grammar.placeholders(rule), len(symbols))
            self._variants.append(_Variant(shape, re.compile(groups), nones))

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

    def arranged(self, children: Marked) -> tuple[Shape, list[Any]]:
        """What becomes of children, and the children with None where one is not there."""
        row = "".join(self._codes[name] for name, _ in children.marks)
        for shape, pattern, nones in self._variants:
            found = pattern.fullmatch(row)
            if found is None:
                continue
            made: list[Any] = []
            done = 0
            for group, count in enumerate(nones[:-1], 1):
                made += [None] * count
                begin, end = found.span(group)
                given = sum(number for _, number in children.marks[begin:end])
                made += children[done : done + given]
                done += given
            return shape, made + [None] * nones[-1]
        raise LookupError(f"no alternative has the symbols {children.marks}")


def _nones(indices: tuple[bool, ...], symbols: int) -> list[int]:
    """How many None stand before each symbol and at the end."""
    if not indices:
        return [0] * (symbols + 1)
    return [len(ones) for ones in "".join("01"[one] for one in indices).split("0")]

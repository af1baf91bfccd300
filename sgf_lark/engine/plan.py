"""Plans: all that the engine knows about a grammar, made once for each start rule.

A plan is made of JSON data, which the generator makes of a grammar.  Its expressions are
compiled when they are used: a record uses few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

from lark import Lark

from .alternatives import Alternatives, AlternativesData
from .analysis import Grammar
from .ir import Call, Shape, Text, symbol
from .pushdown import PushdownTable, TableData

T = TypeVar("T")


class GroupsData(NamedTuple):
    """The data of :class:`Groups`; the expression as a text."""

    pattern: str
    parts: list[Text | Call]
    is_loop: bool
    is_choice: bool


class PlanData(NamedTuple):
    """The JSON data of a plan; lists that were tuples serve as well.

    Attributes:
        start, skip, shapes: As in :class:`Plan`.
        alternatives: For each rule whose alternatives differ, its alternatives.
        regular: For each rule that does not nest, its expression.
        columns: For each of these, its expression with a group for each part of its chain.
        groups: For each of these and its helper rules, the groups of its text.
        patterns: The expression of each terminal.
        table: The table of what nests; None if nothing does, or it takes a :class:`.Walk`.
        walked: A rule nests.
        flat: As in :class:`Plan`.
    """

    start: str
    skip: str
    shapes: dict[str, Shape]
    alternatives: dict[str, AlternativesData]
    regular: dict[str, str]
    columns: dict[str, str]
    groups: dict[str, GroupsData]
    patterns: dict[str, str]
    table: TableData | None
    walked: bool
    flat: list[str] | None


class Groups(NamedTuple):
    """The parts of a rule, or of each round of a loop, as groups of a regular expression.

    Attributes:
        pattern: Has a group for each part.
        parts: Tokens, rules and loops.
        is_loop: The text consists of rounds.
        is_choice: Each round is one of the parts.
    """

    pattern: re.Pattern[str]
    parts: list[Text | Call]
    is_loop: bool
    is_choice: bool


class OnDemand(Mapping[str, T]):
    """Values made of data when somebody asks for them."""

    def __init__(self, data: Mapping[str, Any], make: Callable[[Any], T]) -> None:
        self._data = data
        self._make = make
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        try:
            return self._made[name]
        except KeyError:
            return self._made.setdefault(name, self._make(self._data[name]))

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)


class Plan:
    """A start rule and all rules below it as regular expressions and tables.

    Args:
        data: The data that the generator made.
        lark: Returns the loaded grammar.

    Attributes:
        start: The start rule.
        skip: The expression of what the grammar ignores, "" if it ignores nothing.
        shapes: For each rule, the treatment of its children.
        alternatives: For each rule whose alternatives differ, its alternatives.
        regular: For each rule that does not nest, its expression.
        groups: For each of these and its helper rules, the groups of its text.
        patterns: The expression of each terminal, as a text.
        terminals: The same, after what is ignored; empty if no rule nests.
        flat: The names of a token, a rule and another token, if the start rule is any number of
            the second between the two others.
    """

    def __init__(self, data: PlanData, lark: Callable[[], Lark]) -> None:
        self._data = data
        self._lark = lark
        self.start = data.start
        self.skip = skip = data.skip
        self.shapes = {name: Shape(*shape) for name, shape in data.shapes.items()}
        self.alternatives = OnDemand(data.alternatives, Alternatives)
        self.regular = OnDemand(data.regular, re.compile)
        self.groups = OnDemand(data.groups, _compile_groups)
        self._columns = OnDemand(data.columns, re.compile)
        self.patterns = data.patterns
        self.flat = data.flat
        self.terminals = OnDemand(
            data.patterns if data.walked else {},
            partial(_compile_after, skip),
        )

    @cached_property
    def grammar(self) -> Grammar:
        """The rules as trees of choices: for a walk, and for those who study a grammar."""
        grammar = Grammar(self._lark())
        grammar.decides(self.start)
        return grammar

    @cached_property
    def space(self) -> re.Pattern[str]:
        """The expression of what the grammar ignores."""
        return re.compile(self.skip)

    @cached_property
    def table(self) -> PushdownTable | None:
        """The table of what nests; None if nothing does, or it takes a :class:`.Walk`."""
        table = self._data.table
        return None if table is None else PushdownTable(TableData(*table))

    def nests(self, name: str) -> bool:
        """Return True if a rule refers to itself, or uses one that does."""
        return name in self.shapes and name not in self.regular

    def expression(self, name: str) -> str | None:
        """Return the regular expression of a rule; None if it nests."""
        return self._data.regular.get(name)

    def columns(self, name: str) -> re.Pattern[str]:
        """Return the regular expression of a rule with a group for each part of its chain."""
        return self._columns[name]


def _compile_after(skip: str, pattern: str) -> re.Pattern[str]:
    return re.compile(f"{skip}({pattern})")


def _compile_groups(data: GroupsData) -> Groups:
    pattern, parts, is_loop, is_choice = data
    return Groups(re.compile(pattern), [symbol(part) for part in parts], is_loop, is_choice)

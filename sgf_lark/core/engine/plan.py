"""Plans: all that the engine knows about a grammar, made once for each start rule.

A plan is made of JSON data, which the generator makes of a grammar.  Its expressions are
compiled when they are used: a record uses few of them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from .alternatives import Alternatives, AlternativesData
from .ir import Call, Text, Treatment, symbol

T = TypeVar("T")


class GroupsData(NamedTuple):
    """The data of :class:`Groups`; the expression as a text."""

    pattern: str
    parts: list[Text | Call]
    is_loop: bool
    is_choice: bool


class PlanData(NamedTuple):
    """The JSON data of a :class:`Plan`; lists that were tuples serve as well."""

    start: str
    skip: str
    shapes: dict[str, Treatment]
    alternatives: dict[str, AlternativesData]
    regular: dict[str, str]
    groups: dict[str, GroupsData]
    patterns: dict[str, str]


class Groups(NamedTuple):
    """The parts of a rule, or of each round of a loop, as groups of a regular expression.

    ``is_choice``: the text, or each round, is one of the parts.
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
    """A start rule and all rules below it as regular expressions.

    Attributes:
        skip: The expression of what the grammar ignores, "" if it ignores nothing.
        alternatives: For each rule whose alternatives differ, its alternatives.
        regular: For each rule that does not nest, its expression.
        groups: For each of these and its helper rules, the groups of its text.
    """

    def __init__(self, data: PlanData) -> None:
        self._data = data
        self.start = data.start
        self.skip = data.skip
        self.shapes = {name: Treatment(*shape) for name, shape in data.shapes.items()}
        self.alternatives = OnDemand(data.alternatives, Alternatives)
        self.regular = OnDemand(data.regular, re.compile)
        self.groups = OnDemand(data.groups, _compile_groups)
        self.patterns = data.patterns

    @cached_property
    def space(self) -> re.Pattern[str]:
        return re.compile(self.skip)

    def expression(self, name: str) -> str | None:
        """Return the regular expression of a rule; None if it nests."""
        return self._data.regular.get(name)


def _compile_groups(data: GroupsData) -> Groups:
    pattern, parts, is_loop, is_choice = data
    return Groups(re.compile(pattern), [symbol(part) for part in parts], is_loop, is_choice)

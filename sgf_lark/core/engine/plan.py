"""Plans: all that the engine knows about a grammar, made once for each start rule.

A plan is made of JSON data, which the generator makes of the parts of a grammar.  Its expressions
are compiled when they are used: a record uses few of them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class UntranslatableError(ValueError):
    """Only Lark can parse a rule; with ``reason``, and ``help``: what to write instead, or ""."""

    def __init__(self, rule: str, reason: str, help: str = "") -> None:
        super().__init__(rule, reason, help)
        self.rule = rule
        self.reason = reason
        self.help = help

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


class Text(NamedTuple):
    """A terminal; ``kept`` if the tree has it."""

    name: str
    kept: bool


class Call(NamedTuple):
    name: str


class Treatment(NamedTuple):
    """The treatment of a rule's children; ``transparent``: a single one takes its place."""

    callback: str
    inlined: bool
    transparent: bool


class Chain(NamedTuple):
    """Consecutive parts; no part at all for the empty text."""

    parts: tuple["Part", ...]


NOTHING = Chain(())


class Choices(NamedTuple):
    """One of several parts; the next terminal decides which."""

    parts: tuple["Part", ...]


class Many(NamedTuple):
    part: "Part"


Part: TypeAlias = Text | Call | Chain | Choices | Many


def symbol(data: Sequence[Any]) -> Text | Call:
    """Return a terminal or rule from JSON data: its name, and ``kept`` for a terminal."""
    return Text(*data) if len(data) > 1 else Call(*data)


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
    """Alternatives with names, or with None in place of an absent part.

    ``a: B -> one | [C] D -> two``: which method gets the children, and which of them is None,
    depends on the alternative.  The sequence of symbols in the rule's text decides which it is.
    """

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

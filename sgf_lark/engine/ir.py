"""Parts of grammars: texts, calls, chains, choices, repetitions."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class UntranslatableError(ValueError):
    """A rule that the reference engine has to read.

    Attributes:
        rule: Its name.
        reason: Why, in words.
    """

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(rule, reason)
        self.rule = rule
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


class Text(NamedTuple):
    """A terminal; ``kept`` if the tree has it."""

    name: str
    kept: bool


class Call(NamedTuple):
    """A rule inside another."""

    name: str


class Shape(NamedTuple):
    """What becomes of the children of a rule.

    Attributes:
        callback: Name of the transformer's method.
        inlined: The rule's children belong to the rule around it.
        transparent: A single child takes the rule's place.
    """

    callback: str
    inlined: bool
    transparent: bool


class Chain(NamedTuple):
    """Parts one behind the other; none of them for nothing at all."""

    parts: tuple[Part, ...]


NOTHING = Chain(())


class Choice(NamedTuple):
    """One of several parts; the next character says which."""

    parts: tuple[Part, ...]


class Many(NamedTuple):
    """A part once or more often."""

    part: Part


Part: TypeAlias = Text | Call | Chain | Choice | Many

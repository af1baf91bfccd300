"""The parts of a compiled grammar: terminals, calls of rules, chains, choices, repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias


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

    parts: tuple[Part, ...]


NOTHING = Chain(())


class Choices(NamedTuple):
    """One of several parts; the next terminal decides which."""

    parts: tuple[Part, ...]


class Many(NamedTuple):
    part: Part


Part: TypeAlias = Text | Call | Chain | Choices | Many


def symbol(data: Sequence[Any]) -> Text | Call:
    """Return a terminal or rule from JSON data: its name, and ``kept`` for a terminal."""
    return Text(*data) if len(data) > 1 else Call(*data)

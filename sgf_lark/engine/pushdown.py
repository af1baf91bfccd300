"""The nesting of a grammar as a pushdown table over the texts of rules that do not nest.

A text is cut once, by one regular expression, into *events*: brackets and the like, and
texts of the largest rules that do not nest (nodes, in SGF).  A table made from the
rules that nest then gives the parser's state after each event.  The cut ends at the first
character that no rule can begin with, so that a fault is met once, at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from .ir import Call, Text, symbol


class Builder(Protocol):
    """The receiver of events; see :meth:`PushdownTable.read`.

    Attributes:
        results: Gets the result of the start rule.
    """

    results: list[Any]

    def opener(self, name: str) -> Callable[[], list[Any]]:
        """Return a factory for a rule's child list.

        A :class:`.Marked` list also gets tokens that the tree drops.
        """

    def putter(self, name: str) -> Callable[[list[Any], list[str]], None]:
        """Return a function that adds consecutive texts of a rule that does not nest to a list."""

    def token(self, children: list[Any], part: Text, text: str) -> None:
        """Add a terminal."""

    def closer(self, name: str) -> Callable[[list[Any], list[Any]], None]:
        """Return a function that adds a complete rule with its children to the list around it."""


class Step(NamedTuple):
    """The effect of an event: rules to enter, each with the state to return to; the next state."""

    entered: tuple[tuple[int, str], ...]
    state: int


class TableData(NamedTuple):
    """A pushdown table as JSON data, made by the generator.

    Attributes:
        start: The state before the first event.
        rules: The rules that nest.
        parts: The part of each kind of event; kind 0 is the end.
        cut: The expression of one event, with a group for each kind, or of the rest of the text.
        rule_of: The rule of each state.
        final: For each state, True if its rule may end there.
        steps: For each state the kinds of event that may follow: each with the rules to enter,
            the state to return to after each, and the next state.
        tree: Of a table with the two rules ``tree: OPEN sequence tree* CLOSE`` and ``sequence:
            leaf+``: the names of OPEN, ``leaf`` and CLOSE; None for another table.
    """

    start: int
    rules: list[str]
    parts: list[Text | Call | None]
    cut: str
    rule_of: list[str]
    final: list[bool]
    steps: list[list[tuple[int, list[tuple[int, str]], int]]]
    tree: list[str] | None


class PushdownTable:
    """The states and transitions of the rules that nest, and the expression that cuts events."""

    def __init__(self, data: TableData) -> None:
        self.rules = data.rules
        self.tree = data.tree
        #: The part of each kind of event; kind 0 is the end.
        self.parts = [None if part is None else symbol(part) for part in data.parts]
        self._cut_pattern = data.cut
        self._rule_of = data.rule_of
        self._is_final = data.final
        self._steps = [
            {
                kind: Step(tuple((back, rule) for back, rule in entered), state)
                for kind, entered, state in steps
            }
            for steps in data.steps
        ]
        self._start = data.start

    @cached_property
    def _cut(self) -> re.Pattern[str]:
        return re.compile(self._cut_pattern)

    @cached_property
    def _runs(self) -> list[re.Pattern[bytes]]:
        """The expression of consecutive events of each kind."""
        return [re.compile(re.escape(bytes([kind])) + b"++") for kind in range(len(self.parts))]

    # ---- reading ----

    def _events(self, text: str, start: int, end: int) -> tuple[list[str], bytes]:
        """Cut a text into events, up to the first character that begins none.

        Returns:
            The texts and the kinds of the events; the last is the end, of kind 0.
        """
        texts, kinds = [], bytearray()
        for match in self._cut.finditer(text, start, end):
            kind = match.lastindex or 0
            texts.append(match[0] if kind else "")
            kinds.append(kind)
        if not texts or texts[-1]:
            texts.append("")
            kinds.append(0)
        return texts, bytes(kinds)

    def read(self, text: str, start: int, end: int, builder: Builder) -> int | None:
        """Read one text of the start rule.

        Args:
            text: Of it, ``text[start:end]`` is read.
            start, end: The place of the part.
            builder: Gets everything in the order of the text; its result for the start
                rule goes into ``builder.results``.

        Returns:
            The end of the events that were read; None if the grammar rejects the text.
        """
        texts, kinds = self._events(text, start, end)
        at = 0
        steps, state, rule_of = self._steps, self._start, self._rule_of
        openers = {rule: builder.opener(rule) for rule in self.rules}
        closers = {rule: builder.closer(rule) for rule in self.rules}
        parts = self.parts
        names = [part.name if part else "" for part in parts]
        children = openers[rule_of[state]]()
        stack: list[tuple[int, list[Any]]] = []
        while True:
            kind = kinds[at]
            step = steps[state].get(kind)
            if step is None:
                if not self._is_final[state]:
                    return None
                close, complete = closers[rule_of[state]], children
                if not stack:
                    close(builder.results, complete)
                    return start + sum(map(len, texts[:at]))
                state, children = stack.pop()
                close(children, complete)
                continue
            for back, rule in step.entered:
                stack.append((back, children))
                children = openers[rule]()
            state = step.state
            part = parts[kind]
            if part.__class__ is Text:
                if part.kept or children.__class__ is not list:
                    builder.token(children, part, texts[at])
                at += 1
                continue
            after = at + 1
            if kinds[after] == kind:
                again = steps[state].get(kind)
                if again is not None and not again.entered and again.state == state:
                    match = self._runs[kind].match(kinds, at)
                    after = after if match is None else match.end()
            builder.putter(names[kind])(children, texts[at:after])
            at = after

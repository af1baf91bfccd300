"""The nesting of a grammar as a pushdown table over the texts of rules that do not nest.

A text is cut once, by one regular expression, into *events*: brackets and the like, and
texts of the largest rules that do not nest (nodes, in SGF).  A table made from the
rules that nest then gives the parser's state after each event.  The cut ends at the first
character that no rule can begin with, so that a fault is met once, at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from .analysis import Grammar, leaves
from .ir import Call, Chain, Choice, Many, Part, Text, UntranslatableError

#: Cache limit: above it the next cut starts with no known text.
MAX_CACHED_TEXTS = 1 << 14

#: Cache limit in characters: longer texts hardly recur.
MAX_CACHED_LENGTH = 64

#: The kinds of event that fit into a byte, besides the end.
MAX_KINDS = 255


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


class Events(NamedTuple):
    """A text cut into events: their texts and their kinds; the last is the end, of kind 0."""

    texts: list[str]
    kinds: bytes


class _Step(NamedTuple):
    """The effect of an event: rules to enter, each with the state to return to; the next state."""

    entered: tuple[tuple[int, str], ...]
    state: int


class _Place(NamedTuple):
    """A position in a rule: the number of the symbol before the parser; 0 before the first."""

    rule: str
    position: int


class PushdownTable:
    """The states and transitions of the rules that nest, and the expression that cuts events.

    Args:
        grammar: Its next character always decides; see :meth:`Grammar.decides`.
        start: A rule that nests.
        expression: Returns the regular expression of a part.
        skip: The prefix of these expressions, if what they match begins with a token.

    Raises:
        UntranslatableError: The first character of an event does not decide its kind.
    """

    def __init__(
        self, grammar: Grammar, start: str, expression: Callable[[Part], str], skip: str
    ) -> None:
        self._grammar = grammar
        self._places: dict[str, _Positions] = {}
        self.rules: list[str] = []
        parts: dict[Text | Call, None] = {}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in self.rules:
                continue
            if grammar.begins(Call(name))[1]:
                raise UntranslatableError(name, "it may be empty")
            self.rules.append(name)
            self._places[name] = positions = _Positions(grammar, name)
            for symbol in positions.symbols:
                if isinstance(symbol, Call) and self._is_opened(symbol.name):
                    waiting.append(symbol.name)
                else:
                    parts[symbol] = None
        ordered = grammar.in_order({part.name: part for part in parts}.values())
        if (
            len(ordered) > MAX_KINDS
            or any(grammar.begins(part)[1] for part in ordered)
            or grammar.rivals(ordered) is not False
        ):
            raise UntranslatableError(start, "two of its parts may begin alike")
        #: The part of each kind of event; kind 0 is the end.
        self.parts = [None, *ordered]
        self._kinds = {part.name: kind for kind, part in enumerate(ordered, 1)}
        expressions = [expression(part) for part in ordered]
        if all(pattern.startswith(skip) for pattern in expressions):
            bare = "|".join(pattern.removeprefix(skip) for pattern in expressions)
            self._cut = re.compile(f"({skip}(?:{bare}))|(?s:.++)")
        else:
            self._cut = re.compile(f"({'|'.join(expressions)})|(?s:.++)")
        self._kind = re.compile("|".join(f"({pattern})" for pattern in expressions))
        self._kinds_of = _Kinds(self._kind)
        places = [
            _Place(rule, position)
            for rule in self.rules
            for position in range(len(self._places[rule].follow))
        ]
        self._number = {place: number for number, place in enumerate(places)}
        self._rule_of = [place.rule for place in places]
        self._is_final = [place.position in self._places[place.rule].last for place in places]
        self._steps = [self._steps_from(place) for place in places]
        self._start = self._number[_Place(start, 0)]
        self._runs = [
            re.compile(re.escape(bytes([kind])) + b"++") for kind in range(len(self.parts))
        ]

    def _is_opened(self, name: str) -> bool:
        """Return True for a rule that nests, or consists of other rules only."""
        inside = list(leaves(self._grammar, self._grammar.part(name)))
        return name in self._grammar.nesting or (
            bool(inside) and all(isinstance(leaf, Call) for leaf in inside)
        )

    # ---- the table ----

    def _steps_from(self, place: _Place) -> dict[int, _Step]:
        """Return the step of each kind of event that the grammar allows at a place."""
        positions = self._places[place.rule]
        steps: dict[int, _Step] = {}
        for following in positions.follow[place.position]:
            symbol = positions.symbols[following - 1]
            state = self._number[_Place(place.rule, following)]
            if isinstance(symbol, Call) and symbol.name in self._places:
                for kind, step in self._steps_from(_Place(symbol.name, 0)).items():
                    steps[kind] = _Step(((state, symbol.name), *step.entered), step.state)
            else:
                steps[self._kinds[symbol.name]] = _Step((), state)
        return steps

    # ---- reading ----

    def kind(self, name: str) -> int:
        """Return the kind of the events that are texts of a rule; 0 if there are none."""
        return self._kinds.get(name, 0)

    def cut(self, text: str, start: int, end: int) -> Events:
        """Cut a text into events, up to the first character that begins none."""
        texts = self._cut.findall(text, start, end)
        if not texts or texts[-1]:
            texts.append("")
        if len(self._kinds_of) > MAX_CACHED_TEXTS:
            self._kinds_of = _Kinds(self._kind)
        return Events(texts, bytes(map(self._kinds_of.__getitem__, texts)))

    def read(self, events: Events, at: int, builder: Builder) -> int | None:
        """Read one text of the start rule.

        Args:
            events: Of the text.
            at: The event to begin with.
            builder: Gets everything in the order of the text; its result for the start
                rule goes into ``builder.results``.

        Returns:
            The event after the text; None if the grammar rejects it.
        """
        texts, kinds = events
        steps, state, rule_of = self._steps, self._start, self._rule_of
        openers = {rule: builder.opener(rule) for rule in self.rules}
        closers = {rule: builder.closer(rule) for rule in self.rules}
        parts = self.parts
        putters = _Putters(builder, parts)
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
                    return at
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
            putters[kind](children, texts[at:after])
            at = after


class _Putters(dict[int, Callable[[list[Any], list[str]], None]]):
    """Functions of a builder by kind of event, made on demand: most rejected texts need none."""

    def __init__(self, builder: Builder, parts: Sequence[Text | Call | None]) -> None:
        super().__init__()
        self._builder = builder
        self._parts = parts

    def __missing__(self, kind: int) -> Callable[[list[Any], list[str]], None]:
        part = self._parts[kind]
        put = self._builder.putter(part.name) if isinstance(part, Call) else list.extend
        self[kind] = put
        return put


class _Positions:
    """The symbols of a rule, numbered from 1, with the followers of each; 0 is the beginning."""

    def __init__(self, grammar: Grammar, rule: str) -> None:
        self._grammar = grammar
        self.symbols: list[Text | Call] = []
        self.follow: list[list[int]] = [[]]
        first, last, empty = self._of(grammar.part(rule))
        self.follow[0] = first
        self.last = {*last, 0} if empty else {*last}

    def _of(self, part: Part) -> tuple[list[int], list[int], bool]:
        """Return the first and the last positions of a part, and whether it may be empty."""
        if isinstance(part, Call) and part.name.startswith("__"):
            return self._of(self._grammar.part(part.name))
        if isinstance(part, Text | Call):
            self.symbols.append(part)
            self.follow.append([])
            here = [len(self.symbols)]
            return here, here, False
        if isinstance(part, Many):
            first, last, empty = self._of(part.part)
            self._link(last, first)
            return first, last, empty
        if isinstance(part, Choice):
            options = [self._of(option) for option in part.parts]
            return (
                [place for first, _, _ in options for place in first],
                [place for _, last, _ in options for place in last],
                any(empty for _, _, empty in options),
            )
        return self._of_chain(part)

    def _of_chain(self, chain: Chain) -> tuple[list[int], list[int], bool]:
        first: list[int] = []
        last: list[int] = []
        empty = True
        for inner in chain.parts:
            begins, ends, may_be_empty = self._of(inner)
            self._link(last, begins)
            if empty:
                first += begins
            last = [*last, *ends] if may_be_empty else ends
            empty = empty and may_be_empty
        return first, last, empty

    def _link(self, before: list[int], after: list[int]) -> None:
        for place in before:
            self.follow[place] += [later for later in after if later not in self.follow[place]]


class _Kinds(dict[str, int]):
    """The kind of each event by its text, found once for equal texts."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        super().__init__({"": 0})
        self._pattern = pattern

    def __missing__(self, text: str) -> int:
        match = self._pattern.match(text)
        kind = 0 if match is None else match.lastindex or 0
        if len(text) <= MAX_CACHED_LENGTH:
            self[text] = kind
        return kind

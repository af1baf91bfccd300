"""The states of a parser in which it rejects tokens, and texts with one known fault.

A token is what the parser reads after the text before it, so that each text here shows what
happens to a person who writes it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import product
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from lark import Token
from lark.exceptions import UnexpectedInput

from sgf_lark.core import (
    GROUPS,
    Diagnostic,
    File,
    Finding,
    LineIndex,
    check,
    grammars,
    terminal_name,
    text_of,
)

from .parse_state import parse
from .productions import format_of_grammar
from .samples import Sampler

#: The end of a text, and a character that is in hardly any terminal.
_END, _OTHER = "$END", "ANY_OTHER_CHARACTER"

#: The numbers of random texts of a terminal: those made, and the shortest, which are tried.
_MADE, _TRIED = 100, 8

#: The states on top of the parser's stack that tell what is read next.
_AROUND = 3

#: Limit of the sentences in which a fault is sought.
_TRIES = 200


class Refusal(NamedTuple):
    """Tokens that the parser rejects in one of its states, with the same kind of finding.

    Attributes:
        prefix: The shortest text that leads to the state.
        tokens: Their names for people.
        text: The prefix, and the first of them after it.
        finding: What is reported about this text.
    """

    prefix: str
    tokens: list[str]
    text: str
    finding: Diagnostic


class Broken(NamedTuple):
    """A text with one fault, and its place, from 1."""

    line: int
    column: int
    text: str


def refusals(file: File, start: str | None = None) -> Iterator[Refusal]:
    """Yield what the parser of a rule rejects, states with short texts first.

    Args:
        file: The grammar.
        start: The rule; the first one if None.

    Raises:
        LookupError: The grammar has no such rule.
        lark.exceptions.GrammarError: It is ambiguous.
    """
    tokens = _Tokens(file, grammars.rule(file, start))
    for prefix, accepted in tokens.prefixes():
        found: dict[str, Refusal] = {}
        for name in tokens.names:
            refused = None if name in accepted else tokens.refused(prefix, name)
            if refused is not None:
                finding = tokens.finding(*refused)
                new = Refusal(prefix, [], refused[0].text, finding)
                of_kind = found.setdefault(finding.code, new)
                of_kind.tokens.append(terminal_name(tokens.parser, name))
        yield from found.values()


def broken(
    file: File, start: str | None = None, *, seed: int | str = 0, size: int = 40
) -> Iterator[Broken]:
    """Yield endless texts with one fault: a sentence with a token too many, or cut.

    Args:
        file: The grammar.
        start: The rule to begin with; the first one if None.
        seed: Of the dice.
        size: The approximate limit of a sentence in rules and terminals.

    Raises:
        LookupError: The grammar has no such rule.
        lark.exceptions.GrammarError: It is ambiguous.
    """
    sampler = Sampler(file, start, size=size)
    tokens = _Tokens(file, grammars.rule(file, start))
    dice = Random(seed)  # noqa: S311  # the same ones every time
    tries = 0
    while tries < _TRIES and (sentence := sampler.sentence(dice)) is not None:
        tries += 1
        _, read = tokens.read(sentence)
        at = dice.choice([0, *(token.end_pos for token in read)])
        name = dice.choice(tokens.names)
        refused = tokens.refused(sentence[:at], name, "" if name == _END else sentence[at:])
        if refused is not None:
            yield refused[0]
            tries = 0


class _Tokens:
    """The tokens of a parser as texts, and what it does with them."""

    def __init__(self, file: File, start: str) -> None:
        self._file, self._start = file, start
        self.parser = grammars.experiment(file, self._start)
        dice = Random(0)  # noqa: S311  # the same ones every time
        self._texts = {_OTHER: ["\N{SECTION SIGN}"], _END: [""]}
        for terminal in self.parser.terminals:
            texts = {text_of(terminal.pattern.to_regexp(), dice) for _ in range(_MADE)}
            self._texts[terminal.name] = sorted(texts, key=lambda text: (len(text), text))[:_TRIED]
        self._gaps = ["", *(self._texts[name][0] for name in self.parser.ignore_tokens)]
        states = self.read("")[0].parser_state.parse_conf.states.values()
        parts = set[str]().union(*states).intersection(self._texts) - {_END}
        self.names = [*sorted(parts), _OTHER, _END]
        self._format = format_of_grammar(file) if start == grammars.first_rule(file) else None

    def read(self, text: str) -> tuple[Any, list[Any]]:
        """Return the parser after a text, and the tokens of the text; none if it rejects one."""
        machine: Any = self.parser.parse_interactive(text)
        try:
            return machine, machine.exhaust_lexer()
        except UnexpectedInput:
            return machine, []

    def prefixes(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the shortest text that leads to each state, and the terminals that may follow.

        A state counts as several if what may follow depends on the rules around.
        """
        waiting = [(0, "")]
        seen: set[tuple[Any, ...]] = set()
        while waiting:
            _, text = heappop(waiting)
            machine, read = self.read(text)
            kinds = [token.type for token in read]
            after = {name: self._after(machine, name) for name in machine.accepts()}
            accepted = frozenset(after)
            stack = machine.parser_state.state_stack
            around = *stack[-_AROUND:], *kinds[-1:], frozenset(after.items())
            if around in seen:
                continue
            if (stack[-1], accepted) not in seen:
                yield text, accepted
            seen.update((around, (stack[-1], accepted)))
            for name in accepted - {_END}:
                for gap, piece in product(self._gaps, self._texts[name]):
                    longer = text + gap + piece
                    if [token.type for token in self.read(longer)[1]] == [*kinds, name]:
                        heappush(waiting, (len(longer), longer))
                        break

    def _after(self, machine: Any, name: str) -> Any:
        """Return the state of the parser after a terminal."""
        further = machine.copy(deepcopy_values=False)
        further.feed_token(Token(name, ""))
        return further.parser_state.position

    def refused(self, prefix: str, name: str, behind: str = "") -> tuple[Broken, Finding] | None:
        """Return a text whose fault is a terminal after a prefix, and what the grammar says."""
        for gap, piece in product(self._gaps, self._texts[name]):
            place = len(prefix + gap)
            text = prefix + gap + piece + behind
            fault = parse(text, self._file, self._start).finding
            if fault is not None and fault.span.start == place:
                return Broken(*LineIndex(text).locate(place), text), fault
        return None

    def finding(self, at: Broken, fault: Finding) -> Diagnostic:
        """Return what is reported: of a record the last finding on its syntax."""
        report = check(io.StringIO(at.text), format=self._format) if self._format else ()
        found = [one for one in report if GROUPS[one.code[0]] == "syntax"]
        said = Diagnostic.of(fault, LineIndex(at.text))
        return max(found, key=attrgetter("offset"), default=said)

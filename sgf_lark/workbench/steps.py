"""The steps of a parser over a text: what it does, what decides that, and what is open then."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NamedTuple

from lark import Lark, Token, Tree
from lark.grammar import Rule, Symbol, Terminal
from lark.lexer import TerminalDef

from sgf_lark.core import File, Span, by_grammar
from sgf_lark.workbench.source_text import experiment, grammar_text, loaded_for

from .conflicts import Automaton, Derivations
from .lint import Wording
from .parse_state import Observer, Open, open_rules, place_of

#: Limits of the steps that are kept, of the open rules of each, the innermost, and of the
#: characters that a terminal which was not chosen is tried on.
MAX_STEPS, MAX_OPEN, _MAX_TRIED = 500, 12, 200


class ParserStep(NamedTuple):
    """A shift or a reduction."""

    symbol: Symbol  # the terminal that is shifted, or the rule that is reduced to
    # the number of symbols that a reduction takes from the stack; None for a shift
    size: int | None
    # the name of the new node of the tree; None if its children belong to what is above
    name: str | None
    hidden: tuple[int, ...]  # the symbols that the tree drops, as indexes of what is taken
    span: Span | None  # the text; None if there is none
    ahead: Symbol
    state: Any  # the state that decides with it, as Lark has it
    rivals: tuple[str, ...]  # the other terminals that match where a shifted token begins
    open: tuple[Open, ...]
    follows: tuple[Symbol, ...]


class Tracer(Observer):
    """An observer of :func:`.parse` that keeps its first :data:`MAX_STEPS` steps."""

    def __init__(self, parser: Lark, text: str) -> None:
        self.steps: list[ParserStep] = []
        self._text = text
        self._patterns = {
            terminal.name: re.compile(terminal.pattern.to_regexp()) for terminal in parser.terminals
        }
        self._machine: Any = None
        self._ahead = Token("", "")
        self._end = 0
        self._rivals: tuple[str, ...] = ()
        self._state: Any = None

    @property
    def is_full(self) -> bool:
        return len(self.steps) >= MAX_STEPS

    def begin(self, machine: Any) -> None:
        self._machine = machine
        config = machine.parser_state.parse_conf  # of this parser alone
        acts = config.callbacks.items()
        config.callbacks = {rule: partial(self._reduce, rule, act) for rule, act in acts}

    def before(self, token: Token) -> None:
        if self.is_full:
            return
        self._ahead = token
        stacks = self._machine.parser_state
        row = stacks.parse_conf.states[stacks.state_stack[-1]]
        start = token.start_pos or 0
        self._rivals = tuple(
            name
            for name, pattern in self._patterns.items()
            if name in row and name != token.type
            if pattern.match(self._text, start, start + _MAX_TRIED)
        )

    def after(self, token: Token) -> None:
        if self.is_full:
            return
        self._end = token.end_pos or self._end
        symbol, stacks = Terminal(token.type), self._machine.parser_state
        follows = tuple(Terminal(name) for name in self._machine.accepts())
        opened = tuple(open_rules(stacks.state_stack, stacks.value_stack, self._end, MAX_OPEN))
        self.steps.append(
            ParserStep(
                *(symbol, None, token.type, (), place_of(token), symbol, stacks.state_stack[-2]),
                *(self._rivals, opened, follows),
            )
        )

    def _reduce(self, rule: Rule, act: Any, children: list[Any]) -> Any:
        value = act(children)
        if self.is_full:
            return value
        stacks = self._machine.parser_state
        states = stacks.parse_conf.states
        state = below = stacks.state_stack[-1]  # what is reduced has left the stack
        for symbol in rule.expansion:
            state = states[state][symbol.name][1]
        reached = [*stacks.state_stack, states[below][rule.origin.name][1]]
        opened = open_rules(reached, [*stacks.value_stack, value], self._end, MAX_OPEN)
        is_node = isinstance(value, Tree) and not any(value is child for child in children)
        name = str(value.data) if is_node and value.data[0] != "_" else None
        hidden = (at for at, one in enumerate(rule.expansion) if one.is_term and one.filter_out)  # type: ignore[attr-defined]  # of terminals
        span = None if value is None else place_of(value)
        self.steps.append(
            ParserStep(
                *(rule.origin, len(rule.expansion), name, tuple(hidden), span),
                *(Terminal(self._ahead.type), state, (), tuple(opened), ()),
            )
        )
        return value


@by_grammar
def _choices(file: File, start: str) -> dict[tuple[Any, Symbol], tuple[Rule, ...]]:
    """Return the rules that may be reduced by, by state and token, where there is a choice."""
    _, rules, _ = loaded_for(file, start).compile([start], ())
    choices = Automaton(Derivations(rules), [start]).choices()
    return {(choice.state.closure, choice.token): choice.rules for choice in choices}


def write_steps(tracer: Tracer, file: File, start: str) -> list[dict[str, Any]]:
    """Return the steps in the words of the grammar, for JSON.

    Each has the fields of a :class:`ParserStep` but the state and the rivals; each open rule is its
    name and what has been read of it.  ``reasons`` has a sentence for each conflict that was
    decided.
    """
    parser = experiment(file, start)
    words = Wording(grammar_text(file), ([*parser.terminals], parser.rules, parser.ignore_tokens))
    terminals = {terminal.name: terminal for terminal in parser.terminals}
    choices = _choices(file, start)

    def reasons(step: ParserStep) -> list[str]:
        rules = choices.get((step.state, step.ahead), ())
        found = [_decided(rules, step, words)] if rules else []
        for rival in step.rivals:
            why = _preference(terminals[step.symbol.name], terminals[rival])
            chosen, other = words.symbol(step.symbol), words.token(Terminal(rival))
            found.append(f"{chosen} and {other} both match here. The lexer takes {chosen}, {why}.")
        return found

    return [
        {
            "symbol": words.symbol(step.symbol),
            "size": step.size,
            "name": step.name,
            "hidden": step.hidden,
            "span": step.span,
            "ahead": words.token(step.ahead),
            "open": [
                (opened.rule, " ".join(map(words.symbol, opened.read))) for opened in step.open
            ],
            "follows": sorted(map(words.symbol, step.follows)),
            "reasons": reasons(step),
        }
        for step in tracer.steps
    ]


def _decided(rules: tuple[Rule, ...], step: ParserStep, words: Wording) -> str:
    by_priority = sorted(rules, key=_priority, reverse=True)
    named = [
        f"{words.rule(rule.origin.name)} \N{LEFTWARDS ARROW} "
        + (" ".join(map(words.symbol, rule.expansion)) or "nothing")
        for rule in by_priority
    ]
    before = f"conflict before {words.token(step.ahead)}: the parser could"
    if step.size is None:
        return (
            f"Shift/reduce {before} also reduce {' or '.join(named)}. It shifts: Lark's LALR"
            " parser always does, whatever the priorities of rules."
        )
    high, low = map(_priority, by_priority[:2])
    return (
        f"Reduce/reduce {before} reduce {' or '.join(named)}. It takes the first, whose priority"
        f" is {high}, not {low}."
    )


def _priority(rule: Rule) -> int:
    return rule.options.priority or 0


def _preference(chosen: TerminalDef, other: TerminalDef) -> str:
    if chosen.priority != other.priority:
        return f"whose priority is {chosen.priority}, not {other.priority}"
    if chosen.pattern.max_width > other.pattern.max_width:
        return "which may be longer"
    if chosen.pattern.type == "str" != other.pattern.type:
        return "because a text goes before an expression"
    return "which it tries first, as it is written longer or its name is first in the alphabet"

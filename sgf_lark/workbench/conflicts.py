"""Conflicts of LALR(1) parsers, each with a text that shows it; operators without any.

At a conflict the next token allows two actions.  The search takes both, one in each of two
stacks, and lets the stacks read the same symbols.  It begins with the state of the conflict
alone: where a reduction needs more of a stack, any state that may lie below is put below both.
If the stacks become equal, two trees have the same text, and the grammar is ambiguous.

Terminals are taken as different: that the lexer may prefer one to another is not considered.

Source: Isradisaikul and Myers, "Finding Counterexamples from Parsing Conflicts", which searches
from the same state in both directions, by items.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, count
from typing import Any, NamedTuple, TypeAlias

from lark.common import ParserConf
from lark.grammar import NonTerminal, Rule, Symbol, Terminal
from lark.parsers.grammar_analysis import LR0ItemSet, RulePtr
from lark.parsers.lalr_analysis import LALR_Analyzer

#: Limits of the search for one conflict, and of all searches for a grammar.
MAX_PAIRS, MAX_SECONDS = 20_000, 5.0

END = Terminal("$END")


class ConflictKind(StrEnum):
    """The kind of a conflict: the verdict of a search."""

    AMBIGUOUS = "ambiguous"
    LOOK_AHEAD = "needs look-ahead"
    MERGED = "LR(1) but not LALR(1)"
    NOT_FOUND = "not found within the bound"


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """A rule of a tree with its children, or a token."""

    symbol: Symbol
    rule: Rule | None  # the rule; None for a token
    children: tuple[Derivation, ...]
    length: int
    first: Symbol | None


class Conflict(NamedTuple):
    """A state of the parser and a next token with several actions."""

    state: LR0ItemSet
    token: Symbol
    # the rules to reduce by; the parser may also shift if there is only one
    rules: tuple[Rule, ...]


#: A kind, and two trees: of the same text if the grammar is ambiguous, else of two texts that
#: begin alike; none if no text shows the conflict.
Counterexample: TypeAlias = tuple[ConflictKind, tuple[Derivation, ...]]


class _Side(NamedTuple):
    """One of two stacks."""

    states: tuple[LR0ItemSet, ...]  # its states, from the lowest one that is known
    parts: tuple[Derivation, ...]
    # the rule to reduce by, or the state to shift to; None for any
    next: Rule | LR0ItemSet | None = None
    has_read: bool = False  # it has read the symbol, and waits for the other

    def on(self, state: LR0ItemSet, part: Derivation) -> _Side:
        return self._replace(states=(state, *self.states), parts=(part, *self.parts))


#: Two stacks, and the symbols that may be read next, a bit each.
_Pair: TypeAlias = tuple[_Side, _Side, int]

#: Every symbol.
_ANY = -1


class Derivations:
    """The derivations of a grammar, each made once."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self._nodes: dict[tuple[int, ...], Derivation] = {}
        #: The shortest text of each symbol that has one.
        self.shortest = shortest = {
            symbol: Derivation(symbol, None, (), int(symbol != END), symbol)
            for symbol in (END, *(part for rule in rules for part in rule.expansion))
            if symbol.is_term
        }
        grown = True
        while grown:
            grown = False
            for rule in rules:
                if shortest.keys() >= {*rule.expansion}:
                    tree = self.node(rule, self.shortest_of(rule.expansion))
                    if rule.origin not in shortest or tree.length < shortest[rule.origin].length:
                        shortest[rule.origin] = tree
                        grown = True

    def shortest_of(self, symbols: Iterable[Symbol]) -> tuple[Derivation, ...]:
        return tuple(self.shortest[symbol] for symbol in symbols)

    def node(self, rule: Rule, children: tuple[Derivation, ...]) -> Derivation:
        key = (id(rule), *map(id, children))
        if key not in self._nodes:
            first = next((child.first for child in children if child.first), None)
            length = sum(child.length for child in children)
            self._nodes[key] = Derivation(rule.origin, rule, children, length, first)
        return self._nodes[key]


class Automaton:
    def __init__(self, derivations: Derivations, starts: list[str]) -> None:
        self._deadline = time.monotonic() + MAX_SECONDS
        self._derivations = derivations
        self._shortest = derivations.shortest
        bits = {symbol: 1 << number for number, symbol in enumerate(self._shortest)}
        self._bits = bits
        beginning: Counter[Symbol | None] = Counter()
        for symbol, tree in self._shortest.items():
            beginning[tree.first] += bits[symbol]
        finite = [rule for rule in derivations.rules if bits.keys() >= {*rule.expansion}]
        analysis: Any = LALR_Analyzer(ParserConf(finite, {}, starts))
        analysis.compute_lr0_states()
        analysis.compute_reads_relations()
        analysis.compute_includes_lookback()
        analysis.compute_lookaheads()
        end: Any = LR0ItemSet((), ())  # type: ignore[no-untyped-call]
        self._states: list[LR0ItemSet] = [*analysis.lr0_start_states.values()]
        #: The symbol before each state, and the states before that, the nearest to a start first.
        self._before: dict[LR0ItemSet, tuple[Symbol, list[LR0ItemSet]]] = {}
        #: The rules that each state may reduce by, with the symbols that may follow.
        self._reductions: dict[LR0ItemSet, dict[Rule, int]] = {}
        for state in self._states:  # grows
            if any(item.is_satisfied and item.rule.origin.name[0] == "$" for item in state.kernel):
                state.transitions[END] = end
            state.transitions = {one: state.transitions[one] for one in _sorted(state.transitions)}
            for symbol, to in state.transitions.items():
                if to not in self._before:
                    self._states.append(to)
                self._before.setdefault(to, (symbol, []))[1].append(state)
            ahead = self._reductions[state] = {}
            for token in _sorted(state.lookaheads):
                for rule in sorted(state.lookaheads[token], key=str):
                    ahead[rule] = ahead.get(rule, 0) | beginning[token]

    def choices(self) -> Iterator[Conflict]:
        for state in self._states:
            for token in _sorted(state.lookaheads):
                rules = tuple(sorted(state.lookaheads[token], key=str))
                if len(rules) > 1 or token in state.transitions:
                    yield Conflict(state, token, rules)

    def conflicts(self) -> Iterator[Conflict]:
        """Yield the choices, but for those that priorities decide."""
        for choice in self.choices():
            best = preferred(choice.rules)
            if len(best) > 1 or choice.token in choice.state.transitions:
                yield choice._replace(rules=best)

    def counterexample(self, conflict: Conflict) -> Counterexample:
        state, token, rules = conflict
        shift, bit = state.transitions.get(token), self._bits[token]
        order = count()
        queue: list[tuple[int, int, int, _Pair]] = [
            (0, next(order), 0, (_Side((state,), (), one), _Side((state,), (), other), bit))
            for one, other in combinations([action for action in (*rules, shift) if action], 2)
        ]
        seen: set[tuple[object, ...]] = set()
        two_texts: tuple[Derivation, ...] = ()
        while queue:
            _, _, cost, (left, right, symbols) = heapq.heappop(queue)
            key = frozenset([(left.states, *left[2:]), (right.states, *right[2:])]), symbols
            if key in seen:
                continue
            seen.add(key)
            if symbols == _ANY and not two_texts:
                two_texts = (*self._complete(left), *self._complete(right))
            if len(seen) > MAX_PAIRS or (two_texts and time.monotonic() > self._deadline):
                return ConflictKind.NOT_FOUND, two_texts
            is_level = not left.has_read and not right.has_read
            if is_level and left.states == right.states and left.parts != right.parts:
                return ConflictKind.AMBIGUOUS, self._complete(left, right)
            for side, other in ((left, right), (right, left)):
                is_lower = is_level and len(side.states) < len(other.states)
                steps = () if side.has_read or is_lower else self._steps(side, other, symbols)
                for more, pair in steps:
                    height = len(pair[0].states) + len(pair[1].states)
                    heapq.heappush(queue, (cost + more + height, next(order), cost + more, pair))
        return ConflictKind.LOOK_AHEAD if two_texts else ConflictKind.MERGED, two_texts

    def _steps(self, side: _Side, other: _Side, symbols: int) -> Iterator[tuple[int, _Pair]]:
        top = side.states[-1]
        for rule, ahead in self._reductions[top].items():
            allowed = symbols & ahead
            kept = len(side.parts) - len(rule.expansion)
            if not allowed or side.next not in (None, rule):
                continue
            if kept >= 0:
                states, part = (
                    side.states[: kept + 1],
                    self._derivations.node(rule, side.parts[kept:]),
                )
                to = states[-1].transitions[rule.origin]
                after = _Side((*states, to), (*side.parts[:kept], part))
                yield int(not rule.expansion), (after, other, allowed)
            elif side.states[0] in self._before:
                symbol, below = self._before[side.states[0]]
                part = self._shortest[symbol]
                for state in below:
                    longer = side.on(state, part)._replace(next=rule)
                    yield max(part.length, 1), (longer, other.on(state, part), allowed)
        for symbol, to in top.transitions.items():
            bit, part = self._bits[symbol], self._shortest[symbol]
            if symbols & bit and side.next in (None, to):
                after = _Side((*side.states, to), (*side.parts, part), None, not other.has_read)
                if other.has_read:
                    yield 0, (after, other._replace(has_read=False), _ANY)
                else:
                    yield part.length, (after, other, bit)

    def _complete(self, *sides: _Side) -> tuple[Derivation, ...]:
        rows, states = [[*side.parts] for side in sides], sides[0].states
        while states[0] in self._before:
            symbol, below = self._before[states[0]]
            states = (below[0], *states)
            for row in rows:
                row.insert(0, self._shortest[symbol])
        for rule, index in self._ending(states):
            rest = self._derivations.shortest_of(rule.expansion[index:])
            for row in rows:
                at = len(row) - index
                row[at:] = [self._derivations.node(rule, (*row[at:], *rest))]
        return tuple(row[0] for row in rows)

    def _ending(self, states: tuple[LR0ItemSet, ...]) -> tuple[tuple[Rule, int], ...]:
        """Return the rules that end a text, with the numbers of their parts on the stack."""
        ways: list[tuple[tuple[LR0ItemSet, ...], tuple[tuple[Rule, int], ...]]] = [(states, ())]
        seen = set()
        while True:
            states, done = ways.pop()
            if not states[-1].kernel or END in states[-1].transitions:
                return done
            if states not in seen:
                seen.add(states)
                for item in sorted(states[-1].kernel, key=self._rest, reverse=True):
                    below = states[: len(states) - item.index]
                    reduced = (*below, below[-1].transitions[item.rule.origin])
                    ways.append((reduced, (*done, (item.rule, item.index))))

    def _rest(self, item: RulePtr) -> tuple[int, str]:
        rest = self._derivations.shortest_of(item.rule.expansion[item.index :])
        return sum(part.length for part in rest), str(item)


def preferred(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    highest = max(rule.options.priority or 0 for rule in rules)
    return tuple(rule for rule in rules if (rule.options.priority or 0) == highest)


def _sorted(symbols: Iterable[Symbol]) -> list[Symbol]:
    return sorted(symbols, key=lambda symbol: (symbol.is_term, symbol.name))


def walk_derivation(tree: Derivation) -> Iterator[Derivation | None]:
    """Yield the rules and tokens of a tree, and None at the end of each rule."""
    waiting: list[Derivation | None] = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        if part and part.rule:
            waiting += [None, *reversed(part.children)]


def differing(one: Derivation, other: Derivation) -> tuple[Derivation, Derivation]:
    """Return the smallest parts of two trees that have all their differences."""
    while one.rule is other.rule:
        pairs = zip(one.children, other.children, strict=True)
        different = [pair for pair in pairs if pair[0] is not pair[1]]
        if len(different) != 1:
            break
        ((one, other),) = different
    return one, other


# ---- rules of operators ----

#: Operators by how they bind, the loosest first, with a name for the rule of each level.
_LEVELS = (
    ("either", {'"or"', '"||"', '"|"'}),
    ("both", {'"and"', '"&&"', '"&"'}),
    ("comparison", {'"=="', '"!="', '"="', '"<>"', '"<"', '">"', '"<="', '">="'}),
    ("sum", {'"+"', '"-"'}),
    ("product", {'"*"', '"/"', '"%"'}),
    ("power", {'"^"', '"**"'}),
)


def is_operator(rule: Rule, rules: Iterable[Rule]) -> bool:
    """Return whether a rule ends with itself, and an alternative of it begins so."""
    own = (one.expansion for one in rules if one.origin == rule.origin)
    ends_alike = rule.expansion[1:] and rule.expansion[-1] == rule.origin
    return bool(ends_alike) and any(one[1:] and one[0] == rule.origin for one in own)


def write_levels(
    origin: NonTerminal,
    mark: str,
    rules: Iterable[Rule],
    word: Callable[[Symbol], str],
    taken: set[str],
) -> Iterator[str]:
    """Yield the rules that an ambiguous rule of operators becomes, the loosest first.

    Operators that everybody knows are on the levels that everybody knows, others in their order.
    The last level is that of all other alternatives.
    """
    levels: dict[tuple[int, int], list[Rule]] = {}
    rest: list[Rule] = []
    for number, rule in enumerate(one for one in rules if one.origin == origin):
        parts = rule.expansion
        begins, ends = parts[:1] == [origin], parts[-1:] == [origin]
        if not parts[1:] or not (begins or ends):
            rest.append(rule)
            continue
        known = [at for at, (_, words) in enumerate(_LEVELS) if word(parts[1]) in words]
        if begins and ends and len(parts) > 3:  # noqa: PLR2004  # such as  x ? x : x
            place = (-1, number)
        elif begins and ends and len(parts) == 3 and known:  # noqa: PLR2004
            place = (known[0], 0)
        else:
            place = (len(_LEVELS) + (not (begins and ends)), number if begins and ends else begins)
        levels.setdefault(place, []).append(rule)
    names = [str(origin.name)]
    usual = [_LEVELS[at][0] if at < len(_LEVELS) else "" for at, _ in sorted(levels)[1:]]
    for wanted in [*usual, "atom"]:
        numbered = (f"{origin.name}_{number}" for number in count(2))
        free = (one for one in chain([wanted], numbered) if one not in {"", *taken, *names})
        names.append(next(free))
    inner = "?" + mark.replace("?", "")
    alone = [word(part) for rule in rest for part in rule.expansion]
    if len(rest) == len(alone) == 1 and not rest[0].alias:
        names[-1] = alone[0]
    for level, (_, own) in enumerate(sorted(levels.items())):
        name, tighter = names[level : level + 2]
        alternatives = [_write(rule, word, name, tighter) for rule in own]
        yield f"{inner if level else mark}{name}: {' | '.join([*alternatives, tighter])}"
    if names[-1] not in alone:
        alternatives = [_write(rule, word, str(origin.name), "") for rule in rest]
        yield f"{inner}{names[-1]}: {' | '.join(alternatives)}"


def _write(rule: Rule, word: Callable[[Symbol], str], level: str, tighter: str) -> str:
    """Return an alternative on its level: operators bind to the left, but powers and choices."""
    parts = [word(part) for part in rule.expansion]
    if tighter and rule.expansion[0] == rule.expansion[-1] == rule.origin:
        to_right = len(parts) > 3 or parts[1] in _LEVELS[-1][1]  # noqa: PLR2004
        parts[0], parts[-1] = (tighter, level) if to_right else (level, tighter)
    elif tighter:
        parts = [level if part == rule.origin.name else part for part in parts]
    return " ".join(parts) + (f" -> {rule.alias}" if rule.alias else "")

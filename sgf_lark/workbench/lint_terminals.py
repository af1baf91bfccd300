"""Lint of terminals: the order in which they are tried, and the time that they may take.

Lark's lexer does not take the longest text: of the terminals that may come it tries one after the
other, by priority, and those without a longest text first.  So ``/[0-9]+/`` takes the ``1`` of
``"1-0"``, and ``%ignore /\\s+/`` the white space that a text begins with.

Time doubles with each character where a repetition matches the same text in two ways, as in
``(a+)+b`` or ``(a|a)*b``: if the rest does not match, every way is tried.  It grows with a power
of the length where repetitions that follow each other match the same text, as in ``a*a*a*b``:
every border between them is tried.  The expression becomes an automaton of its characters; the
search is for two different paths from a state back to it with the same text (EDA), and for a text
that leads from one loop to itself, to another one, and from that to itself (IDA).  Where the
expression may end there, no way is tried again, and it is harmless.

Source: C. Allauzen, M. Mohri, A. Rastogi, "General algorithms for testing the ambiguity of
finite automata", 2008 (conditions EDA and IDA; the degree is that of the longest chain of IDA).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from math import inf, log
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from lark import Lark, TextSlice
from lark.lexer import TerminalDef

from sgf_lark.core import (
    Finding,
    Fix,
    Span,
    first_match,
    new_edit,
    new_fix,
    overtaking,
    regex,
    register,
    spelled,
)
from sgf_lark.workbench.source_text import GrammarText

from .patterns import FIRST, sample_text

CUT_TERMINAL = register(
    "L713 cut-terminal warning: a terminal of a grammar that another one cuts short"
)
IGNORED_TEXT = register("L714 ignored-text warning: text of a terminal that a grammar ignores")

#: The number of random texts of a terminal that are tried, and their longest.
_TEXTS, _MAX_LENGTH = 20, 200


def lint_order(
    source: GrammarText, parser: Lark, repetitions: dict[str, tuple[str, str]]
) -> Iterator[tuple[str, Finding]]:
    """Yield terminals whose texts are taken by others, each with a finding.

    The place is that of the definition or of the first use in a rule; (0, 0) if it has neither.

    Args:
        repetitions: For terminals that a rule repeats the rule, and the repetition as the grammar
            spells it.
    """
    texts = {terminal.name: _texts_of(terminal) for terminal in parser.terminals}
    lexers: Any = parser.parser.lexer.lexers  # of the contextual lexer
    seen: set[tuple[str, str]] = set()
    advice = _Advice(source, repetitions)
    for lexer in {id(one): one for one in lexers.values()}.values():
        spaces = [text for name in lexer.ignore_types for text in texts[name]]
        for other in lexer.terminals:
            if other.name in lexer.ignore_types:
                continue
            is_own = re.compile(other.pattern.to_regexp()).fullmatch
            for text in filter(is_own, [*texts[other.name], *spaces]):
                taken, name = first_match(lexer, TextSlice.cast_from(text), 0) or (text, other.name)
                lost, pair = name in lexer.ignore_types, (name, other.name)
                if pair in seen or name == other.name or not (lost or len(taken) < len(text)):
                    continue
                seen.add(pair)
                first = lexer.terminals_by_name[name]
                if first.priority > other.priority:
                    continue  # who gave it one has decided
                message = overtaking(first, other, taken, text, lost=lost)
                rule = IGNORED_TEXT if lost else CUT_TERMINAL
                place, help_, fix = advice.on(first, other, lost=lost)
                yield other.name, rule.found(message, place, help_, fix=fix)


def _texts_of(terminal: TerminalDef) -> list[str]:
    pattern, dice = terminal.pattern, Random(0)  # noqa: S311  # the same ones every time
    if pattern.type == "str":
        return [pattern.value]
    if pattern.min_width > _MAX_LENGTH:
        return []
    made = (sample_text(pattern.to_regexp(), each) for each in [FIRST, *[dice] * _TEXTS])
    return [text for text in dict.fromkeys(made) if len(text) <= _MAX_LENGTH]


class _Advice:
    """Advice on terminals that should be tried first."""

    def __init__(self, source: GrammarText, repetitions: dict[str, tuple[str, str]]) -> None:
        self._source = source
        self._repetitions = repetitions
        self._names = {*source.by_name, *source.imported}

    def on(
        self, first: TerminalDef, other: TerminalDef, *, lost: bool
    ) -> tuple[Span, str, Fix | None]:
        """Return the place of a terminal that another one is tried before, a help and a fix."""
        priority, source = first.priority + 1, self._source
        own = source.by_name.get(other.name)
        if lost and other.name in self._repetitions and other.pattern.max_width == 1:
            rule, repetition = self._repetitions[other.name]
            name = self._new(rule.upper())
            help_ = f"nothing is ignored inside a terminal: write  {name}: {repetition}"
            place = own.span if own else Span(0, 0)
            return place, f"{help_}  and, in `{rule}`, {name} for that repetition", None
        if own is not None:
            old = re.compile(r"\.-?[0-9]+|").match(source.text, own.span.end)
            at = (own.span.end, old.end() if old else own.span.end)
            text = source.text[at[1] : own.extent.end].lstrip(": \t")
            help_ = f"let it be tried first, by a priority:  {own.name}.{priority}: {text}"
            fix = new_fix("give it a priority", [new_edit(*at, f".{priority}")], safe=False)
            return own.span, help_, fix
        uses = [place for token, place in source.literals if token == other.pattern.raw]
        rules = [rule for rule in source.definitions if not rule.is_terminal]
        inside = [
            (place, rule.name)
            for place in uses
            for rule in rules
            if rule.extent.start <= place.start < rule.extent.end
        ]
        if not inside:
            help_ = f"let it be tried first: give {spelled(other)} the priority {priority}"
            return Span(0, 0), help_, None
        name = self._new("_" * (other.pattern.type == "str") + inside[0][1].upper().lstrip("_"))
        line = f"{name}.{priority}: {other.pattern.raw}"
        edits = [
            *((*place, name) for place, _ in inside),
            *[(len(source.text),) * 2 + (f"\n{line}\n",)],
        ]
        fix = new_fix(
            "name it, and give it a priority", [new_edit(*one) for one in edits], safe=False
        )
        return inside[0][0], f"let it be tried first, by a name and a priority:  {line}", fix

    def _new(self, name: str) -> str:
        names = (name, *(f"{name}_{number}" for number in range(2, len(self._names) + 3)))
        free = next(one for one in names if one not in self._names)
        self._names.add(free)
        return free


# ---- expressions whose time grows faster than their texts ----

#: Limit in pairs and in triples of steps: a larger automaton is not searched.
_LARGE = 400_000

#: Limit of characters of an automaton: above it a repetition is not copied.
_MAX_CHARACTERS = 2_000

#: Rounds of a repetition that count as a power of the length; of fewer the logarithm does.
_ROUNDS = 1_000

#: Rounds from which on a repetition counts as one without an end: each may double the time.
_MANY = 10

#: Limit of copies of a repetition: more make no other kind of path.
_COPIES = 3


class _Part(NamedTuple):
    """A part of an expression: where it begins and ends, and in how many ways it may be empty.

    An element that occurs twice can be reached in two ways; more than two add nothing.
    """

    first: tuple[int, ...]
    last: tuple[int, ...]
    empty: int


_NOTHING = _Part((), (), empty=1)

_Step: TypeAlias = tuple[int, int]

_Vertex = TypeVar("_Vertex", bound=Hashable)


#: Characters: codes below 256, codes that the pattern names, and kinds of all others.
_Set: TypeAlias = frozenset[int | str]


def _set_of(chars: regex.Chars, ends: frozenset[int]) -> _Set:
    """Return the set of a character; of two ranges that overlap, it has the end of one."""
    ranges = [member for member in chars.members if not isinstance(member, str)]
    classes = [member for member in chars.members if isinstance(member, str)]
    kinds = regex.char_set(chars._replace(members=(*classes,))).kinds  # ranges have ends
    has = re.compile("|".join(["(?!)", *classes]), chars.flags & re.ASCII).match
    cases = (lambda char: {char, *char.swapcase()}) if chars.flags & re.IGNORECASE else str
    named = {
        code
        for code in ends
        if chars.negated
        != any(
            has(char) or any(first <= ord(char) <= last for first, last in ranges)
            for char in cases(chr(code))
        )
    }
    return frozenset({*regex.char_set(chars).low, *named, *kinds})


def _ends(chars: Iterable[regex.Chars]) -> frozenset[int]:
    """Return the codes above those of bytes that some characters name, in both cases."""
    named = {
        code
        for one in chars
        for member in one.members
        if not isinstance(member, str)
        for end in member
        for code in {end, *map(ord, chr(end).swapcase())}
    }
    return frozenset(code for code in named if code not in regex.ALL.low)


#: Any character, and none.
_ANY, _NONE = regex.Chars((), 0, negated=True), regex.Chars((), 0)


class _Automaton:
    """The characters of an expression, with the followers of each.

    A step that two repetitions make occurs twice: those are two ways.
    """

    def __init__(self, items: regex.Items) -> None:
        # for each character, how often the repetitions around it may match it
        self.rounds: list[float] = []
        self.steps: list[_Step] = []
        #: The independent parts: lookarounds, atomic groups and the like.
        self.apart: list[regex.Items] = []
        self._chars: list[regex.Chars] = []
        self.top = self._sequence(items)
        ends = _ends(self._chars)
        self.sets = [_set_of(chars, ends) for chars in self._chars]

    def _sequence(self, items: regex.Items) -> _Part:
        part = _NOTHING
        for item in items:
            part = self._joined(part, self._item(item))
        return part

    def _joined(self, left: _Part, right: _Part) -> _Part:
        self._connect(left.last, right.first)
        first = _at_most_twice(left.first + right.first * left.empty)
        last = _at_most_twice(right.last + left.last * right.empty)
        return _Part(first, last, min(left.empty * right.empty, 2))

    def _connect(self, last: Iterable[int], first: tuple[int, ...]) -> None:
        self.steps.extend((before, after) for before in last for after in first)

    def _item(self, item: regex.Item) -> _Part:
        match item:
            case regex.Chars():
                return self._character(item)
            case regex.Alternation(options):
                parts = [self._sequence(option) for option in options]
                first = tuple(place for part in parts for place in part.first)
                last = tuple(place for part in parts for place in part.last)
                return _Part(first, last, min(sum(part.empty for part in parts), 2))
            case regex.Repeat(possessive=False):
                return self._repetition(item)
            case regex.Repeat(inside) | regex.Atomic(inside):
                self.apart.append(inside)
                return self._character(_ANY)._replace(empty=1)  # matched once, never again
            case regex.Look(inside):
                self.apart.append(inside)
                if inside and not item.negated and _Automaton(inside).top.empty:
                    return _NOTHING  # it never fails
        return self._character(_NONE)  # matches nothing, and may fail

    def _character(self, chars: regex.Chars) -> _Part:
        self._chars.append(chars)
        self.rounds.append(1)
        place = (len(self.rounds) - 1,)
        return _Part(place, place, empty=0)

    def _repetition(self, repeat: regex.Repeat) -> _Part:
        inside, least, most, *_ = repeat
        endless = most is None or most >= _MANY
        part, start = _NOTHING, len(self.rounds)
        copies = max(1, min(least if most is None else most, _COPIES))
        if start > _MAX_CHARACTERS:
            copies = 1
        for number in range(copies):
            copy = self._sequence(inside)
            if endless and number == copies - 1:
                self._connect(copy.last, copy.first)
                if most is not None and copy.empty:  # any of the rounds may be the empty ones
                    self._connect(copy.last, copy.first)
            optional = number >= least
            part = self._joined(part, copy._replace(empty=min(copy.empty + optional, 2)))
        for place in range(start, len(self.rounds)):
            self.rounds[place] *= inf if most is None else most - least + 1
        return part


def _at_most_twice(places: tuple[int, ...]) -> tuple[int, ...]:
    counts = Counter(places)
    return tuple(place for place, count in counts.items() for _ in range(min(count, 2)))


def growth(pattern: str) -> float:
    """Return the power of the length of a text that the time of a match may grow with.

    It is 1 where each character is tried a few times, and infinite where the time may double with
    each character.  What is too large to search counts as harmless.
    """
    waiting = [regex.parse(pattern)]
    highest = 1.0
    for items in waiting:  # grows
        automaton = _Automaton(items)
        highest = max(highest, _GrowthSearch(automaton).growth())
        waiting += automaton.apart
    return highest


class _GrowthSearch:
    """The search for paths of one text in an automaton that may fail after them."""

    def __init__(self, automaton: _Automaton) -> None:
        self._automaton = automaton
        final = frozenset(automaton.top.last)
        # for each state the steps from it, with their numbers
        self.after: dict[int, list[tuple[int, int]]] = {}
        for number, (begin, end) in enumerate(automaton.steps):
            if begin not in final and end not in final:
                self.after.setdefault(begin, []).append((number, end))
        # the number of the loop of each state; steps lead to the same or a higher one
        self.loop_of = _loops({begin: [end for _, end in to] for begin, to in self.after.items()})
        inside = {
            begin: [step for step in to if self.loop_of[step[1]] == self.loop_of[begin]]
            for begin, to in self.after.items()
        }
        self.inside = {begin: to for begin, to in inside.items() if to}
        self._budget = _LARGE

    def growth(self) -> float:
        if self._is_exponential():
            return inf
        powers: dict[int, float] = {}  # of the loop, and those that can be reached from it
        for begin in sorted(self.after, key=lambda state: -self.loop_of[state]):
            loop = self.loop_of[begin]
            for _, end in self.after[begin]:
                powers[loop] = max(powers.get(loop, 0), powers.get(self.loop_of[end], 0))
            for other in self.inside if begin in self.inside else ():
                following = self.loop_of[other]
                power = powers.get(following, 0) + self._power(begin, other)
                if following > loop and power > powers[loop] and self._is_shared(begin, other):
                    powers[loop] = power
        return 1 + max(powers.values(), default=0)

    def _power(self, first: int, second: int) -> float:
        rounds = (self._automaton.rounds[state] for state in (first, second))
        return log(min(*rounds, _ROUNDS)) / log(_ROUNDS)

    def _is_exponential(self) -> bool:
        if sum(map(len, self.inside.values())) ** 2 > _LARGE:
            return False
        sets = self._automaton.sets
        graph: dict[_Step, list[_Step]] = {}
        forks: list[tuple[_Step, _Step]] = []
        for left, lefts in self.inside.items():
            for right, rights in self.inside.items():
                for left_step, to_left in lefts:
                    for right_step, to_right in rights:
                        if sets[to_left].isdisjoint(sets[to_right]):
                            continue
                        graph.setdefault((left, right), []).append((to_left, to_right))
                        if left_step != right_step:
                            forks.append(((left, right), (to_left, to_right)))
        loops = _loops(graph)
        same = {loop for (left, right), loop in loops.items() if left == right}
        return any(loops[start] == loops[end] and loops[start] in same for start, end in forks)

    def _is_shared(self, first: int, second: int) -> bool:
        """Return whether a text leads from the first to itself and to the second, and from that
        to itself.
        """
        sets, start = self._automaton.sets, (first, first, second)
        seen, waiting = {start}, [start]
        for left, middle, right in waiting:  # grows
            for _, to_left in self.inside[left]:
                for _, to_right in self.inside[right]:
                    if sets[to_left].isdisjoint(sets[to_right]):
                        continue
                    for _, to_middle in self.after.get(middle, ()):
                        self._budget -= 1
                        if self._budget < 0:
                            return False
                        step = (to_left, to_middle, to_right)
                        if step in seen or not sets[to_left] & sets[to_middle] & sets[to_right]:
                            continue
                        if step == (first, second, second):
                            return True
                        seen.add(step)
                        waiting.append(step)
        return False


def _loops(graph: dict[_Vertex, list[_Vertex]]) -> dict[_Vertex, int]:
    """Return the strongly connected group of each vertex (Kosaraju); edges lead to higher ones."""
    before: dict[_Vertex, list[_Vertex]] = {}
    ended: list[_Vertex] = []
    seen: set[_Vertex] = set()
    todo = [(vertex, False) for vertex in graph]
    while todo:
        vertex, is_left = todo.pop()
        if is_left:
            ended.append(vertex)
        elif vertex not in seen:
            seen.add(vertex)
            todo.append((vertex, True))
            for following in graph.get(vertex, ()):
                before.setdefault(following, []).append(vertex)
                todo.append((following, False))
    group_of: dict[_Vertex, int] = {}
    for number, root in enumerate(reversed(ended)):
        group = [root]
        while group:
            vertex = group.pop()
            if vertex not in group_of:
                group_of[vertex] = number
                group += before.get(vertex, ())
    return group_of

"""Lint of regular expressions: those whose time grows faster than their texts.

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
from collections.abc import Hashable, Iterable
from math import inf, log
from typing import NamedTuple, TypeAlias, TypeVar

from sgf_lark.core import regex

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

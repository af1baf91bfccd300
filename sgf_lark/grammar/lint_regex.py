"""Lint of regular expressions: those that need exponential time.

Time doubles with each character where a repetition matches the same text in two ways, as in
``(a+)+b`` or ``(a|a)*b``: if the rest does not match, every way is tried.  The expression
becomes an automaton of its characters; the search is for two different paths from a state
back to it with the same text.  Where the expression may end there, no way is tried again,
and it is harmless.

Source: C. Allauzen, M. Mohri, A. Rastogi, "General algorithms for testing the ambiguity of
finite automata", 2008 (condition EDA).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from sgf_lark.engine import regex

#: Limit in pairs of steps: a larger automaton is not searched.
_LARGE = 400_000

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


class _Automaton:
    """The characters of an expression, with the followers of each.

    A step that two repetitions make occurs twice: those are two ways.
    """

    def __init__(self, items: regex.Items) -> None:
        self.sets: list[regex.CharSet] = []
        self.steps: list[_Step] = []
        #: The independent parts: lookarounds, atomic groups and the like.
        self.apart: list[regex.Items] = []
        self.top = self._sequence(items)

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
                return self._character(regex.char_set(item))
            case regex.Alternation(options):
                parts = [self._sequence(option) for option in options]
                first = tuple(place for part in parts for place in part.first)
                last = tuple(place for part in parts for place in part.last)
                return _Part(first, last, min(sum(part.empty for part in parts), 2))
            case regex.Repeat(possessive=False):
                return self._repetition(item)
            case regex.Repeat(inside) | regex.Atomic(inside):
                self.apart.append(inside)
                return self._character(regex.ALL)._replace(empty=1)  # matched once, never again
            case regex.Look(inside):
                self.apart.append(inside)
                if inside and not item.negated and _Automaton(inside).top.empty:
                    return _NOTHING  # it never fails
        return self._character(regex.CharSet())  # matches nothing, and may fail

    def _character(self, chars: regex.CharSet) -> _Part:
        self.sets.append(chars)
        place = (len(self.sets) - 1,)
        return _Part(place, place, empty=0)

    def _repetition(self, repeat: regex.Repeat) -> _Part:
        inside, least, most, *_ = repeat
        endless = most is None or most >= _MANY
        part = _NOTHING
        copies = max(1, min(least if most is None else most, _COPIES))
        for number in range(copies):
            copy = self._sequence(inside)
            if endless and number == copies - 1:
                self._connect(copy.last, copy.first)
                if most is not None and copy.empty:  # any of the rounds may be the empty ones
                    self._connect(copy.last, copy.first)
            optional = number >= least
            part = self._joined(part, copy._replace(empty=min(copy.empty + optional, 2)))
        return part


def _at_most_twice(places: tuple[int, ...]) -> tuple[int, ...]:
    counts = Counter(places)
    return tuple(place for place, count in counts.items() for _ in range(min(count, 2)))


def is_exponential(pattern: str) -> bool:
    """Return whether there are texts for which the time of a match doubles with each character.

    An expression too large to search counts as harmless.
    """
    waiting = [regex.parse(pattern)]
    for items in waiting:  # grows
        automaton = _Automaton(items)
        if _is_ambiguous(automaton):
            return True
        waiting += automaton.apart
    return False


def _is_ambiguous(automaton: _Automaton) -> bool:
    """Return whether a loop of an automaton reads one text in two ways, and may fail then."""
    final = frozenset(automaton.top.last)
    after: dict[int, list[tuple[int, int]]] = {}
    for number, (begin, end) in enumerate(automaton.steps):
        if begin not in final and end not in final:
            after.setdefault(begin, []).append((number, end))
    if sum(map(len, after.values())) ** 2 > _LARGE:
        return False
    graph: dict[_Step, list[_Step]] = {}
    forks: list[tuple[_Step, _Step]] = []
    for left, lefts in after.items():
        for right, rights in after.items():
            for left_step, to_left in lefts:
                for right_step, to_right in rights:
                    if not automaton.sets[to_left].meets(automaton.sets[to_right]):
                        continue
                    graph.setdefault((left, right), []).append((to_left, to_right))
                    if left_step != right_step:
                        forks.append(((left, right), (to_left, to_right)))
    loops = _loops(graph)
    same = {loop for (left, right), loop in loops.items() if left == right}
    return any(loops[start] == loops[end] and loops[start] in same for start, end in forks)


def _loops(graph: dict[_Step, list[_Step]]) -> dict[_Step, int]:
    """Return the number of the strongly connected group of each pair (Kosaraju, with stacks)."""
    before: dict[_Step, list[_Step]] = {}
    ended: list[_Step] = []
    seen: set[_Step] = set()
    todo = [(pair, False) for pair in graph]
    while todo:
        pair, is_left = todo.pop()
        if is_left:
            ended.append(pair)
        elif pair not in seen:
            seen.add(pair)
            todo.append((pair, True))
            for following in graph.get(pair, ()):
                before.setdefault(following, []).append(pair)
                todo.append((following, False))
    group_of: dict[_Step, int] = {}
    for number, root in enumerate(reversed(ended)):
        group = [root]
        while group:
            pair = group.pop()
            if pair not in group_of:
                group_of[pair] = number
                group += before.get(pair, ())
    return group_of

"""Few sentences that together use every alternative of a grammar, or every pair of them.

A sentence goes the shortest ways to what no sentence used before, and ends as soon as it can.
The parser decides what it uses.  Sentences that later ones make needless are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from random import Random
from typing import NamedTuple, TypeAlias

from lark.grammar import NonTerminal, Rule

from sgf_lark.grammar import loader as grammars
from sgf_lark.grammar.loader import File

from .coverage import Uses, parse_uses, possible
from .productions import is_helper, productions
from .samples import Chance, Sampler

#: An alternative of Lark's, and the one that it is a part of.
Inside: TypeAlias = tuple[Rule | None, Rule]

#: Limit of the attempts at a sentence that uses something new.
_TRIES = 50


class Cover(NamedTuple):
    """Sentences that cover a grammar.

    Attributes:
        sentences: They use all but the unused.
        unused: The alternatives and pairs that no attempt used: mostly those that no text can use.
    """

    sentences: list[str]
    unused: list[Uses]


def cover(
    file: File, start: str | None = None, length: int = 1, *, seed: int | str = 0, size: int = 40
) -> Cover:
    """Return sentences of a rule that use every alternative below it; the same for the same seed.

    Args:
        file: The grammar.
        start: The rule; the first one if None.
        length: 1 for alternatives, 2 also for pairs of one and another directly inside it.
        seed: Of the dice.
        size: The approximate limit of a sentence in rules and terminals.

    Raises:
        LookupError: The grammar has no such rule.
        lark.exceptions.GrammarError: It is ambiguous.
    """
    sampler = _Aiming(file, start, size=size)
    dice = Random(seed)  # noqa: S311  # the same ones every time
    names = productions(file).below(sampler.start)
    lengths = range(1, length + 1)
    wanted = [one for name in names for upto in lengths for one in possible(file, name, upto)]
    missing = {*wanted}
    used: dict[str, set[Uses]] = {}

    def find(aims: Collection[Uses]) -> bool:
        for _ in range(_TRIES):
            sampler.aim(aims)
            text = sampler.made(dice, Counter())
            uses = parse_uses(text, file, sampler.start)
            if isinstance(uses, Counter) and not uses.keys().isdisjoint(aims):
                used[text] = uses.keys() & wanted
                missing.difference_update(uses)
                return True
        return False

    while missing and find(missing):
        pass
    for one in wanted:
        if one in missing:
            find({one})
    counts = Counter(one for uses in used.values() for one in uses)
    for text in [*used]:
        if all(counts[one] > 1 for one in used[text]):
            counts.subtract(used.pop(text))
    return Cover([*used], [one for one in wanted if one in missing])


class _Aiming(Sampler):
    """A maker of sentences that use what it aims at."""

    def __init__(self, file: File, start: str | None, *, size: int) -> None:
        super().__init__(file, start, size=size)
        self._shown = cache(productions(file).shown)
        self._aims: set[Uses] = set()
        self._has_arrived = False
        self._ways: dict[Inside, int] = {}
        self._around: dict[Inside, list[Inside]] = {
            (None, rule): [] for rule in self.rules[NonTerminal(self.start)]
        }
        waiting = [*self._around]
        for place in waiting:
            outer, rule = place
            parent = outer if is_helper(rule.origin) else rule
            parts = [below for part in rule.expansion for below in self.rules.get(part, ())]
            for inner in dict.fromkeys((parent, below) for below in parts):
                if inner not in self._around:
                    self._around[inner] = []
                    waiting.append(inner)
                self._around[inner].append(place)

    def aim(self, aims: Collection[Uses]) -> None:
        """Begin a sentence that uses some of these."""
        self._aims = {*aims}
        self._has_arrived = False
        self._find_ways()

    def _find_ways(self) -> None:
        """Find how far each alternative is from the next aim."""
        waiting = [place for place in self._around if self._uses(*place) & self._aims]
        self._ways = dict.fromkeys(waiting, 0)
        for place in waiting:
            for around in self._around[place]:
                if around not in self._ways:
                    self._ways[around] = self._ways[place] + 1
                    waiting.append(around)

    def _uses(self, outer: Rule | None, rule: Rule) -> set[Uses]:
        if is_helper(rule.origin):
            return set()
        inner = self._shown(rule)
        return {(inner,)} if outer is None else {(inner,), (self._shown(outer), inner)}

    def choose(
        self, outer: Rule | None, rules: Sequence[Rule], dice: Chance, *, is_late: bool
    ) -> Rule:
        """Choose an alternative on the way to the next aim; the shortest if there is none."""
        ways = [self._ways.get((outer, rule)) for rule in rules]
        known = [way for way in ways if way is not None]
        if not known or (is_late and self._has_arrived):
            return super().choose(outer, rules, dice, is_late=True)
        nearest = [rule for rule, way in zip(rules, ways, strict=True) if way == min(known)]
        chosen = dice.choice(nearest)
        uses = self._uses(outer, chosen)
        if uses & self._aims:
            self._has_arrived = True
            self._aims -= uses
            self._find_ways()
        return chosen

"""Random sentences of a grammar.

A sentence is made by replacing rules by one of their alternatives, from left to right, until
only terminals are left, and each terminal by a text that its pattern matches.  Alternatives
that were taken seldom are taken sooner, so that a few sentences show all of a grammar.  The
result is parsed, and thrown away if the grammar rejects it: two adjacent tokens may match
as one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from lark import Lark
from lark.exceptions import GrammarError, UnexpectedInput
from lark.grammar import NonTerminal, Rule, Symbol

from sgf_lark.core import Chance, File, Parser, by_grammar, grammars, text_of

from .productions import is_helper

#: Limit of the attempts at a sentence that the grammar accepts.
_TRIES = 200

#: The power of the uses of an alternative by which it is taken less: a sentence for each of 27 is
#: had of about 31 sentences, and of 54 with 1.
_FAIRNESS = 4

#: The height of a rule without a finite sentence.
_ENDLESS = 1 << 20


class Sampler:
    """A maker of sentences of a grammar.

    Args:
        file: The grammar.
        start: The rule to begin with; the first one if None.
        size: The approximate limit of a sentence in rules and terminals.
        fair: Take sooner what was taken seldom; if not, a sentence depends on the dice alone.

    Attributes:
        size: The limit.
        by_pairs: It is fair to each pair of an alternative in another, not to each alternative.
        taken: The number of uses of each alternative, and of each pair.

    Raises:
        LookupError: The grammar has no such rule.
    """

    def __init__(
        self, file: File, start: str | None = None, *, size: int = 40, fair: bool = True
    ) -> None:
        self.fair, self.by_pairs = fair, False
        self.start = grammars.rule(file, start)
        self.size = size
        self._accepts = acceptance(file, self.start)
        loaded = grammars.grammar(file)
        self._free = self.start in grammars.in_structure(file)
        terminals, rules, ignored = loaded.compile([self.start], ())
        self._patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}
        self._ignored = [self._patterns[name] for name in ignored] if self._free else []
        self._rules: dict[Symbol, list[Rule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.origin, []).append(rule)
        self._heights = heights_of(self._rules)
        self.taken: Counter[tuple[Rule, ...]] = Counter()

    def sentence(self, dice: Chance) -> str | None:
        """Return a sentence; None if the grammar rejects all attempts."""
        for _ in range(_TRIES):
            taken: list[tuple[Rule, ...]] = []
            text = self._made(dice, taken)
            if self._accepts(text):
                if self.fair:
                    self.taken.update(taken)
                return text
        return None

    def _made(self, dice: Chance, taken: list[tuple[Rule, ...]]) -> str:
        pieces: list[str] = []
        todo: list[tuple[Symbol, tuple[Rule, ...]]] = [(NonTerminal(self.start), ())]
        steps = 0
        while todo:
            symbol, outer = todo.pop()
            steps += 1
            if symbol.is_term:
                if self._ignored and dice.random() < 1 / 8:
                    pieces.append(text_of(dice.choice(self._ignored), dice))
                pieces.append(text_of(self._patterns[symbol.name], dice))
                continue
            around = outer if self.by_pairs else ()
            rule = self._choose(self._rules[symbol], around, dice, is_late=steps > self.size)
            taken.append((rule,))
            if outer:
                taken.append((*outer, rule))
            inner = outer if is_helper(symbol) else (rule,)
            todo.extend((part, inner) for part in reversed(rule.expansion))
        return "".join(pieces)

    def _choose(
        self, rules: Sequence[Rule], around: tuple[Rule, ...], dice: Chance, *, is_late: bool
    ) -> Rule:
        """Choose an alternative: late in a sentence the shortest, else rather a seldom one."""
        if is_late:
            lowest = min(height(rule, self._heights) for rule in rules)
            rules = [rule for rule in rules if height(rule, self._heights) == lowest]
        weights = [(1 + self.taken[*around, rule]) ** -_FAIRNESS for rule in rules]
        at = dice.random() * sum(weights)
        for rule, weight in zip(rules, weights, strict=True):
            at -= weight
            if at < 0:
                return rule
        return rules[-1]


def sentences(
    file: File,
    start: str | None = None,
    *,
    seed: int | str = 0,
    size: int = 40,
    sampler: Sampler | None = None,
) -> Iterator[str]:
    """Yield endless sentences; the same ones for the same seed.

    Args:
        file: The grammar.
        start: The rule to begin with; the first one if None.
        seed: Of the dice.
        size: The approximate limit of a sentence in rules and terminals.
        sampler: Their maker; a new one if None.
    """
    sampler = sampler or Sampler(file, start, size=size)
    dice = Random(seed)  # noqa: S311  # the same ones every time
    while (sentence := sampler.sentence(dice)) is not None:
        yield sentence


def acceptance(file: File, start: str) -> Callable[[str], bool]:
    """Return a test of texts for a rule: by its regular expression if it has one, else by Lark."""
    own = generated(file, start)
    if own is not None and (expression := own.plan.expression(start)) is not None:
        behind = own.plan.space.pattern if start in grammars.in_structure(file) else ""
        matches = re.compile(f"(?:{expression}){behind}").fullmatch
        return lambda text: matches(text) is not None
    parser = forgiving(file, start)

    def accepts(text: str) -> bool:
        try:
            parser.parse(text)
        except UnexpectedInput:
            return False
        return True

    return accepts


def generated(file: File, start: str) -> Parser | None:
    """Return the parser generated from a rule; None if there is none, or it is ambiguous."""
    try:
        return grammars.generated(file, start, of_value=start not in grammars.in_structure(file))
    except GrammarError:
        return None


@by_grammar
def forgiving(file: File, start: str) -> Lark:
    """Return a parser for a rule, an Earley parser if it is ambiguous."""
    loaded = grammars.loaded_for(file, start)
    try:
        return Lark(loaded, parser="lalr", start=start)
    except GrammarError:
        return Lark(loaded, parser="earley", start=start)


def heights_of(rules: dict[Symbol, list[Rule]]) -> dict[Symbol, int]:
    """Return the depth in rules of the flattest sentence of each symbol."""
    heights: dict[Symbol, int] = {}
    while flat := [
        symbol
        for symbol in rules.keys() - heights.keys()
        if min(height(rule, heights) for rule in rules[symbol]) < _ENDLESS
    ]:
        heights |= dict.fromkeys(flat, 1 + max(heights.values(), default=0))
    return heights


def height(rule: Rule, heights: dict[Symbol, int]) -> int:
    """Return the depth in rules of the flattest sentence of an alternative."""
    known = (heights.get(part, _ENDLESS) for part in rule.expansion if not part.is_term)
    return max(known, default=0)

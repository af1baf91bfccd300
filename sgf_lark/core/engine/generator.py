"""The generator: from a grammar that Lark has loaded to the JSON data of a plan.

The data are texts, numbers and lists: they can be kept, and read without Lark.
"""

from __future__ import annotations

import re
from itertools import product, starmap

from lark import Lark

from .analysis import Decision, Grammar, leaves
from .plan import (
    NOTHING,
    Alternative,
    AlternativesData,
    Call,
    Chain,
    Choices,
    GroupsData,
    Many,
    Part,
    PlanData,
    Text,
    Treatment,
)
from .regex import is_character, is_repeat, repeated_character


def generate(lark: Lark, start: str) -> PlanData:
    """Return the JSON data of the plan of a start rule, or raise UntranslatableError."""
    return _Generator(Grammar(lark), start).data()


class _Generator:
    def __init__(self, grammar: Grammar, start: str) -> None:
        self.start = start
        self.grammar = grammar
        grammar.decides(start)
        skipped = [grammar.patterns[name] for name in grammar.ignored]
        bare = "|".join(repeated_character(pattern) or pattern for pattern in skipped)
        self.skip = f"(?:{bare})*+" if skipped else ""
        self.groups: dict[str, GroupsData] = {}

    def data(self) -> PlanData:
        grammar = self.grammar
        shapes: dict[str, Treatment] = {}
        alternatives: dict[str, AlternativesData] = {}
        regular: dict[str, str] = {}
        waiting = [self.start]
        while waiting:
            name = waiting.pop()
            if name in shapes:
                continue
            shapes[name] = grammar.shape(name)
            if grammar.varies(name):
                alternatives[name] = _generate_alternatives(grammar, name)
            inside = leaves(grammar, grammar.part(name))
            waiting.extend(leaf.name for leaf in inside if isinstance(leaf, Call))
            if name not in grammar.nesting:
                regular[name] = self._expression(Call(name))
                self._group_parts(name)
        return PlanData(
            self.start,
            self.skip,
            shapes,
            alternatives,
            regular,
            self.groups,
            grammar.patterns,
        )

    def _expression(self, part: Part, groups: list[Text | Call] | None = None) -> str:
        """Return the expression of a part that does not nest; ``groups`` gets those in it."""
        if isinstance(part, Text):
            pattern = self.grammar.patterns[part.name]
            if not is_character(pattern):
                # A possessive repetition keeps no memory of its rounds: it never gives one back.
                pattern = f"{pattern}+" if is_repeat(pattern) else f"(?>{pattern})"
            return self.skip + self._group(pattern, part, groups)
        if isinstance(part, Call):
            inside = self.grammar.part(part.name)
            if part.name.startswith("__") and not isinstance(inside, Many):
                return self._expression(inside, groups)
            return self._group(self._expression(inside), part, groups)
        if isinstance(part, Many):
            return self._loop(part)
        if isinstance(part, Chain):
            return "".join(self._expression(inner, groups) for inner in part.parts)
        return self._options(part, groups)

    def _loop(self, loop: Many, *, is_chosen: bool = True) -> str:
        """Return the expression of a loop; ``is_chosen``: its first round has no rivals."""
        first, again = self._expression(loop.part), self._options(loop)
        refused = self._refused(loop)
        end = f"(?!{self.skip}(?:{refused}))" if refused else ""
        return (
            f"{first}(?:{again})*+{end}" if is_chosen and first != again else f"(?:{again})++{end}"
        )

    def _options(self, part: Decision, groups: list[Text | Call] | None = None) -> str:
        options = sorted(self.grammar.options(part), key=self._may_be_empty)
        choices = [self._option(part, option, groups) for option in options]
        is_choice = isinstance(part, Choices) or isinstance(part.part, Choices)
        return f"(?>{'|'.join(choices)})" if is_choice else choices[0]

    def _option(self, part: Decision, option: Part, groups: list[Text | Call] | None) -> str:
        """Return the regular expression of an option, which matches only where Lark takes it."""
        first, *rest = (option.parts if isinstance(option, Chain) else (option,)) or (NOTHING,)
        if isinstance(first, Call):
            loop = self.grammar.part(first.name)
            if isinstance(loop, Many) and self.grammar.is_told_by_loop(part, option, loop):
                rounds = self._group(self._loop(loop, is_chosen=False), first, groups)
                return rounds + self._expression(Chain(tuple(rest)), groups)
        return self._guard(part, option) + self._expression(option, groups)

    def _guard(self, part: Decision, option: Part) -> str:
        taken = self.grammar.taken(part, option)
        earlier = sorted({rival for rivals in taken.values() for rival in rivals})
        guard = ""
        if earlier and self.grammar.tried_first(frozenset(earlier), frozenset(taken)) == -1:
            guard = f"(?!{self.skip}{self._any_of(earlier, shortest=True)})"
        elif earlier:
            guard = f"(?={self.skip}(?:{self._lead(part, option)}))"
        refused = self._refused(part) if self._may_be_empty(option) else ""
        return guard + (f"(?!{self.skip}(?:{refused}))" if refused else "")

    def _refused(self, part: Decision) -> str:
        """Return the expression of what begins an option, to keep others out; "" if not needed."""
        grammar = self.grammar
        following = grammar.followers(part)
        return "|".join(
            self._lead(part, option)
            for option in grammar.options(part)
            if not self._may_be_empty(option)
            and not self._is_sure(option)
            and any(starmap(grammar.meet, product(grammar.heads(option), following)))
        )

    def _lead(self, part: Decision, option: Part) -> str:
        heads: dict[str, list[str]] = {}
        for head, rivals in self.grammar.taken(part, option).items():
            guard = f"(?!{self._any_of(rivals, shortest=True)})" if rivals else ""
            heads.setdefault(guard, []).append(head)
        return "|".join(guard + self._any_of(names) for guard, names in heads.items())

    def _any_of(self, names: list[str], *, shortest: bool = False) -> str:
        """Return the expression of some terminals, or of the ``shortest`` that begin alike."""
        patterns = [self.grammar.patterns[name] for name in names]
        kept = [
            pattern
            for pattern in patterns
            if not (shortest and any(_begins_with(pattern, other) for other in patterns))
        ]
        return f"(?:{'|'.join(kept)})"

    def _is_sure(self, part: Part) -> bool:
        """Return True if a part never fails after the first terminal."""
        if isinstance(part, Call):
            return part.name not in self.grammar.nesting and self._is_sure(
                self.grammar.part(part.name)
            )
        if isinstance(part, Many):
            return self._is_sure(part.part)
        if isinstance(part, Chain):
            return all(map(self._is_sure, part.parts)) and all(
                map(self._may_be_empty, part.parts[1:])
            )
        return isinstance(part, Text) or all(map(self._is_sure, part.parts))

    def _may_be_empty(self, part: Part) -> bool:
        return self.grammar.begins(part)[1]

    @staticmethod
    def _group(expression: str, part: Text | Call, groups: list[Text | Call] | None) -> str:
        if groups is None:
            return expression
        groups.append(part)
        return f"({expression})"

    def _group_parts(self, name: str) -> None:
        parts: list[Text | Call] = []
        part = self.grammar.part(name)
        expression = self._expression(part.part if isinstance(part, Many) else part, parts)
        is_choice = _is_choice_of_leaves(part.part if isinstance(part, Many) else part)
        self.groups[name] = GroupsData(expression, parts, isinstance(part, Many), is_choice)
        for inner in parts:
            if isinstance(inner, Call) and inner.name.startswith("__"):
                self._group_parts(inner.name)


def _begins_with(pattern: str, other: str) -> bool:
    """Return True if what a pattern matches begins with a match of another one, as written."""
    after = pattern.removeprefix(other)
    return after not in {"", pattern} and "|" not in other and after[0] not in "*+?{"


def _is_choice_of_leaves(part: Part) -> bool:
    parts = part.parts if isinstance(part, Choices) else (part,)
    return all(
        isinstance(inner, Text) or (isinstance(inner, Call) and not inner.name.startswith("__"))
        for inner in parts
    )


# ---- alternatives ----


def _generate_alternatives(grammar: Grammar, name: str) -> AlternativesData:
    names = dict.fromkeys(leaf.name for leaf in leaves(grammar, grammar.part(name)))
    codes = {name: chr(code) for code, name in enumerate(names, ord("A"))}
    alternatives: list[Alternative] = []
    for rule, shape in grammar.alternatives(name):
        symbols = grammar.symbols(rule)
        groups = "".join(f"({_codes_of(grammar, codes, symbol)})" for symbol in symbols)
        nones = _nones(grammar.placeholders(rule), len(symbols))
        alternatives.append(Alternative(shape, groups, nones))
    return AlternativesData(codes, alternatives)


def _codes_of(grammar: Grammar, codes: dict[str, str], part: Part) -> str:
    def inside(part: Part) -> str:
        return _codes_of(grammar, codes, part)

    if isinstance(part, Call) and part.name.startswith("__"):
        return inside(grammar.part(part.name))
    if isinstance(part, Text | Call):
        return re.escape(codes[part.name])
    if isinstance(part, Many):
        return f"(?:{inside(part.part)})+"
    if isinstance(part, Chain):
        return "".join(map(inside, part.parts))
    return f"(?:{'|'.join(map(inside, part.parts))})"


def _nones(indices: tuple[bool, ...], symbols: int) -> list[int]:
    if not indices:
        return [0] * (symbols + 1)
    return [len(run) for run in "".join("01"[is_none] for is_none in indices).split("0")]

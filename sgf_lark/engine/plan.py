"""Plans: all that the engine knows about a grammar, compiled once for each start rule."""

from __future__ import annotations

import re
from typing import NamedTuple

from lark import Lark

from .alternatives import Alternatives
from .analysis import Grammar, leaves
from .ir import Call, Chain, Choice, Many, Part, Shape, Text, UntranslatableError
from .pushdown import PushdownTable
from .regex import is_character, is_repeat, repeated_character


class Groups(NamedTuple):
    """The parts of a rule, or of each round of a loop, as groups of a regular expression.

    Attributes:
        pattern: Has a group for each part.
        parts: Tokens, rules and loops.
        is_loop: The text consists of rounds.
        is_choice: Each round is one of the parts.
    """

    pattern: re.Pattern[str]
    parts: list[Text | Call]
    is_loop: bool
    is_choice: bool


class Plan:
    """A start rule and all rules below it as regular expressions and tables.

    Args:
        lark: The loaded grammar.
        start: The rule.

    Attributes:
        grammar: The rules as trees of choices.
        skip: The expression of what the grammar ignores, "" if it ignores nothing.
        space: The same, compiled.
        shapes: For each rule, the treatment of its children.
        alternatives: For each rule whose alternatives differ, its alternatives.
        regular: For each rule that does not nest, its expression.
        groups: For each of these and its helper rules, the groups of its text.
        terminals: The expression of each terminal; empty if no rule nests.
        table: The table of what nests; None if nothing does, or it takes a :class:`.Walk`.

    Raises:
        UntranslatableError: The reference engine has to do it.
    """

    def __init__(self, lark: Lark, start: str) -> None:
        self.start = start
        self.grammar = grammar = Grammar(lark)
        grammar.decides(start)
        skipped = [grammar.patterns[name] for name in grammar.ignored]
        bare = "|".join(repeated_character(pattern) or pattern for pattern in skipped)
        self.skip = f"(?:{bare})*+" if skipped else ""
        self.space = re.compile(self.skip)
        self.shapes: dict[str, Shape] = {}
        self.alternatives: dict[str, Alternatives] = {}
        self.regular: dict[str, re.Pattern[str]] = {}
        self._columns: dict[str, re.Pattern[str]] = {}
        self.groups: dict[str, Groups] = {}
        waiting, walked = [start], False
        while waiting:
            name = waiting.pop()
            if name in self.shapes:
                continue
            self.shapes[name] = grammar.shape(name)
            if grammar.varies(name):
                self.alternatives[name] = Alternatives(grammar, name)
            inside = leaves(grammar, grammar.part(name))
            waiting.extend(leaf.name for leaf in inside if isinstance(leaf, Call))
            if name in grammar.nesting:
                walked = True
            else:
                self.regular[name] = re.compile(self._expression(Call(name)))
                self._compile_groups(name)
        self.terminals = {
            name: re.compile(f"{self.skip}({pattern})")
            for name, pattern in (grammar.patterns.items() if walked else ())
        }
        self.table = self._compile_table()

    def _compile_table(self) -> PushdownTable | None:
        """Return the table of what nests; None if nothing does, or it takes a walk."""
        if self.start not in self.grammar.nesting:
            return None
        try:
            return PushdownTable(self.grammar, self.start, self._expression, self.skip)
        except UntranslatableError:
            return None

    def expression(self, name: str) -> str | None:
        """Return the regular expression of a rule; None if it nests."""
        compiled = self.regular.get(name)
        return None if compiled is None else compiled.pattern

    def columns(self, name: str) -> re.Pattern[str]:
        """Return the regular expression of a rule with a group for each part of its chain."""
        if name not in self._columns:
            self._columns[name] = self._columns_of(name)
        return self._columns[name]

    def _columns_of(self, name: str) -> re.Pattern[str]:
        part = self.grammar.part(name)
        parts = part.parts if isinstance(part, Chain) else (part,)
        return re.compile(
            "".join(
                f"{self.skip}({self.grammar.patterns[inner.name]})"
                if isinstance(inner, Text)
                else f"({self._expression(inner)})"
                for inner in parts
            )
        )

    def _expression(self, part: Part, groups: list[Text | Call] | None = None) -> str:
        """Return the regular expression of a part.

        Args:
            part: It does not nest.
            groups: Gets the part's tokens, rules and loops; each becomes a group.
        """
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
            return f"(?:{self._expression(part.part)})++"
        if isinstance(part, Chain):
            return "".join(self._expression(inner, groups) for inner in part.parts)
        choices = []
        for option in sorted(self.grammar.ordered(part), key=self._may_be_empty):
            earlier = [self.grammar.patterns[name] for name in self.grammar.before(part, option)]
            taken = f"(?!{self.skip}(?:{'|'.join(earlier)}))" if earlier else ""
            choices.append(taken + self._expression(option, groups))
        return f"(?>{'|'.join(choices)})"

    def _may_be_empty(self, part: Part) -> bool:
        return self.grammar.begins(part)[1]

    @staticmethod
    def _group(expression: str, part: Text | Call, groups: list[Text | Call] | None) -> str:
        if groups is None:
            return expression
        groups.append(part)
        return f"({expression})"

    def _compile_groups(self, name: str) -> None:
        """Compile the groups of a rule: its tokens, rules and loops."""
        parts: list[Text | Call] = []
        part = self.grammar.part(name)
        expression = self._expression(part.part if isinstance(part, Many) else part, parts)
        is_choice = isinstance(part, Many) and _is_choice_of_leaves(part.part)
        self.groups[name] = Groups(re.compile(expression), parts, isinstance(part, Many), is_choice)
        for inner in parts:
            if isinstance(inner, Call) and inner.name.startswith("__"):
                self._compile_groups(inner.name)


def _is_choice_of_leaves(part: Part) -> bool:
    """Return True for one token or rule, or a choice of them."""
    parts = part.parts if isinstance(part, Choice) else (part,)
    return all(
        isinstance(inner, Text) or (isinstance(inner, Call) and not inner.name.startswith("__"))
        for inner in parts
    )

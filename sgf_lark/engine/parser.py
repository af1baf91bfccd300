"""The fast engine: a scanner made from a grammar that Lark has loaded.

A rule that does not refer to itself, directly or through others, is a regular expression:
its terminals one behind the other, what the grammar ignores before each, every choice and
every repetition taken once and for all (atomic groups, possessive quantifiers), so that
nothing backtracks.  Rules that refer to themselves are walked with a stack.  What comes
out goes through the methods of the same transformer that Lark's trees go through.

That is the same as Lark's parse only where the next character decides what comes next.
The generator makes sure of that, and names what it cannot translate; see
:class:`UntranslatableError`.  The engine knows no game and no format.

It answers only texts that the grammar accepts.  About any other text it says nothing but
that it is one: the reference engine finds the fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lark import Discard, Lark, Token, Transformer

from .actions import Refusal, Row, Run, is_choice_of_leaves
from .alternatives import Variants
from .analysis import Grammar, leaves
from .ir import Call, Chain, Many, Part, Shape, Text, UntranslatableError
from .pushdown import Outline
from .regex import is_character, is_repeat, repeated_character
from .stack_walk import Walk


class Scanner:
    """Reads texts by one start rule of a grammar.

    Args:
        lark: The loaded grammar.
        start: The rule.

    Raises:
        UntranslatableError: The reference engine has to do it.
    """

    def __init__(self, lark: Lark, start: str) -> None:
        self.start = start
        self.grammar = grammar = Grammar(lark)
        grammar.decides(start)
        skipped = [grammar.patterns[name] for name in grammar.ignored]
        bare = "|".join(repeated_character(one) or one for one in skipped)
        self._skip = f"(?:{bare})*+" if skipped else ""
        self.space = re.compile(self._skip)
        self.shapes: dict[str, Shape] = {}
        self.variants: dict[str, Variants] = {}
        self.regular: dict[str, re.Pattern[str]] = {}
        self._columns: dict[str, re.Pattern[str]] = {}
        self.rows: dict[str, Row] = {}
        waiting, walked = [start], False
        while waiting:
            name = waiting.pop()
            if name in self.shapes:
                continue
            self.shapes[name] = grammar.shape(name)
            if grammar.varies(name):
                self.variants[name] = Variants(grammar, name)
            inside = leaves(grammar, grammar.part(name))
            waiting.extend(one.name for one in inside if isinstance(one, Call))
            if name in grammar.nesting:
                walked = True
            else:
                self.regular[name] = re.compile(self._expression(Call(name)))
                self._cut_in_a_row(name)
        self.terminals = {
            name: re.compile(f"{self._skip}({pattern})")
            for name, pattern in (grammar.patterns.items() if walked else ())
        }
        self.outline = self._outline()

    def maker(
        self, transformer: Transformer[Token, Any], *, as_text: bool
    ) -> Callable[[str], Any] | None:
        """What reads texts that the caller remembers; None if it takes :meth:`parse` to do it.

        Args:
            transformer: As for :meth:`parse`.
            as_text: As for :class:`Run`.
        """
        if self._skip or self.start not in self.rows:
            return None
        return Run(self, transformer, as_text=as_text, share=False).maker(self.start)

    def _outline(self) -> Outline | None:
        """The table of what nests; None if nothing does, or it has to be walked."""
        if self.start not in self.grammar.nesting:
            return None
        try:
            return Outline(self.grammar, self.start, self._expression, self._skip)
        except UntranslatableError:
            return None

    def expression(self, name: str) -> str | None:
        """A rule as a regular expression; None if it nests."""
        found = self.regular.get(name)
        return None if found is None else found.pattern

    def columns(self, name: str) -> re.Pattern[str]:
        """A rule as a regular expression with a group for each of its parts in a row."""
        if name not in self._columns:
            self._columns[name] = self._columns_of(name)
        return self._columns[name]

    def _columns_of(self, name: str) -> re.Pattern[str]:
        part = self.grammar.part(name)
        parts = part.parts if isinstance(part, Chain) else (part,)
        return re.compile(
            "".join(
                f"{self._skip}({self.grammar.patterns[one.name]})"
                if isinstance(one, Text)
                else f"({self._expression(one)})"
                for one in parts
            )
        )

    def _expression(self, part: Part, groups: list[Text | Call] | None = None) -> str:
        """A part as a regular expression.

        Args:
            part: It does not nest.
            groups: Gets the part's tokens, rules and loops; each becomes a group.
        """
        if isinstance(part, Text):
            pattern = self.grammar.patterns[part.name]
            if not is_character(pattern):
                # What repeats keeps no memory of its rounds if it gives nothing back.
                pattern = f"{pattern}+" if is_repeat(pattern) else f"(?>{pattern})"
            return self._skip + self._group(pattern, part, groups)
        if isinstance(part, Call):
            inside = self.grammar.part(part.name)
            if part.name.startswith("__") and not isinstance(inside, Many):
                return self._expression(inside, groups)
            return self._group(self._expression(inside), part, groups)
        if isinstance(part, Many):
            return f"(?:{self._expression(part.part)})++"
        if isinstance(part, Chain):
            return "".join(self._expression(one, groups) for one in part.parts)
        choices = []
        for one in sorted(self.grammar.ordered(part), key=self._may_be_empty):
            earlier = [self.grammar.patterns[name] for name in self.grammar.before(part, one)]
            taken = f"(?!{self._skip}(?:{'|'.join(earlier)}))" if earlier else ""
            choices.append(taken + self._expression(one, groups))
        return f"(?>{'|'.join(choices)})"

    def _may_be_empty(self, part: Part) -> bool:
        return self.grammar.begins(part)[1]

    @staticmethod
    def _group(expression: str, part: Text | Call, groups: list[Text | Call] | None) -> str:
        if groups is None:
            return expression
        groups.append(part)
        return f"({expression})"

    def _cut_in_a_row(self, name: str) -> None:
        """Make what cuts a rule's text into a row of tokens, rules and loops."""
        row: list[Text | Call] = []
        part = self.grammar.part(name)
        expression = self._expression(part.part if isinstance(part, Many) else part, row)
        is_choice = isinstance(part, Many) and is_choice_of_leaves(part.part)
        self.rows[name] = Row(re.compile(expression), row, isinstance(part, Many), is_choice)
        for one in row:
            if isinstance(one, Call) and one.name.startswith("__"):
                self._cut_in_a_row(one.name)

    def parse(
        self,
        text: str,
        transformer: Transformer[Token, Any],
        start: int = 0,
        end: int | None = None,
    ) -> Any:
        """Read a text.

        Args:
            text: Of it, ``text[start:end]`` is read.
            transformer: Its methods get the children.  They have to be pure functions of
                them, because equal texts may share a result.

        Returns:
            What the method of the start rule returns.

        Raises:
            Refusal: The grammar does not accept the text.
        """
        made = self._parse(Run(self, transformer), text, start, len(text) if end is None else end)
        return None if made is Discard else made

    def _parse(self, run: Run, text: str, start: int, end: int) -> Any:
        if self.outline is None:
            return Walk(run, text, end, start).whole(self.start)
        events = self.outline.cut(text, start, end)
        behind = self.outline.read(events, 0, run)
        if behind is None or events.kinds[behind]:
            raise Refusal
        done = start + sum(map(len, events.texts))
        found = self.space.match(text, done, end)
        if (done if found is None else found.end()) != end:
            raise Refusal
        return run.results[0]

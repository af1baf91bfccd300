"""The fast engine: a parser generated from a grammar that Lark has loaded.

A rule that does not refer to itself, directly or through others, is a regular expression:
its terminals in sequence, what the grammar ignores before each, every choice atomic and
every repetition possessive, so that nothing backtracks.  Rules that refer to themselves
are parsed by a pushdown table or with a stack.  The results go through the methods of the
same transformer that Lark's trees go through.

That equals Lark's parse only where the next terminal decides what comes next.  The
generator verifies this, and names what it cannot translate; see
:class:`.UntranslatableError`.  The engine knows no game and no format.

It parses only texts that the grammar accepts.  Any other text it rejects without a reason:
the reference engine finds the fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from lark import Discard, Lark, Token, Transformer

from .actions import Actions, Rejected
from .plan import Plan
from .stack_walk import Walk


class Parser:
    """The parser of one start rule of a grammar.

    Args:
        lark: The loaded grammar.
        start: The rule.

    Raises:
        UntranslatableError: The reference engine has to do it.
    """

    def __init__(self, lark: Lark, start: str) -> None:
        from .generator import generate_plan

        self.plan = generate_plan(lark, start)

    @classmethod
    def of_plan(cls, plan: Plan) -> Self:
        """Return the parser of a plan that is ready."""
        parser = cls.__new__(cls)
        parser.plan = plan
        return parser

    def maker(
        self, transformer: Transformer[Token, Any], *, as_text: bool
    ) -> Callable[[str], Any] | None:
        """Return a function for texts without ignored ones between; None: use :meth:`parse`.

        Args:
            transformer: As for :meth:`parse`.
            as_text: As for :class:`.Actions`.
        """
        plan = self.plan
        if plan.skip or plan.start not in plan.groups:
            return None
        return Actions(plan, transformer, as_text=as_text).maker(plan.start)

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
            transformer: Its methods get the children.

        Returns:
            What the method of the start rule returns.

        Raises:
            Rejected: The grammar does not accept the text.
        """
        actions = Actions(self.plan, transformer)
        result = self._parse(actions, text, start, len(text) if end is None else end)
        return None if result is Discard else result

    def _parse(self, actions: Actions, text: str, start: int, end: int) -> Any:
        plan, table = self.plan, self.plan.table
        if table is None:
            return Walk(actions, text, end, start).whole(plan.start)
        done = table.read(text, start, end, actions)
        if done is None:
            raise Rejected
        space = plan.space.match(text, done, end)
        if (done if space is None else space.end()) != end:
            raise Rejected
        return actions.results[0]

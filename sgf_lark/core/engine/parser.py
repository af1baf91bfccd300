"""The fast engine: a parser generated from a grammar that Lark has loaded.

A rule that does not refer to itself, directly or through others, is a regular expression:
its terminals in sequence, what the grammar ignores before each, every choice atomic and
every repetition possessive, so that nothing backtracks.  The results go through the methods
of the same transformer that Lark's trees go through.  A rule that refers to itself is left to
Lark; games are read as tapes (:mod:`sgf_lark.core.read.tape_reader`).

That equals Lark's parse only where the next terminal decides what comes next.  The
generator verifies this, and names what it cannot translate; see
:class:`.UntranslatableError`.  The engine knows no game and no format.

It parses only texts that the grammar accepts.  Any other text it rejects without a reason:
the reference engine finds the fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .actions import Actions, Rejected
from .plan import Plan


class Parser:
    """The parser of one start rule of a grammar, which does not refer to itself."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def maker(self, transformer: Any, *, as_text: bool) -> Callable[[str], Any] | None:
        """Return a function for texts without ignored ones between, or None: use :meth:`parse`."""
        plan = self.plan
        if plan.skip or plan.start not in plan.groups:
            return None
        return Actions(plan, transformer, as_text=as_text).makers[plan.start]

    def parse(self, text: str, transformer: Any) -> Any:
        """Read a text by a transformer's methods; Rejected if the grammar does not accept it."""
        plan = self.plan
        match = plan.regular[plan.start].match(text)
        if match is None or plan.space.fullmatch(text, match.end()) is None:
            raise Rejected
        from lark import Discard

        result = Actions(plan, transformer).result(match[0])
        return None if result is Discard else result

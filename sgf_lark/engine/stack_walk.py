"""The walk through rules that neither an expression nor a table can parse, with a stack."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from .actions import Actions, Rejected
from .alternatives import Marked
from .analysis import Decision
from .ir import Call, Chain, Choice, Many, Part, Shape, Text


class _End(NamedTuple):
    """On the stack: a rule is complete."""

    name: str


class _Again(NamedTuple):
    """On the stack: a repetition may go on."""

    loop: Many


_Todo: TypeAlias = Part | _End | _Again


class Walk:
    """A text being parsed part by part.

    Args:
        actions: Called for each part.
        text: Of it, ``text[at:end]`` is parsed.
        end: Where to stop.
        at: Where to begin.
    """

    def __init__(self, actions: Actions, text: str, end: int, at: int = 0) -> None:
        self.actions = actions
        self.plan = actions.plan
        self.text = text
        self.end = end
        self.at = at
        self.results: list[list[Any]] = []

    def whole(self, start: str) -> Any:
        """Parse up to the end by a rule; return what its method returns."""
        (result,) = self._walk([Call(start)], [])
        return result

    def children(self, name: str) -> tuple[Shape, list[Any]]:
        """Parse up to the end by a rule; return its children and their treatment."""
        children = self._walk([self.plan.grammar.part(name)], self.actions.opener(name)())
        if isinstance(children, Marked):
            return self.plan.alternatives[name].arrange(children)
        return self.plan.shapes[name], children

    def _walk(self, todo: list[_Todo], children: list[Any]) -> list[Any]:
        """Parse with a stack of expected parts; return the children of the first list."""
        results = self.results = [children]
        while todo:
            part = todo.pop()
            if isinstance(part, Text):
                self._read_token(part)
            elif isinstance(part, Call):
                self._read_rule(part.name, todo)
            elif isinstance(part, _End):
                inner = results.pop()
                self.actions.closer(part.name)(results[-1], inner)
            elif isinstance(part, Chain):
                todo.extend(reversed(part.parts))
            elif isinstance(part, Choice):
                todo.append(self._choose(part))
            elif isinstance(part, Many):
                todo += (_Again(part), part.part)
            elif self._next_of(part.loop) is not None:
                todo += (part, part.loop.part)
        if self._after_space(self.at) != self.end:
            raise Rejected
        return results[0]

    def _after_space(self, at: int) -> int:
        match = self.plan.space.match(self.text, at, self.end)
        return at if match is None else match.end()

    def _read_token(self, part: Text) -> None:
        match = self.plan.terminals[part.name].match(self.text, self.at, self.end)
        if match is None:
            raise Rejected
        self.at = match.end()
        self.actions.token(self.results[-1], part, match.group(1))

    def _read_rule(self, name: str, todo: list[_Todo]) -> None:
        """Parse a regular rule at once; put the parts of another on the stack."""
        plan = self.plan
        if name in plan.regular:
            match = plan.regular[name].match(self.text, self.at, self.end)
            if match is None:
                raise Rejected
            self.at = match.end()
            self.actions.putter(name)(self.results[-1], [match.group()])
            return
        if not name.startswith("__"):
            self.results.append(self.actions.opener(name)())
            todo.append(_End(name))
        todo.append(plan.grammar.part(name))

    def _choose(self, choice: Choice) -> Part:
        """Return the option of the next terminal, or else the one that may be empty."""
        option = self._next_of(choice)
        if option is not None:
            return option
        grammar = self.plan.grammar
        for other in grammar.options(choice):
            if grammar.begins(other)[1]:
                return other
        raise Rejected

    def _next_of(self, part: Decision) -> Part | None:
        """Return the option of the next terminal; None if it belongs to none."""
        terminals = self.plan.terminals
        for name, option in self.plan.grammar.next_of(part):
            if terminals[name].match(self.text, self.at, self.end):
                return option
        return None

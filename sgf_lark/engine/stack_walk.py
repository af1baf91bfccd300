"""The walk through rules that neither an expression nor a table can parse, with a stack."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from .actions import Actions, Rejected
from .alternatives import Marked
from .ir import Call, Chain, Choice, Many, Part, Shape, Text
from .regex import CharSet


class _End(NamedTuple):
    """On the stack: a rule is complete."""

    name: str


class _Again(NamedTuple):
    """On the stack: a repetition may go on."""

    part: Part


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
            elif isinstance(part, Many):
                todo += (_Again(part.part), part.part)
            elif isinstance(part, Choice):
                todo.append(self._choose(part))
            elif self._follows(part.part):
                todo += (part, part.part)
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

    def _next(self) -> int:
        """Return the code of the next character that is not ignored; -1 at the end."""
        self.at = self._after_space(self.at)
        return -1 if self.at >= self.end else ord(self.text[self.at])

    def _follows(self, part: Part) -> bool:
        return _holds(self.plan.grammar.begins(part)[0], self._next())

    def _choose(self, choice: Choice) -> Part:
        code = self._next()
        otherwise: Part | None = None
        for part in self.plan.grammar.ordered(choice):
            first, empty = self.plan.grammar.begins(part)
            if _holds(first, code) and self._begins(part):
                return part
            if empty:
                otherwise = part
        if otherwise is None:
            raise Rejected
        return otherwise

    def _begins(self, part: Part) -> bool:
        """Return True if a terminal that the part may begin with comes next."""
        terminals = self.plan.terminals
        return any(
            terminals[name].match(self.text, self.at, self.end)
            for name in self.plan.grammar.heads(part)
        )


def _holds(characters: CharSet, code: int) -> bool:
    return code in characters.low if code < 256 else characters.high  # noqa: PLR2004

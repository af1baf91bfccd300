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
from typing import Any, NamedTuple, TypeAlias

from lark import Lark, Token, Transformer

from .charsets import CharSet
from .parts import (
    Call,
    Chain,
    Choice,
    Grammar,
    Many,
    Part,
    Shape,
    Text,
    leaves,
)


class Refusal(Exception):  # noqa: N818  # an answer, not an error
    """The grammar does not accept the text."""


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
        skipped = "|".join(grammar.patterns[name] for name in grammar.ignored)
        self._skip = f"(?:{skipped})*+" if skipped else ""
        self.space = re.compile(self._skip)
        self.shapes: dict[str, Shape] = {}
        self.regular: dict[str, re.Pattern[str]] = {}
        self.pieces: dict[str, tuple[re.Pattern[str], list[Text | Call]]] = {}
        self.terminals: dict[str, re.Pattern[str]] = {}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in self.shapes:
                continue
            self.shapes[name] = grammar.shape(name)
            inside = grammar.in_order(dict.fromkeys(leaves(grammar, grammar.part(name))))
            waiting.extend(one.name for one in inside if isinstance(one, Call))
            if name not in grammar.nesting and self._is_cut_by_sight(inside):
                self.regular[name] = re.compile(self._expression(Call(name)))
                pieces = "|".join(f"({self._expression(one)})" for one in inside)
                self.pieces[name] = re.compile(pieces or "(?!)"), inside
                continue
            for one in inside:
                if isinstance(one, Text):
                    pattern = f"{self._skip}({grammar.patterns[one.name]})"
                    self.terminals[one.name] = re.compile(pattern)

    def _expression(self, part: Part) -> str:
        """A part as a regular expression."""
        if isinstance(part, Text):
            return f"{self._skip}(?>{self.grammar.patterns[part.name]})"
        if isinstance(part, Call):
            return self._expression(self.grammar.part(part.name))
        if isinstance(part, Many):
            return f"(?:{self._expression(part.part)})++"
        if isinstance(part, Chain):
            return "".join(map(self._expression, part.parts))
        return f"(?>{'|'.join(map(self._expression, part.parts))})"

    def _is_cut_by_sight(self, inside: list[Text | Call]) -> bool:
        """Whether a piece of a rule's text shows by its first character which part it is."""
        may_be_empty = any(self.grammar.begins(one)[1] for one in inside)
        return not may_be_empty and self.grammar.rivals(inside) is not None

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
            transformer: Its methods get the children; equal texts may share a result.

        Returns:
            What the method of the start rule returns.

        Raises:
            Refusal: The grammar does not accept the text.
        """
        return _Run(self, text, len(text) if end is None else end, transformer).run(start)


#: Texts of a rule up to this length are read once and shared; longer ones hardly recur.
_SHARED = 512


class _End(NamedTuple):
    """On the stack: a nesting rule is complete."""

    name: str


class _Again(NamedTuple):
    """On the stack: a repetition may go on."""

    part: Part


_Todo: TypeAlias = Part | _End | _Again


class _Run:
    """One text being read."""

    def __init__(
        self, scanner: Scanner, text: str, end: int, transformer: Transformer[Token, Any]
    ) -> None:
        self.scanner = scanner
        self.text = text
        self.end = end
        self.transformer = transformer
        self.visit_tokens = getattr(transformer, "__visit_tokens__", True)
        self.at = 0
        self.results: list[list[Any]] = []
        self.known: dict[tuple[str, str], Any] = {}
        self.methods: dict[str, Callable[[list[Any]], Any]] = {}

    def run(self, start: int) -> Any:
        """Read from a place to the end."""
        self.at = start
        (result,) = self.walk(Call(self.scanner.start))
        return result

    def walk(self, part: Part) -> list[Any]:
        """Read a part with a stack of what is still to come, and give what it holds."""
        results: list[list[Any]] = [[]]
        self.results = results
        todo: list[_Todo] = [part]
        while todo:
            part = todo.pop()  # type: ignore[assignment]  # also what only stands on the stack
            if isinstance(part, Text):
                self._read_token(part)
            elif isinstance(part, Call):
                self._read_rule(part.name, todo)
            elif isinstance(part, _End):
                children = results.pop()
                self._finish(results[-1], part.name, children)
            elif isinstance(part, Chain):
                todo.extend(reversed(part.parts))
            elif isinstance(part, Many):
                todo += (_Again(part.part), part.part)
            elif isinstance(part, Choice):
                todo.append(self._chosen(part))
            elif self._follows(part.part):
                todo += (part, part.part)
        if self._after_space(self.at) != self.end:
            raise Refusal
        return results[0]

    def _after_space(self, at: int) -> int:
        found = self.scanner.space.match(self.text, at, self.end)
        return at if found is None else found.end()

    def _read_token(self, part: Text) -> None:
        found = self.scanner.terminals[part.name].match(self.text, self.at, self.end)
        if found is None:
            raise Refusal
        self.at = found.end()
        if part.kept:
            self.results[-1].append(self._token(part.name, found.group(1)))

    def _read_rule(self, name: str, todo: list[_Todo]) -> None:
        """Read a regular rule at once; of a nesting one, see that its parts are read."""
        scanner = self.scanner
        if name in scanner.regular:
            found = scanner.regular[name].match(self.text, self.at, self.end)
            if found is None:
                raise Refusal
            self.at = found.end()
            self._add(self.results[-1], name, found.group())
            return
        if not name.startswith("__"):
            self.results.append([])
            todo.append(_End(name))
        todo.append(scanner.grammar.part(name))

    def _next(self) -> int:
        """The code of the next character that is not ignored; -1 at the end."""
        self.at = self._after_space(self.at)
        return -1 if self.at >= self.end else ord(self.text[self.at])

    def _follows(self, part: Part) -> bool:
        return _holds(self.scanner.grammar.begins(part)[0], self._next())

    def _chosen(self, choice: Choice) -> Part:
        code = self._next()
        otherwise: Part | None = None
        for one in choice.parts:
            first, empty = self.scanner.grammar.begins(one)
            if _holds(first, code) and not (isinstance(one, Text) and self._misses(one)):
                return one
            if empty:
                otherwise = one
        if otherwise is None:
            raise Refusal
        return otherwise

    def _misses(self, part: Text) -> bool:
        return self.scanner.terminals[part.name].match(self.text, self.at, self.end) is None

    # ---- what becomes of a text ----

    def built(self, name: str, text: str) -> Any:
        """The result of a regular rule for a text that it matches."""
        key = (name, text)
        if key in self.known:
            return self.known[key]
        children = self._children(name, text)
        shape = self.scanner.shapes[name]
        if shape.transparent and len(children) == 1:
            made = children[0]
        else:
            made = self._call(shape.callback, children)
        if len(text) <= _SHARED:
            self.known[key] = made
        return made

    def _children(self, name: str, text: str) -> list[Any]:
        if name not in self.scanner.pieces:
            inner = _Run(self.scanner, text, len(text), self.transformer)
            inner.known, inner.methods = self.known, self.methods
            return inner.walk(self.scanner.grammar.part(name))
        cut, pieces = self.scanner.pieces[name]
        children: list[Any] = []
        for found in cut.finditer(text):
            which = found.lastindex or 1
            part = pieces[which - 1]
            if isinstance(part, Call):
                self._add(children, part.name, found.group(which))
            elif part.kept:
                children.append(self._token(part.name, self._bare(found.group(which))))
        return children

    def _bare(self, text: str) -> str:
        """A token without what is ignored before it."""
        found = self.scanner.space.match(text)
        return text if found is None or not found.end() else text[found.end() :]

    def _add(self, children: list[Any], name: str, text: str) -> None:
        if self.scanner.shapes[name].inlined:
            children.extend(self._children(name, text))
        else:
            children.append(self.built(name, text))

    def _finish(self, around: list[Any], name: str, children: list[Any]) -> None:
        shape = self.scanner.shapes[name]
        if shape.inlined or (shape.transparent and len(children) == 1):
            around.extend(children)
        else:
            around.append(self._call(shape.callback, children))

    def _call(self, name: str, children: list[Any]) -> Any:
        method = self.methods.get(name)
        if method is None:
            method = self.methods[name] = self._method(name)
        return method(children)

    def _method(self, name: str) -> Callable[[list[Any]], Any]:
        found: Callable[[list[Any]], Any] | None = getattr(self.transformer, name, None)
        if found is not None:
            return found
        default: Callable[..., Any] = self.transformer.__default__
        return lambda children: default(name, children, None)

    def _token(self, name: str, text: str) -> Any:
        token = Token(name, text)
        if not self.visit_tokens:
            return token
        default: Callable[[Token], Any] = self.transformer.__default_token__
        return getattr(self.transformer, name, default)(token)


def _holds(characters: CharSet, code: int) -> bool:
    return code in characters.low if code < 256 else characters.high  # noqa: PLR2004

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

from .charsets import CharSet, repeated_character
from .outline import Outline
from .parts import (
    Call,
    Chain,
    Choice,
    Grammar,
    Many,
    Part,
    Shape,
    Text,
    UntranslatableError,
    leaves,
)
from .variants import Marked, Variants


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
        skipped = [grammar.patterns[name] for name in grammar.ignored]
        bare = "|".join(repeated_character(one) or one for one in skipped)
        self._skip = f"(?:{bare})*+" if skipped else ""
        self.space = re.compile(self._skip)
        self.shapes: dict[str, Shape] = {}
        self.variants: dict[str, Variants] = {}
        self.regular: dict[str, re.Pattern[str]] = {}
        self.pieces: dict[str, tuple[re.Pattern[str], list[Text | Call]]] = {}
        waiting, walked = [start], False
        while waiting:
            name = waiting.pop()
            if name in self.shapes:
                continue
            self.shapes[name] = grammar.shape(name)
            if grammar.varies(name):
                self.variants[name] = Variants(grammar, name)
            inside = grammar.in_order(dict.fromkeys(leaves(grammar, grammar.part(name))))
            waiting.extend(one.name for one in inside if isinstance(one, Call))
            if name not in grammar.nesting and self._is_cut_by_sight(inside):
                self.regular[name] = re.compile(self._expression(Call(name)))
                pieces = "|".join(f"({self._expression(one)})" for one in inside)
                self.pieces[name] = re.compile(pieces or "(?!)"), inside
            else:
                walked = True
        self.terminals = {
            name: re.compile(f"{self._skip}({pattern})")
            for name, pattern in (grammar.patterns.items() if walked else ())
        }
        self.outline = self._outline()

    def _outline(self) -> Outline | None:
        """The table of what nests; None if nothing does, or it has to be walked."""
        if self.start not in self.grammar.nesting:
            return None
        try:
            return Outline(self.grammar, self.start, self._expression)
        except UntranslatableError:
            return None

    def expression(self, name: str) -> str | None:
        """A rule as a regular expression; None if it nests."""
        return None if name in self.grammar.nesting else self._expression(Call(name))

    def columns(self, name: str) -> re.Pattern[str]:
        """A rule as a regular expression with a group for each of its parts in a row."""
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
        choices = []
        for one in self.grammar.ordered(part):
            earlier = [self.grammar.patterns[name] for name in self.grammar.before(part, one)]
            taken = f"(?!{self._skip}(?:{'|'.join(earlier)}))" if earlier else ""
            choices.append(taken + self._expression(one))
        return f"(?>{'|'.join(choices)})"

    def _is_cut_by_sight(self, inside: list[Text | Call]) -> bool:
        """Whether a piece of a rule's text shows by its first character which part it is."""
        may_be_empty = any(self.grammar.begins(one)[1] for one in inside)
        return not may_be_empty and self.grammar.rivals(inside) is False

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
        end = len(text) if end is None else end
        run = Run(self, transformer)
        if self.outline is None:
            return _Walk(run, text, end, start).whole(self.start)
        events = self.outline.cut(text, start, end)
        behind = self.outline.read(events, 0, run)
        if behind is None or events.kinds[behind]:
            raise Refusal
        done = start + sum(map(len, events.texts))
        found = self.space.match(text, done, end)
        if (done if found is None else found.end()) != end:
            raise Refusal
        return run.results[0]


#: Texts of a rule up to this length are read once and shared; longer ones hardly recur.
_SHARED = 512


class Run:
    """What becomes of the texts that a scanner finds: the transformer's methods are called.

    Args:
        scanner: Whose rules are meant.
        transformer: Its methods make the results.
        deferred: A rule whose texts stand for its results: they are read later, by
            :meth:`built`.
        as_text: Tokens are plain texts, without their names.

    Attributes:
        results: What the start rule gave.
    """

    def __init__(
        self,
        scanner: Scanner,
        transformer: Transformer[Token, Any],
        *,
        deferred: str = "",
        as_text: bool = False,
    ) -> None:
        self.scanner = scanner
        self.transformer = transformer
        self.deferred = deferred
        self.as_text = as_text
        self.visit_tokens = getattr(transformer, "__visit_tokens__", True)
        self.results: list[Any] = []
        self.known: dict[tuple[str, str], Any] = {}
        self.methods: dict[str, Callable[[list[Any]], Any]] = {}

    # ---- what the outline and the walk tell ----

    def opened(self, name: str) -> list[Any]:
        """The list for the children of a rule."""
        return Marked() if name in self.scanner.variants else []

    def leaves(self, children: list[Any], name: str, texts: list[str]) -> None:
        """Texts of a rule that does not nest, one behind the other."""
        if name == self.deferred:
            children.extend(texts)
        elif isinstance(children, Marked):
            for text in texts:
                before = len(children)
                self._add(children, name, text)
                children.mark(name, before)
        else:
            for text in texts:
                self._add(children, name, text)

    def token(self, children: list[Any], part: Text, text: str) -> None:
        """A terminal, with what is ignored before it."""
        before = len(children)
        if part.kept:
            children.append(self._token(part.name, self._bare(text)))
        if isinstance(children, Marked):
            children.mark(part.name, before)

    def finish(self, around: list[Any], name: str, children: list[Any]) -> None:
        """A rule that nests is complete."""
        before = len(around)
        shape = self.scanner.shapes[name]
        if isinstance(children, Marked):
            shape, children = self.scanner.variants[name].arranged(children)
        if shape.inlined or (shape.transparent and len(children) == 1):
            around.extend(children)
        else:
            around.append(self._call(shape.callback, children))
        if isinstance(around, Marked):
            around.mark(name, before)

    # ---- what becomes of a text ----

    def built(self, name: str, text: str) -> Any:
        """The result of a regular rule for a text that it matches."""
        key = (name, text)
        if key in self.known:
            return self.known[key]
        shape, children = self._children(name, text)
        if shape.transparent and len(children) == 1:
            made = children[0]
        else:
            made = self._call(shape.callback, children)
        if len(text) <= _SHARED:
            self.known[key] = made
        return made

    def _children(self, name: str, text: str) -> tuple[Shape, list[Any]]:
        scanner = self.scanner
        children = self.opened(name)
        if name not in scanner.pieces:
            return _Walk(self, text, len(text)).children(name)
        cut, pieces = scanner.pieces[name]
        if len(pieces) == 1:
            (part,) = pieces
            if isinstance(part, Call) and not isinstance(children, Marked):
                for found in cut.findall(text):
                    self._add(children, part.name, found)
                return scanner.shapes[name], children
        for found in cut.finditer(text):
            which = found.lastindex or 1
            part = pieces[which - 1]
            if isinstance(part, Text):
                self.token(children, part, found.group(which))
            else:
                before = len(children)
                self._add(children, part.name, found.group(which))
                if isinstance(children, Marked):
                    children.mark(part.name, before)
        if isinstance(children, Marked):
            return scanner.variants[name].arranged(children)
        return scanner.shapes[name], children

    def _bare(self, text: str) -> str:
        """A token without what is ignored before it."""
        found = self.scanner.space.match(text)
        return text if found is None or not found.end() else text[found.end() :]

    def _add(self, children: list[Any], name: str, text: str) -> None:
        if self.scanner.shapes[name].inlined:
            children.extend(self._children(name, text)[1])
        else:
            children.append(self.built(name, text))

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
        if self.as_text:
            return text
        token = Token(name, text)
        if not self.visit_tokens:
            return token
        default: Callable[[Token], Any] = self.transformer.__default_token__
        return getattr(self.transformer, name, default)(token)


class _End(NamedTuple):
    """On the stack: a rule is complete."""

    name: str


class _Again(NamedTuple):
    """On the stack: a repetition may go on."""

    part: Part


_Todo: TypeAlias = Part | _End | _Again


class _Walk:
    """A text being read part by part, where no expression and no table can do it."""

    def __init__(self, run: Run, text: str, end: int, at: int = 0) -> None:
        self.run = run
        self.scanner = run.scanner
        self.text = text
        self.end = end
        self.at = at
        self.results: list[list[Any]] = []

    def whole(self, start: str) -> Any:
        """Read up to the end by a rule; what its method returns."""
        (result,) = self._walk([Call(start)], [])
        return result

    def children(self, name: str) -> tuple[Shape, list[Any]]:
        """Read up to the end by a rule; its children, and what becomes of them."""
        found = self._walk([self.scanner.grammar.part(name)], self.run.opened(name))
        if isinstance(found, Marked):
            return self.scanner.variants[name].arranged(found)
        return self.scanner.shapes[name], found

    def _walk(self, todo: list[_Todo], children: list[Any]) -> list[Any]:
        """Read with a stack of what is still to come, and give what it holds."""
        results = self.results = [children]
        while todo:
            part = todo.pop()
            if isinstance(part, Text):
                self._read_token(part)
            elif isinstance(part, Call):
                self._read_rule(part.name, todo)
            elif isinstance(part, _End):
                inner = results.pop()
                self.run.finish(results[-1], part.name, inner)
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
        self.run.token(self.results[-1], part, found.group(1))

    def _read_rule(self, name: str, todo: list[_Todo]) -> None:
        """Read a regular rule at once; of another, see that its parts are read."""
        scanner = self.scanner
        if name in scanner.regular:
            found = scanner.regular[name].match(self.text, self.at, self.end)
            if found is None:
                raise Refusal
            self.at = found.end()
            self.run.leaves(self.results[-1], name, [found.group()])
            return
        if not name.startswith("__"):
            self.results.append(self.run.opened(name))
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
        for one in self.scanner.grammar.ordered(choice):
            first, empty = self.scanner.grammar.begins(one)
            if _holds(first, code) and self._begins(one):
                return one
            if empty:
                otherwise = one
        if otherwise is None:
            raise Refusal
        return otherwise

    def _begins(self, part: Part) -> bool:
        """A terminal that the part may begin with comes next."""
        terminals = self.scanner.terminals
        return any(
            terminals[name].match(self.text, self.at, self.end)
            for name in self.scanner.grammar.heads(part)
        )


def _holds(characters: CharSet, code: int) -> bool:
    return code in characters.low if code < 256 else characters.high  # noqa: PLR2004

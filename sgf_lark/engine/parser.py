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
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from lark import Discard, Lark, Token, Transformer
from lark.tree import Meta

from .alternatives import Marked, Variants
from .analysis import (
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
from .pushdown import Outline
from .regex import CharSet, is_character, is_repeat, repeated_character


class Refusal(Exception):  # noqa: N818  # an answer, not an error
    """The grammar does not accept the text."""


class Row(NamedTuple):
    """How the text of a rule, or each round of a loop, is cut.

    Attributes:
        pattern: Has a group for each part.
        parts: Tokens, rules and loops.
        is_loop: The text has one round after the other.
        is_choice: One of the parts makes up a whole round.
    """

    pattern: re.Pattern[str]
    parts: list[Text | Call]
    is_loop: bool
    is_choice: bool


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
        as_text: Tokens are plain texts without their names: no method asks for more, and
            none is for all of them.
        share: Equal texts share a result.

    Attributes:
        results: What the start rule gave.
        discards: A method has taken something out of its tree by :data:`lark.Discard`.
    """

    def __init__(
        self,
        scanner: Scanner,
        transformer: Transformer[Token, Any],
        *,
        deferred: str = "",
        as_text: bool = False,
        share: bool = True,
    ) -> None:
        self.scanner = scanner
        self.transformer = transformer
        self.deferred = deferred
        self.as_text = as_text
        self.share = share
        self.visit_tokens = getattr(transformer, "__visit_tokens__", True)
        self.discards = False
        self.results: list[Any] = []
        self._makers: dict[str, Callable[[str], Any]] = {}
        self._putters: dict[str, Callable[[list[Any], list[str]], None]] = {}
        self._closers: dict[str, Callable[[list[Any], list[Any]], None]] = {}
        self.methods: dict[str, Callable[[list[Any]], Any]] = {}

    # ---- what the outline and the walk tell ----

    def opener(self, name: str) -> Callable[[], list[Any]]:
        """What makes the list for the children of a rule."""
        return Marked if name in self.scanner.variants else list

    def putter(self, name: str) -> Callable[[list[Any], list[str]], None]:
        """What puts texts of a rule that does not nest, one behind the other, into a list."""
        if name not in self._putters:
            self._putters[name] = self._putter(name)
        return self._putters[name]

    def _putter(self, name: str) -> Callable[[list[Any], list[str]], None]:
        if name == self.deferred:
            return list.extend
        read = self._reader(Call(name))

        def put(children: list[Any], texts: list[str]) -> None:
            for text in texts:
                before = len(children)
                read.add(children, text)
                if isinstance(children, Marked):
                    children.mark(name, before)

        return put

    def token(self, children: list[Any], part: Text, text: str) -> None:
        """A terminal, with what is ignored before it."""
        before = len(children)
        if part.kept:
            children.append(self._token_maker(part.name)(self._bare(text)))
        if isinstance(children, Marked):
            children.mark(part.name, before)

    def closer(self, name: str) -> Callable[[list[Any], list[Any]], None]:
        """What puts a rule that is complete, with its children, into the list around it."""
        if name not in self._closers:
            self._closers[name] = self._closer(name)
        return self._closers[name]

    def _closer(self, name: str) -> Callable[[list[Any], list[Any]], None]:
        usual, variants = self.scanner.shapes[name], self.scanner.variants.get(name)

        def close(around: list[Any], children: list[Any]) -> None:
            before, shape = len(around), usual
            if variants is not None and isinstance(children, Marked):
                shape, children = variants.arranged(children)
            if shape.inlined or (shape.transparent and len(children) == 1):
                around.extend(children)
            else:
                around.append(self._call(shape.callback, children))
            if isinstance(around, Marked):
                around.mark(name, before)

        if variants is not None or usual.inlined or usual.transparent:
            return close
        callback = usual.callback

        def close_plain(around: list[Any], children: list[Any]) -> None:
            if around.__class__ is list:
                around.append(self._call(callback, children))
            else:
                close(around, children)

        return close_plain

    # ---- what becomes of a text ----

    def maker(self, name: str) -> Callable[[str], Any]:
        """What makes the result of a rule from a text of it; equal texts share one."""
        if name not in self._makers:
            self._makers[name] = self._maker(name)
        return self._makers[name]

    def _maker(self, name: str) -> Callable[[str], Any]:
        take, call = self._taker(name), self._call

        def make(text: str) -> Any:
            shape, children = take(text)
            if shape.transparent and len(children) == 1:
                return children[0]
            return call(shape.callback, children)

        return _remembering(make) if self.share else make

    def _taker(self, name: str) -> Callable[[str], tuple[Shape, list[Any]]]:
        """What gives the children of a rule for a text of it, and what becomes of them."""
        if name in self.scanner.variants:
            return self._varied(name)
        shape, several = self.scanner.shapes[name], self._several(name)
        return lambda text: (shape, several(text))

    def _several(self, name: str) -> Callable[[str], list[Any]]:
        """What gives the children of a rule, or of a loop, for a text of it."""
        pattern, parts, is_loop, is_choice = self.scanner.rows[name]
        readers = [self._reader(part) for part in parts]
        ones = [None if reader.several else reader.one for reader in readers]
        if not is_loop:
            if len(readers) == 1:
                return _single(pattern, readers[0])
            return lambda text: _of_round(readers, pattern.fullmatch(text))
        if len(ones) == 1 and ones[0] is not None:
            only = ones[0]
            if only is _same:
                return pattern.findall
            return lambda text: list(map(only, pattern.findall(text)))

        def take(text: str) -> list[Any]:
            children: list[Any] = []
            for found in pattern.finditer(text):
                if is_choice:
                    which = found.lastindex or 1
                    one = ones[which - 1]
                    if one is None:
                        readers[which - 1].add(children, found[which])
                    else:
                        children.append(one(found[which]))
                else:
                    children += _of_round(readers, found)
            return children

        return take

    def _reader(self, part: Text | Call) -> _Reader:
        """What gives the children that a part of a row stands for."""
        if isinstance(part, Text):
            return _Reader(self._token_maker(part.name)) if part.kept else _Reader(_same, _none)
        if part.name.startswith("__"):
            return _Reader(_same, self._several(part.name))
        if self.scanner.shapes[part.name].inlined:
            take = self._taker(part.name)
            return _Reader(_same, lambda text: take(text)[1])
        return _Reader(self.maker(part.name))

    def _varied(self, name: str) -> Callable[[str], tuple[Shape, list[Any]]]:
        """What gives the children of a rule whose alternatives differ."""
        pattern, parts, *_ = self.scanner.rows[name]
        variants = self.scanner.variants[name]
        readers = [self._reader(part) for part in parts]
        is_plain = not any(
            read.several and not isinstance(part, Text)
            for read, part in zip(readers, parts, strict=True)
        )
        plans: dict[tuple[bool, ...], tuple[Shape, list[int | None]]] = {}

        def take(text: str) -> tuple[Shape, list[Any]]:
            found = pattern.fullmatch(text)
            if found is None:
                raise Refusal
            pieces = found.groups()
            if not is_plain:
                children = Marked()
                for part, piece in zip(parts, pieces, strict=True):
                    if piece is not None:
                        self._mark(children, part, piece)
                return variants.arranged(children)
            key = tuple([piece is not None for piece in pieces])
            if key not in plans:
                places = Marked()
                for place, part in enumerate(parts):
                    if key[place]:
                        before = len(places)
                        if not readers[place].several:
                            places.append(place)
                        places.mark(part.name, before)
                plans[key] = variants.arranged(places)
            shape, order = plans[key]
            return shape, [
                None if place is None else readers[place].one(pieces[place]) for place in order
            ]

        return take

    def _mark(self, children: Marked, part: Text | Call, text: str) -> None:
        """Add the children of a part of a row, and where they come from."""
        if isinstance(part, Call) and part.name.startswith("__"):
            pattern, parts, *_ = self.scanner.rows[part.name]
            for found in pattern.finditer(text):
                for inner, piece in zip(parts, found.groups(), strict=True):
                    if piece is not None:
                        self._mark(children, inner, piece)
            return
        before = len(children)
        self._reader(part).add(children, text)
        children.mark(part.name, before)

    def _bare(self, text: str) -> str:
        """A token without what is ignored before it."""
        found = self.scanner.space.match(text)
        return text if found is None or not found.end() else text[found.end() :]

    def _call(self, name: str, children: list[Any]) -> Any:
        """What the transformer makes of the children of a rule."""
        method = self.methods.get(name)
        if method is None:
            method = self.methods[name] = self._method(name)
        if self.discards:
            children = [one for one in children if one is not Discard]
        made = method(children)
        if made is Discard:
            self.discards = True
        return made

    def _method(self, name: str) -> Callable[[list[Any]], Any]:
        found: Callable[[list[Any]], Any] | None = getattr(self.transformer, name, None)
        wrapper: Callable[..., Any] | None = getattr(found, "visit_wrapper", None)  # v_args
        if found is not None and wrapper is None:
            return found
        call = self.transformer.__default__ if wrapper is None else partial(wrapper, found)
        return lambda children: call(name, children, Meta())  # type: ignore[no-untyped-call]

    def _token_maker(self, name: str) -> Callable[[str], Any]:
        """What makes of the text of a terminal what the tree has for it."""
        if not self.visit_tokens:
            return _same if self.as_text else lambda text: Token(name, text)
        method: Callable[[Any], Any] | None = getattr(self.transformer, name, None)
        if self.as_text and method is None:
            return _same
        visit = method or self.transformer.__default_token__

        def make(text: str) -> Any:
            made = visit(text if self.as_text else Token(name, text))
            if made is Discard:
                self.discards = True
            return made

        return make


def _remembering(make: Callable[[str], Any]) -> Callable[[str], Any]:
    """The same, but that equal texts share what is made of them."""
    known: dict[str, Any] = {}

    def recall(text: str) -> Any:
        try:
            return known[text]
        except KeyError:
            made = make(text)
            if len(text) <= _SHARED:
                known[text] = made
            return made

    return recall


def _single(pattern: re.Pattern[str], reader: _Reader) -> Callable[[str], list[Any]]:
    """What gives the children of a row of one part."""
    fullmatch, (one, several) = pattern.fullmatch, reader

    def take(text: str) -> list[Any]:
        found = fullmatch(text)
        if found is None:
            raise Refusal
        piece = found[1]
        if piece is None:
            return []
        return [one(piece)] if several is None else several(piece)

    return take


def _same(text: str) -> str:
    return text


def _none(_: str) -> list[Any]:
    return []


class _Reader(NamedTuple):
    """What a part of a row gives for a text: one child, or several, or none.

    Attributes:
        one: Gives the one.
        several: Gives the others; None if it is one.
    """

    one: Callable[[str], Any]
    several: Callable[[str], list[Any]] | None = None

    def add(self, children: list[Any], text: str) -> None:
        if self.several is None:
            children.append(self.one(text))
        else:
            children += self.several(text)


def _of_round(readers: list[_Reader], found: re.Match[str] | None) -> list[Any]:
    """The children of a row for its pieces."""
    if found is None:
        raise Refusal
    children: list[Any] = []
    for (one, several), piece in zip(readers, found.groups(), strict=True):
        if piece is None:
            continue
        if several is None:
            children.append(one(piece))
        else:
            children += several(piece)
    return children


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
        found = self._walk([self.scanner.grammar.part(name)], self.run.opener(name)())
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
                self.run.closer(part.name)(results[-1], inner)
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
            self.run.putter(name)(self.results[-1], [found.group()])
            return
        if not name.startswith("__"):
            self.results.append(self.run.opener(name)())
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


def is_choice_of_leaves(part: Part) -> bool:
    """It is one token or rule of several."""
    parts = part.parts if isinstance(part, Choice) else (part,)
    return all(
        isinstance(one, Text) or (isinstance(one, Call) and not one.name.startswith("__"))
        for one in parts
    )


def _holds(characters: CharSet, code: int) -> bool:
    return code in characters.low if code < 256 else characters.high  # noqa: PLR2004

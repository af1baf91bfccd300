"""Actions: calls of a transformer's methods for the texts that a plan's expressions match."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from lark import Discard, Token, Transformer
from lark.tree import Meta

from .alternatives import Marked
from .ir import Call, Shape, Text
from .plan import Plan


class Rejected(Exception):  # noqa: N818  # an answer, not an error
    """The grammar does not accept the text."""


#: Cache limit in characters: longer texts of a rule hardly recur.
_MAX_CACHED_LENGTH = 512


class Actions:
    """The calls of one transformer for the texts that a plan's expressions match.

    Args:
        plan: The compiled rules.
        transformer: Its methods make the results.
        deferred: A rule whose texts stand for its results: the caller parses them later.
        as_text: Pass tokens as ``str`` without their names: no method needs more, and the
            transformer has no default method for them.
        share: Cache results: equal texts share one.

    Attributes:
        results: Gets the result of the start rule.
        discards: A method has returned :data:`lark.Discard`.
    """

    def __init__(
        self,
        plan: Plan,
        transformer: Transformer[Token, Any],
        *,
        deferred: str = "",
        as_text: bool = False,
        share: bool = True,
    ) -> None:
        self.plan = plan
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

    # ---- called by the table and the walk ----

    def opener(self, name: str) -> Callable[[], list[Any]]:
        """Return a factory for a rule's child list."""
        return Marked if name in self.plan.alternatives else list

    def putter(self, name: str) -> Callable[[list[Any], list[str]], None]:
        """Return a function that adds consecutive texts of a rule that does not nest to a list."""
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
        """Add a terminal; its text may begin with what is ignored before it."""
        before = len(children)
        if part.kept:
            children.append(self._token_maker(part.name)(self._bare(text)))
        if isinstance(children, Marked):
            children.mark(part.name, before)

    def closer(self, name: str) -> Callable[[list[Any], list[Any]], None]:
        """Return a function that adds a complete rule with its children to the list around it."""
        if name not in self._closers:
            self._closers[name] = self._closer(name)
        return self._closers[name]

    def _closer(self, name: str) -> Callable[[list[Any], list[Any]], None]:
        usual, alternatives = self.plan.shapes[name], self.plan.alternatives.get(name)

        def close(around: list[Any], children: list[Any]) -> None:
            before, shape = len(around), usual
            if alternatives is not None and isinstance(children, Marked):
                shape, children = alternatives.arrange(children)
            if shape.inlined or (shape.transparent and len(children) == 1):
                around.extend(children)
            else:
                around.append(self._call(shape.callback, children))
            if isinstance(around, Marked):
                around.mark(name, before)

        if alternatives is not None or usual.inlined or usual.transparent:
            return close
        callback = usual.callback

        def close_plain(around: list[Any], children: list[Any]) -> None:
            if around.__class__ is list:
                around.append(self._call(callback, children))
            else:
                close(around, children)

        return close_plain

    # ---- from a text to its result ----

    def maker(self, name: str) -> Callable[[str], Any]:
        """Return a function from a text of a rule to its result; equal texts share one."""
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

        return _cached(make) if self.share else make

    def _taker(self, name: str) -> Callable[[str], tuple[Shape, list[Any]]]:
        """Return a function from a text of a rule to its children and their treatment."""
        if name in self.plan.alternatives:
            return self._varied(name)
        shape, several = self.plan.shapes[name], self._several(name)
        return lambda text: (shape, several(text))

    def _several(self, name: str) -> Callable[[str], list[Any]]:
        """Return a function from a text of a rule, or of a loop, to its children."""
        pattern, parts, is_loop, is_choice = self.plan.groups[name]
        readers = [self._reader(part) for part in parts]
        makers = [None if reader.several else reader.one for reader in readers]
        if not is_loop:
            if len(readers) == 1:
                return _single(pattern, readers[0])
            return lambda text: _of_round(readers, pattern.fullmatch(text))
        if len(makers) == 1 and makers[0] is not None:
            only = makers[0]
            if only is _same:
                return pattern.findall
            return lambda text: list(map(only, pattern.findall(text)))

        def take(text: str) -> list[Any]:
            children: list[Any] = []
            for match in pattern.finditer(text):
                if is_choice:
                    which = match.lastindex or 1
                    make = makers[which - 1]
                    if make is None:
                        readers[which - 1].add(children, match[which])
                    else:
                        children.append(make(match[which]))
                else:
                    children += _of_round(readers, match)
            return children

        return take

    def _reader(self, part: Text | Call) -> _Reader:
        """Return the reader of one group: from its text to its children."""
        if isinstance(part, Text):
            return _Reader(self._token_maker(part.name)) if part.kept else _Reader(_same, _none)
        if part.name.startswith("__"):
            return _Reader(_same, self._several(part.name))
        if self.plan.shapes[part.name].inlined:
            take = self._taker(part.name)
            return _Reader(_same, lambda text: take(text)[1])
        return _Reader(self.maker(part.name))

    def _varied(self, name: str) -> Callable[[str], tuple[Shape, list[Any]]]:
        """Return a function from a text to the children of a rule whose alternatives differ."""
        pattern, parts, *_ = self.plan.groups[name]
        alternatives = self.plan.alternatives[name]
        readers = [self._reader(part) for part in parts]
        is_plain = not any(
            read.several and not isinstance(part, Text)
            for read, part in zip(readers, parts, strict=True)
        )
        plans: dict[tuple[bool, ...], tuple[Shape, list[int | None]]] = {}

        def take(text: str) -> tuple[Shape, list[Any]]:
            match = pattern.fullmatch(text)
            if match is None:
                raise Rejected
            pieces = match.groups()
            if not is_plain:
                children = Marked()
                for part, piece in zip(parts, pieces, strict=True):
                    if piece is not None:
                        self._mark(children, part, piece)
                return alternatives.arrange(children)
            key = tuple([piece is not None for piece in pieces])
            if key not in plans:
                places = Marked()
                for place, part in enumerate(parts):
                    if key[place]:
                        before = len(places)
                        if not readers[place].several:
                            places.append(place)
                        places.mark(part.name, before)
                plans[key] = alternatives.arrange(places)
            shape, order = plans[key]
            return shape, [
                None if place is None else readers[place].one(pieces[place]) for place in order
            ]

        return take

    def _mark(self, children: Marked, part: Text | Call, text: str) -> None:
        """Add the children of one group, and mark the symbol that they come from."""
        if isinstance(part, Call) and part.name.startswith("__"):
            pattern, parts, *_ = self.plan.groups[part.name]
            for match in pattern.finditer(text):
                for inner, piece in zip(parts, match.groups(), strict=True):
                    if piece is not None:
                        self._mark(children, inner, piece)
            return
        before = len(children)
        self._reader(part).add(children, text)
        children.mark(part.name, before)

    def _bare(self, text: str) -> str:
        """Return a token without what is ignored before it."""
        match = self.plan.space.match(text)
        return text if match is None or not match.end() else text[match.end() :]

    def _call(self, name: str, children: list[Any]) -> Any:
        """Return the transformer's result for the children of a rule."""
        method = self.methods.get(name)
        if method is None:
            method = self.methods[name] = self._method(name)
        if self.discards:
            children = [child for child in children if child is not Discard]
        result = method(children)
        if result is Discard:
            self.discards = True
        return result

    def _method(self, name: str) -> Callable[[list[Any]], Any]:
        method: Callable[[list[Any]], Any] | None = getattr(self.transformer, name, None)
        wrapper: Callable[..., Any] | None = getattr(method, "visit_wrapper", None)  # v_args
        if method is not None and wrapper is None:
            return method
        call = self.transformer.__default__ if wrapper is None else partial(wrapper, method)
        return lambda children: call(name, children, Meta())  # type: ignore[no-untyped-call]

    def _token_maker(self, name: str) -> Callable[[str], Any]:
        """Return a function from the text of a terminal to its child in the tree."""
        if not self.visit_tokens:
            return _same if self.as_text else lambda text: Token(name, text)
        method: Callable[[Any], Any] | None = getattr(self.transformer, name, None)
        if self.as_text and method is None:
            return _same
        visit = method or self.transformer.__default_token__

        def make(text: str) -> Any:
            child = visit(text if self.as_text else Token(name, text))
            if child is Discard:
                self.discards = True
            return child

        return make


def _cached(make: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return the same function with a cache."""
    known: dict[str, Any] = {}

    def recall(text: str) -> Any:
        try:
            return known[text]
        except KeyError:
            result = make(text)
            if len(text) <= _MAX_CACHED_LENGTH:
                known[text] = result
            return result

    return recall


def _single(pattern: re.Pattern[str], reader: _Reader) -> Callable[[str], list[Any]]:
    """Return a function from a text to the children of a rule with one group."""
    fullmatch, (make_one, make_several) = pattern.fullmatch, reader

    def take(text: str) -> list[Any]:
        match = fullmatch(text)
        if match is None:
            raise Rejected
        piece = match[1]
        if piece is None:
            return []
        return [make_one(piece)] if make_several is None else make_several(piece)

    return take


def _same(text: str) -> str:
    return text


def _none(_: str) -> list[Any]:
    return []


class _Reader(NamedTuple):
    """The reader of one group: from its text to one child, several or none.

    Attributes:
        one: Returns the one child.
        several: Returns several children or none; None if there is always one.
    """

    one: Callable[[str], Any]
    several: Callable[[str], list[Any]] | None = None

    def add(self, children: list[Any], text: str) -> None:
        if self.several is None:
            children.append(self.one(text))
        else:
            children += self.several(text)


def _of_round(readers: list[_Reader], match: re.Match[str] | None) -> list[Any]:
    """Return the children for the groups of one match."""
    if match is None:
        raise Rejected
    children: list[Any] = []
    for (make_one, make_several), piece in zip(readers, match.groups(), strict=True):
        if piece is None:
            continue
        if make_several is None:
            children.append(make_one(piece))
        else:
            children += make_several(piece)
    return children

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

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core.memo import Memo

from .plan import Call, Marked, Plan, Text, Treatment
from .regex import character_sets, first_of, left_out, longest


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


_Caller: TypeAlias = Callable[[list[Any]], Any]
"""A function from the children of a rule to its result."""

_Arranged: TypeAlias = tuple[int | None, Callable[[str], Any] | None]
"""The place of the group of a child, None for an absent part; its maker, None for its text."""


#: Limit in characters of a token whose child :class:`LoopPieces` keeps.
MAX_PIECE = 2


class Rejected(Exception):  # noqa: N818  # an answer, not an error
    """The grammar does not accept the text."""


class Actions:
    """The calls of one transformer for the texts that a plan's expressions match.

    Args:
        as_text: Pass tokens as ``str`` without their names: no method needs more, none returns
            :data:`lark.Discard`, and the transformer has no default method for tokens.
    """

    def __init__(self, plan: Plan, transformer: Any, *, as_text: bool = False) -> None:
        self.plan = plan
        self.transformer = transformer
        self.as_text = as_text
        self.visit_tokens = getattr(transformer, "__visit_tokens__", True)
        self.discards = False
        if not as_text:
            from lark import Discard

            self._discard = Discard
        #: By the name of a rule, a function from a text of it to its result.
        self.makers = Memo(self._find_maker)
        self._loops = Memo(self._several)
        self._inlined = Memo(self._on_demand)
        self._callers = Memo(self._find_caller)
        self.methods: dict[str, Callable[[list[Any]], Any]] = {}

    def result(self, text: str) -> Any:
        children: list[Any] = []
        self._reader(Call(self.plan.start)).add(children, text)
        (result,) = children
        return result

    # ---- from a text to its result ----

    def _find_maker(self, name: str) -> Callable[[str], Any]:
        if name in self.plan.alternatives:
            varied = self._varied(name)

            def make(text: str) -> Any:
                call, children = varied(text)
                return call(children)

            return make
        call = self._callers[self.plan.shapes[name]]
        pattern, parts, is_loop, is_choice = self.plan.groups[name]
        makers = self._makers_of(parts)
        if not is_loop and (is_choice or len(parts) == 1) and None not in makers:
            return _of_choice(pattern, makers, call)
        inner = self.plan.groups.get(parts[0].name) if len(parts) == 1 else None
        take = None
        if inner is not None and inner.is_loop and inner.is_choice and pattern.fullmatch(""):
            take = self._of_tokens(inner.parts)
        several = take or self._several(name)
        return lambda text: call(several(text))

    def _several(self, name: str) -> Callable[[str], list[Any]]:
        """Return a function from a text of a rule, or of a loop, to its children."""
        pattern, parts, is_loop, is_choice = self.plan.groups[name]
        makers, of_groups = self._makers_of(parts), self._of_groups(parts)
        fullmatch, finditer = pattern.fullmatch, pattern.finditer
        if not is_loop:

            def take(text: str) -> list[Any]:
                match = fullmatch(text)
                if match is None:
                    raise Rejected
                return of_groups(match)

            return take
        if len(parts) == 1 and makers[0] is _same:
            return pattern.findall

        def take_rounds(text: str) -> list[Any]:
            children: list[Any] = []
            for match in finditer(text):
                make = makers[(match.lastindex or 1) - 1] if is_choice else None
                if make is None:
                    children += of_groups(match)
                else:
                    piece = match[match.lastindex or 1]
                    children.append(piece if make is _same else make(piece))
            return children

        return take_rounds

    def _of_tokens(self, parts: list[Text | Call]) -> Callable[[str], list[Any]] | None:
        """Return a function from a text to any number of tokens; None for other loops."""
        names = [part.name for part in parts if isinstance(part, Text)]
        if self.plan.skip or not self.as_text or len(names) < len(parts):
            return None
        patterns = {name: self.plan.patterns[name] for name in names}
        makers = dict(zip(names, self._makers_of(parts), strict=True))
        runs = {name: left_out(patterns[name]) for name in names if makers[name] is _same}
        others = [patterns[name] for name in names if not runs.get(name)]
        special = "".join(runs.values())
        codes = frozenset(map(ord, special))
        firsts = [first_of(pattern) for pattern in others]
        if len(others) != len(names) - 1 or any(
            may_be_empty or first.high or not first.low <= codes for first, may_be_empty in firsts
        ):
            return None
        pieces = LoopPieces(
            re.compile("|".join(f"({patterns[name]})" for name in names)), list(makers.values())
        )
        same = _unchanged(special, others, pieces)
        changed = special.translate(dict.fromkeys(map(ord, same)))
        run = patterns[next(name for name in names if runs.get(name))]
        if same:  # in a longer run, unless a longer token may begin with it
            run = f"(?>(?:{run}|[{re.escape(same)}](?![{re.escape(changed)}]))+)"
        findall = re.compile("|".join((run, *(f"(?>{one})" for one in others)))).findall

        def take(text: str) -> list[Any]:
            for char in changed:
                if char in text:
                    break
            else:
                return [text]
            texts = findall(text)
            if sum(map(len, texts)) < len(text):
                raise Rejected
            return [pieces[piece] if piece[0] in special else piece for piece in texts]

        return take

    def _makers_of(self, parts: list[Text | Call]) -> list[Callable[[str], Any] | None]:
        readers = [self._reader(part) for part in parts]
        return [None if reader.several else reader.one for reader in readers]

    def _of_groups(self, parts: list[Text | Call]) -> Callable[[re.Match[str]], list[Any]]:
        readers = [
            (place, self._reader(part))
            for place, part in enumerate(parts)
            if isinstance(part, Call) or part.kept
        ]
        if any(reader.several for _, reader in readers):

            def any_number(match: re.Match[str]) -> list[Any]:
                children: list[Any] = []
                pieces = match.groups()
                for place, reader in readers:
                    if pieces[place] is not None:
                        reader.add(children, pieces[place])
                return children

            return any_number
        makers = [(place, reader.one) for place, reader in readers]

        def one_each(match: re.Match[str]) -> list[Any]:
            pieces = match.groups()
            return [make(pieces[place]) for place, make in makers if pieces[place] is not None]

        return one_each

    def _reader(self, part: Text | Call) -> _Reader:
        if isinstance(part, Text):
            return _Reader(self._token_maker(part.name)) if part.kept else _Reader(_same, _none)
        if part.name.startswith("__"):
            return _Reader(_same, self._loops[part.name])
        if not self.plan.shapes[part.name].inlined:
            return _Reader(self.makers[part.name])
        return _Reader(_same, self._inlined[part.name])

    def _on_demand(self, name: str) -> Callable[[str], list[Any]]:
        """Return a function from a text of an inlined rule to its children."""
        takes: list[Callable[[str], list[Any]]] = []

        def read(text: str) -> list[Any]:
            if not takes:
                varied = self._varied(name) if name in self.plan.alternatives else None
                takes.append(self._several(name) if varied is None else lambda one: varied(one)[1])
            return takes[0](text)

        return read

    # ---- rules whose alternatives differ ----

    def _varied(self, name: str) -> Callable[[str], tuple[_Caller, list[Any]]]:
        pattern, parts, *_ = self.plan.groups[name]
        makers = self._makers_of(parts)
        if any(
            make is None and isinstance(part, Call)
            for make, part in zip(makers, parts, strict=True)
        ):
            return self._varied_by_marks(name)
        fullmatch, arrange = pattern.fullmatch, self._arranger(name, makers)
        #: By the groups that are present, as many as the rule has alternatives.
        arrangements: dict[tuple[bool, ...], tuple[_Caller, list[_Arranged]]] = {}

        def take(text: str) -> tuple[_Caller, list[Any]]:
            match = fullmatch(text)
            if match is None:
                raise Rejected
            pieces = match.groups()
            present = tuple([piece is not None for piece in pieces])
            if present not in arrangements:
                arrangements[present] = arrange(present)
            call, arranged = arrangements[present]
            return call, [
                None if place is None else pieces[place] if make is None else make(pieces[place])
                for place, make in arranged
            ]

        return take

    def _arranger(
        self, name: str, makers: list[Callable[[str], Any] | None]
    ) -> Callable[[tuple[bool, ...]], tuple[_Caller, list[_Arranged]]]:
        parts, alternatives = self.plan.groups[name].parts, self.plan.alternatives[name]

        def arrange(present: tuple[bool, ...]) -> tuple[_Caller, list[_Arranged]]:
            places = Marked()
            for place, (part, make) in enumerate(zip(parts, makers, strict=True)):
                if present[place]:
                    before = len(places)
                    if make is not None:
                        places.append((place, None if make is _same else make))
                    places.mark(part.name, before)
            shape, arranged = alternatives.arrange(places)
            return self._callers[shape], [one or (None, None) for one in arranged]

        return arrange

    def _varied_by_marks(self, name: str) -> Callable[[str], tuple[_Caller, list[Any]]]:
        pattern, parts, *_ = self.plan.groups[name]
        alternatives = self.plan.alternatives[name]
        markers = [self._marker(part) for part in parts]

        def take(text: str) -> tuple[_Caller, list[Any]]:
            match = pattern.fullmatch(text)
            if match is None:
                raise Rejected
            marked = Marked()
            for mark, piece in zip(markers, match.groups(), strict=True):
                if piece is not None:
                    mark(marked, piece)
            shape, children = alternatives.arrange(marked)
            return self._callers[shape], children

        return take

    def _marker(self, part: Text | Call) -> Callable[[Marked, str], None]:
        name = part.name
        if isinstance(part, Call) and name.startswith("__"):
            pattern, parts, *_ = self.plan.groups[name]
            markers = [self._marker(inner) for inner in parts]

            def mark_rounds(children: Marked, text: str) -> None:
                for match in pattern.finditer(text):
                    for mark, piece in zip(markers, match.groups(), strict=True):
                        if piece is not None:
                            mark(children, piece)

            return mark_rounds
        reader = self._reader(part)

        def mark(children: Marked, text: str) -> None:
            before = len(children)
            reader.add(children, text)
            children.mark(name, before)

        return mark

    # ---- the transformer's methods ----

    def _find_caller(self, shape: Treatment) -> _Caller:
        name = shape.callback
        call = self._method(name) if self.as_text else partial(self._call, name)
        if not shape.transparent:
            return call
        return lambda children: children[0] if len(children) == 1 else call(children)

    def _call(self, name: str, children: list[Any]) -> Any:
        """Return the transformer's result for the children of a rule."""
        method = self.methods.get(name)
        if method is None:
            method = self.methods[name] = self._method(name)
        if self.discards:
            children = [child for child in children if child is not self._discard]
        result = method(children)
        if result is self._discard:
            self.discards = True
        return result

    def _method(self, name: str) -> Callable[[list[Any]], Any]:
        method: Callable[[list[Any]], Any] | None = getattr(self.transformer, name, None)
        wrapper: Callable[..., Any] | None = getattr(method, "visit_wrapper", None)  # v_args
        if method is not None and wrapper is None:
            return method
        from lark.tree import Meta

        call = self.transformer.__default__ if wrapper is None else partial(wrapper, method)
        return lambda children: call(name, children, Meta())  # type: ignore[no-untyped-call]

    def _token_maker(self, name: str) -> Callable[[str], Any]:
        if self.as_text:
            if self.visit_tokens and hasattr(self.transformer, name):
                visit: Callable[[Any], Any] = getattr(self.transformer, name)
                return visit
            return _same
        from lark import Token

        if not self.visit_tokens:
            return lambda text: Token(name, text)
        visit = getattr(self.transformer, name, None) or self.transformer.__default_token__

        def make(text: str) -> Any:
            child = visit(Token(name, text))
            if child is self._discard:
                self.discards = True
            return child

        return make


def _of_choice(
    pattern: re.Pattern[str], makers: list[Callable[[str], Any] | None], call: _Caller
) -> Callable[[str], Any]:
    fullmatch = pattern.fullmatch

    def make(text: str) -> Any:
        match = fullmatch(text)
        if match is None:
            raise Rejected
        which = match.lastindex
        if which is None:
            return call([])
        piece, make_one = match[which], makers[which - 1]
        return call([piece if make_one is None or make_one is _same else make_one(piece)])

    return make


def _unchanged(special: str, patterns: list[str], pieces: LoopPieces) -> str:
    """Return the special characters that are themselves in a text without the others."""
    codes = frozenset(map(ord, special))
    same = ""
    for char in special:
        own = [one for one in patterns if ord(char) in first_of(one)[0].low]
        sets = [chars for one in own for chars in character_sets(one)]
        if (
            all(longest(one) <= MAX_PIECE for one in own)
            and all(not chars.high and chars.low <= codes for chars in sets)
            and any(re.fullmatch(one, char) for one in own)
            and pieces[char] == char
        ):
            same += char
    pairs = [first + second for first in same for second in same]
    return "" if any(re.fullmatch(one, pair) for one in patterns for pair in pairs) else same


def _same(text: str) -> str:
    return text


def _none(_: str) -> list[Any]:
    return []


class LoopPieces(dict[str, Any]):
    """The children for the tokens of a loop that are no run: escapes and line breaks of a text.

    Those of one or two ASCII characters are kept: in a text of SGF 133 at most.  The 2,626
    comments of 345 real files, each read for the first time in a new process, take 7.2
    milliseconds of CPU time; 11.4 without keeping any, 11.9 with a match for each token.
    """

    def __init__(self, pattern: re.Pattern[str], makers: list[Callable[[str], Any] | None]) -> None:
        super().__init__()
        self._pattern = pattern
        self._makers = makers

    def __missing__(self, text: str) -> Any:
        match = self._pattern.fullmatch(text)
        if match is None:  # a run that begins with a token that stays as it is
            return text
        make = self._makers[(match.lastindex or 1) - 1]
        child = "" if make is None else make(text)
        if len(text) <= MAX_PIECE and text.isascii():
            self[text] = child
        return child


class _Reader(NamedTuple):
    """The reader of one group: ``several`` is None if it always has ``one`` child."""

    one: Callable[[str], Any]
    several: Callable[[str], list[Any]] | None = None

    def add(self, children: list[Any], text: str) -> None:
        if self.several is None:
            children.append(self.one(text))
        else:
            children += self.several(text)

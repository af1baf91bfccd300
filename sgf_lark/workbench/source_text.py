"""The text of a grammar file with the places of its definitions, names, quotations.

Lark keeps no places of what it loads, so the file is parsed once more, by the grammar of
Lark's own notation (``grammars/notations/lark.lark``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from lark import Lark, Token, Tree
from lark.load_grammar import Grammar

from sgf_lark.core import File, Span, by_grammar, grammars

Syntax = Tree[Token]

#: A quoted production.
QUOTATION = re.compile(r"^[ \t]*//=[ \t]?(.*?)[ \t]*$", re.MULTILINE)


def title_of_grammar(text: str) -> str:
    """Return the first sentence of the comment at the head of a grammar."""
    lines = takewhile(re.compile(r"//[ ]*[^=\s]").match, text.splitlines())
    head = " ".join(line.strip("/ ") for line in lines)
    return head.partition(".  ")[0].rstrip(".")


def tops_of(file: File) -> list[str]:
    """Return the rules that no other one uses, unless the first rule is one of them."""
    source = grammar_text(file)
    used = {use.name.lstrip("?!") for use in source.uses if use.within != use.name}
    rules = [one for one in source.by_name.values() if not one.is_terminal]
    tops = [one.name for one in rules if one.name not in used]
    return [] if tops[:1] == [one.name for one in rules[:1]] else tops


class Definition(NamedTuple):
    """A rule or terminal as a file defines it."""

    name: str  # without the marks ? and !
    span: Span
    extent: Span  # from the name to the end of the last alternative
    alternatives: tuple[Syntax, ...]
    quoted: tuple[str, ...]  # the productions of a standard that are quoted directly above
    is_terminal: bool
    adds: bool  # it extends or replaces what is defined elsewhere


class Use(NamedTuple):
    """A reference to a name, with the definition around it; "" outside of any."""

    name: str
    span: Span
    within: str


class Import(NamedTuple):
    """A name that a file imports."""

    module: str  # the file it comes from, games.go for %import .games.go.point
    place: Span
    name: str
    name_place: Span
    alias: str


class GrammarText:
    """The contents of a grammar file with their places."""

    def __init__(self, file: File) -> None:
        self.path = file if isinstance(file, Path) else file.path
        self.text = grammars.text_of(file)
        #: Every definition in the order of the file, repeated ones included.
        self.definitions: list[Definition] = []
        #: The parameters of each template.
        self.templates: dict[str, tuple[str, ...]] = {}
        #: Every name where it is used.
        self.uses: list[Use] = []
        #: The names that ``%import`` defines, with their places.
        self.imported: dict[str, Span] = {}
        #: Its imports, in its order.
        self.imports: list[Import] = []
        #: Texts and regular expressions of terminals, with their places.
        self.literals: list[tuple[Token, Span]] = []
        tree = _notation().parse(self.text)
        for statement in tree.children:
            if isinstance(statement, Tree):
                self._read(statement, adds=False)

    def __getitem__(self, name: str) -> Definition:
        return self.by_name[name]

    @cached_property
    def by_name(self) -> dict[str, Definition]:
        """The first definition of each name, in the order of the file."""
        first: dict[str, Definition] = {}
        for definition in self.definitions:
            first.setdefault(definition.name, definition)
        return first

    def _read(self, statement: Syntax, *, adds: bool) -> None:
        kind = statement.data
        if kind in {"override", "extend"}:
            self._read(statement.children[0], adds=True)  # type: ignore[arg-type]  # a definition
        elif kind in {"rule", "terminal"}:
            self._define(statement, is_terminal=kind == "terminal", adds=adds)
        elif kind == "ignore":
            for part in statement.children:
                self._note_uses(part, "", frozenset())
        elif kind in {"import_one", "import_list"}:
            self._import(statement)

    def _define(self, statement: Syntax, *, is_terminal: bool, adds: bool) -> None:
        token, params, _, *alternatives = statement.children
        name = str(token).lstrip("?!")
        span, extent = span_of(token), Span(statement.meta.start_pos, statement.meta.end_pos)
        own = tuple(alternative for alternative in alternatives if isinstance(alternative, Tree))
        made = Definition(name, span, extent, own, (), is_terminal, adds)
        quoted = QUOTATION.findall(self.text[self.commented(made).start : span.start])
        self.definitions.append(made._replace(quoted=tuple(quoted)))
        known = tuple(map(str, params.children)) if isinstance(params, Tree) else ()
        if known:
            self.templates[name] = known
        for alternative in own:
            self._note_uses(alternative, name, frozenset(known))

    def _import(self, statement: Syntax) -> None:
        module, *symbols = [child for child in statement.children if isinstance(child, Tree)]
        path = [child for child in module.children if isinstance(child, Tree)]
        names = symbols
        if statement.data == "import_one":
            *path, name = path
            names, symbols = [name], symbols or [name]
        from_ = ".".join(str(part.children[0]) for part in path)
        place = Span(span_of(module).start, span_of(path[-1] if path else module).end)
        for name, symbol in zip(names, symbols, strict=True):
            own, alias = str(name.children[0]), str(symbol.children[0])
            self.imports.append(Import(from_, place, own, span_of(name), alias))
            self.imported[alias] = span_of(symbol)

    def _note_uses(self, part: Syntax | Token, within: str, known: frozenset[str]) -> None:
        for inner in walk_parts(part):
            if isinstance(inner, Tree) and inner.data == "symbol":
                token = inner.children[0]
                if str(token) not in known:
                    self.uses.append(Use(str(token), span_of(token), within))
            elif isinstance(inner, Token) and inner.type in {"STRING", "REGEXP"}:
                self.literals.append((inner, span_of(inner)))

    def commented(self, definition: Definition) -> Span:
        """Return the place of a definition with the comment directly above it."""
        begin = self.text.rfind("\n", 0, definition.span.start) + 1
        while begin:
            line = self.text.rfind("\n", 0, begin - 1) + 1
            if not self.text[line : begin - 1].lstrip().startswith("//"):
                break
            begin = line
        return Span(begin, definition.extent.end)

    def written(self, definition: Definition) -> str:
        """Return a definition on one line, without comments: ``node: _SEMICOLON property*``."""
        text = self.text[definition.extent.start : definition.extent.end]
        pieces, done = [], 0
        for match in TOKENS.finditer(text):
            pieces.append(re.sub(r"\s+", " ", text[done : match.start()]))
            pieces.append("" if match["comment"] else match[0])
            done = match.end()
        pieces.append(re.sub(r"\s+", " ", text[done:]))
        return re.sub(r" +(?=\||$)", " ", "".join(pieces)).strip()


#: Texts and patterns, whose white space counts, and comments.
TOKENS = re.compile(
    r"""(?P<comment>\s*(?://|\#)[^\n]*)|"(?:[^"\\\n]|\\.)*"i?|/(?!/)(?:[^/\\]|\\.)*/[imslux]*""",
    re.DOTALL,
)


def span_of(part: Token | Syntax) -> Span:
    if isinstance(part, Token):
        return Span(part.start_pos or 0, part.end_pos or 0)
    return Span(part.meta.start_pos, part.meta.end_pos)


def walk_parts(part: Token | Syntax) -> Iterator[Token | Syntax]:
    """Yield a part and everything below it, in the order of the text; gaps left out."""
    waiting: list[Token | Syntax | None] = [part]
    while waiting:
        current = waiting.pop()
        if current is None:
            continue
        yield current
        if isinstance(current, Tree):
            waiting.extend(reversed(current.children))


@by_grammar
def grammar_text(file: File) -> GrammarText:
    return GrammarText(file)


def bare(text: str) -> str:
    pieces, done = [], 0
    for match in TOKENS.finditer(text):
        if match["comment"]:
            comment = match[0]
            kept = comment[: len(comment) - len(comment.lstrip())]
            pieces.append(text[done : match.start()] + "\n" * (kept.count("\n")))
            done = match.end()
    pieces.append(text[done:])
    lines = [line.rstrip() for line in "".join(pieces).splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def loaded_for(file: File, start: str) -> Grammar:
    """Return a grammar as a rule is read by it: in values, white space counts."""
    return grammars.grammar(file) if start in grammars.in_structure(file) else grammars.bare(file)


@by_grammar
def experiment(file: File, start: str) -> Lark:
    """Return Lark's parser for inspection: its trees know their places, its states their rules.

    White space is free if the rule belongs to the structure, and counts in a value.
    """
    loaded = loaded_for(file, start)
    return Lark(loaded, parser="lalr", start=start, propagate_positions=True, debug=True)


def _notation() -> Lark:
    return experiment(grammars.path("notations/lark"), "grammar")

"""The state of a parser at a place of a text: open rules with their children, next terminals.

Lark's parser is a table: its states are sets of rules, each with a mark of how far it has
come.  The stack of states tells which rules are open, and since when.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from html import escape
from itertools import chain
from math import inf, prod
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedEOF, UnexpectedInput
from lark.grammar import Symbol

from sgf_lark.core import (
    File,
    Finding,
    GrammarSource,
    LineIndex,
    Report,
    SgfSyntaxError,
    Span,
    cut,
    grammars,
    lexed,
    mismatch,
    overtaken,
)
from sgf_lark.workbench.source_text import experiment, loaded_for, span_of

from .lint import check_grammar
from .lint_terminals import IGNORED_TEXT

Syntax = Tree[Token]


class Open(NamedTuple):
    """A rule that the parser is in."""

    rule: str
    start: int  # where its text begins, from 0
    children: list[Syntax | Token]
    read: tuple[Symbol, ...] = ()  # the symbols of its alternative that have been read


class ParserState(NamedTuple):
    """The state of a parser after a text or a part of it."""

    tree: Syntax | None  # the complete tree; None if the text is not at its end, or rejected
    open: tuple[Open, ...]  # the rules that the parser is in, the outermost first
    follows: frozenset[str]
    end: int
    finding: Finding | None  # the mismatch; None if there is none
    inside: Token | None = None  # the token around the place to stop at, if there is one
    # the first text that a terminal fits and a custom grammar ignores; None for none
    lost: Finding | None = None

    @property
    def partial(self) -> Syntax | None:
        """The tree, or its part so far."""
        if self.tree is not None or not self.open:
            return self.tree
        inner: Syntax | None = None
        for open_rule in reversed(self.open):
            children = open_rule.children if inner is None else [*open_rule.children, inner]
            inner = Tree(open_rule.rule, children)
            inner.meta.empty = False
            inner.meta.start_pos, inner.meta.end_pos = open_rule.start, self.end
        return inner


class Observer:
    """Who looks on while a text is parsed, and does nothing."""

    def begin(self, machine: Any) -> None:
        """See the parser before it reads."""

    def before(self, token: Token) -> None:
        """See a token before what it decides is done."""

    def after(self, token: Token) -> None:
        """See a token that has been shifted."""


def parse(
    text: str,
    file: File,
    start: str,
    *,
    upto: int | None = None,
    observer: Observer | None = None,
) -> ParserState:
    """Parse a text by a grammar up to a place or to the first mismatch.

    Args:
        upto: Stop before the token that ends after this place; None to read everything.
    """
    parser = experiment(file, start)
    machine: Any = parser.parse_interactive(text)  # lark publishes no types of it
    observer = observer or Observer()
    observer.begin(machine)
    last, error, inside, lost = 0, None, None, None
    is_custom, gaps = isinstance(file, GrammarSource), set[tuple[Any, str]]()
    try:
        for lexer, token in lexed(machine):
            if (
                is_custom
                and lost is None
                and (gap := (lexer, text[last : token.start_pos])) not in gaps
            ):
                gaps.add(gap)
                lost = _lost(lexer, machine, Span(last, token.start_pos))
            if upto is not None and (token.end_pos or 0) > upto:
                inside = token if (token.start_pos or 0) < upto else None
                break
            observer.before(token)
            machine.feed_token(token)
            last = token.end_pos or last
            observer.after(token)
        if upto is None:
            observer.before(Token("$END", ""))
            before = machine.copy(deepcopy_values=False)
            try:
                tree = machine.feed_eof()
            except UnexpectedInput:
                machine = before
                raise
            return ParserState(tree, (), frozenset(), last, None, lost=lost)
    except UnexpectedInput as mismatched:
        error = mismatched
    follows = frozenset(machine.accepts())
    finding = None
    if error is not None and (upto is None or upto > last):
        finding = mismatch(error, parser, text, wanted=follows)
    stacks = machine.parser_state
    opened = tuple(open_rules(stacks.state_stack, stacks.value_stack, last))
    return ParserState(None, opened, follows, last, finding, inside, lost)


def _lost(lexer: Any, machine: Any, gap: Span) -> Finding | None:
    """Return the finding about a text between tokens that a terminal fits; None if none does."""
    sentence = overtaken(lexer, machine.lexer_thread.state.text, gap.start, gap.start)
    return IGNORED_TEXT.found(sentence, gap) if sentence and gap.end > gap.start else None


def open_rules(
    states: list[Any], values: list[Any], end: int, most: int | None = None
) -> list[Open]:
    """Return the open rules of a parser, the outermost first."""
    result: deque[Open] = deque()
    wanted: str | None = None  # the rule that the state below must lead to
    at, start = len(values), end
    while (begun := _begun(states[at], wanted)) is not None:
        item, between = begun
        result.extendleft(
            Open(name, start, []) for name in reversed(between) if name[0] not in "_$"
        )
        wanted = item.rule.origin.name
        if wanted[0] == "$" or (most is not None and len(result) >= most):
            break
        inside = values[at - item.index : at]
        symbols = item.rule.expansion[: item.index]
        starts = [place for place in map(_start_of, inside) if place is not None]
        start = min([start, *starts])
        children = chain.from_iterable(map(_kept, inside, symbols))
        result.appendleft(Open(wanted, start, [*children], (*symbols,)))
        at -= item.index
    return _with_inlined(result)[-most if most else 0 :]


def _begun(state: Any, wanted: str | None) -> tuple[Any, list[str]] | None:
    kernel = [item for item in state if item.index > 0 or item.rule.origin.name[0] == "$"]
    for item in sorted(kernel, key=lambda item: (item.index, str(item.rule)), reverse=True):
        between = [] if wanted is None else _way(state, item, wanted)
        if between is not None:
            return item, between
    return None


def _with_inlined(opened: Iterable[Open]) -> list[Open]:
    """Give the children of inlined rules, and what they have read, to the rule around them."""
    result: list[Open] = []
    for inner in opened:
        if not inner.rule.startswith("_"):
            result.append(inner)
        elif result:
            result[-1].children.extend(inner.children)
            result[-1] = result[-1]._replace(read=(*result[-1].read, *inner.read))
    return result


def _way(state: Any, item: Any, wanted: str) -> list[str] | None:
    """Return the rules that begin at an item, down to the wanted one, which is left out."""
    if item.is_satisfied or item.next.is_term:
        return None
    first = item.next.name
    waiting: deque[list[str]] = deque([[first]])
    seen = {first}
    while waiting:
        path = waiting.popleft()
        if path[-1] == wanted:
            return path[:-1]
        begun = (one for one in state if one.index == 0 and one.rule.origin.name == path[-1])
        for following in (one.next for one in begun if not one.is_satisfied):
            if not following.is_term and following.name not in seen:
                seen.add(following.name)
                waiting.append([*path, following.name])
    return None


def _kept(value: Any, symbol: Any) -> list[Syntax | Token]:
    if isinstance(value, Token) and symbol.is_term and symbol.filter_out:
        return []
    kept: list[Syntax | Token] = []
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Tree) and str(part.data).startswith("_"):
            waiting.extend(reversed(part.children))
        elif part is not None:
            kept.append(part)
    return kept


def _start_of(value: Any) -> int | None:
    if isinstance(value, Token):
        return value.start_pos
    return int(value.meta.start_pos) if isinstance(value, Tree) and not value.meta.empty else None


def place_of(part: Syntax | Token) -> Span | None:
    """Return the place of a part of a tree; None for a rule without text."""
    return None if isinstance(part, Tree) and part.meta.empty else span_of(part)


# ---- ambiguous grammars ----

#: Limit of trees that are made: their number grows exponentially with the text.
MAX_TREES = 100

#: Limit of a text in characters: the algorithm is cubic for ambiguous grammars.
MAX_CHARACTERS = 2_000


#: Limits of the time of Earley's parser in seconds: for a hint, and where it is asked for.
HINT_SECONDS, MAX_SECONDS = 1.0, 20.0


class AllTrees(NamedTuple):
    number: float  # their number, inf if it has no end; 0 if the grammar rejects the text
    # all of them as one, in which a node _ambig has the alternatives as children; None if there are
    # none, or more than MAX_TREES
    tree: Syntax | None
    finding: Finding | None  # the mismatch; None if there is none


def parse_all(text: str, file: File, start: str, seconds: float = MAX_SECONDS) -> AllTrees | None:
    """Parse a text by a grammar in every way.

    Args:
        text: The text, of at most :data:`MAX_CHARACTERS`.

    Returns:
        The trees; None if the text is longer, or they are not found in time.
    """
    if len(text) > MAX_CHARACTERS:
        return None
    deadline = time.monotonic() + seconds
    parser = _earley(file, start, "forest", deadline)
    try:
        number = _count(parser.parse(text))
        tree = None
        if number <= MAX_TREES:
            tree = _earley(file, start, "explicit", deadline).parse(text)
        return AllTrees(number, tree, None)
    except UnexpectedInput as error:
        wanted = error.expected if isinstance(error, UnexpectedEOF) else ()
        return AllTrees(0, None, mismatch(error, parser, text, wanted=wanted))
    except TimeoutError:
        return None


def _earley(file: File, start: str, ambiguity: str, deadline: float) -> Lark:
    """Return Lark's Earley parser, which reads ambiguous grammars, too."""
    options = {"start": start, "ambiguity": ambiguity, "propagate_positions": True}
    made = Lark(loaded_for(file, start), parser="earley", **options)
    inner: Any = made.parser.parser  # lark publishes no types of it
    match = inner.term_matcher

    def match_in_time(*place: Any) -> Any:
        if time.monotonic() > deadline:
            raise TimeoutError
        return match(*place)

    inner.term_matcher = match_in_time
    return made


def _count(forest: Any) -> float:
    """Return the number of trees in a shared packed parse forest; ``inf`` if it has a cycle.

    The children of a node are the packed nodes of a symbol, or both halves of a packed node.

    Source: Scott, "SPPF-style parsing from Earley recognisers".
    """
    counts: dict[int, int] = {id(None): 1}
    around: set[int] = set()
    waiting = [forest]
    while waiting:
        node = waiting[-1]
        below = [*getattr(node, "children", ())]
        if missing := [child for child in below if id(child) not in counts]:
            around.add(id(node))
            if not around.isdisjoint(map(id, missing)):
                return inf
            waiting += missing
            continue
        combine = sum if getattr(node, "is_ambiguous", False) else prod
        counts[id(waiting.pop())] = combine(counts[id(child)] for child in below)
        around.discard(id(node))
    return counts[id(forest)]


class TreeLine(NamedTuple):
    """A rule or token of a tree."""

    depth: int
    name: str  # the name of the rule or terminal; "" for a terminal without one
    text: str | None  # the text of a token; None for a rule
    span: Span | None  # the place; None for a rule without text
    size: int  # the number of children that follow, one level deeper


def tree_lines(tree: Syntax) -> Iterator[TreeLine]:
    """Yield the rules and tokens of a tree, in the order of the text; gaps left out."""
    waiting: list[tuple[Syntax | Token, int]] = [(tree, 0)]
    while waiting:
        part, depth = waiting.pop()
        if isinstance(part, Token):
            name = "" if part.type.startswith("__ANON_") else part.type
            yield TreeLine(depth, name, str(part), place_of(part), 0)
            continue
        children = [child for child in part.children if child is not None]  # type: ignore[redundant-expr]  # lark leaves gaps
        yield TreeLine(depth, str(part.data), None, place_of(part), len(children))
        waiting.extend((child, depth + 1) for child in reversed(children))


def as_text(tree: Syntax, text: str) -> Iterator[str]:
    """Yield one indented line each, with lines and columns of start and end."""
    index = LineIndex(text)
    for line in tree_lines(tree):
        level = f"({line.depth}) " if line.depth > _DEEP else ""
        label = "  " * min(line.depth, _DEEP) + level + line.name
        if line.text is not None:
            label += f" {line.text!r}" if line.name else repr(line.text)
        ends = ("{}:{}".format(*index.locate(offset)) for offset in line.span or ())
        yield f"{label}  {'-'.join(ends)}".rstrip() + "\n"


#: Limit of indented levels; deeper rules have the number of their level.
_DEEP = 40


def as_json(tree: Syntax, text: str) -> Iterator[str]:
    """Yield objects with ``rule`` and ``children``, or ``terminal`` and ``text``; and the place.

    ``start`` and ``end`` are offsets in characters from 0, half-open.
    """
    del text

    def write(line: TreeLine) -> str:
        span = f', "start": {line.span.start}, "end": {line.span.end}' if line.span else ""
        if line.text is not None:
            return f'{{"terminal": "{line.name}", "text": {json.dumps(line.text)}{span}}}'
        return f'{{"rule": "{line.name}"{span}, "children": ['

    return _nested(tree, write, "]}", ", ")


def _nested(
    tree: Syntax, write: Callable[[TreeLine], str], close: str, between: str
) -> Iterator[str]:
    """Yield what is written of each rule and token, the end of each rule, and what is between."""
    open_: list[int] = []  # the number of missing children of each rule around
    for line in tree_lines(tree):
        yield write(line)
        if line.size:
            open_.append(line.size)
            continue
        if line.text is None:
            yield close
        while open_ and open_[-1] == 1:
            open_.pop()
            yield close
        if open_:
            open_[-1] -= 1
            yield between
    yield "\n"


def as_sexp(tree: Syntax, text: str) -> Iterator[str]:
    """Yield rules in parentheses, tokens in quotes: ``(property "B" "[pd]")``."""
    del text

    def write(line: TreeLine) -> str:
        if line.text is not None:
            return " " + json.dumps(line.text, ensure_ascii=False)
        indent = "\n" + "  " * min(line.depth, _DEEP) if line.depth else ""
        return f"{indent}({line.name}"

    return _nested(tree, write, ")", "")


def as_dot(tree: Syntax, text: str) -> Iterator[str]:
    del text
    yield 'digraph tree {\n  node [fontname="sans-serif", shape=plain];\n'
    parents: list[int] = []
    for number, line in enumerate(tree_lines(tree)):
        label = line.name if line.text is None else f"{line.name}\n{line.text}".lstrip("\n")
        shape = "" if line.text is None else ", shape=box, style=rounded"
        escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        yield f'  n{number} [label="{escaped}"{shape}];\n'
        del parents[line.depth :]
        if parents:
            yield f"  n{parents[-1]} -> n{number};\n"
        parents.append(number)
    yield "}\n"


#: Height of a line, width of a level and of a character, in pixels.
_LINE, _LEVEL, _CHARACTER = 22, 18, 7.4

#: Limit of a token in the picture, in characters.
_MAX_SHOWN = 60


def as_svg(tree: Syntax, text: str) -> Iterator[str]:
    """Yield a picture: each rule and token on its own line, joined to the rule around it."""
    del text
    rows = list(tree_lines(tree))
    labels = [_label(line) for line in rows]
    width = max(
        line.depth * _LEVEL + len(name) * _CHARACTER + len(token) * _CHARACTER + 40
        for line, (name, token) in zip(rows, labels, strict=True)
    )
    height = len(rows) * _LINE + 10
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}"'
        f' width="{width:.0f}" height="{height}" role="img">\n<title>parse tree</title>\n<style>'
        "svg{background:#fff}text{font:13px ui-monospace,monospace}.r{fill:#1b4b8a}"
        ".t{fill:#7a3e00}path{stroke:#9aa5b1;fill:none}</style>\n"
    )
    above: list[int] = []
    for number, (line, (name, token)) in enumerate(zip(rows, labels, strict=True)):
        x, y = line.depth * _LEVEL + 10, number * _LINE + 20
        del above[line.depth :]
        if above:
            yield f'<path d="M{x - _LEVEL + 4} {above[-1] + 5}V{y - 5}H{x - 3}"/>\n'
        above.append(y)
        kind = "r" if line.text is None else "t"
        yield f'<text x="{x}" y="{y}"><tspan class="{kind}">{escape(name)}</tspan>'
        yield f" {escape(token)}</text>\n" if token else "</text>\n"
    yield "</svg>\n"


def _label(line: TreeLine) -> tuple[str, str]:
    if line.text is None:
        return line.name, ""
    short = cut(json.dumps(line.text, ensure_ascii=False), _MAX_SHOWN)
    shown = (char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
    return line.name, "".join(shown)


#: Every notation by its name.
WRITERS = {"text": as_text, "json": as_json, "sexp": as_sexp, "dot": as_dot, "svg": as_svg}


def parse_tree(
    text: str, grammar: str | Path = "ff4", *, start: str | None = None, name: str = "<string>"
) -> Tree[Token]:
    """Parse a text by a grammar without any repair.

    White space is free if the rule belongs to what the first rule of the grammar is made of,
    and counts if the rule is a type of value.

    Args:
        text: A game record, or whatever the grammar is for.
        grammar: A shipped grammar (``"ff1"``, ``"ff3"``, ``"ff4"``, ``"ggf"``,
            ``"games/go"`` ...) or the path of a custom one.
        start: The rule to begin with; the first one of the file if None.
        name: The name of the text in an error.

    Returns:
        Lark's tree.  Tokens know their place: ``token.start_pos``, ``token.end_pos``.

    Raises:
        SgfSyntaxError: The grammar rejects the text.
        SgfGrammarError: The grammar is not well made.
        FileNotFoundError: There is no such grammar.
        LookupError: The grammar has no such rule.
    """
    file = check_grammar(grammars.source(grammar), [start] if start else [])
    parser = experiment(file, grammars.rule(file, start))
    try:
        return parser.parse(text)
    except UnexpectedInput as error:
        finding = mismatch(error, parser, text)
    raise SgfSyntaxError(Report.of(name, text, [finding]))

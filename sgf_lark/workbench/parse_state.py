"""The state of a parser at a place of a text: open rules with their children, next terminals.

Lark's parser is a table: its states are sets of rules, each with a mark of how far it has
come.  The stack of states tells which rules are open, and since when.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import partial
from itertools import chain
from math import prod
from typing import Any, NamedTuple, TypeAlias

from lark import Token, Tree
from lark.exceptions import UnexpectedEOF, UnexpectedInput
from lark.grammar import Symbol, Terminal

from sgf_lark.core import File, Finding, Span, grammars, mismatch
from sgf_lark.workbench.source_text import span_of

Syntax = Tree[Token]


class Open(NamedTuple):
    """A rule that the parser is in.

    Attributes:
        rule: Its name.
        start: Where its text begins, from 0.
        children: Its children so far, as a tree has them.
    """

    rule: str
    start: int
    children: list[Syntax | Token]


class ParserState(NamedTuple):
    """The state of a parser after a text or a part of it.

    Attributes:
        tree: The complete tree; None if the text is not at its end, or rejected.
        open: The rules that the parser is in, the outermost first.
        follows: The terminals that may come next.
        end: The end of the last token.
        finding: The mismatch; None if there is none.
        inside: The token around the place to stop at, if there is one.
    """

    tree: Syntax | None
    open: tuple[Open, ...]
    follows: frozenset[str]
    end: int
    finding: Finding | None
    inside: Token | None = None

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


#: Steps of a parser: the terminal that it shifts, or the rule that it reduces to; the number of
#: symbols that a reduction takes from the stack, None for a shift; the text, None if there is
#: none; the terminals that may come after a shift.
Steps: TypeAlias = list[tuple[Symbol, int | None, Span | None, list[Symbol]]]

#: Limit of steps that are kept with all that may follow.
MAX_STEPS = 500


def parse(
    text: str, file: File, start: str, *, upto: int | None = None, steps: Steps | None = None
) -> ParserState:
    """Parse a text by a grammar up to a place or to the first mismatch.

    Args:
        text: The text.
        file: The grammar.
        start: The rule to begin with.
        upto: Stop before the token that ends after this place; None to read everything.
        steps: The steps are added to it; of shifts the first :data:`MAX_STEPS` steps alone.
    """
    parser = grammars.experiment(file, start)
    machine: Any = parser.parse_interactive(text)  # lark publishes no types of it
    if steps is not None:
        config = machine.parser_state.parse_conf  # of this parser alone
        acts = config.callbacks.items()
        config.callbacks = {rule: partial(_reduce, steps, rule, act) for rule, act in acts}
    last, error, inside = 0, None, None
    try:
        for token in machine.lexer_thread.lex(machine.parser_state):
            if upto is not None and (token.end_pos or 0) > upto:
                inside = token if (token.start_pos or 0) < upto else None
                break
            machine.feed_token(token)
            last = token.end_pos or last
            if steps is not None and len(steps) < MAX_STEPS:
                accepted: list[Symbol] = [Terminal(name) for name in machine.accepts()]
                steps.append((Terminal(token.type), None, span_of(token), accepted))
        if upto is None:
            before = machine.copy(deepcopy_values=False)
            try:
                tree = machine.feed_eof()
            except UnexpectedInput:
                machine = before
                raise
            return ParserState(tree, (), frozenset(), last, None)
    except UnexpectedInput as mismatched:
        error = mismatched
    follows = frozenset(machine.accepts())
    finding = None
    if error is not None and (upto is None or upto > last):
        finding = mismatch(error, parser, text, wanted=follows)
    opened = tuple(_open(machine.parser_state, last))
    return ParserState(None, opened, follows, last, finding, inside)


def _reduce(steps: Steps, rule: Any, act: Any, children: list[Any]) -> Any:
    """Do what a reduction does, and note it."""
    value = act(children)
    span = None if value is None else place_of(value)
    steps.append((rule.origin, len(rule.expansion), span, []))
    return value


def _open(stack: Any, end: int) -> list[Open]:
    """Return the open rules of a parser, from its stacks of states and of values."""
    states, values = stack.state_stack, stack.value_stack
    open_rules: deque[Open] = deque()
    wanted: str | None = None  # the rule that the state below must lead to
    at, start = len(values), end
    while (begun := _begun(states[at], wanted)) is not None:
        item, between = begun
        open_rules.extendleft(
            Open(name, start, []) for name in reversed(between) if name[0] not in "_$"
        )
        wanted = item.rule.origin.name
        if wanted[0] == "$":
            break
        inside = values[at - item.index : at]
        symbols = item.rule.expansion[: item.index]
        starts = [place for place in map(_start_of, inside) if place is not None]
        start = min([start, *starts])
        children = chain.from_iterable(map(_kept, inside, symbols))
        open_rules.appendleft(Open(wanted, start, [*children]))
        at -= item.index
    return _with_inlined(open_rules)


def _begun(state: Any, wanted: str | None) -> tuple[Any, list[str]] | None:
    """Return the begun rule of a state that leads to a rule, and the rules between."""
    kernel = [item for item in state if item.index > 0 or item.rule.origin.name[0] == "$"]
    for item in sorted(kernel, key=lambda item: (item.index, str(item.rule)), reverse=True):
        between = [] if wanted is None else _way(state, item, wanted)
        if between is not None:
            return item, between
    return None


def _with_inlined(open_rules: Iterable[Open]) -> list[Open]:
    """Give the children of inlined rules to the rule around them."""
    result: list[Open] = []
    for open_rule in open_rules:
        if not open_rule.rule.startswith("_"):
            result.append(open_rule)
        elif result:
            result[-1].children.extend(open_rule.children)
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
    """Return the part of a value that a tree has."""
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


class AllTrees(NamedTuple):
    """All parse trees of a text.

    Attributes:
        number: Their number; 0 if the grammar rejects the text.
        tree: All of them as one, in which a node ``_ambig`` has the alternatives as children;
            None if there are none, or more than :data:`MAX_TREES`.
        finding: The mismatch; None if there is none.
    """

    number: int
    tree: Syntax | None
    finding: Finding | None


def parse_all(text: str, file: File, start: str) -> AllTrees:
    """Parse a text by a grammar in every way.

    Args:
        text: The text, of at most :data:`MAX_CHARACTERS`.
        file: The grammar.
        start: The rule to begin with.
    """
    parser = grammars.earley(file, start, "forest")
    try:
        count = _count(parser.parse(text))
    except UnexpectedInput as error:
        wanted = error.expected if isinstance(error, UnexpectedEOF) else ()
        return AllTrees(0, None, mismatch(error, parser, text, wanted=wanted))
    tree = None
    if count <= MAX_TREES:
        tree = grammars.earley(file, start, "explicit").parse(text)
    return AllTrees(count, tree, None)


def _count(forest: Any) -> int:
    """Return the number of trees in a shared packed parse forest without cycles.

    The children of a node are the packed nodes of a symbol, or both halves of a packed node.

    Source: Scott, "SPPF-style parsing from Earley recognisers".
    """
    counts: dict[int, int] = {id(None): 1}
    waiting = [forest]
    while waiting:
        node = waiting[-1]
        below = [*getattr(node, "children", ())]
        if missing := [child for child in below if id(child) not in counts]:
            waiting += missing
            continue
        combine = sum if getattr(node, "is_ambiguous", False) else prod
        counts[id(waiting.pop())] = combine(counts[id(child)] for child in below)
    return counts[id(forest)]

"""A grammar that Lark has loaded, as trees of choices that the next terminal decides.

Lark expands ``x*`` or ``[x]`` of the file into alternatives and helper rules.  Here they
become parts again: terminals, calls of rules, chains, choices and repetitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from lark import Lark
from lark.grammar import Rule, Terminal
from lark.lexer import TerminalDef

from sgf_lark.core.reach import reach

from .plan import NOTHING, Call, Chain, Choices, Many, Part, Text, Treatment, UntranslatableError
from .regex import CharSet, LookAroundError, beginning, first_of, union, without_groups

#: A part where the next terminal decides.
Decision: TypeAlias = Choices | Many

P = TypeVar("P", bound=Part)


class Grammar:
    """The rules as trees of choices, with first sets; UntranslatableError for a lookaround."""

    def __init__(self, lark: Lark) -> None:
        self.patterns: dict[str, str] = {}
        self.first: dict[str, CharSet] = {}
        self._beginnings: dict[str, list[CharSet]] = {}
        for terminal in lark.terminals:
            name, pattern = terminal.name, terminal.pattern.to_regexp()
            try:
                self.first[name], empty = first_of(pattern)
                self.patterns[name] = without_groups(pattern)
                self._beginnings[name] = beginning(pattern)
            except LookAroundError:
                raise UntranslatableError(name, "it has a lookaround or a back-reference") from None
            if empty:
                raise UntranslatableError(name, "it may be empty")
        self.ignored = tuple(lark.ignore_tokens)
        self._rules: dict[str, list[Rule]] = {}
        for rule in lark.rules:
            self._rules.setdefault(rule.origin.name, []).append(rule)
        self._parts: dict[str, Part] = {}
        self._firsts: dict[str, tuple[CharSet, bool]] = {}
        self._beginning: set[str] = set()
        below = {name: reach(self._inside(name), self._inside) for name in self._rules}
        recursive = {name for name, reached in below.items() if name in reached}
        #: The rules that refer to themselves, and those that use them.
        self.nesting = recursive | {name for name in below if below[name] & recursive}
        self._terminals = {terminal.name: terminal for terminal in lark.terminals}
        self._heads: dict[str, frozenset[str]] = {}
        # By the identity of choices and loops: equal ones may be followed by others.
        self._followers: dict[int, frozenset[str]] = {}
        self._options: dict[int, list[Part]] = {}
        ranked = sorted(lark.terminals, key=rank)
        self._ranks = {terminal.name: rank for rank, terminal in enumerate(ranked)}
        self._placeholders = bool(lark.options.maybe_placeholders)
        skipped = union(self.first[name] for name in self.ignored)
        used = {symbol.name for rule in lark.rules for symbol in rule.expansion}
        for name in used & set(self.first):
            if self.first[name].meets(skipped):
                raise UntranslatableError(name, "it may begin like what the grammar ignores")

    def _inside(self, name: str) -> Iterator[str]:
        """Yield the rules in a rule; a left-recursive helper rule is a loop."""
        for rule in self._rules[name]:
            for place, symbol in enumerate(rule.expansion):
                is_loop = place == 0 and symbol.name == name and name.startswith("__")
                if not (symbol.is_term or is_loop):
                    yield symbol.name

    # ---- rules as parts ----

    def part(self, name: str) -> Part:
        if name not in self._parts:
            self._parts[name] = self._part(name)
        return self._parts[name]

    def _part(self, name: str) -> Part:
        rules = self._rules[name]
        if name.startswith("__") and self.varies(name):
            raise UntranslatableError(name, "it puts None in place of an absent part")
        loops = [rule for rule in rules if rule.expansion and rule.expansion[0].name == name]
        if not loops:
            return self._factor([self.symbols(rule) for rule in rules])
        once = [self.symbols(rule) for rule in rules if rule not in loops]
        again = [self.symbols(rule)[1:] for rule in loops]
        if not name.startswith("__") or sorted(map(repr, once)) != sorted(map(repr, again)):
            raise UntranslatableError(name, "it is left-recursive")
        return Many(self._factor(once))

    def symbols(self, rule: Rule) -> list[Part]:
        keep_all = rule.options.keep_all_tokens
        return [
            Text(symbol.name, keep_all or not symbol.filter_out)
            if isinstance(symbol, Terminal)
            else Call(symbol.name)
            for symbol in rule.expansion
        ]

    def _factor(self, choices: list[list[Part]]) -> Part:
        """Return a choice with common prefixes factored out."""
        heads: dict[Part, list[list[Part]]] = {}
        for choice in choices:
            if choice:
                heads.setdefault(choice[0], []).append(choice[1:])
        parts: list[Part] = [_chain((head, self._factor(tails))) for head, tails in heads.items()]
        if any(not choice for choice in choices):
            parts.append(NOTHING)
        return parts[0] if len(parts) == 1 else Choices(tuple(parts))

    def alternatives(self, name: str) -> list[tuple[Rule, Treatment]]:
        return [
            (
                rule,
                Treatment(
                    rule.alias or rule.options.template_source or name,
                    name.startswith("_"),
                    bool(rule.options.expand1 and not rule.alias),
                ),
            )
            for rule in self._rules[name]
        ]

    def shape(self, name: str) -> Treatment:
        """Return the treatment of a rule's children; only ``inlined`` if it :meth:`varies`."""
        return self.alternatives(name)[0][1]

    def placeholders(self, rule: Rule) -> tuple[bool, ...]:
        """Return for each child of an alternative: True for None, False for one of its symbols."""
        return rule.options.empty_indices if self._placeholders else ()

    def varies(self, name: str) -> bool:
        alternatives = self.alternatives(name)
        places = any(any(self.placeholders(rule)) for rule, _ in alternatives)
        return places or len({shape for _, shape in alternatives}) > 1

    # ---- first sets ----

    def begins(self, part: Part) -> tuple[CharSet, bool]:
        """Return the characters that a part may begin with, and whether it may be empty."""
        if isinstance(part, Text):
            return self.first[part.name], False
        if isinstance(part, Call):
            if part.name not in self._firsts:
                if part.name in self._beginning:
                    raise UntranslatableError(part.name, "it is left-recursive")
                self._beginning.add(part.name)
                self._firsts[part.name] = self.begins(self.part(part.name))
            return self._firsts[part.name]
        if isinstance(part, Many):
            return self.begins(part.part)
        characters, empty = CharSet(), isinstance(part, Chain)
        for inner in part.parts:
            first, may_be_empty = self.begins(inner)
            characters |= first
            if isinstance(part, Choices):
                empty = empty or may_be_empty
            elif not may_be_empty:
                return characters, False
        return characters, empty

    def decides(self, start: str) -> None:
        """Verify that the next terminal, the first that matches in Lark's order, always decides."""
        behind: dict[str, set[frozenset[str]]] = {}
        waiting = [(start, frozenset[str]())]
        while waiting:
            name, following = waiting.pop()
            known = behind.setdefault(name, set())
            if following not in known:
                known.add(following)
                self._decides(name, self.part(name), following, waiting)
        for name, places in behind.items():
            self._is_same_everywhere(name, places)

    def _is_same_everywhere(self, name: str, places: set[frozenset[str]]) -> None:
        """Verify that Lark, which looks for followers anywhere, finds the terminal after a rule."""
        anywhere = frozenset[str]().union(*places)
        for place in places:
            for other in anywhere - place:
                if self.tried_first(place, frozenset({other})) not in {-1, 0}:
                    raise UntranslatableError(name, "its followers depend on the place of its use")

    def _decides(
        self,
        rule: str,
        part: Part,
        following: frozenset[str],
        waiting: list[tuple[str, frozenset[str]]],
    ) -> None:
        if isinstance(part, Call):
            waiting.append((part.name, following))
        elif isinstance(part, Many):
            if self.begins(part.part)[1]:
                raise UntranslatableError(rule, "one round of a loop may be empty")
            self._add_followers(rule, part, following)
            self._decides(rule, part.part, following | self.heads(part), waiting)
        elif isinstance(part, Choices):
            may_be_empty = self.begins(part)[1]
            self._add_followers(rule, part, following if may_be_empty else frozenset())
            for inner in part.parts:
                self._decides(rule, inner, following, waiting)
        elif isinstance(part, Chain):
            for place, inner in enumerate(part.parts):
                rest = Chain(part.parts[place + 1 :])
                heads, may_be_empty = self.heads(rest), self.begins(rest)[1]
                self._decides(rule, inner, heads | following if may_be_empty else heads, waiting)

    def _add_followers(self, rule: str, part: Decision, following: frozenset[str]) -> None:
        """Add terminals that may follow at one place; UntranslatableError if order decides not."""
        known = self._followers.get(id(part), following)
        self._followers[id(part)] = known | following
        for option in self.options(part):
            own, is_loop = self.heads(option), isinstance(part, Many)
            rivals = following if is_loop else self.rivals(part, option)
            if any(self._is_unclear(head, rival) for head in own for rival in rivals):
                reason = "FIRST/FIRST conflict: two alternatives begin alike"
                if is_loop:
                    reason = "FIRST/FOLLOW conflict: a loop may end or go on"
                raise UntranslatableError(rule, reason)
            if self._earlier(own, known) != self._earlier(own, following):
                raise UntranslatableError(rule, "its followers depend on the place of its use")

    def _earlier(self, heads: frozenset[str], rivals: frozenset[str]) -> set[tuple[str, str]]:
        """Return each terminal with each rival that Lark tries before it, if both may match."""
        return {
            (head, rival)
            for head in heads
            for rival in rivals
            if self._ranks[rival] < self._ranks[head] and self.meet(rival, head)
        }

    def _is_unclear(self, this: str, that: str) -> bool:
        """Return whether two terminals are the same, or a string is all of an expression."""
        if not self.meet(this, that):
            return False
        return this == that or self._is_inside(this, that) or self._is_inside(that, this)

    def meet(self, this: str, that: str) -> bool:
        pairs = zip(self._beginnings[this], self._beginnings[that], strict=False)
        return self.first[this].meets(self.first[that]) and all(
            one.meets(other) for one, other in pairs
        )

    def _order(self, part: Part, other: Part) -> int | None:
        return self.tried_first(self.heads(part), self.heads(other))

    def tried_first(self, these: frozenset[str], those: frozenset[str]) -> int | None:
        """Return what Lark tries first: -1 these, 1 those, 0 no matter, None if unclear."""
        orders: set[int] = set()
        for this in these:
            for that in those:
                if self._is_unclear(this, that):
                    return None
                if self.meet(this, that):
                    orders.add(-1 if self._ranks[this] < self._ranks[that] else 1)
        return None if len(orders) > 1 else next(iter(orders), 0)

    def _is_inside(self, string: str, expression: str) -> bool:
        """Return True if Lark looks for a string only in what an expression has matched."""
        inner, outer = self._terminals[string], self._terminals[expression]
        if inner.pattern.type != "str" or outer.pattern.type != "re":
            return False
        if inner.priority != outer.priority:
            return False
        text = inner.pattern.value
        match = re.compile(self.patterns[expression]).match(text)
        return match is not None and match.group() == text

    def heads(self, part: Part) -> frozenset[str]:
        if isinstance(part, Text):
            return frozenset({part.name})
        if isinstance(part, Call):
            if part.name not in self._heads:
                self._heads[part.name] = self.heads(self.part(part.name))
            return self._heads[part.name]
        if isinstance(part, Many):
            return self.heads(part.part)
        heads: frozenset[str] = frozenset()
        for inner in part.parts:
            heads |= self.heads(inner)
            if isinstance(part, Chain) and not self.begins(inner)[1]:
                break
        return heads

    # ---- choices and loops ----

    def options(self, part: Decision) -> list[Part]:
        """Return the options of a choice, or of each further round of a loop, in Lark's order."""
        if id(part) not in self._options:
            choice = part.part if isinstance(part, Many) else part
            options = choice.parts if isinstance(choice, Choices) else (choice,)
            self._options[id(part)] = self.in_order(options)
        return self._options[id(part)]

    def followers(self, part: Decision) -> frozenset[str]:
        """Return the terminals instead of a choice or a round; known after :meth:`decides`."""
        return self._followers[id(part)]

    def rivals(self, part: Decision, option: Part) -> frozenset[str]:
        """Return the terminals of all other options, and those that may follow."""
        others = (self.heads(one) for one in self.options(part) if one is not option)
        return self.followers(part).union(*others)

    def is_told_by_loop(self, part: Decision, option: Part, loop: Many) -> bool:
        """Return True if a loop, the beginning of an option, has the same earlier rivals."""
        heads = self.heads(option)
        rivals = self._earlier(heads, self.rivals(part, option))
        return rivals == self._earlier(heads, self.followers(loop))

    def taken(self, part: Decision, option: Part) -> dict[str, list[str]]:
        """Return the terminals of an option, each with the rivals that must not come next."""
        heads = self.heads(option)
        earlier = self._earlier(heads, self.rivals(part, option))
        return {
            head: sorted(rival for own, rival in earlier if own == head) for head in sorted(heads)
        }

    def in_order(self, parts: Iterable[P]) -> list[P]:
        waiting, done = list(parts), []
        while waiting:
            first = next(
                (
                    part
                    for part in waiting
                    if not any(
                        self._order(part, other) == 1 for other in waiting if other is not part
                    )
                ),
                waiting[0],
            )
            waiting.remove(first)
            done.append(first)
        return done


def rank(terminal: TerminalDef) -> tuple[int, int, int, str]:
    """Return the sort key of Lark's lexer for the terminals that it tries."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def _chain(parts: tuple[Part, ...]) -> Part:
    flat: list[Part] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Chain) else (part,))
    return flat[0] if len(flat) == 1 else Chain(tuple(flat))


def leaves(grammar: Grammar, part: Part) -> Iterable[Text | Call]:
    """Yield the tokens and rules of a part, and of loops that Lark made for it."""
    if isinstance(part, Text):
        yield part
    elif isinstance(part, Call):
        if part.name.startswith("__"):
            yield from leaves(grammar, grammar.part(part.name))
        else:
            yield part
    elif isinstance(part, Many):
        yield from leaves(grammar, part.part)
    else:
        for inner in part.parts:
            yield from leaves(grammar, inner)

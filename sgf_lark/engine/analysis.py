"""A grammar that Lark has loaded, as trees of choices that the next character decides.

Lark expands ``x*`` or ``[x]`` of the file into alternatives and helper rules.  Here they
become parts again: terminals, calls of rules, chains, choices and repetitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from lark import Lark
from lark.grammar import Rule, Terminal
from lark.lexer import TerminalDef

from .ir import NOTHING, Call, Chain, Choice, Many, Part, Shape, Text, UntranslatableError
from .regex import END, CharSet, LookAroundError, first_of, without_groups


class Ahead(NamedTuple):
    """The characters and terminals that may come next."""

    characters: CharSet
    terminals: frozenset[str]

    def __or__(self, other: Ahead) -> Ahead:
        return Ahead(self.characters | other.characters, self.terminals | other.terminals)


P = TypeVar("P", bound=Part)


class Grammar:
    """The rules of a grammar as trees of choices, with their first sets.

    Args:
        lark: The loaded grammar.

    Raises:
        UntranslatableError: A terminal has a lookaround, or ignored text may begin like
            another terminal.
    """

    def __init__(self, lark: Lark) -> None:
        self.patterns: dict[str, str] = {}
        self.first: dict[str, CharSet] = {}
        for terminal in lark.terminals:
            name, pattern = terminal.name, terminal.pattern.to_regexp()
            try:
                self.first[name], empty = first_of(pattern)
                self.patterns[name] = without_groups(pattern)
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
        below = {name: self._reached(name) for name in self._rules}
        recursive = {name for name, reached in below.items() if name in reached}
        #: The rules that refer to themselves, and those that use them.
        self.nesting = recursive | {name for name in below if below[name] & recursive}
        self._terminals = {terminal.name: terminal for terminal in lark.terminals}
        self._heads: dict[str, frozenset[str]] = {}
        self._ordered: dict[Choice, list[Part]] = {}
        ranked = sorted(lark.terminals, key=rank)
        self._ranks = {terminal.name: rank for rank, terminal in enumerate(ranked)}
        #: Rules in which Lark's order of terminals tells what is left out, or ends a repetition.
        self._ordering: set[str] = set()
        self._after: dict[str, frozenset[str]] = {}
        self._placeholders = bool(lark.options.maybe_placeholders)
        skipped = self._union(self.first[name] for name in self.ignored)
        used = {symbol.name for rule in lark.rules for symbol in rule.expansion}
        for name in used & set(self.first):
            if self.first[name].meets(skipped):
                raise UntranslatableError(name, "it may begin like what the grammar ignores")

    @staticmethod
    def _union(sets: Iterable[CharSet]) -> CharSet:
        union = CharSet()
        for chars in sets:
            union |= chars
        return union

    def _reached(self, name: str) -> set[str]:
        """Return the rules below a rule; a left-recursive helper rule is a loop."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            current = waiting.pop()
            for rule in self._rules[current]:
                for place, symbol in enumerate(rule.expansion):
                    is_loop = place == 0 and symbol.name == current and current.startswith("__")
                    if symbol.is_term or is_loop or symbol.name in reached:
                        continue
                    reached.add(symbol.name)
                    waiting.append(symbol.name)
        return reached

    # ---- rules as parts ----

    def part(self, name: str) -> Part:
        """Return a rule as a tree of choices."""
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
        """Return the symbols of an alternative."""
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
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def alternatives(self, name: str) -> list[tuple[Rule, Shape]]:
        """Return Lark's alternatives of a rule, with the treatment of their children."""
        return [
            (
                rule,
                Shape(
                    rule.alias or rule.options.template_source or name,
                    name.startswith("_"),
                    bool(rule.options.expand1 and not rule.alias),
                ),
            )
            for rule in self._rules[name]
        ]

    def shape(self, name: str) -> Shape:
        """Return the treatment of a rule's children; only ``inlined`` if it :meth:`varies`."""
        return self.alternatives(name)[0][1]

    def placeholders(self, rule: Rule) -> tuple[bool, ...]:
        """Return for each child of an alternative: True for None, False for one of its symbols."""
        return rule.options.empty_indices if self._placeholders else ()

    def varies(self, name: str) -> bool:
        """Return True if the treatment of a rule's children depends on the alternative."""
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
            if isinstance(part, Choice):
                empty = empty or may_be_empty
            elif not may_be_empty:
                return characters, False
        return characters, empty

    def decides(self, start: str) -> None:
        """Verify that the next character always decides what comes next.

        Raises:
            UntranslatableError: Somewhere it does not.
        """
        behind: dict[str, set[Ahead]] = {}
        waiting = [(start, Ahead(END, frozenset()))]
        while waiting:
            name, following = waiting.pop()
            known = behind.setdefault(name, set())
            if following not in known:
                known.add(following)
                self._decides(name, self.part(name), following, waiting)
        for name, places in behind.items():
            self._is_same_everywhere(name, places)
            self._after[name] = frozenset[str]().union(*[place.terminals for place in places])
            if name in self._ordering and any(
                place.terminals != self._after[name] for place in places
            ):
                raise UntranslatableError(name, "its followers depend on the place of its use")

    def _is_same_everywhere(self, name: str, places: set[Ahead]) -> None:
        """Verify that Lark finds the terminal after a rule, wherever the rule is used.

        Lark looks for the followers of the rule at any place.
        """
        anywhere = frozenset[str]().union(*[place.terminals for place in places])
        for place in places:
            for other in anywhere - place.terminals:
                if self._tried_first(place.terminals, frozenset({other})) not in {-1, 0}:
                    raise UntranslatableError(name, "its followers depend on the place of its use")

    def _decides(
        self, rule: str, part: Part, following: Ahead, waiting: list[tuple[str, Ahead]]
    ) -> None:
        if isinstance(part, Call):
            waiting.append((part.name, following))
        elif isinstance(part, Many):
            first, empty = self._ahead(part.part)
            if empty or not self._is_end_decided(rule, first, following):
                raise UntranslatableError(rule, "the next character does not decide if a loop ends")
            self._decides(rule, part.part, following | first, waiting)
        elif isinstance(part, Choice):
            every, may_be_empty = self._ahead(part)
            is_decided = not may_be_empty or self._is_end_decided(rule, every, following)
            if not is_decided or self.rivals(part.parts) is None:
                raise UntranslatableError(rule, "two of its alternatives may begin alike")
            for inner in part.parts:
                self._decides(rule, inner, following, waiting)
        elif isinstance(part, Chain):
            for place, inner in enumerate(part.parts):
                first, empty = self._ahead(Chain(part.parts[place + 1 :]))
                self._decides(rule, inner, first | following if empty else first, waiting)

    def _is_end_decided(self, rule: str, first: Ahead, following: Ahead) -> bool:
        """Return True if a part that may be left out, or repeated, differs from what follows it.

        It differs in its first character; or Lark's order of terminals decides, if the rule
        does not nest.
        """
        if not first.characters.meets(following.characters):
            return True
        if rule in self.nesting or any(
            self._tried_first(frozenset({this}), frozenset({that})) is None
            for this in first.terminals
            for that in following.terminals
        ):
            return False
        self._ordering.add(rule)
        return True

    def _ahead(self, part: Part) -> tuple[Ahead, bool]:
        """Return what a part may begin with, and whether it may be empty."""
        characters, empty = self.begins(part)
        return Ahead(characters, self.heads(part)), empty

    def rivals(self, parts: Iterable[Part]) -> bool | None:
        """Return True if some of the parts may begin alike.

        None if Lark's order of terminals alone does not decide between them.
        """
        are_rivals = False
        seen: list[Part] = []
        for part in parts:
            for other in seen:
                order = self._order(part, other)
                if order is None:
                    return None
                are_rivals = are_rivals or order != 0
            seen.append(part)
        return are_rivals

    def _order(self, part: Part, other: Part) -> int | None:
        """Return the order in which Lark tries two parts; see :meth:`_tried_first`."""
        return self._tried_first(self.heads(part), self.heads(other))

    def _tried_first(self, these: frozenset[str], those: frozenset[str]) -> int | None:
        """Return the terminals that Lark tries first: -1 these, 1 those, 0 if it does not matter.

        None if one belongs to both, or if each have one that comes first; or if a string
        counts only where it is the complete match of an expression.
        """
        orders: set[int] = set()
        for this in these:
            for that in those:
                if not self.first[this].meets(self.first[that]):
                    continue
                if this == that or self._is_inside(this, that) or self._is_inside(that, this):
                    return None
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
        """Return the terminals that a part may begin with."""
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

    def after(self, rule: str) -> frozenset[str]:
        """Return the terminals that may follow a rule; see :meth:`decides`."""
        return self._after.get(rule, frozenset())

    def in_chain(
        self, chain: Chain, following: frozenset[str]
    ) -> Iterable[tuple[Part, frozenset[str]]]:
        """Yield the parts of a chain, each with the terminals that may follow it."""
        for place, inner in enumerate(chain.parts):
            rest = Chain(chain.parts[place + 1 :])
            heads = self.heads(rest)
            yield inner, heads | following if self.begins(rest)[1] else heads

    def rivals_of(self, head: str, following: frozenset[str]) -> str:
        """Return the expression of the terminals that Lark tries before one; "" for none.

        Args:
            head: The terminal.
            following: The others: what may come instead.
        """
        patterns = sorted(
            self.patterns[other]
            for other in following
            if self._ranks[other] < self._ranks[head] and self.first[other].meets(self.first[head])
        )
        return "|".join(
            pattern
            for pattern in patterns
            if not any(_begins_with(pattern, other) for other in patterns)
        )

    def winning(self, part: Part, following: frozenset[str]) -> str:
        """Return the expression of what Lark reads as the beginning of a part.

        "" if what follows never begins like it.
        """
        heads = sorted(self.heads(part))
        if not any(
            self.first[head].meets(self.first[other]) for head in heads for other in following
        ):
            return ""
        rivals = [self.rivals_of(head, following) for head in heads]
        return "|".join(
            (f"(?!{other})" if other else "") + self.patterns[head]
            for head, other in zip(heads, rivals, strict=True)
        )

    def is_sure(self, part: Part) -> bool:
        """Return True if a part never fails after its first terminal."""
        if isinstance(part, Text):
            return True
        if isinstance(part, Call):
            return self.is_sure(self.part(part.name))
        if isinstance(part, Many):
            return self.is_sure(part.part)
        if isinstance(part, Choice):
            return all(map(self.is_sure, part.parts))
        return all(map(self.is_sure, part.parts)) and all(
            self.begins(inner)[1] for inner in part.parts[1:]
        )

    def before(self, choice: Choice, part: Part) -> list[str]:
        """Return the terminals of earlier choices that begin like the part."""
        mine, ordered = self.heads(part), self.ordered(choice)
        return sorted(
            {
                head
                for other in ordered[: ordered.index(part)]
                for head in self.heads(other)
                if any(self.first[head].meets(self.first[own]) for own in mine)
            }
        )

    def ordered(self, choice: Choice) -> list[Part]:
        """Return the parts of a choice in the order of :meth:`in_order`."""
        if choice not in self._ordered:
            self._ordered[choice] = self.in_order(choice.parts)
        return self._ordered[choice]

    def in_order(self, parts: Iterable[P]) -> list[P]:
        """Return parts in the order in which Lark tries their terminals."""
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


def _begins_with(pattern: str, other: str) -> bool:
    """Return True if what a pattern matches begins with a match of another one, as written."""
    after = pattern.removeprefix(other)
    return after not in {"", pattern} and "|" not in other and after[0] not in "*+?{"


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

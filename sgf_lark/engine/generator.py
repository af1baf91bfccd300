"""The generator: from a grammar that Lark has loaded to the JSON data of a plan.

The data are texts, numbers and lists: they can be kept, and read without Lark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from lark import Lark

from .alternatives import Alternative, AlternativesData
from .analysis import Decision, Grammar, leaves
from .ir import NOTHING, Call, Chain, Choice, Many, Part, Shape, Text, UntranslatableError
from .plan import GroupsData, Plan, PlanData
from .pushdown import Step, TableData
from .regex import is_character, is_repeat, repeated_character

#: The kinds of event that fit into a byte, besides the end.
MAX_KINDS = 255


def generate_plan(lark: Lark, start: str) -> Plan:
    """Return the plan of a start rule.

    Args:
        lark: The loaded grammar.
        start: The rule.

    Raises:
        UntranslatableError: The reference engine has to do it.
    """
    return Plan(generate(lark, start), lambda: lark)


def generate(lark: Lark, start: str) -> PlanData:
    """Return the JSON data of a plan; see :func:`generate_plan`."""
    return _Generator(Grammar(lark), start).data()


class _Generator:
    """The generator of the plan of one start rule."""

    def __init__(self, grammar: Grammar, start: str) -> None:
        self.start = start
        self.grammar = grammar
        grammar.decides(start)
        skipped = [grammar.patterns[name] for name in grammar.ignored]
        bare = "|".join(repeated_character(pattern) or pattern for pattern in skipped)
        self.skip = f"(?:{bare})*+" if skipped else ""
        self.groups: dict[str, GroupsData] = {}

    def data(self) -> PlanData:
        """Return the data of the start rule and all rules below it."""
        grammar = self.grammar
        shapes: dict[str, Shape] = {}
        alternatives: dict[str, AlternativesData] = {}
        regular: dict[str, str] = {}
        columns: dict[str, str] = {}
        waiting, walked = [self.start], False
        while waiting:
            name = waiting.pop()
            if name in shapes:
                continue
            shapes[name] = grammar.shape(name)
            if grammar.varies(name):
                alternatives[name] = _generate_alternatives(grammar, name)
            inside = leaves(grammar, grammar.part(name))
            waiting.extend(leaf.name for leaf in inside if isinstance(leaf, Call))
            if name in grammar.nesting:
                walked = True
            else:
                regular[name] = self._expression(Call(name))
                columns[name] = self._columns(name)
                self._group_parts(name)
        return PlanData(
            self.start,
            self.skip,
            shapes,
            alternatives,
            regular,
            columns,
            self.groups,
            grammar.patterns,
            self._table() if self.start in grammar.nesting else None,
            walked,
            self._flat(),
        )

    def _table(self) -> TableData | None:
        """Return the table of what nests; None if it takes a walk."""
        try:
            return _generate_table(self.grammar, self.start, self._expression, self.skip)
        except UntranslatableError:
            return None

    def _flat(self) -> list[str] | None:
        """Return the parts of a start rule of one repetition in brackets; see :class:`.Plan`."""
        if self.start in self.grammar.nesting:
            return None
        positions = _Positions(self.grammar, self.start)
        parts = [*dict.fromkeys(positions.symbols)]
        if len(parts) != 3:  # noqa: PLR2004  # the brackets, and what is between
            return None
        first, leaf, last = parts
        is_flat = positions.followers() == {
            None: {first},
            first: {leaf, last},
            leaf: {leaf, last},
            last: {None},
        }
        brackets = isinstance(first, Text) and isinstance(last, Text)
        return [first.name, leaf.name, last.name] if is_flat and brackets else None

    def _columns(self, name: str) -> str:
        part = self.grammar.part(name)
        parts = part.parts if isinstance(part, Chain) else (part,)
        return "".join(
            f"{self.skip}({self.grammar.patterns[inner.name]})"
            if isinstance(inner, Text)
            else f"({self._expression(inner)})"
            for inner in parts
        )

    def _expression(self, part: Part, groups: list[Text | Call] | None = None) -> str:
        """Return the regular expression of a part.

        Args:
            part: It does not nest.
            groups: Gets the part's tokens, rules and loops; each becomes a group.
        """
        if isinstance(part, Text):
            pattern = self.grammar.patterns[part.name]
            if not is_character(pattern):
                # A possessive repetition keeps no memory of its rounds: it never gives one back.
                pattern = f"{pattern}+" if is_repeat(pattern) else f"(?>{pattern})"
            return self.skip + self._group(pattern, part, groups)
        if isinstance(part, Call):
            inside = self.grammar.part(part.name)
            if part.name.startswith("__") and not isinstance(inside, Many):
                return self._expression(inside, groups)
            return self._group(self._expression(inside), part, groups)
        if isinstance(part, Many):
            return self._loop(part)
        if isinstance(part, Chain):
            return "".join(self._expression(inner, groups) for inner in part.parts)
        return self._options(part, groups)

    def _loop(self, loop: Many, *, is_chosen: bool = True) -> str:
        """Return the regular expression of a loop.

        Args:
            loop: Its further rounds compete with what follows.
            is_chosen: The first round does not: nothing else may come, or it is known to come.
        """
        first, again = self._expression(loop.part), self._options(loop)
        refused = self._refused(loop)
        end = f"(?!{self.skip}(?:{refused}))" if refused else ""
        return (
            f"{first}(?:{again})*+{end}" if is_chosen and first != again else f"(?:{again})++{end}"
        )

    def _options(self, part: Decision, groups: list[Text | Call] | None = None) -> str:
        """Return the regular expression of a choice, or of a further round of a loop."""
        options = sorted(self.grammar.options(part), key=self._may_be_empty)
        choices = [self._option(part, option, groups) for option in options]
        is_choice = isinstance(part, Choice) or isinstance(part.part, Choice)
        return f"(?>{'|'.join(choices)})" if is_choice else choices[0]

    def _option(self, part: Decision, option: Part, groups: list[Text | Call] | None) -> str:
        """Return the regular expression of an option, which matches only where Lark takes it."""
        first, *rest = (option.parts if isinstance(option, Chain) else (option,)) or (NOTHING,)
        if isinstance(first, Call):
            loop = self.grammar.part(first.name)
            if isinstance(loop, Many) and self.grammar.is_told_by_loop(part, option, loop):
                rounds = self._group(self._loop(loop, is_chosen=False), first, groups)
                return rounds + self._expression(Chain(tuple(rest)), groups)
        return self._guard(part, option) + self._expression(option, groups)

    def _guard(self, part: Decision, option: Part) -> str:
        """Return the lookahead before an option: it is the one that Lark takes."""
        taken = self.grammar.taken(part, option)
        earlier = sorted({rival for rivals in taken.values() for rival in rivals})
        guard = ""
        if earlier and self.grammar.come_before(earlier, taken):
            guard = f"(?!{self.skip}{self._any_of(earlier, shortest=True)})"
        elif earlier:
            guard = f"(?={self.skip}(?:{self._lead(part, option)}))"
        refused = self._refused(part) if self._may_be_empty(option) else ""
        return guard + (f"(?!{self.skip}(?:{refused}))" if refused else "")

    def _refused(self, part: Decision) -> str:
        """Return the expression of what begins an option, so that the others do not come.

        "" if that needs no care: what follows begins otherwise, or no option fails.
        """
        grammar = self.grammar
        following = grammar.followers(part)
        return "|".join(
            self._lead(part, option)
            for option in grammar.options(part)
            if not self._may_be_empty(option)
            and not self._is_sure(option)
            and grammar.meet(grammar.heads(option), following)
        )

    def _lead(self, part: Decision, option: Part) -> str:
        """Return the expression of the terminals of an option where Lark takes it."""
        heads: dict[str, list[str]] = {}
        for head, rivals in self.grammar.taken(part, option).items():
            guard = f"(?!{self._any_of(rivals, shortest=True)})" if rivals else ""
            heads.setdefault(guard, []).append(head)
        return "|".join(guard + self._any_of(names) for guard, names in heads.items())

    def _any_of(self, names: list[str], *, shortest: bool = False) -> str:
        """Return the expression of one of several terminals.

        Args:
            names: Of the terminals.
            shortest: Leave out those that begin with another one.
        """
        patterns = [self.grammar.patterns[name] for name in names]
        kept = [
            pattern
            for pattern in patterns
            if not (shortest and any(_begins_with(pattern, other) for other in patterns))
        ]
        return f"(?:{'|'.join(kept)})"

    def _is_sure(self, part: Part) -> bool:
        """Return True if a part never fails after the first terminal."""
        if isinstance(part, Call):
            return part.name not in self.grammar.nesting and self._is_sure(
                self.grammar.part(part.name)
            )
        if isinstance(part, Many):
            return self._is_sure(part.part)
        if isinstance(part, Chain):
            return all(map(self._is_sure, part.parts)) and all(
                map(self._may_be_empty, part.parts[1:])
            )
        return isinstance(part, Text) or all(map(self._is_sure, part.parts))

    def _may_be_empty(self, part: Part) -> bool:
        return self.grammar.begins(part)[1]

    @staticmethod
    def _group(expression: str, part: Text | Call, groups: list[Text | Call] | None) -> str:
        if groups is None:
            return expression
        groups.append(part)
        return f"({expression})"

    def _group_parts(self, name: str) -> None:
        """Make groups of a rule: of its tokens, rules and loops."""
        parts: list[Text | Call] = []
        part = self.grammar.part(name)
        expression = self._expression(part.part if isinstance(part, Many) else part, parts)
        is_choice = isinstance(part, Many) and _is_choice_of_leaves(part.part)
        self.groups[name] = GroupsData(expression, parts, isinstance(part, Many), is_choice)
        for inner in parts:
            if isinstance(inner, Call) and inner.name.startswith("__"):
                self._group_parts(inner.name)


def _begins_with(pattern: str, other: str) -> bool:
    """Return True if what a pattern matches begins with a match of another one, as written."""
    after = pattern.removeprefix(other)
    return after not in {"", pattern} and "|" not in other and after[0] not in "*+?{"


def _is_choice_of_leaves(part: Part) -> bool:
    """Return True for one token or rule, or a choice of them."""
    parts = part.parts if isinstance(part, Choice) else (part,)
    return all(
        isinstance(inner, Text) or (isinstance(inner, Call) and not inner.name.startswith("__"))
        for inner in parts
    )


# ---- alternatives ----


def _generate_alternatives(grammar: Grammar, name: str) -> AlternativesData:
    """Return the alternatives of a rule as JSON data."""
    names = dict.fromkeys(leaf.name for leaf in leaves(grammar, grammar.part(name)))
    codes = {name: chr(code) for code, name in enumerate(names, ord("A"))}
    alternatives: list[Alternative] = []
    for rule, shape in grammar.alternatives(name):
        symbols = grammar.symbols(rule)
        groups = "".join(f"({_codes_of(grammar, codes, symbol)})" for symbol in symbols)
        nones = _nones(grammar.placeholders(rule), len(symbols))
        alternatives.append(Alternative(shape, groups, nones))
    return AlternativesData(codes, alternatives)


def _codes_of(grammar: Grammar, codes: dict[str, str], part: Part) -> str:
    def inside(part: Part) -> str:
        return _codes_of(grammar, codes, part)

    if isinstance(part, Call) and part.name.startswith("__"):
        return inside(grammar.part(part.name))
    if isinstance(part, Text | Call):
        return re.escape(codes[part.name])
    if isinstance(part, Many):
        return f"(?:{inside(part.part)})+"
    if isinstance(part, Chain):
        return "".join(map(inside, part.parts))
    return f"(?:{'|'.join(map(inside, part.parts))})"


def _nones(indices: tuple[bool, ...], symbols: int) -> list[int]:
    """Count the None before each symbol and at the end."""
    if not indices:
        return [0] * (symbols + 1)
    return [len(run) for run in "".join("01"[is_none] for is_none in indices).split("0")]


# ---- the table of what nests ----


def _generate_table(
    grammar: Grammar, start: str, expression: Callable[[Part], str], skip: str
) -> TableData:
    """Return the pushdown table of a rule that nests.

    Args:
        grammar: Its next terminal always decides; see :meth:`Grammar.decides`.
        start: The rule.
        expression: Returns the regular expression of a part.
        skip: The prefix of these expressions, if what they match begins with a token.

    Raises:
        UntranslatableError: The first character of an event does not decide its kind.
    """
    return _TableGenerator(grammar, start).data(expression, skip)


class _Place(NamedTuple):
    """A position in a rule: the number of the symbol before the parser; 0 before the first."""

    rule: str
    position: int


class _TableGenerator:
    """The generator of the pushdown table of one start rule."""

    def __init__(self, grammar: Grammar, start: str) -> None:
        self._grammar = grammar
        self._places: dict[str, _Positions] = {}
        rules: list[str] = []
        parts: dict[Text | Call, None] = {}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in rules:
                continue
            if grammar.begins(Call(name))[1]:
                raise UntranslatableError(name, "it may be empty")
            rules.append(name)
            self._places[name] = positions = _Positions(grammar, name)
            for inner in positions.symbols:
                if isinstance(inner, Call) and self._is_opened(inner.name):
                    waiting.append(inner.name)
                else:
                    parts[inner] = None
        events = [*{part.name: part for part in parts}.values()]
        if (
            len(events) > MAX_KINDS
            or any(grammar.begins(part)[1] for part in events)
            or grammar.are_alike(events)
        ):
            raise UntranslatableError(start, "FIRST/FIRST conflict: two parts begin alike")
        self._start = start
        self._rules = rules
        self._parts = events
        self._kinds = {part.name: kind for kind, part in enumerate(events, 1)}
        places = [
            _Place(rule, position)
            for rule in rules
            for position in range(len(self._places[rule].follow))
        ]
        self._number = {place: number for number, place in enumerate(places)}

    def data(self, expression: Callable[[Part], str], skip: str) -> TableData:
        """Return the data of the table."""
        expressions = [expression(part) for part in self._parts]
        is_skipped = all(pattern.startswith(skip) for pattern in expressions)
        before = skip if is_skipped else ""
        kinds = "|".join(f"({pattern.removeprefix(before)})" for pattern in expressions)
        return TableData(
            start=self._number[_Place(self._start, 0)],
            rules=self._rules,
            parts=[None, *self._parts],
            cut=f"{before}(?:{kinds})|(?s:.++)",
            rule_of=[place.rule for place in self._number],
            final=[place.position in self._places[place.rule].last for place in self._number],
            steps=[
                [(kind, list(step.entered), step.state) for kind, step in steps.items()]
                for steps in map(self._steps_from, self._number)
            ],
            tree=self._tree(),
        )

    def _tree(self) -> list[str] | None:
        """Return the parts of a table that is a tree of sequences; see :class:`.TableData`."""
        if len(self._rules) != 2:  # noqa: PLR2004  # the tree and its sequence
            return None
        tree, sequence = map(Call, self._rules)
        parts, inner = (self._places[rule].symbols for rule in self._rules)
        if len(parts) < 2 or len(inner) != 1:  # noqa: PLR2004  # the brackets
            return None
        first, last, (leaf,) = parts[0], parts[-1], inner
        is_tree = self._places[tree.name].followers() == {
            None: {first},
            first: {sequence},
            sequence: {tree, last},
            tree: {tree, last},
            last: {None},
        }
        is_sequence = self._places[sequence.name].followers() == {None: {leaf}, leaf: {leaf, None}}
        if not is_tree or not is_sequence or not isinstance(leaf, Call):
            return None
        return [first.name, leaf.name, last.name]

    def _is_opened(self, name: str) -> bool:
        """Return True for a rule that nests, or consists of other rules only."""
        inside = list(leaves(self._grammar, self._grammar.part(name)))
        return name in self._grammar.nesting or (
            bool(inside) and all(isinstance(leaf, Call) for leaf in inside)
        )

    def _steps_from(self, place: _Place) -> dict[int, Step]:
        """Return the step of each kind of event that the grammar allows at a place."""
        positions = self._places[place.rule]
        steps: dict[int, Step] = {}
        for following in positions.follow[place.position]:
            symbol = positions.symbols[following - 1]
            state = self._number[_Place(place.rule, following)]
            if isinstance(symbol, Call) and symbol.name in self._places:
                for kind, step in self._steps_from(_Place(symbol.name, 0)).items():
                    steps[kind] = Step(((state, symbol.name), *step.entered), step.state)
            else:
                steps[self._kinds[symbol.name]] = Step((), state)
        return steps


class _Positions:
    """The symbols of a rule, numbered from 1, with the followers of each; 0 is the beginning."""

    def __init__(self, grammar: Grammar, rule: str) -> None:
        self._grammar = grammar
        self.symbols: list[Text | Call] = []
        self.follow: list[list[int]] = [[]]
        first, last, empty = self._of(grammar.part(rule))
        self.follow[0] = first
        self.last = {*last, 0} if empty else {*last}

    def followers(self) -> dict[Text | Call | None, set[Text | Call | None]]:
        """Return for each symbol those that may come next; None stands for beginning and end."""
        followers: dict[Text | Call | None, set[Text | Call | None]] = {}
        for place, symbol in enumerate([None, *self.symbols]):
            after = followers.setdefault(symbol, set())
            after.update(self.symbols[follower - 1] for follower in self.follow[place])
            if place and place in self.last:
                after.add(None)
        return followers

    def _of(self, part: Part) -> tuple[list[int], list[int], bool]:
        """Return the first and the last positions of a part, and whether it may be empty."""
        if isinstance(part, Call) and part.name.startswith("__"):
            return self._of(self._grammar.part(part.name))
        if isinstance(part, Text | Call):
            self.symbols.append(part)
            self.follow.append([])
            here = [len(self.symbols)]
            return here, here, False
        if isinstance(part, Many):
            first, last, empty = self._of(part.part)
            self._link(last, first)
            return first, last, empty
        if isinstance(part, Choice):
            options = [self._of(option) for option in part.parts]
            return (
                [place for first, _, _ in options for place in first],
                [place for _, last, _ in options for place in last],
                any(empty for _, _, empty in options),
            )
        return self._of_chain(part)

    def _of_chain(self, chain: Chain) -> tuple[list[int], list[int], bool]:
        first: list[int] = []
        last: list[int] = []
        empty = True
        for inner in chain.parts:
            begins, ends, may_be_empty = self._of(inner)
            self._link(last, begins)
            if empty:
                first += begins
            last = [*last, *ends] if may_be_empty else ends
            empty = empty and may_be_empty
        return first, last, empty

    def _link(self, before: list[int], after: list[int]) -> None:
        for place in before:
            self.follow[place] += [later for later in after if later not in self.follow[place]]

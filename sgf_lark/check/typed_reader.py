"""Typed readers: expressions of the nodes that surely have no findings.

The typed grammar says which values a property takes (:mod:`sgf_lark.values.typed`); the tables of
checks say what each check needs before it may find something.  Put together they are the nodes
that nobody has to look at.  A typed reader may be too strict, never too lenient: what it rejects
is read and checked property by property.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from sgf_lark.grammar.loader import path, terminals
from sgf_lark.model.constraints import VALUE_CHECKS, On, Range, ValueCheck, find_range
from sgf_lark.model.node_rules import (
    are_needed,
    find_needs,
)
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.model.tape import CUT, NODE, STRAY, Tape
from sgf_lark.model.tree_rules import TreeCheck, tree_checks
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category, Count, capitals
from sgf_lark.schema.values import BoardSize
from sgf_lark.values.typed import TypedProperty, typed_properties

from .check_game import DECLARATIONS
from .value_lints import HARMLESS_BRACKET, VALUE_LINTS, check_property

#: Tells of all values of a property, with their brackets, whether they surely have no findings.
Test = Callable[[str], bool]


class _Tests(dict[str, Test]):
    """Tests by the names of properties, each found when it is asked for."""

    def __init__(self, find: Callable[[str], Test]) -> None:
        self._find = find

    def __missing__(self, name: str) -> Test:
        test = self._find(name)
        if len(self) < MAX_TESTS:
            self[name] = test
        return test


class Tests(NamedTuple):
    """The tests of the properties of a node.

    Attributes:
        each: One for each property.
        rivals: The places of properties among whose values no two are alike.
    """

    each: list[Test]
    rivals: list[list[int]]


#: At most this many names, and sets of names, have their tests kept; games of one kind have
#: some hundred.  `check` of 120 real files that are read once takes 6 % more instructions without
#: those of names, 37 % more without those of sets of names.
MAX_TESTS = 1 << 12

#: Longest range of numbers that is written as an expression.
MAX_NUMBERS = 64


class TypedReader:
    """The nodes without findings, of games that are read by a rule set on a board of a size.

    Args:
        rules: The rule set.
        lints: Checks of taste count, too.
        size: Of the board; None if points may be anywhere.
    """

    def __init__(self, rules: RuleSet, *, lints: bool, size: BoardSize | None = None) -> None:
        self._rules = rules
        self._lints = lints
        #: The same for points anywhere: of what has no points, the two agree.
        self._anywhere = None if size is None else _kept(rules, None, lints=lints)
        self._rows = typed_properties(rules.reader, rules.table, size)
        self._expressions: dict[str, str | None] = {}
        every = (*VALUE_CHECKS.checks, *(VALUE_LINTS.checks if lints else ()))
        #: Characters that some check minds in the values of any property.
        self._stops = "\0" + "".join(check.contains for check in every if check.on is On.EVERY)
        self._tests: dict[str, Test | None] = {}
        self._single = _Tests(self._test_of_single)
        self._nodes: dict[tuple[str, ...], Tests | None] = {}
        self._roots: dict[tuple[str, ...], Tests | None] = {}

    # ---- nodes ----

    def suspects(self, tape: Tape, *, is_whole: bool = True) -> array[int]:
        """Return the numbers of the nodes that may have findings.

        Args:
            tape: The game.
            is_whole: Nothing of it was mended: each node begins with its ``;``, if any does.
        """
        text, ends, kinds, nodes = tape.text, tape.ends, tape.kinds, tape.nodes
        found = [] if self._accepts(self._roots, self._tests_of_root, tape, 0) else [0]
        others: Sequence[int] = range(1, len(nodes) - 1)
        if is_whole and others and kinds.count(NODE) > len(others):  # one property by itself
            singles, quick = _SINGLE.finditer(kinds, nodes[1]), self._single
            while names := [match.start() + 1 for match in islice(singles, MAX_AT_ONCE)]:
                found += [
                    bisect_left(nodes, name - 1)
                    for name in names
                    if not quick[text[ends[name - 1] : ends[name]]](
                        text[ends[name] : ends[name + 1]]
                    )
                ]
            tokens = [match.start() for match in _SEVERAL.finditer(kinds, nodes[1])]
            others = [bisect_left(nodes, token) for token in tokens]
        accepts, known, find = self._accepts, self._nodes, self._tests_of_node
        found += [node for node in others if not accepts(known, find, tape, node)]
        return array("q", sorted(found))

    def accepts(self, name: str, raws: tuple[str, ...]) -> bool:
        """Return whether a property of that name and those raw values has no findings."""
        test = self._test(name)
        if test is None or (raws and _ends_in_escape(raws[-1])):
            return False
        return test(in_brackets(raws))

    def _test_of_single(self, name: str) -> Test:
        """Return the test of the value of a property that is alone in its node."""
        tests = self._tests_of_node((name,))
        return _never if tests is None or tests.rivals else tests.each[0]

    def _accepts(
        self,
        known: dict[tuple[str, ...], Tests | None],
        find: Callable[[tuple[str, ...]], Tests | None],
        tape: Tape,
        node: int,
    ) -> bool:
        shown = _show(tape, node)
        if shown is None:
            return False
        names, values = shown
        try:
            tests = known[names]
        except KeyError:
            if len(known) >= MAX_TESTS:
                known.clear()
            tests = known[names] = find(names)
        if tests is None:
            return False
        for test, value in zip(tests.each, values, strict=True):
            if not test(value):
                return False
        for places in tests.rivals:
            rivals = "".join([values[place] for place in places])
            if ":" in rivals or not _are_different(rivals):  # a rectangle
                return False
        return True

    def _tests_of_node(self, names: tuple[str, ...]) -> Tests | None:
        """Return the tests of the properties of a node; None if it has to be looked at."""
        idents = list(map(capitals, names))
        if self._is_for_the_tree(idents):
            return None
        return self._tests_of(names, idents)

    def _tests_of_root(self, names: tuple[str, ...]) -> Tests | None:
        """Return the tests of the properties of a root; None if it has to be looked at."""
        idents = list(map(capitals, names))
        tests = self._tests_of(names, idents)
        is_ggf = self._rules.format is Format.GGF
        is_declared = self._categories(idents) & OF_A_GAME if is_ggf else "FF" in idents
        if tests is None or not is_declared:
            return None
        declarations = {} if is_ggf else DECLARATIONS
        for root in (declarations, *(check.root for check in self._tree_checks())):
            if root is None:
                return None
            for place, ident in enumerate(idents):
                settles = root.get(ident)
                if settles is not None:
                    tests.each[place] = self._both(tests.each[place], settles)
        return tests

    def _tree_checks(self) -> list[TreeCheck]:
        """Return the checks of trees that look at some nodes only; the others see all anyway."""
        checks = tree_checks(self._rules.format, lints=self._lints)
        return [check for check in checks if check.needs is not None]

    def _both(self, test: Test, settles: Callable[[str, RuleSet], bool]) -> Test:
        rules = self._rules
        return lambda values: test(values) and settles(split(values)[0], rules)

    def _tests_of(self, names: tuple[str, ...], idents: list[str]) -> Tests | None:
        """Return the tests of the properties of a node anywhere."""
        table = self._rules.table
        needs = find_needs(idents, self._categories(idents), table, lints=self._lints)
        if needs is None or not all(need.alike for need in needs):
            return None
        each = [test for test in map(self._test, names) if test is not None]
        if len(each) < len(names):
            return None
        groups = {need.wanted(table) for need in needs}
        rivals = [
            [place for place, ident in enumerate(idents) if ident in group] for group in groups
        ]
        return Tests(each, rivals)

    def _categories(self, idents: Iterable[str]) -> set[Category]:
        rules = map(self._rules.rule, idents)
        return {rule.category for rule in rules if rule is not None}

    # ---- one property ----

    def _test(self, name: str) -> Test | None:
        """Return the test of the values of a property; None if it has to be looked at."""
        try:
            return self._tests[name]
        except KeyError:
            if len(self._tests) >= MAX_TESTS:
                self._tests.clear()
            return self._tests.setdefault(name, self._find_test(name))

    def _find_test(self, name: str) -> Test | None:
        rule = self._rules.rule(self._rules.ident(name))
        if rule is None:
            return None
        has_points = rule.has_points
        if self._anywhere is not None and not has_points:
            return self._anywhere._test(name)  # noqa: SLF001  # the same class
        expression = self._expression(rule.ident)
        if expression is None:
            return None if has_points else self._by_checks(name)  # points may be off the board
        accepts = re.compile(expression).fullmatch
        is_list, find = rule.count is not Count.ONE, _value().findall
        on_board = rf"\[(?>{self._rows[rule.ident].value})\]"
        has_rectangles, checks = rule.is_points, self._by_checks(name)

        def passes(values: str) -> bool:
            if accepts(values) is not None:
                return True
            each = find(values)
            if has_rectangles and ":" in values:
                return all(re.fullmatch(on_board, value) for value in each) and checks(values)
            if len(each) < 2 or not is_list:  # noqa: PLR2004  # a list
                return False
            return _are_different(values) and None not in map(accepts, each)

        return passes

    def _by_checks(self, name: str) -> Test:
        """Return the test of values that no expression settles: it reads and checks them."""
        rules, lints = self._rules, self._lints

        def passes(values: str) -> bool:
            prop = rules.property(name, split(values))
            return not any(True for _ in check_property(prop, rules, lints=lints))

        return passes

    def _expression(self, ident: str) -> str | None:
        """Return the expression of a value in brackets that has no findings; None if there is none.

        Conditions in front of the value reject what a check may report.

        Args:
            ident: The identifier of the property, which has a row.
        """
        row = self._rules.rule(ident)
        if self._anywhere is not None and row is not None and not row.has_points:
            return self._anywhere._expression(ident)  # noqa: SLF001  # the same class
        if ident not in self._expressions:
            self._expressions[ident] = self._find_expression(self._rows[ident])
        return self._expressions[ident]

    def _find_expression(self, row: TypedProperty) -> str | None:
        rule = row.rule
        checks = VALUE_CHECKS.of(rule) + (VALUE_LINTS.of(rule) if self._lints else ())
        unsettled = [check for check in checks if not check.settled(rule)]
        given = find_range(rule.ident, rule.format, self._rules.game)
        within = "" if given is None else _range_expression(given)
        if row.value is None or within is None or not all(check.contains for check in unsettled):
            return None
        conditions = [within]
        minded = self._stops + "".join(check.contains for check in unsettled)
        if not minded.isascii() or any(row.characters >> ord(char) & 1 for char in minded + "["):
            stops = re.escape(minded)
            escape = "" if rule.format is Format.GGF else r"\\"
            escaped = self._escaped(unsettled, minded) if escape else ""
            is_free = rule.count is Count.ONE and "[" not in minded  # not the next value
            bracket = HARMLESS_BRACKET if is_free else "(?!)"
            literal = rf"[^{stops}\[{escape}\]]*+"
            conditions.append(rf"(?={literal}(?:(?:{escaped}{bracket}){literal})*+\])")
        if rule.is_points:
            conditions.append(r"(?![^:\]]*+:)")  # a rectangle
        elif any(kinds[1:] for kinds in rule.types):
            conditions.append(r"(?=[^:\\\]]*+(?::[^:\\\]]*+)?+\])")  # one colon
        return rf"\[{''.join(conditions)}(?>{row.value})\]"

    def _escaped(self, unsettled: Sequence[ValueCheck], minded: str) -> str:
        """Return the expression of the escapes that no check minds, and a ``|`` after it.

        Args:
            unsettled: The checks of a property that the expression of its values does not settle.
            minded: Characters that some check minds.
        """
        minding = [check.escapes for check in unsettled if "\\" in check.contains]
        if not minding:
            return "" if "\\" in minded else rf"\\[^{re.escape(minded)}]|"
        free = set(minding[0]).intersection(*minding[1:]) - (set(minded) - {"\\"})
        return rf"\\[{re.escape(''.join(sorted(free)))}]|" if free else ""

    def _is_for_the_tree(self, idents: list[str]) -> bool:
        """Return whether a check of the tree asks for a node with these properties."""
        categories, table = self._categories(idents), self._rules.table
        return any(
            are_needed(check.needs or (), idents, categories, table)
            for check in self._tree_checks()
        )


def in_brackets(raws: tuple[str, ...]) -> str:
    """Return the values of a property with their brackets."""
    return f"[{raws[0]}]" if len(raws) == 1 else "".join([f"[{raw}]" for raw in raws])


def _show(tape: Tape, node: int) -> tuple[tuple[str, ...], list[str]] | None:
    """Return the names of a node, and the values of each property with their brackets.

    None for a node with stray text, or with a value that the end of the text cuts off.
    """
    first, last = tape.nodes[node], tape.nodes[node + 1]
    kinds = tape.kinds[first:last]
    places = _places(kinds)
    if places is None:
        if STRAY in kinds or CUT in kinds:
            return None
        pairs = tape.pairs(node)
        return tuple([name for name, _ in pairs]), [in_brackets(raws) for _, raws in pairs]
    text, start = tape.text, tape.ends[first - 1] if first else tape.start
    at = [start, *tape.ends[first:last]]
    names = tuple([text[at[name] : at[name + 1]] for name, _ in places])
    return names, [text[at[name + 1] : at[end]] for name, end in places]


@lru_cache(MAX_TESTS)
def _places(kinds: str) -> list[tuple[int, int]] | None:
    """Return for each property of a node the tokens of its name and after its last value.

    None if anything is between the name and the values.
    """
    if re.fullmatch(r"[; ]*+(?:n\[++ *+)*+[ ()]*+", kinds) is None:
        return None
    return [match.span() for match in re.finditer(r"n\[++", kinds)]


def split(values: str) -> tuple[str, ...]:
    """Return the raw values of a property, for all of them with their brackets."""
    if values.find("]", 1) == len(values) - 1:
        return (values[1:-1],)
    return tuple([value[1:-1] for value in _value().findall(values)])


@cache
def _value() -> re.Pattern[str]:
    """Return the expression of a value with its brackets."""
    return re.compile(terminals(path("lexical"), "tokens")["PROP_VALUE"])


def _ends_in_escape(raw: str) -> bool:
    """Return whether the end of the text cuts off an escape: no bracket closes such a value."""
    return raw.endswith("\\") and (len(raw) - len(raw.rstrip("\\"))) % 2 == 1


def _never(_: str) -> bool:
    return False


#: The beginning of a node of one property with one value, and of other nodes: white space and
#: brackets may follow the properties.
_SINGLE = re.compile(r";n\[(?=[ ()]*+(?:;|\Z))")
_SEVERAL = re.compile(r";(?!n\[[ ()]*+(?:;|\Z))")

#: Nodes of which the tokens are looked at together.
MAX_AT_ONCE = 1 << 12


def _are_different(values: str) -> bool:
    """Return whether values in brackets, each up to a colon, surely name different points.

    Games write a letter in either case, and unknown games write what they like.
    """
    points = _POINTS.findall(values.lower())
    return len(set(points)) == len(points) and "".join(points).isalnum()


#: What is in a bracket, up to a colon.
_POINTS = re.compile(r"\[([^:\]]*+)")

#: Without a property of these, a game of GGF may be a part of the one before it.
OF_A_GAME = frozenset({Category.ROOT, Category.GAME_INFO})


def _range_expression(given: Range) -> str | None:
    """Return a condition that only numbers of a range satisfy; None if there is none."""
    low, high = given.low, given.high
    if low is None or low < 0:
        return None
    if high is not None:
        numbers = map(str, range(low, high + 1))
        return rf"(?=(?:{'|'.join(numbers)})\])" if high - low <= MAX_NUMBERS else None
    if low == 0:
        return "(?!-)"
    return None if low > 9 else rf"(?=\+?(?:[{low}-9]|[1-9][0-9]))"  # noqa: PLR2004  # a digit


def typed_reader(rules: RuleSet, size: BoardSize | None, *, lints: bool) -> TypedReader:
    """Return the typed reader of a rule set for a board of a size; always the same one.

    Without a size, points are on the usual board of the game, if there is one.
    """
    return _kept(rules, size or rules.game.usual_size, lints=lints)


def _kept(rules: RuleSet, size: BoardSize | None, *, lints: bool) -> TypedReader:
    key = (lints, size)
    reader: TypedReader | None = rules.typed_readers.get(key)
    if reader is None:
        if len(rules.typed_readers) >= MAX_BOARDS:
            rules.typed_readers.clear()
        reader = rules.typed_readers[key] = TypedReader(rules, lints=lints, size=size)
    return reader


#: At most this many boards of a rule set have their typed readers kept.  `check` of 120 real files
#: that are read once takes 64 % more instructions without it.
MAX_BOARDS = 1 << 6

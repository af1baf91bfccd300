"""Typed readers: expressions of the nodes that surely have no findings.

The typed grammar says which values a property takes (:mod:`sgf_lark.values.typed`); the tables of
checks say what each check needs before it may find something.  Put together they are the nodes
that nobody has to look at.  A typed reader may be too strict, never too lenient: what it rejects
is read and checked property by property.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from sgf_lark.grammar.loader import compile_derived, path, terminals
from sgf_lark.memo import Memo
from sgf_lark.model.constraints import Range, find_range
from sgf_lark.model.finders import FINDERS, Finder, On, OnlyIf, Settles, are_needed
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.model.tape import VALUE, Tape
from sgf_lark.read.whole_games import Suspected
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category, Count, capitals
from sgf_lark.schema.values import BoardSize
from sgf_lark.values.typed import TypedProperties

from .check_game import DECLARATIONS
from .value_lints import HARMLESS_BRACKET, check_property


class Test(NamedTuple):
    """The test of a property: tells whether its values surely have no findings.

    Attributes:
        accepts: Tells it of values with their brackets, and of their number.
        accepts_each: Tells it of many properties with one value each, put together; None if only
            ``accepts`` can tell.
    """

    accepts: Callable[[str, int], bool]
    accepts_each: Callable[[str], object] | None = None


#: Lists of places of properties in a node: among the values of each list no two are alike.
ShapeParts: TypeAlias = list[list[int]]

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
        self._rows = TypedProperties(rules.reader, rules.table, size)
        self._expressions = Memo(self._find_expression)
        of_values = FINDERS.on(On.VALUES, rules.format, lints=lints)
        every = [one for finder in of_values for one in finder.only_if or () if not one.idents]
        #: Characters that some check minds in the values of any property.
        self._stops = "\0" + "".join(one.contains for one in every)
        self._tests = Memo(self._find_test, MAX_TESTS)
        self._shapes = Memo(self._find_shape, MAX_TESTS)
        self._roots = Memo(self._find_root, MAX_TESTS)

    # ---- nodes ----

    def suspects(self, tape: Tape) -> Suspected:
        """Return the nodes that may have findings, in order, with the properties to look at."""
        found: Suspected = {}
        for first in range(0, len(tape), MAX_AT_ONCE):
            found |= sorted(self._suspects_from(tape, first).items())
        return found

    def _suspects_from(self, tape: Tape, first: int) -> Suspected:
        """Return the nodes that may have findings among some, from a first one."""
        nodes = tape.nodes[first : first + MAX_AT_ONCE + 1]
        begin, end = nodes[0], nodes[-1]
        text, ends, kinds = tape.text, tape.ends, tape.kinds
        spans = [match.span() for match in _PROPERTY.finditer(kinds, begin, end)]
        start = tape.start
        names = [text[ends[name - 1] if name else start : ends[name]] for name, _ in spans]
        values = [text[ends[name] : ends[last - 1]] for name, last in spans]
        counts = [last - name - 1 for name, last in spans]
        if _SPACED.search(kinds, begin, end):
            counts = [kinds.count(VALUE, *span) for span in spans]
            values = [
                "".join(text[ends[at - 1] : ends[at]] for at in range(*span) if kinds[at] == VALUE)
                for span in spans
            ]
        tokens = [name for name, _ in spans]
        bounds = [bisect_left(tokens, node) for node in nodes]
        found: Suspected = {}
        for place in self._unaccepted(names, values, counts):
            node = bisect_right(bounds, place) - 1
            found[node] = [*(found.get(node) or ()), place - bounds[node]]
        for odd in _ODD.finditer(kinds, begin, end):
            found[bisect_right(nodes, odd.start()) - 1] = None
        if first == 0 and not self._accepts_root(names[: bounds[1]], values):
            found.setdefault(0, [])
        others = range(1 if first == 0 else 0, len(nodes) - 1)
        shapes = [tuple(names[bounds[node] : bounds[node + 1]]) for node in others]
        unlike = {shape for shape in {*shapes} if self._shapes[shape] != []}
        for node, shape in zip(others, shapes, strict=True) if unlike else ():
            if shape in unlike:
                parts = self._shapes[shape]
                if parts is None or not _are_unlike(parts, values, bounds[node]):
                    found.setdefault(node, [])
        return {node + first: places for node, places in found.items()}

    def _unaccepted(self, names: list[str], values: list[str], counts: list[int]) -> list[int]:
        """Return the places of the properties whose tests do not accept their values."""
        by_name: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            by_name.setdefault(name, []).append(place)
        unaccepted: list[int] = []
        for name, places in by_name.items():
            test = self._tests[name]
            if test is None:
                unaccepted += places
                continue
            many = [place for place in places if counts[place] != 1]
            if test.accepts_each is None or not test.accepts_each(
                "".join([values[place] for place in places if counts[place] == 1])
            ):
                many = places
            unaccepted += [
                place for place in many if not test.accepts(values[place], counts[place])
            ]
        return unaccepted

    def accepts(self, name: str, raws: tuple[str, ...]) -> bool:
        """Return whether a property of that name and those raw values has no findings."""
        test = self._tests[name]
        if test is None or (raws and _ends_in_escape(raws[-1])):
            return False
        return test.accepts("".join([f"[{raw}]" for raw in raws]), len(raws))

    def _find_shape(self, names: tuple[str, ...]) -> ShapeParts | None:
        """Return the places of properties among whose values no two are alike.

        None if a node with properties of these names has to be looked at.
        """
        idents = list(map(capitals, names))
        return None if self._is_for_the_tree(idents) else self._shape_of(idents)

    def _accepts_root(self, names: list[str], values: list[str]) -> bool:
        """Return whether no check of nodes or trees has to look at a root."""
        root = self._roots[tuple(names)]
        if root is None or not _are_unlike(root[0], values, 0):
            return False
        return all(settles(split(values[place])[0], self._rules) for place, settles in root[1])

    def _find_root(
        self, names: tuple[str, ...]
    ) -> tuple[ShapeParts, list[tuple[int, Settles]]] | None:
        """Return the shape of a root, and what its properties have to satisfy, by their places.

        None if a root with properties of these names has to be looked at.
        """
        idents = list(map(capitals, names))
        shape, is_ggf = self._shape_of(idents), self._rules.format is Format.GGF
        is_declared = self._categories(idents) & OF_A_GAME if is_ggf else "FF" in idents
        if shape is None or not is_declared:
            return None
        settling: list[tuple[int, Settles]] = []
        for root in ({} if is_ggf else DECLARATIONS, *(one.root for one in self._tree_finders())):
            if root is None:
                return None
            settling += [
                (place, root[ident]) for place, ident in enumerate(idents) if ident in root
            ]
        return shape, settling

    def _tree_finders(self) -> list[Finder]:
        """Return the finders of trees that look at some nodes only; the others see all anyway."""
        finders = FINDERS.on(On.TREE, self._rules.format, lints=self._lints)
        return [finder for finder in finders if finder.only_if is not None]

    def _shape_of(self, idents: list[str]) -> ShapeParts | None:
        """Return the places of rivals in a node anywhere; None if it has to be looked at."""
        table = self._rules.table
        needs = FINDERS.needed(idents, self._categories(idents), table, lints=self._lints)
        if needs is None or not all(need.alike for need in needs):
            return None
        groups = {need.wanted(table) for need in needs}
        return [[place for place, ident in enumerate(idents) if ident in group] for group in groups]

    def _categories(self, idents: Iterable[str]) -> set[Category]:
        rules = map(self._rules.rule, idents)
        return {rule.category for rule in rules if rule is not None}

    # ---- one property ----

    def _find_test(self, name: str) -> Test | None:
        """Return the test of the values of a property; None if it has to be looked at."""
        rule = self._rules.rule(self._rules.ident(name))
        if rule is None:
            return None
        has_points = rule.has_points
        if self._anywhere is not None and not has_points:
            return self._anywhere._tests[name]  # noqa: SLF001  # the same class
        expression = self._expressions[rule.ident]
        if expression is None:
            return None if has_points else self._by_checks(name)  # points may be off the board
        is_kept = self._rows.are_shipped and FINDERS.are_shipped
        compile_regex = compile_derived if is_kept else re.compile
        accepts_each = compile_regex(rf"(?:{expression})*+").fullmatch
        is_list, find = rule.count is not Count.ONE, _value().findall
        on_board = rf"\[(?>{self._rows[rule.ident].value})\]"
        has_rectangles, accepts_read = rule.is_points, self._by_checks(name).accepts

        def accepts(values: str, count: int) -> bool:
            if count == 1 and accepts_each(values) is not None:
                return True
            if has_rectangles and ":" in values:
                return all(
                    re.fullmatch(on_board, value) for value in find(values)
                ) and accepts_read(values, count)
            return (
                is_list
                and count > 1
                and _are_different(values)
                and accepts_each(values) is not None
            )

        return Test(accepts, accepts_each)

    def _by_checks(self, name: str) -> Test:
        """Return the test of values that no expression settles: it reads and checks them."""
        rules, lints = self._rules, self._lints

        def accepts(values: str, _: int) -> bool:
            prop = rules.property(name, split(values))
            return not any(True for _ in check_property(prop, rules, lints=lints))

        return Test(accepts)

    def _find_expression(self, ident: str) -> str | None:
        """Return the expression of a value in brackets that has no findings; None if there is none.

        Conditions in front of the value reject what a check may report.

        Args:
            ident: The identifier of the property, which has a row.
        """
        known = self._rules.rule(ident)
        if self._anywhere is not None and known is not None and not known.has_points:
            return self._anywhere._expressions[ident]  # noqa: SLF001  # the same class
        row, rule = self._rows[ident], self._rows[ident].rule
        conditions = FINDERS.conditions(rule, lints=self._lints)
        unsettled = [one for one in conditions if not one.settled(rule)]
        given = find_range(rule.ident, rule.format, self._rules.game)
        within = "" if given is None else _range_expression(given)
        if row.value is None or within is None or not all(one.contains for one in unsettled):
            return None
        ahead = [within]
        minded = self._stops + "".join(one.contains for one in unsettled)
        if not minded.isascii() or any(row.characters >> ord(char) & 1 for char in minded + "["):
            stops = re.escape(minded)
            escape = "" if rule.format is Format.GGF else r"\\"
            escaped = self._escaped(unsettled, minded) if escape else ""
            is_free = rule.count is Count.ONE and "[" not in minded  # not the next value
            bracket = HARMLESS_BRACKET if is_free else "(?!)"
            literal = rf"[^{stops}\[{escape}\]]*+"
            ahead.append(rf"(?={literal}(?:(?:{escaped}{bracket}){literal})*+\])")
        if rule.is_points:
            ahead.append(r"(?![^:\]]*+:)")  # a rectangle
        elif any(kinds[1:] for kinds in rule.types):
            ahead.append(r"(?=[^:\\\]]*+(?::[^:\\\]]*+)?+\])")  # one colon
        return rf"\[{''.join(ahead)}(?>{row.value})\]"

    def _escaped(self, unsettled: Sequence[OnlyIf], minded: str) -> str:
        """Return the expression of the escapes that no check minds, and a ``|`` after it.

        Args:
            unsettled: The conditions of a property that its expression does not settle.
            minded: Characters that some check minds.
        """
        minding = [one.escapes for one in unsettled if "\\" in one.contains]
        if not minding:
            return "" if "\\" in minded else rf"\\[^{re.escape(minded)}]|"
        free = set(minding[0]).intersection(*minding[1:]) - (set(minded) - {"\\"})
        return rf"\\[{re.escape(''.join(sorted(free)))}]|" if free else ""

    def _is_for_the_tree(self, idents: list[str]) -> bool:
        """Return whether a check of the tree asks for a node with these properties."""
        categories, table = self._categories(idents), self._rules.table
        return any(
            are_needed(finder.only_if or (), idents, categories, table)
            for finder in self._tree_finders()
        )


def _are_unlike(shape: ShapeParts, values: list[str], at: int) -> bool:
    """Return whether no two values of rivals surely name one point.

    Args:
        shape: The places of the rivals.
        values: Those of properties, with their brackets.
        at: The number of the first property of the node.
    """
    for places in shape:
        rivals = "".join([values[at + place] for place in places])
        if ":" in rivals or not _are_different(rivals):  # a rectangle
            return False
    return True


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


#: The kinds of a name and its values; of white space before a value; of what is no property.
_PROPERTY = re.compile(r"n *+\[(?: *+\[)*+")
_SPACED = re.compile(r" \[")
_ODD = re.compile(r"[xu]|n(?! *+\[)")

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

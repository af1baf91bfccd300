"""Prefilter: see from the texts of most nodes that they have no findings.

A node passes if its properties may stand together wherever but in the first node, and each
value is matched by the expression of its type.  What does not pass is looked at closely, by
the rules themselves: the prefilter may be too strict, never too lenient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from decimal import Decimal
from typing import NamedTuple

from sgf_lark.check.games.off_board import LABELS, Cells
from sgf_lark.model.constraints import VALUE_CHECKS, On, Range, ValueCheck, find_range
from sgf_lark.model.content import MAX_CACHED, MAX_CACHED_LENGTH
from sgf_lark.model.ruleset import Kind, RuleSet
from sgf_lark.schema.properties import Category, Count, PropertyRule, capitals
from sgf_lark.values.types import PLAIN_TEXTS

from .node_rules import may_fire
from .value_lints import VALUE_LINTS, may_swallow

#: Longer values are read: a number may have too many digits.
_NOT_LONG = r"(?s:.{1,512}+)\Z"

#: Texts after the colon of a pair that need no grammar; others are read by theirs.
PLAIN_TEXT = r"[^:\\\]]++"

#: Types of which every text that their grammar accepts is a value without a doubt.
PLAIN = frozenset({"point", "move", "stone", "number", "real", "double", "triple", "color", "none"})

_ANY = re.compile("(?s:.+)")


class _Values(NamedTuple):
    """The test that passes valid values of a property.

    Attributes:
        accepts: Returns something for a valid value.
        single: There is one.
        different: What they begin with, up to a colon, is not the same.
    """

    accepts: Callable[[str], object]
    single: bool
    different: bool

    def passes(self, raws: Sequence[str]) -> bool:
        """Return whether these values surely have no findings."""
        if len(raws) > 1 and (
            self.single
            or (self.different and len({raw.partition(":")[0] for raw in raws}) < len(raws))
        ):
            return False
        for raw in raws:
            if self.accepts(raw) is None or ("[" in raw and may_swallow(raw)):
                return False
        return True


def _points(accepts: Callable[[str], object], cells: Container[str]) -> Callable[[str], object]:
    """Return a test for points and moves of the board."""
    return lambda raw: (raw in cells and accepts(raw)) or None


def _labels(accepts: Callable[[str], object], cells: Container[str]) -> Callable[[str], object]:
    """Return a test for points of the board with a label."""
    return lambda raw: (raw.partition(":")[0] in cells and accepts(raw)) or None


def _in_range(matches: Callable[[str], object], given: Range) -> Callable[[str], object]:
    """Return a test for numbers of the range."""
    return lambda raw: (matches(raw) and given.holds(Decimal(raw))) or None


class Prefilter:
    """Passes the nodes of one kind of game that surely have no findings.

    Args:
        kind: Of the games.
        lints: Rules of taste count, too.
        cells: Of the board; None if points may be anywhere.

    Attributes:
        valid: Texts of nodes without findings, anywhere but in the first
            node they stand.
        doubtful: Texts that have to be looked at where they stand.
    """

    def __init__(self, kind: Kind, *, lints: bool, cells: Cells | None = None) -> None:
        self.kind = kind
        self.lints = lints
        self._cells = cells
        every = (*VALUE_CHECKS.checks, *(VALUE_LINTS.checks if lints else ()))
        self._stops = {"\0", *(check.contains for check in every if check.on is On.EVERY)} - {""}
        self.valid: set[str] = set()
        self.doubtful: set[str] = set()
        self._sets: dict[tuple[str, ...], bool] = {}
        self._tests: dict[str, _Values | None] = {}
        self._together: dict[tuple[str, ...], list[_Values] | None] = {}

    def passes(self, text: str) -> bool:
        """Return whether a node of this text surely has no findings."""
        for stop in self._stops:
            if stop in text:
                return False
        columns = self.kind.columns
        if columns is None:
            return False
        pairs = columns.findall(text)
        names = tuple([name for name, _ in pairs])
        try:
            prefilters = self._together[names]
        except KeyError:
            prefilters = self._together[names] = self._tests_of(names)
        if prefilters is None:
            return False
        for prefilter, (_, values) in zip(prefilters, pairs, strict=False):
            if values[0] == "[" and values.count("[") == 1:
                if prefilter.accepts(values[1:-1]) is None:
                    return False
            elif not prefilter.passes([value[1:-1] for value in self.kind.values.findall(values)]):
                return False
        return True

    def passes_values(self, name: str, raws: Sequence[str]) -> bool:
        """Return whether the values of a property surely have no findings."""
        prefilter, text = self._values(name), "".join(raws)
        if prefilter is None:
            return False
        for stop in self._stops:
            if stop in text:
                return False
        return prefilter.passes(raws)

    def _values(self, name: str) -> _Values | None:
        """Return the test of a property's values; None if they have to be read."""
        try:
            return self._tests[name]
        except KeyError:
            return self._tests.setdefault(name, self._test_of(name))

    def remember(self, text: str, *, is_valid: bool) -> None:
        """Keep the result for the text of a node that may recur."""
        known = self.valid if is_valid else self.doubtful
        if len(text) <= MAX_CACHED_LENGTH:
            if len(known) > MAX_CACHED:
                known.clear()
            known.add(text)

    def may_be_together(self, names: tuple[str, ...]) -> bool:
        """Return whether properties of these names may be together in any node but the first."""
        known = self._sets.get(names)
        if known is None:
            known = self._sets[names] = self._may_be_together(list(map(capitals, names)))
        return known

    def _may_be_together(self, idents: list[str]) -> bool:
        rules = [self.kind.rule(ident) for ident in idents]
        categories = {rule.category for rule in rules if rule is not None}
        return (
            None not in rules
            and not categories & {Category.ROOT, Category.GAME_INFO}
            and not may_fire(idents, categories, self.kind.table, lints=self.lints)
        )

    def _tests_of(self, names: tuple[str, ...]) -> list[_Values] | None:
        """Return the tests of properties of these names; None if they may not be
        together, or have to be read.
        """
        tests = [test for test in map(self._values, names) if test is not None]
        return tests if len(tests) == len(names) and self.may_be_together(names) else None

    def _test_of(self, name: str) -> _Values | None:
        rule = self.kind.rule(capitals(name))
        if self._cells is not None:
            return self._on_board(name, rule, self._cells)
        if rule is None or rule.form or not self._is_plain(rule):
            return None
        single = rule.count is Count.ONE
        if rule.types in PLAIN_TEXTS:
            return _Values(_ANY.fullmatch, single=single, different=False)
        patterns = [self._expression(kinds) for kinds in rule.types if kinds != kinds[:1] * 2]
        if None in patterns:
            return None
        matches = re.compile("|".join(f"(?:{pattern})" for pattern in patterns)).fullmatch
        accepts: Callable[[str], object] = matches
        given = find_range(rule.ident, rule.format, self.kind.game)
        if given is not None:
            accepts = _in_range(matches, given)
        return _Values(accepts, single=single, different=not single)

    def _on_board(self, name: str, rule: PropertyRule | None, cells: Cells) -> _Values | None:
        """Return the test of the same prefilter without a board, for values whose points
        are known to be on the board.
        """
        anywhere = prefilter_of(self.kind, lints=self.lints)._values(name)  # noqa: SLF001  # a prefilter
        texts = None if rule is None else cells.texts(rule)
        if anywhere is None or rule is None or texts is None:
            return anywhere
        if rule.types == LABELS:
            return anywhere._replace(accepts=_labels(anywhere.accepts, texts))
        return anywhere._replace(
            accepts=texts.get if cells.is_go else _points(anywhere.accepts, texts)
        )

    def _is_plain(self, rule: PropertyRule) -> bool:
        """Return whether the pattern of its type settles all that is checked of its values."""
        checks = VALUE_CHECKS.of(rule) + (VALUE_LINTS.of(rule) if self.lints else ())
        return all(check.prefiltered(rule) or self._needs_character(check) for check in checks)

    def _needs_character(self, check: ValueCheck) -> bool:
        """Return whether texts without the characters of :attr:`_stops` satisfy the check."""
        return check.contains != "" and check.contains in self._stops

    def _expression(self, kinds: tuple[str, ...]) -> str | None:
        """Return a pattern that accepts only values of a type; None if there is none."""
        first, *second = kinds
        pattern = self.kind.reader.expression(first) if first in PLAIN else None
        if pattern is None or not second:
            return pattern and f"(?={_NOT_LONG})(?:{pattern})"
        if second[0] not in {"text", "simpletext"}:
            return None
        return f"(?={_NOT_LONG})(?:{pattern}):{PLAIN_TEXT}"


def prefilter_of(kind: Kind, *, lints: bool, cells: Cells | None = None) -> Prefilter:
    """Return the prefilter for a kind of game and a board of such cells; always the same one."""
    key = (lints, None if cells is None else cells.size)
    prefilter: Prefilter | None = kind.prefilters.get(key)
    if prefilter is None:
        if len(kind.prefilters) > MOST_BOARDS:
            kind.prefilters.clear()
        prefilter = kind.prefilters[key] = Prefilter(kind, lints=lints, cells=cells)
    return prefilter


#: At most this many boards of a kind of game have a prefilter.
MOST_BOARDS = 1 << 6


def valid_values(rules: RuleSet) -> Callable[[str, Sequence[str]], bool]:
    """Return what tells of a property's name and raw values whether they are surely valid."""
    return prefilter_of(rules.kind, lints=False).passes_values

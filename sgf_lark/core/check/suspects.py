"""Suspects: the properties and nodes of a game that may have findings.

Each property is read and checked once, by the finders themselves, and what has no finding is
remembered: a board has few points, and games say the same of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from sgf_lark.core.grammar.tokens import split_values
from sgf_lark.core.memo import Memo
from sgf_lark.core.model.finders import FINDERS, On, Settles, are_needed
from sgf_lark.core.model.readings import LONGEST_KEPT, MAX_NAMES
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.model.tape import Tape, Values, raws_of
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import Category
from sgf_lark.core.schema.values import BoardSize
from sgf_lark.core.values.kinds import PLAIN_TEXTS, NotOfType

from .check_game import DECLARATIONS, Suspected
from .off_board import OffBoard
from .value_lints import faults_of

#: Limits of what is remembered: properties without findings, and sets of names.
MAX_CLEAN, MAX_ROOTS = 1 << 15, 1 << 12


class SuspectFinder:
    """Finds what may have findings, in games of a rule set and a size of the board."""

    def __init__(self, rules: RuleSet, *, lints: bool, size: BoardSize | None = None) -> None:
        self._rules, self._lints = rules, lints
        self._board = OffBoard(rules, size)
        self._clean: set[tuple[str, Values]] = set()
        self._quick = Memo(self._find_quick, MAX_NAMES)
        self._roots = Memo(self._find_root, MAX_ROOTS)
        self._of_values = FINDERS.on(On.VALUES, rules.format, lints=lints)
        odd = "".join(need.contains for one in self._of_values for need in one.only_if or ())
        self._odd = re.compile(f"[\0{re.escape(odd)}]").search
        finders = FINDERS.on(On.TREE, rules.format, lints=lints)
        #: Those that look at some nodes only; the others see all anyway.
        self._of_trees = [finder for finder in finders if finder.only_if is not None]

    def suspects(self, tape: Tape) -> Suspected:
        columns = tape.columns
        names, values, bounds = columns.names, columns.values, columns.bounds
        found: dict[int, list[int]] = {}
        is_different = partial(self._are_different, values, bounds)
        unclean = self.unclean(names, values)
        for place, key in enumerate(zip(names, values, strict=True)) if unclean else ():
            if key in unclean:
                node = bisect_right(bounds, place) - 1
                found.setdefault(node, []).append(place - bounds[node])
        every = map(tuple, map(names.__getitem__, map(slice, bounds, bounds[1:])))
        next(every, None)
        if not self._accepts_root(names[: bounds[1] if bounds[1:] else 0], values):
            found.setdefault(0, [])
        looks = {shape: rivals for shape in {*every} if (rivals := self._needs_look(shape)) != []}
        for node, (at, end) in enumerate(pairwise(bounds)) if looks else ():
            shape = tuple(names[at:end])
            if node and shape in looks and not is_different(node, looks[shape]):
                found.setdefault(node, [])
        return {node: found[node] for node in sorted(found)}

    def unclean(self, names: list[str], values: Sequence[Values]) -> set[tuple[str, Values]]:
        new = {*zip(names, values)} - self._clean  # noqa: B905
        return {key for key in new if not self._is_clean(key)}

    def accepts(self, name: str, values: Values) -> bool:
        """Return whether a property of that name and those values has no findings."""
        key = name, values
        return key in self._clean or self._is_clean(key)

    def _is_clean(self, key: tuple[str, Values]) -> bool:
        name, values = key
        if not (isinstance(values, str) and self._is_plain(name, values)):
            reading = self._rules.readings[name][values]
            if (
                reading.rule is None
                or self._board.of_property(reading)
                or faults_of(reading, self._rules, lints=self._lints)
            ):
                return False
        if isinstance(values, str) and len(values) <= LONGEST_KEPT:
            if len(self._clean) >= MAX_CLEAN:
                self._clean.clear()
            self._clean.add(key)
        return True

    def _is_plain(self, name: str, values: str) -> bool:
        quick = self._quick[name]
        if quick is None or values == "[]":
            return False
        if self._odd(values) is not None:
            return False
        if isinstance(quick, set):
            return values.islower() and self._are_known(name, values, quick)
        if values.find("[", 1) >= 0 and ("][" in values or _NAMED.search(values, 1)):
            return False
        if quick is not True:
            try:
                quick(values[1:-1])
            except NotOfType:
                return False
        return True

    def _are_known(self, name: str, values: str, texts: set[str]) -> bool:
        raws = split_values(values)
        if len(raws) > 1 and (self._rules.readings[name].is_one or len({*raws}) < len(raws)):
            return False
        return texts.issuperset(raws)

    def _find_quick(self, name: str) -> Any:
        """Return a test that rejects all single values with findings; True: all are valid."""
        of = self._rules.readings[name]
        rule = of.rule
        if rule is None:
            return None
        conditions = [finder.condition(rule) for finder in self._of_values]
        needs = [condition for condition in conditions if condition is not None]
        others = [need for need in needs if not (need.contains or (need.alike and rule.is_points))]
        if others:
            return None
        if rule.has_points:
            is_listed = (rule.is_points or rule.type == "move") and not rule.form
            known = self._board.known if is_listed else None
            return None if known is None else known.of_rule(rule)
        if not rule.form and rule.types in PLAIN_TEXTS and not self._rules.reader.is_custom:
            return True
        is_doubtful = any("application" in kinds for kinds in (*rule.types, (rule.form,)))
        return None if is_doubtful else self._rules.reader.value_reader(rule)

    # ---- nodes ----

    def _needs_look(self, shape: tuple[str, ...]) -> list[list[int]] | None:
        """Return places of points no two of which may be alike; None if a check asks for it."""
        idents = [self._rules.ident(name) for name in shape]
        categories, table = self._categories(idents), self._rules.table
        if any(
            are_needed(finder.only_if or (), idents, categories, table) for finder in self._of_trees
        ):
            return None
        return self._rivals(idents, categories)

    def _rivals(self, idents: list[str], categories: set[Category]) -> list[list[int]] | None:
        table = self._rules.table
        needs = FINDERS.needed(idents, categories, table, lints=self._lints)
        if needs is None or not all(need.alike for need in needs):
            return None
        groups = {need.wanted(table) for need in needs}
        return [[place for place, ident in enumerate(idents) if ident in group] for group in groups]

    def _are_different(
        self,
        values: Sequence[Values],
        bounds: Sequence[int],
        node: int,
        rivals: list[list[int]] | None,
    ) -> bool:
        if rivals is None:
            return False
        for places in rivals:
            every = "".join([str(values[bounds[node] + place]) for place in places])
            points = _POINTS.findall(every.lower())
            if ":" in every or len({*points}) < len(points) or not "".join(points).isalnum():
                return False
        return True

    def _accepts_root(self, names: list[str], values: Sequence[Values]) -> bool:
        rivals, settling = self._roots[tuple(names)]
        return self._are_different(values, [0], 0, rivals) and all(
            settles(raws_of(values[place])[0], self._rules) for place, settles in settling
        )

    def _find_root(
        self, names: tuple[str, ...]
    ) -> tuple[list[list[int]] | None, list[tuple[int, Settles]]]:
        """Return the rivals in a root, None to look at it, and what its values have to satisfy."""
        idents = [*map(self._rules.ident, names)]
        categories, is_ggf = self._categories(idents), self._rules.format is Format.GGF
        is_declared = categories & OF_A_GAME if is_ggf else "FF" in idents
        roots = [{} if is_ggf else DECLARATIONS, *(one.root for one in self._of_trees)]
        if not is_declared or None in roots:
            return None, []
        return self._rivals(idents, categories), [
            (place, root[ident])
            for root in roots
            for place, ident in enumerate(idents)
            if root is not None and ident in root
        ]

    def _categories(self, idents: Iterable[str]) -> set[Category]:
        rules = map(self._rules.rule, idents)
        return {rule.category for rule in rules if rule is not None}


#: A bracket within a value that may begin the value of a property which this one has swallowed.
_NAMED = re.compile(r"[A-Z]\s?\[")

#: What is in a bracket, up to a colon.
_POINTS = re.compile(r"\[([^:\]]*+)")

#: Without a property of these, a game of GGF may be a part of the one before it.
OF_A_GAME = frozenset({Category.ROOT, Category.GAME_INFO})

#: At most this many boards of a rule set have their verdicts kept.
MAX_BOARDS = 1 << 6


def suspect_finder(rules: RuleSet, size: BoardSize | None, *, lints: bool) -> SuspectFinder:
    """Return the finder of a rule set for a size, or the usual one; always the same."""
    key = lints, size or rules.game.usual_size
    found: SuspectFinder | None = rules.suspect_finders.get(key)
    if found is None:
        if len(rules.suspect_finders) >= MAX_BOARDS:
            rules.suspect_finders.clear()
        found = rules.suspect_finders[key] = SuspectFinder(rules, lints=lints, size=key[1])
    return found

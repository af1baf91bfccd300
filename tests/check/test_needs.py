"""Rules that say what they need, made up by chance: the typed reader passes over nothing of theirs.

A rule that says nothing of its needs always runs; one that does is asked wherever they hold.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from itertools import chain
from typing import Any, TypeVar
from zlib import crc32

import pytest
from support.chance import record
from support.lanes import amount

import sgf_lark
from sgf_lark.api import pipeline
from sgf_lark.check import check_game, node_rules, tree_rules, typed_reader, value_lints
from sgf_lark.check.node_rules import Needs, NodeCheck
from sgf_lark.check.tree_rules import TreeCheck
from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.model import constraints
from sgf_lark.model.constraints import On, ValueCheck
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Content, Property, category
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.schema.properties import Category, Group, PropertyRule, PropertyTable

#: Names that no fix and no other rule looks at.
NAMES = ("figure-flags", "long-label", "doubtful-number", "useless-setup")

#: Characters that a check may mind in a value.
MINDED = ("\\", "\r\n", "é", "者", "者", "a", "5", "]", ":", "-", "^", " ", "[", "\0", "A-", "+.")

#: Identifiers of any format, those of the nodes of most games more often than others.
IDENTS = sorted({rule.ident for rule in PropertyTable.standard()}) + 12 * [
    *("B", "W", "C", "N", "AB", "BL", "OW", "MN", "TR", "LB")
]


Made = TypeVar("Made")


class Chance:
    """Decides what a made-up check reports: always the same of the same, and not of all."""

    def __init__(self, dice: random.Random) -> None:
        self._salt = str(dice.random())
        self._one_of = dice.choice((1, 1, 2, 4))
        self.name = dice.choice(NAMES)

    def reports(self, *texts: object) -> bool:
        return crc32(repr((self._salt, texts)).encode()) % self._one_of == 0

    def finding(self, **where: Any) -> Finding:
        return Finding(self.name, f"found {self._salt}", **where)


def some_idents(dice: random.Random) -> frozenset[str]:
    return frozenset(dice.choices(IDENTS, k=dice.choice((1, 2, 5, 20))))


# ---- checks made up by chance ----


def value_check(dice: random.Random) -> ValueCheck:
    """A check of values, of any properties."""
    chance, minded = Chance(dice), dice.choice(("", dice.choice(MINDED)))

    def look(prop: Property, _: RuleSet) -> Iterator[Finding]:
        for index, raw in enumerate(prop.raw):
            contains = not minded or any(char in raw for char in minded)
            if contains and chance.reports(prop.ident, raw, minded or prop.raw):
                yield chance.finding(value_index=index)

    on = dice.choice((On.EVERY, On.POINT_LISTS, On.LINES, some_idents(dice), some_idents(dice)))
    return ValueCheck((chance.name,), look, on, contains=minded)


def some_needs(dice: random.Random) -> Needs:
    """What a node must have, one condition or more."""
    kinds = dice.sample(("idents", "alike", "categories", "repeated"), dice.choice((1, 1, 1, 2)))
    needs = Needs()
    if "idents" in kinds or "alike" in kinds:
        idents = dice.choice((some_idents(dice), dice.choice([*Group])))
        several = dice.choice((1, 2, 2, 3))
        needs = needs._replace(idents=idents, several=several, alike="alike" in kinds)
    if "categories" in kinds:
        categories = dice.choices([*Category], k=dice.choice((1, 1, 2)))
        needs = needs._replace(categories=frozenset(categories))
    if dice.random() < 0.3:
        needs = needs._replace(without=some_idents(dice))
    return needs._replace(repeated="repeated" in kinds)


def has(content: Content, needs: Needs, table: PropertyTable) -> bool:
    """The meaning of needs, said once more: of the properties themselves."""
    idents = [prop.ident for prop in content]
    wanted = table.group(needs.idents) if isinstance(needs.idents, Group) else needs.idents
    theirs = [prop for prop in content if prop.ident in wanted]
    points = [raw.partition(":")[0] for prop in theirs for raw in prop.raw]
    return (
        not needs.without.intersection(idents)
        and (not wanted or len({prop.ident for prop in theirs}) >= needs.several)
        and needs.categories <= set(map(category, content))
        and (len(set(idents)) < len(idents) or not needs.repeated)
        and (len(set(points)) < len(points) or not needs.alike)
    )


def node_check(dice: random.Random) -> NodeCheck:
    """A check of nodes, with needs or without."""
    chance, needs = Chance(dice), tuple(some_needs(dice) for _ in range(dice.choice((0, 1, 1, 2))))

    def look(content: Content, rules: RuleSet) -> Iterator[Finding]:
        if content and (not needs or any(has(content, one, rules.table) for one in needs)):
            place = crc32(str(content[0]).encode()) % len(content)
            if chance.reports(*map(str, content)):
                yield chance.finding(property_index=place)

    return NodeCheck((chance.name,), look, needs or None)


def tree_check(dice: random.Random) -> TreeCheck:
    """A check of trees: of the nodes that it needs, and of some properties of the root."""
    chance = Chance(dice)
    needs = dice.choice((None, (), (some_needs(dice),), (some_needs(dice), some_needs(dice))))
    of_root = dice.choice((None, some_idents(dice)))

    def look(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
        for node in suspects:
            content = nodes.contents[node]
            if node == 0 and needs is not None and of_root is not None:
                wanted = any(prop.ident in of_root and prop.raw[0] != "1" for prop in content)
            else:
                is_root = node == 0 or needs is None
                wanted = is_root or any(has(content, one, nodes.rules.table) for one in needs or ())
            if wanted and chance.reports(node, *map(str, content)):
                yield chance.finding(node=node)

    root = None if of_root is None else dict.fromkeys(of_root, is_one)
    return TreeCheck((chance.name,), look, needs, root)


def is_one(raw: str, _: RuleSet) -> bool:
    return raw == "1"


# ---- records, read by tables with such checks ----


def some(make: Callable[[random.Random], Made], dice: random.Random) -> list[Made]:
    return [make(dice) for _ in range(dice.choice((0, 0, 1, 1, 3)))]


def put_into_tables(patch: pytest.MonkeyPatch, dice: random.Random) -> None:
    """Put made-up checks among those that there are."""
    for checks in (constraints.VALUE_CHECKS, value_lints.VALUE_LINTS):
        more = constraints.ValueChecks(*checks.checks, *some(value_check, dice))
        for name, value in vars(more).items():
            patch.setattr(checks, name, value)
    for table in ("NODE_CHECKS", "NODE_LINTS"):
        nodes = (*getattr(node_rules, table), *some(node_check, dice))
        for module in (node_rules, check_game, typed_reader):
            patch.setattr(module, table, nodes)
    for table in ("TREE_CHECKS", "TREE_LINTS"):
        trees = (*getattr(tree_rules, table), *some(tree_check, dice))
        patch.setattr(tree_rules, table, trees)


def findings(text: str, table: PropertyTable, engine: str = "auto") -> list[str]:
    """Return all findings of who loads and of who checks."""
    loaded = sgf_lark.loads(text, strict=False, table=table, engine=engine).diagnostics
    checked = sgf_lark.check(StringIO(text), table=table, engine=engine, max_diagnostics=0)
    return [repr(one) for one in chain(loaded, ["checked:"], checked)]


def findings_without_typed_reader(text: str, table: PropertyTable) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "typed_reader", lambda *_, **__: None)
        patch.setattr(check_game, "may_fire", lambda *_, **__: True)
        return findings(text, table)


def new_table(case: int) -> PropertyTable:
    """Return a table that no case before had: rule sets are kept by their tables."""
    name = "Z" + "".join(chr(ord("A") + int(digit)) for digit in str(case))
    row = PropertyRule(format="FF4", ident=name, name="made up", type="text")
    return PropertyTable.standard().extend(row)


@pytest.mark.both_lanes
def test_made_up_rules_find_the_same_with_and_without_the_typed_reader_and_in_both_engines() -> (
    None
):
    for case in range(amount(60, 2000)):
        dice, table = random.Random(case), new_table(case)  # noqa: S311  # no secrets
        with pytest.MonkeyPatch.context() as patch:
            put_into_tables(patch, dice)
            patch.setattr(typed_reader, "MIN_NODES", dice.choice((-1, -1, 1000)))
            for _ in range(4):
                text = record(PropertyTable.standard(), dice)
                found = findings(text, table)
                assert found == findings_without_typed_reader(text, table), (case, text)
            assert found == findings(text, table, "lark"), (case, text)

"""Rules that say what they need, made up by chance: nothing of theirs is passed over.

A rule that says nothing of its needs always runs; one that does is asked wherever they hold.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from typing import Any
from zlib import crc32

import pytest
from support.chance import record
from support.damage import changed
from support.lanes import amount, one_in
from support.made_up import findings, findings_of_all, new_table, put_among

import sgf_lark
from sgf_lark.core.check import check_game, judge
from sgf_lark.core.findings.finding import RULES, Finding
from sgf_lark.core.model.finders import EVERY, TREES, Finder, On, OnlyIf, Properties
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import Property, category
from sgf_lark.core.model.readings import Content
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.schema.properties import Category, Group, PropertyTable

#: Names that no fix and no other rule looks at.
NAMES = ("figure-flags", "long-label", "doubtful-number", "useless-setup")

#: Characters that a check may mind in a value.
MINDED = ("\\", "\r\n", "é", "者", "者", "a", "5", "]", ":", "-", "^", " ", "[", "\0", "A-", "+.")

#: Identifiers of any format, those of the nodes of most games more often than others.
IDENTS = sorted({rule.ident for rule in PropertyTable.standard()}) + 12 * [
    *("B", "W", "C", "N", "AB", "BL", "OW", "MN", "TR", "LB")
]


class Chance:
    """Decides what a made-up check reports: always the same of the same, and not of all."""

    def __init__(self, dice: random.Random) -> None:
        self._salt = str(dice.random())
        self._one_of = dice.choice((1, 1, 2, 4))
        self.name = dice.choice(NAMES)

    def reports(self, *texts: object) -> bool:
        return crc32(repr((self._salt, texts)).encode()) % self._one_of == 0

    def finding(self, **where: Any) -> Finding:
        return RULES[self.name].found(f"found {self._salt}", **where)


def made_up(
    name: str,
    look: Callable[..., Iterator[Finding]],
    on: On,
    only_if: tuple[OnlyIf, ...] | None,
    root: Any = None,
    *,
    is_lint: bool,
) -> Finder:
    formats = TREES if on is On.NODE and not is_lint else EVERY
    return Finder((RULES[name],), look, on, only_if, root, formats, is_lint)


def some_idents(dice: random.Random) -> frozenset[str]:
    return frozenset(dice.choices(IDENTS, k=dice.choice((1, 2, 5, 20))))


# ---- checks made up by chance ----


def value_check(dice: random.Random, *, lints: bool) -> Finder:
    """A check of values, of any properties."""
    chance, minded = Chance(dice), dice.choice(("", dice.choice(MINDED)))

    def look(prop: Property, _: RuleSet) -> Iterator[Finding]:
        for index, raw in enumerate(prop.raw):
            contains = not minded or any(char in raw for char in minded)
            if contains and chance.reports(prop.ident, raw, minded or prop.raw):
                yield chance.finding(value_index=index)

    on = dice.choice(
        (
            frozenset(),
            Properties.POINT_LISTS,
            Properties.LINES,
            some_idents(dice),
            some_idents(dice),
        )
    )
    return made_up(chance.name, look, On.VALUES, (OnlyIf(on),), is_lint=lints)


def some_needs(dice: random.Random) -> OnlyIf:
    """What a node must have, one condition or more."""
    kinds = dice.sample(("idents", "alike", "categories", "repeated"), dice.choice((1, 1, 1, 2)))
    needs = OnlyIf()
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


def has(content: Content, needs: OnlyIf, table: PropertyTable) -> bool:
    """The meaning of needs, said once more: of the properties themselves."""
    idents = [prop.ident for prop in content]
    wanted = needs.wanted(table)
    theirs = [prop for prop in content if prop.ident in wanted]
    points = [raw.partition(":")[0] for prop in theirs for raw in prop.raw]
    return (
        not needs.without.intersection(idents)
        and (not wanted or len({prop.ident for prop in theirs}) >= needs.several)
        and needs.categories <= set(map(category, content))
        and (len(set(idents)) < len(idents) or not needs.repeated)
        and (len(set(points)) < len(points) or not needs.alike)
    )


def node_check(dice: random.Random, *, lints: bool) -> Finder:
    """A check of nodes, with needs or without."""
    chance, needs = Chance(dice), tuple(some_needs(dice) for _ in range(dice.choice((0, 1, 1, 2))))

    def look(content: Content, rules: RuleSet) -> Iterator[Finding]:
        if content and (not needs or any(has(content, one, rules.table) for one in needs)):
            place = crc32(str(content[0]).encode()) % len(content)
            if chance.reports(*map(str, content)):
                yield chance.finding(property_index=place)

    return made_up(chance.name, look, On.NODE, needs or None, is_lint=lints)


def tree_check(dice: random.Random, *, lints: bool) -> Finder:
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
    return made_up(chance.name, look, On.TREE, needs, root, is_lint=lints)


def is_one(raw: str, _: RuleSet) -> bool:
    return raw == "1"


# ---- records, read by tables with such checks ----


def some(dice: random.Random) -> Iterator[Finder]:
    """Make up finders of all kinds."""
    for make in (value_check, node_check, tree_check):
        for lints in (False, True):
            yield from [make(dice, lints=lints) for _ in range(dice.choice((0, 0, 1, 1, 3)))]


#: The cases are tested in this many parts, so that several processes share them.
PARTS = 2


@pytest.mark.both_lanes
@pytest.mark.parametrize("part", one_in(PARTS, range(PARTS)))
def test_made_up_rules_find_the_same_whether_or_not_only_suspects_are_looked_at_and_in_both_engines(
    part: int,
) -> None:
    for case in range(part, amount(4, 100), PARTS):
        dice, table = random.Random(case), new_table()  # noqa: S311  # no secrets
        with pytest.MonkeyPatch.context() as patch:
            put_among(patch, some(dice))
            for _ in range(4):
                text = record(PropertyTable.standard(), dice)
                found = findings(text, table)
                assert found == findings_of_all(text, table), (case, text)
            assert found == findings(text, table, "lark"), (case, text)


# ---- examples ----

#: Records of which a finder of suspects that is a little too lenient passes over one.
EXAMPLES = (
    "(;FF[4]GM[1]SZ[9];LB[aa:x[bb:y])",
    "(;FF[4]GM[99];LB[x:y][[aa:b])",
    "(;FF[4]GM[1]SZ[9];C[a;W[bb])",
    "(;FF[4]GM[1]SZ[9];LB[aa:b:c];LB[bb:b][aa:b:c])",
    "(;FF[4]GM[1]SZ[9]AP[a:b:c];FG[1:a:b])",
    "(;FF[4]GM[1]SZ[9]CA[klingon];B[aa])",
    "(;FF[4]GM[1]SZ[9]B[aa];W[bb])",
    "(;FF[4]GM[1]SZ[9];AB[aa]AW[aa];TR[aa]SQ[bb][aa])",
    "(;FF[4]GM[2];AB[d3]AW[D3];TR[d3][D3];B[i9])",
    "(;FF[4]GM[1]SZ[9];B[aa]C[x]C[y];C[x]N[y]C[z];C[x]CR[aa]C[y])",
    "(;FF[4]GM[1]SZ[9];AR[aa:zz];LN[zz:aa];VW[zz];LB[zz:a];B[zz])",
    "(;FF[4]GM[1]SZ[9];AB[aa:bb][bb];TR[bb:aa];SQ[aa:aa];CR[aa][aa])",
    "(;FF[4]GM[1]SZ[9];OB[-1]MN[0]PM[3];N[];C[];C[a\0b];N[a\0])",
    "(;FF[3]GM[1]SZ[9];B[];HA[1];BS[-1])(;FF[5];B[aa])(;FF[4]GM[77];B[aa])(;GM[1]SZ[9];B[aa])",
    "(;FF[4]GM[1]SZ[9]" + ";B[aa];W[bb]" * 150 + ";B[aa]W[bb];C[x]C[y])",
    "(;FF[3]GM[1]SZ[9];Black[aa]CoMment[x]Comment[y];White[zz])",
)


@pytest.mark.parametrize("text", one_in(5, EXAMPLES))
def test_no_finding_is_passed_over_in(text: str) -> None:
    table = new_table()
    found = findings(text, table)

    assert found == findings_of_all(text, table)
    assert found == findings(text, table, "lark")
    assert len(found) > 1


#: Needs that no pair of properties has, or only one of two moves, or some kind of node.
NEEDS = (
    OnlyIf(frozenset("C")),
    OnlyIf(frozenset("WC"), 2),
    OnlyIf(frozenset("BN"), 2),
    OnlyIf(frozenset("CNV"), 3),
    OnlyIf(frozenset("CNV"), 3, without=frozenset({"BL"})),
    OnlyIf(frozenset({"C", "N", "GB"}), 3),
    OnlyIf(frozenset("CN"), 2, categories=frozenset({Category.MOVE})),
    OnlyIf(categories=frozenset({Category.MOVE, Category.NONE})),
    OnlyIf(frozenset({"AB", "TR"}), 2, alike=True),
    OnlyIf(Group.MARKS, alike=True),
    OnlyIf(repeated=True),
)

#: Nodes that have these needs, and others.
NODES = (
    "(;FF[4]GM[1]SZ[9];B[aa]C[x];W[bb]C[x];C[x]N[y]V[1];C[x]N[y]GB[1];W[cc]C[x]N[y];B[dd]N[y]"
    ";C[x]N[y]V[1]BL[2];B[ee];C[x];AB[aa]TR[aa];AB[aa]TR[bb];TR[aa][bb];TR[cc][cc];C[x]C[y];N[x]V[1])"
)


@pytest.mark.parametrize("on", [On.NODE, On.TREE])
@pytest.mark.parametrize("is_lint", [False, True])
@pytest.mark.parametrize("needs", one_in(4, NEEDS))
def test_a_finder_is_asked_wherever_its_needs_hold(
    on: On,
    *,
    is_lint: bool,
    needs: OnlyIf,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def of_node(content: Content, rules: RuleSet) -> Iterator[Finding]:
        if has(content, needs, rules.table):
            yield RULES["useless-setup"].found("found", property_index=0)

    def of_tree(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
        for node in suspects:
            if has(nodes.contents[node], needs, nodes.rules.table):
                yield RULES["useless-setup"].found("found", node=node)

    look = of_tree if on is On.TREE else of_node
    put_among(monkeypatch, [made_up("useless-setup", look, on, (needs,), is_lint=is_lint)])
    table = new_table()
    found = sgf_lark.check(StringIO(NODES), table=table)

    nodes = sgf_lark.loads(NODES, strict=False)[0].nodes
    wanted = [node for node, one in enumerate(nodes.contents) if has(one, needs, table)]
    assert wanted
    assert sum(one.message == "found" for one in found) == len(wanted)


@pytest.mark.night
@pytest.mark.both_lanes
def test_mended_games_have_the_same_findings_whether_or_not_only_suspects_are_looked_at() -> None:
    dice, table = random.Random(3), PropertyTable.standard()  # noqa: S311  # no secrets
    mended = 0
    for _ in range(amount(15, 300)):
        text = changed(record(table, dice).encode(), dice).decode(errors="replace")
        found = findings(text, table)
        mended += any("'S1" in one for one in found)
        assert found == findings_of_all(text, table), text
    assert mended > 2


def test_the_valid_nodes_of_a_mended_game_are_no_suspects(monkeypatch: pytest.MonkeyPatch) -> None:
    check, seen = check_game.check_game, list[list[int]]()

    def note(*given: Any) -> Any:
        seen.append([*given[3].nodes])
        return check(*given)

    monkeypatch.setattr(judge, "check_game", note)
    (game,) = sgf_lark.loads("(;FF[4]GM[1]SZ[19];B[pd];W[d;d];B[dd]x;W[pp];B[zz]", strict=False)
    _ = game.diagnostics

    assert seen == [[2, 5]]

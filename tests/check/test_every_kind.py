"""A rule of every kind, made up: whatever it looks at, and whoever reads, it finds the same."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import pytest
from support.lanes import one_in
from support.made_up import new_table, pass_over_nothing, put_among

import sgf_lark
from sgf_lark import RULES
from sgf_lark.core.check import outside_games
from sgf_lark.core.check.across_games import FileFold
from sgf_lark.core.findings import finding as findings
from sgf_lark.core.findings.finding import Finding, Rule
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.finders import EVERY, Finder, On, OnlyIf
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import Property
from sgf_lark.core.model.readings import Content
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import EngineName
from sgf_lark.games.hex import HexState

#: The rules find ``???`` in comments, text between games, and files of several games.
TEXT = (
    "(;FF[4]GM[11]SZ[9];B[a1]C[???];W[b2]C[fine];B[c3]C[N???]) words"
    " (;FF[4]GM[11]SZ[9];B[a1];W[b2]C[???])"
)

#: The games in it.
GAMES = 2

#: Makes a rule look at texts.
Put: TypeAlias = Callable[[pytest.MonkeyPatch, Rule], None]


def asks(content: Content) -> bool:
    return any(prop.ident == "C" and "???" in prop.raw[0] for prop in content)


# ---- the kinds ----


def put_finder(
    patch: pytest.MonkeyPatch, rule: Rule, on: On, needs: OnlyIf, look: Callable[..., Any]
) -> None:
    put_among(patch, [Finder((rule,), look, on, (needs,), None, EVERY, is_lint=False)])


def of_values(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    def look(prop: Property, _: RuleSet) -> Iterator[Finding]:
        if "???" in prop.raw[0]:
            yield rule.found("found", value_index=0)

    put_finder(patch, rule, On.VALUES, OnlyIf(frozenset("C")), look)


def of_nodes(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    def look(content: Content, _: RuleSet) -> Iterator[Finding]:
        if asks(content):
            yield rule.found("found", property_index=0)

    put_finder(patch, rule, On.NODE, OnlyIf(frozenset("C")), look)


def of_trees(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    def look(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
        for node in suspects:
            if asks(nodes.contents[node]):
                yield rule.found("found", node=node)

    put_finder(patch, rule, On.TREE, OnlyIf(frozenset("C")), look)


def of_games(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    def look(game: GameTree, _: frozenset[str]) -> Iterator[Finding]:
        for node, content in enumerate(game.nodes.contents):
            if asks(content):
                yield rule.found("found", node=node)

    patch.setattr(HexState, "check", look)


def of_text(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    check = outside_games.check_outside_games

    def look(text: str, part: Any, *arguments: Any, **options: Any) -> list[Finding]:
        found = check(text, part, *arguments, **options)
        at = text.find("words", part.start, part.end)
        return [*found, rule.found("found", Span(at, at + 5))] if at >= 0 else found

    replace(patch, check, look)


def of_files(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    add = FileFold.add

    def look(fold: FileFold, new: Any) -> list[Finding]:
        found = add(fold, new)
        return [*found, rule.found("found", Span(0, 1))] if fold.number == GAMES else found

    patch.setattr(FileFold, "add", look)


def replace(patch: pytest.MonkeyPatch, function: Any, other: Any) -> None:
    """Replace a function wherever it was imported."""
    name = function.__name__
    for module in [*sys.modules.values()]:
        if vars(module).get(name) is function:
            patch.setattr(module, name, other)


#: Of each kind, what its rule finds.
KINDS: dict[Put, list[str]] = {
    of_text: ["words"],
    of_values: ["???", "N???", "???"],
    of_nodes: ["B[a1]", "B[c3]", "W[b2]"],
    of_trees: [";", ";", ";"],
    of_games: [";", ";", ";"],
    of_files: ["("],
}


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rule]:
    """A rule that is registered during a test."""
    monkeypatch.setattr(findings, "_registered", {**dict(RULES)})
    vars(RULES).pop("_all")
    yield findings.register("V399 made-up warning: a made-up fault")
    vars(RULES).pop("_all", None)


@pytest.mark.parametrize("is_filtered", [True, False])
@pytest.mark.parametrize("engine", ["auto", "lark"])
@pytest.mark.parametrize("put", one_in(3, KINDS), ids=lambda put: put.__name__)
def test_a_made_up_rule_is_found_by_both_engines_whether_or_not_only_suspects_are_looked_at(
    put: Put,
    engine: EngineName,
    *,
    is_filtered: bool,
    rule: Rule,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(monkeypatch, rule)
    if not is_filtered:
        pass_over_nothing(monkeypatch)
    table = new_table()

    def found(findings: Any) -> list[str]:
        mine = sorted((one.offset, one.end_offset) for one in findings if one.code == rule.code)
        return [TEXT[slice(*place)] for place in mine]

    assert rule in RULES.values()
    assert found(sgf_lark.check(io.StringIO(TEXT), table=table, engine=engine)) == KINDS[put]
    loaded = sgf_lark.loads(TEXT, strict=False, table=table, engine=engine).diagnostics
    assert found(loaded) == ([] if put is of_games else KINDS[put])

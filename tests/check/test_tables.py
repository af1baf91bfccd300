"""The registries: of rules, of the functions that find what they are about, and of fixers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sgf_lark
from sgf_lark import Format
from sgf_lark.core.findings.catalogue import catalogue
from sgf_lark.core.fix.place import FIXERS, OF_TEXT
from sgf_lark.core.model.finders import FINDERS, Finder, On

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import GameTree

FOUND = {
    f"{finder.on.name} {finder.look.__name__} {number}": finder
    for number, finder in enumerate(FINDERS.all)
}

#: What no example of the catalogue shows.
MORE = ("(;FF[4]GM[1]RO[third]RU[japanese])", "(;GM[Othello]PC[a]PC[b]TY[8];)")


def games() -> Iterator[GameTree]:
    """The games of all examples of the catalogue."""
    for entry in catalogue().values():
        for text in (*entry.wrong, *entry.right):
            yield from sgf_lark.loads(
                text, format=Format.named(entry.format) if entry.format else None, strict=False
            )
    for text in MORE:
        yield from sgf_lark.loads(text, strict=False)


def names(finder: Finder, game: GameTree) -> Iterator[str]:
    """The names of what a finder finds in a game, wherever it looks."""
    nodes = game.nodes
    if finder.on is On.TREE:
        yield from (one.name for one in finder.look(nodes, range(len(nodes))))
        return
    for content in nodes.contents:
        if finder.on is On.NODE:
            made = finder.look(content, nodes.rules)
        else:
            made = (
                problem
                for one in content
                if one.rule is not None and finder.condition(one.rule) is not None
                for problem in finder.look(one, nodes.rules)
            )
        yield from (one.name for one in made)


@pytest.fixture(scope="module")
def found() -> dict[str, set[str]]:
    seen: dict[str, set[str]] = {which: set() for which in FOUND}
    for game in games():
        for which, finder in FOUND.items():
            seen[which].update(names(finder, game))
    return seen


def test_a_finder_names_its_rules_all_of_them_and_no_other(found: dict[str, set[str]]) -> None:
    assert found == {which: {rule.name for rule in one.rules} for which, one in FOUND.items()}


def test_what_is_fixed_is_a_rule() -> None:
    assert {*FIXERS, *OF_TEXT} <= {*sgf_lark.RULES}

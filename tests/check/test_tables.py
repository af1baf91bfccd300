"""The tables of checks: a row names the rules of its check, all of them and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import sgf_lark
from sgf_lark import Format
from sgf_lark.check.value_lints import VALUE_LINTS
from sgf_lark.diagnostics.catalogue import catalogue
from sgf_lark.fix.place import FIXERS
from sgf_lark.model.constraints import VALUE_CHECKS
from sgf_lark.model.node_rules import NODE_CHECKS, NODE_LINTS
from sgf_lark.model.tree_rules import TREE_CHECKS, TREE_LINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import GameTree

TABLES: dict[str, tuple[Any, ...]] = {
    "value": (*VALUE_CHECKS.checks, *VALUE_LINTS.checks),
    "node": (*NODE_CHECKS, *NODE_LINTS),
    "tree": (*TREE_CHECKS, *TREE_LINTS),
}
ROWS = {
    f"{kind} {row.look.__name__} {number}": (kind, row)
    for kind, rows in TABLES.items()
    for number, row in enumerate(rows)
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


def names(kind: str, row: Any, game: GameTree) -> Iterator[str]:
    """The names of what a check finds in a game, wherever it looks."""
    nodes = game.nodes
    if kind == "tree":
        yield from (one.name for one in row.look(nodes, range(len(nodes))))
        return
    for content in nodes.contents:
        if kind == "node":
            made = row.look(content, nodes.rules)
        else:
            made = (
                problem
                for one in content
                if one.rule is not None and row.is_for(one.rule)
                for problem in row.look(one, nodes.rules)
            )
        yield from (getattr(one, "problem", one).name for one in made)


@pytest.fixture(scope="module")
def found() -> dict[str, set[str]]:
    seen: dict[str, set[str]] = {which: set() for which in ROWS}
    for game in games():
        for which, (kind, row) in ROWS.items():
            seen[which].update(names(kind, row, game))
    return seen


def test_a_row_names_the_rules_of_its_check(found: dict[str, set[str]]) -> None:
    assert found == {which: {*row.rules} for which, (_, row) in ROWS.items()}


def test_what_is_fixed_is_a_rule() -> None:
    assert {*FIXERS} <= {*sgf_lark.RULES}

"""What is true of every real game record that is taken apart and merged again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corpus.dropping import is_damaged
from support.corpus import large_or_alike, true_of_records
from support.of_sgfmill import REFUSED_BY_SGFMILL, Shape, of_sgfmill

import sgf_lark
from sgf_lark import Format, PropertyTable, merge
from sgf_lark.core.schema.properties import COLORS, Category

if TYPE_CHECKING:
    from sgf_lark import Collection

#: Properties that make a node another one: moves and setup.
ACTIONS = {*COLORS} | {
    rule.ident for rule in PropertyTable.standard() if rule.category is Category.SETUP
}


def expanded(raws: list[str]) -> list[str]:
    """The values of a property, each point of a rectangle by itself, in order."""
    found: list[str] = []
    for raw in raws:
        if (corners := re.fullmatch("([a-z])([a-z]):([a-z])([a-z])", raw)) is None:
            found.append(raw)
            continue
        left, top, right, bottom = map(ord, corners.groups())
        rows = range(top, bottom + 1)
        found += [f"{chr(x)}{chr(y)}" for x in range(left, right + 1) for y in rows]
    return sorted(found)


def paths(game: Shape) -> list[tuple[object, ...]]:
    """The moves and the setup from the root to each node of a game that sgfmill has read.

    Nodes without any of these, and without others below them, may come from game info.
    """
    found: list[tuple[object, ...]] = []
    for above, raws in game:
        actions = sorted((name, *expanded(raws[name])) for name in ACTIONS.intersection(raws))
        found.append((*(found[above] if above >= 0 else ()), tuple(actions)))
    return found


def leads_on(path: tuple[object, ...]) -> bool:
    """Return whether there is a move, or setup, in the last node of a path."""
    return path[-1] != ()


@true_of_records(but=lambda which: large_or_alike(which) or which in REFUSED_BY_SGFMILL)
def merged_lines_are_the_tree_that_sgfmill_reads(_: str, collection: Collection) -> None:
    if is_damaged(collection) or any(game.format is Format.GGF for game in collection):
        return
    for game in collection:
        lines = [game.variation(leaf.path) for leaf in game.leaves()[:50]]
        tree = merge(*lines)
        (theirs,) = map(paths, of_sgfmill(sgf_lark.dumps(tree, style="canonical")))
        parts = [paths(of_sgfmill(sgf_lark.dumps(line, style="canonical"))[0]) for line in lines]

        assert {*filter(leads_on, theirs)} == {
            path for part in parts for path in part if leads_on(path)
        }
        assert len(theirs) == len({*theirs})
        before = {(one.code, one.property) for one in collection.diagnostics}
        after = sgf_lark.loads(sgf_lark.dumps(tree), strict=False).diagnostics
        assert {(one.code, one.property) for one in after} <= before


@true_of_records(but=large_or_alike)
def a_game_merged_with_itself_is_itself(_: str, collection: Collection) -> None:
    for game in collection:
        if game.format is not Format.GGF:
            assert merge(game, game).nodes == game.nodes

"""All real game records, merged: one tree for each kind of game, as sgfmill reads it."""

from __future__ import annotations

import pytest
from corpus.dropping import is_damaged
from corpus.merging import leads_on, paths
from support.corpus import large, loaded, names, record
from support.of_sgfmill import of_sgfmill

import sgf_lark
from sgf_lark import Diagnostic, GameTree, Severity, SgfConversionError, convert, merge_all


def games_of(which: str) -> list[GameTree]:
    """The games of a record in FF[4]; none if it is damaged, or cannot be converted."""
    collection = loaded(which)
    if is_damaged(collection):
        return []
    try:
        return [*convert(collection, "ff4")]
    except SgfConversionError:
        return []


def findings(game: GameTree) -> tuple[Diagnostic, ...]:
    """The findings in a game that was written."""
    return sgf_lark.loads(sgf_lark.dumps(game), strict=False).diagnostics


def is_error(finding: Diagnostic) -> bool:
    """Infos depend on the program that the first node names, which is that of the first game."""
    return finding.severity is Severity.ERROR


@pytest.mark.night
@pytest.mark.no_cover
def test_the_trees_of_all_records_have_the_lines_of_all_games() -> None:
    record("")  # skipped without a corpus
    games = [game for which in names() if not large(which) for game in games_of(which)]
    trees = merge_all(games).collection
    wanted = {
        (game.size, path)
        for game in games
        for path in paths(of_sgfmill(sgf_lark.dumps(game, style="canonical"))[0])
        if leads_on(path)
    }
    text = sgf_lark.dumps(trees, style="canonical")
    found = [
        (tree.size, path)
        for tree, theirs in zip(trees, of_sgfmill(text), strict=True)
        for path in paths(theirs)
        if leads_on(path)
    ]

    assert len(trees) < len(games) / 2
    assert {*found} == wanted
    known = {one.property for game in games for one in findings(game)}
    assert {one.property for tree in trees for one in findings(tree) if is_error(one)} <= known

"""What is true of every real game record from which something is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.corpus import large, true_of_records
from support.of_sgfmill import REFUSED_BY_SGFMILL, of_sgfmill
from support.writing import written

import sgf_lark
from sgf_lark import Format, drop
from sgf_lark.core.api.drop import known_kinds
from sgf_lark.core.findings.finding import NOWHERE

if TYPE_CHECKING:
    from sgf_lark import Collection, GameTree

#: Kinds that are whole properties: of a comment only a part may be analysis or chat.
OF_PROPERTIES = [kind for kind in known_kinds() if kind not in {"variations", "analysis", "chat"}]


def is_damaged(collection: Collection) -> bool:
    """Return whether ``fmt`` leaves a record alone."""
    return any(one.code[0] == "S" for one in collection.diagnostics)


def without(game: GameTree, kept: GameTree) -> str:
    """The text of a game, from which the properties are cut that another one does not have.

    A property is cut from the end of what is before it.
    """
    assert game.source_game is not None
    text, spans = game.source_game.source.text, [node.span or NOWHERE for node in game.nodes]
    parts, done = [], spans[0].start
    for node, content, span in zip(game.nodes, kept.nodes.contents, spans, strict=True):
        end = span.start + (text[span.start] == ";")
        left = list(content)
        for prop in node.properties:
            start, end = end, (prop.span or NOWHERE).end
            if left and (left[0].ident, left[0].raw) == (prop.ident, prop.raw):
                left.pop(0)
            else:
                parts.append(text[done:start])
                done = end
        assert not left
    return "".join([*parts, text[done : spans[-1].end]])


@true_of_records(but=large)
def what_is_not_dropped_stays_byte_for_byte(_: str, collection: Collection) -> None:
    if is_damaged(collection) or any(game.format is Format.GGF for game in collection):
        return
    result, counts = drop(collection, *OF_PROPERTIES)
    text = sgf_lark.dumps(result)
    before, after = (
        sum(len(content) for game in games for content in game.nodes.contents)
        for games in (collection, result)
    )

    assert counts.total() == before - after
    for game, kept in zip(collection, result, strict=True):
        assert without(game, kept) in text
    if not counts:
        assert written(result) == written(collection)


@true_of_records(but=lambda which: large(which) or which in REFUSED_BY_SGFMILL)
def without_variations_sgfmill_reads_the_main_line(_: str, collection: Collection) -> None:
    if is_damaged(collection) or any(game.format is Format.GGF for game in collection):
        return
    result, counts = drop(collection, "variations")
    theirs = of_sgfmill(sgf_lark.dumps(result))

    assert counts["variations"] == sum(len(game.leaves()) - 1 for game in collection)
    assert [[raw for _, raw in game] for game in theirs] == [
        [{name: list(raw) for name, raw in node.raw.items()} for node in game.main_line()]
        for game in collection
    ]


@true_of_records(but=large)
def what_is_dropped_is_gone_the_second_time(_: str, collection: Collection) -> None:
    if is_damaged(collection):
        return
    once = drop(collection, *known_kinds()).collection
    again, left = drop(sgf_lark.loads(sgf_lark.dumps(once), strict=False), *known_kinds())

    assert not left
    assert [game.nodes.parents for game in again] == [game.nodes.parents for game in once]

"""What conversions have to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sgf_lark
    from sgf_lark import Collection


def facts(game: sgf_lark.GameTree, but: frozenset[str] = frozenset({"FF", "CA"})) -> list[object]:
    """What a game says, without what its version says about itself."""
    return [
        (above, {one.ident: one.values for one in content if one.ident not in but})
        for above, content in zip(game.nodes.parents, game.nodes.contents, strict=True)
    ]


def values(collection: Collection) -> list[dict[str, object]]:
    """The typed values of all properties, node by node."""
    return [
        {one.ident: one.values for one in content}
        for game in collection
        for content in game.nodes.contents
    ]

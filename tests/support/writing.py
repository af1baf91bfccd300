"""What is written, in what has to stay the same."""

from __future__ import annotations

import io

import sgf_lark
from sgf_lark import Collection, GameTree
from sgf_lark.core.write.styles import meaning


def written(collection: Collection | GameTree, **options: object) -> bytes:
    file = io.BytesIO()
    sgf_lark.dump(collection, file, **options)  # type: ignore[arg-type]  # options of dump
    return file.getvalue()


def unchanged(collection: Collection) -> Collection:
    """The same games, each of them put together anew by a draft that changed nothing."""
    games = tuple(game.edit().done() for game in collection)
    return collection.model_copy(update={"games": games})


def meanings(collection: Collection) -> object:
    """What layouts must keep."""
    return [
        (game.format, game.game, game.nodes.parents.tolist(), [
            sorted(repr(meaning(one)) for one in content) for content in game.nodes.contents
        ])
        for game in collection
    ]  # fmt: skip

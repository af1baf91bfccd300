"""Games as sgfmill reads them, and ours in the same shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from sgfmill import sgf_grammar

if TYPE_CHECKING:
    from sgf_lark import Collection

#: A game: for each node the number of its parent, and its raw values.
Shape: TypeAlias = list[tuple[int, dict[str, list[str]]]]


def of_sgfmill(text: str) -> list[Shape]:
    found: list[Shape] = []
    for game in sgf_grammar.parse_sgf_collection(text.encode()):
        shape: Shape = []
        waiting: list[tuple[Any, int]] = [(game, -1)]
        while waiting:
            tree, above = waiting.pop()
            for node in tree.sequence:
                raws = {name: [raw.decode() for raw in raws] for name, raws in node.items()}
                shape.append((above, raws))
                above = len(shape) - 1
            waiting.extend((child, above) for child in reversed(tree.children))
        found.append(shape)
    return found


def of_ours(collection: Collection) -> list[Shape]:
    return [
        [
            (above, {name: list(raws) for name, raws in game.nodes[node].raw.items()})
            for node, above in enumerate(game.nodes.parents)
        ]
        for game in collection
    ]


#: Layouts that it is given to read.
OPTIONS: list[dict[str, Any]] = [
    {"style": "canonical"},
    {"style": "canonical", "indent": 2, "nodes": 7, "width": 40, "compress": True},
    {"style": "compact"},
]

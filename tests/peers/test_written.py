"""What is written is read alike by sgfmill."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest
from sgfmill import sgf_grammar
from support.corpus import every_record, loaded

import sgf_lark
from sgf_lark import Collection, Format

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


OPTIONS: list[dict[str, Any]] = [
    {"style": "canonical"},
    {"style": "canonical", "indent": 2, "nodes": 7, "width": 40, "compress": True},
    {"style": "compact"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]PB[a\\]b\\\\]C[x\\: [y\\]\n\nz];B[aa](;W[bb])(;W[cc];B[dd](;W[])(;W[ee])))(;FF[4])",
        "(;FF[3]LB[aa:x][bb:y];B[tt](;W[aa])(;W[bb]))",
    ],
)
def test_sgfmill_reads_what_is_written(text: str, options: dict[str, Any]) -> None:
    written = sgf_lark.dumps(sgf_lark.loads(text), **options)

    assert of_sgfmill(written) == of_ours(sgf_lark.loads(written))


@every_record(lambda which: which.startswith(("large/", "broken/", "ggf/")) or len(which) % 3 > 0)
def test_sgfmill_reads_records_that_are_written_anew(which: str) -> None:
    collection = loaded(which)
    if len(collection.text) > 20_000 or any(one.format is Format.GGF for one in collection):
        pytest.skip("too long, or GGF")
    names = {name for game in collection for node in game.walk() for name in node}
    if not collection.games or not all(name.isalpha() and name.isupper() for name in names):
        pytest.skip("sgfmill takes names of capital letters only")
    for options in OPTIONS:
        written = sgf_lark.dumps(collection, **options)
        start = written.find("(;")
        assert of_sgfmill(written[start:]) == of_ours(sgf_lark.loads(written, strict=False))

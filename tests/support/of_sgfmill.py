"""Games as sgfmill reads them, and ours in the same shape; records that it refuses."""

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


#: Records that sgfmill refuses, and what we report instead.
REFUSED_BY_SGFMILL = {
    # FF[1] and FF[3], EBNF: PropIdent = UpperCase [UpperCase | Digit], and there is no FF.
    "ff4-other-games/boardspace__T-Z11-ddyer-jix-2004-06-10-1517.sgf": "missing-format",
    # FF[4], EBNF: PropIdent = UcLetter { UcLetter }.  The name is kept with its digit.
    "ff4-other-games/boardspace__bad-init.sgf": "identifier-form",
    "ff4-other-games/boardspace__slither-illegal.sgf": "identifier-form",
    # Against the EBNF of every format.
    "broken/SabakiHQ-sgf__nihon-kiin.sgf": "missing-semicolon",
    "broken/Trevoke-SGFParser__ff4_ex_saved~2.sgf": "game-within-game",
    "broken/Trevoke-SGFParser__ff4_ex_saved~3.sgf": "missing-identifier",
    "broken/Trevoke-SGFParser__ff4_ex_saved~4.sgf": "game-within-game",
    "broken/analyze-sgf__t-oro-1.sgf": "missing-semicolon",
    "broken/analyze-sgf__t-oro-2.sgf": "missing-semicolon",
    "broken/gobandroid__small_19x19.sgf": "missing-semicolon",
    "broken/gobandroid__small_9x9.sgf": "missing-semicolon",
    "broken/gobandroid__tsumego.sgf": "missing-semicolon",
    "broken/littlego__Fuego_vs._Fuego.sgf": "unclosed-tree",
    "broken/littlego__encoding-unsupported.sgf": "unclosed-tree",
    "broken/littlego__not-an-sgf-file.sgf": "no-game-record",
    "broken/sgftool__test_unclosed_parenthesis.sgf": "unclosed-tree",
    "broken/sgftool__test_unclosed_property.sgf": "unclosed-value",
    "ff1/gogui__verbose-property-names.sgf": "node-after-variation",
}

#: Layouts that it is given to read.
OPTIONS: list[dict[str, Any]] = [
    {"style": "canonical"},
    {"style": "canonical", "indent": 2, "nodes": 7, "width": 40, "compress": True},
    {"style": "compact"},
]

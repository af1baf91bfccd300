"""Valid games of GGF are read where they are; what is in them is what the repair would read."""

from __future__ import annotations

import random

import pytest
from support.lanes import amount, one_in

import sgf_lark
from sgf_lark.core.schema.formats import EngineName

BOARD = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
GAME = f"(;GM[Othello]PC[GGS]{BOARD}RE[?]B[F5//12.1]W[d6/-1.5]CO[hello]B[C3];)"

#: Properties of games that are made by chance.
PIECES = (
    *("B[D3]", "W[c5//1.5]", "B[PA]", "W[pass]", "B [d3] ", "W\n[c5/1]\n", "B[z9]", "B[i1]", "B[]"),
    *("CO[hello]", "CO[a\\]", "CO[B[x]", "CO[\0]", "CO[]", "RE[0]", "RE[?]", "KM[1]", "KB[d3/1]"),
    *(
        "GM[Othello]",
        "GM[Amazons]",
        "GM[2]",
        "SZ[40]",
        "TY[8]",
        "TY[s8r20]",
        "TB[1:70]",
        "TI[5//2]",
    ),
    *(BOARD, "BO[6 ------ ------ --O*-- --*O-- ------ ------ O]", "BO[x]", "ZZ[1]", "A[D4-D5-D6]"),
    *("B[D4-D5-D6]", "b[d3]", "Bb[d3]", ";", "(;", ";)", "]", "1", "CA[x]", "PB[a]", "PW[a]"),
)


def games_by_chance() -> list[str]:
    dice = random.Random(12)  # noqa: S311
    texts = []
    for _ in range(amount(20, 300)):
        root = dice.choice(("", "GM[Othello]", f"GM[Othello]{BOARD}", "GM[Amazons]", GAME[2:-2]))
        pieces = "".join(
            dice.choices(PIECES[: dice.choice((9, 17, len(PIECES)))], k=dice.randint(0, 8))
        )
        texts.append(f"(;{root}{pieces};)" * dice.choice((1, 1, 2)))
    return texts


def read(text: str, engine: EngineName) -> object:
    collection = sgf_lark.loads(text, strict=False, format="GGF", engine=engine)
    moves = [(game.moves, game.nodes.move_arrays()) for game in collection]
    nodes = [
        (node.path, node.move_number, node.span, node.raw, [prop.span for prop in node.properties])
        for game in collection
        for node in game.walk()
    ]
    return (
        collection.model_dump_json(),
        nodes,
        moves,
        [one.model_dump_json() for one in collection.diagnostics],
        sgf_lark.dumps(collection),
    )


def nodes(text: str) -> list[str]:
    contents = sgf_lark.loads(text, format="GGF")[0].nodes.contents
    return ["".join(map(str, content)) for content in contents]


def test_each_move_begins_a_node() -> None:
    assert nodes(GAME) == [
        f"GM[Othello]PC[GGS]{BOARD}RE[?]",
        "B[F5//12.1]",
        "W[d6/-1.5]CO[hello]",
        "B[C3]",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;;)", [""]),
        ("(;B[d3]W[c5];)", ["", "B[d3]", "W[c5]"]),
        ("(; GM [Othello] B\n[d3] ;)", ["GM[Othello]", "B[d3]"]),
        ("(;GM[Othello]B[d3]CO[a\\]W[c5];)", ["GM[Othello]", "B[d3]CO[a\\]", "W[c5]"]),
    ],
)
def test_the_root_may_be_empty_and_nothing_is_escaped(text: str, expected: list[str]) -> None:
    assert nodes(text) == expected


def test_the_parent_of_a_node_is_the_one_before_it() -> None:
    for text in ("(;;)", "(;B[d3]W[c5];)", GAME):
        parents = sgf_lark.loads(text, format="GGF")[0].nodes.parents
        assert list(parents) == list(range(-1, len(parents) - 1))


@pytest.mark.parametrize(
    ("text", "code"),
    one_in(
        4,
        [
            ("(;GM[Othello]B[d3]RE[0]W[c5]RE[1];)", "duplicate-property"),
            ("(;GM[Othello]RE[0]B[d3]W[c5]RE[1];)", "duplicate-property"),
            (f"(;GM[Othello]{BOARD}B[d3]W[i1];)", "point-off-board"),
            ("(;GM[Othello]B[d3]W[];)", "empty-value"),
        ],
    ),
)
def test_a_finding_after_many_usual_moves_is_not_missed(text: str, code: str) -> None:
    many = GAME * 500
    for before in ("", many):
        found = sgf_lark.loads(before + text, strict=False, format="GGF").diagnostics
        assert [one.name for one in found] == [code]


@pytest.mark.parametrize("engine", ["auto", "lark"])
def test_a_valid_game_may_be_a_part_of_the_one_before_it(engine: EngineName) -> None:
    text = "(;GM[Othello]B[d3];B[c5];)(;B[e6];))"
    found = sgf_lark.loads(text, strict=False, format="GGF", engine=engine).diagnostics

    assert [one.message for one in found if one.name == "extra-close"] == [
        "this ')' closes the game too early: variations follow it"
    ]


def test_what_decides_the_game_may_come_after_a_move() -> None:
    (game,) = sgf_lark.loads("(;B[D4-D5-D6]GM[Amazons];)", format="GGF")

    assert game.game_name == "Amazons"


@pytest.mark.both_lanes
def test_games_by_chance_are_read_alike_by_both_engines() -> None:
    for text in games_by_chance():
        assert read(text, "auto") == read(text, "lark"), text

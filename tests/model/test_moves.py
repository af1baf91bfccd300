"""The moves of a line, and those of all nodes as arrays."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from support.damage import PIECES, changed
from support.invariants import check_moves

from sgf_lark import PASS, Collection, Color, PlayedMove, Point, loads
from sgf_lark.core.schema.formats import EngineName

if TYPE_CHECKING:
    from pathlib import Path

GO = "(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp]C[a;B[aa\\]](;B[];W[dd])(;C[x]B[dd](;W[ee])(;W[ff])))"


def test_moves_of_the_main_line_have_color_point_node_and_value() -> None:
    (game,) = loads(GO)

    assert game.moves == (
        PlayedMove(Color.BLACK, Point(15, 3), 1, Point(15, 3)),
        PlayedMove(Color.WHITE, Point(3, 15), 2, Point(3, 15)),
        PlayedMove(Color.BLACK, None, 3, PASS),
        PlayedMove(Color.WHITE, Point(3, 3), 4, Point(3, 3)),
    )


def test_moves_lead_to_a_node_by_itself_its_number_or_its_path() -> None:
    (game,) = loads(GO)
    node = game.nodes[7]

    moves = game.moves_to(node)

    assert [move.node for move in moves] == [1, 2, 5, 7]
    assert moves == game.moves_to(7) == game.moves_to(node.path)
    assert [move.node for move in game.moves_to(1)] == [1]
    assert game.moves_to(0) == ()


@pytest.mark.parametrize("node", [99, -99])
def test_a_node_that_is_not_there_has_no_moves(node: int) -> None:
    (game,) = loads(GO)

    with pytest.raises(IndexError, match="this game has no node"):
        game.moves_to(node)
    with pytest.raises(KeyError):
        game.moves_to("1.7")


@pytest.mark.parametrize(("text", "held"), [("(;GM[1])", "1 node"), ("(;GM[1];B[])", "2 nodes")])
def test_a_node_that_is_not_there_is_an_error_with_their_count(text: str, held: str) -> None:
    with pytest.raises(IndexError, match=f"this game has no node 5: it has {held}$"):
        loads(text)[0].nodes[5]


def test_arrays_have_an_entry_for_each_node() -> None:
    (game,) = loads("(;FF[4]GM[1];B[pd](;W[];AB[aa])(;W[dp]))")

    arrays = game.move_arrays()

    assert [array.tolist() for array in arrays] == [
        [-1, 0, 1, 2, 1],
        [0, 1, 2, 0, 2],
        [-1, 15, -1, -1, 3],
        [-1, 3, -1, -1, 15],
    ]
    assert [array.typecode for array in arrays] == ["q", "b", "q", "q"]


@pytest.mark.parametrize(
    "text",
    [
        GO,
        "(;FF[4];B[aa][bb]W[cc];W [dd]\n[];B[a:b];W[zz9];B[\\dd];W[])",
        "(;GaMe[1]; Black [aa] W[bb];wWhite[cc];bW[dd]; CoMmentB[ee]FigW[ff];BlL[3]B[gg])",
        "(;FF[4]GM[8];B[a1-b2/c3];W[a1-b2])",  # Amazons
        "(;FF[4]GM[6];B[3118mlkj];W[double])",  # Backgammon
        "(;FF[4]GM[99];B[any [\\] ; text];W[])",
        "(;FF[3]GM[2];B[d3];W[xx])",
        f"(;GM[Othello]TY[8]BO[8 {'-' * 27}O*------*O{'-' * 27} *]B[d3//1];W[c5/0.5/2];)",
        "(;FF[4];B[aa](;W[bb]))(;FF[4];;;W[cc])",
        "(;FF[4];B[aa];W[bb",
    ],
)
@pytest.mark.parametrize("engine", ["generated", "lark"])
def test_moves_are_what_each_node_gives_in_any_format_and_game(
    text: str, engine: EngineName
) -> None:
    collection = loads(text, strict=False, engine=engine)

    check_moves(collection)
    check_moves(loads(text, strict=False, engine=engine, validate=False))
    check_moves(Collection.model_validate_json(collection.model_dump_json()))


def test_moves_of_an_edited_game_are_those_of_its_nodes() -> None:
    (game,) = loads(GO)
    draft = game.edit()
    draft.set(2, "W", Point(2, 2))
    draft.make_main_line(5)

    check_moves(Collection(games=(draft.done(),)))


@pytest.mark.parametrize(
    ("names", "value", "text"),
    [
        ("/[A-Za-z]+/", r"/\[[^\]]*\]/", "(;FF[4];b[aa];W[bb]c[x])"),
        ("/[A-Z]+/", r"/\{[^}]*\}/", "(;FF{4};B{aa};C{x}W{}AW{bb})"),
    ],
)
def test_moves_of_a_custom_grammar_are_found_as_it_writes_them(
    names: str, value: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "lower.lark"
    path.write_text(
        "collection: game_tree+\n"
        'game_tree: "(" sequence game_tree* ")"\n'
        "sequence: node+\n"
        'node: ";" property*\n'
        "property: PROP_IDENT PROP_VALUE+\n"
        f"PROP_IDENT: {names}\n"
        f"PROP_VALUE: {value}\n"
        "%import common.WS\n"
        "%ignore WS\n"
    )

    collection = loads(text, grammar=path, strict=False)

    assert [move.node for move in collection[0].moves] == [1, 2]
    assert collection[0].nodes[2].move_number == 2
    check_moves(collection)


def test_moves_of_texts_made_by_chance_are_those_of_their_nodes() -> None:
    dice = random.Random(12)  # noqa: S311  # the same texts every time
    for _ in range(100):
        pieces = [*PIECES, ";B[aa]", ";W[bb]", "(;B[cc]", ")"]
        text = "(;FF[4]" + "".join(dice.choices(pieces, k=12)) + ")"
        check_moves(loads(changed(text.encode(), dice), strict=False))

"""Drafts take what the library prints: paths, moves with their color, and sides in words."""

from __future__ import annotations

from typing import Any

import pytest

from sgf_lark import Board, Color, GameTree, dumps, loads

TREE = "(;FF[4]GM[1]SZ[9];B[aa](;W[bb];B[cc];W[dd])(;W[ee]C[second](;B[ff])(;B[gg])))"


def test_a_node_is_named_by_its_path_wherever_a_draft_takes_a_node() -> None:
    game = loads(TREE)[0]
    for node in game.walk():
        draft = game.edit()
        assert draft.properties(node.path) == draft.properties(node)
        assert draft.children(node.path) == draft.children(node)

    draft = game.edit()
    draft.set("1.1", "N", "here")
    assert draft.add("1.1/0.1", {"W": "hh"}) == draft.children("1.1/0.1")[0]
    draft.remove("4")
    assert "(;W[bb];B[cc])(;W[ee]C[second]N[here](;B[ff])(;B[gg];W[hh]))" in dumps(draft.done())


def test_a_path_leads_through_the_tree_as_it_is_now() -> None:
    draft = loads(TREE)[0].edit()
    new = draft.add("4", {"B": "hh"})

    assert draft.properties("5") == draft.properties(new)
    draft.make_main_line("1.1")
    assert draft.properties("2")[0].raw == ("ee",)
    assert draft.properties("#2")[0].raw == ("bb",)


@pytest.mark.parametrize("path", ["9", "1.2", "", "x", "1.", "#99", "0/", "①"])
def test_a_path_that_leads_nowhere_is_no_node(path: str) -> None:
    with pytest.raises(KeyError, match=r"no node at|no path"):
        loads(TREE)[0].edit().properties(path)


def test_a_removed_node_is_gone_by_its_number_too() -> None:
    draft = loads(TREE)[0].edit()
    draft.remove("3")
    with pytest.raises(KeyError, match="in this draft"):
        draft.properties("#3")


def test_moves_are_played_as_they_are_printed() -> None:
    game = loads(TREE)[0]
    draft, board = GameTree.new(9).edit(), Board(9)
    for move in game.moves:
        draft.play(str(move))
        board = board.play(str(move))

    assert [*map(str, draft.done().moves)] == [*map(str, game.moves)]
    assert board == game.board()


@pytest.mark.parametrize("move", ["W D6", "w d6", "white  D6", "White D6"])
def test_a_move_may_begin_with_its_side(move: str) -> None:
    draft = GameTree.new(9).edit()
    assert [prop.ident for prop in draft.properties(draft.play(move))] == ["W"]
    assert Board(9).legal(move)
    assert Board(9).play(move)["D6"] is Color.WHITE


def test_two_sides_of_a_move_contradict_each_other() -> None:
    for play in (GameTree.new(9).edit().play, Board(9).play):
        with pytest.raises(
            ValueError, match="the move is White's by its text: leave out the color"
        ):
            play("W D6", color="B")
        play("W D6", color="white")


@pytest.mark.parametrize("side", ["B", "b", "black", "Black", Color.BLACK])
def test_a_side_is_a_sign_or_a_word_in_any_case(side: Any) -> None:
    draft = GameTree.new(9).edit()
    node = draft.play("D4", color=side)
    draft.set(0, "PL", side)

    assert draft.properties(node)[0].ident == "B"
    assert draft.done().root["PL"] is Color.BLACK
    assert Board(9).set_up(to_play=side).to_play is Color.BLACK


@pytest.mark.parametrize("side", ["x", "", "blue", "BW"])
def test_another_word_is_no_side(side: str) -> None:
    draft = GameTree.new(9).edit()
    with pytest.raises(ValueError, match=f"no color '{side}': expected B or W"):
        draft.play("D4", color=side)
    with pytest.raises(ValueError, match="expected B or W"):
        draft.set(0, "PL", side)

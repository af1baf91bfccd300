"""Rows of positions: keys of boards, next moves and corners."""

from __future__ import annotations

from typing import Any

import pytest
from support.playing import PLAYED, played

from sgf_lark import GameTree, Symmetry, loads
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.positions.symmetry import is_symmetry


def positions(game: GameTree) -> list[dict[str, Any]]:
    rows = GameRows(["positions"])
    rows.add(game, RowPlace())
    found: list[dict[str, Any]] = rows.batches()["positions"].to_pylist()
    return found


def positions_of(text: str) -> list[dict[str, Any]]:
    return positions(loads(text, strict=False)[0])


@pytest.mark.parametrize("number", PLAYED, ids=str)
def test_the_keys_are_those_of_the_boards(number: GameNumber) -> None:
    game = played(number, 4, 5)
    rows = positions(game)
    boards = {
        at.number: (at.node_index, at.board.key, at.board.key_symmetric)
        for at in game.positions()
        if at.is_known
    }

    assert {
        row["number"]: (row["node"], row["key"], row["key_symmetric"]) for row in rows
    } == boards


def test_captures_setup_and_variations_do_not_confuse_the_keys() -> None:
    text = (
        "(;FF[4]GM[1]SZ[9]AB[ba][ab]AW[aa][ee];;W[cc];B[bb]AB[ac](;W[];B[aa];AE[ee][bb]PL[B]"
        ";B[ee])(;W[dd]))"
    )
    game = loads(text, strict=False)[0]
    boards = {at.number: (at.board.key, at.board.key_symmetric) for at in game.positions()}
    rows = positions(game)

    assert {row["number"]: (row["key"], row["key_symmetric"]) for row in rows} == boards
    assert [(row["node"], row["next"]) for row in rows] == [
        (1, 20),
        (2, 10),
        (3, -1),
        (4, 0),
        (6, 40),
        (7, None),
    ]


@pytest.mark.parametrize("number", [GameNumber.GO, GameNumber.OTHELLO, GameNumber.HEX], ids=str)
def test_turned_games_have_equal_symmetric_keys_and_next_moves(number: GameNumber) -> None:
    game = played(number, 2)
    wanted = [(row["key_symmetric"], row["next_symmetric"]) for row in positions(game)]

    for symmetry in Symmetry:
        if is_symmetry(number, symmetry):
            rows = positions(game.transformed(symmetry))
            assert [(row["key_symmetric"], row["next_symmetric"]) for row in rows] == wanted


def test_equal_corners_have_equal_keys_wherever_they_are() -> None:
    corner = {"corner_ne", "corner_nw", "corner_se", "corner_sw"}
    texts = {
        "corner_ne": ["B[pc];W[nd]", "B[qd];W[pf]"],
        "corner_nw": ["B[dc];W[fd]", "B[cd];W[df]"],
        "corner_se": ["B[pq];W[np]", "B[qp];W[pn]"],
        "corner_sw": ["B[dq];W[fp]", "B[cp];W[dn]"],
    }
    keys = set()
    for name, moves in texts.items():
        for text in moves:
            last = positions_of(f"(;FF[4]GM[1]SZ[19];{text})")[-1]
            keys.add(last[name])
            assert {last[other] for other in corner - {name}} == {0}

    (key,) = keys
    other = positions_of("(;FF[4]GM[1]SZ[19];W[pc];B[nd])")[-1]
    assert other["corner_ne"] not in {0, key}


def test_small_boards_and_games_of_other_pieces_have_no_corners() -> None:
    for text in ("(;FF[4]GM[2];B[d3])", "(;FF[4]GM[1]SZ[19:8];B[aa])", "(;FF[4]GM[21];W[b1])"):
        assert {row["corner_ne"] for row in positions_of(text)} == {None}
    assert positions_of("(;FF[4]GM[1]SZ[9];B[aa])")[-1]["corner_ne"] != 0


def test_positions_end_where_the_board_is_not_known() -> None:
    rows = positions_of("(;FF[4]GM[1]SZ[9];B[aa];W[zz];B[bb])")

    assert [row["number"] for row in rows] == [0, 1]
    assert positions_of("(;FF[4]GM[3];B[e2e4])") == []
    assert positions_of("(;FF[4]GM[4]SZ[60];B[aa])") == []


@pytest.mark.night
def test_a_board_that_is_set_up_again_and_again_has_few_positions() -> None:
    text = "(;FF[4]GM[1]SZ[52]" + ";AB[aa:ZZ];B[aa];AE[aa:ZZ];W[aa]" * 20 + ")"

    assert len(positions_of(text)) < 20

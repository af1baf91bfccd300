"""Records of games of pieces: the boards on which they begin, and what is known of them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import sgf_lark
from sgf_lark.core.schema.values import Color
from sgf_lark.games.octi import HeldPod
from sgf_lark.positions.board import Board


class Last(NamedTuple):
    """The end of a record."""

    board: Board
    is_legal: bool
    is_known: bool


def last(record: str) -> Last:
    game = sgf_lark.loads(f"(;FF[4]{record})")[0]
    *_, end = ((one.board.copy(), one.verdict, one.is_known) for one in game.positions())
    board, verdict, is_known = end
    return Last(board, verdict is None or verdict.ok, is_known)


@pytest.mark.parametrize("setup", ["", "SU[Standard]", "SU[standard]"])
def test_lines_of_action_begins_on_its_usual_board(setup: str) -> None:
    board, is_legal, is_known = last(f"GM[9]{setup};B[b1-b3]")

    assert is_legal
    assert is_known
    assert len(board.stones()) == 24
    assert not last(f"GM[9]{setup};B[b1-b2]").is_legal


@pytest.mark.parametrize("record", ["GM[9]SU[Gemma];B[a1-a2]", "GM[18]SZ[6];B[aabbcc]"])
def test_nothing_is_illegal_on_a_board_that_nobody_described(record: str) -> None:
    board, is_legal, is_known = last(record)

    assert is_legal
    assert not is_known
    assert board.stones() == ()


def test_what_the_root_sets_up_is_all_that_is_on_the_board() -> None:
    assert last("GM[18]AB[aa]AA[bb];B[aacaca]").is_legal is False
    assert last("GM[18]AB[aa]AA[bb];B[aacaba]").is_legal
    assert last("GM[9]SU[Gemma]AB[a1];B[a1-a2]").is_known


def test_black_begins_gess_at_the_edge_where_the_first_move_is_legal() -> None:
    upper = last("GM[20];B[ec:ef]").board
    assert max(row for _, row in upper.stones(Color.BLACK)) == 6
    assert max(row for _, row in last("GM[20];B[er:eo]").board.stones(Color.WHITE)) == 6
    assert last("GM[20];B[jj:jk]").is_legal  # nobody knows how it began
    assert not last("GM[20];B[ec:ef];W[ec:ef]").is_legal


def test_pods_of_octi_are_set_up_and_removed() -> None:
    record = "GM[19]SZ[9]AB[33AB][44][44]AW[55CD];RP[44]AB[99A];B[33-34]"
    board, is_legal, is_known = last(record)

    assert is_legal
    assert is_known
    assert board["34"] == (HeldPod(Color.BLACK, "AB"),)
    assert board["44"] == (HeldPod(Color.BLACK, None),)
    assert board["99"] == (HeldPod(Color.BLACK, "A"),)
    assert not last("GM[19]SZ[9]AB[33AB];B[33-43]").is_legal
    assert last("GM[19]SZ[9];B[33-43]").is_legal

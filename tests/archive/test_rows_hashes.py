"""Hashes of games: equal for equal ones, and different for others."""

from __future__ import annotations

from typing import Any

import pytest
from support.lanes import one_in
from support.playing import PLAYED, played

from sgf_lark import GameTree, Symmetry, dumps, loads
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.positions.symmetry import is_symmetry

RECORD = (
    "(;FF[4]GM[1]CA[ISO-8859-1]SZ[19]PB[M\u00fcller]C[two words: a\\]b]AB[pd][dd];W[dp]C[x\ny]BM[1]"
    "(;B[qq];W[tt])(;B[cc]))"
)


def row_of(game: GameTree) -> dict[str, Any]:
    rows = GameRows(["games"])
    rows.add(game, RowPlace())
    (row,) = rows.batches()["games"].to_pylist()
    return dict(row)


def row(text: str) -> dict[str, Any]:
    return row_of(loads(text, strict=False)[0])


# ---- canonical text ----


@pytest.mark.parametrize(
    "other",
    [
        RECORD.replace(";", "\r\n ;\t"),
        RECORD.replace("x\ny", "x\r\ny"),
        RECORD.replace("x\ny", "x y"),
        RECORD.replace("two words", "two wo\\\nrds"),
        RECORD.replace(": a", "\\: a"),
        RECORD.replace("SZ[19]PB[M\u00fcller]", "PB[M\u00fcller]SZ[19]"),
        RECORD.replace("[pd][dd]", "[dd] [pd]"),
        RECORD.replace("CA[ISO-8859-1]", "AP[x:1]CA[UTF-8]ST[1]"),
    ],
    ids=range(8),
)
def test_a_record_that_is_written_otherwise_has_the_same_text(other: str) -> None:
    assert row(other)["text_hash"] == row(RECORD)["text_hash"]


def test_the_spelling_of_names_does_not_change_the_text() -> None:
    long = "(;FileFormat[3]GaMe[1]SiZe[9]AddBlack[aa][bb];White[cc])"

    assert row(long)["text_hash"] == row("(;FF[3]GM[1]SZ[9]AB[bb]AB[aa];W[cc])")["text_hash"]


def test_another_layout_of_another_encoding_has_the_same_text() -> None:
    (game,) = loads(RECORD.encode("latin-1"))
    (other,) = loads(dumps(game, style="canonical", indent=2, width=40))
    recoded = loads(dumps(game, style="compact").replace("ISO-8859-1", "UTF-8").encode())[0]

    assert row_of(game)["text_hash"] == row_of(other)["text_hash"] == row_of(recoded)["text_hash"]


@pytest.mark.parametrize(
    "other",
    [
        RECORD.replace("two", "Two"),
        RECORD.replace("BM[1]", "BM[2]"),
        RECORD.replace("BM[1]", ""),
        RECORD.replace("(;B[qq];W[tt])(;B[cc])", "(;B[cc])(;B[qq];W[tt])"),
        RECORD.replace("(;B[qq];W[tt])(;B[cc])", ";B[qq];W[tt](;B[cc])"),
        RECORD.replace("C[x\ny]BM[1]", ";C[x\ny]BM[1]"),
        RECORD.replace("dp", "dq"),
    ],
    ids=range(7),
)
def test_another_record_has_another_text(other: str) -> None:
    assert row(other)["text_hash"] != row(RECORD)["text_hash"]


# ---- lines ----


@pytest.mark.parametrize("number", one_in(8, PLAYED), ids=str)
def test_the_symmetric_hash_is_the_smallest_of_all_games_that_are_the_same(
    number: GameNumber,
) -> None:
    game = played(number, 7)
    same = [game.transformed(symmetry) for symmetry in Symmetry if is_symmetry(number, symmetry)]
    same += [other.recolored() for other in same]
    rows = [row_of(other) for other in same]

    assert {row["line_hash_symmetric"] for row in rows} == {min(row["line_hash"] for row in rows)}
    assert len({row["line_hash"] for row in rows}) > 1


@pytest.mark.parametrize("number", one_in(12, PLAYED), ids=str)
def test_unlike_games_have_unlike_hashes(number: GameNumber) -> None:
    rows = [row_of(played(number, seed, count)) for seed in (0, 1) for count in (5, 8)]

    assert len({row["line_hash_symmetric"] for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(;FF[4]GM[1]SZ[9];B[cc];W[dd])", "(;FF[4]GM[1]SZ[9];W[cc];W[dd])"),
        ("(;FF[4]GM[1]SZ[9];B[cc];W[dd])", "(;FF[4]GM[1]SZ[11];B[cc];W[dd])"),
        ("(;FF[4]GM[1]SZ[9];B[cc];W[dd])", "(;FF[4]GM[1]SZ[9];B[cc];W[])"),
        ("(;FF[4]GM[1]SZ[9];B[cc];W[dd])", "(;FF[4]GM[1]SZ[9]AB[ee];B[cc];W[dd])"),
        ("(;FF[4]GM[1]SZ[9];B[cc];AE[cc])", "(;FF[4]GM[1]SZ[9]AE[cc];B[cc])"),
        ("(;FF[4]GM[1]SZ[9];B[cc];W[zz])", "(;FF[4]GM[1]SZ[9];B[cc];W[zy])"),
        ("(;FF[4]GM[11];B[a2];W[resign])", "(;FF[4]GM[11];B[a2];W[swap-pieces])"),
        ("(;FF[4]GM[4]SZ[15];B[cc])", "(;FF[4]GM[1]SZ[15];B[cc])"),
    ],
)
def test_lines_that_differ_have_different_hashes(one: str, other: str) -> None:
    assert row(one)["line_hash_symmetric"] != row(other)["line_hash_symmetric"]


def test_times_comments_and_the_format_do_not_change_a_line() -> None:
    one = row("(;FF[4]GM[1]SZ[9]PB[x]AB[cc:dd];W[ee]WL[3]C[x])")
    other = row("(;FF[3]GM[1]SZ[9]AB[dd][cc][cd][dc];W[ee](;)(;B[aa]))")

    assert one["line_hash"] == other["line_hash"]


def test_othello_of_ggf_and_of_sgf_has_one_line() -> None:
    empty = "-------- -------- --------"
    ggf = f"(;GM[Othello]PC[x]TY[8]BO[8 {empty} ---O*--- ---*O--- {empty} *]B[d3//1]W[c5];)"
    sgf = "(;FF[4]GM[2];B[d3];W[c5])"

    assert row(ggf)["line_hash"] == row(sgf)["line_hash"]
    assert row(ggf)["key_final"] == row(sgf)["key_final"]


def test_a_line_of_too_much_setup_has_no_hash() -> None:
    assert row("(;FF[4]GM[1]SZ[52]" + "AB[aa:ZZ]" * 8 + ";B[aa])")["line_hash"] is None


def test_a_board_with_long_sides_has_hashes_too() -> None:
    one, other = (f"(;FF[4]GM[4]SZ[{size}];B[cc];W[ab])" for size in (300, 301))

    assert row(one)["line_hash"] != row(other)["line_hash"]


# ---- signatures ----


def test_a_dyer_signature_has_moves_20_40_60_31_51_and_71() -> None:
    moves = "".join(
        f";{'BW'[at % 2]}[{'abcdefghi'[at % 9]}{'abcdefghi'[at // 9]}]" for at in range(60)
    )
    found = row(f"(;FF[4]GM[1]SZ[9]{moves})")

    assert found["dyer"] == "bcdefgddff??"  # of moves 20, 40, 60, 31, 51
    assert row(f"(;FF[4]GM[1]SZ[9]{moves[:-6]})")["dyer"] == "bcde??ddff??"
    assert row(f"(;FF[4]GM[1]SZ[9]{moves[: 19 * 6]})")["dyer"] is None


def test_the_symmetric_signature_is_that_of_all_turned_games() -> None:
    (game,) = loads(row_text())
    turned = [row_of(game.transformed(symmetry)) for symmetry in Symmetry]

    assert {row["dyer_symmetric"] for row in turned} == {min(str(row["dyer"]) for row in turned)}


def row_text() -> str:
    return dumps(played(GameNumber.GO, 3, 40))


# ---- the last position ----


@pytest.mark.parametrize("number", one_in(12, PLAYED), ids=str)
def test_the_last_position_has_the_keys_of_its_board(number: GameNumber) -> None:
    game = played(number, 5, 5)
    *_, last = game.positions()
    found = row_of(game)

    keys = (last.board.key, last.board.key_symmetric) if last.is_known else (None, None)

    assert (found["key_final"], found["key_final_symmetric"]) == keys


def test_the_board_that_a_check_leaves_has_the_same_keys() -> None:
    text = row_text() + "(;FF[4]GM[2]SZ[8];B[d3];W[c5])(;FF[4]GM[1];B[zz])(;FF[4]GM[1];B[aa]PL[B])"
    checked = [row_of(game) for game in loads(text, strict=False, check=True)]

    assert checked == [row_of(game) for game in loads(text, strict=False)]
    assert [row["key_final"] is None for row in checked] == [False, False, True, False]


def test_a_game_without_rules_has_no_last_position() -> None:
    assert row("(;FF[4]GM[3];B[e2e4])")["key_final"] is None

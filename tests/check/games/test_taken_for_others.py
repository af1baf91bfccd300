"""Records whose game is another than GM says, passes of Renju, and words of Hex."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark import PASS


def codes(text: str) -> list[str]:
    return [one.code for one in sgf_lark.check(text.encode())]


@pytest.mark.parametrize("number", [2, 11])
@pytest.mark.parametrize(
    "moves",
    [
        ";B[hh];W[gg];B[ih]",
        ";B[hh];W[hi];B[ig];W[gi];B[jf]",
        "AB[hh][ii]AW[jj];B[kk]",
        ";B[aa];W[oo];B[ao];W[oa]",
        ";B[hh](;W[gg])(;W[ii];B[jj])",
    ],
)
def test_a_record_of_gomoku_under_another_number_says_so_once(number: int, moves: str) -> None:
    text = f"(;FF[4]GM[{number}]SZ[15]{moves})"
    (said,) = [one for one in sgf_lark.check(text.encode()) if one.code not in {"G615", "T214"}]

    assert (said.code, said.severity) == ("T223", "warning")
    assert "write GM[4] for Gomoku" in said.help
    assert sgf_lark.loads(text)  # it is no error


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[11]SZ[13];B[hh];W[gg];B[ih])",
        "(;FF[4]GM[11]SZ[15]EV[hex.ch.1.1];B[hh];W[gg];B[ih])",
        "(;FF[4]GM[11]SZ[15]SO[http://www.littlegolem.com];B[hh];W[gg];B[ih])",
        "(;FF[4]GM[11]SZ[15];B[hh];W[gg])",
        "(;FF[4]GM[11]SZ[15];B[h8];W[gg];B[ih])",
        "(;FF[4]GM[2]SZ[8];B[ee];W[ef];B[fc])",
        "(;FF[4]GM[4]SZ[15];B[hh];W[gg];B[ih])",
        "(;FF[4]GM[1]SZ[15];B[hh];W[gg];B[ih])",
    ],
)
def test_what_may_well_be_of_its_game_is_not_doubted(text: str) -> None:
    assert "T223" not in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[4]SZ[15]RU[renju]AB[hh][ii]AW[jj]PL[W];W[];B[kk])",
        "(;FF[4]GM[4]SZ[15];B[hh];W[];B[kk])",
        "(;FF[4]GM[4]SZ[15];B[hh];W[ii];B[];W[])",
        "(;FF[4]GM[4]SZ[19];B[];W[jj])",
        "(;FF[4]GM[4]SZ[15]RU[Renju];B[hh](;W[])(;W[ii];B[]))",
    ],
)
def test_an_empty_move_of_gomoku_is_a_pass(text: str) -> None:
    assert codes(text) == []
    (game,) = sgf_lark.loads(text)
    assert any(prop.value == PASS for node in game.walk() for prop in node.properties
               if prop.ident in {"B", "W"})  # fmt: skip


def test_tt_is_a_point_of_gomoku() -> None:
    assert codes("(;FF[4]GM[4]SZ[25];B[hh];W[tt])") == []
    assert "G603" in codes("(;FF[4]GM[4]SZ[15];B[hh];W[tt])")


@pytest.mark.parametrize(
    "word", ["swap", "Swap", "SWAP", "swap pieces", "swappieces", "swap_pieces"]
)
@pytest.mark.parametrize("head", ["GM[11]SZ[11]", "EV[hex.mc.2010.feb.1.6]SZ[13]"])
def test_a_swap_of_hex_has_an_unsafe_fix_that_says_what_it_assumes(word: str, head: str) -> None:
    text = f"(;FF[4]{head};B[a3];W[{word}];B[b3])".encode()
    (error,) = sgf_lark.check(text).errors

    assert error.fix is not None
    assert not error.fix.safe
    assert "if the stones change places" in error.fix.message
    assert sgf_lark.fix_record(text).data == text
    assert b"W[swap-pieces]" in sgf_lark.fix_record(text, unsafe=True).data


def test_a_swap_of_another_game_has_no_such_fix() -> None:
    text = b"(;FF[4]GM[1]SZ[19];B[pd];W[swap])"

    assert b"swap-pieces" not in sgf_lark.fix_record(text, unsafe=True).data

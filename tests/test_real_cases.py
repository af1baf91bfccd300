"""Troubles that people reported to other projects: what is found in them, and the way out.

Each test names the project and the number of the thread; the records are cut down.
"""

from __future__ import annotations

import io

import pytest

import sgf_lark
from sgf_lark import CheckOptions
from sgf_lark.fixing import fixed

pytestmark = pytest.mark.usefixtures("both_engines")

HEAD = "FF[4]GM[1]SZ[19]"


def found(text: str, *, asked: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Code and severity of each finding."""
    options = CheckOptions(extend_select=asked)
    return [
        (one.code, one.severity.value) for one in sgf_lark.check(io.StringIO(text), options=options)
    ]


def the_fix(text: str, code: str) -> tuple[bool, str]:
    """Whether the only fix for a code is safe, and its title, which is the help."""
    (one,) = [one for one in sgf_lark.check(io.StringIO(text)) if one.code == code]
    assert one.fix is not None
    assert one.help == one.fix.message
    return one.fix.safe, one.fix.message


def mended(text: str, *, unsafe: bool = True) -> str:
    """The text with its fixes."""
    return fixed(text.encode(), unsafe=unsafe, encoding="utf-8").data.decode()


# ---- handicap ----

FOX = f"(;{HEAD}AP[foxwq:1]HA[0];B[pd];B[pq];B[dd];B[dp];W[qn])"


def test_lizzieyzy_next_41_fox_handicap_written_as_moves_is_set_up() -> None:
    safe, title = the_fix(FOX, "D510")

    assert found(FOX) == [("D510", "warning")]
    assert title == (
        "write HA[4]AB[pd][pq][dd][dp]PL[W] into the first node; this removes the moves B[pd],"
        " B[pq], B[dd] and B[dp]"
    )
    assert not safe
    assert mended(FOX, unsafe=False) == FOX
    assert mended(FOX) == f"(;{HEAD}AP[foxwq:1]HA[4]AB[pd][pq][dd][dp]PL[W];W[qn])"
    assert found(mended(FOX), asked=("ALL",)) == []


def test_lizzieyzy_next_12_26_28_188_handicap_as_moves_is_a_warning_of_any_writer() -> None:
    text = f"(;{HEAD};B[pd];B[pq]C[good];W[qn])"

    assert found(text) == found(text, asked=("G607", "G609")) == [("G613", "warning")]
    assert mended(text) == f"(;{HEAD}HA[2]AB[pd][pq]PL[W];C[good];W[qn])"
    with_number = f"(;{HEAD}HA[2];B[pd];B[pq];W[qn])"
    assert found(with_number, asked=("G607", "G609")) == [("G613", "warning")]
    assert mended(with_number) == f"(;{HEAD}HA[2]AB[pd][pq]PL[W];W[qn])"


@pytest.mark.parametrize(
    "moves",
    [
        "HA[3];B[pd];B[pq];W[qn]",  # HA says another number
        ";B[pd];B[pq]TE[1];W[qn]",  # an annotation needs its move
        ";B[pd](;B[pq];W[qn])(;W[dd])",
        ";B[pd];B[pd];W[qn]",
    ],
)
def test_lizzieyzy_next_41_nothing_is_guessed_where_the_stones_are_not_clear(moves: str) -> None:
    text = f"(;{HEAD}{moves})"

    assert "G613" in [code for code, _ in found(text)]
    assert all(one.fix is None for one in sgf_lark.check(io.StringIO(text)) if one.code == "G613")


@pytest.mark.parametrize(
    "moves",
    [
        "PL[B];B[pd];B[pq];W[qn]",  # somebody said so
        "AW[aa];B[pd];B[pq];W[qn]",  # a problem
        ";B[pd];B[pq]",  # Black alone
        ";B[pd];B[];W[qn]",
        ";B[pd];W[pq];W[qn]",
        ";B[aa];B[ba];B[ca];B[da];B[ea];B[fa];B[ga];B[ha];B[ia];B[ja];W[qn]",
    ],
)
def test_lizzieyzy_next_41_other_moves_of_one_side_are_no_handicap(moves: str) -> None:
    assert "G613" not in [code for code, _ in found(f"(;{HEAD}{moves})")]


def test_lizzieyzy_next_41_a_move_in_the_first_node_is_one_of_the_stones() -> None:
    text = f"(;{HEAD}B[pd];B[pq];W[qn])"

    assert mended(text) == f"(;{HEAD}HA[2]AB[pd][pq]PL[W];W[qn])"


def test_lizzieyzy_next_41_what_stands_beside_the_stones_stays() -> None:
    text = f"(;{HEAD};B[pd]BL[30];B[pq]LB[pq:1];W[qn])"

    assert mended(text) == f"(;{HEAD}HA[2]AB[pd][pq]PL[W];BL[30];LB[pq:1];W[qn])"


def test_baduk_ai_161_a_handicap_of_one_stone_is_left_out() -> None:
    text = f"(;{HEAD}KM[0]HA[1];B[pd];W[dd])"

    assert found(text) == [("V313", "warning")]
    assert the_fix(text, "V313") == (False, "remove HA[1]: there is no handicap")
    assert mended(text) == f"(;{HEAD}KM[0];B[pd];W[dd])"


def test_online_go_2400_ogatak_108_a_handicap_stone_that_is_the_first_move() -> None:
    text = f"(;{HEAD}HA[1]AB[pd];W[dp];B[dd])"

    assert found(text) == [("V313", "warning")]
    assert the_fix(text, "V313") == (
        False,
        "write ;B[pd], the first move; this removes HA[1]AB[pd]",
    )
    assert mended(text) == f"(;{HEAD};B[pd];W[dp];B[dd])"
    with_player = f"(;{HEAD}HA[1]AB[pd]PL[W](;W[dp])(;W[dd]))"
    assert mended(with_player) == f"(;{HEAD};B[pd](;W[dp])(;W[dd]))"


@pytest.mark.parametrize("rest", ["AB[pd][dp];W[dd]", "AB[pd];B[dd]", "AB[pd]AW[aa];W[dp]"])
def test_ogatak_108_other_stones_beside_ha_1_stay(rest: str) -> None:
    text = f"(;{HEAD}HA[1]{rest})"

    assert ("V313", "warning") in found(text)
    assert mended(text) == text


def test_lizzieyzy_next_118_127_130_55_no_komi_with_a_handicap_is_right() -> None:
    text = f"(;{HEAD}KM[0]HA[2]AB[dp][pd]PL[W];W[dd])"

    assert found(text, asked=("ALL",)) == []
    assert sgf_lark.loads(text)[0].info.komi == 0


def test_lizzieyzy_next_55_a_handicap_with_komi_is_an_info_for_who_asks() -> None:
    text = f"(;{HEAD}KM[7.5]HA[2]AB[dp][pd]PL[W];W[dd])"

    assert found(text) == []
    assert found(text, asked=("G614",)) == [("G614", "info")]
    assert found(text.replace("7.5", "0.5"), asked=("G614",)) == []

"""Troubles that people reported to other projects: what is found in them, and the way out.

Each test names the project and the number of the thread; the records are cut down.
"""

from __future__ import annotations

import io
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import sgf_lark
from sgf_lark import CheckOptions
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.cli.main import app
from sgf_lark.core.api.fix import fix_record

pytestmark = pytest.mark.usefixtures("both_engines")

if TYPE_CHECKING:
    from pathlib import Path

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
    return fix_record(text.encode(), unsafe=unsafe, encoding="utf-8").data.decode()


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
    text = f"(;{HEAD}PB[x];B[pd];B[pq]C[good];W[qn])"

    assert found(text) == found(text, asked=("G607", "G609")) == [("G613", "warning")]
    assert mended(text) == f"(;{HEAD}PB[x]HA[2]AB[pd][pq]PL[W];C[good];W[qn])"
    assert found(text.replace("PB[x]", "")) == [("G613", "info")]  # a diagram
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


def test_lizzieyzy_next_41_moves_that_a_damaged_value_holds_are_not_missed() -> None:
    text = f"(;{HEAD};B[pd]C[a;W[dd];B[pq];W[qn])"

    assert [code for code, _ in found(text) if code[0] == "G"] == []


def test_lizzieyzy_next_41_a_move_in_the_first_node_is_one_of_the_stones() -> None:
    text = f"(;{HEAD}B[pd];B[pq];W[qn])"

    assert mended(text) == f"(;{HEAD}HA[2]AB[pd][pq]PL[W];W[qn])"


def test_lizzieyzy_next_41_what_stands_beside_the_stones_stays() -> None:
    text = f"(;{HEAD};B[pd]BL[30];B[pq]LB[pq:1];W[qn])"

    assert mended(text) == f"(;{HEAD}HA[2]AB[pd][pq]PL[W];BL[30];LB[pq:1];W[qn])"


def test_baduk_ai_161_a_handicap_of_one_stone_is_left_out() -> None:
    text = f"(;{HEAD}KM[0]HA[1];B[pd];W[dd])"

    assert found(text) == [("V313", "info")]
    assert the_fix(text, "V313") == (False, "remove HA[1] for an even game")
    assert mended(text) == f"(;{HEAD}KM[0];B[pd];W[dd])"


def test_online_go_2400_ogatak_108_a_handicap_stone_that_is_the_first_move() -> None:
    text = f"(;{HEAD}HA[1]AB[pd];W[dp];B[dd])"

    assert found(text) == [("V313", "info")]
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

    assert ("V313", "info") in found(text)
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


# ---- komi ----


@pytest.mark.parametrize(
    ("hundredths", "points"),
    [
        ("275", "5.5"),
        ("550", "5.5"),
        ("325", "6.5"),
        ("650", "6.5"),
        ("350", "7"),
        ("700", "7"),
        ("375", "7.5"),
        ("750", "7.5"),
    ],
)
@pytest.mark.parametrize(("writer", "code"), [("foxwq:1", "D510"), ("SGFC:2.0", "V322")])
def test_katago_1118_komi_in_hundredths_is_written_in_points(
    hundredths: str, points: str, writer: str, code: str
) -> None:
    text = f"(;{HEAD}AP[{writer}]KM[{hundredths}];B[pd])"

    assert found(text) == [(code, "info")]
    assert the_fix(text, code) == (False, f"replace KM[{hundredths}] with KM[{points}]")
    assert mended(text, unsafe=False) == text
    assert mended(text) == f"(;{HEAD}AP[{writer}]KM[{points}];B[pd])"


@pytest.mark.parametrize(
    ("sign", "raw", "points"),
    [
        ("AP[foxwq:1]", "375", "7.5"),
        ("AP[foxwq:1]", "750", "7.5"),
        ("AP[foxwq:1]", "650", "6.5"),
        ("AP[foxwq:1]", "-375", "-7.5"),
        ("AP[foxwq:1]", "6.5", "6.5"),
        ("AP[foxwq:1]", "0", "0"),
        ("TT[1]", "550", "5.5"),
        ("AP[SGFC:2.0]", "650", "650"),
        ("", "375", "375"),
    ],
)
def test_typed_values_have_the_points_that_check_explains_and_the_text_stays(
    sign: str, raw: str, points: str
) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    (game,) = sgf_lark.loads(f"(;{HEAD}{sign}KM[{raw}];B[pd])", strict=False)
    rows = GameRows()
    rows.add(game, RowPlace("a.sgf"))
    (row,) = rows.batches()["games"].to_pylist()
    explained = ("D510", "info") in found(f"(;{HEAD}{sign}KM[{raw}];B[pd])")

    assert game.info.komi == Decimal(points)
    assert game.info.raw["KM"] == (raw,)
    assert game.root["KM"] == Decimal(raw)
    assert (row["komi"], row["raw_komi"]) == (float(points), raw)
    assert explained is (raw != points or sign.startswith("TT"))


def test_katago_1118_other_komi_is_not_guessed() -> None:
    for text in (f"(;{HEAD}AP[foxwq:1]KM[410];B[pd])", f"(;{HEAD}KM[123];B[pd])"):
        (one,) = sgf_lark.check(io.StringIO(text))
        assert one.fix is None
        assert "100" not in one.help


# ---- stones that are moves, and moves that are stones ----


def test_online_go_3145_stones_of_a_forked_game_are_set_up() -> None:
    text = f"(;{HEAD};B[pb][oc][od][qd][ce]AW[ob][dc];W[dd])"

    assert {code for code, _ in found(text)} == {"T206", "T208"}
    assert mended(text, unsafe=False) == text
    assert mended(text) == f"(;{HEAD};AB[pb][oc][od][qd][ce]AW[ob][dc];W[dd])"


def test_online_go_1725_stones_that_alternate_after_a_move_are_moves() -> None:
    text = f"(;{HEAD};B[cc];AW[dd]AB[pp]AW[qq];B[aa])"

    assert "D512" in [code for code, _ in found(text)]
    assert mended(text, unsafe=False) == text
    assert mended(text) == f"(;{HEAD};B[cc];W[dd];B[pp];W[qq];B[aa])"


# ---- moves, trees and boards that are right or found today ----


def test_katago_1114_variations_nest_as_deep_as_they_like() -> None:
    text = f"(;{HEAD}{'(;B[aa](;W[bb]' * 150}{'))' * 150})"

    assert [one for one in sgf_lark.check(io.StringIO(text)) if one.code[0] in "STV"] == []
    assert sgf_lark.format_record(text.encode()).decode().count("(") == 1


def test_katago_911_an_illegal_ko_and_a_stone_on_a_stone_are_found() -> None:
    ko = "(;FF[4]GM[1]SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[bb])"

    assert found(ko) == [("G605", "warning"), ("G601", "warning")]


def test_online_go_1953_a_move_on_a_stone_is_found() -> None:
    assert found(f"(;{HEAD};B[pd];W[pd])") == [("G601", "warning")]


@pytest.mark.parametrize(("name", "codes"), [("名人 対局", [("E401", "info")]), ("plain", [])])
def test_sabaki_1029_1047_shift_jis_without_ca_is_read(
    name: str, codes: list[tuple[str, str]]
) -> None:
    record = (
        f"(;{HEAD}PB[{name}]EV[{name}第一局 井山裕太 日本棋院];B[pd])"
        if codes
        else f"(;{HEAD}PB[{name}])"
    )
    report = sgf_lark.check(io.BytesIO(record.encode("shift_jis")))

    assert [(one.code, one.severity.value) for one in report] == codes
    (game,) = sgf_lark.loads(record.encode("shift_jis"))
    assert game.info.black.name == name


def test_sgf_parse_21_blank_lines_and_brackets_too_many_or_few() -> None:
    game = f"(;{HEAD};B[pd])"

    assert found(f"\n\n{game}\n") == []
    assert found(f"{game})") == [("S106", "error")]
    assert mended(f"{game})", unsafe=False) == game
    assert found(game[:-1]) == [("S105", "error")]
    assert mended(game[:-1], unsafe=False) == game


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("(;FF[4]GM[1]SZ[9];B[aa];W[ka])", [("G603", "error")]),
        ("(;FF[4]GM[1]SZ[9];B[jj])", [("G603", "error")]),
        ("(;FF[4]GM[1]SZ[9];B[aa];W[aa])", [("G601", "warning")]),
    ],
)
def test_sgf_render_49_42_points_off_the_board_and_stones_on_stones(
    text: str, codes: list[tuple[str, str]]
) -> None:
    assert found(text) == codes


def test_sgf_parse_19_sgf_render_46_capital_letters_go_beyond_26() -> None:
    text = "(;FF[4]GM[1]SZ[50];B[aa];W[Cd])"

    assert found(text) == []
    (game,) = sgf_lark.loads(text)
    assert game.nodes[2]["W"] == sgf_lark.Point(column=28, row=3)


def test_kaya_156_164_a_board_of_two_sides_empty_nodes_and_blanks_stay() -> None:
    text = "(;FF[4]GM[1]SZ[9:13];B[am]C[  two  ];;W[bb])"

    assert found(text) == []
    assert sgf_lark.dumps(sgf_lark.loads(text)) == text


def test_weiqi_hub_68_a_bracket_for_each_move_is_valid_and_flattened() -> None:
    text = f"(;{HEAD}(;B[pd](;W[dd](;B[qq]))))"

    assert found(text) == []
    assert sgf_lark.format_record(text.encode()).decode().count("(") == 1


# ---- texts that end at their own bracket ----


@pytest.mark.parametrize(
    ("thread", "wrong", "right"),
    [
        ("sabaki-687", "US[Matsuyama[3d]]", r"US[Matsuyama[3d\]]"),
        ("sgf-parse-25", "PB[Aoki [3d]]", r"PB[Aoki [3d\]]"),
        ("sgf-parse-25", "PB[Aoki [3d]\n]", "PB[Aoki [3d\\]\n]"),
        ("online-go-1547", "C[2 \\\\\\[\\\\]\n]", "C[2 \\\\\\[\\\\\\]\n]"),
        ("online-go-1547", "GC[[1] and [2]]", "GC[[1\\] and [2\\]]"),
    ],
)
def test_sgf_parse_25_sabaki_687_online_go_1547_a_text_ends_at_its_own_bracket(
    thread: str, wrong: str, right: str
) -> None:
    text = f"(;{HEAD}{wrong};B[pd])"

    assert {code for code, _ in found(text)} - {"V321", "V324"} == {"S119"}, thread
    assert not any(
        one.fix.safe for one in sgf_lark.check(io.StringIO(text)) if one.fix and one.code == "S119"
    )
    options = CheckOptions(select=["S119"])
    data = fix_record(text.encode(), unsafe=True, encoding="utf-8", options=options).data
    assert data.decode() == f"(;{HEAD}{right};B[pd])"


@pytest.mark.parametrize("wrong", ["PB[Aoki]]", "C[done]\n]", "AB[aa]]", "C[a [b\\]]]"])
def test_sgf_parse_25_a_bracket_that_is_no_part_of_a_text_stays_one_too_many(wrong: str) -> None:
    assert found(f"(;{HEAD}{wrong};B[pd])") == [("S102", "error")]


# ---- values ----


@pytest.mark.parametrize(
    ("name", "number", "safe"),
    [
        ("Go", 1, True),
        ("go", 1, True),
        ("Othello", 2, True),
        ("renju", 4, False),
        ("Hex", 11, False),
    ],
)
def test_sgf_parse_27_the_name_of_a_game_is_its_number(
    name: str, number: int, *, safe: bool
) -> None:
    text = f"(;FF[4]GM[{name}]SZ[19])"

    assert found(text) == [("V301", "error")]
    assert the_fix(text, "V301") == (safe, f"replace GM[{name}] with GM[{number}]")
    assert mended(text).startswith(f"(;FF[4]GM[{number}]")


def test_sgf_parse_27_no_game_of_the_standard_has_another_name() -> None:
    (one,) = sgf_lark.check(io.StringIO("(;FF[4]GM[Whist]SZ[19])"))

    assert (one.code, one.fix) == ("V301", None)


@pytest.mark.parametrize("size", ["18", "9", "13"])
def test_lizzieyzy_228_a_pass_that_is_a_point_beyond_the_corner(size: str) -> None:
    point = "abcdefghijklmnopqrs"[int(size)] * 2
    text = f"(;FF[4]GM[1]SZ[{size}];B[aa];W[{point}])"

    assert found(text) == [("G603", "error")]
    assert the_fix(text, "G603") == (False, f"replace W[{point}] with W[], a pass")
    assert mended(text) == f"(;FF[4]GM[1]SZ[{size}];B[aa];W[])"


def test_lizzieyzy_228_only_the_point_beyond_the_corner_is_a_pass() -> None:
    text = "(;FF[4]GM[1]SZ[18];B[aa];W[sr])"

    assert mended(text) == text
    old = "(;FF[3]GM[1]SZ[18];B[aa];W[ss])"
    assert mended(old) == "(;FF[3]GM[1]SZ[18];B[aa];W[tt])"


def test_baduk_ai_70_tsumego_3_points_with_a_color_or_a_word() -> None:
    undefined = f"(;{HEAD};W[dundefined])"
    colored = f"(;{HEAD}AW[Wpq][dd]AB[Bpd])"

    assert ("V301", "error") in found(undefined)
    assert mended(undefined) == undefined
    assert {code for code, _ in found(colored)} == {"V301"}
    assert mended(colored, unsafe=False) == colored
    assert mended(colored) == f"(;{HEAD}AW[pq][dd]AB[pd])"
    assert mended(f"(;{HEAD}AW[Bpq])") == f"(;{HEAD}AW[Bpq])"


# ---- words of Chinese, Japanese and Korean ----


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("RE[白胜43.5目]", "RE[W+43.5]"),  # goreviewpartner 71
        ("RE[黑胜]", "RE[B+]"),
        ("RE[黑中盘胜]", "RE[B+R]"),
        ("RE[黒3目半勝ち]", "RE[B+3.5]"),
        ("RE[白半目勝ち]", "RE[W+0.5]"),
        ("RE[흑 불계승]", "RE[B+R]"),
        ("RE[백 반집승]", "RE[W+0.5]"),
        ("RE[黑超时胜]", "RE[B+T]"),
        ("RE[持碁]", "RE[0]"),
        ("RE[無勝負]", "RE[Void]"),
        ("PL[黑]", "PL[B]"),
        ("PL[백]", "PL[W]"),
        ("KM[6目半]", "KM[6.5]"),
        ("KM[6.5目]", "KM[6.5]"),
        ("DT[1996 年 5 月 27 日]", "DT[1996-05-27]"),
        ("DT[1996年5月]", "DT[1996-05]"),
    ],
)
def test_goreviewpartner_71_words_are_written_as_the_standard_has_them(
    wrong: str, right: str
) -> None:
    assert mended(f"(;{HEAD}{wrong})", unsafe=False) == f"(;{HEAD}{right})"


@pytest.mark.parametrize(
    ("wrong", "right", "title"),
    [
        # lizzie 24
        (
            "RE[182수 백불계승]",
            "RE[W+R]",
            "replace RE[182수 백불계승] with RE[W+R]; this removes '182수'",
        ),
        ("RE[294수 흑0.5집승]", "RE[B+0.5]", None),
        ("RE[共211手 白胜]", "RE[W+]", None),
        ("PL[X]", "PL[B]", "replace PL[X] with PL[B]"),  # BadukAI 74
        ("HA[对子]", "", "remove HA[对子], if the game is even"),  # katrain 292
        ("HA[让三子]", "HA[3]", None),
        ("KO[6.5]", "KM[6.5]", "replace KO[6.5] with KM[6.5]"),  # lizzie 24
    ],
)
def test_lizzie_24_katrain_292_baduk_ai_74_words_that_are_guessed(
    wrong: str, right: str, title: str | None
) -> None:
    text = f"(;{HEAD}{wrong})"
    (one,) = sgf_lark.check(io.StringIO(text))

    assert one.fix is not None
    assert not one.fix.safe
    assert title in {None, one.fix.message}
    assert mended(text, unsafe=False) == text
    assert mended(text) == f"(;{HEAD}{right})"


def test_lizzie_24_a_game_of_oro_without_its_semicolon_is_mended() -> None:
    text = f"({HEAD}KO[6.5]RE[182수 백불계승];B[pd])"

    assert mended(text) == f"(;{HEAD}KM[6.5]RE[W+R];B[pd])"


@pytest.mark.parametrize(
    "value", ["白胜", "6目半半", "6.5目半", "黑白胜", "胜", "1996年13月", "让一子"]
)
def test_goreviewpartner_71_other_words_are_left_alone(value: str) -> None:
    for ident in ("KM", "DT", "HA"):
        text = f"(;{HEAD}{ident}[{value}])"
        assert mended(text) == text


# ---- files ----


def test_katago_summarize_sgfs_files_of_a_game_a_line_are_found(tmp_path: Path) -> None:
    game = f"(;{HEAD};B[pd])"
    (tmp_path / "games.sgfs").write_text(f"{game}\n{game}\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path)])

    assert result.exit_code == 0, result.output
    assert len(sgf_lark.load(tmp_path / "games.sgfs")) == 2

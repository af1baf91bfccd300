"""From GGF to SGF and back: facts of spec/conversion, own games, and the server's records."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings, strategies as st
from support.conversions import values
from support.lanes import amount

import sgf_lark
from sgf_lark import Collection, SgfConversionError, convert
from sgf_lark.convert.lossy import Lossy
from sgf_lark.core.findings.finding import Severity
from sgf_lark.core.schema.formats import FormatName
from sgf_lark.core.write.dump import dumps

START = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"
AMAZONS = (
    "BO[10 ---*--*--- ---------- ---------- *--------* ---------- ---------- O--------O"
    " ---------- ---------- ---O--O--- *]"
)


def sgf(ggf: str, *, lossy: Lossy = Lossy.KEEP, time_left: bool = False) -> Collection:
    source = sgf_lark.loads(ggf, strict=False, format="ggf")
    return convert(source, "ff4", lossy=lossy, time_left=time_left)


def compact(collection: Collection) -> str:
    return dumps(collection, style="compact").strip()


def comes_back(ggf: str) -> bool:
    """The record is the same after a way to SGF and back, through the text of both."""
    source = sgf_lark.loads(ggf, strict=False, format="ggf")
    there = sgf_lark.loads(dumps(convert(source, "ff4")), strict=False)
    back = sgf_lark.loads(dumps(convert(there, "ggf")), strict=False, format="ggf")
    return values(back) == values(source)


@pytest.mark.parametrize(
    ("ggf", "back"),
    [
        (f"(;GM[Othello]TY[8]{START}B[D3//2.50]W[c5//3.00];)",
         f"(;GM[Othello]TY[8]{START}B[d3//2.5]W[c5//3];)"),
        (f"(;GM[Othello]RE[?]TI[0//0]TY[8]{START}B[d3];)",
         f"(;GM[Othello]TI[00:00]TY[8]RE[?]{START}B[d3];)"),
        (f"(;GM[Othello]TY[8]{START}B[d3]W[pass];)", f"(;GM[Othello]TY[8]{START}B[d3]W[PA];)"),
        (f"(;GM[Othello]{START}B[d3];)", f"(;GM[Othello]TY[8]{START}B[d3];)"),
        (f"(;GM[Othello]TY[8]RE[2]{START}B[d3];)", f"(;GM[Othello]TY[8]RE[+2.000]{START}B[d3];)"),
    ],
)  # fmt: skip
def test_a_game_comes_back_with_its_values_in_the_spelling_of_the_server(
    ggf: str, back: str
) -> None:
    there = sgf_lark.loads(dumps(sgf(ggf)), strict=False)

    assert compact(convert(there, "ggf")) == back
    assert compact(convert(sgf(back), "ggf")) == back


# ---- coordinates, start positions, moves ----


def test_black_starts_on_the_usual_othello_board() -> None:
    made = sgf(f"(;GM[Othello]TY[8]{START}B[d3//0.01]W[c5//0.01];)", lossy=Lossy.DROP)

    assert compact(made) == ("(;FF[4]GM[2]CA[UTF-8]SZ[8]AB[e4][d5]AW[d4][e5]PL[B];B[d3];W[c5])")


def test_white_may_start() -> None:
    made = sgf(f"(;GM[Othello]TY[8]{START[:-2]}O]W[D3];)")

    assert made[0].root.raw["PL"] == ("W",)
    assert made[0].nodes[1].raw == {"W": ("d3",)}


@pytest.mark.parametrize("passing", ["PA", "PASS", "pass", "pa", "pa//1.5"])
def test_a_pass_of_othello_is_pa(passing: str) -> None:
    made = sgf(f"(;GM[Othello]TY[8]{START}B[{passing}];)")

    assert made[0].nodes[1].move is not None
    assert made[0].nodes[1].move.is_pass
    assert made[0].nodes[1].raw["B"] == ("PA",)


def test_amazons_counts_its_rows_from_the_other_end() -> None:
    made = sgf(f"(;GM[Amazons]TY[10]{AMAZONS}B[D1-D7-G7/11.50]W[J7-G4-B4];)")

    assert compact(made) == ("(;FF[4]GM[18]CA[UTF-8]SZ[10]PL[B];B[djddgd]V[11.5];W[jdggbg])")


def test_another_start_of_amazons_is_set_up() -> None:
    board = "BO[6 -*--*- ------ ------ ------ ------ -O--O- O]"

    made = sgf(f"(;GM[Amazons]TY[6]{board}W[B6-B5-C5];)")

    assert made[0].root.raw["AB"] == ("bf", "ef")
    assert made[0].root.raw["AW"] == ("ba", "ea")
    assert made[0].nodes[1].raw["W"] == ("babbcb",)
    assert comes_back(f"(;GM[Amazons]TY[6]{board}W[B6-B5-C5];)")


def test_the_board_without_corners_is_refused() -> None:
    rows = "------ -------- " + "---------- " * 2 + "----O*---- ----*O---- "
    rows += "---------- " * 2 + "-------- ------"

    with pytest.raises(SgfConversionError, match="no Othello board without corners"):
        sgf(f"(;GM[Othello]TY[88]BO[88 {rows} *]B[e4];)")


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("Checkers", "SGF has no number for Checkers"),
        ("Domineering", "SGF has no number for Domineering"),
        ("Chess", "notation of chess in GGF is unknown"),
        ("Go", "notation of Go in GGF is unknown"),
    ],
)
def test_games_that_only_one_format_describes_are_refused(game: str, reason: str) -> None:
    with pytest.raises(SgfConversionError, match=reason):
        sgf(f"(;GM[{game}]TY[8]{START};)")


# ---- evaluations, times, clocks ----


def test_an_evaluation_is_the_movers_and_v_is_blacks() -> None:
    made = sgf(f"(;GM[Othello]TY[8]{START}B[d3/1.50]W[c5/1.25]B[e6/-0.0]W[f5/]B[g5//3];)")

    assert [node.raw.get("V") for node in made[0].nodes] == [
        None,
        ("1.5",),
        ("-1.25",),
        ("0",),
        None,
        None,
    ]
    assert made[0].nodes[5].raw["TU"] == ("3",)


@pytest.mark.parametrize(
    ("ggf", "expected"),
    [
        ("TI[15:00]", {"TM": ("900",)}),
        ("TI[15:00//02:00]", {"TM": ("900",), "OT": ("15:00//02:00",)}),
        ("TI[24:00:00]", {"TM": ("86400",)}),
        ("TI[05:00/00:05]", {"TM": ("300",), "OT": ("5 fischer",)}),
        ("TI[05:00/00:05,N1]", {"TM": ("300",), "OT": ("5 bronstein",)}),
        ("TI[05:00//10:00,N25]", {"TM": ("300",), "OT": ("25/600 Canadian",)}),
        ("TI[05:00//00:20,N1]", {"TM": ("300",), "OT": ("20 simple",)}),
        ("TI[05:00/00:05/00:20]", {"TM": ("300",), "OT": ("05:00/00:05/00:20",)}),
        ("TI[05:00,20]", {"TM": ("300",), "OT": ("05:00,20",)}),
        ("TB[15:00]TW[10:00]", {"OT": ("B 15:00, W 10:00",)}),
        ("TB[15:00]TW[15:00//01:00]", {"TM": ("900",), "OT": ("B 15:00, W 15:00//01:00",)}),
    ],
)
def test_clocks(ggf: str, expected: dict[str, tuple[str, ...]]) -> None:
    text = f"(;GM[Othello]{ggf}TY[8]{START}B[d3];)"

    root = sgf(text)[0].root.raw

    assert {ident: root[ident] for ident in ("TM", "OT") if ident in root} == expected
    assert comes_back(text)


@pytest.mark.parametrize(
    ("root", "clock", "lost"),
    [
        ("TM[300]", "05:00", []),
        ("TM[300]OT[absolute]", "05:00", []),
        ("TM[0]OT[0 none]", "00:00", []),
        ("TM[300]OT[5 fischer]", "05:00/00:05", []),
        ("TM[300]OT[Fischer +5s]", "05:00/00:05", []),
        ("TM[300]OT[10 bronstein]", "05:00/00:10,N1", []),
        ("TM[300]OT[25/600 Canadian]", "05:00//10:00,N25", []),
        ("TM[300]OT[20 sec / move]", "05:00//00:20,N1", []),
        ("OT[Fischer time: 30 days with 1 day extra per move]", "720:00:00/24:00:00", []),
        ("TM[300]OT[5x30 byo-yomi]", "05:00", ["OT"]),
        ("TM[300]OT[fischer 5 capped]", "05:00", ["OT"]),
        ("TM[300]OT[2.5 fischer]", "05:00", ["OT"]),
        ("TM[300]OT[hourglass]", "05:00", ["OT"]),
        ("TM[300]OT[by hand]", "05:00", ["OT"]),
        ("TM[300.5]OT[5 fischer]", None, ["TM", "OT"]),
        ("OT[5 fischer]", None, ["OT"]),
    ],
)
def test_what_ggf_has_of_overtime_is_in_its_clock_and_the_rest_is_noted(
    root: str, clock: str | None, lost: list[str]
) -> None:
    text = f"(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]{root};B[d3])"

    made = convert(sgf_lark.loads(text), "ggf")

    assert made[0].root.raw.get("TI", (None,)) == (clock,)
    noted = [one.property for one in made.diagnostics if one.code == "C730"]
    assert noted == lost
    back = convert(made, "ff4")[0]
    if not lost and "OT" in back.root:
        before = sgf_lark.loads(text)[0].info.clock
        assert back.info.clock == before


def test_the_time_left_is_worked_out_on_request() -> None:
    moves = "B[d3//10]W[c5//5.5]B[e6//20]W[f5]B[g5//1]W[e3//1]"
    text = f"(;GM[Othello]TI[05:00/00:03]TY[8]{START}{moves};)"

    asked = [(one.raw.get("BL"), one.raw.get("WL")) for one in sgf(text, time_left=True)[0].nodes]

    assert asked[1:] == [
        (("293",), None),
        (None, ("297.5",)),
        (("276",), None),
        (None, None),
        (("278",), None),
        (None, None),
    ]
    assert "BL[" not in compact(sgf(text))
    assert "BL[" not in compact(sgf(text.replace("00:03", "00:03/01:00"), time_left=True))


# ---- results, komi, dates ----


@pytest.mark.parametrize(
    ("ggf", "expected", "comment"),
    [
        ("+8.500", "B+8.5", None),
        ("-3.00", "W+3", None),
        ("+0.000", "0", None),
        ("0", "0", None),
        ("-12", "W+12", None),
        ("+64.00:r", "B+R", "score +64.00"),
        ("-40.00:r", "W+R", "score -40.00"),
        ("-40.00:t", "W+T", "score -40.00"),
        ("+0.00:r", "Void", None),
        ("+4:s", "B+4", None),
        ("?", "?", None),
        ("left", "Void", None),
        ("+2.0:l", "Void", "score +2.0"),
    ],
)
def test_results(ggf: str, expected: str, comment: str | None) -> None:
    text = f"(;GM[Othello]TY[8]RE[{ggf}]{START}B[d3];)"

    root = sgf(text)[0].root

    assert root.raw["RE"] == (expected,)
    assert root.get("GC") == comment
    assert comes_back(text)


def test_a_komi_game_tells_its_komi_in_a_comment() -> None:
    text = f"(;GM[Othello]TY[8k]KB[e6//0.90]KW[f5/-1.00]KM[-0.500]RE[+8.500]{START}B[e6];)"

    root = sgf(text)[0].root

    assert root["GC"] == "komi -0.500 (KB e6, KW f5 -1.00)"
    assert root["RU"] == "8k"
    assert root.raw["RE"] == ("B+8.5",)
    assert comes_back(text)


@pytest.mark.parametrize(
    ("ggf", "expected"),
    [
        ("2004.09.18_05:54:38.MDT", "2004-09-18"),
        ("2000-4-16 11:13 EST", "2000-04-16"),
        ("2004-11-24 13:47:34 GMT", "2004-11-24"),
        ("945277754", "1999-12-15"),
        ("1999", "1999"),
        ("yesterday", None),
    ],
)
def test_dates(ggf: str, expected: str | None) -> None:
    text = f"(;GM[Othello]DT[{ggf}]TY[8]{START}B[d3];)"

    root = sgf(text)[0].root

    assert root.raw.get("DT") == (None if expected is None else (expected,))
    assert root.get("GC") == (f"date {ggf}" if expected is None else None)
    assert comes_back(text)


# ---- whole records ----


def test_every_game_of_a_synchro_match_becomes_a_tree_and_the_match_comes_back() -> None:
    one = f"(;GM[Othello]PB[a]PW[b]TY[s8]RE[+2.000]{START}B[d3];)"
    other = f"(;GM[Othello]PB[b]PW[a]TY[s8]RE[-2.000]{START}B[e6];)"

    made = convert(sgf_lark.loads(f"2 {one}{other}"), "ff4")

    assert [game.info.black.name for game in made] == ["a", "b"]
    back = dumps(convert(made, "ggf"), style="compact")
    assert back.startswith("2 (;GM[Othello]PB[a]")
    assert values(sgf_lark.loads(back)) == values(sgf_lark.loads(f"2 {one}{other}"))
    assert not sgf_lark.loads(back).diagnostics


def test_a_single_game_beside_a_match_has_its_number_too() -> None:
    one = f"(;GM[Othello]PB[a]PW[b]TY[s8]{START}B[d3];)"
    other = f"(;GM[Othello]PB[b]PW[a]TY[s8]{START}B[e6];)"
    single = f"(;GM[Othello]PB[c]PW[d]TY[8]{START}B[e6];)"
    source = sgf_lark.loads(f"1 {single}\n2 {one}{other}\n1 {single}")

    back = convert(convert(source, "ff4"), "ggf")

    written = dumps(back, style="compact")
    assert "".join(written.split("\n")) == f"1 {single}2 {one}{other}1 {single}"
    assert not dumps(convert(convert(sgf_lark.loads(single), "ff4"), "ggf")).startswith("1")


def test_without_private_properties_every_loss_is_told() -> None:
    text = f"(;GM[Othello]DT[945277754]TY[8]RE[-40:r]{START}B[d3//12.5];)"

    made = sgf(text, lossy=Lossy.DROP)

    assert "GF[" not in compact(made)
    assert [one.property for one in made.diagnostics if one.code == "C730"] == ["DT", "RE", "B"]
    with pytest.raises(SgfConversionError):
        sgf(text, lossy=Lossy.REFUSE)


def test_the_name_of_the_game_comes_back_as_it_was_spelled() -> None:
    assert comes_back(f"(;GM[othello]TY[8]{START}B[d3];)")


def test_texts_with_backslashes_and_brackets_come_back() -> None:
    assert comes_back(f"(;GM[Othello]PC[C:\\games]PB[a\\]PW[b: c]TY[8]CO[x\\y\nz]{START}B[d3];)")


def test_what_somebody_changed_in_sgf_is_what_ggf_says() -> None:
    text = f"(;GM[Othello]PB[a]TY[8]RE[-40.00:r]{START}B[d3];)"
    there = compact(sgf(text)).replace("RE[W+R]", "RE[B+2]")

    back = convert(sgf_lark.loads(there), "ggf")

    assert back[0].root.raw["RE"] == ("+2.000",)
    assert "C750" in {one.code for one in back.diagnostics}


SQUARES = st.builds(lambda a, b: f"{a}{b}", st.sampled_from("abcdefgh"), st.integers(1, 8))
NUMBERS = st.decimals(-64, 64, places=2).map(str)
TIMES = st.decimals(0, 900, places=2).map(str)
NAMES = st.text(st.characters(codec="ascii", exclude_characters="]", min_codepoint=32), max_size=9)
MOVES = st.builds(
    lambda move, score, time: f"{move}/{score}/{time}".rstrip("/"),
    SQUARES | st.sampled_from(["PA", "pass", "D3"]),
    st.just("") | NUMBERS,
    st.just("") | TIMES,
)
RECORDS = st.builds(
    lambda black, white, rating, clock, kind, result, turn, moves: (
        f"(;GM[Othello]PB[{black}]PW[{white}]RB[{rating}]TI[{clock}]TY[{kind}]RE[{result}]"
        f"{START[:-2]}{turn}]"
        + "".join(f"{'BW'[place % 2]}[{move}]" for place, move in enumerate(moves))
        + ";)"
    ),
    NAMES,
    NAMES,
    NUMBERS,
    st.sampled_from(["15:00", "5:00//2:00", "0", "1:00:00/00:05,3/N10", "10"]),
    st.sampled_from(["8", "8k", "s8r18", "8a", "8r"]),
    st.builds(lambda score, flag: score + flag, NUMBERS, st.sampled_from(["", ":r", ":t", ":s"])),
    st.sampled_from("*O"),
    st.lists(MOVES, max_size=12),
)


@settings(max_examples=amount(10, 80))
@given(RECORDS)
def test_any_othello_game_comes_back_from_sgf(text: str) -> None:
    assert comes_back(text)


def test_what_gf_keeps_stays_where_something_else_is_written_otherwise() -> None:
    start = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

    assert comes_back(f"(;GM[Othello]PB[]PW[]RB[0.00]TI[15:00]TY[8]RE[64.00:r]{start};)")


# ---- from SGF ----


def test_sgf_without_anything_of_ggf_becomes_a_plain_record() -> None:
    text = (
        "(;FF[4]GM[2]SZ[8]PB[a]PW[b]BR[1800]DT[2001-02-03]TM[900]RE[B+4]AB[e4][d5]AW[d4][e5]"
        "PL[B];B[d3]V[2];W[]V[1.5])"
    )

    made = convert(sgf_lark.loads(text), "ggf")

    assert compact(made) == (
        "(;GM[Othello]DT[2001.02.03_00:00:00.GMT]PB[a]PW[b]RB[1800]TI[15:00]TY[8]RE[+4.000]"
        f"{START}B[d3/2]W[PA/-1.5];)"
    )


def test_amazons_comes_back_to_its_own_rows() -> None:
    made = convert(sgf_lark.loads("(;FF[4]GM[18];B[djddgd];W[jdggbg])"), "ggf")

    assert compact(made) == f"(;GM[Amazons]TY[10]{AMAZONS}B[D1-D7-G7]W[J7-G4-B4];)"


@pytest.mark.parametrize(
    ("text", "format", "move"),
    [
        ("(;FF[4]GM[18];B[djddgz])", "ggf", "djddgz"),
        (f"(;GM[Amazons]TY[10]{AMAZONS}B[D1-D77-G7];)", "ff4", "D1-D77-G7"),
    ],
)
def test_a_move_of_amazons_that_the_other_format_cannot_name_is_kept(
    text: str, format: FormatName, move: str
) -> None:
    made = convert(sgf_lark.loads(text, strict=False), format)

    assert made[0].nodes[1].raw["B"] == (move,)
    assert "C719" in [one.code for one in made.diagnostics]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;FF[4]GM[1];B[dd])", "supports Othello and Amazons only"),
        ("(;FF[4]GM[2]SZ[8];AB[d3])", "no place for AB"),
        ("(;FF[4]GM[2]SZ[8];PL[W])", "no place for PL"),
        ("(;FF[4]GM[18]AA[aa])", "no place for AA"),
        ("(;FF[4]GM[2]SZ[8:6];B[d3])", "GGF has square boards only"),
        ("(;FF[4]GM[2]SZ[8]PB[a\\]b];B[d3])", "cannot contain the ']' of PB"),
    ],
)
def test_what_ggf_has_no_place_for_is_refused(text: str, reason: str) -> None:
    with pytest.raises(SgfConversionError, match=reason):
        convert(sgf_lark.loads(text), "ggf")


def test_what_ggf_leaves_out_is_told() -> None:
    root = "FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]EV[Cup]OT[byo-yomi]"
    text = f"(;{root};B[d3]C[hm](;W[c5]N[x])(;W[c3])(;W[e3]))"

    made = convert(sgf_lark.loads(text), "ggf")

    warned = [one for one in made.diagnostics if one.severity == "warning"]
    lost = [(one.code, one.property, one.node_path) for one in warned]
    assert lost == [
        ("C730", "EV", "0"),
        ("C730", "OT", "0"),
        ("C730", "C", "1"),
        ("C730", "N", "2"),
        ("C751", None, "1.1"),
        ("C751", None, "1.2"),
    ]


def test_real_numbers_keep_their_value() -> None:
    made = sgf(f"(;GM[Othello]TY[8]{START}B[d3/12345678901234567890.10];)")

    assert made[0].nodes[1]["V"] == Decimal("12345678901234567890.1")


def test_of_a_property_that_ggf_has_twice_the_second_is_told() -> None:
    text = "(;GM[Othello]PB[a]PB[b]CO[one]B[d3]CO[two]PW[w];)"
    made = sgf_lark.convert(sgf_lark.loads(text, strict=False), "sgf")

    assert made[0].root.raw["PW"] == ("w",)
    assert [one.message for one in made.diagnostics if one.name == "second-dropped"] == [
        "PB[b] is left out: GGF allows one PB",
        "CO[two] is left out: GGF allows one CO (node 0 of the result)",
    ]


def test_who_wrote_a_record_is_told_to_be_left_out_of_ggf() -> None:
    made = sgf_lark.convert(sgf_lark.loads("(;FF[4]GM[2]AP[X:1]ST[2];B[d3])"), "ggf")

    assert [
        (one.severity.value, one.message) for one in made.diagnostics if one.code == "C730"
    ] == [
        ("info", "GGF cannot express AP[X:1]"),
        ("info", "GGF cannot express ST[2]"),
    ]


@pytest.mark.parametrize(
    ("text", "told", "severity"),
    [
        ("RE[W+R]", "is now RE[-64.000:r]; the score is unknown, and all squares is a", "W"),
        ("RE[B+T]", "is now RE[+64.000:t]; the score is unknown, and all squares is a", "W"),
        ("RE[B+12]", "is now RE[+12.000]", "I"),
        ("RE[Draw]", "is now RE[+0.000]", "I"),
        ("RE[W+R]GC[score -40.00]GF[RE:-40.00\\:r]", "is now RE[-40.00:r]", "I"),
        ("RE[B+R]GF[RE:-40.00\\:r]", "the score is unknown", "W"),
    ],
)
def test_a_score_that_nobody_counted_is_told_as_a_guess(
    text: str, told: str, severity: str
) -> None:
    made = convert(sgf_lark.loads(f"(;FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]{text})"), "ggf")

    (one,) = [one for one in made.diagnostics if one.name == "result-view"]
    assert told in one.message
    assert one.severity.name.startswith(severity)
    assert "fact-dropped" not in {one.name for one in made.diagnostics}


@pytest.mark.parametrize(
    ("text", "guessed"),
    [
        ("SZ[8]AB[e4][d5]AW[d4][e5]PL[B]", ""),
        ("SZ[8]AB[e4][d5]AW[d4][e5];B[d3]", ""),
        (";B[d3]", "without SZ and AB and AW it is a guess"),
        ("SZ[8]", "without AB and AW and PL it is a guess"),
    ],
)
def test_a_start_position_that_sgf_does_not_give_is_told_as_a_guess(
    text: str, guessed: str
) -> None:
    made = convert(sgf_lark.loads(f"(;FF[4]GM[2]{text})"), "ggf")

    (one,) = [one for one in made.diagnostics if one.name == "start-position"]
    assert one.message.endswith(guessed or "...]")
    assert one.severity is (Severity.WARNING if guessed else Severity.INFO)

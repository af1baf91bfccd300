"""Overtime is read from free texts only where they are clear; each example is judged by hand."""

import pytest
from support.overtime import EXAMPLES, meaning

import sgf_lark
from sgf_lark.core import Clock, read_overtime, write_overtime
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.values import Period


@pytest.mark.parametrize(("text", "judged"), [example[1:] for example in EXAMPLES])
def test_an_overtime_is_read_as_it_was_judged(text: str, judged: str) -> None:
    assert meaning(read_overtime(text)) == judged
    assert meaning(read_overtime(f"  {text}\n")) == judged


@pytest.mark.parametrize(
    "text", ["", " ", "5x" + "3" * 5000, "\u0661x\u0663 byo-yomi", "5x30 byo-yomi)"]
)
def test_other_texts_give_no_clock(text: str) -> None:
    assert read_overtime(text) is None


def test_the_grammar_of_overtime_is_one_that_the_fast_engine_reads() -> None:
    for start in ("overtime", "time_and_overtime"):
        assert grammars.generated(grammars.path("words/overtime"), start) is not None


@pytest.mark.parametrize("text", [text for _, text, judged in EXAMPLES if judged != "-"])
def test_what_is_written_of_a_clock_is_read_as_the_same(text: str) -> None:
    clock = read_overtime(text)
    assert clock is not None
    written = write_overtime(clock)
    unwritten = clock.cap is not None or clock.system in {"none", "absolute", "hourglass"}

    assert (written is None) == unwritten
    if written is not None:
        again = read_overtime(written)
        assert again is not None
        assert again.model_copy(update={"initial": clock.initial}) == clock


# ---- the clock of a game ----


def clock_of(root: str, format: str = "FF[4]") -> Clock | None:
    return sgf_lark.loads(f"(;{format}GM[1]SZ[19]{root})", strict=False)[0].info.clock


def test_the_main_time_of_a_clock_is_that_of_tm() -> None:
    clock = clock_of("TM[1800]OT[5x30 byo-yomi]")

    assert clock is not None
    assert (clock.initial, clock.periods) == (Period(seconds=1800), 5)
    assert clock.extension == Period(seconds=30, moves=1, not_added=True)


@pytest.mark.parametrize(
    ("root", "format", "judged"),
    [
        ("TM[300]TC[3]TT[30]", "FF[4]", "300: japanese 3x30"),
        ("TM[3시간]LC[5]LT[60]", "", "japanese 5x60"),
        ("TM[1時間]LC[5回]LT[30秒]", "", "japanese 5x30"),
        ("TM[1800]OM[25]OP[900]", "FF[3]", "canadian 25/900"),
        ("TM[30:00(5x1:00)]", "FF[3]", "1800: japanese 5x60"),
        ("TM[5:00:00(5x1:00)]", "FF[3]", "18000: japanese 5x60"),
        ("TM[30:00+30:00/25]", "FF[3]", "1800: canadian 25/1800"),
        ("TM[10:00:00+1:00/5]", "FF[3]", "36000: canadian 5/60"),
        ("TM[300]OT[fischer 5 capped]", "FF[4]", "300: fischer 5 up to 300"),
        ("OT[fischer 5 capped]", "FF[4]", "fischer 5"),
        ("TM[600]OT[86400 fischer]", "FF[3]", "-"),
        ("TM[-5]OT[5x30 byo-yomi]", "FF[4]", "japanese 5x30"),
        # What is not said, or not clear, is no clock; nothing else counts beside an OT.
        ("TM[300]", "FF[4]", "-"),
        ("TM[300]TC[3]", "FF[4]", "-"),
        ("TM[300]TC[x]TT[30]", "FF[4]", "-"),
        ("TM[300]OT[as usual]TC[3]TT[30]", "FF[4]", "-"),
        ("TM[1800]OM[0]OP[0.0]", "FF[3]", "-"),
        ("TM[50:00]", "FF[3]", "-"),
        ("TM[1:00(5x0:00)]", "FF[3]", "-"),
        ("TM[1800,0,30,5]", "FF[3]", "-"),
    ],
)
def test_other_places_of_overtime_are_read_too(root: str, format: str, judged: str) -> None:
    assert meaning(clock_of(root, format)) == judged


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("15:00", "absolute"),
        ("0", "none"),
        ("05:00//02:00", "extension"),
        ("05:00/00:05", "fischer"),
        ("05:00/00:05,N1", "bronstein"),
        ("05:00//10:00,N25", "canadian"),
        ("05:00//00:20,N1", "simple"),
        ("05:00/00:05/02:00", "other"),
        ("05:00,20", "other"),
        ("05:00/00:05,3", "other"),
        ("05:00//10:00,25", "other"),
    ],
)
def test_a_clock_of_ggf_has_the_system_that_its_parts_make(text: str, system: str) -> None:
    board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    game = sgf_lark.loads(f"(;GM[Othello]TI[{text}]TY[8]BO[{board}]B[d3];)")[0]

    assert game.info.clock is not None
    assert game.info.clock.system == system


# ---- the time of moves ----


def used(moves: str, root: str = "TM[60]OT[5x30 byo-yomi]") -> dict[int, float]:
    text = f"(;FF[4]GM[1]SZ[19]{root};{moves})"
    return dict(sgf_lark.loads(text, strict=False)[0].times_used)


def test_in_main_time_a_move_takes_what_its_player_has_less() -> None:
    assert used(
        "B[aa]BL[55.5];W[bb]WL[50];B[cc]BL[55.4];W[dd]WL[31]", "TM[60]OT[1x5 byo-yomi]"
    ) == {
        1: 4.5,
        2: 10,
        3: 0.1,
        4: 19,
    }


def test_in_byo_yomi_the_time_of_a_move_is_not_known() -> None:
    assert used("B[aa]BL[5];W[ba];B[ca]BL[30]OB[5];W[da];B[ea]BL[30]OB[4]") == {1: 55}


def test_in_canadian_overtime_a_period_begins_after_the_main_time_and_after_its_stones() -> None:
    moves = "B[aa]BL[5];W[];B[]BL[90]OB[1];W[];B[]BL[100]OB[2];W[];B[]BL[70]OB[1]"

    assert used(moves, "TM[60]OT[2/100 Canadian]") == {1: 55, 3: 15, 7: 30}


def test_an_increment_is_added_before_a_move_is_timed() -> None:
    moves = "B[aa]BL[62];W[ba];B[ca]BL[70];W[da];B[ea]BL[70]"

    assert used(moves, "TM[60]OT[10 fischer]") == {1: 8, 3: 2, 5: 10}
    assert used(moves, "TM[60]OT[fischer 10 capped 70]") == {1: 8}


def test_variations_go_on_from_their_own_times() -> None:
    lines = "(;W[ba]WL[80];B[ca]BL[70])(;W[da]WL[9];B[ea]BL[60])"

    assert used(f"B[aa]BL[90]{lines}", "TM[99]OT[1x5 byo-yomi]") == {
        1: 9,
        2: 19,
        3: 20,
        4: 90,
        5: 30,
    }


@pytest.mark.parametrize(
    ("root", "moves", "known"),
    [
        # Without OB a time may be that of a period, or the sum of main time and periods.
        ("TM[60]OT[5x30 byo-yomi]", "B[]BL[55];W[];B[]BL[30]", {}),
        ("TM[600]OT[3x30 byo-yomi]", "B[]BL[680];W[];B[]BL[670]", {}),
        ("TM[600]OT[25/300 Canadian]", "B[]BL[400];W[];B[]BL[290]", {1: 200}),
        ("TM[600]", "B[]BL[400]", {}),
        ("TM[600]OT[hourglass]", "B[]BL[400]", {}),
        ("OT[1x5 byo-yomi]", "B[]BL[400];W[];B[]BL[390]", {3: 10}),
        ("TM[600]OT[1x5 byo-yomi]", "B[]BL[400];W[];B[];W[];B[]BL[300]", {1: 200}),
        ("TM[600]OT[1x5 byo-yomi]", "B[]BL[x]", {}),
        ("TM[600]OT[1x5 byo-yomi]", "B[]BL[500];W[]TM[5]OT[3x5 byo-yomi]", {}),
    ],
)
def test_an_unclear_time_is_left_out(root: str, moves: str, known: dict[int, float]) -> None:
    assert used(moves, root) == known


def test_the_times_of_ggf_are_those_of_its_moves() -> None:
    board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    text = f"(;GM[Othello]TI[05:00]TY[8]BO[{board}]B[d3//10]W[c5]B[e6//0.5];)"

    assert [*sgf_lark.loads(text)[0].times_used.values()] == [10, 0.5]

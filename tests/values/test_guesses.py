"""Values that somebody may have meant: what a fix would write, and what it says goes."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.findings.diagnostic import Fix
from sgf_lark.core.values.corrections import correct_dates

IN_STONES = "if it is in stones that count two points each"


def offered(ident: str, raw: str) -> Fix:
    """The fix that is offered for a value in a game of Go."""
    record = f"(;FF[4]GM[1]SZ[19]CA[UTF-8]{ident}[{raw}];B[pd];W[dp])"
    found = sgf_lark.loads(record, strict=False).diagnostics
    (fix,) = [one.fix for one in found if one.property == ident and one.fix]
    assert sgf_lark.fix_record(record.encode(), unsafe=fix.safe is False).made
    return fix


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ("B+0.5目", "B+0.5"),
        ("W+12目", "W+12"),
        ("b+3.5 目", "B+3.5"),
        ("B+2½目", "B+2.5"),
        ("W+1.5집", "W+1.5"),
        ("白胜43.5目", "W+43.5"),
        ("黒1目半勝ち", "B+1.5"),
        ("白半目勝ち", "W+0.5"),
        ("백 2집반승", "W+2.5"),
        ("W+6 moku", "W+6"),
        ("B+1/2", "B+0.5"),
        ("W+3 1/2 points", "W+3.5"),
    ],
)
def test_a_result_in_points_is_written_as_a_number_by_a_safe_fix(raw: str, written: str) -> None:
    fix = offered("RE", raw)

    assert fix.safe
    assert fix.edits[0].replacement == written


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ("W+3.25子", "W+6.5"),
        ("B+0.25子", "B+0.5"),
        ("w+2.75 子", "W+5.5"),
        ("B+1/4", "B+0.5"),
        ("W+3/4", "W+1.5"),
        ("W+3 1/4", "W+6.5"),
        ("B+1/4子", "B+0.5"),
        ("黑胜1/4子", "B+0.5"),
        ("白胜2又3/4子", "W+5.5"),
        ("黑 胜 3又1/4子", "B+6.5"),
        ("白胜0.75子", "W+1.5"),
        ("黑3/4子胜", "B+1.5"),
        ("白５子勝", "W+10"),
    ],
)
def test_a_result_in_stones_is_a_guess_that_counts_two_points_a_stone(
    raw: str, written: str
) -> None:
    fix = offered("RE", raw)

    assert not fix.safe
    assert fix.edits[0].replacement == written
    assert fix.message.endswith(IN_STONES)


@pytest.mark.parametrize(
    "raw", ["B", "W", "b", "w", "Black", "White", "BLACK", "white", "黑", "白"]
)
def test_a_color_alone_is_a_guess_of_who_has_won(raw: str) -> None:
    fix = offered("RE", raw)

    assert not fix.safe
    assert fix.edits[0].replacement == ("B+" if raw[0] in "Bb黑" else "W+")
    assert fix.message.endswith(f", if {raw} has won")


@pytest.mark.parametrize(
    ("raw", "written", "gone"),
    [
        ("B+1.75 (moves beyond 210 not known)", "B+1.75", "(moves beyond 210 not known)"),
        ("W+R (moves beyond 178 not known)", "W+R", "(moves beyond 178 not known)"),
        ("B+R (a forfeit)", "B+R", "(a forfeit)"),
        ("W+3.5(komi 4.5)", "W+3.5", "(komi 4.5)"),
        ("(unfinished) B+R", "B+R", "(unfinished)"),
        ("Jigo (by agreement)", "0", "(by agreement)"),
        ("Void (both lost)", "Void", "(both lost)"),
        ("B+R, a nice game", "B+R", ", a nice game"),
        ("W+0.5; recounted", "W+0.5", "; recounted"),
        ("White wins by 2.5 points (half a point more by one source)", "W+2.5",
         "(half a point more by one source)"),
        ("黑中盘胜\N{FULLWIDTH LEFT PARENTHESIS}共182手\N{FULLWIDTH RIGHT PARENTHESIS}",
         "B+R", "(共182手)"),
    ],
)  # fmt: skip
def test_a_remark_beside_a_result_goes_by_an_unsafe_fix_that_quotes_it(
    raw: str, written: str, gone: str
) -> None:
    fix = offered("RE", raw)

    assert not fix.safe
    assert fix.removes
    assert fix.edits[0].replacement == written
    assert fix.message.endswith(f"; this removes '{gone}'")


@pytest.mark.parametrize(
    ("raw", "written", "gone"),
    [
        ("2018-05-10T16:19:34.094Z", "2018-05-10", "T16:19:34.094Z"),
        ("2018-05-10T16:19:34+09:00", "2018-05-10", "T16:19:34+09:00"),
        ("2026-11-02 21:33:05", "2026-11-02", "21:33:05"),
        ("2026/11/02 21:33:05", "2026-11-02", "21:33:05"),
        ("2014.05.06 10:00", "2014-05-06", "10:00"),
        ("2014-05-06 10:00 pm", "2014-05-06", "10:00 pm"),
        ("2014-05-06, 9:30 GMT", "2014-05-06", ", 9:30 GMT"),
        ("Mon, 4 March 2001", "2001-03-04", "Mon,"),
        ("Sunday 4 March 2001", "2001-03-04", "Sunday"),
        ("(嘉永2年)1849-10-8", "1849-10-08", "(嘉永2年)"),
        ("1849年(嘉永2年)10月8日", "1849-10-08", "(嘉永2年)"),
        (
            "1849-10-8\N{FULLWIDTH LEFT PARENTHESIS}嘉永2年\N{FULLWIDTH RIGHT PARENTHESIS}",
            "1849-10-08",
            "(嘉永2年)",
        ),
        ("1999-01-05 (broadcast)", "1999-01-05", "(broadcast)"),
        ("1996-05-27, Tokyo", "1996-05-27", ", Tokyo"),
        ("27 May 1996 (first day)", "1996-05-27", "(first day)"),
    ],
)
def test_what_is_no_day_goes_from_a_date_by_an_unsafe_fix_that_quotes_it(
    raw: str, written: str, gone: str
) -> None:
    fix = offered("DT", raw)

    assert not fix.safe
    assert fix.removes
    assert fix.edits[0].replacement == written
    assert fix.message.endswith(f"; this removes '{gone}'")


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ("1996年", "1996"),
        ("2024 年", "2024"),
        ("1847年", "1847"),
        ("1996年5月", "1996-05"),
        ("1996年5月7日", "1996-05-07"),
        ("２００１年３月", "2001-03"),
        ("昭和52年", "1977"),
        ("昭和５２年", "1977"),
        ("昭和64年1月7日", "1989-01-07"),
        ("平成元年", "1989"),
        ("平成元年5月", "1989-05"),
        ("令和3年5月6日", "2021-05-06"),
        ("大正15年", "1926"),
        ("明治5年", "1872"),
        ("明治30年4月1日", "1897-04-01"),
        ("民國85年", "1996"),
        ("中华民国65年5月", "1976-05"),
        ("2001-03-04~05", "2001-03-04,05"),
        ("2001/3/4~5", "2001-03-04,05"),
        ("1976.10.20~21", "1976-10-20,21"),
        ("2001-03-30~31", "2001-03-30,31"),
        ("2001-03-04\N{WAVE DASH}05", "2001-03-04,05"),
    ],
)
def test_a_year_in_words_and_two_days_are_written_by_a_safe_fix(raw: str, written: str) -> None:
    fix = offered("DT", raw)

    assert fix.safe
    assert fix.edits[0].replacement == written


@pytest.mark.parametrize(
    "raw",
    [
        "2001-03-04~08",
        "1996-05-27,8",
        "嘉永2年",
        "1996-05-27 or 28",
        "96年",
        "5月7日",
        "昭和65年",
        "昭和52",
        "平成0年",
        "明治5年3月",
        "昭和52年13月",
    ],
)
def test_a_date_that_says_too_little_gets_no_safe_fix(raw: str) -> None:
    record = f"(;FF[4]GM[1]SZ[19]CA[UTF-8]DT[{raw}])".encode()

    assert sgf_lark.fix_record(record).data == record


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        ("2子", "2"),
        ("9子", "9"),
        ("4 子", "4"),
        ("二子", "2"),
        ("两子", "2"),
        ("三子", "3"),
        ("九子", "9"),
        ("让二子", "2"),
        ("受四子", "4"),
        ("讓5子", "5"),
        ("四子局", "4"),
    ],
)
def test_a_handicap_in_words_is_a_number_by_an_unsafe_fix(raw: str, written: str) -> None:
    fix = offered("HA", raw)

    assert not fix.safe
    assert fix.edits[0].replacement == written


@pytest.mark.parametrize(
    ("raw", "assumed"),
    [
        *((word, "the game is even") for word in ("Even", "even", "EVEN", "none", "None")),
        *(
            (word, "the game is even")
            for word in ("Even game", "no handicap", "互先", "分先", "호선")
        ),
        *(
            (word, "Black only has the first move")
            for word in ("先", "定先", "受先", "让先", "讓先")
        ),
    ],
)
def test_a_game_without_handicap_loses_ha_by_an_unsafe_fix_that_quotes_it(
    raw: str, assumed: str
) -> None:
    fix = offered("HA", raw)

    assert not fix.safe
    assert fix.message == f"remove HA[{raw}], if {assumed}"


@pytest.mark.parametrize(
    "raw",
    ["many", "子", "一子", "十子", "2子3子", "先手", "nobody", "木谷先", "先二", "吴清源木谷让先"],
)
def test_other_words_of_a_handicap_get_no_fix(raw: str) -> None:
    record = f"(;FF[4]GM[1]SZ[19]CA[UTF-8]HA[{raw}];B[pd])".encode()

    assert sgf_lark.fix_record(record, unsafe=True).data == record


@pytest.mark.parametrize(
    ("ident", "raw", "help_"),
    [
        ("RE", "Black forfeit", "decide who has won: write B+F for Black, W+F for White"),
        ("RE", "W time", "decide who has won: write B+T for Black, W+T for White"),
        ("RE", "White resignation", "decide who has won: write B+R for Black, W+R for White"),
        ("RE", "Weiß Zeit", "decide who has won: write B+T for Black, W+T for White"),
        ("RE", "negro abandono", "decide who has won: write B+R for Black, W+R for White"),
        ("RE", "b default.", ""),
        ("RE", "hello", ""),
        ("DT", "3/4/1999", "decide which number is the month: write 1999-03-04 or 1999-04-03"),
        ("DT", "3.4.1999", "decide which number is the month: write 1999-03-04 or 1999-04-03"),
        ("DT", "3/3/1999", ""),
        ("DT", "in May", ""),
    ],
)
@pytest.mark.parametrize("format_", ["FF[4]", "FF[3]"])
def test_the_help_says_what_a_person_has_to_decide(
    ident: str, raw: str, help_: str, format_: str
) -> None:
    findings = sgf_lark.loads(f"(;{format_}GM[1]{ident}[{raw}])", strict=False).diagnostics

    assert [one.help for one in findings if one.code in {"V304", "V305"} and not one.fix] == [help_]


@pytest.mark.parametrize("raw", ["吴受先", "吴清源让先", "木谷定先"])
def test_a_name_before_the_first_move_is_no_handicap(raw: str) -> None:
    (finding,) = (
        one
        for one in sgf_lark.loads(f"(;FF[4]GM[1]HA[{raw}])", strict=False).diagnostics
        if one.code == "V301"
    )

    assert finding.help == f"remove HA[{raw}], if Black only has the first move"
    assert finding.fix is not None
    assert not finding.fix.safe


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("May 16-17, 1842", "1842-05-16,17"),
        ("May 16-18, 1842", None),  # the 17th may belong to it, or not
        ("May 16,18, 1842", "1842-05-16,18"),
    ],
)
def test_a_range_of_days_is_read_if_it_has_none_between(text: str, dates: str | None) -> None:
    assert correct_dates(text) == dates

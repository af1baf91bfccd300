"""What values mean: the standards' own examples, and each version's own forms."""

from datetime import date
from decimal import Decimal

import pytest

from sgf_lark import GAMES, Format, loads
from sgf_lark.core.model.ruleset import RuleSet
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.core.schema.values import (
    PASS,
    Application,
    BoardSize,
    Color,
    Composed,
    Double,
    Ending,
    Figure,
    Invalid,
    PartialDate,
    Period,
    Played,
    Point,
    PointList,
    Rectangle,
    Result,
)
from sgf_lark.core.values.reader import reader

GO = GAMES[1]


def value(ident: str, *raw: str, format: Format = Format.FF4, game: int = 1) -> object:
    """The typed value of a property."""
    return RuleSet(format, GAMES[game], PropertyTable.standard()).property(ident, raw).value


def problems(ident: str, *raw: str, format: Format = Format.FF4, game: int = 1) -> list[str]:
    """Names of what is wrong with a property."""
    rules = RuleSet(format, GAMES[game], PropertyTable.standard())
    return [one.name for one in rules.property(ident, raw).problems]


# ---- simple types ----


@pytest.mark.parametrize(
    ("ident", "raw", "meant"),
    [
        ("MN", "12", 12),
        ("MN", "-5", -5),
        ("MN", "+5", 5),
        ("KM", "6.5", Decimal("6.5")),
        ("KM", "-0.50", Decimal("-0.50")),
        ("KM", "7", Decimal(7)),
        ("GB", "1", Double.NORMAL),
        ("GB", "2", Double.EMPHASIZED),
        ("PL", "W", Color.WHITE),
        ("KO", "", True),
        ("B", "pd", Point(15, 3)),
        ("B", "aA", Point(0, 26)),
        ("B", "", PASS),
        ("B", "tt", PASS),
        ("SZ", "19", 19),
        ("SZ", "19:13", BoardSize(19, 13)),
        ("AP", "CGoban:1.6.2", Application(name="CGoban", version="1.6.2")),
        ("AP", "CGoban", Application(name="CGoban", version=None)),
        ("FG", "", True),
        ("FG", "257:Figure 1", Figure(flags=257, name="Figure 1")),
        ("RE", "0", Result(winner=None, ending=Ending.DRAW)),
        ("RE", "Draw", Result(winner=None, ending=Ending.DRAW)),
        ("RE", "B+", Result(winner=Color.BLACK)),
        ("RE", "B+64", Result(winner=Color.BLACK, margin=Decimal(64))),
        ("RE", "W+2.5", Result(winner=Color.WHITE, margin=Decimal("2.5"))),
        ("RE", "W+Resign", Result(winner=Color.WHITE, ending=Ending.RESIGNATION)),
        ("RE", "B+T", Result(winner=Color.BLACK, ending=Ending.TIME)),
        ("RE", "B+F", Result(winner=Color.BLACK, ending=Ending.FORFEIT)),
        ("RE", "Void", Result(winner=None, ending=Ending.VOID)),
        ("RE", "?", Result(winner=None, ending=Ending.UNKNOWN)),
    ],
)
def test_a_value_means_what_its_type_says(ident: str, raw: str, meant: object) -> None:
    assert value(ident, raw) == meant


@pytest.mark.parametrize(
    ("ident", "raw"),
    [
        ("MN", "1.0"),
        ("MN", "1_000"),
        ("MN", "١٢"),
        ("MN", "9" * 5_000),
        ("KM", "5."),
        ("KM", ".5"),
        ("KM", "1e3"),
        ("KM", "inf"),
        ("KM", "6,5"),
        ("GB", "3"),
        ("PL", "b"),
        ("KO", "1"),
        ("B", "a"),
        ("B", "abc"),
        ("B", "a1"),
        ("SZ", "19x19"),
        ("FG", "Figure 1"),
        ("RE", "b+3"),
        ("RE", "B+-3"),
        ("RE", "B+Resigned"),
    ],
)
def test_a_value_that_is_not_of_its_type_is_kept_as_invalid(ident: str, raw: str) -> None:
    found = value(ident, raw)

    assert isinstance(found, Invalid)
    assert found.raw == raw
    assert problems(ident, raw) in (["wrong-value"], ["wrong-form"])


@pytest.mark.parametrize(
    ("raw", "days"),
    [
        ("1996-05,06", ((1996, 5), (1996, 6))),
        ("1996-05-06,07,08", (date(1996, 5, 6), date(1996, 5, 7), date(1996, 5, 8))),
        ("1996,1997", ((1996, None), (1997, None))),
        (
            "1996-12-27,28,1997-01-03,04",
            (date(1996, 12, 27), date(1996, 12, 28), date(1997, 1, 3), date(1997, 1, 4)),
        ),
        ("1996-05,06-01,02", ((1996, 5), date(1996, 6, 1), date(1996, 6, 2))),
    ],
)
def test_dates_may_leave_out_what_they_share(raw: str, days: tuple[object, ...]) -> None:
    expected = tuple(
        PartialDate(year=day[0], month=day[1]) if isinstance(day, tuple) else day for day in days
    )

    assert value("DT", raw) == expected


@pytest.mark.parametrize(
    "raw",
    ["1996,05", "96-05-06", "1996-05-06, 07", "06-05-1996", "1996/05/06"],
)
def test_a_date_of_another_form_is_refused(raw: str) -> None:
    assert problems("DT", raw) == ["wrong-form"]


@pytest.mark.parametrize("raw", ["1996-13", "1996-02-30", "1996-05-06,31,32"])
def test_a_date_that_no_calendar_has_is_refused(raw: str) -> None:
    assert problems("DT", raw) == ["no-such-date"]


# ---- texts ----


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\n\r"])
def test_all_four_line_breaks_are_one(line_break: str) -> None:
    assert value("C", f"a{line_break}b") == "a\nb"
    assert value("N", f"a{line_break}b") == "a b"


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\n\r"])
def test_a_soft_line_break_vanishes(line_break: str) -> None:
    assert value("C", f"a\\{line_break}b") == "ab"
    assert value("N", f"a\\{line_break}b") == "ab"
    assert value("C", f"a\\{line_break}b", format=Format.FF3) == "ab"


def test_line_breaks_pair_from_the_left() -> None:
    assert value("C", "a\r\n\rb") == "a\n\nb"
    assert value("C", "a\n\n\r\r\nb") == "a\n\n\nb"


@pytest.mark.parametrize("space", ["\t", "\v", "\f"])
def test_other_white_space_becomes_a_space(space: str) -> None:
    assert value("C", f"a{space}b") == "a b"
    assert value("C", f"a\\{space}b") == "a b"
    assert value("N", f"a{space}b") == "a b"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("\\]", "]"),
        ("\\\\", "\\"),
        ("\\:", ":"),
        ("\\a", "a"),
        ("a:b", "a:b"),
        ("\u2028", "\u2028"),
    ],
)
def test_a_backslash_protects_one_character(raw: str, text: str) -> None:
    assert value("C", raw) == text
    assert value("C", raw, format=Format.FF1) == text


def test_a_label_is_cut_at_the_first_bare_colon() -> None:
    def label(raw: str) -> object:
        values = value("LB", raw)
        assert isinstance(values, tuple)
        return values[0]

    assert label("aa:x") == Composed(first=Point(0, 0), second="x")
    assert label("aa:x\\:y") == Composed(first=Point(0, 0), second="x:y")
    assert label("aa:x:y") == Composed(first=Point(0, 0), second="x:y")
    assert label("aa:") == Composed(first=Point(0, 0), second="")
    assert problems("LB", "aa") == ["wrong-value"]


# ---- lists ----


def test_rectangles_are_points_and_remember_that_they_are_rectangles() -> None:
    points = value("AB", "aa", "cc:dd")

    assert isinstance(points, PointList)
    assert list(points) == [Point(0, 0), Point(2, 2), Point(3, 2), Point(2, 3), Point(3, 3)]
    assert points.entries[1] == Rectangle(first=Point(2, 2), second=Point(3, 3))
    assert len(points) == 5
    assert Point(3, 2) in points
    assert Point(4, 4) not in points


def test_a_rectangle_may_name_any_two_corners() -> None:
    assert list(value("AB", "db:ca")) == list(value("AB", "ca:db"))  # type: ignore[call-overload]


def test_an_empty_list_of_those_that_may_be_empty_has_no_points() -> None:
    assert value("VW", "") == PointList(())
    assert problems("VW", "") == []
    assert problems("CR", "") == ["empty-value"]
    assert problems("VW", "", "aa") == ["mixed-empty-value"]


def test_several_values_where_one_is_allowed_are_reported_and_kept() -> None:
    assert value("KM", "5.5", "6.5") == Decimal("5.5")
    assert problems("KM", "5.5", "6.5") == ["too-many-values"]


def test_white_space_in_a_value_is_reported_and_left_out() -> None:
    assert value("B", " p d") == Point(15, 3)
    assert problems("B", " p d") == ["white-space-in-value"]
    assert problems("C", " a ") == []


# ---- versions: accepted here, refused there ----


@pytest.mark.parametrize(
    ("ident", "raw", "accepted", "refused"),
    [
        ("KM", "5.", ("FF1", "FF3"), ("FF4",)),
        ("B", "tt", ("FF1", "FF3", "FF4"), ()),
        ("B", "", ("FF4",), ("FF1", "FF3")),
        ("B", "zz", ("FF4",), ("FF1", "FF3")),
        ("AB", "aa:bb", ("FF4",), ("FF1", "FF3")),
        ("SZ", "19:13", ("FF4",), ("FF1", "FF3")),
        ("V", "1.5", ("FF3", "FF4"), ("FF1",)),
        ("FG", "257:x", ("FF4",), ("FF1", "FF3")),
        ("PL", "1", ("FF3",), ("FF1", "FF4")),
        ("TM", "3600", ("FF1", "FF3", "FF4"), ()),
        ("TM", "one hour", ("FF3",), ("FF1", "FF4")),
    ],
)
def test_each_version_has_its_own_forms(
    ident: str, raw: str, accepted: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    assert [one for one in accepted if problems(ident, raw, format=Format(one))] == []
    assert [one for one in refused if not problems(ident, raw, format=Format(one))] == []


def test_a_view_is_two_corners_in_ff1_and_a_list_of_points_in_ff4() -> None:
    assert value("VW", "aa", "ss", format=Format.FF1) == PointList((Point(0, 0), Point(18, 18)))
    assert problems("VW", "aa:ss", format=Format.FF1) == ["newer-form"]
    assert problems("VW", "aa:ss", format=Format.FF4) == []


def test_a_pass_of_ff4_in_an_old_game_is_read_and_reported() -> None:
    collection = loads("(;FF[3]GM[1];B[])")

    assert collection[0].nodes[1]["B"] == PASS
    assert [one.name for one in collection.diagnostics] == ["newer-form"]
    assert collection.diagnostics[0].severity == "warning"


def test_tt_is_a_point_of_a_board_that_has_it() -> None:
    assert loads("(;FF[4]SZ[19];B[tt])")[0].nodes[1]["B"] == PASS
    assert loads("(;FF[4]SZ[25];B[tt])")[0].nodes[1]["B"] == Point(19, 19)
    assert loads("(;FF[4]SZ[20:21];B[tt])")[0].nodes[1]["B"] == Point(19, 19)


# ---- GGF ----


@pytest.mark.parametrize(
    ("raw", "initial", "increment", "extension"),
    [
        ("01:00/00:00/02:00", 60, 0, 120),
        ("05:00//02:00", 300, 0, 120),
        ("15:00", 900, 0, 0),
        ("0", 0, 0, 0),
        ("24:00:00", 86400, 0, 0),
        ("1.00:00:00/5", 86400, 5, 0),
    ],
)
def test_a_clock_has_three_parts(raw: str, initial: int, increment: int, extension: int) -> None:
    found = reader(Format.GGF, GAMES[2]).read("clock", raw)

    parts = (found.initial, found.increment, found.extension)
    assert parts == tuple(Period(seconds=part) for part in (initial, increment, extension))


def test_a_clock_may_count_moves() -> None:
    found = reader(Format.GGF, GAMES[2]).read("clock", "30:00,5/00:10,N1/02:00,N25")

    assert found.initial == Period(seconds=1800, moves=5)
    assert found.increment == Period(seconds=10, moves=1, not_added=True)
    assert found.extension == Period(seconds=120, moves=25, not_added=True)


@pytest.mark.parametrize(
    ("raw", "evaluation", "seconds"),
    [
        ("d3", None, None),
        ("d3/1.2", "1.2", None),
        ("d3//0.01", None, "0.01"),
        ("d3/-1.2/0.01", "-1.2", "0.01"),
        ("D3/", None, None),
    ],
)
def test_a_ggf_move_may_have_evaluation_and_time(
    raw: str, evaluation: str | None, seconds: str | None
) -> None:
    found = value("B", raw, format=Format.GGF, game=2)

    assert found == Played(
        move=Point(3, 2),
        evaluation=None if evaluation is None else Decimal(evaluation),
        seconds=None if seconds is None else Decimal(seconds),
    )


@pytest.mark.parametrize(
    ("raw", "result"),
    [
        ("-3.00", Result(winner=Color.WHITE, margin=Decimal("3.00"))),
        ("+64.00:r", Result(winner=Color.BLACK, margin=Decimal(64), ending=Ending.RESIGNATION)),
        ("-40.00:t", Result(winner=Color.WHITE, margin=Decimal(40), ending=Ending.TIME)),
        ("+0.000", Result(winner=None, margin=Decimal(0), ending=Ending.DRAW)),
        ("?", Result(winner=None, ending=Ending.UNKNOWN)),
    ],
)
def test_a_ggf_result_is_in_view_of_black(raw: str, result: Result) -> None:
    assert value("RE", raw, format=Format.GGF, game=2) == result

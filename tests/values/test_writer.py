"""Values become the texts they were read from: every type, every format, all of Unicode."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.said import unsaid
from support.together import together

from sgf_lark import (
    GAMES,
    PASS,
    BoardSize,
    Color,
    Format,
    PartialDate,
    Point,
    PointList,
    PropertyRule,
    PropertyTable,
    Rectangle,
)
from sgf_lark.core.schema.values import Application, Composed, Double, Figure
from sgf_lark.core.values.reader import Reader, reader
from sgf_lark.core.values.writer import escape_text, write_value, write_values

TABLE = PropertyTable.standard()

SGF = (Format.FF1, Format.FF3, Format.FF4)

many = settings(derandomize=True)


def found(format_: Format, ident: str, game: int = 1) -> tuple[PropertyRule, Reader]:
    rule = TABLE.find(format_, game, ident)
    assert rule is not None
    return rule, reader(format_, GAMES[game])


def write(format_: Format, ident: str, value: Any, game: int = 1) -> tuple[str, ...]:
    rule, by = found(format_, ident, game)
    return write_values(rule, value, by)


# ---- texts ----


def seen(text: str, format_: Format, *, simple: bool = False) -> str:
    """A text as a reader sees it: line breaks are one kind, white space is a space (FF[4])."""
    text = re.sub(r"\r\n|\n\r|\r|\n", "\n", text)
    if format_ is Format.FF4:
        text = re.sub(r"[\t\v\f]", " ", text)
    return text.replace("\n", " ") if simple else text


TEXTS = st.text(st.one_of(st.sampled_from("\\]:[;()\r\n\t\v\f\0 a"), st.characters()), max_size=30)


@pytest.mark.parametrize("format_", SGF)
@many
@given(text=TEXTS)
def test_a_text_comes_back_from_its_escapes(format_: Format, text: str) -> None:
    rule, by = found(format_, "C")
    raw = write_value(rule, text, by)

    assert by.read("text", raw) == seen(text, format_)


@many
@given(first=TEXTS, second=TEXTS)
def test_both_halves_of_a_composed_value_come_back(first: str, second: str) -> None:
    rule, by = found(Format.FF4, "AP")
    raw = write_value(rule, Application(name=first, version=second), by)

    name, version = (seen(text, Format.FF4, simple=True) for text in (first, second))
    assert by.read("application", raw) == Application(name=name, version=version)


@many
@given(text=TEXTS)
def test_a_label_comes_back(text: str) -> None:
    for format_ in (Format.FF3, Format.FF4):
        rule, by = found(format_, "LB")
        raw = write_value(rule, (Point(3, 3), text), by)
        (value,) = by.read_property(rule, (raw,)).values

        assert isinstance(value, Composed)
        assert value.first == Point(3, 3)
        assert value.second == seen(text, format_, simple=format_ is Format.FF4)


@pytest.mark.parametrize("format_", SGF)
def test_letters_of_all_of_unicode_come_back(format_: Format) -> None:
    """A sample of each plane; lone surrogates are no letters of a file."""
    rule, by = found(format_, "C")
    with together() as each:
        for plane in range(17):
            codes = range(plane << 16, (plane + 1) << 16, 97)
            text = "".join(chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF)
            with each(f"plane {plane}"):
                assert by.read("text", write_value(rule, text, by)) == seen(text, format_)


def test_ggf_has_no_escapes() -> None:
    assert write(Format.GGF, "PB", "a\\b", 2) == ("a\\b",)
    with pytest.raises(ValueError, match="a value of GGF cannot hold ']'"):
        write(Format.GGF, "PB", "a]b", 2)


def test_a_colon_is_escaped_only_in_a_composed_value_of_ff4() -> None:
    assert escape_text("a:b", Format.FF4) == "a:b"
    assert escape_text("a:b", Format.FF4, composed=True) == "a\\:b"
    assert escape_text("a:b", Format.FF3, composed=True) == "a:b"


# ---- other values ----


@pytest.mark.parametrize(
    ("ident", "value", "raw"),
    [
        ("KM", Decimal("6.50"), "6.50"),
        ("KM", 6.5, "6.5"),
        ("KM", 7, "7"),
        ("HA", 2, "2"),
        ("TE", Double.EMPHASIZED, "2"),
        ("PL", Color.WHITE, "W"),
        ("KO", True, ""),
        ("B", PASS, ""),
        ("B", Point(15, 3), "pd"),
        ("B", Point(26, 51), "AZ"),
        ("B", "pd", "pd"),
        ("SZ", BoardSize(19, 13), "19:13"),
        ("SZ", BoardSize(9, 9), "9"),
        ("FG", Figure(flags=257, name="a:b"), "257:a\\:b"),
        ("FG", True, ""),
        ("AP", ("CGoban", "3"), "CGoban:3"),
        ("DT", date(1996, 5, 27), "1996-05-27"),
        ("DT", (PartialDate(year=1996), PartialDate(year=1997)), "1996,1997"),
        ("DT", (PartialDate(year=1996, month=5), PartialDate(year=1996, month=6)), "1996-05,06"),
        ("DT", (date(1996, 5, 6), date(1996, 5, 7), date(1996, 6, 1)), "1996-05-06,07,06-01"),
        ("DT", (date(1996, 12, 28), date(1997, 1, 3)), "1996-12-28,1997-01-03"),
        ("RE", "B+R", "B+R"),
    ],
)  # fmt: skip
def test_a_value_of_ff4_looks_like_this(ident: str, value: Any, raw: str) -> None:
    assert write(Format.FF4, ident, value) == (raw,)


@pytest.mark.parametrize("format_", [Format.FF1, Format.FF3])
def test_a_pass_of_old_formats_is_tt(format_: Format) -> None:
    assert write(format_, "W", PASS) == ("tt",)


def test_lists_have_a_text_for_each_value() -> None:
    points: list[Point | Rectangle] = [
        Point(0, 0),
        Rectangle(first=Point(1, 1), second=Point(2, 2)),
    ]

    assert write(Format.FF4, "AB", points) == ("aa", "bb:cc")
    assert write(Format.FF4, "AB", PointList(tuple(points))) == ("aa", "bb:cc")
    assert write(Format.FF4, "AB", Point(0, 1)) == ("ab",)
    assert write(Format.FF4, "VW", []) == ("",)


@pytest.mark.parametrize(
    ("format_", "ident", "value", "parts"),
    [
        (Format.FF4, "KM", "x", ("'x'", "KM", "a komi such as 6.5")),
        (Format.FF4, "KM", float("nan"), ("'NaN'", "KM")),
        (Format.FF4, "B", Point(60, 3), ("no point of Go is",)),
        (Format.FF4, "B", Point(-1, 3), ("no point of Go is",)),
        (Format.FF4, "AB", [], ("AB needs a value",)),
        (Format.FF4, "RE", "black", ("'black'", "RE", "a result")),
        (Format.FF4, "SZ", "19]", ("'19]'", "SZ", "escape its '\\' or ']'")),
        (Format.FF4, "KM", b"6.5", ("b'6.5'", "KM", "a komi such as 6.5")),
        (Format.FF4, "B", ("aa", "bb"), ("('aa', 'bb')", "B", "a point")),
        (Format.FF4, "C", 5, ("5", "C", "a text")),
        (
            Format.FF4,
            "DT",
            "1996-02-30",
            ("'1996-02-30' is not a real date: February 1996 has",),
        ),
        (
            Format.FF3,
            "AB",
            [Rectangle(first=Point(0, 0), second=Point(1, 1))],
            ("AB[aa:bb] needs FF[4]",),
        ),
        (Format.FF1, "B", Point(20, 3), ("B[ud] needs FF[4]",)),
        (Format.FF4, "TE", 3, ("'3'", "TE")),
    ],
)
def test_what_is_no_value_is_refused_with_the_reason(
    format_: Format, ident: str, value: Any, parts: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is looked at
        write(format_, ident, value)
    assert unsaid(caught.value, *parts) == []


#: Values of the games' own types, as their texts are read and written again.
OF_GAMES = [
    (Format.FF4, 2, "B", "d3"),
    (Format.FF4, 2, "B", "PA"),
    (Format.FF4, 6, "B", "31hefe"),
    (Format.FF4, 6, "B", "double"),
    (Format.FF4, 6, "AB", "a"),
    (Format.FF4, 6, "RE", "B+6R"),
    (Format.FF4, 6, "RU", "Crawford:CrawfordGame"),
    (Format.FF4, 6, "MI", "length:7"),
    (Format.FF4, 6, "DI", "31"),
    (Format.FF4, 6, "CO", "c"),
    (Format.FF4, 9, "B", "e1-e3"),
    (Format.FF4, 9, "B", "c2:c5"),
    (Format.FF4, 9, "B", "c2c5"),
    (Format.FF4, 11, "B", "aa27"),
    (Format.FF4, 11, "B", "swap-pieces"),
    (Format.FF4, 11, "IS", "tried:on"),
    (Format.FF4, 18, "B", "djddgd"),
    (Format.FF4, 19, "B", "33+B!"),
    (Format.FF4, 19, "B", "33+A-B"),
    (Format.FF4, 19, "B", "84AB-86-68x"),
    (Format.FF4, 19, "B", "84-86xABx,33-34"),
    (Format.FF4, 20, "B", "cc:cf"),
    (Format.FF4, 21, "B", "d11"),
    (Format.FF4, 21, "B", "c2*"),
    (Format.FF4, 1, "RE", "W+T"),
    (Format.FF4, 1, "RE", "Void"),
    (Format.FF4, 1, "RE", "?"),
    (Format.FF4, 1, "RE", "0"),
    (Format.FF3, 1, "RE", "W+3.5"),
    (Format.GGF, 2, "B", "d3/1.2/0.01"),
    (Format.GGF, 2, "B", "d3//0.01"),
    (Format.GGF, 2, "B", "PA"),
    (Format.GGF, 2, "TY", "s8kr18"),
    (Format.GGF, 2, "RE", "+8.500"),
    (Format.GGF, 2, "RE", "-40.00:r"),
    (Format.GGF, 2, "RE", "?"),
    (Format.GGF, 3, "RE", "-1:r"),
    (Format.GGF, 2, "TI", "15:00//02:00,N3"),
    (Format.GGF, 2, "DT", "2004.09.18_05:54:38.MDT"),
    (Format.GGF, 2, "BO", "4 ---- -O*- -*O- ---- *"),
    (Format.GGF, 18, "B", "D1-D7-G7/11.50/5.04"),
]


@pytest.mark.parametrize(("format_", "game", "ident", "raw"), OF_GAMES)
def test_a_value_of_a_game_is_written_as_it_was_read(
    format_: Format, game: int, ident: str, raw: str
) -> None:
    rule, by = found(format_, ident, game)
    (value,) = by.read_property(rule, (raw,)).values

    assert not by.read_property(rule, (raw,)).problems
    assert write_value(rule, value, by) == raw


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("2023-02-29", "'2023-02-29' is not a real date: February 2023 has 28 days"),
        ("1996-13-01", "'1996-13-01' is not a real date: there is no month 13"),
        ("1996-13", "'1996-13' is not a real date: there is no month 13"),
        ("1996-04-30,31", "'1996-04-30,31' is not a real date"),
        ("0000-01-01", "'0000-01-01' is not a real date"),
    ],
)
def test_a_false_date_is_reported_with_its_reason(raw: str, reason: str) -> None:
    rule, by = found(Format.FF4, "DT")
    (problem,) = by.read_property(rule, (raw,)).problems

    assert problem.message == reason


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (False, "false")])
def test_the_inverted_axis_is_a_truth(value: object, text: str) -> None:
    assert write(Format.FF4, "IY", value, game=9) == (text,)

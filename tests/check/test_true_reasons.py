"""Findings give the true reason, and no number or direction that is none."""

from __future__ import annotations

import pytest

import sgf_lark


def message(text: str) -> str:
    (said,) = [one for one in sgf_lark.check(text.encode()) if one.severity != "info" or one.fix
               or one.code == "V320"]  # fmt: skip
    return said.message


@pytest.mark.parametrize(
    ("date", "why"),
    [
        ("1996-05-00", "there is no day 0"),
        ("1996-02-00", "there is no day 0"),
        ("2000-12-00", "there is no day 0"),
        ("1996-05-00,06", "there is no day 0"),
        ("1996-00-00", "there is no month 0"),
        ("1996-00-05", "there is no month 0"),
        ("1996-13-00", "there is no month 13"),
        ("1996-05-32", "May 1996 has 31 days"),
        ("1996-02-30", "February 1996 has 29 days"),
        ("1900-02-29", "February 1900 has 28 days"),
    ],
)
def test_the_reason_names_what_is_wrong_with_a_date(date: str, why: str) -> None:
    assert message(f"(;FF[4]GM[1]SZ[19]DT[{date}];B[aa])").endswith(why)


@pytest.mark.parametrize("flags", ["-1", "-5", "-256", "-32768"])
def test_a_negative_number_of_flags_is_called_so(flags: str) -> None:
    text = f"(;FF[4]GM[1]SZ[19];B[aa]FG[{flags}:x])"

    assert message(text) == f"a negative number of flags in FG[{flags}:x]"


@pytest.mark.parametrize("flags", ["8", "1024", "16384"])
def test_unknown_flags_are_named(flags: str) -> None:
    text = f"(;FF[4]GM[1]SZ[19];B[aa]FG[{flags}:x])"

    assert message(text) == f"unknown flags {flags} in FG[{flags}:x]"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("B[61zz]", "from the tray 'z'"),
        ("B[61za]", "from the tray 'z'"),
        ("B[61zy]", "from the tray 'z'"),
        ("W[61zz]", "from the tray 'z'"),
        ("W[61zx]", "from the tray 'z'"),
        ("B[61yy]", "to the bar 'y'"),
        ("B[61ay]", "to the bar 'y'"),
        ("W[61xy]", "to the bar 'y'"),
        ("B[61aa]", "to the point where it is"),
        ("W[61xx]", "to the point where it is"),
        ("B[61xr]", "the wrong way: Black goes from 'a' to 'x'"),
        ("W[61ag]", "the wrong way: White goes from 'x' to 'a'"),
        ("B[61aexz]", "what these dice do not allow"),
    ],
)
def test_the_reason_names_what_is_wrong_with_a_move_of_backgammon(move: str, why: str) -> None:
    assert why in message(f"(;FF[4]GM[6];{move})")


@pytest.mark.parametrize("size", ["13 x 13", "13x13", "13X13", "13 X 13"])
def test_a_square_by_two_numbers_has_a_fix(size: str) -> None:
    text = f"(;FF[4]GM[1]SZ[{size}];B[aa])".encode()

    assert sgf_lark.fix_record(text).data == b"(;FF[4]GM[1]SZ[13];B[aa])"

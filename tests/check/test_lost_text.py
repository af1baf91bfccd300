"""Texts that were lost before the file was written: their characters are U+FFFD."""

from __future__ import annotations

import pytest

import sgf_lark

LOST: tuple[str, ...] = (
    "PB[{0}{0}]",
    "PW[{0}]",
    "C[{0}{0} {0}{0}{0}]",
    "EV[{0}{0}1]",
    "GN[a{0}]",
    "AP[{0}{0}:1]",
)
LOST += ("AN[{0}\\]{0}{0}]", "N[ {0} ]", "SO[{0}{0}{0}]")
KEPT = ("PB[Jos{0}]", "C[one {0} in a sentence]", "PB[]", "PB[?]", "C[{0}ber alles]", "PB[{1}{1}]")


def lost(text: str, format_: str = "4") -> list[str | None]:
    record = f"(;FF[{format_}]GM[1]SZ[19]CA[UTF-8]{text.format(chr(0xFFFD), '李')};B[pd])"
    report = sgf_lark.check(record.encode())
    return [one.property for one in report.diagnostics if one.code == "E406"]


@pytest.mark.parametrize("text", LOST)
def test_a_text_that_is_mostly_lost_is_found(text: str) -> None:
    assert lost(text) == [text.partition("[")[0]]


@pytest.mark.parametrize("text", KEPT)
def test_a_text_with_a_sign_or_two_is_not(text: str) -> None:
    assert lost(text) == []


def test_both_engines_find_it_in_ggf() -> None:
    data = f"(;GM[Othello]PB[{chr(0xFFFD) * 2}]PW[b]TY[8]B[d3];)".encode()
    reports = sgf_lark.check(data, engine="generated"), sgf_lark.check(data, engine="lark")

    for report in reports:
        assert [one.property for one in report.diagnostics if one.code == "E406"] == ["PB"]

"""The first node of a converted game: sizes in the form of the format, and all root properties."""

from __future__ import annotations

from typing import Any

import pytest

import sgf_lark
from sgf_lark import SgfError


def converted(text: str, to: Any) -> tuple[sgf_lark.GameTree, set[str]]:
    """The first game in another format, and the codes of what the conversion says."""
    collection = sgf_lark.convert(sgf_lark.loads(text, strict=False), to)
    return collection[0], {one.code for one in collection.diagnostics}


@pytest.mark.parametrize("size", ["19:19", "9:9", "13:13", "1:1"])
@pytest.mark.parametrize(
    ("before", "to"), [("1", "ff4"), ("3", "ff4"), ("1", "ff3"), ("4", "ff3"), ("4", "ff1")]
)
def test_a_square_by_two_numbers_becomes_one_number_and_is_told(
    size: str, before: str, to: str
) -> None:
    game, said = converted(f"(;FF[{before}]GM[1]SZ[{size}];B[aa])", to)

    assert game.root.raw["SZ"] == (size.partition(":")[0],)
    assert "C718" in said


@pytest.mark.parametrize("before", ["1", "3"])
def test_a_rectangle_stays_a_rectangle_in_ff4(before: str) -> None:
    game, _ = converted(f"(;FF[{before}]GM[1]SZ[9:13];B[aa])", "ff4")

    assert game.root.raw["SZ"] == ("9:13",)


@pytest.mark.parametrize("size", ["9:13", "21", "25:25", "1:19"])
@pytest.mark.parametrize(("before", "to"), [("1", "ff3"), ("4", "ff3"), ("4", "ff1")])
def test_old_formats_have_square_boards_up_to_19(size: str, before: str, to: str) -> None:
    with pytest.raises(SgfError, match="board"):
        converted(f"(;FF[{before}]GM[1]SZ[{size}];B[aa])", to)


@pytest.mark.parametrize(
    ("text", "to", "ident", "raw"),
    [
        ("(;FF[3]GM[1];SZ[9]B[cc];W[dd])", "ff4", "SZ", "9"),
        ("(;FF[1]GM[1];SZ[13]B[cc];W[dd])", "ff4", "SZ", "13"),
        ("(;FF[3]GM[1];B[cc];W[dd]SZ[9])", "ff4", "SZ", "9"),
        ("(;FF[3]GM[1](;B[cc]SZ[9])(;B[dd]))", "ff4", "SZ", "9"),
        ("(;FF[4]GM[1];SZ[13]B[cc])", "ff3", "SZ", "13"),
        ("(;FF[4]GM[1];SZ[13]B[cc])", "ff1", "SZ", "13"),
        ("(;FF[4]GM[1]SZ[9];AP[x:1]B[cc])", "ff3", "AP", "x:1"),
        ("(;FF[4]GM[1]SZ[9];B[cc];ST[1]W[dd])", "ff3", "ST", "1"),
        ("(;FF[3]GM[11]SZ[11];B[a1];SZ[9]W[b2])", "ff4", "SZ", "11"),
        ("(;FF[1]GM[1];SZ[9]B[cc])", "ff3", "SZ", "9"),
    ],
)
def test_a_root_property_of_a_later_node_moves_to_the_first(
    text: str, to: str, ident: str, raw: str
) -> None:
    game, said = converted(text, to)

    assert [node.raw[ident] for node in game.walk() if ident in node] == [(raw,)]
    assert ident in game.root
    assert said & {"C728", "C713"}


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[1];SZ[9]B[cc];W[dd])",
        "(;FF[4]GM[1]SZ[9];AP[x:1]B[cc])",
        "(;FF[4]GM[1]SZ[9];B[cc];ST[1]W[dd])",
    ],
)
def test_the_conversion_does_what_the_fix_does(text: str) -> None:
    fixed = sgf_lark.fix_record(text.encode(), unsafe=True).data.decode()

    one, other = converted(text, "ff3")[0], converted(fixed, "ff3")[0]
    assert {ident: one.root.raw[ident] for ident in one.root} == {
        ident: other.root.raw[ident] for ident in other.root
    }


@pytest.mark.parametrize("value", ["SZ[13]", "SZ[19]"])
def test_a_second_root_property_is_left_out_and_told(value: str) -> None:
    game, said = converted(f"(;FF[3]GM[1]SZ[9];B[cc]{value})", "ff4")

    assert game.root.raw["SZ"] == ("9",)
    assert "C713" in said


@pytest.mark.parametrize("value", ["GM[1]", "FF[4]", "CA[UTF-8]"])
def test_what_says_how_the_game_is_read_does_not_move(value: str) -> None:
    _, said = converted(f"(;FF[3]SZ[9];B[cc]{value})", "ff4")

    assert "C728" not in said

"""Names without a capital: FF[1] and FF[3] count only capitals, so that they name no property."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark import Collection, Property

BOTH = pytest.mark.parametrize("number", [1, 2, 3])


@BOTH
def test_a_name_without_a_capital_names_no_property(number: int) -> None:
    game = sgf_lark.loads(f"(;FF[{number}]GM[1]SZ[9];B[aa]c[hello];b[bb])", strict=False)[0]

    assert [[*node] for node in game.nodes] == [["FF", "GM", "SZ"], ["B", "c"], ["b"]]
    assert [move.point for move in game.moves] == [(0, 0)]


@BOTH
def test_a_new_layout_keeps_such_a_name(number: int) -> None:
    text = f"(;FF[{number}]GM[1]SZ[9]\n;B[aa]C[other]c[hello]xy[z]\n)\n"
    source = text.replace("C[other]c[hello]", "c[hello]C[other]").encode()

    assert sgf_lark.format_record(source) == text.encode()


@BOTH
def test_no_fix_joins_it_with_a_property(number: int) -> None:
    text = f"(;FF[{number}]GM[1]SZ[9];B[aa]c[hello]C[other]c[more])"

    assert {one.code for one in sgf_lark.loads(text, strict=False).diagnostics} == {"S113"}
    assert sgf_lark.fix_record(text.encode(), unsafe=True).data == text.encode()


@BOTH
def test_a_conversion_leaves_out_what_has_a_finding(number: int) -> None:
    source = sgf_lark.loads(f"(;FF[{number}]GM[1]SZ[9];B[aa]c[hello])", strict=False)
    made = sgf_lark.convert(source, "ff4")

    assert "hello" not in sgf_lark.dumps(made)
    assert [one.message for one in source.diagnostics if one.code == "S113"] == [
        "c has no capital letter, so it names no property"
    ]
    assert "C703" in {one.code for one in made.diagnostics}


@BOTH
def test_json_has_the_name_as_it_is(number: int) -> None:
    source = sgf_lark.loads(f"(;FF[{number}]GM[1]SZ[9];B[aa]c[hello])", strict=False)
    dumped = source.model_dump_json()

    assert '{"ident":"c","raw":["hello"]' in dumped
    assert Collection.model_validate_json(dumped)[0] == source[0]
    prop = source[0].nodes[1].properties[1]
    assert Property(ident="c", name="c", raw=("hello",)) == prop


def test_the_root_has_no_game_by_such_a_name() -> None:
    assert sgf_lark.loads("(;FF[3]gm[2]sz[9];B[aa])", strict=False)[0].game == 1


def test_ff4_forbids_such_a_name_and_reads_it_in_capitals() -> None:
    collection = sgf_lark.loads("(;FF[4]GM[1]SZ[9];b[aa]c[hello])", strict=False)

    assert [*collection[0].nodes[1]] == ["B", "C"]
    assert {one.code for one in collection.diagnostics} == {"S112"}

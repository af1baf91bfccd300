"""Moves of Red in Twixt, as Little Golem writes them: they are those of White."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from support.built_archives import built, rows
from support.invariants import check_data, check_moves

import sgf_lark
from sgf_lark import Collection

if TYPE_CHECKING:
    from pathlib import Path

LITTLE_GOLEM = "(;FF[4]EV[twixt.ch.59.3.1]PB[a]PW[b]SZ[24]SO[https://www.littlegolem.net]"

#: Records, each of whose moves is one of Black or White in turns.
RECORDS = (
    f"{LITTLE_GOLEM};b[cu];r[lo];b[go];r[hj])",
    f"{LITTLE_GOLEM};B[cu];R[lo];B[go];R[hj])",
    f"{LITTLE_GOLEM};b[cu];R[lo];B[go];r[hj])",
    f"{LITTLE_GOLEM};b[cu];W[lo];b[go];r[hj])",
    "(;FF[4]GM[21]SZ[24];b[c21];r[l15];b[g15];r[h10])",
    "(;FF[4]GM[21]SZ[24];B[c21];R[l15];B[g15];R[h10])",
    "(;FF[4]GM[21]SZ[12];b[cc]C[x];r[dd]N[y];b[ee];r[ff])",
    "(;FF[4]GM[21]SZ[24](;b[cu];r[lo];b[go];r[hj])(;b[cc];r[dd]))",
    "(;FF[4]GM[21]SZ[24];b[cu];r [lo];b\n[go];r\t[hj])",
    "(;FF[4]GM[21]SZ[24];b[cu];r[lo];b[go];r[hj]",  # not closed
    "(;FF[4]GM[21]SZ[24];b[cu];r[lo] x ;b[go];r[hj])",
    "(;EV[Twixt cup]SZ[24];B[cu];R[lo];B[go];R[hj])",
    "(;FF[3]GM[21]SZ[24];B[cu];Red[lo];Black[go];R[hj])",
)


def colors(game: sgf_lark.GameTree) -> str:
    return "".join(move.color.value for move in game.moves)


@pytest.mark.parametrize("text", RECORDS)
def test_they_are_moves_of_white(text: str) -> None:
    collection = sgf_lark.loads(text, strict=False)
    (game,) = collection

    assert (game.game_name, colors(game)) == ("Twixt", "BWBW")
    assert [node.move.color.value for node in game.main_line() if node.move] == [*"BWBW"]
    assert len(game.board(game.main_line()[-1]).text().split("●")) >= 3
    assert [*sgf_lark.iter_games(io.StringIO(text), strict=False)] == [game]
    check_moves(collection)
    check_data(collection)


@pytest.mark.parametrize("text", RECORDS)
def test_each_is_on_the_board(text: str) -> None:
    game = sgf_lark.loads(text, strict=False)[0]
    board = game.board(game.main_line()[-1])

    assert [board[move.point] for move in game.moves if move.point] == [
        move.color for move in game.moves
    ]


@pytest.mark.parametrize("text", RECORDS)
def test_a_finding_says_so(text: str) -> None:
    found = {one.name: one for one in sgf_lark.check(text.encode()) if one.property == "W"}

    assert found.keys() & {"red-move", "lowercase-identifier", "long-identifier"}
    for one in found.values():
        assert "read as R" not in one.message
    assert "unknown-property" not in found


@pytest.mark.parametrize("text", RECORDS)
def test_fixes_and_conversions_write_w_and_keep_each_move(text: str) -> None:
    before = sgf_lark.loads(text, strict=False)[0]
    for new in (
        sgf_lark.fix_record(text.encode()).data.decode(),
        sgf_lark.fix_record(text.encode(), unsafe=True).data.decode(),
        sgf_lark.dumps(sgf_lark.convert(sgf_lark.loads(text, strict=False), "ff4")),
    ):
        (game,) = sgf_lark.loads(new, strict=False)
        assert [*game.moves] == [*before.moves]
    assert not {"r", "R", "Red"} & game.nodes.tape.names().keys()


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[1]SZ[19];B[aa];R[bb])",
        "(;FF[4]GM[11]SZ[11];B[a1];R[b2])",
        "(;FF[4]GM[2]SZ[8];B[d3];r[c3])",
        "(;FF[3]GM[21]SZ[24];B[cu];r[lo])",  # names no property there
    ],
)
def test_elsewhere_it_is_a_private_property(text: str) -> None:
    (game,) = sgf_lark.loads(text, strict=False)

    assert colors(game) == "B"
    assert "red-move" not in {one.name for one in sgf_lark.check(text.encode())}


def test_a_table_may_have_another_property_of_that_name() -> None:
    rule = sgf_lark.PropertyRule(format="FF4", game=21, ident="R", name="Rating", type="number")
    table = sgf_lark.PropertyTable.standard().extend(rule)
    (game,) = sgf_lark.loads("(;FF[4]GM[21]SZ[24];B[c21]R[5])", table=table)

    assert (colors(game), game.nodes[1]["R"]) == ("B", 5)


def test_json_of_other_games_has_no_red() -> None:
    data = sgf_lark.loads(RECORDS[5], strict=False).model_dump_json()

    assert '"ident":"W","raw":["l15"]' in data
    other = data.replace('"game":21,"game_name":"Twixt"', '"game":1,"game_name":"Go"')
    with pytest.raises(ValueError, match="the property R is R"):
        Collection.model_validate_json(other.replace('"21"', '"1"'))


def test_an_edit_and_an_archive_have_the_moves(tmp_path: Path) -> None:
    game = sgf_lark.loads(RECORDS[0], strict=False)[0]
    draft = game.edit()
    draft.set(1, "C", "a comment")
    assert colors(draft.done(strict=False)) == "BWBW"

    pytest.importorskip("pyarrow")
    record = tmp_path / "a.sgf"
    record.write_text(RECORDS[0], encoding="utf-8")
    built([record], str(tmp_path / "it.archive"))
    moves = rows(str(tmp_path / "it.archive"), "moves")
    assert len(moves) == 4

"""JSON of damaged records: it is read back as the same collection, or it is not written."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st
from support.damage import PIECES, changed_record
from support.invariants import check_json
from support.places import RECORDS

import sgf_lark
from sgf_lark import Collection
from sgf_lark.cli.main import app
from sgf_lark.core.write.read_back import UnwritableError

if TYPE_CHECKING:
    from pathlib import Path

#: Texts that end behind a backslash.
CUT = (
    "(;FF[4]GM[1]C[x\\",
    "(;FF[4]GM[1];B[aa];W[bb]N[a\\\\\\",
    "(;FF[3]GM[1]SZ[19]PB[\\",
    "(;GaMe[1](;Comment[a\\]b\\",
    "(;FF[4]GM[1]LB[aa:1][bb:\\",
    "(;FF[4]GM[6]MI[length:7][game\\",
    "(;FF[4]GM[1](;B[aa])(;W[bb]C[x\\",
    "(;FF[4]GM[1];B[aa])(;FF[4]GM[2];B[d\\",
    "(;FF[4]XX[y][\\",
    "(;FF[4]GM[1]C[;B[aa](;W[\\",
)

#: Texts in which the nodes that are left declare another game than the tokens before the repair.
DECLARED = (
    "(;FF[4]GM][c7])",
    "(;ID[Han]dtalk980828-1.(;)gob]BS[0]WS[1]GM[0]FF[3]SZ[1]\n;)",
    "(;;(SZ[3]AP[x]DT[1996-02-30]2 [HA[2]GM[Othello]",
    "(;(;FF[4]GM[2]))",
    "(;(;FF[4]GM[11];B[a1])(;W[b2]))",
    "(;()FF[4]GM[2])",
    "(;()(;FF[3]GM[6]))",
    "(;x(;FF[1]GM[2]SZ[8]))",
    "(;PC[x]B[d3]GM[Othello];)",
    "(;GM[Othello]B[d3]GM[Amazons]PC[x];)",
    "(;EV]twixt.ch.1[SZ[24];b[cu];r[lo])",
    "(;[1]GM[2]FF[4];B[d3])",
    "(GM 1 ;GM[2])",
    "(;GM[4])FF[3]GM[5];B[aa])",
    "(;PB[x]((;FF[4]GM[2];B[d3])(;FF[3]GM[1];B[aa])",
)

HALVES = (
    "(;FF[4]C[\ud800])",
    "(;FF[4]PB[a];B[aa]C[b\udfff])",
    "(;FF[3]XX[\ud834])",
    "(;GM[Go]PB[\udc00];)",
)


@pytest.mark.parametrize("text", CUT)
def test_json_of_half_an_escape_is_not_written(text: str, tmp_path: Path) -> None:
    collection = sgf_lark.loads(text, strict=False)
    file = tmp_path / "a.sgf"
    file.write_text(text, encoding="utf-8")

    for model in (collection, collection[-1]):
        with pytest.raises(UnwritableError, match=r"node \d+: invalid value .* before a last"):
            model.model_dump_json()
    assert collection.model_dump()["games"]
    result = CliRunner().invoke(app, ["convert", str(file), "--to", "json"])
    assert result.exit_code > 0
    assert "as JSON: node" in result.stderr


@pytest.mark.parametrize("engine", ["auto", "lark"])
@pytest.mark.parametrize("text", DECLARED)
def test_what_is_left_of_a_game_declares_how_it_is_read(text: str, engine: str) -> None:
    collection = sgf_lark.loads(text, strict=False, engine=engine)  # type: ignore[arg-type]

    assert Collection.model_validate_json(collection.model_dump_json()) == collection
    assert [*sgf_lark.loads(text, strict=False)] == [*collection]
    for game, head in zip(
        collection, sgf_lark.loads(text, strict=False, info_only=True), strict=True
    ):
        assert (head.format, head.game, head.game_name) == (game.format, game.game, game.game_name)
        assert game.edit().done(strict=False).game == game.game


@pytest.mark.parametrize("text", HALVES)
def test_json_of_half_a_character_is_not_written(text: str) -> None:
    collection = sgf_lark.loads(text, strict=False)

    for model in (collection, collection[0], collection[0].nodes[-1]):
        with pytest.raises(UnwritableError, match="half of a surrogate pair"):
            model.model_dump_json()


def test_the_error_names_the_place_of_half_a_character() -> None:
    collection = sgf_lark.loads("(;FF[4]GM[1];B[aa]C[x][\ud800])", strict=False)

    with pytest.raises(UnwritableError, match=r"'\\ud800': games\.0\.nodes\.1\.properties\.1\.raw"):
        collection.model_dump_json()
    with pytest.raises(UnwritableError, match=r"'\\ud800': raw\.1"):
        collection[0].nodes[1].properties[1].model_dump_json()


def test_json_without_the_other_nodes_is_not_written() -> None:
    collection = sgf_lark.loads("(;FF[4]GM[1]PB[x];B[aa])", info_only=True, strict=False)

    with pytest.raises(UnwritableError, match="leave out info_only"):
        collection.model_dump_json()


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["", "\\", "[\\", "[x"]))
def test_json_of_pieces_of_records_is_read_back(pieces: list[str], end: str) -> None:
    check_json(sgf_lark.loads("".join(pieces) + end, strict=False))


@given(
    st.sampled_from(sorted(RECORDS.iterdir())),
    st.integers(0, 1 << 32),
    st.integers(0, 4),
    st.integers(0, 4000),
    st.sampled_from([b"", b"\\", b"[\\"]),
)
def test_json_of_damaged_records_is_read_back(
    path: Path, seed: int, changes: int, length: int, end: bytes
) -> None:
    data, dice = path.read_bytes()[:length], random.Random(seed)  # noqa: S311  # no secret
    for _ in range(changes):
        data = changed_record(data, dice)

    check_json(sgf_lark.loads(data + end, strict=False))

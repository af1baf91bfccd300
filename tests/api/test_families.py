"""A file with games of SGF and of GGF: each game is read, checked and written in its own family."""

from __future__ import annotations

import io
import random
import re
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from support.built_archives import built, rows
from support.damage import changed_record
from support.lanes import one_in
from support.places import RECORDS
from support.streams import Bits, key, opened, told

import sgf_lark
from sgf_lark import Format
from sgf_lark.core.read.split import split_games
from sgf_lark.core.text import stream

if TYPE_CHECKING:
    from pathlib import Path

    from sgf_lark import GameTree

BOARD = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

#: Games of SGF that say so in many ways, some of them broken.
SGF = (
    "(;FF[4]GM[1]SZ[9];B[aa];W[bb](;B[cc])(;B[dd]C[lost?]))",
    "(;GM[1]FF[3]SZ[9];B[aa](;W[bb])(;W[cc];B[dd]))",
    "(;FF[4]GM[2]SZ[8];B[d3];W[c3])",
    "( ;FF[4]GM[1]\n;B[aa]C[a \\] ;) (;b])",
    "(;SZ[9]PB[x];B[aa];W[bb](;B[cc])(;B[dd]))",
    "(;GaMe[1]SiZe[9];B[aa];W[bb])",
    "(FF[4]GM[1]SZ[9];B[aa](;W[bb])(;W[cc]))",
    "(;C[no type](;B[aa])(;B[bb];W[cc]))",
    "(;GM[Othello]FF[4]PB[x];B[d3];W[c3])",
    "(;GM[Othello]PB[x](;B[aa];W[bb])(;B[cc]))",
    "(;GM[1]SZ[9]PB[x]C[;)];B[aa];W[bb])",
    "(;FF[4]GM[6]MI[length:7];B[31fgtw];W[])",
    "(;FF[4]GM[1]SZ[9]KM[6,5]RE[b+r]\n;B[zz](;W[bb];)(;W[c c]))",
    "(;)",
)

#: Games of GGF, some of them broken.
GGF = (
    f"(;GM[Othello]PC[x]PB[a]PW[b]TY[8]RE[?]{BOARD}B[d3];)",
    f"(;GM[Othello]PC[GGS/os]PB[a \\]PW[b]TY[8]{BOARD}B[d3//1.5]W[c5];)",
    "(;GM[Amazons]PC[x]PB[a]PW[b]W[D1-D7-G7]B[D10-D5-G5];)",
    "(;GM[Go]PB[a]PW[b]CO[( (; ]B[d3]W[pd];)",
    "(;PC[x]GM[Othello]PB[a]PW[b]B[d3];)",
    f"(;PC[x]PB[a]PW[b]TY[8]{BOARD}B[d3]W[c5];)",
    f"(;GM[Othello]PB[a]PB[b]TY[8]XX[y]{BOARD}B[d3]; W[c5];)",
)

PAIRS = [*product(SGF, GGF), *product(GGF, SGF)]

#: The same with what stands between them.
APART = [(*pair, between) for pair in PAIRS for between in ("\n", "", " -- ")]


def read(text: str) -> list[GameTree]:
    return [*sgf_lark.loads(text, strict=False)]


def said(game: GameTree) -> object:
    return game.format, game.game, [(node.path, dict(node.raw)) for node in game]


@pytest.mark.parametrize("text", GGF)
def test_a_game_of_ggf_is_one_whatever_is_wrong_with_it(text: str) -> None:
    (game,) = read(text)

    assert game.format == "GGF"
    assert len(game) == 1 + len(re.findall(r"(?<!P)[BW]\[", text))


@pytest.mark.parametrize("text", SGF)
def test_a_game_of_sgf_is_one_whatever_is_wrong_with_it(text: str) -> None:
    (game,) = read(text)

    assert game.format != "GGF"


@pytest.mark.parametrize(("first", "second", "between"), one_in(13, APART))
def test_each_game_is_read_as_if_it_were_alone(first: str, second: str, between: str) -> None:
    pair = first, second
    text = between.join(pair)
    alone = [said(game) for part in pair for game in read(part)]

    assert [*map(said, read(text))] == alone
    assert [*map(said, sgf_lark.iter_games(io.StringIO(text), strict=False))] == alone
    assert [*map(said, sgf_lark.loads(text, strict=False, engine="lark"))] == alone
    heads = sgf_lark.loads(text, strict=False, info_only=True)
    assert [(game.format, game.info.black.name) for game in heads] == [
        (game.format, game.info.black.name) for game in read(text)
    ]
    assert sgf_lark.dumps(sgf_lark.loads(text, strict=False)) == text


@pytest.mark.parametrize(("first", "second"), one_in(9, PAIRS))
def test_no_fix_and_no_layout_changes_the_family_of_a_game_or_tears_it(
    first: str, second: str
) -> None:
    pair = first, second
    text = "\n".join(pair)
    kinds = [game.format == "GGF" for game in read(text)]

    for unsafe in (False, True):
        fixed = sgf_lark.fix_record(text.encode(), unsafe=unsafe).data
        alone = [sgf_lark.fix_record(part.encode(), unsafe=unsafe).data for part in pair]
        if unsafe and "FF[" not in second and fixed != b"\n".join(alone):
            alone[1] = alone[1].replace(b"FF[1]", b"", 1)  # maybe a part of a game before it
        assert fixed == b"\n".join(alone)
        assert [game.format == "GGF" for game in read(fixed.decode())] == kinds
    try:
        laid_out = sgf_lark.format_record(text.encode())
    except sgf_lark.SgfError:  # a broken game
        return
    assert [*map(said, read(laid_out.decode()))] == [*map(said, read(text))]


@pytest.mark.parametrize(("first", "second"), one_in(9, PAIRS))
def test_to_ff4_each_game_is_converted_from_its_own_family(first: str, second: str) -> None:
    def converted(text: str) -> list[object] | None:
        try:
            games = sgf_lark.convert(sgf_lark.loads(text, strict=False), "ff4")
        except sgf_lark.SgfConversionError:  # of Go in GGF no notation is known
            return None
        again = sgf_lark.loads(sgf_lark.dumps(games), strict=False)
        return [said(game) for game in again]

    one, other = converted(first), converted(second)
    both = None if one is None or other is None else [*one, *other]
    assert converted(f"{first}\n{second}") == both


@pytest.mark.parametrize("size", [1, 7, 64])
@pytest.mark.parametrize("texts", [(*SGF[:7], *GGF, *SGF[7:]), (*GGF, *SGF, *GGF)])
def test_a_stream_gives_the_games_of_the_file(
    texts: tuple[str, ...], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", size)
    data = "\n".join(texts).encode()
    collection = sgf_lark.loads(data, strict=False)

    games, found = told(sgf_lark.iter_games(opened(Bits(data, size)), strict=False))
    assert games == [*collection]
    assert [*map(key, found)] == sorted(map(key, collection.diagnostics))


def test_an_archive_has_the_games_of_both_families(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    record = tmp_path / "a.sgf"
    record.write_text("\n".join((*SGF[:3], *GGF[:3], *SGF[:3])), encoding="utf-8")
    built([record], str(tmp_path / "it.archive"))

    formats = [row["format"] for row in rows(str(tmp_path / "it.archive"), "games")]
    assert formats == ["FF4", "FF3", "FF4", "GGF", "GGF", "GGF", "FF4", "FF3", "FF4"]


@pytest.mark.parametrize(
    ("texts", "families"),
    [
        ((GGF[0][:-2], SGF[0]), "GS"),  # never closed
        ((SGF[0][:-1], GGF[0]), "SG"),
        ((SGF[0][:-1], GGF[0], SGF[1]), "SGS"),
        ((SGF[0], GGF[0][:-2], GGF[1], SGF[1][:-1], GGF[2]), "SGGSG"),
        (("()", GGF[0], "((", SGF[0], "))"), "GS"),
        (("two games: (", GGF[0], ")"), "G"),
    ],
)
def test_a_broken_game_ends_where_one_of_the_other_family_begins(
    texts: tuple[str, ...], families: str
) -> None:
    spans = [span for span in split_games("\n".join(texts)) if span.is_game]

    assert "".join("G" if span.ggf else "S" for span in spans) == families


def test_a_number_before_games_of_ggf_counts_no_game_of_sgf() -> None:
    pair = f"2 {GGF[0]}\n{GGF[0].replace('PB[a]PW[b]', 'PB[b]PW[a]')}\n"

    for text in (SGF[0] + pair, pair + SGF[0], pair + SGF[0] + pair):
        names = {one.name for one in sgf_lark.check(text.encode())}
        assert not names & {"wrong-count", "text-outside-games"}
    (found,) = (one for one in sgf_lark.check(f"2 {GGF[0]}{SGF[0]}".encode()) if one.code == "S115")
    assert "announces 2 games, but 1 follow" in found.message
    names = {one.name for one in sgf_lark.check(f"{GGF[0]} 2 {SGF[0]}".encode())}
    assert "text-outside-games" in names


@given(
    st.integers(0, 1 << 32), st.integers(0, 3), st.sampled_from(["", "(;FF[4]GM[2]SZ[8];B[d3])"])
)
def test_white_space_after_a_name_changes_no_family(seed: int, changes: int, after: str) -> None:
    data, dice = (RECORDS / "othello.ggf").read_bytes(), random.Random(seed)  # noqa: S311
    for _ in range(changes):
        data = changed_record(data, dice)
    text = data.decode("iso-8859-1") + after

    spaced = sgf_lark.loads(re.sub(r"\b(GM|BO)\[", r"\1 [", text), strict=False)

    formats = [game.format for game in sgf_lark.loads(text, strict=False)]
    assert [game.format for game in spaced] == formats


@pytest.mark.parametrize(
    ("text", "is_ggf"),
    [
        ("(;GM[Othello]PC[x]BO[8 " + "-" * 64 + " *];)", True),
        ("(;PC[x]GM[Othello]BO[8 " + "-" * 64 + " *]B[d3];)", True),
        ("(;GM[Othello]FF[4]BO[x];B[d3])", False),
        ("(;FF[4]GM[Othello]BO[x];B[d3])", False),
        ("(;GM[2]BO[x];B[d3])", False),
        ("(;GM[Go];BO[x];B[dd])", False),
        ("(;GM[Othello]PC[x\\]BO[y];B[d3])", True),
    ],
)
def test_a_board_after_a_game_in_words_is_ggf(text: str, is_ggf: bool) -> None:  # noqa: FBT001
    (game,) = sgf_lark.loads(text, strict=False)

    assert (game.format is Format.GGF) is is_ggf

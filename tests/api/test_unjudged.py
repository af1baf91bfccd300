"""Reading without judging: ``validate=False``."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from support.invariants import check_unjudged

from sgf_lark import SgfSyntaxError, iter_games, load, load_many, loads

if TYPE_CHECKING:
    from pathlib import Path

#: Faults of every kind: a comment before, a wrong value, a property twice, text after.
FAULTY = "a (;GM[1]SZ[19]KM[x];B[aa]B[bb]W[zz9];ZZ[](;B[cc])(;W[dd]AB[e]))(;FF[3]PlayerWhite[x]) z)"


@pytest.mark.parametrize("engine", ["generated", "lark"])
@pytest.mark.parametrize(
    "text",
    [
        FAULTY,
        "(;FF[4]GM[1];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff]))",
        "(;FF[4]GM[Othello]PB[a];B[d3];W[c5])",
        f"(;GM[Othello]PC[x]TY[8]BO[8 {'-' * 27}O*------*O{'-' * 27} *]B[d3//1];)",
        "(;B[aa]LB[aa:1](;W[bb];B[cc]",  # without FF, and broken
        "(;KM[5.5]CR[aa:bb])",
        "(;FF[4]KM[1]])(;C[x)",
        "",
    ],
)
def test_games_values_and_places_are_those_of_a_judging_reader(text: str, engine: str) -> None:
    judged = loads(text, strict=False)

    check_unjudged(judged, loads(text, strict=False, validate=False, engine=engine))
    others = iter_games(StringIO(text), strict=False, validate=False, engine=engine)
    for game, other in zip(judged, others, strict=True):
        assert game == other
        assert [dict(node.items()) for node in game.walk()] == [
            dict(node.items()) for node in other.walk()
        ]


def test_what_breaks_the_standard_is_not_found() -> None:
    assert loads(FAULTY, validate=False).diagnostics == ()


def test_a_strict_reader_still_raises_for_broken_syntax() -> None:
    with pytest.raises(SgfSyntaxError):
        loads("(;FF[4]B[aa)", validate=False)
    with pytest.raises(SgfSyntaxError):
        next(iter_games(StringIO("(;FF[4]B[aa)"), validate=False))
    with pytest.raises(SgfSyntaxError):
        loads("no game", validate=False)


@pytest.mark.parametrize("read", [loads, load, iter_games])
def test_to_check_without_judging_is_the_callers_mistake(read: object) -> None:
    with pytest.raises(ValueError, match="check=True finds nothing with validate=False"):
        read("(;FF[4])", check=True, validate=False)  # type: ignore[operator]


def test_many_files_are_read_without_judging(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text(FAULTY)

    (outcome,) = load_many([path], jobs=1, validate=False)

    assert outcome.result is not None
    assert outcome.result.diagnostics == ()

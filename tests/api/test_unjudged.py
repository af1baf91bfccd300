"""Reading without judging: ``validate=False``, and ``info_only=True``."""

from __future__ import annotations

import pickle
import time
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from support.invariants import check_info_only, check_unjudged
from support.streams import Bits, opened

from sgf_lark import SgfSyntaxError, convert, dumps, iter_games, load, load_many, loads, merge
from sgf_lark.core.schema.formats import EngineName

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: Faults of every kind: a comment before, a wrong value, a property twice, text after.
FAULTY = "a (;GM[1]SZ[19]KM[x];B[aa]B[bb]W[zz9];ZZ[](;B[cc])(;W[dd]AB[e]))(;FF[3]PlayerWhite[x]) z)"


TEXTS = pytest.mark.parametrize(
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


@pytest.mark.parametrize("engine", ["generated", "lark"])
@TEXTS
def test_games_values_and_places_are_those_of_a_judging_reader(
    text: str, engine: EngineName
) -> None:
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


# ---- info only ----

#: The game info in the third node, a variation before it, and another game.
LATE = "x (;FF[4];B[aa](;GN[a]PB[b];W[bb];B[cc])(;C[x]))\n(;FF[4]PB[c]SZ[9]) "


@TEXTS
@pytest.mark.parametrize("engine", ["generated", "lark"])
def test_the_info_is_that_of_the_complete_games(text: str, engine: EngineName) -> None:
    complete, infos = loads(text, strict=False), loads(text, strict=False, info_only=True)

    check_info_only(complete, infos)
    assert loads(text, strict=False, info_only=True, engine=engine).games == infos.games
    assert [*iter_games(StringIO(text), strict=False, info_only=True)] == [*infos]


def test_nodes_up_to_the_game_info_are_read() -> None:
    collection = loads(LATE, info_only=True)

    assert [len(game) for game in collection] == [3, 1]
    assert collection[0].info.black.name == "b"
    check_info_only(loads(LATE, strict=False), collection)
    assert len(loads("(;FF[4]C[x];B[aa];W[bb])", info_only=True)[0]) == 1


def test_nothing_is_lost_silently() -> None:
    collection = loads(LATE, info_only=True)
    game, other = collection

    assert dumps(collection) == LATE
    for needs_all in (
        lambda: dumps(game),
        lambda: dumps(collection, style="canonical"),
        lambda: dumps(collection.replace(1)),
        lambda: dumps(collection.split()[0]),
        lambda: dumps(pickle.loads(pickle.dumps(game))),
        lambda: dumps(next(iter_games(StringIO(LATE), strict=False, info_only=True))),
        game.edit,
        game.leaves,
        game.move_arrays,
        lambda: game.moves,
        lambda: game.moves_to(0),
        lambda: game.variation(1),
        lambda: convert(collection, "ff3"),
        lambda: merge(game, game),
        collection.model_dump_json,
        game.model_dump,
    ):
        with pytest.raises(ValueError, match="the nodes after the game info were not read"):
            needs_all()
    assert dumps(other) == "(;FF[4]PB[c]SZ[9])"
    assert pickle.loads(pickle.dumps(collection)) == collection
    assert dumps(pickle.loads(pickle.dumps(collection))) == LATE


def test_what_is_broken_after_the_game_info_is_skipped() -> None:
    text = "(;FF[4]PB[a];B[aa]x;W]bb];B[cc](;W[dd]()))\n(;FF[4]PB[b])"

    collection = loads(text, info_only=True)

    assert [game.info.black.name for game in collection] == ["a", "b"]
    assert not collection.diagnostics
    assert dumps(collection) == text
    assert loads(text, strict=False).diagnostics
    assert loads("(;FF[4]PB[a]x;B[aa])", strict=False, info_only=True).diagnostics
    assert loads("(;FF[4];[a])", strict=False, info_only=True).diagnostics


def test_brackets_in_values_end_no_game_that_is_skipped() -> None:
    texts = ["(;FF[4]PB[a];C[\\]);(;FF[4]PB[x\\]](;B[aa])(;W[bb]C[(]))", "(;FF[4]GN[)];AB[aa][bb])"]

    for block in (1, 7, 1000):
        pipe = opened(Bits("\n".join(texts).encode(), block))
        games = [*iter_games(pipe, info_only=True)]
        assert [len(game) for game in games] == [1, 1]
        assert [game.info.raw for game in games] == [{"PB": ("a",)}, {"GN": (")",)}]


@pytest.mark.night
def test_long_games_are_skipped_in_less_than_half_of_the_time_of_load() -> None:
    text = f"(;FF[4]GM[1]SZ[19]PB[a]{';B[aa]C[some words];W[bb]LB[cc:1][dd:2]' * 1500})"

    assert 2 * lowest(lambda: loads(text, info_only=True)) < lowest(lambda: loads(text))


def lowest(work: Callable[[], object]) -> float:
    """Return the processor time of the fastest of some runs."""
    times = []
    for _ in range(7):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_a_game_that_is_only_info_is_complete() -> None:
    (game,) = loads("(;FF[4]PB[c];)", info_only=True)[:1]
    (root,) = loads("(;FF[4]PB[c])", info_only=True)

    assert len(game) == 1
    assert root == loads("(;FF[4]PB[c])")[0]
    assert root.edit().done() == root


def test_to_check_for_info_only_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="check=True finds nothing with info_only=True"):
        loads("(;FF[4])", check=True, info_only=True)


def test_many_files_are_read_for_their_info(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.sgf" for number in range(3)]
    for path in paths:
        path.write_text(LATE)

    outcomes = [*load_many(paths, jobs=2, strict=False, info_only=True)]

    assert [[len(game) for game in one.result or ()] for one in outcomes] == [[3, 1]] * 3

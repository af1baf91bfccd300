"""Games that are read one by one are judged when somebody asks for their findings."""

import pickle
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO, StringIO
from threading import Barrier
from typing import Any

import pytest
from support.damage import changed
from support.lanes import amount

from sgf_lark import Diagnostic, GameTree, Severity, SgfError, iter_games, loads
from sgf_lark.core.api import load
from sgf_lark.core.check import check_game as checks, judge
from sgf_lark.core.findings.catalogue import catalogue
from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.places import LineIndex

#: Files whose games have findings of several kinds, some of which depend on other games.
FILES = (
    "(;FF[4]GM[1]C[];B[pd]XY[1])\n(;FF[4]GM[1]SZ[19];B[zz];W[dd])(;FF[3]GM[2];B[c4])",
    "(;FF[4]C[a(;B[aa](;W[bb])(;FF[4]C[b];B[dd]))(;FF[4]C[])",
    "(;FF[4];B[aa](;W[bb](;B[cc])))(;W[dd])(;B[ee]))(;FF[4]C[])",
    "(;FF[4];B[aa]C[a]B[bb](;W[bb]))rest(;FF[4]SZ[19]C[])\n(;FF[4]C[)",
    "(;FF[4]PB[a;B[aa](;W[bb])](;FF[4]PB[b(;C[x])](;FF[4]C[]))",
    "2(;GM[Othello]PB[a]PW[b]TY[s8];B[d3])(;GM[Othello]PB[a]PW[b]TY[s8];)(;GM[Othello];)",
    "(;FF[4]GM[1]CA[UTF-8]C[\N{LATIN SMALL LETTER E WITH ACUTE}])(;FF[4]CA[latin-1]C[])",
)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games that are judged."""
    seen: list[int] = []
    check_game = checks.check_game

    def note(game: GameTree, number: int, *rest: Any, **options: Any) -> list[Finding]:
        seen.append(number)
        return check_game(game, number, *rest, **options)

    monkeypatch.setattr(judge, "check_game", note)
    return seen


def test_who_only_iterates_judges_no_game(judged: list[int]) -> None:
    games = list(iter_games(StringIO("(;FF[4]GM[1]C[];B[pd]XY[1])" * 5), strict=False))
    assert judged == []

    assert [one.name for one in games[3].diagnostics] == ["empty-text", "unknown-property"]
    assert judged == [3]
    assert games[3].diagnostics is games[3].diagnostics
    assert judged == [3]


def test_a_strict_reader_judges_each_game_once(judged: list[int]) -> None:
    for game in iter_games(StringIO("(;FF[4]GM[1]C[];B[pd]XY[1])" * 3)):
        assert len(game.diagnostics) > 1

    assert judged == [0, 1, 2]


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("text", FILES)
def test_findings_do_not_depend_on_when_somebody_asks(text: str, *, check: bool) -> None:
    def read() -> Iterator[GameTree]:
        return iter_games(BytesIO(text.encode()), strict=False, check=check)

    at_once = [game.diagnostics for game in read()]
    backward = [game.diagnostics for game in reversed(list(read()))][::-1]
    *_, last = read()

    assert at_once == backward
    assert last.diagnostics == at_once[-1]


@pytest.mark.parametrize("text", FILES)
def test_the_findings_of_games_read_one_by_one_are_those_of_the_file(text: str) -> None:
    games = iter_games(BytesIO(text.encode()), strict=False)
    each = [finding for game in list(games) for finding in game.diagnostics]
    of_file = loads(text.encode(), strict=False).diagnostics

    assert {*each, *games.diagnostics} == {*of_file}


def raises(data: bytes) -> bool:
    try:
        loads(data)
    except SgfError:
        return True
    return False


@pytest.mark.night
@pytest.mark.both_lanes
def test_a_strict_load_raises_where_a_finding_is_an_error() -> None:
    texts = [text for entry in catalogue().values() for text in (*entry.wrong, *entry.right)]
    records = [text.encode("utf-8", "surrogatepass") for text in (*FILES, *texts)]
    dice = random.Random(24)  # noqa: S311  # not for cryptography
    for _ in range(amount(300, 5_000)):
        records.append(changed(dice.choice(records), dice))
    records = records[:: amount(4, 1)]

    wrong = [
        data
        for data in records
        if raises(data)
        != any(one.severity is Severity.ERROR for one in loads(data, strict=False).diagnostics)
    ]
    assert wrong == []


def test_a_strict_load_without_errors_leaves_infos_for_later(judged: list[int]) -> None:
    collection = loads("(;FF[4]GM[1]C[];B[pd]XY[1])")
    assert judged == [0]

    assert [one.name for one in collection.diagnostics] == ["empty-text", "unknown-property"]


def test_findings_of_games_do_not_hold_the_text_of_the_file() -> None:
    text = "(;FF[4]GM[1]C[];B[pd]XY[1])" + " " * 100_000
    (found,) = [game.diagnostics for game in iter_games(StringIO(text), strict=False)]

    assert all(getattr(finding, "_rest", None) is None for finding in found)


def test_an_iterated_game_that_is_pickled_keeps_its_findings() -> None:
    (game,) = iter_games(StringIO("(;FF[4]GM[1]C[];B[pd]XY[1])"), strict=False)

    assert pickle.loads(pickle.dumps(game)).diagnostics == game.diagnostics


def test_two_threads_that_ask_at_once_get_the_same_findings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "(;FF[4]ZZ[1]KM[x];B[zz])(;FF[3]GM[1]KM[y])"
    alone = loads(text, strict=False).diagnostics
    both, locate = Barrier(2, timeout=30), load.locate_findings

    def wait_and_locate(findings: list[Finding], lines: LineIndex) -> tuple[Diagnostic, ...]:
        both.wait(timeout=100)
        return locate(findings, lines)

    monkeypatch.setattr(load, "locate_findings", wait_and_locate)
    collection = loads(text, strict=False)
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(lambda: collection.diagnostics) for _ in range(2)]
        assert [one.result() for one in asked] == [alone, alone]

"""``str()`` of moves, results, players, points and reports is what people write."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from support import commands

import sgf_lark
from sgf_lark import (
    PASS,
    BoardSize,
    Color,
    Composed,
    Info,
    Invalid,
    Move,
    PartialDate,
    Player,
    Point,
    Rectangle,
    Result,
)
from sgf_lark.core.schema.values import Action, Application, Ending, Played, Stamp

#: The first board of Othello.
OTHELLO = "-" * 27 + "O*------*O" + "-" * 27

B, W = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        ("(;FF[4]SZ[19];B[pd];W[])", "B Q16, W pass"),
        ("(;FF[4]SZ[9];B[aa];W[zz])", "B A9, W[zz]"),
        ("(;FF[3]SZ[19];B[tt];W[Q16])", "B pass, W[Q16]"),
        ("(;FF[4]GM[2];B[d3];W[PA])", "B d3, W pass"),
        ("(;FF[4]GM[4];B[hh])", "B h8"),
        ("(;FF[4]GM[6];W[31hefe];B[double])", "W 31: 8/5 6/5, B double"),
        ("(;FF[4]GM[9];B[b1-b3];W[a2:c2])", "B b1-b3, W a2:c2"),
        ("(;FF[4]GM[11];B[a4];W[swap-pieces])", "B a4, W swap-pieces"),
        ("(;FF[4]GM[18];B[djddgd])", "B d1-d7-g7"),
        ("(;FF[4]GM[19];B[73];W[33+B])", "B 73, W 33+B"),
        ("(;FF[4]GM[20];B[cc:cf])", "B cc:cf"),
        ("(;FF[4]GM[21];W[d11])", "W D11"),
        ("(;FF[4]GM[3];W[e2e4])", "W[e2e4]"),
        ("(;FF[4]GM[5];W[any text])", "W[any text]"),
        (f"(;GM[Othello]BO[8 {OTHELLO} *]B[d3//1]W[PA];)", "B d3, W pass"),
        ("(;GM[Othello]B[d3//1];)", "B[d3//1]"),
    ],
)  # fmt: skip
def test_a_move_of_a_node_is_named_on_the_board_of_its_game(record: str, shown: str) -> None:
    game = sgf_lark.loads(record, strict=False)[0]

    assert ", ".join(str(node.move) for node in game if node.move is not None) == shown


def test_a_copied_move_keeps_its_name_and_one_of_no_node_is_as_the_record_has_it() -> None:
    move = sgf_lark.loads("(;FF[4]SZ[19];B[pd])")[0].nodes[1].move
    assert move is not None
    loose = Move(color=B, value=Point(15, 3), raw="pd")

    assert loose == move
    assert (str(copy.copy(move)), str(move.model_copy()), str(loose)) == ("B Q16", "B Q16", "B[pd]")
    assert repr(loose) == f"Move(color={B!r}, value={Point(15, 3)!r}, raw='pd')"


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]SZ[19];B[pd];W[])",
        "(;FF[4]SZ[9];B[ee];W[ii])",
        "(;FF[3]GM[1];b[tt];White[pd])",
        "(;GM[Othello]BO[4 ---- -O*- -*O- ---- *]B[b1]W[PA];)",
        "(;FF[4]GM[6];W[31hefe])",
        "(;FF[4]GM[11]SZ[5];B[c3];W[swap-pieces])",
        "(;FF[4]GM[18];B[djddgd])",
    ],
)
def test_moves_of_a_list_are_printed_as_those_of_nodes(text: str) -> None:
    game = sgf_lark.loads(text, strict=False)[0]
    nodes = [node.move for node in game.main_line() if node.move is not None]

    assert [*map(str, game.moves)] == [*map(str, nodes)]
    assert repr(game.moves[0]).startswith("PlayedMove(color=")
    assert pickle.loads(pickle.dumps(game.moves)) == game.moves  # our own
    assert isinstance(game.moves[0], sgf_lark.PlayedMove)


def test_a_move_off_the_board_or_of_no_game_has_column_and_row() -> None:
    (move,) = sgf_lark.loads("(;FF[4]SZ[9];B[pd])", strict=False)[0].moves

    assert str(move) == str(sgf_lark.PlayedMove(*move)) == "B (15, 3)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("B+R", "B+R"), ("W+Resign", "W+R"), ("W+3.50", "W+3.50"), ("B+Time", "B+T"), ("W+F", "W+F"),
     ("B+", "B+"), ("0", "Draw"), ("Draw", "Draw"), ("Void", "Void"), ("?", "?")],
)  # fmt: skip
def test_a_result_is_printed_as_people_write_it(text: str, shown: str) -> None:
    assert str(sgf_lark.loads(f"(;FF[4]RE[{text}])")[0].info.result) == shown


def test_a_result_of_ggf_is_printed_as_one_of_sgf() -> None:
    game = sgf_lark.loads("(;GM[Othello]RE[-4.00:r];)")[0]

    assert str(game.info.result) == "W+4.00R"
    assert str(Result(winner=None, margin=Decimal(0))) == "Draw"
    assert str(Result(winner=None, ending=Ending.MUTUAL)) == "Draw"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Point(15, 3), "(15, 3)"),
        (BoardSize(19, 19), "19x19"),
        (BoardSize(9, 13), "9x13"),
        (PASS, "pass"),
        (Action(word="resign"), "resign"),
        (PartialDate(year=2024, month=3), "2024-03"),
        (Rectangle(first=Point(0, 0), second=Point(1, 2)), "(0, 0):(1, 2)"),
        (Composed(first=Point(0, 0), second="A"), "(0, 0):A"),
        (Application(name="CGoban", version="3"), "CGoban 3"),
        (Application(name="CGoban", version=None), "CGoban"),
        (Invalid(raw="x1", expected="a point"), "x1"),
        (Played(move=Point(3, 2), seconds=Decimal(4)), "(3, 2)"),
        (Stamp(moment=dt.datetime(2001, 2, 3, 4, 5, 6), zone="PST"), "2001-02-03 04:05:06 PST"),  # noqa: DTZ001  # the zone is beside it
        (Player(name="Aoki", rank="5d"), "Aoki 5d"),
        (Player(name="ant", rating=Decimal("1897.01")), "ant (1897.01)"),
        (Player(), "?"),
        (Info(), "? (B) - ? (W)"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_values_are_printed_as_people_write_them(value: object, shown: str) -> None:
    assert str(value) == f"{value}" == shown
    assert repr(value).startswith(f"{type(value).__name__}(")


def test_an_info_is_a_line_of_players_result_and_dates() -> None:
    game = sgf_lark.loads("(;FF[4]PB[Aoki]BR[5d]PW[Boggs]RE[B+R]DT[2024-03-02,03])")[0]

    assert str(game.info) == "Aoki 5d (B) - Boggs (W), B+R, 2024-03-02, 2024-03-03"


def test_a_report_is_printed_as_check_does_concisely(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;FF[4]GM[1]SZ[19];B[zz];W[Q16]XX[\x1b])", encoding="utf-8")
    arguments = ("check", "a.sgf", "--format", "concise", "--level", "info", "--isolated")
    lines = commands.run(*arguments, folder=tmp_path).stdout.decode().splitlines()
    report = sgf_lark.check(tmp_path / "a.sgf")
    printed = str(report).replace(f"{tmp_path}/", "").splitlines()

    assert printed[:-1] == [line.replace(" [*]", "") for line in lines[: len(report)]]
    assert len(report) == 3
    assert printed[-1] == report.summary == "2 errors, 1 info"
    assert repr(report) == f"<Report {tmp_path / 'a.sgf'}: 2 errors, 1 info>"
    assert str(sgf_lark.check(StringIO("(;FF[4]GM[1]SZ[19]CA[UTF-8])"))) == "nothing wrong"

"""Programs of other libraries, ported: they do the same, and are no longer."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import pytest
from sgfmill import ascii_boards, sgf, sgf_moves
from support import ported
from support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RECORD = ROOT / "tests" / "records" / "nine.sgf"


def mill_board(move_number: int | None) -> str:
    """What sgfmill's example prints."""
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(RECORD.read_bytes()))
    for color, move in plays[: None if move_number is None else max(0, move_number - 1)]:
        if move is not None:
            board.play(*move, color)
    return str(ascii_boards.render_board(board))


@pytest.mark.parametrize("move_number", [None, 1, 2, 9])
def test_a_board_is_shown_as_sgfmill_shows_it(move_number: int | None) -> None:
    shown = ported.show_sgf_file(RECORD, move_number).splitlines()

    assert (
        shown[: len(mill_board(move_number).splitlines())] == mill_board(move_number).splitlines()
    )


def test_a_collection_is_split_into_files(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_text("(;FF[4]GM[1]C[Hello];B[aa])(;FF[4]GM[1];B[bb])", encoding="utf-8")
    files = ported.split_sgf_collection(path)

    games = [sgf.Sgf_game.from_bytes(file.read_bytes()) for file in files]
    assert [file.name for file in files] == ["two_0.sgf", "two_1.sgf"]
    assert [game.get_root().get("C") for game in games] == [
        "Hello\n\nSplit from two.sgf (game 0)",
        "Split from two.sgf (game 1)",
    ]


def test_facts_and_moves_are_those_of_sgfmill() -> None:
    winner, size, black, white, *moves = ported.facts_and_moves(RECORD)
    game = sgf.Sgf_game.from_bytes(RECORD.read_bytes())
    theirs = [node.get_move()[1] for node in game.get_main_sequence() if node.get_move()[0]]

    assert (str(winner).lower(), size) == (game.get_winner(), game.get_size())
    assert (black, white) == (game.get_player_name("b"), game.get_player_name("w"))
    points = [None if point is None else (8 - point[1], point[0]) for point in map(as_pair, moves)]
    assert points == theirs


def as_pair(point: object) -> tuple[int, int] | None:
    return point if isinstance(point, tuple) else None


def test_a_game_is_written_that_sgfmill_reads(tmp_path: Path) -> None:
    path = tmp_path / "new.sgf"
    ported.write_game([("b", "C3", None), ("w", "D4", "corner")], path)
    game = sgf.Sgf_game.from_bytes(path.read_bytes())

    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert (game.get_size(), moves) == (13, [("b", (2, 2)), ("w", (3, 3))])
    assert game.get_last_node().get("C") == "corner"


def test_lines_are_played_saved_and_walked(tmp_path: Path) -> None:
    assert ported.play_branch_and_save(tmp_path / "game.sgf") == [
        ["B D16", "W Q16", "B Q4"],
        ["B D16", "W C3"],
    ]


@pytest.mark.parametrize(
    "program",
    [
        ported.show_sgf_file,
        ported.split_sgf_collection,
        ported.facts_and_moves,
        ported.write_game,
        ported.play_branch_and_save,
    ],
)
def test_a_ported_program_is_shorter_than_the_one_that_it_ports(
    program: Callable[..., object],
) -> None:
    lines = inspect.getsource(program).splitlines()
    before = re.search(r": (\d+) lines\)", inspect.getdoc(program) or "")

    assert before is not None
    assert len(lines) - 2 < int(before[1])  # without its head and its docstring

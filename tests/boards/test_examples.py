"""Whole games as arrays, equal to the planes of each position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sgf_lark import Board, Color, Point, loads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sgf_lark import GameTree

np = pytest.importorskip("numpy")

GAMES = {
    "Go": "(;FF[4]GM[1]SZ[5]RE[W+3];B[cc];W[bc];B[dd]C[a];;W[];B[bb];W[cb];B[];W[ee])",
    "Go with setup": "(;FF[4]GM[1]SZ[9]AB[cc][gg]HA[2];W[ee];B[dd]AW[aa])",
    "Go out of turn": "(;FF[4]GM[1]SZ[5];B[aa];B[bb];W[cc])",
    "Othello": "(;FF[4]GM[2]RE[B+2];B[d3];W[c5];B[d6])",
    "Gomoku": "(;FF[4]GM[4]SZ[15];B[hh];W[ii];B[hi])",
    "Hex": "(;FF[4]GM[11]SZ[5];B[c3];W[swap-pieces];B[b2];W[d4])",
    "Twixt": "(;FF[4]GM[21]SZ[8];W[c3];B[d5];W[d5])",
}


def boards_before(game: GameTree) -> Iterator[tuple[Board, Color]]:
    """The board before each move, and the side that moves."""
    before = game.board(0)
    for node in game.main_line():
        if node.move is not None:
            yield before, node.move.color
        before = game.board(node)


@pytest.mark.parametrize("name", [name for name in GAMES if "setup" not in name])
def test_planes_of_a_game_are_those_of_its_boards(name: str) -> None:
    (game,) = loads(GAMES[name])
    names = ["black", "white", "own", "other", "empty", "last", "legal", "ko", "to_play"]
    found = game.planes(names)

    expected, history = [], list[Board]()
    for board, color in boards_before(game):
        turned = board.set_up(to_play=color)
        planes = turned.planes(names)
        planes[names.index("last")] = board.planes("last")[0]  # set_up forgets it
        planes[names.index("ko")] = board.planes("ko")[0]
        expected.append(planes)
        history.append(turned)
    for at, (planes, wanted) in enumerate(zip(found.planes, expected, strict=True)):
        for plane, this, that in zip(names, planes, wanted, strict=True):
            assert (this == that).all(), (at, plane)
    agz = game.planes()
    for at, board in enumerate(history):
        assert (agz.planes[at] == board.planes("agz17", before=history[:at])).all(), at
    assert agz.planes.dtype == np.int8


def test_labels_are_in_view_of_the_side_that_moves() -> None:
    (game,) = loads(GAMES["Go"])
    found = game.planes("stones")

    assert found.players.tolist() == [1, -1, 1, -1, 1, -1, 1, -1]
    assert found.results.tolist() == [-1, 1, -1, 1, -1, 1, -1, 1]
    assert found.moves.tolist() == [12, 11, 18, 25, 6, 7, 25, 24]
    assert found.planes.shape == (8, 2, 5, 5)


def test_a_game_without_a_result_has_no_label() -> None:
    (game,) = loads(GAMES["Go out of turn"])

    assert np.isnan(game.planes().results).all()
    assert game.planes("own").planes[1].sum() == 1  # Black's stone, and Black moves again


def test_setup_beside_a_move_comes_before_it() -> None:
    (game,) = loads(GAMES["Go with setup"], strict=False)
    found = game.planes("stones")

    assert found.planes.sum(axis=(2, 3)).tolist() == [[2, 0], [2, 2]]


def test_squares_that_the_octagon_lacks_are_not_empty() -> None:
    rows = "------ -------- ---------- ---------- ----O*---- ----*O----"
    text = f"(;GM[Othello]TY[88]BO[88 {rows} ---------- ---------- -------- ------ *]B[e4];)"
    (game,) = loads(text, strict=False)

    (empty,) = game.planes("empty").planes[0]
    assert empty.shape == (10, 10)
    assert empty.sum() == 88 - 4


def test_a_word_is_no_point() -> None:
    (game,) = loads(GAMES["Hex"])

    assert game.planes("stones").moves.tolist() == [12, -1, 6, 18]


def test_moves_end_where_the_board_is_lost() -> None:
    (game,) = loads("(;FF[4]GM[1]SZ[5];B[aa];W[zz];B[bb])", strict=False)

    assert game.planes("own").moves.tolist() == [0]
    for names, planes in (("agz17", 17), (["legal", "last"], 2)):
        found = loads("(;FF[4]GM[1]SZ[5])")[0].planes(names)
        assert found.planes.shape == (0, planes, 5, 5)


def test_large_boards_have_planes() -> None:
    (game,) = loads("(;FF[4]GM[2]SZ[60])", strict=False)
    assert game.planes("stones").planes.shape == (0, 2, 60, 60)


@pytest.mark.parametrize(
    ("text", "names", "history", "message"),
    [
        ("(;GM[6])", "agz17", 8, "the moves of Backgammon are no points"),
        ("(;GM[1])", "black", 0, "history is 0"),
        ("(;GM[1])", ["green"], 8, "no plane 'green'"),
    ],
)
def test_what_has_no_planes_says_so(
    text: str, names: str | list[str], history: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        loads(text, strict=False)[0].planes(names, history=history)


def test_points_of_moves_are_rows_and_columns() -> None:
    (game,) = loads("(;FF[4]GM[1]SZ[9:5];B[ia])")

    assert game.planes("stones").planes.shape == (1, 2, 5, 9)
    assert game.planes("stones").moves.tolist() == [Point(8, 0).row * 9 + 8]

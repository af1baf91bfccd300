"""The ends of random games of open-spiel: when they come, who has won, and the points."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from support.open_spiel import playouts

from sgf_lark import Board, Color, Point

if TYPE_CHECKING:
    from support.open_spiel import Ply

#: The first player and the second one.
SIDES = (Color.BLACK, Color.WHITE)


def winner_of(ply: Ply, sides: tuple[Color, Color] = SIDES) -> Color | None:
    first = ply.state.returns()[0]
    return sides[first < 0] if first else None


def assert_end(board: Board, ply: Ply, sides: tuple[Color, Color] = SIDES) -> None:
    """A game is over for both or for neither, with the same winner."""
    if ply.chosen:
        assert not board.is_over
        return
    assert board.outcome is not None
    assert board.outcome.winner is winner_of(ply, sides)
    assert board.outcome.is_draw is (winner_of(ply, sides) is None)
    assert board.legal_moves(Color.BLACK) == board.legal_moves(Color.WHITE) == ()


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    ("name", "title", "size", "parameters"),
    [
        ("othello", "Othello", 8, {}),
        ("gomoku", "Gomoku+Renju", 7, {"size": 7}),
        ("hex", "Hex", 5, {"num_cols": 5, "num_rows": 5}),
    ],
)
def test_a_game_of_placements_ends_as_theirs(
    name: str, title: str, size: int, parameters: dict[str, Any]
) -> None:
    for game in playouts(name, 5, 1_000, **parameters):
        board = Board(title, size)
        for ply in game:
            assert_end(board, ply)
            if ply.chosen and name == "gomoku":
                row, column = map(int, ply.chosen.split(","))
                board = board.play(Point(column, row))
            elif ply.chosen:
                board = board.play(ply.chosen)
        if name == "othello":
            score = board.score()
            assert [score.black, score.white] == [len(board.stones(side)) for side in SIDES]


@pytest.mark.both_lanes
@pytest.mark.parametrize("size", [5, 8])
def test_twixt_ends_when_a_side_connects_its_borders(size: int) -> None:
    """Theirs ends as well when no side can connect any more; ours has holes left then."""
    decided = 0
    for game in playouts("twixt", 5, 1_000, board_size=size, ansi_color_output=False):
        board, first = Board("Twixt", size), ""
        for number, ply in enumerate(game):
            if ply.chosen or winner_of(ply) is not None:
                assert_end(board, ply, (Color.WHITE, Color.BLACK))
                decided += not ply.chosen
            hole = ply.chosen[1:]
            if number == 1 and hole == first:
                break  # a swap, which FF[4] does not have
            if ply.chosen:
                board = board.play(hole)
            first = first or hole
    assert decided


@pytest.mark.both_lanes
def test_lines_of_action_ends_when_all_pieces_of_a_side_are_connected() -> None:
    """Theirs ends as well when a side cannot move or a position comes again."""
    decided = 0
    for game in playouts("lines_of_action", 5, 1_000):
        board = Board("Lines of Action")
        for ply in game:
            ours = board.outcome
            if ours is not None:
                assert not ply.chosen
                assert ours.winner in {winner_of(ply), None}
                assert (ours.winner is None) is all(map(board.connected, SIDES))
                decided += 1
            if ply.chosen:
                board = board.play(ply.chosen)
    assert decided


@pytest.mark.both_lanes
def test_amazons_ends_when_the_side_to_move_cannot() -> None:
    for game in playouts("amazons", 1, 1_000):
        board, points = Board("Amazons"), list[tuple[int, int]]()
        for ply in game:
            if not points:
                assert_end(board, ply)
            if ply.chosen:
                row, column = (int(part.strip("(),")) for part in ply.chosen.split()[-2:])
                points.append((column - 1, row - 1))
            if len(points) == 3:
                names = (f"{chr(ord('a') + column)}{10 - row}" for column, row in points)
                board, points = board.play("-".join(names)), []


@pytest.mark.both_lanes
@pytest.mark.parametrize("size", [5, 9])
def test_go_ends_by_two_passes_and_has_their_area(size: int) -> None:
    """They stop a game that repeats a position, or is too long; ours goes on."""
    passed = 0
    for game in playouts("go", 5, 1_000, board_size=size, komi=6.5):
        board, passes = Board("Go", size), 0
        for ply in game:
            assert board.is_over is (passes > 1)
            if ply.chosen:
                assert not board.is_over
                passes = passes + 1 if ply.chosen.endswith("PASS") else 0
                board = board.play(ply.chosen.partition(" ")[2])
        if board.is_over:
            score = board.score("area", komi=6.5)
            assert score.winner is winner_of(ply)
            assert score.white - Decimal("6.5") <= size * size
            passed += 1
    assert passed


@pytest.mark.both_lanes
def test_backgammon_ends_with_their_points() -> None:
    """Single games, gammons and backgammons; a position of theirs is set up here."""
    seen = set()
    for game in playouts("backgammon", 3, 1_000, scoring_type="full_scoring"):
        for ply in game:
            last = ply.state
        black, white = (checkers(last, player) for player in range(2))
        board = Board("Backgammon", empty=True).set_up(black=black, white=white, to_play="B")
        assert_end(board, ply)
        assert board.outcome is not None
        assert board.outcome.points == abs(last.returns()[0])
        assert abs(board.score().margin) == board.outcome.points
        seen.add(board.outcome.points)
    assert len(seen) > 1


def checkers(state: Any, player: int) -> list[tuple[int, int]]:
    """The place of each checker of a player; their bar is 100."""
    counts = [state.board(player, at) for at in (*range(24), 100)]
    counts.append(15 - sum(counts))
    return [(column, 0) for column, count in enumerate(counts) for _ in range(count)]

"""The ends of games: who has won, what is counted, and what cannot be."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sgf_lark import PASS, Board, Color, Point, loads
from sgf_lark.games.registry import games_with_rules
from sgf_lark.positions.state import Score

BLACK, WHITE = Color.BLACK, Color.WHITE


def play(board: Board, moves: str) -> Board:
    for move in moves.split():
        board = board.play(move, force=True)
    return board


def gess(*rings: tuple[Color, str]) -> Board:
    """Rings of stones around points that are named."""
    board = Board("Gess", empty=True)
    for color, name in rings:
        column, row = board.point(name)
        around = [(column + a, row + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        side = "black" if color is BLACK else "white"
        board = board.set_up(**{side: around}, to_play=BLACK)  # type: ignore[arg-type]
    return board


TWIXT = play(Board("Twixt", 5), "B1 A2 C3 C2 B5")
BEAR_OFF = Board("Backgammon", empty=True)

#: A board, and its outcome in words.
ENDS: dict[str, tuple[Board, str | None]] = {
    "Go after one pass": (play(Board("Go", 9), "E5 pass"), None),
    "Go after two passes": (play(Board("Go", 9), "E5 pass pass"), "Over: both sides have passed"),
    "Go after a move": (play(Board("Go", 9), "E5 pass pass E6"), None),
    "Othello at the start": (Board("Othello"), None),
    "Othello without white discs": (
        Board("Othello", empty=True).set_up(black=["d4", "e4"], to_play="W"),
        "Black wins: nobody can move",
    ),
    "Othello with equal discs": (
        Board("Othello", empty=True).set_up(black="a1", white="h8"),
        "Draw: nobody can move",
    ),
    "four in a line": (Board("Gomoku+Renju").set_up(black=["c3", "d4", "e5", "f6"]), None),
    "five in a diagonal": (
        Board("Gomoku+Renju").set_up(white=["c7", "d6", "e5", "f4", "g3"]),
        "White wins: five in a line",
    ),
    "a full board": (
        Board("Gomoku+Renju", 2).set_up(black=["a1", "b2"], white=["a2", "b1"]),
        "Draw: the board is full",
    ),
    "Hex that goes on": (play(Board("Hex", 3), "b1 a2 b2 c2"), None),
    "Hex from top to bottom": (
        play(Board("Hex", 3), "b1 c2 b2 c3 a3"),
        "Black wins: connects its edges",
    ),
    "Hex from left to right": (
        play(Board("Hex", 3), "a1 a2 c3 b2 a3 c1"),
        "White wins: connects its edges",
    ),
    "Hex given up": (play(Board("Hex", 3), "b1 resign"), "Black wins: the other side resigns"),
    "Lines of Action": (
        Board("Lines of Action", empty=True).set_up(black=["a1", "c3"], white=["e5", "d4"]),
        "White wins: all pieces are connected",
    ),
    "Lines of Action with both connected": (
        Board("Lines of Action", empty=True).set_up(black=["a1", "b2"], white=["e5", "d4"]),
        "Over: all pieces are connected",
    ),
    "Amazons shut in": (
        Board("Amazons", 2, empty=True).set_up(black="a1", white=["a2", "b1", "b2"], to_play="B"),
        "White wins: the other side cannot move",
    ),
    "Twixt linked": (TWIXT, "White wins: connects its borders"),
    "Gess at the start": (Board("Gess"), None),
    "Gess with a ring": (gess((WHITE, "d4")), "White wins: the other side has no ring"),
    "Gess with two": (gess((WHITE, "d4"), (BLACK, "k10")), None),
    "Gess with none": (Board("Gess", empty=True), "Over: neither side has a ring"),
    "a drop": (
        play(Board("Backgammon").set_up(to_play="W"), "double drop"),
        "White wins: the other side drops",
    ),
    "a single game": (
        BEAR_OFF.set_up(white=["off"] * 15, black=["off"] * 2 + ["24"] * 13),
        "White wins: all checkers are off",
    ),
    "a gammon": (
        BEAR_OFF.set_up(white=["off"] * 15, black=["7"] * 15),
        "White wins: a gammon",
    ),
    "a backgammon": (
        BEAR_OFF.set_up(white=["off"] * 15, black=["6"] * 15),
        "White wins: a backgammon",
    ),
    "Black's backgammon": (
        BEAR_OFF.set_up(black=["off"] * 15, white=["bar", *["7"] * 14]),
        "Black wins: a backgammon",
    ),
    "Octi": (
        Board("Octi", empty=True).set_up(black=["33A"], white=["34"], to_play="B").play("33-35x"),
        "Black wins: all pods of the other side were taken",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_outcome_is_said_in_words(name: str) -> None:
    board, expected = ENDS[name]

    assert (str(board.outcome) if board.is_over else None) == expected


def test_a_finished_game_has_no_legal_moves_and_forbids_none() -> None:
    board = play(Board("Hex", 3), "b1 c2 b2 c3 a3")

    assert board.legal_moves() == ()
    assert board.legal("a1")
    assert board.play("a1").is_over


def test_records_go_on_after_two_passes() -> None:
    game = loads("(;GM[1]FF[4]SZ[9];B[ee];W[];B[];W[ef])")[0]

    positions = [(position.board.is_over, bool(position.verdict)) for position in game.positions()]
    assert positions[-2:] == [(True, True), (False, True)]


def test_the_cube_multiplies_the_points_of_backgammon() -> None:
    board = BEAR_OFF.set_up(white=["off"] * 15, black=["7"] * 15, cube=4)

    assert board.outcome is not None
    assert board.outcome.points == 8
    assert board.score() == Score(Decimal(0), Decimal(8))
    assert Board("Backgammon").score().winner is None


GO = """
  A B C D E
5 . X O . .
4 X X O . .
3 . X O O O
2 X O O X .
1 . O . . .
"""


def test_go_is_counted_by_area_and_by_territory() -> None:
    board = Board.from_text(GO)

    assert board.score("area") == Score(Decimal(8), Decimal(12))  # beside D2 nobody has points
    with_dead = board.score("area", komi=6.5, dead=["D2"])
    assert with_dead == Score(Decimal(7), Decimal("23.5"))
    assert board.score("territory", dead=["D2"]) == Score(Decimal(2), Decimal(10))
    assert str(with_dead) == "W+16.5"


def test_stones_that_were_taken_count_as_territory() -> None:
    board = play(Board("Go", 3), "B1 A1 A2")

    assert board.captured[WHITE] == 1
    assert board.score("territory") == Score(Decimal(8), Decimal(0))
    assert board.score("area") == Score(Decimal(9), Decimal(0))


def test_amazons_has_the_squares_that_one_side_alone_can_reach() -> None:
    board = Board("Amazons", (4, 1), empty=True).set_up(black="a1", white="c1")

    assert board.score() == Score(Decimal(0), Decimal(1))


def test_games_without_points_say_so() -> None:
    with pytest.raises(ValueError, match="Hex has no points: outcome says who has won"):
        Board("Hex").score()
    with pytest.raises(ValueError, match="expected 'area' or 'territory'"):
        Board("Go").score("chinese")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="komi is nan: expected a number of points"):
        Board("Go").score(komi=float("nan"))


def test_one_dead_stone_needs_no_list() -> None:
    board = Board("Go", 5).set_up(black=["B2", "D4"], white=["C3"])

    assert board.score(dead="C3") == board.score(dead=["C3"]) == board.score(dead=Point(2, 2))


def test_groups_and_their_liberties() -> None:
    board = Board("Go", 9).set_up(black=["A1", "A2", "C1"], white=["B1"])

    assert board.group("A2") == (Point(0, 7), Point(0, 8))
    assert list(map(board.name, board.liberties("A2"))) == ["A3", "B2"]
    assert board.group("E5") == board.liberties("E5") == ()
    assert len(play(Board("Hex", 3), "b1 c2 b2").group("b2")) == 2
    assert len(TWIXT.group("B1")) == 3
    assert len(Board("Lines of Action").group("b1")) == 6
    with pytest.raises(ValueError, match="Othello has no groups"):
        Board("Othello").group("d4")
    with pytest.raises(ValueError, match="Hex has no liberties"):
        play(Board("Hex", 3), "b1").liberties("b1")


def test_a_side_is_connected_where_its_game_asks_for_it() -> None:
    assert TWIXT.connected("W")
    assert not TWIXT.connected("B")
    with pytest.raises(ValueError, match="nothing is to be connected in Go"):
        Board("Go").connected("B")


@pytest.mark.parametrize(
    ("board", "status"),
    [
        (Board("Go", 9).set_up(black="A1", white=["A2", "B1"]), "the group at A1 has no liberty"),
        (Board("Othello", empty=True).set_up(black="a1"), "a square in the middle is empty"),
        (
            Board("Gomoku+Renju").set_up(
                black=["a1", "b1", "c1", "d1", "e1"], white=["a2", "b2", "c2", "d2", "e2"]
            ),
            "both sides have five stones in a line",
        ),
        (
            Board("Lines of Action").set_up(black="d4"),
            "Black has 13 pieces, 12 at the start",
        ),
        (Board("Amazons").set_up(white="e5"), "White has 5 amazons, 4 at the start"),
        (
            Board("Twixt", 5).set_up(white="A3"),
            "A3 is a hole beyond the other side's border",
        ),
        (Board("Gess").set_up(black="a5"), "stones are on the edge"),
        (Board("Backgammon").set_up(black="1"), "Black has 16 checkers, 15 at the start"),
        (BEAR_OFF.set_up(black="3", white="3"), "checkers of both sides are on 3"),
    ],
)
def test_the_status_says_what_cannot_be(board: Board, status: str) -> None:
    assert board.status == (status,)


@pytest.mark.parametrize("game", games_with_rules())
def test_nothing_is_wrong_at_the_start(game: int) -> None:
    assert Board(game=game).status == ()
    assert not Board(game=game).is_over


def test_a_legal_move_is_found_by_its_name() -> None:
    moves = Board("Go", 9).legal_moves()

    assert "E5" in moves
    assert Point(4, 4) in moves
    assert PASS in moves
    assert "K1" not in moves
    assert "E5" not in Board("Go", 9).play("E5").legal_moves()
    assert "31: 8/5 6/5" in Board("Backgammon").set_up(dice=(3, 1), to_play="W").legal_moves()

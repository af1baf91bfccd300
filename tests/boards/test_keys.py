"""Keys: the same everywhere, equal for equal positions, and symmetric where that is wanted."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount
from support.playing import CHOICES, PLAYED, choices, playout

from sgf_lark import Board, Symmetry
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.positions.symmetry import symmetries

GAMES = st.sampled_from(PLAYED)


def number(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (Board("Go"), 0xE98C89F83E77AA02),
        (Board("Go").play("Q16"), 0x4BB944F2032AD450),
        (Board("Go").play("Q16").play("D4"), 0x2A9AAC059E8684DF),
        (Board("Go", (13, 9)).play("C3"), 0xA8A443D60102158D),
        (Board("Go", 60).play("BH60"), 0x23179F0482ABFF3A),
        (Board("Othello"), 0x334A0DF3DAA8BA6A),
        (Board("Gomoku").play("h8"), 0x7104BBF265D7D1C1),
        (Board("Hex").play("c1"), 0x5BD8F46822B8E5C8),
        (Board("Twixt").play("d11"), 0x9C8894609619329F),
        (Board("Lines of Action"), 0xAB24E1B5ABC8F9BF),
        (Board("Amazons"), 0xB6DA5149DAE4DDF9),
        (Board("Backgammon").set_up(to_play="W", dice=(3, 1)), 0xCFD59B2D666B401A),
    ],
    ids=repr,
)
def test_keys_are_the_same_on_every_machine_and_in_every_version(
    board: Board, expected: int
) -> None:
    assert board.key == expected


def test_a_key_is_made_of_the_texts_of_its_features() -> None:
    ko = Board("Go", 5)
    for move in ("B3", "C3", "C4", "D4", "C2", "D2", "pass", "E3", "D3"):
        ko = ko.play(move)
    stones = ["bc:B", "cb:B", "cd:B", "db:W", "dd:W", "ec:W", "dc:B", "cc:ko"]
    expected = number("go:5:W:to-play")
    for text in stones:
        expected ^= number(f"go:5:{text}")

    assert ko.captured == {"B": 0, "W": 1}
    assert ko.key == expected


def test_checkers_cube_and_dice_are_in_the_key_of_backgammon() -> None:
    board = Board("Backgammon", empty=True).set_up(
        white=[*"ffy"], black="z", cube=2, cube_owner="b"
    )
    expected = 0
    for text in ("f:W:2", "y:W", "z:B", "cube-2", "B:cube-owner"):
        expected ^= number(f"backgammon:{text}")

    assert board.key == expected
    assert board.set_up(dice=(3, 1)).key == board.set_up(dice=(1, 3)).key
    assert board.set_up(dice=(3, 1)).key == expected ^ number("backgammon:dice-13")


def test_links_of_twixt_are_in_the_key() -> None:
    linked = Board("Twixt").set_up(white=["d11", "e13"])
    expected = number("twixt:24:W:to-play")
    for text in ("dk:W", "em:W", "dk:em:W:link"):
        expected ^= number(f"twixt:24:{text}")

    assert linked.key == expected


@settings(max_examples=amount(5, 25))
@given(GAMES, st.lists(CHOICES, min_size=2, max_size=2))
def test_keys_are_equal_if_and_only_if_positions_are(
    game: GameNumber, games: list[list[int]]
) -> None:
    found: dict[int, Board] = {}
    boards: dict[Board, int] = {}
    for numbers in games:
        for board in playout(game, numbers):
            assert found.setdefault(board.key, board) == board
            assert boards.setdefault(board, board.key) == board.key
            assert board.copy().key == board.key


@settings(max_examples=amount(5, 25))
@given(GAMES, CHOICES)
def test_the_symmetric_key_is_the_same_for_all_symmetric_positions(
    game: GameNumber, numbers: list[int]
) -> None:
    *_, board = playout(game, numbers)
    canonical, _ = board.canonical()

    for one in symmetries(game, board.size):
        other = board.transformed(one.symmetry)
        assert other.key_symmetric == board.key_symmetric == canonical.key
        assert other.canonical()[0] == canonical
    assert canonical == board.transformed(board.canonical()[1])
    assert canonical.canonical() == (canonical, Symmetry.IDENTITY)


@pytest.mark.night
@pytest.mark.both_lanes
def test_no_two_positions_of_many_have_one_key() -> None:
    positions: dict[int, Board] = {}
    played = 0
    for game in PLAYED:
        for seed in range(amount(1, 10)):
            for board in playout(game, choices(seed, amount(12, 60))):
                assert positions.setdefault(board.key, board) == board
                played += 1

    assert len(positions) > played // 2

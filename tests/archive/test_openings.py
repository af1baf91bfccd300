"""Openings: the first moves of many games, with counts and results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from support.archives import write_archive

from sgf_lark import BoardSize, Color
from sgf_lark.archive import Archive, openings, read
from sgf_lark.archive.queries.openings import parse_moves
from sgf_lark.core.schema.games import GO

pytestmark = pytest.mark.usefixtures("one_database")

SIZES = {1: 19, 2: 8, 4: 15, 11: 11}


def game(moves: str, winner: str | None = None, **values: Any) -> dict[str, Any]:
    """A game of these moves: of Go, or of the kind ``gm``."""
    gm = values.pop("gm", 1)
    side = values.pop("size", SIZES[gm])
    line = list(parse_moves(moves, gm, BoardSize(side, side)))
    row = {"gm": gm, "columns": side, "rows": side, "line": line, "moves": len(line)}
    return row | {"winner": winner, "setup_black": 0, "setup_white": 0} | values


def archive_of(folder: Path, games: Sequence[dict[str, Any]], white: Sequence[int] = ()) -> Archive:
    """An archive of games; White begins those with these numbers."""
    rows = [
        {"game_id": number, "first_color": "W" if number in white else "B"} | row
        for number, row in enumerate(games)
    ]
    return read(write_archive(folder / "archive", games=rows))


def counts(found: Any) -> dict[str, int]:
    """The number of games of each position."""
    table = found.table
    return dict(zip(table["moves"].to_pylist(), table["games"].to_pylist(), strict=True))


def test_openings_in_all_corners_are_one_and_shown_in_the_upper_right(tmp_path: Path) -> None:
    games = [game("q16 d4"), game("d4 q16"), game("q4 d16 q16"), game("c4 q4"), game("r16 d4")]

    found = openings(archive_of(tmp_path, games), 2)

    assert counts(found) == {"": 5, "Q16": 3, "Q16 D4": 3, "R16": 2, "R16 D16": 1, "R16 D4": 1}
    assert (found.game, found.size, found.first, found.left_out) == (GO, (19, 19), Color.BLACK, 0)
    assert repr(found) == "<Openings of Go 19x19: 5 games>"
    turned = openings(archive_of(tmp_path / "turned", games), 2, symmetric=False)
    assert counts(turned)["D4"] == 1


def test_the_moves_of_a_symmetric_position_are_one(tmp_path: Path) -> None:
    games = [game("q16 d4 q4"), game("q16 d4 d16"), game("d4 q16 q4")]

    assert counts(openings(archive_of(tmp_path, games), 3))["Q16 D4 Q4"] == 3


def test_results_shares_years_and_strengths_are_those_of_the_games(tmp_path: Path) -> None:
    strong = {"black_strength": 4.0, "white_strength": 5.0, "date_first": date(2001, 2, 3)}
    games = [
        game("q16 d4", "B", **strong),
        game("q16 q4", "W", date_first=date(1846, 9, 11)),
        game("q16", "draw", black_strength=3.0, white_strength=3.0),
        game("q16"),
        game("k10", "B"),
    ]

    start, first, *_ = openings(archive_of(tmp_path, games), 2).table.to_pylist()

    assert first == {
        "moves": "Q16",
        "depth": 1,
        "move": "Q16",
        "color": "B",
        "point": 3 * 19 + 15,
        "games": 4,
        "share": 0.8,
        "black_wins": 1,
        "white_wins": 1,
        "draws": 1,
        "unknown": 1,
        "black_score": 0.5,
        "year_first": 1846,
        "year_last": 2001,
        "strength": 3.75,
    }
    assert (start["games"], start["black_wins"], start["move"], start["point"]) == (
        5,
        2,
        None,
        None,
    )


def test_the_tree_goes_on_after_given_moves_in_their_direction(tmp_path: Path) -> None:
    games = [game("q16 d4 c6"), game("d4 q16 r14"), game("q4 d16 c14"), game("q16 q4 d4")]
    archive = archive_of(tmp_path, games)

    found = openings(archive, 1, "d16 q4")

    # Three moves of one kind: each is the same as its mirror image.
    assert counts(found) == {"D16 Q4": 3, "D16 Q4 R6": 3}
    assert counts(openings(archive, 1, "k10")) == {"K10": 0}


def test_moves_are_written_as_players_or_as_records_do() -> None:
    moves = parse_moves("d16 q4", 1, BoardSize(19, 19))

    for same in ("D16Q4", "dd, pp", "ddpp"):
        assert parse_moves(same, 1, BoardSize(19, 19)) == moves


def test_transpositions_reach_the_same_position(tmp_path: Path) -> None:
    games = [game("q16 d4 q4 c10"), game("q4 d4 q16 c10"), game("q16 q4 d4 c10")]
    archive = archive_of(tmp_path, games)

    assert counts(openings(archive, 1, "q16 d4 q4"))["Q16 D4 Q4"] == 1
    assert counts(openings(archive, 1, "q16 d4 q4", transpositions=True)) == {
        "Q16 D4 Q4": 2,
        "Q16 D4 Q4 C10": 2,
    }


def test_rare_moves_are_left_out_and_short_games_end(tmp_path: Path) -> None:
    games = [game("q16 d4 c3"), game("q16 d4"), game("q16 pass"), game("q16")]

    found = openings(archive_of(tmp_path, games), 3, min_games=2)

    assert counts(found) == {"": 4, "Q16": 4, "Q16 D4": 2}
    assert counts(openings(archive_of(tmp_path / "2", games), 3))["Q16 pass"] == 1


def test_a_tree_ends_before_a_move_that_is_no_point(tmp_path: Path) -> None:
    games = [game("q16 d4") | {"line": [72, -2, 288], "moves": 3}, game("q16")]

    assert counts(openings(archive_of(tmp_path, games), 3)) == {"": 2, "Q16": 2}


def test_othello_begins_with_four_discs_that_a_quarter_turn_would_exchange(tmp_path: Path) -> None:
    games = [
        game("f5d6c3", gm=2),
        game("d3 c5", gm=2, setup_black=2, setup_white=2),
        game("f5", gm=2, setup_black=5),
        game("q16"),
    ]

    found = openings(archive_of(tmp_path, games), 2)

    assert found.game.name == "Othello"
    assert counts(found) == {"": 2, "f5": 2, "f5 d6": 2}
    assert found.left_out == 1
    assert found.board("f5")["e5"] is Color.BLACK


def test_kind_and_size_are_the_most_frequent_ones_or_those_asked_for(tmp_path: Path) -> None:
    games = [game("d4"), game("e5", size=9), game("f6", size=9), game("h8", gm=4)]
    archive = archive_of(tmp_path, games)

    assert openings(archive).size == (9, 9)
    assert openings(archive, size=19).size == (19, 19)
    assert openings(archive, game="Gomoku").game.name.startswith("Gomoku")
    with pytest.raises(
        ValueError,
        match=r"no games of Hex on 11x11 whose moves are points; it has Go 9x9 \(2\), Go 19x19",
    ):
        openings(archive, game="Hex", size=11)


def test_games_whose_moves_are_no_points_are_not_counted(tmp_path: Path) -> None:
    chess = {"gm": 3, "columns": 8, "rows": 8, "line": None, "moves": 40}
    archive = archive_of(tmp_path, [chess, chess, game("d4")])

    assert openings(archive).game == GO
    with pytest.raises(ValueError, match="no games of chess whose moves are points; it has Go"):
        openings(archive, game="Chess")
    with pytest.raises(ValueError, match=r"no games whose moves are points$"):
        openings(archive_of(tmp_path / "b", [chess]))


def test_games_with_handicap_or_begun_by_the_other_side_are_left_out(tmp_path: Path) -> None:
    handicap: Any = {"setup_black": 2, "handicap": 2}
    games = [game("q16"), game("d4"), game("q16"), game("q4", **handicap), game("d4", **handicap)]
    archive = archive_of(tmp_path, games, white=[2, 3, 4])

    even = openings(archive, 1)
    assert (counts(even), even.first, even.left_out) == ({"": 2, "Q16": 2}, Color.BLACK, 3)
    given = openings(archive, 1, handicap=2)
    assert (counts(given), given.first) == ({"": 2, "Q4": 1, "D4": 1}, Color.WHITE)


def test_the_tree_is_drawn(tmp_path: Path) -> None:
    games = [game("q16 d4", "B"), game("q16 d4", "W"), game("q16 q4", "B"), game("k10")]
    found = openings(archive_of(tmp_path, games), 2)

    assert found.text() == (
        "Go 19x19  4  100.0%  Black  67%\n"
        "├─ Q16    3   75.0%  Black  67%\n"
        "│  ├─ D4  2   66.7%  Black  50%\n"
        "│  └─ Q4  1   33.3%  Black 100%\n"
        "└─ K10    1   25.0%\n"
    )
    assert "|  `- Q4  1" in found.text(ascii_only=True)
    assert found.board("Q16 D4")["D4"] is Color.WHITE


def test_wrong_arguments_raise(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, [game("q16")])
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"moves": 0}, "at least one move"),
        ({"moves": 201}, "at most 200"),
        ({"at": "z99"}, "no point 'z99' on a board of 19 by 19"),
        ({"at": "what"}, "no point 'wh'"),
        ({"game": "Whist"}, "no game 'Whist'"),
    ]
    for arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            openings(archive, **arguments)

"""Moves and points of a draft as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.said import unsaid
from support.timing import LIMIT, growth

from sgf_lark import PASS, Color, Draft, GameTree, IllegalMoveError, Point, dumps, loads

if TYPE_CHECKING:
    from collections.abc import Callable


def text(game: GameTree) -> str:
    """A game on one line, as it is."""
    return dumps(game, style="compact")


def nodes_of(draft: Draft[GameTree]) -> str:
    """The nodes after the first one."""
    return text(draft.done()).partition(";")[2].partition(";")[2].removesuffix(")")


# ---- moves ----


def test_moves_are_played_as_people_write_them_by_the_side_to_play() -> None:
    draft = GameTree.new("Go", 9).edit()

    numbers = [draft.play(move) for move in ("E5", "c3", "pass", "aa", (8, 8), Point(0, 8), PASS)]

    assert numbers == [1, 2, 3, 4, 5, 6, 7]
    assert nodes_of(draft) == "B[ee];W[cg];B[];W[aa];B[ii];W[ai];B[]"


@pytest.mark.parametrize(
    ("game", "moves", "expected"),
    [
        ("Othello", ["d3", "c3"], "B[d3];W[c3]"),
        ("Gomoku+Renju", ["h8", "i9"], "B[hh];W[ig]"),
        ("Hex", ["c1", "swap-pieces", "d2"], "B[c1];W[swap-pieces];B[d2]"),
        ("Twixt", ["D4", "e6"], "W[d4];B[e6]"),
        ("Lines of Action", ["b1-b3"], "B[b1-b3]"),
        ("Amazons", ["d1-d7-g7", "adaece"], "B[djddgd];W[adaece]"),
    ],
)
def test_each_game_has_its_own_notation(game: str, moves: list[str], expected: str) -> None:
    draft = GameTree.new(game).edit()

    for move in moves:
        draft.play(move)

    assert nodes_of(draft) == expected


def test_moves_of_ggf_are_played_in_its_notation() -> None:
    draft = loads(
        "(;GM[Othello]PC[x]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- "
        "-------- *];)",
        strict=False,
    )[0].edit()

    draft.play("d3")
    draft.play("c3")

    assert text(draft.done()).endswith(" *]B[d3]W[c3];)")


def test_the_color_and_the_node_before_may_be_given() -> None:
    draft = GameTree.new("Go", 9).edit()
    first = draft.play("E5", color="W")
    draft.play("D5")
    other = draft.play("F5", color=Color.WHITE, after=first)
    draft.play("G5", after=other)
    draft.play("A1")  # at the end of the main line again

    assert nodes_of(draft) == "W[ee](;B[de];W[ai])(;W[fe];B[ge])"


def test_moves_go_on_where_a_record_ends() -> None:
    game = loads("(;FF[4]GM[1]SZ[9]HA[2]AB[gc][cg])")[0]
    draft = game.edit()
    draft.play("E5")
    draft.play("E6")

    assert nodes_of(draft) == "W[ee];B[ed]"


def test_an_illegal_move_is_rejected_with_its_verdict_and_nothing_is_added() -> None:
    draft = GameTree.new("Go", 9).edit()
    draft.play("E5")
    before = text(draft.done())

    with pytest.raises(IllegalMoveError, match="White E5 is played on a black stone") as caught:
        draft.play("E5")

    assert caught.value.verdict.code == "G601"
    assert text(draft.done()) == before
    assert nodes_of(draft) == "B[ee]"


def test_an_illegal_move_by_force_has_ko() -> None:
    draft = GameTree.new("Go", 9).edit()
    draft.play("E5")
    draft.play("E5", force=True)
    draft.play("E6", force=True)

    assert nodes_of(draft) == "B[ee];W[ee]KO[];B[ed]"
    assert draft.done().board(3).stones(Color.WHITE) == (Point(4, 4),)


@pytest.mark.parametrize("force", [True, False])
def test_a_point_off_the_board_is_never_played(*, force: bool) -> None:
    draft = GameTree.new("Go", 9).edit()

    for move in ("ss", (9, 0)):
        with pytest.raises(ValueError, match="board"):
            draft.play(move, force=force)
    assert len(draft.done()) == 1


def test_what_is_no_move_is_rejected() -> None:
    draft = GameTree.new("Go", 9).edit()

    with pytest.raises(ValueError, match="no point 'hello'"):
        draft.play("hello")
    with pytest.raises(ValueError, match="no board of Shogi: its points are not defined"):
        GameTree.new("Shogi").edit().play("77")


@pytest.mark.parametrize(
    "change",
    [
        lambda draft: draft.set(1, "B", "aa"),
        lambda draft: draft.set_raw(1, "B", "aa"),
        lambda draft: draft.set(0, "AW", ["ee"]),
        lambda draft: draft.unset(1, "B"),
        lambda draft: draft.remove(1, keep_below=True),
        lambda draft: draft.insert(0, {"W": "ii"}),
        lambda draft: draft.make_main_line(draft.add(1, {"W": "hh"})),
        lambda draft: draft.set(2, "C", "nothing on the board"),
    ],
)
def test_changes_of_earlier_nodes_count(change: Callable[[Draft[GameTree]], object]) -> None:
    draft = GameTree.new("Go", 9).edit()
    draft.play("E5")
    draft.play("C3")
    change(draft)
    draft.play("G7", color="B")
    game = draft.done()

    *_, end = game.main_line()
    assert end.move is not None
    assert end.move.point == Point(6, 2)
    fresh = loads(text(game), strict=False)[0]
    assert [node.board for node in game.walk()] == [node.board for node in fresh.walk()]


@pytest.mark.night
def test_playing_takes_time_for_the_moves() -> None:
    def work(size: int) -> Callable[[], object]:
        draft = GameTree.new("Hex", 101).edit()

        def play() -> None:
            for number in range(size):
                draft.set(draft.play((number % 101, number // 101)), "C", "x")

        return play

    assert growth(work, 2_000) < LIMIT


# ---- points ----


@pytest.mark.parametrize(
    ("game", "ident", "value", "raw"),
    [
        ("Go", "B", "Q16", ["pd"]),
        ("Go", "B", (3, 4), ["de"]),
        ("Go", "B", "pd", ["pd"]),
        ("Go", "B", "tt", ["tt"]),
        ("Go", "W", "pass", [""]),
        ("Go", "AB", ["Q16", (3, 3), "aa"], ["pd", "dd", "aa"]),
        ("Go", "AB", (3, 3), ["dd"]),
        ("Go", "AB", "Q16", ["pd"]),
        ("Go", "TB", "A1:C3", ["aq:cs"]),
        ("Go", "TB", "A1:A1", ["as"]),
        ("Go", "DD", [], [""]),
        ("Go", "LB", [("Q16", "A"), ((3, 3), "Q4"), ("aa", "C")], ["pd:A", "dd:Q4", "aa:C"]),
        ("Go", "AR", [("A1", (3, 3)), "T19:A19"], ["as:dd", "sa:aa"]),
        ("Othello", "AB", ["d3", (0, 0)], ["d3", "a1"]),
        ("Othello", "B", (3, 2), ["d3"]),
        ("Gomoku+Renju", "B", "h8", ["hh"]),
        ("Amazons", "AA", ["d1"], ["dj"]),
        ("Amazons", "B", "d1-d7-g7", ["djddgd"]),
        ("Hex", "TR", [(2, 0)], ["c1"]),
        ("Backgammon", "AB", ["24", "bar", "bar", "off"], ["x", "y", "y", "z"]),
        ("Octi", "MA", [(0, 0)], ["11"]),
    ],
)
def test_points_are_set_by_their_names(game: str, ident: str, value: Any, raw: list[str]) -> None:
    draft = GameTree.new(game).edit()
    node = draft.add(draft.root, {ident: value})

    assert draft.done().nodes[node].raw[ident] == tuple(raw)


@pytest.mark.parametrize(
    ("ident", "value", "shown", "expected"),
    [
        ("B", "Z99", "'Z99'", "a point such as 'pd'"),
        ("B", (19, 0), "(19, 0)", "a point such as 'pd'"),
        ("AB", ["Q16", "I1"], "'Q16'", "a point such as 'pd'"),
        ("AB", 3, "'3'", "a point such as 'pd'"),
        ("KM", "Q16", "'Q16'", "a komi"),
    ],
)
def test_an_error_is_that_of_the_format(ident: str, value: Any, shown: str, expected: str) -> None:
    draft = GameTree.new("Go", 19).edit()

    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is looked at
        draft.set(draft.root, ident, value)

    assert unsaid(caught.value, ident, shown, expected) == []
    assert draft.done() == GameTree.new("Go", 19)

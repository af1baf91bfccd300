"""Rules of Go: a board that plays, and what it says about records."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import pytest
from sgfmill import boards
from support.corpus import record

import sgf_lark
from sgf_lark import CheckOptions
from sgf_lark.boards.games.go import GoBoard
from sgf_lark.boards.grid import BLACK, BORDER, EMPTY, WHITE
from sgf_lark.schema.values import Point

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = {None: EMPTY, "b": BLACK, "w": WHITE}


def found(text: str, *asked: str) -> list[tuple[str, str]]:
    """Code and node of each finding of group G, and of others that are asked for."""
    options = CheckOptions(select=("G", *asked))
    return [
        (one.code, one.node_path or "")
        for one in sgf_lark.check(io.StringIO(text), options=options)
    ]


# ---- the board ----


def random_moves(seed: int, side: int, count: int) -> Iterator[tuple[str, int, int]]:
    chance = random.Random(seed)  # noqa: S311  # a test
    for number in range(count):
        yield "bw"[number % 2], chance.randrange(side), chance.randrange(side)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("side", [2, 5, 9])
def test_it_captures_as_another_implementation_does(seed: int, side: int) -> None:
    mine, other = GoBoard(side, side), boards.Board(side)
    for color, row, column in random_moves(seed, side, 300):
        if other.get(row, column) is not None:
            continue
        other.play(row, column, color)
        mine.play(mine.cell(Point(column, row)), LETTERS[color])
        cells = [mine.held(mine.cell(Point(x, y))) for y in range(side) for x in range(side)]
        assert cells == [LETTERS[other.get(y, x)] for y in range(side) for x in range(side)]


def test_it_goes_back_to_any_earlier_position() -> None:
    board = GoBoard(7, 5)
    past = []
    for color, row, column in random_moves(1, 5, 200):
        past.append((board.mark, board.position))
        board.play(board.cell(Point(column, row)), LETTERS[color])
        if row == 0:
            board.put_rectangle(Point(1, 1), Point(column + 1, 3), WHITE)
    for mark, position in reversed(past):
        board.rewind(mark)
        assert board.position == position


class Walked:
    """The same board in the simplest way: each chain is walked through, stone by stone."""

    def __init__(self, columns: int, rows: int) -> None:
        self.points = [Point(x, y) for x in range(columns) for y in range(rows)]
        self.held = dict.fromkeys(self.points, EMPTY)

    def chain(self, start: Point) -> tuple[set[Point], bool]:
        """The stones of a chain, and whether it has a liberty."""
        chain, waiting, free = {start}, [start], False
        while waiting:
            column, row = waiting.pop()
            for near in (
                (column - 1, row),
                (column + 1, row),
                (column, row - 1),
                (column, row + 1),
            ):
                held = self.held.get(Point(*near), BORDER)
                free = free or held == EMPTY
                if held == self.held[start] and Point(*near) not in chain:
                    chain.add(Point(*near))
                    waiting.append(Point(*near))
        return chain, free

    def play(self, point: Point, color: int) -> set[Point]:
        self.held[point] = color
        taken: set[Point] = set()
        column, row = point
        for near in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
            if self.held.get(Point(*near)) == 3 - color:
                chain, free = self.chain(Point(*near))
                taken |= set() if free else chain
        if not taken:
            chain, free = self.chain(point)
            taken = set() if free else chain
        self.held |= dict.fromkeys(taken, EMPTY)
        return taken


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (5, 5), (9, 4)])
def test_moves_setup_and_ways_back_leave_the_stones_that_walking_leaves(
    seed: int, size: tuple[int, int]
) -> None:
    chance = random.Random(seed)  # noqa: S311  # a test
    board, walked = GoBoard(*size), Walked(*size)
    past: list[tuple[int, dict[Point, int]]] = []
    for _ in range(400):
        point, color = chance.choice(walked.points), chance.choice((BLACK, WHITE))
        match chance.randrange(12):
            case 0:
                held = chance.choice((EMPTY, BLACK, WHITE))
                assert board.put(board.cell(point), held) == (walked.held[point] != held)
                walked.held[point] = held
            case 1 if chance.randrange(4) == 0:
                held, other = chance.choice((EMPTY, BLACK, WHITE)), chance.choice(walked.points)
                low, high = (Point(*map(pick, point, other)) for pick in (min, max))
                inside = [
                    one
                    for one in walked.points
                    if low.column <= one.column <= high.column and low.row <= one.row <= high.row
                ]
                changes = any(walked.held[one] != held for one in inside)
                assert board.put_rectangle(low, high, held) == changes
                walked.held |= dict.fromkeys(inside, held)
            case 2 if past:
                del past[chance.randrange(len(past)) + 1 :]
                mark, before = past[-1]
                board.rewind(mark)
                walked.held = dict(before)
            case 3 | 4:
                past.append((board.mark, dict(walked.held)))
            case _:
                taken = board.play(board.cell(point), color)
                cells = walked.play(point, color)
                assert taken == sum(1 << board.cell(one) for one in cells)
        assert all(board.held(board.cell(one)) == held for one, held in walked.held.items())


def test_a_border_is_around_it() -> None:
    board = GoBoard(3, 2)
    for point in (Point(0, 0), Point(2, 0), Point(0, 1), Point(2, 1)):
        cell = board.cell(point)
        beyond = [cell - 1 if point.column == 0 else cell + 1]
        beyond.append(cell - board.step if point.row == 0 else cell + board.step)
        assert all(board.held(one) == BORDER for one in beyond)
    assert board.count(EMPTY) == 6


# ---- what it says about records ----

GAME = "FF[4]GM[1]SZ[9]"
KO = f"(;{GAME}AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb]"


def test_a_variation_begins_with_the_board_of_its_parent() -> None:
    assert found(f"(;{GAME};B[aa](;W[bb];B[cc])(;W[bb];B[cc](;W[dd])(;W[dd];B[aa])))") == [
        ("G601", "1.1/1.1/1")
    ]


def test_a_stone_may_be_played_where_one_was_captured() -> None:
    assert found(f"(;{GAME}AW[aa]AB[ab];B[ba];W[aa]KO[];B[ii])") == []
    assert found(f"(;{GAME}AW[aa]AB[ab];B[ba];W[ii];B[aa])") == []


def test_a_ko_is_open_again_after_another_move() -> None:
    assert found(f"{KO};W[bb])") == [("G605", "2")]
    assert found(f"{KO};C[a comment];W[bb])") == [("G605", "3")]
    assert found(f"{KO};W[gg];B[hh];W[bb])") == []
    assert found(f"{KO};W[];B[];W[bb])") == []


def test_two_stones_may_be_taken_back() -> None:
    assert found(f"(;{GAME}AW[ab][bb][ca]AB[ba][cb][bc][ac];W[aa];B[ba])") == []


def test_what_nobody_can_read_makes_the_board_silent_behind_it() -> None:
    assert [code for code, _ in found(f"(;{GAME};B[aa];W[??];B[aa])", "V301")] == ["V301"]
    assert found(f"(;{GAME};B[zz];W[aa];B[aa])") == [("G603", "1")]


def test_rules_that_allow_suicide_are_heard() -> None:
    position = f"{GAME}AW[ab][ba]"

    assert found(f"(;{position}RU[Japanese];B[aa])") == [("G604", "1")]
    assert found(f"(;{position}RU[NZ];B[aa])") == []


def test_a_rectangle_changes_nothing_only_if_none_of_its_points_does() -> None:
    assert found(f"(;{GAME}AB[aa:cc];AB[aa:bb])") == [("G602", "1")]
    assert found(f"(;{GAME}AB[aa:cc];AB[aa:dd])") == []
    assert found(f"(;{GAME}AB[aa:cc];AE[bb];AE[bb:dd];AE[bb:dd])") == [("G602", "3")]


def test_a_board_of_52_and_a_rectangular_one_are_played_on() -> None:
    assert found("(;FF[4]GM[1]SZ[52];B[ZZ];W[ZZ])") == [("G601", "2")]
    assert found("(;FF[4]GM[1]SZ[3:5];B[ce];W[ec])") == [("G603", "2")]


@pytest.mark.parametrize("engine", ["generated", "lark"])
def test_both_engines_give_the_same(engine: str) -> None:
    text = f"{KO};W[bb](;B[cb]LB[zz:a])(;B[aa]C[\\]])TR[aa:zz])"
    codes = [
        (one.code, one.line, one.column)
        for one in sgf_lark.check(io.StringIO(text), engine=engine)
        if one.code.startswith("G")
    ]

    assert codes[:2] == [("G605", 1, codes[0][2]), ("G605", 1, codes[1][2])]
    assert codes == [
        (one.code, one.line, one.column)
        for one in sgf_lark.check(io.StringIO(text))
        if one.code.startswith("G")
    ]


def test_an_early_format_mixes_setup_and_move() -> None:
    assert found("(;FF[3]GM[1]SZ[9]B[aa]AW[aa])") == [("G601", "0")]


@pytest.mark.parametrize(
    ("which", "codes"),
    [
        ("broken/littlego__illegal-move.sgf", {"G601"}),
        ("broken/littlego__suicide.sgf", {"G604"}),
        ("broken/littlego__positional-superko.sgf", {"G606"}),
        ("broken/littlego__not-enough-handicap-stones.sgf", {"G607"}),
        ("broken/gogui__invalidmove.sgf", {"G603"}),
        ("ff4-go/gogui__ff4_ex.sgf", {"G604"}),
        ("large/littlego__maximum-number-of-moves.sgf", set()),
    ],
)
def test_records_made_to_be_wrong_are_found(which: str, codes: set[str]) -> None:
    options = CheckOptions(select=("G", "repeated-position", "handicap-stones"))
    given = {one.code for one in sgf_lark.check(record(which), options=options)}

    assert given == codes


@pytest.mark.parametrize(
    ("moves", "last", "when"),
    [
        # A ko that is taken back after two passes.
        (";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[];W[];B[cb]", "B[cb]", 7),
        (";B[aa];W[ba];B[ca];AE[aa][ba][ca];B[aa]", "B[aa]", 1),
    ],
)
def test_a_repetition_names_the_move_after_which_the_position_was(
    moves: str, last: str, when: int
) -> None:
    (one,) = sgf_lark.check(
        io.StringIO(f"(;FF[4]GM[1]SZ[9]{moves})"), options=CheckOptions(select=("G606",))
    )

    assert one.message == f"{last} repeats the position after move {when}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(;FF[3]GM[1]SZ[9];PlaYerLong[W];C[to play])", []),
        ("(;FF[3]GM[1]SZ[9];PLayer [W];C[to play];Black[aa])", ["PLayer [W]"]),
        ("(;FF[4]GM[1]SZ[9];C[PL[W\\];a PL [W\\]];B[aa])", []),
        ("(;FF[4]GM[1]SZ[9];PL[B];PL[W];C[x](;B[aa])(;B[bb]))", ["PL[W]"]),
    ],
    ids=["none that moves", "long name", "in a comment", "first variation"],
)
def test_the_side_to_play_is_followed_from_each_pl(text: str, shown: list[str]) -> None:
    report = sgf_lark.check(io.StringIO(text))

    assert [
        text[one.offset : one.end_offset] for one in report if one.name == "player-mismatch"
    ] == shown


def test_moves_are_played_whatever_is_beside_them_in_their_nodes() -> None:
    first = "(;FF[4]GM[1]SZ[9];C[;B[bb\\]]B [aa]N[x]"
    variations = "(;W[aa];KO[]B[aa])(;B[bb];W[aa]AB[bb])(;TE[1]W[aa])"
    report = sgf_lark.check(io.StringIO(f"{first}{variations})"))

    assert [one.node_path for one in report if one.name == "occupied-point"] == [
        "2",
        "1.1/1",
        "1.2",
    ]

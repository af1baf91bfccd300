"""Games other than Go: what their rules say about records."""

from __future__ import annotations

import io
import random
import time
from typing import TYPE_CHECKING

import pytest
from support.corpus import record
from support.lanes import one_in
from support.timing import LIMIT, growth

import sgf_lark
from sgf_lark import CheckOptions, Color
from sgf_lark.core.schema.values import PASS, BackgammonMove, BoardSize, Point
from sgf_lark.games.othello import OthelloState
from sgf_lark.games.registry import check_game_rules
from sgf_lark.games.rolls import SideView, can_play, fits_dice, legal_plays
from sgf_lark.positions.grid import BLACK, EMPTY, WHITE

if TYPE_CHECKING:
    from collections.abc import Callable


def found(text: str, *asked: str) -> list[tuple[str, str]]:
    """Name and node of each finding of group G."""
    report = sgf_lark.check(io.StringIO(text), options=CheckOptions(select=("G", *asked)))
    return [(one.name, one.node_path or "") for one in report]


# ---- Othello ----

START = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"


def playout(seed: int, side: int) -> tuple[str, int]:
    """A game of Othello by chance, passes included, and its score."""
    chance, board = random.Random(seed), OthelloState(BoardSize(side, side))  # noqa: S311  # a test
    board.put_start()
    color, text = Color.BLACK, ""
    while moves := [*board.moves(color)]:
        move = chance.choice(moves)
        board.play(move, color)
        text += f"{color}[{'PA' if move == PASS else board.name_move(move)}]"
        color = color.opponent
    score = board.count(BLACK) - board.count(WHITE)
    empty = board.count(EMPTY)
    return text, score + (empty if score > 0 else -empty if score < 0 else 0)


@pytest.mark.parametrize("seed", range(12))
def test_a_game_by_the_rules_is_clean_and_its_score_is_counted(seed: int) -> None:
    moves, score = playout(seed, 8)

    assert found(f"(;GM[Othello]RE[{score:+}]{START}{moves};)") == []
    assert found(f"(;GM[Othello]RE[{score + 2:+}]{START}{moves};)") == [("score-mismatch", "0")]
    assert found(f"(;GM[Othello]RE[{score + 2:+}:r]{START}{moves};)") == []
    assert found(f"(;GM[Othello]RE[{score - 0.5:+}]KM[0.5]{START}{moves};)") == []


@pytest.mark.parametrize("seed", range(12))
def test_a_pass_too_many_or_too_few_is_found(seed: int) -> None:
    moves, _ = playout(seed, 6)
    board = "BO[6 ------ ------ --O*-- --*O-- ------ ------ *]"
    if "[PA]" in moves:
        without = moves.replace("B[PA]", "").replace("W[PA]", "")
        names = {name for name, _ in found(f"(;GM[Othello]{board}{without};)")}
        assert names == {"missing-pass"}
    assert found(f"(;GM[Othello]{board}B[PA]{moves[5:]};)")[0] == ("needless-pass", "1")


def test_behind_an_illegal_move_nothing_is_judged() -> None:
    text = f"(;GM[Othello]{START}B[a1]W[a2]B[a3];)"

    assert found(text) == [("illegal-move", "1")]


def test_variations_of_othello_begin_with_the_board_of_their_parent() -> None:
    root = "FF[4]GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]"

    assert found(f"(;{root};B[f5](;W[d6];B[c3])(;W[f6];B[e6])(;W[f4];B[a1]))") == [
        ("illegal-move", "1.2/1")
    ]


def test_the_octagon_lacks_three_squares_in_each_corner() -> None:
    rows = "------ -------- ---------- ---------- ----O*---- ----*O----"
    board = f"BO[88 {rows} ---------- ---------- -------- ------ *]"

    assert found(f"(;GM[Othello]TY[88]{board}B[e4];)") == []
    assert found(f"(;GM[Othello]TY[88]{board}B[a1];)") == [("illegal-move", "1")]


# ---- GGF ----


def test_colors_alternate_in_other_games_of_ggf() -> None:
    game = "(;GM[Amazons]TY[10]B[D1-D2-D3]B[A4-A5-A6];)"

    assert ("out-of-turn", "2") in found(game)


def test_the_real_records_of_ggf_contradict_nothing() -> None:
    for which in ("ggf/nboard__test2.ggf", "ggf/ntest__TestGames.ggf"):
        report = sgf_lark.check(record(which), options=CheckOptions(select=("G",)))
        assert [str(one) for one in report] == []


# ---- backgammon ----


def move(dice: str, *pairs: str) -> BackgammonMove:
    ways = tuple((Point(ord(one[0]) - 97, 0), Point(ord(one[1]) - 97, 0)) for one in pairs)
    return BackgammonMove(dice=(int(dice[0]), int(dice[1])), pairs=ways)


@pytest.mark.parametrize(
    ("color", "dice", "pairs", "fits"),
    [
        ("W", "31", ("he", "fe"), True),
        ("W", "31", ("hd",), True),
        ("W", "31", ("he", "he"), False),
        ("W", "31", ("eh", "fe"), False),
        ("B", "31", ("qt", "st"), True),
        ("B", "62", ("yb", "ag"), True),
        ("B", "62", ("yz",), False),
        ("W", "62", ("ys", "mk"), True),
        ("W", "65", ("az", "bz"), True),
        ("W", "65", ("fz", "ez"), True),
        ("W", "54", ("fz",), True),
        ("W", "21", ("fz",), False),
        ("W", "11", ("hg", "hg", "fe", "fe"), True),
        ("W", "11", ("hd",), True),
        ("W", "11", ("hc",), False),
        ("B", "22", ("ln", "ln", "su", "su"), True),
        ("B", "66", ("wz", "xz", "xz", "sz"), True),
        ("W", "66", (), True),
    ],
)
def test_the_dice_say_how_far_checkers_go(
    color: str,
    dice: str,
    pairs: tuple[str, ...],
    fits: bool,  # noqa: FBT001  # a row of the table
) -> None:
    assert fits_dice(move(dice, *pairs), Color(color)) is fits


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (";W[31hefe];B[31qtst]", []),
        (";W[31hefe];B[31best]", ["illegal-move"]),
        (";W[61hgfz]", ["illegal-move"]),
        (";W[65xrrm];B[62ssas]", ["dice-moves"]),
        (";W[64xrrn];B[66asgm]", ["illegal-move"]),
        (";B[double];W[take];B[31qtst];W[double];B[take];W[31hefe]", []),
        (";B[double];W[take];B[double]", ["cube-order"]),
        (";B[double];W[double];B[take];B[31qtst]", []),
        (";B[double];B[31qtst]", ["cube-order"]),
        (";B[take]", ["cube-order"]),
        (";B[double];W[drop];B[31qtst]", ["cube-order"]),
        (";AE[a:z]AB[x]AW[a];B[21xz];W[21az]", []),
        (";AE[a:z]AB[x][a]AW[a];B[21xz]", ["illegal-move"]),
        (";AE[a:z]AB[y][x]AW[f];B[21st]", ["illegal-move"]),
        (";AE[a:z]AW[f][a]AB[e][e][d][d];W[21fd]", ["illegal-move"]),
        (";AE[a:z]AW[b][f]AB[y];W[52bzfd]", ["illegal-move"]),
        (";AE[a:z]AW[l]AB[c][c];W[54lh]", ["unplayed-dice"]),
        (";B[double];B[31qtst];W[31hefe];B[62tz]", ["cube-order", "illegal-move"]),
    ],
)
def test_backgammon_is_played_by_its_rules(moves: str, expected: list[str]) -> None:
    assert [name for name, _ in found(f"(;FF[4]GM[6]{moves})")] == expected


# ---- the other games ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GM[11]SZ[5];B[a1];W[b2];B[b2]", ["occupied-point"]),
        ("GM[11]SZ[5];B[c1];W[swap-pieces];B[a3]", ["occupied-point"]),
        ("GM[11]SZ[5];B[c1];W[swap-pieces];B[c1]", []),
        ("GM[11]SZ[3:4];B[d1]", ["point-off-board"]),
        ("GM[11]SZ[30];B[ad30];W[ae1]", ["point-off-board"]),
        ("GM[4]SZ[15];B[hh];W[hh]", ["occupied-point"]),
        ("GM[21]SZ[24];W[e5];B[e5]", ["occupied-point"]),
        ("GM[21]SZ[24];W[x5]", ["forbidden-hole"]),
        ("GM[9];B[b1-b3];W[a2-c2]", []),
        ("GM[9];B[b1-b3];W[a2-b2]", ["illegal-move"]),
        ("GM[9];B[a2-c2]", ["illegal-move"]),
        ("GM[9]SU[Custom]AB[a1];B[a1-a2]", []),
        ("GM[9]SU[Gemma];B[a1-a2]", []),
        ("GM[18]SZ[10];B[djddgd];W[dadbdc]", []),
        ("GM[18]SZ[10];B[djdadb]", ["illegal-move"]),
        ("GM[18]SZ[10];B[djddgd];W[gagegf]", ["illegal-move"]),
        ("GM[18]SZ[4]AB[aa]AW[dd];B[aaadda]", []),
        ("GM[20];B[cc:cf];W[cc:de]", ["illegal-move"]),
        ("GM[20];B[ac:cc]", ["edge-center"]),
        ("GM[19];B[33-34];W[84-86-68x]", []),
        ("GM[19];B[33-37]", ["illegal-move"]),
        ("GM[19];B[33+A-A]", ["illegal-move"]),
        ("GM[19];B[33-34x]", ["illegal-move"]),
        ("GM[19];B[33-35-55x]", []),
        ("GM[21]SZ[24];W[b2];B[k9];W[d3];B[m9];W[C2*]", []),
        ("GM[21]SZ[24];W[b3];B[k9];W[d2];B[m9];W[C2*]", []),
        ("GM[21]SZ[24];W[b2];B[d3];W[C2*]", ["illegal-move"]),
        ("GM[21]SZ[24];W[a2*];B[b24*];W[x1*]", ["illegal-move"] * 3),
        ("GM[2]SZ[8]AB[a9]", ["point-off-board"]),
        ("GM[2]SZ[10];B[e4];W[f4]", []),
        ("GM[2]SZ[10];B[k1]", ["point-off-board"]),
    ],
)
def test_the_rules_of_a_game_are_heard(text: str, expected: list[str]) -> None:
    assert [name for name, _ in found(f"(;FF[4]{text})")] == expected


def test_a_real_game_of_lines_of_action_has_one_slip() -> None:
    whole = record("ff4-other-games/boardspace__T-L-taral-ddyer-2004-07-20-2040.sgf")
    slip = record("ff4-other-games/boardspace__mindsports-1.sgf")
    options = CheckOptions(select=("G6",))

    assert [one.name for one in sgf_lark.check(whole, options=options)] == []
    assert [one.name for one in sgf_lark.check(slip, options=options)] == ["illegal-move"]


# ---- size and malice ----


def variations(count: int) -> str:
    return (
        "(;FF[4]GM[1]SZ[19]" + ";B[pd];W[dp]" * 3 + "(;B[dd];W[pq])(;AW[aa:ss];B[qq])" * count + ")"
    )


def nested(count: int) -> str:
    return "(;FF[4]GM[1]SZ[52]" + "(;B[pd];AE[aa:ZZ]" * count + ")" * (count + 1)


def backgammon(count: int) -> str:
    return "(;FF[4]GM[6]" + "(;W[31hefe];B[31qtst])(;AE[a:z]AB[a][b])" * count + ")"


def othello(count: int) -> str:
    return "(;FF[4]GM[2]SZ[8]" + "(;B[f5];W[f6])(;B[d3];W[c3])" * count + ")"


def test_a_cell_to_which_a_stone_was_swapped_may_be_empty_for_some_programs() -> None:
    game = "(;FF[4]GM[11]SZ[5];B[c1];W[swap-pieces];B[{}];W[{}])"
    (turned,) = sgf_lark.check(io.StringIO(game.format("a3", "e5")))
    (played,) = sgf_lark.check(io.StringIO(game.format("e5", "e5")))

    assert (turned.code, turned.severity) == ("G601", "info")
    assert "some programs let them stand" in turned.help
    assert (played.code, played.severity) == ("G601", "warning")


@pytest.mark.night
@pytest.mark.timing
@pytest.mark.both_lanes
@pytest.mark.parametrize("family", one_in(4, [variations, backgammon, nested, othello]))
def test_twice_the_variations_take_twice_the_time(family: Callable[[int], str]) -> None:

    def work(count: int) -> Callable[[], object]:
        game = sgf_lark.loads(family(count), strict=False)[0]
        return lambda: list(check_game_rules(game))

    assert growth(work, 800) <= LIMIT


# ---- GGF, what a person sees ----

GGF = "(;GM[Othello]PB[Aoki]" + START


def said(text: str) -> list[tuple[str, str]]:
    """Name and message of everything that is found."""
    return [(one.name, one.message) for one in sgf_lark.check(io.StringIO(text))]


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("8 " + "-------- " * 7 + "*", "it has 7 rows, and a board of size 8 has 8"),
        ("8 " + "-------- " * 3 + "------- " + "-------- " * 4 + "*",
         "its row 4 has 7 cells, and should have 8"),
        ("8 " + "-------- " * 8, "the color to move, '*' or 'O', is missing after its rows"),
        ("8 " + "-------- " * 8 + "-", "its last symbol is the color to move, '*' or 'O'"),
        ("8 " + "-------- " * 8 + "**", "it has 65 cells, and a board of size 8 has 64"),
        ("8 *", "it has 0 rows, and a board of size 8 has 8"),
        ("0 *", "a board has squares"),
    ],
)  # fmt: skip
def test_a_board_says_what_is_wrong_with_its_cells(board: str, why: str) -> None:
    ((name, message),) = said(f"(;GM[Othello]BO[{board}];)")

    assert name == "wrong-value"
    assert message.endswith(why)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (GGF + "B[d3]", "unclosed-tree"),
        (GGF + "B[d3])", "unclosed-tree"),
        (GGF + "B[d3])\n" + GGF + ";)", "unclosed-tree"),
        (GGF + "B[d3];W[c3];)", "stray-text"),
        (GGF + "B[d3]W[c3]PB[Berg];)", "duplicate-property"),
        (GGF + "B[d3]B[c3];)", "out-of-turn"),
        (GGF + "TI[15:60];)", "doubtful-number"),
        (GGF + "TI[90:00/1:00:99/];)", "doubtful-number"),
        (GGF + "TY[8]KM[1.5];)", "komi-parts"),
        (GGF + "TY[s8r3];)", "type-conflict"),
    ],
)
def test_one_fault_of_ggf_is_one_finding(text: str, name: str) -> None:
    assert [one for one, _ in said(text)] == [name]


def test_a_game_of_ggf_that_is_not_closed_is_closed_as_ggf_is() -> None:
    for end in ("", ")"):
        fixed = sgf_lark.fix_record((GGF + "B[d3]" + end).encode())

        assert fixed.data.decode() == GGF + "B[d3];)"


def test_what_is_no_ggf_is_read_as_sgf() -> None:
    names = [name for name, _ in said("(;GM[Go]SZ[19];B[pd])")]

    assert names == ["missing-format", "wrong-value"]


# ---- Gess ----


def gess(moves: str, root: str = "") -> list[tuple[str, str]]:
    """What is found about moves of Gess, and at which node."""
    return found(f"(;FF[4]GM[20]SZ[20]{root}{moves})")


@pytest.mark.parametrize(
    ("moves", "node"),
    [
        (";B[er:eo];W[ec:ef];B[lr:lq]", ""),
        (";B[ec:ef];W[er:eo]", ""),  # Black at the upper edge
        (";B[er:eo];W[cf:ci]", ""),
        (";B[ir:il]", ""),
        (";B[er:eo];W[er:eo]", "2"),
        (";B[er:eo];W[jj:jk]", "2"),
        (";B[er:eo];W[cf:df]", "2"),
        (";B[er:eo];W[cf:cj]", "2"),
        (";B[er:eo];W[ic:ij]", "2"),
        (";B[jj:jk];W[jk:jl]", ""),  # nobody knows how it began
    ],
)
def test_pieces_of_gess_go_where_their_stones_point(moves: str, node: str) -> None:
    assert gess(moves) == [("illegal-move", node)][: len(node)]


def test_gess_is_played_on_the_board_that_is_set_up() -> None:
    assert gess(";B[ee:eh];W[pp:po]", "AB[ee][ef]AW[pp][po]") == []
    assert gess(";B[ee:eh];W[ee:ed]", "AB[ee][ef]AW[pp]") == [("illegal-move", "2")]
    assert gess(";B[ee:eg];W[ei:ek]", "AB[ee][ef]AW[ei][ej]") == [("illegal-move", "2")]
    assert gess(";B[cc:cb];W[pp:po];B[cb:cc]", "AB[cb][cc][dc]AW[po]") == [("illegal-move", "3")]


def test_a_board_of_ggf_is_as_large_as_bo_says_and_no_other() -> None:
    start = "----O*---- ----*O----"
    octagon = (
        f"88 ------ -------- ---------- ---------- {start} ---------- ---------- -------- ------"
    )
    for board, expected in (
        (f"{octagon} *", [("illegal-move", "W[a1] is a corner that this board does not have")]),
        ("88 ---- *", []),  # nobody knows where the squares are
    ):
        text = f"(;GM[Othello]TY[88]BO[{board}]B[e4]W[a1]B[j5];)"
        report = [(one.name, one.message) for one in sgf_lark.check(io.StringIO(text))]
        assert [one for one in report if one[0] in {"illegal-move", "point-off-board"}] == expected


def best(own: tuple[int, ...], held: frozenset[int], dice: tuple[int, ...]) -> int:
    """How many dice can be played, by trying everything."""
    most = 0
    for place, die in enumerate(dice):
        for far in range(1, 26):
            others = own[far + 1 :]
            to = far - die
            if not own[far] or (own[25] and far < 25) or to in held:
                continue
            if to < 0 and any(others):
                continue
            if to <= 0 and any(own[7:]):
                continue
            new = [*own]
            new[far] -= 1
            new[max(to, 0)] += 1
            most = max(most, 1 + best(tuple(new), held, (*dice[:place], *dice[place + 1 :])))
    return most


def test_the_dice_that_a_side_can_play_are_those_that_trying_everything_finds() -> None:
    chance = random.Random(6)  # noqa: S311  # a test
    for _ in range(400):
        own = [0] * 26
        for _ in range(chance.randint(1, 4)):
            own[chance.choice([chance.randint(1, 25), chance.randint(1, 6)])] += 1
        held = frozenset(one for one in range(1, 25) if not own[one] and chance.random() < 0.6)
        low, high = chance.randint(1, 6), chance.randint(1, 6)
        dice = (low, high) if low != high else (low,) * 4
        wanted = best(tuple(own), held, dice)
        position = SideView(tuple(own), sum(1 << pips for pips in held), 0)
        plays = legal_plays(position, (low, high))
        assert {len(way) for way in plays.values()} == {wanted}
        assert can_play(position, dice, wanted)
        assert not can_play(position, dice, wanted + 1)


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[11]SZ[300];B[a1];W[a1])",
        "(;FF[4]GM[2]SZ[16];B[a1];W[a1])",
        "(;FF[4]GM[11]SZ[256]" + ";AB[a1:z256]AW[a1:z256]" * 50 + ";;B[a1];W[a1])",
        "(;FF[4]GM[11]SZ[256];B[b2]" + ";B[swap-pieces]" * 500 + ";;B[a1];W[a1])",
        "(;FF[4]GM[1]SZ[52]" + ";AB[aa:ZZ];W[bb];AW[aa:ZZ];B[bb]" * 300 + ")",
    ],
)
def test_where_moves_are_not_judged_that_is_said_once(text: str) -> None:
    found = [one for one in sgf_lark.check(io.StringIO(text)) if one.code == "G615"]

    assert [one.severity for one in found] == ["info"]


@pytest.mark.parametrize(
    "text",
    one_in(
        2,
        [
            "(;FF[4]GM[11]SZ[702]" + ";B[swap-pieces]" * 50 + ")",
            "(;FF[4]GM[11]SZ[702];" + "AB[a1:zz702]AW[a1:zz702]" * 500 + ")",
            "(;FF[4]GM[2]SZ[8];AB[a1:z99999999])",
            "(;FF[4]GM[2]SZ[14]" + ";B[];W[]" * 1_000 + ")",
            "(;FF[4]GM[9]SZ[702];B[a1-a2])" * 50,
        ],
    ),
)
def test_a_few_characters_cannot_ask_for_the_work_of_a_large_board(text: str) -> None:
    start = time.process_time()
    sgf_lark.check(io.StringIO(text))
    assert time.process_time() - start < 10  # minutes and more without limits

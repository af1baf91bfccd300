"""Backgammon: checkers, dice and the cube, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.lanes import amount

from sgf_lark import Board, Color, IllegalMoveError, Point
from sgf_lark.core.schema.values import Action, BackgammonMove
from sgf_lark.games.backgammon import BackgammonState, Checkers

DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


def board(*, black: str = "", white: str = "", **settings: Any) -> Board:
    """A board with these checkers, each named by the letter of its point."""
    return Board("Backgammon", empty=True).set_up(black=[*black], white=[*white], **settings)


def rolls(position: Board, color: str) -> list[BackgammonMove]:
    """The legal moves without those of the cube."""
    return [move for move in position.legal_moves(color) if isinstance(move, BackgammonMove)]


def ends(position: Board, color: str) -> set[str]:
    """The legal plays, as people write them."""
    state = BackgammonState()
    return {state.name_move(move) for move in position.legal_moves(color)}


# ---- what is on it ----


def test_a_game_begins_with_fifteen_checkers_of_each_side() -> None:
    start = Board("Backgammon")

    assert start["6"] == Checkers(black=0, white=5)
    assert start["19"] == Checkers(black=5, white=0)
    assert start["1"] == Checkers(black=2, white=0)
    assert start["bar"] is None
    assert {color: sum(one.amount for one in start.diagram().stones if one.color is color)
            for color in Color} == dict.fromkeys(Color, 15)  # fmt: skip
    assert start.to_play is None
    assert start.position_id("W") == start.position_id("B") == "4HPwATDgc/ABMA"


def test_the_bar_and_the_tray_hold_checkers_of_both_sides() -> None:
    both = board(black="yyz", white="yzz")

    assert both["bar"] == Checkers(black=2, white=1)
    off = both["off"]
    assert isinstance(off, Checkers)
    assert (off.color, off.amount) == (None, 3)
    assert [(one.point.column, one.color, one.amount) for one in both.diagram().stones] == [
        (24, Color.BLACK, 2),
        (24, Color.WHITE, 1),
        (25, Color.BLACK, 1),
        (25, Color.WHITE, 2),
    ]


def test_a_diagram_has_dice_cube_and_owner() -> None:
    rolled = Board("Backgammon").set_up(dice=(3, 1), cube=4, cube_owner="w", to_play="B")
    played = rolled.play("8/5 6/5").diagram()

    assert (rolled.diagram().dice, rolled.diagram().cube) == ((3, 1), 4)
    assert (rolled.diagram().cube_owner, rolled.diagram().to_play) == (Color.WHITE, Color.BLACK)
    assert played.dice == (3, 1)
    assert played.last == (Point(19, 0),)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (["31: 8/5 6/5"], "sGfwATDgc/ABMA"),
        (["31: 8/5 6/5", "31: 8/5 6/5"], "sGfwATCwZ/ABMA"),
    ],
)
def test_the_position_id_is_that_of_gnu_backgammon(moves: list[str], expected: str) -> None:
    position = Board("Backgammon").set_up(to_play="W")
    for move in moves:
        position = position.play(move)

    assert position.position_id() == expected


# ---- rolls ----


def test_the_first_31_has_sixteen_plays() -> None:
    start = Board("Backgammon")

    assert len(ends(start.set_up(dice=(3, 1)), "W")) == 16
    assert len(ends(start.set_up(dice=(3, 1)), "B")) == 16


def test_without_dice_the_plays_of_all_rolls_are_legal_and_a_double() -> None:
    start = Board("Backgammon")
    moves = start.legal_moves("W")

    assert moves[0] == Action(word="double")
    assert {tuple(sorted(move.dice)) for move in rolls(start, "W")} == {
        (low, high) for high in range(1, 7) for low in range(1, high + 1)
    }


@pytest.mark.parametrize(
    ("position", "color", "dice", "expected"),
    [
        # from the bar, before all others
        (board(white="ya", black="xx"), "W", (1, 3), {"13: bar/22/21"}),
        (board(white="y", black="xxvv"), "W", (1, 3), {"13"}),
        (board(black="y", white="aa"), "B", (2, 1), {"21: bar/2/3"}),
        # a blot is hit, a point is not
        (board(white="h", black="gff"), "W", (1, 2), {"12: 8/7 7/5"}),
        # both dice if there is a way
        (board(white="lc", black="gg"), "W", (4, 5), {"45: 12/8 8/3"}),
    ],
)
def test_rolls_are_played_by_the_rules(
    position: Board, color: str, dice: tuple[int, int], expected: set[str]
) -> None:
    assert ends(position.set_up(dice=dice), color) == {
        one.replace("bar/22/21", "bar/22 22/21").replace("bar/2/3", "bar/2 2/3") for one in expected
    }


def test_the_larger_die_is_played_if_only_one_can_be() -> None:
    position = board(white="l", black="cc")

    assert ends(position.set_up(dice=(4, 5)), "W") == {"45: 12/7"}
    assert not position.legal("45: 12/8", "W")
    assert "larger" in position.legal("54: 12/8", "W").reason
    assert position.legal("45: 12/8", "W").code == "G636"


def test_both_dice_are_played_if_there_is_a_way() -> None:
    position = board(white="lm", black="hhiiccdd")
    verdict = position.legal("41: 13/12", "W")

    assert verdict.reason == "plays 1 of 2 dice, and White could play more"
    assert position.legal("41: 12/11 11/7", "W")


def test_equal_dice_are_played_four_times() -> None:
    position = Board("Backgammon")

    assert all(len(move.pairs) == 4 for move in rolls(position.set_up(dice=(2, 2)), "W"))
    assert not position.legal("22: 24/22(2)", "W")
    assert position.legal("22: 24/22(2) 6/4(2)", "W")
    assert position.legal("22: 24/16", "W")


def test_checkers_leave_when_all_are_home_the_farthest_by_a_larger_die() -> None:
    home = board(white="ecb")

    assert home.legal("61: 5/off 3/2", "W")
    assert not home.legal("61: 3/off 5/4", "W")
    assert home.legal("53: 5/off 3/off", "W").ok
    assert not board(white="ecbg").legal("53: 5/off 3/off", "W")
    assert not home.legal("64: 2/off 5/1", "W")


def test_the_last_checker_ends_the_game_and_needs_no_other_die() -> None:
    last = board(white="c", black="xx", to_play="W")

    assert last.legal("52: 3/off")
    assert last.legal("52: 3/1 1/off")
    assert last.play("52: 3/off").legal_moves() == ()


def test_a_checker_on_a_blot_sends_it_to_the_bar() -> None:
    hit = board(white="h", black="gx", to_play="W").play("12: 8/7 7/5")

    assert hit["bar"] == Checkers(black=1, white=0)
    assert hit["7"] is None


def test_a_pair_of_two_dice_hits_where_it_must() -> None:
    position = board(white="h", black="gff", to_play="W")

    assert position.play("12: 8/5")["bar"] == Checkers(black=1, white=0)
    assert position.legal("12: 8/7 7/5")
    assert not board(white="h", black="ggff").legal("12: 8/5", "W")


@pytest.mark.parametrize(
    ("move", "color", "name", "reason"),
    [
        ("31: 5/8", "W", "dice-moves", "moves the wrong way: White goes from 'x' to 'a'"),
        ("31: 8/5 6/4", "W", "dice-moves", "moves what these dice do not allow"),
        ("31: 7/4", "W", "illegal-move", "no white checker is on 'g'"),
        ("51: 6/1", "W", "illegal-move", "'a' is held by black checkers"),
        ("66: 6/off", "W", "illegal-move", "a checker leaves the board before all are home"),
        ("take", "W", "cube-order", "without a double before it"),
    ],
)
def test_a_verdict_names_rule_and_reason(move: str, color: str, name: str, reason: str) -> None:
    verdict = Board("Backgammon").legal(move, color)

    assert (verdict.name, verdict.reason) == (name, reason)


def test_an_illegal_move_is_rejected_but_with_force() -> None:
    start = Board("Backgammon")

    with pytest.raises(IllegalMoveError, match=r"^White 51: 6/1: 'a' is held by black checkers$"):
        start.play("51: 6/1", "W")
    forced = start.play("51: 6/1 6/5", "W", force=True)

    assert (forced["5"], forced["6"]) == (Checkers(0, 1), Checkers(0, 4))


# ---- the cube ----


def after(*moves: tuple[str, str], rules: str = "") -> Board:
    position = Board("Backgammon", rules=rules)
    for color, move in moves:
        position = position.play(move, color)
    return position


def cube(position: Board) -> tuple[int, Color | None]:
    diagram = position.diagram()
    return diagram.cube, diagram.cube_owner


def test_who_takes_a_double_owns_the_cube_and_who_doubled_rolls() -> None:
    doubled = after(("B", "double"))
    taken = doubled.play("take")

    assert doubled.to_play is Color.WHITE
    assert doubled.legal_moves() == tuple(Action(word=one) for one in ("take", "drop", "double"))
    assert cube(taken) == (2, Color.WHITE)
    assert taken.to_play is Color.BLACK
    assert taken.legal("double").name == "cube-order"
    assert taken.legal("double", "W")
    assert not doubled.legal("31: 8/5 6/5")


def test_a_double_may_be_answered_by_another() -> None:
    beaver = after(("B", "double"), ("W", "double"), ("B", "take"))

    assert cube(beaver) == (4, Color.WHITE)
    assert beaver.to_play is Color.BLACK


def test_a_drop_ends_the_game() -> None:
    dropped = after(("B", "double"), ("W", "drop"))

    assert dropped.legal_moves("W") == ()
    assert dropped.legal("31: 8/5 6/5", "B").name == "cube-order"


def test_the_crawford_game_has_no_doubles() -> None:
    crawford = Board("Backgammon", rules="Crawford:CrawfordGame")

    assert crawford.legal("double", "W").name == "crawford-double"
    assert Action(word="double") not in crawford.legal_moves("W")
    assert Board("Backgammon", rules="Crawford").legal("double", "W")


# ---- texts ----


@pytest.mark.parametrize(
    ("text", "color", "named"),
    [
        ("31: 8/5 6/5", "W", "31: 8/5 6/5"),
        ("31 8/5* 6/5", "W", "31: 8/5 6/5"),
        ("31: 8/5 6/5", "B", "31: 17/20 19/20"),
        ("31: 17/20 19/20", "B", "31: 17/20 19/20"),
        ("62: bar/20/14", "B", "62: bar/5 5/11"),
        ("62: bar/5 5/11", "B", "62: bar/5 5/11"),
        ("66: 6/off(3)", "W", "66: 6/off 6/off 6/off"),
        ("66: 6/off(3)", "B", "66: 19/off 19/off 19/off"),
        ("66: 19/off(3)", "B", "66: 19/off 19/off 19/off"),
        ("31: h/e f/e", "W", "31: 8/5 6/5"),
        ("66", "W", "66"),
        ("Double", "W", "double"),
    ],
)
def test_moves_are_written_as_people_write_them(text: str, color: str, named: str) -> None:
    state = BackgammonState()
    move = state.read_move_of(text, Color(color))

    assert state.name_move(move) == named
    assert state.read_move(named) == move


@pytest.mark.parametrize("text", ["", "8/5", "71: 8/5", "31: 8/5 6", "31: 30/2", "31: 8/5(9)", "x"])
def test_what_is_no_move_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"31: 8/5 6/5|no move|no point"):
        Board("Backgammon").legal(text, "W")


def test_known_dice_need_not_be_written() -> None:
    position = Board("Backgammon").set_up(dice=(3, 1), to_play="W")

    assert position.play("8/5 6/5") == Board("Backgammon").play("31: 8/5 6/5", "W")


@pytest.mark.parametrize(
    ("move", "name"),
    [("41: 21/off 24/off", ""), ("41: 21/off", ""), ("41: 21/22", "unplayed-dice")],
)
def test_who_plays_fewer_dice_plays_legally_if_all_dice_lead_there_too(
    move: str, name: str
) -> None:
    bearing_off = board(black="uvwx" + "z" * 11, white="a" * 15)  # 21/22 22/off is a play of 41

    assert bearing_off.legal(move, "B").name == name


# ---- by chance ----


def checkers(state: BackgammonState) -> dict[Color, int]:
    return {color: state.on_board(color) + state.count(color, 25) for color in Color}


@given(st.lists(st.tuples(DICE, st.integers(0, 1 << 16)), max_size=50))
def test_all_moves_are_legal_play_most_dice_and_lead_to_different_positions(
    playout: list[tuple[tuple[int, int], int]],
) -> None:
    state, color = BackgammonState(), Color.WHITE
    state.put_start()
    marks = []
    for dice, chosen in playout:
        before, kept = state.position(), state.copy()
        mark = state.mark
        marks.append((mark, before))
        moves = list(state.plays(dice, color))
        found = set()
        for move in moves:
            assert state.judge(move, color).ok
            assert state.position() == before
            state.play(move, color)
            found.add(state.position())
            assert checkers(state) == dict.fromkeys(Color, 15)
            state.rewind(mark)
        assert len(found) == len(moves)
        assert len({len(move.pairs) for move in moves}) == 1
        assert kept.position() == before
        move = moves[chosen % len(moves)]
        if move.pairs:
            fewer = BackgammonMove(dice=dice, pairs=move.pairs[:-1])
            state.play(fewer, color)
            leads_elsewhere = state.position() not in found
            state.rewind(mark)
            assert state.judge(fewer, color).ok is not leads_elsewhere
        state.play(move, color)
        kept.play(move, color)
        assert kept.position() == state.position()
        color = color.opponent
        if state.winner_by_checkers is not None:
            break
    for mark, position in reversed(marks):
        state.rewind(mark)
        assert state.position() == position


def merged(move: BackgammonMove) -> BackgammonMove:
    """The same play, the moves of one checker that follow each other as one pair."""
    pairs: list[tuple[Point, Point]] = []
    for origin, target in move.pairs:
        if pairs and pairs[-1][1] == origin:
            pairs[-1] = pairs[-1][0], target
        else:
            pairs.append((origin, target))
    return BackgammonMove(dice=move.dice, pairs=tuple(pairs))


def own(state: BackgammonState, color: Color) -> tuple[int, ...]:
    return tuple(state.count(color, column) for column in range(26))


@settings(max_examples=amount(8, 100))
@given(st.lists(st.tuples(DICE, st.integers(0, 1 << 16)), min_size=1, max_size=20), DICE)
def test_a_legal_move_is_one_that_leads_where_some_play_of_its_roll_does(
    playout: list[tuple[tuple[int, int], int]], other: tuple[int, int]
) -> None:
    state, color = BackgammonState(), Color.WHITE
    state.put_start()
    for dice, chosen in playout:
        mark, moves = state.mark, list(state.plays(dice, color))
        ends = set()
        for move in moves:
            state.play(move, color)
            ends.add(own(state, color))
            state.rewind(mark)
            assert state.judge(merged(move), color), (move, state.position_id(color))
        for move in state.plays(other, color):
            for count in range(len(move.pairs) + 1):
                wrong = merged(BackgammonMove(dice=dice, pairs=move.pairs[:count]))
                verdict = state.play(wrong, color)
                assert not verdict or own(state, color) in ends
                state.rewind(mark)
        state.play(moves[chosen % len(moves)], color)
        color = color.opponent
        if state.winner_by_checkers is not None:
            return


def test_a_roll_that_names_a_huge_position_is_judged_at_once() -> None:
    crowd = board(white="".join(letter * 5 for letter in "bcdefghijklmnopqrstuvwx"), black="a")

    assert crowd.legal("11: 24/20", "W")
    assert crowd.legal("11", "W").name == "unplayed-dice"
    assert crowd.legal("11: 24/21", "W").name == "unplayed-dice"

"""Positions: the board at every node of a record."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from support import slow_go
from support.lanes import amount
from support.timing import LIMIT, growth

from sgf_lark import Board, Collection, Color, GameTree, Point, check, loads

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from _pytest.mark import ParameterSet

B, W = Color.BLACK, Color.WHITE

TREE = (
    "(;FF[4]GM[1]SZ[9]AB[aa:cc]AE[bb]RU[Japanese];W[dd]C[a](;B[ee];W[bb])"
    "(;B[zz];PL[B];B[ff]W[gg])(;W[];N[x](;B[aa]KO[])(;W[aa])))"
)


def game_of(record: str) -> GameTree:
    return loads(record, strict=False)[0]


def verdicts(game: GameTree, line: str = "all") -> list[str | None]:
    """The name of each verdict; None for a node without a move."""
    return [
        None if position.verdict is None else position.verdict.name
        for position in game.positions(line)
    ]


def stones(board: Board) -> dict[tuple[int, int], Color]:
    return {point: color for color in Color for point in board.stones(color)}


# ---- lines ----


def test_positions_of_the_main_line_come_with_their_nodes_and_numbers() -> None:
    game = game_of(TREE)

    positions = list(game.positions())

    assert [position.node for position in positions] == list(game.main_line())
    assert [position.node_index for position in positions] == [0, 1, 2, 3]
    assert [position.number for position in positions] == [0, 1, 2, 3]
    assert [position.verdict is None for position in positions] == [True, False, False, False]


def test_boards_of_positions_never_change_but_for_the_live_one() -> None:
    game = game_of(TREE)
    kept, live = [], set()
    for position in game.positions("all", live=True):
        live.add(id(position.board))
        kept.append(position.board.copy())

    assert len(live) == 1
    assert kept == [position.board for position in [*game.positions("all")]]
    assert kept == [node.board for node in game.walk()]
    assert len({board.number for board in kept}) > 1


def test_a_line_leads_to_a_node_by_itself_its_number_or_its_path() -> None:
    game = game_of(TREE)
    node = game.at("1.1/2")

    for line in (node, node.index, node.path):
        assert [position.node for position in game.positions(line)] == [
            game.root, game.at("1"), game.at("1.1"), game.at("1.1/1"), node,
        ]  # fmt: skip
    with pytest.raises(KeyError):
        game.positions("9")
    with pytest.raises(IndexError):
        game.positions(99)


def test_a_node_of_another_game_has_no_board_in_this_one() -> None:
    game, other = loads("(;GM[1]SZ[9];B[ee])(;GM[1]SZ[9];B[cc])", strict=False)

    with pytest.raises(KeyError, match="another game"):
        game.board(other.at("1"))
    with pytest.raises(KeyError, match="another game"):
        game.positions(other.at("1"))


def test_a_board_of_a_node_never_changes() -> None:
    game = game_of(TREE)
    boards = [game.board(node.index) for node in game.walk()]
    before = [str(board) for board in boards]

    for board in boards:
        board.play(Point(8, 8), force=True)
    again = [game.board(node.path) for node in reversed(list(game.walk()))]

    assert [str(board) for board in boards] == before
    assert again == boards[::-1]
    assert [node.board for node in game.walk()] == boards


# ---- nodes ----


def test_setup_never_captures_and_ends_a_ko() -> None:
    game = game_of("(;SZ[9]AB[ba][ab]AW[aa];AE[ii];AB[ca][bc][cc];W[ac])")

    assert game.root.board["aa"] is W
    assert game.board(1).last is None
    ko = game_of("(;SZ[9]AB[ba][ab][bc]AW[ca][cc][db][bb](;B[cb](;W[bb])(;AE[ii];W[bb])))")
    assert ko.board(1).ko == Point(1, 1)
    assert ko.board(3).ko is None
    assert verdicts(ko) == [None, "", "ko-capture", None, ""]


def test_illegal_moves_are_carried_out_and_marked() -> None:
    game = game_of("(;SZ[9]AW[ab][ba];B[aa];B[ab];W[ab]KO[])")

    assert verdicts(game) == [None, "suicide", "occupied-point", ""]
    assert stones(game.board(1)) == {(0, 1): W, (1, 0): W}
    assert game.board(1).captured == {B: 1, W: 0}
    assert game.board(2)["ab"] is B
    assert game.board(3)["ab"] is W
    found = [position.verdict for position in game.positions() if position.verdict is not None]
    assert [verdict.code for verdict in found] == ["G604", "G601", ""]
    assert [verdict.ok for verdict in found] == [False, False, True]


def test_suicide_is_legal_by_some_rules() -> None:
    record = "(;SZ[9]RU[NZ]AW[ab][ba][ca][db][cc][bc]AB[bb];B[cb];B[aa])"

    assert verdicts(game_of(record))[-1] == ""
    assert verdicts(game_of(record.replace("NZ", "Japanese")))[-1] == "suicide"


def test_pl_and_a_handicap_give_the_turn() -> None:
    assert game_of("(;SZ[9])").root.board.to_play is B
    assert game_of("(;SZ[9]HA[2]AB[gc][cg])").root.board.to_play is W
    assert game_of("(;SZ[9]HA[2]PL[B]AB[gc][cg])").root.board.to_play is B
    assert game_of("(;SZ[9];PL[W])").board(1).to_play is W
    assert game_of("(;SZ[9];B[aa];PL[B])").board(2).to_play is B
    assert game_of("(;SZ[9];B[aa]PL[B])").board(1).to_play is B
    assert game_of("(;GM[21])").root.board.to_play is W


def test_passes_and_several_moves_in_a_node_count() -> None:
    game = game_of("(;SZ[9];B[];W[tt];B[aa]W[bb];B[aa]W[cc])")

    assert [position.number for position in game.positions()] == [0, 1, 2, 4, 6]
    assert verdicts(game) == [None, "", "", "", "occupied-point"]
    assert stones(game.board(4)) == {(0, 0): B, (1, 1): W, (2, 2): W}
    assert game.board(4).to_play is B


@pytest.mark.parametrize(("move", "name"), [("zz", "point-off-board"), ("a", "wrong-value")])
def test_what_no_board_can_carry_out_leaves_it_as_it_is(move: str, name: str) -> None:
    game = game_of(f"(;SZ[9];B[aa](;W[{move}];B[aa];W[bb])(;W[aa]))")
    positions = list(game.positions("all"))

    assert verdicts(game) == [None, "", name, "", "", "occupied-point"]
    assert [position.is_known for position in positions] == [True, True, False, False, False, True]
    assert positions[3].verdict is not None
    assert "not judged" in repr(positions[3].verdict)
    assert stones(game.board(2)) == {(0, 0): B}
    assert stones(game.board(4)) == {(0, 0): B, (1, 1): W}
    assert game.board(2).number == 2
    assert game.board(2).to_play is B


def test_setup_off_the_board_is_left_out() -> None:
    game = game_of("(;SZ[9]AB[hh:kk][zz]AW[aa:ab][xx:zz]AE[aj])")

    assert stones(game.root.board) == {
        **{(column, row): B for column in (7, 8) for row in (7, 8)},
        **{(0, row): W for row in (0, 1)},
    }


@pytest.mark.parametrize("game", ["GM[1]SZ[9]AB[hh:kk];W[ii]", "GM[4]SZ[9]AB[hh:kk];W[ii]"])
def test_check_sets_up_the_same_part_of_a_rectangle(game: str) -> None:
    record = f"(;FF[4]{game})"

    assert verdicts(game_of(record)) == [None, "occupied-point"]
    assert "occupied-point" in {finding.name for finding in check(io.StringIO(record)).diagnostics}


def test_pods_off_the_board_are_left_out() -> None:
    game = game_of("(;GM[19]SZ[7]AB[11AB][88][22]AW[99C][33C])")

    assert stones(game.root.board) == {(0, 0): B, (1, 1): B, (2, 2): W}


# ---- where records begin ----


@pytest.mark.parametrize(
    ("record", "first"),
    [
        ("(;GM[2]SZ[8])", "8"),
        ("(;GM[2]SZ[8]AB[a1])", "a1"),
        ("(;GM[9])", "loa"),
        ("(;GM[9]SU[Standard])", "loa"),
        ("(;GM[9]AB[a1])", "a1"),
        ("(;GM[11]SZ[5])", "none"),
        ("(;GM[18])", "amazons"),
        ("(;GM[18]AA[aa])", "none"),
    ],
)
def test_a_record_begins_as_its_page_says(record: str, first: str) -> None:
    game = game_of(record)
    board, start = game.root.board, Board(game.game_name, game.size)

    expected = {
        "a1": lambda: {(0, 0): B},
        "none": dict,
    }.get(first, lambda: stones(start))()
    assert stones(board) == expected
    assert next(game.positions()).is_known


def test_a_start_that_no_page_gives_is_not_known() -> None:
    position = next(game_of("(;GM[9]SU[Parachute];B[b1-b3])").positions())

    assert not position.is_known
    assert position.board.stones() == ()


@pytest.mark.parametrize("color", "BW")
def test_the_first_move_of_gess_gives_the_sides(color: str) -> None:
    game = game_of(f"(;GM[20];{color}[cr:cq])")

    assert game.root.board["cs"] is Color(color)
    assert verdicts(game)[0] is None


def test_a_game_of_ggf_begins_with_its_board() -> None:
    game = game_of(
        "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5]TY[8]"
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- O]W[c5];)"
    )

    assert game.root.board.to_play is W
    assert stones(game.root.board) == {(3, 3): W, (4, 3): B, (3, 4): B, (4, 4): W}
    assert verdicts(game) == [None, ""]
    assert game.board(1)["d5"] is W
    with pytest.raises(ValueError, match="BO is missing"):
        _ = game_of("(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5]TY[8];)").root.board


@pytest.mark.parametrize(
    "ask",
    [GameTree.positions, lambda game: game.board(1), lambda game: game.root.board],
    ids=["positions", "board", "node"],
)
def test_a_game_without_a_board_says_so(ask: Callable[[GameTree], object]) -> None:
    with pytest.raises(ValueError, match="no board of Tantrix"):
        ask(loads("(;FF[4]GM[17];B[77])")[0])
    with pytest.raises(ValueError, match="no board of 703 by 703"):
        ask(game_of("(;FF[4]GM[11]SZ[703];B[a1])"))


def test_the_name_of_a_game_is_short_and_escaped_in_a_message() -> None:
    with pytest.raises(ValueError, match=r"^no board of \\x1b\[31m12y{22}…: its points are"):
        game_of(f"(;FF[4]GM[\x1b[31m12{'y' * 99}];B[aa])").board(1)


# ---- from wherever the nodes come ----


def test_games_from_data_from_drafts_and_by_either_engine_have_the_same_positions() -> None:
    game = game_of(TREE)
    expected = [tuple(position)[:4] for position in game.positions("all")]
    boards = [node.board for node in game.walk()]
    draft = game.edit()
    draft.set(0, "C", "changed")

    others = [
        loads(TREE, strict=False, engine="lark")[0],
        GameTree.model_validate_json(game.model_dump_json()),
        draft.done(),
        Collection.model_validate(loads(TREE, strict=False).model_dump())[0],
    ]

    for other in others:
        assert [tuple(position)[:4] for position in other.positions("all")] == expected
        assert [node.board for node in other.walk()] == boards
        for line in ("main", "1.1/1", "1.2/1.1"):
            assert [tuple(position)[:4] for position in other.positions(line)] == [
                tuple(position)[:4] for position in game.positions(line)
            ]


GRAMMAR = """
collection: game_tree+
game_tree: "(" sequence game_tree* ")"
sequence: node+
node: "/" property*
property: PROP_IDENT PROP_VALUE+
PROP_IDENT: /[A-Z]+/
PROP_VALUE: /{[^}]*}/
%import common.WS
%ignore WS
"""


def test_a_custom_grammar_has_positions(tmp_path: Path) -> None:
    own = tmp_path / "own.lark"
    own.write_text(GRAMMAR, encoding="utf-8")
    game = loads(TREE.translate(str.maketrans(";[]", "/{}")), strict=False, grammar=own)[0]

    assert [tuple(position)[:4] for position in game.positions("all")] == [
        tuple(position)[:4] for position in game_of(TREE).positions("all")
    ]
    assert game.nodes[6].board == game_of(TREE).nodes[6].board


def test_a_game_read_only_to_its_info_has_no_positions() -> None:
    game = loads("(;FF[4]GM[1]SZ[9]PB[a];B[aa])", info_only=True)[0]

    with pytest.raises(ValueError, match="info_only"):
        game.positions()
    with pytest.raises(ValueError, match="info_only"):
        game.board("1")


# ---- against a slow board, by chance ----


def record_of(chance: random.Random, nodes: int) -> str:
    """A record of Go on a small board: moves anywhere, setup, variations."""
    size = chance.randint(2, 6)

    def point() -> str:
        return "".join(chance.choice("abcdefg"[: size + 1]) for _ in range(2))

    def node() -> str:
        if chance.random() < 0.15:
            idents = chance.sample(["AB", "AW", "AE"], chance.randint(1, 3))
            return ";" + "".join(f"{ident}[{point()}][{point()}:{point()}]" for ident in idents)
        if chance.random() < 0.1:
            return ";C[x]"
        return f";{chance.choice('BW')}[{point() if chance.random() < 0.95 else ''}]"

    text, depth = f"(;FF[4]GM[1]SZ[{size}]", 1
    for _ in range(nodes):
        if depth > 1 and chance.random() < 0.1:
            text += ")(" + node()
        elif chance.random() < 0.1:
            text, depth = text + "(" + node(), depth + 1
        else:
            text += node()
    return text + ")" * depth


@given(st.integers(0, 1 << 32), st.integers(1, 40))
def test_positions_are_those_of_a_slow_board(seed: int, nodes: int) -> None:
    game = game_of(record_of(random.Random(seed), nodes))  # noqa: S311

    for position in game.positions("all"):
        expected, taken = slow_go.board_of(game, position.node)
        assert stones(position.board) == expected
        assert sum(position.board.captured.values()) == taken
        assert position.node.board == position.board


@given(st.integers(0, 1 << 32))
def test_boards_asked_for_in_any_order_are_those_of_the_positions(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    game = game_of(record_of(chance, amount(40, 300)))
    expected = [position.board.copy() for position in game.positions("all")]
    order = [chance.randrange(len(game)) for _ in range(amount(20, 50))]

    assert [game.board(node) for node in order] == [expected[node] for node in order]


# ---- amounts ----

SHAPES: dict[str, Callable[[int], str]] = {
    "a line": lambda n: "(;SZ[9]" + ";B[aa];W[bb]" * (n // 2) + ")",
    "nested variations": lambda n: "(;SZ[9]" + "(;B[ab]" * n + ")" * n + ")",
    "nested pairs": lambda n: "(;SZ[9]" + "(;B[ab]" * (n // 2) + ")(;W[cc])" * (n // 2) + ")",
    "a comb": lambda n: "(;SZ[9]" + "(;B[aa])(;W[bb]" * (n // 2) + ")" * (n // 2) + ")",
    "a star": lambda n: "(;SZ[9]" + "(;B[aa])" * n + ")",
    "setup": lambda n: "(;SZ[9]" + ";AB[aa:ii];AE[bb:ff]" * (n // 2) + ")",
    "large setup": lambda n: "(;GM[21]SZ[702]" + ";AB[a1:zz702]" * n + ")",
}


#: Those that are tried at every change; the others wait for the night.
BY_DAY = {"nested pairs"}


def of_shape(shape: str, *more: str, day: bool) -> ParameterSet:
    return pytest.param(shape, *more, marks=[] if day else pytest.mark.night)


@pytest.mark.timing
@pytest.mark.parametrize("shape", [of_shape(shape, day=shape in BY_DAY) for shape in SHAPES])
def test_positions_take_time_for_the_nodes(shape: str) -> None:
    def work(size: int) -> Callable[[], object]:
        game = game_of(SHAPES[shape](size))
        return lambda: [position.number for position in game.positions("all")]

    assert growth(work, 1_000 if shape == "large setup" else 5_000) < LIMIT


@pytest.mark.night
@pytest.mark.timing
@pytest.mark.parametrize(
    ("shape", "order"),
    [
        *(of_shape(shape, "anyhow", day=shape in BY_DAY) for shape in list(SHAPES)[:5]),
        of_shape("a line", "forward", day=False),
        of_shape("a line", "back", day=True),
        of_shape("nested pairs", "back", day=False),
    ],
)
def test_boards_of_all_nodes_in_any_order_take_time_for_the_nodes(shape: str, order: str) -> None:
    def work(size: int) -> Callable[[], object]:
        game = game_of(SHAPES[shape](size))
        nodes = list(range(0, len(game), 10))
        if order == "anyhow":
            random.Random(0).shuffle(nodes)  # noqa: S311
        return lambda: [game.board(node) for node in (nodes[::-1] if order == "back" else nodes)]

    assert growth(work, 5_000) < LIMIT


@pytest.mark.night
@pytest.mark.both_lanes
def test_deeply_nested_variations_have_boards() -> None:
    game = game_of(SHAPES["nested pairs"](amount(10_000, 100_000)))

    assert game.board(len(game) - 1).number == 1
    assert sum(1 for _ in game.positions("all")) == len(game)


def test_a_few_characters_do_not_demand_huge_setups() -> None:
    game = game_of(SHAPES["large setup"](300).replace("a1:zz702", "a1:zz702][b1:zz701"))

    last = list(game.positions())[-1]

    assert not last.is_known
    assert game.board(len(game) - 1).size == (702, 702)


def test_a_board_is_that_after_a_move_of_the_main_line() -> None:
    game = loads("(;FF[4]GM[1]SZ[9];B[aa];C[no move];W[bb](;B[cc])(;B[dd]))")[0]

    for move, node in enumerate([0, 1, 3, 4]):
        assert game.board(move=move) == game.board(node)
    with pytest.raises(IndexError, match=r"^no move 4: the main line has 3 moves$"):
        game.board(move=4)
    with pytest.raises(IndexError, match="no move -1"):
        game.board(move=-1)
    with pytest.raises(TypeError, match="a node or a move, not both"):
        game.board(1, move=1)

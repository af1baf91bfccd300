"""The figures of a game: FG with its flags, PM, MN, captured and repeated stones."""

from __future__ import annotations

from string import ascii_letters

import pytest

import sgf_lark
from sgf_lark import Color, GameFigure, GameTree, Point
from sgf_lark.model.content import MoveArrays
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.positions import figures as figures_module
from sgf_lark.pictures.parts import Label, MarkKind
from sgf_lark.schema.values import FigureFlag

#: Moves from here on would not fit on a board of 52 by 52.
MOST_MOVES = 26 * 26


def game(text: str) -> GameTree:
    return sgf_lark.loads(text, strict=False)[0]


def figures(text: str, split: str | int = "FG", **options: object) -> tuple[GameFigure, ...]:
    return game(text).figures(split, **options)  # type: ignore[arg-type]


def numbers(figure: GameFigure) -> dict[str, int]:
    """The numbers on the board, by points as the record writes them."""
    return {
        "".join(ascii_letters[place] for place in one.point): one.number
        for one in figure.diagram.numbers
    }


def printed(figure: GameFigure) -> list[int]:
    return [one.number for one in figure.diagram.numbers]


def stones(figure: GameFigure) -> dict[str, str]:
    return {
        "".join(ascii_letters[place] for place in stone.point): str(stone.color)
        for stone in figure.diagram.stones
    }


def long_game(moves: int, properties: dict[int, str]) -> str:
    """A game whose stones do not touch, with properties in the nodes of some moves."""
    assert moves <= MOST_MOVES
    nodes = "".join(
        f";{'WB'[number % 2]}[{ascii_letters[number % 26 * 2]}{ascii_letters[number // 26 * 2]}]"
        f"{properties.get(number, '')}"
        for number in range(1, moves + 1)
    )
    return f"(;FF[4]GM[1]SZ[52]{properties.get(0, '')}{nodes})"


# ---- PM: the examples of the page ----


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [(32, 78, 32), (102, 177, 2), (67, 117, 67), (154, 213, 54)],
)
def test_only_the_first_number_is_taken_modulo_100_as_the_page_shows(
    first: int, last: int, shown: int
) -> None:
    text = long_game(last + 1, {0: "PM[2]", first: "FG[]", last + 1: "FG[]"})
    before, figure, after = figures(text)

    assert printed(figure) == [*range(shown, shown + last - first + 1)]
    assert (figure.first, figure.last) == (shown, shown + last - first)
    assert printed(before) == [*range(1, first)]
    assert printed(after) == [(last + 1) % 100]


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        ("", [*range(154, 214)]),
        ("PM[1]", [*range(154, 214)]),
        ("PM[0]", []),
        ("PM[2]", [*range(54, 114)]),
        ("PM[3]", [*range(154, 214)]),
        ("PM[x]", [*range(154, 214)]),
    ],
)
def test_numbers_are_printed_as_pm_says_and_as_they_are_without_it(
    mode: str, shown: list[int]
) -> None:
    _, figure = figures(long_game(213, {0: mode, 154: "FG[]"}))

    assert printed(figure) == shown
    assert len(figure.diagram.stones) == 213


def test_the_print_mode_is_inherited_node_by_node_until_it_is_replaced_or_cleared() -> None:
    settings = {0: "PM[2]", 103: "PM[0]", 105: "PM[1]", 107: "PM[2]", 109: "PM[]", 110: "PM[7]"}
    (figure,) = figures(long_game(112, settings | {101: "FG[]"}))[1:]

    assert printed(figure) == [1, 2, 105, 106, 7, 8, 109, 110, 111, 112]
    assert figure.unshown == ()


def test_a_variation_has_the_print_mode_of_its_own_line() -> None:
    line = "(;FF[4]GM[1]SZ[9];B[aa]MN[101](;W[ca]PM[2];B[ea])(;W[cc];B[ec])(;W[cg]PM[0];B[eg]))"
    main, second, third = figures(line)

    assert numbers(main) == {"aa": 101, "ca": 2, "ea": 3}
    assert numbers(second) == {"cc": 102, "ec": 103}
    assert numbers(third) == {}
    assert (third.first, third.last) == (0, 0)


def test_mn_counts_anew_and_is_taken_modulo_100_by_itself() -> None:
    text = long_game(9, {0: "PM[2]", 1: "MN[153]", 4: "FG[]", 6: "MN[1]", 8: "MN[320]"})
    first, second = figures(text)

    assert printed(first) == [53, 54, 55]
    assert printed(second) == [56, 57, 1, 2, 20, 21]


# ---- FG ----

#: White 2 and 4 are captured by 5; 6 is played where 2 was, Black 7 where 3 is, 8 is a pass.
CAPTURE = (
    "(;FF[4]GM[1]SZ[9]AB[ab][bb];FG[{}]B[ii];W[aa];B[cb];W[ba];B[ca];W[aa];B[cb];W[];B[ab]"
    "LB[ab:x]N[end])"
)
KEPT = {"ii": 1, "aa": 2, "cb": 3, "ba": 4, "ca": 5}
REMOVED = {"ii": 1, "cb": 7, "ca": 5, "aa": 6, "ab": 9}


def test_flags_515_switch_off_coordinates_name_and_hoshi_and_remove_captured_stones() -> None:
    (figure,) = figures(CAPTURE.format("515:Figure 1"))

    assert not figure.diagram.coordinates
    assert (figure.name, figure.diagram.title) == ("", "")
    assert figure.diagram.hoshi == ()
    assert "ba" not in stones(figure)
    assert numbers(figure) == REMOVED
    assert [str(move) for move in figure.unshown] == [
        "2 at 6",
        "3 at 7",
        "4 at B9",
        "8 pass",
    ]
    assert figure.repeated == ((2, 6), (3, 7), (4, 0))
    assert figure.diagram.notes == ("2 at 6, 3 at 7, 4 at B9, 8 pass",)


def test_flags_257_switch_off_coordinates_and_keep_captured_stones() -> None:
    (figure,) = figures(CAPTURE.format("257:Figure 1"))

    assert not figure.diagram.coordinates
    assert figure.name == figure.diagram.title == "Figure 1"
    assert figure.diagram.hoshi == game("(;FF[4]GM[1]SZ[9])").root.diagram().hoshi != ()
    assert stones(figure) == {
        "ab": "B",
        "bb": "B",
        "ii": "B",
        "aa": "W",
        "cb": "B",
        "ba": "W",
        "ca": "B",
    }
    assert numbers(figure) == KEPT
    assert [str(move) for move in figure.unshown] == ["6 at 2", "7 at 3", "8 pass", "9 at x"]


@pytest.mark.parametrize("flag", [*FigureFlag])
def test_each_flag_switches_off_one_thing(flag: FigureFlag) -> None:
    (figure,) = figures(CAPTURE.format(f"{int(flag)}:Name"))
    diagram = figure.diagram

    assert diagram.coordinates == (flag is not FigureFlag.NO_COORDINATES)
    assert figure.name == ("" if flag is FigureFlag.NO_NAME else "Name")
    assert bool(figure.unshown) == (flag is not FigureFlag.NO_LIST_OF_UNSHOWN_MOVES)
    assert bool(diagram.notes) == (flag is not FigureFlag.NO_LIST_OF_UNSHOWN_MOVES)
    keeps = flag in {FigureFlag.KEEP_CAPTURED_STONES, FigureFlag.IGNORE_FLAGS}
    assert numbers(figure) == (KEPT if keeps else REMOVED)
    assert bool(diagram.hoshi) == (flag is not FigureFlag.NO_HOSHI)


def test_ignored_flags_are_those_of_the_asker() -> None:
    text = CAPTURE.format(f"{32768 + 7}:Name")

    (book,) = figures(text)
    (viewer,) = figures(text, flags=FigureFlag.NO_HOSHI)
    assert (book.name, book.diagram.coordinates, numbers(book)) == ("Name", True, KEPT)
    assert (viewer.diagram.hoshi, numbers(viewer)) == ((), REMOVED)


@pytest.mark.parametrize("old", [1, 3])
def test_a_figure_without_flags_is_printed_as_books_print_it(old: int) -> None:
    text = CAPTURE.format("")
    for record in text, text.replace("FF[4]", f"FF[{old}]").replace("W[]", "W[tt]"):
        (figure,) = figures(record)
        assert (figure.name, numbers(figure)) == ("", KEPT)


@pytest.mark.parametrize(
    ("value", "name", "coordinates"), [("Title", "Title", True), ("515", "", False)]
)
def test_an_invalid_fg_gives_what_it_has(value: str, name: str, coordinates: bool) -> None:  # noqa: FBT001
    (figure,) = figures(CAPTURE.format(value))

    assert (figure.name, figure.diagram.coordinates) == (name, coordinates)


def test_a_new_figure_starts_at_each_node_with_fg() -> None:
    found = figures(long_game(30, {11: "FG[257:Two]", 21: "FG[0:Three]", 30: "C[Last.]"}))

    assert [(one.number, one.name, one.first, one.last) for one in found] == [
        (1, "", 1, 10),
        (2, "Two", 11, 20),
        (3, "Three", 21, 30),
    ]
    assert [(one.start, one.path) for one in found] == [("0", "10"), ("11", "20"), ("21", "30")]
    assert [len(one.diagram.stones) for one in found] == [10, 20, 30]
    assert [len(one.diagram.numbers) for one in found] == [10, 10, 10]
    assert [one.comments for one in found] == [(), (), ((30, "", "Last."),)]


@pytest.mark.parametrize(
    ("root", "count"),
    [
        ("", 1),
        ("C[About the game.]", 1),
        ("AB[aa][cc]", 1),
        ("AB[aa][cc]C[Black to live.]", 2),
        ("TR[aa]", 2),
        ("FG[]", 2),
    ],
)
def test_a_root_that_only_prepares_the_first_figure_is_no_figure(root: str, count: int) -> None:
    found = figures(f"(;FF[4]GM[1]SZ[9]{root};FG[0:One]W[ee]C[Good.])")

    assert len(found) == count
    assert found[-1].name == "One"
    assert len(found[-1].diagram.numbers) == 1


def test_a_game_without_fg_is_one_figure() -> None:
    (figure,) = figures(long_game(60, {7: "C[Here]N[Name]", 9: "TR[aa]"}))

    assert (figure.first, figure.last, figure.path) == (1, 60, "60")
    assert figure.comments == ((7, "Name", "Here"),)
    assert figure.diagram.marks == ()


def test_view_dim_points_and_markup_are_those_of_the_last_node() -> None:
    text = long_game(
        6,
        {1: "VW[aa:zz]DD[aa]", 2: "TR[aa]", 3: "FG[]VW[aa:cc]", 4: "DD[]LB[bb:x]CR[aa]", 6: "VW[]"},
    )
    first, second = figures(text)

    assert len(first.diagram.view or ()) == 26 * 26
    assert [mark.kind for mark in first.diagram.marks] == [MarkKind.TRIANGLE]
    assert first.diagram.dim == (Point(0, 0),)
    assert (second.diagram.view, second.diagram.dim, second.diagram.marks) == (None, (), ())


def test_what_a_damaged_record_cannot_draw_is_named_for_every_node_of_a_figure() -> None:
    (figure,) = figures("(;FF[4]GM[1]SZ[9];B[zz];W[Q16];B[ee];AW[aa:zz];TR[xx])")

    assert [words.partition(" ")[0] for words in figure.diagram.left_out] == [
        *("B[zz]", "W[Q16]:", "AW[aa:zz]", "TR[xx]", "a"),
    ]
    assert numbers(figure) == {}


# ---- repeated points ----


def test_a_repeated_move_is_listed_with_what_is_seen_there() -> None:
    text = (
        "(;FF[4]GM[1]SZ[9]AB[ee];FG[256:]B[aa];W[aa];B[ee];W[bb];AW[bb];B[bb];AE[bb];B[bb];AE[cc]"
        "LB[ee:k]AW[ga];B[ga];LB[ee:k])"
    )
    (figure,) = figures(text)

    assert [str(move) for move in figure.unshown] == ["2 at 1", "3 at k", "5 at 6", "7 at G9"]
    assert figure.repeated == ((2, 1), (3, 0), (5, 6), (7, 0))
    assert figure.unshown[0].color is Color.WHITE
    assert numbers(figure) == {"aa": 1, "bb": 6}


def test_many_unshown_moves_fill_lines() -> None:
    moves = "".join(f";{'BW'[number % 2]}[]" for number in range(30))
    (figure,) = figures(f"(;FF[4]GM[1]SZ[9]{moves})")

    assert len(figure.unshown) == 30
    assert max(map(len, figure.diagram.notes)) <= 60
    assert ", ".join(figure.diagram.notes).replace(",,", ",").count("pass") == 30


@pytest.mark.parametrize(
    ("text", "numbers_shown", "listed"),
    [
        ("(;FF[4]GM[11];B[a1];W[swap-pieces];B[c3])", [1, 3], ["2 swap-pieces"]),
        ("(;FF[4]GM[9];B[b1-b3];W[a2-c2];B[b3-d3])", [2, 3], ["1 b1-b3"]),
        ("(;FF[4]GM[6];B[31hefe];W[double];B[take])", [], ["1 31: 8/5 6/5", "2 double", "3 take"]),
        ("(;FF[4]GM[2];B[d3];W[c3];B[b3])", [1, 2, 3], []),
    ],
)
def test_moves_of_other_games_are_numbered_where_their_pieces_are_and_listed_elsewhere(
    text: str, numbers_shown: list[int], listed: list[str]
) -> None:
    (figure,) = figures(text)

    assert sorted(printed(figure)) == numbers_shown
    assert [str(move) for move in figure.unshown] == listed


# ---- variations ----

TREE = (
    "(;FF[4]GM[1]SZ[19];B[aa];W[ca](;B[ea];FG[]W[ga](;B[ia];W[ka])(;B[ic];W[kc];FG[0:v]B[mc]))"
    "(;B[ee]C[first];W[ge](;B[ie])(;B[ig];W[kg]))(;AB[gg]))"
)


def test_variations_are_figures_after_those_of_the_main_line() -> None:
    found = figures(TREE)

    assert [(one.number, one.start, one.first, one.last) for one in found] == [
        (1, "0", 1, 3),
        (2, "4", 4, 6),
        (3, "2.1", 3, 5),
        (4, "2.2", 0, 0),
        (5, "4.1", 5, 6),
        (6, "4.1/2", 7, 7),
        (7, "2.1/1.1", 5, 6),
    ]
    assert [one.parent for one in found] == [None, None, 2, 2, 4, 4, 4]
    assert [one.origin for one in found] == [None, None, 1, 1, 2, 2, 3]
    assert [one.variations for one in found] == [(3, 4), (5, 6), (7,), (), (), (), ()]
    assert found[2].comments == ((3, "", "first"),)
    assert [one.name for one in found] == ["", "", "", "", "", "v", ""]
    assert figures(TREE, variations=False) == tuple(
        one.model_copy(update={"variations": ()}) for one in found[:2]
    )


def test_the_numbers_of_variations_go_on_or_begin_at_one() -> None:
    assert [printed(one) for one in figures(TREE)][2:] == [[3, 4, 5], [], [5, 6], [7], [5, 6]]
    restarted = figures(TREE, restart=True)
    assert [printed(one) for one in restarted][2:] == [[1, 2, 3], [], [1, 2], [3], [1, 2]]
    assert restarted[6].parent == 2


def test_the_number_before_a_variation_is_the_printed_one() -> None:
    nodes = long_game(110, {0: "PM[2]", 101: "FG[]"}).rstrip(")").split(";")
    text = f"{';'.join(nodes[:106])}(;{';'.join(nodes[106:])})(;W[zz]))"
    _, _, variation = figures(text)

    assert game(text).at(variation.start).move_number == 105
    assert (variation.origin, variation.parent) == (2, 4)
    assert printed(variation) == [5]


def test_a_variation_before_the_first_move_begins_after_move_0() -> None:
    assert figures("(;FF[4]SZ[9](;B[aa])(;B[bb]))")[1].parent == 0


# ---- other divisions ----


def test_a_game_is_divided_after_so_many_moves() -> None:
    found = figures(long_game(120, {10: "FG[]", 50: "C[x]", 51: "MN[200]"}), 50)

    assert [(one.first, one.last) for one in found] == [(1, 50), (200, 249), (250, 269)]
    assert [one.comments for one in found] == [((50, "", "x"),), (), ()]


def test_nodes_without_moves_after_the_last_one_belong_to_its_figure() -> None:
    text = "(;FF[4]GM[1]SZ[9];B[aa];W[ca];C[two];TR[aa];B[ea];W[ga];AB[ii];C[end])"
    found = figures(text, 2)

    assert [one.path for one in found] == ["4", "6", "8"]
    assert [printed(one) for one in found] == [[1, 2], [3, 4], []]
    assert [mark.kind for mark in found[0].diagram.marks] == [MarkKind.TRIANGLE]


def test_a_game_is_divided_after_its_comments() -> None:
    text = long_game(9, {0: "C[About.]", 3: "C[Three.]", 4: "C[ ]", 5: "N[five]", 7: "C[Seven.]"})
    found = figures(text, "comments")

    assert [(one.first, one.last) for one in found] == [(1, 3), (4, 7), (8, 9)]
    assert found[0].comments == ((0, "", "About."), (3, "", "Three."))


@pytest.mark.parametrize("split", ["fg", "", 0, -1])
def test_what_is_no_division_is_an_error(split: str | int) -> None:
    with pytest.raises(ValueError, match="no division"):
        figures("(;FF[4]SZ[9])", split)


def test_figures_show_a_part_of_the_board_if_asked_to() -> None:
    (figure,) = figures("(;FF[4]SZ[19];B[jj])", crop="auto")

    assert figure.diagram.crop == (Point(7, 7), Point(11, 11))


def test_letters_of_variations_are_not_in_figures() -> None:
    assert {one.diagram.variations for one in figures(TREE)} == {()}
    assert game(TREE).nodes[2].diagram().variations[0] == Label(Point(4, 0), "A")


# ---- cost ----


def test_figures_stop_where_they_would_have_too_many_stones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(figures_module, "MAX_STONES", 10_000)
    nodes = "".join(f";FG[]C[{number}]" for number in range(400))
    found = figures(f"(;FF[4]GM[1]SZ[52]AB[aa:ZZ]{nodes})")

    assert 1 < len(found) < 400
    assert sum(len(one.diagram.stones) for one in found) < 10_000 + 400 * 401 + 52 * 52
    assert f"{400 - len(found)} figures after this one" in found[-1].diagram.left_out[-1]
    assert all(number <= len(found) for one in found for number in one.variations)


def test_moves_are_counted_once_for_all_diagrams_and_figures_of_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[Nodes] = []
    arrays = Nodes.move_arrays

    def count(nodes: Nodes) -> MoveArrays:
        counted.append(nodes)
        return arrays(nodes)

    monkeypatch.setattr(Nodes, "move_arrays", count)
    game = sgf_lark.loads("(;FF[4]SZ[9]PM[2];B[aa]MN[7];W[bb](;B[cc])(;B[dd];W[ee]))")[0]

    for node in game:
        node.diagram(numbers="all")
        node.diagram(numbers="last")
    figures = game.figures() + game.figures(1, restart=True)

    assert [number.number for number in figures[0].diagram.numbers] == [7, 8, 9]
    assert counted == [game.nodes]

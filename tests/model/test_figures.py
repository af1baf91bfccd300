"""The figures of a game: FG with its flags, PM, MN, captured and repeated stones."""

from __future__ import annotations

from string import ascii_letters

import pytest

import sgf_lark
from sgf_lark import Color, GameFigure, GameTree, Point
from sgf_lark.core.model.content import MoveArrays
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.schema.values import FigureFlag
from sgf_lark.pictures.diagram import Remark
from sgf_lark.pictures.parts import Label, MarkKind
from sgf_lark.positions import figures as figures_module

#: Moves from here on would not fit on a board of 52 by 52.
MOST_MOVES = 26 * 26


def game(text: str) -> GameTree:
    return sgf_lark.loads(text, strict=False)[0]


def figures(text: str, split: str | int | None = "FG", **options: object) -> tuple[GameFigure, ...]:
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
REMOVED = {"ii": 1, "cb": 7, "ca": 5, "aa": 6}


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
        "9 at x",
    ]
    assert figure.repeated == ((2, 6), (3, 7), (4, 0), (9, 0))
    assert figure.diagram.notes == ("2 at 6, 3 at 7, 4 at B9, 8 pass, 9 at x",)


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
        ("1", "", 1, 10),
        ("2", "Two", 11, 20),
        ("3", "Three", 21, 30),
    ]
    assert [(one.start, one.path) for one in found] == [("0", "10"), ("11", "20"), ("21", "30")]
    assert [len(one.diagram.stones) for one in found] == [10, 20, 30]
    assert [len(one.diagram.numbers) for one in found] == [10, 10, 10]
    assert [one.comments for one in found] == [(), (), (Remark(30, "", "Last."),)]


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
    assert figure.comments == (Remark(7, "Name", "Here"),)
    assert figure.diagram.marks == ()
    assert figure.diagram.notes == ("Markup at 9 is not drawn.",)


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


def test_each_variation_comes_after_the_figure_in_which_it_begins() -> None:
    found = figures(TREE)

    assert [(one.number, one.start, one.first, one.last) for one in found] == [
        ("1", "0", 1, 3),
        ("1a", "2.1", 3, 5),
        ("1b", "2.1/1.1", 5, 6),
        ("1c", "2.2", 0, 0),
        ("2", "4", 4, 6),
        ("2a", "4.1", 5, 6),
        ("2b", "4.1/2", 7, 7),
    ]
    assert [one.parent for one in found] == [None, 2, 4, 2, None, 4, 4]
    assert [one.origin for one in found] == [None, "1", "1a", "1", None, "2", "2"]
    assert [one.variations for one in found] == [
        *(("1a", "1c"), ("1b",), (), ()),
        *(("2a", "2b"), (), ()),
    ]
    assert found[1].comments == (Remark(3, "", "first"),)
    assert [one.name for one in found] == ["", "", "", "", "", "", "v"]
    assert [one.diagram for one in figures(TREE, variations=False)] == [
        found[0].diagram,
        found[4].diagram,
    ]


def test_more_variations_than_letters_go_on_with_two() -> None:
    found = figures(f"(;FF[4]GM[1]SZ[9];B[aa]{'(;W[bb])' * 29})")

    assert [one.number for one in found[25:]] == ["1y", "1z", "1aa", "1ab"]


def test_the_numbers_of_variations_go_on_or_begin_at_one() -> None:
    shown = [printed(one) for one in figures(TREE) if one.parent]
    assert shown == [[3, 4, 5], [5, 6], [], [5, 6], [7]]
    restarted = figures(TREE, restart=True)
    shown = [printed(one) for one in restarted if one.parent]
    assert shown == [[1, 2, 3], [1, 2], [], [1, 2], [3]]
    assert restarted[2].parent == 2


def test_the_number_before_a_variation_is_the_printed_one() -> None:
    nodes = long_game(110, {0: "PM[2]", 101: "FG[]"}).rstrip(")").split(";")
    text = f"{';'.join(nodes[:106])}(;{';'.join(nodes[106:])})(;W[zz]))"
    _, _, variation = figures(text)

    assert game(text).at(variation.start).move_number == 105
    assert (variation.origin, variation.parent) == ("2", 4)
    assert printed(variation) == [5]


def test_a_variation_before_the_first_move_begins_after_move_0() -> None:
    assert figures("(;FF[4]SZ[9](;B[aa])(;B[bb]))")[1].parent == 0


# ---- other divisions ----


def test_a_game_is_divided_after_so_many_moves() -> None:
    found = figures(long_game(120, {10: "FG[]", 50: "C[x]", 51: "MN[200]"}), 50)

    assert [(one.first, one.last) for one in found] == [(1, 50), (200, 249), (250, 269)]
    assert [one.comments for one in found] == [(Remark(50, "", "x"),), (), ()]


def test_nodes_without_moves_after_the_last_one_belong_to_its_figure() -> None:
    text = "(;FF[4]GM[1]SZ[9];B[aa];W[ca];C[two];TR[aa];B[ea];W[ga];AB[ii];C[end])"
    found = figures(text, 2)

    assert [one.path for one in found] == ["4", "6", "8"]
    assert [printed(one) for one in found] == [[2], [3, 4], []]
    assert found[0].diagram.notes == ("1 at A9",)
    assert [mark.kind for mark in found[0].diagram.marks] == [MarkKind.TRIANGLE]


def test_a_game_is_divided_after_its_comments() -> None:
    text = long_game(9, {0: "C[About.]", 3: "C[Three.]", 4: "C[ ]", 5: "N[five]", 7: "C[Seven.]"})
    found = figures(text, "comments")

    assert [(one.first, one.last) for one in found] == [(1, 3), (4, 7), (8, 9)]
    assert found[0].comments == (Remark(0, "", "About."), Remark(3, "", "Three."))


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


# ---- as the record needs it ----


def test_a_figure_ends_where_a_comment_speaks_of_markup() -> None:
    text = long_game(
        9, {2: "C[Two.]", 3: "C[See A.]LB[zz:A]", 5: "LB[yy:B]", 7: "C[The cross.]MA[aa]"}
    )
    found = figures(text, None)

    assert [(one.first, one.last) for one in found] == [(1, 3), (4, 7), (8, 9)]
    assert [label.text for one in found for label in one.diagram.labels] == ["A"]
    assert [one.diagram.notes for one in found] == [(), ("Markup at 5 is not drawn.",), ()]
    assert figures(text, "FG")[0].last == 9


@pytest.mark.parametrize("markup", ["CR[ca]", "TR[ca]SL[ca]", "LB[]", ""])
def test_a_mark_on_the_move_itself_ends_no_figure(markup: str) -> None:
    text = f"(;FF[4]GM[1]SZ[9];B[aa];W[ca]C[Good.]{markup};B[ea])"

    assert [(one.first, one.last) for one in figures(text, None)] == [(1, 3)]


def test_a_game_is_divided_at_fg_or_after_fifty_moves() -> None:
    bare, with_figures = long_game(120, {}), long_game(120, {70: "FG[]"})

    assert [one.last for one in figures(bare, None)] == [50, 100, 120]
    assert [one.last for one in figures(with_figures, None)] == [69, 120]
    assert game(bare).figures() == figures(bare, None)


def test_more_markup_than_a_line_names_is_counted() -> None:
    text = long_game(20, dict.fromkeys(range(1, 20), "LB[zz:A]"))
    (figure,) = figures(text)

    assert figure.diagram.notes[0] == (
        "Markup at 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 9 more is not drawn."
    )


# ---- labels and numbers ----


@pytest.mark.parametrize("flags", ["FG[256:]", "FG[0:]"])
def test_a_label_takes_the_place_of_a_number_which_is_listed(flags: str) -> None:
    text = (
        f"(;FF[4]GM[1]SZ[9];{flags}B[aa];W[ca];B[ea];W[ga];B[ia];W[ac]"
        "LB[aa:A][ca:4][ea:x][ga:x][ia:5]MA[ac])"
    )
    (figure,) = figures(text)

    assert numbers(figure) == {"ac": 6}
    assert [str(move) for move in figure.unshown] == ["1 at A", "2 at C9", "3 at E9", "4 at G9"]


def test_a_diagram_has_no_number_where_something_else_is_written() -> None:
    last = game("(;FF[4]GM[1]SZ[9];B[aa];W[ca];B[ea];W[ga]LB[aa:A]TR[ca]CR[ga])").main_line()[-1]

    shown = last.diagram(numbers="all")
    assert [one.number for one in shown.numbers] == [3, 4]
    assert last.diagram(numbers=(1, 4)).notes == ("1 at A, 2 at C9",)


# ---- annotations ----


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("BM[1]", "? bad move"),
        ("BM[2]", "?? very bad move"),
        ("TE[1]", "! tesuji"),
        ("DO[]", "?! doubtful move"),
        ("IT[]", "!? interesting move"),
        ("GB[2]", "very good for Black"),
        ("GW[1]", "good for White"),
        ("UC[1]", "unclear position"),
        ("DM[1]", "even position"),
        ("HO[1]", "hotspot"),
    ],
)
def test_annotations_are_said_in_signs_and_words(value: str, words: str) -> None:
    (figure,) = figures(f"(;FF[4]GM[1]SZ[9];B[aa];W[ca]{value};B[ea])")

    assert figure.comments == (Remark(2, annotations=(words,)),)


# ---- problems ----

PROBLEM = (
    "(;FF[4]GM[1]SZ[19]AB[ab][bb]AW[bc][cb]C[Kill.](;W[aa];B[ba];W[ca]C[Dead.])"
    "(;W[ba]C[No.];B[aa](;W[ca]BM[1];B[ea])(;W[da]))(;W[ca]BM[1]))"
)


def test_a_problem_begins_with_its_position_then_come_solution_and_failures() -> None:
    found = game(PROBLEM).figures()

    assert [(one.number, one.name, one.first, one.last) for one in found] == [
        ("1", "White to play", 0, 0),
        ("2", "Solution", 1, 3),
        ("2a", "Failure 2a", 1, 4),
        ("2b", "", 3, 3),
        ("2c", "Failure 2c", 1, 1),
    ]
    assert [one.origin for one in found] == [None, None, "2", "2a", "2"]
    assert {one.diagram.crop for one in found[:2]} == {(Point(0, 0), Point(4, 4))}
    assert found[0].diagram.title == "White to play"
    assert game(PROBLEM.replace("SZ[19]", "SZ[19]VW[aa:ff]")).figures()[1].diagram.crop == (
        Point(0, 0),
        Point(5, 5),
    )


@pytest.mark.parametrize(
    ("change", "is_problem"),
    [
        ("PB[Black]PW[White]HA[0]RE[]", True),
        ("PB[Aoki]", False),
        ("RE[B+R]", False),
        ("HA[2]", False),
    ],
)
def test_a_problem_names_no_players_no_result_and_no_handicap(
    change: str, *, is_problem: bool
) -> None:
    first = game(PROBLEM.replace("SZ[19]", f"SZ[19]{change}")).figures()[0]

    assert (first.name == "White to play") is is_problem


def test_a_long_game_from_a_position_is_no_problem() -> None:
    found = figures(long_game(60, {0: "AB[zz]"}), None)

    assert [one.name for one in found] == ["", ""]


@pytest.mark.parametrize(("side", "name"), [("PL[W]", "White to play"), ("", "Position")])
def test_who_is_to_play_without_a_solution_is_what_pl_says(side: str, name: str) -> None:
    (figure,) = game(f"(;FF[4]GM[1]SZ[9]AB[ee]{side})").figures()

    assert figure.name == name


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
    shown = {one.number for one in found}
    assert shown.issuperset(number for one in found for number in one.variations)


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


def test_variations_of_a_figure_have_consecutive_letters() -> None:
    game = sgf_lark.loads("(;FF[4]GM[1]SZ[9];B[aa](;W[bb];B[cc])(;W[dd])(;W[ee])(;W[ff]))")[0]

    assert [figure.number for figure in game.figures()] == ["1", "1a", "1b", "1c"]


def test_a_main_line_that_is_bad_is_a_failure_and_no_solution() -> None:
    text = "(;FF[4]GM[1]SZ[9]AB[aa]AW[bb](;B[ab]BM[1];W[ba])(;B[ba]TE[1];W[ab]))"
    names = [figure.name for figure in sgf_lark.loads(text)[0].figures()]

    assert names[:2] == ["Black to play", "Failure 2"]
    assert "Solution" not in names

"""The diagram at a node: what the node says, and what it inherits."""

from __future__ import annotations

import re
from string import ascii_letters

import pytest

import sgf_lark
from sgf_lark import Color, Diagram, GameTree, Point
from sgf_lark.pictures.parts import Label, Line, Mark, MarkKind

#: The page of DD and VW, in FF[4]; node 1 dims 23 points and hides 37.
PAGE = (
    "(;GM[1]SZ[9]FF[4]AB[ac:ic]AW[ae:ie];DD[aa:bi][ca:ce]"
    "VW[aa:bi][ca:ee][ge:ie][ga:ia][gc:ic][gb][ib])"
)


def game(text: str) -> GameTree:
    return sgf_lark.loads(text, strict=False)[0]


def diagrams(text: str, **options: object) -> list[Diagram]:
    return [node.diagram(**options) for node in game(text).nodes]  # type: ignore[arg-type]


def point(name: str) -> Point:
    return Point(*map(ascii_letters.index, name))


def names(points: object) -> list[str] | None:
    """Points as the record writes them."""
    if points is None:
        return None
    assert isinstance(points, tuple)
    return ["".join(ascii_letters[place] for place in one) for one in points]


def numbers(diagram: Diagram) -> dict[str, int]:
    return {names((one.point,))[0]: one.number for one in diagram.numbers}  # type: ignore[index]


# ---- what the standard shows ----


def test_the_picture_of_the_page_dims_and_hides_the_points_that_it_lists() -> None:
    first, second = diagrams(PAGE)

    assert (first.dim, first.view, first.crop) == ((), None, None)
    assert len(second.dim) == 23
    assert second.view is not None
    assert len(second.view) == len(set(second.view)) == 44
    assert point("hb") not in second.view
    assert second.crop == (Point(0, 0), Point(8, 8))
    assert {stone.color for stone in second.stones} == {Color.BLACK, Color.WHITE}


def test_every_markup_is_in_the_diagram_of_its_node_and_no_other() -> None:
    before, here, after = diagrams(
        "(;FF[4]SZ[9];B[ee]CR[aa]MA[ba]SL[ca]SQ[da]TR[ee]LB[ab:x][bb:two]LN[ac:cc]AR[ad:cd]"
        "TB[ae:be]TW[ce]N[Here];W[ef])"
    )

    assert [(names((mark.point,)), mark.kind) for mark in here.marks] == [
        (["aa"], MarkKind.CIRCLE),
        (["ba"], MarkKind.CROSS),
        (["ca"], MarkKind.SELECTED),
        (["da"], MarkKind.SQUARE),
        (["ee"], MarkKind.TRIANGLE),
    ]
    assert here.labels == (Label(point("ab"), "x"), Label(point("bb"), "two"))
    assert here.lines == (Line(point("ac"), point("cc")),)
    assert here.arrows == (Line(point("ad"), point("cd")),)
    assert [(names((area.point,)), area.color) for area in here.territory] == [
        (["ae"], Color.BLACK),
        (["be"], Color.BLACK),
        (["ce"], Color.WHITE),
    ]
    assert here.title == "Here"
    assert names(here.last) == ["ee"]
    for other in before, after:
        assert (other.marks, other.labels, other.lines, other.arrows) == ((), (), (), ())
        assert (other.territory, other.title) == ((), "")


@pytest.mark.parametrize(("ident", "field"), [("DD", "dim"), ("VW", "view")])
def test_points_are_dimmed_and_hidden_until_they_are_replaced_or_cleared(
    ident: str, field: str
) -> None:
    found = diagrams(
        f"(;FF[4]SZ[9];{ident}[aa];B[ee](;{ident}[bb];W[ef];{ident}[];B[ff])(;W[gg](;B[hh])"
        f"(;{ident}[cc:cd];B[ii];{ident}[dd]{ident}[ee])))"
    )
    none: list[str] | None = [] if ident == "DD" else None

    assert [names(getattr(diagram, field)) or none for diagram in found] == [
        *(none, ["aa"], ["aa"]),
        *(["bb"], ["bb"], none, none),
        *(["aa"], ["aa"]),
        *(["cc", "cd"], ["cc", "cd"], ["dd", "ee"]),
    ]


def test_a_view_or_dim_points_at_the_root_hold_for_the_game() -> None:
    found = diagrams("(;FF[4]SZ[9]VW[aa:cc]DD[aa](;B[ee];W[ef])(;B[gg]))")

    assert {diagram.view and len(diagram.view) for diagram in found} == {9}
    assert {diagram.dim for diagram in found} == {(point("aa"),)}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(;FF[1]GM[1]SZ[9]VW[cc][ee];B[dd])", 9),
        ("(;FF[1]GM[1]SZ[9]VW[ee][cc];B[dd])", 9),
        ("(;FF[1]GM[1]SZ[9]VW[ea][ae];B[dd])", 25),
        ("(;FF[3]GM[1]SZ[9]VW[cc][ee];B[dd])", 9),
        ("(;FF[3]GM[1]SZ[9]VW[cc][ee][dd];B[dd])", 3),
        ("(;FF[3]GM[1]SZ[9]VW[];B[dd])", None),
        ("(;FF[4]GM[1]SZ[9]VW[cc][ee];B[dd])", 2),
    ],
)
def test_two_points_of_an_old_view_are_the_corners_of_a_rectangle(
    text: str, shown: int | None
) -> None:
    for diagram in diagrams(text):
        assert (diagram.view and len(diagram.view)) == shown


def test_marks_of_ff1_are_triangles_on_stones_and_crosses_elsewhere() -> None:
    _, diagram = diagrams("(;FF[1]GM[1]SZ[9];B[ee]M[ee][ff])")

    assert diagram.marks == (
        Mark(point("ee"), MarkKind.TRIANGLE),
        Mark(point("ff"), MarkKind.CROSS),
    )


def test_letters_of_ff1_skip_points_that_have_a_label() -> None:
    _, first = diagrams("(;FF[1]GM[1]SZ[19];B[pd]L[aa][bb][cc])")
    _, second = diagrams("(;FF[3]GM[1]SZ[19];B[pd]LB[bb:7]L[aa][bb][cc])")
    many = "".join(f"[{one}{other}]" for one in "ab" for other in "abcdefghijklmnopqrs")
    _, third = diagrams(f"(;FF[1]GM[1]SZ[19];B[pd]L{many})")

    assert [label.text for label in first.labels] == ["A", "B", "C"]
    assert dict(second.labels) == {point("aa"): "A", point("bb"): "7", point("cc"): "B"}
    assert [label.text for label in third.labels][24:29] == ["Y", "Z", "AA", "AB", "AC"]


@pytest.mark.parametrize("old", ["1", "3"])
def test_markup_of_a_newer_format_is_drawn_in_an_older_one(old: str) -> None:
    _, diagram = diagrams(
        f"(;FF[{old}]GM[1]SZ[9];B[ee]SQ[aa:bb]LN[aa:ab]DD[cc]TR[ee]LB[ff:x]CR[gg:hh])"
    )

    kinds = [mark.kind for mark in diagram.marks]
    assert kinds.count(MarkKind.SQUARE) == kinds.count(MarkKind.CIRCLE) == 4
    assert diagram.lines == (Line(point("aa"), point("ab")),)
    assert names(diagram.dim) == ["cc"]
    assert diagram.labels == (Label(point("ff"), "x"),)


def test_marks_and_letters_of_ff1_are_drawn_in_a_newer_format() -> None:
    _, diagram = diagrams("(;FF[4]GM[1]SZ[9];B[ee]M[ee][ff]L[gg])")

    assert [mark.kind for mark in diagram.marks] == [MarkKind.TRIANGLE, MarkKind.CROSS]
    assert diagram.labels == (Label(point("gg"), "A"),)


# ---- variations ----

FORK = "(;FF[4]SZ[9]{}(;B[aa];W[ab])(;B[ba]{};W[bb])(;B[ca])(;AB[dd])(;B[])(;B[ca]))"


@pytest.mark.parametrize(
    ("style", "at_root", "at_second"),
    [
        ("", ["aaA", "baB", "caC"], []),
        ("ST[0]", ["aaA", "baB", "caC"], []),
        ("ST[1]", [], ["aaA", "caC"]),
        ("ST[2]", [], []),
        ("ST[3]", [], []),
        ("ST[4]", ["aaA", "baB", "caC"], []),
    ],
)
def test_variations_are_shown_as_st_says(
    style: str, at_root: list[str], at_second: list[str]
) -> None:
    nodes = game(FORK.format(style, "")).nodes

    def letters(node: int) -> list[str]:
        found = nodes[node].diagram().variations
        return [f"{names((label.point,))[0]}{label.text}" for label in found]  # type: ignore[index]

    assert letters(0) == at_root
    assert letters(3) == at_second
    assert nodes[0].diagram(markup=False).variations == ()


def test_the_asker_may_choose_the_style_of_variations() -> None:
    nodes = game(FORK.format("ST[3]", "")).nodes

    assert [label.text for label in nodes[0].diagram(style=0).variations] == ["A", "B", "C"]
    assert [label.text for label in nodes[3].diagram(style=1).variations] == ["A", "C"]


def test_letters_of_variations_are_no_labels_and_on_no_marks() -> None:
    nodes = game(FORK.format("LB[ii:A][hh:C]MA[aa]", "")).nodes

    found = nodes[0].diagram().variations
    assert found == (Label(point("ba"), "B"), Label(point("ca"), "D"))


def test_one_continuation_is_no_variation() -> None:
    assert [diagram.variations for diagram in diagrams("(;FF[4]SZ[9];B[aa];W[bb])")] == [()] * 3


# ---- numbers ----

LINE = "(;FF[4]SZ[9];B[aa];W[ba];C[no move];B[ca];W[da](;B[ea];W[fa])(;W[ga];B[ha];W[ia]))"


def test_no_numbers_are_shown_unless_asked_for() -> None:
    for node in game(LINE).nodes:
        assert node.diagram().numbers == node.diagram(numbers="none").numbers == ()


def test_the_last_number_is_on_the_last_move() -> None:
    found = [numbers(diagram) for diagram in diagrams(LINE, numbers="last")]

    assert found == [
        *({}, {"aa": 1}, {"ba": 2}, {"ba": 2}, {"ca": 3}, {"da": 4}, {"ea": 5}, {"fa": 6}),
        *({"ga": 5}, {"ha": 6}, {"ia": 7}),
    ]


@pytest.mark.parametrize(
    "wanted", ["3-5", range(3, 6), (3, 5)], ids=["text", "range", "first and last"]
)
def test_a_range_shows_its_numbers(wanted: object) -> None:
    found = diagrams(LINE, numbers=wanted)

    assert numbers(found[7]) == {"ca": 3, "da": 4, "ea": 5}
    assert numbers(found[3]) == {}
    assert numbers(found[10]) == {"ca": 3, "da": 4, "ga": 5}


def test_moves_of_a_range_without_a_number_on_the_board_are_noted() -> None:
    # Black 5 captures 2; White 6 passes; 7 is played where 2 was, and 8 is off the board.
    text = "(;FF[4]GM[1]SZ[9];B[ba];W[aa];B[ab];W[ee];B[gg];W[];B[aa];W[zz];B[ff])"
    last = game(text).nodes[-1]

    assert last.diagram(numbers="1-9").notes == ("2 at 7, 6 pass",)
    assert last.diagram(numbers="1-4").notes == ("2 at A9",)
    assert last.diagram(numbers="3-5").notes == ()
    assert game(text).nodes[3].diagram(numbers=(1, 3)).notes == ("2 at A9",)
    assert [last.diagram(numbers=one).notes for one in ("all", "last", None)] == [(), (), ()]


def test_moves_without_a_number_are_counted_as_the_others_of_a_variation() -> None:
    text = "(;FF[4]GM[1]SZ[9];B[ba];W[ee](;B[ff])(;B[ab];W[aa];B[];W[aa];MN[40]B[]))"
    last = game(text).nodes[-1]

    assert last.diagram(numbers="2-99").notes == ("4 at A9, 5 pass, 6 at A9, 40 pass",)
    assert last.diagram(numbers="1-4", restart=True).notes[0].endswith("3 pass, 4 at A9")


def test_numbers_of_a_figure_begin_at_fg_or_where_the_variation_begins() -> None:
    text = LINE.replace(";B[ca]", ";FG[]B[ca]").replace(";B[ha]", ";FG[0:x]B[ha]")
    found = [numbers(diagram) for diagram in diagrams(text, numbers="figure")]

    assert found[3] == {"aa": 1, "ba": 2}
    assert found[4] == {"ca": 3}
    assert found[7] == {"ca": 3, "da": 4, "ea": 5, "fa": 6}
    assert found[8] == {"ga": 5}
    assert found[10] == {"ha": 6, "ia": 7}


def test_numbers_of_a_variation_may_begin_at_one() -> None:
    variation = game(LINE).nodes[10]

    assert numbers(variation.diagram(numbers="figure")) == {"ga": 5, "ha": 6, "ia": 7}
    assert numbers(variation.diagram(numbers="figure", restart=True)) == {
        "ga": 1,
        "ha": 2,
        "ia": 3,
    }
    assert numbers(variation.diagram(numbers="2-9", restart=True)) == {"ha": 2, "ia": 3}
    assert len(numbers(variation.diagram(numbers="all"))) == 7


def test_mn_gives_the_number_of_its_move_and_the_next_count_on() -> None:
    text = LINE.replace(";W[ba]", ";MN[100]W[ba]").replace(";W[ga]", ";MN[1]W[ga]")
    found = [numbers(diagram) for diagram in diagrams(text, numbers="all")]

    assert found[2] == {"aa": 1, "ba": 100}
    assert found[7] == {"aa": 1, "ba": 100, "ca": 101, "da": 102, "ea": 103, "fa": 104}
    assert found[10] == {"aa": 1, "ba": 100, "ca": 101, "da": 102, "ga": 1, "ha": 2, "ia": 3}
    assert [numbers(one) for one in diagrams(text, numbers="last")][10] == {"ia": 3}
    assert numbers(diagrams(text, numbers="101-103")[10]) == {"ca": 101, "da": 102}


def test_mn_without_a_move_sets_the_number_of_the_move_before_the_next() -> None:
    found = diagrams("(;FF[4]SZ[9];B[aa];MN[9];W[bb];MN[x]B[cc])", numbers="all")

    assert [numbers(one) for one in found[1:]] == [
        {"aa": 1},
        {"aa": 1},
        {"aa": 1, "bb": 10},
        {"aa": 1, "bb": 10, "cc": 11},
    ]


@pytest.mark.parametrize("wanted", ["first", "5-", "-5", "5-3", "1-2-3", "", "1 - 2"])
def test_what_is_no_choice_of_numbers_is_an_error(wanted: str) -> None:
    with pytest.raises(ValueError, match="no numbers"):
        game(LINE).root.diagram(numbers=wanted)


def test_captured_and_replaced_stones_have_no_number() -> None:
    text = "(;FF[4]SZ[9];B[aa];W[ba];B[ii];W[ab];B[hh];W[aa];AE[aa]AB[ii];AW[aa])"
    found = [numbers(diagram) for diagram in diagrams(text, numbers="all")]

    assert found[3] == {"aa": 1, "ba": 2, "ii": 3}
    assert found[4] == {"ba": 2, "ii": 3, "ab": 4}
    assert found[6] == {"ba": 2, "ii": 3, "ab": 4, "hh": 5, "aa": 6}
    assert found[7] == found[8] == {"ba": 2, "ab": 4, "hh": 5}


def test_numbers_of_pieces_move_with_them() -> None:
    text = "(;FF[4]GM[9];B[b1-b3];W[a2-c2];B[b3-d3])"
    found = diagrams(text, numbers="all")

    assert [sorted(one.number for one in diagram.numbers) for diagram in found] == [
        [],
        [1],
        [1, 2],
        [2, 3],
    ]


# ---- view, findings, crop ----


def test_view_and_markup_may_be_left_out() -> None:
    node = game("(;FF[4]SZ[9]VW[aa:cc]DD[aa]TR[bb]LB[cc:x])").root

    assert node.diagram(view=False).view is None
    bare = node.diagram(markup=False)
    assert (bare.marks, bare.labels, bare.dim) == ((), (), ())
    assert bare.view is not None


def test_findings_are_marked_on_any_point_of_the_board() -> None:
    found = (
        game("(;FF[4]SZ[9];B[ee]TR[ee])")
        .nodes[1]
        .diagram(markup=False, findings=[Point(4, 4), Point(9, 0), Point(0, 8)])
    )

    assert found.marks == (
        Mark(Point(4, 4), MarkKind.FINDING),
        Mark(Point(0, 8), MarkKind.FINDING),
    )


@pytest.mark.parametrize(
    ("text", "crop", "corners"),
    [
        ("(;FF[4]SZ[19]AB[cc])", "auto", ("aa", "ee")),
        ("(;FF[4]SZ[19]AB[jj])", "auto", ("hh", "ll")),
        ("(;FF[4]SZ[19]AB[jj]LB[dd:x])", "auto", ("aa", "ll")),
        ("(;FF[4]SZ[19]AB[jj]AR[jj:pj])", "auto", ("hh", "sl")),
        ("(;FF[4]SZ[19])", "auto", None),
        ("(;FF[4]SZ[19])", "cc-ff", ("cc", "ff")),
        ("(;FF[4]SZ[19])", "ff-cc", ("cc", "ff")),
        ("(;FF[4]SZ[19])", "C17-F14", ("cc", "ff")),
        ("(;FF[4]SZ[19]VW[aa:jj])", None, ("aa", "jj")),
        ("(;FF[4]SZ[19]VW[aa:jj])", "cc-ss", ("cc", "jj")),
        ("(;FF[4]SZ[19]VW[aa:jj]AB[cc][qq])", "auto", ("aa", "ee")),
        ("(;FF[4]SZ[19]VW[aa:cc])", "ff-gg", ("ff", "gg")),
    ],
)
def test_a_part_of_the_board_is_chosen_by_corners_by_content_and_by_view(
    text: str, crop: str | None, corners: tuple[str, str] | None
) -> None:
    found = game(text).root.diagram(crop=crop).crop

    assert found == (corners and (point(corners[0]), point(corners[1])))


@pytest.mark.parametrize("crop", ["cc", "cc-zz", "-", "all", "cc-"])
def test_corners_that_the_board_does_not_have_are_an_error(crop: str) -> None:
    with pytest.raises(ValueError, match=r"no (range|point)"):
        game("(;FF[4]SZ[9])").root.diagram(crop=crop)


# ---- damage ----


def test_what_cannot_be_drawn_is_left_out_and_named() -> None:
    _, diagram = diagrams(
        "(;FF[4]SZ[9];B[Q16]AW[zz][aa:zz]TR[zz][ee][x]LB[ee][zz:x][aa:x][aa:y]AR[aa:aa][aa:bb]"
        "LN[aa][aa:zz]TB[cc]TW[cc]CR[hh:zz])"
    )

    assert diagram.arrows == (Line(point("aa"), point("bb")),)
    assert diagram.lines == ()
    assert diagram.labels == (Label(point("aa"), "x"),)
    assert [mark.kind for mark in diagram.marks] == [MarkKind.TRIANGLE, *[MarkKind.CIRCLE] * 4]
    assert [re.split(r"[ :]", words)[0] for words in diagram.left_out] == [
        *("B[Q16]", "AW[zz]", "AW[aa", "TR[zz]", "TR[x]"),
        *("LB[ee]", "LB[zz", "LB[aa", "AR[aa", "LN[aa]", "LN[aa", "TW", "CR[hh"),
        "a",
    ]
    assert diagram.left_out[-1].endswith("the board may be wrong")
    assert "lies outside the board of 9 by 9" in diagram.left_out[1]
    assert "lies partly outside" in diagram.left_out[2]


def test_a_view_of_no_point_of_the_board_shows_all_of_it() -> None:
    diagram = game("(;FF[4]SZ[9]VW[zz])").root.diagram()

    assert diagram.view is None
    assert diagram.left_out == ("VW[zz] lies outside the board of 9 by 9",)


def test_few_of_many_damages_are_named() -> None:
    marks = "".join(f"[z{letter}]" for letter in ascii_letters)

    left_out = game(f"(;FF[4]SZ[9]TR{marks})").root.diagram().left_out
    assert len(left_out) == 21
    assert left_out[-1] == "more that cannot be drawn"


def test_a_record_of_an_unknown_game_says_that_it_has_no_board() -> None:
    with pytest.raises(ValueError, match=r"no (rules|board) of"):
        game("(;FF[4]GM[7])").root.diagram()


def test_a_diagram_is_json() -> None:
    for diagram in diagrams(PAGE, numbers="all"):
        assert Diagram.model_validate_json(diagram.model_dump_json()) == diagram

"""Edges of writing: values that the end of a text cuts off, text between games, the first node."""

from __future__ import annotations

import pytest
from support.writing import written

import sgf_lark
from sgf_lark import Collection, GameTree, dumps, format_record, loads


def with_values(text: str, ident: str, values: list[str] | str) -> str:
    """A text after the values of a property of its last node were set."""
    collection = loads(text, strict=False)
    draft = collection[0].edit()
    draft.set(len(collection[0]) - 1, ident, values)
    return dumps(collection.replace(0, draft.done()))


# ---- values ----


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        # white space between values stays with the value before it
        ("AB[aa] [bb]\n[cc]", ["aa", "dd", "cc"], "AB[aa] [dd]\n[cc]"),
        ("AB[aa] [bb]\n[cc]", ["dd", "bb", "cc"], "AB[dd] [bb]\n[cc]"),
        ("AB[aa] [bb]\n[cc]", ["aa", "bb", "dd"], "AB[aa] [bb]\n[dd]"),
        ("AB[aa] [bb]\n[cc]", ["aa", "cc"], "AB[aa][cc]"),
        ("AB[aa] [bb]\n[cc]", ["bb", "cc"], "AB[bb]\n[cc]"),
        ("AB[aa] [bb]\n[cc]", ["aa", "bb"], "AB[aa] [bb]"),
        ("AB[aa] [bb]\n[cc]", ["aa"], "AB[aa]"),
        ("AB[aa] [bb]", ["aa", "bb", "cc"], "AB[aa] [bb][cc]"),
        ("AB[aa] [bb]", ["cc", "aa", "bb"], "AB[cc][aa] [bb]"),
        ("AB[aa] [bb]", ["aa", "cc", "bb"], "AB[aa][cc] [bb]"),
        ("AB[aa] [aa]", ["aa"], "AB[aa]"),
    ],
)
def test_changed_values_take_the_places_of_the_old_ones(
    before: str, values: list[str], after: str
) -> None:
    text = "(;FF[4]SZ[19];{} C[x])"

    assert with_values(text.format(before), "AB", values) == text.format(after)


@pytest.mark.parametrize(
    ("values", "after"),
    [
        (["cc", "bb"], "[cc][bb]"),
        (["aa", "cc"], "[aa][cc]"),
        (["cc"], "[cc]"),
        (["aa", "bb", "cc"], "[aa][bb][cc]"),
    ],
)
def test_a_value_that_the_end_of_the_text_cuts_off_is_closed_once(
    values: list[str], after: str
) -> None:
    changed = with_values("(;FF[4]SZ[19];AB[aa][bb", "AB", values)

    assert changed == f"(;FF[4]SZ[19];AB{after})"
    assert loads(changed, strict=False)[0].nodes[1].raw["AB"] == tuple(values)


# ---- text between games ----

TEXT = "intro (;FF[4]PB[a]) mid (;FF[4]PB[b]) more (;FF[4]PB[c]) bye"


@pytest.mark.parametrize(
    ("order", "written"),
    [
        ("abc", TEXT),
        ("ac", "intro (;FF[4]PB[a]) mid (;FF[4]PB[c]) bye"),
        ("bc", "(;FF[4]PB[b]) more (;FF[4]PB[c]) bye"),
        ("c", "(;FF[4]PB[c]) bye"),
        ("ba", "(;FF[4]PB[b]) more (;FF[4]PB[a]) mid "),
        ("aa", "intro (;FF[4]PB[a]) mid (;FF[4]PB[a]) bye"),
        ("nb", "(;FF[4]PB[n]) mid (;FF[4]PB[b]) more "),
        ("anc", "intro (;FF[4]PB[a]) mid (;FF[4]PB[n]) more (;FF[4]PB[c]) bye"),
    ],
)
def test_the_text_after_a_game_goes_with_it(order: str, written: str) -> None:
    collection = loads(TEXT, strict=False)
    (new,) = loads("(;FF[4]PB[n])")
    games = dict(zip("abcn", [*collection, new], strict=True))
    made = collection.model_copy(update={"games": tuple(games[name] for name in order)})

    assert dumps(made).replace("\n", "") == written


def test_games_without_a_text_have_a_line_each() -> None:
    games = loads("(;FF[4]PB[a])")[0], loads("(;FF[4]PB[b])")[0]

    assert dumps(Collection(games=games)) == "(;FF[4]PB[a])\n(;FF[4]PB[b])"
    assert dumps(Collection(games=games), style="compact") == "(;FF[4]PB[a])\n(;FF[4]PB[b])"


# ---- encodings ----

CHINESE = "(;FF[4]CA[GB2312]PB[古力])".encode("gb2312")
TAIWANESE = "(;FF[4]CA[Big5]PB[張栩])".encode("big5")


def test_games_of_one_encoding_keep_it_and_those_of_several_become_utf_8() -> None:
    (one,), (other,) = loads(CHINESE), loads(TAIWANESE)

    assert written(Collection(games=(one,))) == CHINESE
    assert written(Collection(games=(one, one))) == CHINESE + b"\n" + CHINESE
    assert written(Collection(games=(one, other))).decode("utf-8").split("\n") == [
        "(;FF[4]CA[UTF-8]PB[古力])",
        "(;FF[4]CA[UTF-8]PB[張栩])",
    ]
    assert written(loads(CHINESE + TAIWANESE)) == CHINESE + TAIWANESE


# ---- layouts ----


def formatted(text: str, **layout: int) -> list[str]:
    return format_record(text.encode(), **layout).decode().splitlines()  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("layout", [{}, {"width": 60}])
def test_the_first_node_has_a_line_for_the_root_and_one_for_each_other_property(
    layout: dict[str, int],
) -> None:
    text = "(;PB[a]FF[4]GM[1]XX[1]C[x]SZ[19]AP[x:1];B[aa]C[y])"

    assert formatted(text, **layout) == [
        "(;FF[4]AP[x:1]GM[1]SZ[19]",
        "PB[a]",
        "C[x]",
        "XX[1]",
        ";B[aa]C[y]",
        ")",
    ]
    assert formatted("(;FF[4]XX[1])", **layout) == ["(;FF[4]", "XX[1]", ")"]
    assert formatted("(;XX[1];B[aa])", **layout) == ["(;XX[1]", ";B[aa]", ")"]


def test_lines_are_as_long_as_their_width_and_no_longer() -> None:
    text = "(;FF[4];AB[aa][ba][ca][da])"

    assert formatted(text, width=18) == ["(;FF[4]", ";AB[aa][ba][ca][da]"[:15], "[da]", ")"]
    assert formatted(text, width=19) == ["(;FF[4]", ";AB[aa][ba][ca][da]", ")"]


def test_a_line_has_the_nodes_that_were_asked_for() -> None:
    text = "(;FF[4];B[aa];W[bb];B[cc];W[dd];B[ee])"

    assert formatted(text, nodes=2)[1:] == [";B[aa];W[bb]", ";B[cc];W[dd]", ";B[ee]", ")"]
    assert formatted(text, nodes=5)[1:] == [";B[aa];W[bb];B[cc];W[dd];B[ee]", ")"]


def test_each_level_of_variations_is_indented() -> None:
    text = "(;FF[4](;B[aa](;W[bb])(;W[cc]))(;B[dd]))"

    assert formatted(text, indent=2) == [
        "(;FF[4]",
        "  (;B[aa]",
        "    (;W[bb]",
        "    )",
        "    (;W[cc]",
        "    )",
        "  )",
        "  (;B[dd]",
        "  )",
        ")",
    ]


def test_properties_after_a_second_move_stay_after_it() -> None:
    assert formatted("(;FF[4]B[aa]SZ[19]W[bb]GM[1]C[x])", width=60) == [
        "(;FF[4]SZ[19]",
        "B[aa]",
        "W[bb]",
        "GM[1]",
        "C[x]",
        ")",
    ]


# ---- nodes that are added, moved and removed ----


@pytest.mark.parametrize(
    "text", ["(;FF[4];B[aa](;W[bb])(;W[cc];B[dd]))", "(;FF[4];B[aa](;W[bb])(;W[cc];B[dd]"]
)
def test_the_variation_that_stays_keeps_its_brackets(text: str) -> None:
    collection = loads(text, strict=False)
    for gone, left in ((3, "(;FF[4];B[aa](;W[bb]))"), (2, "(;FF[4];B[aa];W[cc];B[dd])")):
        draft = collection[0].edit()
        draft.remove(gone)
        assert dumps(draft.done()) == left


def test_the_first_game_of_a_new_kind_is_written() -> None:
    draft = GameTree.new("Lines of Action", 8).edit()
    for inverted in (True, False):
        draft.set(0, "IY", inverted)
        assert f"IY[{str(inverted).lower()}]" in dumps(draft.done())


@pytest.mark.parametrize(
    ("size", "written"), [(9, "[9]"), ((9, 9), "[9]"), ((9, 13), "[9:13]"), ((13, 9), "[13:9]")]
)
def test_a_typed_grammar_of_one_board_names_it(size: object, written: str) -> None:
    grammar = sgf_lark.typed_grammar("ff4", "Go", size, fixed=True)  # type: ignore[arg-type]  # any form

    assert f'SZ_NAME "{written}"' in grammar

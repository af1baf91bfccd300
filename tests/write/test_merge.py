"""Two games that share a beginning become one tree; their descriptions go where they part."""

from __future__ import annotations

import pickle
import random
import re
from pathlib import Path

import pytest
from support.damage import changed
from support.lanes import amount
from support.lexer import masked

import sgf_lark
from sgf_lark import GameTree, merge


def game(text: str) -> GameTree:
    return sgf_lark.loads(text, strict=False)[0]


def merged(one: str, other: str) -> str:
    return sgf_lark.dumps(merge(game(one), game(other)))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (
            "(;FF[4]SZ[19]PB[a]KM[5];B[aa];W[bb];B[cc])",
            "(;FF[4]SZ[19]PB[b];B[aa];W[dd])",
            "(;FF[4]SZ[19];B[aa](;W[bb]PB[a]KM[5];B[cc])(;W[dd]PB[b]))",
        ),
        # Described alike: nothing moves.
        (
            "(;FF[4]SZ[19]PB[a];B[aa];W[bb])",
            "(;FF[4]SZ[19]PB[a];B[aa](;W[bb];B[ee])(;W[cc]))",
            "(;FF[4]SZ[19]PB[a];B[aa](;W[bb];B[ee])(;W[cc]))",
        ),
        # A game that is over where they part, and two that are the same.
        (
            "(;FF[4]SZ[19]PB[a];B[aa];W[bb])",
            "(;FF[4]SZ[19]PB[b];B[aa])",
            "(;FF[4]SZ[19];B[aa](;W[bb]PB[a])(;PB[b]))",
        ),
        (
            "(;FF[4]SZ[19]PB[a];B[aa])",
            "(;FF[4]SZ[19]PB[b];B[aa])",
            "(;FF[4]SZ[19];B[aa](;PB[a])(;PB[b]))",
        ),
        # A tree that was merged before.
        (
            "(;FF[4]SZ[19];B[aa](;W[bb]PB[a])(;W[dd]PB[b]))",
            "(;FF[4]SZ[19]PB[c];B[aa];W[dd];B[ee])",
            "(;FF[4]SZ[19];B[aa](;W[bb]PB[a])(;W[dd](;PB[b])(;B[ee]PB[c])))",
        ),
        # Every line of a game has its description.
        (
            "(;FF[4]SZ[19]PB[a](;B[aa])(;B[bb]))",
            "(;FF[4]SZ[19]PB[b];B[cc])",
            "(;FF[4]SZ[19](;B[aa]PB[a])(;B[bb]PB[a])(;B[cc]PB[b]))",
        ),
        # What both say of a node is kept; nodes with the same moves are one, whatever the text.
        (
            "(;FF[4]SZ[19];B[aa]C[x]N[n])",
            "(;FF[4]SZ[19];B[aa]C[y]TE[1];W[bb])",
            "(;FF[4]SZ[19];B[aa]C[x\n\ny]N[n]TE[1];W[bb])",
        ),
        (
            "(;FF[4]SZ[19];B[aa]N[n])",
            "(;FF[4]SZ[19];B[aa]N[m];W[bb])",
            "(;FF[4]SZ[19];B[aa]N[n];W[bb])",
        ),
        (
            "(;FF[4]SZ[19];B[tt]BL[9];AB[aa][ab])",
            "(;FF[4]SZ[19];B[]BL[8];AB[aa:ab]TR[cc])",
            "(;FF[4]SZ[19];B[tt]BL[9];AB[aa][ab]TR[cc])",
        ),
        # What a node cannot have together is left out.
        (
            "(;FF[4]SZ[19];B[aa]TE[1]MA[bb][cc]GB[1])",
            "(;FF[4]SZ[19];B[aa]BM[1]TR[cc][dd]SQ[ee]DM[1])",
            "(;FF[4]SZ[19];B[aa]TE[1]MA[bb][cc]GB[1]SQ[ee])",
        ),
        # Private properties of the first node are about the game, elsewhere about the node.
        (
            "(;FF[4]SZ[19]XY[1];B[aa]XZ[1];W[bb])",
            "(;FF[4]SZ[19]XY[2];B[aa]XZ[2];W[cc])",
            "(;FF[4]SZ[19];B[aa]XZ[1](;W[bb]XY[1])(;W[cc]XY[2]))",
        ),
    ],
)
def test_two_games_become_one(one: str, other: str, both: str) -> None:
    assert merged(one, other) == both
    assert "T205" not in [found.code for found in game(both).diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]SZ[19]PB[a];B[aa](;W[bb]C[x])(;W[cc];B[dd]))",
        "(;FF[4]GM[1];B[aa]B[bb];W[cc])",
        "(;FF[4]GM[1]KM[1]KM[2]AP[a]AP[b];B[aa]C[x]C[y]LB[aa:1]LB[bb:2];W[cc])",
    ],
)
def test_a_game_merged_with_itself_is_itself(text: str) -> None:
    both = merge(game(text), game(text))

    assert sgf_lark.dumps(both) == text
    assert [one.code for one in both.diagnostics if one.code != "C752"] == []


@pytest.mark.parametrize(
    ("one", "other", "both", "said"),
    [
        (
            "(;FF[4]GM[1]KM[1]KM[2];B[aa])",
            "(;FF[4]GM[1]PB[x];B[bb])",
            "(;FF[4]GM[1](;B[aa]KM[1])(;B[bb]PB[x]))",
            ["warning C706 KM[2] is left out: the merged game has KM[1] @ KM[2]"],
        ),
        (
            "(;FF[4]PB[a];B[aa]PB[b])",
            "(;FF[4];B[bb])",
            "(;FF[4](;B[aa]PB[b])(;B[bb]))",
            ["warning C706 PB[a] is left out: the merged game has PB[b] @ PB[a]"],
        ),
        (
            "(;FF[4]AP[a:1];B[aa])",
            "(;FF[4]AP[b:2]x;B[aa]y)",
            "(;FF[4]AP[a:1];B[aa])",
            [
                "info C706 AP[b:2] is left out: the merged game has AP[a:1] @ AP[b:2]",
                "warning C752 'x' belongs to no property, and is left out @ x",
                "warning C752 'y' belongs to no property, and is left out @ y",
            ],
        ),
        (
            "(;FF[4];B[aa])",
            "(;FF[4];B[aa]TE[1]TE[2])",
            "(;FF[4];B[aa]TE[1][2])",
            [],
        ),
    ],
)
def test_what_a_merged_game_leaves_out_is_reported(
    one: str, other: str, both: str, said: list[str]
) -> None:
    result = merge(game(one), game(other))

    assert sgf_lark.dumps(result) == both
    source = other if "AP" in one else one
    assert said == [
        f"{found.severity} {found.code} {found.message} @ {source[found.offset : found.end_offset]}"
        for found in result.diagnostics
    ]


def test_game_info_is_where_games_with_the_same_part_from_others() -> None:
    games = [
        "(;FF[4]PB[a];B[aa];W[bb];B[cc])",
        "(;FF[4]PB[b];B[aa];W[dd])",
        "(;FF[4]PB[a];B[aa];W[bb];B[ee])",
        "(;FF[4]PB[c];B[aa];W[bb])",
        "(;FF[4]PB[b];B[aa])",
    ]

    assert sgf_lark.dumps(merge(*map(game, games[:3]))) == (
        "(;FF[4];B[aa](;W[bb]PB[a](;B[cc])(;B[ee]))(;W[dd]PB[b]))"
    )
    assert sgf_lark.dumps(merge(*map(game, games))) == (
        "(;FF[4];B[aa](;W[bb](;B[cc]PB[a])(;B[ee]PB[a])(;PB[c]))(;W[dd]PB[b])(;PB[b]))"
    )


def test_a_comment_of_several_games_is_there_once() -> None:
    games = [f"(;FF[4];B[aa]C[{text}])" for text in "xyxyz"]

    assert sgf_lark.dumps(merge(*map(game, games))) == "(;FF[4];B[aa]C[x\n\ny\n\nz])"


def test_one_game_merged_is_the_game() -> None:
    text = "(;FF[4] (;B[aa]) (;B[aa]))"

    assert merged(text, text) == sgf_lark.dumps(merge(game(text))) == text


def test_games_that_do_not_fit_get_trees_of_their_own() -> None:
    texts = [
        "(;FF[4]SZ[9]C[a])",
        "(;FF[4]SZ[19]AP[a:1];B[aa])",
        "(;FF[4]SZ[9]C[b])",
        "(;FF[4]SZ[9]AB[aa])",
        "(;FF[4]AP[b:1];B[bb])",
        "(;FF[4]GM[2])",
    ]

    trees, left_out = sgf_lark.merge_all(map(game, texts))

    assert [sgf_lark.dumps(tree, style="compact") for tree in trees] == [
        "(;FF[4]SZ[9]C[a\n\nb])",
        "(;FF[4]SZ[19]AP[a:1](;B[aa])(;B[bb]))",
        "(;FF[4]SZ[9]AB[aa])",
        "(;FF[4]GM[2])",
    ]
    assert [[one.property for one in each] for each in left_out] == [[], [], [], [], ["AP"], []]


@pytest.mark.both_lanes
def test_merged_games_keep_every_text_or_report_it() -> None:
    dice = random.Random(23)  # noqa: S311
    records = [path.read_bytes() for path in sorted(Path("tests/records").iterdir())]
    kept = 0
    for _ in range(amount(15, 600)):
        data = dice.choice(records)
        for _ in range(dice.randint(1, 3)):
            data = changed(data, dice)
        mine = sgf_lark.loads(data, strict=False)
        its = sgf_lark.loads(changed(data, dice), strict=False)
        for one, other in zip(mine, its, strict=False):
            if one.format is not sgf_lark.Format.GGF:
                assert merge(one, one).nodes == one.nodes
            try:
                both = merge(one, other)
                written = sgf_lark.dumps(both)
            except ValueError:
                continue
            kept += 1
            spans = [slice(found.offset, found.end_offset) for found in both.diagnostics]
            told = [text[span] for span in spans for text in (mine.text, its.text)]
            result = " ".join([written, *told])
            for part in (one, other):
                words = re.findall(r"[^\W_]+", masked(sgf_lark.dumps(part)))
                assert [word for word in words if word not in result] == []
    assert kept > 5


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("(;FF[4]SZ[19])", "(;FF[4]SZ[9])", "of one format, one kind and one size"),
        ("(;FF[4]GM[1])", "(;FF[4]GM[2])", "of one format, one kind and one size"),
        ("(;FF[3])", "(;FF[4])", "of one format, one kind and one size"),
        ("(;FF[4]AB[aa])", "(;FF[4]AB[bb])", "their first nodes contradict each other"),
        ("(;GM[Othello];)", "(;GM[Othello];)", "GGF has no variations"),
    ],
)
def test_games_that_do_not_go_together_say_so(one: str, other: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        merged(one, other)


@pytest.mark.night
@pytest.mark.both_lanes
def test_long_games_and_many_variations_are_merged_in_time() -> None:
    moves = amount(4_000, 40_000)
    line = "".join(";B[aa];W[bb]" for _ in range(moves // 2))
    many = "".join(f"(;B[{a}{b}])" for a in "abcdefghijklmnopqrs" for b in "abcdefghijklmnopqrs")

    both = merge(game(f"(;FF[4]PB[a]{line})"), game(f"(;FF[4]PB[b]{line}{many})"))
    assert len(both) == moves + 361 + 1 + 1


def test_no_games_are_no_tree() -> None:
    with pytest.raises(ValueError, match="no games to merge"):
        merge()


@pytest.mark.night
@pytest.mark.both_lanes
def test_many_games_are_merged_in_time() -> None:
    letters = "abcdefghijklmnopqrs"
    moves = "".join(f";B[{letter}a];W[{letter}b]" for letter in letters)
    count = amount(50, 1_000)
    games = [
        game(f"(;FF[4]GN[{number}]{moves};B[{letters[number % 19]}c]{moves})")
        for number in range(count)
    ]

    tree = merge(*games)
    assert len(tree) == 39 + 19 * 39 + count  # what all share, lines, a node for each game's info


def test_a_game_that_has_lost_its_text_is_merged_without_places() -> None:
    one, other = (pickle.loads(pickle.dumps(game(f"(;FF[4];B[aa]V[{n}])"))) for n in (1, 2))

    (finding,) = merge(one, other).diagnostics
    assert (finding.property, finding.offset) == ("V", 0)

"""Where a game ends: brackets that are missing, and games that begin inside another."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.grammar.tokens import tokenize
from sgf_lark.core.read.split import find_root_values, split_games


def games(text: str, *, ggf: bool = False, more: bool = False) -> list[str]:
    """The texts of the games."""
    return [
        text[span.start : span.end]
        for span in split_games(text, ggf=ggf, more=more)
        if span.is_game
    ]


@pytest.mark.parametrize(
    "texts",
    [
        # an empty tree, with brackets for all
        ["(;FF[4](;B[aa]((;B[bb])(;W[cc]))))", "(;FF[4])"],
        # a tree with FF and GM begins a game after '((', whether FF or GM comes first
        ["(;FF[4](;B[aa](", "(;FF[4]GM[1];W[cc])"],
        ["(;FF[4](;B[aa](", "(;GM[1]FF[4];W[cc])"],
        # ... not if only one of them is there, or they are in two nodes
        ["(;FF[4](;B[aa]((;GM[1];W[cc]))))", "(;FF[4])"],
        ["(;FF[4](;B[aa]((;FF[4];GM[1]))))", "(;FF[4])"],
        # ... or in two trees
        ["(;FF[4](;B[aa]((;B[bb]FF[4])(;GM[1]))))", "(;FF[4])"],
        # the text ends before the game does: FF or GM is enough
        ["(;FF[4];B[aa]", "(;FF[4];B[bb])"],
        ["(;FF[4];B[aa](;W[cc]", "(;GM[1];B[bb])"],
        ["(;FF[4](;B[aa]((;W[cc])", "(;GM[1];B[bb])"],
        # ... in the first node of a tree below it
        ["(;FF[4];B[aa](;B[bb];GM[1])"],
        ["(;FF[4];GM[1];B[aa](;B[bb])"],
        ["(;FF[4];B[aa](;W[cc](;B[bb])GM[1])"],
        # brackets in values count for nothing
        ["(;FF[4]C[(;FF[4\\]GM[1\\] )](;B[aa]))", "(;FF[4])"],
    ],
)  # fmt: skip
def test_each_game_ends_where_its_bracket_or_another_game_is(texts: list[str]) -> None:
    assert games("".join(texts)) == texts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # a tree after '((' whose first node has FF and GM, though all brackets are closed
        ("(;FF[4](;B[aa]((;W[bb])(;FF[4]GM[1];W[cc]))))", ["(;W[bb])", "(;FF[4]GM[1];W[cc])"]),
        ("(;FF[4](;B[aa](((;FF[4]GM[1];W[cc]))))", ["((", "(;FF[4]GM[1];W[cc])"]),
        # a node without its ';', two nodes, two trees: no game
        ("(;FF[4](;B[aa]((;W[bb])(FF[4]GM[1];W[cc]))))", ["))))"]),
        ("(;FF[4](;B[aa]((;W[bb])(;C[x];FF[4]GM[1];W[cc]))))", ["))))"]),
        ("(;FF[4](;B[aa]((;W[bb])(;FF[4])(;GM[1];W[cc]))))", ["))))"]),
    ],
)
def test_a_game_within_empty_brackets_is_a_game_of_its_own(text: str, parts: list[str]) -> None:
    found = games(text)

    assert len(found) == len(parts)
    assert all(game.endswith(part) for game, part in zip(found, parts, strict=True))


@pytest.mark.parametrize(
    "texts",
    [
        ["(;GM[Othello]PB[a];)", "(;GM[Othello];)"],
        ["(;GM[Othello]PB[a]", "(;GM[Othello];)"],
        ["(;GM[Othello]PB[a]"],
    ],
)
def test_a_game_of_ggf_ends_at_its_own_bracket_or_before_the_next_one(texts: list[str]) -> None:
    assert games("".join(texts), ggf=True) == texts


@pytest.mark.parametrize(
    ("text", "ggf"),
    [("(;FF[4];B[aa]", False), ("(;FF[4](;B[aa]((;B[bb]", False), ("(;GM[x]", True)],
)
def test_a_game_that_may_go_on_is_not_there_yet(text: str, ggf: bool) -> None:  # noqa: FBT001
    assert games(text, ggf=ggf, more=True) == []
    assert games(text, ggf=ggf) == [text]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(;FF[4]GM[1];SZ[9])", {"FF": "4", "GM": "1"}),
        ("(;FF[4]FF[3])", {"FF": "4"}),
        ("(;;FF[4];GM[1])", {"FF": "4"}),  # the first node with properties
        ("(FF[4];GM[1])", {"FF": "4"}),
        ("(;(;FF[4]))", {}),
        ("(;FF[4](;GM[1]))", {"FF": "4"}),
        ("();FF[4]", {}),
        ("((;FF[4]))", {"FF": "4"}),
        ("(;FF[4", {"FF": "4"}),
        ("(;[4]GM[1])", {"GM": "1"}),
        ("(;FileFormat[4])", {"FF": "4"}),
        ("(()FF[4])", {"FF": "4"}),
    ],
)
def test_the_first_node_with_properties_declares_how_a_game_is_read(
    text: str, values: dict[str, str]
) -> None:
    assert find_root_values(text, tokenize(text, 0, len(text))) == values


@pytest.mark.parametrize("validate", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]PB[a];B[aa])",
        "(;FF[4]PB[a]",
        "(;FF[4];PB[a]",
        "(;FF[4];PB[a])",
        "(;FF[4]SZ[9];;PB[a];B[aa])",
        "(;FF[4]PB[a](;B[aa]))",
    ],
)
def test_infos_alone_are_those_of_the_complete_game(text: str, validate: bool) -> None:  # noqa: FBT001
    every = sgf_lark.loads(text, strict=False)[0]
    (only,) = sgf_lark.loads(text, strict=False, info_only=True, validate=validate)

    assert str(only.info) == str(every.info) == "a (B) - ? (W)"


def test_infos_of_many_games_are_those_of_the_complete_games() -> None:
    long = "x" * 3000
    texts = [f"(;FF[4]PB[{n}]C[{long[: n * 500]}];B[aa]C[{long}];PW[w{n}])" for n in range(7)]
    text = " ".join(texts)

    only = [str(game.info) for game in sgf_lark.loads(text, strict=False, info_only=True)]

    assert only == [f"{n} (B) - ? (W)" for n in range(7)]


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("(;GM[Othello]BO[x]", "GGF"),
        ("(;GM[othello]PB[a]", "GGF"),
        ("(;GM[othello]SZ[8]", "FF1"),  # no game of GGF names its size so
        ("(;GM[2]BO[x]", "FF1"),
        ("(;GM[2]BO[x];)", "FF1"),
        ("(;PB[a]BO[x]", "FF1"),
        ("(;GM[Othello]FF[4]BO[x]", "FF4"),
    ],
)
def test_a_game_that_is_cut_off_is_ggf_if_it_names_its_game_in_words(
    text: str, format_: str
) -> None:
    assert sgf_lark.loads(text, strict=False)[0].format.name == format_

"""Two games that share a beginning become one tree; their descriptions go where they part."""

from __future__ import annotations

import re

import pytest

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
        # What both say of a node is kept; nodes that contradict each other part.
        (
            "(;FF[4]SZ[19];B[aa]C[x]N[n])",
            "(;FF[4]SZ[19];B[aa]C[y]TE[1];W[bb])",
            "(;FF[4]SZ[19];B[aa]C[x\n\ny]N[n]TE[1];W[bb])",
        ),
        (
            "(;FF[4]SZ[19];B[aa]N[n])",
            "(;FF[4]SZ[19];B[aa]N[m];W[bb])",
            "(;FF[4]SZ[19](;B[aa]N[n])(;B[aa]N[m];W[bb]))",
        ),
    ],
)
def test_two_games_become_one(one: str, other: str, both: str) -> None:
    assert merged(one, other) == both
    assert "T205" not in [found.code for found in game(both).diagnostics]


def test_a_game_merged_with_itself_is_itself() -> None:
    text = "(;FF[4]SZ[19]PB[a];B[aa](;W[bb]C[x])(;W[cc];B[dd]))"

    assert merged(text, text) == text


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


def test_long_games_and_many_variations_are_merged_in_time() -> None:
    line = "".join(";B[aa];W[bb]" for _ in range(20_000))
    many = "".join(f"(;B[{a}{b}])" for a in "abcdefghijklmnopqrs" for b in "abcdefghijklmnopqrs")

    both = merge(game(f"(;FF[4]PB[a]{line})"), game(f"(;FF[4]PB[b]{line}{many})"))
    assert len(both) == 40_000 + 361 + 1 + 1

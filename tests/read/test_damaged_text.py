"""Text in damaged records: what belongs to a comment, and what to nothing."""

from __future__ import annotations

import pytest

import sgf_lark


@pytest.mark.parametrize(
    ("text", "nodes", "found"),
    [
        # text at the end of a game that is never closed
        ("(;FF[4];B[aa] x", [";FF[4]", ";B[aa]"], ["unclosed-tree (", "stray-text x"]),
        ("(;FF[4];B[aa]C[y] x]", [";FF[4]", ";B[aa]C[y]"],
         ["unclosed-tree (", "unescaped-bracket ] x]"]),
        # a bracket in a text that is closed, in words, or not at all
        ("(;FF[4];C[a [b] c (d) e] f];W[bb])", [";FF[4]", ";C[a [b]", ";W[bb]"],
         ["unescaped-bracket ] c (d) e]", "stray-text f]"]),
        ("(;FF[4];C[a [b] c;W[bb])", [";FF[4]", ";C[a [b]", ";W[bb]"], ["stray-text c"]),
        ("(;FF[4]C[a [b", [";FF[4]C[a [b]"], ["unclosed-value ["]),
        # a move of the same side begins a variation that is not closed before
        ("(;FF[4](;B[aa](;B[bb]))", [";FF[4]", ";B[aa]", ";B[bb]"], ["unclosed-tree ("]),
        ("(;FF[4](;B[aa](;W[bb]))", [";FF[4]", ";B[aa]", ";W[bb]"], ["unclosed-tree ("]),
    ],
)  # fmt: skip
def test_text_in_a_damaged_game_is_kept_or_found(
    text: str, nodes: list[str], found: list[str]
) -> None:
    (game,) = collection = sgf_lark.loads(text, strict=False)

    assert [*map(str, game.walk())] == nodes
    assert [
        f"{one.name} {text[one.offset : one.end_offset]}"
        for one in collection.diagnostics
        if one.severity != "info"
    ] == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;FF[4](;B[aa](;B[bb]))", "this variation is never closed"),
        ("(;FF[4](;B[aa](;W[bb]))", "this game tree is never closed"),
        ("(;FF[4](;B[aa];W[cc](;B[bb]))", "this game tree is never closed"),
        ("(;FF[4];B[aa](;B[bb])", "this game tree is never closed"),
    ],
)  # fmt: skip
def test_the_variation_that_is_not_closed_is_the_one_with_another_first_move(
    text: str, said: str
) -> None:
    (finding,) = sgf_lark.loads(text, strict=False).diagnostics[-1:]

    assert finding.message.startswith(said)

"""A damaged record that is changed says what the draft says, and keeps its other text."""

from __future__ import annotations

import contextlib
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from support.damage import changed_record
from support.lanes import amount

import sgf_lark
from sgf_lark import Format
from sgf_lark.core.values.writer import close_value
from sgf_lark.core.write.read_back import UnwritableError

if TYPE_CHECKING:
    from sgf_lark import Collection, Draft

SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

RECORDS = [
    file.read_bytes()
    for file in sorted((Path(__file__).parents[1] / "records").iterdir())
    if file.is_file()
]

#: What texts are made of.
PIECES = ("(", ")", ";", "[", "]", "\\", "A", "a", "B", "C", "\n", "1", "[x]", "C[y]", "b[z]", ";")


def damaged_text(dice: random.Random) -> str:
    """A few brackets, names and values in any order, or a damaged part of a record."""
    if dice.random() < 0.75:
        pieces = "".join(dice.choices(PIECES, k=dice.randint(1, 24)))
        return dice.choice(("(;", "(;", "(")) + pieces + dice.choice(("", ")"))
    data = dice.choice(RECORDS)
    start = dice.choice((0, dice.randrange(len(data))))
    data = (b"(;" if start else b"") + data[start : start + dice.randint(1, 120)]
    for _ in range(dice.randint(1, 3)):
        data = changed_record(data, dice)
    return data.decode("iso-8859-1")


def edit(draft: Draft, dice: random.Random) -> None:
    """One change that removes no node, and no text with it."""
    node = dice.choice(list(draft.walk()))
    match dice.randrange(8):
        case 0 | 1:
            draft.set(node, "C", dice.choice(("new", "a]b", "a [b", "x\\")))
        case 2:
            draft.set_raw(node, "XY", *dice.choice((("new",), ("a", "b"))))
        case 3:
            draft.unset(node, dice.choice(draft.properties(node)).ident)
        case 4:
            draft.add(node, {"C": "n"}, at=dice.choice((None, 0)))
        case 5:
            draft.insert(node, {"C": "n"})
        case 6:
            draft.promote(node)
        case _:
            draft.make_main_line(node)


def remove(draft: Draft, dice: random.Random) -> None:
    draft.remove(dice.choice(list(draft.walk())), keep_below=dice.random() < 0.5)


def said(collection: Collection) -> object:
    """Return trees, names and values; a value that the end cut off as its bracket closes it."""
    return [
        (list(game.nodes.parents), [
            [(prop.name, [close_value(raw) for raw in prop.raw]) for prop in content]
            for content in game.nodes.contents
        ])
        for game in collection
    ]  # fmt: skip


def letters(collection: Collection, text: str) -> Counter[str]:
    """Count the letters and digits of a record that are no part of its properties."""
    props = (prop for game in collection for content in game.nodes.contents for prop in content)
    read = Counter(char for prop in props for char in prop.name + "".join(prop.raw))
    return Counter(filter(str.isalnum, text)) - read


Edit: TypeAlias = Callable[["Draft", random.Random], object]


def change(text: str, edits: list[Edit], dice: random.Random | None = None, number: int = 0) -> str:
    """Return a record after edits of one game, which says what the draft says.

    Text of no property stays, unless its node is removed.
    """
    collection = sgf_lark.loads(text, strict=False, validate=False)
    draft = collection[number].edit()
    for one in edits:
        with contextlib.suppress(ValueError, IndexError):
            one(draft, dice or random.Random(SEED))  # noqa: S311  # as below
    try:
        made = collection.replace(number, draft.done(strict=False))
    except ValueError:
        assert collection[number].format is Format.GGF
        return text
    new = sgf_lark.dumps(made)
    again = sgf_lark.loads(new, strict=False, validate=False)
    if [game.format for game in again] != [game.format for game in made]:
        return new  # without FF the format is a guess
    assert said(again) == said(made), (text, new)
    if remove not in edits:
        assert not letters(collection, text) - letters(made, new), (text, new)
    return new


@pytest.mark.both_lanes
def test_a_damaged_record_says_what_its_draft_says_and_keeps_its_text() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same records every time
    refused = 0
    for _ in range(examples := amount(30, 3_000)):
        text = damaged_text(dice)
        collection = sgf_lark.loads(text, strict=False, validate=False)
        if not collection.games:
            continue
        edits: list[Edit] = dice.choices((edit, edit, edit, remove), k=dice.randint(1, 3))
        number = dice.randrange(len(collection))
        try:
            change(text, edits, dice, number)
        except UnwritableError:
            refused += 1
    assert refused <= 1 + examples // 200


@pytest.mark.parametrize(
    ("text", "node", "expected"),
    [
        ("(;;;;W;])", 3, "(;;;; -W C[new];])"),
        ("(;AW[cr][iq];][iq];C[x])", 1, "(;AW[cr][iq];C[new]] -[iq];C[x])"),
        ("(;[x][x]B", 0, "(; -[x] -[x]B C[new])"),
    ],
)
def test_a_new_value_takes_no_text_of_no_property(text: str, node: int, expected: str) -> None:
    assert change(text, [lambda draft, _: draft.set(node, "C", "new")]) == expected


@pytest.mark.parametrize(
    ("text", "node", "expected"),
    [
        ("(;;;(())E[", 1, "(;;(;)(;))(;E[])"),
        ("((DM[]))b[", 0, "(;DM[];)b["),
        ("(;k[](;l[])\n)", 1, "(;k[](;l[]\n;)\n)"),
        ("(;FF[4](;B[aa]\n)\n(;B[bb]))", 1, "(;FF[4](;B[aa]\n;\n)\n(;B[bb]))"),
    ],
)
def test_the_brackets_around_a_new_node_are_those_that_were_there(
    text: str, node: int, expected: str
) -> None:
    assert change(text, [lambda draft, _: draft.add(node)]) == expected


def test_a_game_without_brackets_of_its_own_gets_them_if_its_neighbor_changes() -> None:
    text = "((C[y]);B)Bb[z]](C[y]"

    changed = change(text, [lambda draft, _: draft.set(0, "C", "new")])

    assert changed == "(;C[new])(; -B )Bb[z]](C[y]"


def test_a_game_that_an_open_bracket_before_it_holds_stays_when_that_is_closed() -> None:
    games = sgf_lark.loads("(;(;GM[])B[(;", strict=False)
    draft = games[0].edit()
    draft.add(draft.root, {"C": "new"})
    changed = games.replace(0, draft.done(strict=False))
    assert sgf_lark.dumps(changed) == "(;;C[new])(;GM[])(;B[(;])"


def test_a_change_that_text_of_no_property_would_spoil_is_rejected() -> None:
    with pytest.raises(UnwritableError) as caught:
        change("(;[x]a;C[y];])", [lambda draft, _: draft.unset(1, "C")])

    assert str(caught.value) == (
        "'[x]a' in node 0 of game 0 belongs to no property, and would be read otherwise beside"
        " what was changed: remove it first"
    )


@pytest.mark.parametrize("text", ["(;FF[4]PB[x];B[d)", "(;GM[Othello]PB[x];B[d3;)"])
def test_a_value_that_is_never_closed_stays_open_if_it_ends_as_a_game_does(text: str) -> None:
    collection = sgf_lark.loads(text, strict=False)
    draft = collection[0].edit()
    draft.set(0, "PB", "new")

    assert sgf_lark.dumps(collection.replace(0, draft.done())) == text.replace("PB[x]", "PB[new]")

"""A damaged record that is changed says what the draft says; with other text it is refused."""

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
    """Return a record after edits of one game, which says what the draft says."""
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
def test_a_damaged_record_says_what_its_draft_says_or_is_refused() -> None:
    dice = random.Random(SEED)  # noqa: S311  # the same records every time
    for _ in range(amount(30, 3_000)):
        text = damaged_text(dice)
        collection = sgf_lark.loads(text, strict=False, validate=False)
        if not collection.games:
            continue
        edits: list[Edit] = dice.choices((edit, edit, edit, remove), k=dice.randint(1, 3))
        number = dice.randrange(len(collection))
        with contextlib.suppress(UnwritableError):
            change(text, edits, dice, number)


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]N[a] stray C[b])",
        "(;FF[4]AB[aa]1][bb]PW[x])",
        "(;FF[4];[q];B[aa])",
        "(;FF[4](;B[aa])[q](;B[bb]) KM (;B[cc]))",
        "(;FF[4](;B[aa](;W[bb])(;W[cc]))(;C[a] y\n ) )",
    ],
)
def test_a_game_with_text_of_no_property_is_not_changed(text: str) -> None:
    message = "text that belongs to no property: fix it first, by `sgf-lark check --fix"
    with pytest.raises(UnwritableError, match=message):
        change(text, [lambda draft, _: draft.set(0, "C", "new")])
    with pytest.raises(UnwritableError, match=message):
        change(text, [lambda draft, _: draft.add(0)])


def test_it_is_changed_once_it_is_fixed() -> None:
    text = "(;FF[4] one;B[aa] two;W[bb])"
    fixed = sgf_lark.fix_record(text.encode(), unsafe=True).data.decode()

    assert change(fixed, [lambda draft, _: draft.set(2, "C", "three")]) == (
        "(;FF[4]C[one];B[aa]C[two];W[bb]C[three])"
    )


def test_its_neighbors_are_changed_and_it_is_kept() -> None:
    text = "(;FF[4]N[a] stray C[b]) (;FF[4]N[c])(;FF[4]N[d](;N[e]y"

    changed = change(text, [lambda draft, _: draft.set(0, "N", "new")], number=1)

    assert changed == text.replace("N[c]", "N[new]")


@pytest.mark.parametrize(
    ("text", "node", "expected"),
    [
        ("(;;;(())E[", 1, "(;;(;)(;))(;E[])"),
        ("(;k[](;l[])\n)", 1, "(;k[](;l[]\n;)\n)"),
        ("(;FF[4](;B[aa]\n)\n(;B[bb]))", 1, "(;FF[4](;B[aa]\n;\n)\n(;B[bb]))"),
    ],
)
def test_the_brackets_around_a_new_node_are_those_that_were_there(
    text: str, node: int, expected: str
) -> None:
    assert change(text, [lambda draft, _: draft.add(node)]) == expected


def test_a_game_that_an_open_bracket_before_it_holds_stays_when_that_is_closed() -> None:
    games = sgf_lark.loads("(;(;GM[])B[(;", strict=False)
    draft = games[0].edit()
    draft.add(draft.root, {"C": "new"})
    changed = games.replace(0, draft.done(strict=False))
    assert sgf_lark.dumps(changed) == "(;;C[new])(;GM[])(;B[(;])"


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("(;FF[4]PB[x];B[d)", "(;FF[4]PB[new];B[d)])"),
        ("(;GM[Othello]PB[x];B[d3;)", "(;GM[Othello]PB[new];B[d3;)];)"),
    ],
)
def test_a_value_that_is_never_closed_is_closed(text: str, changed: str) -> None:
    assert change(text, [lambda draft, _: draft.set(0, "PB", "new")]) == changed

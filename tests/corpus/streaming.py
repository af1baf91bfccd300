"""What is true of every real game record that is read game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.corpus import alike, plain, record, true_of_records
from support.streams import Bits, key, opened, told

from sgf_lark import iter_games
from sgf_lark.core.text import stream

if TYPE_CHECKING:
    from sgf_lark import Collection

#: Characters of a block, as it is when nobody says.
USUAL = 1 << 16


def same_in_blocks(which: str, collection: Collection, size: int) -> None:
    data = record(which).read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "BLOCK", size)
        games, diagnostics = told(iter_games(opened(Bits(data, size, which)), strict=False))

    assert games == list(collection)
    assert diagnostics == sorted(collection.diagnostics, key=key)


def is_long(which: str) -> bool:
    return record(which).stat().st_size > USUAL


# Where a block ends matters less in plain records.
@true_of_records(but=alike, night=plain)
def it_is_the_same_byte_by_byte(which: str, collection: Collection) -> None:
    same_in_blocks(which, collection, 1)


@true_of_records(but=lambda which: is_long(which) or alike(which), night=plain)
def it_is_the_same_in_blocks_of_seven_bytes(which: str, collection: Collection) -> None:
    same_in_blocks(which, collection, 7)


@true_of_records(but=is_long)
def it_is_the_same_in_a_usual_block(which: str, collection: Collection) -> None:
    same_in_blocks(which, collection, USUAL)

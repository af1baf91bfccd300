"""The text of a document is that of the editor, whatever is typed."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Callable
from time import process_time

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec
from support.lanes import amount

from sgf_lark.server.records import Document

#: The units of a character in each encoding of positions.
UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda char: len(char.encode("utf-8")),
    "utf-16": lambda char: 1 + (ord(char) > 0xFFFF),
    "utf-32": lambda _: 1,
}

PIECES = [*"aé青😀;[]\n\r\u2028\x85\v\f", "\r\n", "\n\r"]


def open_text(text: str, encoding: str = "utf-16") -> Document:
    return Document("file:///x.sgf", text, position_codec=PositionCodec(encoding))


def starts_of(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]


def position_in(text: str, offset: int, encoding: str) -> lsp.Position:
    starts = starts_of(text)
    line = bisect_right(starts, offset) - 1
    return lsp.Position(line, sum(map(UNITS[encoding], text[starts[line] : offset])))


@pytest.mark.both_lanes
@pytest.mark.parametrize("encoding", UNITS)
def test_edits_give_the_text_and_the_positions_of_the_editor(encoding: str) -> None:
    for seed in range(amount(20, 300)):
        chance = random.Random(seed)  # noqa: S311  # texts made by chance
        text = "".join(chance.choices(PIECES, k=chance.randrange(40)))
        document = open_text(text, encoding)
        for _ in range(20):
            start = chance.randrange(len(text) + 1)
            end = min(len(text), start + chance.choice([0, 0, 1, 2, 5]))
            # No position is between the characters of a line break.
            start, end = (at + (text[max(at - 1, 0) : at + 1] == "\r\n") for at in (start, end))
            new = "".join(chance.choices(PIECES, k=chance.choice([0, 1, 1, 2, 8])))
            place = lsp.Range(*(position_in(text, at, encoding) for at in (start, end)))
            document.apply_change(lsp.TextDocumentContentChangePartial(place, new))
            text = text[:start] + new + text[end:]
            assert document.text == text, seed
            for at in chance.choices(range(len(text) + 1), k=5):
                assert document.position(at) == position_in(text, at, encoding), seed
                assert document.line_of(at) == bisect_right(starts_of(text), at) - 1, seed


def test_a_position_past_the_end_of_a_line_is_its_end() -> None:
    document = open_text("(;\n青😀\r\n)")

    assert document.offset(lsp.Position(0, 99)) == 2
    assert document.offset(lsp.Position(1, 99)) == 5
    assert document.offset(lsp.Position(99, 0)) == len(document.text)


def test_a_change_without_a_range_replaces_the_text() -> None:
    document = open_text("(;\n)")
    document.apply_change(lsp.TextDocumentContentChangeWholeDocument("a\nb\nc"))

    assert (document.text, document.line_of(4)) == ("a\nb\nc", 2)


def test_what_was_read_of_a_text_is_forgotten_when_it_changes() -> None:
    document = open_text("(;)")
    document.content = object()
    start = lsp.Position(0, 1)
    document.apply_change(lsp.TextDocumentContentChangePartial(lsp.Range(start, start), "x"))

    assert document.content is None


@pytest.mark.night
def test_an_edit_in_a_line_of_a_million_characters_takes_no_time() -> None:
    document = open_text("(;C[青]" + ";B[pd]C[hello]" * 70_000 + ")")
    place = lsp.Position(0, 600_000)
    began = process_time()
    document.apply_change(lsp.TextDocumentContentChangePartial(lsp.Range(place, place), "x"))
    document.position(600_000)

    assert process_time() - began < 0.02

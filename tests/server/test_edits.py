"""After any edits the document is the editor's text, and its findings are those of the check."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec
from support.edits import FIRST, edits, position
from support.lanes import amount

import sgf_lark
from sgf_lark.server.document import Document
from sgf_lark.server.records import Record
from sgf_lark.settings.settings import Settings

ENCODINGS = ("utf-8", "utf-16", "utf-32")


#: Start and end, both with line and column, code and message of a finding.
Found = tuple[types.Position, types.Position, str, str]


def found_by_check(text: str, encoding: str) -> list[Found]:
    """Return the findings that are not about bytes."""
    return [
        (
            position(text, one.offset, encoding),
            position(text, one.end_offset, encoding),
            one.code,
            one.message,
        )
        for one in sgf_lark.check(io.StringIO(text, newline=""))
        if one.code[0] != "E"
    ]


def compare(shown: Iterable[types.Diagnostic], wanted: Iterable[Found]) -> None:
    """Compare findings; a message that is shown goes on with the help and the move."""
    found = [(one.range.start, one.range.end, str(one.code), one.message) for one in shown]
    for (*place, message), (*wanted_place, begin) in zip(
        sorted(found), sorted(wanted), strict=True
    ):
        assert place == wanted_place
        assert message.startswith(begin)


@pytest.mark.both_lanes
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_document_is_the_text_of_the_editor_after_any_edits(encoding: str) -> None:
    for seed in range(amount(60, 1000)):
        dice = random.Random(seed)  # noqa: S311  # the same edits each time
        text = dice.choice(FIRST)
        document = Document("file:///a.sgf", text, position_codec=PositionCodec(encoding))
        for edit in edits(text, dice, encoding):
            for change in edit.changes:
                document.apply_change(change)
            assert document.text == edit.text, seed
            for _ in range(5):
                offset = dice.randint(0, len(edit.text))
                assert document.position(offset) == position(edit.text, offset, encoding), seed


@pytest.mark.both_lanes
def test_findings_after_any_edits_are_those_of_the_check() -> None:
    for seed in range(amount(20, 1000)):
        dice = random.Random(seed)  # noqa: S311  # the same edits each time
        encoding, text = dice.choice(ENCODINGS), dice.choice(FIRST)
        document = Document("file:///a.sgf", text, position_codec=PositionCodec(encoding))
        for edit in edits(text, dice, encoding):
            for change in edit.changes:
                document.apply_change(change)
        record = Record(document, Settings())
        shown = map(record.diagnostic, record.check(lambda: True))
        compare(shown, found_by_check(document.text, encoding))

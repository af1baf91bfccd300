"""What is true of every real game record that is written."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any
from zlib import crc32

from support.corpus import large, large_or_alike, long_or_like_others, record, true_of_records
from support.of_sgfmill import OPTIONS, of_ours, of_sgfmill
from support.writing import meanings, unchanged, written

import sgf_lark
from sgf_lark import Format, SgfSyntaxError
from sgf_lark.core.api.format import format_record

if TYPE_CHECKING:
    from sgf_lark import Collection


@true_of_records()
def it_comes_out_byte_for_byte(which: str, collection: Collection) -> None:
    assert written(collection) == record(which).read_bytes()


@true_of_records(but=large)
def a_draft_without_changes_changes_no_byte(which: str, collection: Collection) -> None:
    assert written(unchanged(collection)) == record(which).read_bytes()


LAYOUTS: tuple[dict[str, Any], ...] = (
    {"style": "canonical"},
    {"style": "canonical", "indent": 1, "nodes": 9, "width": 50, "compress": True},
    {"style": "compact"},
)


@true_of_records(but=large_or_alike, night=long_or_like_others)
def layouts_keep_what_it_says_and_do_not_change_twice(which: str, collection: Collection) -> None:
    for options in LAYOUTS:
        file = StringIO(text := sgf_lark.dumps(collection, **options))
        file.name = which
        again = sgf_lark.load(file, strict=False)
        assert meanings(again) == meanings(collection)
        assert sgf_lark.dumps(again, **options) == text


@true_of_records(but=lambda which: large(which) or crc32(which.encode()) % 5 > 0)
def it_is_written_anew_once_or_refused(which: str, _: Collection) -> None:
    data = record(which).read_bytes()
    try:
        after = format_record(data)
    except SgfSyntaxError:
        return
    assert format_record(after) == after


def sgfmill_is_not_asked(which: str) -> bool:
    """A third of the records will do."""
    return which.startswith(("large/", "broken/", "ggf/")) or len(which) % 3 > 0


@true_of_records(but=sgfmill_is_not_asked)
def sgfmill_reads_what_is_written_anew(_: str, collection: Collection) -> None:
    names = {name for game in collection for node in game.walk() for name in node}
    if len(collection.text) > 20_000 or any(one.format is Format.GGF for one in collection):
        return
    if not collection.games or not all(name.isalpha() and name.isupper() for name in names):
        return  # sgfmill takes names of capital letters only
    for options in OPTIONS:
        text = sgf_lark.dumps(collection, **options)
        start = text.find("(;")
        assert of_sgfmill(text[start:]) == of_ours(sgf_lark.loads(text, strict=False))

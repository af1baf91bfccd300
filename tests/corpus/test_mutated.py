"""Mutated records are read, laid out, fixed, converted and edited.

sgfmill and a lexer of tests judge.  By night SGF_LARK_EXAMPLES asks for another number of records.
"""

from __future__ import annotations

import codecs
import io
import random
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sgfmill import sgf_grammar
from support.corpus import record
from support.damage import mutated_record
from support.invariants import check_json
from support.lanes import amount
from support.lexer import TEXTS, characters, masked, tokens, words
from support.of_sgfmill import of_ours, of_sgfmill
from support.places import RECORDS
from support.writing import meanings, written

import sgf_lark
from sgf_lark import (
    Collection,
    GameTree,
    Invalid,
    PointList,
    Rectangle,
    Result,
    SgfConversionError,
    SgfSyntaxError,
)
from sgf_lark.core.api.format import ChangedError
from sgf_lark.core.text.detection import KEPT_FROM
from sgf_lark.core.write.encode import declare_encoding
from sgf_lark.core.write.read_back import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.of_sgfmill import Shape

TARGETS = ("ff1", "ff3", "ff4", "ggf", "sgf")

LAYOUTS: tuple[dict[str, Any], ...] = (
    {},
    {"nodes": 10},
    {"indent": 2, "width": 60},
    {"width": 20},
    {"compress": True},
)

#: Properties of the standards whose values are no texts.
NO_TEXTS = {rule.ident for rule in sgf_lark.PropertyTable.standard()} - TEXTS


def read(data: bytes | str) -> Collection:
    return sgf_lark.loads(data, strict=False)


# ---- what is true of each ----


def it_is_read_in_each_way_alike(data: bytes, _: random.Random) -> None:
    collection = read(data)

    assert written(collection) == data
    assert [*sgf_lark.iter_games(io.BytesIO(data), strict=False)] == [*collection]
    check_json(collection)


def its_layout_changes_no_text_and_no_second_time(data: bytes, dice: random.Random) -> None:
    options = dice.choice(LAYOUTS)
    try:
        new = sgf_lark.format_record(data, **options)
    except (SgfSyntaxError, ChangedError):
        return
    before, after = read(data), read(new)

    assert sgf_lark.format_record(new, **options) == new
    assert lost(before.text, after.text) == lost(after.text, before.text) == Counter()
    if "compress" not in options and not any(game.format == "GGF" for game in before):
        theirs = by_sgfmill(before.text)
        assert theirs is None or by_sgfmill(after.text) == theirs


def lost(before: str, after: str) -> Counter[str]:
    """Return the letters and digits of texts of one record that another one does not have.

    It may have them as a name, too, or in more values that are no texts than were there.
    """
    kept, others = Counter[str](), Counter[str]()
    for one in tokens(after):
        (others if one.name in NO_TEXTS else kept).update(filter(str.isalnum, one.text))
    for one in tokens(before):
        if one.name in NO_TEXTS:
            others.subtract(filter(str.isalnum, one.text))
    return characters(before) - kept - +others


def by_sgfmill(text: str) -> list[Shape] | None:
    """Return what sgfmill reads, its values without escapes; None if it reads nothing."""
    try:
        shapes = of_sgfmill(text)
    except ValueError:
        return None
    for shape in shapes:
        for _, values in shape:
            for name, raws in values.items():
                value = (
                    sgf_grammar.text_value if name in {"C", "GC"} else sgf_grammar.simpletext_value
                )
                values[name] = [value(raw.encode()).decode() for raw in raws]
    return shapes


def its_conversions_read_back_and_are_done_once(data: bytes, dice: random.Random) -> None:
    source = read(data)
    for to in TARGETS:
        try:
            made = sgf_lark.convert(source, to, lossy=dice.choice(("keep", "drop")))  # type: ignore[arg-type]
            again = read(written(made))
        except (SgfConversionError, UnwritableError):
            continue
        assert to == "sgf" or {game.format.lower() for game in again} <= {to}
        assert meanings(again) in [meanings(one) for one in declared(made, source)]
        assert meanings(sgf_lark.convert(again, to)) == meanings(again)  # type: ignore[arg-type]


def declared(made: Collection, source: Collection) -> Iterator[Collection]:
    """Yield games as they are, and so that each declares the encoding as writing may have it.

    A game that stays declares the new encoding, and one of FF[1] or FF[3] that of its bytes where
    they alone would be misread.
    """
    yield made
    olds = (False, True) if made.encoding != source.encoding else (True,)
    for old in olds if made is not source else ():
        encoding = made.encoding or "utf-8"
        games = tuple(declare_encoding(game, encoding, also_old=old) for game in made)
        yield made.model_copy(update={"games": games})


def its_edits_change_the_bytes_of_their_node_alone(data: bytes, dice: random.Random) -> None:
    collection = read(data)
    number = dice.randrange(max(1, len(collection)))
    is_broken = any(
        one.code[0] == "S" and (one.severity == "error" or one.name == "swallowed-properties")
        for one in collection.diagnostics
    )
    if is_broken or not collection.games:
        return
    game = collection[number]
    node = dice.randrange(len(game))
    draft, span = game.edit(), game.nodes[node].span
    assert span is not None
    try:
        draft.set(node, "C", "a]b\\c: d")
        edited = collection.replace(number, draft.done())
        again = read(written(edited))
    except ValueError:
        return
    if [one.format for one in again] != [one.format for one in edited]:
        return  # without FF the format is a guess
    text = collection.text
    marks = (one.start for one in tokens(text) if one.kind == "mark")
    end = next((mark for mark in marks if mark >= span.end), len(text))
    assert again.text.startswith(text[: span.start])
    assert again.text.endswith(text[end:])
    if again.encoding == edited.encoding:
        assert of_ours(again) == of_ours(edited)


def its_text_is_in_a_property_or_a_finding(data: bytes, _: random.Random) -> None:
    collection = read(data)
    if not collection.games:
        assert any(one.severity == "error" for one in collection.diagnostics)
        return
    left = [*masked(collection.text)]
    props = (prop for game in collection for node in game.walk() for prop in node.properties)
    spans = [(one.offset, one.end_offset) for one in collection.diagnostics]
    headers = re.finditer(r"(?:\A|(?<=\)))\s*\d+\s*(?=\(;)", collection.text)  # of matches of GGF
    spans += [header.span() for header in headers]
    for start, end in [*spans, *(prop.span or (0, 0) for prop in props)]:
        left[start:end] = " " * (end - start)
    assert not any(map(str.isalnum, left))


def a_guess_of_its_encoding_keeps_its_structure(data: bytes, _: random.Random) -> None:
    collection = read(data)
    codes = {one.code for one in collection.diagnostics}
    encoding = codecs.lookup(collection.encoding or "ascii").name
    if codes.isdisjoint({"E401", "E402", "E403"}) or "E405" in codes or encoding[:4] == "utf-":
        return
    plain = sgf_lark.loads(data, strict=False, encoding="iso-8859-1")
    if encoding.startswith(("iso8859", "cp12", "koi8", "cp8", "mac")):
        assert in_bytes(collection) == in_bytes(plain)
    else:
        assert count_strays(collection) <= count_strays(plain)
        assert count_properties(collection) >= count_properties(plain)


def in_bytes(collection: Collection) -> object:
    """Return trees, names, and the bytes of values."""
    return [
        (game.nodes.parents.tolist(), [
            [(prop.name, [as_bytes(raw, collection.encoding) for raw in prop.raw]) for prop in node]
            for node in game.nodes.contents
        ])
        for game in collection
    ]  # fmt: skip


def as_bytes(raw: str, encoding: str | None) -> bytes:
    return b"".join(
        char.encode(encoding or "ascii")
        if char < chr(KEPT_FROM)
        else bytes([ord(char) - KEPT_FROM])
        for char in raw
    )


def count_strays(collection: Collection) -> int:
    """Count the texts of no property, and those that go on behind the end of their value."""
    return sum(one.code in {"S102", "S119"} for one in collection.diagnostics)


def count_properties(collection: Collection) -> int:
    return sum(len(content) for game in collection for content in game.nodes.contents)


def its_safe_fixes_change_no_fact(data: bytes, _: random.Random) -> None:
    fixed = sgf_lark.fix_record(data)
    before, after = read(data), read(fixed.data)
    splits = any(one.code == "T206" for one in fixed.made)

    for old, new in zip(before, after, strict=True):
        assert len(old) == len(new) or (splits and len(old) < len(new))
        if isinstance(old.info.result, Result):
            assert isinstance(new.info.result, Result)
            assert new.info.result.winner == old.info.result.winner
        for side in ("black", "white"):
            names = [getattr(game.info, side).name or "" for game in (old, new)]
            assert names[0] == names[1]
        for one, other in zip(old.moves, new.moves, strict=True):
            assert one.color == other.color
            assert one.value == other.value or isinstance(one.value, Invalid)
        assert stones(old) <= stones(new)
    there = after.text.lower()
    assert [word for word in words(before.text.lower()) if word not in there] == []


def stones(game: GameTree) -> set[tuple[str, object]]:
    return {
        (prop.ident, point)
        for node in game.walk()
        for prop in node.properties
        if prop.ident in {"AB", "AW", "AE"}
        for value in prop.values
        if not isinstance(value, Invalid)
        for point in (PointList((value,)) if isinstance(value, Rectangle) else [value])
    }


def its_conversion_keeps_its_text(data: bytes, _: random.Random) -> None:
    for source in (read(data), read(sgf_lark.fix_record(data).data)):
        try:
            made = sgf_lark.convert(source, "ff4")
            again = read(written(made, encoding="utf-8"))
        except (SgfConversionError, UnwritableError):
            continue
        told = Counter[str]()
        for one in [*source.diagnostics, *made.diagnostics]:
            told.update(source.text[one.offset : one.end_offset])
        assert not characters(source.text) - Counter(again.text) - told


CHECKS = (
    it_is_read_in_each_way_alike,
    its_layout_changes_no_text_and_no_second_time,
    its_conversions_read_back_and_are_done_once,
    its_edits_change_the_bytes_of_their_node_alone,
    its_text_is_in_a_property_or_a_finding,
    a_guess_of_its_encoding_keeps_its_structure,
    its_safe_fixes_change_no_fact,
    its_conversion_keeps_its_text,
)


def check_all(folder: Path, seed: int, count: int) -> None:
    for number in range(count):
        data = mutated_record(folder, seed, number)
        if read(data).foreign is not None:
            continue  # tests/foreign has what is true of those
        for check in CHECKS:
            try:
                check(data, random.Random(number))  # noqa: S311  # a fixed seed
            except Exception as error:
                error.add_note(f"{number}: {check.__name__}: {data!r}")
                raise


@pytest.mark.no_cover
def test_all_is_true_of_some_mutated_records() -> None:
    check_all(RECORDS, 1, 5)


@pytest.mark.night
@pytest.mark.no_cover
def test_all_is_true_of_mutated_records_of_the_corpus(pytestconfig: pytest.Config) -> None:
    check_all(record(""), pytestconfig.option.seed, amount(0, 100))


@pytest.mark.parametrize(
    ("check", "number", "data"),
    [
        (1, 6533, b"(;F[]CA[GS[000000.000000 0.000000 032 0 0 0 0 -inf -inf -inf -inf])"),
        (1, 8769, b"\xef\xbb\xbf\xef\xbb\xbf(;F[\xef\xbf\xab])"),
        (2, 1475, b"(;CA[UTF]B[\xe2\x80\x99\xe2\x80\x99\xaf"),  # it gets a CA again
        (2, 1, b"(;(;FF[])C["),
        (2, 1, b"(;CA[](;FF["),
        (2, 1, b"(E[];FF[](;GM"),
        (2, 2990, b"(;FF[4]GM[2](;B[d3])(;C[x];C[R](;C[u])(;C[v])))"),
        (2, 3856, b"(;;W[]TE[]][i]BM["),
        (3, 4846, b"(;;;W[\\"),  # the end cuts off half of an escape
        (3, 5574, b"(;F[(C[][]))"),  # the value has the other bracket
        (5, 859, b"(;BR[3\xe6\xae\xb5]\x97\x9b  WR[5\xe6\xae\xb5]KM[325])"),
        (5, 4664, b"(;PB[\xb9\xc5\xc1\xa6]C\xa3A[GB2312]PW[\xbf\xc2\xbd\xe0])"),
    ],
)
def test_what_once_was_too_much_is_true(check: int, number: int, data: bytes) -> None:
    CHECKS[check](data, random.Random(number))  # noqa: S311  # a fixed seed


def test_a_game_that_stays_as_it_is_declares_the_encoding_of_those_converted() -> None:
    data = "(;FF[4]GM[1]C[的断黑不怕])(;FF[3]GM[1]C[位顶后])".encode("gb18030")

    made = written(sgf_lark.convert(sgf_lark.loads(data), "ff4"))

    assert made.count(b"CA[UTF-8]") == 2
    assert [game.root["C"] for game in read(made)] == ["的断黑不怕", "位顶后"]

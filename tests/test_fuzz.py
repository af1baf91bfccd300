"""Whatever the text: only SgfError escapes a strict reader, and nothing another one."""

from __future__ import annotations

import contextlib
import os
import random
from typing import TYPE_CHECKING

import pytest
from corpus import names, record
from hypothesis import HealthCheck, given, settings, strategies as st
from pydantic import ValidationError

import sgf_lark
from sgf_lark import Collection, Diagnostic, Format, LineIndex, SgfError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: So many examples of each kind; a night's work sets SGF_LARK_EXAMPLES to more.
EXAMPLES = int(os.environ.get("SGF_LARK_EXAMPLES", "400"))

#: Where chance begins; another number gives other mutations.
SEED = int(os.environ.get("SGF_LARK_SEED", "1"))

#: A second is enough for a thousand characters, on any machine.
DEADLINE = 10_000

many = settings(
    max_examples=EXAMPLES,
    deadline=DEADLINE,
    derandomize="SGF_LARK_SEED" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)


# ---- what holds for every text ----


def check_everything(source: str | bytes, format_: Format | None = None) -> None:
    """Read a text strictly and not strictly, and look at all that comes out."""
    collection = sgf_lark.loads(source, strict=False, format=format_)
    check_findings(collection)
    check_places(collection)
    check_data(collection)
    errors = [one for one in collection.diagnostics if one.severity == "error"]
    if not errors:
        assert collection.games
        assert sgf_lark.loads(source, format=format_) == collection
        return
    with pytest.raises(SgfError) as caught:
        sgf_lark.loads(source, format=format_)
    assert caught.value.first == errors[0]
    assert str(caught.value)


def check_findings(collection: Collection) -> None:
    """Each finding has a place in the text, and a node if it has a path."""
    lines = LineIndex(collection.text)
    assert list(collection.diagnostics) == sorted(collection.diagnostics, key=place)
    for one in collection.diagnostics:
        assert 0 <= one.offset <= one.end_offset <= len(collection.text)
        assert (one.line, one.column) == lines.locate(one.offset)
        assert (one.end_line, one.end_column) == lines.locate(one.end_offset)
        if one.node_path is not None:
            assert one.game is not None
            node = collection[one.game].at(one.node_path)
            assert one.property is None or one.property in node


def place(one: Diagnostic) -> tuple[int, int]:
    return one.offset, one.end_offset


def check_places(collection: Collection) -> None:
    """What is read stands in the text where it says, in the order in which it is read."""
    text, done = collection.text, 0
    told = [(one.offset, one.end_offset) for one in collection.diagnostics]
    for game in collection:
        for node in game.walk():
            assert game.at(node.path) == node
            assert node.span is not None
            assert node.span.start >= done
            done = node.span.start
            for one in node.properties:
                assert one.span is not None
                assert one.span.start >= done
                done = one.span.end
                shown = text[slice(*one.span)]
                faults = [(start - one.span.start, end - one.span.start) for start, end in told]
                check_written(shown, one.name, one.raw, faults, cut=done == len(text))
            assert node.span.end >= done


def check_written(
    shown: str, name: str, raw: tuple[str, ...], faults: list[tuple[int, int]], *, cut: bool
) -> None:
    """A property is its name and its values in brackets, white space between, nothing else.

    What else stands between was left out of it, and each character of that is in a finding.
    """
    assert shown.startswith(name)
    at = len(name)
    for value in raw:
        while not shown.startswith("[" + value, at):
            assert shown[at] in " \t\r\n\v\f" or any(start <= at < end for start, end in faults)
            at += 1
        at += 1 + len(value)
        assert shown.startswith("]", at) or (cut and at == len(shown))
        at += 1
    assert at >= len(shown)


def check_data(collection: Collection) -> None:
    """JSON and back; every value can be had."""
    check_json(collection)
    for game in collection:
        assert game.info is not None
        assert game.size is None or min(game.size) > 0
        for node in game.walk():
            assert node.raw.keys() == {ident for ident in node if node[ident] is not None}
            assert node.move is None or node.move.raw is not None


def check_json(collection: Collection) -> None:
    """JSON and back.

    What is damaged may hold what no text can say again, such as a value that ends in half of
    an escape; then its JSON is refused.
    """
    data = collection.model_dump_json()
    if any(one.code[0] == "S" and one.severity == "error" for one in collection.diagnostics):
        with contextlib.suppress(ValidationError):
            assert Collection.model_validate_json(data) == collection
    else:
        assert Collection.model_validate_json(data) == collection


# ---- texts of chance ----

#: What matters to a reader, and what should not.
ALPHABET = "();[]\\:ABCFGMabz0123 \r\n\t\x00é中"

#: Pieces of records, whole ones and broken ones.
PIECES = (
    *("(", ")", ";", "[", "]", "\\", ":", " ", "\n", "(;", ";)", "()", "[]", "]["),
    *("FF[4]", "FF[3]", "FF[1]", "FF[5]", "FF[x]", "GM[1]", "GM[2]", "GM[6]", "GM[99]"),
    *("GM[Othello]", "SZ[19]", "SZ[9:13]", "SZ[0]", "SZ[-3]", "CA[UTF-8]", "AP[x:1]", "AP[x]"),
    *("B[aa]", "W[tt]", "B[]", "W[zz1]", "B[d3//1.5]", "W[PA]", "AB[aa][bb:cc]", "AE[cc:aa]"),
    *("C[a\\]b]", "C[\r\n\t]", "C[\\\n]", "N[:]", "LB[aa:1\\:2:3]", "KM[6.5]", "KM[6.]", "KM[]"),
    *("RE[B+R]", "RE[b+r]", "DT[1996-05,06]", "DT[1996-02-30]", "TM[1e3]", "VW[]", "VW[][aa]"),
    *("TB[]", "FG[]", "FG[257:x]", "FG[1]", "PL[B]", "HA[2]", "KO[]", "DO[1]", "BM[3]", "ZZ[z]"),
    *("BO[8 -*O *]", "TI[5:00/0:30]", "TY[8r18]", "1 ", "2 ", "x", "GaMe[1]", "b[aa]", "B1[]"),
    *("MI[length:7][game:1]", "\x00", "\ufeff", "é", "B [aa] [bb]", "(;FF[4]", "(;GM[Othello]"),
)

texts = st.text(alphabet=ALPHABET, max_size=60)
records = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
formats = st.sampled_from([None, None, None, *Format])


@many
@given(text=texts, format_=formats)
def test_any_characters_are_read_or_refused(text: str, format_: Format | None) -> None:
    check_everything(text, format_)


@many
@given(text=texts, format_=formats)
def test_any_characters_in_a_record_are_read_or_refused(text: str, format_: Format | None) -> None:
    check_everything(f"(;FF[4]GM[1]B{text}C[{text}])", format_)


@many
@given(text=records, format_=formats)
def test_any_pieces_of_records_are_read_or_refused(text: str, format_: Format | None) -> None:
    check_everything(text, format_)


@many
@given(data=st.binary(max_size=60), before=st.sampled_from([b"", b"(;C[", b"\xff\xfe(\0;\0"]))
def test_any_bytes_are_read_or_refused(data: bytes, before: bytes) -> None:
    check_everything(before + data)


@many
@given(
    data=st.binary(max_size=40),
    charset=st.sampled_from(["UTF-8", "GB18030", "Shift_JIS", "Big5", "UTF-16", "rot13", "é"]),
)
def test_any_bytes_in_any_declared_encoding_are_read_or_refused(data: bytes, charset: str) -> None:
    check_everything(b"(;FF[4]CA[" + charset.encode() + b"]C[" + data + b"]PB[" + data + b"])")


# ---- texts that were found so, or by thinking ----


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("", None),
        ("(", None),
        ("(;", None),
        ("(;FF[4]KM[1]KM[2", None),  # a complaint about a property that the end cuts off
        ("(;FF[4]C[\\", None),
        ("(;GM[Othello]PC[x]KM[1]KM[2", Format.GGF),
        ("(;;)", Format.GGF),  # no property before the first move, which has its own node
        ("(;B[d3];)", Format.GGF),
        ("(;B[d3]GM[Othello];)", None),
        ("(;GM[Othello]PC[x]b[d3]Ww[c5];)", None),  # a move by another name
        ("(;GM[Othello]BO[" + "9" * 30 + " - *];)", None),  # more rows than memory has
        ("(;GM[Othello]BO[" + "9" * 9 + " - *];)", None),
        ("(;FF[4]HA[" + "9" * 5000 + "]KM[" + "9" * 5000 + "])", None),  # int() refuses these
        ("9" * 5000 + " (;GM[Othello]PC[x];)", None),
        ("(;GM[Othello]TI[" + "9" * 99 + "]TY[8r" + "9" * 99 + "];)", None),
        ("(;GM[Othello]DT[0000.00.00_00:00:00.MDT];)", None),
        ("(;FF[4]DT[0000-00-00,9999-12-31]SZ[0:0]FG[-1:]AP[:]AR[:])", None),  # no board,
    ],
)
def test_a_text_that_once_was_too_much_is_read(text: str, format_: Format | None) -> None:
    check_everything(text, format_)


# ---- real records, a little damaged ----

#: Longer records are cut to so many bytes somewhere: the damage matters, not the length.
LONGEST = 1_500


def mutations(dice: random.Random) -> Iterator[tuple[str, bytes]]:
    """Real records with up to five changes, and where they come from."""
    known = names()
    while True:
        which = dice.choice(known)
        data = record(which).read_bytes()
        if len(data) > LONGEST:
            start = 0 if dice.random() < 0.7 else dice.randrange(len(data))
            data = data[start : start + LONGEST]
        for _ in range(dice.randint(1, 5)):
            data = changed(data, dice)
        yield which, data


def changed(data: bytes, dice: random.Random) -> bytes:
    """One change: a slice is deleted, put in, replaced, doubled, moved, or all behind it cut."""
    start = dice.randint(0, len(data))
    end = min(len(data), start + dice.choice((0, 1, 1, 1, 2, 3, 10, 100)))
    before, part, behind = data[:start], data[start:end], data[end:]
    match dice.randrange(6):
        case 0:
            return before + behind
        case 1:
            return before + part + dice.choice(PIECES).encode() + behind
        case 2:
            return before + dice.choice((b"]", b"[", b")", b"(", b";", b"\\", b"\0")) + behind
        case 3:
            return before + part * dice.randint(2, 5) + behind
        case 4:
            return behind + before + part
        case _:
            return before + dice.randbytes(len(part)) + (behind if dice.random() < 0.8 else b"")


def test_damaged_records_are_read_or_refused() -> None:
    record("")
    dice = random.Random(SEED)  # noqa: S311  # the same damage every time
    damaged = mutations(dice)
    for _ in range(EXAMPLES):
        which, data = next(damaged)
        try:
            check_everything(data)
        except BaseException as error:
            error.add_note(f"{which}: {data!r}")
            raise

"""Whatever the text: only SgfError escapes a strict reader, and nothing another one."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.corpus import names, record
from support.damage import PIECES, changed
from support.invariants import check_everything
from support.lanes import amount

from sgf_lark import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

#: So many examples of each kind.
EXAMPLES = amount(12, 120)

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


# ---- texts of chance ----

#: What matters to a reader, and what should not.
ALPHABET = "();[]\\:ABCFGMabz0123 \r\n\t\x00é中"

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


@pytest.mark.both_lanes
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

"""Pieces of records, and records that are damaged a little."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

from .lexer import tokens

if TYPE_CHECKING:
    from pathlib import Path

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
    *("(;ff[4]", "(;rF[4]", "(;FF[1]", "(;FF[3]", "(;CA[x]", "(;ST[2]", "(;AP[]", "(;SZ[26]"),
    *("aB[]", "qZ[]", "Black[aa]", "XYZ[]", "L[aa][bb]", "M[aa]", "LB[aa]", "W[d3]", "B[aa", "B"),
    *("MI[length:7][game:1]", "\x00", "\ufeff", "é", "B [aa] [bb]", "(;FF[4]", "(;GM[Othello]"),
)


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


#: Character encodings of real records, and a mark that some of them begin with.
ENCODINGS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "cp1252"),
    *("gb18030", "big5", "shift_jis", "euc-kr", "euc-jp", "koi8-r", "cp1251"),
)

#: Names and values that meet others in one node.
_TEXTS = (
    *(
        "C[a [3d\\] b]",
        "C[two\nlines]",
        "PB[x]",
        "KM[1]KM[2]",
        "PW[\u674e]",
        "C[caf\u00e9 \u2116 5]",
    ),
    *("CA[UTF-8]", "CA[GB18030]", "CA[UTF-16LE]", "CA[ISO-8859-1]", "CA[x]", "GM[0]", "GM[-1]"),
    *(
        "SZ[99]",
        "SZ[1e9]",
        "HA[0]",
        "B[aa]B[bb]",
        "AB[aa]W[bb]",
        "c[d]",
        "Comment[long]",
        "LB[aa:x]",
    ),
)


def changed_record(data: bytes, dice: random.Random) -> bytes:
    """One change of a record: of bytes, tokens, nodes, a bracket, a name, or the encoding."""
    kind = dice.randrange(10)
    if kind <= 1:
        return (changed, _encoded)[kind](data, dice)
    found = tokens(data.decode("iso-8859-1"))  # a character is a byte
    if not found:
        return data + dice.choice(PIECES).encode()
    start, end = dice.choice(found)[2:4]
    if kind <= 4:  # a value, a name, a bracket
        return _moved(data, start, end, dice)
    if kind <= 6:  # a node, a property
        starts = [one.start for one in found if one.text == ";" or one.kind == "name"]
        starts = [*starts, len(data), len(data)]
        at = dice.randrange(len(starts) - 1)
        return _moved(data, starts[at], starts[at + 1], dice)
    if kind == 7:
        mark = dice.choice((b"]", b"[", b"\\", b")", b"(", b";", b":"))
        at = dice.randint(start, end)
        return data[:at] + mark + data[at + dice.randrange(2) :]
    return data[:end] + dice.choice(_TEXTS + PIECES).encode() + data[end:]


def _moved(data: bytes, start: int, end: int, dice: random.Random) -> bytes:
    """Delete, double or move a part, or put a piece in its place."""
    before, part, after = data[:start], data[start:end], data[end:]
    match dice.randrange(4):
        case 0:
            return before + after
        case 1:
            return before + part + part + after
        case 2:
            at = dice.randint(0, len(after))
            return before + after[:at] + part + after[at:]
        case _:
            return before + dice.choice(PIECES).encode() + after


def _encoded(data: bytes, dice: random.Random) -> bytes:
    """Write all or some of it in another encoding, or put a mark before it."""
    first, second = dice.choice(ENCODINGS), dice.choice(ENCODINGS)
    at = dice.choice((0, 0, dice.randint(0, len(data))))
    match dice.randrange(4):
        case 0:
            return dice.choice((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) + data
        case 1:
            at = dice.randint(0, len(data))
            return (
                data[:at]
                + "\u00e9\u674e\u00a3\u044f"[dice.randrange(4)].encode(first, "ignore")
                + data[at:]
            )
        case _:
            text = data[at:].decode("utf-8", "ignore" if dice.random() < 0.5 else "replace")
            return data[:at] + text.encode(second, "ignore")


#: Bytes of a record that is used whole; of a longer one, a part is.
MAX_BYTES = 6_000


def mutated_record(folder: Path, seed: int, number: int) -> bytes:
    """Return a record of a folder after some changes: the same by the same numbers."""
    dice = random.Random(f"{seed}/{number}")  # noqa: S311  # a fixed seed
    data = dice.choice(_files(folder)).read_bytes()
    if len(data) > MAX_BYTES:
        data = _part_of(data, dice)
    for _ in range(dice.choice((1, 1, 1, 1, 2, 2, 2, 3, 4, 5))):
        data = changed_record(data, dice)
    return data


@cache
def _files(folder: Path) -> tuple[Path, ...]:
    """The records of a folder, in order; what lies in its top has no records in folders."""
    found = sorted(one for one in folder.glob("*/**/*") if one.is_file())
    return tuple(found or sorted(one for one in folder.iterdir() if one.is_file()))


def _part_of(data: bytes, dice: random.Random) -> bytes:
    """Cut a part out of a long file: its beginning, or a piece that begins with a game."""
    start = 0
    if dice.random() < 0.5:
        start = max(0, data.find(b"(;", dice.randrange(len(data))))
    end = start + dice.randint(300, MAX_BYTES // 3)
    border = max(data.rfind(mark, start + 1, end) for mark in (b"\n;", b"(;", b";"))
    part = data[start : border if border > start else end]
    depth = part.count(b"(") - part.count(b")")
    return part + b")" * depth if dice.random() < 0.8 else part

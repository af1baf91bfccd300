"""Pieces of records, and records that are damaged a little."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

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

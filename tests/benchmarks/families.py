"""Texts each as long as one likes: some as files have them, most as nobody would write them."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters


def numbered(pattern: str, count: int) -> str:
    """A pattern with a different number each time."""
    return "".join([pattern % number for number in range(count)])


def lettered(pattern: str, count: int) -> str:
    """A pattern with a different name each time: capital letters for digits."""
    names = str.maketrans("0123456789", "ABCDEFGHIJ")
    return "".join([pattern % str(number).translate(names) for number in range(count)])


#: Texts that cost little for each character: made of so many pieces.
FLAT_SIZE = 40_000
FLAT: dict[str, Callable[[int], str]] = {
    "closing brackets": lambda n: ")" * n,
    "semicolons": lambda n: ";" * n,
    "brackets that open values": lambda n: "[" * n,
    "brackets that close values": lambda n: "]" * n,
    "capital letters": lambda n: "A" * n,
    "small letters": lambda n: "a" * n,
    "white space": lambda n: " " * n,
    "NUL characters": lambda n: "\0" * n,
    "Chinese letters": lambda n: "中" * n,
    "properties outside": lambda n: "A[]" * n,
    "a long name": lambda n: "(;" + "A" * n,
    "a long name in small letters": lambda n: "(;" + "a" * n + "B",
    "small letters behind a bracket": lambda n: "(" + "a" * n,
    "names behind brackets": lambda n: "(a" * n,
    "capital names behind brackets": lambda n: "(A" * n,
    "white space behind a bracket": lambda n: "(" + " " * n,
    "white space behind brackets": lambda n: ("(" + " " * 99) * (n // 100),
    "white space behind a name": lambda n: ("(A" + " " * 98) * (n // 100),
    "white space everywhere": lambda n: "(;" + " " * n + "FF" + " " * n + "[4]" + " " * n + ")",
    "line breaks of all kinds": lambda n: "\r\n\r\n\n\r" * n + "(;FF[4])",
    "values that never end": lambda n: "(;FF[4]" + ";B[aa" * n,
    "backslashes": lambda n: "(;FF[4]C[" + "\\" * n,
    "escaped backslashes": lambda n: "(;FF[4]C[" + "\\\\" * n + "])",
    "a backslash in each value": lambda n: "(;FF[4]" + ";C[\\" * n,
    "soft line breaks": lambda n: "(;FF[4]C[" + "\\\n" * n + "])",
    "hard line breaks": lambda n: "(;FF[4]C[" + "\r\n\r" * n + "])",
    "colons": lambda n: "(;FF[4]LB[" + ":" * n + "])",
    "colons in AP": lambda n: "(;FF[4]AP[" + ":" * n + "])",
    "escaped colons": lambda n: "(;FF[4]LB[" + "\\:" * n + "])",
    "a long number": lambda n: "(;FF[4]KM[" + "9" * n + "])",
    "a long score": lambda n: "(;FF[4]KM[" + "9" * n + "]RE[B+" + "9" * n + "])",
    "a long whole number": lambda n: "(;FF[4]HA[" + "9" * n + "]SZ[" + "9" * n + ":1])",
    "a long FF": lambda n: "(;FF[" + "9" * n + "]GM[" + "9" * n + "])",
    "many days": lambda n: "(;FF[4]DT[1996-05-06" + ",07" * (n // 8) + "])",
    "a long GGF count": lambda n: "1" * n + " (;GM[Othello];)",
    "many GGF counts": lambda n: "1 " * n + "(;GM[Othello];)",
    "a GGF value that never ends": lambda n: "(;GM[Othello]" + "B[a" * n,
    "a long GGF board": lambda n: "(;GM[Othello]BO[8 " + "-" * n + " *];)",
    "a large GGF board": lambda n: "(;GM[Othello]BO[" + "9" * (n // 10) + " -- *];)",
    "slashes": lambda n: "(;GM[Othello]TI[" + "/" * n + "]B[" + "/" * n + "];)",
    "a long GGF number": lambda n: "(;GM[Othello]RE[" + "9" * n + "]TI[" + "9" * n + "];)",
    "backgammon": lambda n: "(;FF[4]GM[6];B[11" + "a" * n + "])",
    "a long column": lambda n: "(;FF[4]GM[11];B[" + "a" * n + "1])",
    "a long row": lambda n: "(;FF[4]GM[11];B[a" + "1" * n + "])",
    "prongs": lambda n: "(;FF[4]GM[19];B[a1" + "+A" * n + "])",
}

#: All points of a large board but two corners, as values.
FILLED = "".join(
    f"[{column}{row}]"
    for column in ascii_letters
    for row in ascii_letters
    if column + row not in {"aa", "ZZ"}
)

#: Texts of so many pieces, each of which is something to read or to complain about.
DENSE_SIZE = 600
DENSE: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "(" * n,
    "empty trees": lambda n: "()" * n,
    "nodes never closed": lambda n: "(;" * n,
    "games never closed": lambda n: "(;FF[4]" * n,
    "games with a value that never ends": lambda n: "(;FF[4]B[aa" * n,
    "games inside games": lambda n: "(;FF[4]B[aa]" * n + ")" * n,
    "variations never closed": lambda n: "(;FF[4]" + "(;B[aa]" * n,
    "brackets too many": lambda n: "(;FF[4]" + "((;B[aa])" * n + ")" * n + ")",
    "closing brackets between": lambda n: "(;FF[4]))" * n,
    "text between games": lambda n: "(;FF[4]) x " * n,
    "nodes behind variations": lambda n: "(;FF[4]" + "(;B[aa]);W[aa]" * n + ")",
    "variations without semicolons": lambda n: "(;FF[4]" + "(B[aa])" * n + ")",
    "junk between": lambda n: "(;FF[4]" + ";B[aa]x é" * n + ")",
    "names without values": lambda n: "(;FF[4]" + "B ;" * n + ")",
    "values without names": lambda n: "(;FF[4]" + "C[]x[x]" * n + ")",
    "NUL in values": lambda n: "(;FF[4]" + "C[\0]" * n + ")",
    "lines and columns": lambda n: "(;FF[4]" + "\r\n\r;B[zzz]\n\r" * n + ")",
    "one property many times": lambda n: "(;FF[4]" + "AB[aa]" * n + ")",
    "different properties of one name": lambda n: "(;FF[4]" + numbered("C[%d]", n) + ")",
    "unknown properties": lambda n: "(;FF[4]" + lettered("X%s[a]", n) + ")",
    "unknown properties without FF": lambda n: "(;" + lettered("X%s[a]", n) + ")",
    "properties of other formats": lambda n: "(;FF[4]" + numbered(";L[%d]", n) + ")",
    "properties of newer formats": lambda n: "(" + numbered(";CR[%d]", n) + ")",
    "wrong values": lambda n: "(;FF[4]" + numbered(";B[%d]", n) + ")",
    "wrong values without FF": lambda n: "(" + numbered(";B[%d]", n) + ")",
    "values of one property": lambda n: "(;FF[4]AB" + "[aa:ZZ]" * n + "TR" + "[a]" * n + ")",
    "empty values": lambda n: "(;FF[4]VW" + "[]" * n + ")",
    "rectangles": lambda n: "(;FF[4]" + "(;AB[aa:ZZ])" * n + ")",
    "wrong siblings": lambda n: "(;FF[4]" + "(;B[zzz])" * n + ")",
    "wrong second children": lambda n: "(;FF[4]" + "(;B[aa])(;B[zzz]" * n + ")" * n + ")",
    "a long wrong line": lambda n: "(;FF[4]" + ";B[zzz]" * n + ")",
    "turns and steps": lambda n: "(;FF[4]" + "(;B[aa])(;B[zzz];W[zzz]" * n + ")" * n + ")",
    "game-info in every node": lambda n: "(;FF[4]KM[1]" + ";KM[1]SZ[9]" * n + ")",
    "moves and setup": lambda n: "(;FF[4]" + ";AB[aa]B[aa]W[bb]" * n + ")",
    "moves beside a chain with a far liberty": lambda n: (
        "(;FF[4]GM[1]SZ[52]AW" + FILLED + ";B[aa]" * 4 * n + ")"
    ),
    "captures of a large chain": lambda n: (
        "(;FF[4]GM[1]SZ[52]AW" + FILLED + ";B[ZZ]" + "(;B[aa])" * 4 * n + ")"
    ),
    "stones replaced in a large chain": lambda n: (
        "(;FF[4]GM[1]SZ[52]AW" + FILLED + ";B[bb];W[bb];B[ab];W[ab]" * n + ")"
    ),
    "a node of many moves": lambda n: "(;FF[4]GM[1];" + "B[aa]AP[x]" * 4 * n + ")",
    "a point set up by many properties": lambda n: "(;FF[4]GM[1];" + "AB[aa]" * 8 * n + ")",
    "a point set up many times": lambda n: "(;FF[4]GM[1];AB" + "[aa]" * 8 * n + ")",
    "a rectangle set up many times": lambda n: "(;FF[4]GM[1]SZ[52];AB" + "[aa:ZZ]" * n + ")",
    "a filled board that changes hands": lambda n: (
        "(;FF[4]GM[1]SZ[52]" + ";AB[aa:ZZ];W[bb];AW[aa:ZZ];B[bb]" * n + ")"
    ),
    "a filled board of Hex": lambda n: (
        "(;FF[4]GM[11]SZ[702]" + ";AB[a1:zz702];AW[a1:zz702]" * n + ")"
    ),
    "pods of Octi that travel": lambda n: "(;FF[4]GM[19]SZ[9];B[" + "46CD-56," * n + "46CD-56])",
    "GGF games never closed": lambda n: "(;GM[Othello]" * (n // 4),
    "GGF games": lambda n: "(;GM[Othello];)" * n,
    "GGF junk": lambda n: "(;GM[Othello]" + "x B[d3] 7" * n + ";)",
    "GGF semicolons": lambda n: "(;GM[Othello]" + ";" * n + ";)",
    "GGF times": lambda n: "(;GM[Othello]" + numbered("B[a1//1.%d]", n) + ";)",
}

#: Texts of so many pieces, each of which has the same fault.
FAULTY_SIZE = 300
FAULTY: dict[str, Callable[[int], str]] = {
    "games of two properties never closed": lambda n: "(;FF[4]GM[1]" * n,
    "variations in one another never closed": lambda n: "(;FF[4]GM[1]" + "(;B[aa](;W[bb]" * n,
    "a suicide in each game": lambda n: "(;FF[4]GM[1]SZ[5];W[ab];W[ba];B[aa])" * n,
    "stray text in each game": lambda n: "(;FF[4]GM[1];B[aa] x ;W[bb])" * n,
    "games that declare no format": lambda n: "(;GM[1]SZ[9];B[aa])" * n,
    "moves off the alphabet": lambda n: "(;FF[4]GM[1]" + ";B[zz]" * n + ")",
    "wrong values of all types": lambda n: (
        "(;FF[4]GM[1]" + ";B[zz]KO[x]MN[x]V[x]DM[5]AB[x]LB[x]PL[x]AR[x]" * (2 * n) + ")"
    ),
    "an unknown property in each node": lambda n: "(;FF[4]GM[1]" + ";XX[1]" * n + ")",
    "stray text after each node": lambda n: "(;FF[4]GM[1]" + ";B[aa]x" * n + ")",
    "stray brackets after each node": lambda n: "(;FF[4]GM[1]" + ";B[aa]]" * n + ")",
    "a NUL in each value": lambda n: "(;FF[4]GM[1]" + ";C[\0]" * n + ")",
    "a broken character in each value": lambda n: "(;FF[4]GM[1]" + ";C[\ufffd]" * n + ")",
    "a value never closed in each game": lambda n: "(;FF[4]GM[1];C[a" * n,
    "GGF games of one property never closed": lambda n: "(;GM[Othello]PB[a]" * n,
    "a wrong move in each GGF game": lambda n: "(;GM[Othello]PC[x]B[z9];)" * n,
    "stray text in each GGF game": lambda n: "(;GM[Othello]PC[x]x 7 B[d3];)" * n,
    "wrong moves of GGF": lambda n: "(;GM[Othello]PC[x]" + "B[z9]" * n + ";)",
    "unknown properties of GGF": lambda n: "(;GM[Othello]PC[x]" + "XX[1]" * n + ";)",
}


# ---- as files have them ----

#: A record of the nineties, without FF; others, with their programs' habits.
_OLD = (
    "(;GM[1]SZ[19]PB[Kitani Minoru]BR[7 dan]PW[Go Seigen]WR[5 dan]\nDT[1933-10-16]PC[Tokyo]"
    "KM[0]RE[B+2]EV[Opening %d]\n\n;B[qd];W[dc];B[pq]C[the usual corner (see above)];W[co]\n"
    "(;B[ce];W[ed])\n(;B[de]LB[cd:a][dd:b];W[pp]))\n"
)
_KIFU = "(;SZ[19]PW[White]PB[Black]RE[W+R]\n;B[pd];W[dp];B[pp];W[dd];B[tt]N[pass %d])\n"
_LONG_NAMES = (
    "(;GaMe[1]VieW[]SiZe[9]PlayerBlack[x %d]\n;Black[ee];White[ge];Black[]Comment[a \\] b])\n"
)
_FF3 = (
    "(;FF[3]GM[1]SZ[19]PB[a]PW[b]GN[Game %d]\n;B[qd]L[pp][dd];W[dc]M[qd]TE[1]"
    "C[good];B[pq](;W[co])(;W[cp]BM[2]))\n"
)
_FF4 = (
    "(;FF[4]GM[1]SZ[19]CA[UTF-8]AP[Sabaki:0.52.2]KM[6.5]PB[%d]PW[b]DT[2021-03-04]\n"
    ";B[pd]BL[1799.2];W[dp]WL[1798];B[pp]\nC[a [comment\\] (with: marks;)]TR[pd][dp]\n"
    "(;W[dd])(;W[dc]LB[dd:1]))\n"
)
_APPLICATION = "(;AP[CGoban:3]CA[UTF-8]ST[2]RU[Japanese]SZ[19]PB[%d]\n;B[pd];W[dp];B[];W[])\n"
_BACKGAMMON = (
    "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.0]MI[length:7][game:%d]\n;B[51mh];W[DOUBLE])\n"
)
_GGF = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]"
    "RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 ---------------------------O*------*O"
    "--------------------------- *]B[d3//0.01]W[c5//%d]B[f6//0.01];)\n"
)


def in_turns(patterns: tuple[str, ...], count: int) -> str:
    """Games of several kinds, one kind after the other."""
    return "".join([patterns[number % len(patterns)] % number for number in range(count)])


#: The value of a pass is not closed; what follows is text up to the next bracket.
_DAMAGED = _KIFU.replace("]N[", "N[")

#: So many games of a file; twice as many take twice as long.
SEVERAL_SIZE = 300
SEVERAL: dict[str, Callable[[int], str]] = {
    "empty games": lambda n: "(;)" * n,
    "games of old files": lambda n: numbered(_OLD, n),
    "games without FF": lambda n: numbered(_KIFU, n),
    "games with long names": lambda n: numbered(_LONG_NAMES, n),
    "games without FF that are FF[4]": lambda n: numbered(_APPLICATION, n),
    "games of FF[4]": lambda n: numbered(_FF4, n),
    "games of mixed FF": lambda n: in_turns((_OLD, _FF3, _FF4), n),
    "games with FF here and there": lambda n: in_turns((_KIFU, _FF4, _APPLICATION), n),
    "games of several kinds": lambda n: in_turns((_KIFU, _BACKGAMMON), n),
    "games without FF, each with a fault": lambda n: numbered(_DAMAGED, n),
    "games without FF, every tenth with a fault": lambda n: in_turns((_KIFU,) * 9 + (_DAMAGED,), n),
    "games that FF[4] alone refuses": lambda n: numbered("(;AP[x:1]aB[];;C[%d])\n", n),
    "games of GGF": lambda n: numbered(_GGF, n),
    "games of GGF with their number": lambda n: numbered("1 " + _GGF, n),
}

#: All of them.
FAMILIES = {**FLAT, **DENSE, **FAULTY, **SEVERAL}

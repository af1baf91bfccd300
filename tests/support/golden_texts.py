"""The texts of the golden record.

They are drawn from a corpus by bytes alone, so that they are the same for each state of the
package, and by nothing of ``random`` but ``random()``, so that they are in each version of Python.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from . import corpus

#: The texts that are drawn for a full record.
DRAWN = 20_000

#: The bytes of a drawn text, at most.
MAX_BYTES = 600

#: The bytes of a root that is put before nodes that were cut out behind it, at most.
MAX_ROOT = 300

_Thing = TypeVar("_Thing")


class Text(NamedTuple):
    """A text, and its name in the record.

    Attributes:
        name: Such as ``corpus/ff3/game.sgf``, ``catalogue/V301/wrong/1``, ``drawn/00017``.
        data: Its bytes.
        format: The format as which it is read; None for the one that it declares.
    """

    name: str
    data: bytes
    format: str | None = None


def records() -> dict[str, bytes]:
    """Return the records of the corpus by their names.

    Raises:
        SystemExit: Nobody says where the corpus is.
    """
    if not corpus.names():
        raise SystemExit(f"{corpus.VARIABLE} names no folder of real game records")
    return {name: corpus.record(name).read_bytes() for name in corpus.names()}


def samples(root: Path) -> Iterator[Text]:
    """Yield the sample records of the project."""
    for file in sorted((root / "tests" / "records").iterdir()):
        yield Text(f"records/{file.name}", file.read_bytes())


def examples() -> Iterator[Text]:
    """Yield the examples of the catalogue: the only texts that belong to the package."""
    from sgf_lark.findings.catalogue import catalogue  # no public name leads to the examples

    for code, entry in catalogue().items():
        # That of a conversion is the one to which its examples are converted.
        format_ = entry.format if entry.rule.group != "conversion" else ""
        for kind, texts, digits in (
            ("wrong", entry.wrong, entry.wrong_hex),
            ("right", entry.right, entry.right_hex),
        ):
            shown: tuple[str | bytes, ...] = (*texts, *map(bytes.fromhex, digits))
            for number, example in enumerate(shown, 1):
                data = example.encode() if isinstance(example, str) else example
                yield Text(f"catalogue/{code}/{kind}/{number}", data, format_ or None)


def draw(files: Mapping[str, bytes], count: int) -> Iterator[Text]:
    """Yield different texts of at most 600 bytes; the same files give the same texts."""
    found = [each for name in sorted(files) if (each := _find_borders(name, files[name]))]
    different = islice(_different(found), count)
    for number, data in enumerate(different):
        yield Text(f"drawn/{number:05}", data)


def _different(files: Sequence[Borders]) -> Iterator[bytes]:
    seen: set[bytes] = set()
    seed = 0
    while True:
        dice = Dice(seed)
        data = _cut(dice.choose(files), dice)
        for _ in range(dice.choose((0, 0, 0, 1, 1, 1, 2, 4))):
            data = _damage(data, dice)
        data = data[:MAX_BYTES]
        if data not in seen:
            seen.add(data)
            yield data
        seed += 1


class Dice:
    """Numbers by chance, by a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311  # texts, no secrets

    def below(self, end: int) -> int:
        """Return a number from 0 to the one before the end."""
        return int(self._random() * end)

    def choose(self, things: Sequence[_Thing]) -> _Thing:
        """Return one of some things."""
        return things[self.below(len(things))]


# ---- cut ----

#: Stands for a longer root.
_ROOT = b"(;FF[4]GM[1]SZ[19]"

#: What a file is cut by: brackets and semicolons outside values; in GGF the moves, too.
_SGF = re.compile(rb"\\.|[][();]", re.DOTALL)
_GGF = re.compile(rb"[][();]|[BW](?=\[)")


class Borders(NamedTuple):
    """The places of a file at which games and nodes begin and end.

    Attributes:
        is_ggf: It is GGF.
        data: The file.
        places: All of them, in order.
        games: Those at which games begin, by their number among the places.
    """

    is_ggf: bool
    data: bytes
    places: list[int]
    games: list[int]


def _find_borders(name: str, data: bytes) -> Borders | None:
    """Find the borders of a file; None if there are too few."""
    places: list[int] = []
    games: list[int] = []
    inside = False
    depth = 0
    is_ggf = name.endswith(".ggf")
    for match in (_GGF if is_ggf else _SGF).finditer(data):
        symbol = match[0]
        if symbol == b"]":
            inside = False
        elif symbol == b"[":
            inside = True
        elif not inside and symbol[:1] != b"\\":
            if symbol == b"(":
                if not depth:
                    games.append(len(places))
                depth += 1
            elif symbol == b")":
                depth = max(0, depth - 1)
            places.append(match.start())
    return Borders(is_ggf, data, places, games) if games and len(places) > games[-1] + 2 else None


def _cut(file: Borders, dice: Dice) -> bytes:
    """Cut a game from its beginning, or some nodes, mostly with the root before them."""
    is_ggf, data, places, games = file
    size = 40 + dice.below(MAX_BYTES - 80)
    game = dice.choose(games)
    first = game
    root = b""
    if dice.below(5) < 3:
        first = dice.below(len(places) - 1)
        game = max((one for one in games if one <= first), default=games[0])
        first = max(first, min(game + 2, len(places) - 1))  # behind the root
        root = data[places[game] : places[min(game + 2, len(places) - 1)]]
        if len(root) > MAX_ROOT:
            root = _ROOT
        if dice.below(8) == 0:
            root = b""
    start = places[first]
    last = start
    depth = 0
    for place in places[first:]:
        if place > start + size or depth < 0:
            break
        last = place
        depth += {40: 1, 41: -1}.get(data[place], 0)
    if last == start or dice.below(20) == 0:
        last = start + size
    text = root + data[start:last]
    open_ = text.count(b"(") - text.count(b")")
    if dice.below(8):
        text += (b";)" if is_ggf else b")") * max(0, min(open_, 50))
    return text


# ---- damage ----

#: What is put somewhere: pieces of records, whole ones and broken ones.
_PIECES = (
    *r"""
    ( ) ; [ ] \ : (; ;) () [] ][ ]; ]) [; C[ ;B[ ;W[] (;) ((; ))
    FF[4] FF[3] FF[1] FF[5] FF[x] FF[] GM[1] GM[2] GM[6] GM[11] GM[99] GM[0] GM[-1] GM[Othello]
    SZ[19] SZ[9] SZ[9:13] SZ[0] SZ[-3] SZ[52] SZ[53] SZ[99999999] SZ[] SZ[a] CA[UTF-8] CA[gb2312]
    CA[x] CA[] AP[x:1] AP[x] ST[2] ST[9] PB[a] PW[b\]c] B[aa] W[tt] B[] W[zz1] B[d3//1.5] W[PA]
    W[jj][kk] B[--] AB[aa][bb:cc] AW[aa][aa] AE[cc:aa] AE[aa:ss] AB[] AB[zz] PL[B] PL[x] KO[]
    C[a\]b] C[\:] C[] N[:] N[] LB[aa:1\:2:3] LB[aa] AR[aa:bb] AR[aa:aa] LN[aa:cc] TR[aa] SQ[aa:cc]
    MA[] DD[] DD[aa] VW[] VW[][aa] TB[] TW[aa:bb] FG[257:x] FG[1] FG[] PM[1] PM[9] MN[5] MN[-1]
    MN[99999999999999999999] KM[6.5] KM[6.] KM[] KM[6,5] KM[-0] KM[1e9] HA[2] HA[0] HA[1] HA[-2]
    HA[999] RE[B+R] RE[b+r] RE[B+] RE[0] RE[?] RE[W+3.5] DT[1996-05,06] DT[1996-02-30] DT[today]
    DT[2000-01-01,99999-01-01] TM[1e3] TM[3600] TM[-1] TM[1h] OT[5x30] BL[9.5] BL[x] WL[-3] OB[3]
    OW[0] DO[1] DO[] BM[3] TE[1] IT[] GB[1] GW[2] HO[1] DM[1] UC[1] V[1.5] V[x] EV[e] RO[1 (x)]
    ZZ[z] ZZ[] b[aa] Black[aa] B1[] GaMe[1] BO[8] BO[-] TI[5:00/0:30] TY[8r18] MI[length:7][game:1]
    CV[2] CO[n] DI[31] XX1[] 1 2 x B [aa] [bb] 者 é [é] [者] A[aa] L[aa] M[bb]
    """.encode().split(),
    *(
        b" ",
        b"\n",
        b"\r\n",
        b"\t",
        b"\0",
        b"\\\n",
        "\ufeff".encode(),
        b"\xe9",
        b"\xb0\xa1",
        b"\xff",
    ),
)

#: What one byte becomes.
_BYTES = tuple(bytes([one]) for one in b"][)(;\\: \n\0aBz09-.")


def _damage(data: bytes, dice: Dice) -> bytes:
    """Make one change; of a slice that is mostly short, at any place or at a bracket."""
    start = dice.below(len(data) + 1)
    if dice.below(2):
        start = max(start, data.find(dice.choose((b"[", b"]", b";", b"(", b")")), start))
    end = min(len(data), start + dice.choose((0, 1, 1, 1, 2, 3, 10, 100)))
    before, part, behind = data[:start], data[start:end], data[end:]
    piece = dice.choose(_PIECES)
    noise = bytes(dice.below(256) for _ in part)
    return dice.choose(
        (
            before + behind,
            before + part + piece + behind,
            before + part + piece + behind,
            before + piece + behind,
            before + dice.choose(_BYTES) + behind,
            before + part * (2 + dice.below(4)) + behind,
            behind + before + part if dice.below(3) else before + part,
            before + noise + behind,
        )
    )

"""Keys of positions: 64 bits that are the same on every machine and in every version.

A key is the exclusive or of one number for each feature of a position, as Zobrist proposed
(A New Hashing Method with Application for Game Playing, 1970).  The numbers are not random: each
is the first eight bytes, big end first, of the SHA-256 of the text of its feature::

    go:19:pd:B                 a black stone on pd
    go:13x9:W:to-play          White is to play, on a board of 13 by 9
    go:19:pd:ko                a ko forbids to play on pd
    amazons:10:dd:arrow        what belongs to nobody
    twixt:24:bc:de:W:link      a link of White between two holes
    octi:9:ec:B:2:ACE          two black pods with the prongs A, C and E
    backgammon:f:W:5           five white checkers on a point

That is: the name of the game's grammar, the size (not of backgammon), points as in Go, column and
row from ``a`` to ``Z`` (or two numbers, ``60,3``, where a side is longer than 52), the side, and
what else there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from string import ascii_letters
from typing import TYPE_CHECKING

from sgf_lark.core import LETTERED_SIDE, BoardSize, Game, Point

from .symmetry import Transformation, symmetries

if TYPE_CHECKING:
    from .state import Feature, State

#: Bits of a key.
KEY_BITS = 64
KEY_MASK = (1 << KEY_BITS) - 1


def key(state: State) -> int:
    """Return the key of a position, from 0 to 2 ** 64 - 1."""
    return state.xor_features(_number)


def symmetric_keys(state: State) -> dict[Transformation, int]:
    """Return the keys of a position after each symmetry of its board, the identity first."""
    keys, ways = state.xor_features(packed_numbers), symmetries(state.game.number, state.size)
    return {way: keys >> KEY_BITS * at & KEY_MASK for at, way in enumerate(ways)}


# A number takes two microseconds to compute, a tenth to look up, and 200 bytes: stones on 19 by 19
# points have 722, and those of the largest lettered board 5,408.  The key of a position of
# backgammon takes 46 microseconds, and 58 without it.
@lru_cache(maxsize=1 << 13)
def _number(game: Game, size: BoardSize, feature: Feature) -> int:
    text = ":".join(_parts(game, size, feature))
    return hash_number(text.encode())


def hash_number(content: bytes) -> int:
    """Return the first 64 bits of a SHA-256, big end first."""
    return int.from_bytes(sha256(content).digest()[: KEY_BITS // 8], "big")


# As above, for eight numbers, of 200 bytes.
@lru_cache(maxsize=1 << 12)
def packed_numbers(game: Game, size: BoardSize, feature: Feature) -> int:
    """Return the numbers of a feature after each symmetry of its board, as one number.

    The first has the lowest bits.
    """
    numbers = [_number(game, size, feature.transformed(to)) for to in symmetries(game.number, size)]
    return sum(number << KEY_BITS * at for at, number in enumerate(numbers))


def _parts(game: Game, size: BoardSize, feature: Feature) -> Iterator[str]:
    yield game.notation or game.name
    if game.has_size:
        yield str(size.columns) if size.is_square else f"{size.columns}x{size.rows}"
    for point in feature.points:
        yield _name(point, size) if game.has_size else ascii_letters[point.column]
    yield from filter(None, (feature.color, feature.what, feature.prongs))


def _name(point: Point, size: BoardSize) -> str:
    if max(size) > LETTERED_SIDE:
        return f"{point.column},{point.row}"
    return ascii_letters[point.column] + ascii_letters[point.row]

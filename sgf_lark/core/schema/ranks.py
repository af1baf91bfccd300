"""Ranks as numbers: ``3d``, ``5 kyu``, ``9p``, ``7段``, ``初段`` ... on one scale.

Sources: FF[4], Go, BR and WR, for the form of ranks (``5 kyu``, ``3d?``); the rating system of the
European Go Federation for the distance of ranks: a rank of amateurs is a stone, 100 points, and a
rank of professionals 30 points, from 2730 for 1p, where 7d has 2700.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import total_ordering
from typing import Self
from unicodedata import normalize


class RankKind(StrEnum):
    """A row of ranks."""

    KYU = "k"
    DAN = "d"
    PROFESSIONAL = "p"


#: The lowest kyu, and the highest dan of amateurs and professionals, that are read.
MAX_NUMBERS = {RankKind.KYU: 50, RankKind.DAN: 10, RankKind.PROFESSIONAL: 9}

#: The rank of amateurs below the first one of professionals, and the distance of these, in stones.
HIGHEST_AMATEUR, PROFESSIONAL_STEP = 7, 0.3


@total_ordering
@dataclass(frozen=True, slots=True)
class Rank:
    """The rank of a player.  Ranks are ordered by strength: ``5k < 1k < 1d < 7d < 1p``.

    Attributes:
        kind: Kyu, dan or professional dan.
        number: From 1; a smaller number of kyu is stronger.
        mark: ``?`` for an uncertain rank, ``*`` for an established one, else "".
    """

    kind: RankKind
    number: int
    mark: str = ""

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the first rank in a text; None if it has none.

        Read are ``5k``, ``5 kyu``, ``3d``, ``3 Dan``, ``9p``, ``9 Dan Professional``, and dan and
        kyu in Chinese, Japanese and Korean: ``7段``, ``初段``, ``4级``, ``9단``.  A ``P`` or the
        word for professional before it counts, too: ``P9段``.  Titles (``Gosei``) and ratings
        (``2091``) are no ranks.  A ``9 Dan`` is one of amateurs, because the text alone does not
        tell otherwise.
        """
        found = _RANK.search(normalize("NFKC", text[:MAX_TEXT]).casefold())
        if found is None:
            return None
        before, digits, unit, after, mark = found.groups(default="")
        number = int(digits) if digits.isdecimal() else _NUMERALS[digits]
        kind = _KINDS[unit]
        if kind is RankKind.DAN and (before or after):
            kind = RankKind.PROFESSIONAL
        return cls(kind, number, mark) if 1 <= number <= MAX_NUMBERS[kind] else None

    @property
    def strength(self) -> float:
        """The rank on one scale, in stones of handicap between amateurs.

        1d is 1, 7d is 7; 1k is 0, 2k is -1, 30k is -29; 1p is 7.3, 2p is 7.6, 9p is 9.7.
        """
        if self.kind is RankKind.KYU:
            return float(1 - self.number)
        if self.kind is RankKind.DAN:
            return float(self.number)
        return round(HIGHEST_AMATEUR + PROFESSIONAL_STEP * self.number, 1)

    def __lt__(self, other: Rank) -> bool:
        if not isinstance(other, Rank):
            return NotImplemented
        return self._key < other._key

    @property
    def _key(self) -> tuple[float, int]:
        return self.strength, _MARKS.index(self.mark)

    def __str__(self) -> str:
        return f"{self.number}{self.kind}{self.mark}"


#: Marks of a rank, from the least certain one.
_MARKS = ("?", "", "*")

#: Characters of a text in which a rank is looked for.
MAX_TEXT = 200

_KYU, _DAN = ("k", "kyu", "kyuu", "级", "級", "급"), ("d", "dan", "段", "단")
_KINDS = {
    **dict.fromkeys(_KYU, RankKind.KYU),
    **dict.fromkeys(_DAN, RankKind.DAN),
    **dict.fromkeys(("p", "pro"), RankKind.PROFESSIONAL),
}

#: 1 to 9 in Chinese characters; the first dan and kyu have a word of their own.
_NUMERALS = {"初": 1} | {digit: number for number, digit in enumerate("一二三四五六七八九", 1)}

_PROFESSIONAL = "professional|pro|p|職業|职业|プロ|프로"
_RANK = re.compile(
    rf"(?:(?<![^\W\d_])({_PROFESSIONAL})\s*)?"
    rf"(?<![\d.])(\d{{1,2}}|[{''.join(_NUMERALS)}])[\s-]?({'|'.join(_KINDS)})"
    rf"(?![a-z\d])(?:[\s(]*({_PROFESSIONAL})(?![a-z]))?\s?([?*])?"
)

#: A rank at the end of a name, after a blank or a bracket, or a character that is no letter of
#: the names of servers: ``ai9d`` is a name.
_RANK_AT_END = re.compile(rf"(?:(?<=[\s,(\[])|(?<=[^\x00-\x7f])){_RANK.pattern}\s*[)\]]?$")


def fold_name(name: str | None) -> str | None:
    """Return a name without case, full width, needless spaces and a rank at its end."""
    text = " ".join(normalize("NFKC", name or "").casefold().split())
    return _RANK_AT_END.sub("", text).rstrip(" ,([") or text or None

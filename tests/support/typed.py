"""Values of every type, and the games that read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sgf_lark import GAMES, Format, Game
from sgf_lark.core.schema.games import ggf_game

from .lanes import one_in

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

#: Games with a grammar of their own, and one without.
DESCRIBED = [game for game in GAMES.values() if game.grammar or game.number == 5]
KINDS = [
    *((format_, game) for format_ in Format if format_ is not Format.GGF for game in DESCRIBED),
    *((Format.GGF, ggf_game(name)) for name in ("Othello", "Amazons", "chess", "Go", "Checkers")),
]


def _named(kinds: list[tuple[Format, Game]]) -> list[ParameterSet]:
    return [pytest.param(*kind, id=f"{kind[0]}-{kind[1].name}") for kind in kinds]


BY_KIND = pytest.mark.parametrize(("format", "game"), one_in(18, _named(KINDS)))

#: The old formats know few games, and Lark takes seconds to compare their names.
BY_LARK = pytest.mark.parametrize(
    ("format", "game"),
    one_in(
        20, _named([kind for kind in KINDS if kind[0] > Format.FF3 or kind[1].number in {1, 2}])
    ),
)

#: A value of each type and form of each game at least, and texts that are of none.
TEXTS = [
    *("", "0", "1", "2", "3", "7", "12", "-5", "+5", "+", "--5", "6.5", "-0.50", "7.", ".5", "1e3"),
    *("B", "W", "b", "BW", "w", "c", "n", "N", "tt", "pd", "aa", "ss", "PD", "zz", "p", "pdd"),
    *("aa:cc", "cc:aa", "aa:", ":cc", "aa:c:c", "aa:A", "aa:A\\]", "aa:A\\:", "d3:x", "a:b", ":"),
    *("d3", "D3", "n14", "o15", "d0", "d03", "PA", "pass", "PASS", "--", "hh", "H8", "4d"),
    *("31hefe", "31", "71", "double", "take", "31h", "c8", "e1-e3", "c2:c5", "e1e3!", "e1e3x"),
    *("resign", "swap-pieces", "e4", "E4", "aaa100", "escape", "a" * 17 + "1", "dj", "djddgd"),
    *("D1-D7-G7", "d1-d7-g7", "djddg", "73", "33+B", "33+A-B", "84-86-68x", "46CD", "46:47"),
    *("46:aa", "46CD:46", "cc:cf", "ccc", "d11", "aa27", "c2*", "c2**", "bz702", "a1:b2", "Draw"),
    *(
        "B+3.5",
        "W+R",
        "W+Resign",
        "?",
        "Void",
        "B+",
        "B+6R",
        "b+3",
        "+12",
        "-3.00",
        "+64:r",
        "+1:x",
    ),
    *("1996-05-27", "1996-02-30", "1996-5-27", "1996", "1996-05", "1996-13", "0000", "1996-05-00"),
    *("1996-05-27,28", "1996-05,06", "1996,05", "1996-05-27,06-03", "1996-12-27,28,1997-01-03,04"),
    *(
        "1996-05-27,13",
        "1996-05,06-03,04",
        "1996-05,13",
        "1996,1997",
        "1996-05-27,1997-01",
        "1996,",
    ),
    *("2004.09.18_05:54:38.MDT", "2004.13.18_05:54:38.MDT", "2004-9-18 5:54 GMT", "1095508478"),
    *("2004.02.29_00:00:00.Z", "2005.02.29_00:00:00.Z", "2005-10-31 1:02 A", "2005-2-31 1:02 A"),
    *("2004.09.18_25:54:38.MDT", "2004-9-18 5:54:07 GMT", "123", "2004-09-31 05:54 GMT"),
    *("15:00//02:00", "05:00", "15:00,N5/00:10,3", "15:0a", "300", "8", "s8r18", "88", "ss8", "5"),
    *("8k8", "r4s8b", "8bw", "CGoban:3", "CGoban", ":3", "C\\:G:3", "257:Figure 1", "257", "1:"),
    *("19", "19:13", "19:19:19", "19:", "Japanese", "Crawford", "Crawford:CrawfordGame"),
    "Jacoby",
    *("length:7", "Length:x", "match:1", "tried:on", "tried:maybe", "Black", "none", "End", "true"),
    *(
        "Standard",
        "yes",
        "d3/1.5/20",
        "d3//20.5",
        "d3/",
        "d3/x",
        "PASS/1",
        "D1-D7-G7//3",
        "/1",
        "a/b",
    ),
    *("4 ---- -O*- -*O- ---- *", "4 ---- -O*- -*O- --- *", "4" + "-" * 16 + "-", "a b", "a\tb"),
    *("a\\]b", "a\nb", "\\\\", "6\\.5", " 6.5", "6.5 ", "9" * 400, "9" * 600, "9" * 5000, "é"),
]

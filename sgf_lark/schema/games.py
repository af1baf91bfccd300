"""The games of the standards: number, name, grammar, usual board, and what their values are.

Source: the FF[4] property page for GM, whose names are spelled as there; the pages of the
games for boards and first players; the GGF page for the first color.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .formats import Format
from .values import BoardSize, Color

if TYPE_CHECKING:
    from lark import Transformer


@dataclass(frozen=True, eq=False)
class Game:
    """A game of the standards.

    Attributes:
        number: GM in SGF; None for a game of GGF that has no number there.
        name: As the standard spells it; in GGF, as the file spells a game without a number.
        grammar: File in ``games/`` without its suffix; None: nobody described the values.
        values: The transformer of a custom game; None: that of the grammar in
            :data:`sgf_lark.values.game_transformers.TRANSFORMERS`.
        size: Board where SZ is missing; None where the standard gives none.
        expected: For each start symbol of the grammar, what it is, in words, for a
            message such as "expected a point such as 'pd'".
        first_color: Who moves first where the file does not say, and in whose view GGF
            gives a result.  Black as well where the standard names nobody.
    """

    number: int | None
    name: str
    grammar: str | None = None
    values: Transformer[Any, Any] | None = None
    size: BoardSize | None = None
    expected: Mapping[str, str] = field(default_factory=dict)
    first_color: Color = Color.BLACK


def _same(words: str, *symbols: str) -> dict[str, str]:
    """The same words for several start symbols."""
    return dict.fromkeys(symbols, words)


#: Start symbols of what other games' programs write as Go does.
_GO_STYLE = ("point_go_style", "stone_go_style", "move_go_style")

_GO = {
    **_same("a point such as 'pd'", "point", "stone", "point_before_ff4"),
    **_same("a point such as 'pd', or nothing for a pass", "move", "move_over_19"),
    "move_before_ff4": "a point such as 'pd', or 'tt' for a pass",
}

_OTHELLO = {
    **_same("a square such as 'd3'", "point", "stone"),
    **_same("a square such as 'd3', or 'PA' for a pass", "move", "move_ggf"),
    "game_type_ggf": "a board size and options, such as '8' or 's8r18'",
    **_same("a square in two letters such as 'dc'", *_GO_STYLE),
}

_BACKGAMMON = {
    **_same("a point, one letter from a to z", "point", "stone"),
    "move": "a roll and its moves such as '31hefe', or 'double', 'take' or 'drop'",
    "dice": "two dice such as '31'",
    "cube_owner": "'b' (Black), 'w' (White), 'c' (centred) or 'n' (none)",
    "rules": "'Crawford', 'Crawford:CrawfordGame' or 'Jacoby'",
    "result": "a result such as 'B+6R', 'W+4' or '0'",
    "match_information": "a tag and its value such as 'length:7'",
}

_LOA = {
    **_same("a point such as 'c8'", "point", "stone"),
    "move": "two points such as 'e1-e3' or 'c2:c5', or 'pass', 'resign', 'forfeit' or 'escape'",
    "adds_stones": "'Black', 'White' or 'None'",
    "initial_position": "'End'",
    "invert_y_axis": "'true' or 'false'",
    "setup_type": "'Standard', 'Scrambled-eggs', 'Parachute', 'Gemma' or 'Custom'",
}

_HEX = {
    **_same("a cell such as 'e4'", "point", "stone"),
    "move": "a cell such as 'e4', or 'swap-pieces', 'swap-sides', 'resign', 'forfeit' or 'pass'",
    "viewer_setting": "a setting such as 'tried:on' or 'lock:off'",
    **_same("a cell in two letters such as 'ed'", *_GO_STYLE),
}

_OCTI = {
    "point": "a point from '11' to '99'",
    "stone": "a pod such as '46' or '46CD'",
    "move": "a move such as '73', '33+B', '33+A-B' or '84-86-68x'",
}

_TWIXT = {
    **_same("a hole such as 'd11'", "point", "stone", "move"),
    "link_center": "the center of a link such as 'c2*'",
    **_same("a hole in two letters such as 'dk'", *_GO_STYLE),
}

_AMAZONS = {
    **_same("a point such as 'dj'", "point", "stone"),
    "move": "three points such as 'djddgd': from, to, arrow",
    "move_ggf": "three points such as 'D1-D7-G7': from, to, arrow",
}

_GESS = {
    **_same("a point such as 'cc'", "point", "stone"),
    "move": "two points such as 'cc:cf'",
}

_GOMOKU = _same("a point such as 'hh'", "point", "stone", "move")

_CHESS = {"result_ggf": "a score for White such as '+1' or '-1:r'"}


def _square(side: int) -> BoardSize:
    return BoardSize(side, side)


#: The games that somebody described, by GM number.
_DESCRIBED = {
    1: Game(1, "Go", "go", None, _square(19), _GO),
    2: Game(2, "Othello", "othello", None, None, _OTHELLO),
    3: Game(3, "chess", "chess", None, _square(8), _CHESS, Color.WHITE),
    4: Game(4, "Gomoku+Renju", "gomoku", None, None, _GOMOKU),
    6: Game(6, "Backgammon", "backgammon", None, None, _BACKGAMMON),
    9: Game(9, "Lines of Action", "lines_of_action", None, _square(8), _LOA),
    11: Game(11, "Hex", "hex", None, _square(11), _HEX),
    18: Game(18, "Amazons", "amazons", None, _square(10), _AMAZONS),
    19: Game(19, "Octi", "octi", None, None, _OCTI),
    20: Game(20, "Gess", "gess", None, _square(20), _GESS),
    21: Game(21, "Twixt", "twixt", None, _square(24), _TWIXT, Color.WHITE),
}

#: The games that have nothing but a number and a name; the format's own grammar reads any
#: text as their points and moves.
_NAMED = {
    5: "Nine Men's Morris",
    7: "Chinese chess",
    8: "Shogi",
    10: "Ataxx",
    12: "Jungle",
    13: "Neutron",
    14: "Philosopher's Football",
    15: "Quadrature",
    16: "Trax",
    17: "Tantrix",
    22: "Zertz",
    23: "Plateau",
    24: "Yinsh",
    25: "Punct",
    26: "Gobblet",
    27: "hive",
    28: "Exxit",
    29: "Hnefatal",
    30: "Kuba",
    31: "Tripples",
    32: "Chase",
    33: "Tumbling Down",
    34: "Sahara",
    35: "Byte",
    36: "Focus",
    37: "Dvonn",
    38: "Tamsk",
    39: "Gipf",
    40: "Kropki",
}

#: By GM number, 1 to 40, as the FF[4] pages list them.
GAMES: dict[int, Game] = {
    number: _DESCRIBED.get(number) or Game(number, _NAMED[number]) for number in range(1, 41)
}

#: The game that a record is about if it does not say.
GO = GAMES[1]


def number_of(name: str) -> int | None:
    """Return the number of the game with a name, in any case: ``Go``, ``renju``; None if none
    has it.
    """
    plain = name.strip().casefold()
    return next(
        (
            number
            for number, game in GAMES.items()
            if plain in {game.name.casefold(), *game.name.casefold().split("+")}
        ),
        None,
    )


#: The games of GGF that SGF numbers.  How GGF writes the moves of Go is not known, so there
#: Go has its number but no grammar.
_GGF_GAMES = {
    "othello": GAMES[2],
    "amazons": GAMES[18],
    "chess": GAMES[3],
    "go": Game(1, "Go"),
}


def game_of(format: Format, number: int | None, name: str) -> Game:
    """The game of a number, or of a name if it has none; equal arguments give the same object."""
    if format is Format.GGF:
        return ggf_game(name)
    if number is None:
        named = ggf_game(name)
        return named if named.number is None else GAMES[named.number]
    return GAMES.get(number) or _unknown_game(number)


def game_of_event(event: str) -> Game:
    """The game of a record that names none: Go, as the standard says.

    Records of the server Little Golem name it only in EV, ``hex.ch.23.1.1``.
    """
    named = re.match(r"(hex|twixt|havannah)\.[a-z]{2}\.", event)
    if named is None:
        return GO
    return _LITTLE_GOLEM.get(named[1]) or ggf_game(named[1].capitalize())


#: How the server names games that have a number.
_LITTLE_GOLEM = {"hex": GAMES[11], "twixt": GAMES[21]}


@lru_cache(maxsize=1 << 10)
def _unknown_game(number: int) -> Game:
    return Game(number, f"game {number}")


@lru_cache(maxsize=1 << 10)
def ggf_game(name: str) -> Game:
    """The game that GM names in GGF; ``othello``, ``amazons``, ``chess``, ``go`` in any case.

    Any other name (Checkers, Domineering ...) gives a game of that name, without a number
    or a grammar.  Equal names give the same object.
    """
    return _GGF_GAMES.get(name.strip().lower()) or Game(None, name.strip())

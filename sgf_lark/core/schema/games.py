"""The games of the standards: number, name, grammar, usual board, descriptions of values.

Source: the FF[4] property page for GM, whose names are spelled as there; the pages of the
games for boards and first players; the GGF page for the first color.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from .formats import Format, GrammarSource
from .value_types import ValueType, words_of
from .values import BoardSize, Color, Point

if TYPE_CHECKING:
    from lark import Transformer


class GameNumber(IntEnum):
    """The games that GM numbers (FF[4], GM); each shows as the number that it is."""

    GO = 1
    OTHELLO = 2
    CHESS = 3
    GOMOKU = 4
    NINE_MENS_MORRIS = 5
    BACKGAMMON = 6
    CHINESE_CHESS = 7
    SHOGI = 8
    LINES_OF_ACTION = 9
    ATAXX = 10
    HEX = 11
    JUNGLE = 12
    NEUTRON = 13
    PHILOSOPHERS_FOOTBALL = 14
    QUADRATURE = 15
    TRAX = 16
    TANTRIX = 17
    AMAZONS = 18
    OCTI = 19
    GESS = 20
    TWIXT = 21
    ZERTZ = 22
    PLATEAU = 23
    YINSH = 24
    PUNCT = 25
    GOBBLET = 26
    HIVE = 27
    EXXIT = 28
    HNEFATAL = 29
    KUBA = 30
    TRIPPLES = 31
    CHASE = 32
    TUMBLING_DOWN = 33
    SAHARA = 34
    BYTE = 35
    FOCUS = 36
    DVONN = 37
    TAMSK = 38
    GIPF = 39
    KROPKI = 40

    def __repr__(self) -> str:
        return int.__repr__(self)


#: Up to this side each column and row has a letter: a to z, A to Z (FF[4], Go and Amazons).
LETTERED_SIDE = 52

#: The longest side before FF[4] (FF[1] and FF[3], SZ).
OLD_SIDE = 19

#: Up to this side ``tt`` is a pass in Go (FF[4], Go; both sides count).
LARGEST_WITH_TT = 19


@dataclass(frozen=True, eq=False)
class Game:
    """A game of the standards, or a custom one.

    >>> kono = Game(50, "Kono", "kono.lark")  # doctest: +SKIP

    A table knows a custom game: :meth:`~sgf_lark.PropertyTable.extend`.

    Attributes:
        number: GM in SGF; None for a game of GGF that has no number there.
        name: As the standard spells it; in GGF, as the file spells a game without a number.
        grammar: A shipped grammar in ``games/`` by its name without suffix; or a custom one by
            its file, whose name ends in ``.lark`` and which is read at once.  It has the rules
            ``point``, ``move`` and ``stone``, as far as the game has them, and rules of other
            types.  None: the values have no description.
        values: The transformer of a custom grammar, a :class:`~sgf_lark.SgfValues`.  None: a
            point that is a column and a row is a :class:`Point`, a move of such points one, too,
            or a ``Step``; other values are texts unless its rules are those of the format.
            For a shipped grammar, the one that belongs to it.
        size: Board where SZ is missing; None where the standard gives none.
        expected: The description of each start symbol of the grammar, for a message such as
            "expected a point such as 'pd'".
        first_color: The player to move where the file does not declare it, and in whose view
            GGF gives a result.  Black where the standard names nobody.
        is_first_known: The player to move first is known from a page, or by custom.
        usual_size: Customary board where the standard gives none.
        sides: The shortest and the longest side of a board of FF[4]; None for no end.
        any_size: The board has points, and no page gives their number.
        has_board: It is played on a board; without one nothing is drawn.
        has_bar: Its board is that of backgammon, 24 points, bar and tray, whatever SZ says.
        in_letters: A point is two letters, and people count its rows from the bottom; else it is
            letters and a number.
        rows_from_bottom: Rows are counted from the bottom.
        several_on_a_point: Several pieces may stand on a point, so that a list may repeat it.
        passing: A pass, as a move of the game is written.
        start: Where the stones of each side stand first on the usual board, if FF[4] says so.
    """

    number: int | None
    name: str
    grammar: str | os.PathLike[str] | GrammarSource | None = None
    values: Transformer[Any, Any] | None = None
    size: BoardSize | None = None
    expected: Mapping[str, str] = field(default_factory=dict)
    first_color: Color = Color.BLACK
    is_first_known: bool = False
    usual_size: BoardSize | None = None
    sides: tuple[int, int | None] = (1, None)
    any_size: bool = False
    has_board: bool = True
    has_bar: bool = False
    in_letters: bool = False
    rows_from_bottom: bool = False
    several_on_a_point: bool = False
    passing: str = "pass"
    start: Mapping[Color, tuple[Point, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        grammar = self.grammar
        if isinstance(grammar, os.PathLike) or (
            isinstance(grammar, str) and grammar.endswith(".lark")
        ):
            object.__setattr__(self, "grammar", GrammarSource.of(grammar))

    def __reduce__(self) -> tuple[Any, ...]:
        shipped = _unlisted(self.number, self.name)
        if shipped is self:
            return _unlisted, (self.number, self.name)
        state: bytes | None = self.__dict__.get("_state")
        if state is None:
            fields = tuple(getattr(self, name) for name in self.__dataclass_fields__)
            import pickle

            state = _note(self, pickle.dumps(fields))
        return _revived, (state,)

    @property
    def is_custom(self) -> bool:
        """A grammar or transformer of its own reads its values."""
        return self.values is not None or isinstance(self.grammar, GrammarSource)

    @property
    def notation(self) -> str:
        """The name of the shipped grammar of its points and moves; "" for none."""
        return self.grammar if isinstance(self.grammar, str) else ""

    @property
    def has_points(self) -> bool:
        """Its points are described, so that each of them is a place on a board."""
        return "point" in self.expected

    @property
    def has_size(self) -> bool:
        """A point is a place on a board of columns and rows."""
        return self.has_board and not self.has_bar


def _square(side: int) -> BoardSize:
    return BoardSize(side, side)


#: The types of value of the games.
TYPES_OF_GAMES: list[ValueType] = []


def _described(
    number: GameNumber, name: str, grammar: str, *types: tuple[str, ...], **facts: Any
) -> Game:
    """Return a game with a shipped grammar."""
    rows = [ValueType(grammar, rules, words, tuple(examples)) for rules, words, *examples in types]
    TYPES_OF_GAMES.extend(rows)
    return Game(number, name, grammar, expected=words_of(rows)[grammar], **facts)


#: The games with a description of their values.  Each has its grammar in ``grammars/games/`` and,
#: by the same name, the module of its rules in ``sgf_lark/games/``.
_DESCRIBED = (
    _described(
        GameNumber.GO,
        "Go",
        "go",
        ("point stone point_before_ff4", "a point such as 'pd'", "pd"),
        ("move move_over_19", "a point such as 'pd', or nothing for a pass", "pd", ""),
        ("move_before_ff4", "a point such as 'pd', or 'tt' for a pass", "pd", "tt"),
        in_letters=True,
        size=_square(19),
        is_first_known=True,
        sides=(1, LETTERED_SIDE),
        passing="",
    ),
    _described(
        GameNumber.OTHELLO,
        "Othello",
        "othello",
        ("point stone", "a square such as 'd3'", "d3"),
        ("move move_ggf", "a square such as 'd3', or 'PA' for a pass", "d3", "PA"),
        ("game_type_ggf", "a board size and options, such as '8' or 's8r18'", "8", "s8r18"),
        (
            "point_go_style stone_go_style move_go_style",
            "a square in two letters such as 'dc'",
            "dc",
        ),
        usual_size=_square(8),
        any_size=True,
        passing="PA",
    ),
    _described(
        GameNumber.CHESS,
        "chess",
        "chess",
        ("result_ggf", "a score for White such as '+1' or '-1:r'", "+1", "-1:r"),
        size=_square(8),
        first_color=Color.WHITE,
    ),
    _described(
        GameNumber.GOMOKU,
        "Gomoku+Renju",
        "gomoku",
        ("point stone", "a point such as 'hh'", "hh"),
        ("move", "a point such as 'hh', or nothing for a pass", "hh", ""),
        in_letters=True,
        is_first_known=True,
        any_size=True,
        passing="",
    ),
    _described(
        GameNumber.BACKGAMMON,
        "Backgammon",
        "backgammon",
        ("point stone", "a point, one letter from a to z", "a"),
        (
            "move",
            "a roll and its moves such as '31hefe', or 'double', 'take' or 'drop'",
            "31hefe",
            "double",
        ),
        ("dice", "two dice such as '31'", "31"),
        ("cube_owner", "'b' (Black), 'w' (White), 'c' (centred) or 'n' (none)", "b"),
        (
            "rules",
            "'Crawford', 'Crawford:CrawfordGame' or 'Jacoby'",
            "Crawford:CrawfordGame",
            "Jacoby",
        ),
        ("result", "a result such as 'B+6R', 'W+4' or '0'", "B+6R", "W+4", "0"),
        ("match_information", "a tag and its value such as 'length:7'", "length:7"),
        has_bar=True,
        several_on_a_point=True,
    ),
    _described(
        GameNumber.LINES_OF_ACTION,
        "Lines of Action",
        "lines_of_action",
        ("point stone", "a point such as 'c8'", "c8"),
        (
            "move",
            "two points such as 'e1-e3' or 'c2:c5', or 'pass', 'resign', 'forfeit' or 'escape'",
            "e1-e3",
            "c2:c5",
            "pass",
            "resign",
        ),
        ("adds_stones", "'Black', 'White' or 'None'", "black"),
        ("initial_position", "'End'", "end"),
        ("invert_y_axis", "'true' or 'false'", "true", "false"),
        ("setup_type", "'Standard', 'Scrambled-eggs', 'Parachute', 'Gemma' or 'Custom'", "gemma"),
        size=_square(8),
        is_first_known=True,
        rows_from_bottom=True,
    ),
    _described(
        GameNumber.HEX,
        "Hex",
        "hex",
        ("point stone", "a cell such as 'e4'", "e4"),
        (
            "move",
            "a cell such as 'e4', or 'swap-pieces', 'swap-sides', 'resign', 'forfeit' or 'pass'",
            "e4",
            "pass",
            "resign",
        ),
        ("viewer_setting", "a setting such as 'tried:on' or 'lock:off'", "tried:on"),
        ("point_go_style stone_go_style move_go_style", "a cell in two letters such as 'ed'", "ed"),
        size=_square(11),
        is_first_known=True,
    ),
    _described(
        GameNumber.AMAZONS,
        "Amazons",
        "amazons",
        ("point stone", "a point such as 'dj'", "dj"),
        ("move", "three points such as 'djddgd': from, to, arrow", "djddgd"),
        ("move_ggf", "three points such as 'D1-D7-G7': from, to, arrow", "D1-D7-G7"),
        in_letters=True,
        size=_square(10),
        sides=(1, LETTERED_SIDE),
        start={
            Color.BLACK: (Point(3, 9), Point(6, 9), Point(0, 6), Point(9, 6)),
            Color.WHITE: (Point(3, 0), Point(6, 0), Point(0, 3), Point(9, 3)),
        },
    ),
    _described(
        GameNumber.OCTI,
        "Octi",
        "octi",
        ("point", "a point from '11' to '99'", "11"),
        ("stone", "a pod such as '46' or '46CD'", "46CD"),
        (
            "move",
            "a move such as '73', '33+B', '33+A-B' or '84-86-68x'",
            "73",
            "33+B",
            "33+A-B",
            "84-86-68x",
        ),
        usual_size=_square(9),
        any_size=True,
        rows_from_bottom=True,
        several_on_a_point=True,
    ),
    _described(
        GameNumber.GESS,
        "Gess",
        "gess",
        ("point stone", "a point such as 'cc'", "cc"),
        ("move", "two points such as 'cc:cf'", "cc:cf"),
        in_letters=True,
        size=_square(20),
    ),
    _described(
        GameNumber.TWIXT,
        "Twixt",
        "twixt",
        ("point stone", "a hole such as 'd11'", "d11"),
        ("move", "a hole such as 'd11'", "d11", "c2*"),
        ("link_center", "the center of a link such as 'c2*'", "c2*"),
        ("point_go_style stone_go_style move_go_style", "a hole in two letters such as 'dk'", "dk"),
        size=_square(24),
        first_color=Color.WHITE,
        is_first_known=True,
        sides=(3, 702),
    ),
)

#: The names that are not as usual, of games that have nothing but a number and a name; the
#: format's own grammar reads any text as their points and moves.
_NAMED = {
    GameNumber.NINE_MENS_MORRIS: "Nine Men's Morris",
    GameNumber.PHILOSOPHERS_FOOTBALL: "Philosopher's Football",
    GameNumber.HIVE: "hive",
    GameNumber.TUMBLING_DOWN: "Tumbling Down",
}

#: By GM number, 1 to 40, as the FF[4] pages list them.
GAMES: dict[int, Game] = {
    number: next((game for game in _DESCRIBED if game.number == number), None)
    or Game(number, _NAMED.get(number, number.name.replace("_", " ").capitalize()))
    for number in GameNumber
}

#: The games that the older formats list (FF[1] and FF[3], GM).
_FF1 = {GameNumber.GO, GameNumber.OTHELLO, GameNumber.CHESS, GameNumber.NINE_MENS_MORRIS}
_FF3 = {*_FF1, GameNumber.GOMOKU, GameNumber.CHINESE_CHESS, GameNumber.SHOGI}
OLD_GAMES = {Format.FF1: frozenset(_FF1), Format.FF3: frozenset(_FF3)}

#: The games that SGF and GGF both describe, with their names, which are the same in both.
SHARED_WITH_GGF = {
    int(number): GAMES[number].name for number in (GameNumber.OTHELLO, GameNumber.AMAZONS)
}

#: The longest side of any board that a standard knows.
LONGEST_SIDE = max(game.sides[1] or 1 for game in GAMES.values())

#: The game of a record that declares none.
GO = GAMES[GameNumber.GO]


def number_of_game(name: str) -> int | None:
    """Return the number of the game with a name in any case, such as ``renju``; else None."""
    plain = name.strip().casefold()
    for number, game in GAMES.items():
        if plain in {game.name.casefold(), *game.name.casefold().split("+")}:
            return number
    return None


def game_and_size(
    first: Game | int | str | tuple[int, int] | None,
    size: int | tuple[int, int] | None,
    game: Game | int | str | None,
) -> tuple[Game | int | str, int | tuple[int, int] | None]:
    """Return a game and its size, of ``first`` alone a size as in other libraries; TypeError for
    two.
    """
    is_size = isinstance(first, int | tuple) and not isinstance(first, Game | GameNumber)
    if first is None:
        return GameNumber.GO if game is None else game, size
    if is_size and size is None:
        return GameNumber.GO if game is None else game, first  # type: ignore[return-value]
    if game is None and not isinstance(first, tuple):
        return first, size
    what = "sizes" if is_size else "games"
    raise TypeError(f"two {what}, {first!r} and {(size if is_size else game)!r}: give one")


#: The games of GGF that SGF numbers.  How GGF writes the moves of Go is not known, so there
#: Go has its number but no grammar.
_GGF_GAMES = {
    "othello": GAMES[GameNumber.OTHELLO],
    "amazons": GAMES[GameNumber.AMAZONS],
    "chess": GAMES[GameNumber.CHESS],
    "go": Game(GameNumber.GO, "Go"),
}


def game_of(format: Format, number: int | None, name: str) -> Game:
    """Return the game of a number, or of a name if it has none; equal arguments give the same."""
    if format is Format.GGF:
        return ggf_game(name)
    if number is None:
        named = ggf_game(name)
        return named if named.number is None else GAMES[named.number]
    return GAMES.get(number) or _made_up(number, f"game {number}")


#: The end of the name of a file whose records are of Twixt if they declare no game.
OF_TWIXT = ".tsgf"


#: What Little Golem writes in records of Twixt for the property of the other side, which it calls
#: Red.
RED = {"R": "W"}


def undeclared_game(event: str, file: str = "") -> Game:
    """Return the game of a record that declares none: Go by the standard.

    Records of the server Little Golem name it only in EV: ``hex.ch.23.1.1``,
    ``twixt.DEFAULT.mc.2020.dec.1.2``.  The word Twixt has no other meaning, nor has the end
    of the name of a ``.tsgf`` file.
    """
    named = re.match(r"(hex|havannah)\.(?:DEFAULT\.)?[a-z]{2}\.", event)
    named = named or re.search(r"\b(twixt)\b", event.lower())
    if named is None and re.search(rf"\{OF_TWIXT}(\.(gz|bz2|xz))?$", file, re.IGNORECASE):
        return GAMES[GameNumber.TWIXT]
    if named is None:
        return GO
    return _LITTLE_GOLEM.get(named[1]) or ggf_game(named[1].capitalize())


#: The server's names of games that have a number.
_LITTLE_GOLEM = {"hex": GAMES[GameNumber.HEX], "twixt": GAMES[GameNumber.TWIXT]}


# A game is equal only to itself, and rule sets are found by their game: equal numbers and names
# have one object.  The bound is for files that make games up.
@lru_cache(maxsize=1 << 11)
def _made_up(number: int | None, name: str) -> Game:
    return Game(number, name)


def ggf_game(name: str) -> Game:
    """Return the game that GM names in GGF, in any case; of an unknown name one without grammar."""
    return _GGF_GAMES.get(name.strip().lower()) or _made_up(None, name.strip())


# ---- custom games ----


#: Custom games by their pickled fields: a game is equal only to itself, also after a message from
#: process to process.
_alive: WeakValueDictionary[bytes, Game] = WeakValueDictionary()


def _note(game: Game, state: bytes) -> bytes:
    object.__setattr__(game, "_state", state)
    _alive.setdefault(state, game)
    return state


@lru_cache(maxsize=1 << 6)  # holds the game of each message until the next one
def _revived(state: bytes) -> Game:
    """Return the custom game of pickled fields; the same one each time."""
    game = _alive.get(state)
    if game is None:
        import pickle

        game = Game(*pickle.loads(state))  # noqa: S301  # of __reduce__
        _note(game, state)
    return game


def _unlisted(number: int | None, name: str) -> Game | None:
    if number is None:
        return ggf_game(name)
    for game in (GAMES.get(number), _GGF_GAMES["go"], _made_up(number, f"game {number}")):
        if game is not None and game.name == name:
            return game
    return None


#: Games whose points are two letters in SGF, and whose rows people count from the bottom.
IN_LETTERS = frozenset(number for number, game in GAMES.items() if game.in_letters)

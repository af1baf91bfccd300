"""Vocabulary of GGF and SGF for the games whose notation is known in both.

Two private properties of SGF keep the facts of GGF that SGF cannot express: TU of a move is
the time used for it, in seconds; GF of the first node has the values that do not follow from
other properties, each as ``identifier:text``.

Source: GGF: the page of the format, the clock page of its server, and its records, by
replay of which the coordinates and signs were found; SGF: FF[4] and its page on Amazons.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal

from sgf_lark.core import (
    COLORS,
    GAMES,
    SETUP_OF,
    SHARED_WITH_GGF,
    AmazonsMove,
    BoardSize,
    Clock,
    Color,
    Ending,
    Format,
    GameNumber,
    Group,
    OthelloType,
    Period,
    Point,
    PropertyTable,
    Result,
    RuleSet,
    RuleSets,
    find_board_size,
    game_of,
    read_clock,
    write_value,
)

#: Private properties of SGF: values of GGF, and the time used for a move.
KEPT, TIME_USED = "GF", "TU"

#: The side of a board of which neither SZ nor the game says anything: that of Othello.
USUAL_SIDE = 8

#: GGF's number for the Othello board without corners.
OCTAGON = 88

#: The symbol of a stone in BO, by property of setup.
CELLS = {"AB": "*", "AW": "O"}

#: Properties of GGF whose texts SGF has, too, and their names there.
TEXTS = {"PC": "PC", "PB": "PB", "PW": "PW", "RB": "BR", "RW": "WR"}

#: The clocks of the players, by property of their moves.
CLOCKS = {"B": "TB", "W": "TW"}

#: Ends of a game that have a letter of GGF; in capitals it is that of SGF.
ENDINGS: Mapping[Ending | None, str] = {Ending.RESIGNATION: "r", Ending.TIME: "t"}

#: Properties of SGF about the file, not about the game: they have no place in GGF.
ABOUT_FILE = Group.DECLARES.idents | Group.FILE.idents


def mirrored(point: Point, side: int) -> Point:
    """Return a point of Amazons with its row counted from the other end.

    Source: the start position of GGF's page is that of FF[4] only so, and the first move of
    its example is the example of FF[4], Amazons.
    """
    return Point(point.column, side - 1 - point.row)


def mirrored_move(move: AmazonsMove, side: int) -> AmazonsMove:
    """Return a move of Amazons on the board turned upside down."""
    points = (mirrored(point, side) for point in (move.origin, move.target, move.arrow))
    return AmazonsMove(**dict(zip(("origin", "target", "arrow"), points, strict=True)))


def start_stones(number: int, side: int) -> dict[str, frozenset[Point]]:
    """Return the stones at the start by property of setup.

    Source: FF[4], Amazons; no standard gives the start of Othello for SGF (a choice).
    """
    if number == GameNumber.AMAZONS:
        is_usual = BoardSize(side, side) == GAMES[GameNumber.AMAZONS].size
        start = GAMES[GameNumber.AMAZONS].start
        return {
            SETUP_OF[move]: frozenset(start[color] if is_usual else ())
            for move, color in COLORS.items()
        }
    low, high = side // 2 - 1, side // 2
    return {
        "AB": frozenset({Point(high, low), Point(low, high)}),
        "AW": frozenset({Point(low, low), Point(high, high)}),
    }


def score_for(ident: str, score: Decimal) -> Decimal:
    """Return a score of the mover as one of Black, and back.

    Source: GGF, moves: the evaluation is the mover's; FF[4]: V is Black's.
    """
    return score if ident == "B" else -score


def has_meaning(
    rules: RuleSet, ident: str, values: tuple[object, ...], raw: tuple[str, ...] | None
) -> bool:
    """Return whether a text of a property means these values, such as RE[0] that of RE[Draw]."""
    return raw is not None and rules.property(ident, raw).values == values


def rules_of(table: PropertyTable, format: Format, number: int) -> RuleSet:
    """Return the rules that read the properties of a game in a format."""
    return RuleSets(table).rules(format, game_of(format, number, SHARED_WITH_GGF[number]))


#: The order in which the server writes the properties of a game.
GGF_ORDER = [
    "GM",
    "PC",
    "DT",
    "PB",
    "PW",
    "RB",
    "RW",
    "TI",
    "TB",
    "TW",
    "TY",
    "KB",
    "KW",
    "KM",
    "RE",
    "BO",
    "CO",
]


def ggf_values(rules: RuleSet, root: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the values of GGF by identifier for a first node, without the board."""
    number = rules.game.number or 0
    by = rules.reader

    def text(ident: str) -> str:
        if ident not in root:
            return ""
        return str(by.read("text", root[ident][0])).replace("\n", " ").strip()

    def typed(ident: str) -> object:
        return rules.property(ident, root[ident]).value if ident in root else None

    size = find_board_size([rules.property("SZ", root["SZ"])] if "SZ" in root else [], rules.game)
    side = str(size.columns if size else USUAL_SIDE)
    ggf = rules_of(rules.table, Format.GGF, number)
    values = {"GM": SHARED_WITH_GGF[number]}
    for ident, name in TEXTS.items():
        rule = ggf.rule(ident)
        is_number = rule is not None and rule.types == (("real",),)
        is_wrong = rule is not None and is_number and not by.fits(rule, text(name))
        values[ident] = "" if is_wrong else text(name)
    days = typed("DT")
    day = days[0] if isinstance(days, tuple) and len(days) == 1 else None
    if isinstance(day, date):
        values["DT"] = f"{day:%Y.%m.%d}_00:00:00.GMT"
    values |= _ggf_clocks(ggf, root, typed("TM"), text("OT"))
    kind = ggf.property("TY", (text("RU"),)).value if text("RU") else None
    values["TY"] = text("RU") if isinstance(kind, OthelloType) else side
    values["RE"] = _ggf_result(typed("RE"), number, int(side)) or ""
    values["CO"] = str(by.read("text", root["C"][0])) if "C" in root else ""
    return {ident: value for ident, value in values.items() if value}


def _ggf_clocks(
    ggf: RuleSet, root: Mapping[str, tuple[str, ...]], limit: object, overtime: str
) -> dict[str, str]:
    """Return TI, or TB and TW, for TM and OT; only the main time for an overtime GGF has not."""

    def is_clock(text: str) -> bool:
        return isinstance(ggf.property("TI", (text,)).value, Clock)

    black, comma, white = overtime.partition(", W ")
    if black.startswith("B ") and comma and is_clock(black[2:]) and is_clock(white):
        return {"TB": black[2:], "TW": white}
    if overtime and is_clock(overtime):
        return {"TI": overtime}
    main = limit if isinstance(limit, Decimal) and limit >= 0 and limit == int(limit) else None
    clocks = [read_clock(root, main)]
    if main is not None:
        seconds = Period(seconds=int(main))
        clocks.append(Clock(system="absolute" if main else "none", initial=seconds))
    for clock in filter(None, clocks):
        with suppress(ValueError):  # GGF has no such clock
            return {"TI": write_value(ggf.rule("TI"), clock, ggf.reader)}
    return {}


def _ggf_result(value: object, number: int, side: int) -> str | None:
    """Return RE in view of Black; None if there is none.

    A win without a score is all squares of Othello, as the server writes it, and one point
    of Amazons (a choice).
    """
    if not isinstance(value, Result):
        return None
    if value.winner is None:
        return "+0.000" if value.ending in {None, Ending.DRAW} else "?"
    sign = "+" if value.winner is Color.BLACK else "-"
    if value.margin is not None:
        places = max(3, -int(value.margin.as_tuple().exponent))
        return f"{sign}{value.margin:.{places}f}"
    ending = Ending.RESIGNATION if value.ending is Ending.FORFEIT else value.ending
    if ending not in ENDINGS:
        return "?"
    return f"{sign}{side * side if number == GameNumber.OTHELLO else 1}.000:{ENDINGS[ending]}"


class TimeLeft:
    """The time that a player has left: if each move has its time, and the clock no extension."""

    def __init__(self, clock: object) -> None:
        self._left: Decimal | None = None
        self._more = Decimal(0)
        if isinstance(clock, Clock) and clock.initial:
            periods = (clock.initial, clock.increment, clock.extension)
            if clock.extension.seconds == 0 and not any(period.moves for period in periods):
                self._left = Decimal(clock.initial.seconds)
                self._more = Decimal(clock.increment.seconds)

    def after(self, seconds: Decimal | None) -> Decimal | None:
        """Return the time after a move; None if it is unknown."""
        if seconds is None:
            self._left = None
        if self._left is not None and seconds is not None:
            self._left += self._more - seconds
        return self._left

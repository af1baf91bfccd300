"""Methods from the parts of a value to a Python value: one for each rule of a grammar.

The methods are pure: what they return depends on their children alone, because a type with
few texts, such as the points of a board, reads each text once.  A method whose children cannot
be meant (the 30th of February) raises ``ValueError``, and the value is kept as
:class:`~sgf_lark.core.schema.values.Invalid`.

The transformers of Lark that have them are in :mod:`.transformers`: what the fast
engine reads needs no Lark.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from sgf_lark.core.schema.frozen import maker
from sgf_lark.core.schema.values import (
    Application,
    BoardSize,
    Clock,
    ClockSystem,
    Color,
    Double,
    Ending,
    Figure,
    InitialBoard,
    PartialDate,
    Period,
    Played,
    Result,
    Stamp,
)

if TYPE_CHECKING:
    from lark import Token, Transformer

#: The argument of a method: the texts and results below its rule, in order; None for an
#: absent part in ``[...]``.
Children: TypeAlias = list[Any]

#: Parts of values come from grammars that know their types: nothing checks them again.
_figure = maker(Figure, "flags", "name")
_result = maker(Result, "winner", "margin", "ending")
_win = maker(Result, "winner", "margin")
_ended = maker(Result, "winner", "ending")
_year = maker(PartialDate, "year")
_month = maker(PartialDate, "year", "month")
_stamp = maker(Stamp, "moment", "zone")
_period = maker(Period, "seconds", "moves", "not_added")
_clock = maker(Clock, "system", "initial", "increment", "extension")


class ValueMethods:
    """Base of the methods for values: a token without a method is its text."""

    __visit_tokens__ = True

    def __default__(self, data: str, children: Children, meta: object) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no method for the rule {data}")

    def __default_token__(self, token: Token) -> str:
        return str(token)


#: What has methods for the rules of a grammar.
Methods: TypeAlias = "ValueMethods | Transformer[Any, Any]"


def build(kind: type[Any], *names: str) -> Callable[[Any, Children], Any]:
    """Return the method of a rule that makes a value of its children, or a model by fields."""
    make = maker(kind, *names) if names else kind
    return _with_kind(kind, lambda _, children: make(*children))


def always(value: Any) -> Callable[[Any, Any], Any]:
    return _with_kind(type(value), lambda *_: value)


def _with_kind(kind: type[Any], method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    method.__annotations__["return"] = kind
    return method


class SgfMethods(ValueMethods):
    """Values of ff1.lark, ff3.lark and ff4.lark."""

    none = always(value=True)
    number = build(int)
    real = komi = time_limit = build(Decimal)
    color = player = build(Color)
    application = build(Application, "name", "version")

    def double(self, children: Children) -> Double:
        return Double(int(children[0]))

    triple = double

    def text(self, children: Children) -> str:
        return "".join(children)

    simpletext = name = rank = round = point = move = stone = text

    def NUMBERED(self, token: Token) -> Color:
        return {"1": Color.BLACK, "2": Color.WHITE}[token]

    def ESCAPED(self, token: Token) -> str:
        return token[1:]

    LINE_BREAK = always("\n")
    SPACE = ESCAPED_SPACE = SIMPLE_BREAK = always(" ")

    def compose(self, children: Children) -> tuple[str, str]:
        first, second = children
        return first or "", second or ""

    def size(self, children: Children) -> int | BoardSize:
        columns, rows = children
        return int(columns) if rows is None else BoardSize(int(columns), int(rows))

    def figure(self, children: Children) -> bool | Figure:
        flags, name = children
        return True if flags is None else _figure(int(flags), name)

    def result(self, children: Children) -> Result:
        (only,) = children
        return only if isinstance(only, Result) else _ended(None, only)

    def win(self, children: Children) -> Result:
        winner, how = children
        make = _win if isinstance(how, Decimal) else _ended
        return make(Color(winner), how)

    SCORE = Decimal
    RESIGN = always(Ending.RESIGNATION)
    TIME = always(Ending.TIME)
    FORFEIT = always(Ending.FORFEIT)
    DRAW = always(Ending.DRAW)
    VOID = always(Ending.VOID)
    UNKNOWN = always(Ending.UNKNOWN)

    def REASON(self, token: Token) -> Ending:
        return {"R": Ending.RESIGNATION, "T": Ending.TIME, "F": Ending.FORFEIT}[token]

    def dates(self, children: Children) -> tuple[date | PartialDate, ...]:
        days: list[date | PartialDate] = []
        numbers: list[int] = []
        for text in filter(None, children):
            first, *others = text.removeprefix(",").split("-")
            # A date without its year leaves out what it shares with the date before it.
            shared = numbers[:1] if others else numbers[:-1]
            numbers = shared if len(first) < len("1996") else []
            numbers += map(int, (first, *others))
            days.append(day_of(*numbers))
        return tuple(days)


def day_of(year: int, month: int | None = None, day: int | None = None) -> date | PartialDate:
    """Return a day, month or year; ValueError if no calendar has it."""
    if month is None:
        return _year(year)
    if day is not None:
        return date(year, month, day)
    date(year, month, 1)
    return _month(year, month)


class GgfMethods(ValueMethods):
    """Values of ggf.lark."""

    number = build(int)
    real = komi = build(Decimal)
    text = simpletext = game_type = move = SgfMethods.text
    REAL = REAL_TIME = Decimal
    NUMBER = int
    played = build(Played, "move", "evaluation", "seconds")

    def result(self, children: Children) -> Result:
        match children:
            case [Decimal() as score, str() | None as flag]:
                winner = Color.BLACK if score > 0 else Color.WHITE if score < 0 else None
                ending = FLAGS[flag] if flag else None if winner else Ending.DRAW
                return _result(winner, abs(score), ending)
            case _:
                return _ended(None, Ending.UNKNOWN)

    def stamp(self, children: Children) -> Stamp:
        year, month, day, hour, minute, *second, zone = children
        time = int(hour), int(minute), int(second[0] or 0)
        moment = datetime(int(year), int(month), int(day), *time)  # noqa: DTZ001  # the zone is only a name
        return _stamp(moment, zone)

    def unix(self, children: Children) -> Stamp:
        moment = datetime.fromtimestamp(int(children[0]), UTC)
        return _stamp(moment.replace(tzinfo=None), "UTC")

    def clock(self, children: Children) -> Clock:
        initial, increment, extension = (period or Period(seconds=0) for period in children)
        return _clock(_system_of(initial, increment, extension), initial, increment, extension)

    def period(self, children: Children) -> Period:
        seconds, not_added, moves = children
        return _period(seconds, moves, not_added is not None)

    def time(self, children: Children) -> int:
        units = zip(reversed(children), (1, 60, 3600, 86400), strict=False)
        return sum(int(digits) * unit for digits, unit in units)

    def board(self, children: Children) -> InitialBoard:
        size = int(children[0])
        parts = children[1:]
        cells = "".join(parts)
        # The size may have a hundred digits: the cells bound the number of rows.
        widths = OCTAGON_ROWS if size == OCTAGON else [size] * min(size, len(cells))
        fault = _fault_of_board(size, [*map(len, parts)], widths, cells[-1])
        if fault:
            raise ValueError(fault)
        cells, turn = cells[:-1], cells[-1]
        rows, start = [], 0
        for width in widths:
            rows.append(cells[start : start + width])
            start += width
        to_move = Color.BLACK if turn == "*" else Color.WHITE
        return InitialBoard(size=size, rows=tuple(rows), to_move=to_move)


def _system_of(initial: Period, increment: Period, extension: Period) -> ClockSystem:
    if initial.moves or increment.moves not in {None, 1}:
        return "other"
    if increment.seconds and not extension.seconds:
        return "bronstein" if increment.not_added else "fischer"
    if extension.seconds and not increment.seconds:
        if not extension.moves:
            return "extension"
        if extension.not_added:
            return "simple" if extension.moves == 1 else "canadian"
    if increment.seconds or extension.seconds:
        return "other"
    return "absolute" if initial.seconds else "none"


def _fault_of_board(size: int, parts: list[int], widths: list[int], turn: str) -> str:
    """Describe the fault of a board's cells in groups and rows; "" if there is none."""
    count, wanted = sum(parts) - 1, size * size if size != OCTAGON else sum(widths)
    if count == wanted:
        if wanted == 0:
            return "a board has squares"
        return "its last symbol is the color to move, '*' or 'O'" if turn == "-" else ""
    if len(parts) == len(widths) + 1 and parts[-1] == 1:
        row = [part == width for part, width in zip(parts, widths, strict=False)].index(False)
        return f"its row {row + 1} has {parts[row]} cells, and should have {widths[row]}"
    if count + 1 == wanted:
        return "the color to move, '*' or 'O', is missing after its rows"
    if size and size != OCTAGON and count % size == 0:
        return f"it has {count // size} rows, and a board of size {size} has {size}"
    return f"it has {count} cells, and a board of size {size} has {wanted}"


#: Othello size of GGF that means a 10x10 board without three squares in each corner.
OCTAGON = 88
OCTAGON_ROWS = [6, 8, *([10] * 6), 8, 6]

#: Flags of a GGF result.
FLAGS: dict[str, Ending] = {
    "r": Ending.RESIGNATION,
    "t": Ending.TIME,
    "s": Ending.MUTUAL,
    "l": Ending.LEFT,
}

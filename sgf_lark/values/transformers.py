"""Transformers from the parse tree of a value to a Python value: a method for each rule.

The methods are pure: what they return depends on their children alone, because a type with
few texts, such as the points of a board, reads each text once.  A method whose children cannot
be meant (the 30th of February) raises ``ValueError``, and the value is kept as
:class:`~sgf_lark.schema.values.Invalid`.

Lark's ``v_args`` and ``Discard`` do what they do in Lark.  A token knows its type, but not
its place.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from lark import Discard, Token, Tree
from lark.visitors import Transformer_NonRecursive

from sgf_lark.schema.frozen import maker
from sgf_lark.schema.values import (
    Application,
    BoardSize,
    Clock,
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

#: The argument of a method: the texts and results below its rule, in order; None for an
#: absent part in ``[...]``.
Children: TypeAlias = list[Any]

#: Parts of values come from grammars that know their types: nothing checks them again.
_application = maker(Application, "name", "version")
_figure = maker(Figure, "flags", "name")
_result = maker(Result, "winner", "margin", "ending")
_win = maker(Result, "winner", "margin")
_ended = maker(Result, "winner", "ending")
_year = maker(PartialDate, "year")
_month = maker(PartialDate, "year", "month")
_played = maker(Played, "move", "evaluation", "seconds")
_stamp = maker(Stamp, "moment", "zone")
_period = maker(Period, "seconds", "moves", "not_added")
_clock = maker(Clock, "initial", "increment", "extension")

_COLORS = {color.value: color for color in Color}


class Postfix(Transformer_NonRecursive[Token, Any]):
    """Lark's transformer without recursion; :data:`lark.Discard` works, and rules need methods."""

    def __default__(self, data: str, children: Children, meta: object) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no method for the rule {data}")

    def transform(self, tree: Tree[Token]) -> Any:
        """Call the methods for a tree, from its leaves up."""
        order: list[Tree[Token] | Token | None] = []
        waiting: list[Tree[Token] | Token | None] = [tree]
        while waiting:
            node = waiting.pop()
            order.append(node)
            if isinstance(node, Tree):
                waiting += node.children
        results: list[Any] = []
        for node in reversed(order):
            if isinstance(node, Tree):
                first = len(results) - len(node.children)
                children = [child for child in results[first:] if child is not Discard]
                del results[first:]
                results.append(self._call_userfunc(node, children))  # type: ignore[no-untyped-call]
            elif self.__visit_tokens__ and isinstance(node, Token):
                results.append(self._call_userfunc_token(node))  # type: ignore[no-untyped-call]
            else:
                results.append(node)
        return None if results[0] is Discard else results[0]


class ValueTransformer(Postfix):
    """Base of the transformers of values: a token without a method is its text."""

    def __default_token__(self, token: Token) -> str:
        return str(token)


def _part_of_date(kind: str) -> Callable[[SgfValues, str], tuple[str, list[int]]]:
    """Return the method for a terminal of DT: to its name and its numbers."""

    def numbers(_: SgfValues, text: str) -> tuple[str, list[int]]:
        return kind, [int(part) for part in text.removeprefix(",").split("-")]

    return numbers


class SgfValues(ValueTransformer):
    """Values of ff1.lark, ff3.lark and ff4.lark."""

    def none(self, _: Children) -> bool:
        return True

    def number(self, children: Children) -> int:
        return int(children[0])

    def real(self, children: Children) -> Decimal:
        return Decimal(children[0])

    komi = time_limit = real

    def double(self, children: Children) -> Double:
        return Double(int(children[0]))

    triple = double

    def color(self, children: Children) -> Color:
        return Color(children[0])

    player = color

    def NUMBERED(self, token: Token) -> Color:
        return {"1": Color.BLACK, "2": Color.WHITE}[token]

    def text(self, children: Children) -> str:
        return "".join(children)

    simpletext = point = move = stone = rank = round = text

    def ESCAPED(self, token: Token) -> str:
        return token[1:]

    def LINE_BREAK(self, _: Token) -> str:
        return "\n"

    def SPACE(self, _: Token) -> str:
        return " "

    ESCAPED_SPACE = SIMPLE_BREAK = SPACE

    def compose(self, children: Children) -> tuple[str, str]:
        first, second = children
        return first or "", second or ""

    name = text

    def size(self, children: Children) -> int | BoardSize:
        columns, rows = children
        return int(columns) if rows is None else BoardSize(int(columns), int(rows))

    def figure(self, children: Children) -> bool | Figure:
        flags, name = children
        return True if flags is None else _figure(int(flags), name)

    def application(self, children: Children) -> Application:
        name, version = children
        return _application(name, version)

    def result(self, children: Children) -> Result:
        (only,) = children
        return only if isinstance(only, Result) else _ended(None, only)

    def win(self, children: Children) -> Result:
        winner, how = children
        make = _win if isinstance(how, Decimal) else _ended
        return make(_COLORS[winner], how)

    def SCORE(self, token: Token) -> Decimal:
        return Decimal(token)

    def RESIGN(self, _: Token) -> Ending:
        return Ending.RESIGNATION

    def TIME(self, _: Token) -> Ending:
        return Ending.TIME

    def FORFEIT(self, _: Token) -> Ending:
        return Ending.FORFEIT

    def REASON(self, token: Token) -> Ending:
        return {"R": Ending.RESIGNATION, "T": Ending.TIME, "F": Ending.FORFEIT}[token]

    def DRAW(self, _: Token) -> Ending:
        return Ending.DRAW

    def VOID(self, _: Token) -> Ending:
        return Ending.VOID

    def UNKNOWN(self, _: Token) -> Ending:
        return Ending.UNKNOWN

    YEAR = _part_of_date("YEAR")
    YEAR_MONTH = _part_of_date("YEAR_MONTH")
    DATE = _part_of_date("DATE")
    NEXT_YEAR = _part_of_date("NEXT_YEAR")
    NEXT_YEAR_MONTH = _part_of_date("NEXT_YEAR_MONTH")
    NEXT_DATE = _part_of_date("NEXT_DATE")
    NEXT_MONTH = _part_of_date("NEXT_MONTH")
    NEXT_MONTH_DAY = _part_of_date("NEXT_MONTH_DAY")
    NEXT_DAY = _part_of_date("NEXT_DAY")

    def dates(self, children: Children) -> tuple[date | PartialDate, ...]:
        days: list[date | PartialDate] = []
        year = month = 0
        for kind, numbers in filter(None, children):
            match kind, numbers:
                case "DATE" | "NEXT_DATE", [year, month, day]:
                    days.append(date(year, month, day))
                case "YEAR" | "NEXT_YEAR", [year]:
                    days.append(_year(year))
                case "YEAR_MONTH" | "NEXT_YEAR_MONTH", [year, month]:
                    days.append(month_of(year, month))
                case "NEXT_MONTH", [month]:
                    days.append(month_of(year, month))
                case "NEXT_MONTH_DAY", [month, day]:
                    days.append(date(year, month, day))
                case _, [day]:
                    days.append(date(year, month, day))
        return tuple(days)


def month_of(year: int, month: int) -> PartialDate:
    """Return a month; ValueError if the calendar has none of that number."""
    date(year, month, 1)
    return _month(year, month)


class GgfValues(ValueTransformer):
    """Values of ggf.lark."""

    def simpletext(self, children: Children) -> str:
        return "".join(children)

    text = game_type = move = simpletext

    def real(self, children: Children) -> Decimal:
        return Decimal(children[0])

    komi = real

    def number(self, children: Children) -> int:
        return int(children[0])

    def REAL(self, token: Token) -> Decimal:
        return Decimal(token)

    REAL_TIME = REAL

    def NUMBER(self, token: Token) -> int:
        return int(token)

    def played(self, children: Children) -> Played:
        move, evaluation, seconds = children
        return _played(move, evaluation, seconds)

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
        initial, increment, extension = (part or Period(seconds=0) for part in children)
        return _clock(initial, increment, extension)

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


def _fault_of_board(size: int, parts: list[int], widths: list[int], turn: str) -> str:
    """Describe the fault of a board's cells; "" if their number fits its size.

    Args:
        size: Of the board.
        parts: The lengths of its groups of symbols, the color to move included.
        widths: Of the rows that the size asks for.
        turn: The last symbol.
    """
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

"""Overtime: from the free text of OT, and of what stands for it elsewhere, to a clock and back."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from math import inf, prod
from typing import TypeVar

from sgf_lark.core.engine.parser import Rejected
from sgf_lark.core.grammar import grammars
from sgf_lark.core.schema.properties import OVERTIME
from sgf_lark.core.schema.values import Clock, ClockSystem, Period

from .corrections import format_real
from .methods import Children, ValueMethods, always

N = TypeVar("N", int, float)

#: The seconds of units, by their first letters.
_UNITS = {"s": 1, "초": 1, "秒": 1, "m": 60, "분": 60, "分": 60, "h": 3600, "d": 86400}


class OvertimeValues(ValueMethods):
    """Values of words/overtime.lark: clocks, of which most do not know the main time.

    A clock without a period, or for no moves, is a ``ValueError``: nobody means it.
    """

    # Made without validation: the models are built when somebody needs them.
    none = always(Clock.model_construct(system="none"))
    absolute = always(Clock.model_construct(system="absolute"))
    hourglass = always(Clock.model_construct(system="hourglass"))
    COUNT = int
    DECIMAL = float

    def UNIT(self, text: str) -> int:
        return _UNITS[text[0]]

    def time(self, children: Children) -> float:
        """A number, and a unit that may be missing: seconds."""
        return float(prod(children))

    def for_each(self, children: Children) -> Children:
        return children

    def overtime(self, children: Children) -> Clock:
        """A number, its unit, which may be missing, and a system, or else the word for a move."""
        number, each = children
        *unit, system = each if isinstance(each[-1], str) else (*each, "simple")
        seconds = self.time([number, *unit])
        return _extended("simple", seconds, 1) if system == "simple" else _added(system, seconds)

    def japanese(self, children: Children) -> Clock:
        periods, seconds = children
        return _extended("japanese", seconds, 1, periods=_counted(periods))

    def canadian(self, children: Children) -> Clock:
        stones, seconds = children
        return _extended("canadian", seconds, _counted(stones))

    def fischer(self, children: Children) -> Clock:
        return _added("fischer", children[0])

    def capped(self, children: Children) -> Clock:
        """An increment, and a cap that may be missing: the main time, which is not known here."""
        seconds, *cap = children
        return _added("fischer", seconds).model_copy(update={"cap": cap[0] if cap else inf})

    # Of sentences that have the main time.

    def extra(self, children: Children) -> int:
        periods: int = children[0]
        return _counted(periods)

    def fischer_sentence(self, children: Children) -> Clock:
        main, seconds = children
        return _with_main(_added("fischer", seconds), main)

    def japanese_sentence(self, children: Children) -> Clock:
        main, seconds, *periods = children
        clock = _extended("japanese", seconds, 1, periods=periods[0] if periods else None)
        return _with_main(clock, main)

    def canadian_sentence(self, children: Children) -> Clock:
        main, seconds, stones = children
        return _with_main(self.canadian([stones, seconds]), main)

    # Of TM in CGoban 1.

    def clock(self, children: Children) -> float:
        return float(sum(part * 60**place for place, part in enumerate(reversed(children))))

    def main_and_periods(self, children: Children) -> Clock:
        main, *rest = children
        return _with_main(self.japanese(rest), main)

    def main_and_stones(self, children: Children) -> Clock:
        main, seconds, stones = children
        return _with_main(self.canadian([stones, seconds]), main)


def _counted(number: N) -> N:
    if number == 0:
        raise ValueError(number)
    return number


def _extended(
    system: ClockSystem, seconds: float, moves: int, *, periods: int | None = None
) -> Clock:
    extension = Period(seconds=_counted(seconds), moves=moves, not_added=True)
    return Clock(system=system, extension=extension, periods=periods)


def _added(system: ClockSystem, seconds: float) -> Clock:
    is_bronstein = system == "bronstein"
    moves = 1 if is_bronstein else None
    increment = Period(seconds=_counted(seconds), moves=moves, not_added=is_bronstein)
    return Clock(system=system, increment=increment)


def _with_main(clock: Clock, seconds: float) -> Clock:
    return clock.model_copy(update={"initial": Period(seconds=seconds)})


_VALUES = OvertimeValues()

#: No clock has a longer text.
MAX_LENGTH = 100


# Collections have few texts: each takes a millisecond when it is read first.
@lru_cache(maxsize=1 << 8)
def read_overtime(text: str, start: str = "overtime") -> Clock | None:
    """Return the clock of a text by a rule of words/overtime.lark; None if it is not sure."""
    text = " ".join(text.lower().split())
    parser = grammars.generated(grammars.path("words/overtime"), start)
    if parser is None or len(text) > MAX_LENGTH:
        return None
    try:
        clock: Clock = parser.parse(text, _VALUES)
    except (Rejected, ValueError):
        return None
    return clock


def read_clock(raw: Mapping[str, tuple[str, ...]], main: Decimal | None) -> Clock | None:
    """Return the clock of a game of SGF; None if its overtime is not said, or not to be read."""
    texts = {ident: "".join(values[:1]).strip() for ident, values in raw.items()}
    clock = None
    if texts.get("OT"):
        clock = read_overtime(texts["OT"])
    else:
        for (count, time), text in OVERTIME.items():
            if clock is None and texts.get(count) and texts.get(time):
                clock = read_overtime(text.format(texts[count], texts[time]))
        if clock is None and ":" in texts.get("TM", ""):
            clock = read_overtime(texts["TM"], "time_and_overtime")
    if clock is None:
        return None
    if clock.initial is None and main is not None and 0 <= float(main) < inf:
        clock = _with_main(clock, float(main))
    if clock.cap == inf:
        clock = clock.model_copy(update={"cap": clock.initial and clock.initial.seconds})
    return clock


def write_overtime(clock: Clock) -> str | None:
    """Return OT as KGS and OGS write it; None if no text is read as this clock."""
    time, period = map(_text_of, (clock.increment, clock.extension))
    text = {
        "japanese": f"{clock.periods}x{period} byo-yomi",
        "canadian": f"{clock.extension.moves}/{period} Canadian",
        "simple": f"{period} simple",
        "fischer": f"{time} fischer",
        "bronstein": f"{time} bronstein",
    }.get(clock.system, "")
    again = read_overtime(text)
    return text if again and again.model_copy(update={"initial": clock.initial}) == clock else None


def _text_of(period: Period) -> str:
    seconds = period.seconds  # in GGF a whole number with any number of digits
    return format_real(Decimal(seconds if isinstance(seconds, int) else str(seconds)))

"""The time that players took for their moves, from the times that they had left."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import COLORS, TIMES
from sgf_lark.core.schema.values import Clock, Played

from .nodes import Nodes


def times_used(nodes: Nodes, clock: Clock | None) -> dict[int, float]:
    """Return the sure seconds of moves by their nodes: none if no clock tells the periods."""
    if nodes.rules.format is Format.GGF:
        return _written(nodes)
    timed = {*nodes.having(ident for pair in TIMES.values() for ident in pair)}
    if not timed or clock is None or len({*nodes.having(("OT", "TM"))}) > 1:
        return {}
    timed.update(nodes.having(COLORS))
    rules = _ClockRules(clock, has_counts=bool(nodes.having(("OB", "OW"))))
    used: dict[int, float] = {}
    lefts: list[dict[str, _Left]] = []
    for node, parent in enumerate(nodes.parents):
        before = lefts[parent] if parent >= 0 else dict.fromkeys(TIMES, rules.start)
        lefts.append(before)
        if node not in timed:
            continue
        lefts[node] = after = dict(before)
        values = {prop.ident: prop.value for prop in nodes.contents[node]}
        for color in TIMES:
            left, took = rules.step(before[color], values, color)
            after[color] = left
            if took is not None:
                used[node] = float(took)
    return used


def _written(nodes: Nodes) -> dict[int, float]:
    played = (
        (node, prop.value)
        for node in nodes.having(COLORS)
        for prop in nodes.contents[node]
        if prop.ident in COLORS
    )
    return {
        node: float(move.seconds)
        for node, move in played
        if isinstance(move, Played) and move.seconds is not None
    }


class _Left(NamedTuple):
    """The time of a player; ``rest`` is the stones or periods of overtime."""

    seconds: Decimal | None
    rest: int | None = None
    is_sure: bool = True


class _ClockRules:
    """The rules of a clock about the times of a player; ``has_counts``: of overtime, too."""

    def __init__(self, clock: Clock, *, has_counts: bool) -> None:
        self._clock = clock
        self._increment, self._period = (
            Decimal(str(part.seconds)) for part in (clock.increment, clock.extension)
        )
        self._unclear = Decimal(0) if has_counts else self._period * (clock.periods or 1)
        self.start = _Left(Decimal(str(clock.initial.seconds)) if clock.initial else None)

    def step(
        self, before: _Left, values: dict[str, Any], color: str
    ) -> tuple[_Left, Decimal | None]:
        seconds, rest = map(values.get, TIMES[color])
        if color not in values and seconds is None:
            return before, None
        after = _Left(
            seconds if isinstance(seconds, Decimal) and seconds.is_finite() else None,
            rest if isinstance(rest, int) else None,
            before.is_sure,
        )
        took = self._took(before, after) if color in values else None
        if took is not None and took < 0:
            return after._replace(is_sure=False), None
        return after, took

    def _took(self, before: _Left, after: _Left) -> Decimal | None:
        """Return the seconds of a move, less than 0 if that cannot be; None if they are unknown."""
        if before.seconds is None or after.seconds is None or not before.is_sure:
            return None
        if before.rest is None and after.rest is None:
            if self._clock.system not in _COUNTED_DOWN or after.seconds == self._clock.cap:
                return None
            is_unclear = self._period and after.seconds <= self._unclear
            return None if is_unclear else before.seconds + self._increment - after.seconds
        if self._clock.system != "canadian":  # a period of byo-yomi is full again after each move
            return None
        seconds, rest = before.seconds, before.rest
        if rest is None:
            seconds, rest = seconds + self._period, self._clock.extension.moves
        return seconds - after.seconds if rest and after.rest == rest - 1 else None


#: Systems in which nothing but a move and its increment changes the main time.
_COUNTED_DOWN = frozenset({"none", "absolute", "japanese", "canadian", "fischer"})

"""Rolls of backgammon: what a side may do with two dice.

Points are counted by the pips that a checker has left to go: 1 to 24, 25 is the bar, 0 the tray.
A side has to play as many dice as it can, and the larger one if it can play only one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    BAR,
    BAR_NUMBER,
    TRAY,
    BackgammonMove,
    Color,
    CubeOwner,
    Dice,
    Point,
    number_of_place,
)
from sgf_lark.positions.coordinates import Coordinates, pair_of

#: Pips from the bar; those of a side's point and the other side's add up to it.
BAR_PIPS = BAR_NUMBER

#: The farthest point of a side's own home, counted as the pips to leave it.
HOME = 6

#: More positions than these are not looked at to find another die to play.  A real roll that
#: leaves some is hindered, and has some tens.
MAX_POSITIONS = 500

#: The sides of a die.
FACES = 6

#: The moves of a roll of equal dice.
DOUBLED = 4


class SideView(NamedTuple):
    """The checkers on the board as the side that moves sees them."""

    own: tuple[int, ...]  # its checkers by the pips left to go, 26 numbers
    held: int  # the points, a bit for each, with two checkers of the other side or more
    blots: int


#: The end of a roll: the checkers of the side, and the blots that it hit, a bit for each.
End: TypeAlias = tuple[tuple[int, ...], int]

#: The single moves of a roll, from pips to pips.
Way: TypeAlias = tuple[tuple[int, int], ...]


def legal_plays(position: SideView, dice: tuple[int, int]) -> dict[End, Way]:
    """Return the positions that a roll can lead to, each with one way to it.

    There are at most some thousands of them, after equal dice.
    """
    high, low = max(dice), min(dice)
    orders = ((high,) * DOUBLED,) if high == low else ((high, low), (low, high))
    best: dict[End, Way] = {}
    most = -1
    for order in orders:
        level: dict[End, Way] = {(position.own, 0): ()}
        played = 0
        for die in order:
            further: dict[End, Way] = {}
            for end, way in level.items():
                for after, step in _steps(end, position, die):
                    if after not in further:
                        further[after] = (*way, step)
            if not further:
                break
            level, played = further, played + 1
        if played > most:
            best, most = level, played
        elif played == most == len(dice):  # of one die the larger: the order that comes first
            best = level | best
    return best


def can_play(position: SideView, dice: tuple[int, ...], count: int) -> bool:
    """Tell if a side can play a number of dice; False if that takes too long to find out."""
    end: End = (position.own, 0)
    waiting = [(end, tuple(sorted(dice)))]
    seen = set(waiting)
    while waiting and len(seen) < MAX_POSITIONS:
        end, left = waiting.pop()
        if len(dice) - len(left) >= count:
            return True
        for die in {*left}:
            rest = [*left]
            rest.remove(die)
            for after, _ in _steps(end, position, die):
                new = after, tuple(rest)
                if new not in seen:
                    seen.add(new)
                    waiting.append(new)
    return False


def play_way(position: SideView, way: Way, dice: tuple[int, ...]) -> set[tuple[int, int]]:
    """Return what may happen if checkers go certain ways: dice played, and blots hit.

    A checker may use several dice for its way, in any order, and then hits on points between.

    Returns:
        Nothing if the ways are illegal.  The search ends with the first play of all dice that
        hits nowhere but at the ends of the ways.
    """
    simple = _play_in_order(position, way, dice)
    if simple is not None:
        return {(len(dice), simple)}
    ends = position.blots & sum({1 << target for _, target in way})
    found: set[tuple[int, int]] = set()
    start = (position.own, 0), way, dice
    waiting: list[tuple[End, Way, tuple[int, ...]]] = [start]
    seen = {start}
    while waiting:
        end, rest, left = waiting.pop()
        if not rest:
            found.add((len(dice) - len(left), end[1]))
            if not left and end[1] == ends:
                break
            continue
        for at, (origin, target) in enumerate(reversed(rest), 1):
            others = rest[: len(rest) - at], rest[len(rest) - at + 1 :]
            for place, die in enumerate(left):
                if (target and origin - die < target) or die in left[:place]:
                    continue  # past its end, or tried before
                after, reached = _step(end, position, origin, die) or (end, -1)
                if reached < 0:
                    continue
                more = ((reached, target),) if reached > target else ()
                new = after, (*others[0], *more, *others[1]), left[:place] + left[place + 1 :]
                if new not in seen:
                    seen.add(new)
                    waiting.append(new)
    return found


def _play_in_order(position: SideView, way: Way, dice: tuple[int, ...]) -> int | None:
    """Return the blots hit if each way takes one die, in this order, as most records have them.

    None if that is not so; then all orders have to be tried.
    """
    if len(way) != len(dice):
        return None
    end: End = (position.own, 0)
    left = list(dice)
    for origin, target in way:
        die = origin - target
        if die not in left:
            die = max(left)
        left.remove(die)
        found = _step(end, position, origin, die)
        if found is None or found[1] != target:
            return None
        end = found[0]
    return end[1]


def _steps(end: End, position: SideView, die: int) -> Iterator[tuple[End, tuple[int, int]]]:
    own, _ = end
    for pips in range(BAR_PIPS, 0, -1) if not own[BAR_PIPS] else (BAR_PIPS,):
        if own[pips] and (found := _step(end, position, pips, die)):
            yield found[0], (pips, found[1])


def _step(end: End, position: SideView, pips: int, die: int) -> tuple[End, int] | None:
    own, hits = end
    target = max(pips - die, 0)
    if not own[pips] or (own[BAR_PIPS] and pips != BAR_PIPS) or position.held & 1 << target:
        return None
    if not target and (any(own[HOME + 1 :]) or (die > pips and any(own[pips + 1 :]))):
        return None
    new = list(own)
    new[pips] -= 1
    new[target] += 1
    return (tuple(new), hits | position.blots & 1 << target), target


# ---- moves of a record ----


def column_of(pips: int, color: Color) -> int:
    """Return the column of a point on which a checker of a side has these pips left to go.

    It is the opposite of :func:`~sgf_lark.core.schema.backgammon.number_of_place`.
    """
    if pips == BAR_PIPS:
        return BAR
    if not pips:
        return TRAY
    return pips - 1 if color is Color.WHITE else BAR - pips


def pips_of(origin: Point, target: Point, color: Color) -> tuple[int, int] | None:
    """Return the pips left before and after a checker's move; None if it goes the wrong way."""
    if origin.column == TRAY or target.column == BAR:
        return None
    before, after = (number_of_place(point.column, color) for point in (origin, target))
    return (before, after) if before > after else None


def fits_dice(move: BackgammonMove, color: Color) -> bool:
    """Tell if the dice allow to move checkers that far; a pair may be played by several dice."""
    ways = []
    for origin, target in move.pairs:
        pips = pips_of(origin, target, color)
        if pips is None:
            return False
        ways.append((pips[0] - pips[1], not pips[1]))
    low, high = sorted(move.dice)
    if low == high:
        return sum(-(-far // low) for far, _ in ways) <= DOUBLED and all(
            leaves or far % low == 0 for far, leaves in ways
        )

    def by(die: int, far: int, leaves: bool) -> bool:  # noqa: FBT001  # a pair
        return far == die or (leaves and far < die)

    match ways:
        case []:
            return True
        case [way]:
            return any(by(die, *way) for die in (low, high, low + high))
        case [way, other]:
            return (by(low, *way) and by(high, *other)) or (by(high, *way) and by(low, *other))
    return False


def moves_of(dice: tuple[int, int]) -> tuple[int, ...]:
    """Return the dice as they are moved, the larger one last: equal ones four times."""
    return (dice[0],) * DOUBLED if dice[0] == dice[1] else tuple(sorted(dice))


# ---- texts ----

#: A move as people write it: the dice, then the ways of checkers.
_MOVE = re.compile(
    r"(?:([1-6][1-6])(?: *: *| +|$))?((?:[a-z0-9]+(?:/[a-z0-9]+\*?){1,4}(?:\([1-4]\))? *){0,4})"
)
MAX_MOVE_LENGTH = 80


def read_roll(
    text: str, names: Coordinates, dice: tuple[int, int] | None, color: Color | None
) -> BackgammonMove:
    """Return the roll and the moves that people write so; see :meth:`.Board.play`."""
    found = _MOVE.fullmatch(text) if len(text) <= MAX_MOVE_LENGTH else None
    if found is None:
        raise ValueError(f"no move of backgammon: {text[:MAX_MOVE_LENGTH]!r}")
    if found[1]:
        dice = int(found[1][0]), int(found[1][1])
    if dice is None:
        raise ValueError("the dice are not known: give them, such as '31: 8/5 6/5'")
    pairs: list[tuple[Point, Point]] = []
    for part in found[2].split():
        path, _, times = part.rstrip(")").partition("(")
        points = [names.point(name) for name in path.replace("*", "").split("/")]
        pairs += [*pairwise(points)] * int(times or 1)
    if color is Color.BLACK and all(_is_own_count(*pair) for pair in pairs):
        pairs = [(_turned(origin), _turned(target)) for origin, target in pairs]
    return BackgammonMove(dice=dice, pairs=tuple(pairs))


def _is_own_count(origin: Point, target: Point) -> bool:
    """Tell if a checker goes from a larger number to a smaller one, as each side counts."""
    if origin.column == BAR:
        return BAR - HOME <= target.column < BAR
    return target.column < origin.column if target.column != TRAY else origin.column < HOME


def _turned(point: Point) -> Point:
    return point if point.column >= BAR else Point(BAR - 1 - point.column, 0)


def settings(dice: Any, cube: object, owner: Any) -> Iterator[tuple[str, object]]:
    if dice is not None:
        roll = pair_of(dice, f"no roll {dice!r}: expected two numbers from 1 to 6, such as (3, 1)")
        if min(roll) < 1 or max(roll) > FACES:
            raise ValueError(f"no roll {dice!r}: dice show 1 to {FACES}")
        yield "DI", Dice(dice=roll)
    if cube is not None:
        if not isinstance(cube, int) or cube < 1:
            raise ValueError(f"no cube of {cube!r}: expected its value, such as 2")
        yield "CV", cube
    if owner is not None:
        if owner not in [*CubeOwner]:
            raise ValueError(f"no owner {owner!r} of the cube: expected b, w or c")
        yield "CO", CubeOwner(owner)

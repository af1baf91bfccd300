"""Rolls of backgammon: what a side may do with two dice.

Points are counted by the pips that a checker has left to go: 1 to 24, 25 is the bar, 0 the tray.
A side has to play as many dice as it can, and the larger one if it can play only one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from sgf_lark.schema.values import BackgammonMove, Color, Point

from .coordinates import Coordinates

#: Columns of the bar and the tray in a record.
BAR, TRAY = 24, 25

#: Pips from the bar; those of a side's point and the other side's add up to it.
BAR_PIPS = 25

#: The farthest point of a side's own home, counted as the pips to leave it.
HOME = 6

#: More positions than these are not looked at for a record; those of a real roll are fewer.
MAX_POSITIONS = 5_000

#: The moves of a roll of equal dice.
DOUBLED = 4


class Position(NamedTuple):
    """The checkers on the board as the side that moves sees them.

    Attributes:
        own: Its checkers by the pips left to go, 26 numbers.
        held: The points, a bit for each, with two checkers of the other side or more.
        blots: Those with one.
    """

    own: tuple[int, ...]
    held: int
    blots: int


#: The end of a roll: the checkers of the side, and the blots that it hit, a bit for each.
End: TypeAlias = tuple[tuple[int, ...], int]

#: The single moves of a roll, from pips to pips.
Way: TypeAlias = tuple[tuple[int, int], ...]


def legal_plays(
    position: Position, dice: tuple[int, int], limit: int | None = None
) -> dict[End, Way] | None:
    """Return the positions that a roll can lead to, each with one way to it.

    Args:
        position: As the side that moves sees it.
        dice: The roll.
        limit: None is returned if there are more positions than these.
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
                if limit is not None and len(further) > limit:
                    return None
            if not further:
                break
            level, played = further, played + 1
        if played > most:
            best, most = level, played
        elif played == most == len(dice):  # of one die the larger: the order that comes first
            best = level | best
    return best


def _steps(end: End, position: Position, die: int) -> Iterator[tuple[End, tuple[int, int]]]:
    """Yield the positions after one checker has moved by a die."""
    own, hits = end
    farthest = next((pips for pips in range(BAR_PIPS, 0, -1) if own[pips]), 0)
    for pips in range(farthest, 0, -1) if not own[BAR_PIPS] else (BAR_PIPS,):
        if not own[pips]:
            continue
        target = pips - die
        if target > 0:
            bit = 1 << target
            if position.held & bit:
                continue
            hit = hits | position.blots & bit
        elif farthest <= HOME and (target == 0 or pips == farthest):
            target, hit = 0, hits
        else:
            continue
        new = list(own)
        new[pips] -= 1
        new[target] += 1
        yield (tuple(new), hit), (pips, target)


def is_step_by_step(position: Position, way: Way, dice: tuple[int, int]) -> bool:
    """Tell if moves are the legal ones of all dice, each of one, in this order.

    It is fast and may be wrong about dice that a checker plays together; :func:`legal_plays`
    is right and slower.
    """
    left = [*dice] * 2 if dice[0] == dice[1] else [*dice]
    if len(way) != len(left):
        return False
    end: End = (position.own, 0)
    for origin, target in way:
        die = min((die for die in left if die >= origin - target), default=0)
        if not die:
            return False
        left.remove(die)
        found = (after for after, step in _steps(end, position, die) if step == (origin, target))
        after = next(found, None)
        if after is None:
            return False
        end = after
    return True


# ---- moves of a record ----


def column_of(pips: int, color: Color) -> int:
    """Return the column of a point on which a checker of a side has these pips left to go."""
    if pips == BAR_PIPS:
        return BAR
    if not pips:
        return TRAY
    return pips - 1 if color is Color.WHITE else BAR - pips


def pips_of(origin: Point, target: Point, color: Color) -> tuple[int, int] | None:
    """Return the pips left before and after a checker's move; None if it goes the wrong way."""
    if origin.column == TRAY or target.column == BAR:
        return None
    before, after = (_pips(point.column, color) for point in (origin, target))
    return (before, after) if before > after else None


def _pips(column: int, color: Color) -> int:
    """Return the pips left to go from a column: the opposite of :func:`column_of`."""
    if column >= BAR:
        return BAR_PIPS if column == BAR else 0
    return column + 1 if color is Color.WHITE else BAR - column


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


def count_dice(dice: tuple[int, int]) -> int:
    """Return the number of moves that a roll has."""
    return DOUBLED if dice[0] == dice[1] else len(dice)


def dice_played(move: BackgammonMove, color: Color) -> int:
    """Return the number of dice that the moves of a roll use, at most."""
    low, high = sorted(move.dice)
    ways = [pips_of(origin, target, color) or (0, 0) for origin, target in move.pairs]
    if low == high:
        return sum(-(-(before - after) // low) for before, after in ways)
    if len(ways) != 1:
        return len(ways)
    ((before, after),) = ways
    by_both = before - after > (high if after else low)
    return 2 if by_both else 1


# ---- texts ----

#: A move as people write it: the dice, then the ways of checkers.
_MOVE = re.compile(
    r"(?:([1-6][1-6])(?: *: *| +|$))?((?:[a-z0-9]+(?:/[a-z0-9]+\*?){1,4}(?:\([1-4]\))? *){0,4})"
)
MAX_MOVE_LENGTH = 80


def read_roll(
    text: str, names: Coordinates, dice: tuple[int, int] | None, color: Color | None
) -> BackgammonMove:
    """Return the roll and the moves that people write so; see :meth:`.Board.play`.

    Args:
        text: Such as ``31: 8/5 6/5``, in lower case.
        names: Of the points, for both sides.
        dice: The roll if it is known.
        color: Who plays, if it is known.

    Raises:
        ValueError: It is no roll, or its dice are not known.
    """
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
    """Return a point of Black's own count as it is on the board."""
    return point if point.column >= BAR else Point(BAR - 1 - point.column, 0)

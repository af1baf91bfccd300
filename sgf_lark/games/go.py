"""Go: captures, suicide, ko and superko, on boards of any size.

It plays any move, as FF[4] (Go, "Playing a move") demands: the stone replaces the contents
of its point, then opposing stones without liberties are removed, then its own.

Source of the rules by their names in RU: FF[4], RU, for the names; for what they say the texts of
the rules, as the page about the rules of KataGo compares them.  Rules in Japan and Korea know no
superko: a long cycle ends the game without a result.  All others forbid to repeat a position, with
the same side to play (situational) or with either (positional).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache, partial, reduce
from itertools import chain, compress, count
from operator import or_, xor
from typing import Any, NamedTuple, Self

from sgf_lark.core import (
    GO_LETTERS,
    LETTERED_SIDE,
    PASS,
    BoardSize,
    Color,
    Finding,
    GameNumber,
    GameTree,
    Pass,
    Point,
    Value,
    late,
    plural,
)
from sgf_lark.pictures.parts import Stone
from sgf_lark.positions.cell_state import COLORS_OF_CELLS, numbers_of_pieces
from sgf_lark.positions.coordinates import Coordinates
from sgf_lark.positions.grid import BLACK, EMPTY, NAMES, SETUP_CELLS, STONES, WHITE, hoshi
from sgf_lark.positions.state import LEGAL, Feature, FeatureNumber, GameEnd, State, Verdict
from sgf_lark.positions.symmetry import ALL_SYMMETRIES, Transformation

from .go_stones import GoStones

#: The entries of a shelf: a power of two.
WIDTH = 64

_EMPTY: list[Any] = [None] * WIDTH


class Past:
    """A set that never changes: one more element makes another set, which shares most of it.

    So a board goes back, and is copied, at no cost.  Finding an element costs the same in a game
    of a few thousand positions as in an empty one.

    >>> before = Past()
    >>> after = before.added("a position")
    >>> "a position" in before, "a position" in after
    (False, True)
    """

    __slots__ = ("_shelves",)

    def __init__(self, shelves: list[Any] = _EMPTY) -> None:
        self._shelves = shelves  # lists, because they are copied fast; none of them changes

    def __contains__(self, element: Hashable) -> bool:
        number = hash(element)
        shelf = self._shelves[number % WIDTH]
        return shelf is not None and _has(shelf[number // WIDTH % WIDTH], element)

    def __iter__(self) -> Iterator[Any]:
        for shelf in filter(None, self._shelves):
            for entry in filter(None, shelf):
                rest = entry
                while rest is not None:
                    known, rest = rest
                    yield known

    def added(self, element: Hashable) -> Past:
        number = hash(element)
        first, second = number % WIDTH, number // WIDTH % WIDTH
        shelf = self._shelves[first] or _EMPTY
        if _has(shelf[second], element):
            return self
        shelves, shelf = self._shelves.copy(), shelf.copy()
        shelf[second] = element, shelf[second]
        shelves[first] = shelf
        return Past(shelves)


def _has(entry: Any, element: Hashable) -> bool:
    while entry is not None:
        known, entry = entry
        if known == element:
            return True
    return False


#: The cells of a pass, of no move, and of a pass after a pass.
PASSED, NO_MOVE, PASSED_TWICE = -1, -2, -3


_PASSES = frozenset({PASSED, PASSED_TWICE})


class KoRule(StrEnum):
    """The positions that a move must not repeat."""

    SIMPLE = "simple"  # that before the last move
    POSITIONAL = "positional"  # any earlier one
    SITUATIONAL = "situational"  # any earlier one with the same side to play


class GoRules(NamedTuple):
    """The rules that decide about the legality of moves."""

    ko: KoRule = KoRule.SIMPLE
    suicide: bool = False

    @classmethod
    def of(cls, name: str) -> GoRules:
        """Return the rules that RU names; for an unknown name those of Japan."""
        name = name.strip().lower().replace("-", " ").replace("_", " ")
        if found := KATAGO.match(name):
            ko = KoRule(found["ko"]) if found["ko"] in set(KoRule) else KoRule.SIMPLE
            return cls(ko, suicide=found["suicide"] == "1")
        for beginning, rules in NAMED.items():
            if name.startswith(beginning):
                return rules
        return cls()


#: Rules by the beginnings of their names, in lower case.
NAMED = {
    "aga": GoRules(KoRule.SITUATIONAL),
    "bga": GoRules(KoRule.SITUATIONAL),
    "french": GoRules(KoRule.SITUATIONAL),
    "chinese": GoRules(KoRule.POSITIONAL),
    "nz": GoRules(KoRule.SITUATIONAL, suicide=True),
    "new zealand": GoRules(KoRule.SITUATIONAL, suicide=True),
    "goe": GoRules(KoRule.POSITIONAL, suicide=True),
    "ing": GoRules(KoRule.POSITIONAL, suicide=True),
    "tromp": GoRules(KoRule.POSITIONAL, suicide=True),
}

#: The rules as KataGo writes them one by one: ``koPOSITIONALscoreAREAtaxNONEsui1``.
KATAGO = re.compile(r"ko(?P<ko>simple|positional|situational|spight)score.*?sui(?P<suicide>[01])")


class GoCoordinates(Coordinates):
    """Names with the letters of GTP, which has no I."""

    __slots__ = ()

    @property
    def letters(self) -> str:
        return GO_LETTERS


class GoState(GoStones, State):
    """A game of Go: what its stones do not show, and the legality of moves."""

    number_of_game = GameNumber.GO
    names = GoCoordinates
    symmetries = ALL_SYMMETRIES
    moves_are_points = True

    def __init__(self, size: BoardSize, *, rules: str | GoRules = "") -> None:
        GoStones.__init__(self, *size)
        self.rules = rules if isinstance(rules, GoRules) else GoRules.of(rules)
        self._remembers = self.rules.ko is not KoRule.SIMPLE
        self._past = Past()  # the positions in which moves were played, if that matters
        self._fewest = size.columns * size.rows  # empty cells in one of them
        self._ko = 0  # the cell that a ko forbids, as a set
        self._first = self.cell(Point(0, 0))
        State.__init__(self, size)

    @classmethod
    def check(cls, game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:
        """Check moves and setup of a record, and what strict rules ask."""
        return late.check_go(game, asked)

    # ---- what its stones do not show ----

    @property
    def to_play(self) -> Color | None:
        return COLORS_OF_CELLS.get(self._turn)

    @to_play.setter
    def to_play(self, color: Color | None) -> None:
        self._turn = EMPTY if color is None else STONES[color]

    @property
    def last(self) -> Value | None:
        """The last move; None before the first one, and after setup, which ends a ko."""
        if self._last in _PASSES:
            return PASS
        return None if self._last == NO_MOVE else self._point(self._last)

    @last.setter
    def last(self, move: Value | None) -> None:
        self._last = NO_MOVE
        if move is None:
            self._ko = 0
        elif isinstance(move, Point):
            self._last = self.cell(move)
        elif isinstance(move, Pass):
            self._last = PASSED

    @property
    def ko(self) -> Point | None:
        return self._point(self._ko.bit_length() - 1) if self._ko else None

    @property
    def status(self) -> tuple[Any, ...]:
        """Return all that changes beside the stones, for :meth:`rewind`."""
        captured, past = (self.black_captured, self.white_captured), (self._past, self._fewest)
        return self._turn, self._last, self._ko, self.number, captured, past

    @status.setter
    def status(self, status: tuple[Any, ...]) -> None:
        self._turn, self._last, self._ko, self.number, captured, past = status
        self.black_captured, self.white_captured = captured
        self._past, self._fewest = past

    def copy(self) -> Self:
        """Return a state of its own with the same position, without the way back."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._copy_chains()
        return other

    def bare(self) -> Self:
        """Return a copy that knows neither chains nor positions before, and so takes no space."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._sets, other._snapshots = self._sets.copy(), []
        other._forget_chains()
        return other

    def transformed(self, to: Transformation) -> Self:
        other = type(self)(to.new_size, rules=self.rules)
        for stone in self.pieces():
            if stone.color is not None:
                other.put(other.cell(to.point(stone.point)), STONES[to.color(stone.color)])
        self.finish_transformed(other, to)

        def moved(cells: int) -> int:
            found = 0
            while cells:
                at = cells.bit_length() - 1
                cells ^= 1 << at
                found |= 1 << other.cell(to.point(self._point(at)))
            return found

        past = Past()
        for black, white, turn in self._past:
            sides = [moved(black), moved(white)]
            if to.exchanges_sides:
                sides.reverse()
            after = 3 - turn if turn and to.exchanges_sides else turn
            past = past.added((*sides, after))
        turn, last, _, *counts, _ = other.status
        last = self._last if self._last in _PASSES else last
        other.status = (turn, last, moved(self._ko), *counts, (past, self._fewest))
        return other

    # ---- what is on it ----

    def _point(self, cell: int) -> Point:
        row, column = divmod(cell, self.step)
        return Point(column - 1, row - 1)

    def at(self, point: Point) -> Color | None:
        return COLORS_OF_CELLS.get(self.held(self.cell(point)))

    def pieces(self) -> Iterator[Stone]:
        _, black, white = self._sets
        known = _digits((black | white) >> self._first)
        chosen = bytearray(2 * len(known))
        for at, stones in enumerate((black, white)):
            digits = _digits(stones >> self._first)
            chosen[at : 2 * len(digits) : 2] = digits
        return compress(_table(self.size)[1], chosen)

    def position(self) -> Hashable:
        """Return what decides how the game can go on, but for the positions before."""
        return self.size, self._turn, self._ko, self.rules, self.stones

    def put_feature(self, feature: Feature) -> None:
        """Add stones, or a ko: the stone that took it has no other liberty, and was the last."""
        if feature.what != "ko" or len(feature.points) != 1:
            super().put_feature(feature)
            return
        ko = 1 << self.cell(feature.points[0])
        for point in self._points_of(
            self.beside(ko) & ~ko & (self._sets[BLACK] | self._sets[WHITE])
        ):
            if [*self.group(point)] == [point] and [*self.liberties(point)] == [*feature.points]:
                self._last, self._ko = self.cell(point), ko

    def xor_features(self, number: FeatureNumber) -> int:
        """Return the exclusive or of the numbers of the features; those of stones are kept."""
        if max(self.size) > LETTERED_SIDE:
            return super().xor_features(number)
        found = 0
        for color, held in STONES.items():
            stones = compress(count(), _digits(self._sets[held] >> self._first))
            known = numbers_of_pieces(self.game, self.size, color, number, border=0)
            found = reduce(xor, map(known.__getitem__, stones), found)
        others = map(partial(number, self.game, self.size), self.other_features())
        return reduce(xor, others, found)

    def stone_sets(self) -> tuple[int, int] | None:
        if max(self.size) > LETTERED_SIDE:
            return None
        return self._sets[BLACK] >> self._first, self._sets[WHITE] >> self._first

    def hoshi(self) -> tuple[Point, ...]:
        return hoshi(self.size)

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        if isinstance(move, Pass):
            return LEGAL
        if not isinstance(move, Point):
            return NO_POINT
        cell, stone = self.cell(move), STONES[color]
        held = self.held(cell)
        if held != EMPTY:
            return _occupied(held)
        bit = 1 << cell
        taken = self._find_taken(bit, self._cross << cell - self.step, stone)
        name = self._broken(bit, stone, taken)
        return _verdict(name, color, taken) if name else LEGAL

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the legal moves of a side, row by row; the pass is the last."""
        digits = _digits(self._find_legal(STONES[color]) >> self._first)
        return chain(compress(_table(self.size)[0], digits), (PASS,))

    def play(self, move: Value, color: Color) -> Verdict:
        if move.__class__ is Point:
            column, row = move
            return self.play_cell((row + 1) * self.step + column + 1, STONES[color])
        if not isinstance(move, Pass):
            return NO_POINT
        self.play_pass(STONES[color])
        return LEGAL

    def play_pass(self, color: int) -> None:
        """Pass, as the side of a kind of stones."""
        if self._remembers:
            self._remember(color)
        self._last = PASSED_TWICE if self._last in _PASSES else PASSED
        self._ko, self._turn = 0, 3 - color
        self.number += 1

    def play_cell(self, cell: int, color: int) -> Verdict:
        """Carry out a move, as :meth:`play` does, by its cell and the kind of its stone."""
        sets, bit, near = self._sets, 1 << cell, self._cross << cell - self.step
        other, taken, verdict = 3 - color, 0, LEGAL
        if self._remembers:
            self._remember(color)
        if not sets[EMPTY] & bit:
            verdict = self._make_room(cell, color)
        if not self._known:
            self._find_chains()
        if near & sets[other] or not near & sets[EMPTY]:
            taken = self._find_taken(bit, near, color)
        if (taken or self._remembers) and verdict is LEGAL:
            name = self._broken(bit, color, taken)
            if name:
                verdict = _verdict(name, COLORS_OF_CELLS[color], taken)
        self._ko = 0
        if taken & bit:
            sets[EMPTY] |= taken
            sets[color] &= ~taken
            self._count(color, taken)
        else:
            if sets[EMPTY] & bit:
                self._add(cell, color, bit, near)
            if taken:
                self._take(taken, near, color)
        self._last = cell
        self._turn = other
        self.number += 1
        return verdict

    def _make_room(self, cell: int, color: int) -> Verdict:
        """Remove a stone of the other side; one of the same stays, with all that is known of it."""
        held = self.held(cell)
        if held != color:
            self._remove(cell, held)
        return _occupied(held)

    def _take(self, taken: int, near: int, color: int) -> None:
        sets = self._sets
        sets[EMPTY] |= taken
        sets[3 - color] ^= taken
        self._count(3 - color, taken)
        if near & (sets[EMPTY] | sets[color]) == taken and not taken & (taken - 1):
            self._ko = taken

    def _count(self, color: int, taken: int) -> None:
        if color == BLACK:
            self.black_captured += taken.bit_count()
        else:
            self.white_captured += taken.bit_count()

    def _find_taken(self, bit: int, near: int, color: int) -> int:
        """Return the cells that a stone on an empty cell makes empty.

        Returns:
            A set.  If ``bit`` is in it, the move is suicide, and all of them are of its color.
        """
        if not self._known:
            self._find_chains()
        cross, step, chains = self._cross, self.step, self._chains
        vacant, taken = self._sets[EMPTY] & ~bit, 0
        rest = near & self._sets[3 - color]
        while rest:
            at = rest.bit_length() - 1
            if cross << at - step & vacant:
                rest ^= 1 << at
                continue
            stones = chains[self._chain_of(at)]
            rest &= ~stones
            if not (stones << 1 | stones >> 1 | stones << step | stones >> step) & vacant:
                taken |= stones
        if taken or near & vacant:
            return taken
        rest = near & self._sets[color]
        taken = bit
        while rest:
            stones = chains[self._chain_of(rest.bit_length() - 1)]
            if (stones << 1 | stones >> 1 | stones << step | stones >> step) & vacant:
                return 0
            rest &= ~stones
            taken |= stones
        return taken

    def _find_legal(self, color: int) -> int:
        """Return the cells where a side may play.

        Beside an empty cell every move is legal, but for ko and superko.  Of the others, those
        beside an own stone that has such a cell beside it are; the rest are looked at.
        """
        step, vacant, own = self.step, self._sets[EMPTY], self._sets[color]
        doubtful = 0
        if not self.rules.suicide or self._remembers:
            free = vacant & (vacant << 1 | vacant >> 1 | vacant << step | vacant >> step)
            doubtful = vacant ^ free
            if doubtful:
                own &= free << 1 | free >> 1 | free << step | free >> step
                doubtful &= ~(own << 1 | own >> 1 | own << step | own >> step)
        doubtful |= self._ko & vacant
        if self._remembers:
            doubtful |= self._find_repeating(color) & vacant
        legal = vacant
        while doubtful:
            at = doubtful.bit_length() - 1
            bit = 1 << at
            doubtful ^= bit
            taken = self._find_taken(bit, self._cross << at - step, color)
            if (taken or self._remembers) and self._broken(bit, color, taken):
                legal ^= bit
        return legal

    def _find_repeating(self, color: int) -> int:
        """Return cells on which a stone may repeat an earlier position, if it is no suicide."""
        own, other, found = self._sets[color], self._sets[3 - color], 0
        for *before, _ in self._past:
            if not before[2 - color] & ~other:
                more = before[color - 1] & ~own
                if not more & (more - 1):
                    found |= more
        return found

    def _broken(self, bit: int, color: int, taken: int) -> str:
        """Return the name of the rule that a stone on an empty cell breaks; "" for none."""
        if taken:
            if bit & self._ko and taken == 1 << self._last:
                return "ko-capture"
            if taken & bit and not self.rules.suicide:
                return "suicide"
        vacant, black, white = self._sets
        if not self._remembers or (not taken and vacant.bit_count() <= self._fewest):
            return ""  # more stones than ever
        if color == BLACK:
            black |= bit
        else:
            white |= bit
        if taken:
            black, white = black & ~taken, white & ~taken
        after = self._situation(black, white, 3 - color)
        is_same = taken == bit and self.rules.ko is KoRule.POSITIONAL
        return "repeated-position" if is_same or after in self._past else ""

    def _remember(self, color: int) -> None:
        vacant, black, white = self._sets
        self._fewest = min(self._fewest, vacant.bit_count())
        self._past = self._past.added(self._situation(black, white, color))

    def _situation(self, black: int, white: int, to_play: int) -> tuple[int, int, int]:
        return black, white, to_play if self.rules.ko is KoRule.SITUATIONAL else EMPTY

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end, by two consecutive passes; :meth:`score` counts."""
        return GameEnd(None, "both sides have passed") if self._last == PASSED_TWICE else None

    def score(self, way: str, dead: Iterable[Point]) -> tuple[Decimal, Decimal]:
        """Return the points of both sides, without komi; see :meth:`.Board.score`."""
        gone = reduce(or_, map(self._group_at, dead), 0)
        vacant, *stones = self._sets
        vacant, alive = vacant | gone, [held & ~gone for held in stones]
        reached = [self._spread(held, vacant) & vacant for held in alive]
        points = [(reached[0] & ~reached[1]).bit_count(), (reached[1] & ~reached[0]).bit_count()]
        if way == "area":
            more = [held.bit_count() for held in alive]
        else:
            lost = [(held & gone).bit_count() for held in stones]
            more = [lost[1] + self.white_captured, lost[0] + self.black_captured]
        return Decimal(points[0] + more[0]), Decimal(points[1] + more[1])

    def _spread(self, cells: int, free: int) -> int:
        found, before = cells, 0
        while found != before:
            found, before = self.beside(found) & (free | cells), found
        return found

    def _group_at(self, point: Point) -> int:
        """Return the stones of a group as a set; none for an empty point."""
        cell = self.cell(point)
        if self.held(cell) == EMPTY:
            return 0
        if not self._known:
            self._find_chains()
        return self._chains[self._chain_of(cell)]

    def _points_of(self, cells: int) -> Iterator[Point]:
        return compress(_table(self.size)[0], _digits(cells >> self._first))

    def group(self, point: Point) -> Iterator[Point]:
        return self._points_of(self._group_at(point))

    def liberties(self, point: Point) -> Iterator[Point]:
        return self._points_of(self.beside(self._group_at(point)) & self._sets[EMPTY])

    def faults(self) -> Iterator[str]:
        left = self._sets[BLACK] | self._sets[WHITE]
        while left:
            point = self._point(left.bit_length() - 1)
            group = self._group_at(point)
            left &= ~group
            if not self.beside(group) & self._sets[EMPTY]:
                yield f"the group at {self.coordinates.name(point)} has no liberty"

    # ---- setup ----

    def put_points(self, low: Point, high: Point, ident: str) -> bool:
        if low == high:
            return self.put(self.cell(low), SETUP_CELLS[ident])  # which keeps the chains
        return self.put_rectangle(low, high, SETUP_CELLS[ident])

    def put(self, cell: int, held: int) -> bool:
        """Set a cell, which ends a ko; False if it held that."""
        self._ko, self._last = 0, NO_MOVE
        return super().put(cell, held)

    def put_rectangle(self, low: Point, high: Point, held: int) -> bool:
        """Set all cells between two corners, which ends a ko; False if they held that."""
        self._ko, self._last = 0, NO_MOVE
        return super().put_rectangle(low, high, held)


# ---- tables ----


def _digits(cells: int) -> bytes:
    """Return a byte, 0 or 1, for each cell of a set from the first on."""
    return f"{cells:b}"[::-1].encode().translate(_ZERO_AND_ONE)


_ZERO_AND_ONE = bytes.maketrans(b"01", b"\0\1")


def _table(size: BoardSize) -> tuple[Iterable[Point], Iterable[Stone]]:
    """Return the points of all cells from the first on, and a black and a white stone on each.

    Each row ends with a cell that is not on the board.
    """
    return _small_table(size) if max(size) <= LETTERED_SIDE else (_points(size), _stones(size))


@lru_cache(maxsize=1 << 4)  # a board of 52 by 52 takes a megabyte
def _small_table(size: BoardSize) -> tuple[Iterable[Point], Iterable[Stone]]:
    return tuple(_points(size)), tuple(_stones(size))


def _points(size: BoardSize) -> Iterator[Point]:
    for row in range(size.rows):
        for column in range(size.columns + 1):
            yield Point(column, row)


def _stones(size: BoardSize) -> Iterator[Stone]:
    for point in _points(size):
        yield Stone(point, Color.BLACK)
        yield Stone(point, Color.WHITE)


# ---- verdicts ----

#: The verdict about a value that is no move of Go.
NO_POINT = Verdict("wrong-value", "is no move of Go", "correct the move", is_lost=True)


def _occupied(held: int) -> Verdict:
    return Verdict("occupied-point", f"is played on a {NAMES[held]} stone", MEANT)


def _verdict(name: str, color: Color, taken: int) -> Verdict:
    if name == "ko-capture":
        return KO
    if name == "repeated-position":
        return REPEATED
    many = taken.bit_count() - 1
    more = f" with {plural(many, 'other stone')}" if many else ""
    who = color.name.capitalize()
    return Verdict(name, f"is suicide: {who} loses the stone{more}", MEANT)


MEANT = "correct the move; if it is meant so, write KO[] into its node"
KO = Verdict(
    "ko-capture",
    "takes the ko back at once",
    "a move elsewhere may be missing; if it is meant so, write KO[] into its node",
)
REPEATED = Verdict(
    "repeated-position",
    "repeats an earlier position",
    "most rules of Go forbid that (superko)",
)

"""Numbers of moves and inherited properties: what a node has from the nodes above it.

Source: FF[4], "Reading attribute: inherit", DD, PM, VW; FG and MN.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple, TypeAlias

from sgf_lark.core import (
    COLORS,
    NONE,
    AmazonsMove,
    BoardSize,
    Color,
    Group,
    MoveArrays,
    Nodes,
    OctiMove,
    Point,
    PointList,
    ProngMove,
    Reading,
    Step,
    Value,
    move_of,
)

from .markup import values_of

#: The ways to print numbers (FF[4], PM), and the one where no PM says it.
NO_NUMBERS, NUMBERS, MODULO_100 = range(3)

#: Properties that hold for the nodes below, until another one replaces them.
INHERITED = frozenset({"DD", "FG", "MN", "PM", "VW"})

#: The numbers that PM and MN may have: no move of a record has a larger one.
MODES, MOVE_NUMBERS = range(NO_NUMBERS, MODULO_100 + 1), range(-(10**9), 10**9 + 1)

#: Numbers by points; None for a stone that has none.
Placed: TypeAlias = dict[Point, int | None]

#: The sides as :class:`.MoveArrays` has them.
SIDES = {1: Color.BLACK, 2: Color.WHITE}

#: Points of setup that may be compared with numbers, for a run of nodes and for each of them: real
#: records stay far below.
MAX_WORK, MAX_WORK_PER_NODE = 100_000, 400


class Counted(NamedTuple):
    """A move with its number."""

    node: int  # the number of its node in the order of the file, from 0
    color: Color
    value: Value
    number: int
    printed: int | None  # as PM prints it; None for no number


class Numbering:
    """The moves of a game with their numbers, and what nodes have from those above them.

    All of it is found once, when it is first asked for.
    """

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self._parents = nodes.parents

    @cached_property
    def problem(self) -> Problem | None:
        """The problem that the record is; None for a game."""
        return find_problem(self.nodes)

    # ---- the nearest node above ----

    @cached_property
    def _marked(self) -> dict[int, set[str]]:
        """For each node with inherited properties or setup: those with a value that counts."""
        found: dict[int, set[str]] = {}
        wanted, contents = INHERITED | Group.SETUP_POINTS.idents, self.nodes.contents
        for node in dict.fromkeys(self.nodes.having(wanted)):
            props = contents[node]
            found[node] = {
                prop.ident for prop in props if prop.ident in wanted and self._counts(prop)
            }
        return found

    @cached_property
    def _nearest(self) -> list[dict[str, int]]:
        """For each node the nearest one, itself or above, that has an inherited property."""
        found: list[dict[str, int]] = []
        for node, above in enumerate(self._parents):
            before = found[above] if above >= 0 else {}
            has = INHERITED.intersection(self._marked.get(node, ()))
            found.append(before | dict.fromkeys(has, node) if has else before)
        return found

    def _counts(self, prop: Reading) -> bool:
        if prop.ident == "PM":
            return prop.raw == ("",) or self._number(prop) is not None
        return prop.ident != "MN" or self._number(prop) is not None

    def _number(self, prop: Reading) -> int | None:
        values = values_of(prop, self.nodes)
        number = values[0] if values else None
        allowed = MODES if prop.ident == "PM" else MOVE_NUMBERS
        return number if isinstance(number, int) and number in allowed else None

    def has(self, ident: str, node: int) -> bool:
        """Return True if a node has an inherited property, with a value that counts."""
        return ident in self._marked.get(node, ())

    def sets_up(self, node: int) -> bool:
        return not Group.SETUP_POINTS.idents.isdisjoint(self._marked.get(node, ()))

    def nearest(self, ident: str, node: int) -> int:
        """Return the nearest node, itself or above, that has a property; NONE for none."""
        return self._nearest[node].get(ident, NONE) if self._marked else NONE

    def inherited(self, ident: str, node: int) -> tuple[Reading, ...]:
        """Return the properties DD, PM or VW that hold at a node: none, or those of one node."""
        at = self.nearest(ident, node)
        if at < 0:
            return ()
        return tuple(prop for prop in self.nodes.contents[at] if prop.ident == ident)

    def print_mode(self, node: int) -> int:
        """Return how numbers are printed at a node: 0 none, 1 as they are, 2 modulo 100."""
        modes = map(self._number, self.inherited("PM", node))
        return next((mode for mode in modes if mode is not None), NUMBERS)

    # ---- moves ----

    @cached_property
    def _arrays(self) -> MoveArrays:
        return self.nodes.move_arrays()

    @cached_property
    def _odd(self) -> frozenset[int]:
        nodes, arrays = self.nodes, self._arrays
        odd = {node for node, column in enumerate(arrays.column) if column < 0}
        odd = {node for node in odd if arrays.color[node]}
        odd.update(node for node, count in Counter(nodes.having(COLORS)).items() if count > 1)
        return frozenset(odd)

    def moves(self, node: int) -> Sequence[tuple[Color, Value]]:
        """Return the moves of a node: one, none, or several of a damaged record."""
        if node in self._odd:
            return [
                (COLORS[prop.ident], move_of(prop.values[0]))
                for prop in self.nodes.contents[node]
                if prop.ident in COLORS and prop.values
            ]
        color, columns, rows = self._arrays[1:]
        if not color[node]:
            return ()
        return ((SIDES[color[node]], Point(columns[node], rows[node])),)

    # ---- numbers ----

    @cached_property
    def _counted(self) -> tuple[array[int], array[int]]:
        """For each node the number of the last move up to it, as MN counts, and its node."""
        numbers, last_moves = array("q"), array("q")
        for node, above in enumerate(self._parents):
            number, last = (numbers[above], last_moves[above]) if above >= 0 else (0, NONE)
            given, plays = self.set_number(node), bool(self.moves(node))
            numbers.append(number + plays if given is None else given)
            last_moves.append(node if plays else last)
        return numbers, last_moves

    def set_number(self, node: int) -> int | None:
        """Return the number that MN gives to the move of a node; None without one."""
        if not self.has("MN", node):
            return None
        props = (prop for prop in self.nodes.contents[node] if prop.ident == "MN")
        return next((number for number in map(self._number, props) if number is not None), None)

    def number(self, node: int) -> int:
        """Return the number of the last move up to a node: MN sets it, each move adds one."""
        return 0 if node < 0 else self._counted[0][node]

    def last_move(self, node: int) -> int:
        """Return the nearest node, itself or above, that has a move; NONE for none."""
        return self._counted[1][node]

    def number_after(self, node: int, head: int) -> int:
        """Return the number of the last move up to a node of a variation that counts from 1.

        Args:
            head: The first node of the variation; 0 for the numbers of the game.
        """
        number = self.number(node)
        if head == 0 or self.nearest("MN", node) >= head:
            return number
        return number - self.number(self._parents[head])

    def tally(self, first: int, *, restart: bool = False, by_print_mode: bool = True) -> Tally:
        """Return a count that has not yet seen any node.

        Args:
            restart: The moves of a variation are numbered from 1, unless MN counts them.
            by_print_mode: Print the numbers as PM demands; else as they are.
        """
        head = self.nodes.tree.heads[first] if restart else 0
        number = self.number_after(self._parents[first], head)
        return Tally(self, number, by_print_mode=by_print_mode)


class Tally:
    """The count of the moves of consecutive nodes, and their numbers on the board.

    With PM[2] the first number is taken modulo 100, and the others are counted on from it; so is
    a number that MN gives.
    """

    def __init__(self, numbering: Numbering, number: int, *, by_print_mode: bool) -> None:
        # the numbers by their points: of several moves on a point that of the last one. What is set
        # up has no number
        self.placed: Placed = {}
        self._numbering = numbering
        self._number = number
        self._hundreds: int | None = None
        self._by_print_mode = by_print_mode
        self._setup = Setup(numbering)

    def count(self, node: int) -> list[Counted]:
        """Return the moves of a node with their numbers: a child of the node before."""
        numbering, moves = self._numbering, self._numbering.moves(node)
        given = numbering.set_number(node)
        if given is not None:
            self._number, self._hundreds = given, None
        elif moves:
            self._number += 1
        number = printed = self._number
        if moves and self._hundreds is None:
            self._hundreds = number - number % 100
        mode = numbering.print_mode(node) if self._by_print_mode else NUMBERS
        if mode == MODULO_100:
            printed -= self._hundreds or 0
        shown = None if mode == NO_NUMBERS else printed
        self._setup.clear(self.placed, node)
        for _, value in moves:
            self._place(value, shown)
        return [Counted(node, color, value, number, shown) for color, value in moves]

    def copy(self) -> Tally:
        other = copy(self)
        other.placed = dict(self.placed)
        return other

    def _place(self, value: Value, printed: int | None) -> None:
        for point in points_left(value):
            self.placed.pop(point, None)
        target = target_of(value)
        if target is not None:
            self.placed[target] = printed


class Setup:
    """The setup in consecutive nodes, within a limit of work."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._work = MAX_WORK

    def points(self, node: int, size: BoardSize) -> Iterator[tuple[str, Point]]:
        """Yield what a node sets up: property and point."""
        for ident, points in self._lists(node):
            listed = points.on_board(size)
            self._work -= listed.total
            if self._work >= 0:
                yield from ((ident, point) for point in listed)

    def clear(self, placed: Placed, node: int) -> None:
        for _, points in self._lists(node):
            total, scanned = points.total, len(placed) * len(points.entries)
            self._work -= min(total, scanned)
            if self._work < 0:
                return
            if total <= scanned:
                for point in points:
                    placed.pop(point, None)
            else:
                for point in [point for point in placed if point in points]:
                    del placed[point]

    def _lists(self, node: int) -> Iterator[tuple[str, PointList]]:
        self._work += MAX_WORK_PER_NODE
        if not self._numbering.sets_up(node):
            return
        for prop in self._numbering.nodes.contents[node]:
            if prop.ident in Group.SETUP_POINTS.idents and isinstance(prop.value, PointList):
                yield prop.ident, prop.value


def target_of(value: Value) -> Point | None:
    """Return the point on which a move is numbered: where its piece ends; None for no such one."""
    match value:
        case Point():
            return value
        case Step() | AmazonsMove():
            return value.target
        case ProngMove():
            return value.pod.point
        case OctiMove(moves=((pod, steps), *_)):
            return steps[-1].target if steps else pod.point
    return None


def points_left(value: Value) -> Iterator[Point]:
    """Yield the points that a move leaves, or fills with what has no number."""
    match value:
        case Step():
            yield value.origin
        case AmazonsMove():
            yield value.origin
            yield value.arrow
        case OctiMove():
            for pod, _ in value.moves:
                yield pod.point


# ---- problems ----

#: The most moves of a figure of a game without FG; a problem has no more in its main line.
MOVES_OF_FIGURE = 50

#: What says that a game was played, and what of it editors write into every record.
OF_GAMES = {
    "PB": {"", "black"},
    "PW": {"", "white"},
    "RE": {"", "?"},
    "HA": {"", "0"},
}


class Problem(NamedTuple):
    """A position to be solved (FF[4], setup properties, PL; game-info properties)."""

    last: int  # the node that shows it, the last one before the first move
    to_play: Color | None  # the side to play; None if the record does not say it


def find_problem(nodes: Nodes) -> Problem | None:
    """Return the problem that a record is; None for a game.

    A problem sets up a position before its first move, its main line is short, and it names no
    players, result or handicap.
    """
    for prop in nodes.contents[0]:
        if prop.ident in OF_GAMES and prop.raw[0].strip().lower() not in OF_GAMES[prop.ident]:
            return None
    main_line, numbering = nodes.tree.main_line(), nodes.numbering
    moves = [node for node in main_line if numbering.moves(node)]
    before = range(moves[0]) if moves else main_line
    if len(moves) > MOVES_OF_FIGURE or not any(map(numbering.sets_up, before)):
        return None
    last, to_play = before[-1], None
    if moves:
        to_play = numbering.moves(moves[0])[0][0]
    elif nodes.having({"PL"}):
        to_play = nodes.boards.at(last).state.to_play
    return Problem(last, to_play)

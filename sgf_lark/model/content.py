"""The nodes of a game in a text: found and read when somebody asks."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError
from functools import cached_property
from itertools import accumulate, islice, pairwise
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    NoReturn,
    Protocol,
    Self,
    TypeAlias,
    overload,
)

from sgf_lark.schema.frozen import EDIT_GAME, Frozen
from sgf_lark.schema.properties import COLORS, ident_of
from sgf_lark.schema.values import Color, MoveValue, Pass, Point
from sgf_lark.values.types import NotOfType

from .property import Content

#: At most this many nodes that were asked for are kept, so that their neighbours can be compared.
#: Checks come back to the root and to the nodes with findings: without it, `check` of 120 real
#: files that are read once takes 23 % more instructions.
MAX_READ_NODES = 1 << 6


_set = object.__setattr__


class Move(Frozen):
    """The move of a node.

    ``str()`` of a node's move is ``B Q16``, as people name its point or move on the board of its
    game; ``B[pd]``, as the record has it, where the board is not known, the value is invalid or
    off the board, and of a move that comes from no node.

    Attributes:
        color: The side that plays.
        value: The move; in GGF without evaluation and time, which ``node["B"]`` has.
        raw: The text between the brackets.
    """

    _how_to_change: ClassVar[str] = EDIT_GAME

    __slots__ = ("_name",)  # no part of equality and of pickles

    color: Color
    if TYPE_CHECKING:
        value: MoveValue
    else:
        value: Any  # of a custom grammar it may be anything
    raw: str
    if TYPE_CHECKING:
        _name: Callable[[Any], str | None]

    def named_by(self, name: Callable[[Any], str | None]) -> Self:
        """Keep the function that names moves on the board, and return the move."""
        _set(self, "_name", name)
        return self

    def __copy__(self) -> Self:
        copy = super().__copy__()
        return copy.named_by(self._name) if hasattr(self, "_name") else copy

    def __str__(self) -> str:
        name = self._name(self.value) if hasattr(self, "_name") else None
        return f"{self.color}[{self.raw}]" if name is None else f"{self.color} {name}"

    @property
    def is_pass(self) -> bool:
        """The move is a pass."""
        return isinstance(self.value, Pass)

    @property
    def point(self) -> Point | None:
        """The point of a move that is one point; None for a pass and for longer moves."""
        return self.value if isinstance(self.value, Point) else None


class PlayedMove(NamedTuple):
    """A move in a line of a game.

    It knows no board: ``str()`` has column and row, ``B (15, 3)``; that of ``game.nodes[n].move``
    is ``B Q16``.

    Attributes:
        color: The side that plays.
        point: Where, columns and rows from 0; None for a pass, for a move that is more than one
            point, and for an invalid one.
        node: The number of its node in the order of the file, from 0.
        value: The move, as :attr:`sgf_lark.Move.value` has it.
    """

    color: Color
    point: Point | None
    node: int
    value: MoveValue

    def __str__(self) -> str:
        return f"{self.color} {self.value}"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot set {name}: PlayedMove is frozen; {EDIT_GAME}")


class MoveArrays(NamedTuple):
    """The moves of all nodes of a game, each array with an entry for each node.

    Attributes:
        parent: The number of the node before it, from 0; -1 for the root.  Eight bytes each.
        color: 1 for a move of Black, 2 of White, 0 for none.  One byte each.
        column, row: The point of the move, from 0; -1 for none: no move, a pass, a move that is
            more than one point, or an invalid one.  Eight bytes each.
    """

    parent: array[int]
    color: array[int]
    column: array[int]
    row: array[int]


class Shape(NamedTuple):
    """The structure of a grammar whose games are sequences of nodes in brackets.

    Attributes:
        open: The opening bracket and the white space after it.
        node: A node and the white space after it.
        close: Closing brackets (group 1) and one opening bracket (group 2) after a sequence, with
            the white space after them.
        run: Nodes that follow one another (group 1) with the brackets after them (closing ones
            are group 2).
        bracket: The closing bracket.
        begin: The expression of what begins a node; "" if its move does.
        end: The expression of what comes after a node.
        move: A node up to its first move, if it has one.
        first: The first node of a game, if it is not as the others: it may be empty, and each of
            the others begins with its move.
        piece: A node and all brackets after it; None if there is only one run of nodes.
    """

    open: re.Pattern[str]
    node: re.Pattern[str]
    close: re.Pattern[str]
    run: re.Pattern[str]
    bracket: str
    begin: str
    end: str
    move: re.Pattern[str]
    first: re.Pattern[str] | None = None
    piece: re.Pattern[str] | None = None


class Cutter(Protocol):
    """A rule set, as far as the places of nodes and properties are concerned."""

    @property
    def shape(self) -> Shape | None:
        """The structure of the grammar; None for another one."""

    def properties(self, text: str, start: int, end: int) -> Content:
        """Return the properties of the node that is ``text[start:end]``."""

    @property
    def moves(self) -> re.Pattern[str] | None:
        """The expression of a node, with groups for the name and the first value of its move."""

    def move_reader(self, name: str) -> Callable[[str], Any]:
        """Return the function that reads one raw value of a move, which is not empty."""


#: The fields of a :class:`PlayedMove`.
MoveFields: TypeAlias = tuple[Color, Point | None, int, Any]


def make_arrays(parents: array[int], moves: Iterable[MoveFields]) -> MoveArrays:
    """Return the moves of all nodes as arrays."""
    count = len(parents)
    none = array("q", [-1]) * count
    arrays = MoveArrays(parents[:], array("b", bytes(count)), none, none[:])
    for color, point, node, _ in moves:
        arrays.color[node] = _NUMBERS[color]
        if point is not None:
            arrays.column[node], arrays.row[node] = point
    return arrays


#: Colors in :class:`MoveArrays`.
_NUMBERS = {Color.BLACK: 1, Color.WHITE: 2}


def move_of(value: Any) -> Any:
    """Return the move of a value, without the evaluation and the time that GGF has with it."""
    return getattr(value, "move", value)


def find_moves(contents: Sequence[Content], nodes: Iterable[int]) -> Iterator[MoveFields]:
    """Yield the moves of some nodes."""
    for node in nodes:
        for prop in contents[node]:
            if prop.ident in COLORS and prop.raw:
                value = move_of(prop.values[0])
                point = value if isinstance(value, Point) else None
                yield COLORS[prop.ident], point, node, value
                break


class Runs:
    """The sequences of a game in a text, each a run of nodes between two brackets.

    Attributes:
        starts, ends: Where each run begins and ends, white space after it included.
        parents: The number of the run whose last node is the parent of its first; -1 for none.
    """

    def __init__(self) -> None:
        self.starts = array("q")
        self.ends = array("q")
        self.parents = array("q")

    def add(self, start: int, end: int, parent: int) -> int:
        """Add a run; return its number."""
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(parent)
        return len(self.starts) - 1


class Written(Sequence[Content]):
    """A sequence of the properties of a game's nodes, which are in a text.

    Args:
        text: The text.
        runs: The sequences of the game in it.
        cutter: Finds nodes and reads properties.
    """

    def __init__(self, text: str, runs: Runs, cutter: Cutter) -> None:
        self.text = text
        self.runs = runs
        self._cutter = cutter
        self._read: dict[int, Content] = {}

    @property
    def _shape(self) -> Shape:
        shape = self._cutter.shape
        if shape is None:
            raise LookupError("the grammar of this game has no sequences of nodes in brackets")
        return shape

    @cached_property
    def starts(self) -> array[int]:
        """The offset of each node, and at the end the end of the last one."""
        text, shape, starts = self.text, self._shape, array("q")
        start, end = self.runs.starts[0], self.runs.ends[-1]
        if shape.first is not None and (first := shape.first.match(text, start, end)):
            starts.append(start)
            start = first.end()
        find = (shape.piece or shape.node).findall
        starts.extend(accumulate(map(len, find(text, start, end)), initial=start))
        return starts

    def node_at(self, offset: int) -> int:
        """Return the number of the node at an offset of the text."""
        return bisect_right(self.starts, offset, 0, len(self)) - 1

    def plays(self, node: int) -> bool:
        """Return whether a node has a move."""
        if self._shape.first is not None:
            return node > 0
        return self._shape.move.match(self.text, self.starts[node]) is not None

    def offsets(self) -> array[int]:
        """Return the offset of each node."""
        return self.starts[:-1]

    @cached_property
    def firsts(self) -> array[int]:
        """The number of the first node of each run, and at the end the number of nodes."""
        starts, firsts = self.starts, array("q")
        at = 0
        for start in self.runs.starts:
            at = bisect_left(starts, start, at)
            firsts.append(at)
        firsts.append(len(starts) - 1)
        return firsts

    @cached_property
    def parents(self) -> array[int]:
        """For each node the number of its parent; -1 for the root."""
        firsts, parents = self.firsts, array("q")
        for run, above in enumerate(self.runs.parents):
            first, following = firsts[run], firsts[run + 1]
            parents.append(-1 if above < 0 else firsts[above + 1] - 1)
            parents.extend(range(first, following - 1))
        return parents

    def main_line(self) -> tuple[int, int]:
        """Return where the main line begins and ends; between its nodes are only brackets."""
        *_, last = self.main_runs()
        return self.runs.starts[0], self.runs.ends[last]

    def main_runs(self) -> Iterator[int]:
        """Yield the numbers of the runs of the main line."""
        yield 0
        for run, above in enumerate(self.runs.parents[1:], 1):
            if above != run - 1:
                return
            yield run

    def main_nodes(self) -> Iterator[tuple[int, int, int]]:
        """Yield the nodes of the main line, each found when it is asked for.

        Yields:
            The number of its run, and where the node begins and ends.
        """
        first, match = self._shape.first, self._shape.node.match
        for run in self.main_runs():
            at, end = self.runs.starts[run], self.runs.ends[run]
            if first is not None and (node := first.match(self.text, at, end)) is not None:
                yield run, at, node.end()
                at = node.end()
            while at < end and (node := match(self.text, at)) is not None:
                yield run, at, node.end()
                at = node.end()

    def main_contents(self) -> Iterator[Content]:
        """Yield the properties of the nodes of the main line."""
        known = self._read.get
        for node, (_, start, end) in enumerate(self.main_nodes()):
            yield known(node) or self._cutter.properties(self.text, start, end)

    def head(self, count: int) -> Written:
        """Return the first nodes of the main line; the same sequence if there are no others."""
        runs, first = self.runs, Runs()
        last, _, end = next(islice(self.main_nodes(), count - 1, None))
        if last == len(runs.ends) - 1 and end == runs.ends[last]:
            return self
        for run in range(last + 1):
            first.add(runs.starts[run], runs.ends[run], runs.parents[run])
        first.ends[last] = end
        return Written(self.text, first, self._cutter)

    def line_to(self, node: int) -> Iterator[tuple[int, int, int]]:
        """Yield the runs on the way to a node, the last one first, as far as they lead to it.

        Yields:
            The number of the first node of the run, its place, and the end in the text.
        """
        runs, (start, end) = self.runs, self.text_of(node)
        run = bisect_right(runs.starts, start) - 1
        while run >= 0:
            yield self.firsts[run], runs.starts[run], end
            run = runs.parents[run]
            end = runs.ends[run]

    def moves(self, first: int, start: int, end: int) -> Iterator[MoveFields]:
        """Yield the moves of the nodes in a part of the text.

        Args:
            first: The number of the first of these nodes.
            start, end: The place of the part.
        """
        pattern = self._cutter.moves
        if pattern is None:
            raise LookupError("no expression finds the moves of these games")
        if self._shape.first is not None and first == 0:
            first, start = 1, min(end, self.starts[1])
        readers: dict[str, tuple[Color, Callable[[str], Any]]] = {}  # of the spellings of B and W
        for node, (name, bracketed) in enumerate(pattern.findall(self.text, start, end), first):
            if not name:
                continue
            try:
                color, read = readers[name]
            except KeyError:
                color, read = COLORS[ident_of(name)], self._cutter.move_reader(name)
                readers[name] = color, read
            raw = bracketed[1:-1]
            if raw:
                try:
                    value = read(raw)
                except NotOfType:
                    pass
                else:
                    if value.__class__ is Point:  # nearly always
                        yield color, value, node, value
                    else:
                        move = move_of(value)
                        yield color, move if isinstance(move, Point) else None, node, move
                    continue
            yield from find_moves(self, (node,))

    @property
    def whole(self) -> str:
        """The text of the game from its first node on."""
        return self.text[self.runs.starts[0] : self.runs.ends[-1]]

    def text_of(self, node: int) -> tuple[int, int]:
        """Return where a node begins and ends in the text, white space after it included."""
        starts, runs = self.starts, self.runs
        start = starts[node]
        run = bisect_right(runs.starts, start) - 1
        return start, min(starts[node + 1], runs.ends[run])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> Content: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Content]: ...
    def __getitem__(self, index: int | slice) -> Content | Sequence[Content]:
        if isinstance(index, slice):
            return [self[node] for node in range(*index.indices(len(self)))]
        properties = self._read.get(index)
        if properties is None:
            if len(self._read) >= MAX_READ_NODES:
                self._read.clear()
            if index < 0:
                index += len(self)
            starts = self.starts
            properties = self._cutter.properties(self.text, starts[index], starts[index + 1])
            self._read[index] = properties
        return properties

    def __iter__(self) -> Iterator[Content]:
        read, text = self._cutter.properties, self.text
        for start, end in pairwise(self.starts):
            yield read(text, start, end)

"""The properties and the moves of nodes, read from their tape when somebody asks."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError
from functools import cache
from itertools import accumulate, compress, repeat
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, Self, TypeAlias, overload

from sgf_lark.core import late
from sgf_lark.core.memo import Memo
from sgf_lark.core.schema.frozen import EDIT_GAME, Frozen, maker
from sgf_lark.core.schema.properties import COLORS
from sgf_lark.core.schema.values import Color, MoveValue, Pass, Point

from .readings import Content
from .ruleset import OF_BOARD, RuleSet
from .tape import CLOSE, VALUE, Said, Tape

#: At most this many nodes that were asked for are kept, so that their neighbours can be compared.
#: With 64 of each game, reading all values of 540 files once takes 40 % more CPU time: as many
#: objects as files of many games then keep are gone through by the garbage collector.  `check`
#: costs the same with 1, 8 and 64.
MAX_READ_NODES = 1 << 3


_new, _set = object.__new__, object.__setattr__


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


make_move = maker(Move, "color", "value", "raw")


class PlayedMove(NamedTuple):
    """A move in a line of a game.

    ``str()`` is ``B Q16`` as that of ``game.nodes[n].move``; column and row, ``B (15, 3)``, where
    the board is not known, and of a move that comes from no game.

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
        return f"{self.color} {self.name_on_board() or self.value}"

    def name_on_board(self) -> str | None:
        """Return the move without its color, as people write it; None if no board is known."""
        return None

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


#: The fields of a :class:`PlayedMove`.
MoveFields: TypeAlias = tuple[Color, Point | None, int, Any]


def make_arrays(parents: array[int], moves: Iterable[MoveFields]) -> MoveArrays:
    count = len(parents)
    none = array("q", [-1]) * count
    arrays = MoveArrays(array("q", parents), array("b", bytes(count)), none, none[:])
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


class NodeProperties(Sequence[Content]):
    """A sequence of the properties of a game's nodes, read when they are asked for."""

    def __init__(self, tape: Tape, rules: RuleSet) -> None:
        self._tape = tape
        self._rules = rules
        self._read: dict[int, Content] = {}

    def __len__(self) -> int:
        return len(self._tape)

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
            number = index + len(self) if index < 0 else index
            properties = self._read[index] = self._make(number)
        return properties

    def __iter__(self) -> Iterator[Content]:
        return map(self._make, range(len(self)))

    def _make(self, node: int) -> Content:
        readings = self._rules.readings
        return tuple([readings[name][values] for name, values in self._tape.said(node)])


def played_on(tape: Tape, rules: RuleSet) -> type[PlayedMove]:
    """Return the class of the moves of a game: it knows how they are named on its board."""
    root = tuple([pair for pair in tape.said(0) if rules.ident(pair[0]) in OF_BOARD])
    known = rules.played_moves
    if root not in known and len(known) >= MAX_SIZES:
        known.clear()
    found: type[PlayedMove] = known.get(root) or known.setdefault(root, _class_of(root, rules))
    return found


#: The limit of the sizes that a rule set knows, of which each has a class of 1 kB.  Reading the
#: three moves of a game takes 22 us, and 39 us if each game makes a class of its own.
MAX_SIZES = 1 << 6


def _class_of(root: tuple[Said, ...], rules: RuleSet) -> type[PlayedMove]:
    @cache
    def names() -> Callable[[Any], str | None]:
        return late.namer([tuple(rules.property(*pair) for pair in root)], rules)

    body = {
        "__slots__": (),
        "__reduce__": lambda move: (PlayedMove, tuple(move)),
        "name_on_board": lambda move: names()(move.value),
    }
    return type("PlayedMove", (PlayedMove,), body)


def main_moves(tape: Tape, rules: RuleSet) -> tuple[PlayedMove, ...] | None:
    """Return the moves of the main line; None for a game that is in no text."""
    if tape.split_by is None:
        return None
    close = tape.marks.find(CLOSE)
    count = tape.marks.count(VALUE, 0, close if close >= 0 else None)
    heads, values = tape.columns.heads[:count], tape.columns.singles
    names = [head[1] for head in heads]
    of_name = {name: COLORS.get(rules.ident(name)) if name else None for name in {*names}}
    colors = [*map(of_name.__getitem__, names)]
    if not any(colors):
        return ()
    readings = {name: rules.readings[name] for name, color in of_name.items() if color}
    moves = [
        readings[name][value].played
        for name, value in zip(compress(names, colors), compress(values, colors))  # noqa: B905
    ]
    points, played = zip(*moves)  # noqa: B905
    last = accumulate([len(head[3]) for head in heads], initial=-1)
    next(last)
    nodes = [*compress(last, colors)]
    fields = zip(compress(colors, colors), points, nodes, played)  # noqa: B905  # as many
    found = [*map(_played, repeat(played_on(tape, rules)), fields)]
    if len({*nodes}) < len(nodes):  # the first move of a node counts
        firsts = {move.node: move for move in reversed(found)}
        found = [*reversed(firsts.values())]
    return tuple(found)


def find_moves(tape: Tape, rules: RuleSet, nodes: Iterable[int]) -> Iterator[PlayedMove]:
    kind = played_on(tape, rules)
    colors = Memo[str, Any](lambda name: COLORS.get(rules.ident(name)))
    for node in nodes:
        for name, values in tape.said(node):
            color = colors[name]
            if color is not None:
                if values:
                    point, move = rules.readings[name][values].played
                    yield _played(kind, (color, point, node, move))
                break


_played = tuple.__new__

"""The nodes of a game: kept flat, in the order of the file, each with its parent's number.

Variations, main line and paths are found by loops, so that no depth of nesting is too deep.
A :class:`Node` comes into being when it is looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

from pydantic import FieldSerializationInfo, GetCoreSchemaHandler, model_serializer, model_validator
from pydantic_core import CoreSchema, core_schema

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.words import plural
from sgf_lark.core.grammar.tokens import why_unwritable
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.frozen import EDIT_GAME, Light, set_fields
from sgf_lark.core.schema.properties import COLORS, Count

from .content import (
    Move,
    MoveArrays,
    NodeProperties,
    PlayedMove,
    find_moves,
    main_moves,
    make_arrays,
    make_move,
    move_of,
)
from .property import NodeRecord, Property, PropertyMapping, UnreadNodes, make_record, property_of
from .readings import Content, Readings
from .ruleset import ChosenRules, RuleSet
from .tape import Said, Tape, Values
from .tree import Links, MissingError

if TYPE_CHECKING:
    from sgf_lark.core.late import Analysis, Board, Diagram, State
    from sgf_lark.core.schema.values import Point

#: Most characters of a node as text; its comment may have any number.
MAX_REPR = 1000


class Node(PropertyMapping, Light):
    """One node of a game: a view, which costs nothing until it is asked for something.

    It is a mapping from identifiers to typed values, in the order of the file:
    ``node["KM"]``, ``"KM" in node``, ``node.get("KM")``, ``len(node)``, ``dict(node)`` as with
    a dict, but a node is true even if it is empty.  ``node.raw["KM"]`` has the exact texts
    between the brackets.  A node never changes: see :meth:`GameTree.edit`.

    Attributes:
        index: The number of the node in the order of the file, from 0.
    """

    _how_to_change: ClassVar[str] = EDIT_GAME

    index: int
    if TYPE_CHECKING:
        _nodes: Nodes
        _values: Mapping[str, Values]

    @model_validator(mode="before")
    @classmethod
    def _check(cls, data: object) -> object:
        if not isinstance(data, Node):
            raise ValueError("a node comes with its game: validate a GameTree")  # noqa: TRY004
        return data

    @property
    def parent(self) -> Node | None:
        """The node before it; None for the root."""
        above = self._nodes.parents[self.index]
        return None if above < 0 else self._nodes[above]

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes after it: first the main line, then the variations."""
        return tuple(map(self._nodes.__getitem__, self._nodes.tree.children(self.index)))

    @property
    def next(self) -> Node | None:
        """The node after it on its line, the first child; None at the end of a line."""
        child = next(self._nodes.tree.children(self.index), None)
        return None if child is None else self._nodes[child]

    @property
    def variations(self) -> tuple[Node, ...]:
        """The other nodes after it: the children without the first, each begins a variation."""
        return self.children[1:]

    @property
    def is_leaf(self) -> bool:
        """It is the end of a line: no node comes after it."""
        return next(self._nodes.tree.children(self.index), None) is None

    @property
    def is_root(self) -> bool:
        return self.index == 0

    def is_of(self, nodes: Nodes) -> bool:
        """Return True if it is one of these nodes."""
        return self._nodes is nodes

    @property
    def path(self) -> str:
        """The path from the root, for :meth:`GameTree.at`.

        ``12`` is twelve steps along first children, ``12.1`` then turns to the second
        child (0 would be the first), ``12.1/3`` goes on three steps.
        """
        return self._nodes.tree.path(self.index)

    @property
    def move_number(self) -> int:
        """Moves from the root up to and including this node."""
        return self._nodes.move_number(self.index)

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties in the order of the file; each knows its place."""
        own = self.__dict__
        nodes, said, node = own["_nodes"], own.get("_said"), own["index"]
        tape, readings = nodes.tape, nodes.readings
        pairs = tape.said(node) if said is None else said.items()
        return tuple(
            [
                property_of(readings[name][values], (tape, node, place))
                for place, (name, values) in enumerate(pairs)
            ]
        )

    @property
    def span(self) -> Span | None:
        """The place in the text; None without a text."""
        return self._nodes.node_span(self.index)

    @property
    def move(self) -> Move | None:
        """The move of the node, if any."""
        for prop in self._nodes.contents[self.index]:
            if prop.ident in COLORS and prop.raw:
                value = move_of(prop.values[0])
                move = make_move(COLORS[prop.ident], value, prop.raw[0])
                return move.named_by(self._nodes.name_move)
        return None

    @property
    def board(self) -> Board:
        """The board after the node, which never changes; see :meth:`GameTree.positions`.

        Boards of all nodes, in any order, take time for the nodes: some of them are kept.

        Raises:
            ValueError: No rules of the game are known, it is not played on such a board, or
                its first board is not known.
        """
        return self._nodes.boards.board(self.index)

    @property
    def analysis(self) -> Analysis | None:
        """The analysis of its position by an engine, from KT, LZ, SBKV or the comment.

        Of several, the most complete one.  None without one, if it is damaged (``check`` says so),
        and in games other than Go.
        """
        return late.find_analysis(self._nodes, self.index)

    def diagram(
        self,
        *,
        numbers: str | range | tuple[int, int] | None = None,
        view: bool = True,
        markup: bool = True,
        labels: bool = True,
        findings: Iterable[Point] | None = None,
        crop: str | None = None,
        style: int | None = None,
        restart: bool = False,
    ) -> Diagram:
        """Return the picture of the node, as data.

        DD and VW hold until another one replaces or clears them; other markup is of its node.
        What a damaged record says of points that the board does not have is left out, and
        named in :attr:`Diagram.left_out`.

        Args:
            numbers: Show the numbers of no moves (None, ``none``), of the ``last`` one, of
                ``all``, of a range (``51-100``; a tuple has the first and the last number), or
                of the ``figure`` up to the node: of the moves since the last FG, or since the
                variation began, as PM prints them.  MN counts everywhere.  Moves of a range that
                have no number on the board are listed in :attr:`Diagram.notes`: ``57 at 32``.
            view: Show only the points that VW lists.
            markup: Show marks, labels, lines, arrows, territory, dim points and variations.
            labels: Show labels, and A, B ... on variations, which take the place of numbers.
            findings: Points to mark as findings; those off the board are left out.
            crop: ``auto`` for what is on the board, with a margin; two corners such as ``cc-ff``
                or ``C17-F14``; None for the board, or the view.
            style: The way to show variations: 0 to 3, as ST has it; that of the game if None.
            restart: The moves of a variation are numbered from 1.

        Raises:
            ValueError: The game has no board (see :attr:`Node.board`), or ``numbers`` or
                ``crop`` are none.
        """
        return self._nodes.diagrams.at(
            self.index,
            numbers=numbers,
            view=view,
            markup=markup,
            labels=labels,
            findings=findings,
            crop=crop,
            style=style,
            restart=restart,
        )

    def _repr_svg_(self) -> str | None:
        try:
            return self.diagram().svg()
        except ValueError:
            return None

    def _repr_html_(self) -> str | None:
        svg = self._repr_svg_()
        return None if svg is None else late.image_of(svg)

    @property
    def raw(self) -> dict[str, tuple[str, ...]]:
        """All values by identifier, exactly as in the file.

        The values of a property that occurs twice in the node are put together.
        """
        by_ident: dict[str, list[str]] = {}
        for prop in self._nodes.contents[self.index]:
            by_ident.setdefault(prop.ident, []).extend(prop.raw)
        return {ident: tuple(raws) for ident, raws in by_ident.items()}

    def _value(self, ident: str) -> Any:
        """Return the typed value: a list of all its properties, or the first; KeyError for none."""
        own = self.__dict__
        try:
            values = own["_values"][ident]
        except KeyError:
            if isinstance(ident, int):
                words = f"no property {ident}: a node's children are node.children[{ident}]"
                raise MissingError(words) from None
            values = self._by_ident[ident]
        return own["_nodes"].readings[ident][values].value

    if not TYPE_CHECKING:  # type checkers know more of it: see PropertyMapping
        __getitem__ = _value

    def __contains__(self, ident: object) -> bool:
        return ident in self._by_ident

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # a node is a mapping
        return iter(self.__dict__.get("_values") or self._by_ident)

    def __len__(self) -> int:
        return len(self._by_ident)

    @property
    def _by_ident(self) -> Mapping[str, Values]:
        own = self.__dict__
        try:
            known: Mapping[str, Values] = own["_values"]
        except KeyError:
            pass
        else:
            return known
        said = self._nodes.tape.said(self.index)
        values = dict(said)
        is_usual = "".join(values).isupper() and not self._nodes.rules.has_red
        if len(values) < len(said) or not is_usual:
            values = self._count(said)
        own["_values"] = values
        return values

    def _count(self, said: Iterable[Said]) -> dict[str, Values]:
        readings = self._nodes.readings
        values: dict[str, Any] = {}
        for name, own in said:
            of = readings[name]
            if of.ident not in values:
                values[of.ident] = own
            elif of.rule is not None and of.rule.count is not Count.ONE:
                values[of.ident] += own
        return values

    @model_serializer(mode="plain")
    def _record(self) -> NodeRecord:
        return self._nodes.record(self.index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        if self.index != other.index:
            return False
        mine, others = self._nodes, other._nodes
        return mine is others or mine.contents[self.index] == others.contents[self.index]

    def __hash__(self) -> int:
        return hash((self.index, self._nodes.contents[self.index]))

    def __repr__(self) -> str:
        return f"<Node {self.index}: {shorten(str(self), MAX_REPR)}>"

    def __str__(self) -> str:
        return ";" + "".join(map(str, self._nodes.contents[self.index]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _node, (self._nodes, self.index)

    def __copy__(self) -> Self:
        copy = super().__copy__()
        for name in ("_values", "_said"):  # model_copy() may change the number
            copy.__dict__.pop(name, None)
        return copy


_new = object.__new__

#: A node is near if its path takes less time than the move numbers of all nodes: a path takes a
#: node while those take this number of nodes.
NEAR = 8


def _node(nodes: Nodes, index: int) -> Node:
    node = _new(Node)
    set_fields(node, {"index": index, "_nodes": nodes})
    return node


Mapping.register(Node)  # for ``match``; it is no subclass, whose class of classes is another


class Nodes(Sequence[Node]):
    """The nodes of one game, in the order of the file.

    Attributes:
        is_complete: They are all nodes of the game; not only those up to its game info.
        end: The board after the main line, if a check has played it: a :class:`.State`.
    """

    def __init__(
        self, tape: Tape, chosen: RuleSet | ChosenRules | Callable[[Tape], ChosenRules]
    ) -> None:
        self.tape = tape
        self._chosen = chosen
        self.is_complete = True
        self.end: State | None = None

    @cached_property
    def chosen(self) -> ChosenRules:
        chosen = self._chosen
        if isinstance(chosen, RuleSet):
            return ChosenRules(chosen)
        return chosen if isinstance(chosen, ChosenRules) else chosen(self.tape)

    @cached_property
    def rules(self) -> RuleSet:
        return self.chosen.rules

    @cached_property
    def readings(self) -> Readings:
        return self.rules.readings

    @cached_property
    def contents(self) -> NodeProperties:
        """For each node its properties, read when they are asked for."""
        return NodeProperties(self.tape, self.rules)

    @classmethod
    def of(cls, parents: array[int], contents: Iterable[Content], rules: RuleSet) -> Self:
        """Return nodes of properties that are in no text."""
        pairs = [[(prop.name, prop.raw) for prop in content] for content in contents]
        return cls(Tape.written(parents, pairs), rules)

    def first_nodes(self, count: int) -> Nodes:
        """Return the first nodes of the main line."""
        tape = self.tape.first_nodes(count)
        nodes = Nodes(tape, self.rules)
        nodes.is_complete = len(tape) == len(self.tape)
        return nodes

    def main_line(self) -> Iterator[Content]:
        """Yield the properties of the nodes of the main line, read when they are asked for."""
        return map(self.contents.__getitem__, self.tree.main_line())

    def require_all(self) -> None:
        """Raise ValueError if nodes of the game were left out."""
        if not self.is_complete:
            raise ValueError("the nodes after the game info were not read: leave out info_only")

    @property
    def parents(self) -> array[int]:
        """For each node the number of its parent; -1 for the root."""
        return self.tape.parents

    @cached_property
    def tree(self) -> Links:
        return Links(self.parents)

    @cached_property
    def _spellings(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.tape.names():
            found.setdefault(self.rules.ident(name), []).append(name)
        return found

    def having(self, idents: Iterable[str]) -> list[int]:
        """Return the node of each property of some identifiers, in the order of the text."""
        names = {name for ident in idents for name in self._spellings.get(ident, ())}
        return self.tape.having(names) if names else []

    # ---- a sequence of nodes ----

    def __len__(self) -> int:
        return len(self.tape)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Node, ...]: ...
    def __getitem__(self, index: int | slice) -> Node | tuple[Node, ...]:
        if isinstance(index, slice):
            return tuple(_node(self, number) for number in range(*index.indices(len(self))))
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"this game has no node {index}: it has {plural(len(self), 'node')}")
        return _node(self, index)

    def __iter__(self) -> Iterator[Node]:
        columns = self.tape.columns
        names, values, bounds = columns.names, columns.values, columns.bounds
        are_idents = "".join({*names}).isupper() and not self.rules.has_red
        for index, (at, end) in enumerate(pairwise(bounds)):
            node = _new(Node)
            if end - at == 1:
                said = {names[at]: values[at]}
            else:
                said = dict(zip(names[at:end], values[at:end]))  # noqa: B905
            if are_idents and len(said) == end - at:  # nearly always
                own = {"index": index, "_nodes": self, "_values": said, "_said": said}
            else:
                own = {"index": index, "_nodes": self}
            set_fields(node, own)
            yield node

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nodes):
            return NotImplemented
        return self is other or (
            self.parents == other.parents and all(map(eq, self.tape.each(), other.tape.each()))
        )

    def __hash__(self) -> int:
        return hash((len(self), self.contents[0], self.contents[-1]))

    def __repr__(self) -> str:
        return f"<{len(self)} nodes>"

    def __copy__(self) -> Nodes:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Nodes:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        rules = self.rules
        by = (rules.format, rules.game, rules.table, rules.over_19, rules.dialect)
        return _unpickle, (self.tape, by, self.is_complete)

    # ---- the tree ----

    @cached_property
    def move_numbers(self) -> array[int]:
        """For each node the moves from the root up to and including it."""
        plays = bytearray(len(self))
        for node in self.having(COLORS):
            plays[node] = True
        return self.tree.counts(plays)

    def move_number(self, node: int) -> int:
        is_near = node * NEAR < len(self) and "move_numbers" not in self.__dict__
        if is_near and self.tree.is_rarely_asked():
            pairs = map(self.tape.pairs, self.tree.up(node))
            return sum(any(self.rules.ident(name) in COLORS for name, _ in own) for own in pairs)
        return self.move_numbers[node]

    # ---- moves ----

    def moves(self, node: int | None = None) -> tuple[PlayedMove, ...]:
        """Return the moves of the main line, or those up to and including a node."""
        moves = main_moves(self.tape, self.rules) if node is None else None
        if moves is not None:
            return moves
        line = self.tree.main_line() if node is None else reversed([*self.tree.up(node)])
        return tuple(find_moves(self.tape, self.rules, line))

    @cached_property
    def diagrams(self) -> late.Diagrams:
        self.require_all()
        return late.Diagrams(self)

    @cached_property
    def numbering(self) -> late.Numbering:
        """The moves with their numbers, and the properties that nodes inherit."""
        return late.Numbering(self)

    def name_move(self, move: Any) -> str | None:
        """Return a move as people write it on the board of the game; None if it has no name."""
        return self._name(move)

    @cached_property
    def _name(self) -> Callable[[Any], str | None]:
        return late.namer(self.contents, self.rules)

    @cached_property
    def boards(self) -> late.Boards:
        self.require_all()
        return late.Boards(self.tape, self.contents, self.rules, lambda: self.tree)

    def move_arrays(self) -> MoveArrays:
        return make_arrays(self.parents, find_moves(self.tape, self.rules, range(len(self))))

    # ---- places ----

    def moved(self, by: int) -> Nodes:
        """Return the same nodes, whose text begins at another offset of its file."""
        nodes = Nodes(self.tape.moved(by) if by else self.tape, lambda _: self.chosen)
        nodes.is_complete = self.is_complete
        return nodes

    @property
    def places(self) -> Tape:
        """Return the tape of a game that has a text; LookupError for data without places."""
        if not self.tape.has_places:
            raise LookupError("this game has no text")
        return self.tape

    def node_span(self, node: int) -> Span | None:
        return self.tape.node(node, len(self.contents[node])) if self.tape.has_places else None

    # ---- as data ----

    def record(self, node: int) -> NodeRecord:
        above, properties = self.parents[node], [*map(make_record, _node(self, node).properties)]
        record = NodeRecord(parent=None if above < 0 else above, properties=properties)
        span = self.node_span(node)
        if self.tape.foreign is not None:  # places in a text that is no SGF
            for prop in properties:
                prop.pop("span", None)
        elif span is not None:
            record["span"] = span
        return record

    def records(self) -> list[NodeRecord]:
        self.require_all()
        return [self.record(node) for node in range(len(self))]

    def _as_json(self, info: FieldSerializationInfo) -> list[NodeRecord]:
        """Return the same; ValueError if the text that was read ends after a ``\\``."""
        ggf = self.rules.format is Format.GGF
        for node, content in enumerate(self.contents if info.mode == "json" and not ggf else ()):
            for prop in content:
                if any(raw.endswith("\\") for raw in prop.raw):
                    why = why_unwritable(prop.name, prop.raw)
                    if why is not None:
                        raise ValueError(f"node {node}: {why}")
        return self.records()

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        records = handler.generate_schema(list[NodeRecord])
        from_records = core_schema.no_info_after_validator_function(UnreadNodes, records)
        return core_schema.json_or_python_schema(
            json_schema=from_records,
            python_schema=core_schema.union_schema(
                [core_schema.is_instance_schema(cls), from_records]
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(
                cls._as_json,
                info_arg=True,
                return_schema=records,
            ),
        )


def _unpickle(*state: Any) -> Nodes:
    tape, (format_, game, table, over_19, dialect), is_complete = state
    nodes = Nodes(tape, RuleSet(format_, game, table, over_19=over_19, dialect=dialect))
    nodes.is_complete = is_complete
    return nodes

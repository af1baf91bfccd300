"""The models: Collection, GameTree, Node and Property, in the words of the standard.

They are frozen and flat.  A game keeps its nodes in the order of the file, each with the
number of its parent; variations, main line and paths are found by loops, so that no depth
of nesting is too deep.  Nodes come into being when they are looked at, properties that
are written alike are read once, and positions are found when somebody asks for them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Self, TypeAlias, overload

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    PrivateAttr,
    SkipValidation,
    ValidationInfo,
    model_serializer,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema
from typing_extensions import NotRequired, TypedDict  # pydantic wants this TypedDict on Python 3.11

from .diagnostics import Diagnostic
from .games import GAMES, Game, ggf_game
from .grammars import Format
from .info import Info, read_info
from .layout import Layout
from .positions import Span
from .properties import Category, Count, PropertyRule, PropertyTable, capitals
from .reading import Problem, Reader, Reading, point_list, reader
from .values import Board, BoardSize, Color, Pass, Point, Value

_set = object.__setattr__


class PropertyRecord(TypedDict):
    """A property as JSON has it.  ``name`` is there if the file spells it its own way."""

    ident: str
    name: NotRequired[str]
    raw: list[str]
    values: NotRequired[list[SkipValidation[Value]]]
    span: NotRequired[tuple[int, int] | None]


class NodeRecord(TypedDict):
    """A node as JSON has it: the number of its parent, its properties, its place."""

    parent: int | None
    properties: list[PropertyRecord]
    span: NotRequired[tuple[int, int] | None]


class Rules:
    """What a game's properties are read by: format, game, table, and size of the board.

    Properties that are written alike become one :class:`Property`.
    """

    def __init__(
        self,
        format: Format,  # noqa: A002  # the standards' word
        game: Game,
        table: PropertyTable,
        *,
        over_19: bool = False,
    ) -> None:
        self.format = format
        self.game = game
        self.table = table
        self.over_19 = over_19
        self.reader: Reader = reader(format, game, over_19=over_19)
        self._known: dict[tuple[str, tuple[str, ...]], Property] = {}
        self._rules: dict[str, PropertyRule | None] = {}

    def rule(self, ident: str) -> PropertyRule | None:
        """What the table says of an identifier."""
        try:
            return self._rules[ident]
        except KeyError:
            found = self.table.find(self.format, self.game.number, ident)
            return self._rules.setdefault(ident, found)

    def property(self, name: str, raw: tuple[str, ...]) -> Property:
        """The property that is written so: its name as in the file, and its raw values."""
        key = (name, raw)
        try:
            return self._known[key]
        except KeyError:
            ident = name if name.isupper() else capitals(name)
            made = Property(ident=ident, name=name, raw=raw)
            _set(made, "_rule", self.rule(ident))
            _set(made, "_reader", self.reader)
            return self._known.setdefault(key, made)


class Property(BaseModel):
    """One property of a node.

    Attributes:
        ident: In capitals, as the tables have it.
        name: As the file spells it: ``GaMe`` for ``GM``.
        raw: The texts between the brackets, exactly as in the file, one for each pair.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ident: str
    name: str
    raw: tuple[str, ...]

    @cached_property
    def _reading(self) -> Reading:
        shared = self.__dict__.get("_shared")
        if shared is not None:
            found: Reading = shared._reading  # noqa: SLF001  # the same class
            return found
        rule, by = self.rule, self.__dict__.get("_reader")
        if rule is None or by is None:
            return Reading(self.raw, ())
        return by.read_property(rule, self.raw)  # type: ignore[no-any-return]  # kept in __dict__

    @property
    def rule(self) -> PropertyRule | None:
        """What the property table says of it; None for a private property."""
        found: PropertyRule | None = self.__dict__.get("_rule")
        return found

    @property
    def values(self) -> tuple[Value, ...]:
        """The typed values, one for each pair of brackets; none for an empty list.

        The values of a private property are its raw texts.
        """
        return self._reading.values

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the values."""
        return self._reading.problems

    @property
    def value(self) -> Any:  # noqa: ANN401  # depends on the property
        """What ``node[ident]`` gives: one value, or all of a list.

        A list of points or stones is a :class:`~sgf_lark.PointList`, another list a tuple.
        """
        rule, values = self.rule, self.values
        if rule is None:
            return values[0] if len(values) == 1 else values
        if rule.is_points and rule.type in {"point", "stone"}:
            points = point_list(values)
            if len(points.entries) == len(values):
                return points
        return values[0] if rule.count is Count.ONE and values else values

    @property
    def span(self) -> Span | None:
        """Where it stands in the text, name and brackets included; None without a text."""
        place = self.__dict__.get("_place")
        if place is None:
            return None
        nodes, node, index = place
        return nodes.property_span(node, index)  # type: ignore[no-any-return]  # kept in __dict__

    @model_serializer(mode="plain")
    def _record(self) -> PropertyRecord:
        record = PropertyRecord(ident=self.ident, raw=list(self.raw), values=list(self.values))
        if self.name != self.ident:
            record["name"] = self.name
        span = self.span
        if span is not None:
            record["span"] = span
        return record

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Property):
            return NotImplemented
        return self is other or (self.name == other.name and self.raw == other.raw)

    def __hash__(self) -> int:
        return hash((self.name, self.raw))

    def __str__(self) -> str:
        return self.name + "".join(f"[{raw}]" for raw in self.raw)

    def __reduce__(self) -> tuple[Any, ...]:
        return _property, (self.ident, self.name, self.raw, self.rule, self.__dict__.get("_reader"))


Content: TypeAlias = tuple[Property, ...]
"""The properties of a node, without its place; nodes that are written alike share it."""

#: A path with more turns than this is written as the node's number.
MOST_TURNS = 64

_PROPERTY_FIELDS = {"ident", "name", "raw"}
_NODE_FIELDS = {"index"}


def _property(*state: Any) -> Property:  # noqa: ANN401  # what __reduce__ packed
    ident, name, raw, rule, by = state
    made = Property(ident=ident, name=name, raw=raw)
    _set(made, "_rule", rule)
    _set(made, "_reader", by)
    return made


class Move(BaseModel):
    """What a node plays.

    Attributes:
        color: Who.
        value: What; of GGF, without evaluation and time, which ``node["B"]`` has.
        raw: The text between the brackets.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    color: Color
    value: Any
    raw: str

    @property
    def is_pass(self) -> bool:
        return isinstance(self.value, Pass)

    @property
    def point(self) -> Point | None:
        """Where, if the move is one point; None for a pass and for longer moves."""
        return self.value if isinstance(self.value, Point) else None


class Node(BaseModel):
    """One node of a game: a view that costs nothing until it is looked at.

    ``node["KM"]`` is the typed value of a property, ``node.raw["KM"]`` the exact texts
    between its brackets; ``"KM" in node`` and ``node.get("KM")`` as with a dict.

    Attributes:
        index: Its number in the order of the file, from 0.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    index: int
    _nodes: Nodes = PrivateAttr()

    @property
    def parent(self) -> Node | None:
        """The node before it; None for the root."""
        above = self._nodes.parents[self.index]
        return None if above < 0 else self._nodes[above]

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes behind it: first the main line, then the variations."""
        return tuple(map(self._nodes.__getitem__, self._nodes.children(self.index)))

    @property
    def is_root(self) -> bool:
        return self.index == 0

    @property
    def path(self) -> str:
        """The way from the root; :meth:`GameTree.at` goes it.

        ``12`` is twelve steps along first children, ``12.1`` then turns to the second
        child (0 would be the first), ``12.1/3`` goes on three steps.
        """
        return self._nodes.path(self.index)

    @property
    def move_number(self) -> int:
        """Moves from the root up to and including this node."""
        return self._nodes.move_numbers[self.index]

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties in the order of the file; each knows its place."""
        return tuple(
            _bound(one, self._nodes, self.index, place)
            for place, one in enumerate(self._nodes.contents[self.index])
        )

    @property
    def span(self) -> Span | None:
        """Where it stands in the text; None without a text."""
        return self._nodes.node_span(self.index)

    @property
    def move(self) -> Move | None:
        """What the node plays; None if it plays nothing."""
        for one in self._nodes.contents[self.index]:
            if one.ident in COLORS and one.raw:
                value: Any = one.values[0]
                value = getattr(value, "move", value)
                return Move(color=COLORS[one.ident], value=value, raw=one.raw[0])
        return None

    @property
    def raw(self) -> dict[str, tuple[str, ...]]:
        """All values by identifier, exactly as in the file.

        The values of a property that stands twice in the node are put together.
        """
        found: dict[str, tuple[str, ...]] = {}
        for one in self._nodes.contents[self.index]:
            found[one.ident] = found.get(one.ident, ()) + one.raw
        return found

    def get(self, ident: str, default: Any = None) -> Any:  # noqa: ANN401  # depends on the property
        """The typed value of a property, or the default if the node has none of that name."""
        try:
            return self[ident]
        except KeyError:
            return default

    def __getitem__(self, ident: str) -> Any:  # noqa: ANN401  # depends on the property
        """The typed value: one value, a tuple for a list, a PointList for points.

        Of a property that stands twice, a list has the values of both, and of others the
        first counts.

        Raises:
            KeyError: The node has no such property.
        """
        found = [one for one in self._nodes.contents[self.index] if one.ident == ident]
        if not found:
            raise KeyError(ident)
        value = found[0].value
        if len(found) > 1 and found[0].rule is not None and found[0].rule.count is not Count.ONE:
            merged = self._nodes.rules.property(ident, sum((one.raw for one in found), ()))
            return merged.value
        return value

    def __contains__(self, ident: object) -> bool:
        return any(one.ident == ident for one in self._nodes.contents[self.index])

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # a node is a mapping
        return iter(dict.fromkeys(one.ident for one in self._nodes.contents[self.index]))

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
        return f"<Node {self.index}: {self}>"

    def __str__(self) -> str:
        return ";" + "".join(map(str, self._nodes.contents[self.index]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _node, (self._nodes, self.index)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Node:
        return self


#: The properties that play, and for whom.
COLORS = {"B": Color.BLACK, "W": Color.WHITE}


def _bound(shared: Property, nodes: Nodes, node: int, place: int) -> Property:
    """A property that knows its place; it shares everything else."""
    made = Property.__new__(Property)
    state = {
        "ident": shared.ident,
        "name": shared.name,
        "raw": shared.raw,
        "_rule": shared.rule,
        "_reader": shared.__dict__.get("_reader"),
        "_shared": shared,
        "_place": (nodes, node, place),
    }
    _fill(made, state, _PROPERTY_FIELDS)
    return made


def _node(nodes: Nodes, index: int) -> Node:
    made = Node.__new__(Node)
    _fill(made, {"index": index, "_nodes": nodes}, _NODE_FIELDS)
    return made


def _fill(model: BaseModel, state: dict[str, Any], fields: set[str]) -> None:
    """What ``model_construct`` does, without what these models do not need."""
    _set(model, "__dict__", state)
    _set(model, "__pydantic_fields_set__", fields)
    _set(model, "__pydantic_extra__", None)
    _set(model, "__pydantic_private__", None)


class Nodes(Sequence[Node]):
    """The nodes of one game, in the order of the file.

    Attributes:
        parents: For each node the number of its parent; -1 for the root.
        contents: For each node its properties.
        rules: What the properties are read by.
    """

    def __init__(
        self,
        parents: array[int],
        contents: Sequence[Content],
        rules: Rules,
        layout: Callable[[], Layout | None] = lambda: None,
    ) -> None:
        self.parents = parents
        self.contents = contents
        self.rules = rules
        self._make_layout = layout

    # ---- a sequence of nodes ----

    def __len__(self) -> int:
        return len(self.parents)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Node, ...]: ...
    def __getitem__(self, index: int | slice) -> Node | tuple[Node, ...]:
        if isinstance(index, slice):
            return tuple(_node(self, one) for one in range(*index.indices(len(self))))
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("there is no node of that number")
        return _node(self, index)

    def __iter__(self) -> Iterator[Node]:
        return (_node(self, index) for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Nodes):
            return NotImplemented
        return self is other or (
            self.parents == other.parents and list(self.contents) == list(other.contents)
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
        by = (rules.format, rules.game.number, rules.game.name, rules.table, rules.over_19)
        numbers: dict[Property, int] = {}
        contents = [
            tuple(numbers.setdefault(one, len(numbers)) for one in content)
            for content in self.contents
        ]
        known = [(one.name, one.raw) for one in numbers]
        return _unpacked, (self.parents, contents, known, by, self.layout)

    # ---- the tree ----

    @cached_property
    def _links(self) -> tuple[array[int], array[int]]:
        """First child and next sibling of each node; -1 for none."""
        count = len(self)
        first, following = array("q", [-1]) * count, array("q", [-1]) * count
        for node in range(count - 1, 0, -1):
            above = self.parents[node]
            following[node] = first[above]
            first[above] = node
        return first, following

    def children(self, node: int) -> Iterator[int]:
        """Numbers of a node's children."""
        first, following = self._links
        child = first[node]
        while child >= 0:
            yield child
            child = following[child]

    @cached_property
    def move_numbers(self) -> array[int]:
        """For each node the moves from the root up to and including it."""
        numbers = array("q")
        for above, content in zip(self.parents, self.contents, strict=True):
            before = numbers[above] if above >= 0 else 0
            numbers.append(before + any(one.ident in COLORS for one in content))
        return numbers

    @cached_property
    def _lines(self) -> tuple[array[int], array[int], array[int], array[int]]:
        """For each node: where its line of first children begins, the steps from there,
        its number among its siblings, and the turns on the way to it.
        """
        count = len(self)
        heads, steps = array("q", [0]) * count, array("q", [0]) * count
        places, turns = array("q", [0]) * count, array("q", [0]) * count
        seen = array("q", [0]) * count
        for node in range(1, count):
            above = self.parents[node]
            places[node] = seen[above]
            seen[above] += 1
            if places[node]:
                heads[node], turns[node] = node, turns[above] + 1
            else:
                heads[node], steps[node] = heads[above], steps[above] + 1
                turns[node] = turns[above]
        return heads, steps, places, turns

    def path(self, node: int) -> str:
        """The way to a node; see :attr:`Node.path`."""
        heads, steps, places, turns = self._lines
        if turns[node] > MOST_TURNS:
            return f"#{node}"
        parts: list[str] = []
        turn = ""
        while True:
            head = heads[node]
            if steps[node] or turn or head == 0:
                parts.append(f"{steps[node]}{turn}")
            if head == 0:
                return "/".join(reversed(parts))
            turn = f".{places[head]}"
            node = self.parents[head]

    def at(self, path: str) -> int:
        """The node at the end of a path.

        Raises:
            KeyError: The path is no path, or leads nowhere.
        """
        if path.startswith("#") and path[1:].isdecimal() and int(path[1:]) < len(self):
            return int(path[1:])
        first, _ = self._links
        node = 0
        for part in path.split("/"):
            steps, _, turn = part.partition(".")
            if not steps.isdecimal() or not (turn or "0").isdecimal():
                raise KeyError(path)
            for _step in range(int(steps)):
                node = first[node]
                if node < 0:
                    raise KeyError(path)
            if turn:
                children = list(self.children(node))
                if int(turn) >= len(children):
                    raise KeyError(path)
                node = children[int(turn)]
        return node

    # ---- places ----

    @cached_property
    def layout(self) -> Layout | None:
        """Offsets of everything; None without a text."""
        return self._make_layout()

    def property_span(self, node: int, place: int) -> Span | None:
        return None if self.layout is None else self.layout.property(node, place)

    def node_span(self, node: int) -> Span | None:
        if self.layout is None:
            return None
        return self.layout.node(node, len(self.contents[node]))

    # ---- as data ----

    def record(self, node: int) -> NodeRecord:
        """One node as JSON has it."""
        above, content = self.parents[node], self.contents[node]
        layout = self.layout
        properties = []
        for place, one in enumerate(content):
            record = PropertyRecord(ident=one.ident, raw=list(one.raw), values=list(one.values))
            if one.name != one.ident:
                record["name"] = one.name
            if layout is not None:
                record["span"] = layout.property(node, place)
            properties.append(record)
        made = NodeRecord(parent=None if above < 0 else above, properties=properties)
        if layout is not None:
            made["span"] = layout.node(node, len(content))
        return made

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        records = handler.generate_schema(list[NodeRecord])
        from_records = core_schema.no_info_after_validator_function(_Unread, records)
        return core_schema.json_or_python_schema(
            json_schema=from_records,
            python_schema=core_schema.union_schema(
                [core_schema.is_instance_schema(cls), from_records]
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda nodes: [nodes.record(node) for node in range(len(nodes))],
                return_schema=records,
            ),
        )


class _Unread:
    """Nodes that come from data, before the game around them says what they are read by."""

    def __init__(self, records: list[NodeRecord]) -> None:
        self.records = records

    def read(self, rules: Rules) -> Nodes:
        """The nodes; ValueError if a parent is no node before its child."""
        parents: array[int] = array("q")
        contents: list[Content] = []
        layout = Layout() if all(_has_span(one) for one in self.records) else None
        for index, record in enumerate(self.records):
            above = record["parent"]
            if (above is None) != (index == 0) or not -1 <= (above or 0) < max(index, 1):
                raise ValueError(f"node {index} has no parent before it")
            parents.append(-1 if above is None else above)
            contents.append(
                tuple(
                    rules.property(one.get("name", one["ident"]), tuple(one["raw"]))
                    for one in record["properties"]
                )
            )
            if layout is not None:
                layout.add_record(record["span"], [one["span"] for one in record["properties"]])
        if not contents:
            raise ValueError("a game has at least one node")
        return Nodes(parents, contents, rules, lambda: layout)


def _has_span(record: NodeRecord) -> bool:
    return bool(record.get("span")) and all(one.get("span") for one in record["properties"])


def rules_for(
    format: Format,  # noqa: A002  # the standards' word
    game: Game,
    table: PropertyTable,
    root: Iterable[tuple[str, tuple[str, ...]]],
) -> Rules:
    """The rules for a game whose first node has these properties (name, raw values)."""
    rules = Rules(format, game, table)
    size = board_size([rules.property(*one) for one in root if capitals(one[0]) == "SZ"], game)
    if size is not None and max(size) > LARGEST_WITH_TT:
        return Rules(format, game, table, over_19=True)
    return rules


#: Up to this side ``tt`` is a pass in Go (FF[4], Go; both sides count).
LARGEST_WITH_TT = 19


def _unpacked(*state: Any) -> Nodes:  # noqa: ANN401  # what __reduce__ packed
    parents, numbers, known, (format_, number, name, table, over_19), layout = state
    rules = Rules(format_, game_of(number, name), table, over_19=over_19)
    properties = [rules.property(*one) for one in known]
    contents = [tuple(properties[one] for one in content) for content in numbers]
    return Nodes(parents, contents, rules, lambda: layout)


def game_of(number: int | None, name: str) -> Game:
    """A game by its GM number, or by its name if it has none."""
    if number in GAMES:
        return GAMES[number]
    return ggf_game(name)


class GameTree(BaseModel):
    """One game: a tree of nodes, and what it is.

    Attributes:
        format: The format version that it is read as.
        game: GM, or the number that a game of GGF has there; None if it has none.
        game_name: Name of the game.
        nodes: In the order of the file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Format
    game: int | None
    game_name: str
    nodes: Nodes
    _diagnostics: tuple[Diagnostic, ...] = PrivateAttr(())

    @model_validator(mode="after")
    def _read_nodes(self, info: ValidationInfo) -> Self:
        """Nodes from data are read by ``context={"table": ...}``, or the standard table."""
        unread = self.__dict__["nodes"]
        if isinstance(unread, _Unread):
            table = (info.context or {}).get("table") or PropertyTable.standard()
            properties = unread.records[0]["properties"] if unread.records else []
            root = [(one.get("name", one["ident"]), tuple(one["raw"])) for one in properties]
            game = game_of(self.game, self.game_name)
            self.__dict__["nodes"] = unread.read(rules_for(self.format, game, table, root))
        return self

    @property
    def root(self) -> Node:
        """The first node."""
        return self.nodes[0]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found in this game."""
        return self._diagnostics

    def walk(self) -> Iterator[Node]:
        """All nodes in the order of the file: parents first, main line before variations."""
        return iter(self.nodes)

    def main_line(self) -> Iterator[Node]:
        """The nodes from the root along first children."""
        node: int | None = 0
        while node is not None:
            yield self.nodes[node]
            node = next(self.nodes.children(node), None)

    def at(self, path: str) -> Node:
        """The node at the end of a path, as :attr:`Node.path` writes it.

        Raises:
            KeyError: The path leads nowhere.
        """
        return self.nodes[self.nodes.at(path)]

    @cached_property
    def size(self) -> BoardSize | None:
        """Columns and rows: what SZ (in GGF: BO) says, else the usual board of the game.

        None if the file says nothing, and the standard neither.
        """
        return board_size(self.nodes.contents[0], self.nodes.rules.game)

    @cached_property
    def info(self) -> Info:
        """Players, result, date, komi and so on, of the main line's game."""
        found: dict[str, Property] = {}
        raw: dict[str, tuple[str, ...]] = {}
        for node in self.main_line():
            for one in self.nodes.contents[node.index]:
                rule = one.rule
                if rule is not None and rule.category is Category.GAME_INFO or one.ident in ROOT_INFO:
                    found.setdefault(one.ident, one)
                    raw.setdefault(one.ident, one.raw)
            if found:
                break
        def value(ident: str) -> Any:  # noqa: ANN401  # depends on the property
            one = found.get(ident)
            return None if one is None else one.value
        return read_info(value, raw)

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTree):
            return NotImplemented
        return (self.format, self.game, self.game_name, self.nodes) == (
            other.format,
            other.game,
            other.game_name,
            other.nodes,
        )

    def __hash__(self) -> int:
        return hash((self.format, self.game, self.nodes))

    def __repr__(self) -> str:
        count = len(self.nodes)
        return f"<GameTree {self.format.shown} {self.game_name}: {count} node{'s'[: count != 1]}>"

    __str__ = __repr__


#: Root properties that belong to the game's description all the same (FF[3]: RU).
ROOT_INFO = frozenset({"RU"})


def board_size(root: Iterable[Property], game: Game) -> BoardSize | None:
    """The size of the board that a root node sets up; None if nobody says."""
    for one in root:
        if one.ident in {"SZ", "BO"} and one.values:
            match one.values[0]:
                case BoardSize() as both:
                    return both
                case Board(size=size, rows=rows):
                    return BoardSize(max(map(len, rows)), len(rows)) if size else None
                case bool():
                    pass
                case int(side) if side > 0:
                    return BoardSize(side, side)
    return game.size


class Collection(BaseModel):
    """The games of one file: a sequence of :class:`GameTree`.

    Attributes:
        games: All of them, in order.
        encoding: How the bytes were read; None if the source was text.
        diagnostics: Everything found, in the order of the text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: tuple[GameTree, ...]
    encoding: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    _text: str = PrivateAttr("")

    @property
    def text(self) -> str:
        """The text that was read; empty for a collection that comes from data."""
        return self._text

    @model_validator(mode="after")
    def _share_out(self) -> Self:
        """Give each game the diagnostics that are about it."""
        by_game: dict[int | None, list[Diagnostic]] = {}
        for one in self.diagnostics:
            by_game.setdefault(one.game, []).append(one)
        for number, game in enumerate(self.games):
            game._diagnostics = tuple(by_game.get(number, ()))  # noqa: SLF001  # its own file
        return self

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[GameTree]:  # type: ignore[override]  # a collection is its games
        return iter(self.games)

    @overload
    def __getitem__(self, index: int) -> GameTree: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[GameTree, ...]: ...
    def __getitem__(self, index: int | slice) -> GameTree | tuple[GameTree, ...]:
        return self.games[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Collection):
            return NotImplemented
        return (self.games, self.encoding, self.diagnostics) == (
            other.games,
            other.encoding,
            other.diagnostics,
        )

    def __hash__(self) -> int:
        return hash((self.games, self.encoding))

    def __repr__(self) -> str:
        return f"<Collection: {len(self.games)} game{'s'[: len(self.games) != 1]}>"

    __str__ = __repr__

"""A property of a node."""

import sys
from array import array
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, NotRequired, Self, cast

from pydantic import SkipValidation, model_serializer, model_validator
from typing_extensions import TypedDict  # the one that pydantic wants on Python 3.11

from sgf_lark.core.findings.finding import Finding
from sgf_lark.core.grammar.tokens import why_unwritable
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.frozen import EDIT_GAME, Light, set_fields
from sgf_lark.core.schema.games import RED, GameNumber
from sgf_lark.core.schema.properties import COLORS, Category, Count, PropertyRule, ident_of
from sgf_lark.core.schema.values import NodeValue, Value
from sgf_lark.core.values.reader import Reader

from .readings import NamedReadings, Reading
from .tape import Tape

_new = object.__new__


class PropertyRecord(TypedDict):
    """A property as JSON has it; with "name", if the file does not spell it like "ident"."""

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


class Property(Light):
    """One property of a node.

    Attributes:
        ident: In capitals, as the tables have it; the name if it names no property (FF[1] and
            FF[3], without a capital).
        name: As the file spells it: ``GaMe`` for ``GM``.
        raw: The texts between the brackets, exactly as in the file, one for each pair.
    """

    _how_to_change: ClassVar[str] = EDIT_GAME

    ident: str
    name: str
    raw: tuple[str, ...]
    if TYPE_CHECKING:  # pydantic would make private attributes of them
        # in the ``__dict__``: a private attribute of pydantic takes twenty times as long
        #: All that its texts say.
        _reading: Reading
        #: The tape that it is on, the number of its node and its own; None if it is in no game.
        _place: tuple[Tape, int, int] | None

    def model_post_init(self, _context: Any, /) -> None:
        """Give a property from data no place, no rule and no reader."""
        of = NamedReadings(self.ident, self.name, None, None)
        self.__dict__.update(_place=None, _reading=of[self.raw])

    @model_validator(mode="after")
    def _check(self) -> Self:
        by_format = [why_unwritable(self.name, self.raw, ggf=ggf) for ggf in (False, True)]
        if all(by_format):
            raise ValueError(by_format[0])
        known = {ident_of(self.name, format_) for format_ in Format}
        if self.ident not in known | {RED.get(ident) for ident in known}:
            raise ValueError(f"the property {self.name} is {ident_of(self.name)}")
        return self

    @property
    def rule(self) -> PropertyRule | None:
        """Its row of the property table; None for a private property."""
        return self._reading.rule

    _rule = rule

    @property
    def reader(self) -> Reader | None:
        """The reader of its values; None for a property that is in no game."""
        return self._reading.reader

    @property
    def values(self) -> tuple[Value, ...]:
        """The typed values, one for each pair of brackets; none for an empty list.

        The values of a private property are its raw texts.
        """
        values: tuple[Value, ...] = self.__dict__["_reading"].values
        return values

    @property
    def problems(self) -> tuple[Finding, ...]:
        """The findings in the values."""
        return tuple(self._reading.problems)

    @property
    def value(self) -> NodeValue:
        """The value of ``node[ident]``: one value, or all of a list.

        A list of points is a :class:`~sgf_lark.PointList`, without invalid ones; another list
        is a tuple.
        """
        value: NodeValue = self._reading.value
        return value

    @property
    def span(self) -> Span | None:
        """The place in the text, name and brackets included; None without a text."""
        if self._place is None:
            return None
        tape, node, place = self._place
        return tape.property(node, place) if tape.has_places else None

    @model_serializer(mode="plain")
    def _record(self) -> PropertyRecord:
        return make_record(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Property):
            return NotImplemented
        return self is other or (self.name == other.name and self.raw == other.raw)

    def __hash__(self) -> int:
        return hash((self.name, self.raw))

    def __str__(self) -> str:
        return self.name + "".join(f"[{raw}]" for raw in self.raw)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy, in which other texts are read again."""
        copy = super().model_copy(update=update, deep=deep)
        if update:
            copy.__dict__["_reading"] = self._reading.siblings[copy.raw]
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return make_property, (self.ident, self.name, self.raw, self.rule, self.reader)


if TYPE_CHECKING:
    from .lookup import Lookup
else:
    Lookup = object


class PropertyMapping(Lookup):
    """Base of nodes: what a mapping from identifiers to typed values has besides its items.

    Type checkers know the types of the standards' properties, in any format and game: ``str`` for
    ``node["C"]``.  Of a property that some format or game does not define, such as KM, the
    texts of a private property belong to the types.  A custom property table, grammar or
    transformer may give other types, and a game of GGF the texts of any property that GGF lacks.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers know more of it

        def get(self, ident: str, default: Any = None) -> Any:
            try:
                return self[ident]
            except KeyError:
                return default

    def keys(self) -> KeysView[str]:
        return KeysView(self._mapping)

    def values(self) -> ValuesView[NodeValue]:
        return ValuesView(self._mapping)

    def items(self) -> ItemsView[str, NodeValue]:
        return ItemsView(self._mapping)

    @property
    def _mapping(self) -> Mapping[str, NodeValue]:
        return cast("Mapping[str, NodeValue]", self)

    def __bool__(self) -> bool:
        return True

    if not TYPE_CHECKING:  # type checkers know that there is no such method

        def __setitem__(self, ident: str, value: object) -> NoReturn:
            raise TypeError(f"cannot set {ident}: {_NEVER}; {EDIT_GAME}")

        def __delitem__(self, ident: str) -> NoReturn:
            raise TypeError(f"cannot delete {ident}: {_NEVER}; game.edit() has unset(node, ident)")


_NEVER = "a node is frozen"


def make_property(
    ident: str, name: str, raw: tuple[str, ...], rule: PropertyRule | None, by: Reader | None
) -> Property:
    """Return a property in no game, by its row of the table and its reader."""
    return property_of(NamedReadings(ident, name, rule, by)[raw], None)


def property_of(reading: Reading, place: tuple[Tape, int, int] | None) -> Property:
    """Return the property of a reading, perhaps at a node and place of a tape."""
    prop = _new(Property)  # like model_construct, for fields that need no check
    fields = {
        "ident": reading.ident, "name": reading.name, "raw": reading.raw,
        "_reading": reading, "_place": place,
    }  # fmt: skip
    set_fields(prop, fields)
    return prop


def category(prop: Property | Reading) -> Category:
    """Return the category of a property; ``Category.NONE`` if no table knows it."""
    return Category.NONE if prop.rule is None else prop.rule.category


#: Parts of a composed value.
PAIR = 2


def listed(rule: PropertyRule | None, value: Any) -> Any:
    """Return a value with its list, if it has one, in a shape that is read more than once.

    The items of a dict are pairs; one pair alone is a list of one; a list of a property that has
    no list is one value, such as the dates of DT.
    """
    if isinstance(value, Mapping):
        is_pair = rule is not None and len(rule.types[0]) > 1
        value = list(value.items()) if is_pair else {**value}
    if isinstance(value, Iterator):
        value = list(value)
    if rule is None:
        return value
    if rule.count is Count.ONE:
        return tuple(value) if isinstance(value, list) else value
    if type(value) is tuple and len(value) == len(rule.types[0]) == PAIR:
        first = value[0]
        is_place = isinstance(first, tuple) and all(isinstance(part, int) for part in first)
        return [value] if is_place or (isinstance(first, str) and ":" not in first) else value
    return value


# ---- as data, and from data ----


def make_record(prop: Property) -> PropertyRecord:
    record = PropertyRecord(ident=prop.ident, raw=list(prop.raw), values=list(prop.values))
    if prop.name != prop.ident:
        record["name"] = prop.name
    span = prop.span
    if span is not None:
        record["span"] = span
    return record


class UnreadNodes:
    """Nodes from data, before the game around them names the rule set that reads them."""

    def __init__(self, records: list[NodeRecord]) -> None:
        self.records = records

    def check(self, format: Format, game: int | None) -> None:
        """Raise ValueError for nodes in no order of a text, or that no text can hold."""
        records = self.records
        if not records:
            raise ValueError("a game has at least one node")
        ggf = format is Format.GGF
        path: list[int] = []
        for index, record in enumerate(records):
            above = record["parent"]
            if (above is None) != (index == 0) or not 0 <= (above or 0) < max(index, 1):
                raise ValueError(f"node {index} has no parent before it")
            while path and path[-1] != above:
                path.pop()
            if index and not path:
                raise ValueError(f"node {index} comes after the variation that it continues")
            path.append(index)
            if ggf:
                _check_node_of_ggf(index, record)
            for prop in record["properties"]:
                name = prop.get("name", prop["ident"])
                why = why_unwritable(name, prop["raw"], ggf=ggf)
                red = RED if game == GameNumber.TWIXT else {}
                known = {red.get(one, one) for one in (ident_of(name), ident_of(name, format))}
                if why is None and prop["ident"] not in known:
                    why = f"the property {name} is {ident_of(name, format)}, not {prop['ident']!r}"
                if why is not None:
                    raise ValueError(f"node {index}: {why}")
        _check_spans(records)

    @property
    def parents(self) -> list[int | None]:
        """For each node the number of its parent; None for the root."""
        return [record["parent"] for record in self.records]

    def pairs(self) -> Iterator[list[tuple[str, list[str]]]]:
        """Yield identifiers and raw values of each node."""
        for record in self.records:
            yield [(prop["ident"], prop["raw"]) for prop in record["properties"]]

    def tape(self) -> Tape:
        parents = array("q", [-1 if above is None else above for above in self.parents])
        nodes = [
            [(prop.get("name", prop["ident"]), tuple(prop["raw"])) for prop in record["properties"]]
            for record in self.records
        ]
        spans = [
            [record.get("span"), *[prop.get("span") for prop in record["properties"]]]
            for record in self.records
        ]
        places = [[span for span in found if span] for found in spans]
        return Tape.written(parents, nodes, places if places == spans else ())


def _check_spans(records: list[NodeRecord]) -> None:
    """Raise ValueError unless the places are those of parts of a text, one after the other."""
    done = 0
    for index, record in enumerate(records):
        start, end = record.get("span") or (done, sys.maxsize)
        spans = [prop.get("span") or () for prop in record["properties"]]
        places = [done, start, *(place for span in spans for place in span)]
        if places != sorted(places) or not start <= max(places) <= end <= sys.maxsize:
            raise ValueError(f"node {index}: invalid span {start} to {end}")
        done = max(places)


def _check_node_of_ggf(index: int, record: NodeRecord) -> None:
    """Raise ValueError unless a node of GGF is the root, or a move after the node before it."""
    if index and record["parent"] != index - 1:
        raise ValueError(f"node {index}: GGF has no variations")
    moves = [place for place, prop in enumerate(record["properties"]) if prop["ident"] in COLORS]
    if moves != ([0] if index else []):
        raise ValueError(f"node {index}: in GGF each node but the first begins with its one move")

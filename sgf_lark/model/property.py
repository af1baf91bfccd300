"""A property of a node."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NotRequired, Protocol, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, SkipValidation, model_serializer, model_validator
from typing_extensions import TypedDict  # the one that pydantic wants on Python 3.11

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.grammar.tokens import why_unwritable
from sgf_lark.positions import Span
from sgf_lark.schema.properties import Category, Count, PropertyRule, ident_of
from sgf_lark.schema.values import Invalid, Point, Rectangle, Value
from sgf_lark.values.reader import Reader, Reading, point_list

_set = object.__setattr__


class Placed(Protocol):
    """Nodes whose properties stand at places of a text."""

    def property_span(self, node: int, place: int) -> Span | None:
        """Return the span of a property by the numbers of its node and of itself."""


class PropertyRecord(TypedDict):
    """A property as JSON has it.  ``name`` is there if the file spells it its own way."""

    ident: str
    name: NotRequired[str]
    raw: list[str]
    values: NotRequired[list[SkipValidation[Value]]]
    span: NotRequired[tuple[int, int] | None]


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

    @model_validator(mode="after")
    def _check(self) -> Self:
        """A property from data is one that a text can hold; those that are read are not checked."""
        by_format = [why_unwritable(self.name, self.raw, ggf=ggf) for ggf in (False, True)]
        if all(by_format):
            raise ValueError(by_format[0])
        if ident_of(self.name) != self.ident:
            raise ValueError(f"the property {self.name} is {ident_of(self.name)}")
        return self

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
    def reader(self) -> Reader | None:
        """What reads its values; None for a property that stands in no game."""
        found: Reader | None = self.__dict__.get("_reader")
        return found

    @property
    def values(self) -> tuple[Value, ...]:
        """The typed values, one for each pair of brackets; none for an empty list.

        The values of a private property are its raw texts.
        """
        return self._reading.values

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What is wrong with the values."""
        shared = self.__dict__.get("_shared", self)
        rule, by = self.rule, self.__dict__.get("_reader")
        if "_reading" in shared.__dict__ or rule is None or by is None:
            return self._reading.problems
        found: tuple[Finding, ...] = by.problems(rule, self.raw)
        return found

    @property
    def value(self) -> Any:
        """What ``node[ident]`` gives: one value, or all of a list.

        A list of points is a :class:`~sgf_lark.PointList`, without what is invalid; another
        list is a tuple.
        """
        rule, values = self.rule, self.values
        if rule is None:
            return values[0] if len(values) == 1 else values
        if rule.is_points and all(isinstance(one, Point | Rectangle | Invalid) for one in values):
            return point_list(values)
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


class Properties(Content):  # what is asked for is kept
    """The properties of a node, and what was asked of them.

    Attributes:
        typed: By identifier, in the order of the file: the typed values that somebody asked
            for, and :class:`Unread` for the others.
    """

    typed: dict[str, Any]

    def __init__(self, _: Iterable[Property] = ()) -> None:
        self.typed = dict.fromkeys([one.ident for one in self], UNREAD)


class Unread(str):
    """Stands for a typed value that nobody has asked for: the values with their brackets.

    It is empty where the property itself has to be looked at.
    """

    __slots__ = ()


UNREAD = Unread()


_FIELDS = {"ident", "name", "raw"}


def _property(*state: Any) -> Property:
    return made_of(*state)


def made_of(
    ident: str, name: str, raw: tuple[str, ...], rule: PropertyRule | None, by: Reader | None
) -> Property:
    """A property that stands nowhere yet, and what its values are read by."""
    made = Property.__new__(Property)
    _fill(made, {"ident": ident, "name": name, "raw": raw, "_rule": rule, "_reader": by})
    return made


def bound(shared: Property, nodes: Placed, node: int, place: int) -> Property:
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
    _fill(made, state)
    return made


def _fill(made: Property, state: dict[str, Any]) -> None:
    """What ``model_construct`` does, without what these models do not need."""
    _set(made, "__dict__", state)
    _set(made, "__pydantic_fields_set__", _FIELDS)
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)


def category(prop: Property) -> Category:
    """Return the category of a property; ``Category.NONE`` if no table knows it."""
    return Category.NONE if prop.rule is None else prop.rule.category

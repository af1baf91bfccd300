"""Readings: what a rule set reads of a name and its values, wherever they stand.

Real files say the same over and over: 322,000 properties of 2,081 files are 37,000 different ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from sgf_lark.core.findings.diagnostic import MAX_QUOTED, shorten
from sgf_lark.core.schema.properties import Count, PropertyRule
from sgf_lark.core.schema.values import NodeValue, Point, Value
from sgf_lark.core.values.reader import Reader, value_of

from .tape import Values, raws_of

if TYPE_CHECKING:
    from sgf_lark.core.findings.finding import Finding

#: Limits of the readings that are kept: the characters of their values, their number in a rule set.
LONGEST_KEPT, MAX_KEPT = 24, 1 << 14

#: Names of a rule set that are kept.
MAX_NAMES = 1 << 9


class Reading:
    """A property without its place: all that follows from its name and its values.

    What it has beside the texts is found when somebody asks for it.

    Attributes:
        played: For a move: the point and the move.
        faults: By whether lints count: all findings about the values.
    """

    __slots__ = (
        "faults", "ident", "name", "played", "problems", "raw", "rule", "siblings", "value",
        "values",
    )  # fmt: skip

    if TYPE_CHECKING:
        values: tuple[Value, ...]
        value: NodeValue
        problems: Sequence[Finding]
        played: tuple[Point | None, Any]
        faults: dict[bool, Sequence[Finding]]

    def __init__(self, of: NamedReadings, raw: tuple[str, ...]) -> None:
        self.siblings = of
        self.ident = of.ident
        self.name = of.name
        self.rule = of.rule
        self.raw = raw

    @property
    def reader(self) -> Reader | None:
        return self.siblings.reader

    if not TYPE_CHECKING:  # type checkers know what there is

        def __getattr__(self, name: str) -> Any:
            of = self.siblings
            if name == "faults":
                self.faults = {}
            elif name == "played":
                move = getattr(self.values[0], "move", self.values[0])
                self.played = (move if isinstance(move, Point) else None), move
            elif name not in {"value", "values", "problems"}:
                raise AttributeError(f"a reading has no {name}")
            else:
                self.values, self.problems = values, _ = of.read(self.raw)
                if of.is_one:
                    self.value = values[0]
                elif name == "value":
                    self.value = of.value_of(values)
            return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reading):
            return NotImplemented
        return self is other or (self.name == other.name and self.raw == other.raw)

    def __hash__(self) -> int:
        return hash((self.name, self.raw))

    def __reduce__(self) -> tuple[Any, ...]:
        return _reading, (self.ident, self.name, self.rule, self.reader, self.raw)

    def __str__(self) -> str:
        return self.name + "".join(f"[{raw}]" for raw in self.raw)


#: The properties of a node, without its place.
Content: TypeAlias = tuple[Reading, ...]


class NamedReadings(dict[Values, Reading]):
    """The readings of one name by their values."""

    __slots__ = ("_kept", "ident", "is_one", "name", "read", "reader", "rule")

    def __init__(
        self,
        ident: str,
        name: str,
        rule: PropertyRule | None,
        by: Reader | None,
        kept: Readings | None = None,
    ) -> None:
        super().__init__()
        self.ident, self.name, self.rule, self.reader = ident, name, rule, by
        #: It has one value, and no list of points.
        self.is_one = rule is not None and rule.count is Count.ONE and not rule.is_points
        self._kept = kept

    def __getattr__(self, name: str) -> Any:
        if name != "read":
            raise AttributeError(f"a name has no {name}")
        rule, by = self.rule, self.reader
        self.read = _as_they_are if rule is None or by is None else by.property_reader(rule)
        return self.read

    def value_of(self, values: tuple[Any, ...]) -> Any:
        """Return the value of ``node[ident]`` for typed values."""
        if self.rule is None:
            return values[0] if len(values) == 1 else values
        return value_of(self.rule, values)

    def __missing__(self, values: Values) -> Reading:
        reading = Reading(self, raws_of(values))
        length = len(values) if isinstance(values, str) else sum(map(len, values))
        if length <= LONGEST_KEPT and self._kept is not None:
            self._kept.make_room()
            self[values] = reading
        return reading


def _reading(*state: Any) -> Reading:
    return NamedReadings(*state[:-1])[state[-1]]


def _as_they_are(raws: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[()]]:
    return raws, ()


class Readings(dict[str, NamedReadings]):
    """The readings of a rule set, by name and values."""

    __slots__ = ("_by", "_count", "_find")

    def __init__(self, find: Callable[[str], tuple[str, PropertyRule | None]], by: Reader) -> None:
        super().__init__()
        self._find, self._by = find, by
        self._count = 0

    def __missing__(self, name: str) -> NamedReadings:
        if len(self) >= MAX_NAMES:
            self.clear()
        ident, rule = self._find(name)
        found = self[name] = NamedReadings(ident, name, rule, self._by, self)
        return found

    def make_room(self) -> None:
        """Count a reading that is to be kept; forget the others if they are too many."""
        self._count += 1
        if self._count > MAX_KEPT:
            for of_name in self.values():
                of_name.clear()
            self._count = 1


def show_values(prop: Reading, indices: Sequence[int]) -> str:
    """Return the property with some of its values, as titles of fixes quote them."""
    values = "".join(f"[{shorten(prop.raw[index], MAX_QUOTED)}]" for index in indices)
    return f"{prop.name}{values}"

"""Finders: the functions that find what a rule is about, each registered above its function.

A finder says which rules it has, what it looks at, and when it may find something::

    @finds(REPEATED_LINE, on=On.VALUES, only_if=OnlyIf(frozenset({"AR", "LN"})))
    def _lines(prop, rules): ...

Of ``only_if`` follows which finders look at a property or a node.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from sgf_lark.core.findings.finding import Finding, Rule
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import Category, Group, PropertyRule, PropertyTable
from sgf_lark.core.values.reader import by_row

from .ruleset import RuleSet

#: All formats, and those with a tree of nodes.
EVERY = frozenset(Format)
TREES = EVERY - {Format.GGF}


class On(Enum):
    """The part of a game that a finder looks at: it is called with that and the rule set."""

    VALUES = auto()  #: the values of a property: the property
    NODE = auto()  #: the properties of a node
    #: a game: its nodes, and in place of the rule set the numbers of those to look at
    TREE = auto()


class Properties(Enum):
    """Groups of properties by their type."""

    POINT_LISTS = "lists of points"
    LINES = "texts of one line"

    def holds(self, rule: PropertyRule) -> bool:
        if self is Properties.POINT_LISTS:
            return rule.is_points
        return any("simpletext" in kinds for kinds in rule.types)


def never(*_: object) -> bool:
    """Return False: every value is left to the finder."""
    return False


class OnlyIf(NamedTuple):
    """When a finder may find something: if all that is given holds.

    Attributes:
        idents: Identifiers, or a group.  The values are those of one of them; a node has at least
            ``several`` different ones.  Empty: of any property.
        several: Their number in a node.
        alike: Two values of these properties are alike up to a colon, or one is a rectangle.
        without: Identifiers of which the node has none.
        repeated: The node has any identifier twice.
        categories: Categories of which the node has a property each.
        beside: The node has an identifier that is none of these.
        contains: Characters of which a value has one; "" if it may find something without.
    """

    idents: frozenset[str] | Group | Properties = frozenset()
    several: int = 1
    alike: bool = False
    without: frozenset[str] = frozenset()
    repeated: bool = False
    categories: frozenset[Category] = frozenset()
    beside: frozenset[str] = frozenset()
    contains: str = ""

    def is_for(self, rule: PropertyRule) -> bool:
        """Return whether it is about the values of a property of this row of the table."""
        idents = self.idents
        if isinstance(idents, Properties):
            return idents.holds(rule)
        return not idents or rule.ident in idents

    def wanted(self, table: PropertyTable) -> frozenset[str]:
        idents = self.idents
        if isinstance(idents, Group):
            return table.group(idents)
        return idents if isinstance(idents, frozenset) else frozenset()

    def hold(
        self, idents: set[str], categories: set[Category], table: PropertyTable, *, repeated: bool
    ) -> bool:
        """Return whether a node with these properties has all needed, but for ``alike`` values."""
        if (self.repeated and not repeated) or (self.idents and len(idents) < self.several):
            return False
        return (
            (not self.idents or len(self.wanted(table) & idents) >= self.several)
            and not self.without & idents
            and self.categories <= categories
            and (not self.beside or not idents <= self.beside)
        )


#: Tells of a raw value of a root whether it surely gives no finding.
Settles: TypeAlias = Callable[[str, RuleSet], bool]

LookAt: TypeAlias = Callable[..., Iterator[Finding]]
_LookAt = TypeVar("_LookAt", bound=LookAt)


class Finder(NamedTuple):
    """A function that finds what rules are about.

    Attributes:
        rules: The rules, all of them and no other.
        on: What it looks at.
        only_if: When it may find something, any of them; of a tree, the nodes after the root that
            it looks at.  None: it looks at all, and a finder of trees sees all nodes.
        root: For identifiers in the root: whether their raw value surely gives no finding, and no
            other property does.  None: it sees every root.  Of trees with ``only_if`` alone.
        is_lint: It is about taste: for those who check and not for those who load.
    """

    rules: tuple[Rule, ...]
    look: LookAt
    on: On
    only_if: tuple[OnlyIf, ...] | None
    root: Mapping[str, Settles] | None
    formats: frozenset[Format]
    is_lint: bool

    def condition(self, rule: PropertyRule) -> OnlyIf | None:
        """Return when it may find something in values of a row of the table; None if never."""
        given = (OnlyIf(),) if self.only_if is None else self.only_if
        return next((one for one in given if one.is_for(rule)), None)


class FinderTable:
    """The finders, in the order in which they are registered, which is that of their looks."""

    def __init__(self, finders: Iterable[Finder] = ()) -> None:
        self.all = [*finders]
        self.looks = {lints: by_row(partial(self._looks, lints)) for lints in (False, True)}
        #: At most 48 lists.  Each game asks for some: without them, strict `load` of 454 real
        #: files that are read once takes 5 % more CPU time.
        self._on: dict[tuple[On, Format, bool], list[Finder]] = {}

    def add(self, finder: Finder) -> None:
        finders = [*self.all, finder]
        self.__dict__.clear()
        self.__init__(finders)  # type: ignore[misc]  # rows have new functions

    def on(self, on: On, format: Format, *, lints: bool) -> list[Finder]:
        key = on, format, lints
        found = self._on.get(key)
        if found is None:
            found = self._on[key] = [
                finder
                for finder in self.all
                if finder.on is on and format in finder.formats and (lints or not finder.is_lint)
            ]
        return found

    def _looks(self, lints: bool, rule: PropertyRule) -> tuple[LookAt, ...]:  # noqa: FBT001
        finders = self.on(On.VALUES, rule.format, lints=lints)
        return tuple(finder.look for finder in finders if finder.condition(rule) is not None)

    def needed(
        self, idents: Sequence[str], categories: set[Category], table: PropertyTable, *, lints: bool
    ) -> list[OnlyIf] | None:
        """Return when finders may find something in a node; None if one sees every node."""
        # In GGF, too: what occurs twice in a root is a matter of its trees.
        finders = self.on(On.NODE, Format.FF4, lints=lints)
        if any(finder.only_if is None for finder in finders):
            return None
        needs = [need for finder in finders for need in finder.only_if or ()]
        return are_needed(needs, idents, categories, table)


#: All finders that are registered.
FINDERS = FinderTable()


def finds(
    *rules: Rule,
    on: On,
    only_if: OnlyIf | tuple[OnlyIf, ...] | None = None,
    root: Mapping[str, Settles] | None = None,
    formats: frozenset[Format] = EVERY,
    is_lint: bool = False,
) -> Callable[[_LookAt], _LookAt]:
    def register(look: _LookAt) -> _LookAt:
        needs = (only_if,) if isinstance(only_if, OnlyIf) else only_if
        FINDERS.add(Finder(rules, look, on, needs, root, formats, is_lint))
        return look

    return register


def are_needed(
    needs: Iterable[OnlyIf], idents: Sequence[str], categories: set[Category], table: PropertyTable
) -> list[OnlyIf]:
    different = set(idents)
    repeated = len(different) < len(idents)
    return [need for need in needs if need.hold(different, categories, table, repeated=repeated)]

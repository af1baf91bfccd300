"""The property tables: one row a property, format and game.

The rows are in ``properties.tsv`` beside this module, one a property.  Its column
``source`` names the document: ``ff1`` and ``ff3`` are the two old definitions, ``ggf`` the
page of that format; ``sgfc``, ``gnubg``, ``edax``, ``ntest`` and ``grove`` are programs
whose properties no page has; all other names are pages of the FF[4] standard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Self

from pydantic import StringConstraints, field_validator

from .formats import Format
from .frozen import Frozen
from .games import GAMES
from .made import made
from .values import Color


class Category(StrEnum):
    """The place of a property in a game; the standard calls this its property type."""

    MOVE = "move"
    SETUP = "setup"
    ROOT = "root"
    GAME_INFO = "game-info"
    NONE = "none"


class Count(StrEnum):
    """The number of values: one, a list, or a list that may be empty."""

    ONE = "one"
    LIST = "list"
    ELIST = "elist"


class Group(StrEnum):
    """A group of properties that belong together; a property may be in several.

    Sources: the sections of the FF[4] page of properties (move, setup, node annotation, move
    annotation, markup, root) and of Go (territory); Amazons for AA.
    """

    #: Moves: B and W.
    PLAYS = "plays"
    #: Setup that adds stones of a color.
    ADDS = "adds"
    #: Setup that says what is on a point of the board.
    STONES = "stones"
    #: Lists of which one node may name a point once: STONES, and AA of Amazons.
    SETUP_POINTS = "setup-points"
    #: Markup of which a point has one.
    MARKS = "marks"
    #: Territory, of which a point is on one side's.
    TERRITORY = "territory"
    #: Opinions of a move, of which a node has one.
    MOVE_ANNOTATION = "move-annotation"
    #: Properties that mean nothing in a node without a move: MOVE_ANNOTATION, and KO.
    NEEDS_MOVE = "needs-move"
    #: Opinions of a position, of which a node has one.
    POSITION_ANNOTATION = "position-annotation"
    #: Texts that say something by being empty, as IP of Hex does.
    EMPTY = "empty"
    #: Names, ranks and teams of the players.
    PLAYER = "player"
    #: Root properties that name the format and the game.
    KIND = "kind"
    #: Root properties by which everything else is read.
    DECLARES = "declares"
    #: Root properties that are about the file, not about the game.
    FILE = "file"
    #: Properties of the first node that give the size of the board.
    BOARD = "board"
    #: Properties of one side.
    BLACK = "black"
    WHITE = "white"

    @cached_property
    def idents(self) -> frozenset[str]:
        """The identifiers that the standards have in the group."""
        return PropertyTable.standard().group(self)


#: Characters of a label at most (FF[3], LB).
LONGEST_LABEL = 4

#: Corners that a view names (FF[1] and FF[3], VW).
VIEW_CORNERS = 2

#: Types whose values are written for people, where white space is part of the value.
TEXT_TYPES = frozenset({"text", "simpletext", "undefined"})


#: Types whose values name points; ``played`` is a move of GGF with its evaluation and time.
HAVE_POINTS = frozenset({"point", "stone", "move", "played"})


class PropertyRule(Frozen):
    """A row of the table: one property in one format, in one game or all games.

    Attributes:
        format: The format version.
        game: GM number, for a property of one game; None for all games.
        ident: In capitals.
        name: In words.
        category: The place of the property in a game.
        type: Of one value, as the standard writes it: ``real``, ``none | number:simpletext``.
        count: One value, a list, or a list that may be empty.
        form: Start symbol of the form that the value must have besides its type; "".
        inherit: The value holds for the nodes below, too.
        groups: The groups that it belongs to.
        domain: Range or form in words; "".
        source: The document that defines it.
    """

    format: Format
    game: int | None = None
    ident: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9]*$")]
    name: str = ""
    category: Category = Category.NONE
    type: str = "text"
    count: Count = Count.ONE
    form: str = ""
    inherit: bool = False
    groups: tuple[Group, ...] = ()
    domain: str = ""
    source: str = ""

    @field_validator("type")
    @classmethod
    def _well_formed(cls, value: str) -> str:
        if re.fullmatch(r"[a-z_]+(:[a-z_]+)?( \| [a-z_]+(:[a-z_]+)?)*", value) is None:
            raise ValueError("types are names such as 'real', joined by ':' and ' | '")
        return value

    @cached_property
    def types(self) -> tuple[tuple[str, ...], ...]:
        """The alternatives of :attr:`type`; a pair is a composed value."""
        types = tuple(tuple(part.split(":")) for part in self.type.split(" | "))
        if self.format is Format.FF4 and self.count is not Count.ONE:
            # List of point: list of (point | composition of point ":" point)
            types += tuple(
                (alternative[0], alternative[0])
                for alternative in types
                if alternative in {("point",), ("stone",)}
            )
        return types

    @cached_property
    def is_text(self) -> bool:
        """True if white space is part of its values."""
        return any(kind in TEXT_TYPES for alternative in self.types for kind in alternative)

    @cached_property
    def is_points(self) -> bool:
        """True for a list of points or stones."""
        return self.count is not Count.ONE and self.types[0] in {("point",), ("stone",)}

    @cached_property
    def has_points(self) -> bool:
        """True if its values name points."""
        return any(kind in HAVE_POINTS for kinds in self.types for kind in kinds)

    def as_of(self, format: Format) -> PropertyRule:
        """Return the same row in another format."""
        return PropertyRule.model_validate(self.model_dump() | {"format": format})


def capitals(name: str) -> str:
    """Return a property name without lower case letters, which do not count before FF[4].

    A name without a capital, such as ``junk`` or ``a8``, is raised instead.
    """
    kept = "".join(char for char in name if not char.islower())
    return kept if kept[:1].isalpha() else name.upper()


def ident_of(name: str) -> str:
    """Return the identifier of a property by its spelling in a file."""
    return name if name.isupper() else capitals(name)


def _made_rule(**parts: Any) -> PropertyRule:
    return made(PropertyRule, parts, set(parts))


def _rule_of(
    line: str, numbers: dict[str, int | None], make: Callable[..., PropertyRule]
) -> PropertyRule:
    """Return the property of a line of the table.

    Raises:
        KeyError: No game has the name.
        ValueError: A column is missing, or not one of the words that it may be.
    """
    format_, game, *texts, inherit, groups, domain, source = line.split("\t")
    ident, name, category, type_, count, form = texts
    return make(
        format=Format(format_),
        game=None if game == "-" else numbers[game],
        ident=ident,
        name=name,
        category=Category(category),
        type=type_,
        count=Count(count),
        form=form.strip("-"),
        inherit=inherit == "inherit",
        groups=() if groups == "-" else tuple(map(Group, groups.split(" "))),
        domain="" if domain == "-" else domain,
        source=source,
    )


class PropertyTable:
    """Rules by format, game and identifier.  A table never changes: extending gives another.

    >>> table = PropertyTable.standard().extend(
    ...     PropertyRule(format="FF4", ident="TT", name="Time used", type="real"))
    """

    def __init__(self, rules: Iterable[PropertyRule]) -> None:
        self._rules = {(rule.format, rule.game, rule.ident): rule for rule in rules}

    @classmethod
    @cache
    def standard(cls) -> Self:
        """Return the table of the standards."""
        text = (files(__package__) / "properties.tsv").read_text(encoding="utf-8")
        return cls.of_lines(text.splitlines(), _made_rule)

    @classmethod
    def of_lines(
        cls, lines: Sequence[str], make: Callable[..., PropertyRule] = PropertyRule
    ) -> Self:
        """Return the table of some rows, the first of which names the columns.

        Args:
            lines: The rows.
            make: Makes a rule of its parts; the rule of a row known to be right needs no model.

        Raises:
            ValueError: A row is not understood; the message names its line.
        """
        numbers = {game.name: game.number for game in GAMES.values()}
        rules = []
        for number, line in enumerate(lines[1:], 2):
            try:
                rules.append(_rule_of(line, numbers, make))
            except (KeyError, ValueError) as error:
                raise ValueError(f"properties.tsv, line {number}: {error} in {line!r}") from error
        return cls(rules)

    def __iter__(self) -> Iterator[PropertyRule]:
        return iter(self._rules.values())

    def __len__(self) -> int:
        return len(self._rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PropertyTable) and self._rules == other._rules

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self._rules))

    def __reduce__(self) -> tuple[Any, ...]:
        if self is PropertyTable.standard():
            return PropertyTable.standard, ()
        return PropertyTable, (tuple(self),)

    def extend(self, *rules: PropertyRule) -> PropertyTable:
        """Return a table with more rows, which replace those of the same format, game and name."""
        return PropertyTable([*self, *rules])

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The types and forms of value that its rows name."""
        types = {kind for rule in self for kinds in rule.types for kind in kinds}
        return frozenset(types | {rule.form for rule in self if rule.form})

    def group(self, group: Group) -> frozenset[str]:
        """Return the identifiers of a group in any format and game."""
        return self._groups[group]

    @cached_property
    def _groups(self) -> dict[Group, frozenset[str]]:
        by_group: dict[Group, set[str]] = {group: set() for group in Group}
        for rule in self:
            for group in rule.groups:
                by_group[group].add(rule.ident)
        return {group: frozenset(idents) for group, idents in by_group.items()}

    def find(self, format: Format, game: int | None, ident: str) -> PropertyRule | None:
        """Return the row of the game if it has its own, else that of all games, else None."""
        if game is not None:
            own = self._rules.get((format, game, ident))
            if own is not None:
                return own
        return self._rules.get((format, None, ident))

    def knows(self, ident: str) -> bool:
        """Return True if some format of SGF has a property of that name."""
        return ident in self._sgf_idents

    @cached_property
    def _sgf_idents(self) -> frozenset[str]:
        return frozenset(rule.ident for rule in self if rule.format is not Format.GGF)

    def elsewhere(self, format: Format, ident: str) -> tuple[PropertyRule, ...]:
        """Return the rows of an identifier in other games and formats, this format's first."""
        rules = self._by_ident.get(ident, [])
        return tuple(sorted(rules, key=lambda rule: rule.format is not format))

    @cached_property
    def _by_ident(self) -> dict[str, list[PropertyRule]]:
        by_ident: dict[str, list[PropertyRule]] = {}
        for rule in self:
            by_ident.setdefault(rule.ident, []).append(rule)
        return by_ident


def _by_color(group: Group) -> dict[str, Color | None]:
    """Return the color of each property of a group of the standards; None for no color."""
    colors = {Group.BLACK: Color.BLACK, Group.WHITE: Color.WHITE}
    return {
        rule.ident: next((colors[side] for side in rule.groups if side in colors), None)
        for rule in PropertyTable.standard()
        if group in rule.groups
    }


#: The color of the stone that a setup property puts on a point; None removes it.
SETUP = _by_color(Group.STONES)

#: The properties that play a move, and the color that moves.
COLORS = {ident: color for ident, color in _by_color(Group.PLAYS).items() if color is not None}

#: By the property that plays: the one that sets up stones of its color.
SETUP_OF = {
    move: ident for move, color in COLORS.items() for ident in SETUP if SETUP[ident] is color
}

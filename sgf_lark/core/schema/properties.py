"""The property tables: one row a property, format and game.

The rows are in ``properties.tsv`` beside this module, one a property.  Its column
``source`` names the document: ``ff1`` and ``ff3`` are the two old definitions, ``ggf`` the
page of that format; ``sgfc``, ``gnubg``, ``edax``, ``ntest`` and ``grove`` are programs
whose properties no page has; all other names are pages of the FF[4] standard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ValidationError, field_validator

from .formats import FOREIGN, Format
from .frozen import Frozen, made
from .games import GAMES, Game, game_of, number_of_game
from .points import LETTERS, Color


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
    #: Texts for readers.
    COMMENTS = "comments"
    #: What is drawn on the board besides stones.
    MARKUP = "markup"
    #: Opinions of moves and positions, and names of nodes.
    ANNOTATIONS = "annotations"
    #: Time limits, and what is left of them.
    TIMES = "times"
    #: Values of positions, as programs estimate them.
    ANALYSIS = "analysis"
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


#: Identifiers of all formats (FF[3], PropIdent; FF[4] has no digits).
_IDENT = re.compile(r"[A-Z][A-Z0-9]*")

#: A type, or several, as the standard writes them.
_TYPES = r"[a-z_]+(:[a-z_]+)?( \| [a-z_]+(:[a-z_]+)?)*"

#: Types of other languages, and those here that are meant.
_FOREIGN = {
    **dict.fromkeys(("float", "decimal", "percent", "percentage"), "real"),
    **dict.fromkeys(("int", "integer", "uint", "long", "count"), "number"),
    **dict.fromkeys(("str", "string", "line"), "simpletext"),
    **dict.fromkeys(("bool", "boolean", "flag"), "double"),
    **dict.fromkeys(("datetime", "timestamp", "day"), "dates"),
    **dict.fromkeys(("any", "raw", "object", "json", "bytes"), "text"),
    **dict.fromkeys(("points", "coordinate", "coordinates", "square", "vertex"), "point"),
    **dict.fromkeys(("empty", "null", "void"), "none"),
}

#: Similarity from which a word is a misspelling of a type.
_MISSPELLED = 0.8


def check_ident(ident: str) -> str:
    """Return an identifier; ValueError for what is none."""
    if _IDENT.fullmatch(ident) is None:
        hint = f"; did you mean '{ident.upper()}'?" if _IDENT.fullmatch(ident.upper()) else ""
        raise ValueError(f"'{ident}' is not an identifier: expected capitals such as 'WI'{hint}")
    return ident


def check_type(types: str) -> str:
    """Return a type of the standards, or what may be a custom rule; ValueError for others."""
    from difflib import get_close_matches

    table = PropertyTable.standard()
    known = table.kinds
    general = {kind for rule in table if not rule.game for kinds in rule.types for kind in kinds}
    names = ", ".join(sorted(general - {"undefined", "played", "board"}))
    choices = f"the types are {names}, and the rules of a custom grammar"
    if re.fullmatch(_TYPES, types) is None:
        form = "expected names such as 'real', joined by ':' and ' | '"
        raise ValueError(f"'{types}' is no type: {form}; {choices}")
    for name in re.findall("[a-z_]+", types):
        if name in known:
            continue
        near = get_close_matches(name, known, n=1, cutoff=_MISSPELLED)
        near += [kind for kind in sorted(known) if sorted(kind) == sorted(name)]
        meant = _FOREIGN.get(name) or (near[0] if near else None)
        if meant is not None:
            raise ValueError(f"no type is called '{name}'; did you mean '{meant}'? {choices}")
    return types


def _describe(error: Any) -> str:
    field, given = ".".join(map(str, error["loc"])), error["input"]
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "enum":
        return f"invalid {field} {given!r}: expected {error['ctx']['expected']}"
    if error["type"] == "extra_forbidden":
        from sgf_lark.core.findings.words import nearest

        near = nearest(field, PropertyRule.model_fields)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        return f"a property has no field '{field}'{hint}"
    if error["type"] == "missing":
        return f"a property needs the field '{field}'"
    reason = str(error["msg"]).removeprefix("Input should be ").removeprefix("a valid ")
    return f"invalid {field} {given!r}: expected {reason}"


class PropertyRule(Frozen):
    """A row of the table: one property in one format, in one game or all games.

    Attributes:
        format: The format version.
        game: GM number, for a property of one game; None for all games.
        ident: In capitals.
        name: In words.
        category: The place of the property in a game.
        type: Of one value, as the standard writes it: ``real``, ``none | number:simpletext``; or
            a rule of the custom grammar with which the row is used.
        count: One value, a list, or a list that may be empty.
        form: Start symbol of the form that the value must have besides its type; "".
        inherit: The value holds for the nodes below, too.
        groups: The groups that it belongs to.
        domain: Range or form in words; "".
        source: The document that defines it.
    """

    format: Format
    game: int | None = None
    ident: Annotated[str, AfterValidator(check_ident)]
    name: str = ""
    category: Category = Category.NONE
    type: str = "text"
    count: Count = Count.ONE
    form: str = ""
    inherit: bool = False
    groups: tuple[Group, ...] = ()
    domain: str = ""
    source: str = ""

    def __init__(self, **fields: Any) -> None:
        """Make a row.

        Raises:
            ValueError: A field is wrong: a type that does not exist, a category ...
        """
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise ValueError("; ".join(map(_describe, error.errors()))) from None

    @field_validator("type")
    @classmethod
    def _known(cls, value: str) -> str:
        return check_type(value)

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
        fields = {name: getattr(self, name) for name in PropertyRule.model_fields}
        return PropertyRule.model_construct(**fields | {"format": format})


_NO_LOWER_CASE = dict.fromkeys(map(ord, LETTERS))


def capitals(name: str) -> str:
    """Return a property name without lower case letters, which do not count before FF[4]."""
    if name.isascii():
        kept = name.translate(_NO_LOWER_CASE)
    else:
        kept = "".join(char for char in name if not char.islower())
    return kept if kept[:1].isalpha() else name.upper()


def ident_of(name: str, format: Format | None = None) -> str:
    """Return the identifier of a spelling; in FF[1] and FF[3] a name without a capital stays as it
    is.
    """
    if name.isupper() or (format in SKIP_LOWER_CASE and not any(map(str.isupper, name))):
        return name
    return capitals(name)


#: Formats in which the lower case characters of a name do not count.
SKIP_LOWER_CASE = frozenset({Format.FF1, Format.FF3})


def _made_rule(**parts: Any) -> PropertyRule:
    return made(PropertyRule, parts, set(parts))


def _rule_of(
    line: str, numbers: dict[str, int | None], make: Callable[..., PropertyRule]
) -> PropertyRule:
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
    """Rules by format, game and identifier, and custom games.

    A table never changes: extending gives another.

    >>> table = PropertyTable.standard().extend(
    ...     PropertyRule(format="FF4", ident="TT", name="Time used", type="real"),
    ...     Game(50, "Kono"))
    """

    def __init__(self, rules: Iterable[PropertyRule], games: Iterable[Game] = ()) -> None:
        self._rules = {(rule.format, rule.game, rule.ident): rule for rule in rules}
        self._named = {game.name.strip().casefold(): game for game in games}
        self._numbered = {
            game.number: game for game in self._named.values() if game.number is not None
        }
        for number in self._numbered:
            if number < 1:  # only of custom games: a record may declare any
                raise ValueError(f"invalid number {number} of a game: expected at least 1")

    @classmethod
    @cache
    def standard(cls) -> Self:
        """Return the table of the standards."""
        return cls.of_lines(_lines(), _made_rule)

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
            if line.partition("\t")[0] in FOREIGN:
                continue
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
        if self is other:
            return True
        return (
            isinstance(other, PropertyTable)
            and self._named == other._named
            and self._rules == other._rules
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((tuple(self._rules), tuple(self._named)))

    def __reduce__(self) -> tuple[Any, ...]:
        if self is PropertyTable.standard():
            return PropertyTable.standard, ()
        extends = PropertyTable.standard()._rules.keys() <= self._rules.keys()  # noqa: SLF001
        return _rebuilt, (extends, self.additions if extends else tuple(self), self.games)

    @cached_property
    def additions(self) -> tuple[PropertyRule, ...]:
        """The rows that the table of the standards does not have."""
        standard = PropertyTable.standard()._rules  # noqa: SLF001  # of the same class
        return tuple([rule for key, rule in self._rules.items() if standard.get(key) is not rule])

    def extend(self, *rows: PropertyRule | Game) -> PropertyTable:
        """Return a table with more rows and games.

        They replace rows of the same format, game and name, and games of the same number or name.
        """
        new = [row for row in rows if isinstance(row, Game)]
        numbers = {game.number for game in new} - {None}
        kept = [game for game in self.games if game.number not in numbers]
        rules = [row for row in rows if isinstance(row, PropertyRule)]
        return PropertyTable([*self, *rules], [*kept, *new])

    # ---- games ----

    @property
    def games(self) -> tuple[Game, ...]:
        """The custom games."""
        return tuple(self._named.values())

    def game(self, format: Format, number: int | None, name: str) -> Game:
        """Return the game of a number, or of a name if it has none.

        Equal arguments give the same object.
        """
        if self._named:
            own = None
            if format is Format.GGF or number is None:
                own = self._named.get(name.strip().casefold())
            else:
                own = self._numbered.get(number)
            if own is not None:
                return own
        return game_of(format, number, name)

    def find_game(self, wanted: int | str) -> Game | None:
        """Return a custom game or one of the standards by its number, or its name in any case."""
        if isinstance(wanted, str):
            own = self._named.get(wanted.strip().casefold())
            if own is not None:
                return own
            number = int(wanted) if wanted.isdecimal() else number_of_game(wanted)
            return None if number is None else self.find_game(number)
        return self._numbered.get(wanted) or GAMES.get(wanted)

    @cached_property
    def numbered(self) -> Mapping[int, Game]:
        """The games with a number, those of the standards included."""
        return {**GAMES, **self._numbered} if self._numbered else GAMES

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

    @cached_property
    def sgf_idents(self) -> frozenset[str]:
        """The identifiers of all properties that some format of SGF has."""
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


def _lines() -> list[str]:
    return Path(__file__).with_name("properties.tsv").read_text(encoding="utf-8").splitlines()


def rows_of(format: str) -> list[tuple[str, str, str]]:
    """Return the rows for a format of another program: header, identifier and type of each."""
    rows = (line.split("\t") for line in _lines())
    return [(row[3], row[2], row[5]) for row in rows if row[0] == format]


@lru_cache(maxsize=1 << 6)  # each message to a process has the table
def _rebuilt(
    extends: bool,  # noqa: FBT001  # an argument of pickle
    rules: tuple[PropertyRule, ...],
    games: tuple[Game, ...],
) -> PropertyTable:
    base = PropertyTable.standard() if extends else PropertyTable(())
    return base.extend(*rules, *games)


def _by_color(group: Group) -> dict[str, Color | None]:
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

#: By the property that plays: the time that its side has left, and the moves or periods.
TIMES = {"B": ("BL", "OB"), "W": ("WL", "OW")}

#: Where programs write overtime beside OT, and as which text of it: Fox, Cyber Oro, FF[3].
OVERTIME = {
    ("TC", "TT"): "{}x{} byo-yomi",
    ("LC", "LT"): "{}x{} byo-yomi",
    ("OM", "OP"): "{}/{} canadian",
}

#: By the property that plays: the one that sets up stones of its color.
SETUP_OF = {
    move: ident for move, color in COLORS.items() for ident in SETUP if SETUP[ident] is color
}

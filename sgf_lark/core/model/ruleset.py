"""Rule sets: how the properties of one format and game are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple

from sgf_lark.core.grammar.grammars import File, path, terminal
from sgf_lark.core.schema.formats import Engine, Format
from sgf_lark.core.schema.games import (
    GO,
    LARGEST_WITH_TT,
    LETTERED_SIDE,
    OF_TWIXT,
    RED,
    Game,
    GameNumber,
    undeclared_game,
)
from sgf_lark.core.schema.properties import (
    Category,
    Group,
    PropertyRule,
    PropertyTable,
    capitals,
    ident_of,
)
from sgf_lark.core.schema.values import BoardSize, InitialBoard
from sgf_lark.core.values.dialect import Dialect
from sgf_lark.core.values.kinds import NotOfType
from sgf_lark.core.values.reader import Reader, reader

from .readings import Reading, Readings
from .tape import Values


class RuleSet:
    """Rule set: how the properties of the games of one format, game and dialect are read."""

    def __init__(
        self,
        format: Format,
        game: Game,
        table: PropertyTable,
        *,
        over_19: bool = False,
        engine: Engine = Engine.AUTO,
        dialect: Dialect | None = None,
    ) -> None:
        self.format = format
        self.game = game
        self.table = table
        self.over_19 = over_19
        self.dialect = dialect
        self.file: File = (dialect and dialect.file) or path(format.grammar)
        self.reader: Reader = reader(format, game, over_19=over_19, engine=engine, dialect=dialect)
        self.readings = Readings(self._find, self.reader)
        self.suspect_finders: dict[tuple[bool, BoardSize | None], Any] = {}
        #: The classes of moves by what gives the size of the board; see :func:`.played_on`.
        self.played_moves: dict[Any, Any] = {}

    def _find(self, name: str) -> tuple[str, PropertyRule | None]:
        ident = self.ident(name)
        return ident, self.table.find(self.format, self.game.number, ident)

    def rule(self, ident: str) -> PropertyRule | None:
        """Return the row of the property table for an identifier; None for a private one."""
        return self.readings[ident].rule

    @cached_property
    def setup(self) -> frozenset[str]:
        kinds = {None, self.game.number}
        return frozenset(
            rule.ident
            for rule in self.table
            if rule.format is self.format and rule.game in kinds and rule.category is Category.SETUP
        )

    @cached_property
    def _has_usual_names(self) -> bool:
        usual = [terminal(path(format_.grammar), "PROP_IDENT") for format_ in Format]
        return terminal(self.file, "PROP_IDENT") in usual

    # ---- properties and their values ----

    def ident(self, name: str) -> str:
        """Return the identifier of a property by its spelling in these games."""
        if not name.isupper():
            name = ident_of(name, self.format if self._has_usual_names else None)
        return RED[name] if name in RED and self.has_red else name

    @cached_property
    def has_red(self) -> bool:
        """A side is called Red, too; the table has no other property of that name."""
        is_red = self.game.number == GameNumber.TWIXT and self.format is not Format.GGF
        return is_red and all(
            self.table.find(self.format, self.game.number, name) is None for name in RED
        )

    def property(self, name: str, raw: Values) -> Reading:
        """Return what is read of a name, as the file spells it, and its values."""
        return self.readings[name][raw]


class ChosenRules(NamedTuple):
    """The way in which the properties of a game are read.

    Attributes:
        is_given: The caller or FF names the format.
        reason: If neither does: a property that does not fit FF[1]; "" if all fit.
        size: The size of its board as the first node declares it, or the usual one.
    """

    rules: RuleSet
    is_given: bool = True
    reason: str = ""
    size: BoardSize | None = None


#: Rule sets without a dialect that are kept: a process reads games of few kinds.  `load` of 120
#: real files that are read once takes 2.6 times as many instructions without it.
MAX_RULE_SETS = 1 << 6


@lru_cache(maxsize=MAX_RULE_SETS)
def _shared(
    format: Format, game: Game, table: PropertyTable, *, over_19: bool, engine: Engine
) -> RuleSet:
    return RuleSet(format, game, table, over_19=over_19, engine=engine)


#: The rule sets and the boards of the games that were read.
_SIZED: dict[Any, tuple[RuleSet, BoardSize | None]] = {}
MAX_SIZED = 1 << 8


class RuleSets:
    """The rule sets of the games of one file; games of the same kind share theirs."""

    def __init__(
        self,
        table: PropertyTable,
        engine: Engine = Engine.AUTO,
        dialect: Dialect | None = None,
        name: str = "",
    ) -> None:
        self.table = table
        self.name = name
        self.engine = engine
        self.dialect = dialect
        #: The file of the custom grammar, if there is one.
        self.custom: File | None = dialect and dialect.file
        self._rules: dict[tuple[Format, Game, bool], RuleSet] = {}

    @property
    def usual(self) -> RuleSets:
        return self if self.dialect is None else RuleSets(self.table, self.engine, None, self.name)

    def rules(
        self, format: Format, game: Game, root: Iterable[tuple[str, tuple[str, ...]]] = ()
    ) -> RuleSet:
        """Return the rule set of a game by its first node's properties (name, raw values)."""
        usual = self._of(format, game, over_19=False)
        sizes = [usual.property(*prop) for prop in root if capitals(prop[0]) == "SZ"]
        return self._for_size(usual, find_board_size(sizes, game))

    def declared(self, format: Format, values: Mapping[str, str]) -> RuleSet:
        """Return the rule set of a game by the first values of its first node."""
        return self.sized(format, values)[0]

    def sized(self, format: Format, values: Mapping[str, str]) -> tuple[RuleSet, BoardSize | None]:
        """Return the same, and the size of the board."""
        usual = self._of(format, self.game(format, values), over_19=False)
        declared = (
            _size_of(usual.readings["SZ"][(values["SZ"],)].value) if "SZ" in values else False
        )
        size = usual.game.size if declared is False else declared
        return self._for_size(usual, size), size

    def sized_once(
        self, format: Format, values: Mapping[str, str]
    ) -> tuple[RuleSet, BoardSize | None]:
        """Return the same; of the usual grammars each is looked for once."""
        if self.dialect is not None:
            return self.sized(format, values)
        number = values.get("GM", "")
        named = "" if number.strip() else (values.get("EV"), self.name)
        key = (format, self.table, self.engine, number, values.get("SZ"), named)
        found = _SIZED.get(key)
        if found is None:
            if len(_SIZED) >= MAX_SIZED:
                _SIZED.clear()
            found = _SIZED[key] = self.sized(format, values)
        return found

    def game(self, format: Format, values: Mapping[str, str]) -> Game:
        """Return the game that GM declares, or else EV or the file names, or Go (FF[4])."""
        if format is Format.GGF:
            return self.table.game(format, None, values.get("GM", ""))
        if not values.get("GM", "").strip():
            undeclared = undeclared_game(values.get("EV", ""), self.name)
            return self.table.numbered.get(undeclared.number or 0, undeclared)
        return self.table.game(format, parse_number(values["GM"]), values["GM"])

    def _for_size(self, usual: RuleSet, size: BoardSize | None) -> RuleSet:
        if size is not None and max(size) > LARGEST_WITH_TT:
            return self._of(usual.format, usual.game, over_19=True)
        return usual

    def _of(self, format: Format, game: Game, *, over_19: bool) -> RuleSet:
        if self.dialect is None:
            return _shared(format, game, self.table, over_19=over_19, engine=self.engine)
        key = (format, game, over_19)
        rules = self._rules.get(key)
        if rules is None:
            if len(self._rules) > MAX_RULE_SETS:
                self._rules.clear()
            rules = self._rules[key] = RuleSet(
                format,
                game,
                self.table,
                over_19=over_19,
                engine=self.engine,
                dialect=self.dialect,
            )
        return rules


def find_first_values(
    parents: Sequence[int | None],
    nodes: Iterable[Iterable[tuple[str, tuple[str, ...] | list[str]]]],
    format: Format | None = None,
) -> dict[str, str]:
    """Return the first values of the first node that has any; of GGF, of all nodes."""
    if format is Format.GGF:
        return {ident: raw[0] for ident, raw in reversed([*chain.from_iterable(nodes)])}
    children: Counter[int | None] = Counter()
    for node, content in enumerate(nodes):
        if node == 1:
            children = Counter(parents)
        if node and (parents[node] != node - 1 or children[node - 1] > 1):
            break
        values: dict[str, str] = {}
        for ident, raw in content:
            values.setdefault(ident, raw[0])
        if values:
            return values
    return {}


def parse_number(text: str) -> int | None:
    """Return the number that a text is in FF[4], as in all other formats; None if it is none."""
    try:
        value: int = reader(Format.FF4, GO).read("number", text.strip())
    except NotOfType:
        return None
    return value


def name_of_file(rules: RuleSet, root: Iterable[Reading]) -> str:
    """Return a name for the file of a record: only it may tell the game; "" if it does not."""
    values = {prop.ident: prop.raw[0] for prop in root}
    declared = RuleSets(rules.table).game(rules.format, values)
    return "" if declared is rules.game else OF_TWIXT


#: Properties of the root that tell the size of the board.
OF_BOARD = Group.BOARD.idents


def find_board_size(root: Iterable[Reading], game: Game) -> BoardSize | None:
    """Return the board size that a root node declares, or the usual one; None if there is none."""
    for prop in root:
        if prop.ident in OF_BOARD and prop.values:
            size = _size_of(prop.values[0])
            if size is not False:
                return size
    return game.size


def size_of_board(root: Iterable[Reading], rules: RuleSet) -> BoardSize | None:
    """Return the size of a game's board; None if it is not known, or over 52 in Go."""
    game = rules.game
    if not game.has_size:
        return None
    usual = game.usual_size if rules.format is not Format.GGF else None  # there BO says
    size = find_board_size(root, game) or usual
    if size is not None and game.number == GameNumber.GO:
        return BoardSize(min(size.columns, LETTERED_SIDE), min(size.rows, LETTERED_SIDE))
    return size


def _size_of(value: object) -> BoardSize | Literal[False] | None:
    match value:
        case BoardSize() as both if min(both) > 0:
            return both
        case InitialBoard(size=size, rows=rows):
            return BoardSize(max(map(len, rows)), len(rows)) if size else None
        case bool():
            return False
        case int(side) if side > 0:
            return BoardSize(side, side)
    return False

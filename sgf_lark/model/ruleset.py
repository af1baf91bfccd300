"""Rule sets: how the properties of one format and game are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from string import ascii_lowercase
from typing import Any, Literal

from sgf_lark.engine.parser import Parser
from sgf_lark.engine.plan import Plan
from sgf_lark.engine.regex import character_sets
from sgf_lark.grammar.loader import File, generated, path
from sgf_lark.grammar.typed import name_expression, terminal, text_expression
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.games import (
    GO,
    LARGEST_WITH_TT,
    LETTERED_SIDE,
    Game,
    GameNumber,
    game_of_event,
)
from sgf_lark.schema.properties import (
    COLORS,
    SETUP,
    Category,
    Group,
    PropertyRule,
    PropertyTable,
    capitals,
    ident_of,
)
from sgf_lark.schema.values import BoardSize, InitialBoard
from sgf_lark.values.dialect import Dialect, Shape as DialectShape
from sgf_lark.values.reader import Reader, reader
from sgf_lark.values.types import NotOfType

from .content import Shape
from .property import Content, Property, make_property


class RuleSet:
    """Rule set: how the properties of the games of one format, game and dialect are read.

    Attributes:
        typed_readers: The typed readers of nodes, without and with lints, and by the size of the
            board; see :class:`sgf_lark.check.typed_reader.TypedReader`.
    """

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
        self.file: File = path(format.grammar) if dialect is None else dialect.file
        self.reader: Reader = reader(format, game, over_19=over_19, engine=engine, dialect=dialect)
        self.typed_readers: dict[tuple[bool, BoardSize | None], Any] = {}
        self._rules: dict[str, PropertyRule | None] = {}
        self._values: dict[str, Callable[[tuple[str, ...]], Any]] = {}

    def rule(self, ident: str) -> PropertyRule | None:
        """Return the row of the property table for an identifier; None for a private one."""
        try:
            return self._rules[ident]
        except KeyError:
            rule = self.table.find(self.format, self.game.number, ident)
            if len(self._rules) < MAX_IDENTS:
                self._rules[ident] = rule
            return rule

    # ---- where nodes and properties are in a text ----

    @cached_property
    def shape(self) -> Shape | None:
        """The structure of the grammar, if it is that of the standards; None for another one."""
        parser = self._structure
        if parser is None:
            return None
        if parser.plan.flat is not None:
            return self._shape_of_flat(parser.plan, *parser.plan.flat)
        if parser.plan.table is None:
            return None
        plan, tree = parser.plan, parser.plan.table.tree
        if tree is None or tree[1] != "node":
            return None
        first, last = plan.patterns[tree[0]], plan.patterns[tree[2]]
        closing = [char for char in map(chr, range(128)) if re.fullmatch(last, char)]
        if len(closing) != 1:
            return None
        names = [name_expression(self.file, ident) for ident in COLORS]
        moves = "|".join(name for name in names if name is not None)
        bare = (plan.expression("node") or "").removeprefix(plan.skip)
        return Shape(
            re.compile(first + plan.skip),
            re.compile(bare + plan.skip),
            re.compile(f"((?:{last}{plan.skip})*+)({first}{plan.skip})?+"),
            re.compile(
                f"((?:{bare}{plan.skip})++)((?:{last}{plan.skip})*+)(?:{first}{plan.skip})?+"
            ),
            closing[0],
            f";{plan.skip}",
            "[;()]",
            re.compile(f";(?:{plan.expression('property')})*?{plan.skip}(?:{moves}){plan.skip}\\["),
            piece=re.compile(f"{bare}{plan.skip}(?:(?:{last}|{first}){plan.skip})*+"),
        )

    def _shape_of_flat(self, plan: Plan, opening: str, leaf: str, closing: str) -> Shape | None:
        """Return the shape of games without nodes, in which each move begins one."""
        pattern, idents = terminal(self.file, "PROP_IDENT"), sorted(COLORS)
        last = plan.patterns[closing]
        bracket = last.replace("\\", "")
        if (
            leaf != "property"
            or pattern is None
            or any(chars.low & LOWER_CASE for chars in character_sets(pattern))
            or text_expression(self.file) is None
            or re.escape(bracket) != last
        ):
            return None
        skip = plan.skip
        move = rf"(?:{'|'.join(idents)}){skip}\["
        prop = (plan.expression(leaf) or "").removeprefix(skip) + skip
        others = f"(?:(?!{move}){prop})*+"
        return Shape(
            re.compile(plan.patterns[opening] + skip),
            re.compile(f"(?={move}){prop}{others}"),
            re.compile(f"({last})((?!))?"),
            re.compile(f"((?:{prop})*+)({last})"),
            bracket,
            "",
            f"(?:{move}|{last})",
            re.compile(move),
            re.compile(others),
        )

    @cached_property
    def _structure(self) -> Parser | None:
        """The parser of games."""
        is_flat = self.format is Format.GGF and self.reader.shape is DialectShape.GGF
        return generated(self.file, "game" if is_flat else "game_tree")

    @cached_property
    def space(self) -> str:
        """The expression of the white space between properties."""
        parser = self._structure
        return "" if parser is None else parser.plan.skip

    @cached_property
    def columns(self) -> re.Pattern[str] | None:
        """The expression of the name and the values of each property in the text of a node.

        None if the grammar needs more than the expression of a rule ``property``.
        """
        parser = self._structure
        if parser is None or "property" not in parser.plan.shapes:
            return None
        # Without the white space before it, so that a search does not begin at each space.
        pattern = parser.plan.columns("property").pattern.removeprefix(parser.plan.skip)
        columns = re.compile(pattern)
        return columns if columns.groups == 2 else None  # noqa: PLR2004  # name and values

    @cached_property
    def moves(self) -> re.Pattern[str] | None:
        """The expression of a node, with groups for the name and the first value of its move.

        None if a custom grammar has other names, or nodes that are no lists of properties.
        """
        parser = self._structure
        if parser is None or self.shape is None or self.columns is None:
            return None
        if self.shape.first is not None:
            return self._moves_of_flat(parser.plan, self.columns, self.shape)
        return self._node_with_move(parser.plan, COLORS)

    @cached_property
    def board_moves(self) -> re.Pattern[str] | None:
        """The same expression with one more group, for what the board needs a closer look at.

        The group has the rest of the node from a second value or move, setup or KO on.
        """
        parser = self._structure
        if parser is None or self.shape is None or self.shape.first is not None:
            return None
        return self._node_with_move(parser.plan, [*COLORS, *SETUP, "KO"], rest=True)

    @cached_property
    def setup(self) -> frozenset[str]:
        """The properties that set up a board in these games."""
        kinds = {None, self.game.number}
        return frozenset(
            rule.ident
            for rule in self.table
            if rule.format is self.format and rule.game in kinds and rule.category is Category.SETUP
        )

    @cached_property
    def position_moves(self) -> re.Pattern[str] | None:
        """The same as :attr:`board_moves` with all that changes a position, PL included."""
        parser = self._structure
        if parser is None or self.shape is None or self.shape.first is not None:
            return None
        stops = sorted({*COLORS, *SETUP, *self.setup, "KO"})
        return self._node_with_move(parser.plan, stops, rest=True)

    @cached_property
    def _has_usual_names(self) -> bool:
        """Names of properties are those of a standard."""
        usual = [terminal(path(format_.grammar), "PROP_IDENT") for format_ in Format]
        return terminal(self.file, "PROP_IDENT") in usual

    def beginning(self, ident: str) -> re.Pattern[str] | None:
        """Return the expression of a property from its first capital to its first bracket.

        It finds the same within values, too.  None if a custom grammar has other names.
        """
        name = name_expression(self.file, ident) if self._has_usual_names else None
        if name is None:
            return None
        return re.compile(rf"{name.removeprefix('[a-z]*+')}{self.space}\[")

    def _node_with_move(
        self, plan: Plan, stops: Iterable[str], *, rest: bool = False
    ) -> re.Pattern[str] | None:
        """Return the expression of a node with its first move, before any other of ``stops``.

        Args:
            plan: Of the games.
            stops: Identifiers, those of moves included.
            rest: After the move it skips what is none of ``stops``; a group has the rest.
        """
        if self.shape is None or not self._has_usual_names:
            return None
        prop, value, skip = plan.expression("property"), plan.patterns["PROP_VALUE"], plan.skip
        moves, stopping = (
            "|".join(filter(None, [name_expression(self.file, ident) for ident in idents]))
            for idents in (COLORS, stops)
        )
        several, node = f"(?:{prop})++", self.shape.node.pattern
        if not moves or node.count(several) != 1:
            return None
        others = f"(?:(?!{skip}(?:{stopping}){skip}{value}){prop})*+"
        move = f"(?:{skip}({moves}){skip}({value})"
        if rest:
            after = f"{others}((?:{skip}{value}|{prop})*+)"
            return re.compile(node.replace(several, f"{others}{move})?+{after}"))
        move = f"{move}(?:{skip}{value})*+)?"
        return re.compile(node.replace(several, f"{others}{move}(?:{prop})*+"))

    @staticmethod
    def _moves_of_flat(
        plan: Plan, columns: re.Pattern[str], shape: Shape
    ) -> re.Pattern[str] | None:
        """Return the same for nodes that begin with their moves."""
        if shape.first is None or not columns.pattern.endswith(f"({plan.patterns['PROP_VALUE']})"):
            return None
        pattern = f"(?={shape.move.pattern}){columns.pattern}{plan.skip}{shape.first.pattern}"
        return re.compile(pattern)

    @cached_property
    def values(self) -> re.Pattern[str]:
        """The expression of a value of a property, with its brackets."""
        parser = self._structure
        return re.compile("(?!)" if parser is None else parser.plan.patterns["PROP_VALUE"])

    @cached_property
    def _may_be_lower(self) -> bool:
        """True if names may have lower case characters."""
        parser = self._structure
        name = None if parser is None else parser.plan.patterns.get("PROP_IDENT")
        return name is None or re.fullmatch(name, "Ab") is not None

    def split(self, values: str) -> tuple[str, ...]:
        """Return the raw values of a property, for all of them with their brackets."""
        if values[0] == "[" and values.find("]", 1) == len(values) - 1:
            return (values[1:-1],)
        return tuple([value[1:-1] for value in self.values.findall(values)])

    # ---- properties and their values ----

    def properties(self, text: str, start: int, end: int) -> Content:
        """Return the properties of the node ``text[start:end]``; brackets may follow it there."""
        columns = self.columns
        if columns is None:
            raise LookupError("no expression reads the nodes of these games")
        return tuple(
            [
                self.property(name, self.split(values))
                for name, values in columns.findall(text, start, end)
            ]
        )

    def has_info(self, text: str, start: int, end: int) -> bool:
        """Return whether the node ``text[start:end]`` has a property of the game info."""
        pairs = () if self.columns is None else self.columns.findall(text, start, end)
        rules = (self.rule(self.ident(name)) for name, _ in pairs)
        return any(rule is not None and rule.category is Category.GAME_INFO for rule in rules)

    def ident(self, name: str) -> str:
        """Return the identifier of a property by its spelling in these games."""
        if name.isupper():
            return name
        return ident_of(name, self.format if self._has_usual_names else None)

    def property(self, name: str, raw: tuple[str, ...]) -> Property:
        """Return the property of a name, as the file spells it, and raw values."""
        ident = name if name.isupper() else self.ident(name)
        return make_property(ident, name, raw, self.rule(ident), self.reader)

    def written(self, text: str, start: int, end: int) -> dict[str, str] | None:
        """Return the values with their brackets, by identifier, of the node ``text[start:end]``.

        None if a property occurs twice, or the grammar has no expression of properties.
        """
        if self.columns is None:
            return None
        pairs = self.columns.findall(text, start, end)
        values = dict(pairs)
        if self._may_be_lower and not "".join(values).isupper():
            values = {capitals(name): raws for name, raws in pairs}
        return values if len(values) == len(pairs) else None

    def move_reader(self, name: str) -> Callable[[str], Any]:
        """Return the function that reads one raw value of a move, which is not empty."""
        rule = self.rule(ident_of(name))
        return str if rule is None else self.reader.value_reader(rule)

    def value(self, ident: str, values: str) -> Any:
        """Return ``node[ident]`` for values with their brackets."""
        read = self._values.get(ident) or self.list_reader(ident)
        return read(self.split(values))

    def list_reader(self, ident: str) -> Callable[[tuple[str, ...]], Any]:
        """Return the function from the raw values of a property to ``node[ident]``."""
        read = self._values.get(ident)
        if read is None:
            rule = self.rule(ident)
            read = _values_of_private if rule is None else self.reader.list_reader(rule)
            if len(self._values) < MAX_IDENTS:
                self._values[ident] = read
        return read


#: The codes of lower case characters, which may not count in names.
LOWER_CASE = frozenset(map(ord, ascii_lowercase))


def _values_of_private(raws: tuple[str, ...]) -> Any:
    """Return the value, or all, of a property that no table knows."""
    return raws[0] if len(raws) == 1 else raws


#: Rows of the table, and readers, are kept for at most this many identifiers: more than the
#: standards have, and a file may make up any number of them.  With 120 real files that are read
#: once, `check` takes 5 % more instructions without the rows, `load` and reading every value 23 %
#: more without the readers.
MAX_IDENTS = 1 << 9

#: Rule sets without a dialect that are kept: a process reads games of few kinds.  `load` of 120
#: real files that are read once takes 2.6 times as many instructions without it.
MAX_RULE_SETS = 1 << 6


@lru_cache(maxsize=MAX_RULE_SETS)
def _shared(
    format: Format, game: Game, table: PropertyTable, *, over_19: bool, engine: Engine
) -> RuleSet:
    """Return the rule set without a dialect; the same one each time."""
    return RuleSet(format, game, table, over_19=over_19, engine=engine)


class RuleSets:
    """The rule sets of the games of one file; games of the same kind share theirs.

    Args:
        table: The known properties.
        engine: The engine that reads the values.
        dialect: The dialect of a custom grammar.
    """

    def __init__(
        self,
        table: PropertyTable,
        engine: Engine = Engine.AUTO,
        dialect: Dialect | None = None,
    ) -> None:
        self.table = table
        self.engine = engine
        self.dialect = dialect
        #: The file of the custom grammar, if there is one.
        self.own: File | None = None if dialect is None else dialect.file
        self._rules: dict[tuple[Format, Game, bool], RuleSet] = {}

    @property
    def usual(self) -> RuleSets:
        """The rule sets without a custom grammar."""
        return self if self.dialect is None else RuleSets(self.table, self.engine)

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
        usual = self._of(format, choose_game(format, values, self.table), over_19=False)
        declared = _size_of(usual.value("SZ", f"[{values['SZ']}]")) if "SZ" in values else False
        size = usual.game.size if declared is False else declared
        return self._for_size(usual, size), size

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
) -> dict[str, str]:
    """Return the first values of the first node that has any, before any variation.

    Args:
        parents: For each node its parent.
        nodes: For each node its identifiers and raw values.
    """
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


def choose_game(format: Format, values: Mapping[str, str], table: PropertyTable) -> Game:
    """Return the game that GM declares; without its value, the one that EV names, or Go (FF[4])."""
    if format is Format.GGF:
        return table.game(format, None, values.get("GM", ""))
    if not values.get("GM", "").strip():
        return game_of_event(values.get("EV", ""))
    return table.game(format, parse_number(values["GM"]), values["GM"])


#: Properties of the root that tell the size of the board.
OF_BOARD = Group.BOARD.idents


def find_board_size(root: Iterable[Property], game: Game) -> BoardSize | None:
    """Return the board size that a root node declares, or the usual one; None if there is none."""
    for prop in root:
        if prop.ident in OF_BOARD and prop.values:
            size = _size_of(prop.values[0])
            if size is not False:
                return size
    return game.size


def size_of_board(root: Iterable[Property], rules: RuleSet) -> BoardSize | None:
    """Return the size of a game's board; of Go, only up to 52 by 52.

    Returns:
        None if the game has no board, or neither the file nor a custom gives its size.
    """
    game = rules.game
    if not game.has_board:
        return None
    usual = game.usual_size if rules.format is not Format.GGF else None  # there BO says
    size = find_board_size(root, game) or usual
    if size is not None and game.number == GameNumber.GO:
        return BoardSize(min(size.columns, LETTERED_SIDE), min(size.rows, LETTERED_SIDE))
    return size


def name_of_rules(root: Iterable[Property]) -> str:
    """Return the rules that a root node names, as :attr:`.Info.rules` has them; "" for none."""
    for prop in root:
        if prop.ident == "RU" and prop.raw:
            value: object = prop.value
            return value if isinstance(value, str) else prop.raw[0]
    return ""


def _size_of(value: object) -> BoardSize | Literal[False] | None:
    """Return the size of a board by the value of a property; False if it says none."""
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

"""Rule sets: how the properties of one format and game are read, with the caches of both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.grammar.loader import File, generated, path
from sgf_lark.schema.formats import Engine, Format
from sgf_lark.schema.games import GO, LARGEST_WITH_TT, Game, game_of, game_of_event
from sgf_lark.schema.properties import Count, Group, PropertyRule, PropertyTable, capitals, ident_of
from sgf_lark.schema.values import Board, BoardSize
from sgf_lark.values.dialect import Dialect
from sgf_lark.values.reader import Reader, point_list, reader
from sgf_lark.values.types import NotOfType

from .content import MAX_CACHED, MAX_CACHED_LENGTH, Contents, Playing, Typed
from .property import Properties, Property, Unread, make_property


class Kind:
    """The part of a rule set that all files share: the games of one format, game and dialect.

    Its caches outlive the files, so they are bounded, and their texts short.

    Attributes:
        prefilters: The prefilters of nodes, without and with lints, and by the size of the
            board; see :class:`sgf_lark.check.prefilter.Prefilter`.
        problems: The findings in cached properties, without and with lints.
        typed: The typed values of short nodes by their texts; see :attr:`Properties.typed`.
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
        self.prefilters: dict[tuple[bool, BoardSize | None], Any] = {}
        self.problems: dict[bool, dict[Property, tuple[Finding, ...]]] = {False: {}, True: {}}
        self.typed: dict[str, dict[str, Any]] = {}
        self._rules: dict[str, PropertyRule | None] = {}
        self._quick: dict[str, Callable[[str], Any] | None] = {}
        self._known: dict[tuple[str, tuple[str, ...]], Property] = {}

    def rule(self, ident: str) -> PropertyRule | None:
        """Return the row of the property table for an identifier; None for a private one."""
        try:
            return self._rules[ident]
        except KeyError:
            rule = self.table.find(self.format, self.game.number, ident)
            return self._rules.setdefault(ident, rule)

    @cached_property
    def columns(self) -> re.Pattern[str] | None:
        """The expression of the name and the values of each property in the text of a node.

        None if the grammar needs more than the expression of a rule ``property``.
        """
        parser = generated(self.file, "game_tree")
        if parser is None or "property" not in parser.plan.shapes:
            return None
        pattern = parser.plan.columns("property")
        return pattern if pattern.groups == 2 else None  # noqa: PLR2004  # name and values

    @cached_property
    def values(self) -> re.Pattern[str]:
        """The expression of a value of a property, with its brackets."""
        parser = generated(self.file, "game_tree")
        return re.compile("(?!)" if parser is None else parser.plan.patterns["PROP_VALUE"])

    def quick(self, ident: str) -> Callable[[str], Any] | None:
        """Return a reader of a single value that is not empty; None if it takes more."""
        try:
            return self._quick[ident]
        except KeyError:
            return self._quick.setdefault(ident, self._quick_reader(ident))

    def _quick_reader(self, ident: str) -> Callable[[str], Any] | None:
        rule = self.rule(ident)
        if rule is None:
            return str
        kinds = rule.types[0]
        if rule.form or len(kinds) > 1 or not (rule.count is Count.ONE or rule.is_points):
            return None
        read = self.reader.of_kind(kinds[0])
        if rule.count is Count.ONE:
            return read
        return lambda raw: point_list((read(raw),))

    def caches(self, raw: tuple[str, ...]) -> bool:
        """Tell if properties with these values are cached."""
        return len(raw) == 1 and len(raw[0]) <= MAX_CACHED_LENGTH

    def property(self, name: str, raw: tuple[str, ...]) -> Property:
        """Return the property of a name and raw values; the same one each time, if it is cached."""
        key = (name, raw)
        try:
            return self._known[key]
        except KeyError:
            ident = ident_of(name)
            prop = make_property(ident, name, raw, self.rule(ident), self.reader)
            if not self.caches(raw):
                return prop
            if len(self._known) > MAX_CACHED:
                self._known.clear()
                for known in self.problems.values():
                    known.clear()
            return self._known.setdefault(key, prop)


#: Cache limit: kinds of games.
MAX_CACHED_KINDS = 1 << 6


@lru_cache(maxsize=MAX_CACHED_KINDS)
def _kind(
    format: Format,
    game: Game,
    table: PropertyTable,
    *,
    over_19: bool,
    engine: Engine,
) -> Kind:
    """Return the kind without a dialect; the same one each time."""
    return Kind(format, game, table, over_19=over_19, engine=engine)


class RuleSet:
    """Rule set: reads the properties of the games of one format, game and dialect in a file.

    Properties that are written alike become one :class:`Property`.

    Attributes:
        kind: The part that all files share.
        contents: The properties of nodes, by the nodes' texts.
        playing: True for nodes with a move, by their texts.
        typed: The typed values of nodes, by their texts.
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
        if dialect is None:
            self.kind = _kind(format, game, table, over_19=over_19, engine=engine)
        else:
            self.kind = Kind(format, game, table, over_19=over_19, engine=engine, dialect=dialect)
        self.format = format
        self.game = game
        self.table = table
        self.over_19 = over_19
        self.file = self.kind.file
        self.reader = self.kind.reader
        self.rule = self.kind.rule
        self.contents = Contents()
        self.playing = Playing(self.kind, self.contents)
        self.typed = Typed(self.kind, self.contents)
        self._known: dict[tuple[str, tuple[str, ...]], Property] = {}

    def value(self, ident: str, values: Unread) -> Any:
        """Return ``node[ident]`` for values with their brackets."""
        quick, raws = self.kind.quick(ident), [values]
        if quick is None or values[0] != "[" or values.find("]", 2) != len(values) - 1:
            raws = self.kind.values.findall(values)
        if quick is not None and len(raws) == 1 and raws[0] != "[]":
            try:
                return quick(raws[0][1:-1])
            except NotOfType:
                pass
        return self.property(ident, tuple([raw[1:-1] for raw in raws])).value

    @property
    def is_full(self) -> bool:
        """True if the caches are too large for one more game; see :data:`MAX_CACHED_TEXTS`."""
        return len(self._known) + len(self.contents) + len(self.typed) > MAX_CACHED_TEXTS

    def forget(self) -> None:
        """Clear the caches."""
        self._known.clear()
        self.contents.clear()
        self.typed.clear()
        self.playing.clear()

    def node(self, text: str) -> Properties:
        """Return the properties of the text of a node; the kind has :attr:`Kind.columns`."""
        columns, values_of = self.kind.columns, self.kind.values.findall
        if columns is None:
            raise LookupError("no expression reads the nodes of this kind")
        return Properties(
            [
                self.property(name, tuple([value[1:-1] for value in values_of(values)]))
                for name, values in columns.findall(text)
            ]
        )

    def property(self, name: str, raw: tuple[str, ...]) -> Property:
        """Return the property of a name, as the file spells it, and raw values."""
        if len(raw) == 1 and len(raw[0]) <= MAX_CACHED_LENGTH:
            return self.kind.property(name, raw)
        key = (name, raw)
        try:
            return self._known[key]
        except KeyError:
            return self._known.setdefault(key, self.kind.property(name, raw))


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
        size = find_board_size(sizes, game)
        if size is not None and max(size) > LARGEST_WITH_TT:
            return self._of(format, game, over_19=True)
        return usual

    def declared(self, format: Format, values: Mapping[str, str]) -> RuleSet:
        """Return the rule set of a game by the first values of its first node."""
        root = [("SZ", (values["SZ"],))] if "SZ" in values else []
        return self.rules(format, choose_game(format, values), root)

    def forget(self) -> None:
        """Drop all rule sets and their caches."""
        for rules in self._rules.values():
            rules.forget()
        self._rules.clear()

    def _of(self, format: Format, game: Game, *, over_19: bool) -> RuleSet:
        key = (format, game, over_19)
        rules = self._rules.get(key)
        if rules is None or rules.is_full:
            if len(self._rules) > MAX_CACHED_KINDS:
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


def choose_game(format: Format, values: Mapping[str, str]) -> Game:
    """Return the game that GM declares; without GM, the one that EV names, or Go (FF[4], GM)."""
    if format is Format.GGF:
        return game_of(format, None, values.get("GM", ""))
    if "GM" not in values:
        return game_of_event(values.get("EV", ""))
    return game_of(format, parse_number(values["GM"]), values["GM"])


#: Cache limit: above it the next game starts with an empty rule set, so that memory stays
#: bounded in a file of a million games.
MAX_CACHED_TEXTS = 1 << 16


_OF_BOARD = Group.BOARD.idents


def find_board_size(root: Iterable[Property], game: Game) -> BoardSize | None:
    """Return the board size that a root node declares, or the usual one; None if there is none."""
    for prop in root:
        if prop.ident in _OF_BOARD and prop.values:
            match prop.values[0]:
                case BoardSize() as both if min(both) > 0:
                    return both
                case Board(size=size, rows=rows):
                    return BoardSize(max(map(len, rows)), len(rows)) if size else None
                case bool():
                    pass
                case int(side) if side > 0:
                    return BoardSize(side, side)
    return game.size

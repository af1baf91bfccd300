"""Check a game that parses: its values, and the places of its properties.

Source: FF[4], "Reading types" and "Private properties"; FF[3], "Properties".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import Finding, Rule, Severity, register
from sgf_lark.core.findings.limits import Alike
from sgf_lark.core.grammar.tokens import name_pattern
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.model.finders import FINDERS, Finder, On, Settles, are_needed
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.readings import Content
from sgf_lark.core.model.ruleset import RuleSet, parse_number, size_of_board
from sgf_lark.core.model.tape import Said, Values
from sgf_lark.core.read.detect_format import FORMATS
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GAMES, GO, OLD_GAMES, RED, GameNumber
from sgf_lark.core.schema.properties import Category, PropertyRule
from sgf_lark.core.schema.values import Invalid
from sgf_lark.core.values.kinds import DOUBTFUL
from sgf_lark.core.values.reader import reader

from .consequences import told_apart
from .findings import name_property
from .off_board import OffBoard
from .value_lints import SWALLOWED_PROPERTIES, faults_of
from .wrong_game import PLAYED, find_gomoku, find_other_game, is_of_game

#: The nodes that may have findings, by their numbers in order, and for each the numbers of its
#: properties that may have some of their own; None for all.
Suspected: TypeAlias = dict[int, list[int] | None]

#: Tells of the name and the raw values of a property whether they have no findings.
IsValid: TypeAlias = Callable[[str, Values], bool]


class Suspects(NamedTuple):
    """The nodes of a game that may have findings, and the properties to look at."""

    nodes: Suspected
    is_valid: IsValid


def check_game(
    game: GameTree,
    number: int,
    asked: frozenset[str] | None = None,
    suspected: Suspects | None = None,
    most: int | None = None,
) -> list[Finding]:
    """Check a game alone: its findings in no particular order, consequences of others included.

    Those about a node have numbers in place of places; see :func:`.place_finding`.

    Args:
        asked: Names of the strict rules to check; None for who only reads: then rules of taste
            are left out, too.
        suspected: The nodes that may have findings; None for all nodes.
        most: Beyond this number, findings that no pass tells apart are one that counts them.
    """
    nodes, lints = game.nodes, asked is not None
    of_trees = FINDERS.on(On.TREE, game.format, lints=lints)
    if suspected is not None and not suspected.nodes:
        of_trees = [finder for finder in of_trees if finder.only_if is None]
        if not of_trees and asked is None:
            return []
    name = partial(name_property, nodes=nodes, game=number)
    findings: list[Finding] = []
    suspects: Suspected = {}
    outside = Alike(most, told_apart)
    other: Finding | None = None
    if suspected is None or suspected.nodes:
        every_node = dict.fromkeys(range(len(nodes)))
        suspects, is_valid = suspected or Suspects(every_node, lambda *_: False)
        findings += map(name, _format_and_game(game))
        alike = Alike(most, told_apart)
        seen = _Look(game, suspects, is_valid, alike, outside, lints=lints)
        findings += map(name, _strangers(nodes, seen.strangers, lints=lints))
        findings += map(name, seen.findings)
        of_trees = [finder for finder in of_trees if seen.may_concern(finder)]
        other = find_other_game(game, findings, seen.moves, is_valid) or find_gomoku(game)
        if other is not None:
            findings.append(name(other))
    findings += map(name, _moves_of_red(nodes))
    with_root = [*suspects] if 0 in suspects else [0, *suspects]
    for finder in of_trees:
        looked_at = range(len(nodes)) if finder.only_if is None else with_root
        findings += map(name, finder.look(nodes, looked_at))
    if other is None:
        findings += map(name, outside)
        if asked is not None:
            findings += map(name, late.check_game_rules(game, asked))
    return findings


# ---- format and game ----


MISSING_FORMAT = register("T201 missing-format info: a game without FF")
UNKNOWN_FORMAT = register("T202 unknown-format error: an FF that no standard defines")
UNKNOWN_GAME = register("T203 unknown-game warning: a game number (GM) that no standard defines")


def _format_and_game(game: GameTree) -> Iterator[Finding]:
    root = game.nodes.contents[0]
    if game.format is Format.GGF:
        return
    places = {prop.ident: place for place, prop in reversed(list(enumerate(root)))}
    if "FF" not in places:
        chosen = game.nodes.chosen
        if not chosen.is_given:
            start = game.nodes.places.node(0, 0)
            if chosen.reason:
                message = (
                    f"missing FF, which by the standard means FF[1]; read as {game.format.shown},"
                    f" because of {chosen.reason}"
                )
            else:
                message = f"missing FF: read as {game.format.shown}, as the standard defines"
            help_ = f"write {game.format.shown} into the first node"
            yield MISSING_FORMAT.found(message, start, help_)
    else:
        place = places["FF"]
        value = root[place].value
        if value not in FORMATS and not isinstance(value, Invalid):
            message = f"FF[{shorten(root[place].raw[0])}] is not a format of the standard"
            help_ = f"it is read as {game.format.shown}; write FF[4]"
            span = game.nodes.places.value(0, place, 0)
            yield UNKNOWN_FORMAT.found(message, span, help_, node=0, property="FF")
    if "GM" in places:
        place = places["GM"]
        value = root[place].value
        if isinstance(value, int) and value not in game.nodes.rules.table.numbered:
            message = f"GM[{value}]: no game has this number"
            span = game.nodes.places.value(0, place, 0)
            help_ = "write that of the game, from 1 (Go) to 40: until then, moves are kept as text"
            yield UNKNOWN_GAME.found(message, span, help_, node=0, property="GM")
        elif isinstance(value, int) and not _is_game_of_format(value, game.nodes.rules):
            name = GAMES[value].name
            message = f"GM[{value}] ({name}) came with FF[4]; this game is in {game.format.shown}"
            span = game.nodes.places.value(0, place, 0)
            help_ = "write FF[4] in the first node"
            yield UNKNOWN_GAME.found(message, span, help_, Severity.INFO, node=0, property="GM")


def _is_game_of_format(number: int | None, rules: RuleSet) -> bool:
    if number is None:
        return False
    custom = rules.table.numbered.get(number)
    is_custom = custom is not None and custom is not GAMES.get(number)
    return is_custom or number in OLD_GAMES.get(rules.format, GAMES)


#: Properties of the root that declare format and game: whether a raw value is the standard's.
DECLARATIONS: dict[str, Settles] = {
    "FF": lambda raw, _: parse_number(raw) in FORMATS,
    "GM": lambda raw, rules: _is_game_of_format(parse_number(raw), rules),
}


RED_MOVE = register("T224 red-move warning: moves of Red in a record of Twixt")


def _moves_of_red(nodes: Nodes) -> Iterator[Finding]:
    """Report the first move of Red; lower case is reported as such."""
    if nodes.rules.game.number != GameNumber.TWIXT:
        return
    tape = nodes.tape
    for name in RED.keys() & tape.names().keys():
        ident = nodes.rules.ident(name)
        if ident != name:
            node = tape.having({name})[0]
            place = [said for said, _ in tape.said(node)].index(name)
            span = tape.name(node, place, len(name))
            message = f"{name} is a move of Red, whom {nodes.rules.format.shown} calls White"
            help_ = f"write {ident}[...], as which it is read"
            yield RED_MOVE.found(message, span, help_, property=ident)


# ---- properties and nodes, wherever they stand ----


class _Look:
    """A look at the suspects of a game, each once: their findings, and what other checks ask.

    Attributes:
        strangers: By identifier, the properties that the table does not know: the numbers of
            node and property, and the length of the name.
        moves: The values of moves and stones that are not valid, by :func:`.is_of_game`.
        shapes: By the names of nodes after the root: their identifiers and categories.
    """

    def __init__(
        self,
        game: GameTree,
        suspects: Suspected,
        is_valid: IsValid,
        findings: Alike,
        outside: Alike,
        *,
        lints: bool,
    ) -> None:
        self.findings, self.outside = findings, outside
        self.moves = Counter[bool | None]()
        self._clashing: dict[tuple[str, ...], bool] = {}
        self.strangers: dict[str, list[tuple[int, int, int]]] = {}
        self.shapes: dict[tuple[str, ...], tuple[list[str], set[Category]]] = {}
        rules = self._rules = game.nodes.rules
        self._board = OffBoard(rules, size_of_board(game.nodes.contents[0], rules))
        self._lints = lints
        self._legal = name_pattern(game.nodes.rules.file)
        self._judged = -1, False  # a node, and whether it is broken
        self._of_nodes = FINDERS.on(On.NODE, game.format, lints=lints)
        contents, pairs_of = game.nodes.contents, game.nodes.tape.said
        self._root = contents[0]
        for node, places in suspects.items():
            mixed, pairs = False, pairs_of(node)
            for place in range(len(pairs)) if places is None else places:
                if places is not None or not is_valid(*pairs[place]):
                    mixed = self._look(node, place, contents[node]) or mixed
            if self._may_clash(node, pairs) and not mixed:  # with properties of other nodes
                self._look_at_node(node, contents[node])

    def _look(self, node: int, place: int, content: Content) -> bool:
        """Check a property; return whether a value of it has swallowed others.

        That is an error where the node breaks a rule with what is left in it.
        """
        prop = content[place]
        if prop.rule is None and self._legal.fullmatch(prop.name):  # else its name is reported
            self.strangers.setdefault(prop.ident, []).append((node, place, len(prop.name)))
        if wrong := self._board.of_property(prop):
            self.outside.add(self._board.finding(node, place, prop, wrong))
        if prop.ident in PLAYED:
            self.moves.update(map(is_of_game, prop.values))
        mixed = False
        for problem in faults_of(prop, self._rules, lints=self._lints):
            severity = problem.severity
            if problem.rule is SWALLOWED_PROPERTIES:
                mixed = True
                if self._is_broken(node, content):
                    severity = Severity.ERROR
            self.findings.add(
                problem._replace(
                    node=node, property_index=place, property=prop.ident, severity=severity
                )
            )
        return mixed

    def _may_clash(self, node: int, pairs: list[Said]) -> bool:
        names, rules = tuple([name for name, _ in pairs]), self._rules
        clashes = self._clashing.get(names)
        if clashes is None or (node and names not in self.shapes):
            shape = list(map(rules.ident, names))
            categories = {
                Category.NONE if rule is None else rule.category for rule in map(rules.rule, shape)
            }
            needed = FINDERS.needed(shape, categories, rules.table, lints=self._lints)
            clashes = self._clashing[names] = needed != []
            if node:
                self.shapes[names] = shape, categories
        return clashes

    def _look_at_node(self, node: int, content: Content) -> None:
        for finding in self._together(content):
            place = finding.property_index
            ident = None if place is None else content[place].ident
            self.findings.add(finding._replace(node=node, property=ident))

    def _is_broken(self, node: int, content: Content) -> bool:
        """Return whether the properties of a node together have an error; found out once."""
        if self._judged[0] != node:
            findings = self._together(content)
            self._judged = node, any(one.severity is Severity.ERROR for one in findings)
        return self._judged[1]

    def _together(self, content: Content) -> Iterator[Finding]:
        """Yield the findings about the properties of a node together."""
        for finder in self._of_nodes:
            yield from finder.look(content, self._rules)

    def may_concern(self, finder: Finder) -> bool:
        root = finder.root
        return (
            finder.only_if is None
            or root is None
            or self._rules.format is Format.GGF
            or any(prop.ident in root for prop in self._root)
            or any(
                are_needed(finder.only_if, *shape, self._rules.table)
                for shape in self.shapes.values()
            )
        )


# ---- properties that the table does not know ----

#: Length that a private identifier of FF[4] should have at most.
LONGEST_NAME = 2


LONG_IDENTIFIER = register("S117 long-identifier info: a private name of more than two letters")
OTHER_FORMAT = register("T209 other-format info: a property that its format does not define")
UNKNOWN_PROPERTY = register("D501 unknown-property info: a property that no standard defines")


DAMAGED_ANALYSIS = register("D531 damaged-analysis info: an analysis that cannot be read")


def _strangers(
    nodes: Nodes, strangers: dict[str, list[tuple[int, int, int]]], *, lints: bool
) -> Iterator[Finding]:
    """Report unknown properties, each where it first occurs; those of engines are read, too."""
    for ident, places in strangers.items():
        damaged = _damaged_analysis(nodes, ident, places) if lints else None
        if damaged is not None:
            yield damaged
            continue
        node, place, length = places[0]
        rule, message = _stranger(nodes, ident, nodes.contents[node][place].raw)
        if places[1:]:
            message += f" ({len(places)} times in this game)"
        yield rule.found(message, nodes.places.name(node, place, length), node=node, property=ident)


def _damaged_analysis(
    nodes: Nodes, ident: str, places: list[tuple[int, int, int]]
) -> Finding | None:
    if nodes.rules.game is not GO or ident not in late.ANALYSIS_PROGRAMS:
        return None
    contents = nodes.contents
    whys = [late.why_damaged(ident, contents[node][place].raw) for node, place, _ in places]
    count = len(whys) - whys.count("")
    if not count:
        return None
    first = next(at for at, why in enumerate(whys) if why)
    node, place, _ = places[first]
    message = f"{ident}[{shorten(contents[node][place].raw[-1])}] is no analysis of"
    message += f" {late.ANALYSIS_PROGRAMS[ident]}: {whys[first]}"
    if count > 1:
        message += f" ({count} times in this game)"
    help_ = "analyze the game again; the value is kept unchanged"
    return DAMAGED_ANALYSIS.found(message, help=help_, node=node, property_index=place)


def _stranger(nodes: Nodes, ident: str, raws: Sequence[str]) -> tuple[Rule, str]:
    """Return rule and message for a property that the table of the game's format does not have.

    It is that of another game only if the values are, too: DI of backgammon is two dice.
    """
    rules = nodes.rules
    format_ = rules.format.shown
    elsewhere = rules.table.elsewhere(rules.format, ident)
    other = [
        rule
        for rule in elsewhere
        if rule.format is not Format.GGF and (rule.game is None or _has_type(rules, rule, raws))
    ]
    if rules.format is Format.GGF or not other:
        of_games = any(rule.format is rules.format for rule in elsewhere)
        where = f"{rules.game.name} in {format_}" if of_games else format_
        message = f"{ident} is not a property of {where}; it is kept unchanged"
        if rules.format is Format.FF4 and len(ident) > LONGEST_NAME:
            return LONG_IDENTIFIER, f"{message}; private names should have at most two letters"
        return UNKNOWN_PROPERTY, message
    if other[0].format is rules.format:
        games = [rule.game for rule in other if rule.format is rules.format and rule.game]
        names = " and ".join(rules.table.game(rules.format, game, "").name for game in games)
        return OTHER_FORMAT, f"{ident} is a property of {names}, not of {rules.game.name}"
    formats = " and ".join(dict.fromkeys(rule.format.shown for rule in other))
    return OTHER_FORMAT, f"{ident} is a property of {formats}, not of {format_}"


def _has_type(rules: RuleSet, rule: PropertyRule, raws: Sequence[str]) -> bool:
    """Return whether values are of a property's type in its game; points may be as in this game."""
    if any(kind in DOUBTFUL for kinds in rule.types for kind in kinds):
        return True
    read = reader(rule.format, rules.table.game(rule.format, rule.game, ""))
    return all(read.fits(rule, raw) for raw in raws)

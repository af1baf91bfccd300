"""Check a game that parses: its values, and the places of its properties.

Source: FF[4], "Property types" and "Private properties"; FF[3], "Properties".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sgf_lark.check.games.off_board import OffBoard
from sgf_lark.check.games.registry import check_game_rules
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.grammar.tokens import name_pattern
from sgf_lark.model.collection import GameTree
from sgf_lark.model.content import Written
from sgf_lark.model.node_rules import NODE_CHECKS, NODE_LINTS, may_fire
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Property, category
from sgf_lark.model.ruleset import RuleSet, parse_number
from sgf_lark.model.tree_rules import tree_checks
from sgf_lark.read.detect_format import FORMATS, Choice
from sgf_lark.read.whole_games import Suspects
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GAMES, OLD_GAMES
from sgf_lark.schema.values import Invalid

from .findings import complete_finding
from .value_lints import SWALLOWED, check_property
from .wrong_game import find_other_game


def check_game(
    game: GameTree,
    number: int,
    choice: Choice,
    asked: frozenset[str] | None = None,
    suspected: Suspects | None = None,
) -> list[Finding]:
    """Check a game alone: its findings in no particular order, consequences of others included.

    Args:
        game: It knows its text.
        number: Which one of the file, from 0.
        choice: How its format was found.
        asked: Names of the strict rules to check; the others find nothing.
            None for who only reads: then rules of taste are left out, too.
        suspected: The nodes that may have findings; None for all nodes.
    """
    nodes, lints = game.nodes, asked is not None
    of_trees = tree_checks(game.format, lints=lints)
    complete = partial(complete_finding, nodes=nodes, game=number)
    findings: list[Finding] = []
    suspects: Sequence[int] = ()
    other: Finding | None = None
    if suspected is not None and not suspected.offsets:
        of_trees = [check for check in of_trees if check.needs is None]
    else:
        suspects, is_valid = _suspects(nodes, suspected)
        findings += map(complete, _format_and_game(game, choice))
        findings += map(complete, _strangers(nodes, suspects))
        findings += map(complete, _contents(nodes, suspects, is_valid, lints=lints))
        other = find_other_game(game, findings)
        if other is not None:
            findings.append(complete(other))
    with_root = suspects if 0 in suspects else [0, *suspects]
    for check in of_trees:
        seen = range(len(nodes)) if check.needs is None else with_root
        findings += map(complete, check.look(nodes, seen))
    if other is None:
        if suspects:
            findings += map(complete, OffBoard(game).of_nodes(suspects))
        if asked is not None:
            findings += map(complete, check_game_rules(game, asked))
    return findings


def _suspects(
    nodes: Nodes, suspected: Suspects | None
) -> tuple[Sequence[int], Callable[[Property], bool]]:
    """Return the numbers of the nodes that may have findings, and a test for valid properties.

    No other than the first has properties that belong into the first.
    """
    contents = nodes.contents
    if suspected is None or not isinstance(contents, Written):
        return range(len(nodes)), lambda _: False
    return sorted({*map(contents.node_at, suspected.offsets)}), suspected.typed.accepts_property


# ---- format and game ----


def _format_and_game(game: GameTree, choice: Choice) -> Iterator[Finding]:
    root = game.nodes.contents[0]
    if game.format is Format.GGF:
        return
    places = {prop.ident: place for place, prop in reversed(list(enumerate(root)))}
    if "FF" not in places:
        if not choice.given:
            start = game.nodes.places.node(0, 0)
            if choice.reason:
                message = (
                    f"missing FF, which by the standard means FF[1]; read as {game.format.shown},"
                    f" because of {choice.reason}"
                )
            else:
                message = f"missing FF: read as {game.format.shown}, as the standard defines"
            help_ = f"write {game.format.shown} into the first node"
            yield Finding("missing-format", message, start, help_)
    else:
        place = places["FF"]
        value = root[place].value
        if value not in FORMATS and not isinstance(value, Invalid):
            message = f"FF[{shorten(root[place].raw[0])}] is not a format of the standard"
            help_ = f"it is read as {game.format.shown}; write FF[4]"
            span = game.nodes.places.value(0, place, 0)
            yield Finding("unknown-format", message, span, help_, node=0, property="FF")
    if "GM" in places:
        place = places["GM"]
        value = root[place].value
        if isinstance(value, int) and value not in game.nodes.rules.table.numbered:
            message = f"GM[{value}] is not a game of the standard"
            span = game.nodes.places.value(0, place, 0)
            yield Finding(
                "unknown-game", message, span, "the standard lists 1 to 40", node=0, property="GM"
            )
        elif isinstance(value, int) and not _is_game_of_format(value, game.nodes.rules):
            name = GAMES[value].name
            message = f"GM[{value}] is {name} in FF[4]; {game.format.shown} does not have it"
            span = game.nodes.places.value(0, place, 0)
            help_ = "declare FF[4]"
            yield Finding(
                "unknown-game", message, span, help_, Severity.INFO, node=0, property="GM"
            )


def _is_standard_format(raw: str, _rules: RuleSet) -> bool:
    return parse_number(raw) in FORMATS


def _is_standard_game(raw: str, rules: RuleSet) -> bool:
    return _is_game_of_format(parse_number(raw), rules)


def _is_game_of_format(number: int | None, rules: RuleSet) -> bool:
    """Return whether a format, or who extends its table, has a game of the number."""
    if number is None:
        return False
    custom = rules.table.numbered.get(number)
    is_custom = custom is not None and custom is not GAMES.get(number)
    return is_custom or number in OLD_GAMES.get(rules.format, GAMES)


#: Properties of the root that declare format and game: whether a raw value is the standard's.
DECLARATIONS = {"FF": _is_standard_format, "GM": _is_standard_game}


# ---- properties and nodes, wherever they stand ----


def _contents(
    nodes: Nodes, suspects: Sequence[int], is_valid: Callable[[Property], bool], *, lints: bool
) -> Iterator[Finding]:
    """Check properties and nodes."""
    rules = nodes.rules
    of_shapes: dict[tuple[str, ...], bool] = {}
    of_nodes = () if rules.format is Format.GGF else NODE_CHECKS
    for node in suspects:
        content = nodes.contents[node]
        mixed = False
        for place, prop in enumerate(content):
            if is_valid(prop):
                continue
            for problem in check_property(prop, rules, lints=lints):
                mixed = mixed or problem.name == SWALLOWED
                yield problem._replace(node=node, property_index=place)
        shape = tuple([prop.ident for prop in content])
        clashes = of_shapes.get(shape)
        if clashes is None:
            categories = set(map(category, content))
            clashes = of_shapes[shape] = may_fire(shape, categories, rules.table, lints=lints)
        if clashes and not mixed:  # with the properties of other nodes
            for check in (*of_nodes, *NODE_LINTS) if lints else of_nodes:
                for finding in check.look(content, rules):
                    yield finding._replace(node=node)


# ---- properties that the table does not know ----

#: Length that a private identifier of FF[4] should have at most.
LONGEST_NAME = 2


def _strangers(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
    """Report unknown properties, each where it first occurs."""
    legal = name_pattern(nodes.rules.file)
    strangers: dict[str, list[tuple[int, int, int]]] = {}
    for node in suspects:
        for place, prop in enumerate(nodes.contents[node]):
            if prop.rule is None and legal.fullmatch(prop.name):  # else its name is reported
                strangers.setdefault(prop.ident, []).append((node, place, len(prop.name)))
    for ident, places in strangers.items():
        node, place, length = places[0]
        name, message = _stranger(nodes, ident)
        if places[1:]:
            message += f" ({len(places)} times in this game)"
        yield Finding(
            name, message, nodes.places.name(node, place, length), node=node, property=ident
        )


def _stranger(nodes: Nodes, ident: str) -> tuple[str, str]:
    """Return rule and message for a property that the table of the game's format does not have."""
    rules = nodes.rules
    format_ = rules.format.shown
    elsewhere = rules.table.elsewhere(rules.format, ident)
    other = [rule for rule in elsewhere if rule.format is not Format.GGF]
    if rules.format is Format.GGF or not other:
        message = f"{ident} is not a property of {format_}; it is kept unchanged"
        if rules.format is Format.FF4 and len(ident) > LONGEST_NAME:
            return "long-identifier", f"{message}; private identifiers should have two capitals"
        return "unknown-property", message
    if other[0].format is rules.format:
        games = [rule.game for rule in other if rule.format is rules.format and rule.game]
        names = " and ".join(rules.table.game(rules.format, game, "").name for game in games)
        return "other-format", f"{ident} is a property of {names}, not of {rules.game.name}"
    formats = " and ".join(dict.fromkeys(rule.format.shown for rule in other))
    return "other-format", f"{ident} is a property of {formats}, not of {format_}"

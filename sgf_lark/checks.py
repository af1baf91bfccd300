"""What is wrong with a game that parses: its values, and where its properties stand.

Source: FF[4], "Property types" and "Private properties"; FF[3], "Properties".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .diagnostics import RULES, Finding, Severity
from .games import GAMES
from .grammars import Format
from .model import GameTree
from .node import Nodes
from .positions import Span
from .properties import Category
from .property import COLORS, Content, Property
from .reading import Problem, shorten
from .syntax import name_pattern


class Choice(NamedTuple):
    """Which format a game is read as, and why.

    Attributes:
        given: The caller or the file's own FF said so.
        reason: If neither did: the property that FF[1] does not have so; "" if it has all.
    """

    given: bool
    reason: str = ""


def check_game(
    game: GameTree, number: int, choice: Choice, asked: frozenset[str] = frozenset()
) -> list[Finding]:
    """All findings about a game, in no particular order.

    Args:
        game: It knows its text.
        number: Which one of the file, from 0.
        choice: How its format was found.
        asked: Names of the strict rules that somebody asks for; the others find nothing.
    """
    nodes = game.nodes
    found = list(_format_and_game(game, choice))
    found += _properties(nodes)
    found += _structure(nodes)
    wanted = (one for one in found if one.name in asked or not RULES[one.name].strict)
    return [_placed(one, nodes, number) for one in wanted]


def _placed(finding: Finding, nodes: Nodes, number: int) -> Finding:
    """A finding that knows its game, its node's path and the move number there."""
    if finding.node_path is None:
        return finding._replace(game=number)
    node = int(finding.node_path)
    path, move_number = nodes.path(node), nodes.move_numbers[node]
    return finding._replace(game=number, node_path=path, move_number=move_number)


def _finding(  # the parts of a place
    name: str,
    message: str,
    span: Span,
    node: int,
    ident: str,
    help_: str = "",
    severity: Severity | None = None,
    value_index: int | None = None,
) -> Finding:
    """A finding whose path is still the number of its node."""
    return Finding(
        name,
        message,
        span,
        help_,
        severity,
        node_path=str(node),
        property=ident,
        value_index=value_index,
    )


# ---- format and game ----


def _format_and_game(game: GameTree, choice: Choice) -> Iterator[Finding]:
    root = game.nodes.contents[0]
    if game.format is Format.GGF:
        return
    places = {one.ident: place for place, one in reversed(list(enumerate(root)))}
    if "FF" not in places:
        if not choice.given:
            start = game.nodes.places.node(0, 0)
            if choice.reason:
                message = (
                    f"no FF, which by the standard means FF[1]; read as {game.format.shown},"
                    f" because of {choice.reason}"
                )
            else:
                message = f"no FF: read as {game.format.shown}, as the standard says"
            yield Finding("missing-format", message, start, "write FF[4] into the first node")
    else:
        place = places["FF"]
        value = root[place].value
        if value not in {1, 2, 3, 4} or isinstance(value, bool):
            message = f"FF[{shorten(root[place].raw[0])}] is no format of the standard"
            help_ = f"it is read as {game.format.shown}; write FF[4]"
            span = game.nodes.places.value(0, place, 0)
            yield _finding("unknown-format", message, span, 0, "FF", help_)
    if "GM" in places:
        place = places["GM"]
        value = root[place].value
        if isinstance(value, int) and value not in GAMES:
            message = f"GM[{value}] is no game of the standard"
            span = game.nodes.places.value(0, place, 0)
            yield _finding("unknown-game", message, span, 0, "GM", "the standard lists 1 to 40")


# ---- properties one by one ----


def _properties(nodes: Nodes) -> Iterator[Finding]:
    """What is wrong with properties wherever they stand.

    Properties that are written alike are looked at once; one that the table does not know
    is reported where it first stands.
    """
    troubled: dict[Property, tuple[Problem, ...]] = {}
    legal = name_pattern(nodes.rules.format)
    strangers: dict[str, list[tuple[int, int, int]]] = {}
    for node, content in enumerate(nodes.contents):
        for place, one in enumerate(content):
            problems = troubled.get(one)
            if problems is None:
                problems = troubled[one] = _problems(one)
            if one.rule is None and legal.fullmatch(one.ident):  # else its name is reported
                strangers.setdefault(one.ident, []).append((node, place, len(one.name)))
            for problem in problems:
                if problem.value_index is None:
                    span = nodes.places.property(node, place)
                else:
                    span = nodes.places.value(node, place, problem.value_index)
                name, message, help_, index, severity = problem
                yield _finding(name, message, span, node, one.ident, help_, severity, index)
    for ident, places in strangers.items():
        node, place, length = places[0]
        name, message = _stranger(nodes, ident)
        if places[1:]:
            message += f" ({len(places)} times in this game)"
        yield _finding(name, message, nodes.places.name(node, place, length), node, ident)


def _problems(one: Property) -> tuple[Problem, ...]:
    """What is wrong with the values of a property."""
    found = one.problems
    for index, raw in enumerate(one.raw):
        if "\0" in raw:
            message = f"a NUL character in a value of {one.ident}"
            found += (Problem("nul-character", message, "remove it", index),)
    return found


def _stranger(nodes: Nodes, ident: str) -> tuple[str, str]:
    """What a property is that the table of the game's format does not have."""
    rules = nodes.rules
    format_ = rules.format.shown
    elsewhere = rules.table.elsewhere(rules.format, ident)
    other = [rule for rule in elsewhere if rule.format is not Format.GGF]
    if rules.format is Format.GGF or not other:
        return "unknown-property", f"{ident} is no property of {format_}; it is kept as it is"
    if other[0].format is rules.format:
        games = [rule for rule in other if rule.format is rules.format and rule.game in GAMES]
        names = " and ".join(GAMES[rule.game or 0].name for rule in games)
        return "other-format", f"{ident} is a property of {names}, not of {rules.game.name}"
    shown = " and ".join(dict.fromkeys(rule.format.shown for rule in other))
    return "other-format", f"{ident} is a property of {shown}, not of {format_}"


# ---- where properties stand ----


def _structure(nodes: Nodes) -> Iterator[Finding]:
    """Rules about the nodes that properties stand in."""
    format_ = nodes.rules.format
    info_above = [-1] * len(nodes)
    shapes: dict[tuple[str, ...], bool] = {}
    for node, content in enumerate(nodes.contents):
        above = nodes.parents[node]
        earlier = info_above[above] if above >= 0 else -1
        info_above[node] = earlier
        idents = tuple(one.ident for one in content)
        doubtful = shapes.get(idents)
        if doubtful is None:
            doubtful = shapes[idents] = _is_doubtful(content)
        info = False
        if doubtful:
            if len(set(idents)) < len(idents):
                yield from _duplicates(content, node, nodes)
            if node > 0 and format_ is not Format.GGF:
                yield from _root_properties(content, node, nodes)
                info = any(_category(one) is Category.GAME_INFO for one in content)
            yield from _mixtures(content, node, nodes)
        if node == 0:
            info = any(_category(one) is Category.GAME_INFO for one in content)
        if info:
            if earlier >= 0 and format_ is not Format.GGF:
                yield _second_info(nodes, node, earlier)
            else:
                info_above[node] = node


def _category(one: Property) -> Category:
    return Category.NONE if one.rule is None else one.rule.category


def _is_doubtful(content: Content) -> bool:
    """Anything in a node of this shape may be against a rule of this section."""
    if len(content) == 1:
        return _category(content[0]) in {Category.ROOT, Category.GAME_INFO}
    categories = {_category(one) for one in content}
    idents = [one.ident for one in content]
    return (
        len(set(idents)) < len(idents)
        or bool(categories & {Category.ROOT, Category.GAME_INFO})
        or {Category.SETUP, Category.MOVE} <= categories
        or set(COLORS) <= set(idents)
    )


def _duplicates(content: Content, node: int, nodes: Nodes) -> Iterator[Finding]:
    """FF[3] and FF[4]: one of each property in a node; FF[1] does not say."""
    severity = None if nodes.rules.format in {Format.FF3, Format.FF4} else Severity.WARNING
    seen: set[str] = set()
    for place, one in enumerate(content):
        if one.ident in seen:
            message = f"{one.ident} stands twice in this node"
            span = nodes.places.property(node, place)
            help_ = "put all values behind the first one" if one.raw else ""
            yield _finding("duplicate-property", message, span, node, one.ident, help_, severity)
        seen.add(one.ident)


def _root_properties(content: Content, node: int, nodes: Nodes) -> Iterator[Finding]:
    for place, one in enumerate(content):
        if _category(one) is Category.ROOT:
            message = f"{one.ident} belongs into the first node of a game"
            span = nodes.places.property(node, place)
            help_ = "move it there, or remove it"
            yield _finding("root-outside-root", message, span, node, one.ident, help_)


def _mixtures(content: Content, node: int, nodes: Nodes) -> Iterator[Finding]:
    """Moves of both colors, and moves with setup, in one node."""
    if nodes.rules.format is Format.GGF:
        return
    idents = [one.ident for one in content]
    if set(COLORS) <= set(idents):
        place = max(idents.index("B"), idents.index("W"))
        severity = None if nodes.rules.format is Format.FF4 else Severity.WARNING
        message = "a move of Black and a move of White in one node"
        help_ = "give each its own node: put ';' before the second"
        span = nodes.places.property(node, place)
        yield _finding("two-moves", message, span, node, idents[place], help_, severity)
    if nodes.rules.format is not Format.FF4:
        return  # FF[1] and FF[3] allow what follows
    setup = [place for place, one in enumerate(content) if _category(one) is Category.SETUP]
    moves = [place for place, one in enumerate(content) if _category(one) is Category.MOVE]
    if setup and moves:
        place = max(setup[0], moves[0])
        message = f"setup ({idents[setup[0]]}) and move ({idents[moves[0]]}) in one node"
        help_ = "give the move its own node: put ';' before it"
        span = nodes.places.property(node, place)
        yield _finding("setup-with-move", message, span, node, idents[place], help_)


def _second_info(nodes: Nodes, node: int, earlier: int) -> Finding:
    content = nodes.contents[node]
    place = next(place for place, one in enumerate(content) if _category(one) is Category.GAME_INFO)
    ident = content[place].ident
    where = "the first node" if earlier == 0 else f"node {nodes.path(earlier)}"
    severity = None if nodes.rules.format is Format.FF4 else Severity.WARNING
    message = f"{ident} is about the whole game, which {where} already describes"
    help_ = "move it there, or into a comment"
    span = nodes.places.property(node, place)
    return _finding("second-game-info", message, span, node, ident, help_, severity)

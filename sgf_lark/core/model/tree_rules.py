"""Checks of where in a game its properties are: in the root, on a path, after a PL.

Each check goes through nodes once, in the order of the file, where a parent comes before its
children: all of them, or those about which there may be something to say: the root, and
at least those that have what the check needs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from decimal import Decimal

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import NOWHERE, Finding, Severity, register
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.properties import COLORS, TIMES, Category, Group
from sgf_lark.core.schema.values import Color
from sgf_lark.core.text.charset_names import UNKNOWN_ENCODING, is_known

from .finders import EVERY, TREES, On, OnlyIf, finds, never
from .node_rules import DUPLICATE_PROPERTY, repeated
from .nodes import Nodes
from .property import category
from .readings import Content
from .ruleset import name_of_file


def _begins_game(content: Content) -> bool:
    return Group.KIND.idents <= {prop.ident for prop in content}


def _are(content: Content, wanted: Category) -> list[int]:
    return [place for place, prop in enumerate(content) if category(prop) is wanted]


ROOT_OUTSIDE_ROOT = register("T204 root-outside-root error: a root property outside the root")


GAME_WITHIN_GAME = register("T220 game-within-game error: a game that begins inside another")


def another_game(span: Span = NOWHERE, node: int | None = None) -> Finding:
    message = "another game begins inside this one"
    return GAME_WITHIN_GAME.found(message, span, "write ')' and '(' before this node", node=node)


EXTRA_CLOSE = register("S106 extra-close error: a ')' that closes nothing")


def extra_close(span: Span) -> Finding:
    return EXTRA_CLOSE.found("a ')' that closes nothing", span, "remove it")


@finds(
    ROOT_OUTSIDE_ROOT,
    GAME_WITHIN_GAME,
    on=On.TREE,
    only_if=OnlyIf(categories=frozenset({Category.ROOT})),
    root={},
    formats=TREES,
)
def _outside_root(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
    """Root properties are in the root, and another game is a game tree of its own."""
    first = next((node for node, content in enumerate(nodes.contents) if content), 0)
    for node in suspects:
        content = nodes.contents[node]
        if node == 0 or not _are(content, Category.ROOT):
            continue
        if _begins_game(content) and node > first:
            yield another_game(node=node)
            continue
        places = _are(content, Category.ROOT)
        idents = list(dict.fromkeys(content[place].ident for place in places))
        many = len(idents) > 1
        names = " and ".join(filter(None, [", ".join(idents[:-1]), idents[-1]]))
        message = f"{names} belong{'' if many else 's'} in the first node of a game"
        help_ = f"move {'them' if many else 'it'} there, or remove {'them' if many else 'it'}"
        yield ROOT_OUTSIDE_ROOT.found(message, help=help_, node=node, property_index=places[0])


SECOND_GAME_INFO = register("T205 second-game-info error: game-info twice on one path")


@finds(
    SECOND_GAME_INFO,
    on=On.TREE,
    only_if=OnlyIf(categories=frozenset({Category.GAME_INFO})),
    root={},
    formats=TREES,
)
def _second_info(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
    """On a path one node describes the game."""
    if len(suspects) < 2:  # noqa: PLR2004  # one may
        return
    informed = {node for node in suspects if _are(nodes.contents[node], Category.GAME_INFO)}
    if len(informed) < 2:  # noqa: PLR2004  # one may
        return
    others = {node for node in suspects if node and _begins_game(nodes.contents[node])}
    above = array("q", [-1]) * len(nodes)
    severity = None if nodes.rules.format is Format.FF4 else Severity.WARNING
    for node, parent in enumerate(nodes.parents):
        earlier = above[node] = above[parent] if parent >= 0 else -1
        if node in others:
            earlier = above[node] = -1
        if node not in informed:
            continue
        if earlier < 0:
            above[node] = node
            continue
        content = nodes.contents[node]
        place = _are(content, Category.GAME_INFO)[0]
        ident = content[place].ident
        where = "the first node" if earlier == 0 else f"node {nodes.tree.path(earlier)}"
        message = f"game-info property {ident} again: {where} already has game info"
        help_ = "move it there, or into a comment"
        yield SECOND_GAME_INFO.found(
            message,
            help=help_,
            severity=severity,
            node=node,
            property_index=place,
            facts={"value": shorten("".join(content[place].raw[:1]))},
        )


MOVE_IN_ROOT = register("T214 move-in-root warning: a move in the first node")


@finds(MOVE_IN_ROOT, on=On.TREE, only_if=(), root=dict.fromkeys(COLORS, never), formats=TREES)
def _move_in_root(nodes: Nodes, _: Sequence[int]) -> Iterator[Finding]:
    """A move in the root is bad style in FF[4]; with setup, it is reported as such."""
    content = nodes.contents[0]
    moves = [place for place, prop in enumerate(content) if prop.ident in COLORS]
    if moves and not (nodes.rules.format is Format.FF4 and _are(content, Category.SETUP)):
        ident = content[moves[0]].ident
        message = f"the first node plays a move ({ident}), which many programs overlook"
        help_ = "write ';' before it"
        severity = None if nodes.rules.format is Format.FF4 else Severity.INFO
        yield MOVE_IN_ROOT.found(
            message, help=help_, severity=severity, node=0, property_index=moves[0]
        )


@finds(UNKNOWN_ENCODING, on=On.TREE, only_if=(), root={"CA": lambda raw, _: is_known(raw.strip())})
def _charset(nodes: Nodes, _: Sequence[int]) -> Iterator[Finding]:
    """CA names a known encoding, even if all text is ASCII."""
    for place, prop in enumerate(nodes.contents[0]):
        if prop.ident == "CA" and prop.rule is not None and prop.raw[0].strip():
            name = prop.raw[0].strip()
            if "[" not in name and not is_known(name):
                message = f"unknown encoding in CA[{shorten(name)}]"
                help_ = "write the name of the encoding that the file is saved in, such as UTF-8"
                yield UNKNOWN_ENCODING.in_root(message, help_, place)


#: Properties that a GGF game may have many of.
REPEATED = frozenset({*COLORS, "CO"})


@finds(
    DUPLICATE_PROPERTY,
    on=On.TREE,
    only_if=OnlyIf(beside=REPEATED),
    root={},
    formats=EVERY - TREES,
)
def _repeated(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
    """A GGF game has one of each property, but for moves and comments."""
    places: dict[str, list[tuple[int, int]]] = {}
    for node in suspects:
        for place, prop in enumerate(nodes.contents[node]):
            if prop.ident not in REPEATED:
                places.setdefault(prop.ident, []).append((node, place))
    for ident, (_first, *others) in places.items():
        if others:
            times = f"{len(others) + 1} times" if others[1:] else "twice"
            message = f"{ident} occurs {times} in this game"
            help_ = "keep the one that is meant"
            node, place = others[0]
            yield repeated(message, help_)._replace(node=node, property_index=place)


# ---- what only people mind ----


MISSING_ROOT_PROPERTY = register("T211 missing-root-property info: a game without GM or SZ")


@finds(MISSING_ROOT_PROPERTY, on=On.TREE, formats=TREES, is_lint=True)
def _missing_in_root(nodes: Nodes, _: Sequence[int]) -> Iterator[Finding]:
    """The root declares the game and the board size."""
    rules = nodes.rules
    idents = {prop.ident for prop in nodes.contents[0]}
    if not idents and len(nodes) > 1 and _begins_game(nodes.contents[1]):
        return  # it only has a ';' too many
    missing = ["GM"] if "GM" not in idents else []
    size = rules.game.size
    if "SZ" not in idents and (size is not None or rules.game.any_size):
        missing.append("SZ")
    if missing:
        name, what = rules.game.name, " and ".join(missing)
        if missing == ["SZ"] and size is None:
            message = f"missing SZ: the standard defines no default board size for {name}"
        else:
            board = (
                f" on a board of {size.columns} by {size.rows}" if size and "SZ" in missing else ""
            )
            means, why = ":", ""
            if "GM" in missing and rules.game.number != GameNumber.GO:
                means = ", which by the standard means Go;"
                is_in_name = name_of_file(rules, nodes.contents[0])
                why = ", because of " + ("the name of the file" if is_in_name else "EV")
            message = f"missing {what}{means} read as {name}{board}{why}"
        help_ = f"write {what} into the first node"
        yield MISSING_ROOT_PROPERTY.found(message, help=help_, node=0)


PLAYER_MISMATCH = register("T221 player-mismatch warning: a PL that the next move contradicts")


@finds(PLAYER_MISMATCH, on=On.TREE, formats=TREES, is_lint=True)
def _player_mismatch(nodes: Nodes, _: Sequence[int]) -> Iterator[Finding]:
    contents, parents = nodes.contents, nodes.parents
    turns: dict[int, tuple[int, Color]] = {}
    last = -1  # the last node that was looked at
    for start in dict.fromkeys(nodes.having({"PL"})):
        for node in range(start, len(nodes) if start > last else start):
            if node > start and parents[node] != node - 1:
                break
            last, content = node, contents[node]
            move = next((prop for prop in content if prop.ident in COLORS), None)
            before = turns.get(node - 1) if parents[node] == node - 1 else None
            if before is not None and move is None:
                turns[node] = before
            elif before is not None and move is not None and COLORS[move.ident] is not before[1]:
                at, color = before
                place = [prop.ident for prop in contents[at]].index("PL")
                who = color.name.capitalize()
                message = f"PL[{color}] has {who} to play, but {shorten(str(move))} follows"
                help_ = "correct PL or the color of the move"
                yield PLAYER_MISMATCH.found(message, help=help_, node=at, property_index=place)
            player = next((prop for prop in content if prop.ident == "PL"), None)
            if move is None and player and player.values and isinstance(player.values[0], Color):
                turns[node] = node, player.values[0]
            if node not in turns:
                break


DOUBTFUL_PLAYERS = register(
    "T222 doubtful-players warning: players who contradict each other", strict=True
)


@finds(DOUBTFUL_PLAYERS, on=On.TREE, is_lint=True)
def _players(nodes: Nodes, _: Sequence[int]) -> Iterator[Finding]:
    """The sides are different people and teams, and who has a rank or a team has a name."""
    content = nodes.contents[0]
    places = {
        prop.ident: place for place, prop in enumerate(content) if prop.ident in Group.PLAYER.idents
    }
    texts = {ident: " ".join(content[place].raw).strip() for ident, place in places.items()}
    faults: list[tuple[str, str, str]] = []
    for ident, other in (("PB", "PW"), ("BT", "WT"), ("PB", "WT"), ("PW", "BT")):
        if texts.get(ident) and texts[ident] == texts.get(other):
            message = f"{ident} and {other} are identical ({shorten(texts[ident])!r})"
            faults.append((other, message, "correct the one that is wrong"))
    for player, *others in (("PB", "BT", "BR"), ("PW", "WT", "WR")):
        for ident in others:
            if texts.get(ident) and not texts.get(player):
                what = "team" if ident[1] == "T" else "rank"
                message = f"{ident} without {player}: the {what} of a player without a name"
                faults.append((ident, message, f"write {player}"))
    for ident, message, help_ in faults:
        yield DOUBTFUL_PLAYERS.in_root(message, help_, places[ident])


OVERTIME_CONFLICT = register("T225 overtime-conflict warning: OB or OW that OT contradicts")

#: The time that is left, by the property of the stones or periods beside it.
_TIMES = {count: time for time, count in TIMES.values()}


@finds(
    OVERTIME_CONFLICT,
    on=On.TREE,
    only_if=OnlyIf(frozenset(_TIMES)),
    root={},
    formats=TREES,
    is_lint=True,
)
def _overtime(nodes: Nodes, suspects: Sequence[int]) -> Iterator[Finding]:
    """The stones or periods that are left of overtime are no more than it has.

    Beside all of them a longer time may be the main time.
    """
    texts = [prop.raw[0] for prop in nodes.contents[0] if prop.ident == "OT" and prop.raw]
    clock = late.read_overtime(texts[0]) if texts else None
    if clock is None:
        return
    most, what = {
        "canadian": (clock.extension.moves, "stones"),
        "japanese": (clock.periods, "periods"),
    }.get(clock.system, (None, ""))
    seconds = clock.extension.seconds
    said = f"OT[{shorten(texts[0])}]"
    for node in suspects:
        values = {prop.ident: prop.value for prop in nodes.contents[node]}
        for place, prop in enumerate(nodes.contents[node]):
            left, number = values.get(_TIMES.get(prop.ident, "")), prop.value
            if prop.ident not in _TIMES or not isinstance(number, int):
                continue
            if not what:
                message = f"{prop} counts stones or periods, of which {said} has none"
            elif most is not None and number > most:
                message = f"{prop} is more than the {most} {what} of {said}"
            elif isinstance(left, Decimal) and left > seconds and number != most:
                time = _TIMES[prop.ident]
                message = f"{time}[{left}] beside {prop} is longer than a period of {said}"
            else:
                continue
            yield OVERTIME_CONFLICT.found(
                message, help="correct OT or the move", node=node, property_index=place
            )
            return

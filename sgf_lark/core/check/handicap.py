"""Handicap of Go as programs write it: stones as moves, HA of one stone or none.

Source: FF[4], Go, HA: the stones of a handicap of at least 2 are set up with AB in its node.
"""

from __future__ import annotations

from typing import NamedTuple

from sgf_lark.core.findings.diagnostic import (
    Edit,
    Fix,
    deletion,
    insertion,
    make_fix,
    shorten,
    substitution,
)
from sgf_lark.core.findings.finding import Finding, Severity, register
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import category
from sgf_lark.core.model.readings import show_values
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.properties import COLORS, Category, Group
from sgf_lark.core.schema.values import Point


class FirstMoves(NamedTuple):
    """The moves of Black with which a game begins: of each its node and its place there."""

    moves: list[tuple[int, int]]
    reply: int


HANDICAP_AS_MOVES = register("G613 handicap-as-moves warning: handicap stones written as moves")


def with_handicap(nodes: Nodes, findings: list[Finding]) -> list[Finding]:
    """Return the findings about a game of Go, those about its handicap with their fixes."""
    if nodes.rules.game.number != GameNumber.GO or nodes.rules.format is Format.GGF:
        return findings
    handicap = next((prop for prop in nodes.contents[0] if prop.ident == "HA"), None)
    number = None if handicap is None else handicap.value
    run = _run(nodes, max(MAX_STONES, number) if isinstance(number, int) else MAX_STONES)
    if run is None or (len(run.moves) > MAX_STONES and number != len(run.moves)):
        return [_with_fix(nodes, finding) for finding in findings]
    reported = {(node, "B", "same-color-twice") for node, _ in run.moves}
    reported |= {(0, "HA", name) for name in ("doubtful-number", "out-of-range", "handicap-stones")}
    stones = f"{len(run.moves)} moves of Black"
    message = f"the game begins with {stones}, as if handicap stones were played"
    if number not in {None, 0, 1}:
        message = f"HA[{shorten(handicap.raw[0]) if handicap else ''}] and no AB: {message}"
    help_ = "set the stones up with AB in the first node, with HA, and PL[W] if White is to play"
    node, place = run.moves[0]
    has_players = any(prop.ident in Group.PLAYER.idents for prop in nodes.contents[0])
    is_diagram = handicap is None and not has_players
    as_moves = HANDICAP_AS_MOVES.found(
        message,
        help=help_,
        severity=Severity.INFO if is_diagram else None,  # as of a corner, where White tenukis
        node=node,
        property_index=place,
    )
    kept = [
        finding
        for finding in findings
        if (finding.node, finding.property, finding.name) not in reported
    ]
    return [*kept, _offer(as_moves, _as_setup(nodes, run))]


#: Handicaps of more stones are given by HA alone, not guessed from moves.
MAX_STONES = 9


def _run(nodes: Nodes, most: int) -> FirstMoves | None:
    """Return the moves of Black that begin the main line, 2 to ``most`` before White's and no
    setup.
    """
    moves: list[tuple[int, int]] = []
    for node in range(len(nodes)):
        content = nodes.contents[node]
        if node and nodes.parents[node] != node - 1:
            return None
        if any(category(prop) is Category.SETUP for prop in content):
            return None
        played = [place for place, prop in enumerate(content) if prop.ident in COLORS]
        if not played:
            continue
        move = content[played[0]]
        if played[1:] or len(move.values) != 1:
            return None
        if move.ident == "W":
            return FirstMoves(moves, node) if moves[1:] else None
        if not isinstance(move.values[0], Point) or len(moves) == most:
            return None
        moves.append((node, played[0]))
    return None


def _as_setup(nodes: Nodes, run: FirstMoves) -> Fix | None:
    """Set up the stones in the first node, and remove their moves.

    None where that says something else: HA is another number, a move is annotated or has a
    variation, or a point is named twice.
    """
    played = [nodes.contents[node][place] for node, place in run.moves]
    raws = [prop.raw[0] for prop in played]
    root = nodes.contents[0]
    edits: list[Edit] = []
    handicap = f"HA[{len(raws)}]"
    at = next((place for place, prop in enumerate(root) if prop.ident == "HA"), None)
    if at is not None:
        if root[at].value not in {0, len(raws)} or len(root[at].raw) != 1:
            return None
        edits.append(substitution(nodes.places.value(0, at, 0), str(len(raws))))
    if (
        len({prop.values[0] for prop in played}) < len(raws)
        or any(len([*nodes.tree.children(node)]) > 1 for node in range(run.reply))
        or any(prop.ident in ABOUT_MOVES for node, _ in run.moves for prop in nodes.contents[node])
    ):
        return None
    setup = "AB" + "".join(f"[{raw}]" for raw in raws) + "PL[W]"
    end = nodes.places.node(0, len(root)).end
    edits.append(insertion(end, setup if at is not None else handicap + setup))
    for node, place in run.moves:
        alone = node > 0 and len(nodes.contents[node]) == 1
        span = nodes.places.node(node, 1) if alone else nodes.places.property(node, place)
        edits.append(deletion(span))
    gone = ", ".join(f"B[{shorten(raw)}]" for raw in raws[:-1])
    message = (
        f"write {handicap}{setup} into the first node; this removes the moves {gone}"
        f" and B[{shorten(raws[-1])}]"
    )
    return make_fix(message, *edits, safe=False, removes=True)


#: What is about a move, and means nothing in a node without one.
ABOUT_MOVES = Group.NEEDS_MOVE.idents


def _with_fix(nodes: Nodes, finding: Finding) -> Finding:
    if (finding.name, finding.property, finding.node) not in ABOUT_HANDICAP:
        return finding
    root = nodes.contents[0]
    at = next(place for place, prop in enumerate(root) if prop.ident == "HA")
    stones = [prop for prop in root if prop.ident in Group.ADDS.idents]
    if root[at].value not in {0, 1} or len(root[at].raw) != 1:
        return finding
    if not stones:
        gone = show_values(root[at], [0])
        cut, message = deletion(nodes.places.property(0, at)), f"remove {gone} for an even game"
        return _offer(finding, make_fix(message, cut, safe=False, removes=True))
    return _offer(finding, _as_first_move(nodes, at)) if root[at].value == 1 else finding


def _offer(finding: Finding, fix: Fix | None) -> Finding:
    return finding if fix is None else finding._replace(fix=fix, help=fix.message)


ABOUT_HANDICAP = frozenset({("doubtful-number", "HA", 0), ("out-of-range", "HA", 0)})


def _as_first_move(nodes: Nodes, handicap: int) -> Fix | None:
    """Play the only stone that is set up, where White plays next."""
    root = nodes.contents[0]
    setup = [place for place, prop in enumerate(root) if category(prop) is Category.SETUP]
    stones = [place for place in setup if root[place].ident != "PL"]
    replies = [prop for child in nodes.tree.children(0) for prop in nodes.contents[child]]
    if (
        len(stones) != 1
        or root[stones[0]].ident != "AB"
        or len(root[stones[0]].values) != 1
        or not isinstance(root[stones[0]].values[0], Point)
        or len(setup) > 2  # noqa: PLR2004  # AB and PL
        or any(prop.ident in COLORS for prop in root)
        or not any(prop.ident == "W" for prop in replies)
        or any(prop.ident == "B" or category(prop) is Category.SETUP for prop in replies)
    ):
        return None
    gone = sorted([handicap, *setup])
    shown = "".join(show_values(root[place], range(len(root[place].raw))) for place in gone)
    end = nodes.places.node(0, len(root)).end
    raw = root[stones[0]].raw[0]
    edits = [deletion(nodes.places.property(0, place)) for place in gone]
    edits.append(insertion(end, f";B[{raw}]"))
    message = f"write ;B[{raw}], the first move; this removes {shown}"
    return make_fix(message, *edits, safe=False, removes=True)

"""Findings and edits: what the checks make, and the fixes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from sgf_lark.core.findings.diagnostic import Edit, Fix, new_edit, new_fix, shorten
from sgf_lark.core.findings.finding import NOWHERE, POINT_END, Finding
from sgf_lark.core.model.constraints import get_point
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.property import category
from sgf_lark.core.model.readings import Reading
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GO, IN_LETTERS
from sgf_lark.core.schema.properties import SETUP, Category
from sgf_lark.core.schema.values import Point, Rectangle
from sgf_lark.core.values.reader import UNUSUAL_FORM, WRONG_FORM


def name_beside(nodes: Nodes, prop: Reading, index: int = 0) -> str:
    """Return the players' name of a move or a point in parentheses, as `` (K13)``.

    It is empty in games whose records have the names, and for what is not on the board.
    """
    rules, value = nodes.rules, get_point(prop.values[index])
    if rules.game.number not in IN_LETTERS or rules.format is Format.GGF:
        return ""
    corners = (value.corners or ()) if isinstance(value, Rectangle) else (value,)
    name = ":".join(nodes.name_move(part) or "" for part in corners)
    return f" ({name})" if name.strip(":") and name != prop.raw[index] else ""


def name_property(finding: Finding, nodes: Nodes, game: int) -> Finding:
    """Add its game and its identifier to a finding: all that the passes over findings need.

    The players' name of a point comes where the message has its end; see :data:`.POINT_END`.
    What is left out by a limit never gets more; see :func:`place_finding`.
    """
    ident = finding.property
    if ident is None and finding.node is not None and finding.property_index is not None:
        ident = nodes.contents[finding.node][finding.property_index].ident
    if POINT_END in finding.facts:
        at = int(finding.facts[POINT_END])
        prop = nodes.contents[finding.node or 0][finding.property_index or 0]
        name = name_beside(nodes, prop, finding.value_index or 0)
        message = finding.message
        finding = finding._replace(message=f"{message[:at]}{name}{message[at:]}")
    return finding._replace(game=game, property=ident)


def place_finding(finding: Finding, nodes: Nodes, game: int) -> Finding:
    """Add its place in the text to a finding of a game, and its place in the tree for later.

    Args:
        finding: It has the numbers of its node, property and value, as far as it is about one.
        game: Which one of the file, from 0.
    """
    node, place, index = finding.node, finding.property_index, finding.value_index
    if node is None:
        return finding._replace(game=game)
    span, ident = finding.span, finding.property
    if place is not None:
        ident = nodes.contents[node][place].ident
        if index is None:
            span = nodes.places.property(node, place)
        else:
            span = nodes.places.value(node, place, index)
            if finding.within is not None:
                span = Span(span.start + finding.within.start, span.start + finding.within.end)
    elif span == NOWHERE:
        span = nodes.places.node(node, 0)
    later = (partial(_complete, nodes=nodes),)
    return finding._replace(span=span, property=ident, game=game, later=later)


def _complete(finding: Finding, nodes: Nodes) -> Finding:
    """Add its place in the tree to a finding of a node, and what is made of its value: the fix of a
    replacement, and the decision between two meanings.
    """
    node, fix, help_ = finding.node or 0, finding.fix, finding.help
    if finding.replacement is not None and fix is None:
        fix = _respelling(finding, finding.replacement, nodes)
    if not help_ and finding.rule in {WRONG_FORM, UNUSUAL_FORM}:
        from sgf_lark.core.values.corrections import what_to_decide

        prop = nodes.contents[node][finding.property_index or 0]
        if prop.rule is not None:
            help_ = what_to_decide(prop.rule, prop.raw[finding.value_index or 0])
    path, move_number = nodes.tree.path(node), nodes.move_number(node)
    return finding._replace(node_path=path, move_number=move_number, fix=fix, help=help_)


def _respelling(finding: Finding, new: str, nodes: Nodes) -> Fix:
    """The fix that writes a value in another spelling."""
    node, place = finding.node or 0, finding.property_index or 0
    prop = nodes.contents[node][place]
    value = nodes.places.value(node, place, finding.value_index or 0)
    edit = new_edit(value.start, value.end, new)
    return new_fix(finding.help, [edit], safe=_is_safe(finding, prop, new, nodes))


def _is_safe(finding: Finding, prop: Reading, new: str, nodes: Nodes) -> bool:
    """Return whether a value in another spelling leaves the format and the board as they are.

    Without FF the form of the values tells the format; of a property that occurs twice,
    another value may be the one that is read.
    """
    content = nodes.contents[finding.node or 0]
    is_root = prop.rule is not None and prop.rule.category is Category.ROOT
    if is_root and sum(other.ident == prop.ident for other in content) > 1:
        return False
    raw = prop.raw[finding.value_index or 0]
    return ":" not in raw or ":" in new or any(other.ident == "FF" for other in nodes.contents[0])


def make_fix(message: str, *edits: Edit, safe: bool = True, removes: bool = False) -> Fix:
    ordered = tuple(sorted(edits, key=lambda edit: edit.offset))
    return new_fix(message, ordered, safe=safe, removes=removes)


def insertion(at: int, text: str) -> Edit:
    return new_edit(at, at, text)


def deletion(span: Span) -> Edit:
    return new_edit(*span, "")


def substitution(span: Span, text: str) -> Edit:
    return new_edit(*span, text)


def show_values(prop: Reading, indices: Sequence[int]) -> str:
    """Return the property with some of its values, as titles of fixes quote them."""
    values = "".join(f"[{shorten(prop.raw[index], MAX_QUOTED)}]" for index in indices)
    return f"{prop.name}{values}"


#: Limit of a text in the title of the fix that removes it: 40 characters and an ellipsis.
MAX_QUOTED = 41


#: At most this many values of a list are in a message.
MOST_SHOWN = 8


def in_turns(nodes: Nodes, node: int) -> list[int]:
    """Return the places of the stones that a node sets up one by one, as if they were played.

    They come after a move, one stone a property, and the colors alternate.  Empty if not so.
    """
    content = nodes.contents[node]
    places = [at for at, prop in enumerate(content) if prop.ident in SETUP]
    if len(places) < FEWEST_TURNS or nodes.rules.game is not GO:
        return []
    idents = [content[at].ident for at in places]
    if (
        "AE" in idents
        or any(first == second for first, second in pairwise(idents))
        or not all(len(content[at].raw) == 1 for at in places)
        or not all(isinstance(content[at].values[0], Point) for at in places)
        or any(category(prop) is Category.MOVE or prop.ident == "PL" for prop in content)
        or not nodes.move_number(node)
    ):
        return []
    return places


#: Two stones, one of each color, are setup.
FEWEST_TURNS = 3


def turns(nodes: Nodes, node: int) -> Fix | None:
    """The fix for stones that are set up as if they were played; None where they are not."""
    places = in_turns(nodes, node)
    edits: list[Edit] = []
    moves = ""
    for at in places:
        prop = nodes.contents[node][at]
        move = ("" if at == places[0] else ";") + prop.ident[1]
        edits.append(substitution(nodes.places.name(node, at, len(prop.name)), move))
        if at in places[:MOST_SHOWN]:
            moves += f";{prop.ident[1]}[{shorten(prop.raw[0])}]"
    moves += "..." if places[MOST_SHOWN:] else ""
    return make_fix(f"write {moves}, a move in each node", *edits, safe=False) if edits else None

"""Findings of a game: their names of points, and their places in the text and the tree."""

from __future__ import annotations

from functools import partial

from sgf_lark.core.findings.diagnostic import Fix, new_edit, new_fix
from sgf_lark.core.findings.finding import NOWHERE, POINT_END, Finding
from sgf_lark.core.model.constraints import get_point
from sgf_lark.core.model.nodes import Nodes
from sgf_lark.core.model.readings import Reading
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import IN_LETTERS
from sgf_lark.core.schema.properties import Category
from sgf_lark.core.schema.values import Rectangle
from sgf_lark.core.values.reader import UNUSUAL_FORM, WRONG_FORM


def name_beside(nodes: Nodes, prop: Reading, index: int = 0) -> str:
    """Return the players' name of a move or point, `` (K13)``; "" where the record has it."""
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
    """Add its place in the text to a finding of a game, and its place in the tree for later."""
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
    """Add its place in the tree, and the fix of a replacement, or the decision between two."""
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

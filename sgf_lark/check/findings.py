"""Findings and edits: what the checks make, and the fixes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sgf_lark.diagnostics.diagnostic import Edit, Finding, Fix, Problem, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Property, category
from sgf_lark.positions import Span
from sgf_lark.schema.games import GO
from sgf_lark.schema.properties import SETUP, Category
from sgf_lark.schema.values import Point


class NodeProblem(NamedTuple):
    """Something wrong with the properties of a node, wherever it stands.

    Attributes:
        place: Which property is to blame, from 0.
        problem: What it is; ``value_index`` as in a problem of that property.
    """

    place: int
    problem: Problem


def finding(  # the parts of a place
    nodes: Nodes,
    node: int,
    place: int,
    name: str,
    message: str,
    help_: str,
    severity: Severity | None = None,
    index: int | None = None,
) -> Finding:
    """A finding about a property, or about one value of it."""
    places = nodes.places
    span = places.property(node, place) if index is None else places.value(node, place, index)
    ident = nodes.contents[node][place].ident
    return finding_at(name, message, span, node, ident, help_, severity, index)


def finding_at(  # the parts of a place
    name: str,
    message: str,
    span: Span,
    node: int,
    ident: str,
    help_: str = "",
    severity: Severity | None = None,
    value_index: int | None = None,
) -> Finding:
    """A finding of a node; its path is filled in later."""
    return Finding(
        name,
        message,
        span,
        help_,
        severity,
        node=node,
        property=ident,
        value_index=value_index,
    )


def make_fix(message: str, *edits: Edit, safe: bool = True, removes: bool = False) -> Fix:
    ordered = tuple(sorted(edits, key=lambda one: one.offset))
    return Fix(message=message, safe=safe, edits=ordered, removes=removes)


def insertion(at: int, text: str) -> Edit:
    return Edit(offset=at, end_offset=at, replacement=text)


def deletion(span: Span) -> Edit:
    return Edit(offset=span.start, end_offset=span.end, replacement="")


def substitution(span: Span, text: str) -> Edit:
    return Edit(offset=span.start, end_offset=span.end, replacement=text)


def show_values(one: Property, indices: Sequence[int]) -> str:
    values = "".join(f"[{shorten(one.raw[index])}]" for index in indices)
    return f"{one.name}{values}"


#: At most this many values of a list are in a message.
MOST_SHOWN = 8


def in_turns(nodes: Nodes, node: int) -> list[int]:
    """Return the places of the stones that a node sets up one by one, as if they were played.

    They come after a move, one stone a property, and the colors alternate.  Empty if not so.
    """
    content = nodes.contents[node]
    places = [at for at, one in enumerate(content) if one.ident in SETUP]
    if len(places) < FEWEST_TURNS or nodes.rules.game is not GO:
        return []
    idents = [content[at].ident for at in places]
    if (
        "AE" in idents
        or any(first == second for first, second in pairwise(idents))
        or not all(len(content[at].raw) == 1 for at in places)
        or not all(isinstance(content[at].values[0], Point) for at in places)
        or any(category(one) is Category.MOVE or one.ident == "PL" for one in content)
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
    shown = ""
    for at in places:
        one = nodes.contents[node][at]
        move = ("" if at == places[0] else ";") + one.ident[1]
        edits.append(substitution(nodes.places.name(node, at, len(one.name)), move))
        if at in places[:MOST_SHOWN]:
            shown += f";{one.ident[1]}[{shorten(one.raw[0])}]"
    shown += "..." if places[MOST_SHOWN:] else ""
    return make_fix(f"write {shown}, a move in each node", *edits, safe=False) if edits else None

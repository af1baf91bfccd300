"""Fixes of nodes: properties that belong elsewhere."""

from __future__ import annotations

from sgf_lark.check.findings import (
    MOST_SHOWN,
    deletion,
    insertion,
    make_fix,
    show_values,
    substitution,
    turns,
)
from sgf_lark.diagnostics.diagnostic import Edit, Fix, shorten
from sgf_lark.model.property import category
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, SETUP, SETUP_OF, Category, Count, Group
from sgf_lark.schema.values import Point

from .place import NAMES_GAME, Place, instead, is_as_read, property_removed, remove


def merged(place: Place) -> Fix | None:
    """A property that stands twice: its values come behind those of the first one."""
    one = place.property
    if one is None:
        return None
    moves = _as_turns(place)
    if moves is not None or (place.node, one.ident) in place.shared.done:
        return moves  # the fix of the first finding takes care of all
    place.shared.done.add((place.node, one.ident))
    content = place.content
    places = [at for at, other in enumerate(content) if other.ident == one.ident]
    first, others = places[0], places[1:]
    cuts = [deletion(place.span(at)) for at in others]
    raws = [raw for at in others for raw in content[at].raw]
    if all(content[at].raw == content[first].raw for at in others):
        return make_fix(f"remove the second {show_values(one, range(len(one.raw)))}", *cuts)
    end = place.span(first).end
    if one.rule is None or one.rule.count is not Count.ONE:
        values = "".join(f"[{raw}]" for raw in raws)
        return make_fix(f"merge them into one {one.ident}", insertion(end, values), *cuts)
    if one.rule.type == "text" and not one.rule.form:
        text = "".join(f"\n\n{raw}" for raw in raws)
        return make_fix(f"join the texts into one {one.ident}", insertion(end - 1, text), *cuts)
    return _later_left_out(place, others)


def _later_left_out(place: Place, others: list[int]) -> Fix:
    """Of a property with one value the first stays; a second move gets its own node."""
    one = place.content[others[0]]
    if one.ident in COLORS:
        nodes = [insertion(place.span(at).start, ";") for at in others]
        return make_fix("write ';' before the second move", *nodes, safe=False)
    gone = "".join(
        show_values(place.content[at], range(len(place.content[at].raw))) for at in others
    )
    cuts = [deletion(place.span(at)) for at in others]
    return make_fix(f"remove {gone}", *cuts, safe=False, removes=True)


#: What stays in the node of the setup when a move beside it gets its own node.
_STAYS = frozenset({Category.SETUP, Category.ROOT, Category.GAME_INFO})


def split(place: Place) -> Fix | None:
    """Setup with what is of the root or the game, and the name; then the move with the rest.

    PL alone, for the other side than the one that moves, comes after the move: it tells who
    plays next.

    Source: FF[4], user guide of conversion: nodes that mix setup and move.
    """
    setup = as_setup(place)
    if setup is not None:
        return setup
    content = place.content
    stays = [at for at, one in enumerate(content) if category(one) in _STAYS or one.ident == "N"]
    moved = "the setup into its own node before the move"
    players = [at for at in stays if category(content[at]) is Category.SETUP]
    mover = next((one for one in content if one.ident in COLORS), None)
    if mover is not None and all(
        content[at].values == (COLORS[mover.ident].opponent,) for at in players
    ):
        stays = [at for at in range(len(content)) if at not in players]
        moved = "PL into its own node after the move"
    goes = [at for at in range(len(content)) if at not in stays]
    if not stays or not goes:
        return None
    text = place.text
    parts = ["".join(text[slice(*place.span(at))] for at in group) for group in (stays, goes)]
    message = f"move {moved}: {shorten(';' + ';'.join(parts))}"
    if max(stays) < min(goes):
        return make_fix(message, insertion(place.span(goes[0]).start, ";"))
    start, end = place.span(0).start, place.span(len(content) - 1).end
    return make_fix(message, substitution(Span(start, end), ";".join(parts)))


def as_setup(place: Place) -> Fix | None:
    """Stones that are written as moves: B or W with several points, beside setup or at the start.

    Source: servers that export a game which begins from a position.
    """
    content, rules = place.content, place.nodes.rules
    moves = [at for at, one in enumerate(content) if one.ident in COLORS]
    beside = [at for at, one in enumerate(content) if one.ident in SETUP]
    if not any(len({*content[at].raw}) > 1 for at in moves) or any(
        category(one) is Category.MOVE and one.ident not in COLORS for one in content
    ):
        return None
    above = place.nodes.parents[place.node]
    starts = above < 0 or (
        above == 0 and not any(one.ident in COLORS for one in place.nodes.contents[0])
    )
    stones = [value for at in moves for value in content[at].values]
    if not (starts or beside) or not all(isinstance(value, Point) for value in stones):
        return None
    edits: list[Edit] = []
    shown = ""
    for color, ident in SETUP_OF.items():
        group = [at for at in (*moves, *beside) if content[at].ident in {color, ident}]
        if not any(at in moves for at in group):
            continue
        if rules.rule(ident) is None:
            return None
        first, *others = sorted(group)
        if first in moves:
            edits.append(substitution(place.nodes.places.name(place.node, first, 1), ident))
        raws = [raw for at in others for raw in content[at].raw]
        if raws:
            edits.append(insertion(place.span(first).end, "".join(f"[{raw}]" for raw in raws)))
        edits += [deletion(place.span(at)) for at in others]
        both = [*content[first].raw, *raws]
        shown += ident + "".join(f"[{shorten(raw)}]" for raw in both[:MOST_SHOWN])
        shown += "..." if both[MOST_SHOWN:] else ""
    return make_fix(f"write the moves as setup: {shown}", *edits, safe=False)


def _as_turns(place: Place) -> Fix | None:
    return turns(place.nodes, place.node) if place.finding.property in SETUP_OF.values() else None


def _moved(place: Place, target: int, wanted: Category) -> Fix | None:
    """Properties of a category come into another node, if that has none of them."""
    content, there = place.content, place.nodes.contents[target]
    edits: list[Edit] = []
    shown: list[str] = []
    changes: list[str] = []
    safe, removes, moved = True, False, ""
    for at, one in enumerate(content):
        if category(one) is not wanted:
            continue
        span = place.span(at)
        edits.append(deletion(span))
        others = [other for other in there if other.ident == one.ident]
        if not others:
            if one.ident in NAMES_GAME and not is_as_read(place, "", one.ident, one.raw[0].strip()):
                return None
            moved += place.text[slice(*span)]
            shown.append(show_values(one, range(len(one.raw))))
            safe = safe and wanted is Category.ROOT and one.ident not in DECISIVE
        else:
            changes.append(f"remove {show_values(one, range(len(one.raw)))}")
            removes = removes or all(other.raw != one.raw for other in others)
    if moved:
        edits.append(insertion(place.end(target), moved))
        to = "the first node"
        if target:
            to = f"the game info at move {place.nodes.move_number(target)}"
        changes.insert(0, f"move {''.join(shown)} to {to}")
    if not edits or (len(edits) >= len(content) and not place.begins_with_semicolon):
        return None
    return make_fix(", ".join(changes), *edits, safe=safe and not removes, removes=removes)


#: Root properties by which everything else is read.
DECISIVE = Group.DECLARES.idents


def to_root(place: Place) -> Fix | None:
    return _moved(place, 0, Category.ROOT)


#: A description that stands so many nodes before is not looked for.
FARTHEST = 500


def to_description(place: Place) -> Fix | None:
    """To the node that describes the game."""
    above = place.nodes.parents[place.node]
    for _ in range(FARTHEST):
        if above < 0:
            break
        if any(category(one) is Category.GAME_INFO for one in place.nodes.contents[above]):
            return _moved(place, above, Category.GAME_INFO)
        above = place.nodes.parents[above]
    return None


def own_node(place: Place) -> Fix:
    setup = as_setup(place)
    if setup is not None:
        return setup
    return make_fix(
        "write ';' before the second move", insertion(place.finding.span.start, ";"), safe=False
    )


def contradiction(place: Place) -> Fix | None:
    """TE before BM is an interesting move, BM before TE a doubtful one; else the first stays.

    Source: FF[4], conversion of files before FF[4].
    """
    one = place.property
    if one is None:
        return None
    here = place.at[1]
    idents = [other.ident for other in place.content]
    groups = (OLD_PAIR, Group.MOVE_ANNOTATION.idents)
    group = next((group for group in groups if one.ident in group), frozenset())
    first = next((at for at in range(here) if idents[at] in group), None)
    if first is not None and {idents[first], one.ident} == OLD_PAIR:
        new = "IT[]" if idents[first] == "TE" else "DO[]"
        gone = "".join(show_values(place.content[at], [0]) for at in (first, here))
        edits = (substitution(place.span(first), new), deletion(place.span(here)))
        return make_fix(f"replace {gone} with {new}", *edits, safe=False)
    return property_removed(place)


#: Before FF[4] both together, in either order, were one annotation.
OLD_PAIR = frozenset({"TE", "BM"})


def rivals(place: Place) -> Fix | None:
    """Points that an earlier list of the node has."""
    one = place.property
    if one is None:
        return None
    groups = (Group.STONES.idents, Group.MARKS.idents, Group.TERRITORY.idents)
    group = next((group for group in groups if one.ident in group), frozenset())
    earlier = [other for other in place.content[: place.at[1]] if other.ident in group]
    taken = {value for other in earlier for value in other.values if isinstance(value, Point)}
    gone = [index for index, value in enumerate(one.values) if value in taken]
    return remove(place, gone, safe=False)


def format_named(place: Place) -> Fix | None:
    """FF, as the game is read.  Without it the standard says FF[1]."""
    start = place.nodes.places.node(0, 0).start
    format_ = place.game.format
    if place.text[start : start + 1] != ";" or format_ is Format.GGF:
        return None
    if not place.nodes.contents[0] and place.nodes.contents[1:]:
        return None  # the first node with properties declares how the game is read
    name = f"FF[{format_[2:]}]"
    return make_fix(f"add {name} to the first node", insertion(start + 1, name), safe=False)


def format_known(place: Place) -> Fix | None:
    one = place.property
    if one is None or place.game.format is not Format.FF4:
        return None
    return make_fix(instead(one, 0, "4"), substitution(place.value(0), "4"), safe=False)


def meant(place: Place) -> Fix | None:
    """KO, which says that a move stands whatever the rules say (FF[3], FF[4])."""
    if place.nodes.rules.rule("KO") is None:
        return None
    message = "add KO[], which marks the move as intended although it retakes the ko at once"
    return make_fix(message, insertion(place.span(place.at[1]).end, "KO[]"), safe=False)

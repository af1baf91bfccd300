"""Fixes of nodes: properties that belong elsewhere."""

from __future__ import annotations

from sgf_lark.core.check.producers import MOST_SHOWN, turns
from sgf_lark.core.findings.diagnostic import (
    Edit,
    Fix,
    deletion,
    insertion,
    make_fix,
    shorten,
    substitution,
)
from sgf_lark.core.model.property import category
from sgf_lark.core.model.readings import show_values
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.properties import COLORS, SETUP, SETUP_OF, Category, Count, Group
from sgf_lark.core.schema.values import Point

from .place import (
    Place,
    describe_repeats,
    fixes,
    is_as_read,
    is_prose,
    remove_property,
    remove_values,
    replace_value,
)


@fixes("duplicate-property")
def merge_repeated(place: Place) -> Fix | None:
    prop = place.property
    is_setup = place.finding.property in SETUP_OF.values()
    moves = turns(place.nodes, place.node) if is_setup else None
    if moves is not None:
        return moves
    content = place.content
    places = [at for at, other in enumerate(content) if other.ident == prop.ident]
    first, others = places[0], places[1:]
    if not others:
        return None  # of a GGF game, which has it beside another move
    cuts = [deletion(place.span(at)) for at in others]
    raws = [raw for at in others for raw in content[at].raw]
    if all(content[at].raw == content[first].raw for at in others):
        title = describe_repeats(prop, range(len(prop.raw)), len(others))
        return make_fix(title, *cuts)
    end = place.span(first).end
    if prop.rule is None or prop.rule.count is not Count.ONE:
        values = "".join(f"[{raw}]" for raw in raws)
        is_list = prop.rule is not None  # of a private one nobody knows
        message = f"merge them into one {prop.ident}"
        return make_fix(message, insertion(end, values), *cuts, safe=is_list)
    if is_prose(place, prop.rule):
        text = "".join(f"\n\n{raw}" for raw in raws)
        return make_fix(f"join the texts into one {prop.ident}", insertion(end - 1, text), *cuts)
    return _keep_first(place, others)


def _keep_first(place: Place, others: list[int]) -> Fix:
    """Remove the later of properties with one value; give a second move its own node."""
    prop = place.content[others[0]]
    if prop.ident in COLORS:
        nodes = [insertion(place.span(at).start, ";") for at in others]
        return make_fix("write ';' before the second move", *nodes, safe=False)
    gone = "".join(
        show_values(place.content[at], range(len(place.content[at].raw))) for at in others
    )
    cuts = [deletion(place.span(at)) for at in others]
    return make_fix(f"remove {gone}", *cuts, safe=False, removes=True)


#: Categories that stay in the node of the setup when its move gets its own node.
_STAYS = frozenset({Category.SETUP, Category.ROOT, Category.GAME_INFO})


@fixes("setup-with-move")
def split_node(place: Place) -> Fix:
    """Split a node: setup, root, game info and name first, then the move with the rest.

    Properties of the first node that the format lacks stay there.

    PL alone, for the opponent of the side that moves, comes after the move: it declares who
    plays next.  Stones come before the move: in the first node they are the start of the game,
    elsewhere it is a guess.

    Source: FF[4], user guide of conversion: nodes that mix setup and move.
    """
    setup = write_as_setup(place)
    if setup is not None:
        return setup
    content = place.content
    is_root = place.nodes.parents[place.node] < 0
    stays = [
        at
        for at, prop in enumerate(content)
        if category(prop) in _STAYS
        or prop.ident == "N"
        or (is_root and prop.rule is None)  # a program has written it about the game
    ]
    moved = "the setup into its own node before the move"
    players = [at for at in stays if category(content[at]) is Category.SETUP]
    mover = next((prop for prop in content if prop.ident in COLORS), None)
    if mover is not None and all(
        content[at].values == (COLORS[mover.ident].opponent,) for at in players
    ):
        stays = [at for at in range(len(content)) if at not in players]
        moved = "PL into its own node after the move"
    goes = [at for at in range(len(content)) if at not in stays]
    text = place.text
    parts = ["".join(text[slice(*place.span(at))] for at in group) for group in (stays, goes)]
    message = f"move {moved}: {shorten(';' + ';'.join(parts))}"
    stones = {content[at].ident for at in players} - {"PL"}
    safe = not stones or (is_root and "AE" not in stones)
    if max(stays) < min(goes):
        return make_fix(message, insertion(place.span(goes[0]).start, ";"), safe=safe)
    start, end = place.span(0).start, place.span(len(content) - 1).end
    return make_fix(message, substitution(Span(start, end), ";".join(parts)), safe=safe)


def write_as_setup(place: Place) -> Fix | None:
    """Write stones of B or W with several points as setup: servers export positions so."""
    content = place.content
    moves = [at for at, prop in enumerate(content) if prop.ident in COLORS]
    beside = [at for at, prop in enumerate(content) if prop.ident in SETUP]
    if not any(len({*content[at].raw}) > 1 for at in moves) or any(
        category(prop) is Category.MOVE and prop.ident not in COLORS for prop in content
    ):
        return None
    above = place.nodes.parents[place.node]
    starts = above < 0 or (
        above == 0 and not any(prop.ident in COLORS for prop in place.nodes.contents[0])
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


def _move_properties(place: Place, target: int, wanted: Category) -> Fix | None:
    """Move properties of a category into another node, as far as that lacks them."""
    content, there = place.content, place.nodes.contents[target]
    edits: list[Edit] = []
    listed: list[str] = []
    changes: list[str] = []
    safe, removes, moved = True, False, ""
    for at, prop in enumerate(content):
        if category(prop) is not wanted:
            continue
        span = place.span(at)
        edits.append(deletion(span))
        others = [other for other in there if other.ident == prop.ident]
        if not others:
            if not is_as_read(place, "", prop.ident, prop.raw[0].strip()):
                return None
            moved += place.text[slice(*span)]
            listed.append(show_values(prop, range(len(prop.raw))))
            safe = safe and wanted is Category.ROOT and prop.ident not in DECISIVE
        else:
            stays = any(other.raw == prop.raw for other in others)
            which = f", which stays in {_name_node(place, target)}" if stays else ""
            changes.append(f"remove {show_values(prop, range(len(prop.raw)))}{which}")
            removes = removes or not stays
    if moved:
        edits.append(insertion(place.end(target), moved))
        changes.insert(0, f"move {''.join(listed)} to {_name_node(place, target)}")
    return make_fix(", ".join(changes), *edits, safe=safe and not removes, removes=removes)


def _name_node(place: Place, target: int) -> str:
    move = place.nodes.move_number(target)
    return f"the game info at move {move}" if target else "the first node"


#: Root properties that decide how all others are read.
DECISIVE = Group.DECLARES.idents


@fixes("root-outside-root")
def move_to_root(place: Place) -> Fix | None:
    return _move_properties(place, 0, Category.ROOT)


#: Nodes to go up in search of the game info.
MAX_NODES_UP = 500


@fixes("second-game-info")
def move_to_game_info(place: Place) -> Fix | None:
    """Move game info to the earlier node that has game info."""
    above = place.nodes.parents[place.node]
    for _ in range(MAX_NODES_UP):
        if any(category(prop) is Category.GAME_INFO for prop in place.nodes.contents[above]):
            return _move_properties(place, above, Category.GAME_INFO)
        above = place.nodes.parents[above]
    return None


@fixes("two-moves")
def split_moves(place: Place) -> Fix:
    setup = write_as_setup(place)
    if setup is not None:
        return setup
    return make_fix(
        "write ';' before the second move", insertion(place.finding.span.start, ";"), safe=False
    )


@fixes("contradicting-annotations")
def merge_annotations(place: Place) -> Fix | None:
    """Merge TE and BM into IT or DO by their order (FF[4], conversion); else keep the first one."""
    prop = place.property
    here = place.at[1]
    idents = [other.ident for other in place.content]
    first = next((at for at in range(here) if idents[at] in OLD_PAIR), None)
    if first is not None and {idents[first], prop.ident} == OLD_PAIR:
        new = "IT[]" if idents[first] == "TE" else "DO[]"
        gone = "".join(show_values(place.content[at], [0]) for at in (first, here))
        edits = (substitution(place.span(first), new), deletion(place.span(here)))
        return make_fix(f"replace {gone} with {new}", *edits, safe=False)
    return remove_property(place)


#: Before FF[4] these two together, in either order, were one annotation.
OLD_PAIR = frozenset({"TE", "BM"})


@fixes("setup-conflict", "markup-conflict", "territory-conflict")
def remove_taken_points(place: Place) -> Fix | None:
    prop = place.property
    groups = (Group.STONES.idents, Group.MARKS.idents, Group.TERRITORY.idents)
    group = next((group for group in groups if prop.ident in group), frozenset())
    earlier = [other for other in place.content[: place.at[1]] if other.ident in group]
    taken = {value for other in earlier for value in other.values if isinstance(value, Point)}
    gone = [index for index, value in enumerate(prop.values) if value in taken]
    return remove_values(place, gone, safe=False)


@fixes("missing-format")
def add_format(place: Place) -> Fix | None:
    """Add FF with the format that the game is read as; without FF the standard assumes FF[1]."""
    start = place.nodes.places.node(0, 0).start
    if not place.nodes.contents[0] and place.nodes.contents[1:]:
        return None  # the first node with properties declares how the game is read
    name = f"FF[{place.game.format.digit}]"
    return make_fix(f"add {name} to the first node", insertion(start + 1, name), safe=False)


@fixes("unknown-format")
def replace_format(place: Place) -> Fix | None:
    """Replace an unknown format in FF with FF[4]."""
    if place.game.format is not Format.FF4:
        return None
    return replace_value(place, place.property, 0, "4", safe=False)


@fixes("ko-capture")
def add_ko(place: Place) -> Fix | None:
    """Add KO, which declares a move valid even if it is illegal (FF[3], FF[4])."""
    if place.nodes.rules.rule("KO") is None:
        return None
    message = "add KO[], which marks the move as intended although it retakes the ko at once"
    return make_fix(message, insertion(place.span(place.at[1]).end, "KO[]"), safe=False)

"""Upgrades of nodes: properties that FF[4] allows only elsewhere or alone."""

from __future__ import annotations

from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, Category, Group
from sgf_lark.schema.values import Composed, Point

from .builder import NewProperty
from .notes import Note
from .steps import NodeTask, show

#: Lists that together may name a point only once in a node.
POINTS_ONCE = (Group.MARKS.idents, Group.STONES.idents, Group.TERRITORY.idents, {"LB"})


#: Groups of properties of which a node may have one.
ONE_OF = (Group.POSITION_ANNOTATION.idents, Group.MOVE_ANNOTATION.idents)


def remove_repeated_points(task: NodeTask) -> None:
    """Keep one mark, one label and one stone of a point.

    Source: FF[4], markup, setup, LB, TB and TW; the first one stays (SGFC).
    """
    if task.context.game.several_on_a_point:
        return
    for group in POINTS_ONCE:
        seen: set[object] = set()
        for prop in task.props:
            if prop.ident not in group or prop.raw == ("",):
                continue
            kept = []
            values = task.context.new.property(prop.ident, prop.raw).values
            for raw, value in zip(prop.raw, values, strict=True):
                point = value.first if isinstance(value, Composed) else value
                if isinstance(point, Point) and point in seen:
                    message = f"{prop.ident}[{raw}] is left out: the point is already taken"
                    task.report("point-dropped", message, prop)
                else:
                    seen.add(point)
                    kept.append(raw)
            prop.raw = tuple(kept)
    task.props = [prop for prop in task.props if prop.raw]


def remove_contradictions(task: NodeTask) -> None:
    """Remove annotations that contradict an earlier one, or that need a move.

    Source: FF[4], DM, UC, GB, GW; TE, BM, DO, IT; KO.
    """
    dropped: list[NewProperty] = []
    if task.find(*COLORS) is None:
        for prop in task.props:
            if prop.ident in Group.NEEDS_MOVE.idents:
                dropped.append(prop)
                message = f"{show(prop)} is left out: this node has no move"
                task.report("annotation-dropped", message, prop)
    for group in ONE_OF:
        there = [prop for prop in task.props if prop.ident in group and prop not in dropped]
        for prop in there[1:]:
            dropped.append(prop)
            message = f"{show(prop)} is left out: the node has {show(there[0])}"
            task.report("annotation-dropped", message, prop)
    task.props = [prop for prop in task.props if prop not in dropped]


def remove_misplaced(task: NodeTask) -> None:
    """Remove root properties outside the first node, and repeated game info.

    Source: SGFC; FF[4] forbids both.
    """
    if task.is_root:
        return
    kept = []
    for prop in task.props:
        match task.category(prop):
            case Category.ROOT:
                message = f"{show(prop)} is left out: it belongs in the first node"
                task.report("misplaced-dropped", message, prop)
            case Category.GAME_INFO if task.info_above:
                message = f"{show(prop)} is left out: an earlier node has the game info"
                task.report("misplaced-dropped", message, prop)
            case _:
                kept.append(prop)
    task.props = kept


def report_private(task: NodeTask) -> None:
    """Keep properties that the new format lacks, and report them.

    Source: FF[4], converting: it is treated as unknown, and preserved.
    """
    for prop in task.props:
        if task.context.rule(prop.ident) is None and task.context.old.rule(prop.ident) is not None:
            name = task.context.format.shown
            message = f"{prop.ident} is not in {name}; it is kept as a private property"
            task.report("kept-as-private", message, prop)


def declare_format(task: NodeTask) -> None:
    """Declare the format in the first node: FF, GM and CA.

    Source: FF[4], FF and GM, whose default is Go; that CA is always UTF-8 is a choice.  A game
    that another property names, and that has no number, stays without GM.
    """
    if not task.is_root:
        return
    format_ = task.context.format
    wanted = {"FF": format_.value[2:]}
    if task.find("GM") is not None or task.context.game.number is not None:
        wanted["GM"] = str(task.context.game.number)
    if format_ is Format.FF4:
        wanted["CA"] = "UTF-8"
    new: list[NewProperty] = []
    changed: list[str] = []
    for ident, value in wanted.items():
        prop = task.find(ident)
        if prop is not None:
            task.props.remove(prop)
        if prop is None or (ident != "GM" and prop.raw != (value,)):
            prop = NewProperty(ident, (value,), prop.place if prop else None)
            changed.append(str(prop))
        new.append(prop)
    task.props[:0] = new
    was = task.context.old.format.shown
    message = f"{was} is now {format_.shown}; the first node declares {''.join(changed)}"
    task.report("declared", message, next((prop for prop in new if prop.place is not None), None))


def split_node(task: NodeTask) -> None:
    """Give setup, move and a second move their own nodes.

    The first node has setup, root, game-info and N; the next the first move and the rest;
    another the second move.  Source: FF[4], converting; SGFC for two moves.
    """
    played = [prop for prop in task.props if prop.ident in COLORS]
    setup = [prop for prop in task.props if task.category(prop) is Category.SETUP]
    moves = [prop for prop in task.props if task.category(prop) is Category.MOVE]
    second = played[1:]
    rest = [prop for prop in task.props if prop not in second]
    parts = [rest]
    if setup and moves:
        only = setup[0] if len(setup) == 1 else None
        if only is not None and played and only.ident == "PL" and only.raw == (played[0].ident,):
            message = f"{show(only)} is left out: the move of this node implies it"
            task.report("node-split", message, only)
            parts = [[prop for prop in rest if prop is not only]]
        else:
            stays = {Category.SETUP, Category.ROOT, Category.GAME_INFO}
            before = [prop for prop in rest if task.category(prop) in stays or prop.ident == "N"]
            parts = [before, [prop for prop in rest if prop not in before]]
            message = "setup and move are split into two nodes"
            task.notes.append(Note("node-split", message, moves[0].place, result=1))
    if second:
        task.notes.append(
            Note(
                "node-split",
                "the second move is moved into its own node",
                second[0].place,
                result=len(parts),
            )
        )
        parts.append(second)
    task.nodes = parts

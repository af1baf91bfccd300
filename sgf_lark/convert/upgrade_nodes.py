"""Upgrades of nodes: properties that FF[4] wants elsewhere or alone."""

from __future__ import annotations

from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, Category, Group
from sgf_lark.schema.values import Composed, Point

from .making import Item, Note
from .steps import Task, shown

#: Lists that together may name a point only once in a node.
POINTS_ONCE = (Group.MARKS.idents, Group.STONES.idents, Group.TERRITORY.idents, {"LB"})


#: Properties of which a node may have one.
ONE_OF = (Group.POSITION_ANNOTATION.idents, Group.MOVE_ANNOTATION.idents)


def points_once(task: Task) -> None:
    """A point has one mark, one label, one stone.

    Source: FF[4], markup, setup, LB, TB and TW; the later one goes (SGFC).
    """
    if task.setting.game.several_on_a_point:
        return
    for group in POINTS_ONCE:
        seen: set[object] = set()
        for item in task.items:
            if item.ident not in group or item.raw == ("",):
                continue
            kept = []
            values = task.setting.new.property(item.ident, item.raw).values
            for raw, value in zip(item.raw, values, strict=True):
                point = value.first if isinstance(value, Composed) else value
                if isinstance(point, Point) and point in seen:
                    message = f"{item.ident}[{raw}] names a point that is taken; it is left out"
                    task.say("point-dropped", message, item)
                else:
                    seen.add(point)
                    kept.append(raw)
            item.raw = tuple(kept)
    task.items = [item for item in task.items if item.raw]


def exclusive_annotations(task: Task) -> None:
    """Some annotations exclude each other, and some need a move.

    Source: FF[4], DM, UC, GB, GW; TE, BM, DO, IT; KO.
    """
    dropped: list[Item] = []
    if task.find(*COLORS) is None:
        for item in task.items:
            if item.ident in Group.NEEDS_MOVE.idents:
                dropped.append(item)
                message = f"{shown(item)} is left out: there is no move in this node"
                task.say("annotation-dropped", message, item)
    for group in ONE_OF:
        there = [one for one in task.items if one.ident in group and one not in dropped]
        for item in there[1:]:
            dropped.append(item)
            message = f"{shown(item)} is left out beside {shown(there[0])}"
            task.say("annotation-dropped", message, item)
    task.items = [item for item in task.items if item not in dropped]


def misplaced(task: Task) -> None:
    """Root properties outside the root, and a second description of the game, go.

    Source: SGFC; FF[4] forbids both.
    """
    if task.is_root:
        return
    kept = []
    for item in task.items:
        match task.category(item):
            case Category.ROOT:
                message = f"{shown(item)} is left out: it belongs into the first node"
                task.say("misplaced-dropped", message, item)
            case Category.GAME_INFO if task.info_above:
                message = f"{shown(item)} is left out: a node above describes the game already"
                task.say("misplaced-dropped", message, item)
            case _:
                kept.append(item)
    task.items = kept


def private(task: Task) -> None:
    """A property that the new format lacks stays as it is.

    Source: FF[4], converting: it is treated as unknown, and preserved.
    """
    for item in task.items:
        if task.setting.rule(item.ident) is None and task.setting.old.rule(item.ident) is not None:
            name = task.setting.format.shown
            message = f"{item.ident} is no property of {name}; it is kept as a private one"
            task.say("kept-as-private", message, item)


def declared(task: Task) -> None:
    """The root says what it is now: FF, GM and CA.

    Source: FF[4], FF and GM, whose default is Go; that CA is always UTF-8 is a choice.  A game
    that another property names, and that has no number, stays without GM.
    """
    if not task.is_root:
        return
    format_ = task.setting.format
    wanted = {"FF": format_.value[2:]}
    if task.find("GM") is not None or task.setting.game.number is not None:
        wanted["GM"] = str(task.setting.game.number)
    if format_ is Format.FF4:
        wanted["CA"] = "UTF-8"
    new: list[Item] = []
    changed: list[str] = []
    for ident, value in wanted.items():
        item = task.find(ident)
        if item is not None:
            task.items.remove(item)
        if item is None or (ident != "GM" and item.raw != (value,)):
            item = Item(ident, (value,), item.place if item else None)
            changed.append(str(item))
        new.append(item)
    task.items[:0] = new
    was = task.setting.old.format.shown
    message = f"{was} is now {format_.shown}; the first node says {''.join(changed)}"
    task.say("declared", message, next((one for one in new if one.place is not None), None))


def split(task: Task) -> None:
    """Setup and move, and two moves, become nodes of their own.

    The first node has setup, root, game-info and N; the next the first move and the rest,
    and the second move its own.  Source: FF[4], converting; SGFC for two moves.
    """
    played = [one for one in task.items if one.ident in COLORS]
    setup = [one for one in task.items if task.category(one) is Category.SETUP]
    moves = [one for one in task.items if task.category(one) is Category.MOVE]
    second = played[1:]
    rest = [one for one in task.items if one not in second]
    parts = [rest]
    if setup and moves:
        only = setup[0] if len(setup) == 1 else None
        if only is not None and played and only.ident == "PL" and only.raw == (played[0].ident,):
            message = f"{shown(only)} is left out: the move of this node says so"
            task.say("node-split", message, only)
            parts = [[one for one in rest if one is not only]]
        else:
            stays = {Category.SETUP, Category.ROOT, Category.GAME_INFO}
            before = [one for one in rest if task.category(one) in stays or one.ident == "N"]
            parts = [before, [one for one in rest if one not in before]]
            message = "setup and move are two nodes now"
            task.notes.append(Note("node-split", message, moves[0].place, result=1))
    if second:
        task.notes.append(
            Note(
                "node-split",
                "the second move has its own node now",
                second[0].place,
                result=len(parts),
            )
        )
        parts.append(second)
    task.nodes = parts

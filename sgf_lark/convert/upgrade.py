"""Conversion from FF[1] and FF[3] to later formats: a small function for each step.

A node is a :class:`NodeTask`.  :data:`STEPS` change it one after the other, in the order of the
table, because some of them need the order of the properties.

Source: FF[4], the pages on converting and compatibility, from which most rules come; where
they leave something open, the behaviour of SGFC, the program of FF[4]'s author; or else a
choice, which the function names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sgf_lark.findings.finding import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, VIEW_CORNERS, Category, Group
from sgf_lark.schema.values import Composed, Point

from .builder import NewProperty, Options, ResultBuilder
from .notes import Note
from .steps import NodeTask, convert_nodes, letter_of, merge_duplicates, shorten_names, show
from .upgrade_values import (
    convert_time_limit,
    correct_values,
    describe_overtime,
    escape_labels,
    escape_texts,
    halve_komi,
    keep_one_value,
    remove_empty_values,
    remove_self_test,
    remove_spaces,
    rename_rules,
    report_handicap,
)


def upgrade_game(game: GameTree, format: Format, options: Options) -> ResultBuilder:
    """Convert a game of FF[1] or FF[3] to FF[4], or of FF[1] to FF[3]."""
    return convert_nodes(game, format, options, STEPS[format], {"M"})


# ---- markup: annotations, marks, labels, views, passes ----


def merge_annotations(task: NodeTask) -> None:
    """Convert TE before BM to IT, and BM before TE to DO.

    Source: FF[4], converting.
    """
    good, bad = task.find("TE"), task.find("BM")
    if good is None or bad is None:
        return
    props = task.props
    first, second = sorted((good, bad), key=props.index)
    ident = "IT" if first is good else "DO"
    severity = Severity.WARNING if "2" in good.raw + bad.raw else None
    lost = "; the emphasis is lost" if severity else ""
    message = f"{show(first)} before {show(second)} is now {ident}[]{lost}"
    task.report("tesuji-and-bad", message, second, severity=severity)
    props[props.index(first)] = NewProperty(ident, ("",), first.place)
    props.remove(second)


def convert_marks(task: NodeTask) -> None:
    """Convert M to MA on an empty point and to TR on a stone; without a board, to MA.

    Source: FF[4], converting; a point that has a mark already keeps that one (SGFC).
    """
    prop = task.find("M")
    if prop is None:
        return
    taken: set[object] = {
        value
        for other in task.props
        if other.ident in Group.MARKS.idents
        for value in task.values(other)
    }
    raws: dict[str, list[str]] = {"MA": [], "TR": []}
    for raw, value in zip(prop.raw, task.values(prop), strict=False):
        if value in taken:
            task.report(
                "point-dropped", f"M[{raw}] is left out: the point already has a mark", prop
            )
            continue
        taken.add(value)
        raws["TR" if task.has_stone(value) else "MA"].append(raw)
    place = task.props.index(prop)
    props = [NewProperty(ident, tuple(raw), prop.place) for ident, raw in raws.items() if raw]
    task.props[place : place + 1] = [mark for mark in props if not _merge_into(task, mark)]
    new = " and ".join(map(str, props)) or "nothing"
    if task.stones is None and task.context.is_go:
        message = f"{show(prop)} is now {new}; the stones on the board are unknown"
    elif task.stones is None:
        message = f"{show(prop)} is now {new}, as if all points were empty"
    else:
        task.report("marks", f"{show(prop)} is now {new}", prop)
        return
    task.report("marks", message, prop, severity=Severity.WARNING)


def _merge_into(task: NodeTask, prop: NewProperty) -> bool:
    """Add the values to a property of that name, if the node has one; return whether it has."""
    there = task.find(prop.ident)
    if there is None:
        return False
    there.raw += prop.raw
    return True


def convert_letters(task: NodeTask) -> None:
    """Convert L to LB: the n-th point gets the n-th letter.

    Source: FF[4], converting, for A to Z; AA, AB ... after them are a choice.  A point that
    has a label keeps it, and takes no letter (SGFC).
    """
    prop = task.find("L")
    if prop is None:
        return
    labels = task.find("LB")
    taken: set[object] = {
        value.first
        for value in (task.values(labels) if labels else ())
        if isinstance(value, Composed)
    }
    raws: list[str] = []
    for raw, value in zip(prop.raw, task.values(prop), strict=False):
        if value in taken:
            task.report(
                "point-dropped", f"L[{raw}] is left out: the point already has a label", prop
            )
            continue
        taken.add(value)
        raws.append(f"{raw}:{letter_of(len(raws))}")
    place = task.props.index(prop)
    new = NewProperty("LB", tuple(raws), prop.place)
    task.props[place : place + 1] = [] if not raws or _merge_into(task, new) else [new]
    task.report("letters", f"{show(prop)} is now {show(new) if raws else 'nothing'}", prop)


def convert_view(task: NodeTask) -> None:
    """Write the two corners of VW as a rectangle of FF[4].

    Source: FF[1], VW; FF[4], converting, for the programs that wrote it in FF[3].
    """
    prop = task.find("VW")
    if prop is None or prop.raw == ("",):
        return
    corners = [value for value in task.values(prop) if isinstance(value, Point)]
    if len(prop.raw) != VIEW_CORNERS or len(corners) != VIEW_CORNERS:
        if len(prop.raw) != 1 or ":" not in prop.raw[0]:
            message = f"{show(prop)} does not name two corners; it is kept as a list of points"
            task.report("old-view", message, prop, severity=Severity.WARNING)
        return
    columns, rows = (sorted(axis) for axis in zip(*corners, strict=True))
    points = dict.fromkeys((Point(columns[0], rows[0]), Point(columns[1], rows[1])))
    named = [task.context.point(point) for point in points]
    new = NewProperty(
        "VW", (":".join(name or raw for name, raw in zip(named, prop.raw, strict=False)),)
    )
    task.report("old-view", f"the corners {show(prop)} are now {new}", prop)
    prop.raw = new.raw


def convert_passes(task: NodeTask) -> None:
    """Write a pass ``tt`` as an empty move; on boards beyond 19x19 it is a point.

    Source: FF[4], Go; that both sides count is how SGFC reads it.
    """
    if not task.context.tt_passes:
        return
    for prop in task.props:
        if prop.ident in COLORS and prop.raw == ("tt",):
            prop.raw = ("",)
            task.report("pass-form", f"{prop.ident}[tt] is now {prop.ident}[], a pass", prop)


# ---- nodes: properties that FF[4] allows only elsewhere or alone ----

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


#: The steps in their order.
STEPS: dict[Format, Sequence[Callable[[NodeTask], None]]] = {
    Format.FF4: (
        shorten_names,
        remove_spaces,
        merge_duplicates,
        merge_annotations,
        convert_marks,
        convert_letters,
        convert_view,
        convert_passes,
        convert_time_limit,
        halve_komi,
        keep_one_value,
        remove_empty_values,
        escape_texts,
        escape_labels,
        describe_overtime,
        report_handicap,
        rename_rules,
        remove_self_test,
        correct_values,
        remove_repeated_points,
        remove_contradictions,
        remove_misplaced,
        report_private,
        declare_format,
        split_node,
    ),
    Format.FF3: (
        shorten_names,
        merge_duplicates,
        convert_marks,
        convert_letters,
        report_private,
        declare_format,
    ),
}

"""Upgrades of markup: annotations, marks, labels, views, passes."""

from __future__ import annotations

from sgf_lark.findings.finding import Severity
from sgf_lark.schema.properties import COLORS, VIEW_CORNERS, Group
from sgf_lark.schema.values import Composed, Point

from .builder import NewProperty
from .steps import NodeTask, letter_of, show


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

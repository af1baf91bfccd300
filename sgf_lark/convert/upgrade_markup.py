"""Upgrades of markup: annotations, marks, letters, views, passes."""

from __future__ import annotations

from sgf_lark.diagnostics.rules import Severity
from sgf_lark.schema.properties import COLORS, VIEW_CORNERS, Group
from sgf_lark.schema.values import Composed, Point

from .making import Item
from .steps import Task, letter_of, shown


def tesuji_and_bad(task: Task) -> None:
    """TE before BM is IT, BM before TE is DO.

    Source: FF[4], converting.
    """
    good, bad = task.find("TE"), task.find("BM")
    if good is None or bad is None:
        return
    items = task.items
    first, second = sorted((good, bad), key=items.index)
    ident = "IT" if first is good else "DO"
    severity = Severity.WARNING if "2" in good.raw + bad.raw else None
    lost = ", and its emphasis is lost" if severity else ""
    message = f"{shown(first)} before {shown(second)} is now {ident}[]{lost}"
    task.say("tesuji-and-bad", message, second, severity=severity)
    items[items.index(first)] = Item(ident, ("",), first.place)
    items.remove(second)


def marks(task: Task) -> None:
    """M is MA on an empty point and TR on a stone; without a board, MA.

    Source: FF[4], converting; a point that has a mark already keeps that one (SGFC).
    """
    item = task.find("M")
    if item is None:
        return
    taken: set[object] = {
        value for one in task.items if one.ident in Group.MARKS.idents for value in task.values(one)
    }
    found: dict[str, list[str]] = {"MA": [], "TR": []}
    for raw, value in zip(item.raw, task.values(item), strict=False):
        if value in taken:
            task.say(
                "point-dropped", f"M[{raw}]: the point has a mark already; M is left out", item
            )
            continue
        taken.add(value)
        found["TR" if task.has_stone(value) else "MA"].append(raw)
    place = task.items.index(item)
    made = [Item(ident, tuple(raw), item.place) for ident, raw in found.items() if raw]
    task.items[place : place + 1] = [one for one in made if not _joined(task, one)]
    new = " and ".join(map(str, made)) or "nothing"
    if task.stones is None and task.setting.is_go:
        message = f"{shown(item)} is now {new}; where the stones are is not known"
    elif task.stones is None:
        message = f"{shown(item)} is now {new}, as if all points were empty"
    else:
        task.say("marks", f"{shown(item)} is now {new}", item)
        return
    task.say("marks", message, item, severity=Severity.WARNING)


def _joined(task: Task, item: Item) -> bool:
    """Put the values into a property of that name, if the node has one."""
    there = task.find(item.ident)
    if there is None:
        return False
    there.raw += item.raw
    return True


def letters(task: Task) -> None:
    """The n-th point of L has the n-th letter of LB.

    Source: FF[4], converting, for A to Z; AA, AB ... behind them are a choice.  A point that
    has a label keeps it, and takes no letter (SGFC).
    """
    item = task.find("L")
    if item is None:
        return
    labels = task.find("LB")
    taken: set[object] = {
        value.first
        for value in (task.values(labels) if labels else ())
        if isinstance(value, Composed)
    }
    made: list[str] = []
    for raw, value in zip(item.raw, task.values(item), strict=False):
        if value in taken:
            task.say(
                "point-dropped", f"L[{raw}]: the point has a label already; L is left out", item
            )
            continue
        taken.add(value)
        made.append(f"{raw}:{letter_of(len(made))}")
    place = task.items.index(item)
    new = Item("LB", tuple(made), item.place)
    task.items[place : place + 1] = [] if not made or _joined(task, new) else [new]
    task.say("letters", f"{shown(item)} is now {shown(new) if made else 'nothing'}", item)


def view(task: Task) -> None:
    """The two corners of VW are a rectangle of FF[4].

    Source: FF[1], VW; FF[4], converting, for the programs that wrote it in FF[3].
    """
    item = task.find("VW")
    if item is None or item.raw == ("",):
        return
    corners = [one for one in task.values(item) if isinstance(one, Point)]
    if len(item.raw) != VIEW_CORNERS or len(corners) != VIEW_CORNERS:
        if len(item.raw) != 1 or ":" not in item.raw[0]:
            message = f"{shown(item)} does not name two corners; kept as a list of points"
            task.say("old-view", message, item, severity=Severity.WARNING)
        return
    columns, rows = (sorted(one) for one in zip(*corners, strict=True))
    points = dict.fromkeys((Point(columns[0], rows[0]), Point(columns[1], rows[1])))
    named = [task.setting.point(one) for one in points]
    new = Item("VW", (":".join(one or raw for one, raw in zip(named, item.raw, strict=False)),))
    task.say("old-view", f"the corners {shown(item)} are now {new}", item)
    item.raw = new.raw


def passes(task: Task) -> None:
    """``tt`` is an empty move on boards up to 19x19, and a point on larger ones.

    Source: FF[4], Go; that both sides count is how SGFC reads it.
    """
    if not task.setting.tt_passes:
        return
    for item in task.items:
        if item.ident in COLORS and item.raw == ("tt",):
            item.raw = ("",)
            task.say("pass-form", f"{item.ident}[tt] is now {item.ident}[], a pass", item)

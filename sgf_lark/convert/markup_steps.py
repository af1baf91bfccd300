"""Steps for annotations, marks, letters, views, passes and points, up and down.

Source: FF[4], the pages on converting and compatibility, from which most rules come; where
they leave something open, the behaviour of SGFC, the program of FF[4]'s author; or else a
choice, which the function names.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from sgf_lark.core import (
    COLORS,
    VIEW_CORNERS,
    Composed,
    Count,
    Format,
    Group,
    Point,
    Rectangle,
    Severity,
    column_name,
)

from .builder import NewProperty
from .lossy import Lossy
from .steps import NodeTask, property_step, quote

# ---- annotations ----

#: Annotations, and the two of FF[1] that mean the same, in their order.
ANNOTATIONS = {"IT": ("TE", "BM"), "DO": ("BM", "TE")}


def merge_annotations(task: NodeTask) -> None:
    """Convert TE before BM to IT, and BM before TE to DO (FF[4], converting)."""
    for ident, names in ANNOTATIONS.items():
        pair = [prop for prop in task.props if prop.ident in names]
        if tuple(prop.ident for prop in pair) != names or any(map(task.is_wrong, pair)):
            continue
        first, second = pair
        severity = Severity.WARNING if "2" in first.raw + second.raw else None
        lost = "; the emphasis is lost" if severity else ""
        message = f"{quote(first)} before {quote(second)} is now {ident}[]{lost}"
        task.report("tesuji-and-bad", message, second, severity=severity)
        task.replace(first, NewProperty(ident, ("",), first.place))
        task.replace(second)


@property_step(*ANNOTATIONS)
def split_annotations(task: NodeTask, prop: NewProperty) -> None:
    """Convert IT to TE before BM, and DO to BM before TE, for a format without them.

    Source: the reverse of FF[4], converting.
    """
    if task.context.rule(prop.ident) is not None:
        return
    new = [NewProperty(ident, ("1",), prop.place) for ident in ANNOTATIONS[prop.ident]]
    task.report("tesuji-and-bad", f"{prop} is now {''.join(map(str, new))}", prop)
    task.replace(prop, *new)


# ---- marks and letters ----

#: Marks that M of FF[1] expresses: on a point without a stone, and on one with a stone.
OLD_MARKS = ("MA", "TR")


@property_step("M")
def split_marks(task: NodeTask, prop: NewProperty) -> None:
    """Convert M to MA on an empty point and to TR on a stone; without a board, to MA.

    Source: FF[4], converting; a point that has a mark already keeps that one (SGFC).
    """
    marks = [other for other in task.props if other.ident in Group.MARKS.idents]
    taken: set[object] = {value for mark in marks for value in task.values(mark)}
    raws: dict[str, list[str]] = {ident: [] for ident in OLD_MARKS}
    for raw, value in _free_points(task, prop, taken, "mark"):
        raws[OLD_MARKS[task.has_stone(value)]].append(raw)
    props = [NewProperty(ident, tuple(raw), prop.place) for ident, raw in raws.items() if raw]
    message = f"{quote(prop)} is now {' and '.join(map(str, props)) or 'nothing'}"
    if task.stones is None and task.context.is_go:
        message += "; the stones on the board are unknown"
    elif task.stones is None:
        message += ", as if all points were empty"
    severity = Severity.WARNING if task.stones is None else None
    task.report("marks", message, prop, severity=severity)
    _replace_or_merge(task, prop, props)


def merge_marks(task: NodeTask) -> None:
    """Convert MA and TR to M, which shows a triangle on a stone and a cross elsewhere.

    Only for a format without them.  Source: FF[1], M; the reverse of FF[4], converting.
    """
    props = [prop for prop in task.props if prop.ident in OLD_MARKS]
    if not props or task.context.rule("MA") is not None:
        return
    raws: list[str] = []
    for prop in props:
        values = task.single_points(prop)
        if values is None:
            return
        for raw, _, points in values:
            raws += [task.context.point(point) or raw for point in points] or [raw]
            if task.stones is not None and any(
                task.has_stone(point) != (prop.ident == "TR") for point in points
            ):
                message = f"{prop.ident}[{raw}] looks different as M[{raw}]"
                task.report("marks", message, prop, severity=Severity.WARNING)
    new = NewProperty("M", tuple(dict.fromkeys(raws)), props[0].place)
    task.report(
        "marks",
        f"{' and '.join(map(quote, props))} is now {quote(new)}",
        props[0],
    )
    task.replace(props[0], new)
    for prop in props[1:]:
        task.replace(prop)


@property_step("L")
def write_labels(task: NodeTask, prop: NewProperty) -> None:
    """Convert L to LB: the n-th point gets the n-th letter.

    Source: FF[4], converting, for A to Z; AA, AB ... after them are a choice.  A point that
    has a label keeps it, and takes no letter (SGFC).
    """
    labels = task.find("LB")
    values = task.values(labels) if labels else ()
    taken: set[object] = {value.first for value in values if isinstance(value, Composed)}
    points = [raw for raw, _ in _free_points(task, prop, taken, "label")]
    raws = tuple(
        f"{raw}:{column_name(number, ascii_uppercase)}" for number, raw in enumerate(points)
    )
    new = NewProperty("LB", raws, prop.place)
    task.report(
        "letters",
        f"{quote(prop)} is now {quote(new) if raws else 'nothing'}",
        prop,
    )
    _replace_or_merge(task, prop, [new])  # which is empty only beside LB


@property_step("LB")
def write_letters(task: NodeTask, prop: NewProperty) -> None:
    """Convert labels A, B, C ... to L, whose points have letters in their order.

    Only for a format without labels.  Source: FF[1], L.  It cannot express other labels.
    """
    if task.context.rule("LB") is not None:
        return
    by_letter = {
        str(value.second): raw.partition(":")[0]
        for raw, value in zip(prop.raw, task.values(prop), strict=False)
        if isinstance(value, Composed)
    }
    wanted = [column_name(number, ascii_uppercase) for number in range(len(prop.raw))]
    if sorted(by_letter) == sorted(wanted):
        new = NewProperty("L", tuple(by_letter[letter] for letter in wanted), prop.place)
        task.report("letters", f"{quote(prop)} is now {quote(new)}", prop)
        task.replace(prop, new)


def _free_points(
    task: NodeTask, prop: NewProperty, taken: set[object], what: str
) -> Iterator[tuple[str, object]]:
    for raw, value in zip(prop.raw, task.values(prop), strict=False):
        if value in taken:
            message = f"{prop.ident}[{raw}] is left out: the point already has a {what}"
            task.report("point-dropped", message, prop)
        else:
            taken.add(value)
            yield raw, value


def _replace_or_merge(task: NodeTask, prop: NewProperty, props: list[NewProperty]) -> None:
    task.replace(prop, *[new for new in props if task.find(new.ident) is None])
    for new in props:
        there = task.find(new.ident)
        if there is not None:
            there.raw += new.raw


# ---- views, passes, lists, figures ----


@property_step("VW")
def merge_corners(task: NodeTask, prop: NewProperty) -> None:
    """Write the two corners of VW as a rectangle of FF[4].

    Source: FF[1], VW; FF[4], converting, for the programs that wrote it in FF[3].
    """
    corners = [value for value in task.values(prop) if isinstance(value, Point)]
    if len(prop.raw) == len(corners) == VIEW_CORNERS:
        columns, rows = (sorted(axis) for axis in zip(*corners, strict=True))
        points = dict.fromkeys((Point(columns[0], rows[0]), Point(columns[1], rows[1])))
        named = [task.context.point(point) for point in points]
        raw = ":".join(name or raw for name, raw in zip(named, prop.raw, strict=False))
        message = f"the corners {quote(prop)} are now VW[{raw}]"
        task.rewrite(prop, (raw,), "old-view", message)
    elif prop.raw != ("",) and (len(prop.raw) != 1 or ":" not in prop.raw[0]):
        message = f"{quote(prop)} does not name two corners; it is kept as a list of points"
        task.report("old-view", message, prop, severity=Severity.WARNING)


@property_step("VW")
def split_corners(task: NodeTask, prop: NewProperty) -> None:
    """Write a rectangle of VW as two corners.

    Source: FF[1], VW; in FF[3] it is private.
    """
    has_view = task.is_root or task.context.format is not Format.FF1
    if has_view and task.context.options.lossy is Lossy.KEEP:
        values = task.values(prop)
        if len(values) == 1 and isinstance(values[0], Rectangle):
            task.rewrite(prop, tuple(prop.raw[0].split(":")), "old-view")


@property_step(*COLORS)
def convert_passes(task: NodeTask, prop: NewProperty) -> None:
    """Write a pass of Go as the format writes it: ``tt``, or in FF[4] empty.

    Source: FF[3], Go; FF[4], Go, where ``tt`` is a point on boards beyond 19x19; that both
    sides count is how SGFC reads it.
    """
    context = task.context
    old, new = ("tt", "") if context.is_upgrade else ("", "tt")
    if prop.raw == (old,) and (context.tt_passes if context.is_upgrade else context.is_go):
        message = f"{prop.ident}[{old}] is now {prop.ident}[{new}], a pass"
        task.rewrite(prop, (new,), "pass-form", message)


@property_step()
def expand_rectangles(task: NodeTask, prop: NewProperty) -> None:
    """Write rectangles as single points.

    Source: FF[4], compressed point lists, which older formats lack.
    """
    rule = task.context.rule(prop.ident)
    if rule is None or not rule.is_points or prop.ident == "VW":
        return
    raws: list[str] = []
    for raw, value, points in task.single_points(prop) or ():
        named = map(task.context.point, points) if isinstance(value, Rectangle) else ()
        raws += [text for text in named if text is not None] or [raw]
    if raws and tuple(raws) != prop.raw:
        message = f"the rectangles of {quote(prop)} are written as single points"
        task.rewrite(prop, tuple(raws), "list-written-out", message)


@property_step()
def remove_empty_lists(task: NodeTask, prop: NewProperty) -> None:
    """Remove TB and TW without points: older formats have no empty lists.

    Source: FF[1] and FF[3], TB and TW.
    """
    rule = task.context.rule(prop.ident)
    if rule is not None and rule.count is Count.LIST and prop.raw == ("",):
        task.drop(prop, "empty-dropped", f"empty {prop} is left out")


@property_step("FG")
def simplify_figures(task: NodeTask, prop: NewProperty) -> None:
    """Remove the flags and the title of FG (FF[1] and FF[3], FG)."""
    if prop.raw != ("",):
        task.rewrite(prop, ("",), "figure-plain")

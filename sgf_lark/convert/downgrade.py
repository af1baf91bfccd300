"""Conversion from FF[4] to FF[3] and FF[1], and from FF[3] to FF[1], for old programs.

No standard describes this direction: the steps follow from FF[4]'s page on compatibility, or
are choices.  Facts that the old format cannot express are kept or left out, or such a game is
rejected, as the user chooses; see :class:`~sgf_lark.convert.lossy.Lossy`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from sgf_lark.findings.finding import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.ruleset import find_board_size
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import OLD_SIDE
from sgf_lark.schema.properties import COLORS, LONGEST_LABEL, Category, Count
from sgf_lark.schema.values import Composed, Point, PointList, Rectangle
from sgf_lark.values.corrections import format_real
from sgf_lark.values.types import ESCAPED_TEXTS, NotOfType
from sgf_lark.values.writer import escape_text

from .builder import NewProperty, Options, ResultBuilder
from .lossy import Lossy
from .notes import Note
from .steps import (
    NodeTask,
    convert_nodes,
    letter_of,
    merge_duplicates,
    shorten_names,
    show,
)
from .upgrade_values import corrected_value


def downgrade_game(game: GameTree, format: Format, options: Options) -> ResultBuilder:
    """Convert a game of FF[4] to FF[3] or FF[1], or of FF[3] to FF[1]."""
    size = find_board_size(game.nodes.contents[0], game.nodes.rules.game)
    if size is not None and (not size.is_square or max(size) > OLD_SIDE):
        builder = ResultBuilder.of(game, format, options)
        board = f"{size.columns}x{size.rows}"
        message = f"{format.shown} allows square boards up to 19x19; this board is {board}"
        places = (n for n, prop in enumerate(game.nodes.contents[0]) if prop.ident == "SZ")
        builder.note(Note("board-refused", message, next(places, None)), 0, 0)
        return builder
    marks = OLD_MARKS if format is Format.FF1 else frozenset()
    return convert_nodes(game, format, options, STEPS[format], marks)


# ---- values ----


def write_one_side(task: NodeTask) -> None:
    """Write the size of a square board as one number.

    Source: FF[1] and FF[3], SZ.
    """
    prop = task.find("SZ")
    if prop is not None and task.is_root and ":" in prop.raw[0] and task.context.size is not None:
        new = str(task.context.size.columns)
        task.report("value-corrected", f"{show(prop)} is now SZ[{new}]", prop)
        prop.raw = (new,)


def convert_view(task: NodeTask) -> None:
    """Write a rectangle of VW as two corners.

    Source: FF[1], VW; in FF[3] it is private.
    """
    prop = task.find("VW")
    if prop is None or task.context.options.lossy is not Lossy.KEEP:
        return
    if task.context.format is Format.FF1 and not task.is_root:
        return
    values = task.values(prop)
    if len(values) == 1 and isinstance(values[0], Rectangle):
        raw = tuple(prop.raw[0].split(":"))
        task.report(
            "old-view",
            f"{show(prop)} is now {show(NewProperty('VW', raw))}",
            prop,
        )
        prop.raw = raw


def expand_rectangles(task: NodeTask) -> None:
    """Write rectangles as single points.

    Source: FF[4], compressed point lists, which older formats lack.
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is None or not rule.is_points or prop.ident == "VW":
            continue
        raws: list[str] = []
        values = task.values(prop)
        for raw, value in zip(prop.raw, values, strict=False):
            listed = [raw]
            if isinstance(value, Rectangle) and value.corners is not None:
                points = task.context.points_of(value)
                if points is None:
                    task.reject_list(prop)
                    return
                named = map(task.context.point, points)
                listed = [text for text in named if text is not None] or listed
            raws += listed
        if values and tuple(raws) != prop.raw:
            message = f"the rectangles of {show(prop)} are written as single points"
            task.report("list-written-out", message, prop)
            prop.raw = tuple(raws)


def remove_empty_lists(task: NodeTask) -> None:
    """Remove TB and TW without points: older formats have no empty lists.

    Source: FF[1] and FF[3], TB and TW.
    """
    kept = []
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is not None and rule.count is Count.LIST and prop.raw == ("",):
            task.report("empty-dropped", f"empty {prop} is left out", prop)
        else:
            kept.append(prop)
    task.props = kept


def convert_passes(task: NodeTask) -> None:
    """Write a pass of Go as ``tt``.

    Source: FF[3], Go.
    """
    for prop in task.props:
        if prop.ident in COLORS and prop.raw == ("",) and task.context.is_go:
            prop.raw = ("tt",)
            task.report("pass-form", f"{prop.ident}[] is now {prop.ident}[tt], a pass", prop)


def escape_texts(task: NodeTask) -> None:
    r"""Write texts with no escapes but ``\]`` and ``\\``, and without soft line breaks.

    Source: FF[1] and FF[3], Text; FF[4], compatibility.
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        old = task.context.old.rule(prop.ident)
        if rule is None or old is None or rule.types not in ESCAPED_TEXTS or len(prop.raw) != 1:
            continue
        kind = old.types[0][0] if old.types in ESCAPED_TEXTS else "text"
        text = task.context.old.reader.read(kind, prop.raw[0])
        if (
            _OTHER_ESCAPE.search(prop.raw[0])
            or task.context.new.reader.read("text", prop.raw[0]) != text
        ):
            new = escape_text(text, task.context.format)
            if new != prop.raw[0]:
                prop.raw = (new,)
                message = f"{prop.ident} is escaped for {task.context.format.shown}"
                task.report("text-escaped", message, prop)


_OTHER_ESCAPE = re.compile(r"\\[^\]\\]", re.DOTALL)


def cut_labels(task: NodeTask) -> None:
    """Cut labels to four characters, and do not escape their colons.

    Source: FF[4], changes, on LB of FF[3].
    """
    prop = task.find("LB")
    if prop is None or task.context.rule("LB") is None:
        return
    raws = []
    for raw, value in zip(prop.raw, task.values(prop), strict=False):
        if not isinstance(value, Composed):
            raws.append(raw)
            continue
        text = str(value.second)
        if len(text) > LONGEST_LABEL:
            message = f"LB[{raw}] is cut to four characters"
            task.report("label-cut", message, prop)
        point = raw.partition(":")[0]
        raws.append(f"{point}:{escape_text(text[:LONGEST_LABEL], task.context.format)}")
    prop.raw = tuple(raws)


def simplify_figures(task: NodeTask) -> None:
    """Remove the flags and the title of FG.

    Source: FF[1] and FF[3], FG.
    """
    prop = task.find("FG")
    if prop is not None and prop.raw != ("",):
        task.report("figure-plain", f"{show(prop)} is now FG[]", prop)
        prop.raw = ("",)


def round_numbers(task: NodeTask) -> None:
    """Round V to a whole number.

    Source: FF[1], V.
    """
    prop = task.find("V")
    if prop is None:
        return
    value = next(iter(task.values(prop)), None)
    if isinstance(value, Decimal) and "." in prop.raw[0]:
        new = format_real(value.to_integral_value(ROUND_HALF_EVEN))
        same = value == Decimal(new)
        message = f"V[{prop.raw[0]}] is now V[{new}]"
        if same:
            task.report("value-corrected", message, prop)
        else:
            task.report("number-rounded", message, prop)
        prop.raw = (new,)


def convert_minutes(task: NodeTask) -> None:
    """Convert TM to minutes, which FF[1] recommends.

    Source: FF[1], TM.  The number stays as it is unless the user asks (a choice).
    """
    prop = task.find("TM")
    if prop is None or task.context.old.format is Format.FF3:
        return
    try:
        seconds = task.context.old.reader.read("real", prop.raw[0])
    except NotOfType:
        return
    if not seconds:
        return
    if task.context.options.minutes:
        new = format_real(seconds / 60)
        message = f"TM[{prop.raw[0]}] in seconds is now TM[{new}] in minutes"
        task.report("time-unit", message, prop, severity=Severity.INFO)
        prop.raw = (new,)
    else:
        message = f"TM[{prop.raw[0]}] is kept in seconds; FF[1] recommends minutes"
        help_ = "set minutes in [convert] of the settings to have minutes written"
        task.report("time-unit", message, prop, help=help_)


# ---- marks, labels, annotations of FF[1] ----


#: Marks that M of FF[1] expresses.
OLD_MARKS = frozenset({"MA", "TR"})


def convert_marks(task: NodeTask) -> None:
    """Convert MA and TR to M, which shows a triangle on a stone and a cross elsewhere.

    Source: FF[1], M; the reverse of FF[4], converting.
    """
    props = [prop for prop in task.props if prop.ident in OLD_MARKS]
    if not props:
        return
    raws: list[str] = []
    for prop in props:
        values = task.context.old.property(prop.ident, prop.raw).values
        for raw, value in zip(prop.raw, values, strict=False):
            if isinstance(value, Point):
                points: PointList | None = PointList((value,))
            elif isinstance(value, Rectangle) and value.corners is not None:
                points = task.context.points_of(value)
            else:
                raws.append(raw)
                continue
            if points is None:
                task.reject_list(prop)
                return
            raws += [task.context.point(point) or raw for point in points]
            if task.stones is not None and any(
                task.has_stone(point) != (prop.ident == "TR") for point in points
            ):
                message = f"{prop.ident}[{raw}] looks different as M[{raw}]"
                task.report("marks", message, prop, severity=Severity.WARNING)
    new = tuple(dict.fromkeys(raws))
    prop = NewProperty("M", new, props[0].place)
    task.report("marks", f"{' and '.join(map(show, props))} is now {show(prop)}", props[0])
    place = task.props.index(props[0])
    task.props = [other for other in task.props if other not in props]
    task.props.insert(place, prop)


def convert_letters(task: NodeTask) -> None:
    """Convert labels A, B, C ... to L, whose points have letters in their order.

    Source: FF[1], L.  It cannot express other labels.
    """
    prop = task.find("LB")
    if prop is None:
        return
    by_letter: dict[str, str] = {}
    for raw, value in zip(prop.raw, task.values(prop), strict=False):
        if isinstance(value, Composed):
            by_letter[str(value.second)] = raw.partition(":")[0]
    wanted = [letter_of(number) for number in range(len(prop.raw))]
    if sorted(by_letter) == sorted(wanted):
        new = NewProperty("L", tuple(by_letter[letter] for letter in wanted), prop.place)
        task.report("letters", f"{show(prop)} is now {show(new)}", prop)
        prop.ident, prop.raw = new.ident, new.raw


def split_annotations(task: NodeTask) -> None:
    """Convert IT to TE before BM, and DO to BM before TE.

    Source: the reverse of FF[4], converting.
    """
    for ident, pair in (("IT", ("TE", "BM")), ("DO", ("BM", "TE"))):
        prop = task.find(ident)
        if prop is not None:
            new = [NewProperty(annotation, ("1",), prop.place) for annotation in pair]
            task.report("tesuji-and-bad", f"{prop} is now {''.join(map(str, new))}", prop)
            place = task.props.index(prop)
            task.props[place : place + 1] = new


# ---- what is left ----


def keep_or_drop(task: NodeTask) -> None:
    """Keep facts that the format cannot express as private properties, or leave them out.

    Source: FF[4], compatibility; FF[3], on private properties, which readers have to skip.
    """
    context = task.context
    kept = []
    for prop in task.props:
        rule, old = context.rule(prop.ident), context.old.rule(prop.ident)
        name = context.format.shown
        if rule is not None and rule.category is Category.ROOT and not task.is_root:
            text = show(prop)
            message = f"{text} is left out: {name} allows it in the first node only"
            task.report("fact-dropped", message, prop)
        elif (
            old is None
            or (rule is not None and prop.ident != "VW")
            or (prop.ident == "VW" and _is_old_view(task, prop))
        ):
            kept.append(prop)
        elif context.options.lossy is not Lossy.KEEP or prop.ident == "VW":
            task.report(
                "fact-dropped", f"{name} has no {prop.ident}: {show(prop)} is left out", prop
            )
        else:
            message = f"{name} has no {prop.ident}; it is kept as a private property"
            task.report("kept-as-private", message, prop, severity=Severity.WARNING)
            kept.append(prop)
    task.props = kept


def _is_old_view(task: NodeTask, prop: NewProperty) -> bool:
    """Return whether VW is empty or names two corners, as in FF[1]."""
    if task.context.options.lossy is not Lossy.KEEP:
        return task.context.old.format is Format.FF3 and task.is_root
    old = task.context.old.format is Format.FF3
    return prop.raw == ("",) or old or any(note.name == "old-view" for note in task.notes)


def remove_other_meanings(task: NodeTask) -> None:
    """Remove private properties whose names have another meaning in the format.

    A choice: kept, they would be misread.
    """
    context = task.context
    kept = []
    for prop in task.props:
        is_private = context.old.rule(prop.ident) is None and context.rule(prop.ident) is not None
        if is_private and task.is_wrong(prop):
            name = context.format.shown
            message = f"{show(prop)} is left out: {prop.ident} has another meaning in {name}"
            task.report("second-meaning", message, prop)
        else:
            kept.append(prop)
    task.props = kept


def convert_colors(task: NodeTask) -> None:
    """Write colors as B or W.

    Source: FF[3], PL, which allows 1 and 2, too.
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is None or rule.types != (("color",),) or not task.is_wrong(prop):
            continue
        values = task.values(prop)
        raws = tuple(corrected_value(rule, *pair) for pair in zip(prop.raw, values, strict=False))
        new = NewProperty(prop.ident, raws, prop.place)
        if not task.is_wrong(new):
            task.report("value-corrected", f"{show(prop)} is now {show(new)}", prop)
            prop.raw = raws


def report_wrong_values(task: NodeTask) -> None:
    """Keep invalid values, and report them.

    A choice: no value is lost because it is in doubt.
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is not None and task.is_wrong(prop):
            expected = task.context.new.reader.words(rule)
            name = task.context.format.shown
            message = f"invalid {show(prop)} is kept; {name} expects {expected}"
            task.report("value-kept", message, prop)


def declare_format(task: NodeTask) -> None:
    """Declare the format in the first node.

    Source: FF[1] and FF[3], GM; FF[4], FF.
    """
    if not task.is_root:
        return
    prop = task.find("FF")
    new = NewProperty("FF", (task.context.format.value[2:],), prop.place if prop else None)
    if prop is None:
        task.props.insert(0, new)
    else:
        task.props[task.props.index(prop)] = new
    was = task.context.old.format.shown
    message = f"{was} is now {task.context.format.shown}; the first node declares {new}"
    task.report("declared", message, prop)


#: The steps in their order.
STEPS: dict[Format, Sequence[Callable[[NodeTask], None]]] = {
    Format.FF3: (
        shorten_names,
        merge_duplicates,
        remove_other_meanings,
        write_one_side,
        convert_view,
        expand_rectangles,
        remove_empty_lists,
        convert_passes,
        escape_texts,
        cut_labels,
        simplify_figures,
        keep_or_drop,
        convert_colors,
        report_wrong_values,
        declare_format,
    ),
    Format.FF1: (
        shorten_names,
        merge_duplicates,
        remove_other_meanings,
        write_one_side,
        convert_view,
        convert_marks,
        convert_letters,
        split_annotations,
        expand_rectangles,
        remove_empty_lists,
        convert_passes,
        escape_texts,
        simplify_figures,
        round_numbers,
        convert_minutes,
        keep_or_drop,
        convert_colors,
        report_wrong_values,
        declare_format,
    ),
}

"""From FF[4] to FF[3] and FF[1], and from FF[3] to FF[1], for programs that know no better.

No standard says how to go back: the rules below are what FF[4]'s page on compatibility
implies, and choices.  What an old format has no words for is kept, left out or refused, as
the user wants; see :class:`~sgf_lark.convert.unsayable.Unsayable`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.ruleset import board_size
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import OLD_SIDE
from sgf_lark.schema.properties import COLORS, LONGEST_LABEL, Category, Count
from sgf_lark.schema.values import Composed, Point, PointList, Rectangle
from sgf_lark.values.corrections import format_real
from sgf_lark.values.types import ESCAPED_TEXTS, NotOfType
from sgf_lark.values.writer import escape_text

from .making import Item, Making, Note, Options
from .steps import Task, duplicates, letter_of, made_of, names, shown
from .unsayable import Unsayable
from .upgrade_values import corrected_value


def downgraded(game: GameTree, format: Format, options: Options) -> Making:
    """A game of FF[4] as FF[3] or FF[1], or of FF[3] as FF[1]."""
    size = board_size(game.nodes.contents[0], game.nodes.rules.game)
    if size is not None and (not size.is_square or max(size) > OLD_SIDE):
        made = Making.of(game, format, options)
        board = f"{size.columns}x{size.rows}"
        message = f"{format.shown} has square boards up to 19x19, and this one is {board}"
        places = (n for n, one in enumerate(game.nodes.contents[0]) if one.ident == "SZ")
        made.note(Note("board-refused", message, next(places, None)), 0, 0)
        return made
    marks = OLD_MARKS if format is Format.FF1 else frozenset()
    return made_of(game, format, options, STEPS[format], marks)


# ---- values ----


def size(task: Task) -> None:
    """A square board has one side.

    Source: FF[1] and FF[3], SZ.
    """
    item = task.find("SZ")
    if item is not None and task.is_root and ":" in item.raw[0] and task.setting.size is not None:
        new = str(task.setting.size.columns)
        task.say("value-corrected", f"{shown(item)} is now SZ[{new}]", item)
        item.raw = (new,)


def view(task: Task) -> None:
    """A rectangle of VW is named by two corners.

    Source: FF[1], VW; in FF[3] it is private.
    """
    item = task.find("VW")
    if item is None or task.setting.options.unsayable is not Unsayable.KEEP:
        return
    if task.setting.format is Format.FF1 and not task.is_root:
        return
    values = task.values(item)
    if len(values) == 1 and isinstance(values[0], Rectangle):
        raw = tuple(item.raw[0].split(":"))
        task.say("old-view", f"{shown(item)} is now {shown(Item('VW', raw))}", item)
        item.raw = raw


def rectangles(task: Task) -> None:
    """Rectangles are written as their points.

    Source: FF[4], compressed point lists, which older formats lack.
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is None or not rule.is_points or item.ident == "VW":
            continue
        made: list[str] = []
        values = task.values(item)
        for raw, value in zip(item.raw, values, strict=False):
            listed = [raw]
            if isinstance(value, Rectangle) and value.corners is not None:
                points = task.setting.points_of(value)
                if points is None:
                    task.refuse_list(item)
                    return
                named = map(task.setting.point, points)
                listed = [one for one in named if one is not None] or listed
            made += listed
        if values and tuple(made) != item.raw:
            message = f"the rectangles of {shown(item)} are written as points"
            task.say("list-written-out", message, item)
            item.raw = tuple(made)


def empty_lists(task: Task) -> None:
    """TB and TW without points say nothing in a format without empty lists.

    Source: FF[1] and FF[3], TB and TW.
    """
    kept = []
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is not None and rule.count is Count.LIST and item.raw == ("",):
            task.say("empty-dropped", f"{item} says nothing, and is left out", item)
        else:
            kept.append(item)
    task.items = kept


def passes(task: Task) -> None:
    """A pass of Go is ``tt``.

    Source: FF[3], Go.
    """
    for item in task.items:
        if item.ident in COLORS and item.raw == ("",) and task.setting.is_go:
            item.raw = ("tt",)
            task.say("pass-form", f"{item.ident}[] is now {item.ident}[tt], a pass", item)


def texts(task: Task) -> None:
    r"""Texts have only the escapes ``\]`` and ``\\``, and no soft line breaks.

    Source: FF[1] and FF[3], Text; FF[4], compatibility.
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        old = task.setting.old.rule(item.ident)
        if rule is None or old is None or rule.types not in ESCAPED_TEXTS or len(item.raw) != 1:
            continue
        kind = old.types[0][0] if old.types in ESCAPED_TEXTS else "text"
        text = task.setting.old.reader.read(kind, item.raw[0])
        if (
            _OTHER_ESCAPE.search(item.raw[0])
            or task.setting.new.reader.read("text", item.raw[0]) != text
        ):
            new = escape_text(text, task.setting.format)
            if new != item.raw[0]:
                item.raw = (new,)
                message = f"{item.ident} is escaped as {task.setting.format.shown} wants it"
                task.say("text-escaped", message, item)


_OTHER_ESCAPE = re.compile(r"\\[^\]\\]", re.DOTALL)


def labels(task: Task) -> None:
    """A label has four characters, and its colons are as they are.

    Source: FF[4], changes, on LB of FF[3].
    """
    item = task.find("LB")
    if item is None or task.setting.rule("LB") is None:
        return
    made = []
    for raw, value in zip(item.raw, task.values(item), strict=False):
        if not isinstance(value, Composed):
            made.append(raw)
            continue
        text = str(value.second)
        if len(text) > LONGEST_LABEL:
            message = f"LB[{raw}] is cut to four characters"
            task.say("label-cut", message, item)
        point = raw.partition(":")[0]
        made.append(f"{point}:{escape_text(text[:LONGEST_LABEL], task.setting.format)}")
    item.raw = tuple(made)


def figures(task: Task) -> None:
    """FG has no flags and no title.

    Source: FF[1] and FF[3], FG.
    """
    item = task.find("FG")
    if item is not None and item.raw != ("",):
        task.say("figure-plain", f"{shown(item)} is now FG[]", item)
        item.raw = ("",)


def whole_numbers(task: Task) -> None:
    """V is a whole number in FF[1].

    Source: FF[1], V.
    """
    item = task.find("V")
    if item is None:
        return
    value = next(iter(task.values(item)), None)
    if isinstance(value, Decimal) and "." in item.raw[0]:
        new = format_real(value.to_integral_value(ROUND_HALF_EVEN))
        same = value == Decimal(new)
        message = f"V[{item.raw[0]}] is now V[{new}]"
        if same:
            task.say("value-corrected", message, item)
        else:
            task.say("number-rounded", message, item)
        item.raw = (new,)


def minutes(task: Task) -> None:
    """TM of FF[1] counts minutes by the book.

    Source: FF[1], TM.  The number stays as it is unless the user says otherwise (a choice).
    """
    item = task.find("TM")
    if item is None or task.setting.old.format is Format.FF3:
        return
    try:
        seconds = task.setting.old.reader.read("real", item.raw[0])
    except NotOfType:
        return
    if not seconds:
        return
    if task.setting.options.minutes:
        new = format_real(seconds / 60)
        message = f"TM[{item.raw[0]}] in seconds is now TM[{new}] in minutes"
        task.say("time-unit", message, item, severity=Severity.INFO)
        item.raw = (new,)
    else:
        message = f"TM[{item.raw[0]}] is kept in seconds; FF[1] recommends minutes"
        task.say("time-unit", message, item, help="use --minutes to have minutes written")


# ---- marks, letters, annotations of FF[1] ----


#: What M of FF[1] can say.
OLD_MARKS = frozenset({"MA", "TR"})


def marks(task: Task) -> None:
    """MA and TR are M, which shows a triangle on a stone and a cross elsewhere.

    Source: FF[1], M; the reverse of what FF[4], converting, says.
    """
    items = [one for one in task.items if one.ident in OLD_MARKS]
    if not items:
        return
    raws: list[str] = []
    for item in items:
        values = task.setting.old.property(item.ident, item.raw).values
        for raw, value in zip(item.raw, values, strict=False):
            if isinstance(value, Point):
                points: PointList | None = PointList((value,))
            elif isinstance(value, Rectangle) and value.corners is not None:
                points = task.setting.points_of(value)
            else:
                raws.append(raw)
                continue
            if points is None:
                task.refuse_list(item)
                return
            raws += [task.setting.point(point) or raw for point in points]
            if task.stones is not None and any(
                task.has_stone(point) != (item.ident == "TR") for point in points
            ):
                message = f"{item.ident}[{raw}] looks otherwise as M[{raw}]"
                task.say("marks", message, item, severity=Severity.WARNING)
    new = tuple(dict.fromkeys(raws))
    made = Item("M", new, items[0].place)
    task.say("marks", f"{' and '.join(map(shown, items))} is now {shown(made)}", items[0])
    place = task.items.index(items[0])
    task.items = [one for one in task.items if one not in items]
    task.items.insert(place, made)


def letters(task: Task) -> None:
    """Labels A, B, C ... are L, whose points have letters in their order.

    Source: FF[1], L.  Other labels it cannot say.
    """
    item = task.find("LB")
    if item is None:
        return
    found: dict[str, str] = {}
    for raw, value in zip(item.raw, task.values(item), strict=False):
        if isinstance(value, Composed):
            found[str(value.second)] = raw.partition(":")[0]
    wanted = [letter_of(number) for number in range(len(item.raw))]
    if sorted(found) == sorted(wanted):
        new = Item("L", tuple(found[letter] for letter in wanted), item.place)
        task.say("letters", f"{shown(item)} is now {shown(new)}", item)
        item.ident, item.raw = new.ident, new.raw


def tesuji_and_bad(task: Task) -> None:
    """IT is TE before BM, and DO is BM before TE.

    Source: the reverse of what FF[4], converting, says.
    """
    for ident, pair in (("IT", ("TE", "BM")), ("DO", ("BM", "TE"))):
        item = task.find(ident)
        if item is not None:
            new = [Item(one, ("1",), item.place) for one in pair]
            task.say("tesuji-and-bad", f"{item} is now {''.join(map(str, new))}", item)
            place = task.items.index(item)
            task.items[place : place + 1] = new


# ---- what is left ----


def unsayable(task: Task) -> None:
    """What the format has no words for is kept as private, left out, or refused.

    Source: FF[4], compatibility; FF[3], on private properties, which readers have to skip.
    """
    setting = task.setting
    kept = []
    for item in task.items:
        rule, old = setting.rule(item.ident), setting.old.rule(item.ident)
        name = setting.format.shown
        if rule is not None and rule.category is Category.ROOT and not task.is_root:
            text = shown(item)
            message = f"{text} is left out: {name} has it in the first node only"
            task.say("unsayable", message, item)
        elif (
            old is None
            or (rule is not None and item.ident != "VW")
            or (item.ident == "VW" and _is_old_view(task, item))
        ):
            kept.append(item)
        elif setting.options.unsayable is not Unsayable.KEEP or item.ident == "VW":
            task.say("unsayable", f"{name} has no {item.ident}: {shown(item)} is left out", item)
        else:
            message = f"{name} has no {item.ident}; it is kept as a private property"
            task.say("kept-as-private", message, item, severity=Severity.WARNING)
            kept.append(item)
    task.items = kept


def _is_old_view(task: Task, item: Item) -> bool:
    """VW is empty, or names two corners, as FF[1] has it."""
    if task.setting.options.unsayable is not Unsayable.KEEP:
        return task.setting.old.format is Format.FF3 and task.is_root
    old = task.setting.old.format is Format.FF3
    return item.raw == ("",) or old or any(note.name == "old-view" for note in task.notes)


def other_meanings(task: Task) -> None:
    """A private property is left out if the old format has one of that name, and not so.

    A choice: kept, it would be read as what it is not.
    """
    setting = task.setting
    kept = []
    for item in task.items:
        is_private = setting.old.rule(item.ident) is None and setting.rule(item.ident) is not None
        if is_private and task.is_wrong(item):
            name = setting.format.shown
            message = f"{shown(item)} is left out: {item.ident} is something else in {name}"
            task.say("second-meaning", message, item)
        else:
            kept.append(item)
    task.items = kept


def colors(task: Task) -> None:
    """A color is B or W, however the old format allows it to be written.

    Source: FF[3], PL, whose list has 1 and 2 for the colors.
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is None or rule.types != (("color",),) or not task.is_wrong(item):
            continue
        values = task.values(item)
        made = tuple(corrected_value(rule, *one) for one in zip(item.raw, values, strict=False))
        new = Item(item.ident, made, item.place)
        if not task.is_wrong(new):
            task.say("value-corrected", f"{shown(item)} is now {shown(new)}", item)
            item.raw = made


def wrong_values(task: Task) -> None:
    """What the format cannot read stays, and is told.

    A choice: no doubt is settled by losing a value.
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is not None and task.is_wrong(item):
            expected = task.setting.new.reader.words(rule)
            message = (
                f"{shown(item)} is kept, though {task.setting.format.shown} expects {expected}"
            )
            task.say("value-kept", message, item)


def declared(task: Task) -> None:
    """The root says what it is now.

    Source: FF[1] and FF[3], GM; FF[4], FF.
    """
    if not task.is_root:
        return
    item = task.find("FF")
    new = Item("FF", (task.setting.format.value[2:],), item.place if item else None)
    if item is None:
        task.items.insert(0, new)
    else:
        task.items[task.items.index(item)] = new
    was = task.setting.old.format.shown
    message = f"{was} is now {task.setting.format.shown}; the first node says {new}"
    task.say("declared", message, item)


#: The rules in the order in which they are applied.
STEPS: dict[Format, Sequence[Callable[[Task], None]]] = {
    Format.FF3: (
        names,
        duplicates,
        other_meanings,
        size,
        view,
        rectangles,
        empty_lists,
        passes,
        texts,
        labels,
        figures,
        unsayable,
        colors,
        wrong_values,
        declared,
    ),
    Format.FF1: (
        names,
        duplicates,
        other_meanings,
        size,
        view,
        marks,
        letters,
        tesuji_and_bad,
        rectangles,
        empty_lists,
        passes,
        texts,
        figures,
        whole_numbers,
        minutes,
        unsayable,
        colors,
        wrong_values,
        declared,
    ),
}

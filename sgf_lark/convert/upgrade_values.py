"""Upgrades of values: texts, labels, times, komi, rules."""

from __future__ import annotations

from sgf_lark.diagnostics.rules import Severity
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.properties import COLORS, Count, Group, PropertyRule
from sgf_lark.schema.values import Color
from sgf_lark.values.corrections import correct_value, format_real, time_and_overtime
from sgf_lark.values.types import ESCAPED_TEXTS, NotOfType
from sgf_lark.values.writer import escape_text

from .making import Item
from .steps import LONG_TEXTS, Task, shown


def spaces(task: Task) -> None:
    """White space in values that are no texts is removed.

    Where nothing readable would be left, as of ``5 1/2``, the value stays for
    :func:`corrections`.  Source: FF[4], converting.
    """
    for item in task.items:
        rules = task.setting.old.rule(item.ident), task.setting.rule(item.ident)
        if rules == (None, None) or any(rule is not None and rule.is_text for rule in rules):
            continue
        raw = tuple([_without_space(task, item, one) for one in item.raw])
        if raw != item.raw:
            item.raw = raw
            task.say("spaces-removed", f"white space in values of {item.ident} is removed", item)


def _without_space(task: Task, item: Item, raw: str) -> str:
    parts = raw.split()
    made = "".join(parts)
    is_apart = len(parts) > 1 and task.is_wrong(Item(item.ident, (made,)))
    return " ".join(parts) if is_apart else made


def several_values(task: Task) -> None:
    """Of several values where one is allowed, the first that is not empty counts.

    Long texts are put together.  Source: SGFC.
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is None or rule.count is not Count.ONE or len(item.raw) == 1:
            continue
        if item.ident in LONG_TEXTS:
            new: tuple[str, ...] = ("\n\n".join(filter(None, item.raw)),)
            task.say("merged-property", f"the values of {item.ident} are one now", item)
        else:
            new = tuple(filter(None, item.raw))[:1] or ("",)
            lost = Item("", tuple(one for one in item.raw if one and (one,) != new))
            if lost.raw:
                message = f"{item.ident} takes one value: {shown(lost)} is left out"
                task.say("further-values", message, item)
        item.raw = new


def texts(task: Task) -> None:
    """Texts are escaped as FF[4] wants; all but C and GC stand on one line.

    Source: FF[4], Text and SimpleText.
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is None or rule.types not in ESCAPED_TEXTS or len(item.raw) != 1:
            continue
        text = task.setting.old.reader.read("text", item.raw[0])
        kind = rule.types[0][0]
        wanted = "".join(" " if char in SPACES else char for char in text)
        if kind == "simpletext" and "\n" in wanted:
            wanted = wanted.replace("\n", " ")
            item.raw = (escape_text(wanted, Format.FF4),)
            task.say("lines-joined", f"{item.ident} stands on one line now", item)
        elif task.setting.new.reader.read(kind, item.raw[0]) != wanted:
            item.raw = (escape_text(wanted, Format.FF4),)
            task.say("text-escaped", f"{item.ident} is escaped as FF[4] wants it", item)


#: White space that FF[4] reads as a space.
SPACES = frozenset("\t\v\f")


def labels(task: Task) -> None:
    """A label begins behind the first colon; further colons are escaped.

    Source: FF[4], Compose.
    """
    item = task.find("LB")
    if item is None:
        return
    made = []
    for raw in item.raw:
        point, colon, label = raw.partition(":")
        text = task.setting.old.reader.read("text", label).replace("\n", " ")
        new = f"{point}{colon}{escape_text(text, Format.FF4, composed=True)}"
        same = new == raw or (
            ":" not in label and task.setting.new.reader.read("simpletext", label) == text
        )
        made.append(raw if same or not colon else new)
    if tuple(made) != item.raw:
        item.raw = tuple(made)
        task.say("text-escaped", "labels are escaped as FF[4] wants them", item)


def empty_values(task: Task) -> None:
    """What says nothing by being empty is left out; an empty triple is 1.

    Source: FF[4], converting, for texts; SGFC for GB and GW, and so for the other doubles.
    """
    kept = []
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if (
            rule is not None
            and rule.form in {"dates", "time_limit"}
            and not item.raw[0].strip(" -")
        ):
            task.say("empty-dropped", f"{shown(item)} says nothing, and is left out", item)
            continue
        if rule is None or "" not in item.raw or ("none",) in rule.types:
            kept.append(item)
            continue
        kind = rule.types[0][0]
        if kind == "double":
            task.say("value-corrected", f"{item.ident}[] is now {item.ident}[1]", item)
            item.raw = ("1",)
        elif (rule.count is Count.ELIST and item.raw == ("",)) or (
            kind == "move" and item.ident in COLORS
        ):
            pass
        elif item.ident not in Group.EMPTY.idents:
            message = f"an empty value of {item.ident} says nothing, and is left out"
            task.say("empty-dropped", message, item)
            item.raw = tuple(filter(None, item.raw))
        if item.raw:
            kept.append(item)
    task.items = kept


def corrections(task: Task) -> None:
    """What FF[4] cannot read is put right if it is clear what is meant; else it stays.

    Source: FF[4], on faulty values, for game-info; other values stay, too, so that a doubt
    is not settled by losing them (a choice).
    """
    for item in task.items:
        rule = task.setting.rule(item.ident)
        if rule is None or not task.is_wrong(item):
            continue
        old = task.values(item)
        made = tuple(
            corrected_value(rule, raw, value)
            for raw, value in zip(item.raw, old or ("",), strict=False)
        )
        new = Item(item.ident, made, item.place)
        if made != item.raw and not task.is_wrong(new):
            lost = Severity.WARNING if made == ("",) else None
            message = f"{shown(item)} is now {shown(new)}"
            task.say("value-corrected", message, item, severity=lost)
            item.raw = made
        else:
            expected = task.setting.new.reader.words(rule)
            message = f"{shown(task.wrong(item))} is kept, though FF[4] expects {expected}"
            task.say("value-kept", message, item, help="put it right by hand")


def corrected_value(rule: PropertyRule, raw: str, value: object) -> str:
    """The text of a value that is not in the form of its type, as far as its meaning is clear."""
    if rule.types == (("color",),) and isinstance(value, Color):
        return value.value
    return correct_value(rule, raw)


def time_limit(task: Task) -> None:
    """TM of FF[1] counts minutes by the book and seconds in the files.

    Source: FF[1], TM; FF[4], compatibility.  The number stays as it is unless the user says
    otherwise (a choice).  A time with its unit: SGFC; what stands behind it is OT (a choice).
    """
    item = task.find("TM")
    if item is None:
        return
    text = " ".join(item.raw[0].split())
    both = time_and_overtime(text)
    if both is not None and task.find("OT") is None:
        main, rest = both
        new = [Item("TM", (main,), item.place), Item("OT", (rest,))]
        task.say("overtime-text", f"{shown(item)} is now {''.join(map(shown, new))}", item)
        place = task.items.index(item)
        task.items[place : place + 1] = new
        return
    if task.setting.old.format is not Format.FF1:
        return
    try:
        number = task.setting.old.reader.read("real", "".join(text.split()))
    except NotOfType:
        return
    if not number:
        return
    if task.setting.options.minutes:
        new_raw = format_real(number * 60)
        message = f"TM[{text}] in minutes is now TM[{new_raw}] in seconds"
        task.say("time-unit", message, item, severity=Severity.INFO)
        item.raw = (new_raw,)
    else:
        message = f"TM[{text}] is kept, and now means seconds; FF[1] recommends minutes"
        task.say("time-unit", message, item, help="use --minutes if minutes were meant")


def doubled_komi(task: Task) -> None:
    """KI is twice the komi.

    Source: SGFC.
    """
    item = task.find("KI")
    if item is None:
        return
    value = next(iter(task.values(item)), None)
    if task.find("KM") is not None:
        message = f"KI[{item.raw[0]}] is left out: KM gives the komi"
        task.say("doubled-komi", message, item, severity=Severity.WARNING)
        task.items.remove(item)
    elif isinstance(value, int):
        new = format_real(value * 5, shift=1)
        task.say("doubled-komi", f"KI[{item.raw[0]}], twice the komi, is now KM[{new}]", item)
        item.ident, item.raw = "KM", (new,)


def overtime(task: Task) -> None:
    """OM and OP together say what OT says.

    A choice; OM and OP stay beside it.
    """
    moves, period = task.find("OM"), task.find("OP")
    if moves is None or period is None or task.find("OT") is not None or not task.is_root:
        return
    new = Item("OT", (f"{moves.raw[0]} moves / {period.raw[0]} sec",))
    task.items.append(new)
    task.say("overtime-text", f"{shown(moves)} and {shown(period)} are {new}, too", moves)


def handicap(task: Task) -> None:
    """HA of less than two stones stays, though FF[4] begins with two.

    Source: FF[4], Go, HA.
    """
    item = task.find("HA")
    if item is not None and item.raw[0].strip() in {"0", "1"}:
        message = f"{shown(item)} is kept, though FF[4] expects two stones or more"
        task.say("value-kept", message, item)


def rules_name(task: Task) -> None:
    """The rules of Ing are called GOE.

    Source: FF[4], Go, RU, for the name; that ``Ing`` means it is a choice.
    """
    item = task.find("RU")
    if item is not None and item.raw[0].strip().lower() == "ing":
        task.say("rules-name", f"RU[{item.raw[0]}] is now RU[GOE]", item)
        item.raw = ("GOE",)


def self_test(task: Task) -> None:
    """SE of FF[3], moves tried in a test, is something else in Lines of Action.

    A choice: nothing else can be done with it there.
    """
    item = task.find("SE")
    if item is not None and task.setting.game.number == GameNumber.LINES_OF_ACTION:
        task.say("second-meaning", f"{shown(item)} is left out: SE is something else now", item)
        task.items.remove(item)

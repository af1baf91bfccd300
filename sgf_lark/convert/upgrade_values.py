"""Upgrades of values: texts, labels, times, komi, rules."""

from __future__ import annotations

from sgf_lark.findings.finding import Severity
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.properties import COLORS, Count, Group, PropertyRule
from sgf_lark.schema.values import Color
from sgf_lark.values.corrections import correct_value, format_real, time_and_overtime
from sgf_lark.values.types import ESCAPED_TEXTS, NotOfType
from sgf_lark.values.writer import escape_text

from .builder import NewProperty
from .steps import LONG_TEXTS, NodeTask, show


def remove_spaces(task: NodeTask) -> None:
    """Remove white space from values that are no texts.

    Where nothing readable would be left, as of ``5 1/2``, the value stays for
    :func:`correct_values`.  Source: FF[4], converting.
    """
    for prop in task.props:
        rules = task.context.old.rule(prop.ident), task.context.rule(prop.ident)
        if rules == (None, None) or any(rule is not None and rule.is_text for rule in rules):
            continue
        raw = tuple([_without_space(task, prop, value) for value in prop.raw])
        if raw != prop.raw:
            prop.raw = raw
            task.report("spaces-removed", f"white space in values of {prop.ident} is removed", prop)


def _without_space(task: NodeTask, prop: NewProperty, raw: str) -> str:
    parts = raw.split()
    joined = "".join(parts)
    is_apart = len(parts) > 1 and task.is_wrong(NewProperty(prop.ident, (joined,)))
    return " ".join(parts) if is_apart else joined


def keep_one_value(task: NodeTask) -> None:
    """Keep the first value that is not empty where one is allowed; join long texts.

    Source: SGFC.
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is None or rule.count is not Count.ONE or len(prop.raw) == 1:
            continue
        if prop.ident in LONG_TEXTS:
            new: tuple[str, ...] = ("\n\n".join(filter(None, prop.raw)),)
            task.report("merged-property", f"the values of {prop.ident} are joined", prop)
        else:
            filled = tuple(filter(None, prop.raw))
            new = filled[:1] or ("",)
            lost = NewProperty("", tuple(value for value in filled if (value,) != new))
            if lost.raw:
                message = f"{prop.ident} accepts one value: {show(lost)} is left out"
                task.report("further-values", message, prop)
            elif len(filled) > 1:
                message = f"{prop.ident} accepts one value: the repeated ones are left out"
                task.report("merged-property", message, prop)
        prop.raw = new


def escape_texts(task: NodeTask) -> None:
    """Escape texts for FF[4]; write all but C and GC on one line.

    Source: FF[4], Text and SimpleText.
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is None or rule.types not in ESCAPED_TEXTS or len(prop.raw) != 1:
            continue
        text = task.context.old.reader.read("text", prop.raw[0])
        kind = rule.types[0][0]
        wanted = "".join(" " if char in SPACES else char for char in text)
        if kind == "simpletext" and "\n" in wanted:
            wanted = wanted.replace("\n", " ")
            prop.raw = (escape_text(wanted, Format.FF4),)
            task.report("lines-joined", f"the line breaks of {prop.ident} are now spaces", prop)
        elif task.context.new.reader.read(kind, prop.raw[0]) != wanted:
            prop.raw = (escape_text(wanted, Format.FF4),)
            task.report("text-escaped", f"{prop.ident} is escaped for FF[4]", prop)


#: White space that FF[4] reads as a space.
SPACES = frozenset("\t\v\f")


def escape_labels(task: NodeTask) -> None:
    """Escape labels: a label begins after the first colon.

    Source: FF[4], Compose.
    """
    prop = task.find("LB")
    if prop is None:
        return
    raws = []
    for raw in prop.raw:
        point, colon, label = raw.partition(":")
        text = task.context.old.reader.read("text", label).replace("\n", " ")
        new = f"{point}{colon}{escape_text(text, Format.FF4, composed=True)}"
        same = new == raw or (
            ":" not in label and task.context.new.reader.read("simpletext", label) == text
        )
        raws.append(raw if same or not colon else new)
    if tuple(raws) != prop.raw:
        prop.raw = tuple(raws)
        task.report("text-escaped", "labels are escaped for FF[4]", prop)


def remove_empty_values(task: NodeTask) -> None:
    """Remove empty values where they have no meaning; write an empty double as 1.

    Source: FF[4], converting, for texts; SGFC for GB and GW, and so for the other doubles.
    """
    kept = []
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if (
            rule is not None
            and rule.form in {"dates", "time_limit"}
            and not prop.raw[0].strip(" -")
        ):
            task.report("empty-dropped", f"empty {show(prop)} is left out", prop)
            continue
        if rule is None or "" not in prop.raw or ("none",) in rule.types:
            kept.append(prop)
            continue
        kind = rule.types[0][0]
        if kind == "double":
            task.report("value-corrected", f"{prop.ident}[] is now {prop.ident}[1]", prop)
            prop.raw = ("1",)
        elif (rule.count is Count.ELIST and prop.raw == ("",)) or (
            kind == "move" and prop.ident in COLORS
        ):
            pass
        elif prop.ident not in Group.EMPTY.idents:
            message = f"an empty value of {prop.ident} is left out"
            task.report("empty-dropped", message, prop)
            prop.raw = tuple(filter(None, prop.raw))
        if prop.raw:
            kept.append(prop)
    task.props = kept


def correct_values(task: NodeTask) -> None:
    """Correct invalid values whose meaning is clear, and keep others.

    Source: FF[4], on faulty values, for game-info; other values stay, too, so that a doubt
    is not settled by losing them (a choice).
    """
    for prop in task.props:
        rule = task.context.rule(prop.ident)
        if rule is None or not task.is_wrong(prop):
            continue
        old = task.values(prop)
        raws = tuple(
            corrected_value(rule, raw, value)
            for raw, value in zip(prop.raw, old or ("",), strict=False)
        )
        new = NewProperty(prop.ident, raws, prop.place)
        if raws != prop.raw and not task.is_wrong(new):
            lost = Severity.WARNING if raws == ("",) else None
            message = f"{show(prop)} is now {show(new)}"
            task.report("value-corrected", message, prop, severity=lost)
            prop.raw = raws
        else:
            expected = task.context.new.reader.words(rule)
            message = f"invalid {show(task.invalid_part(prop))} is kept; FF[4] expects {expected}"
            task.report("value-kept", message, prop, help="correct it by hand")


def corrected_value(rule: PropertyRule, raw: str, value: object) -> str:
    """Return the corrected text of an invalid value, as far as its meaning is clear."""
    if rule.types == (("color",),) and isinstance(value, Color):
        return value.value
    return correct_value(rule, raw)


def convert_time_limit(task: NodeTask) -> None:
    """Convert TM to seconds: in FF[1] it is minutes by the standard, seconds in most files.

    Source: FF[1], TM; FF[4], compatibility.  The number stays as it is unless the user asks
    (a choice).  A time with its unit: SGFC; the text after it is OT (a choice).
    """
    prop = task.find("TM")
    if prop is None:
        return
    text = " ".join(prop.raw[0].split())
    both = time_and_overtime(text)
    if both is not None and task.find("OT") is None:
        main, rest = both
        new = [NewProperty("TM", (main,), prop.place), NewProperty("OT", (rest,))]
        task.report("overtime-text", f"{show(prop)} is now {''.join(map(show, new))}", prop)
        place = task.props.index(prop)
        task.props[place : place + 1] = new
        return
    if task.context.old.format is not Format.FF1:
        return
    try:
        number = task.context.old.reader.read("real", "".join(text.split()))
    except NotOfType:
        return
    if not number:
        return
    if task.context.options.minutes:
        new_raw = format_real(number * 60)
        message = f"TM[{text}] in minutes is now TM[{new_raw}] in seconds"
        task.report("time-unit", message, prop, severity=Severity.INFO)
        prop.raw = (new_raw,)
    else:
        message = f"TM[{text}] is kept, and now means seconds; FF[1] recommends minutes"
        help_ = "set minutes in [convert] of the settings if minutes were meant"
        task.report("time-unit", message, prop, help=help_)


def halve_komi(task: NodeTask) -> None:
    """Convert KI, twice the komi, to KM.

    Source: SGFC.
    """
    prop = task.find("KI")
    if prop is None:
        return
    value = next(iter(task.values(prop)), None)
    if task.find("KM") is not None:
        message = f"KI[{prop.raw[0]}] is left out: KM gives the komi"
        task.report("doubled-komi", message, prop, severity=Severity.WARNING)
        task.props.remove(prop)
    elif isinstance(value, int):
        new = format_real(value * 5, shift=1)
        task.report("doubled-komi", f"KI[{prop.raw[0]}], twice the komi, is now KM[{new}]", prop)
        prop.ident, prop.raw = "KM", (new,)


def describe_overtime(task: NodeTask) -> None:
    """Describe OM and OP in OT.

    A choice; OM and OP stay.
    """
    moves, period = task.find("OM"), task.find("OP")
    if moves is None or period is None or task.find("OT") is not None or not task.is_root:
        return
    new = NewProperty("OT", (f"{moves.raw[0]} moves / {period.raw[0]} sec",))
    task.props.append(new)
    task.report(
        "overtime-text",
        f"{show(moves)} and {show(period)} are also written as {new}",
        moves,
    )


def report_handicap(task: NodeTask) -> None:
    """Report a handicap of less than two stones, which FF[4] does not allow; it stays.

    No handicap says the same in all formats, so that nobody has to look at HA[0].

    Source: FF[4], Go, HA.
    """
    prop = task.find("HA")
    if prop is not None and prop.raw[0].strip() in {"0", "1"}:
        message = f"{show(prop)} is kept; FF[4] expects at least 2"
        is_even = prop.raw[0].strip() == "0"
        task.report("value-kept", message, prop, severity=Severity.INFO if is_even else None)


def rename_rules(task: NodeTask) -> None:
    """Write the name of Ing's rules as GOE.

    Source: FF[4], Go, RU, for the name; that ``Ing`` means it is a choice.
    """
    prop = task.find("RU")
    if prop is not None and prop.raw[0].strip().lower() == "ing":
        task.report("rules-name", f"RU[{prop.raw[0]}] is now RU[GOE]", prop)
        prop.raw = ("GOE",)


def remove_self_test(task: NodeTask) -> None:
    """Remove SE of FF[3], moves tried in a test, where it is a mark: in Lines of Action.

    A choice: nothing else can be done with it there.
    """
    prop = task.find("SE")
    if prop is not None and task.context.game.number == GameNumber.LINES_OF_ACTION:
        task.report(
            "second-meaning",
            f"{show(prop)} is left out: SE has another meaning in FF[4]",
            prop,
        )
        task.props.remove(prop)

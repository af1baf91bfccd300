"""Steps for values: white space, texts, labels, numbers, times, komi, rules, up and down.

Source: as for the steps for markup.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal

from sgf_lark.core import (
    ESCAPED_TEXTS,
    LONGEST_LABEL,
    BoardSize,
    Color,
    Composed,
    Count,
    Format,
    GameNumber,
    Group,
    NotOfType,
    PropertyRule,
    PropertyTable,
    Severity,
    correct_value,
    escape_text,
    format_real,
    read_overtime,
    time_and_overtime,
    write_overtime,
)

from .builder import NewProperty
from .steps import NodeTask, property_step, quote

#: Texts that may have several lines (FF[4], Text): C and GC.
LONG_TEXTS = frozenset(
    rule.ident
    for rule in PropertyTable.standard()
    if rule.format is Format.FF4 and rule.type == "text"
)

# ---- any value ----


@property_step()
def remove_spaces(task: NodeTask, prop: NewProperty) -> None:
    """Remove white space from values that are no texts.

    Where nothing readable would be left, as of ``5 1/2``, the value stays for
    :func:`correct_values`.  Source: FF[4], converting.
    """
    rules = task.context.old.rule(prop.ident), task.context.rule(prop.ident)
    if rules == (None, None) or any(rule is not None and rule.is_text for rule in rules):
        return
    raw = tuple([_without_space(task, prop, value) for value in prop.raw])
    if raw != prop.raw:
        message = f"white space in values of {prop.ident} is removed"
        task.rewrite(prop, raw, "spaces-removed", message)


def _without_space(task: NodeTask, prop: NewProperty, raw: str) -> str:
    parts = raw.split()
    joined = "".join(parts)
    is_apart = len(parts) > 1 and task.is_wrong(NewProperty(prop.ident, (joined,)))
    return " ".join(parts) if is_apart else joined


@property_step()
def keep_one_value(task: NodeTask, prop: NewProperty) -> None:
    """Keep the first value that is not empty where one is allowed; join long texts (SGFC)."""
    rule = task.context.rule(prop.ident)
    if rule is None or rule.count is not Count.ONE or len(prop.raw) == 1:
        return
    filled = tuple(filter(None, prop.raw))
    if prop.ident in LONG_TEXTS:
        task.report("merged-property", f"the values of {prop.ident} are joined", prop)
        prop.raw = ("\n\n".join(filled),)
    else:
        report_further(task, prop)
        prop.raw = filled[:1] or ("",)


def report_further(task: NodeTask, prop: NewProperty) -> None:
    """Report the values after the first that is not empty, which alone stays."""
    first, *further = [*filter(None, prop.raw), ""]
    lost = tuple(value for value in further if value not in {"", first})
    if lost:
        shown = quote(NewProperty("", lost))
        message = f"{prop.ident} accepts one value: {shown} is left out"
        task.report("further-values", message, prop)
    elif any(further):
        message = f"{prop.ident} accepts one value: the repeated ones are left out"
        task.report("merged-property", message, prop)


@property_step()
def remove_empty_values(task: NodeTask, prop: NewProperty) -> None:
    """Remove empty values where they have no meaning; write an empty double as 1.

    Source: FF[4], converting, for texts; SGFC for GB and GW, and so for the other doubles.
    """
    rule = task.context.rule(prop.ident)
    if rule is None:
        return
    kind = rule.types[0][0]
    if rule.form in {"dates", "time_limit"} and not prop.raw[0].strip(" -"):
        task.drop(prop, "empty-dropped", f"empty {quote(prop)} is left out")
    elif (
        "" not in prop.raw
        or ("none",) in rule.types
        or (rule.count is Count.ELIST and prop.raw == ("",))
        or kind == "move"
    ):
        return
    elif kind == "double":
        task.rewrite(prop, ("1",), message=f"{prop.ident}[] is now {prop.ident}[1]")
    elif prop.ident not in Group.EMPTY.idents:
        filled = tuple(filter(None, prop.raw))
        message = f"an empty value of {prop.ident} is left out"
        task.rewrite(prop, filled, "empty-dropped", message)
        if not filled:
            task.replace(prop)


@property_step()
def correct_values(task: NodeTask, prop: NewProperty) -> None:
    """Correct invalid values whose meaning is clear, and keep others.

    Source: FF[4], on faulty values, for game-info; other values stay, too, so that a doubt
    is not settled by losing them (a choice).  Older formats: FF[3], PL, whose 1 and 2 FF[1]
    lacks.
    """
    context = task.context
    rule = context.rule(prop.ident)
    if rule is None or not task.is_wrong(prop):
        return
    values = task.values(prop) or ("",)
    raws = tuple(
        _corrected_value(rule, raw, value, guesses=context.is_upgrade)
        for raw, value in zip(prop.raw, values, strict=False)
    )
    if not task.is_wrong(NewProperty(prop.ident, raws)):
        task.rewrite(prop, raws, severity=Severity.WARNING if raws == ("",) else None)
    else:
        wrong, name = quote(task.invalid_part(prop)), context.format.shown
        message = f"invalid {wrong if context.is_upgrade else quote(prop)} is kept; {name} expects"
        help_ = "correct it by hand" if context.is_upgrade else ""
        task.report("value-kept", f"{message} {context.new.reader.words(rule)}", prop, help=help_)


def _corrected_value(rule: PropertyRule, raw: str, value: object, *, guesses: bool) -> str:
    if isinstance(value, Color):
        return value.value
    if rule.type == "none" and not raw.strip().isdecimal():
        return raw  # it says something, as the komi that Cyber Oro writes in KO
    return correct_value(rule, raw) if guesses or rule.types == (("color",),) else raw


# ---- texts and labels ----


@property_step()
def escape_texts(task: NodeTask, prop: NewProperty) -> None:
    r"""Write texts with the escapes of the format; in FF[4] all but C and GC on one line.

    Older formats know no escapes but ``\]`` and ``\\``, and no soft line breaks.

    Source: FF[4], Text and SimpleText; FF[1] and FF[3], Text; FF[4], compatibility.
    """
    context = task.context
    rule, old = context.rule(prop.ident), context.old.rule(prop.ident)
    if rule is None or rule.types not in ESCAPED_TEXTS or len(prop.raw) != 1:
        return
    if old is None and not context.is_upgrade:
        return
    raw, kind = prop.raw[0], rule.types[0][0]
    source = old.types[0][0] if old is not None and old.types in ESCAPED_TEXTS else "text"
    text = context.old.reader.plain.read(source, raw)
    message = f"{prop.ident} is escaped for {context.format.shown}"
    if context.is_upgrade:
        text = "".join(" " if char in SPACES else char for char in text)
        if kind == "simpletext" and "\n" in text:
            new = escape_text(text.replace("\n", " "), context.format)
            message = f"the line breaks of {prop.ident} are now spaces"
            task.rewrite(prop, (new,), "lines-joined", message)
            return
    new = escape_text(text, context.format)
    is_other = not context.is_upgrade and _OTHER_ESCAPE.search(raw) is not None
    if new != raw and (is_other or context.new.reader.read(kind, raw) != text):
        task.rewrite(prop, (new,), "text-escaped", message)


#: White space that FF[4] reads as a space.
SPACES = frozenset("\t\v\f")

_OTHER_ESCAPE = re.compile(r"\\[^\]\\]", re.DOTALL)


@property_step("LB")
def escape_labels(task: NodeTask, prop: NewProperty) -> None:
    """Escape labels: a label begins after the first colon (FF[4], Compose)."""
    raws = []
    for raw in prop.raw:
        point, colon, label = raw.partition(":")
        text = task.context.old.reader.plain.read("text", label).replace("\n", " ")
        new = f"{point}{colon}{escape_text(text, Format.FF4, composed=True)}"
        same = new == raw or (
            ":" not in label and task.context.new.reader.read("simpletext", label) == text
        )
        raws.append(raw if same or not colon else new)
    if tuple(raws) != prop.raw:
        task.rewrite(prop, tuple(raws), "text-escaped", "labels are escaped for FF[4]")


@property_step("LB")
def cut_labels(task: NodeTask, prop: NewProperty) -> None:
    """Cut labels to four characters, and do not escape their colons.

    Source: FF[4], changes, on LB of FF[3].
    """
    if task.context.rule("LB") is None:
        return
    raws = []
    for raw, value in zip(prop.raw, task.values(prop), strict=False):
        new = raw
        if isinstance(value, Composed) and isinstance(value.second, str):
            text = value.second
            if len(text) > LONGEST_LABEL:
                task.report("label-cut", f"LB[{raw}] is cut to four characters", prop)
            label = escape_text(text[:LONGEST_LABEL], task.context.format)
            new = f"{raw.partition(':')[0]}:{label}"
        raws.append(new)
    prop.raw = tuple(raws)


# ---- sizes, numbers, times ----


@property_step("SZ")
def write_one_side(task: NodeTask, prop: NewProperty) -> None:
    """Write the size of a square board as one number (FF[1], FF[3] and FF[4], SZ)."""
    size = next(iter(task.values(prop)), None)
    if task.is_root and ":" in prop.raw[0] and isinstance(size, BoardSize) and size.is_square:
        task.rewrite(prop, (str(size.columns),))


@property_step("V")
def round_numbers(task: NodeTask, prop: NewProperty) -> None:
    """Round V to a whole number (FF[1], V)."""
    rule = task.context.rule("V")
    value = next(iter(task.values(prop)), None)
    is_whole = rule is not None and rule.types == (("number",),)
    if is_whole and isinstance(value, Decimal) and "." in prop.raw[0]:
        new = format_real(value.to_integral_value(ROUND_HALF_EVEN))
        name = "value-corrected" if value == Decimal(new) else "number-rounded"
        task.rewrite(prop, (new,), name, f"V[{prop.raw[0]}] is now V[{new}]")


@property_step("TM")
def convert_time_limit(task: NodeTask, prop: NewProperty) -> None:
    """Convert TM between minutes of FF[1] and seconds of FF[4].

    Source: FF[1], TM; FF[4], compatibility.  It is minutes by the standard, seconds in most
    files, so that the number stays as it is unless the user asks (a choice).  A time with its
    unit: SGFC; the text after it is OT (a choice).
    """
    context = task.context
    parts = prop.raw[0].split() if context.is_upgrade else [prop.raw[0]]
    text = " ".join(parts)
    clock = read_overtime(text, "time_and_overtime") if context.is_upgrade else None
    both = time_and_overtime(text) if context.is_upgrade else None
    if clock is not None and clock.initial and (overtime := write_overtime(clock)):
        both = f"{clock.initial.seconds:.0f}", overtime
    if both is not None and task.find("OT") is None:
        new = NewProperty("TM", both[:1], prop.place), NewProperty("OT", both[1:])
        task.report(
            "overtime-text",
            f"{quote(prop)} is now {''.join(map(quote, new))}",
            prop,
        )
        task.replace(prop, *new)
        return
    if {context.old.format, context.format} != {Format.FF1, Format.FF4}:
        return
    try:
        number = context.old.reader.plain.read("real", "".join(parts))
    except NotOfType:
        return
    if number and context.options.minutes:
        changed = format_real(number * 60 if context.is_upgrade else number / 60)
        old, new_unit = ("minutes", "seconds") if context.is_upgrade else ("seconds", "minutes")
        message = f"TM[{text}] in {old} is now TM[{changed}] in {new_unit}"
        task.rewrite(prop, (changed,), "time-unit", message, severity=Severity.INFO)
    elif number:
        kept = "kept, and now means seconds" if context.is_upgrade else "kept in seconds"
        wish = "if minutes were meant" if context.is_upgrade else "to have minutes written"
        message = f"TM[{text}] is {kept}; FF[1] recommends minutes"
        help_ = f"set minutes in [convert] of the settings {wish}"
        task.report("time-unit", message, prop, help=help_)


def describe_overtime(task: NodeTask) -> None:
    """Describe OM and OP in OT. A choice; OM and OP stay."""
    moves, period = task.find("OM"), task.find("OP")
    if moves is None or period is None or task.find("OT") is not None or not task.is_root:
        return
    new = NewProperty("OT", (f"{moves.raw[0]} moves / {period.raw[0]} sec",))
    task.props.append(new)
    message = f"{quote(moves)} and {quote(period)} are also written as {new}"
    task.report("overtime-text", message, moves)


# ---- properties of one game ----


@property_step("KI")
def halve_komi(task: NodeTask, prop: NewProperty) -> None:
    """Convert KI of FF[1], twice the komi, to KM; of other formats it is private (SGFC)."""
    if task.context.old.rule("KI") is None:
        return
    value = next(iter(task.values(prop)), None)
    shown = f"KI[{prop.raw[0]}]"
    if task.find("KM") is not None:
        message = f"{shown} is left out: KM gives the komi"
        task.drop(prop, "doubled-komi", message, severity=Severity.WARNING)
    elif isinstance(value, int):
        new = format_real(value * 5, shift=1)
        task.report("doubled-komi", f"{shown}, twice the komi, is now KM[{new}]", prop)
        task.replace(prop, NewProperty("KM", (new,), prop.place))


@property_step("HA")
def report_handicap(task: NodeTask, prop: NewProperty) -> None:
    """Report a handicap of less than two stones, which FF[4] does not allow; it stays.

    No handicap says the same in all formats, so that nobody has to look at HA[0].

    Source: FF[4], Go, HA.
    """
    if prop.raw[0].strip() in {"0", "1"}:
        severity = Severity.INFO if prop.raw[0].strip() == "0" else None
        message = f"{quote(prop)} is kept; FF[4] expects at least 2"
        task.report("value-kept", message, prop, severity=severity)


@property_step("RU")
def rename_rules(task: NodeTask, prop: NewProperty) -> None:
    """Write the name of Ing's rules as GOE.

    Source: FF[4], Go, RU, for the name; that ``Ing`` means it is a choice.
    """
    if prop.raw[0].strip().lower() == "ing":
        task.rewrite(prop, ("GOE",), "rules-name", f"RU[{prop.raw[0]}] is now RU[GOE]")


@property_step("SE")
def remove_self_test(task: NodeTask, prop: NewProperty) -> None:
    """Remove SE of FF[3], moves tried in a test, where it is a mark: in Lines of Action.

    A choice: nothing else can be done with it there.
    """
    if task.context.game.number == GameNumber.LINES_OF_ACTION:
        message = f"{quote(prop)} is left out: SE has another meaning in FF[4]"
        task.drop(prop, "second-meaning", message)

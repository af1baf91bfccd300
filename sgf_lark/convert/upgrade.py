"""From FF[1] and FF[3] to the formats after them: a small function for each rule.

A node is a :class:`Task`.  :data:`STEPS` change it one after the other, in the order of the
table, because some of them need the order in which properties stand.

Source: FF[4], the pages on converting and compatibility, from which most rules come; where
they leave something open, what SGFC does, the program of FF[4]'s author; or else a choice,
which the function says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sgf_lark.diagnostics.forms import Unsayable
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.collection import GameTree
from sgf_lark.model.property import COLORS
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import Category, Count, PropertyRule
from sgf_lark.schema.values import Color, Composed, Point
from sgf_lark.values.corrections import corrected, plain_real, time_and_overtime
from sgf_lark.values.reader import ESCAPED_TEXTS, NotOfType
from sgf_lark.values.writer import escaped

from .steps import Item, Making, Note, Options, Task, letter_of, made_of, shown

_WARNING, _INFO = Severity.WARNING, Severity.INFO

#: Properties that mark points; FF[4] allows one of them for each point of a node.
MARKS = ("CR", "MA", "SL", "SQ", "TR")

#: Setup, territory, labels: what else may name a point only once in a node.
POINTS_ONCE = (MARKS, ("AB", "AW", "AE"), ("TB", "TW"), ("LB",))

#: Properties of which a node may have one.
ONE_OF = (("DM", "UC", "GB", "GW"), ("TE", "BM", "DO", "IT"))

#: Properties that need a move in their node.
NEED_MOVE = frozenset({"TE", "BM", "DO", "IT", "KO"})

#: Game-info properties that stay where a text has several lines.
LONG_TEXTS = frozenset({"C", "GC"})

#: Games of which several pieces may stand on one point, so that points may be repeated.
SEVERAL_ON_A_POINT = frozenset({6, 19})  # backgammon, Octi


def upgraded(game: GameTree, format: Format, options: Options) -> Making:
    """A game of FF[1] or FF[3] as FF[4], or of FF[1] as FF[3]."""
    return made_of(game, format, options, STEPS[format], {"M"})


# ---- names ----


def names(task: Task) -> None:
    """Lower case letters of a name do not count; what is left is a name of the new format.

    Source: FF[4], converting, for names without a capital; for other names that the format
    forbids, a choice.
    """
    kept = []
    for item in task.items:
        name = item.ident
        item.ident = "".join(char for char in name if not char.islower())
        if not item.ident:
            task.say(
                "nameless-property",
                f"{name} has no capital letter, and so names no property; it is left out",
                item,
            )
            continue
        if task.setting.names.fullmatch(item.ident) is None:
            if item.ident.isalpha() and task.setting.options.unsayable is Unsayable.KEEP:
                message = (
                    f"{task.setting.format.shown} has no name as long as {item.ident}; it is kept"
                )
                task.say("kept-as-private", message, item, severity=_WARNING)
                kept.append(item)
                continue
            lost = shown(Item(name, item.raw))
            message = f"{task.setting.format.shown} forbids the name {name}: {lost} is left out"
            task.say("nameless-property", message, item)
            continue
        if item.ident != name:
            task.say("long-name", f"{name} is now {item.ident}", item)
        kept.append(item)
    task.items = kept


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


# ---- properties that stand together ----


def duplicates(task: Task) -> None:
    """Of a property that stands twice, lists and long texts are put together.

    Of others the first counts.  Source: SGFC; private properties, of which nobody knows what
    they are, count as lists (a choice: nothing of them is lost).
    """
    groups: dict[str, list[Item]] = {}
    for item in task.items:
        groups.setdefault(item.ident, []).append(item)
    for first, *others in groups.values():
        rule = task.setting.rule(first.ident) or task.setting.old.rule(first.ident)
        is_long = first.ident in LONG_TEXTS
        is_list = is_long or rule is None or rule.count is not Count.ONE
        raws = list(first.raw)
        for item in others:
            if item.raw == first.raw:
                task.say("merged-property", f"{shown(item)} stands twice; once is enough", item)
            elif is_list:
                raws += item.raw
                task.say("merged-property", f"both {item.ident} of this node are one now", item)
            else:
                message = f"{first.ident} stands twice; {shown(item)} is left out"
                task.say("second-dropped", message, item)
        if is_long and raws != list(first.raw):
            first.raw = ("\n\n".join(filter(None, raws)),)
        elif others and is_list:
            first.raw = tuple(dict.fromkeys(raws))
    task.items = [first for first, *_ in groups.values()]


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
    severity = _WARNING if "2" in good.raw + bad.raw else None
    lost = ", and its emphasis is lost" if severity else ""
    message = f"{shown(first)} before {shown(second)} is now {ident}[]{lost}"
    task.say("tesuji-and-bad", message, second, severity=severity)
    items[items.index(first)] = Item(ident, ("",), first.place)
    items.remove(second)


# ---- marks, letters, view ----


def marks(task: Task) -> None:
    """M is MA on an empty point and TR on a stone; without a board, MA.

    Source: FF[4], converting; a point that has a mark already keeps that one (SGFC).
    """
    item = task.find("M")
    if item is None:
        return
    taken: set[object] = {
        value for one in task.items if one.ident in MARKS for value in task.values(one)
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
    task.say("marks", message, item, severity=_WARNING)


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
    if len(item.raw) != 2 or len(corners) != 2:  # noqa: PLR2004  # corners
        if len(item.raw) != 1 or ":" not in item.raw[0]:
            message = f"{shown(item)} does not name two corners; kept as a list of points"
            task.say("old-view", message, item, severity=_WARNING)
        return
    columns, rows = (sorted(one) for one in zip(*corners, strict=True))
    points = dict.fromkeys((Point(columns[0], rows[0]), Point(columns[1], rows[1])))
    named = [task.setting.point(one) for one in points]
    new = Item("VW", (":".join(one or raw for one, raw in zip(named, item.raw, strict=False)),))
    task.say("old-view", f"the corners {shown(item)} are now {new}", item)
    item.raw = new.raw


# ---- moves ----


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


# ---- values ----


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
            item.raw = (escaped(wanted, Format.FF4),)
            task.say("lines-joined", f"{item.ident} stands on one line now", item)
        elif task.setting.new.reader.read(kind, item.raw[0]) != wanted:
            item.raw = (escaped(wanted, Format.FF4),)
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
        new = f"{point}{colon}{escaped(text, Format.FF4, composed=True)}"
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
        elif item.ident not in MAY_BE_EMPTY:
            message = f"an empty value of {item.ident} says nothing, and is left out"
            task.say("empty-dropped", message, item)
            item.raw = tuple(filter(None, item.raw))
        if item.raw:
            kept.append(item)
    task.items = kept


MAY_BE_EMPTY = frozenset({"IP"})


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
            lost = _WARNING if made == ("",) else None
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
    return corrected(rule, raw)


# ---- properties that changed their name or their meaning ----


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
        new_raw = plain_real(number * 60)
        message = f"TM[{text}] in minutes is now TM[{new_raw}] in seconds"
        task.say("time-unit", message, item, severity=_INFO)
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
        task.say("doubled-komi", message, item, severity=_WARNING)
        task.items.remove(item)
    elif isinstance(value, int):
        new = plain_real(value * 5, shift=1)
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
    if item is not None and task.setting.game.number == 9:  # noqa: PLR2004  # Lines of Action
        task.say("second-meaning", f"{shown(item)} is left out: SE is something else now", item)
        task.items.remove(item)


# ---- what FF[4] wants of a node ----


def points_once(task: Task) -> None:
    """A point has one mark, one label, one stone.

    Source: FF[4], markup, setup, LB, TB and TW; the later one goes (SGFC).
    """
    if task.setting.game.number in SEVERAL_ON_A_POINT:
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
            if item.ident in NEED_MOVE:
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


#: The rules in the order in which they are applied.
STEPS: dict[Format, Sequence[Callable[[Task], None]]] = {
    Format.FF4: (
        names,
        spaces,
        duplicates,
        tesuji_and_bad,
        marks,
        letters,
        view,
        passes,
        time_limit,
        doubled_komi,
        several_values,
        empty_values,
        texts,
        labels,
        overtime,
        handicap,
        rules_name,
        self_test,
        corrections,
        points_once,
        exclusive_annotations,
        misplaced,
        private,
        declared,
        split,
    ),
    Format.FF3: (names, duplicates, marks, letters, private, declared),
}

"""Rules about one property, wherever it stands: what its values say together and by themselves.

That a value is of its type is :mod:`sgf_lark.values.reader`'s; these rules look at values that
are.  Each is a small function; :data:`OF_LISTS`, :data:`OF_IDENT` and :data:`LINTS` say
which properties it looks at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from sgf_lark.diagnostics.diagnostic import Problem, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import Game
from sgf_lark.schema.properties import Count
from sgf_lark.schema.values import (
    BoardSize,
    Composed,
    Figure,
    FigureFlag,
    Invalid,
    Point,
    Rectangle,
    Value,
)
from sgf_lark.values.reader import NotOfType

from .property import Property
from .ruleset import Rules

#: What is wrong with a property of a game that is read by such rules.
ValueRule: TypeAlias = Callable[[Property, Rules], Iterator[Problem]]

#: Games in which several pieces may stand on a point, so that a list may repeat it.
CROWDED = frozenset({6, 19})


def severity_by(format: Format, old: Severity = Severity.WARNING) -> Severity | None:
    """The usual severity where FF[4] forbids something, a lesser one where nobody did."""
    return None if format is Format.FF4 else old


# ---- points ----


#: The longest side of any board that a standard knows (Twixt).
LONGEST_SIDE = 702


class Area:
    """Points that were named: a bit for each, so that rectangles are cheap."""

    def __init__(self) -> None:
        self._points = 0
        self._others: set[object] = set()

    def meets(self, value: object) -> bool:
        """Some of the value's points are in here."""
        points = _bits(value)
        return value in self._others if points is None else bool(points & self._points)

    def add(self, value: object) -> bool:
        """Add the value's points; True if some of them were in here."""
        points = _bits(value)
        if points is None:
            met = value in self._others
            self._others.add(value)
            return met
        met = bool(points & self._points)
        self._points |= points
        return met


def _bits(value: object) -> int | None:
    """The points of a point or rectangle, row by row; None if it is neither, or larger than
    any board.
    """
    if isinstance(value, Point):
        if max(value) >= LONGEST_SIDE:
            return None
        return 1 << (value.row * LONGEST_SIDE + value.column)
    corners = value.corners if isinstance(value, Rectangle) else None
    if corners is None or max(corners[1]) >= LONGEST_SIDE:
        return None
    low, high = corners
    points = (1 << (high.column - low.column + 1)) - 1
    rows, height = 1, high.row - low.row + 1
    while rows < height:  # twice as many each time
        more = min(rows, height - rows)
        points |= points << (more * LONGEST_SIDE)
        rows += more
    return points << (low.row * LONGEST_SIDE + low.column)


def of_point(value: Value) -> Value:
    """The point that a value is about: of a label, the one that it stands on."""
    return value.first if isinstance(value, Composed) else value


def are_different(points: list[Value]) -> bool:
    """No two of them name the same point; False if there are rectangles to look into."""
    return len(set(points)) == len(points) and not any(type(one) is Rectangle for one in points)


def named_before(one: Property) -> list[int]:
    """The values of a list that name a point which an earlier one has named."""
    points = list(map(of_point, one.values))
    if are_different(points):
        return []
    area = Area()
    found: list[int] = []
    for index, value in enumerate(points):
        if isinstance(value, Invalid):
            continue
        if area.add(value):
            found.append(index)
    return found


def _repeated_points(one: Property, rules: Rules) -> Iterator[Problem]:
    """The points of a list are different ones."""
    if rules.game.number in CROWDED or len(one.raw) == 1:
        return
    again = named_before(one)
    if again:
        more = f" (and {len(again) - 1} more)" if again[1:] else ""
        first = again[0]
        raw = one.raw[first]
        if isinstance(one.values[first], Composed):
            raw = raw.partition(":")[0]
        message = f"{one.ident} names {shorten(raw)} twice{more}"
        severity = severity_by(rules.format, Severity.INFO)
        yield Problem("repeated-point", message, "name each point once", first, severity)


def _rectangles(one: Property, rules: Rules) -> Iterator[Problem]:
    """A rectangle has more than one point, and its upper left corner comes first."""
    if rules.format is not Format.FF4:
        return
    for index, value in enumerate(one.values):
        if not isinstance(value, Rectangle):
            continue
        raw = shorten(one.raw[index])
        if value.first == value.second:
            message = f"the rectangle {raw} has only one point"
            point = one.raw[index].partition(":")[0]
            yield Problem(
                "one-point-rectangle", message, f"write {point}", index, replacement=point
            )
        elif value.corners is not None and value.corners[0] != value.first:
            low, high = value.corners
            if rules.game.number in UPWARDS and (low.column, high.row) == value.first:
                continue
            message = f"{raw} does not name the upper left and the lower right corner"
            yield Problem("swapped-corners", message, "write the upper left corner first", index)


#: Games whose rows are counted from the bottom.
UPWARDS = frozenset({9, 19})


def _lines(one: Property, rules: Rules) -> Iterator[Problem]:
    """Arrows and lines lead from a point to another, each once."""
    severity = severity_by(rules.format)
    seen: set[tuple[object, object]] = set()
    faults: dict[str, list[Problem]] = {"one-point-line": [], "repeated-line": []}
    for index, value in enumerate(one.values):
        if not isinstance(value, Composed):
            continue
        raw = shorten(one.raw[index])
        ends = value.first, value.second
        fault = None
        if ends[0] == ends[1]:
            message = f"{one.ident}[{raw}] leads from a point to itself"
            fault = Problem("one-point-line", message, "name two points", index, severity)
        elif ends in seen:
            message = f"{one.ident} names {raw} twice"
            fault = Problem("repeated-line", message, "name it once", index, severity)
        elif one.ident == "LN" and ends[::-1] in seen:
            message = f"LN[{raw}] is a line that LN names before, from its other end"
            fault = Problem("repeated-line", message, "name it once", index, Severity.WARNING)
        if fault is not None:
            faults[fault.name].append(fault)
        seen.add(ends)
    for first, *others in filter(None, faults.values()):
        more = f" (and {len(others)} more)" if others else ""
        yield first._replace(message=first.message + more)


def _view_corners(one: Property, rules: Rules) -> Iterator[Problem]:
    """Before FF[4] a view is two corners, or empty."""
    if rules.format in {Format.FF1, Format.FF3} and one.values and len(one.raw) != 2:  # noqa: PLR2004  # corners
        message = f"VW of {rules.format.shown} has two corners, or is empty"
        yield Problem("view-corners", message, "give the two corners, or declare FF[4]")


# ---- labels and other composed texts ----


def _long_labels(one: Property, rules: Rules) -> Iterator[Problem]:
    """Labels of FF[3] have up to four characters."""
    if rules.format is not Format.FF3:
        return
    for index, value in enumerate(one.values):
        if isinstance(value, Composed) and len(str(value.second)) > LONGEST_LABEL:
            message = f"the label {shorten(str(value.second))!r} has more than four characters"
            yield Problem("long-label", message, "declare FF[4], or shorten it", index)


LONGEST_LABEL = 4

_HALVES = re.compile(r"(?s)((?:[^\\:]|\\.)*+):((?:[^\\:]|\\.)*+):")


def _bare_colons(one: Property, rules: Rules) -> Iterator[Problem]:
    """A ':' in a text behind the one that parts the halves is escaped."""
    if rules.format is not Format.FF4:
        return
    for index, raw in enumerate(one.raw):
        halves = _HALVES.match(raw)
        if halves is not None and not isinstance(one.values[index], Invalid):
            first, rest = halves[1], raw[halves.end(1) + 1 :]
            right = re.sub(r"(?s)(\\.)|:", lambda found: found[1] or r"\:", rest)
            message = f"a ':' in the second half of {one.ident}[{shorten(raw)}] is not escaped"
            at = Span(halves.end() - 1, halves.end())
            yield Problem(
                "unescaped-colon",
                message,
                "write '\\:'",
                index,
                within=at,
                replacement=f"{first}:{right}",
            )


# ---- numbers ----


def _square_size(one: Property, rules: Rules) -> Iterator[Problem]:
    """A square board has one number."""
    for index, value in enumerate(one.values):
        if (
            isinstance(value, BoardSize)
            and value.columns == value.rows
            and rules.format is Format.FF4
        ):
            side = str(value.columns)
            message = f"SZ[{shorten(one.raw[index])}] is a square, which has one number"
            yield Problem("square-size", message, f"write SZ[{side}]", index, replacement=side)


class Range(NamedTuple):
    """From where to where a number goes; None for no end.

    Attributes:
        rule: The name of the rule that is broken outside.
        help: What to do.
    """

    low: int | None
    high: int | None
    rule: str = "out-of-range"
    help: str = "write a number from the range"

    def holds(self, number: int | Decimal) -> bool:
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )

    def __str__(self) -> str:
        if self.high is None:
            return f"from {self.low}"
        return f"from {self.low} to {self.high}"


_DOUBTFUL = "doubtful-number"
_OLD_SIZE = Range(2, 19, help="declare FF[4] for a larger board")

#: Ranges by format, GM number (None: any) and identifier, as the pages of the standards have
#: them; what no page says and nothing can mean is doubtful.
RANGES: dict[tuple[Format, int | None, str], Range] = {
    (Format.FF4, None, "ST"): Range(0, 3),
    (Format.FF4, None, "PM"): Range(0, 2),
    (Format.FF4, None, "SZ"): Range(1, None),
    (Format.FF4, 1, "SZ"): Range(1, 52),
    (Format.FF4, 18, "SZ"): Range(1, 52),
    (Format.FF4, 21, "SZ"): Range(3, 702),
    (Format.FF3, None, "SZ"): _OLD_SIZE,
    (Format.FF1, None, "SZ"): _OLD_SIZE,
    (Format.FF3, 1, "HA"): Range(
        1, 9, help="leave HA out without a handicap, or declare FF[4] for more stones"
    ),
    (Format.FF3, None, "BS"): Range(0, None),
    (Format.FF3, None, "WS"): Range(0, None),
    (Format.FF1, None, "BS"): Range(-1, None),
    (Format.FF1, None, "WS"): Range(-1, None),
    (Format.FF4, 1, "HA"): Range(2, None, _DOUBTFUL, "leave HA out if there is no handicap"),
    (Format.FF1, 1, "HA"): Range(2, None, _DOUBTFUL, "leave HA out if there is no handicap"),
    **{
        (format_, None, ident): Range(low, None, _DOUBTFUL, "correct the number")
        for format_ in (Format.FF1, Format.FF3, Format.FF4)
        for ident, low in (("MN", 1), ("OB", 0), ("OW", 0), ("TM", 0))
    },
}


def range_of(ident: str, format: Format, game: Game) -> Range | None:
    """The range of a property's numbers; None if all numbers will do."""
    return RANGES.get((format, game.number, ident)) or RANGES.get((format, None, ident))


def _range(one: Property, rules: Rules) -> Iterator[Problem]:
    """A number is in the range of its property."""
    given = range_of(one.ident, rules.format, rules.game)
    if given is None:
        return
    for index, value in enumerate(one.values):
        numbers = value if isinstance(value, BoardSize) else (value,)
        wrong = [
            number
            for number in numbers
            if isinstance(number, int | Decimal)
            and not isinstance(number, bool)
            and not given.holds(number)
        ]
        if wrong:
            raw = shorten(one.raw[index])
            message = f"{one.ident} has {raw!r} for a value; expected a number {given}"
            severity = None
            if given.rule == "out-of-range" and one.ident != "SZ":  # FF[1] has its range, too
                severity = severity_by(rules.format)
            if one.ident == "HA" and wrong == [0]:  # as many programs write for no handicap
                severity = Severity.INFO
            yield Problem(given.rule, message, given.help, index, severity)


def _figure_flags(one: Property, _: Rules) -> Iterator[Problem]:
    """The flags of a figure are bits that somebody explained."""
    known = sum(FigureFlag)
    for index, value in enumerate(one.values):
        if isinstance(value, Figure) and value.flags & ~known:
            message = f"the flags {value.flags} of FG have a bit that no standard explains"
            yield Problem("figure-flags", message, "add up the bits that are meant", index)


# ---- a value that goes on too long ----

#: The end of a value that runs into the next property, because its own ']' is missing: what
#: follows the last '[' is the other's value.
_SWALLOWED = re.compile(
    r"(?:(?P<node>(?:\)\s*)*[;(]\s*(?:;\s*)?)|(?P<space>\s|(?<=[a-z0-9.,!?)\x80-\U0010ffff])))"
    r"(?P<name>[A-Z]{1,2})\s?\[(?P<value>[^\[\]]*)$"
)

#: The same where a value ends in capitals, as a result does.
_SWALLOWED_NAMES = tuple(
    re.compile(rf"(?P<node>)(?P<name>[A-Z]{{{letters}}})\s?\[(?P<value>[^\[\]]*)$")
    for letters in (2, 1)
)


def may_swallow(raw: str) -> bool:
    """A value of its type may hold what looks like a node or a property."""
    bracket = raw.rfind("[")
    return bracket >= 0 and _SWALLOWED.search(raw, max(0, bracket - _BEFORE)) is not None


def swallowed(one: Property, rules: Rules) -> Iterator[Problem]:
    """The values that hold what looks like nodes and properties of the game.

    Certain enough are a name behind a ';' or '(', and, behind a space, a name of two
    letters; of one letter, if the value is not of its type anyway, or C behind a text of one
    line.  The next value of a list needs no name.
    """
    for index, raw in enumerate(one.raw):
        bracket = raw.rfind("[")
        if bracket < 0:
            continue
        invalid = isinstance(one.values[index], Invalid)
        found = _SWALLOWED.search(raw, max(0, bracket - _BEFORE))
        if invalid and found is None:
            found = _run_on(one, raw, rules)
        rule = rules.rule(found["name"]) if found else None
        if found and rule:
            short = not found["node"] and len(found["name"]) == 1
            if short and not invalid and (found["name"] != "C" or not _is_line(one)):
                continue
            start = found.start("node") if found["node"] else found.start("name")
            value, next_ = found["value"], f"{found['name']}[{shorten(found['value'])}]"
        elif one.rule and one.rule.count is not Count.ONE and (invalid or one.rule.types[0][1:]):
            rule, start, value, next_ = one.rule, bracket, raw[bracket + 1 :], "the next one"
        else:
            continue
        if not rules.reader.fits(rule, value):
            continue
        why = "its ']' is missing"
        help_ = "write ']' where the value ends"
        if rules.format is not Format.GGF:
            help_ += ", or '\\]' if this is its text"
            if raw[:start].endswith("\\]"):
                why = "'\\]' does not end it"
                help_ = "write '\\\\]' if the value ends with a '\\', or ']'"
        message = f"this value of {one.ident} runs on into {next_}: {why}"
        severity = Severity.ERROR if invalid else None
        yield Problem(SWALLOWED, message, help_, index, severity, within=Span(start, len(raw)))


def _is_line(one: Property) -> bool:
    """Its value is a text of one line, such as a name."""
    return one.rule is not None and one.rule.types == (("simpletext",),)


def _run_on(one: Property, raw: str, rules: Rules) -> re.Match[str] | None:
    """The name of the next property, directly behind what would be a value of this one."""
    for pattern in _SWALLOWED_NAMES:
        found = pattern.search(raw, max(0, raw.rfind("[") - 3))
        if (
            found
            and one.rule
            and rules.rule(found["name"])
            and found.start()
            and rules.reader.fits(one.rule, raw[: found.start()])
        ):
            return found
    return None


SWALLOWED = "swallowed-properties"

#: How far before the last '[' the name may begin, with white space.
_BEFORE = 40


# ---- forms that are recommended, and what only people mind ----


def _recommended(form: str) -> ValueRule:
    """A text has the form that FF[4] recommends: a start symbol of its grammar."""

    def rule(one: Property, rules: Rules) -> Iterator[Problem]:
        if rules.format is not Format.FF4:
            return
        for index, value in enumerate(one.values):
            if not isinstance(value, str) or not value:
                continue
            try:
                rules.reader.read(form, value)
            except NotOfType:
                expected = rules.reader.expected(form)
                message = f"{one.ident} has {shorten(value)!r} for a value; usual is {expected}"
                yield Problem("unusual-form", message, "", index)

    return rule


def _of_go(rule: ValueRule) -> ValueRule:
    """The same rule, for Go alone."""

    def of_go(one: Property, rules: Rules) -> Iterator[Problem]:
        if rules.game.number == GO:
            yield from rule(one, rules)

    return of_go


GO = 1

#: What people write for the rules of Go that have a name of their own in FF[4].
RULE_NAMES = {
    "japan": "Japanese",
    "japanese": "Japanese",
    "japanese rules": "Japanese",
    "jp": "Japanese",
    "ing": "GOE",
    "ing rules": "GOE",
    "goe": "GOE",
    "new zealand": "NZ",
    "nz": "NZ",
    "aga": "AGA",
    "aga rules": "AGA",
}


def _rule_names(one: Property, rules: Rules) -> Iterator[Problem]:
    """Rules of Go with a name in FF[4] are called so."""
    for index, value in enumerate(one.values):
        name = RULE_NAMES.get(value.strip().lower()) if isinstance(value, str) else None
        if name not in {None, value} and rules.format is Format.FF4:
            message = f"RU[{shorten(one.raw[index])}] is called {name} in FF[4]"
            yield Problem("unusual-form", message, f"write RU[{name}]", index, replacement=name)


def fraction(value: Decimal) -> Decimal:
    """What is behind the point, or is lacking to the next number; of a million digits, too."""
    return value - value.to_integral_value()


def _komi(one: Property, _: Rules) -> Iterator[Problem]:
    """Komi is counted in whole, half or quarter points, and is less than a hundred of them."""
    for index, value in enumerate(one.values):
        if not isinstance(value, Decimal) or not value.is_finite():
            continue
        raw = shorten(one.raw[index])
        if not -LARGE_KOMI < value < LARGE_KOMI:
            message = f"KM[{raw}] is more than any komi"
            help_ = "a point may be missing in it: KM[650] for KM[6.50]"
            yield Problem("doubtful-komi", message, help_, index)
        elif fraction(value) % QUARTER:
            message = f"KM[{raw}] is no multiple of a quarter of a point"
            yield Problem("doubtful-komi", message, "correct it", index)


#: Komi as servers and collections write it, in hundredths of a point, or of a stone of
#: Chinese counting, which is two points; and the points that are meant.
HUNDREDTHS = {
    "275": "5.5",
    "550": "5.5",
    "325": "6.5",
    "650": "6.5",
    "350": "7",
    "700": "7",
    "375": "7.5",
    "750": "7.5",
}

QUARTER = Decimal("0.25")
LARGE_KOMI = 100


def _long_minutes(one: Property, rules: Rules) -> Iterator[Problem]:
    """FF[1] counts the time of a game in minutes; who writes many of them means seconds."""
    if rules.format is not Format.FF1:
        return
    for index, value in enumerate(one.values):
        if isinstance(value, Decimal | int) and value >= LONG_GAME:
            message = f"TM[{shorten(one.raw[index])}] is in minutes, as FF[1] has it"
            help_ = "if seconds are meant, declare FF[4]"
            yield Problem("doubtful-number", message, help_, index, Severity.INFO)


#: So many minutes hardly anybody plays.
LONG_GAME = 1200

_ESCAPE = re.compile(r"(?s)\\(.)")


def _needless_escapes(one: Property, rules: Rules) -> Iterator[Problem]:
    """A text has a '\\' only where it is needed."""
    if one.rule is None or not one.rule.is_text or rules.format is Format.GGF:
        return
    for index, raw in enumerate(one.raw):
        if "\\" not in raw or (one.rule.types == (("undefined",),)):
            continue
        needless = [found for found in _ESCAPE.finditer(raw) if found[1] not in "]\\:\r\n"]
        if needless:
            places = f" in {len(needless)} places" if needless[1:] else ""
            message = f"a '\\' that no character needs{places}: it vanishes on reading"
            plain = _ESCAPE.sub(lambda found: found[0] if found[1] in "]\\:\r\n" else found[1], raw)
            # Before a letter, as in C:\games, somebody may have meant a backslash.
            is_meant = any(found[1].isalnum() for found in needless)
            help_ = "remove it, or write '\\\\' for a backslash" if is_meant else "remove it"
            yield Problem(
                "needless-escape",
                message,
                help_,
                index,
                within=Span(*needless[0].span()),
                replacement=None if is_meant else plain,
            )


_HARD_BREAK = re.compile(r"(?s)(?:[^\\\r\n]|\\(?:\r\n|\n\r|.))*+[\r\n]")


def _line_breaks(one: Property, rules: Rules) -> Iterator[Problem]:
    """A text of one line has one line."""
    if one.rule is None or one.rule.types != (("simpletext",),) or rules.format is not Format.FF4:
        return
    for index, raw in enumerate(one.raw):
        if ("\n" in raw or "\r" in raw) and (found := _HARD_BREAK.match(raw)):
            message = f"a line break in {one.ident}, which is a text of one line"
            at = Span(found.end() - 1, found.end())
            yield Problem("line-break-in-line", message, "write a space", index, within=at)


# ---- which rule looks at what ----

#: Rules about every list of points.
OF_LISTS: tuple[ValueRule, ...] = (_rectangles, _repeated_points)

#: Rules about single properties.
RANGED = frozenset({"ST", "PM", "HA", "MN", "OB", "OW", "TM", "BS", "WS"})

OF_IDENT: dict[str, tuple[ValueRule, ...]] = {
    "LB": (_repeated_points, _long_labels, _bare_colons),
    "AR": (_lines,),
    "LN": (_lines,),
    "AS": (_lines,),
    "VW": (_view_corners,),
    "SZ": (_square_size, _range),
    "FG": (_figure_flags, _bare_colons),
    "AP": (_bare_colons,),
    "MI": (_bare_colons,),
    **dict.fromkeys(RANGED, (_range,)),
}

#: Rules of taste, for those who check and not for those who load.
LINTS: dict[str, tuple[ValueRule, ...]] = {
    "BR": (_of_go(_recommended("rank")),),
    "WR": (_of_go(_recommended("rank")),),
    "RO": (_recommended("round"),),
    "RU": (_of_go(_rule_names),),
    "KM": (_of_go(_komi),),
    "TM": (_long_minutes,),
}

#: The same about every property.
OF_ALL: tuple[ValueRule, ...] = (_needless_escapes, _line_breaks)


def rules_for(one: Property) -> tuple[ValueRule, ...]:
    """The rules that look at a property whenever it is read."""
    if one.rule is None:
        return ()
    own = OF_IDENT.get(one.ident, ())
    return OF_LISTS + own if one.rule.is_points else own


def lints_for(one: Property) -> tuple[ValueRule, ...]:
    """The rules that look at a property when it is checked."""
    return () if one.rule is None else OF_ALL + LINTS.get(one.ident, ())

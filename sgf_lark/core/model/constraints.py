"""Checks of the values of one property that are of their type, in whatever node it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from sgf_lark.core import late
from sgf_lark.core.findings.diagnostic import shorten
from sgf_lark.core.findings.finding import POINT_END, Finding, Rule, Severity, register
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GAMES, LONGEST_SIDE, OLD_SIDE, Game, GameNumber
from sgf_lark.core.schema.properties import LONGEST_LABEL, VIEW_CORNERS
from sgf_lark.core.schema.values import (
    BoardSize,
    Composed,
    Figure,
    FigureFlag,
    Invalid,
    Point,
    Rectangle,
    Value,
)

from .finders import On, OnlyIf, Properties, finds
from .readings import Reading
from .ruleset import RuleSet


def choose_severity(format: Format, old: Severity = Severity.WARNING) -> Severity | None:
    """Return the severity of what FF[4] was the first to forbid: None for the usual one."""
    return None if format is Format.FF4 else old


def fraction(value: Decimal) -> Decimal:
    """Return the fraction of a number, also of one with a million digits."""
    return value - value.to_integral_value()


# ---- points ----


class Area:
    """A set of points: a bit for each, so that rectangles are cheap."""

    def __init__(self) -> None:
        self._points = 0
        self._others: set[object] = set()

    def meets(self, value: object) -> bool:
        points = _bits(value)
        return value in self._others if points is None else bool(points & self._points)

    def add(self, value: object) -> bool:
        """Add the value's points; return True if some of them were in the set."""
        points = _bits(value)
        if points is None:
            met = value in self._others
            self._others.add(value)
            return met
        met = bool(points & self._points)
        self._points |= points
        return met


def _bits(value: object) -> int | None:
    """Return the points of a point or rectangle, row by row; None for others, or very large."""
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


def get_point(value: Value) -> Value:
    """Return the point that a value is about: for a label the point under it."""
    return value.first if isinstance(value, Composed) else value


def are_different(points: list[Value]) -> bool:
    """Return True if no two of them name the same point, and none is a rectangle."""
    return len(set(points)) == len(points) and not any(type(point) is Rectangle for point in points)


POINT_OFF_BOARD = register("G603 point-off-board error: a point that the board does not have")


def off_board(message: str, help_: str = "") -> Finding:
    return POINT_OFF_BOARD.found(message, help=help_)


def find_repeated(prop: Reading) -> list[int]:
    """Return the numbers of the values that name a point which an earlier one names."""
    points = list(map(get_point, prop.values))
    if are_different(points):
        return []
    area = Area()
    repeated: list[int] = []
    for index, value in enumerate(points):
        if isinstance(value, Invalid):
            continue
        if area.add(value):
            repeated.append(index)
    return repeated


_LABELS = frozenset({"LB"})

#: The squares of Octi: points, where its other lists are of pods.
_OCTISQUARES = frozenset({"BO", "WO"})

REPEATED_POINT = register("V308 repeated-point error: a point twice in a list")


@finds(
    REPEATED_POINT,
    on=On.VALUES,
    only_if=(OnlyIf(Properties.POINT_LISTS, alike=True), OnlyIf(_LABELS)),
)
def _repeated_points(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """The points of a list are different ones."""
    if rules.game.several_on_a_point and prop.ident not in _OCTISQUARES:
        return
    if len(prop.raw) == 1:
        return
    again = find_repeated(prop)
    if again:
        more = f" (and {len(again) - 1} more)" if again[1:] else ""
        first = again[0]
        raw = prop.raw[first]
        if isinstance(prop.values[first], Composed):
            raw = raw.partition(":")[0]
        named = f"{prop.ident} names {shorten(raw)}"
        severity = choose_severity(rules.format, Severity.INFO)
        yield REPEATED_POINT.found(
            f"{named} twice{more}",
            help="name each point once",
            severity=severity,
            value_index=first,
            facts={POINT_END: len(named)},
        )


ONE_POINT_RECTANGLE = register("V309 one-point-rectangle error: a rectangle of one point")
SWAPPED_CORNERS = register("V310 swapped-corners warning: a rectangle by other corners")


@finds(
    ONE_POINT_RECTANGLE,
    SWAPPED_CORNERS,
    on=On.VALUES,
    only_if=OnlyIf(Properties.POINT_LISTS, alike=True),
)
def _rectangles(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """A rectangle has more than one point, and its upper left corner comes first."""
    if rules.format is not Format.FF4:
        return
    for index, value in enumerate(prop.values):
        if not isinstance(value, Rectangle):
            continue
        raw = shorten(prop.raw[index])
        if value.first == value.second:
            message = f"the rectangle {raw} has only one point"
            point = prop.raw[index].partition(":")[0]
            yield ONE_POINT_RECTANGLE.found(
                message,
                help=f"write {point}",
                value_index=index,
                replacement=point,
            )
        elif value.corners is not None and value.corners[0] != value.first:
            low, high = value.corners
            if rules.game.rows_from_bottom and (low.column, high.row) == value.first:
                continue
            message = f"rectangle {raw}: expected its upper left and its lower right corner"
            yield SWAPPED_CORNERS.found(
                message,
                help="write the upper left corner first",
                value_index=index,
            )


ONE_POINT_LINE = register("V314 one-point-line error: an arrow or line to its own point")
REPEATED_LINE = register("V315 repeated-line error: an arrow or line twice in a node")


@finds(ONE_POINT_LINE, REPEATED_LINE, on=On.VALUES, only_if=OnlyIf(frozenset({"AR", "LN", "AS"})))
def _lines(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Arrows and lines lead from a point to another, each of them once."""
    severity = choose_severity(rules.format)
    seen: dict[tuple[object, object], str] = {}
    faults: dict[str, list[Finding]] = {"one-point-line": [], "repeated-line": []}
    for index, value in enumerate(prop.values):
        if not isinstance(value, Composed):
            continue
        raw = shorten(prop.raw[index])
        ends = value.first, value.second
        fault = None
        if getattr(value.first, "point", value.first) == value.second:  # AS is from a pod
            message = f"{prop.ident}[{raw}] leads from a point to itself"
            fault = ONE_POINT_LINE.found(
                message,
                help="name two points",
                severity=severity,
                value_index=index,
            )
        elif ends in seen:
            message = f"{prop.ident} names {raw} twice"
            fault = REPEATED_LINE.found(
                message, help="name it once", severity=severity, value_index=index
            )
        elif prop.ident == "LN" and ends[::-1] in seen:
            message = f"duplicate line: LN[{raw}] repeats LN[{seen[ends[::-1]]}]"
            fault = REPEATED_LINE.found(
                message,
                help="name it once",
                severity=Severity.WARNING,
                value_index=index,
            )
        if fault is not None:
            faults[fault.name].append(fault)
        seen.setdefault(ends, raw)
    for first, *others in filter(None, faults.values()):
        more = f" (and {len(others)} more)" if others else ""
        yield first._replace(message=first.message + more)


OLD_VIEW_CORNERS = register("V319 view-corners warning: an old VW without two corners")


@finds(OLD_VIEW_CORNERS, on=On.VALUES, only_if=OnlyIf(frozenset({"VW"})))
def _view_corners(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Before FF[4] a view is two corners, or empty."""
    if rules.format in {Format.FF1, Format.FF3} and prop.values and len(prop.raw) != VIEW_CORNERS:
        shown = shorten("VW" + "".join(f"[{raw}]" for raw in prop.raw))
        message = f"invalid view {shown}: {rules.format.shown} has two corners, or VW[]"
        yield OLD_VIEW_CORNERS.found(message, help="give the two corners, or declare FF[4]")


# ---- labels and other composed texts ----


LONG_LABEL = register("V316 long-label info: a label that FF[3] does not hold")


@finds(
    LONG_LABEL,
    on=On.VALUES,
    only_if=OnlyIf(_LABELS),
)
def _long_labels(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """Labels of FF[3] have up to four characters."""
    if rules.format is not Format.FF3:
        return
    for index, value in enumerate(prop.values):
        if isinstance(value, Composed) and len(str(value.second)) > LONGEST_LABEL:
            shown = shorten(str(value.second))
            message = f"label {shown!r} is longer than {LONGEST_LABEL} characters"
            yield LONG_LABEL.found(message, help="declare FF[4], or shorten it", value_index=index)


_HALVES = re.compile(r"(?s)((?:[^\\:]|\\.)*+):((?:[^\\:]|\\.)*+):")


UNESCAPED_COLON = register("V318 unescaped-colon warning: a ':' without '\\' in a composed value")


@finds(
    UNESCAPED_COLON,
    on=On.VALUES,
    only_if=OnlyIf(frozenset({"LB", "FG", "AP", "MI"})),
)
def _bare_colons(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """A ':' after the one between the two halves is escaped.

    After a point it may be the next label, whose brackets are lost.
    """
    if rules.format is not Format.FF4:
        return
    for index, raw in enumerate(prop.raw):
        halves = _HALVES.match(raw)
        if halves is not None and not isinstance(prop.values[index], Invalid):
            first, rest = halves[1], raw[halves.end(1) + 1 :]
            right = re.sub(r"(?s)(\\.)|:", lambda match: match[1] or r"\:", rest)
            message = f"a ':' in the second half of {prop.ident}[{shorten(raw)}] is not escaped"
            at = Span(halves.end() - 1, halves.end())
            is_label = prop.ident == "LB" and _POINT_AT_END.search(halves[2]) is not None
            escape = "write '\\:'"
            yield UNESCAPED_COLON.found(
                message,
                help=f"{escape}, or '][' where another label begins" if is_label else escape,
                severity=Severity.INFO if prop.ident == "AP" else None,  # no author writes AP
                value_index=index,
                within=at,
                replacement=None if is_label else f"{first}:{right}",
            )


#: A point of Go after the text of a label.
_POINT_AT_END = re.compile("(?s).[A-Za-z]{2}$")


# ---- numbers ----


SQUARE_SIZE = register("V311 square-size error: a square board with two numbers")


@finds(SQUARE_SIZE, on=On.VALUES, only_if=OnlyIf(frozenset({"SZ"})))
def _square_size(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    for index, value in enumerate(prop.values):
        if (
            isinstance(value, BoardSize)
            and value.columns == value.rows
            and rules.format is Format.FF4
        ):
            side = str(value.columns)
            message = f"SZ[{shorten(prop.raw[index])}] names a square by two numbers: expected one"
            yield SQUARE_SIZE.found(
                message,
                help=f"write SZ[{side}]",
                value_index=index,
                replacement=side,
            )


OUT_OF_RANGE = register("V312 out-of-range error: a number outside its range")
DOUBTFUL_NUMBER = register("V313 doubtful-number warning: a number that makes no sense")


def doubtful_number(message: str, help_: str, severity: Severity | None = None) -> Finding:
    """Return the finding about a number that nothing forbids, but that has no meaning."""
    return DOUBTFUL_NUMBER.found(message, help=help_, severity=severity, value_index=0)


class Range(NamedTuple):
    """The range of a number, its ends included; None for no end."""

    low: int | None
    high: int | None
    rule: Rule = OUT_OF_RANGE
    help: str = "correct the number"

    def holds(self, number: int | Decimal) -> bool:
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )

    def __str__(self) -> str:
        return f"of at least {self.low}" if self.high is None else f"from {self.low} to {self.high}"


_OLD_SIZE = Range(2, OLD_SIDE, help="declare FF[4] for a larger board")
_HANDICAP = Range(2, None, DOUBTFUL_NUMBER, "leave HA out if there is no handicap")

#: Ranges by format, GM number (None: any) and identifier, as the pages of the standards have
#: them; a number that no page forbids, but that has no meaning, is doubtful.
RANGES: dict[tuple[Format, int | None, str], Range] = {
    (Format.FF4, None, "ST"): Range(0, 3),
    (Format.FF4, None, "PM"): Range(0, 2),
    (Format.FF4, None, "SZ"): Range(1, None),
    **{(Format.FF4, number, "SZ"): Range(*game.sides) for number, game in GAMES.items()},
    (Format.FF3, None, "SZ"): _OLD_SIZE,
    (Format.FF1, None, "SZ"): _OLD_SIZE,
    (Format.FF3, GameNumber.GO, "HA"): Range(
        1, 9, help="leave HA out without a handicap, or declare FF[4] for more stones"
    ),
    (Format.FF3, None, "BS"): Range(0, None),
    (Format.FF3, None, "WS"): Range(0, None),
    (Format.FF1, None, "BS"): Range(-1, None),
    (Format.FF1, None, "WS"): Range(-1, None),
    (Format.FF4, GameNumber.GO, "HA"): _HANDICAP,
    (Format.FF1, GameNumber.GO, "HA"): _HANDICAP,
    **{
        (format_, None, ident): Range(low, None, DOUBTFUL_NUMBER)
        for format_ in (Format.FF1, Format.FF3, Format.FF4)
        for ident, low in (("MN", 1), ("OB", 0), ("OW", 0), ("TM", 0))
    },
}


def find_range(ident: str, format: Format, game: Game) -> Range | None:
    """Return the range of a property's numbers; None if all numbers are valid."""
    return RANGES.get((format, game.number, ident)) or RANGES.get((format, None, ident))


#: Types of a single number.
NUMBERS = frozenset({(("number",),), (("real",),)})


@finds(
    OUT_OF_RANGE,
    DOUBTFUL_NUMBER,
    on=On.VALUES,
    only_if=OnlyIf(frozenset(ident for _, _, ident in RANGES)),
)
def _range(prop: Reading, rules: RuleSet) -> Iterator[Finding]:
    """A number is in the range of its property."""
    given = find_range(prop.ident, rules.format, rules.game)
    if given is None:
        return
    for index, value in enumerate(prop.values):
        numbers = value if isinstance(value, BoardSize) else (value,)
        wrong = [
            number
            for number in numbers
            if isinstance(number, int | Decimal)
            and not isinstance(number, bool)
            and not given.holds(number)
        ]
        if wrong:
            raw = shorten(prop.raw[index])
            message = f"invalid value {raw!r} for {prop.ident}: expected a number {given}"
            severity = None
            if given.rule is OUT_OF_RANGE and prop.ident != "SZ":  # FF[1] has its range, too
                severity = choose_severity(rules.format)
            if prop.ident == "HA" and wrong[0] >= 0:  # as many programs write for no stones
                severity = Severity.INFO
            yield given.rule.found(
                message,
                help=given.help,
                severity=severity,
                value_index=index,
                facts={"value": raw},
            )


@finds(DOUBTFUL_NUMBER, on=On.VALUES, only_if=OnlyIf(frozenset({"OT"}), contains="/"))
def _stones_and_seconds(prop: Reading, _: RuleSet) -> Iterator[Finding]:
    """Canadian overtime has at least a second for each stone: some programs exchange the two."""
    for raw in prop.raw:
        clock = late.read_overtime(raw)
        if clock is None or clock.system != "canadian":
            continue
        stones, seconds = clock.extension.moves, clock.extension.seconds
        if stones is not None and seconds < stones:
            message = f"{prop} is {stones} stones in {seconds:g} seconds"
            yield doubtful_number(message, "write the stones before '/' and the seconds after it")


FIGURE_FLAGS = register("V320 figure-flags info: undefined flags of FG")


@finds(FIGURE_FLAGS, on=On.VALUES, only_if=OnlyIf(frozenset({"FG"})))
def _figure_flags(prop: Reading, _: RuleSet) -> Iterator[Finding]:
    """The flags of a figure are bits that FF[4] defines."""
    known = sum(FigureFlag)
    for index, value in enumerate(prop.values):
        if isinstance(value, Figure) and value.flags & ~known:
            defined = ", ".join(str(flag.value) for flag in FigureFlag)
            shown = f"FG[{shorten(prop.raw[index])}]"
            message = f"unknown flags {value.flags & ~known} in {shown}"
            if value.flags < 0:
                message = f"a negative number of flags in {shown}"
            help_ = f"add up those of {defined} that are meant"
            yield FIGURE_FLAGS.found(message, help=help_, value_index=index)


#: No smaller komi is in hundredths.
HUNDRED = 100

#: Komi as servers and collections write it, in hundredths of a point, or of a stone in Chinese
#: counting, which is two points; and the komi in points.
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

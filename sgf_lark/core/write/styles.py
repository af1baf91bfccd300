"""Layouts of properties and nodes: their order, their values, their lines.

``canonical``: the same for all records of the same content.  Each node and each variation
begins a line; each property of the first node beyond those of the root, and each bracket that
closes, has its own line.  Properties are in a fixed order, and texts have only necessary
escapes.  ``compact``: as short as possible.

Properties whose order may have a meaning (AB before AW, TE before BM, the first of two
moves) keep it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sgf_lark.core.model.readings import Content, NamedReadings, Reading
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import LETTERED_SIDE
from sgf_lark.core.schema.properties import COLORS, Category, Count, Group, PropertyRule
from sgf_lark.core.schema.values import Invalid, Point, PointList, Rectangle
from sgf_lark.core.values.kinds import NotOfType
from sgf_lark.core.values.reader import Reader
from sgf_lark.core.values.writer import LINE_BREAK, close_value, escape_text, write_value


class Style(NamedTuple):
    """A layout.

    Attributes:
        nodes: The nodes on a line.
        indent: The spaces before the lines of a variation, for each level up to
            :data:`MAX_INDENTED`.
        compress: Write points of a list as rectangles, where the format and game allow it.
        width: The characters of a line; longer lines are broken where a break has no meaning.
        breaks: There are line breaks, and properties are in a fixed order.
    """

    nodes: int = 1
    indent: int = 0
    compress: bool = False
    width: int | None = None
    breaks: bool = True


COMPACT = Style(compress=True, breaks=False)

#: Levels of variations that are indented: a text must not grow with the square of its record.
MAX_INDENTED = 40


# ---- the order of properties ----

#: Properties of the root, of the game's description, and of GGF, first to last; others
#: follow in the order of their names.
_ROOT = " FF CA AP GM SZ ST "
_INFO = " GN EV RO PC DT PB BR BT PW WR WT HA KM RU TM OT RE ON AN US SO CP GC "
_GGF = " B W GM PC DT PB PW RB RW TI TB TW TY KB KW KM RE BO "  # a move begins a node

#: Annotations that mean something else together, by which comes first (FF[3] to FF[4]).
_ANNOTATIONS = Group.MOVE_ANNOTATION.idents


def sort_properties(content: Content) -> Content:
    return tuple([content[place] for place in order_of(content)])


def order_of(content: Content) -> tuple[int, ...]:
    """Return the numbers of the properties of a node in that order."""
    moves = [place for place, prop in enumerate(content) if prop.ident in COLORS]
    other = moves[1] if len(moves) > 1 else len(content)
    ranks = [
        ((place >= other) + (place > other), _rank(prop)) for place, prop in enumerate(content)
    ]
    return tuple(sorted(range(len(ranks)), key=ranks.__getitem__))


_GROUPS = (Category.ROOT, Category.GAME_INFO, Category.SETUP, Category.MOVE, Category.NONE)


def _rank(prop: Reading) -> tuple[int, int, str]:
    rule, ident = prop.rule, prop.ident
    if rule is None:
        return len(_GROUPS), 0, ident
    if rule.format is Format.GGF:
        return 0, _place(_GGF, ident), ident
    group = _GROUPS.index(rule.category)
    if rule.category in {Category.ROOT, Category.GAME_INFO}:
        return group, _place(_ROOT + _INFO, ident), ident
    if rule.category is Category.SETUP or ident in COLORS:
        return group, 0, ""
    if rule.category is Category.MOVE:
        return group, 1, "BM" if ident in _ANNOTATIONS else ident
    return group, {"N": 0, "C": 2}.get(ident, 1), ident


def _place(order: str, ident: str) -> int:
    place = order.find(f" {ident} ")
    return len(order) if place < 0 else place


# ---- values ----


#: Games of at most one stone on a point whose rows count from the top: elsewhere a rectangle
#: is not what it seems.
_COMPRESSED = frozenset({"go", "gomoku", "amazons"})


def format_values(prop: Reading, style: Style) -> tuple[str, ...]:
    if prop.reader is not None and prop.reader.plain is not prop.reader:  # whose values may be any
        prop = NamedReadings(prop.ident, prop.name, prop.rule, prop.reader.plain)[prop.raw]
    rule, reader = prop.rule, prop.reader
    if reader is not None and reader.format is Format.GGF:
        return prop.raw  # GGF has no escapes
    if rule is None or reader is None:
        return tuple(map(normalize, prop.raw))
    if style.compress and rule.is_points and rule.format is Format.FF4:
        raws = _compress(rule, prop.values, reader)
        if raws is not None:
            return raws
    if is_one_text(rule) and not (rule.count is Count.ELIST and prop.raw == ("",)):
        return tuple(_format_text(rule, raw, reader) for raw in prop.raw)
    is_composed = any(len(kinds) > 1 for kinds in rule.types)
    # With a '[' a value may be two (S118): its escapes tell.
    if is_composed and not (rule.is_points or rule.form or "[" in "".join(prop.raw)):
        read = prop.values
        if read and not any(isinstance(value, Invalid) for value in read) and not prop.problems:
            return tuple(write_value(rule, value, reader) for value in read)
    is_opaque = not rule.is_text or rule.types == (("undefined",),)
    return tuple(map(close_value if is_opaque else normalize, prop.raw))


def keeps_values(rule: PropertyRule | None, style: Style) -> bool:
    """Return whether :func:`format_values` leaves values as they are, but for some characters."""
    if rule is None or rule.format is Format.GGF or is_one_text(rule):
        return True
    if rule.is_points:
        return not style.compress
    return bool(rule.form) or all(len(kinds) == 1 for kinds in rule.types)


def normalize(raw: str) -> str:
    return close_value(LINE_BREAK.sub("\n", raw) if "\r" in raw else raw)


#: Characters of texts that may need another form.
_TO_READ = re.compile(r"[\\\r\n\t\v\f]")


#: The end of a value that may be a property without its ']' before it (S118): its escapes tell.
_LIKE_PROPERTY = re.compile(r"[A-Z]\s?\[[^\[\]]*$")


def _format_text(rule: PropertyRule, raw: str, reader: Reader) -> str:
    if _TO_READ.search(raw) is None:
        return raw
    try:
        text = escape_text(reader.read(rule.types[0][0], raw), rule.format)
    except NotOfType:
        return normalize(raw)
    end = max(0, text.rfind("[") - 2)
    is_kept = not text or _LIKE_PROPERTY.search(text, end)  # soft line breaks alone are not empty
    return normalize(raw) if is_kept else text


def _compress(
    rule: PropertyRule, values: tuple[object, ...], reader: Reader
) -> tuple[str, ...] | None:
    entries = tuple(value for value in values if isinstance(value, Point | Rectangle))
    if reader.game.grammar not in _COMPRESSED or len(entries) != len(values) or not entries:
        return None
    listed = PointList(entries)
    if listed.total > MAX_POINTS:
        return None
    points = set(listed)
    if len(points) != len(listed):
        return None  # a repeated point is a mistake, and must stay visible
    raws = tuple(write_value(rule, entry, reader) for entry in join_rectangles(points))
    return raws if len("".join(raws)) + 2 * len(raws) < _length(rule, points, reader) else None


def _length(rule: PropertyRule, points: Iterable[Point], reader: Reader) -> int:
    return sum(len(write_value(rule, point, reader)) + 2 for point in points)


#: No board has more points; a rectangle can name more.
MAX_POINTS = LETTERED_SIDE * LETTERED_SIDE


def join_rectangles(points: Iterable[Point]) -> Iterator[Point | Rectangle]:
    """Yield points as rectangles that do not overlap, row by row from the top."""
    left = set(points)
    for point in sorted(left, key=lambda item: (item.row, item.column)):
        if point not in left:
            continue
        right, bottom = point.column, point.row
        while Point(right + 1, point.row) in left:
            right += 1
        row = [Point(column, 0) for column in range(point.column, right + 1)]
        while all(Point(cell.column, bottom + 1) in left for cell in row):
            bottom += 1
        left.difference_update(
            Point(cell.column, height) for cell in row for height in range(point.row, bottom + 1)
        )
        last = Point(right, bottom)
        yield point if last == point else Rectangle(first=point, second=last)


# ---- what a property means, for comparing ----


def meaning(prop: Reading) -> object:
    """Return the meaning of a property, which is the same in every layout."""
    rule = prop.rule
    if rule is not None and rule.is_points:
        points = prop.value
        if isinstance(points, PointList) and points.total <= MAX_POINTS:
            return (
                prop.ident,
                tuple(sorted(points)),
                len([v for v in prop.values if isinstance(v, Invalid)]),
            )
    if rule is not None and rule.format is not Format.GGF and prop.values:
        plain = [v for v in prop.values if not isinstance(v, Invalid)]
        if len(plain) == len(prop.raw):
            return prop.ident, prop.values
        if is_one_text(rule) and prop.reader is not None:
            kind = rule.types[0][0]
            read = prop.reader.plain.of_kind(kind)
            return prop.ident, tuple([read(normalize(raw)) for raw in prop.raw])
    return prop.ident, tuple(map(normalize, prop.raw))


# ---- nodes ----


class Token(NamedTuple):
    """A piece of a node; a line may be broken before it, and in a soft one by ``\\``."""

    text: str
    soft: bool = False


def node_tokens(content: Content, style: Style, *, spelled: bool) -> Iterator[Token]:
    """Yield the properties of a node in order as pieces, the first values with their names."""
    for prop in sort_properties(content):
        rule = prop.rule
        soft = rule is not None and rule.format is Format.FF4 and is_one_text(rule)
        name = prop.name if spelled else prop.ident
        for raw in format_values(prop, style):
            yield Token(f"{name}[{raw}]", soft)
            name = ""


def is_one_text(rule: PropertyRule) -> bool:
    return all(len(kinds) == 1 and kinds[0] in {"text", "simpletext"} for kinds in rule.types)


def fill_lines(tokens: Iterable[Token], width: int) -> str:
    done: list[str] = []
    column = 0
    for token in tokens:
        text = token.text
        whole = _SOFT_BREAK.sub(r"\1", text) if token.soft else text
        if column > 1 and column + len(whole.partition("\n")[0]) > width:
            done.append("\n")
            column = 0
        if token.soft and whole == text:  # else it keeps its escapes, and these breaks
            text = _break_softly(text, column, width)
        done.append(text)
        column = len(text) - text.rindex("\n") - 1 if "\n" in text else column + len(text)
    return "".join(done)


#: A soft line break, after escaped backslashes.
_SOFT_BREAK = re.compile(r"(?<!\\)((?:\\\\)*+)\\\n")

#: A word with its space, or a line break; an escape is not separated from its character.
_WORDS = re.compile(r"(?s:\\.|[^\\ \n])++ ?| |\n")
_UNITS = re.compile(r"(?s:\\.|[^\\])")


def _break_softly(text: str, column: int, width: int) -> str:
    name, bracket, value = text.partition("[")
    done = [name + bracket]
    column += len(done[0])
    for word in _WORDS.findall(value[:-1]):
        whole = len(word) < width
        if whole and column + len(word) >= width and column:
            done.append("\\\n")
            column = 0
        for unit in [word] if whole else _UNITS.findall(word):
            if not whole and column + len(unit) >= width and column:
                done.append("\\\n")
                column = 0
            done.append(unit)
            column = 0 if unit == "\n" else column + len(unit)
    return "".join([*done, "]"])

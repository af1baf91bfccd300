"""How properties and nodes look in a new layout: their order, their values, their lines.

Two layouts are made here.  ``canonical``: one for all records that say the same.  A node
begins a line, and so does a variation; of the first node each property beyond those of the
root has a line of its own; a bracket closes on a line of its own.  Properties stand in a
fixed order, and texts have no escapes but those they need.  ``compact``: as few characters
as will do.

Of properties whose order may mean something to somebody (AB before AW, TE before BM, the
first of two moves) the order stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sgf_lark.model.property import Content, Property
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import LETTERED_SIDE
from sgf_lark.schema.properties import COLORS, Category, Count, Group, PropertyRule
from sgf_lark.schema.values import Invalid, Point, PointList, Rectangle
from sgf_lark.values.reader import Reader
from sgf_lark.values.types import NotOfType
from sgf_lark.values.writer import close_value, escape_text, write_value


class Style(NamedTuple):
    """A layout.

    Attributes:
        nodes: So many nodes stand on a line.
        indent: So many spaces stand before the lines of a variation, for each level up to
            :data:`DEEPEST`.
        compress: Points of a list become rectangles, where the format and game allow it.
        width: Longer lines are broken where a break means nothing, in texts of FF[4], too.
        breaks: Lines are broken at all.
        sort: Properties stand in a fixed order.
    """

    nodes: int = 1
    indent: int = 0
    compress: bool = False
    width: int | None = None
    breaks: bool = True
    sort: bool = True


COMPACT = Style(compress=True, breaks=False, sort=False)

#: Deeper variations are indented no further, so that a text grows with its record only.
DEEPEST = 40


# ---- the order of properties ----

#: Properties of the root, of the game's description, and of GGF, first to last; others
#: follow in the order of their names.
_ROOT = " FF CA AP GM SZ ST "
_INFO = " GN EV RO PC DT PB BR BT PW WR WT HA KM RU TM OT RE ON AN US SO CP GC "
_GGF = " B W GM PC DT PB PW RB RW TI TB TW TY KB KW KM RE BO "  # a move begins a node

#: Annotations that mean something else together, by which comes first (FF[3] to FF[4]).
_ANNOTATIONS = Group.MOVE_ANNOTATION.idents


def in_order(content: Content) -> Content:
    """The properties of a node in the order of the canonical layout."""
    return tuple(sorted(content, key=_rank)) if len(content) > 1 else content


_GROUPS = (Category.ROOT, Category.GAME_INFO, Category.SETUP, Category.MOVE, Category.NONE)


def _rank(one: Property) -> tuple[int, int, str]:
    """What a property is sorted by; of equal ones the order stays."""
    rule, ident = one.rule, one.ident
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


_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")

#: Games of at most one stone on a point whose rows count from the top: elsewhere a rectangle
#: is not what it seems.
_COMPRESSED = frozenset({"go", "gomoku", "amazons"})


def values(one: Property, style: Style) -> tuple[str, ...]:
    """The texts between the brackets as the layout has them; they mean what they meant."""
    rule, reader = one.rule, one.reader
    if reader is not None and reader.format is Format.GGF:
        return one.raw  # GGF has no escapes
    if rule is None or reader is None:
        return tuple(map(sound, one.raw))
    if style.compress and rule.is_points and rule.format is Format.FF4:
        found = _compressed(rule, one.values, reader)
        if found is not None:
            return found
    if is_plain_text(rule) and not (rule.count is Count.ELIST and one.raw == ("",)):
        return tuple(_text(rule, raw, reader) for raw in one.raw)
    if any(len(kinds) > 1 for kinds in rule.types) and not rule.is_points and not rule.form:
        read = one.values
        if read and not any(isinstance(value, Invalid) for value in read) and not one.problems:
            return tuple(write_value(rule, value, reader) for value in read)
    is_opaque = not rule.is_text or rule.types == (("undefined",),)
    return tuple(map(close_value if is_opaque else sound, one.raw))


def sound(raw: str) -> str:
    """A raw value whose line breaks are line feeds, and that its bracket closes."""
    return close_value(_LINE_BREAK.sub("\n", raw) if "\r" in raw else raw)


#: A text without these is as it should be.
_TO_READ = re.compile(r"[\\\r\n\t\v\f]")


def _text(rule: PropertyRule, raw: str, reader: Reader) -> str:
    if _TO_READ.search(raw) is None:
        return raw
    try:
        return escape_text(reader.read(rule.types[0][0], raw), rule.format)
    except NotOfType:
        return sound(raw)


def _compressed(
    rule: PropertyRule, values: tuple[object, ...], reader: Reader
) -> tuple[str, ...] | None:
    """Points as rectangles; None if that is not allowed, or saves nothing."""
    entries = tuple(one for one in values if isinstance(one, Point | Rectangle))
    if reader.game.grammar not in _COMPRESSED or len(entries) != len(values) or not entries:
        return None
    listed = PointList(entries)
    if listed.total > MOST_POINTS:
        return None
    points = set(listed)
    if len(points) != len(listed):
        return None  # a point that stands twice is somebody's mistake: it stays in sight
    found = tuple(write_value(rule, one, reader) for one in rectangles(points))
    return found if len("".join(found)) + 2 * len(found) < _length(rule, points, reader) else None


def _length(rule: PropertyRule, points: Iterable[Point], reader: Reader) -> int:
    return sum(len(write_value(rule, one, reader)) + 2 for one in points)


#: No board has more points; a rectangle can name more.
MOST_POINTS = LETTERED_SIDE * LETTERED_SIDE


def rectangles(points: Iterable[Point]) -> Iterator[Point | Rectangle]:
    """Points as rectangles that do not overlap, row by row from the top."""
    left = set(points)
    for point in sorted(left, key=lambda one: (one.row, one.column)):
        if point not in left:
            continue
        right, bottom = point.column, point.row
        while Point(right + 1, point.row) in left:
            right += 1
        row = [Point(column, 0) for column in range(point.column, right + 1)]
        while all(Point(one.column, bottom + 1) in left for one in row):
            bottom += 1
        left.difference_update(
            Point(one.column, height) for one in row for height in range(point.row, bottom + 1)
        )
        last = Point(right, bottom)
        yield point if last == point else Rectangle(first=point, second=last)


# ---- what a property means, for comparing ----


def meaning(one: Property) -> object:
    """What stays the same in every layout."""
    rule = one.rule
    if rule is not None and rule.is_points:
        found = one.value
        if isinstance(found, PointList) and len(found) <= MOST_POINTS:
            return (
                one.ident,
                tuple(sorted(found)),
                len([v for v in one.values if isinstance(v, Invalid)]),
            )
    if rule is not None and rule.format is not Format.GGF and one.values:
        plain = [v for v in one.values if not isinstance(v, Invalid)]
        if len(plain) == len(one.raw):
            return one.ident, one.values
        if is_plain_text(rule) and one.reader is not None:
            kind = rule.types[0][0]
            return one.ident, tuple([one.reader.read(kind, sound(raw)) for raw in one.raw])
    return one.ident, tuple(map(sound, one.raw))


# ---- nodes ----


class Token(NamedTuple):
    """A piece of a node; lines may be broken before it, and in a soft one by ``\\``."""

    text: str
    soft: bool = False


def node_tokens(content: Content, style: Style, *, spelled: bool = False) -> Iterator[Token]:
    """The properties of a node as pieces, the first values with their names, which stay as they
    are spelled if that is wanted.
    """
    for one in in_order(content) if style.sort else content:
        rule = one.rule
        soft = rule is not None and rule.format is Format.FF4 and is_plain_text(rule)
        name = one.name if spelled else one.ident
        for raw in values(one, style):
            yield Token(f"{name}[{raw}]", soft)
            name = ""


def is_plain_text(rule: PropertyRule) -> bool:
    """Its values are texts as a whole."""
    return all(len(kinds) == 1 and kinds[0] in {"text", "simpletext"} for kinds in rule.types)


def filled(tokens: Iterable[Token], width: int | None) -> str:
    """Pieces one behind the other, in lines of at most a width as far as that can be."""
    if width is None:
        return "".join([one.text for one in tokens])
    done: list[str] = []
    column = 0
    for token in tokens:
        text = token.text
        if column > 1 and column + len(text.partition("\n")[0]) > width:
            done.append("\n")
            column = 0
        if token.soft:
            text = _softened(text, column, width)
        done.append(text)
        column = len(text) - text.rindex("\n") - 1 if "\n" in text else column + len(text)
    return "".join(done)


#: A word with its space, a line break; an escaped character is never parted from its escape.
_WORDS = re.compile(r"(?s:\\.|[^\\ \n])++ ?| |\n")
_UNITS = re.compile(r"(?s:\\.|[^\\])")


def _softened(text: str, column: int, width: int) -> str:
    """A property with soft line breaks between its brackets."""
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

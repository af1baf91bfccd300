"""Fixes of values."""

from __future__ import annotations

import re
from itertools import pairwise

from sgf_lark.check.findings import insertion, make_fix, show_values, substitution
from sgf_lark.check.wrong_game import COORDINATES, in_coordinates, played
from sgf_lark.diagnostics.diagnostic import Edit, Fix, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.model.constraints import HUNDREDTHS
from sgf_lark.model.property import Property
from sgf_lark.positions import Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.properties import COLORS, SETUP, Category
from sgf_lark.schema.values import Invalid, Point, Rectangle
from sgf_lark.values.corrections import correct_value, guess_value
from sgf_lark.values.writer import escape_text

from .nodes import DECISIVE, as_setup
from .place import STONES_OF, Place, instead, remove, text_of, without


def remove_empty(place: Place) -> Fix | None:
    """A value that says nothing."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.raw[index].strip() or one.ident in COLORS:
        return None
    return remove(place, [index], safe=one.ident not in DECISIVE)


def one_value_removed(place: Place) -> Fix | None:
    index = place.finding.value_index
    return None if index is None else remove(place, [index], safe=False)


def missing_pass(place: Place) -> Fix | None:
    """A node with the pass, before that of the move."""
    one = place.property
    if one is None or one.ident not in COLORS:
        return None
    ggf = place.game.format is Format.GGF
    if place.node == 0 and not ggf:
        return None  # the first node declares how the game is read
    passed = f"{COLORS[one.ident].opponent}[PA]"
    at = place.nodes.places.node(place.node, 0).start
    return make_fix(
        f"insert {passed} before the move",
        insertion(at, passed if ggf else f";{passed}"),
        safe=False,
    )


def repeated(place: Place) -> Fix | None:
    """Points and lines that the same list has before."""
    one = place.property
    if one is None or len(one.values) != len(one.raw):
        return None
    seen: set[object] = set()
    gone: list[int] = []
    for index, value in enumerate(one.values):
        if isinstance(value, Rectangle):
            continue
        if value in seen:
            gone.append(index)
        seen.add(value)
    return remove(place, gone, safe=True)


def respelled(place: Place) -> Fix | None:
    """A value in the spelling of the standard."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    if not one.raw[index].strip() and one.rule.category is not Category.MOVE:
        return remove(place, [index], safe=one.ident not in DECISIVE)
    if one.ident == "KO" and (komi := _as_komi(place, one)) is not None:
        return komi
    raw = correct_value(one.rule, one.raw[index])
    problems = one.reader.read_property(one.rule, (raw,)).problems
    if raw != one.raw[index] and all(problem.severity is Severity.INFO for problem in problems):
        safe = one.ident != "FG" and one.rule.type != "none"  # there something is added or lost
        safe = safe and (one.ident != "GM" or raw == str(place.game.game))
        if one.ident in DECISIVE:  # another one may be what is read now
            safe = safe and sum(other.ident == one.ident for other in place.content) == 1
        return make_fix(instead(one, index, raw), substitution(place.value(index), raw), safe=safe)
    point = _in_coordinates(place, one.raw[index]) if one.ident in COLORS else None
    if point is None and one.raw[index][:1] == STONES_OF.get(one.ident):
        point = one.raw[index][1:]
        point = point if point and one.reader.fits(one.rule, point) else None
    if point is not None:
        message = instead(one, index, point)
        return make_fix(message, substitution(place.value(index), point), safe=False)
    return _guessed(place, one, index)


def _guessed(place: Place, one: Property, index: int) -> Fix | None:
    """A value in other words; if it says nothing, the property goes."""
    guess = None if one.rule is None else guess_value(one.rule, one.raw[index])
    if guess is None:
        return None
    if not guess.raw:
        message = f"remove {show_values(one, [index])} for an even game"
        return make_fix(message, *without(place, [index]), safe=False, removes=True)
    removed = f"; this removes '{guess.removed}'" if guess.removed else ""
    message = instead(one, index, guess.raw) + removed
    edit = substitution(place.value(index), guess.raw)
    return make_fix(message, edit, safe=False, removes=guess.removed != "")


def _as_komi(place: Place, one: Property) -> Fix | None:
    """A number as KO in the first node, where there is no KM, is komi."""
    rule = place.nodes.rules.rule("KM")
    if rule is None or place.node or len(one.raw) != 1 or one.reader is None:
        return None
    if not one.reader.fits(rule, one.raw[0]) or any(other.ident == "KM" for other in place.content):
        return None
    message = f"replace {show_values(one, [0])} with KM[{shorten(one.raw[0])}]"
    name = place.nodes.places.name(*place.at, len(one.name))
    return make_fix(message, substitution(name, "KM"), safe=False)


def komi_in_points(place: Place) -> Fix | None:
    """Komi in hundredths, or in stones, in points."""
    one = place.property
    points = HUNDREDTHS.get(one.raw[0]) if one is not None and one.ident == "KM" else None
    if one is None or points is None:
        return None
    return make_fix(instead(one, 0, points), substitution(place.value(0), points), safe=False)


def as_pass(place: Place) -> Fix | None:
    """A pass of Go as some programs write it: the point after the last column and row."""
    one, size = place.property, place.game.size
    if one is None or one.ident not in COLORS or place.game.game != GameNumber.GO or size is None:
        return None
    if len(one.raw) != 1 or one.values[0] != Point(*size):
        return None
    raw = "" if place.game.format is Format.FF4 else "tt"
    return make_fix(
        f"{instead(one, 0, raw)}, a pass", substitution(place.value(0), raw), safe=False
    )


def real_date(place: Place) -> Fix | None:
    """A date with 00 for what nobody knew; or with the day before the month, which is a guess."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    if not one.raw[index].strip(" 0-/."):
        return remove(place, [index], safe=True)
    found = respelled(place)
    if found is None:
        raw = _DAY_FIRST.sub(r"\1-\3-\2", one.raw[index])
        if raw != one.raw[index] and one.reader.fits(one.rule, raw):
            return make_fix(
                instead(one, index, raw), substitution(place.value(index), raw), safe=False
            )
    return found


_DAY_FIRST = re.compile(r"\b(\d{4})-(1[3-9]|2\d|3[01])-(0[1-9]|1[0-2])\b")


def _in_coordinates(place: Place, raw: str) -> str | None:
    """A point of Go by the coordinates at the edge of the board, such as Q16."""
    found, size = COORDINATES.fullmatch(raw.strip()), place.game.size
    if found is None or size is None or place.game.game != GameNumber.GO:
        return None
    column = "ABCDEFGHJKLMNOPQRST".index(found[1].upper())
    row = size.rows - int(found[2])
    if column >= size.columns or not 0 <= row < size.rows:
        return None
    reader, rule = place.nodes.rules.reader, place.nodes.rules.rule("B")
    return None if rule is None else text_of(rule, Point(column, row), reader)


def all_in_coordinates(place: Place) -> Fix | None:
    """All points of Go that are written as Q16, and passes in words."""
    edits: list[Edit] = []
    layout, first = place.nodes.places, ""
    if not in_coordinates(played(place.nodes), place.nodes.rules):
        return None
    for node, content in enumerate(place.nodes.contents):
        for at, one in enumerate(content):
            if one.ident not in COLORS.keys() | SETUP.keys():
                continue
            for index, value in enumerate(one.values):
                if not isinstance(value, Invalid):
                    continue
                passes = one.ident in COLORS and value.raw.strip().lower() == "pass"
                passed = "" if place.game.format is Format.FF4 else "tt"
                point = passed if passes else _in_coordinates(place, value.raw)
                if point is None:
                    return None
                first = first or f"{show_values(one, [index])} with {one.ident}[{point}]"
                edits.append(substitution(layout.value(node, at, index), point))
    return (
        make_fix(f"replace {first}, and all other points likewise", *edits, safe=False)
        if edits
        else None
    )


def older(place: Place) -> Fix | None:
    """A value of FF[4] in the form of an older format."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    value = one.values[index]
    if isinstance(value, Rectangle) and value.corners is not None:
        (left, top), (right, bottom) = value.corners
        if (right - left + 1) * (bottom - top + 1) > MOST_POINTS:
            return None
        points = [
            Point(column, row)
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        ]
        raws = [text_of(one.rule, point, one.reader) for point in points]
        if None in raws:
            return None
        text = "][".join(filter(None, raws))
        return make_fix(
            f"write the points one by one: [{shorten(text)}]",
            substitution(place.value(index), text),
        )
    if one.raw[index] == "" and one.ident in COLORS and place.game.game == GameNumber.GO:
        return make_fix(instead(one, index, "tt"), substitution(place.value(index), "tt"))
    return None


#: A rectangle of more points is not taken apart.
MOST_POINTS = 19 * 19


def spell_out_corners(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    value = one.values[index]
    if not isinstance(value, Rectangle) or value.corners is None:
        return None
    first, second = value.corners
    raw = text_of(one.rule, Rectangle(first=first, second=second), one.reader)
    if raw is None:
        return None
    return make_fix(
        f"replace [{shorten(one.raw[index])}] with [{raw}]", substitution(place.value(index), raw)
    )


def one_line(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.reader is None:
        return None
    raw = escape_text(one.reader.read("simpletext", one.raw[index]), place.game.format)
    return make_fix(instead(one, index, raw), substitution(place.value(index), raw))


def version(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None:
        return None
    end = place.value(index).end
    return make_fix(f"write {one.name}[{shorten(one.raw[index])}:]", insertion(end, ":"))


def too_many(place: Place) -> Fix | None:
    """Several values where one is allowed: texts are joined, else the first one stays."""
    one = place.property
    if one is None or one.rule is None:
        return None
    named = [index for index, raw in enumerate(one.raw) if raw.strip()]
    full = named or [0]
    empty = next((at for at, raw in enumerate(one.raw) if not raw.strip()), None)
    if empty is not None and named and one.rule.category is Category.MOVE:
        kept = empty if one.rule.type == "none" else full[0]  # there nothing is a value, too
        return remove(place, [at for at in range(len(one.raw)) if at != kept], safe=False)
    others = [index for index in range(len(one.raw)) if index != full[0]]
    same = {one.raw[index] for index in full}
    if len(same) == 1:
        return remove(place, others, safe=True)
    setup = as_setup(place)
    is_text = one.rule.types in {(("text",),), (("simpletext",),)} and not one.rule.form
    if setup is not None or not is_text or one.ident in DECISIVE:
        return setup or remove(place, others, safe=False)
    between = "\n\n" if one.rule.type == "text" else " "
    ends = [place.value(index) for index in range(len(one.raw))]
    edits = [
        substitution(Span(before.end, behind.start), between) for before, behind in pairwise(ends)
    ]
    return make_fix("join the values into one text", *edits)


def without_nul(place: Place) -> Fix | None:
    one, index = place.property, place.finding.value_index
    if one is None or index is None:
        return None
    return make_fix(
        "remove the NUL character",
        substitution(place.value(index), one.raw[index].replace("\0", "")),
        safe=False,
        removes=True,
    )


def go_style(place: Place) -> Fix | None:
    """A point in the letters of Go, in the notation of its own game."""
    one, index = place.property, place.finding.value_index
    if one is None or index is None or one.rule is None or one.reader is None:
        return None
    raw = text_of(one.rule, one.values[index], one.reader)
    if raw is None:
        return None
    return make_fix(instead(one, index, raw), substitution(place.value(index), raw), safe=False)

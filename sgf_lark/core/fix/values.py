"""Fixes of values."""

from __future__ import annotations

import re
from itertools import pairwise

from sgf_lark.core.check.wrong_game import COORDINATES, collect_moves, in_coordinates
from sgf_lark.core.findings.diagnostic import Edit, Fix, insertion, make_fix, shorten, substitution
from sgf_lark.core.findings.finding import Severity
from sgf_lark.core.model.constraints import HUNDREDTHS
from sgf_lark.core.model.readings import Reading, show_values
from sgf_lark.core.places import Span
from sgf_lark.core.schema.formats import Format
from sgf_lark.core.schema.games import GameNumber
from sgf_lark.core.schema.properties import COLORS, SETUP, Category
from sgf_lark.core.schema.values import Composed, Invalid, Point, PointList, Rectangle
from sgf_lark.core.values.corrections import Guess, correct_value, guess_value
from sgf_lark.core.values.kinds import ESCAPED_TEXTS

from .nodes import DECISIVE, write_as_setup
from .place import (
    STONES_OF,
    Place,
    cut_values,
    describe_change,
    describe_repeats,
    fixes,
    fixes_value,
    is_prose,
    remove_values,
    replace_value,
    text_of,
)
from .safeguard import MAX_POINTS


@fixes_value("empty-value", "empty-text", "mixed-empty-value")
def remove_empty(place: Place, prop: Reading, index: int) -> Fix | None:
    """Remove an empty value; write 1 for an annotation whose degree is missing."""
    if prop.ident in COLORS:
        return None
    if prop.rule is not None and prop.rule.types == (("double",),):
        return replace_value(place, prop, index, "1", safe=False)
    return remove_values(place, [index], safe=prop.ident not in DECISIVE)


@fixes("one-point-line")
def remove_one_point_lines(place: Place) -> Fix | None:
    """Remove all values that lead from a point to itself: one finding tells of them."""
    prop = place.property
    gone = [
        index
        for index, value in enumerate(prop.values)
        if isinstance(value, Composed) and value.first == value.second
    ]
    return remove_values(place, gone, safe=False)


@fixes("missing-pass")
def insert_pass(place: Place) -> Fix | None:
    if place.node == 0:
        return None  # the first node declares how the game is read
    prop, ggf = place.property, place.game.format is Format.GGF
    passed = f"{COLORS[prop.ident].opponent}[PA]"
    at = place.nodes.places.node(place.node, 0).start
    return make_fix(
        f"insert {passed} before the move",
        insertion(at, passed if ggf else f";{passed}"),
        safe=False,
    )


@fixes("repeated-point", "repeated-line")
def remove_repeated(place: Place) -> Fix | None:
    prop = place.property
    seen: set[object] = set()
    gone: list[int] = []
    for index, value in enumerate(prop.values):
        if isinstance(value, Rectangle):
            continue
        if value in seen:
            gone.append(index)
        seen.add(value)
    return remove_values(place, gone, safe=True, title=describe_repeats(prop, gone, 1))


@fixes_value("wrong-value", "wrong-form", "unusual-form")
def respell_value(place: Place, prop: Reading, index: int) -> Fix | None:
    if prop.rule is None or prop.reader is None:
        return None
    if not prop.raw[index].strip() and prop.rule.category is not Category.MOVE:
        return remove_values(place, [index], safe=prop.ident not in DECISIVE)
    if prop.ident == "KO" and (komi := _rename_to_komi(place, prop)) is not None:
        return komi
    raw = correct_value(prop.rule, prop.raw[index])
    problems = prop.reader.read_property(prop.rule, (raw,)).problems
    if raw != prop.raw[index] and all(problem.severity is Severity.INFO for problem in problems):
        safe = prop.ident != "FG" and prop.rule.type != "none"  # there something is added or lost
        safe = safe and (prop.ident != "GM" or raw == str(place.game.game))
        if prop.ident in DECISIVE:  # another one may be what is read now
            safe = safe and sum(other.ident == prop.ident for other in place.content) == 1
        return replace_value(place, prop, index, raw, safe=safe)
    point = _read_coordinates(place, prop.raw[index]) if prop.ident in COLORS else None
    if point is None and prop.raw[index][:1] == STONES_OF.get(prop.ident):
        point = prop.raw[index][1:]
        point = point if point and prop.reader.fits(prop.rule, point) else None
    if point is not None:
        return replace_value(place, prop, index, point, safe=False)
    guess = guess_value(prop.rule, prop.raw[index])
    return _write_swap(place, prop, index) or _write_guess(place, prop, index, guess)


def _write_swap(place: Place, prop: Reading, index: int) -> Fix | None:
    word = _SWAPS.get(prop.raw[index].strip().lower())
    if word is None or place.game.game != GameNumber.HEX or prop.ident not in COLORS:
        return None
    title = f"{describe_change(prop, index, word)}, if the stones change places"
    return replace_value(place, prop, index, word, safe=False, title=title)


#: The word of FF[4] for words of servers, such as Little Golem, that say only that sides swap.
_SWAPS = dict.fromkeys(
    ("swap", "swapped", "swap pieces", "swappieces", "swap_pieces"), "swap-pieces"
)


def _write_guess(place: Place, prop: Reading, index: int, guess: Guess | None) -> Fix | None:
    """Write a value as its text is understood; remove the property if that is empty."""
    if guess is None:
        return None
    if not guess.raw:
        message = f"remove {show_values(prop, [index])}, if {guess.assumes}"
        return make_fix(message, *cut_values(place, [index]), safe=False, removes=True)
    message = describe_change(prop, index, guess.raw)
    if guess.removed:
        message += f"; this removes '{guess.removed}'"
    if guess.assumes:
        message += f", if {guess.assumes}"
    edit = substitution(place.value(index), guess.raw)
    return make_fix(message, edit, safe=False, removes=guess.removed != "")


def _rename_to_komi(place: Place, prop: Reading) -> Fix | None:
    """Rename KO with a number to KM in a first node without KM."""
    rules = place.nodes.rules
    rule = rules.rule("KM")
    if rule is None or place.node or len(prop.raw) != 1:
        return None
    if not rules.reader.fits(rule, prop.raw[0]) or any(
        other.ident == "KM" for other in place.content
    ):
        return None
    message = f"replace {show_values(prop, [0])} with KM[{shorten(prop.raw[0])}]"
    name = place.nodes.places.name(*place.at, len(prop.name))
    return make_fix(message, substitution(name, "KM"), safe=False)


@fixes("doubtful-komi", "fox-habit")
def convert_komi(place: Place) -> Fix | None:
    """Convert a komi in hundredths, or in stones, to points."""
    prop = place.property
    points = HUNDREDTHS.get(prop.raw[0]) if prop.ident == "KM" else None
    if points is None:
        return None
    return replace_value(place, prop, 0, points, safe=False)


@fixes("point-off-board")
def write_pass(place: Place) -> Fix | None:
    """Write a pass of Go for the point after the last column and row, as some programs do."""
    prop, size = place.property, place.game.size
    if place.game.game != GameNumber.GO or size is None:
        return None
    if len(prop.raw) != 1 or prop.values[0] != Point(*size):
        return None
    raw = "" if place.game.format is Format.FF4 else "tt"
    title = f"{describe_change(prop, 0, raw)}, a pass"
    return replace_value(place, prop, 0, raw, safe=False, title=title)


@fixes_value("no-such-date")
def correct_date(place: Place, prop: Reading, index: int) -> Fix | None:
    """Correct a date with 00 for an unknown part; or, by a guess, with the day before the month."""
    if prop.rule is None or prop.reader is None:
        return None
    if not prop.raw[index].strip(" 0-/."):
        return remove_values(place, [index], safe=True)
    raw = _DAY_FIRST.sub(r"\1-\3-\2", prop.raw[index])
    if prop.reader.fits(prop.rule, raw):
        return replace_value(place, prop, index, raw, safe=False)
    return respell_value(place, prop, index)


_DAY_FIRST = re.compile(r"\b(\d{4})-(1[3-9]|2\d|3[01])-(0[1-9]|1[0-2])\b")


def _read_coordinates(place: Place, raw: str) -> str | None:
    match, size = re.fullmatch(COORDINATES, raw.strip()), place.game.size
    if match is None or size is None or place.game.game != GameNumber.GO:
        return None
    column = "ABCDEFGHJKLMNOPQRST".index(match[1].upper())
    if column >= size.columns:
        return None
    rules = place.nodes.rules
    return text_of(rules.rule("B"), Point(column, size.rows - int(match[2])), rules.reader)


@fixes("other-game")
def convert_coordinates(place: Place) -> Fix | None:
    """Convert all points of Go that are written as Q16, and passes in words."""
    edits: list[Edit] = []
    layout, first = place.nodes.places, ""
    if not in_coordinates(collect_moves(place.nodes), place.nodes.rules):
        return None
    for node, content in enumerate(place.nodes.contents):
        for at, prop in enumerate(content):
            if prop.ident not in COLORS.keys() | SETUP.keys():
                continue
            for index, value in enumerate(prop.values):
                if not isinstance(value, Invalid):
                    continue
                passes = prop.ident in COLORS and value.raw.strip().lower() == "pass"
                passed = "" if place.game.format is Format.FF4 else "tt"
                point = passed if passes else _read_coordinates(place, value.raw)
                if point is None:
                    return None
                first = first or f"{show_values(prop, [index])} with {prop.ident}[{point}]"
                edits.append(substitution(layout.value(node, at, index), point))
    return make_fix(f"replace {first}, and all other points likewise", *edits, safe=False)


@fixes_value("newer-form")
def write_older_form(place: Place, prop: Reading, index: int) -> Fix | None:
    value = prop.values[index]
    if isinstance(value, Rectangle) and value.corners is not None:
        points = PointList((value,))
        if points.total > MAX_POINTS:
            return None
        raws = [text_of(prop.rule, point, prop.reader) for point in points]
        if None in raws:
            return None
        text = "][".join(filter(None, raws))
        title = f"write the points one by one: [{shorten(text)}]"
        return replace_value(place, prop, index, text, title=title)
    if prop.raw[index] == "" and place.game.game == GameNumber.GO:
        return replace_value(place, prop, index, "tt")
    return None


@fixes_value("swapped-corners")
def spell_out_corners(place: Place, prop: Reading, index: int) -> Fix | None:
    value = prop.values[index]
    if not isinstance(value, Rectangle) or value.corners is None:
        return None
    first, second = value.corners
    raw = text_of(prop.rule, Rectangle(first=first, second=second), prop.reader)
    title = f"replace [{shorten(prop.raw[index])}] with [{raw}]"
    return None if raw is None else replace_value(place, prop, index, raw, title=title)


@fixes_value("line-break-in-line")
def join_lines(place: Place, prop: Reading, index: int) -> Fix | None:
    raw = _ESCAPED_OR_BREAK.sub(lambda match: match[1] or " ", prop.raw[index])
    return replace_value(place, prop, index, raw)


#: An escaped character, which a break may be, or a line break.
_ESCAPED_OR_BREAK = re.compile(r"(?s)(\\(?:\r\n|\n\r|.))|\r\n|\n\r|[\r\n]")


@fixes_value("application-without-version")
def add_version(place: Place, prop: Reading, index: int) -> Fix | None:
    """Add an empty version to AP; unsafe, as it says no more about the program."""
    end = place.value(index).end
    title = f"write {prop.name}[{shorten(prop.raw[index])}:]"
    return make_fix(title, insertion(end, ":"), safe=False)


@fixes("too-many-values")
def keep_one_value(place: Place) -> Fix | None:
    """Keep one value: join texts, else the first. Two names may be those of two people."""
    prop = place.property
    if prop.rule is None:
        return None
    named = [index for index, raw in enumerate(prop.raw) if raw.strip()]
    full = named or [0]
    empty = next((at for at, raw in enumerate(prop.raw) if not raw.strip()), None)
    if empty is not None and named and prop.rule.category is Category.MOVE:
        kept = empty if prop.rule.type == "none" else full[0]  # there nothing is a value, too
        return remove_values(place, [at for at in range(len(prop.raw)) if at != kept], safe=False)
    others = [index for index in range(len(prop.raw)) if index != full[0]]
    same = {prop.raw[index] for index in full}
    if len(same) == 1:
        repeats = len(full) - 1
        title = describe_repeats(prop, full[:1], repeats) if repeats else ""
        title += ", and empty values" if repeats and len(others) > repeats else ""
        return remove_values(place, others, safe=True, title=title)
    is_long = is_prose(place, prop.rule)
    moved = write_as_setup(place) or (None if is_long else _move_to_match_information(place, prop))
    is_text = prop.rule.types in ESCAPED_TEXTS and not prop.rule.form
    if moved is not None or not is_text or prop.ident in DECISIVE:
        return moved or remove_values(place, others, safe=False)
    between = "\n\n" if is_long else " "
    ends = [place.value(index) for index in range(len(prop.raw))]
    edits = [
        substitution(Span(before.end, after.start), between) for before, after in pairwise(ends)
    ]
    return make_fix("join the values into one text", *edits, safe=is_long)


def _move_to_match_information(place: Place, prop: Reading) -> Fix | None:
    """Move the last values, such as ``game:1`` of backgammon, to MI, if it lacks them."""
    rules, placed = place.nodes.rules, place.nodes.having({"MI"})
    if placed not in ([], [place.node]):
        return None
    if place.node and not placed:
        return None  # it belongs to the game info
    tags = [_tag_of(value) for value in rules.property("MI", prop.raw).values]
    first = max(at for at, tag in enumerate(["", *tags[1:]]) if not tag) + 1
    moved = range(first, len(tags))
    at = next((at for at, one in enumerate(place.content) if one.ident == "MI"), None)
    known = [] if at is None else [_tag_of(value) for value in place.content[at].values]
    every = [*known, *tags[first:]]
    if not moved or len({*every}) < len(every):
        return None
    new = "".join([f"[{prop.raw[index]}]" for index in moved])
    if at is None:
        edit = insertion(place.span(place.at[1]).start, f"MI{new}")
    else:
        edit = insertion(place.span(at).end, new)
    title = f"move {show_values(prop, moved)} to MI"
    return make_fix(title, edit, *cut_values(place, moved), safe=False)


def _tag_of(value: object) -> str:
    if not isinstance(value, Composed) or not isinstance(value.second, int):
        return ""
    return str(value.first).lower()


@fixes_value("nul-character")
def remove_nul(place: Place, prop: Reading, index: int) -> Fix | None:
    edit = substitution(place.value(index), prop.raw[index].replace("\0", ""))
    return make_fix("remove the NUL character", edit, safe=False, removes=True)


@fixes_value("go-style-point")
def convert_go_point(place: Place, prop: Reading, index: int) -> Fix | None:
    """Write a point in Go notation in the notation of its own game."""
    raw = text_of(prop.rule, prop.values[index], prop.reader)
    return None if raw is None else replace_value(place, prop, index, raw, safe=False)

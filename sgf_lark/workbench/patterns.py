"""Patterns of terminals: where a match ends, their simple parts, and texts that they match."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from random import Random
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import regex


def is_bounded(pattern: str) -> bool:
    """Return whether a pattern matches no text of more than some length."""
    items = regex.every_item(pattern)
    return not any(isinstance(item, regex.Repeat) and item.most is None for item in items)


def stays_before(pattern: str, stops: str, escape: str = "") -> bool:
    """Return whether a match of a pattern surely ends before the first of some characters.

    Args:
        escape: A character that takes the next one with it, whatever that is; a match takes
            both, or none.
    """
    ends = _after(regex.parse(pattern), frozenset({False}), frozenset(map(ord, stops)), escape)
    return ends is not None and True not in ends


def _after(
    items: regex.Items, states: frozenset[bool], stops: frozenset[int], escape: str
) -> frozenset[bool] | None:
    """Return the states after a match, True after the escape; None if it may take a stop."""
    for item in items:
        match item:
            case regex.Chars():
                states_after = _after_character(item, states, stops, escape)
            case regex.Alternation(options):
                ends = [_after(option, states, stops, escape) for option in options]
                states_after = None if None in ends else frozenset().union(*filter(None, ends))
            case regex.Atomic(inside):
                states_after = _after(inside, states, stops, escape)
            case regex.Repeat(inside, least):
                states_after = _after_rounds(inside, states, stops, escape, least)
            case _:
                continue  # a lookaround takes nothing
        if states_after is None:
            return None
        states = states_after
    return states


def _after_character(
    chars: regex.Chars, states: frozenset[bool], stops: frozenset[int], escape: str
) -> frozenset[bool] | None:
    low = regex.char_set(chars).low
    is_escape = escape != "" and chars.literal == escape
    stops |= {*map(ord, escape)}
    if False in states and not is_escape and low & stops:
        return None
    return frozenset(not is_escaped and is_escape for is_escaped in states)


def _after_rounds(
    inside: regex.Items, states: frozenset[bool], stops: frozenset[int], escape: str, least: int
) -> frozenset[bool] | None:
    """Return the states after any number of rounds; there are only two states to reach."""
    reached = frozenset() if least else states
    while True:
        after = _after(inside, states, stops, escape)
        if after is None:
            return None
        if after <= reached and after <= states:
            return reached
        reached |= after
        states |= after


# ---- simple parts, for other notations ----

#: Limit of a count that is written as copies.
_MAX_COPIES = 16


class SimplePattern(NamedTuple):
    """A pattern without lookarounds, atomic groups, and possessive or lazy repetitions."""

    items: regex.Items
    # what lookaheads near its beginning say: what a match begins with, or does not begin with if
    # they are negated
    conditions: tuple[tuple[regex.Items, bool], ...]
    is_exact: bool  # both match the same texts; if not, this one may match more
    is_ascii: bool  # classes such as \w have only their ASCII characters


class NotSimpleError(ValueError):
    """A pattern depends on more than the text that it matches."""

    def __init__(self, kind: regex.LookKind) -> None:
        super().__init__(kind)
        self.kind = kind


#: The pattern of Lark's ESCAPED_STRING, and the same without a lookbehind.
ESCAPED_STRING = r'''".*?(?<!\\)(\\\\)*?"''', r'''"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"'''


# A grammar has some tens, and a comparison of two asks for each of its terminals many times.
@lru_cache(maxsize=1 << 9)
def simplify(pattern: str) -> SimplePattern:
    """Return a pattern as simple parts.

    Raises:
        NotSimpleError: It has a lookbehind, a boundary, a back-reference or a choice by a group.
    """
    pattern = pattern.replace(*ESCAPED_STRING)
    chars = (item for item in regex.every_item(pattern) if isinstance(item, regex.Chars))
    is_ascii = any(
        not item.flags & re.ASCII and len(regex.ranges(item)) < len(item.members) for item in chars
    )
    conditions = []
    kept: list[regex.Item] = []
    is_exact = True
    for item in regex.parse(pattern):
        if isinstance(item, regex.Look) and item.ahead and item.inside:
            inside, is_same = _simplify_items((*kept, *item.inside), regex.END)
            is_near = all(isinstance(before, regex.Chars) for before in kept)
            if is_near and (is_same or not item.negated):
                conditions.append((inside, item.negated))
            is_exact = is_exact and is_near and is_same
        else:
            kept.append(item)
    items, is_same = _simplify_items(tuple(kept), regex.END)
    return SimplePattern(items, tuple(conditions), is_exact and is_same, is_ascii)


def _simplify_items(items: regex.Items, after: regex.CharSet) -> tuple[regex.Items, bool]:
    """Return simple items, and whether they match the same texts before some characters."""
    made: regex.Items = ()
    is_exact = True
    for item in reversed(items):
        new, is_same = _simplify_item(item, after)
        made, is_exact = new + made, is_exact and is_same
        after = _before(new, after)
    return made, is_exact


def _before(items: regex.Items, after: regex.CharSet) -> regex.CharSet:
    first, may_be_empty = regex.first_of_items(items)
    return first | after if may_be_empty else first


def _simplify_item(item: regex.Item, after: regex.CharSet) -> tuple[regex.Items, bool]:
    match item:
        case regex.Chars():
            return (_ranges(item),), True
        case regex.Atomic(inside):
            new, is_same = _simplify_items(inside, after)
            return new, is_same and _is_one_way(new, after)
        case regex.Alternation(options, by_group=False):
            made = [_simplify_items(option, after) for option in options]
            texts = tuple(dict.fromkeys(new for new, _ in made if new))
            if _begin_otherwise(texts, after):  # in any order
                texts = tuple(sorted(texts, key=repr))
            new = texts[0] if len(texts) == 1 else (regex.Alternation(texts),) * bool(texts)
            new = new if all(text for text, _ in made) else repeat_items(new, 0, 1)
            comes_last = not any(
                regex.first_of_items(one)[1] for one, _ in made[:-1]
            )  # what may be empty
            return new, comes_last and all(is_same for _, is_same in made)
        case regex.Repeat(inside, least, most, possessive, lazy):
            first, _ = regex.first_of_items(_simplify_items(inside, regex.END)[0])
            new, is_same = _simplify_items(inside, after if most == 1 else after | first)
            if possessive:
                is_same = is_same and _is_one_way((regex.Repeat(new, 0, None),), after)
            return repeat_items(new, least, most), is_same and not lazy
        case regex.Look(ahead=True):
            return (), False
    raise NotSimpleError((isinstance(item, regex.Look) and item.kind) or regex.LookKind.CONDITION)


def _begin_otherwise(options: tuple[regex.Items, ...], after: regex.CharSet) -> bool:
    sets = [_before(option, after) for option in options]
    return not any(one.meets(other) for n, one in enumerate(sets) for other in sets[:n])


def _is_one_way(items: regex.Items, after: regex.CharSet) -> bool:
    for item in reversed(items):
        match item:
            case regex.Alternation(options):
                if not _begin_otherwise(options, after):
                    return False
                if not all(_is_one_way(option, after) for option in options):
                    return False
            case regex.Repeat(inside, _, most):
                first, _ = regex.first_of_items(inside)
                behind = after if most == 1 else after | first
                if first.meets(after) or not _is_one_way(inside, behind):
                    return False
        after = _before((item,), after)
    return True


def repeat_items(items: regex.Items, least: int, most: int | None) -> regex.Items:
    """Return a repetition by ``?``, ``*`` and ``+`` and copies, if these are not too many."""
    if max(least, most or 0) > _MAX_COPIES:
        return (regex.Repeat(items, least, most),)
    if most is None:
        return items * (least - 1) + (regex.Repeat(items, min(least, 1), None),)
    rest: regex.Items = ()
    for _ in range(most - least):
        rest = (regex.Repeat(items + rest, 0, 1),)
    return items * least + rest


def _ranges(chars: regex.Chars) -> regex.Chars:
    spans = sorted({*regex.ranges(chars), *_ranges_of_classes(chars)})
    if chars.flags & re.IGNORECASE:
        codes = {code for first, last in spans for code in range(first, last + 1)}
        cases = {case for code in codes for case in (chr(code).lower(), chr(code).upper())}
        others = {ord(case) for case in cases if len(case) == 1} - codes
        spans += ((code, code) for code in sorted(others))
    if spans == [(0, sys.maxunicode)]:
        return regex.Chars((), 0, negated=not chars.negated)
    return regex.Chars(tuple(spans), 0, chars.negated)


def _ranges_of_classes(chars: regex.Chars) -> Iterator[tuple[int, int]]:
    """Yield the ASCII ranges of classes such as ``\\w``; of ``\\W`` also all others."""
    for name in (member for member in chars.members if isinstance(member, str)):
        codes = [code for code in range(regex.MAX_CODE) if re.match(name, chr(code), re.ASCII)]
        for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]):
            span = [code for _, code in run]
            yield span[0], span[-1]
        if name.isupper():
            yield regex.MAX_CODE, sys.maxunicode


# ---- texts that match ----

#: The characters to take from, the usual ones more often.
USUAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:-+()[]{}'\"\\/*!?=_\n"
RARE = "\t\r\x0b\x0c\x00é\u00a0\u2028囲\U0001f600"

#: The lengths of repetitions above their minimum.
_LENGTHS = (0, 0, 1, 1, 1, 2, 2, 3, 5)

#: Dice.
Chance: TypeAlias = Random


def sample_text(pattern: str, dice: Chance) -> str:
    """Return a text that a regular expression without lookarounds matches."""
    return "".join(_pieces(regex.parse(pattern), dice))


def _pieces(items: regex.Items, dice: Chance) -> Iterator[str]:
    for item in items:
        match item:
            case regex.Chars():
                yield _character(item, dice)
            case regex.Alternation(options):
                known = dice.options(options) if isinstance(dice, Readable) else options
                yield from _pieces(dice.choice(known) if len(known) > 1 else known[0], dice)
            case regex.Atomic(inside):
                yield from _pieces(inside, dice)
            case regex.Repeat(inside, least, most):
                longer = dice.choice(_LENGTHS)
                count = least + (dice.length(inside) if isinstance(dice, Readable) else longer)
                for _ in range(count if most is None else min(most, count)):
                    yield from _pieces(inside, dice)


def _character(chars: regex.Chars, dice: Chance) -> str:
    char = chars.literal
    if char is not None:
        return dice.choice((char, char.swapcase())) if chars.flags & re.IGNORECASE else char
    usual, rare = _members(chars)
    if usual and isinstance(dice, Readable):
        return dice.choice(dice.characters(usual))
    if rare and (not usual or dice.random() < 1 / RARELY):
        return dice.choice(rare)
    first = (chr(member[0]) for member in chars.members if not isinstance(member, str))
    return dice.choice(usual or [next(first)])


@cache
def _members(chars: regex.Chars) -> tuple[list[str], list[str]]:
    usual = [char for char in USUAL if _is_in(char, chars)]
    return usual, [char for char in RARE if _is_in(char, chars)]


#: One character of this many is a rare one.
RARELY = 16


def _is_in(char: str, chars: regex.Chars) -> bool:
    return chars.negated != any(
        re.fullmatch(member, char, chars.flags & re.ASCII)
        if isinstance(member, str)
        else member[0] <= ord(char) <= member[1]
        for member in chars.members
    )


class Readable(Random):
    """Dice for texts that read well: words of letters and digits, without escapes."""

    def characters(self, usual: list[str]) -> list[str]:
        small = [char for char in usual if char.islower()]
        return small or [char for char in usual if char.isalnum()] or usual

    def options(self, options: tuple[regex.Items, ...]) -> tuple[regex.Items, ...]:
        return tuple(one for one in options if not _is_escape(one)) or options

    def length(self, inside: regex.Items) -> int:
        return 0 if _is_escape(inside) else self.choice((1, 2, 3, 4))


def _is_escape(items: regex.Items) -> bool:
    while items and isinstance(items[0], regex.Alternation):
        items = items[0].options[0]
    return bool(items) and isinstance(items[0], regex.Chars) and items[0].literal == "\\"


class _First(Random):
    """Dice that always take the first of a choice."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def random(self) -> float:
        return 1.0


#: With these dice a text is short, of usual characters.
FIRST = _First()

"""Regular expressions: their parts, the characters a match may begin with, texts that match.

Python has no public way to the parts of a pattern.  This module alone uses the private one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, reduce
from math import inf, prod
from operator import or_
from random import Random
from re import (
    _constants as codes,
    _parser,
)
from typing import Any, NamedTuple, TypeAlias, TypeGuard


class Chars(NamedTuple):
    """One character: a literal, a class or a dot.

    Attributes:
        members: Ranges of codes, first and last one, and classes such as ``\\d``.
        flags: The flags of ``re`` that hold here.
        negated: It is any character but the members.
    """

    members: tuple[tuple[int, int] | str, ...]
    flags: int
    negated: bool = False

    @property
    def literal(self) -> str | None:
        """The character, if it is one; None for a class or a dot."""
        match self:
            case Chars(((int(first), int(last)),), negated=False) if first == last:
                return chr(first)
        return None


class Alternation(NamedTuple):
    """Alternatives; a group has one.

    Attributes:
        by_group: An earlier group decides, not the text.
    """

    options: tuple[Items, ...]
    by_group: bool = False


class Repeat(NamedTuple):
    """A repetition; ``most`` is None if it has no end."""

    inside: Items
    least: int
    most: int | None
    possessive: bool = False
    lazy: bool = False


class Atomic(NamedTuple):
    """An atomic group."""

    inside: Items


class Look(NamedTuple):
    """A lookaround, a boundary or a back-reference; ``inside`` belongs to a lookaround.

    Attributes:
        ahead: It is a lookahead, or the end of the text.
        negated: It matches where its parts do not.
    """

    inside: Items = ()
    ahead: bool = False
    negated: bool = False


class Named(NamedTuple):
    """A rule or terminal, which only rules of grammars have among their parts."""

    name: str


Item: TypeAlias = Chars | Alternation | Repeat | Atomic | Look | Named
Items: TypeAlias = tuple[Item, ...]

_NEWLINE = (ord("\n"), ord("\n"))
_CATEGORIES = {
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def parse(pattern: str) -> Items:
    """Return the parts of a pattern, one after the other.

    Raises:
        re.error: It is no pattern.
    """
    parsed = _parser.parse(pattern)
    return _items(parsed, parsed.state.flags)


def _items(parsed: Any, flags: int) -> Items:
    return tuple(_item(code, argument, flags) for code, argument in parsed)


def _item(code: Any, argument: Any, flags: int) -> Item:  # noqa: C901, PLR0911  # one a kind
    if code in {codes.LITERAL, codes.NOT_LITERAL}:
        return Chars(((argument, argument),), flags, negated=code is codes.NOT_LITERAL)
    if code is codes.ANY:
        return Chars(() if flags & re.DOTALL else (_NEWLINE,), flags, negated=True)
    if code is codes.IN:
        negated = argument[0][0] is codes.NEGATE
        return Chars(tuple(_member(*member) for member in argument[negated:]), flags, negated)
    if code is codes.BRANCH:
        return Alternation(tuple(_items(option, flags) for option in argument[1]))
    if code is codes.SUBPATTERN:
        _, add, remove, inside = argument
        return Alternation((_items(inside, (flags | add) & ~remove),))
    if code is codes.GROUPREF_EXISTS:
        _, inside, otherwise = argument
        return Alternation((_items(inside, flags), _items(otherwise or (), flags)), by_group=True)
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        least, most, inside = argument
        end = None if most is codes.MAXREPEAT else most
        possessive, lazy = code is codes.POSSESSIVE_REPEAT, code is codes.MIN_REPEAT
        return Repeat(_items(inside, flags), least, end, possessive, lazy)
    if code is codes.ATOMIC_GROUP:
        return Atomic(_items(argument, flags))
    if code in {codes.ASSERT, codes.ASSERT_NOT}:
        direction, inside = argument
        return Look(_items(inside, flags), direction > 0, code is codes.ASSERT_NOT)
    if (code, argument) == (codes.AT, codes.AT_END_STRING):
        return Look(ahead=True)
    return Look()


def _member(code: Any, argument: Any) -> tuple[int, int] | str:
    if code is codes.CATEGORY:
        return _CATEGORIES[argument]
    first, last = argument if code is codes.RANGE else (argument, argument)
    return first, last


#: The ASCII characters are those below this code.
MAX_CODE = 128

#: Characters below this code are told apart, all others only by their kind.
_LIMIT = 256

#: The kinds of characters that ``\\s``, ``\\d`` and ``\\w`` tell apart.
_KINDS = frozenset({"space", "digit", "letter", "sign"})


class CharSet(NamedTuple):
    """A set of characters: those below 256 one by one, all others by their kind.

    Attributes:
        low: Codes below 256; -1 stands for the end of the text.
        kinds: The kinds of the characters from 256 on in it.
    """

    low: frozenset[int] = frozenset()
    kinds: frozenset[str] = frozenset()

    @property
    def high(self) -> bool:
        """True if a character from 256 on may belong to it."""
        return bool(self.kinds)

    def __or__(self, other: CharSet) -> CharSet:
        return CharSet(self.low | other.low, self.kinds | other.kinds)

    def meets(self, other: CharSet) -> bool:
        """Return True if the sets have a character in common, or may have one."""
        return bool(self.low & other.low) or bool(self.kinds & other.kinds)


ALL = CharSet(frozenset(range(_LIMIT)), _KINDS)
END = CharSet(frozenset({-1}))


class LookAroundError(ValueError):
    """The pattern depends on more than the text that it matches, or on tables of Unicode."""


def first_of(pattern: str) -> tuple[CharSet, bool]:
    """Return the characters that a match may begin with, and whether it may be empty.

    The set may be too large, never too small.

    Raises:
        LookAroundError: The pattern has a lookahead, a lookbehind, a back-reference or a
            boundary.
    """
    return first_of_items(parse(pattern))


def beginning(pattern: str) -> list[CharSet]:
    """Return the set of each of the first characters, as far as all matches have them."""
    return _beginning(parse(pattern))[0]


def _beginning(items: Items) -> tuple[list[CharSet], bool]:
    """Return these sets, and whether the items match nothing but such texts."""
    sets: list[CharSet] = []
    for item in items:
        match item:
            case Chars():
                sets.append(char_set(item))
                continue
            case Alternation((inside,)) | Atomic(inside):
                more, complete = _beginning(inside)
            case Repeat(inside, least, most):
                more, complete = _beginning(inside)
                times = min(least, MAX_COUNTED) if complete else min(least, 1)
                more, complete = more * times, complete and times == most
            case _:
                return sets, False
        sets += more
        if not complete:
            return sets, False
    return sets, True


def repeated_character(pattern: str) -> str | None:
    """Return the ``[a-z]`` of a pattern such as ``[a-z]+``; None for others."""
    items = parse(pattern)
    if not _is_repeat(items) or not pattern.endswith("+"):
        return None
    inside, least, most, *_ = items[0]
    is_character = len(inside) == 1 and isinstance(inside[0], Chars)
    return pattern[:-1] if is_character and (least, most) == (1, None) else None


def left_out(pattern: str) -> str:
    """Return the ASCII characters ``abc`` of a pattern ``[^abc]+``; "" for others."""
    if repeated_character(pattern) is None:
        return ""
    (repeat,) = parse(pattern)
    match repeat:
        case Repeat((Chars(members, flags, True),)) if not flags & re.IGNORECASE:
            ranges = [range(one[0], one[1] + 1) for one in members if not isinstance(one, str)]
            codes = [code for one in ranges for code in one[: MAX_CODE + 1]]
            if len(ranges) == len(members) and max(codes, default=MAX_CODE) < MAX_CODE:
                return "".join(map(chr, codes))
    return ""


def longest(pattern: str) -> int:
    """Return how many characters a match has at most."""
    return int(_parser.parse(pattern).getwidth()[1])


def is_character(pattern: str) -> bool:
    """Return whether a pattern is written as one character or class; ``a|b`` is not."""
    items = parse(pattern + pattern)
    return len(items) == 2 and isinstance(items[0], Chars)  # noqa: PLR2004


def is_repeat(pattern: str) -> bool:
    """Return whether a pattern is one repetition that ends with ``+`` or ``*``."""
    return _is_repeat(parse(pattern)) and pattern[-1] in "+*"


def _is_repeat(items: Items) -> TypeGuard[tuple[Repeat]]:
    return len(items) == 1 and isinstance(items[0], Repeat) and not items[0].possessive


def without_groups(pattern: str) -> str:
    """Return a pattern without numbered groups.

    Raises:
        LookAroundError: It has a back-reference.
    """
    if re.compile(pattern).groups == 0:
        return pattern
    pieces, in_class, at = [], False, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            pieces.append(pattern[at : at + 2])
            at += 2
            continue
        if in_class:
            # A ']' directly after '[' or '[^' is a character of the class.
            in_class = char != "]" or pattern[at - 1] == "[" or pattern[at - 2 : at] == "[^"
        elif char == "[":
            in_class = True
        elif char == "(":
            name = re.compile(r"\(\?P<\w+>").match(pattern, at)
            if name is not None:
                at = name.end() - 1
                char = "(?:"
            elif pattern[at + 1 : at + 2] != "?":
                char = "(?:"
        pieces.append(char)
        at += 1
    return "".join(pieces)


def first_of_items(items: Items) -> tuple[CharSet, bool]:
    """Return the same of the parts of a pattern."""
    union, so_far = CharSet(), True
    for item in items:
        first, empty = _first_of(item)  # of all items: each may look around
        if so_far:
            union |= first
        so_far = so_far and empty
    return union, so_far


def _first_of(item: Item) -> tuple[CharSet, bool]:
    match item:
        case Chars():
            return char_set(item), False
        case Alternation(options, by_group=False):
            parts = [first_of_items(option) for option in options]
            return union([first for first, _ in parts]), any(empty for _, empty in parts)
        case Atomic(inside):
            return first_of_items(inside)
        case Repeat(inside, least):
            first, empty = first_of_items(inside)
            return first, empty or least == 0
    raise LookAroundError


# The grammars have some hundred: without the cache, deriving all data takes twice as long.
@lru_cache(maxsize=1 << 9)
def char_set(chars: Chars) -> CharSet:
    """The set of the characters that one character of a pattern may be."""
    possible, certain = CharSet(), CharSet()
    for member in chars.members:
        if isinstance(member, str):
            category = _category(member, chars.flags & re.ASCII)
            possible, certain = possible | category, certain | category
        else:
            interval = _range(*member, chars.flags)
            possible, certain = possible | interval, certain | CharSet(interval.low)
    return CharSet(ALL.low - certain.low, _KINDS - certain.kinds) if chars.negated else possible


#: The kinds of the characters from 256 on in a class.
_CLASS_KINDS = {r"\s": {"space"}, r"\d": {"digit"}, r"\w": {"digit", "letter"}}


def _category(name: str, ascii_only: int) -> CharSet:
    """Return the characters of ``\\s``, ``\\d``, ``\\w`` and their opposites."""
    matches = re.compile(name, ascii_only).match
    low = frozenset(code for code in range(_LIMIT) if matches(chr(code)))
    kinds = frozenset() if ascii_only else frozenset(_CLASS_KINDS[name.lower()])
    return CharSet(low, kinds if name.islower() else _KINDS - kinds)


def _range(first: int, last: int, flags: int) -> CharSet:
    low = set(range(first, min(last + 1, _LIMIT)))
    if flags & re.IGNORECASE:
        low |= {ord(other) for code in low for other in chr(code).swapcase() if ord(other) < _LIMIT}
    if last >= _LIMIT:
        return CharSet(frozenset(low), _KINDS)
    has_cases = flags & re.IGNORECASE and any(chr(code).isalpha() for code in low if code >= 0)
    return CharSet(frozenset(low), frozenset({"letter"} if has_cases else ()))


def union(sets: Iterable[CharSet]) -> CharSet:
    """Return the characters of some sets."""
    return reduce(or_, sets, CharSet())


def character_sets(pattern: str) -> list[CharSet]:
    """Return the set of each character, class and dot in a pattern."""
    return [char_set(item) for item in _every_item(pattern) if isinstance(item, Chars)]


def is_bounded(pattern: str) -> bool:
    """Return whether a pattern matches no text of more than some length."""
    items = _every_item(pattern)
    return not any(isinstance(item, Repeat) and item.most is None for item in items)


def _every_item(pattern: str) -> Iterator[Item]:
    """Yield the items of a pattern, and those in them; a lookaround takes no text."""
    waiting = [parse(pattern)]
    while waiting:
        for item in waiting.pop():
            yield item
            match item:
                case Alternation(options):
                    waiting.extend(options)
                case Repeat(inside) | Atomic(inside):
                    waiting.append(inside)


def stays_before(pattern: str, stops: str, escape: str = "") -> bool:
    """Return whether a match of a pattern surely ends before the first of some characters.

    Args:
        escape: A character that takes the next one with it, whatever that is; a match takes
            both, or none.
    """
    ends = _after(parse(pattern), frozenset({False}), frozenset(map(ord, stops)), escape)
    return ends is not None and True not in ends


def _after(
    items: Items, states: frozenset[bool], stops: frozenset[int], escape: str
) -> frozenset[bool] | None:
    """Return the possible states after a match, True for directly after the escape character.

    None if a match may take one of the stops.
    """
    for item in items:
        match item:
            case Chars():
                states_after = _after_character(item, states, stops, escape)
            case Alternation(options):
                ends = [_after(option, states, stops, escape) for option in options]
                states_after = None if None in ends else frozenset().union(*filter(None, ends))
            case Atomic(inside):
                states_after = _after(inside, states, stops, escape)
            case Repeat(inside, least):
                states_after = _after_rounds(inside, states, stops, escape, least)
            case _:
                continue  # a lookaround takes nothing
        if states_after is None:
            return None
        states = states_after
    return states


def _after_character(
    chars: Chars, states: frozenset[bool], stops: frozenset[int], escape: str
) -> frozenset[bool] | None:
    low = char_set(chars).low
    is_escape = escape != "" and chars.literal == escape
    stops |= {*map(ord, escape)}
    if False in states and not is_escape and low & stops:
        return None
    return frozenset(not is_escaped and is_escape for is_escaped in states)


def _after_rounds(
    inside: Items, states: frozenset[bool], stops: frozenset[int], escape: str, least: int
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


#: A loop, whatever it repeats: most patterns have one, and need no parsing.
_LOOP = re.compile(r"(?<!\\)[+*]")

#: Characters that are equal but for their case, at most: ``i``, ``I``, and two of Turkish.
MAX_CASES = 4

#: Most rounds of a repetition whose texts are counted.
MAX_COUNTED = 8


def most_texts(pattern: str) -> float:
    """Return how many texts a pattern may match at most; ``inf`` if there may be no such number."""
    return inf if _LOOP.search(pattern) else _most(parse(pattern))


def _most(items: Items) -> float:
    return prod(map(_most_of, items))


def _most_of(item: Item) -> float:
    match item:
        case Chars():
            return _most_characters(item)
        case Alternation(options):
            return sum(map(_most, options))
        case Atomic(inside):
            return _most(inside)
        case Repeat(inside, least, int(most)) if most <= MAX_COUNTED:
            each = _most(inside)
            return sum(each**times for times in range(least, most + 1))
        case Repeat():
            return inf
    return 1


def ranges(chars: Chars) -> list[tuple[int, int]]:
    """Return the ranges of a character, without classes such as ``\\d``."""
    return [member for member in chars.members if not isinstance(member, str)]


def _most_characters(chars: Chars) -> float:
    spans = ranges(chars)
    if chars.negated or len(spans) < len(chars.members):
        return inf
    return sum(last - first + 1 for first, last in spans) * (
        MAX_CASES if chars.flags & re.IGNORECASE else 1
    )


# ---- simple parts, for other notations ----

#: Limit of a count that is written as copies.
_MAX_COPIES = 16


class SimplePattern(NamedTuple):
    """A pattern without lookarounds, atomic groups, and possessive or lazy repetitions.

    Attributes:
        conditions: What lookaheads near its beginning say: what a match begins with, or does
            not begin with if they are negated.
        is_exact: Both match the same texts; if not, this one may match more.
    """

    items: Items
    conditions: tuple[tuple[Items, bool], ...]
    is_exact: bool


# A grammar has some tens, and a comparison of two asks for each of its terminals many times.
@lru_cache(maxsize=1 << 9)
def simplify(pattern: str) -> SimplePattern:
    """Return a pattern as simple parts.

    Raises:
        LookAroundError: It has a lookbehind, a boundary, a back-reference or a class as ``\\w``.
    """
    conditions = []
    kept: list[Item] = []
    is_exact = True
    for item in parse(pattern):
        if isinstance(item, Look) and item.ahead and item.inside:
            inside, is_same = _simplify_items((*kept, *item.inside), END)
            is_near = all(isinstance(before, Chars) for before in kept)
            if is_near and (is_same or not item.negated):
                conditions.append((inside, item.negated))
            is_exact = is_exact and is_near and is_same
        else:
            kept.append(item)
    items, is_same = _simplify_items(tuple(kept), END)
    return SimplePattern(items, tuple(conditions), is_exact and is_same)


def _simplify_items(items: Items, after: CharSet) -> tuple[Items, bool]:
    """Return simple items, and whether they match the same texts before some characters."""
    made: Items = ()
    is_exact = True
    for item in reversed(items):
        new, is_same = _simplify_item(item, after)
        made, is_exact = new + made, is_exact and is_same
        after = _before(new, after)
    return made, is_exact


def _before(items: Items, after: CharSet) -> CharSet:
    """Return the characters that may follow what is before some items."""
    first, may_be_empty = first_of_items(items)
    return first | after if may_be_empty else first


def _simplify_item(item: Item, after: CharSet) -> tuple[Items, bool]:
    match item:
        case Chars(members) if len(ranges(item)) == len(members):
            return (_ranges(item),), True
        case Atomic(inside):
            new, is_same = _simplify_items(inside, after)
            return new, is_same and _is_one_way(new, after)
        case Alternation(options, by_group=False):
            made = [_simplify_items(option, after) for option in options]
            texts = tuple(dict.fromkeys(new for new, _ in made if new))
            if _begin_otherwise(texts, after):  # in any order
                texts = tuple(sorted(texts, key=repr))
            new = texts[0] if len(texts) == 1 else (Alternation(texts),) * bool(texts)
            new = new if all(text for text, _ in made) else counted(new, 0, 1)
            comes_last = not any(
                first_of_items(one)[1] for one, _ in made[:-1]
            )  # what may be empty
            return new, comes_last and all(is_same for _, is_same in made)
        case Repeat(inside, least, most, possessive, lazy):
            first, _ = first_of_items(_simplify_items(inside, END)[0])
            new, is_same = _simplify_items(inside, after if most == 1 else after | first)
            if possessive:
                is_same = is_same and _is_one_way((Repeat(new, 0, None),), after)
            return counted(new, least, most), is_same and not lazy
        case Look(ahead=True):
            return (), False
    raise LookAroundError


def _begin_otherwise(options: tuple[Items, ...], after: CharSet) -> bool:
    """Return whether the next character decides between options."""
    sets = [_before(option, after) for option in options]
    return not any(one.meets(other) for n, one in enumerate(sets) for other in sets[:n])


def _is_one_way(items: Items, after: CharSet) -> bool:
    """Return whether the next character decides each choice in simple items."""
    for item in reversed(items):
        match item:
            case Alternation(options):
                if not _begin_otherwise(options, after):
                    return False
                if not all(_is_one_way(option, after) for option in options):
                    return False
            case Repeat(inside, _, most):
                first, _ = first_of_items(inside)
                behind = after if most == 1 else after | first
                if first.meets(after) or not _is_one_way(inside, behind):
                    return False
        after = _before((item,), after)
    return True


def counted(items: Items, least: int, most: int | None) -> Items:
    """Return a repetition by ``?``, ``*`` and ``+`` and copies, if these are not too many."""
    if max(least, most or 0) > _MAX_COPIES:
        return (Repeat(items, least, most),)
    if most is None:
        return items * (least - 1) + (Repeat(items, min(least, 1), None),)
    rest: Items = ()
    for _ in range(most - least):
        rest = (Repeat(items + rest, 0, 1),)
    return items * least + rest


def _ranges(chars: Chars) -> Chars:
    spans = sorted(ranges(chars))
    if chars.flags & re.IGNORECASE:
        codes = {code for first, last in spans for code in range(first, last + 1)}
        cases = {case for code in codes for case in (chr(code).lower(), chr(code).upper())}
        others = {ord(case) for case in cases if len(case) == 1} - codes
        spans += ((code, code) for code in sorted(others))
    if spans == [(0, sys.maxunicode)]:
        return Chars((), 0, negated=not chars.negated)
    return Chars(tuple(spans), 0, chars.negated)


# ---- texts that match ----

#: The characters to take from, the usual ones more often.
USUAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:-+()[]{}'\"\\/*!?=_\n"
RARE = "\t\r\x0b\x0c\x00é\u00a0\u2028囲\U0001f600"

#: The lengths of repetitions above their minimum.
_LENGTHS = (0, 0, 1, 1, 1, 2, 2, 3, 5)

#: Dice.
Chance: TypeAlias = Random


def text_of(pattern: str, dice: Chance) -> str:
    """Return a text that a regular expression without lookarounds matches."""
    return "".join(_pieces(parse(pattern), dice))


def _pieces(items: Items, dice: Chance) -> Iterator[str]:
    for item in items:
        match item:
            case Chars():
                yield _character(item, dice)
            case Alternation(options):
                yield from _pieces(dice.choice(options) if len(options) > 1 else options[0], dice)
            case Atomic(inside):
                yield from _pieces(inside, dice)
            case Repeat(inside, least, most):
                count = least + dice.choice(_LENGTHS)
                for _ in range(count if most is None else min(most, count)):
                    yield from _pieces(inside, dice)


def _character(chars: Chars, dice: Chance) -> str:
    """Return one character that a literal, a class or a dot matches."""
    char = chars.literal
    if char is not None:
        return dice.choice((char, char.swapcase())) if chars.flags & re.IGNORECASE else char
    usual, rare = _members(chars)
    if rare and (not usual or dice.random() < 1 / RARELY):
        return dice.choice(rare)
    first = (chr(member[0]) for member in chars.members if not isinstance(member, str))
    return dice.choice(usual or [next(first)])


@cache
def _members(chars: Chars) -> tuple[list[str], list[str]]:
    """Return the usual and the rare characters of a class or a dot."""
    usual = [char for char in USUAL if _is_in(char, chars)]
    return usual, [char for char in RARE if _is_in(char, chars)]


#: One character of this many is a rare one.
RARELY = 16


def _is_in(char: str, chars: Chars) -> bool:
    return chars.negated != any(
        re.fullmatch(member, char, chars.flags & re.ASCII)
        if isinstance(member, str)
        else member[0] <= ord(char) <= member[1]
        for member in chars.members
    )


class _First(Random):
    """Dice that always take the first of a choice."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def random(self) -> float:
        return 1.0


#: With these dice a text is short, of usual characters.
FIRST = _First()

"""Regular expressions: their parts, and the characters a match may begin with.

Python has no public way to the parts of a pattern.  This module alone uses the private one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache, reduce
from math import inf, prod
from operator import or_
from re import _constants as codes, _parser
from typing import Any, NamedTuple, TypeAlias, TypeGuard


class Chars(NamedTuple):
    """One character: a literal, a class or a dot; ranges of codes, and classes such as ``\\d``."""

    members: tuple[tuple[int, int] | str, ...]
    flags: int
    negated: bool = False

    @property
    def literal(self) -> str | None:
        match self:
            case Chars(((int(first), int(last)),), negated=False) if first == last:
                return chr(first)
        return None


class Alternation(NamedTuple):
    """Alternatives; a group has one.  ``by_group``: an earlier group decides, not the text."""

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
    inside: Items


class LookKind(StrEnum):
    """A part that depends on more than the text that a pattern matches, in words."""

    LOOKBEHIND = "a lookbehind"
    BOUNDARY = "a boundary"
    REFERENCE = "a back-reference"
    CONDITION = "a choice by an earlier group"


class Look(NamedTuple):
    """A lookaround, which has ``inside``, a boundary or a back-reference."""

    inside: Items = ()
    ahead: bool = False
    negated: bool = False
    kind: LookKind | None = None


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
    """Return the parts of a pattern, one after the other."""
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
        kind = None if direction > 0 else LookKind.LOOKBEHIND
        return Look(_items(inside, flags), direction > 0, code is codes.ASSERT_NOT, kind)
    if (code, argument) == (codes.AT, codes.AT_END_STRING):
        return Look(ahead=True)
    return Look(kind=LookKind.REFERENCE if code is codes.GROUPREF else LookKind.BOUNDARY)


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
    """A set of characters: codes below 256, -1 for the end, others by their kind."""

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
    """Return what a match may begin with, rather too much, and whether it may be empty; or
    LookAroundError.
    """
    return first_of_items(parse(pattern))


def beginning(pattern: str) -> list[CharSet]:
    """Return the set of each of the first characters, as far as all matches have them."""
    return _beginning(parse(pattern))[0]


def _beginning(items: Items) -> tuple[list[CharSet], bool]:
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
    """Return a pattern without numbered groups; LookAroundError for a back-reference."""
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
    return reduce(or_, sets, CharSet())


def character_sets(pattern: str) -> list[CharSet]:
    """Return the set of each character, class and dot in a pattern."""
    return [char_set(item) for item in every_item(pattern) if isinstance(item, Chars)]


def every_item(pattern: str) -> Iterator[Item]:
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

"""The characters with which a text that a regular expression matches may begin."""

from __future__ import annotations

import re
from functools import cache
from re import (
    _constants as codes,  # the only way to a pattern that is parsed
    _parser as patterns,
)
from typing import Any, NamedTuple

#: Characters are told apart up to this one; all others by their kind.
_LIMIT = 256

#: The kinds of characters that ``\\s``, ``\\d`` and ``\\w`` tell apart.
_KINDS = frozenset({"space", "digit", "letter", "sign"})


class CharSet(NamedTuple):
    """Some characters: those below 256 one by one, all others by their kind.

    Attributes:
        low: Codes below 256; -1 stands for the end of the text.
        kinds: Those of which a character from 256 on may belong to it.
    """

    low: frozenset[int] = frozenset()
    kinds: frozenset[str] = frozenset()

    @property
    def high(self) -> bool:
        """Whether a character from 256 on may belong to it."""
        return bool(self.kinds)

    def __or__(self, other: CharSet) -> CharSet:
        return CharSet(self.low | other.low, self.kinds | other.kinds)

    def meets(self, other: CharSet) -> bool:
        """They have a character in common, or may have."""
        return bool(self.low & other.low) or bool(self.kinds & other.kinds)


ALL = CharSet(frozenset(range(_LIMIT)), _KINDS)
END = CharSet(frozenset({-1}))


class LookAroundError(ValueError):
    """The pattern looks at more than the text it matches."""


def first_of(pattern: str) -> tuple[CharSet, bool]:
    """What a match of a pattern may begin with, and whether it may be empty.

    The set may be too large, never too small.

    Raises:
        LookAroundError: The pattern looks ahead, behind, or at a group or a border.
    """
    parsed = patterns.parse(pattern)
    return _sequence(parsed, parsed.state.flags)


def repeated_character(pattern: str) -> str | None:
    """Of a pattern such as ``[a-z]+`` the ``[a-z]``; None of others."""
    (item, *more) = patterns.parse(pattern)
    if more or item[0] is not codes.MAX_REPEAT or not pattern.endswith("+"):
        return None
    least, most, inside = item[1]
    if (least, most) != (1, codes.MAXREPEAT) or len(inside) != 1:
        return None
    return pattern[:-1] if inside[0][0] in {codes.IN, codes.LITERAL} else None


def is_character(pattern: str) -> bool:
    """It is written as one letter or one class; ``a|b`` is read as one, and is not."""
    items = patterns.parse(pattern + pattern)
    return len(items) == 2 and items[0][0] in {codes.IN, codes.LITERAL}  # noqa: PLR2004


def is_repeat(pattern: str) -> bool:
    """Return whether a pattern is one repetition that ends with ``+`` or ``*``."""
    items = patterns.parse(pattern)
    return len(items) == 1 and items[0][0] is codes.MAX_REPEAT and pattern[-1] in "+*"


def without_groups(pattern: str) -> str:
    """A pattern whose groups are not numbered.

    Raises:
        LookAroundError: It refers to a group.
    """
    if patterns.parse(pattern).state.groups == 1:
        return pattern
    made, in_class, at = [], False, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            made.append(pattern[at : at + 2])
            at += 2
            continue
        if in_class:
            # A ']' directly behind '[' or '[^' is a character of the class.
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
        made.append(char)
        at += 1
    return "".join(made)


def _sequence(items: Any, flags: int) -> tuple[CharSet, bool]:
    found, so_far = CharSet(), True
    for code, argument in items:
        first, empty = _item(code, argument, flags)  # of all items: each may look around
        if so_far:
            found |= first
        so_far = so_far and empty
    return found, so_far


def _item(code: Any, argument: Any, flags: int) -> tuple[CharSet, bool]:
    found = one_character(code, argument, flags)
    if found is not None:
        return found, False
    if code is codes.BRANCH:
        parts = [_sequence(part, flags) for part in argument[1]]
        return _union([first for first, _ in parts]), any(empty for _, empty in parts)
    if code is codes.SUBPATTERN:
        _, add, remove, inside = argument
        return _sequence(inside, (flags | add) & ~remove)
    if code is codes.ATOMIC_GROUP:
        return _sequence(argument, flags)
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        least, _, inside = argument
        first, empty = _sequence(inside, flags)
        return first, empty or least == 0
    raise LookAroundError(str(code))


def one_character(code: Any, argument: Any, flags: int) -> CharSet | None:
    """What one character may be; None for what is not one character."""
    if code is codes.LITERAL:
        return _range(argument, argument, flags)
    if code is codes.IN:
        return _class(argument, flags)
    if code is codes.ANY:
        return ALL if flags & re.DOTALL else CharSet(ALL.low - {ord("\n")}, _KINDS)
    if code is codes.NOT_LITERAL:
        return _class([(codes.NEGATE, None), (codes.LITERAL, argument)], flags)
    return None


def _class(items: Any, flags: int) -> CharSet:
    negated = bool(items) and items[0][0] is codes.NEGATE
    found, whole = CharSet(), CharSet()  # what may belong to it, and what belongs to it for sure
    for code, argument in items[negated:]:
        if code is codes.CATEGORY:
            category = _category(str(argument), flags & re.ASCII)
            found, whole = found | category, whole | category
        else:
            first, last = argument if code is codes.RANGE else (argument, argument)
            one = _range(first, last, flags)
            found, whole = found | one, whole | CharSet(one.low)
    return CharSet(ALL.low - whole.low, _KINDS - whole.kinds) if negated else found


#: Classes of characters as the parser of patterns calls them: how they are written, and their
#: kinds.
_CATEGORIES = {
    "CATEGORY_SPACE": (r"\s", {"space"}),
    "CATEGORY_DIGIT": (r"\d", {"digit"}),
    "CATEGORY_WORD": (r"\w", {"digit", "letter"}),
}


@cache
def _category(name: str, ascii_only: int) -> CharSet:
    """The characters of ``\\s``, ``\\d``, ``\\w`` and their opposites."""
    pattern, kinds = _CATEGORIES[name.replace("_NOT_", "_")]
    matches = re.compile(pattern, ascii_only).match
    low = frozenset(code for code in range(_LIMIT) if matches(chr(code)))
    found = CharSet(low, frozenset() if ascii_only else frozenset(kinds))
    if "_NOT_" in name:
        return CharSet(ALL.low - found.low, _KINDS - found.kinds)
    return found


def _range(first: int, last: int, flags: int) -> CharSet:
    low = set(range(first, min(last + 1, _LIMIT)))
    if flags & re.IGNORECASE:
        low |= {ord(other) for code in low for other in chr(code).swapcase() if ord(other) < _LIMIT}
    high = last >= _LIMIT or flags & re.IGNORECASE
    return CharSet(frozenset(low), _KINDS if high else frozenset())


def _union(sets: list[CharSet]) -> CharSet:
    found = CharSet()
    for one in sets:
        found |= one
    return found


def character_sets(pattern: str) -> list[CharSet]:
    """The set of each character, class and dot in a pattern."""
    parsed = patterns.parse(pattern)
    found: list[CharSet] = []
    waiting: list[tuple[Any, int]] = [(parsed, parsed.state.flags)]
    while waiting:
        items, flags = waiting.pop()
        for code, argument in items:
            one = one_character(code, argument, flags)
            if one is not None:
                found.append(one)
            elif code is codes.BRANCH:
                waiting.extend((part, flags) for part in argument[1])
            elif code is codes.SUBPATTERN:
                _, add, remove, inside = argument
                waiting.append((inside, (flags | add) & ~remove))
            elif code is codes.ATOMIC_GROUP:
                waiting.append((argument, flags))
            elif code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
                waiting.append((argument[2], flags))
    return found

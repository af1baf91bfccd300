"""The kinds of characters that a regular expression tells apart."""

from __future__ import annotations

from re import (
    _constants as codes,  # the only way to a pattern that is parsed
    _parser as patterns,
)
from typing import Any

from .regex import CharSet, one_character


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

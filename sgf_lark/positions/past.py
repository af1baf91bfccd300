"""The positions of a game so far, for rules that forbid to repeat one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

#: The entries of a shelf: a power of two.
WIDTH = 64

_EMPTY: list[Any] = [None] * WIDTH


class Past:
    """A set that never changes: one more element makes another set, which shares most of it.

    So a board goes back, and is copied, at no cost.  Finding an element costs the same in a game
    of a few thousand positions as in an empty one.

    >>> before = Past()
    >>> after = before.added("a position")
    >>> "a position" in before, "a position" in after
    (False, True)
    """

    __slots__ = ("_shelves",)

    def __init__(self, shelves: list[Any] = _EMPTY) -> None:
        self._shelves = shelves  # lists, because they are copied fast; none of them changes

    def __contains__(self, element: Hashable) -> bool:
        number = hash(element)
        shelf = self._shelves[number % WIDTH]
        return shelf is not None and _has(shelf[number // WIDTH % WIDTH], element)

    def __iter__(self) -> Iterator[Any]:
        for shelf in filter(None, self._shelves):
            for entry in filter(None, shelf):
                rest = entry
                while rest is not None:
                    known, rest = rest
                    yield known

    def added(self, element: Hashable) -> Past:
        number = hash(element)
        first, second = number % WIDTH, number // WIDTH % WIDTH
        shelf = self._shelves[first] or _EMPTY
        if _has(shelf[second], element):
            return self
        shelves, shelf = self._shelves.copy(), shelf.copy()
        shelf[second] = element, shelf[second]
        shelves[first] = shelf
        return Past(shelves)


def _has(entry: Any, element: Hashable) -> bool:
    while entry is not None:
        known, entry = entry
        if known == element:
            return True
    return False

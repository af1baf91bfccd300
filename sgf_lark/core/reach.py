"""Ways from one thing to others: cells of a board, rules of a grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def reach(first: Iterable[T], near: Callable[[T], Iterable[T]]) -> set[T]:
    """Return all things to which a way leads from one of the first, these among them."""
    found = {*first}
    waiting = [*found]
    while waiting:
        for one in near(waiting.pop()):
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found

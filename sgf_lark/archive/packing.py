"""Packs: consecutive things of about one weight, such as the records of a partition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def pack(
    items: Iterable[T],
    weigh: Callable[[T], int],
    limit: int,
    *,
    most: int | None = None,
    is_alone: Callable[[T], object] = lambda _: False,
    ends: Callable[[T], object] = lambda _: False,
) -> Iterator[tuple[T, ...]]:
    """Yield packs of items: of at most some weight, or a single one.

    Args:
        items: The items.
        weigh: Returns the weight of one.
        limit: Limit of the weight of a pack.
        most: Limit of the items of a pack.
        is_alone: Tells if an item is a pack of its own.
        ends: Tells if a pack ends after an item.
    """
    waiting: list[T] = []
    size = 0
    for item in items:
        weight, alone = weigh(item), is_alone(item)
        if waiting and (alone or size + weight > limit):
            yield tuple(waiting)
            waiting, size = [], 0
        waiting.append(item)
        size += weight
        if alone or len(waiting) == most or size >= limit or ends(item):
            yield tuple(waiting)
            waiting, size = [], 0
    if waiting:
        yield tuple(waiting)

"""The results of a function, kept for as many arguments as a limit allows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """The results of a function by its argument; of more than ``most``, all are forgotten."""

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[K], V], most: int = sys.maxsize) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._make(key)
        return value

"""Groups of games that are equal in some way: unions of games, and of games with equal keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from sgf_lark.boards.arrays import load_numpy

if TYPE_CHECKING:
    from sgf_lark.archive.rows.canonical import Array

#: The code of a game that has no key.
NO_KEY = -1

#: Limit of the games of a group with which another one is compared.
MAX_COMPARED = 8


class DisjointSets:
    """Disjoint sets of games.

    Attributes:
        parents: For each game another one of its group; a root names itself.
    """

    def __init__(self, games: int) -> None:
        self.parents = list(range(games))

    def find(self, game: int) -> int:
        """Return the root of a game's group."""
        parents = self.parents
        while parents[game] != game:
            parents[game] = parents[parents[game]]
            game = parents[game]
        return game

    def join(self, game: int, other: int) -> None:
        """Make one group of two; its root is the first game of both."""
        low, high = sorted((self.find(game), self.find(other)))
        self.parents[high] = low

    def roots(self) -> Array:
        """Return the root of each game."""
        np = load_numpy()
        roots: Array = np.array(self.parents, np.int64)
        while True:
            above = roots[roots]
            if np.array_equal(above, roots):
                break
            roots = above
        self.parents = roots.tolist()
        return roots

    def join_equal(self, codes: Array) -> None:
        """Join games with equal codes: numbers of games that have them."""
        np = load_numpy()
        for game in np.flatnonzero((codes != NO_KEY) & (codes != np.arange(len(codes)))).tolist():
            self.join(game, int(codes[game]))

    def join_similar(self, codes: Array, agree: Callable[[int, int], bool]) -> None:
        """Join games with equal codes that agree.

        Args:
            codes: A number for each game; :data:`NO_KEY` if it has no key.
            agree: Tells it of two games.
        """
        for members in similar(codes, self.roots()):
            compared: list[int] = []
            for game in members:
                equal = next((other for other in compared if agree(other, game)), None)
                if equal is not None:
                    self.join(equal, game)
                elif len(compared) < MAX_COMPARED:
                    compared.append(game)


def similar(codes: Array, roots: Array) -> Iterator[list[int]]:
    """Yield games with equal codes that are not in one group yet: one of each group."""
    np = load_numpy()
    # One game of each group and code is enough.
    pairs = np.stack([codes, roots], axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    first = np.sort(first)
    first = first[codes[first] != NO_KEY]
    order = first[np.argsort(codes[first], kind="stable")]
    edges = np.flatnonzero(np.diff(codes[order])) + 1
    for low, high in _slices(edges, len(order)):
        if high - low > 1:
            yield order[low:high].tolist()


def _slices(edges: Array, end: int) -> Iterator[tuple[int, int]]:
    places = [0, *edges.tolist(), end]
    return pairwise(places)

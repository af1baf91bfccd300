"""The tree of a game in one pass: paths, depths and numbers of moves of all nodes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

from sgf_lark.model.tree import MAX_PATH_TURNS


class Branches(NamedTuple):
    """The tree of a game.

    Attributes:
        paths: For each wanted node its path, as :attr:`sgf_lark.Node.path` has it.
        numbers: For each of these the moves from the root up to and including it.
        variations: The number of leaves.
        depth: The number of nodes of the longest line.
    """

    paths: list[str]
    numbers: list[int] | range
    variations: int
    depth: int


def find_branches(parents: array[int], moves: Iterable[int], *, is_line: bool) -> Branches:
    """Return the tree of a game.

    A path has at most :data:`.MAX_PATH_TURNS` turns, so that all of them together are not longer
    than a multiple of the number of nodes.

    Args:
        parents: For each node the number of its parent, which is smaller; -1 for the root.
        moves: The nodes with a move, in order; their paths and numbers are wanted.
        is_line: The game has no variations.
    """
    count = len(parents)
    if is_line:
        paths = [str(node) for node in moves]
        return Branches(paths, range(1, len(paths) + 1), min(count, 1), count)
    return _find(parents, moves)


def _find(parents: array[int], moves: Iterable[int]) -> Branches:
    count = len(parents)
    line_of, steps = array("q", bytes(8 * count)), array("q", bytes(8 * count))
    depths, played = array("q", bytes(8 * count)), array("q", bytes(8 * count))
    heads, turns = [""], [0]  # of each line of first children: the path to it, with a slash
    seen: dict[int, int] = {}  # children of a node so far, if it has several
    paths: list[str] = []
    numbers: list[int] = []
    waiting = iter(moves)
    wanted = next(waiting, -1)
    variations = 1
    for node, above in enumerate(parents):
        if node:
            depths[node] = depths[above] + 1
            if above == node - 1:
                line_of[node], steps[node] = line_of[above], steps[above] + 1
            else:
                place = seen[above] = seen.get(above, 0) + 1
                line_of[node], variations = len(heads), variations + 1
                before = line_of[above]
                turns.append(turns[before] + 1)
                is_named = turns[-1] <= MAX_PATH_TURNS
                heads.append(f"{_way(heads[before])}{steps[above]}.{place}" if is_named else "")
        number = (played[above] if node else 0) + (node == wanted)
        played[node] = number
        if node == wanted:
            wanted = next(waiting, -1)
            line, step = line_of[node], steps[node]
            if turns[line] > MAX_PATH_TURNS:
                paths.append(f"#{node}")
            else:
                head = heads[line]
                paths.append(f"{_way(head)}{step}" if step or not line else head)
            numbers.append(number)
    return Branches(paths, numbers, variations, max(depths, default=-1) + 1)


def _way(head: str) -> str:
    """Return the path to a line as it goes on."""
    return f"{head}/" if head else ""

"""The shape of a game: the parents and children of numbered nodes, whatever the nodes hold.

Nodes are numbers, kept in flat arrays.  All of it is loops, so that no nesting is too deep.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, compress, count, islice, pairwise, repeat

#: In place of a node's number: there is no such node; it was removed.
NONE, GONE = -1, -2

#: A path of more characters leads nowhere.
MAX_PATH_LENGTH = 4000

#: At most this many paths are found one by one; then the paths to all nodes are.
MAX_SINGLE_WAYS = 16

#: A path with more turns than this is written as the node's number.
MAX_PATH_TURNS = 64


class MissingError(KeyError):
    """Something is not there; its text is the message, which KeyError shows in quotes."""

    def __str__(self) -> str:
        return str(self.args[0])


class Links:
    """The tree of a game's nodes, which does not change; each parent has a smaller number."""

    def __init__(self, parents: array[int]) -> None:
        self.parents = parents
        self._asked = 0

    @cached_property
    def _children(self) -> tuple[array[int], array[int]]:
        """First child and next sibling of each node; -1 for none."""
        count = len(self.parents)
        first, following = array("q", [NONE]) * count, array("q", [NONE]) * count
        for node in range(count - 1, 0, -1):
            above = self.parents[node]
            following[node] = first[above]
            first[above] = node
        return first, following

    def children(self, node: int) -> Iterator[int]:
        """Yield a node's children: first the main line, then the variations."""
        first, following = self._children
        child = first[node]
        while child >= 0:
            yield child
            child = following[child]

    def main_line(self, node: int = 0) -> range:
        """Return a node, its first child, and so on; a first child follows its parent."""
        parents = self.parents
        above = map(parents.__getitem__, range(node + 1, len(parents)))
        ends = compress(count(node + 1), map(int.__ne__, above, count(node)))
        return range(node, next(ends, len(parents)))

    def leaves(self) -> Iterator[int]:
        first, _ = self._children
        return (node for node, child in enumerate(first) if child < 0)

    def up(self, node: int) -> Iterator[int]:
        parents = self.parents
        while node >= 0:
            yield node
            node = parents[node]

    def counts(self, marked: Iterable[int]) -> array[int]:
        """For each node count the marked nodes from the root up to and including it."""
        counts, left = array("q"), iter(marked)
        for start, stop in self.lines():
            before = counts[self.parents[start]] if start else 0
            sums = accumulate(islice(left, stop - start), initial=before)
            next(sums)
            counts.extend(sums)
        return counts

    def is_rarely_asked(self) -> bool:
        """Count a question; tell if a path to one node is still cheaper than those to all."""
        self._asked += 1
        return self._asked <= MAX_SINGLE_WAYS

    # ---- lines of first children ----

    def is_head(self, node: int) -> bool:
        """Return True if a variation begins with a node: it is no first child."""
        return node > 0 and self.parents[node] != node - 1

    @cached_property
    def starts(self) -> list[int]:
        """The nodes with which lines of first children begin: the root, and each variation's."""
        return [node for node, above in enumerate(self.parents) if above != node - 1 or not node]

    def lines(self) -> Iterator[tuple[int, int]]:
        """Yield the lines of first children: the first node, and the one after the last."""
        return pairwise([*self.starts, len(self.parents)])

    @cached_property
    def heads(self) -> array[int]:
        """For each node the one with which its line of first children begins."""
        heads = array("q")
        for start, stop in self.lines():
            heads.extend(repeat(start, stop - start))
        return heads

    @cached_property
    def depths(self) -> array[int]:
        depths = array("q")
        for start, stop in self.lines():
            depth = depths[self.parents[start]] + 1 if start else 0
            depths.extend(range(depth, depth + stop - start))
        return depths

    # ---- paths ----

    @cached_property
    def _ways(self) -> dict[int, str]:
        heads, depths = self.heads, self.depths
        ways, turns, places = {0: ""}, {0: 0}, dict[int, int]()
        for node in self.starts[1:]:
            above = self.parents[node]
            line = heads[above]
            place = places[above] = places.get(above, 0) + 1
            turns[node] = turns[line] + 1
            if turns[node] <= MAX_PATH_TURNS:
                turn = f"{depths[above] - depths[line]}.{place}"
                ways[node] = f"{ways[line]}/{turn}" if line else turn
        return ways

    def path(self, node: int) -> str:
        if "_ways" not in self.__dict__ and self.is_rarely_asked():
            return self._single_path(node)
        return self.paths((node,))[0]

    def paths(self, nodes: Iterable[int]) -> list[str]:
        if len(self.starts) == 1:
            return [*map(str, nodes)]
        heads, depths, ways = self.heads, self.depths, self._ways
        found: list[str] = []
        for node in nodes:
            head = heads[node]
            way = ways.get(head)
            if way is None:
                found.append(f"#{node}")
            elif node == head:
                found.append(way or "0")
            else:
                steps = depths[node] - depths[head]
                found.append(f"{way}/{steps}" if way else str(steps))
        return found

    def _single_path(self, node: int) -> str:
        parents, index = self.parents, node
        parts: list[str] = []
        turns = steps = 0
        turn = ""
        while node > 0:
            above = parents[node]
            place = 0 if node == above + 1 else parents[above + 1 : node].count(above)
            if place == 0:
                steps += 1
            else:
                if steps or turn:
                    parts.append(f"{steps}{turn}")
                steps, turn, turns = 0, f".{place}", turns + 1
            node = above
        parts.append(f"{steps}{turn}")
        return f"#{index}" if turns > MAX_PATH_TURNS else "/".join(reversed(parts))

    def at(self, path: str) -> int:
        """Return the node at the end of a path; TypeError if it is no text, KeyError if it leads
        nowhere.
        """
        first, _ = self._children
        node, why = follow(path, len(self.parents), first, self.children)
        if why:
            raise MissingError(f"no node at {path[:30]!r}: the node at {self.path(node)!r} {why}")
        return node


#: What a path looks like, for errors.
_EXAMPLE = "such as '12' or '12.1/3'"


def follow(
    path: str, total: int, first: Sequence[int], children: Callable[[int], Iterable[int]]
) -> tuple[int, str]:
    """Return the node at the end of a path, or the last on it and why no further."""
    if not isinstance(path, str):
        raise TypeError(f"no path {path!r}: expected one {_EXAMPLE}; game.nodes[n] is node n")
    if len(path) > MAX_PATH_LENGTH or not path.isascii():
        raise MissingError(f"no path {path[:30]!r}: expected one {_EXAMPLE}")
    if path.startswith("#") and path[1:].isdecimal() and int(path[1:]) < total:
        return int(path[1:]), ""
    node = 0
    for part in path.split("/"):
        steps, dot, turn = part.partition(".")
        if not steps.isdecimal() or turn.isdecimal() != bool(dot):
            raise MissingError(f"no path {path[:30]!r}: expected one {_EXAMPLE}")
        for _step in range(int(steps)):
            if first[node] < 0:
                return node, "is the end of a line"
            node = first[node]
        if turn:
            below = list(children(node))
            if int(turn) >= len(below):
                return node, f"has no child {turn} (0 is the first)"
            node = below[int(turn)]
    return node, ""


class LinkList:
    """The tree of a draft's nodes, in which nodes come, go and change places.

    A change takes time for what it changes.

    Attributes:
        parents: For each node the number of its parent; :data:`NONE` for the root,
            :data:`GONE` for a node that was removed.
        order: Changes whenever a node loses its place or is put in front of another; not when
            one comes as the last child.
    """

    order = 0

    def __init__(self, parents: array[int]) -> None:
        count = len(parents)
        first, last = array("q", [NONE]) * count, array("q", [NONE]) * count
        following, preceding = array("q", [NONE]) * count, array("q", [NONE]) * count
        for node in range(1, count):
            above = parents[node]
            before = last[above]
            if before < 0:
                first[above] = node
            else:
                following[before], preceding[node] = node, before
            last[above] = node
        self.parents = parents[:]
        self._first, self._last, self._next, self._before = first, last, following, preceding

    # ---- looking ----

    def has(self, node: int) -> bool:
        return 0 <= node < len(self.parents) and self.parents[node] != GONE

    def at(self, path: str) -> int:
        """Return the node at the end of a path; KeyError if it leads nowhere."""
        node, why = follow(path, len(self.parents), self._first, self.children)
        if why or not self.has(node):
            raise MissingError(
                f"no node at {path[:30]!r} in this draft: node {node} {why or 'is gone'}"
            )
        return node

    def children(self, node: int) -> Iterator[int]:
        child = self._first[node]
        while child >= 0:
            yield child
            child = self._next[child]

    def walk(self, node: int) -> Iterator[int]:
        last, before = self._last, self._before
        waiting = [node]
        while waiting:
            current = waiting.pop()
            yield current
            child = last[current]
            while child >= 0:
                waiting.append(child)
                child = before[child]

    def parents_in(self, order: list[int]) -> array[int]:
        """Return the parents' places in a list of a node and all below it, which it begins with."""
        parents = self.parents
        places = {node: place for place, node in enumerate(order)}
        return array("q", [NONE, *[places[parents[node]] for node in order[1:]]])

    # ---- changing ----

    def add(self) -> int:
        """Add a node that has no place yet; return its number."""
        for links in (self.parents, self._first, self._last, self._next, self._before):
            links.append(NONE)
        return len(self.parents) - 1

    def link(self, node: int, above: int, at: int | None = None) -> None:
        """Put a node among the children of another, as the last one or at a place from 0."""
        before = self._last[above]
        if at is not None:
            before, behind = NONE, self._first[above]
            for _ in range(at):
                if behind < 0:
                    break
                before, behind = behind, self._next[behind]
        self._link_after(node, above, before)

    def _link_after(self, node: int, above: int, before: int) -> None:
        """Put a node after another child of its parent; -1: in front of all."""
        behind = self._next[before] if before >= 0 else self._first[above]
        self.parents[node], self._before[node], self._next[node] = above, before, behind
        if before >= 0:
            self._next[before] = node
        else:
            self._first[above] = node
        if behind >= 0:
            self._before[behind] = node
            self.order += 1
        else:
            self._last[above] = node

    def _unlink(self, node: int) -> None:
        above, before, behind = self.parents[node], self._before[node], self._next[node]
        if before >= 0:
            self._next[before] = behind
        else:
            self._first[above] = behind
        if behind >= 0:
            self._before[behind] = before
        else:
            self._last[above] = before
        self._before[node] = self._next[node] = NONE
        self.order += 1

    def move(self, node: int, above: int) -> None:
        self._unlink(node)
        self.link(node, above)

    def lift_children(self, node: int) -> None:
        """Make the children of a node its siblings, right after it."""
        above, before = self.parents[node], node
        for child in list(self.children(node)):
            self._unlink(child)
            self._link_after(child, above, before)
            before = child

    def remove(self, node: int) -> None:
        gone = list(self.walk(node))
        self._unlink(node)
        for number in gone:
            self.parents[number] = GONE

    def promote(self, node: int) -> None:
        before = self._before[node]
        if before >= 0:
            self._unlink(before)
            self._link_after(before, self.parents[node], node)

    def demote(self, node: int) -> None:
        if self._next[node] >= 0:
            self.promote(self._next[node])

    def make_main_line(self, node: int) -> None:
        while (above := self.parents[node]) >= 0:
            if self._first[above] != node:
                self._unlink(node)
                self.link(node, above, 0)
            node = above

    def keep_only(self, node: int) -> None:
        while (above := self.parents[node]) >= 0:
            for child in list(self.children(above)):
                if child != node:
                    self.remove(child)
            node = above

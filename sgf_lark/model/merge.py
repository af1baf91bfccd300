"""Merging: two games that share a beginning, in one tree.

Source: FF[4], property type game-info: in a merged tree the game info of a game is in the
first node that is of this game alone.
"""

from __future__ import annotations

from typing import TypeAlias

from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, Category, Group
from sgf_lark.values.writer import close_value

from .collection import GameTree
from .draft import Draft
from .property import Content, Property, category

#: The moves and the setup of a node: two nodes with the same action may become one.
Action: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]

#: Texts of which both are kept, one after the other.
_JOINED = frozenset({"C"})

#: Root properties that are about the file: those of the first game stay.
_OF_THE_FILE = Group.FILE.idents


def merge(one: GameTree, other: GameTree) -> GameTree:
    """Put a game into the tree of another with which it shares a beginning.

    Nodes at the beginning with the same action become one, with the properties of both; the
    rest of the second game becomes variations.  If their game info differs, it moves to the
    nodes where the games part; a game that is over there gets a node for it.

    Args:
        one: The first game: its main line stays the main line, and its AP, CA and ST stay.
        other: The second game, in the same format, of the same game and size.

    Returns:
        A new game.

    Raises:
        ValueError: The games do not fit into one tree; the message has the reason.
    """
    if one.format is Format.GGF:
        raise ValueError("GGF has no variations: two games cannot be merged")
    if (one.format, one.game, one.size) != (other.format, other.game, other.size):
        raise ValueError("only games of one format, one kind and one size can be merged")
    return _Merger(one, other).merge()


class _Merger:
    """The merger of a game into another.

    Attributes:
        draft: The draft of the first game, to which the second is added.
        source: The draft of the second game.
        shared: For each node of the second game that is also in the first, its number there.
    """

    def __init__(self, game: GameTree, other: GameTree) -> None:
        self.draft = game.edit()
        self.source = other.edit()
        self.shared: dict[int, int] = {0: 0}
        if not _agree(self.draft.properties(0), self.source.properties(0)):
            raise ValueError("the games begin differently: their first nodes contradict each other")

    def merge(self) -> GameTree:
        """Return the merged game."""
        self._pair()
        ours, theirs = set(self.shared.values()), set(self.shared)
        same = all(
            _raws(_info(self.draft.properties(mine))) == _raws(_info(self.source.properties(its)))
            for its, mine in self.shared.items()
        )
        if not same:
            # First both, then the nodes: what one game lacks must not look like the other's.
            _push_down(self.draft, ours)
            _push_down(self.source, theirs)
        for its, mine in self.shared.items():
            for child in self.source.children(its):
                if child not in theirs:
                    self.draft.paste(mine, self.source.copy(child))
            self._add_properties(mine, self.source.properties(its))
        return self.draft.done()

    def _pair(self) -> None:
        """Find the nodes that both games have."""
        waiting = [0]
        while waiting:
            its = waiting.pop()
            candidates: dict[Action, list[int]] = {}
            for child in self.draft.children(self.shared[its]):
                candidates.setdefault(_action(self.draft.properties(child)), []).append(child)
            for child in self.source.children(its):
                content = self.source.properties(child)
                alike = candidates.get(_action(content), [])
                for mine in alike[:1]:
                    if _agree(self.draft.properties(mine), content):
                        self.shared[child] = mine
                        alike.remove(mine)
                        waiting.append(child)

    def _add_properties(self, node: int, content: Content) -> None:
        mine = {prop.ident: prop for prop in self.draft.properties(node)}
        for prop in content:
            if prop.ident not in mine:
                self.draft.set_raw(node, prop.name, *map(close_value, prop.raw))
            elif prop.ident in _JOINED and mine[prop.ident].raw != prop.raw:
                first = mine[prop.ident]
                self.draft.set_raw(
                    node, first.name, "\n\n".join(map(close_value, (*first.raw, *prop.raw)))
                )


def _info(content: Content) -> list[Property]:
    return [prop for prop in content if category(prop) is Category.GAME_INFO]


def _raws(properties: list[Property]) -> Action:
    return tuple(sorted((prop.ident, prop.raw) for prop in properties))


def _action(content: Content) -> Action:
    """Return the moves and the setup of a node."""
    return _raws(
        [prop for prop in content if prop.ident in COLORS or category(prop) is Category.SETUP]
    )


def _agree(content: Content, other: Content) -> bool:
    """Tell if two nodes have the same action, and no property contradicts the other node."""
    free = _OF_THE_FILE | _JOINED
    mine = {prop.ident: prop.raw for prop in content}
    return _action(content) == _action(other) and all(
        mine.get(prop.ident, prop.raw) == prop.raw
        for prop in other
        if prop.ident not in free and category(prop) is not Category.GAME_INFO
    )


def _push_down(draft: Draft, shared: set[int]) -> None:
    """Move the game info of a game to its first nodes that are not shared."""
    carried: dict[int, list[Property]] = {}
    for node in list(draft.walk()):
        above = draft.parent(node)
        info = list(carried.get(above, [])) if above is not None else []
        if node in shared:
            info += _info(draft.properties(node))
            for prop in _info(draft.properties(node)):
                draft.unset(node, prop.ident)
            carried[node] = info
            if info and not draft.children(node):
                _describe(draft, draft.add(node), info)
        elif above in shared:
            _describe(draft, node, info)


def _describe(draft: Draft, node: int, info: list[Property]) -> None:
    """Add game-info properties to a node that does not have them."""
    there = {prop.ident for prop in draft.properties(node)}
    for prop in info:
        if prop.ident not in there:
            draft.set_raw(node, prop.name, *map(close_value, prop.raw))

"""Merging: two games that share a beginning, in one tree.

Source: FF[4], property type game-info: in a merged tree the game info of a game is in the
first node that is of this game alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import TypeAlias

from sgf_lark.core import (
    COLORS,
    NOWHERE,
    Bounds,
    Category,
    Collection,
    Content,
    Diagnostic,
    Finding,
    Format,
    GameTree,
    Group,
    LineIndex,
    Reading,
    Severity,
    TextSource,
    category,
    close_value,
    find_bounds,
    find_strays,
    find_text,
    may_have_strays,
    register,
    shorten,
)

#: The moves and the setup of a node: two nodes with the same action may become one.
NodeKey: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]

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
        A new game.  Its ``diagnostics`` report what it leaves out, each with its place in the
        text of its game: a property that the tree has already (C706), and text that belongs to
        no property, in a node that both games have (C752).

    Raises:
        ValueError: The games do not fit into one tree; the message has the reason.
    """
    if one.format is Format.GGF:
        raise ValueError("GGF has no variations: two games cannot be merged")
    if (one.format, one.game, one.size) != (other.format, other.game, other.size):
        raise ValueError("only games of one format, one kind and one size can be merged")
    return _Merger(_MergedGame(one), _MergedGame(other)).merge()


class _MergedGame:
    """A game that is merged, and what is left out of it.

    Attributes:
        left_out: Findings about its text.
    """

    def __init__(self, game: GameTree) -> None:
        self.game = game
        self.draft = game.edit()
        self.left_out: list[Finding] = []

    def leave_out(self, node: int, prop: Reading, kept: Reading) -> None:
        nodes = self.game.nodes
        place = nodes.contents[node].index(prop)
        finding = SECOND_DROPPED.found(
            f"{_show(prop)} is left out: the merged game has {_show(kept)}",
            nodes[node].properties[place].span or NOWHERE,
            severity=Severity.INFO if prop.ident in _OF_THE_FILE else None,
            game=0,
            node_path=nodes.tree.path(node),
            move_number=nodes.move_numbers[node],
            property=prop.ident,
        )
        self.left_out.append(finding)

    def push_down(self, shared: set[int]) -> None:
        """Move the game info to the first nodes that are not shared."""
        draft = self.draft
        carried: dict[int, dict[str, tuple[int, Reading]]] = {}
        for node in list(draft.walk()):
            above = draft.parent(node)
            carry = dict(carried.get(above, {})) if above is not None else {}
            own = _info(draft.properties(node))
            if node in shared:
                for prop in own:
                    _, first = carry.setdefault(prop.ident, (node, prop))
                    if first.raw != prop.raw:
                        self.leave_out(node, prop, first)
                    draft.unset(node, prop.ident, missing_ok=True)
                carried[node] = carry
                if not carry or draft.children(node):
                    continue
                node, own = draft.add(node), []  # noqa: PLW2901  # the game is over here
            elif above not in shared:
                continue
            there = {prop.ident: prop for prop in reversed(own)}
            for origin, prop in carry.values():
                kept = there.get(prop.ident)
                if kept is None:
                    draft.set_raw(node, prop.name, *map(close_value, prop.raw))
                elif kept.raw != prop.raw:
                    self.leave_out(origin, prop, kept)

    def report(self) -> list[Diagnostic]:
        source = source_of([self.game])
        lines = LineIndex("" if source is None else source.text)
        ordered = sorted(self.left_out, key=lambda finding: finding.span)
        return [Diagnostic.of(finding, lines) for finding in ordered]


SECOND_DROPPED = register("C706 second-dropped warning: the second of the same property is removed")


class _Merger:
    """The merger of a game into another.

    Attributes:
        one: The first game, to whose draft the second is added.
        other: The second game.
        shared: For each node of the second game that is also in the first, its number there.
    """

    def __init__(self, one: _MergedGame, other: _MergedGame) -> None:
        self.one, self.other = one, other
        self.draft, self.source = one.draft, other.draft
        self.shared: dict[int, int] = {0: 0}
        if not _agree(self.draft.properties(0), self.source.properties(0)):
            raise ValueError("the games begin differently: their first nodes contradict each other")

    def merge(self) -> GameTree:
        self._pair()
        ours, theirs = set(self.shared.values()), set(self.shared)
        same = all(
            _raws(_info(self.draft.properties(mine))) == _raws(_info(self.source.properties(its)))
            for its, mine in self.shared.items()
        )
        if not same:
            # First both, then the nodes: what one game lacks must not look like the other's.
            self.one.push_down(ours)
            self.other.push_down(theirs)
        for its, mine in self.shared.items():
            for child in self.source.children(its):
                if child not in theirs:
                    self.draft.paste(mine, self.source.copy(child))
            self._add_properties(mine, its)
        one, other = self.one.game, self.other.game
        if other is not one:
            self.other.left_out += report_strays(other, 0, source_of([other]), theirs)
        game = self.draft.done(strict=False)
        diagnostics = (*self.one.report(), *self.other.report())
        return type(one).of(game.nodes, game.source_game, game.provenance, diagnostics)

    def _pair(self) -> None:
        waiting = [0]
        while waiting:
            its = waiting.pop()
            candidates: dict[NodeKey, list[int]] = {}
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

    def _add_properties(self, node: int, its: int) -> None:
        """Add the properties of a node of the second game that the first one lacks."""
        mine = _by_ident(self.draft.properties(node))
        for ident, props in _by_ident(self.source.properties(its)).items():
            raws = [raw for prop in props for raw in map(close_value, prop.raw)]
            if ident not in mine:
                self.draft.set_raw(node, props[0].name, *raws)
            elif _values(mine[ident]) == _values(props):
                continue
            elif ident in _JOINED:
                first = [raw for prop in mine[ident] for raw in map(close_value, prop.raw)]
                self.draft.set_raw(node, mine[ident][0].name, "\n\n".join(first + raws))
            else:
                for prop in props:
                    self.other.leave_out(its, prop, mine[ident][0])


def _show(prop: Reading) -> str:
    return prop.ident + "".join(f"[{shorten(raw)}]" for raw in prop.raw)


def _info(content: Content) -> list[Reading]:
    return [prop for prop in content if category(prop) is Category.GAME_INFO]


def _by_ident(content: Content) -> dict[str, list[Reading]]:
    groups: dict[str, list[Reading]] = {}
    for prop in content:
        groups.setdefault(prop.ident, []).append(prop)
    return groups


def _values(props: list[Reading]) -> list[tuple[str, ...]]:
    return [prop.raw for prop in props]


def _raws(properties: list[Reading]) -> NodeKey:
    return tuple(sorted((prop.ident, prop.raw) for prop in properties))


def _action(content: Content) -> NodeKey:
    """Return the moves and the setup of a node."""
    return _raws(
        [prop for prop in content if prop.ident in COLORS or category(prop) is Category.SETUP]
    )


def _agree(content: Content, other: Content) -> bool:
    """Tell if two nodes have the same action, and no property contradicts the other node."""
    if _action(content) != _action(other):
        return False
    mine = _by_ident(content)
    return all(
        ident not in mine or _values(mine[ident]) == _values(props)
        for ident, props in _by_ident(other).items()
        if ident not in _OF_THE_FILE | _JOINED and category(props[0]) is not Category.GAME_INFO
    )


def source_of(games: Iterable[GameTree]) -> TextSource | None:
    """Return the text of the first game; None if it has none."""
    origins = (origin for game in games for origin in game.provenance.games[:1])
    return next((origin.source for origin in origins), None)


TEXT_LEFT_OUT = register("C752 text-left-out warning: text outside games is removed")


def report_strays(
    game: GameTree, number: int, source: TextSource | None, nodes: Container[int]
) -> Iterator[Finding]:
    """Report the texts in a game that belong to no property.

    Args:
        number: Its number, from 0.
        source: The text for the places; a finding in another text has none.
        nodes: The nodes of the game after which texts are left out.
    """
    provenance = game.provenance
    for which, origin in enumerate(provenance.games):
        pairs = zip(provenance.which, provenance.numbers, strict=True)
        here = {there: node for node, (one, there) in enumerate(pairs) if one == which}
        strays = find_strays(origin, find_bounds(origin)) if may_have_strays(origin) else ()
        for there, span in strays:
            node = here.get(there)
            if node is None or node not in nodes:
                continue
            excerpt = shorten(origin.source.text[slice(*span)])
            yield TEXT_LEFT_OUT.found(
                f"{excerpt!r} belongs to no property, and is left out",
                span if origin.source is source else NOWHERE,
                game=number,
                node_path=game.nodes.tree.path(node),
                move_number=game.nodes.move_numbers[node],
            )


def report_outside(collection: Collection) -> Iterator[Finding]:
    """Report the texts before, between and after the games of a text.

    The number of games before a match of GGF is none: it is found again.
    """
    if collection.source is None:
        return
    bounds, text = Bounds(collection, None), collection.source.text
    origins = collection.source_games
    for game in collection.games:
        number = bounds.own(game)
        for before in () if number is None else (-1, 0) if number == 0 else (number,):
            for span in find_text(text, *bounds.gap(before)):
                excerpt = text[slice(*span)]
                following = origins[min(before + 1, len(origins) - 1)].nodes.rules.format
                if not (following is Format.GGF and excerpt.isdecimal()):
                    message = f"{shorten(excerpt)!r} is in no game, and is left out"
                    yield TEXT_LEFT_OUT.found(message, span)

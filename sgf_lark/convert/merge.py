"""Merging: games that share a beginning, in one tree.

Source: FF[4], property type game-info: in a merged tree the game info of a game is in the
first node that is of this game alone.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    COLORS,
    NONE,
    NOWHERE,
    Bounds,
    Category,
    Collection,
    Content,
    Diagnostic,
    Draft,
    Finding,
    Format,
    GameTree,
    Group,
    LineIndex,
    Nodes,
    PointList,
    Reading,
    Severity,
    TextSource,
    category,
    close_value,
    find_bounds,
    find_strays,
    find_text,
    may_have_strays,
    meaning,
    register,
    shorten,
)

#: The moves and the setup of a node: two nodes with the same action become one.
NodeKey: TypeAlias = tuple[Any, ...]

#: Texts of which both are kept, one after the other.
_JOINED = frozenset({"C"})

#: Opinions, of which a node has one; lists in which together it names a point once.
_ONE_OF = Group.MOVE_ANNOTATION.idents, Group.POSITION_ANNOTATION.idents
_ONE_A_POINT = Group.MARKS.idents, Group.TERRITORY.idents

#: Points of a list at most that are compared one by one.
_MAX_POINTS = 10_000

#: Root properties that are about the file: those of the first game stay.
_OF_THE_FILE = Group.FILE.idents


class MergedGames(NamedTuple):
    """Games that were merged.

    Attributes:
        collection: A tree for each kind of game, board and first position, in the order of their
            first games.
        left_out: For each game what is not in its tree, as of :func:`merge`.
    """

    collection: Collection
    left_out: list[tuple[Diagnostic, ...]]


def merge(*games: GameTree) -> GameTree:
    """Put games into one tree, in which lines that they share are there once.

    Nodes with the same moves and setup become one, with the properties of all; of comments that
    differ, each is kept.  Where the game info differs, it moves to the nodes where the games part,
    as do private properties of the first node; a game that is over there gets a node for it.

    Args:
        games: The games, in the same format, of the same game and size.  The main line of the
            first stays the main line, and its AP, CA and ST stay.

    Returns:
        A new game.  Its ``diagnostics`` report what it leaves out, each with its place in the
        text of its game: a property of which the tree has another value (C706), and text that
        belongs to no property, in a node that several games have (C752).

    Raises:
        ValueError: The games do not fit into one tree; the message has the reason.
    """
    trees, left_out = merge_all(games)
    if len(trees) != 1:
        raise ValueError(_why_apart(games))
    diagnostics = tuple(chain.from_iterable(left_out))
    (game,) = trees.games
    return type(game).of(game.nodes, game.source_game, game.provenance, diagnostics)


def merge_all(games: Iterable[GameTree]) -> MergedGames:
    """Put games into trees, as :func:`merge` does: those into one that fit together.

    Raises:
        ValueError: A game is of GGF, which has no variations.
    """
    games = tuple(games)
    if any(game.format is Format.GGF for game in games):
        raise ValueError("GGF has no variations: two games cannot be merged")
    trees: dict[object, _Merger] = {}
    mergers = [trees.setdefault(_key_of_tree(game), _Merger()) for game in games]
    places = [merger.add(game) for merger, game in zip(mergers, games, strict=True)]
    collection = Collection(games=tuple([merger.done() for merger in trees.values()]))
    return MergedGames(
        collection, [merger.report(at) for merger, at in zip(mergers, places, strict=True)]
    )


def _key_of_tree(game: GameTree) -> object:
    """Return what games of one tree have in common: FF, GM, SZ, and the first position."""
    return game.format, game.game, game.size, _action(game.nodes.contents[0])


def _why_apart(games: Sequence[GameTree]) -> str:
    if not games:
        return "there are no games to merge"
    if len({(game.format, game.game, game.size) for game in games}) > 1:
        return "only games of one format, one kind and one size can be merged"
    return "the games begin differently: their first nodes contradict each other"


#: Game info that is to be written, nearest first: the node of its game where it was, and itself.
_Carried: TypeAlias = list[tuple[int, Reading]]


class _Merger:
    """The tree of several games, which are added one by one."""

    draft: Draft[GameTree]  # the tree; a draft of the first game

    def __init__(self) -> None:
        self.games: list[GameTree] = []
        self.left_out: list[dict[tuple[int, int], Finding]] = []
        self.strays: list[list[Finding]] = []
        # for each node of it the first game that has the node, and its number there
        self.origins: list[tuple[int, int]] = []
        # the same for further games, of the nodes that they share
        self.also: dict[int, list[tuple[int, int]]] = {}
        # for each game its game info, by node, and the ends of its lines: a game whose text has to
        # be split for each of its nodes again takes long
        self.info: list[tuple[dict[int, list[Reading]], frozenset[int]]] = []
        self._by_action: dict[int, dict[NodeKey, list[int]]] = {}
        self._comments: dict[int, list[tuple[str, ...]]] = {}

    def add(self, game: GameTree) -> int:
        number, nodes = len(self.games), game.nodes
        self.games.append(game)
        self.left_out.append({})
        self.strays.append([])
        self.info.append((_find_info(nodes), frozenset(nodes.tree.leaves())))
        if not number:
            self.draft = game.edit()
            self.origins += ((0, node) for node in range(len(nodes)))
            return number
        source, shared = game.edit(), self._pair(nodes)
        for its, mine in shared.items():
            for child in nodes.tree.children(its):
                if child not in shared:
                    node = self.draft.paste(mine, source.copy(child))
                    self.origins += ((number, each) for each in source.walk(child))
                    action = _action(nodes.contents[child])
                    self._by_action[mine].setdefault(action, []).append(node)
            self._add_properties(mine, number, its)
            self.also.setdefault(mine, []).append((number, its))
        if all(game is not other for other in self.games[:number]):
            self.strays[number] += report_strays(game, 0, source_of([game]), shared)
        return number

    def _pair(self, nodes: Nodes) -> dict[int, int]:
        shared, waiting = {0: 0}, [0]
        while waiting:
            its = waiting.pop()
            known, used = self._children_by_action(shared[its]), set[int]()
            for child in nodes.tree.children(its):
                alike = known.get(_action(nodes.contents[child]), ())
                mine = next((node for node in alike if node not in used), None)
                if mine is not None:
                    used.add(mine)
                    shared[child] = mine
                    waiting.append(child)
        return shared

    def _children_by_action(self, node: int) -> dict[NodeKey, list[int]]:
        if node not in self._by_action:
            known = self._by_action[node] = {}
            for child in self.draft.children(node):
                known.setdefault(_action(self.draft.properties(child)), []).append(child)
        return self._by_action[node]

    def _add_properties(self, node: int, number: int, its: int) -> None:
        """Add the properties of a node of a game that the tree lacks, but for the game info."""
        theirs = self.games[number].nodes.contents[its]
        mine = _by_ident(self.draft.properties(node))
        for ident, props in _by_ident(theirs).items():
            if ident in COLORS or _is_info(props[0], is_root=not its):
                continue
            raws = tuple(raw for prop in props for raw in map(close_value, prop.raw))
            rival = _find_rival(props[0], self.draft.properties(node))
            if rival is not None:
                for prop in props:
                    self._leave_out(number, its, prop, rival)
            elif ident not in mine:
                self.draft.set_raw(node, props[0].name, *raws)
            elif _values(mine[ident]) == _values(props) or category(props[0]) is Category.SETUP:
                continue
            elif ident in _JOINED:
                first = tuple(raw for prop in mine[ident] for raw in map(close_value, prop.raw))
                known = self._comments.setdefault(node, [first])
                if raws not in known:
                    known.append(raws)
                    self.draft.set_raw(node, mine[ident][0].name, "\n\n".join(first + raws))
            else:
                for prop in props:
                    self._leave_out(number, its, prop, mine[ident][0])

    def done(self) -> GameTree:
        self._place_info()
        return self.draft.done(strict=False) if self.games[1:] else self.games[0]

    # ---- game info ----

    def _place_info(self) -> None:
        below = self._find_alike_below()
        carried: dict[int, dict[int, _Carried]] = {}
        for node in sorted(self.also):
            here = [self.origins[node], *self.also[node]]
            above = self.draft.parent(node)
            before = {game: [] for game, _ in here} if above is None else carried[above]
            after = {
                game: [*((its, prop) for prop in self._info(game, its)), *before[game]]
                for game, its in here
            }
            first, *others = (_said(after[game]) for game, _ in here)
            if node in below and all(first == other for other in others):
                owner, _ = here[0]
                self._write_info(node, owner, before[owner])
                carried[node] = {game: [] for game, _ in here}
            else:
                self._push_down(node, here, after)
                carried[node] = after

    def _find_alike_below(self) -> set[int]:
        """Return the shared nodes below which shared nodes have the same game info in all games."""
        unlike: set[int] = set()
        for node in sorted(self.also, reverse=True):
            here = [self.origins[node], *self.also[node]]
            first, *others = (_raws(self._info(*origin)) for origin in here)
            above = self.draft.parent(node)
            is_alike = node not in unlike and all(first == other for other in others)
            if above is not None and not is_alike:
                unlike.add(above)
        return self.also.keys() - unlike

    def _info(self, game: int, node: int) -> list[Reading]:
        return self.info[game][0].get(node, [])

    def _push_down(
        self, node: int, here: list[tuple[int, int]], carried: dict[int, _Carried]
    ) -> None:
        for prop in self.draft.properties(node):
            if _is_info(prop, is_root=not node):
                self.draft.unset(node, prop.ident, missing_ok=True)
        own = [child for child in self.draft.children(node) if child not in self.also]
        for child in own:
            game, _ = self.origins[child]
            self._write_info(child, game, carried[game])
        ends: dict[NodeKey, int] = {}
        for game, its in here:
            if not carried[game] or its not in self.info[game][1]:
                continue
            said = _said(carried[game])
            if said not in ends:  # the game is over here
                children = self.draft.children(node)
                place = sum(self.origins[child][0] < game for child in children)
                ends[said] = self.draft.add(node, at=place)
                self.origins.append((game, NONE))
            self._write_info(ends[said], game, carried[game])

    def _write_info(self, node: int, game: int, carried: _Carried) -> None:
        there = {prop.ident: prop for prop in reversed(self.draft.properties(node))}
        for origin, prop in carried:
            kept = there.setdefault(prop.ident, prop)
            if kept is prop:
                self.draft.set_raw(node, prop.name, *map(close_value, prop.raw))
            elif kept.raw != prop.raw:
                self._leave_out(game, origin, prop, kept)

    # ---- losses ----

    def _leave_out(self, game: int, node: int, prop: Reading, kept: Reading) -> None:
        nodes = self.games[game].nodes
        place, has_text = (
            nodes.contents[node].index(prop),
            source_of([self.games[game]]) is not None,
        )
        self.left_out[game][node, place] = SECOND_DROPPED.found(
            f"{_show(prop)} is left out: the merged game has {_show(kept)}",
            (has_text and nodes[node].properties[place].span) or NOWHERE,
            severity=Severity.INFO if prop.ident in _OF_THE_FILE else None,
            game=0,
            node_path=nodes.tree.path(node),
            move_number=nodes.move_numbers[node],
            property=prop.ident,
        )

    def report(self, game: int) -> tuple[Diagnostic, ...]:
        source = source_of([self.games[game]])
        lines = LineIndex("" if source is None else source.text)
        findings = [*self.left_out[game].values(), *self.strays[game]]
        ordered = sorted(findings, key=lambda finding: finding.span)
        return tuple([Diagnostic.of(finding, lines) for finding in ordered])


SECOND_DROPPED = register("C706 second-dropped warning: the second of the same property is removed")


def _show(prop: Reading) -> str:
    return prop.ident + "".join(f"[{shorten(raw)}]" for raw in prop.raw)


def _find_info(nodes: Nodes) -> dict[int, list[Reading]]:
    found = (
        (node, [prop for prop in content if _is_info(prop, is_root=not node)])
        for node, content in enumerate(nodes.contents)
    )
    return {node: info for node, info in found if info}


def _is_info(prop: Reading, *, is_root: bool) -> bool:
    """Tell if a property is about a game: game info, and private ones of its first node."""
    return category(prop) is Category.GAME_INFO or (is_root and prop.rule is None)


def _by_ident(content: Content) -> dict[str, list[Reading]]:
    groups: dict[str, list[Reading]] = {}
    for prop in content:
        groups.setdefault(prop.ident, []).append(prop)
    return groups


def _values(props: list[Reading]) -> list[tuple[str, ...]]:
    return [prop.raw for prop in props]


def _raws(properties: Iterable[Reading]) -> NodeKey:
    return tuple(sorted((prop.ident, prop.raw) for prop in properties))


def _said(carried: _Carried) -> NodeKey:
    """Return game info as games say it: the first of each property."""
    return _raws({prop.ident: prop for _, prop in reversed(carried)}.values())


def _find_rival(prop: Reading, content: Content) -> Reading | None:
    for other in content:
        pair = {prop.ident, other.ident}
        if len(pair) < len((prop, other)):
            continue
        if any(pair <= idents for idents in _ONE_OF):
            return other
        if any(pair <= idents for idents in _ONE_A_POINT):
            lists = [each.value for each in (prop, other) if isinstance(each.value, PointList)]
            if any(each.total > _MAX_POINTS for each in lists):
                return other
            if len(lists) > 1 and not {*lists[0]}.isdisjoint(lists[1]):
                return other
    return None


def _action(content: Content) -> NodeKey:
    actions = [prop for prop in content if prop.ident in COLORS or category(prop) is Category.SETUP]
    return tuple([meaning(prop) for prop in sorted(actions, key=attrgetter("ident"))])


def source_of(games: Iterable[GameTree]) -> TextSource | None:
    """Return the text of the first game; None if it has none."""
    origins = (origin for game in games for origin in game.provenance.games[:1])
    return next((origin.source for origin in origins), None)


TEXT_LEFT_OUT = register("C752 text-left-out warning: text outside games is removed")


def report_strays(
    game: GameTree, number: int, source: TextSource | None, nodes: Container[int]
) -> Iterator[Finding]:
    """Report the texts in a game that belong to no property."""
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

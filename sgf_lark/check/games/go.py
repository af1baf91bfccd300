"""Rules of Go: moves and setup on its board.

Source: FF[4], Go, "Playing a move"; property KO, whose node plays even what is illegal.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from sgf_lark.boards.games.go import GoState
from sgf_lark.boards.games.go_rules import GoRules
from sgf_lark.boards.grid import EMPTY, MAX_WORK, NAMES, SETUP_CELLS, STONES, may_work
from sgf_lark.boards.state import Verdict
from sgf_lark.check.handicap import handicap_komi
from sgf_lark.diagnostics.diagnostic import Finding, shorten
from sgf_lark.diagnostics.rules import Severity
from sgf_lark.diagnostics.terminal import plural
from sgf_lark.model.collection import GameTree
from sgf_lark.model.constraints import find_repeated
from sgf_lark.model.content import LoneMoves
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.property import Content, Property
from sgf_lark.model.ruleset import name_of_rules
from sgf_lark.schema.properties import COLORS, SETUP
from sgf_lark.schema.values import BoardSize, Pass, PointList, Rectangle

from .off_board import (
    OFF,
    PASSED,
    TOO_MUCH_WORK,
    UNKNOWN,
    cells,
    find_board_size,
    not_judged,
)


def go_rules(game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:
    """Check a game of Go on a board, and by the strict rules that are asked for."""
    yield from _Replay(game, asked).findings()
    yield from _handicap_stones(game.nodes)
    for name, rule in STRICT.items():
        if name in asked:
            yield from rule(game.nodes)


#: A node with one of these is looked at closely.
_STOPS = frozenset({*SETUP, "KO"})


class _Replay:
    """A game of Go, played on a board."""

    def __init__(self, game: GameTree, asked: frozenset[str]) -> None:
        nodes = self._nodes = game.nodes
        size = find_board_size(game) or BoardSize(19, 19)
        allowed = GoRules.of(name_of_rules(nodes.contents[0])).suicide
        self._board = GoState(size, rules=GoRules(suicide=allowed))  # superko: see _Seen
        self._cells = cells(nodes.rules.reader, size)
        self._seen = _Seen(self._board) if "repeated-position" in asked else None
        self._lost = False  # a move before is not known
        self._is_reported = False  # that the limit of work is reached
        self._is_main = True  # the main line is not played to its end
        self._is_simple = True  # after the first node there was no setup

    def findings(self) -> Iterator[Finding]:
        """Everything, in the order of the nodes."""
        nodes, seen, cells, before = self._nodes, self._seen, self._cells.moves, -1
        find = LoneMoves(nodes.tape, nodes.rules, _STOPS).find
        parents = nodes.parents
        forks = {above for node, above in enumerate(parents) if above != node - 1}
        past: dict[int, tuple[int, bool]] = {}  # after each of those
        for node, above in enumerate(parents):
            if above != before:
                self._go_back(past[above])
            before = node
            if seen is not None:
                seen.go_back(above)
            lone = find(node)
            if lone is None:
                pass
            elif not lone or (cell := cells.get(lone[2], OFF)) < PASSED:
                yield from self._look_closely(node)
            else:
                finding = self._play(node, None, STONES[lone[0]], cell)
                if finding is not None:
                    yield finding
            if node in forks:
                past[node] = self._state
            if seen is not None:
                seen.keep(node)
        self._keep_end()

    def _keep_end(self) -> None:
        """Keep the board after the main line for others, if it is as any replay leaves it."""
        if not self._is_main:
            return
        self._is_main, board, nodes = False, self._board, self._nodes
        if not self._is_simple or self._lost or board.work > MAX_WORK or not board.number:
            return
        if not nodes.having({"PL"}):
            nodes.end = board.bare()

    @property
    def _state(self) -> tuple[int, bool]:
        """The position, for :meth:`_go_back`."""
        return self._board.mark, self._lost

    def _go_back(self, state: tuple[int, bool]) -> None:
        """Go back to an earlier position."""
        self._keep_end()
        mark, self._lost = state
        self._board.rewind(mark)

    def _look_closely(self, node: int) -> Iterator[Finding]:
        """A node that is not simple."""
        content = self._nodes.contents[node]
        for place, prop in enumerate(content):
            if prop.ident in SETUP:
                self._is_simple = self._is_simple and not node
                finding = self._put(node, place, prop)
                if finding is not None and not self._lost:
                    yield finding
        forced = any(prop.ident == "KO" for prop in content)
        for place, prop in enumerate(content):
            if prop.ident in COLORS and prop.raw:
                color, cell = STONES[COLORS[prop.ident]], self._cells.of_move(prop)
                finding = self._play(node, place, color, cell, forced=forced)
                if finding is not None:
                    yield finding

    def _play(
        self, node: int, place: int | None, color: int, cell: int, *, forced: bool = False
    ) -> Finding | None:
        """Carry out a move; report it if it is illegal, unless KO is in its node.

        Args:
            node: Its node.
            place: Its place there; None for the only move.
            color: The side that plays.
            cell: Where.
            forced: KO is in the node.
        """
        board = self._board
        if cell < 0:
            board.play_pass(color)
            self._lost = self._lost or cell != PASSED
            return None
        if board.work > MAX_WORK and not may_work(board, node):
            self._lost, is_reported, self._is_reported = True, self._is_reported, True
            return None if is_reported else not_judged(node, TOO_MUCH_WORK)
        verdict = board.play_cell(cell, color)
        if self._lost or (forced and verdict.name):
            return None
        if verdict.name:
            return self._illegal(node, self._place(node, place), verdict)
        if self._seen is None or board.held(cell) == EMPTY:  # suicide, which is allowed
            return None
        return self._seen.repetition(self._nodes, node, self._place(node, place))

    def _place(self, node: int, place: int | None) -> int:
        """Return the place of a move in its node."""
        if place is None:
            place = _move_of(self._nodes.contents[node])
        return place or 0

    def _illegal(self, node: int, place: int, verdict: Verdict) -> Finding:
        """A move that is against the rules."""
        prop = self._nodes.contents[node][place]
        return Finding(
            verdict.name,
            f"{prop.ident}[{shorten(prop.raw[0])}] {verdict.reason}",
            help=verdict.help,
            node=node,
            property_index=place,
            value_index=0,
        )

    def _put(self, node: int, place: int, prop: Property) -> Finding | None:
        """Carry out a setup property; report points that it does not change."""
        board, held, known = self._board, SETUP_CELLS[prop.ident], self._cells.points
        idle: list[int] = []
        for index, raw in enumerate(prop.raw):
            cell = known.get(raw)
            if cell is None:
                cell = self._cells.get_point(prop, index)
            if cell >= 0:
                changed = board.put(cell, held)
            elif cell == UNKNOWN and index < len(prop.values):
                value = prop.values[index]
                given = value.corners if isinstance(value, Rectangle) else None
                corners = value.on_board(board.size) if isinstance(value, Rectangle) else None
                changed = corners is None or board.put_rectangle(*corners, held) or corners != given
            else:
                changed = True
            if not changed:
                idle.append(index)
        if idle:
            named = set(find_repeated(prop))
            idle = [index for index in idle if index not in named]
        if not idle:
            return None
        what = "empty" if held == EMPTY else NAMES[held]
        message = f"{prop.ident}[{shorten(prop.raw[idle[0]])}] is {what} already"
        if idle[1:]:
            shown = shorten(", ".join(prop.raw[index] for index in idle))
            message = f"{prop.ident} names {len(idle)} points that are {what} already: {shown}"
        finding = Finding(
            "useless-setup",
            message,
            help="leave it out",
            node=node,
            property_index=place,
            value_index=idle[0],
        )
        return finding._replace(gone=idle)


class _Seen:
    """The positions on the path from the root."""

    def __init__(self, board: GoState) -> None:
        self._board = board
        self._marks: array[int] = array("q")
        self._path = [board.stones]
        self._nodes = {self._path[0]: -1}  # the node after which it was there first

    def go_back(self, above: int) -> None:
        """Forget what is not on the path to a node's parent."""
        mark = self._marks[above] if above >= 0 else 1
        while len(self._path) > mark:
            del self._nodes[self._path.pop()]

    def keep(self, node: int) -> None:
        """Remember the position after a node."""
        now = self._board.stones
        if now not in self._nodes:
            self._path.append(now)
            self._nodes[now] = node
        self._marks.append(len(self._path))

    def repetition(self, nodes: Nodes, node: int, place: int) -> Finding | None:
        """Report a move whose position was there before."""
        earlier = self._nodes.get(self._board.stones)
        if earlier is None:
            return None
        prop = nodes.contents[node][place]
        number = nodes.move_number(earlier) if earlier >= 0 else 0
        when = f"after move {number}" if number else "before the first move"
        message = f"{prop.ident}[{shorten(prop.raw[0])}] repeats the position {when}"
        help_ = "most rules of Go forbid that (superko)"
        return Finding(
            "repeated-position", message, help=help_, node=node, property_index=place, value_index=0
        )


# ---- strict rules, which need no board ----


def _handicap_stones(nodes: Nodes) -> Iterator[Finding]:
    """HA is the number of stones of AB in the first node (FF[4], Go, HA: recommended).

    An info, if stones of White make it a position, or the next nodes have the missing stones.
    """
    root = nodes.contents[0]
    at = next((place for place, prop in enumerate(root) if prop.ident == "HA"), None)
    value: object = None if at is None else root[at].value
    if not isinstance(value, int):
        return
    stones = _black_stones(root)
    if value == stones or max(value, stones) < MIN_HANDICAP:
        return
    total, node = stones, 1
    while node < len(nodes) and nodes.parents[node] == node - 1:
        content = nodes.contents[node]
        if any(prop.ident in COLORS for prop in content):
            break
        total += _black_stones(content)
        node += 1
    is_usual = value == total or any(prop.ident == "AW" for prop in root)
    black = plural(stones, "black stone") if stones else "no black stones"
    yield Finding(
        "handicap-stones",
        f"HA[{value}] with {black} set up",
        help="set up the handicap stones with AB in the same node, or correct HA",
        severity=Severity.INFO if is_usual else None,
        node=0,
        property_index=at,
        value_index=0,
    )


#: Handicap begins with two stones; HA[1] is a game without komi.
MIN_HANDICAP = 2


def _black_stones(content: Content) -> int:
    lists = [prop.value for prop in content if prop.ident == "AB"]
    return sum(points.total for points in lists if isinstance(points, PointList))


def _setup_after_root(nodes: Nodes) -> Iterator[Finding]:
    """In a game that was played stones are set up before the first move."""
    for node, content in enumerate(nodes.contents):
        if node and nodes.parents[node] != node - 1:
            return  # the end of the main line
        for place, prop in enumerate(content):
            if node and prop.ident in SETUP:
                message = f"{prop.ident} changes the board during the game"
                help_ = "set up in the first node, or play moves"
                yield Finding(
                    "setup-after-root", message, help=help_, node=node, property_index=place
                )
                break


def _move_of(content: Content) -> int | None:
    """Return the place of the move of a node."""
    return next((place for place, prop in enumerate(content) if prop.ident in COLORS), None)


def same_color_twice(nodes: Nodes) -> Iterator[Finding]:
    """Sides take turns; setup and PL say anew who is to move."""
    last: list[str] = []
    for node, content in enumerate(nodes.contents):
        above = nodes.parents[node]
        before = last[above] if above >= 0 else ""
        place = _move_of(content)
        if any(prop.ident in SETUP or prop.ident == "PL" for prop in content):
            before = ""
        if place is None:
            last.append(before)
            continue
        ident = content[place].ident
        if ident == before and not _is_late(nodes, node, place):
            who = COLORS[ident].name.capitalize()
            message = f"{who} moves twice, one after the other"
            help_ = "a move or a pass of the other side may be missing"
            yield Finding("same-color-twice", message, help=help_, node=node, property_index=place)
        last.append(ident)


def first_player(game: GameTree) -> Iterator[Finding]:
    """The side that begins by the rules of the game begins, unless something is set up."""
    nodes = game.nodes
    for node, content in enumerate(nodes.contents):
        if node and nodes.parents[node] != node - 1:
            return
        if any(prop.ident in SETUP or prop.ident in {"PL", "HA"} for prop in content):
            return
        place = _move_of(content)
        if place is None:
            continue
        first = nodes.rules.game.first_color
        if COLORS[content[place].ident] is not first:
            other, name = first.opponent.name.capitalize(), first.name.capitalize()
            message = f"{other} plays first; in {nodes.rules.game.name} {name} does"
            help_ = "a move may be missing, or the colors are exchanged; else say so with PL"
            yield Finding("first-player", message, help=help_, node=node, property_index=place)
        return


def _is_late(nodes: Nodes, node: int, place: int) -> bool:
    """A variation begins with a move of the side that has just moved: it is after the
    move for which it is another choice.
    """
    above = nodes.parents[node]
    if above < 0 or above == node - 1:
        return False
    ident = nodes.contents[node][place].ident
    first = nodes.contents[above + 1]
    before, other = _move_of(nodes.contents[above]), _move_of(first)
    return (
        before is not None
        and other is not None
        and nodes.contents[above][before].ident == ident != first[other].ident
    )


def _variation_level(nodes: Nodes) -> Iterator[Finding]:
    """Another choice for a move is a variation of that move's parent."""
    for node, content in enumerate(nodes.contents):
        place = _move_of(content)
        if place is not None and _is_late(nodes, node, place):
            ident = content[place].ident
            who = COLORS[ident].name.capitalize()
            message = f"this variation begins with {who}, who has just moved"
            help_ = "if it is another choice for that move, it belongs one node earlier"
            yield Finding("variation-level", message, help=help_, node=node, property_index=place)


def _play_after_passes(nodes: Nodes) -> Iterator[Finding]:
    """Two consecutive passes end a game."""
    passes = bytearray()
    for node, content in enumerate(nodes.contents):
        above = nodes.parents[node]
        before = passes[above] if above >= 0 else 0
        place = _move_of(content)
        if place is None:
            passes.append(before)
            continue
        prop = content[place]
        passed = bool(prop.values) and isinstance(prop.values[0], Pass)
        if before == 2 and not passed:  # noqa: PLR2004  # both have passed
            message = f"{prop.ident}[{shorten(prop.raw[0])}] is played after both have passed"
            help_ = "two consecutive passes end the game"
            yield Finding("play-after-passes", message, help=help_, node=node, property_index=place)
        passes.append(min(before + 1, 2) if passed else 0)


#: Rules for who asks for them.
STRICT: dict[str, Callable[[Nodes], Iterator[Finding]]] = {
    "handicap-komi": handicap_komi,
    "setup-after-root": _setup_after_root,
    "same-color-twice": same_color_twice,
    "variation-level": _variation_level,
    "play-after-passes": _play_after_passes,
}

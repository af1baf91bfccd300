"""Replay: one board that goes through the nodes of a record.

The board changes in place.  Where a variation begins it is rewound, so that each node costs
what it changes.  In a text the moves are found many at a time, and only nodes with more than
a move are read.

Source: FF[4], "How to execute a move" and the properties of move and setup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from sgf_lark.core import (
    COLORS,
    SETUP,
    Color,
    Content,
    Group,
    Invalid,
    Memo,
    Point,
    Rectangle,
    RuleSet,
    Tape,
    Values,
    invalid,
    move_of,
    points_of,
    raws_of,
)

from .grid import MAX_WORK, MAX_WORK_PER_NODE
from .start import gives_handicap
from .state import LEGAL, State, Verdict

#: The verdict about a move after which or before which the board is not known: no rule judges it.
NOT_JUDGED = Verdict(reason="is not judged: the position before it is not known")

#: The verdict about a move that no board carries out.
OFF_BOARD = Verdict("point-off-board", "lies outside the board", is_lost=True)
UNREADABLE = Verdict("wrong-value", "is no move of this game", is_lost=True)

#: In place of a move without a value.
NO_VALUE = invalid("", "a move")

#: A node that was carried out: its number, the moves up to it, the verdict about its move, if the
#: board is known; and what the caller wants to find beside it.
ReplayStep: TypeAlias = tuple[Any, ...]


class Replay:
    """The way of a state through nodes.

    Args:
        before: Is called with the node and the color of each move, before it is played, and with
            ``closely``.

    Attributes:
        closely: The last node that was read property by property: the root, and each one that
            is more than a move.
        is_over: The limit of work was reached: moves are not judged that could be.
    """

    def __init__(
        self,
        contents: Sequence[Content],
        rules: RuleSet,
        state: State,
        *,
        is_known: bool = True,
        before: Callable[[int, Color, int], None] | None = None,
    ) -> None:
        self.contents = contents
        self._before = before
        self.state = state
        self._is_known = is_known
        self._node = 0  # for the limit of work
        self.closely, self.is_over = -1, False
        # of that node the setup that changed nothing, while the board was known: the place of each
        # property, and the numbers of its values
        self.idle: list[tuple[int, list[int]]] = []
        self._judged: list[tuple[int, Verdict]] = []  # the moves of the node ``closely``
        self._rules = rules
        self._setup = rules.setup | Group.SETUP_POINTS.idents
        self._stops = self._setup | SETUP.keys() | {"KO"}
        self._has_several = rules.game.several_on_a_point

    @property
    def is_known(self) -> bool:
        """All moves before were carried out, and all pieces are known."""
        return self._is_known and self.state.is_known

    # ---- nodes ----

    def carry_out(self, node: int) -> Verdict | None:
        """Carry out setup and moves of a node; return the verdict about its move.

        Of several moves it is that about the first one that is illegal; without a move None.
        """
        self._node = self.closely = node
        self.idle, self._judged = [], []
        content = self.contents[node]
        if any(prop.ident in self._setup for prop in content):
            self._set_up(content)
        if node == 0 and gives_handicap(content, self._rules):
            self.state.to_play = Color.WHITE
        found: Verdict | None = None
        for place, prop in enumerate(content):
            if prop.ident in COLORS and prop.raw:
                values = prop.values
                verdict = self.play(move_of(values[0]) if values else NO_VALUE, COLORS[prop.ident])
                self._judged.append((place, verdict))
                if found is None or found.ok:
                    found = verdict
        for prop in content:
            if found is None:
                break
            if prop.ident == "PL" and isinstance(prop.value, Color):
                self.state.to_play = prop.value  # after the move that it is beside
            elif prop.ident == "KO" and not found.is_lost:
                found = LEGAL
        return found

    def judged(self, node: int, verdict: Verdict) -> list[tuple[int, Verdict]]:
        """Return the moves of the last node, each with its place and its own verdict."""
        if node == self.closely:
            return self._judged
        content = enumerate(self.contents[node])
        return [(place, verdict) for place, prop in content if prop.ident in COLORS]

    def _set_up(self, content: Content) -> None:
        points, limit = Group.SETUP_POINTS.idents, self._limit
        setup = [(place, prop) for place, prop in enumerate(content) if prop.ident in self._setup]
        if self._has_several:  # the order of properties means nothing, and each naming adds one
            setup.sort(key=lambda part: part[1].ident != "AE")
        for place, prop in setup:
            ident = prop.ident
            if ident in points:
                self.state.last = None
            idle = [
                index
                for index, entry in enumerate(prop.values)
                if not self._put_entry(entry, ident, limit)
            ]
            if idle and self._is_known:
                self.idle.append((place, idle))

    def _put_entry(self, entry: object, ident: str, limit: int) -> bool:
        """Carry out a value of setup, as far as it is on the board; False if it changes nothing."""
        state = self.state
        if isinstance(entry, Point):
            return self._put(entry, entry, ident, limit)
        if isinstance(entry, Rectangle):
            corners = entry.on_board(state.size)
            if corners is None:
                return True
            return self._put(*corners, ident, limit) or corners != entry.corners
        if not isinstance(entry, Invalid) and all(map(state.has, points_of(entry))):
            state.put_setting(ident, entry)
        return True

    def _put(self, low: Point, high: Point, ident: str, limit: int) -> bool:
        """Set up the points between two corners; False if they are as they were."""
        state = self.state
        if low.column >= state.size.columns or low.row >= state.size.rows:
            return True
        if state.work > limit:
            self._is_known, self.is_over = False, True
            return True
        return state.put_points(low, high, ident)

    @property
    def _limit(self) -> int:
        """The work up to which this node may go: real records stay far below.

        Of many nodes it is :data:`.MAX_WORK_PER_NODE` each, of one at most
        :data:`.MAX_WORK`, so that neither a record nor a single node is dear.
        """
        allowed = MAX_WORK + MAX_WORK_PER_NODE * self._node
        return min(allowed, self.state.work + MAX_WORK)

    def play(self, move: Any, color: Color) -> Verdict:
        """Carry out a move, legal or not; return the verdict about it.

        A move that is no move of the game, or has points off the board, leaves the board as it
        is.  What comes after it is carried out and not judged.
        """
        state = self.state
        if self._before is not None:
            self._before(self._node, color, self.closely)
        if move.__class__ is Point:
            on_board = move[0] < state.size[0] and move[1] < state.size[1]
        else:
            on_board = all(map(state.has, points_of(move)))
        if isinstance(move, Invalid) or not on_board:
            known, self._is_known = self._is_known, False
            state.number += 1
            state.last, state.to_play = None, color.opponent
            if not known:
                return NOT_JUDGED
            return OFF_BOARD if not on_board else UNREADABLE
        if state.work > MAX_WORK and state.work > self._limit:
            self._is_known, self.is_over = False, True
            return NOT_JUDGED
        verdict = state.play(move, color)
        if not self._is_known:
            return NOT_JUDGED
        self._note(verdict)
        return verdict

    # ---- many nodes ----

    def of_nodes(
        self, tape: Tape, nodes: Iterable[int], parents: Sequence[int] | None, *more: Any
    ) -> Iterator[ReplayStep]:
        state, readings, columns = self.state, self._rules.readings, tape.columns
        names, values, bounds = columns.names, columns.values, columns.bounds
        (width, height), play, is_asked = state.size, state.play, self._before is not None
        plans = Memo(self._plan)
        forks: set[int] = set()
        if parents is not None:
            forks = {above for node, above in enumerate(parents) if above != node - 1}
        past: dict[int, tuple[Any, bool]] = {}
        is_known, before = self.is_known, -1
        verdict: Verdict | None
        for node in nodes:
            if parents is not None and parents[node] != before:
                mark, self._is_known = past[parents[node]]
                self.state.rewind(mark)
                is_known = self.is_known
            before, at = node, bounds[node]
            place, color = plans[tuple(names[at : bounds[node + 1]])]
            if color is None and node:
                verdict = None
            elif color is None or place is None or not node or _are_several(values[at + place]):
                verdict = self.carry_out(node)
                is_known = self.is_known
            else:
                point, move = readings[names[at + place]][values[at + place]].played
                if (
                    point is not None  # nearly always
                    and point is move
                    and is_known
                    and not is_asked
                    and point[0] < width
                    and point[1] < height
                    and state.work <= MAX_WORK
                ):
                    verdict = play(point, color)
                    if verdict is not LEGAL:
                        is_known = self._note(verdict)
                else:
                    self._node = node
                    verdict = self.play(move, color)
                    is_known = self.is_known
            yield node, state.number, verdict, is_known, *more
            if node in forks:
                past[node] = state.mark, self._is_known

    def _plan(self, names: tuple[str, ...]) -> tuple[int | None, Color | None]:
        """Return the place of the only move among properties of such names, and its color.

        The place is None if the node has to be looked at closely, the color if nothing in it
        concerns a board.
        """
        idents = [self._rules.ident(name) for name in names]
        moves = [place for place, ident in enumerate(idents) if ident in COLORS]
        if len(moves) > 1 or not self._stops.isdisjoint(idents):
            return None, Color.BLACK
        return (moves[0], COLORS[idents[moves[0]]]) if moves else (None, None)

    def _note(self, verdict: Verdict) -> bool:
        """Take notice of a verdict; tell if the board is known after it."""
        if verdict.is_lost:
            self._is_known = False
        return self.is_known


def _are_several(values: Values) -> bool:
    return len(raws_of(values)) != 1

"""Replay: one board that goes through the nodes of a record.

The board changes in place.  Where a variation begins it is rewound, so that each node costs
what it changes.  In a text the moves are found many at a time, and only nodes with more than
a move are read.

Source: FF[4], "How to execute a move" and the properties of move and setup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.boards.grid import MAX_WORK, MAX_WORK_PER_NODE
from sgf_lark.boards.state import LEGAL, State, Verdict, points_of
from sgf_lark.model.content import Written, move_of
from sgf_lark.model.property import Content
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.model.tree import Links
from sgf_lark.schema.properties import COLORS, Group, ident_of
from sgf_lark.schema.values import Color, Invalid, Point, PointList, Rectangle, Value
from sgf_lark.values.types import NotOfType

from .start import gives_handicap

#: The verdict about a move after which or before which the board is not known: no rule judges it.
NOT_JUDGED = Verdict(reason="is not judged: the position before it is not known")

#: The verdict about a move that no board carries out.
OFF_BOARD = Verdict("point-off-board", "lies outside the board", is_lost=True)
UNREADABLE = Verdict("wrong-value", "is no move of this game", is_lost=True)

#: In place of a move without a value.
NO_VALUE = Invalid(raw="", expected="a move")

#: A node that was carried out: its number, the moves up to it, the verdict about its move, if the
#: board is known; and what the caller wants to find beside it.
Step: TypeAlias = tuple[Any, ...]


class Part(NamedTuple):
    """Consecutive nodes in a text.

    Attributes:
        first: The number of the first of them.
        start, end: Their place.
        back: The key of the position before them; -1 for that after the part before.
        key: The key under which the position after them is kept; -1 if nobody asks for it.
    """

    first: int
    start: int
    end: int
    back: int = -1
    key: int = -1


class Replay:
    """The way of a state through nodes.

    Attributes:
        state: The board as the last node leaves it.
    """

    def __init__(
        self,
        contents: Sequence[Content],
        rules: RuleSet,
        state: State,
        *,
        is_known: bool = True,
    ) -> None:
        self.contents = contents
        self.state = state
        self._is_known = is_known
        self._node = 0  # for the limit of work
        self._rules = rules
        self._setup = rules.setup | Group.SETUP_POINTS.idents
        self._has_several = rules.game.several_on_a_point

    @property
    def is_known(self) -> bool:
        """All moves before were carried out, and all pieces are known."""
        return self._is_known and self.state.is_known

    # ---- nodes ----

    def carry_out(self, node: int) -> Verdict | None:
        """Carry out setup and moves of a node.

        Returns:
            The verdict about its move: of several the first one that is illegal.  None if it
            has no move.
        """
        self._node = node
        content = self.contents[node]
        if any(prop.ident in self._setup for prop in content):
            self._set_up(content)
        if node == 0 and gives_handicap(content, self._rules):
            self.state.to_play = Color.WHITE
        found: Verdict | None = None
        for prop in content:
            if prop.ident in COLORS and prop.raw:
                values = prop.values
                verdict = self.play(move_of(values[0]) if values else NO_VALUE, COLORS[prop.ident])
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

    def _set_up(self, content: Content) -> None:
        """Carry out setup, as far as it is on the board and within the limit of its work."""
        points, limit, state = Group.SETUP_POINTS.idents, self._limit, self.state
        setup = [prop for prop in content if prop.ident in self._setup]
        if self._has_several:  # the order of properties means nothing, and each naming adds one
            setup.sort(key=lambda prop: prop.ident != "AE")
        for prop in setup:
            value = prop.value
            if prop.ident in points:
                state.last = None
            for entry in value.entries if isinstance(value, PointList) else prop.values:
                if isinstance(entry, Point):
                    self._put(entry, entry, prop.ident, limit)
                elif isinstance(entry, Rectangle):
                    corners = entry.on_board(state.size)
                    if corners is not None:
                        self._put(*corners, prop.ident, limit)
                elif not isinstance(entry, Invalid) and all(map(state.has, points_of(entry))):
                    state.put_setting(prop.ident, entry)

    def _put(self, low: Point, high: Point, ident: str, limit: int) -> None:
        """Set up the points between two corners."""
        state = self.state
        if low.column >= state.size.columns or low.row >= state.size.rows:
            return
        if state.work > limit:
            self._is_known = False
            return
        state.put_points(low, high, ident)

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
            self._is_known = False
            return NOT_JUDGED
        verdict = state.play(move, color)
        if not self._is_known:
            return NOT_JUDGED
        self._note(verdict)
        return verdict

    # ---- many nodes ----

    def of_nodes(self, nodes: Iterable[int], links: Links | None, *more: Any) -> Iterator[Step]:
        """Carry out nodes one by one.

        Args:
            nodes: Their numbers.
            links: The tree, if the nodes are all of it; None if they are a line.
            more: See :data:`Step`.
        """
        forks: set[int] = set()
        parents = None if links is None else links.parents
        if parents is not None:
            forks = {above for node, above in enumerate(parents) if above != node - 1}
        past: dict[int, tuple[Any, bool]] = {}
        for node in nodes:
            if parents is not None and parents[node] != node - 1:
                self._go_back(past[parents[node]])
            verdict = self.carry_out(node)
            yield node, self.state.number, verdict, self.is_known, *more
            if node in forks:
                past[node] = self.state.mark, self._is_known

    def of_text(
        self, written: Written, pattern: re.Pattern[str], parts: Iterable[Part], *more: Any
    ) -> Iterator[Step]:
        """Carry out the nodes of parts of a text.

        Args:
            written: The contents, with their text.
            pattern: :attr:`.RuleSet.position_moves`.
            parts: One after the other.
            more: See :data:`Step`.
        """
        text, state, find = written.text, self.state, pattern.findall
        (columns, rows), play, (board, of) = state.size, state.play, more
        readers = _Readers(self._rules)
        past: dict[int, tuple[Any, bool]] = {}
        verdict: Verdict | None
        for first, start, end, back, key in parts:
            if back >= 0:
                self._go_back(past[back])
            is_known = self.is_known
            for node, (name, bracketed, rest) in enumerate(find(text, start, end), first):
                if rest or not (node and name):
                    verdict = self._step(node, rest)
                    is_known = self.is_known
                    yield node, state.number, verdict, is_known, board, of
                    continue
                color, read = readers[name]
                try:
                    move = read(bracketed[1:-1])
                except NotOfType:
                    move = None
                if (
                    move.__class__ is Point  # nearly always
                    and is_known
                    and move[0] < columns
                    and move[1] < rows
                    and state.work <= MAX_WORK
                ):
                    verdict = play(move, color)
                    if verdict is not LEGAL:
                        is_known = self._note(verdict)
                else:
                    self._node = node
                    verdict = self.play(self._read(name, bracketed), color)
                    is_known = self.is_known
                yield node, state.number, verdict, is_known, board, of
            if key >= 0:
                past[key] = state.mark, self._is_known

    def _step(self, node: int, rest: str) -> Verdict | None:
        """Carry out a node that is more than a move, or less."""
        self._node = node
        return self.carry_out(node) if rest or not node else None

    def _note(self, verdict: Verdict) -> bool:
        """Take notice of a verdict; tell if the board is known after it."""
        if verdict.is_lost:
            self._is_known = False
        return self.is_known

    def _read(self, name: str, bracketed: str) -> Value:
        """Return the move of a text in brackets, as :attr:`.Property.values` has it."""
        values = self._rules.property(name, (bracketed[1:-1],)).values
        return move_of(values[0]) if values else NO_VALUE

    def _go_back(self, past: tuple[Any, bool]) -> None:
        mark, self._is_known = past
        self.state.rewind(mark)


class _Readers(dict[str, tuple[Color, Callable[[str], Any]]]):
    """The side that moves, and the reader of its moves, by the spellings of B and W."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, name: str) -> tuple[Color, Callable[[str], Any]]:
        self[name] = found = COLORS[ident_of(name)], self._rules.move_reader(name)
        return found


# ---- the parts of a text ----


def parts_of_main_line(written: Written) -> Iterator[Part]:
    """Yield the main line; between its nodes are only brackets."""
    yield Part(0, *written.main_line())


def parts_of_all(written: Written) -> Iterator[Part]:
    """Yield all nodes: each run of them, rewound to where it begins."""
    runs, firsts = written.runs, written.firsts
    forks = {above for run, above in enumerate(runs.parents) if above != run - 1}
    for run, above in enumerate(runs.parents):
        back = above if above != run - 1 else -1
        key = run if run in forks else -1
        yield Part(firsts[run], runs.starts[run], runs.ends[run], back, key)


def parts_to(written: Written, node: int) -> Iterator[Part]:
    """Yield the way from the root to a node."""
    for part in reversed([*written.line_to(node)]):
        yield Part(*part)

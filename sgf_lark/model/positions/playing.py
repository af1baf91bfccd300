"""Playing on the boards of a draft, whose nodes come and change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sgf_lark.boards.board import IllegalMoveError
from sgf_lark.boards.state import State, points_of
from sgf_lark.model.content import move_of
from sgf_lark.model.property import Content
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.model.tree import LinkList
from sgf_lark.schema.properties import COLORS, Category
from sgf_lark.schema.values import Color, Invalid, Point, Value

from .replay import OFF_BOARD, Replay
from .start import start

#: The property of a move by its color.
IDENTS = {color: ident for ident, color in COLORS.items()}

#: What decides about the board besides moves: setup, the size, the rules and the handicap.
CHANGING = frozenset({Category.SETUP, Category.ROOT, Category.GAME_INFO})


class Turn(NamedTuple):
    """A move that is played.

    Attributes:
        properties: The properties of its node.
        replay: The board before it.
    """

    properties: dict[str, Any]
    replay: Replay


class Playing:
    """The board after one node of a draft; moves one after another cost one move each.

    Args:
        contents: The properties of the nodes.
        links: The tree.
        rules: Reads the properties.
    """

    def __init__(self, contents: Sequence[Content], links: LinkList, rules: RuleSet) -> None:
        self._contents = contents
        self._links = links
        self._rules = rules
        self._replay: Replay | None = None
        self._node = -1  # whose board it is
        self._end = 0  # of the main line
        self._order = -1  # of the tree, for which both are known

    def forget(self, ident: str) -> None:
        """Forget the board if it may be another one after a change of a property."""
        rule = self._rules.rule(ident)
        if ident in COLORS or ident == "KO" or (rule is not None and rule.category in CHANGING):
            self._replay = None

    def end_of_main_line(self) -> int:
        """Return the last node of the main line."""
        if self._order != self._links.order:
            self._end, self._order, self._replay = 0, self._links.order, None
        child: int | None = self._end
        while child is not None:
            self._end, child = child, next(self._links.children(child), None)
        return self._end

    def judge(
        self, node: int, move: Value | tuple[int, int], color: Color | None, *, force: bool
    ) -> Turn:
        """Return a move after a node.

        Args:
            node: The node before it.
            move, color, force: See :meth:`.Draft.play`.

        Raises:
            IllegalMoveError: It may not be played.
            ValueError: The text is no move of the game, the side to move is not known, or the
                game has no board; see :func:`.start`.
        """
        replay = self._after(node)
        state = replay.state
        who = state.to_play if color is None else color
        if who is None:
            raise ValueError("the side to move is not known: give the color")
        value = self._read(state, move, who)
        is_on_board = all(map(state.has, points_of(value)))
        verdict = state.judge(value, who) if is_on_board else OFF_BOARD
        if not verdict.ok and not (force and is_on_board):
            shown = state.name_move(value) if is_on_board else "move"
            message = f"{who.name.capitalize()} {shown} {verdict.reason}"
            raise IllegalMoveError(message, verdict)
        properties: dict[str, Any] = {IDENTS[who]: value}
        if not verdict.ok and self._rules.rule("KO") is not None:
            properties["KO"] = True
        return Turn(properties, replay)

    def go_on(self, node: int, turn: Turn) -> None:
        """Carry out the new node of a move."""
        turn.replay.carry_out(node)
        self._node, self._replay = node, turn.replay

    def _read(self, state: State, move: Any, color: Color) -> Value:
        """Return a move as a value: as people write it, or as the record does."""
        if type(move) is tuple and len(move) == 2:  # noqa: PLR2004  # column and row
            return Point(*move)
        value: Value = move
        if not isinstance(move, str):
            return value
        try:
            value = state.read_move_of(move, color)
        except ValueError:
            values = self._rules.property(IDENTS[color], (move,)).values
            if not values or isinstance(values[0], Invalid | str):
                raise
            value = move_of(values[0])
        return value

    def _after(self, node: int) -> Replay:
        """Return the replay up to a node."""
        if self._order != self._links.order:
            self.end_of_main_line()
        parents, way, at = self._links.parents, [], node
        while at >= 0 and (self._replay is None or at != self._node):
            way.append(at)
            at = parents[at]
        if at < 0 or self._replay is None:
            contents = self._contents
            self._replay = Replay(contents, self._rules, start(contents, self._rules))
        for step in reversed(way):
            self._replay.carry_out(step)
        self._node = node
        return self._replay

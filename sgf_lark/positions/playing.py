"""Playing on the boards of a draft, and its points as people name them: ``Q16`` for ``pd``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from sgf_lark.core import (
    COLORS,
    HAVE_POINTS,
    BackgammonMove,
    BoardSize,
    Category,
    Color,
    Content,
    Count,
    Format,
    Invalid,
    LinkList,
    Played,
    Point,
    PropertyRule,
    Rectangle,
    RuleSet,
    Value,
    late,
    move_of,
    name_in_words,
    points_of,
    size_of_board,
)

from .board import IllegalMoveError, find_side
from .coordinates import Coordinates
from .position import find_way
from .replay import OFF_BOARD, Replay
from .start import BACKGAMMON_SIZE, USUAL_SIZE, start
from .state import State

#: The property of a move by its color.
IDENTS = {color: ident for ident, color in COLORS.items()}

#: What decides about the board besides moves: setup, the size, the rules and the handicap.
CHANGING = frozenset({Category.SETUP, Category.ROOT, Category.GAME_INFO})


class Turn(NamedTuple):
    properties: dict[str, Any]
    replay: Replay


class Playing:
    """The board after one node of a draft; moves one after another cost one move each."""

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
        if self._order != self._links.order:
            self._end, self._order, self._replay = 0, self._links.order, None
        child: int | None = self._end
        while child is not None:
            self._end, child = child, next(self._links.children(child), None)
        return self._end

    def judge(
        self, node: int, move: Value | tuple[int, int], color: Color | str | None, *, force: bool
    ) -> Turn:
        """Return a move after a node.

        Raises:
            IllegalMoveError: It may not be played.
            ValueError: The text is no move of the game, the side to move is not known, or the
                game has no board; see :func:`.start`.
        """
        replay = self._after(node)
        state = replay.state
        move, who = find_side(move, color, state.to_play)
        value = self._read(state, move, who)
        is_on_board = all(map(state.has, points_of(value)))
        verdict = state.judge(value, who) if is_on_board else OFF_BOARD
        if not verdict.ok and not (force and is_on_board):
            shown = state.name_move(value) if is_on_board else "move"
            message = f"{who.name.capitalize()} {shown} {verdict.reason}"
            raise IllegalMoveError(message, verdict)
        is_ggf = self._rules.format is Format.GGF
        properties: dict[str, Any] = {IDENTS[who]: Played(move=value) if is_ggf else value}
        if not verdict.ok and self._rules.rule("KO") is not None:
            properties["KO"] = True
        return Turn(properties, replay)

    def go_on(self, node: int, turn: Turn) -> None:
        turn.replay.carry_out(node)
        self._node, self._replay = node, turn.replay

    def _read(self, state: State, move: Any, color: Color) -> Value:
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
        if self._order != self._links.order:
            self.end_of_main_line()
        known = () if self._replay is None else (self._node,)
        at, way = find_way(self._links.parents, node, known)
        if at < 0 or self._replay is None:
            contents = self._contents
            self._replay = Replay(contents, self._rules, start(contents, self._rules))
        for step in way:
            self._replay.carry_out(step)
        self._node = node
        return self._replay


# ---- names ----


def namer(contents: Sequence[Content], rules: RuleSet) -> Callable[[Value], str | None]:
    """Return the function that names moves on the board of a game.

    Its result is None for an invalid move and one off the board; without a board, for all.
    """
    try:
        state = start(contents, rules)
    except ValueError:  # no board is known
        return lambda _: None

    def name(move: Value) -> str | None:
        if isinstance(move, Invalid | str) or not all(map(state.has, points_of(move))):
            return None
        return str(move) if isinstance(move, BackgammonMove) else state.name_move(move)

    return name


# ---- points by their names ----


def read_names(rule: PropertyRule, value: Any, root: Content, rules: RuleSet) -> Any:
    """Return a value for :func:`.write_values` with points in the place of their names.

    Args:
        value: A text, column and row, or a list of them; a point of a composed value likewise.

    Raises:
        ValueError: There is something else in it, or no such point.
    """
    game = rules.game
    if game.grammar is None or not rule.has_points or not game.has_board:
        raise ValueError(f"{rule.ident} of {name_in_words(game.name)} has no points with names")
    size = BACKGAMMON_SIZE if game.has_bar else size_of_board(root, rules)
    names = Coordinates.of(game.number, size or USUAL_SIZE, is_ggf=rules.format is Format.GGF)
    if rule.ident in COLORS:
        return _read_move(value, COLORS[rule.ident], names, rules)
    kinds = next((kinds for kinds in rule.types if HAVE_POINTS.intersection(kinds)), ())
    if rule.count is Count.ONE:
        return _read(value, kinds, names)
    if isinstance(value, str) or _is_place(value):
        return [_read(value, kinds, names)]
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise ValueError(f"no points: {value!r}")  # noqa: TRY004  # as for any other value
    return [_read(item, kinds, names) for item in value]


def _is_place(value: Any) -> bool:
    is_pair = type(value) is tuple and len(value) == 2  # noqa: PLR2004
    return is_pair and all(isinstance(at, Integral) and not isinstance(at, bool) for at in value)


def _read(value: Any, kinds: tuple[str, ...], names: Coordinates) -> Any:
    if len(kinds) == 1:
        if isinstance(value, str) and ":" in value:
            first, second = (names.point(part) for part in value.split(":", 1))
            low, high = Rectangle(first=first, second=second).corners or (first, second)
            return low if low == high else Rectangle(first=low, second=high)
        return _read_point(value, names)
    if isinstance(value, str):
        value = tuple(value.split(":", 1))
    if type(value) is not tuple or len(value) != len(kinds):
        raise ValueError(f"no pair: {value!r}")
    return tuple(
        _read_point(part, names) if kind in HAVE_POINTS else part
        for kind, part in zip(kinds, value, strict=True)
    )


def _read_point(value: Any, names: Coordinates) -> Point:
    if isinstance(value, str):
        return names.point(value)
    if isinstance(value, Point):
        return value
    if _is_place(value):
        return names.point(names.name(Point(*value)))
    raise ValueError(f"no point: {value!r}")


def _read_move(value: Any, color: Color, names: Coordinates, rules: RuleSet) -> Value:
    state = late.find_state(rules.game.number)
    if not isinstance(value, str) or state is None:
        return _read_point(value, names)
    move: Value = state(BoardSize(*names.size)).read_move_of(value, color)
    return move

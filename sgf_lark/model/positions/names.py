"""Values with points as people name them: ``Q16`` for ``pd``, or column and row from 0."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sgf_lark.boards.board import STATES, state_class
from sgf_lark.boards.coordinates import Coordinates
from sgf_lark.model.property import Content
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.schema.formats import Format
from sgf_lark.schema.properties import COLORS, HAVE_POINTS, Count, PropertyRule
from sgf_lark.schema.values import BoardSize, Color, Point, Rectangle, Value

from .start import BACKGAMMON_SIZE, USUAL_SIZE, size_of_board


def read_names(rule: PropertyRule, value: Any, root: Content, rules: RuleSet) -> Any:
    """Return a value for :func:`.write_values` with points in the place of their names.

    Args:
        rule: The property.
        value: A text, column and row, or a list of them; a point of a composed value likewise.
        root: The first node, which gives the size of the board.
        rules: Of the game.

    Raises:
        ValueError: There is something else in it, or no such point.
    """
    game = rules.game
    if game.grammar is None or not rule.has_points:
        raise ValueError(f"{rule.ident} of {game.name} has no points with names")
    size = size_of_board(root, rules) if game.has_board else BACKGAMMON_SIZE
    names = Coordinates(game.number, size or USUAL_SIZE, rules.format is Format.GGF)
    if rule.ident in COLORS:
        return _read_move(value, COLORS[rule.ident], names, rules)
    kinds = next((kinds for kinds in rule.types if HAVE_POINTS.intersection(kinds)), ())
    if rule.count is Count.ONE:
        return _read(value, kinds, names)
    if isinstance(value, str) or _is_place(value):
        return [_read(value, kinds, names)]
    if not isinstance(value, Iterable):
        raise ValueError(f"no points: {value!r}")  # noqa: TRY004  # as for any other value
    return [_read(item, kinds, names) for item in value]


def _is_place(value: object) -> bool:
    """It is column and row."""
    return type(value) is tuple and len(value) == 2 and all(type(part) is int for part in value)  # noqa: PLR2004


def _read(value: Any, kinds: tuple[str, ...], names: Coordinates) -> Any:
    """Return one value: a point, a rectangle, or a pair."""
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
    """Return the point of a name, or of column and row."""
    if isinstance(value, str):
        return names.point(value)
    if isinstance(value, Point):
        return value
    if _is_place(value):
        return names.point(names.name(Point(*value)))
    raise ValueError(f"no point: {value!r}")


def _read_move(value: Any, color: Color, names: Coordinates, rules: RuleSet) -> Value:
    """Return a move as people write it."""
    if not isinstance(value, str) or rules.game.number not in STATES:
        return _read_point(value, names)
    state = state_class(rules.game.number)(BoardSize(*names.size))
    return state.read_move_of(value, color)

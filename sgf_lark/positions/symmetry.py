"""Symmetries: boards turned and mirrored, and the sides exchanged, so that the rules stay.

A symmetry is a map of points.  In some games it exchanges the sides as well: in Hex each side
connects two edges of its own, and a reflection in a diagonal exchanges the edges.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from sgf_lark.core import (
    AmazonsMove,
    BackgammonMove,
    BoardSize,
    Color,
    Composed,
    CubeOwner,
    LinkCenter,
    OctiMove,
    OctiStep,
    Played,
    Pod,
    Point,
    ProngMove,
    Rectangle,
    Step,
    Value,
    late,
)


class Symmetry(StrEnum):
    """The eight symmetries of a square, as maps of columns and rows.

    Their names are those of a board that is drawn with row 0 at the top.  (Lines of Action and
    Octi have it at the bottom; there turns go the other way round.)
    """

    IDENTITY = "identity"
    ROTATE_90 = "rotate-90"  # a quarter turn clockwise
    ROTATE_180 = "rotate-180"
    ROTATE_270 = "rotate-270"
    FLIP_COLUMNS = "flip-columns"  # left and right are exchanged
    FLIP_ROWS = "flip-rows"  # top and bottom are exchanged
    TRANSPOSE = "transpose"  # columns become rows: the upper left corner stays
    ANTITRANSPOSE = "antitranspose"  # the upper right corner stays

    @property
    def exchanges_axes(self) -> bool:
        """Columns become rows: a board that is not square gets another size."""
        return _PARTS[self][0]

    def size(self, size: BoardSize) -> BoardSize:
        """Return the size of a board after the symmetry."""
        return BoardSize(size.rows, size.columns) if self.exchanges_axes else size

    def point(self, point: Point, size: BoardSize) -> Point:
        """Return where a point goes.

        Args:
            point: Columns and rows from 0.
            size: Of the board before the symmetry.
        """
        column, row = point
        exchanges, flips_columns, flips_rows = _PARTS[self]
        if exchanges:
            column, row = row, column
        columns, rows = self.size(size)
        return Point(
            columns - 1 - column if flips_columns else column,
            rows - 1 - row if flips_rows else row,
        )

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that takes this one back."""
        exchanges, flips_columns, flips_rows = _PARTS[self]
        return _NAMES[(exchanges, flips_rows, flips_columns)] if exchanges else self

    def then(self, other: Symmetry) -> Symmetry:
        """Return the symmetry that is this one followed by another one."""
        exchanges, flips_columns, flips_rows = _PARTS[self]
        others, columns, rows = _PARTS[other]
        if others:
            flips_columns, flips_rows = flips_rows, flips_columns
        return _NAMES[(exchanges ^ others, flips_columns ^ columns, flips_rows ^ rows)]


#: Columns and rows are exchanged; then columns are counted from the other end; and rows.
_PARTS = {
    Symmetry.IDENTITY: (False, False, False),
    Symmetry.ROTATE_90: (True, True, False),
    Symmetry.ROTATE_180: (False, True, True),
    Symmetry.ROTATE_270: (True, False, True),
    Symmetry.FLIP_COLUMNS: (False, True, False),
    Symmetry.FLIP_ROWS: (False, False, True),
    Symmetry.TRANSPOSE: (True, False, False),
    Symmetry.ANTITRANSPOSE: (True, True, True),
}
_NAMES = {parts: symmetry for symmetry, parts in _PARTS.items()}


class Symmetries(NamedTuple):
    """The symmetries that keep the rules of a game."""

    keeping: frozenset[Symmetry] = frozenset({Symmetry.IDENTITY})
    exchanging: frozenset[Symmetry] = frozenset()
    # the one with which the sides are exchanged, so that each plays as the other did
    recoloring: Symmetry = Symmetry.IDENTITY


#: Of a game whose rules no turn and no mirror changes.
ALL_SYMMETRIES = Symmetries(frozenset(Symmetry))

#: Of a game whose rules are not known.
NO_SYMMETRIES = Symmetries()

#: The directions of the prongs of Octi, A to H, in columns and rows.
_PRONGS = dict(
    zip(
        "ABCDEFGH",
        ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
        strict=True,
    )
)


class Transformation(NamedTuple):
    """A symmetry of a game: where its points go, and if its sides are exchanged."""

    game: int | None
    size: BoardSize
    symmetry: Symmetry
    exchanges_sides: bool = False

    @property
    def new_size(self) -> BoardSize:
        return self.symmetry.size(self.size)

    @property
    def inverse(self) -> Transformation:
        return self._replace(size=self.new_size, symmetry=self.symmetry.inverse)

    def point(self, point: Point) -> Point:
        return self.symmetry.point(point, self.size)

    def color(self, color: Color) -> Color:
        return color.opponent if self.exchanges_sides else color

    def prongs(self, prongs: str) -> str:
        origin = self.symmetry.point(Point(0, 0), BoardSize(1, 1))
        turned = []
        for prong in prongs:
            column, row = self.symmetry.point(Point(*_PRONGS[prong]), BoardSize(1, 1))
            turned.append(_PRONG_NAMES[column - origin.column, row - origin.row])
        return "".join(sorted(turned))

    def value(self, value: Value) -> Value:
        """Return what becomes of a move or another value: its points, its sides, its prongs.

        A value that names none of them stays as it is.

        Raises:
            ValueError: It cannot be written: a link of Twixt before 2021 that is no shallow one.
        """
        change = _CHANGES.get(type(value))
        return value if change is None else change(self, value)

    def owner(self, owner: CubeOwner) -> CubeOwner:
        sides = (CubeOwner.BLACK, CubeOwner.WHITE)
        if not self.exchanges_sides or owner not in sides:
            return owner
        return sides[owner is CubeOwner.BLACK]

    def parts(self, value: Value) -> tuple[Value, ...]:
        """Return a value, or a rectangle cut so that each part becomes a rectangle again."""
        return (value,)

    def rectangle(self, value: Rectangle) -> Rectangle:
        """Return what becomes of one of :meth:`parts`, with its upper left corner first."""
        if value.corners is None:
            return value
        first, second = map(self.point, value.corners)
        low = Point(min(first.column, second.column), min(first.row, second.row))
        high = Point(max(first.column, second.column), max(first.row, second.row))
        return Rectangle(first=low, second=high)

    def link_center(self, value: LinkCenter) -> LinkCenter:
        """Return the center of a shallow link: half a row below its point."""
        if self.symmetry.exchanges_axes:
            raise ValueError("the center of a steep link cannot be written")
        below = Point(value.point.column, value.point.row + 1)
        return LinkCenter(point=min(self.point(value.point), self.point(below)))

    def pod(self, value: Pod) -> Pod:
        return Pod(point=self.point(value.point), prongs=self.prongs(value.prongs))

    def prong_move(self, value: ProngMove) -> ProngMove:
        return ProngMove(
            pod=self.pod(value.pod),
            prong=self.prongs(value.prong),
            superprong=value.superprong,
            to=None if value.to is None else self.prongs(value.to),
        )

    def octi_move(self, value: OctiMove) -> OctiMove:
        moves = []
        for pod, steps in value.moves:
            turned = []
            for step in steps:
                captured = tuple(map(self.prongs, step.captured))
                turned.append(OctiStep(target=self.point(step.target), captured=captured))
            moves.append((self.pod(pod), tuple(turned)))
        return OctiMove(moves=tuple(moves))


#: What becomes of values, by their types.
_CHANGES: dict[type, Callable[[Transformation, Any], Value]] = {
    Point: lambda to, value: to.point(value),  # which a game may override
    Color: Transformation.color,
    CubeOwner: Transformation.owner,
    Rectangle: Transformation.rectangle,
    LinkCenter: Transformation.link_center,
    Pod: Transformation.pod,
    ProngMove: Transformation.prong_move,
    OctiMove: Transformation.octi_move,
    Composed: lambda to, value: Composed(
        first=to.value(value.first), second=to.value(value.second)
    ),
    Step: lambda to, value: Step(
        origin=to.point(value.origin), target=to.point(value.target), capture=value.capture
    ),
    AmazonsMove: lambda to, value: AmazonsMove(
        origin=to.point(value.origin),
        target=to.point(value.target),
        arrow=to.point(value.arrow),
    ),
    BackgammonMove: lambda to, value: BackgammonMove(
        dice=value.dice,
        pairs=tuple((to.point(origin), to.point(target)) for origin, target in value.pairs),
    ),
    Played: lambda to, value: value.model_copy(update={"move": to.value(value.move)}),
}


_PRONG_NAMES = {direction: prong for prong, direction in _PRONGS.items()}


@lru_cache(maxsize=1 << 6)
def symmetries(game: int | None, size: BoardSize) -> tuple[Transformation, ...]:
    """Return the symmetries of a board: those that keep the rules of its game and its size.

    The first one is the identity.
    """
    found = []
    for symmetry in Symmetry:
        if not is_symmetry(game, symmetry):
            continue
        new = transformation(game, size, symmetry)
        if new.new_size == size:
            found.append(new)
    return tuple(found)


def _of_game(game: int | None) -> tuple[Symmetries, type[Transformation]]:
    state = late.find_state(game)
    if state is None:
        return NO_SYMMETRIES, Transformation
    return state.symmetries, state.transformation


def is_symmetry(game: int | None, symmetry: Symmetry) -> bool:
    kept, _ = _of_game(game)
    return symmetry in kept.keeping or symmetry in kept.exchanging


def transformation(game: int | None, size: BoardSize, symmetry: Symmetry) -> Transformation:
    """Return a symmetry of a game (ValueError: it does not keep the rules of the game)."""
    if not is_symmetry(game, symmetry):
        raise ValueError(f"{symmetry} does not keep the rules of this game")
    kept, kind = _of_game(game)
    return kind(game, size, symmetry, symmetry in kept.exchanging)


def recoloring(game: int | None, size: BoardSize) -> Transformation:
    """Return the exchange of the sides, so that each plays as the other one did.

    Where the sides differ in more than color, the board is turned as well: transposed in Hex and
    Twixt, by half a turn in Octi and backgammon.
    """
    kept, kind = _of_game(game)
    return kind(game, size, kept.recoloring, exchanges_sides=True)

"""Contents of points in characters: a stone, its number, marks, labels."""

from __future__ import annotations

from collections import defaultdict

from sgf_lark.pictures.diagram import Diagram
from sgf_lark.pictures.parts import BoardKind, Stone
from sgf_lark.schema.values import Color, Point

from .signs import Signs, clean, cut_text

#: Columns of a label on the board; a longer one is listed under it.
MAX_LABEL_WIDTH = 3


class Contents:
    """The points of a diagram in the characters of a style."""

    def __init__(self, diagram: Diagram, signs: Signs) -> None:
        self._signs = signs
        self._diagram = diagram
        self._stones = {stone.point: stone for stone in diagram.stones}
        self._hidden = None if diagram.view is None else set(diagram.view)
        self._missing = set(diagram.missing)
        self._dim = set(diagram.dim)
        self._hoshi = set(diagram.hoshi)
        self._notes: defaultdict[Point, str] = defaultdict(str)
        self._used: dict[str, str] = {}
        self._collect()

    def _collect(self) -> None:
        """Find what is written on each point, beside its stone."""
        diagram, signs, notes = self._diagram, self._signs, self._notes
        for point, number in diagram.numbers:
            notes[point] += str(number)
        for label in (*diagram.labels, *diagram.variations):
            text = clean(label.text)
            if not signs.line and not text.isascii():
                text = "?"
            notes[label.point] += cut_text(text, MAX_LABEL_WIDTH, signs.more)
        for mark in diagram.marks:
            sign = signs.marks[mark.kind]
            notes[mark.point] += sign
            if not signs.line or mark.kind not in _CLEAR:
                self._used[sign] = mark.kind.value
        for point, color in diagram.territory:
            sign = signs.areas[color is Color.WHITE]
            notes[point] += sign
            self._used[sign] = f"{color.name.lower()} territory"

    def key(self) -> str:
        """Return the meaning of the marks that are used; empty if there are none."""
        order = sorted(self._used.items(), key=lambda item: item[1])
        return "  ".join(f"{sign} {meaning}" for sign, meaning in order)

    def at(self, point: Point) -> str:
        """Return what is on a point; a space for one that is not shown."""
        if point in self._missing or (self._hidden is not None and point not in self._hidden):
            return " "
        notes = self._notes.get(point, "")
        stone = self._stones.get(point)
        if stone is not None:
            return self._stone(stone) + notes
        return notes or self._empty(point)

    def _stone(self, stone: Stone) -> str:
        signs, side = self._signs, _SIDES[stone.color]
        if stone.point in self._dim and stone.color is not None:
            sign = signs.dim[side]
        else:
            sign = signs.pieces.get(stone.piece, signs.pieces["stone"])[side]
        return sign + (str(stone.amount) if stone.amount > 1 else "") + clean(stone.prongs)

    def _empty(self, point: Point) -> str:
        """Return the sign of an empty point."""
        signs = self._signs
        if point in self._dim:
            return signs.dim[2]
        if self._diagram.kind is not BoardKind.LINES:
            return signs.empty
        if point in self._hoshi:
            return signs.hoshi
        columns, rows = self._diagram.size
        at_row = 0 if point.row == 0 else 2 if point.row == rows - 1 else 1
        if self._diagram.rows_from_bottom:
            at_row = 2 - at_row
        return signs.cross[at_row][_third(point.column, columns)]


#: Marks whose signs look like their names.
_CLEAR = {"circle", "cross", "square", "triangle"}

_SIDES = {Color.BLACK: 0, Color.WHITE: 1, None: 2}


def _third(at: int, length: int) -> int:
    """Return 0 at the beginning, 2 at the end, 1 between."""
    return 0 if at == 0 else 2 if at == length - 1 else 1

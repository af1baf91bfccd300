"""Records on a board that is turned or mirrored, or with the sides exchanged.

Every value that names a point or a side is rewritten; the rest keeps its text.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, TypeVar

from sgf_lark.core import (
    COLORS,
    SETUP,
    VIEW_CORNERS,
    BoardSize,
    Color,
    Composed,
    Content,
    Draft,
    Format,
    GameNumber,
    Group,
    InitialBoard,
    Invalid,
    Nodes,
    Played,
    Pod,
    Point,
    PropertyRule,
    Reading,
    Rectangle,
    Result,
    RuleSet,
    Value,
    late,
    name_in_words,
    plain,
    points_of,
    size_of_board,
    write_value,
)

from .start import BACKGAMMON_SIZE, USUAL_SIZE, gives_handicap, is_set_up, start
from .symmetry import Symmetry, Transformation, recoloring, transformation

G = TypeVar("G")

#: Of one side, and of the other.
SIDES = str.maketrans("BW", "WB")

#: The same of results, which GGF gives in view of the first color.
SIGNS = str.maketrans("BW+-", "WB-+")

#: The groups of properties of which each side has one.
OF_SIDES = frozenset({Group.BLACK, Group.WHITE})

#: What is good for one of them.
GOOD_FOR = frozenset({"GB", "GW"})

#: Words for the sides: the scores in MI of backgammon; who adds stones, in AS of Lines of Action.
WORDS = {"bs": "ws", "ws": "bs", "black": "White", "white": "Black"}

#: Properties in whose texts a side is named by a word or a sign.
NAMING = frozenset(["AS", "KM", "MI", "RE", "V"])

#: Types of values that name a side or have points, besides those of lists of points and of moves.
TYPES = frozenset({("board",), ("color",)})

#: The properties of setup that put a piece of each color down.
ADDS = {color: ident for ident, color in SETUP.items() if color is not None}

#: A value of two parts: the first one, up to a colon that no backslash escapes, and the rest.
_PARTS = re.compile(r"((?:[^:\\]|\\.)*)(:.*)", re.DOTALL)


def transformation_of(nodes: Nodes, symmetry: Symmetry | str) -> Transformation:
    """Return a symmetry of a game of that many columns and rows."""
    return transformation(nodes.rules.game.number, _size(nodes), Symmetry(symmetry))


def recoloring_of(nodes: Nodes) -> Transformation:
    """Return the exchange of the sides of a game (ValueError: no rules of the game are known)."""
    game = nodes.rules.game
    if late.find_state(game.number) is None:
        raise ValueError(
            f"the sides of {name_in_words(game.name)} cannot be exchanged: no rules are known"
        )
    return recoloring(game.number, _size(nodes))


def _size(nodes: Nodes) -> BoardSize:
    rules = nodes.rules
    if rules.game.has_bar:
        return BACKGAMMON_SIZE
    return size_of_board(nodes.contents[0], rules) or USUAL_SIZE


def transform(draft: Draft[G], nodes: Nodes, way: Transformation) -> G:
    """Return the game of a draft after a transformation."""
    writer = _PropertyWriter(nodes.rules, way)
    for node, content in enumerate(nodes.contents):
        changed = writer.change(content)
        if changed != content:
            draft.put(node, changed)
    root = _with_start(nodes, way, [draft.properties(node) for node in draft.walk()])
    if way.exchanges_sides and nodes.rules.format is not Format.GGF:
        root = _with_turn(nodes, root)
    draft.put(draft.root, root)
    return draft.done(strict=False)


def _with_start(nodes: Nodes, way: Transformation, contents: list[Content]) -> Content:
    """Return the first node with the setup that makes the start of a game what it becomes."""
    rules, root = nodes.rules, contents[0]
    if late.find_state(rules.game.number) is None or is_set_up(root):
        return root
    try:
        before, after = start(nodes.contents, rules), start(contents, rules)
    except ValueError:
        return root
    pieces = sorted(
        stone._replace(
            point=way.point(stone.point),
            color=way.color(stone.color),
            prongs=way.prongs(stone.prongs),
        )
        for stone in before.pieces()
        if stone.color is not None
    )
    if not before.is_known or pieces == sorted(after.pieces()):
        return root
    for color, ident in ADDS.items():
        values = [
            Pod(point=stone.point, prongs=stone.prongs) if stone.prongs else stone.point
            for stone in pieces
            if stone.color is color
            for _ in range(stone.amount)
        ]
        rule = rules.rule(ident)
        if values and rule is not None:
            raws = tuple([write_value(rule, value, rules.reader) for value in values])
            root = (*root, rules.property(ident, raws))
    return root


def _with_turn(nodes: Nodes, root: Content) -> Content:
    """Return the first node with PL, if the side that begins is not the one that always does."""
    rules, before = nodes.rules, nodes.contents[0]
    if rules.rule("PL") is None or any(prop.ident in {"PL", *COLORS} for prop in before):
        return root
    try:
        usual = start(nodes.contents, rules).to_play
    except ValueError:
        usual = rules.game.first_color
    if usual is None or gives_handicap(before, rules):  # then the other side begins now
        return root
    return (*root, rules.property("PL", (usual.opponent.value,)))


class _PropertyWriter:
    def __init__(self, rules: RuleSet, way: Transformation) -> None:
        self._rules = rules
        self._way = way
        self._sides = way.exchanges_sides

    def change(self, content: Content) -> Content:
        # HA counts black stones (FF[4], Go, HA)
        lost = "HA" if self._sides and self._rules.game.number == GameNumber.GO else None
        return tuple([self._change(prop) for prop in content if prop.ident != lost])

    def _change(self, prop: Reading) -> Reading:
        if prop.rule is None:
            return prop
        raws, name = prop.raw, prop.name
        if self._sides and (OF_SIDES.intersection(prop.rule.groups) or prop.ident in GOOD_FOR):
            name = prop.ident.translate(SIDES)
        if self._may_change(prop.rule):
            raws = self._rewrite(prop.rule, prop)
        return prop if (name, raws) == (prop.name, prop.raw) else self._rules.property(name, raws)

    def _may_change(self, rule: PropertyRule) -> bool:
        if rule.has_points or rule.ident in Group.BOARD.idents or TYPES.intersection(rule.types):
            return True
        return self._sides and (rule.ident in NAMING or rule.form == "cube_owner")

    def _rewrite(self, rule: PropertyRule, prop: Reading) -> tuple[str, ...]:
        values = prop.values
        if (
            rule.ident == "VW"
            and rule.format is not Format.FF4
            and len(values) == VIEW_CORNERS
            and all(isinstance(value, Point) and self._has(value) for value in values)
        ):
            corners = Rectangle(first=values[0], second=values[1])
            turned = self._way.rectangle(corners).corners or ()
            return tuple([self._write(rule, point) for point in turned])
        raws: list[str] = []
        for value, raw in zip(values, prop.raw, strict=False):
            parts = self._way.parts(value)
            if parts == (value,):
                raws.append(self._raw(rule, value, raw))
            else:
                raws += [self._write(rule, self._way.value(part)) for part in parts]
        return (*raws, *prop.raw[len(values) :])

    def _raw(self, rule: PropertyRule, value: Value, raw: str) -> str:
        """Return the raw text of a value after the transformation; the same if it stays."""
        if isinstance(value, Invalid) or not all(map(self._has, points_of(value))):
            return raw
        if self._sides and rule.ident in NAMING and not rule.has_points:
            return _exchange(value, raw)
        if isinstance(value, BoardSize):
            new: Value = value if self._way.new_size == self._way.size else self._way.new_size
        elif isinstance(value, InitialBoard):
            new = self._board(value)
        else:
            new = self._way.value(value)
        return raw if new == value else self._write_like(rule, new, raw)

    def _write_like(self, rule: PropertyRule, value: Value, raw: str) -> str:
        """Return the raw text of a value; what names no point stays as another text has it."""
        if isinstance(value, Played):
            _, slash, rest = raw.partition("/")
            return self._write(rule, Played(move=value.move)) + slash + rest
        old = _PARTS.fullmatch(raw)
        if isinstance(value, Composed) and isinstance(value.second, str) and old is not None:
            new = _PARTS.fullmatch(self._write(rule, (value.first, "x")))
            return raw if new is None else new[1] + old[2]
        return self._write(rule, value)

    def _has(self, point: Point) -> bool:
        columns, rows = self._way.size
        return point.column < columns and point.row < rows

    def _write(self, rule: PropertyRule, value: Any) -> str:
        return write_value(rule, value, self._rules.reader)

    def _board(self, value: InitialBoard) -> InitialBoard:
        """Return the first board of GGF; a short row is in the middle of its line."""
        columns, rows = self._way.new_size
        old = [row.center(self._way.size.columns) for row in value.rows]
        new = [[" "] * columns for _ in range(rows)]
        swap = str.maketrans("*O", "O*") if self._sides else {}
        for row, cells in enumerate(old):
            for column, cell in enumerate(cells):
                point = self._way.point(Point(column, row))
                new[point.row][point.column] = cell.translate(swap)
        turned = tuple("".join(row).strip(" ") for row in new)
        turn = self._way.color(value.to_move)
        return value.model_copy(update={"rows": turned, "to_move": turn})


def _exchange(value: Value, raw: str) -> str:
    """Return a text in which the sides are named by a word or a sign, for the other sides."""
    match value:
        case Result(winner=Color()):
            winner, rest = raw.lstrip()[:1], raw.lstrip()[1:]
            return winner.translate(SIGNS) + rest
        case Decimal() | int() if value and not isinstance(value, bool):
            return plain(-Decimal(value))
        case Composed(first=str(first)) if first.lower() in WORDS:
            return WORDS[first.lower()] + raw[raw.index(":") :]
        case str() if value.lower() in WORDS:
            return WORDS[value.lower()]
    return raw

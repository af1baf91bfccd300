"""Transformers from the parse trees of games' own values to Python values, one a grammar.

The grammars are ``games/*.lark``.  As everywhere, points count from 0; which way rows run,
see :class:`~sgf_lark.core.schema.values.Point`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sgf_lark.core.schema.points import LETTERS, column_number
from sgf_lark.core.schema.values import (
    PASS,
    Action,
    AmazonsMove,
    BackgammonMove,
    BackgammonRules,
    Color,
    Composed,
    CubeOwner,
    Dice,
    Ending,
    LinkCenter,
    OctiMove,
    OctiStep,
    OthelloType,
    Pod,
    Point,
    ProngMove,
    Result,
    Step,
)

from .methods import Children, GgfMethods, SgfMethods, ValueMethods, always, build

if TYPE_CHECKING:
    from lark import Token


def letter(text: str) -> int:
    """Return a column or row of one letter, from 0: a..z are 0..25, A..Z are 26..51."""
    return ord(text) - (ord("a") if text.islower() else ord("A") - 26)


#: Limit in letters: long numbers cost the square of their length, and no board is that wide.
MAX_COLUMN_LETTERS = 16


def letters(text: str) -> int:
    """Return a column in letters of any case, from 0: a..z are 0..25, aa..az 26..51, ba is 52."""
    if len(text) > MAX_COLUMN_LETTERS:
        raise ValueError(f"a column has at most {MAX_COLUMN_LETTERS} letters")
    return column_number(text.lower(), LETTERS)


def _whole_point(_: ValueMethods, children: Children) -> Point:
    """Return the point that a terminal is."""
    point: Point = children[0]
    return point


class PointValues(ValueMethods):
    """Base: a point is a column and a row, in two letters or in letters and digits."""

    def point(self, children: Children) -> Point:
        return Point(*children)

    def COORDINATE(self, token: Token) -> int:
        return letter(token)

    def COLUMN(self, token: Token) -> int:
        return letters(token)

    def ROW(self, token: Token) -> int:
        return int(token) - 1


class GoValues(PointValues):
    """Values of games/go.lark."""

    COORDINATE_TO_S = PointValues.COORDINATE
    passing = always(PASS)


class GomokuValues(PointValues):
    """Values of games/gomoku.lark."""

    passing = always(PASS)


class OthelloValues(PointValues):
    """Values of games/othello.lark."""

    point_go_style = build(Point)
    passing = always(PASS)

    def SIZE(self, token: Token) -> tuple[str, int]:
        return "size", int(token)

    SYNCHRO = always(("synchro", True))
    KOMI = always(("komi", True))
    ANTI = always(("anti", True))

    def RANDOM(self, token: Token) -> tuple[str, int]:
        return "random", int(token[1:] or 0)

    def PREFERENCE(self, token: Token) -> tuple[str, Color]:
        return "preference", Color(token.upper())

    def game_type(self, children: Children) -> OthelloType:
        parts = dict(children)
        if len(parts) < len(children):
            raise ValueError("each part of a game type once")
        return OthelloType(**parts)


class BackgammonValues(SgfMethods):
    """Values of games/backgammon.lark; texts and results are those of SGF."""

    DIE = NUMBER = int
    POINTS = Decimal
    point = _whole_point  # type: ignore[assignment]  # no text here
    action = build(Action, "word")
    cube_owner = build(CubeOwner)
    match_information = build(Composed, "first", "second")

    def POINT(self, token: Token) -> Point:
        return Point(letter(token), 0)

    def pair(self, children: Children) -> tuple[Point, Point]:
        origin, target = children
        return origin, target

    def roll(self, children: Children) -> BackgammonMove:
        first, second, *pairs = children
        return BackgammonMove(dice=(first, second), pairs=tuple(pairs))

    def dice(self, children: Children) -> Dice:
        first, second = children
        return Dice(dice=(first, second))

    def rules(self, children: Children) -> BackgammonRules:
        rule, *game = children
        return BackgammonRules(rule=rule, crawford_game=any(game))

    def win(self, children: Children) -> Result:
        winner, *how = children
        margin = next((part for part in how if isinstance(part, Decimal)), None)
        ending = next((part for part in how if isinstance(part, Ending)), None)
        return Result(winner=Color(winner), margin=margin, ending=ending)

    def NUMBER_TAG(self, token: Token) -> str:
        return token.lower().removesuffix(":")


class LinesOfActionValues(PointValues):
    """Values of games/lines_of_action.lark; words in lower case, whatever the file has."""

    passing = always(PASS)

    def word(self, children: Children) -> str:
        text: str = children[0]
        return text.lower()

    def action(self, children: Children) -> Action:
        return Action(word=children[0].lower())

    def invert_y_axis(self, children: Children) -> bool:
        return self.word(children) == "true"

    def SEPARATOR(self, token: Token) -> bool:
        return str(token) == ":"

    def step(self, children: Children) -> Step:
        origin, capture, target, *_ = children
        return Step(origin=origin, target=target, capture=capture)


class HexValues(ValueMethods):
    """Values of games/hex.lark; words in lower case, whatever the file has."""

    COORDINATE = PointValues.COORDINATE
    point = _whole_point
    point_go_style = build(Point)
    passing = always(PASS)
    action = LinesOfActionValues.action

    def CELL(self, token: Token) -> Point:
        column = token.rstrip("0123456789")
        return Point(letters(column), int(token[len(column) :]) - 1)

    def viewer_setting(self, children: Children) -> Composed:
        keyword, value = children
        return Composed(first=keyword.lower(), second=value.lower())


class AmazonsValues(PointValues):
    """Values of games/amazons.lark; a row of GGF counts from the first row of its BO."""

    move = build(AmazonsMove, "origin", "target", "arrow")


class OctiValues(ValueMethods):
    """Values of games/octi.lark."""

    point = _whole_point

    def POINT(self, token: Token) -> Point:
        column, row = token
        return Point(int(column) - 1, int(row) - 1)

    def stone(self, children: Children) -> Pod:
        return _pod(*children)

    def new_prong(self, children: Children) -> ProngMove:
        *pod, prong, superprong = children
        return ProngMove(pod=_pod(*pod), prong=prong, superprong=superprong is not None)

    def turned_prong(self, children: Children) -> ProngMove:
        *pod, prong, to = children
        return ProngMove(pod=_pod(*pod), prong=prong, to=to)

    def travels(self, children: Children) -> OctiMove:
        *first, steps = children[:3]
        return OctiMove(moves=((_pod(*first), steps), *children[3:]))

    def travel(self, children: Children) -> tuple[Pod, tuple[OctiStep, ...]]:
        *pod, steps = children
        return _pod(*pod), steps

    def steps(self, children: Children) -> tuple[OctiStep, ...]:
        return tuple(children)

    def step(self, children: Children) -> OctiStep:
        target, *captured = children
        return OctiStep(target=target, captured=tuple(captured))

    def capture(self, children: Children) -> str:
        return "".join(children)


def _pod(point: Point, prongs: str | None) -> Pod:
    return Pod(point=point, prongs=prongs or "")


class GessValues(PointValues):
    """Values of games/gess.lark."""

    step = build(Step, "origin", "target")


class TwixtValues(PointValues):
    """Values of games/twixt.lark."""

    point_go_style = build(Point)

    def link_center(self, children: Children) -> LinkCenter:
        column, row, _ = children
        return LinkCenter(point=Point(column, row))


class ChessValues(GgfMethods):
    """Values of games/chess.lark: results in view of White."""

    def result(self, children: Children) -> Result:
        seen_by_black = super().result(children)
        if seen_by_black.winner is None:
            return seen_by_black
        return seen_by_black.model_copy(update={"winner": seen_by_black.winner.opponent})


def _coordinate(text: str) -> int:
    return int(text) - 1 if text.isdecimal() else letter(text) if len(text) == 1 else letters(text)


class PlainValues(SgfMethods):
    """Points and moves of games that have no transformer of their own.

    A point is a column and a row; two points are a step.  Any other move stays a text.
    """

    passing = always(PASS)

    def point(self, children: Children) -> Point:  # type: ignore[override]  # no text
        column, row = children
        if row.isdecimal():  # beside a number, letters of both cases are equal
            column = column.lower()
        return Point(_coordinate(column), _coordinate(row))

    stone = point  # type: ignore[assignment]

    def move(self, children: Children) -> Point | Step:  # type: ignore[override]  # no text
        points = [child for child in children if isinstance(child, Point)]
        if len(points) == 1:
            return points[0]
        origin, target = points
        return Step(origin=origin, target=target)

    step = move

    def __default__(self, data: str, children: Children, meta: object) -> Any:
        """Return the text of a part of a point, or a move that has a rule of its own."""
        if any(isinstance(child, Point) for child in children):
            return self.move(children)
        return "".join(filter(None, children))  # an optional part that is absent is None


#: By the file of a game's grammar in ``grammars/games/``; others have :class:`PlainValues`.
TRANSFORMERS: dict[str, ValueMethods] = {
    "go": GoValues(),
    "othello": OthelloValues(),
    "chess": ChessValues(),
    "gomoku": GomokuValues(),
    "backgammon": BackgammonValues(),
    "lines_of_action": LinesOfActionValues(),
    "hex": HexValues(),
    "amazons": AmazonsValues(),
    "octi": OctiValues(),
    "gess": GessValues(),
    "twixt": TwixtValues(),
}

_PLAIN = PlainValues()


def transformer_of(notation: str) -> ValueMethods:
    """Return the transformer of a game, by the name of its grammar; "" for a custom one."""
    return TRANSFORMERS.get(notation, _PLAIN)

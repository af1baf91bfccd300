"""Backgammon: checkers, dice and the doubling cube; of a record, what MI says of the match.

Source: FF[4], Backgammon.  One system of coordinates serves both sides: White goes from ``x``
(point 24) to ``a`` (point 1), Black from ``a`` to ``x``; both come in from the bar ``y`` and leave
for the tray ``z``.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Hashable, Iterable, Iterator
from decimal import Decimal
from operator import attrgetter
from re import fullmatch
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from sgf_lark.core import (
    BAR,
    COLORS,
    LETTERS,
    SETUP,
    TRAY,
    Action,
    BackgammonMove,
    BoardSize,
    Color,
    Composed,
    Content,
    CubeOwner,
    Dice,
    Finding,
    Game,
    GameNumber,
    GameTree,
    Group,
    Nodes,
    Point,
    PointList,
    Reading,
    Rectangle,
    Severity,
    Value,
    register,
    shorten,
)
from sgf_lark.pictures.parts import BoardKind, Stone
from sgf_lark.positions.coordinates import Coordinates
from sgf_lark.positions.state import LEGAL, NO_MOVE, Feature, GameEnd, State, StateMaker, Verdict
from sgf_lark.positions.symmetry import Symmetries, Symmetry, Transformation

from .moves import about_move, find_result, main_end
from .rolls import (
    BAR_PIPS,
    HOME,
    SideView,
    can_play,
    column_of,
    fits_dice,
    legal_plays,
    moves_of,
    pips_of,
    play_way,
    read_roll,
    settings,
)

if TYPE_CHECKING:
    from sgf_lark.pictures.diagram import Diagram

#: Points, and columns with the bar and the tray.
POINTS, PLACES = 24, 26

#: Checkers of each side.
CHECKERS = 15

#: Where the checkers of White are at the beginning; those of Black are opposite.
START = {5: 5, 7: 3, 12: 5, 23: 2}

#: Larger cubes count as this.
LARGEST_CUBE = 1 << 30

#: Where the counts of a side begin.
_FIRST = {Color.WHITE: 0, Color.BLACK: PLACES}


class Checkers(NamedTuple):
    """The checkers on a point, on the bar or in the tray.

    The bar and the tray hold those of both sides.

    Attributes:
        black, white: Their numbers.
    """

    black: int
    white: int

    @property
    def color(self) -> Color | None:
        """The side that has checkers there; None if both have."""
        if self.black and self.white:
            return None
        return Color.BLACK if self.black else Color.WHITE

    @property
    def amount(self) -> int:
        """The checkers of both sides."""
        return self.black + self.white


class BackgammonCoordinates(Coordinates):
    """Names of points: their numbers as White counts them, the bar, and the tray."""

    __slots__ = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the points, from point 1 on."""
        return (*map(str, range(1, POINTS + 1)), "bar", "off")

    @property
    def rows(self) -> tuple[str, ...]:
        return ()

    def name_on_board(self, point: Point) -> str:
        return self.columns[point.column]

    @property
    def board(self) -> str:
        return "a board of 24 points, bar and off"

    def read(self, name: str) -> Point | None:
        """Return a point; None if the name has another form."""
        name = name.lower()
        if name in {"bar", "off"}:
            return Point(BAR if name == "bar" else TRAY, 0)
        if name.isdecimal():
            return Point(int(name) - 1, 0) if 1 <= int(name) <= BAR else None
        return Point(LETTERS.index(name), 0) if len(name) == 1 and name in LETTERS else None


class BackgammonTransformation(Transformation):
    """The view of the board from one side or the other."""

    __slots__ = ()

    @property
    def new_size(self) -> BoardSize:
        """The size of the board, which has no other one."""
        return self.size

    def point(self, point: Point) -> Point:
        if self.symmetry is Symmetry.IDENTITY or point.column >= BAR:
            return point
        return Point(BAR - 1 - point.column, 0)

    def parts(self, value: Value) -> tuple[Value, ...]:
        """Return a value, or a range cut before the bar: its points turn round, the bar stays."""
        low, high = (value.corners if isinstance(value, Rectangle) else None) or (None, None)
        if (
            self.symmetry is Symmetry.IDENTITY
            or low is None
            or high is None
            or not low.column < BAR <= high.column
        ):
            return (value,)
        return (
            Rectangle(first=low, second=Point(BAR - 1, 0)),
            Rectangle(first=Point(BAR, 0), second=high) if high.column > BAR else high,
        )


class BackgammonState(State):
    """Checkers, dice and cube.

    Nobody moves first by rule: ``to_play`` is None until a move, DI with PL, or setup says more.
    """

    number_of_game = GameNumber.BACKGAMMON
    kind = BoardKind.POINTS
    piece = "checker"
    names = BackgammonCoordinates
    # Half a turn is the view of the other side; the bar and the tray stay where they are.
    symmetries = Symmetries(
        exchanging=frozenset({Symmetry.ROTATE_180}), recoloring=Symmetry.ROTATE_180
    )
    transformation = BackgammonTransformation
    takes_turns = False

    def __init__(self, size: BoardSize | None = None, *, rules: str = "") -> None:  # noqa: ARG002
        super().__init__(BoardSize(PLACES, 1), rules=rules)
        self.to_play = None
        # the roll that is to be played (DI); None before the dice are cast
        self.dice: tuple[int, int] | None = None
        self.cube = 1
        self.cube_owner: Color | None = None  # who may double; None for both
        self.doubled: Color | None = None
        self.roller: Color | None = None  # who rolls when the double is answered: who doubled first
        self.winner: Color | None = None
        self.is_crawford = "CrawfordGame" in rules.split(":")
        self._counts = bytearray(2 * PLACES)

    @classmethod
    def read_picture(cls, lines: list[str], game: Game, make: StateMaker) -> State:
        """Return the position of a picture; see :meth:`.State.read_picture`.

        The dice may be those of the last move, and are left out.
        """
        from sgf_lark.pictures.text import MAX_SHOWN
        from sgf_lark.positions.notation import SIGNS

        state = make(game, BoardSize(PLACES, 1))
        first = next((at for at, line in enumerate(lines) if line.startswith("+13-")), None)
        if first is None or len(lines) < first + 2 * MAX_SHOWN + 3:
            raise ValueError("no picture of a board of backgammon")
        middle = lines[first + 1 + MAX_SHOWN]
        places = [*range(2, 20, 3), *range(25, 43, 3)]  # characters
        for half, columns, color in (
            (-1, range(12, 24), Color.BLACK),
            (1, range(11, -1, -1), Color.WHITE),
        ):
            stack = [
                lines[first + 1 + MAX_SHOWN + half * height].ljust(60)
                for height in range(MAX_SHOWN, 0, -1)
            ]
            for column, x in (*zip(columns, places, strict=True), (BAR, 21)):
                cells = [line[x : x + 2].strip() for line in stack]
                side = SIGNS.get(cells[0])
                if side is not None:
                    amount = int(cells[-1]) if cells[-1].isdecimal() else sum(map(bool, cells))
                    state.put_feature(Feature((Point(column, 0),), side, str(amount)))
            off = re.search(r"off: (\d+)", stack[0])
            if off:
                state.put_feature(Feature((Point(TRAY, 0),), color, off[1]))
        cube = re.search(r"cube: (\d+)(?: \((Black|White)\))?", middle)
        if cube:
            state.put_feature(Feature(what=f"cube-{cube[1]}"))
            if cube[2]:
                state.put_feature(Feature(color=Color(cube[2][0]), what="cube-owner"))
        return state

    @classmethod
    def check(cls, game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:  # noqa: ARG003
        """Check checkers, dice, cube, and what MI says of the match."""
        return check_backgammon(game)

    def settings_of(self, dice: Any, cube: object, owner: Any) -> Iterator[tuple[str, object]]:
        return settings(dice, cube, owner)

    # ---- what is on it ----

    def count(self, color: Color, column: int) -> int:
        """Return the number of checkers of a side on a point, the bar (24) or the tray (25)."""
        return self._counts[_FIRST[color] + column]

    def at(self, point: Point) -> Checkers | None:
        black, white = (self.count(color, point.column) for color in Color)
        return Checkers(black, white) if black or white else None

    def pieces(self) -> Iterator[Stone]:
        """Yield the checkers, point by point; those of Black first where both sides have some."""
        for column in range(PLACES):
            for color in Color:
                amount = self.count(color, column)
                if amount:
                    yield Stone(Point(column, 0), color, self.piece, amount)

    def on_board(self, color: Color) -> int:
        first = _FIRST[color]
        return sum(self._counts[first : first + TRAY])

    @property
    def winner_by_checkers(self) -> Color | None:
        done = (side for side in Color if self.count(side, TRAY) and not self.on_board(side))
        return next(done, None)

    def position(self) -> Hashable:
        dice, *rest = _GAME(self)
        roll = dice and (*sorted(dice),)
        return (self.to_play, self.is_crawford, bytes(self._counts), roll, *rest)

    def diagram(self) -> Diagram:
        dice = self.dice
        if dice is None and isinstance(self.last, BackgammonMove):
            dice = self.last.dice
        changes = {"dice": dice or (), "cube": self.cube, "cube_owner": self.cube_owner}
        return super().diagram().model_copy(update=changes)

    def points_of_last(self) -> Iterable[Point]:
        """Return the points to which the last move went, each once."""
        if not isinstance(self.last, BackgammonMove):
            return ()
        return dict.fromkeys(target for _, target in self.last.pairs)

    def position_id(self, color: Color | None = None) -> str:
        """Return GNU Backgammon's Position ID: 14 characters that name the position of checkers.

        Source: GNU Backgammon's manual, "A technical description of the Position ID".

        Raises:
            ValueError: The side is not known, or has more than fifteen checkers.
        """
        color = color or self.to_play
        if color is None:
            raise ValueError("the side on roll is not known: give the color")
        bits, length = 0, 0
        for side in (color.opponent, color):
            for amount in self._seen_by(side)[1:]:
                bits |= ((1 << amount) - 1) << length
                length += amount + 1
        if length > _ID_BITS:
            raise ValueError("a Position ID has at most fifteen checkers of each side")
        return b64encode(bits.to_bytes(_ID_BITS // 8, "little")).decode().rstrip("=")

    def _seen_by(self, color: Color) -> tuple[int, ...]:
        """Return the checkers of a side by the pips left to go: the tray first, the bar last."""
        first = _FIRST[color]
        points = self._counts[first : first + POINTS]
        if color is Color.BLACK:
            points.reverse()
        return (self._counts[first + TRAY], *points, self._counts[first + BAR])

    def _position_of(self, color: Color) -> SideView:
        points = bytes(self._seen_by(color.opponent)[1 : POINTS + 1])
        held, blots = (int(points.translate(table) + b"0", 2) for table in _DIGITS)
        return SideView(self._seen_by(color), held, blots)

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move is legal; the board does not change."""
        before = self.mark
        verdict = self.play(move, color)
        self.rewind(before)
        return verdict

    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a roll with its moves, or a word of the cube.

        Moves of a checker that is not there, or to a point that the other side holds, are left
        out; the others are carried out, legal or not.
        """
        if isinstance(move, BackgammonMove):
            verdict = self._roll(move, color)
        elif isinstance(move, Action) and move.word in {"double", "take", "drop"}:
            verdict = self._turn_cube(move.word, color)
        else:
            verdict = NO_MOVE
        self.number += 1
        self.last = move
        return verdict

    def _turn_cube(self, word: str, color: Color) -> Verdict:
        other = color.opponent
        verdict = LEGAL
        if self.winner is not None:
            verdict = _cube_order("after a drop, which ended the game")
        elif word == "double":
            verdict = self._judge_double(color)
            beaver = self.doubled is other
            if beaver:
                self.cube = min(self.cube * 2, LARGEST_CUBE)
            else:
                self.roller = color
            self.doubled, self.to_play = color, other
        elif self.doubled is not other:
            verdict = _cube_order("without a double before it")
        elif word == "take":
            self.cube = min(self.cube * 2, LARGEST_CUBE)
            self.cube_owner = color if self.roller is other else other
            self.doubled, self.to_play = None, self.roller
        else:
            self.doubled, self.to_play, self.winner = None, None, other
        return verdict

    def _judge_double(self, color: Color) -> Verdict:
        """Tell if a side may double; the answer to a double with another is a beaver."""
        other = color.opponent
        if self.is_crawford:
            reason, help_ = "the Crawford game has no doubles", "correct RU, or the move"
            return Verdict("crawford-double", reason, help_, joint=": ")
        if self.doubled is color:
            return _cube_order("before the first double is answered")
        if self.cube_owner is other and self.doubled is not other:
            return _cube_order(f"and {other.name.capitalize()} owns the cube", joint=", ")
        return LEGAL

    def _roll(self, move: BackgammonMove, color: Color) -> Verdict:
        verdict, before = self._judge_time(), self._position_of(color)
        if verdict:
            verdict = _judge_dice(move, color)
        fault = ""
        for origin, target in move.pairs:
            wrong = self._move_checker(origin.column, target.column, color)
            fault = fault or wrong
        if fault and verdict:
            verdict = Verdict("illegal-move", fault, is_lost=True, joint=": ")
        elif fault:
            verdict = verdict._replace(is_lost=True)
        elif verdict:
            verdict = self._judge_end(before, move, color)
        self.to_play, self.doubled, self.dice = color.opponent, None, None
        return verdict

    def _judge_time(self) -> Verdict:
        """Tell if somebody may roll: not before a double is answered."""
        if self.winner is not None:
            return _cube_order("after a drop, which ended the game", "remove it")
        if self.doubled is not None:
            help_ = "'take' or 'drop' is missing before it"
            return _cube_order("before the double is answered", help_)
        return LEGAL

    def _move_checker(self, origin: int, target: int, color: Color) -> str:
        other, fault = color.opponent, ""
        letter = chr(ord("a") + target)
        if not self.count(color, origin) or origin == TRAY:
            return f"no {color.name.lower()} checker is on '{chr(ord('a') + origin)}'"
        if origin != BAR and self.count(color, BAR):
            fault = f"a {color.name.lower()} checker is on the bar and has to come in first"
        elif target == TRAY and any(self._seen_by(color)[HOME + 1 :]):
            fault = "a checker leaves the board before all are home"
        if target < POINTS and self.count(other, target) > 1:
            return fault or f"'{letter}' is held by {other.name.lower()} checkers"
        if target < POINTS:
            self._hit(target, other)
        self._add(color, origin, -1)
        self._add(color, target, 1)
        return fault

    def _hit(self, column: int, color: Color) -> None:
        if self.count(color, column):
            self._add(color, column, -1)
            self._add(color, BAR, 1)

    def _add(self, color: Color, column: int, amount: int) -> None:
        at = _FIRST[color] + column
        self._counts[at] = max(0, min(self._counts[at] + amount, MAX_COUNT))

    def _judge_end(self, before: SideView, move: BackgammonMove, color: Color) -> Verdict:
        """Tell if a roll could lead to the present position, and play as many dice as it had to.

        Where a checker had to hit on its way, which a pair does not say, it does so now.
        """
        way = tuple(pips_of(*pair, color) or (0, 0) for pair in move.pairs)
        dice = moves_of(move.dice)
        found = play_way(before, way, dice)
        if not found:
            reason = "no die leads there: a point on the way is held, or a checker is farther back"
            return Verdict("illegal-move", reason, joint=": ")
        played = max(count for count, _ in found)
        self._hit_between(before, [hits for count, hits in found if count == played], color)
        if played == len(dice) or not self.on_board(color):
            return LEGAL
        name = color.name.capitalize()
        if can_play(before, dice, played + 1):
            reason = f"plays {played} of {len(dice)} dice, and {name} could play more"
            return Verdict("unplayed-dice", reason, "see whether a checker's move is missing")
        larger = dice[-1:]
        if played == 1 and not play_way(before, way, larger) and can_play(before, larger, 1):
            reason = f"plays the smaller die, and {name} could play the larger one"
            return Verdict("unplayed-dice", reason, "play the larger die")
        return LEGAL

    def _hit_between(self, before: SideView, hits: list[int], color: Color) -> None:
        fewest = min(hits, key=int.bit_count)
        for pips in range(1, BAR_PIPS):
            if fewest & before.blots & 1 << pips:
                self._hit(column_of(pips, color), color.opponent)

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the legal moves of a side: answers to a double, or a double and all rolls.

        If the dice are known (:attr:`dice`), these are the plays of that roll; otherwise those
        of all 21 rolls.
        """
        if self.winner is not None or self.winner_by_checkers is not None:
            return
        if self.doubled is not None:
            if self.doubled is not color:
                yield from (Action(word=word) for word in ("take", "drop", "double"))
        elif self.dice is not None:
            yield from self.plays(self.dice, color)
        else:
            if self._judge_double(color):
                yield Action(word="double")
            for high in range(1, 7):
                for low in range(1, high + 1):
                    yield from self.plays((high, low), color)

    def plays(self, dice: tuple[int, int], color: Color) -> Iterator[BackgammonMove]:
        """Yield the legal plays of a roll, one for each position to which it can lead.

        A roll that allows no move gives one play, without pairs.
        """
        for way in legal_plays(self._position_of(color), dice).values():
            pairs = tuple(
                (Point(column_of(origin, color), 0), Point(column_of(target, color), 0))
                for origin, target in way
            )
            yield BackgammonMove(dice=dice, pairs=pairs)

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: a side has borne off all checkers, or dropped.

        A gammon counts twice the cube, with a checker on the bar or in the winner's home
        three times.
        """
        if self.winner is not None:
            return GameEnd(self.winner, "the other side drops", self.cube)
        winner = self.winner_by_checkers
        if winner is None:
            return None
        if self.count(winner.opponent, TRAY):
            return GameEnd(winner, "all checkers are off", self.cube)
        behind = self._seen_by(winner.opponent)[POINTS - HOME + 1 :]
        reason, times = ("a backgammon", 3) if any(behind) else ("a gammon", 2)
        return GameEnd(winner, reason, times * self.cube)

    def score(self, way: str, dead: Iterable[Point]) -> tuple[Decimal, Decimal]:  # noqa: ARG002
        """Return what the winner gets; nothing before the end."""
        end = self.end()
        black, white = (
            end.points if end and end.winner is color and end.points else 0 for color in Color
        )
        return Decimal(black), Decimal(white)

    def faults(self) -> Iterator[str]:
        """Yield that a side has more than fifteen checkers, or both are on a point."""
        for color in Color:
            if (count := self.on_board(color) + self.count(color, TRAY)) > CHECKERS:
                yield f"{color.name.capitalize()} has {count} checkers, {CHECKERS} at the start"
        for column in range(POINTS):
            if all(self.count(color, column) for color in Color):
                yield f"checkers of both sides are on {column + 1}"

    # ---- texts ----

    def read_move(self, text: str) -> Value:
        """Return the move that people write so; points are White's, 1 to 24, for both sides."""
        return self._read(text, None)

    def read_move_of(self, text: str, color: Color) -> Value:
        """Return the move that people write so.

        Examples: ``31: 8/5 6/5``, ``62: bar/20*/14``, ``66: 6/off(4)``, ``double``, ``take``,
        ``drop``.  If the dice are known, they may be left out.  Points are White's, 1 to 24, for
        both sides, as on the board.  Where Black moves, Black's own count is understood as
        well: there a checker goes from a larger number to a smaller one.

        Raises:
            ValueError: It is no move of backgammon, or its dice are not known.
        """
        return self._read(text, color)

    def _read(self, text: str, color: Color | None) -> Value:
        text = text.strip().lower()
        if text in {"double", "take", "drop"}:
            return Action(word=text)
        return read_roll(text, self.coordinates, self.dice, color)

    def name_move(self, move: Value) -> str:
        """Return a move as people write it, points counted as White's for both sides."""
        match move:
            case Action():
                return move.word
            case BackgammonMove():
                names = [map(self.coordinates.name, pair) for pair in move.pairs]
                parts = [f"{origin}/{target}" for origin, target in names]
                dice = "".join(map(str, move.dice))
                return f"{dice}: {' '.join(parts)}" if parts else dice
        return super().name_move(move)

    # ---- setup ----

    def put_points(self, low: Point, high: Point, ident: str) -> bool:
        """Add a checker on each point (AB, AW), or take all away (AE)."""
        for column in range(low.column, high.column + 1):
            if ident == "AE":
                self._counts[column] = self._counts[PLACES + column] = 0
            else:
                self._add(SETUP[ident] or Color.BLACK, column, 1)
        self.doubled = None
        return True

    def put_start(self) -> None:
        for column, amount in START.items():
            self._counts[column] = self._counts[PLACES + POINTS - 1 - column] = amount

    def put_setting(self, ident: str, value: object) -> None:
        """Set the dice (DI), the value (CV) or the owner (CO; GNU Backgammon: CP) of the cube."""
        if ident == "DI" and isinstance(value, Dice):
            self.dice = value.dice
        elif ident == "CV" and isinstance(value, int) and value > 0:
            self.cube = min(value, LARGEST_CUBE)
        elif ident in {"CO", "CP"} and isinstance(value, str) and value in _OWNERS:
            self.cube_owner = _OWNERS[value]
            if self.doubled is not None:
                self.doubled, self.to_play = None, self.roller
        else:
            super().put_setting(ident, value)

    # ---- symmetries ----

    def features(self) -> Iterator[Feature]:
        """Yield the parts of the position: checkers, the side to move, dice and cube."""
        yield from super().features()
        if self.dice is not None:
            yield Feature(what="dice-{}{}".format(*sorted(self.dice)))
        yield Feature(what=f"cube-{self.cube}")
        for name in ("cube_owner", "doubled", "roller", "winner"):
            side = getattr(self, name)
            if side is not None:
                yield Feature(color=side, what=name.replace("_", "-"))

    def put_feature(self, feature: Feature) -> None:
        """Add checkers, dice, or what belongs to the cube."""
        kind, _, number = feature.what.partition("-")
        name = feature.what.replace("-", "_")
        if kind == "dice" and fullmatch("[1-6]{2}", number):
            self.dice = int(number[0]), int(number[1])
        elif kind == "cube" and number.isdecimal():
            self.put_setting("CV", int(number))
        elif feature.color is not None and name in _CHANGING[2:]:
            setattr(self, name, feature.color)
        else:
            super().put_feature(feature)

    def transformed(self, to: Transformation) -> Self:
        other = self.copy()
        self.finish_transformed(other, to)
        for column in range(PLACES):
            turned = to.point(Point(column, 0)).column
            for color in Color:
                at = _FIRST[to.color(color)] + turned
                other._counts[at] = self.count(color, column)  # noqa: SLF001  # its own class
        for name in ("cube_owner", "doubled", "roller", "winner"):
            side = getattr(self, name)
            setattr(other, name, side and to.color(side))
        return other

    # ---- the way back ----

    @property
    def mark(self) -> tuple[Any, ...]:
        return (bytes(self._counts), self.to_play, self.number, self.last, *_GAME(self))

    def rewind(self, mark: tuple[Any, ...]) -> None:
        counts, self.to_play, self.number, self.last, *rest = mark
        self._counts[:] = counts
        for name, value in zip(_CHANGING, rest, strict=True):
            setattr(self, name, value)

    def copy(self) -> Self:
        other = type(self)(self.size)
        other.is_crawford = self.is_crawford
        other.rewind(self.mark)
        return other


#: What changes beside the checkers.
_CHANGING = ("dice", "cube", "cube_owner", "doubled", "roller", "winner")
_GAME = attrgetter(*_CHANGING)

#: The side that CO names; None for both.
_OWNERS: dict[str, Color | None] = {
    CubeOwner.BLACK: Color.BLACK,
    CubeOwner.WHITE: Color.WHITE,
    CubeOwner.CENTERED: None,
    CubeOwner.NONE: None,
}

#: A Position ID names fifteen checkers and 25 places of each side.
_ID_BITS = 80

#: The digits of a point that is held, and of a blot, by the number of checkers.  The point from
#: which the other side has one pip to go is the last of 24, and so the first digit.
_DIGITS = (b"00" + b"1" * 0xFE, b"01" + b"0" * 0xFE)

#: More checkers of a side on a point are not counted.
MAX_COUNT = 0xFF


def _cube_order(
    reason: str, help: str = "see whether a move before is missing", joint: str = " "
) -> Verdict:
    return Verdict("cube-order", reason, help, joint=joint)


def _judge_dice(move: BackgammonMove, color: Color) -> Verdict:
    if fits_dice(move, color):
        return LEGAL
    wrong = next((pair for pair in move.pairs if pips_of(*pair, color) is None), None)
    if wrong is not None:
        return Verdict("dice-moves", *_why_no_way(*wrong, color))
    return Verdict("dice-moves", "moves what these dice do not allow", "correct it")


def _why_no_way(origin: Point, target: Point, color: Color) -> tuple[str, str]:
    if origin.column == TRAY:
        return "moves a checker from the tray 'z': it is off the board for good", "correct it"
    if target.column == BAR:
        return "moves a checker to the bar 'y': only a hit puts one there", "correct it"
    if origin == target:
        return "moves a checker to the point where it is", "correct it"
    way = "from 'x' to 'a'" if color is Color.WHITE else "from 'a' to 'x'"
    reason = f"moves the wrong way: {color.name.capitalize()} goes {way}"
    return reason, "correct it, or the color"


# ---- the checks of records ----

#: The tags of MI whose values are numbers from 0.
SCORES = {"bs": "Black", "ws": "White"}
TAGS = ("length", "game", *SCORES)

#: A point that is named more often changes nothing more.
MAX_NAMINGS = PLACES * PLACES

#: The faults of a move by a side whose turn it is not; those of the others come first.
AFTER_TURN = frozenset({"", "illegal-move", "unplayed-dice"})


def check_backgammon(game: GameTree) -> Iterator[Finding]:
    nodes = game.nodes
    yield from _match_information(game)
    root = nodes.contents[0]
    rules = next((prop.raw[0] for prop in root if prop.ident == "RU" and prop.raw), "")
    state = BackgammonState(rules=rules)
    if not any(prop.ident in SETUP for prop in root):
        state.put_start()
    play = _Play(game, state)
    lost = bytearray()
    last = main_end(nodes.parents)
    for node, content in _replay(nodes, state):
        above = nodes.parents[node]
        play.is_lost = above >= 0 and bool(lost[above])
        yield from play.of_node(node, content)
        lost.append(play.is_lost)
        if node == last:
            yield from _result(game, state, is_lost=play.is_lost)


def _replay(nodes: Nodes, state: BackgammonState) -> Iterator[tuple[int, Content]]:
    """Yield the nodes of a game, each with the state as its parent leaves it.

    It is no :class:`.Replay`, which judges nothing after a move that leaves the board unknown:
    doubles, and whose turn it is, are known without the checkers.
    """
    parents = nodes.parents
    forks = {above for node, above in enumerate(parents) if above != node - 1}
    marks: dict[int, Any] = {}
    for node, content in enumerate(nodes.contents):
        if parents[node] != node - 1:
            state.rewind(marks[parents[node]])
        yield node, content
        if node in forks:
            marks[node] = state.mark


CHECKER_COUNT = register("G635 checker-count warning: more than fifteen checkers of a side")
CUBE_VALUE = register("G633 cube-value warning: a value that no doubling cube has")


class _Play:
    def __init__(self, game: GameTree, state: BackgammonState) -> None:
        self.is_lost = self.is_answered = False
        self._nodes = game.nodes
        self._state = state

    def of_node(self, node: int, content: Content) -> Iterator[Finding]:
        for place, prop in enumerate(content):
            if prop.ident in SETUP:
                self._set_up(prop)
            elif prop.ident in {"CV", "CO", "CP", "PL"}:
                yield from self._set_cube(node, place, prop)
        if any(prop.ident in Group.ADDS.idents for prop in content):
            yield from self._count(node, content)
        for place, prop in enumerate(content):
            if prop.ident not in COLORS or not prop.raw:
                continue
            self.is_answered = self._answers(node, prop.ident)
            yield from self._move(node, place, prop, COLORS[prop.ident])

    def _answers(self, node: int, ident: str) -> bool:
        parents, contents = self._nodes.parents, self._nodes.contents
        if node + 1 >= len(parents) or parents[node + 1] != node:
            return False
        return any(prop.ident in COLORS and prop.ident != ident for prop in contents[node + 1])

    def _set_up(self, prop: Reading) -> None:
        """Each naming of a point by AB or AW is a checker; AE empties points."""
        state = self._state
        state.to_play = state.doubled = None
        if isinstance(prop.value, PointList) and prop.value.total <= MAX_NAMINGS:
            for point in prop.value:
                if state.has(point):
                    state.put_points(point, point, prop.ident)

    def _count(self, node: int, content: Content) -> Iterator[Finding]:
        """Each side has fifteen checkers at most."""
        for ident, color in (("AB", Color.BLACK), ("AW", Color.WHITE)):
            place = next((place for place, prop in enumerate(content) if prop.ident == ident), None)
            count = self._state.on_board(color)
            if place is not None and count > CHECKERS:
                message = f"{color.name.capitalize()} has {count} checkers, more than 15"
                help_ = "empty the points with AE before, or name fewer"
                yield CHECKER_COUNT.found(message, help=help_, node=node, property_index=place)

    def _set_cube(self, node: int, place: int, prop: Reading) -> Iterator[Finding]:
        """Value and owner of the cube, and who is to roll."""
        value: object = prop.values[0] if prop.values else None
        if prop.ident == "CV" and isinstance(value, int) and (value < 1 or value & (value - 1)):
            message = f"invalid value '{value}' for CV: expected a power of two"
            help_ = "a doubling cube has 1, 2, 4, 8, 16 ..."
            yield CUBE_VALUE.found(
                message,
                help=help_,
                node=node,
                property_index=place,
                value_index=0,
            )
        elif prop.ident == "PL" and isinstance(value, Color):
            self._state.to_play = None  # another rule compares
        else:
            self._state.put_setting(prop.ident, value)

    # ---- moves ----

    def _move(self, node: int, place: int, prop: Reading, color: Color) -> Iterator[Finding]:
        state, value = self._state, prop.values[0]
        if not isinstance(value, Action | BackgammonMove):
            state.to_play = state.doubled = None
            self.is_lost = True
            return
        turn = state.to_play if state.doubled is None else None
        verdict = state.play(value, color)
        shown = f"{prop.ident}[{shorten(prop.raw[0])}]"
        name, message, help_ = verdict.name, verdict.sentence(shown), verdict.help
        was_lost, self.is_lost = self.is_lost, self.is_lost or verdict.is_lost
        if isinstance(value, BackgammonMove):
            if was_lost and name in AFTER_TURN:
                return
            if name == "unplayed-dice" and not value.pairs and not self.is_answered:
                name = ""
        if turn is color.opponent and name in AFTER_TURN:
            name, message = "out-of-turn", f"{shown}, but it is {turn.name.capitalize()}'s turn"
            help_ = "see whether a move before is missing"
            if isinstance(value, BackgammonMove):
                help_ = "a roll may be missing; one without moves counts, too"
        if name:
            yield about_move(name, message, help_, (node, place))


# ---- the match, and the result ----


MATCH_INFORMATION = register("G634 match-information warning: an invalid part of MI")


def _match_information(game: GameTree) -> Iterator[Finding]:
    """MI: known tags, each once, with numbers that can be."""
    nodes = game.nodes
    for place, prop in enumerate(nodes.contents[0]):
        if prop.ident != "MI":
            continue
        numbers: dict[str, tuple[int, int]] = {}
        for index, value in enumerate(prop.values):
            if not isinstance(value, Composed):
                continue
            tag, number = str(value.first).lower(), value.second
            message = _tag(tag, number, twice=tag in numbers)
            if message:
                severity = None if tag in TAGS else Severity.INFO
                help_ = "FF[4] knows length, game, bs and ws"
                yield MATCH_INFORMATION.in_root(message, help_, place, index, severity)
            elif isinstance(number, int):
                numbers[tag] = index, number
        _, length = numbers.get("length", (0, 0))
        for tag, who in SCORES.items():
            index, score = numbers.get(tag, (0, 0))
            if 0 < length <= score:
                message = f"{who} has {score} points of {length}: the match was over before"
                help_ = "correct the score or the length of the match"
                yield MATCH_INFORMATION.in_root(message, help_, place, index)


def _tag(tag: str, number: object, *, twice: bool) -> str:
    if tag not in TAGS:
        return f"unknown tag '{shorten(tag)}' in MI"
    if twice:
        return f"MI has the tag '{tag}' twice"
    if not isinstance(number, int):
        return f"invalid value for the tag '{tag}' of MI: expected a number"
    return f"the tag '{tag}' of MI is {number}: expected at least 0" if number < 0 else ""


def _result(game: GameTree, state: BackgammonState, *, is_lost: bool) -> Iterator[Finding]:
    """The winner of RE is who won by a drop, or took the last checker off."""
    found = find_result(game.nodes)
    if found is None or found[1].winner is None:
        return
    place, result = found
    winner = state.winner
    if winner is None and not is_lost:
        winner = state.winner_by_checkers
    if winner is not None and result.winner is not winner:
        shown = shorten(game.nodes.contents[0][place].raw[0])
        message = f"RE[{shown}], but {winner.name.capitalize()} has won"
        help_ = "correct the result, or see whether moves are missing"
        yield about_move("score-mismatch", message, help_, (0, place))
